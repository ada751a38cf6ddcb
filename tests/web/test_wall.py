"""The byte reader: what is sent to somebody is the same, byte for byte, in any two worlds they could not tell apart."""

import asyncio
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kibitz.core.agent import Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.hanabi.game import HANABI
from kibitz.live import tokens
from kibitz.loveletter.game import LOVE_LETTER
from tests import tables as hanabi
from tests.any_game import seated
from tests.loveletter import tables as loveletter
from tests.wall import another_start, counting
from tests.web import unruly
from tests.web.guests import Guest, parlour, played

SCRIPTED = "tests.web.unruly:Scripted"


@dataclass(frozen=True)
class Reading:
    """A game to be read: how it is dealt, how it wanders, and whom one can ask for advice."""

    game: Game
    deal: Callable[[int, int], Any]
    wander: Callable[[Any, random.Random], Any]
    advisers: tuple[str, ...]
    cheater: str

    def until(self, players: int, turn: int, person: int | None = None) -> Table:
        """A game that wanders through the rules, up to a turn, and on to one of a person's.

        In a game of rounds it is still the first one: the later ones are dealt from the same start.
        """
        for seed in itertools.count(1):
            table, dice = seated(self.game, (), self.deal(players, seed)), random.Random(seed)
            while not table.over and self.game.turns_explained(table.state) == 0:
                if len(table.turns) >= turn and person in (None, table.to_move):
                    return table
                table.make(Decision(int(self.wander(self.game.view(table.state), dice))))
        raise AssertionError


HANABI_READ = Reading(
    HANABI, lambda players, seed: hanabi.dealt(players, seed=seed), hanabi.careless_move,
    ("simple_distrustful", "trustful", "bot2", SCRIPTED), "smart_cheater",
)  # fmt: skip
LOVE_LETTER_READ = Reading(
    LOVE_LETTER, lambda players, seed: loveletter.dealt(players, rules=loveletter.GAME, seed=seed),
    loveletter.careless_move, ("random", "greedy", "minimax", SCRIPTED), "nobody",
)  # fmt: skip


def everything_sent(
    monkeypatch: pytest.MonkeyPatch, reading: Reading, start: Any, table: Table, person: int, onlooker: bool,
    spectators: int = 0,
) -> list[str]:  # fmt: skip
    """Play a game again on a server, all the while asking for whatever can be asked for: every byte that was sent.

    Names, tokens and times are the same every time; whatever differs between two worlds then speaks of the cards.
    """
    game = reading.game
    moves = [game.move_text(turn.decision.move) for turn in table.turns]
    players, sent = int(table.state["players"]), []
    numbers = itertools.count()
    monkeypatch.setattr("time.time", lambda: 1767225600.0)
    monkeypatch.setattr(tokens, "secrets", counting(numbers))
    monkeypatch.setattr(unruly.Scripted, "moves", moves)

    async def scenario(folder: Path) -> None:
        async with parlour(folder, agents=[SCRIPTED], game=game.name) as here:
            monkeypatch.setattr(type(game), "deal", lambda *_: start.copy())
            ada, eve = await here.guest("Ada"), await here.guest("Eve")
            bots = [{"kind": "bot", "agent": SCRIPTED} for _ in range(players)]
            bots[person] = {"kind": "me"}
            await ada.ask("seat", "create", game=game.name, seats=bots, pace=60_000, spectators=spectators)
            view = await ada.hear("view")
            where = {"table": view["table"]}
            eve.say("look", **where)
            await eve.hear("view")
            ada.say("pace", **where, milliseconds=0)
            while view["turn"] < len(moves):
                if view.get("to_move") == person:
                    await ask_for_everything(ada, reading, where["table"], view["turn"], person)
                    ada.say("move", **where, turn=view["turn"], move=moves[view["turn"]])
                view = await ada.hear("view")
            await eve.hear("view", lambda seen: seen["turn"] == len(moves))
            await ask_for_everything(ada, reading, where["table"], view["turn"], person)
            await ask_for_everything(eve, reading, where["table"], view["turn"], 0)
            if spectators:
                await ask_for_delayed(eve, reading, where["table"], view["turn"] - spectators)
            own = [turn.number - 1 for turn in table.turns if turn.seat == person]
            if own:
                ada.say("undo", **where, turn=own[-1])
                await eve.hear("view", lambda seen: seen["turn"] == own[-1])
                await ask_for_everything(ada, reading, where["table"], own[-1], person)
            sent.extend(eve.socket.sent if onlooker else ada.socket.sent)

    played(scenario)
    monkeypatch.undo()
    return sent


