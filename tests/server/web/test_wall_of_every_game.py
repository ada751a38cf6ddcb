"""The differential byte test: every game, every message, every role.

A game is played twice at a server, in two worlds that look the same to one seat. They differ in hidden cards, in hidden
moves or in dice, whatever the game hides. Every message of the protocol is said by everybody at the table, and each is
sent the same bytes in both worlds. The bots are agents of the game: what they are asked is answered by them, but their
moves come from the script, and the reasons they give on the way tell all that they see.
"""

import itertools
import random
import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.seeds import keys
from kibitz.server.live import messages, tokens
from kibitz.server.live.audience import ViewFormat
from kibitz.server.live.bot_seat import BotSeat
from kibitz.server.live.messages import ServerMessage
from kibitz.server.live.move_clock import MoveClock
from kibitz.server.live.public_explanations import can_be_explained, decided_in
from kibitz.server.live.table_state import Role
from tests.server.web.guests import Guest, Message, parlour, played
from tests.wall import another, counting

GAMES = sorted(registry.game_entries())
MOVES = {
    "hanabi": 14,
    "loveletter": 7,
    "bridge": 14,
    "kriegspiel": 16,
    "three_sets": 0,
}  # the approximate number made; 6 for other games
REASONED = {"hanabi", "loveletter", "bridge", "kriegspiel"}  # where bots' reasons depend on what is hidden
SEATS = {"hanabi": 3, "loveletter": 3}

CLIENT_MESSAGES = {str(kind.__struct_config__.tag) for kind in messages.MESSAGES}
# Fields that differ between equal games, and fields sent only after a game.
ELSEWHERE = {
    "bye": "a constant text, when the server stops",
    "pending": "a constant text, if preparing a game takes long: `lasting` leaves it out",
    "tables_changed": "the rows of `tables`, at moments that depend on the load",
    "lab_started": "the laboratory knows of no table",
    "lab_games": "the laboratory knows of no table",
    "lab_opened": "the laboratory knows of no table",
    "review": "refused while a game goes on",
    "puzzle": "puzzles know of no table",
    "solved": "puzzles know of no table",
    "daily": "a deal that everybody knows; results are those of finished games",
}
FOLLOWED = {"replay_leader"}  # read in the test of a replay's follower
# Messages that only these games have: the others let nobody ask why, search no tree, or keep reasons to the end.
ONLY_IN = {
    "ladder": {"connect4", "dicechess", "draughts", "three_sets", "tictactoe"},
    "reasons": {"coins", "connect4", "draughts", "tictactoe"},
    "why": set(GAMES) - {"dicechess", "three_sets"},
    "event": set(GAMES) - {"three_sets"},
}
THOUGHT_ABOUT = {"advise", "advise_all", "why", "ladder"}  # answered when an agent has thought


class Worlds(NamedTuple):
    """Two games that look the same to a seat, and whose turn it is in both."""

    reader: int
    mine: Table
    theirs: Table


def make(table: Table, move: int) -> None:
    table.make(Decision(int(move)))


def seen_after(table: Table, move: int, seat: int) -> bytes:
    after = table.copy()
    make(after, move)
    return after.view(seat).tobytes()


def begun(game: Game, start: Any) -> Table:
    """A game whose first roll, if there is one, is made; the others are to be chosen."""
    table = Table(game, [], start)
    table.stop_rolling()
    return table


def with_other_dice(table: Table, reader: int, others: bool = True) -> Table:
    """The same start, where the other seats roll other dice unless they are seen, and chance does later."""
    for number in itertools.count(1):
        start = table.start.copy()
        for seat in range(len(start[0]["streams"])):
            start[0]["streams"][seat] += number if others and seat != reader else 0
        if "chance" in (table.game.dtype.names or ()):
            start[0]["chance"] += number
        other = begun(table.game, start)
        if other.view(reader).tobytes() == table.view(reader).tobytes():
            return other
    raise AssertionError


