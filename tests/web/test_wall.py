"""The byte reader: what is sent to somebody is the same, byte for byte, in any two worlds they could not tell apart."""

import asyncio
import itertools
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.hanabi.game import HANABI
from kibitz.web import house, seats
from tests.hanabi.test_wall import another_start
from tests.tables import PLAYERS, careless_move, dealt, seated, with_other_cards
from tests.web import unruly
from tests.web.guests import Guest, parlour, played

SCRIPTED = "tests.web.unruly:Scripted"
DIARY = "tests.web.unruly:Diary"
ADVISERS = ("simple_distrustful", "trustful", "bot2", SCRIPTED, DIARY)


def game_until(players: int, turn: int) -> Table:
    """A game that wanders through the rules, up to a turn."""
    table, dice = seated((), dealt(players, seed=31)), random.Random(players)
    while len(table.turns) < turn:
        table.make(Decision(int(careless_move(HANABI.view(table.state), dice))))
    return table


def everything_sent(
    monkeypatch: pytest.MonkeyPatch, start: Any, table: Table, person: int, onlooker: bool
) -> list[str]:
    """Play a game again on a server, all the while asking for whatever can be asked for: every byte that was sent.

    Names, tokens and times are the same every time; whatever differs between two worlds then speaks of the cards.
    """
    moves = [HANABI.move_text(turn.decision.move) for turn in table.turns]
    players, sent = int(table.state["players"]), []
    numbers = itertools.count()
    monkeypatch.setattr(house, "time", SimpleNamespace(time=lambda: 1767225600.0))
    monkeypatch.setattr(seats, "new_id", lambda: f"table{next(numbers)}")
    monkeypatch.setattr(seats, "new_token", lambda: f"token{next(numbers)}")
    monkeypatch.setattr(unruly.Scripted, "moves", moves)

    async def scenario(folder: Path) -> None:
        async with parlour(folder, agents=[SCRIPTED, DIARY]) as here:
            monkeypatch.setattr(type(HANABI), "deal", lambda *_: start.copy())
            ada, eve = await here.guest("Ada"), await here.guest("Eve")
            bots = [{"kind": "bot", "agent": SCRIPTED} for _ in range(players)]
            bots[person] = {"kind": "me"}
            await ada.ask("seat", "create", game="hanabi", seats=bots, pace=60_000)
            view = await ada.hear("view")
            where = {"table": view["table"]}
            eve.say("look", **where)
            await eve.hear("view")
            ada.say("pace", **where, milliseconds=0)
            while view["turn"] < len(moves):
                if view.get("to_move") == person:
                    await ask_for_everything(ada, where["table"], view["turn"], person)
                    ada.say("move", **where, turn=view["turn"], move=moves[view["turn"]])
                view = await ada.hear("view")
            await eve.hear("view", lambda seen: seen["turn"] == len(moves))
            await ask_for_everything(ada, where["table"], view["turn"], person)
            await ask_for_everything(eve, where["table"], view["turn"], 0)
            sent.extend(eve.socket.sent if onlooker else ada.socket.sent)

    played(scenario)
    monkeypatch.undo()
    return sent


async def ask_for_everything(guest: Guest, table: str, turn: int, seat: int) -> None:
    """Every question there is, answered or not."""
    where = {"table": table}
    questions: list[tuple[str, dict[str, Any]]] = [
        ("odds", {}),
        ("odds", {"seat": 1}),
        ("odds", {"turn": turn // 2}),
        *(("advise", {"agent": agent}) for agent in ADVISERS),
        ("advise", {"agent": "smart_cheater"}),
        ("advise", {"agent": "bot1", "seat": 1}),
        *(("history", {"turn": turn // 2, "as": viewer}) for viewer in (0, 1, "onlooker", "open")),
        ("history", {"turn": turn, "as": seat}),
        ("what_if", {"turn": turn // 2, "seats": []}),
        ("move", {"turn": turn, "move": f"hint red to G{seat + 1}"}),
        ("move", {"turn": turn, "move": "discard 9"}),
        ("move", {"turn": turn + 1, "move": "discard 1"}),
        ("lobby", {}),
    ]
    for number, (type, fields) in enumerate(questions):
        request = f"{turn} {number}"
        guest.say(type, request=request, **where, **fields)
        await answer_to(guest, request)
    guest.say("lobby", on=False)
    if seat == 0:
        guest.say("note", **where, card=turn, text=f"a note of turn {turn}")


async def answer_to(guest: Guest, request: str) -> None:
    while not any(message.get("request") == request for message in guest.heard[-3:]):
        guest.socket.news.clear()
        await asyncio.wait_for(guest.socket.news.wait(), 60)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("rounds", [3, 7])
def test_a_seat_is_sent_the_same_bytes_whatever_it_does_not_see(
    players: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = rounds % players
    table = game_until(players, rounds * players + person)
    assert table.to_move == person
    other = another_start(table, person, rounds)
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (everything_sent(monkeypatch, start, table, person, False) for start in (table.start, other))
    assert len(mine) > 10 * rounds
    assert mine == theirs


@pytest.mark.parametrize("players", PLAYERS)
def test_an_onlooker_is_sent_the_same_bytes_whatever_anybody_holds(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = game_until(players, 5 * players)
    other = with_other_cards(table, random.Random(players)).start
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (everything_sent(monkeypatch, start, table, 0, True) for start in (table.start, other))
    assert len(mine) > 30
    assert mine == theirs


def test_the_byte_reader_finds_what_is_there_to_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """In two worlds that a seat can tell apart, it is sent different bytes."""
    table = game_until(3, 9)
    other = another_start(table, 1, 5)  # somebody else's view is the same, and not this seat's
    mine, theirs = (everything_sent(monkeypatch, start, table, 0, False) for start in (table.start, other))
    assert mine != theirs
