"""The byte reader: what is sent to somebody is the same, byte for byte, in any two worlds they could not tell apart."""

import asyncio
import itertools
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kibitz.core import registry
from kibitz.core.agent import Agent, Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.games.hanabi.game import HANABI
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.server.live import tokens
from kibitz.server.live.move_clock import MoveClock
from tests import tables as hanabi
from tests.any_game import table_of
from tests.fuzzing import first_of
from tests.games.loveletter import tables as loveletter
from tests.server.web import unruly
from tests.server.web.guests import Guest, parlour, played
from tests.wall import another_start, counting

SCRIPTED = "tests.server.web.unruly:Scripted"


@dataclass(frozen=True)
class Reading:
    """A game to be read: how it is dealt, how it wanders, and whom one can ask for advice."""

    game: Game
    deal: Callable[[int, int], Any]
    wander: Callable[[Any, random.Random], Any]
    advisers: tuple[str, ...]
    cheater: str
    searchers: tuple[str, ...] = ()

    def until(self, players: int, turn: int, person: int | None = None) -> Table:
        """A game that wanders through the rules, up to a turn, and on to one of a person's.

        In a game of rounds it is still the first one: the later ones are dealt from the same start.
        """
        is_open = generic.hides_nothing(self.game.dtype)
        for seed in itertools.count(1):
            table, dice = table_of(self.game, (), self.deal(players, seed)), random.Random(seed)
            while not table.over and (is_open or self.game.turns_explained(table.state) == 0):
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
    loveletter.careless_move, ("random", "greedy", "minimax", SCRIPTED), "nobody", ("flat_mc",),
)  # fmt: skip


