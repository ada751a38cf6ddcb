"""Photographs of the pages, taken in a real browser at a real server: part of `make pictures`."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.server.web.browsers import PATIENCE, Server, Visit, browsing  # noqa: E402

SEED = 11
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDE = {"viewport": {"width": 1280, "height": 800}}


def photographed(page: Any, name: str) -> None:
    page.wait_for_timeout(400)
    path = HERE / f"{name}.png"
    page.screenshot(path=path)
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(256, kmeans=8, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    print(f"{path.relative_to(HERE.parents[1])}: {path.stat().st_size // 1024} kB")


def seated(visit: Visit, game: str, bots: list[str], me: bool = True) -> Any:
    """A table of a fixed seed, with this visitor in the first seat or only looking on."""
    page = visit.open()
    page.get_by_role("button", name=f"Set up a table of {game}").click()
    seats = [*(["me"] if me else []), *(f"bot:{bot}" for bot in bots)]
    page.get_by_role("dialog").get_by_label("Players").select_option(str(len(seats)))
    for number, who in enumerate(seats, start=1):
        page.get_by_label(f"Seat {number}").select_option(who)
    page.get_by_text("More options", exact=True).click()
    page.get_by_label("Seed", exact=True).fill(str(SEED))
    page.get_by_role("button", name="Create table").click()
    page.wait_for_selector(".your-turn, .over", timeout=PATIENCE)
    return page


def kibitzed(page: Any, moves: int) -> None:
    """Let the panel decide a few of one's moves."""
    page.get_by_text("Kibitz", exact=True).click()
    for _ in range(moves):
        page.wait_for_selector(".your-turn", timeout=PATIENCE)
        made = page.locator(".history button").count()
        page.get_by_role("button", name="What would you do?").click()
        page.get_by_role("button", name="Play this").click()
        page.wait_for_function("made => document.querySelectorAll('.history button').length > made", arg=made)
    page.wait_for_selector(".your-turn", timeout=PATIENCE)


def main() -> None:
    with tempfile.TemporaryDirectory() as data, browsing() as browser:
        server = Server(Path(data))

        def visit(scheme: str, **context: Any) -> Visit:
            return Visit(browser, server, "Ada", color_scheme=scheme, **context)

        dark, light, phone = visit("dark", **WIDE), visit("light", **WIDE), visit("dark", **PHONE)

        page = seated(dark, "Hanabi", ["trustful", "trustful"])
        kibitzed(page, 7)
        page.get_by_role("button", name="What would you do?").click()
        page.get_by_role("button", name="Play this").wait_for()
        photographed(page, "hanabi")
        page.keyboard.down("e")
        photographed(page, "empathy")
        page.keyboard.up("e")

        page = seated(light, "Hanabi", ["trustful", "trustful", "trustful"], me=False)
        page.get_by_role("button", name="Replay the game").click()
        for _ in range(31):
            page.keyboard.press("]")
        page.get_by_text("Replay: turn 31").wait_for()
        photographed(page, "replay")

        page = seated(light, "Love Letter", ["greedy", "greedy", "greedy"])
        kibitzed(page, 1)
        page.get_by_text("Kibitz", exact=True).click()
        page.locator(".own button.letter:not([disabled])").first.click()
        photographed(page, "loveletter")

        page = seated(phone, "Hanabi", ["trustful"])
        page.locator(".others .card").first.tap()
        page.locator(".value").first.tap()
        photographed(page, "phone")

        page = light.open("#/lab", ".lab-form button")
        page.get_by_role("button", name="Start").click()
        page.wait_for_selector(".run.done .histogram", timeout=PATIENCE)
        photographed(page, "lab")
        page.get_by_role("button", name="Map of playing styles in Hanabi").click()
        photographed(page, "elites-page")
        photographed(light.open("#/gallery", ".agent"), "gallery")
        photographed(light.open("#/"), "lobby")
        for each in (dark, light, phone):
            each.close()
        server.stop()


if __name__ == "__main__":
    main()