def move_on(table: Table, other: Table, reader: int, agent: CompiledAgent, dice: random.Random) -> bool:
    """Make a move in both games after which the reader sees the same, another one in each if that can be.

    In the first one the agent moves for everybody but the reader, so that it has reasons for its moves.
    """
    if table.to_move in (reader, generic.CHANCE):
        move = dice.choice(table.game.legal(table.state))
    else:
        move = decided_in(table.game, agent, table, table.to_move, table.view(reader)).move
    seen, choices = seen_after(table, move, reader), other.game.legal(other.state)
    alike = [each for each in choices if seen_after(other, each, reader) == seen]
    if not alike:
        return False
    make(table, move)
    make(other, dice.choice([each for each in alike if each != move] or alike))
    return True


def try_something(table: Table, reader: int, dice: random.Random) -> None:
    """In a game with private turns, make some of another seat: the reader's view stays as it is."""
    while generic.has_private_turns(table.game.dtype) and table.to_move not in (reader, generic.OVER):
        if dice.random() < 0.5:
            return
        same = table.view(reader).tobytes()
        private = [move for move in table.game.legal(table.state) if seen_after(table, move, reader) == same]
        if not private:
            return
        make(table, dice.choice(private))


def wandered(game: Game, agent: CompiledAgent, seed: int, rules: dict[str, str]) -> Worlds | None:
    """A game until its first player, who moves at random, is to move again, and another that looks the same to them.

    In the other one cards are hidden if worlds with a past can be sampled, else moves.
    """
    players, dice, tries = SEATS.get(game.name, game.usual_players), random.Random(seed), random.Random(seed)
    table = begun(game, game.deal(keys(seed), 0, players, rules))
    if len(table.turns) > 1:
        return None  # this number of rolls recurs in too few other games
    reader = max(table.to_move, 0)
    other = with_other_dice(table, reader)
    while len(table.turns) < MOVES.get(game.name, 6) or table.to_move != reader:
        try_something(other, reader, tries)
        if table.over or not move_on(table, other, reader, agent, dice):
            return None
    if game.turns_explained(table.state) and not generic.hides_nothing(game.dtype):
        return None  # a later round is dealt from the same start
    if not generic.hides_nothing(game.dtype) and table.sample_world(reader, [], seed).turns:
        other = another(table, reader, seed)
    return Worlds(reader, table, other) if other.state.tobytes() != table.state.tobytes() else None


def worlds(game: Game, agent: CompiledAgent, rules: dict[str, str]) -> Worlds:
    return next(found for seed in itertools.count(1) if (found := wandered(game, agent, seed, rules)) is not None)


# Who is there, and what they say


class Listener:
    """A seat's holder whose program speaks the game's own wire protocol."""

    format = ViewFormat.WIRE

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(self, *texts: bytes) -> None:
        self.sent += [text.decode() for text in texts]


