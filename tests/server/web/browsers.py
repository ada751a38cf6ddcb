"""A real server and a real browser for the tests of the page."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.fuzzing import first_of
from tests.server.web.guests import ANY_DISCARD
from tests.server.web.servers import call

# The headless shell first: it needs half the CPU time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 400_000  # milliseconds, for machine code that is compiled the first time
SLOW = 60_000  # milliseconds: slow machines take long, and only what fails waits for it
expect.set_options(timeout=SLOW)
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREENS = {
    f"{name}-{scheme}": {**screen, "color_scheme": scheme}
    for name, screen in (("desktop", DESKTOP), ("phone", PHONE))
    for scheme in ("light", "dark")
}
# Both sizes and both themes in two visits: with all four the tests of the page take as long as all others together.
USUAL_SCREENS = {name: SCREENS[name] for name in ("desktop-light", "phone-dark")}


def on_a_screen(test: Callable[..., None]) -> Callable[..., None]:
    """A test that goes the same way on every screen: its name chooses one, on the other it is a slow test."""
    names = list(USUAL_SCREENS)
    first = names.pop(crc32(test.__name__.encode()) % len(names))
    screens = [USUAL_SCREENS[name] for name in (first, *names)]
    each: Callable[..., None] = first_of(1, "screen", screens, ids=[first, *names])(test)
    return each


# Sockets are remembered so that a test can cut them, bots move at once, and so do keys.
BEFORE_THE_PAGE = """if (location.protocol !== "about:") {
  const Socket = window.WebSocket;
  window.sockets = [];
  window.WebSocket = class extends Socket { constructor(...all) { super(...all); window.sockets.push(this); } };
  if (localStorage.getItem("kibitz.choice.pace") === null) localStorage.setItem("kibitz.choice.pace", "0");
  const asks = "kibitz.choice.setting.confirm";
  if (localStorage.getItem(asks) === null) localStorage.setItem(asks, "false");
}"""


def installed() -> str | None:
    """The Chromium of this machine, or the browser that KIBITZ_BROWSER names."""
    named = os.environ.get("KIBITZ_BROWSER")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


@contextlib.contextmanager
def browsing() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        arguments = [
            "--disable-gpu",
            "--disable-dev-shm-usage",
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
        ]
        browser = playwright.chromium.launch(executable_path=installed(), args=arguments)
        yield browser
        browser.close()


class Server:
    """`kibitz serve`, in a process of its own that can be killed."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data, self.options = data, options
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "kibitz",
            "serve",
            "--no-open",
            "--port",
            str(self.port),
            "--data",
            str(self.data),
            *self.options,
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://localhost:(\d+)/", line):
                self.port = int(found[1])
                return
        raise AssertionError("The server did not start.")

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}/"

    def kill(self) -> None:
        self.process.kill()
        self.end()

    def stop(self) -> None:
        self.process.terminate()
        self.end()

    def end(self) -> None:
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Visit:
    """Somebody's browser at the server, with all that its console says."""

    def __init__(self, browser: Browser, server: Server, name: str = "", **context: Any) -> None:
        self.context = browser.new_context(
            **{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **context}
        )
        self.context.add_init_script(BEFORE_THE_PAGE)
        if name:
            kept = f"localStorage.setItem('kibitz.name', JSON.stringify({json.dumps(name)}))"
            self.context.add_init_script(f"if (location.protocol !== 'about:') {kept}")
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(SLOW)
        self.said: list[str] = []
        self.server = server
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))

    def open(self, address: str = "", awaited: str = ".game-card") -> Page:
        self.page.goto(self.server.address + address)
        self.page.wait_for_selector(awaited)
        return self.page

    def close(self) -> None:
        self.context.close()


# What the page keeps of a seat, once: a page that is loaded again has what it kept itself.
KEEP_SEAT = """(([table, kept]) => {
    if (location.protocol === "about:" || localStorage.getItem(`given.${table}`)) return;
    localStorage.setItem(`given.${table}`, "1");
    const seats = JSON.parse(localStorage.getItem("kibitz.seats") ?? "{}");
    localStorage.setItem("kibitz.seats", JSON.stringify({ ...seats, [table]: { ...kept, at: Date.now() } }));
})(%s);"""
RULES = {"hanabi": ANY_DISCARD}


def seated(visit: Visit, *seats: str, game: str = "hanabi", seed: int = 1, bot_delay: int = 0, **more: Any) -> Page:
    """A visitor's page at a new table: `me`, `open`, or the name of a bot in each seat; always the same cards."""
    return seated_by(
        visit, "create", *seats, game=game, seed=seed, bot_delay=bot_delay, **{"rules": RULES.get(game, {}), **more}
    )


def seated_by(visit: Visit, request: str, *seats: str, **fields: Any) -> Page:
    """A visitor's page at the table that a request opens."""
    with call(visit.server.port) as caller:
        who = [{"kind": seat} if seat in ("me", "open") else {"kind": "bot", "agent": seat} for seat in seats]
        caller.say(request, seats=who, **fields)
        given = caller.hear("seat", "error")
    kept = {key: given.get(key) for key in ("token", "seat", "host", "invitations")}
    visit.context.add_init_script(KEEP_SEAT % json.dumps([given["table"], kept]))
    visit.page.goto("about:blank")  # so that the page reloads with its key
    return visit.open(f"#/table/{given['table']}", "#whose")


def barriers(page: Page, **options: Any) -> list[tuple[str, str, str]]:
    """What axe finds that keeps people with disabilities from using a page as it is: rule, element, what is wrong."""
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response
    assert found["passes"]  # it looked
    return [
        (each["id"], each["nodes"][0]["html"], each["nodes"][0]["failureSummary"])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def opened(page: Page, panel: str) -> None:
    """Open a panel beside the table: history, kibitz, chat or around, the settings of the table."""
    tab = page.locator(f".tab-{panel}")
    if tab.get_attribute("aria-expanded") == "false":
        tab.click()


class Hand:
    """A mouse or a finger that takes something and carries it."""

    def __init__(self, page: Any, touch: bool) -> None:
        self.page = page
        self.touch: Any = page.context.new_cdp_session(page) if touch else None

    def act(self, what: str, *points: dict[str, float]) -> None:
        self.touch.send("Input.dispatchTouchEvent", {"type": f"touch{what}", "touchPoints": list(points)})

    def middle(self, selector: str) -> dict[str, float]:
        box = self.page.locator(selector).first.bounding_box()
        return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

    def take(self, selector: str) -> None:
        place = self.middle(selector)
        if self.touch:
            self.act("Start", place)
            self.page.wait_for_selector(".dragging")
            return
        self.page.mouse.move(**place)
        self.page.mouse.down()

    def carry(self, selector: str) -> None:
        place = self.middle(selector)
        if self.touch:
            self.act("Move", place)
        else:
            self.page.mouse.move(**place, steps=2)

    def let_go(self) -> None:
        if self.touch:
            self.act("End")
        else:
            self.page.mouse.up()
