"""The messages and the bots that the pages on the protocols show work at a host."""

import json
import re

import pytest

from kibitz.errors import KibitzError
from kibitz.games.hanabi.formats.unibo import UNIBO
from kibitz.games.hanabi.formats.unibo_words import move_object
from tests.docs.pages import ROOT, python_blocks
from tests.server.host.hosts import hosting
from tests.server.host.plain_host import PlainHost, plain_guest
from tests.tables import at, make


def json_blocks(page: str) -> list[str]:
    return re.findall(r"```json\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def test_the_state_and_the_moves_of_the_wire_are_shown_as_they_are() -> None:
    state, moves, error = json_blocks("docs/reference/unibo.md")
    names = ["G1 (Bot1)", "G2 (Ada)"]
    table = at("w4 y1 g1 y3 r1", "b1 r3 w3 y4 g3")
    make(table, "play 3", "discard 1", "hint 3 to G2")
    view = table.view(1)
    assert json.loads(UNIBO.state(view, names)) == json.loads(state)
    assert list(json.loads(UNIBO.state(view, names))) == list(json.loads(state))
    for move in moves.splitlines():
        sent = json.loads(move)
        assert move_object(UNIBO.move(sent, 1, names, view), names[1], names) == sent
    with pytest.raises(KibitzError) as refused:
        UNIBO.move({"player": names[1], "type": "hint value", "hinted": names[0], "value": 5}, 1, names, view)
    assert json.loads(error) == {"error": str(refused.value)}


def test_the_bot_of_the_lines_plays_at_a_host() -> None:
    [bot] = python_blocks("docs/reference/protocol.md")
    with hosting("open,random_legal", games=3) as host:
        exec(compile(bot.replace("localhost:4000", host.where), "protocol.md", "exec"), {})
        assert len(host.ends().rows) == 3


@pytest.mark.parametrize("number", [0, 1])
def test_the_bots_of_the_wire_play_at_a_host(number: int) -> None:
    bot = python_blocks("docs/reference/unibo.md")[number]
    with PlainHost(2) as host:
        plain_guest(host.where, "Zoë")
        port = host.where.rpartition(":")[2]
        exec(compile(bot.replace("localhost", "127.0.0.1").replace("4000", port), "unibo.md", "exec"), {})
    assert any(turn["player"] in ("G1 (Ada)", "G1 (Bo)") for turn in host.turns[0])
