"""What the page shows while it waits, in a real Chromium: a move on its way, a silent server, a bot that thinks."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.server.web.browsers import Visit, installed
from tests.server.web.test_pages import at_table, my_turn

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]


class Line:
    """The line between a page and the server, on which messages of the server can be held back."""

    def __init__(self, page: Any) -> None:
        self.held_back: Callable[[dict[str, Any]], bool] = lambda message: False
        self.opened = 0
        page.clock.install()  # time goes on as usual, and can be made to jump
        page.route_web_socket("**/socket", self.connect)

    def connect(self, socket: Any) -> None:
        self.opened += 1
        server = socket.connect_to_server()
        server.on_message(lambda text: None if self.held_back(json.loads(text)) else socket.send(text))


def discard(page: Any) -> None:
    page.keyboard.press("d")
    page.keyboard.press("1")


def test_a_move_on_its_way_says_so_and_a_silent_server_is_left_and_found_again(visitor: Visitor) -> None:
    visit = visitor("Ada")
    line = Line(visit.page)
    page = at_table(visit, "me", "simple_distrustful", bot_delay=60_000)
    assert my_turn(page)
    whose, connections = page.locator("#whose"), line.opened
    line.held_back = lambda message: True
    discard(page)
    expect(whose).to_have_text("Sending your move …")
    expect(page.locator(".waits")).to_have_text("Sending your move …")
    expect(page.locator(".your-turn")).to_have_count(0)
    page.clock.fast_forward(3000)
    expect(whose).to_have_text(re.compile(r"^Move sent: no answer for \d s$"))
    expect(page.locator("#connection")).to_have_text("Server not responding …")
    page.clock.fast_forward(2000)
    expect(whose).to_have_text("Reconnecting …")
    line.held_back = lambda message: False
    page.wait_for_function("() => document.querySelectorAll('.history button').length === 1")
    expect(whose).to_contain_text("Simple Sam is thinking")
    expect(page.locator("#connection")).to_have_text("")
    assert line.opened > connections


def test_a_server_that_falls_silent_while_others_think_is_noticed(visitor: Visitor) -> None:
    visit = visitor("Ada")
    line = Line(visit.page)
    page = at_table(visit, "me", "simple_distrustful", bot_delay=60_000)
    assert my_turn(page)
    discard(page)
    whose = page.locator("#whose")
    expect(whose).to_have_text("Simple Sam is thinking")
    line.held_back = lambda message: True
    page.clock.fast_forward(4500)  # the page asks whether anybody is there
    page.clock.run_for(600)  # and does so at its next look
    page.clock.fast_forward(2500)
    expect(whose).to_have_text(re.compile(r"^No answer from the server for \d s$"))
    line.held_back = lambda message: False
    page.clock.fast_forward(2000)
    expect(whose).to_have_text("Simple Sam is thinking", timeout=15_000)


def test_a_bot_that_thinks_shows_for_how_long(visitor: Visitor) -> None:
    visit = visitor("Ada")
    line = Line(visit.page)
    page = at_table(visit, "me", "simple_distrustful")
    assert my_turn(page)
    line.held_back = lambda message: (message.get("event") or message).get("turn", 0) > 1  # as if it thought for long
    discard(page)
    expect(page.locator("#whose")).to_have_text("Simple Sam is thinking")
    page.clock.fast_forward(5000)
    expect(page.locator("#whose")).to_have_text(re.compile(r"^Simple Sam is thinking · [5-9] s$"))


def test_a_move_that_is_refused_can_be_made_again(visitor: Visitor) -> None:
    visit = visitor("Ada")
    page = at_table(visit, "me", "simple_distrustful")
    assert my_turn(page)
    page.evaluate("""() => {
        const { send } = WebSocket.prototype;
        WebSocket.prototype.send = function (text) {
            WebSocket.prototype.send = send;
            send.call(this, text.replace("discard 1", "discard 9"));
        };
    }""")
    discard(page)
    page.locator(".toast.error").wait_for()
    expect(page.locator("#whose")).to_have_text("Your turn")
    discard(page)
    page.wait_for_function("() => document.querySelectorAll('.history button').length >= 1")