async def ask_for_everything(guest: Guest, reading: Reading, table: str, turn: int, seat: int) -> None:
    """Every question there is, answered or not."""
    where = {"table": table}
    questions: list[tuple[str, dict[str, Any]]] = [
        ("odds", {}),
        ("odds", {"seat": 1}),
        ("odds", {"turn": turn // 2}),
        *(("advise", {"agent": agent}) for agent in reading.advisers),
        ("advise", {"agent": reading.cheater}),
        ("advise", {"agent": reading.advisers[0], "seat": 1}),
        *(("history", {"turn": turn // 2, "as": viewer}) for viewer in (0, 1, "onlooker", "open")),
        ("history", {"turn": turn, "as": seat}),
        ("what_if", {"turn": turn // 2, "seats": []}),
        ("move", {"turn": turn, "move": f"hint red to G{seat + 1}"}),
        ("move", {"turn": turn, "move": "discard 9"}),
        ("move", {"turn": turn + 1, "move": "discard 1"}),
        ("chat", {"word": turn % 3}),
        ("chat", {"text": "what do I hold?"}),
        ("options", {"chat": "free"}),
        ("free_line", {"turn": turn // 2}),
        ("lead", {}),
        ("lead_to", {"turn": turn, "as": "open"}),
        ("lobby", {}),
    ]
    for number, (type, fields) in enumerate(questions):
        request = f"{turn} {number}"
        guest.say(type, request=request, **where, **fields)
        await answer_to(guest, request)
    guest.say("lobby", on=False)
    if seat == 0:
        guest.say("note", **where, mark=turn, text=f"a note of turn {turn}")


async def ask_for_delayed(guest: Guest, reading: Reading, table: str, turn: int) -> None:
    """All hands at the last turn at which a spectator may see them, and at those that they may not."""
    questions: list[tuple[str, dict[str, Any]]] = [
        *(("history", {"as": viewer}) for viewer in (0, 1, "open")),
        *(("odds", {"seat": seat}) for seat in (0, 1)),
        *(("advise", {"agent": reading.advisers[0], "seat": seat}) for seat in (0, 1, 2)),
    ]
    for past in (turn, turn + 1, turn + 2):
        for type, fields in questions:
            guest.say(type, request=f"{type} {fields} {past}", table=table, turn=past, **fields)
            await answer_to(guest, f"{type} {fields} {past}")


async def answer_to(guest: Guest, request: str) -> None:
    while not any(msgspec.json.decode(text).get("request") == request for text in guest.socket.sent[-3:]):
        guest.socket.news.clear()
        await asyncio.wait_for(guest.socket.news.wait(), 60)


@pytest.mark.parametrize("players", HANABI.players)
@pytest.mark.parametrize("rounds", [3, 7])
def test_in_hanabi_a_seat_is_sent_the_same_bytes_whatever_it_does_not_see(
    players: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = rounds % players
    table = HANABI_READ.until(players, rounds * players, person)
    other = another_start(table, person, rounds)
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (
        everything_sent(monkeypatch, HANABI_READ, start, table, person, False) for start in (table.start, other)
    )
    assert len(mine) > 10 * rounds
    assert sum('"advice"' in text for text in mine) > 3
    assert mine == theirs


@pytest.mark.parametrize("players", HANABI.players)
def test_in_hanabi_an_onlooker_is_sent_the_same_bytes_whatever_anybody_holds(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = HANABI_READ.until(players, 5 * players)
    other = hanabi.with_other_cards(table, random.Random(players)).start
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (everything_sent(monkeypatch, HANABI_READ, start, table, 0, True) for start in (table.start, other))
    assert len(mine) > 30
    assert mine == theirs


@pytest.mark.parametrize("players", LOVE_LETTER.players)
def test_in_love_letter_a_seat_is_sent_the_same_bytes_whatever_it_does_not_see(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for person in range(players):
        table = LOVE_LETTER_READ.until(players, 5, person)
        other = another_start(table, person, 1)
        assert other.tobytes() != table.start.tobytes()
        mine, theirs = (
            everything_sent(monkeypatch, LOVE_LETTER_READ, start, table, person, False)
            for start in (table.start, other)
        )
        assert sum('"advice"' in text for text in mine) > 3
        assert mine == theirs


@pytest.mark.parametrize("players", LOVE_LETTER.players)
def test_in_love_letter_an_onlooker_is_sent_the_same_bytes_whatever_anybody_holds(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looks the same to a seat does to an onlooker, too; here first one seat's sight is kept, then another's."""
    table = LOVE_LETTER_READ.until(players, 6)
    other = another_start(table.replayed([], another_start(table, 0, 3)), 1, 4)
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (
        everything_sent(monkeypatch, LOVE_LETTER_READ, start, table, 0, True) for start in (table.start, other)
    )
    assert mine == theirs


def test_the_byte_reader_finds_what_is_there_to_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """In two worlds that a seat can tell apart, it is sent different bytes."""
    table = HANABI_READ.until(3, 9)
    other = another_start(table, 1, 5)  # somebody else's view is the same, and not this seat's
    mine, theirs = (everything_sent(monkeypatch, HANABI_READ, start, table, 0, False) for start in (table.start, other))
    assert mine != theirs


def test_a_spectator_with_a_delay_is_sent_the_same_bytes_whatever_was_drawn_since(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    players, delay = 3, 5
    table = HANABI_READ.until(players, 6 * players)
    drawn = int(table.at_turn(len(table.turns) - delay, []).state["drawn"])
    assert drawn < int(table.state["drawn"])
    other = hanabi.with_other_cards(table, random.Random(2), known=drawn).start
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (
        everything_sent(monkeypatch, HANABI_READ, start, table, 0, True, delay) for start in (table.start, other)
    )
    assert sum('"type":"history"' in text and '"as":"open"' in text for text in mine) >= 2
    assert sum('"code":"hidden"' in text for text in mine) >= 10
    assert any('"type":"odds"' in text for text in mine)
    assert mine == theirs
    earlier = hanabi.with_other_cards(table, random.Random(2)).start  # with other cards in sight
    assert mine != everything_sent(monkeypatch, HANABI_READ, earlier, table, 0, True, delay)