def requests(table: str, turn: int, reader: int, agent: str, move: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every message of the protocol that changes nothing at the table, answered or refused, except the first ones."""
    at = {"table": table}
    yield from (
        ("catalogue", {}), ("lobby", {}), ("lobby", {"on": False}), ("my_games", {"tables": [table]}),
        ("create", {"game": "no such game"}), ("invitation", at), ("invitation", {**at, "invitation": "x"}),
        ("sit", {**at, "invitation": "x"}), ("resume", {**at, "token": "x"}), ("delete", {**at, "token": "x"}),
        ("move", {**at, "turn": turn + 1, "move": move}), ("move", {**at, "turn": turn, "move": "no such move"}),
        ("undo", {**at, "turn": turn}), ("reclaim_seat", at), ("stand_in", {**at, "seat": reader, "agent": agent}),
        ("options", {**at, "chat": "free", "chat_spectators": True}), ("chat", {**at, "word": turn % 3}),
        ("chat", {**at, "text": "what do I hold?"}), ("open_seat", {**at, "seat": 1}),
        ("joinable", {**at, "on": False}),
        ("rematch", {**at, "token": "x"}), ("bot_delay", {**at, "milliseconds": 0}),
        ("note", {**at, "mark": 1, "text": f"at turn {turn}"}), ("hand_to_bot", {**at, "agent": "no such agent"}),
        ("what_if", {**at, "turn": turn // 2, "seats": []}), ("analysis_board", {**at, "turn": turn // 2}),
        ("replay_leader", at), ("replay_cursor", {**at, "turn": turn, "as": "open"}),
        ("lab", {}), ("lab", {"on": False}),
        ("lab_start", {"what": "match", "game": "none", "agents": ["x"], "players": 2, "games": 1}),
        ("lab_cancel", {"run": "x"}), ("lab_resume", {"run": "x"}), ("lab_games", {"run": "x"}),
        ("lab_open", {"run": "x", "number": 0}), ("leave", {"table": "no such table"}),
        ("spectate", {"table": "no such table"}),
        ("review", at), ("review", {**at, "on": False}), ("review", {**at, "seat": 1, "partners": agent}),
        ("progress", {}), ("progress", {**at, "token": "x"}), ("progress", {**at, "key": "x" * 30, "token": "x"}),
        ("forget_progress", {"key": "x" * 30}), ("puzzle", {"game": "none"}),
        ("solve", {"game": "none", "puzzle": "x", "move": "x"}), ("daily", {"game": "none"}),
        ("play_daily", {"game": "none", "key": "x" * 30}),
        ("advise_all", {**at, "agents": [agent]}), ("ladder", {**at, "depth": 2}),
    )  # fmt: skip
    for past in sorted({turn // 2, turn, turn + 1}):
        for viewer in (0, 1, "spectator", "open"):
            yield "history", {**at, "turn": past, "as": viewer}
        for seat in ({}, {"seat": 0}, {"seat": 1}):
            yield "odds", {**at, "turn": past, **seat}
            yield "advise", {**at, "turn": past, "agent": agent, **seat}
    for made in range(max(turn - 6, 1), turn + 2):
        yield "why", {**at, "turn": made}


class Party:
    """Everybody at a table, and what they say."""

    def __init__(self, here: Any) -> None:
        self.here, self.said, self.numbers = here, set[str](), itertools.count()
        self.guests: dict[str, Guest] = {}

    async def comes(self, name: str, program: bool = False) -> Guest:
        guest = self.guests[name] = Guest(self.here.site)
        self.here.guests.append(guest)
        guest.socket.program = guest.session.program = program
        await self.ask(guest, "hello", version=2, name=name, structs=program)
        return guest

    async def ask(self, guest: Guest, type: str, **fields: Any) -> None:
        """Say something, and wait until it is done."""
        self.said.add(type)
        request, mark = f"{next(self.numbers)} {type}", len(guest.socket.sent)
        guest.say(type, request=request, **fields)
        if type not in THOUGHT_ABOUT:
            self.said.add("ping")
            guest.say("ping", request=request)
        while not any(is_last(text, request, type) for text in guest.socket.sent[mark:]):
            guest.socket.news.clear()
            await guest.socket.news.wait()

    async def ask_everything(self, guest: Guest, *about: Any) -> None:
        for type, fields in requests(*about):
            await self.ask(guest, type, **fields)


def is_last(text: str, request: str, type: str) -> bool:
    message = msgspec.json.decode(text)
    if message.get("request") != request or message.get("remaining"):
        return False
    return type in THOUGHT_ABOUT or message["type"] == "pong"


def lasting(texts: Iterable[str]) -> list[str]:
    """What does not depend on the machine's speed, which everybody could measure themselves.

    Left out are that a game is still being prepared, and the seconds that the steps of a ladder took.
    """
    texts = (text for text in texts if not text.startswith('{"type":"pending"'))
    return [
        re.sub(r'"seconds":[0-9.e+-]+', '"seconds":0', text) if text.startswith('{"type":"ladder"') else text
        for text in texts
    ]


def is_about(turn: int, message: Message) -> bool:
    return bool(message["turn"] == turn)


def hidden_cards(game: Game, table: Table) -> str:
    """The worst reason a bot can give: all that it sees."""
    page = game.page(table.view(table.to_move))
    return bytes(msgspec.json.encode(page)).decode()[:2000]


def same_every_time(patch: pytest.MonkeyPatch, game: Game, start: Any) -> None:
    """Let names, tokens, times and the deal be the same every time."""
    patch.setattr("time.time", lambda: 1767225600.0)
    patch.setattr(tokens, "secrets", counting(itertools.count()))
    patch.setattr(MoveClock, "seconds_left", lambda clock: 60.0 if clock.due else None)
    patch.setattr(type(game), "deal", lambda *_: start.copy())
    if generic.hides_nothing(game.dtype):  # odds are then a timed search of public information
        patch.setattr(type(game), "odds", lambda *_: [])


def everything_sent(
    monkeypatch: pytest.MonkeyPatch, game: Game, table: Table, reader: int, agent: str, rules: dict[str, str]
) -> tuple[dict[str, list[str]], set[str]]:
    """What everybody at the table is sent while the game is played again, and which messages were said.

    Names, tokens and times are the same every time: any difference between two worlds is about hidden information.
    """
    script, start = [turn.decision.move for turn in table.turns], table.start
    texts = [game.move_text(move) for move in script]
    counted = [0]  # the number of turns that the reader learned of, after each
    for past in itertools.islice(table.from_the_start(), 1, None):
        counted.append(counted[-1] + past.learns(reader))
    sent: dict[str, list[str]] = {}
    said: set[str] = set()

    async def think(bot: BotSeat, core: Table) -> Decision:
        return Decision(script[len(core.turns)], hidden_cards(game, core))

    def rolled(state: Any, decision: Decision) -> list[Decision]:
        after = state.core.copy()
        after.make_legal(decision)
        rolls = []
        while after.to_move == generic.CHANCE:
            rolls.append(Decision(script[len(after.turns)]))
            after.make_legal(rolls[-1])
        return rolls

    async def scenario(folder: Path) -> None:
        async with parlour(folder, game=game.name) as here:
            party = Party(here)
            ada, eve, fay = [await party.comes(name) for name in ("Ada", "Eve", "Fay")]
            tom, rex = await party.comes("Tom", program=True), await party.comes("Rex")
            seats = [{"kind": "bot", "agent": agent} for _ in range(int(table.state["players"]))]
            seats[reader] = {"kind": "open"}
            await party.ask(ada, "create", game=game.name, seats=seats, rules=rules, seed=1)
            [given] = ada.every("seat")
            at = {"table": given["table"]}
            live = here.tables[at["table"]]
            first, about = live.state.turn, (at["table"], live.state.turn, reader, agent, "x")
            await party.ask(ada, "options", **at, spectators=100)  # refused, or a delay of more than the game so far
            for guest in (eve, fay):
                await party.ask(guest, "spectate", **at)
                await party.ask(guest, "invitation", **at, invitation=given["invitations"][0]["invitation"])
            await party.ask_everything(fay, *about)
            await party.ask(fay, "sit", **at, invitation=given["invitations"][0]["invitation"])  # who looked on before
            [seat] = fay.every("seat")
            for guest in (tom, rex):
                await party.ask(guest, "resume", **at, token=seat["token"])
            if game.wire is not None:
                live.join(wire, Role(reader))
            own = [turn.number - 1 for turn in table.turns if turn.seat == reader and turn.number > first]
            for turn in own:
                await fay.hear("your_turn", partial(is_about, counted[turn]))
                if turn == own[-1]:
                    await party.ask(fay, "bot_delay", **at, paused=False, milliseconds=0)
                await party.ask(fay, "move", **at, turn=counted[turn], move=texts[turn])
            await fay.hear("your_turn", lambda asked: asked["turn"] == counted[-1])
            await party.ask(fay, "bot_delay", **at, paused=True)
            for guest in (fay, tom, eve, ada):
                await party.ask_everything(guest, at["table"], counted[-1], reader, agent, "x")
            await party.ask(rex, "leave", **at)
            await party.ask(rex, "spectate", **at)  # who held a seat before, on this connection
            await party.ask_everything(rex, at["table"], counted[-1], reader, agent, "x")
            last = counted[own[-1]] if own else first
            await party.ask(fay, "undo", **at, turn=last)
            for guest in (fay, eve):
                await party.ask_everything(guest, at["table"], last, reader, agent, "x")
            await party.ask(fay, "hand_to_bot", **at)
            await party.ask_everything(fay, at["table"], last, reader, agent, "x")
            await party.ask(fay, "reclaim_seat", **at)
            await party.ask(fay, "hand_to_bot", **at)
            await party.ask(ada, "delete", **at)
            sent.update({name: lasting(guest.socket.sent) for name, guest in party.guests.items()})
            sent["wire"] = wire.sent
            said.update(party.said)

    wire = Listener()
    with monkeypatch.context() as patch:
        same_every_time(patch, game, start)
        patch.setattr(BotSeat, "_think", think)
        patch.setattr("kibitz.server.live.table_state.TableState.rolls_after", rolled)
        played(scenario)
    return sent, said


def asked_why(game: Game) -> CompiledAgent:
    """An agent of the game that gives reasons while the game goes on."""
    preferred = ("piers", "counting", "heuristic", "greedy")
    able = {each.name: each for each in registry.agents(game) if can_be_explained(each) and not each.traits.cheats}
    agent = able[next((name for name in preferred if name in able), min(able))]
    assert isinstance(agent, CompiledAgent)
    return agent


def kinds(texts: Iterable[str]) -> set[str]:
    return {msgspec.json.decode(text)["type"] for text in texts}


@pytest.mark.parametrize("name", [*GAMES, "kriegspiel umpire=lecture"])
def test_everybody_is_sent_the_same_bytes_in_two_worlds_that_look_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, rule = name.partition(" ")
    game = registry.game(name)
    agent = asked_why(game)
    rules = game.check_rules({**game.table_rules, **dict([rule.split("=")] if rule else [])})
    reader, table, other = worlds(game, agent, rules)
    assert not rule or len(table.turns) != len(other.turns)  # the number of private turns is private, too
    (mine, said), (theirs, _) = (
        everything_sent(monkeypatch, game, each, reader, agent.name, rules) for each in (table, other)
    )
    assert said == CLIENT_MESSAGES, "a message of the protocol that nobody says in this test"
    for who, texts in mine.items():
        assert texts == theirs[who], f"{who} is sent other bytes"
    heard = kinds(itertools.chain.from_iterable(texts for who, texts in mine.items() if who != "wire"))
    of_game = {kind for kind in get_args(ServerMessage) if name in ONLY_IN.get(kind, GAMES)}
    assert of_game - heard == ELSEWHERE.keys() | FOLLOWED, "a message of the server that nobody reads in this test"
    if name in REASONED:
        whys = [message for message in map(msgspec.json.decode, mine["Fay"]) if message["type"] == "why"]
        assert any("reason" in why for why in whys)


def sent_of_a_replay(monkeypatch: pytest.MonkeyPatch, game: Game, table: Table, agent: str) -> list[str]:
    """What somebody is sent who follows a replay at an open table, where only what will be rolled is hidden."""
    start, sent = table.start, list[str]()

    async def scenario(folder: Path) -> None:
        async with parlour(folder, game=game.name) as here:
            party = Party(here)
            ada, eve = await party.comes("Ada"), await party.comes("Eve")
            seats = [{"kind": "bot", "agent": agent} for _ in range(int(table.state["players"]))]
            rules = game.check_rules(game.table_rules)
            await party.ask(ada, "create", game=game.name, seats=seats, rules=rules, seed=1, bot_delay=60_000)
            at = {"table": ada.every("seat")[0]["table"]}
            await party.ask(eve, "spectate", **at)
            turn = here.tables[at["table"]].state.turn
            await party.ask(ada, "replay_leader", **at)
            await party.ask(ada, "replay_cursor", **at, turn=turn, as_="open", event=turn)
            await party.ask(eve, "replay_leader", **at)
            await party.ask_everything(eve, at["table"], turn, 0, agent, "x")
            sent.extend(lasting(eve.socket.sent))

    with monkeypatch.context() as patch:
        same_every_time(patch, game, start)
        played(scenario)
    return sent


@pytest.mark.parametrize("name", ["dicechess", "three_sets"])
def test_a_follower_of_a_replay_is_sent_the_same_bytes_whatever_will_be_rolled(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = registry.game(name)
    agent = asked_why(game)
    table = begun(game, game.deal(keys(3), 0, game.usual_players, game.check_rules(game.table_rules)))
    other = with_other_dice(table, 0, others=False)
    assert other.state.tobytes() != table.state.tobytes()
    mine, theirs = (sent_of_a_replay(monkeypatch, game, each, agent.name) for each in (table, other))
    assert mine == theirs
    assert kinds(mine) >= FOLLOWED