def everything_sent(
    monkeypatch: pytest.MonkeyPatch, reading: Reading, start: Any, table: Table, person: int, onlooker: bool,
    spectators: int = 0,
    bot: str = SCRIPTED,
) -> list[str]:  # fmt: skip
    """Play a game again on a server, all the while asking for whatever can be asked for: every byte that was sent.

    Names, tokens and times are the same every time; so any difference between two worlds is about the cards.
    """
    game = reading.game
    moves = [game.move_text(turn.decision.move) for turn in table.turns]
    players, sent = int(table.state["players"]), []
    numbers = itertools.count()
    monkeypatch.setattr("time.time", lambda: 1767225600.0)
    monkeypatch.setattr(tokens, "secrets", counting(numbers))
    unruly.known_file("moves").write_text(json.dumps(moves))
    monkeypatch.setattr(MoveClock, "seconds_left", lambda clock: 60.0 if clock.due else None)

    async def scenario(folder: Path) -> None:
        async with parlour(folder, agents=[SCRIPTED], game=game.name) as here:
            monkeypatch.setattr(type(game), "deal", lambda *_: start.copy())
            ada, eve = await here.guest("Ada"), await here.guest("Eve")
            bots = [{"kind": "bot", "agent": bot} for _ in range(players)]
            bots[person] = {"kind": "me"}
            chosen = {"bot_delay": 60_000, "spectators": spectators, "move_seconds": 86_400}
            await ada.ask("seat", "create", game=game.name, seats=bots, **chosen)
            view = await ada.hear("view")
            where = {"table": view["table"]}
            eve.say("spectate", **where)
            await eve.hear("view")
            ada.say("bot_delay", **where, milliseconds=0)
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
        ("advise_all", {"agents": [*reading.advisers, *reading.searchers]}),
        ("advise_all", {"agents": [reading.advisers[0], reading.cheater]}),
        ("advise_all", {"agents": list(reading.advisers), "seat": 1}),
        *(("why", {"turn": made}) for made in range(1, turn + 2)),
        *(("history", {"turn": turn // 2, "as": viewer}) for viewer in (0, 1, "spectator", "open")),
        ("history", {"turn": turn, "as": seat}),
        ("what_if", {"turn": turn // 2, "seats": []}),
        ("rematch", {"token": "x"}),
        ("open_seat", {"seat": 1}),
        ("sit", {}),
        ("invitation", {}),
        ("move", {"turn": turn, "move": f"hint red to G{seat + 1}"}),
        ("move", {"turn": turn, "move": "discard 9"}),
        ("move", {"turn": turn + 1, "move": "discard 1"}),
        ("chat", {"word": turn % 3}),
        ("chat", {"text": "what do I hold?"}),
        ("options", {"chat": "free"}),
        ("analysis_board", {"turn": turn // 2}),
        ("replay_leader", {}),
        ("replay_cursor", {"turn": turn, "as": "open"}),
        ("lobby", {}),
        ("lobby", {"search": "a"}),
        ("my_games", {"tables": [table]}),
    ]
    for number, (type, fields) in enumerate(questions):
        request = f"{turn} {number}"
        guest.say(type, request=request, **where, **fields)
        await answer_to(guest, request)
    guest.say("lobby", on=False)
    if seat == 0:
        guest.say("note", **where, mark=turn, text=f"a note of turn {turn}")  # on a card of anybody's hand


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


def answers(text: str, request: str) -> bool:
    """Whether a message answers a request, and is the last of several that do."""
    message = msgspec.json.decode(text)
    return message.get("request") == request and not message.get("remaining")


async def answer_to(guest: Guest, request: str) -> None:
    while not any(answers(text, request) for text in guest.socket.sent[-3:]):
        guest.socket.news.clear()
        await asyncio.wait_for(guest.socket.news.wait(), 60)


# A long game at two tables and a short one at the others; the rest are slow tests.
@first_of(4, ("players", "rounds"), [(2, 3), (3, 7), (4, 3), (5, 7), (2, 7), (3, 3), (4, 7), (5, 3)])
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


@first_of(2, "players", [5, 2, 3, 4])
def test_in_hanabi_an_onlooker_is_sent_the_same_bytes_whatever_anybody_holds(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = HANABI_READ.until(players, 5 * players)
    other = hanabi.with_other_cards(table, random.Random(players)).start
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (everything_sent(monkeypatch, HANABI_READ, start, table, 0, True) for start in (table.start, other))
    assert len(mine) > 30
    assert mine == theirs


@first_of(1, "players", [3, 2, 4])
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


@first_of(1, "players", [4, 2, 3])
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


def sent_at_a_rematch(monkeypatch: pytest.MonkeyPatch, start: Any, onlooker: bool) -> list[str]:
    """Every byte sent at the table of a rematch with these cards: to the player who asked for it, or to a spectator."""
    game, sent = LOVE_LETTER, []
    monkeypatch.setattr("time.time", lambda: 1767225600.0)
    monkeypatch.setattr(tokens, "secrets", counting(itertools.count()))

    async def scenario(folder: Path) -> None:
        async with parlour(folder, game=game.name) as here:
            ada, bo, eve = await here.guest("Ada"), await here.guest("Bo"), await here.guest("Eve")
            seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "agent": "random"}]
            hers = await ada.ask("seat", "create", game=game.name, seats=seats, rules={"unit": "round"})
            old = {"table": hers["table"]}
            his = await bo.ask("seat", "sit", **old, invitation=hers["invitations"][0]["invitation"])
            for guest in (ada, bo):
                guest.say("hand_to_bot", **old, agent="random")
            await ada.hear("view", lambda view: bool(view["state"] == "finished"))
            ada.say("leave", **old)  # messages about the old game vary
            await ada.hear("ok")
            monkeypatch.setattr(type(game), "deal", lambda *_: start.copy())
            before = len(ada.socket.sent)
            new = {"table": (await ada.ask("seat", "rematch", **old, token=hers["token"]))["table"]}
            eve.say("spectate", **new)
            await eve.hear("view")
            await bo.ask("ok", "rematch", **old, token=his["token"], answer_="decline")
            ada.say("open_seat", **new, seat=1)
            await ada.hear("notice", lambda said: "open to others" in said["text"])
            await bo.ask("seat", "rematch", **old, token=his["token"], answer_="accept")
            for guest in (ada, eve):
                await guest.hear("view", lambda view: bool(view["state"] == "running"))
                await ask_for_everything(guest, LOVE_LETTER_READ, new["table"], 0, 1)
            sent.extend(eve.socket.sent if onlooker else ada.socket.sent[before:])

    played(scenario)
    monkeypatch.undo()
    return [text for text in sent if not text.startswith('{"type":"tables"')]  # with the result of the old game


@pytest.mark.parametrize("onlooker", [False, True])
def test_at_a_rematch_bytes_are_the_same_whatever_is_hidden(monkeypatch: pytest.MonkeyPatch, onlooker: bool) -> None:
    table = LOVE_LETTER_READ.until(3, 0, 0)
    other = another_start(table, 0, 1)
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (sent_at_a_rematch(monkeypatch, start, onlooker) for start in (table.start, other))
    assert len(mine) > 15
    assert mine == theirs


def with_the_same_moves(table: Table, person: int, agent: Agent) -> Any:
    """Another start that looks the same to a person, with which the agents in all other seats move as they did."""
    for stream in itertools.count():
        start = another_start(table, person, stream)
        other = table_of(table.game, [agent] * int(table.state["players"]), start)
        for turn in table.turns:
            if other.to_move != person and other.decide().move != turn.decision.move:
                break
            other.make(turn.decision)
        else:
            if start.tobytes() != table.start.tobytes():
                return start
    raise AssertionError


@pytest.mark.parametrize(
    ("reading", "name", "turns", "seed"),
    [(HANABI_READ, "piers", 9, 1), (HANABI_READ, "trustful", 6, 1), (LOVE_LETTER_READ, "counting", 5, 2)],
    ids=["piers", "trustful", "counting"],
)
def test_why_a_bot_moved_is_explained_in_the_same_bytes_whatever_the_reader_does_not_see(
    reading: Reading, name: str, turns: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = registry.agent(reading.game, name)
    table = table_of(reading.game, [agent] * 3, reading.deal(3, seed))
    while len(table.turns) < turns or table.to_move != 0:
        table.step()
    assert reading.game.turns_explained(table.state) == 0
    worlds = (table.start, with_the_same_moves(table, 0, agent))
    mine, theirs = (everything_sent(monkeypatch, reading, start, table, 0, False, bot=name) for start in worlds)
    explanations = [message for message in map(msgspec.json.decode, mine) if message["type"] == "why"]
    assert any("reason" in message for message in explanations)
    assert any("unknown" in message for message in explanations)
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
    assert not any('"type":"odds"' in text for text in mine)
    assert mine == theirs
    held = hanabi.with_other_cards(table, random.Random(2)).start  # also what was drawn long ago and is in a hand still
    assert mine == everything_sent(monkeypatch, HANABI_READ, held, table, 0, True, delay)
