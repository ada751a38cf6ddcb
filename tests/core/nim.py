"""A game from somebody else's package: take one to three stones in turn, and whoever takes the last one wins.

`some_games` plays it through every part of kibitz.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core import generic, registry, seeds
from kibitz.core.agent import CompiledAgent, Traits, seats_of, see_nothing
from kibitz.core.compile import compiled, struct_dtype
from kibitz.core.dice import imagine_dice, show_dice
from kibitz.core.errors import KibitzError
from kibitz.core.game import Count, Game, Rule
from kibitz.core.loop import MEMORY, SEEN, WORLD, decision, play_games
from kibitz.core.record import Record, parse
from kibitz.core.table import Table

STONES = 21
LONG = 9  # turns
LOSES, TIRES = 1, 2  # the rules as bits
NUMBERS = ("one", "two", "three")
STATE = struct_dtype(
    [
        ("dice", np.int64),
        ("streams", np.int64, 3),
        ("stones", np.int64),
        ("turn", np.int64),
        ("seat", np.int64),
        ("players", np.int64),
        ("rules", np.int64),
        ("taken", np.int64, STONES),
    ]
)


@compiled
def deal(s: Any, players: int, rules: int, stream: int) -> None:
    s.stones = 10 + seeds.below(stream, 0, STONES - 9)
    s.players = players
    s.rules = rules
    s.turn = 0
    s.seat = -1


@compiled
def to_move(s: Any) -> int:
    return s.turn % s.players if s.stones > 0 else -1


@compiled
def show(pair: Any, seat: int, cheats: bool) -> None:
    pair[SEEN] = pair[WORLD]
    pair[SEEN].seat = seat
    show_dice(pair[SEEN], seat, pair[WORLD].turn)


@compiled
def allowed(s: Any, move: int) -> bool:
    return 0 <= move < min(3, s.stones)


@compiled
def apply(s: Any, move: int) -> None:
    s.taken[s.turn] = move
    s.turn += 1
    s.stones -= move + 1


@compiled
def turns(s: Any) -> int:
    return s.turn


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.taken[turn]


@compiled
def result(s: Any, row: Any) -> None:
    """The winner from 1, or 0 for a draw; the turns; and, for the game itself, how many stones went last."""
    last = (s.turn - 1) % s.players
    row[0] = (last + 1) % s.players + 1 if s.rules & LOSES else last + 1
    if s.rules & TIRES and s.turn > LONG:
        row[0] = 0
    row[1] = s.turn
    row[2] = s.taken[s.turn - 1]


@compiled
def imagine(pair: Any, stream: int) -> None:
    pair[WORLD] = pair[SEEN]
    pair[WORLD].seat = -1
    imagine_dice(pair[WORLD], stream)


@compiled
def recast(start: Any, pair: Any) -> None:
    streams = pair[WORLD].streams.copy()
    pair[WORLD] = start[0]
    pair[WORLD].streams[:] = streams


generic.implement(
    "nim", STATE, deal=deal, to_move=to_move, show=show, allowed=allowed, apply=apply, turns=turns,
    move_at=move_at, result=result, imagine=imagine, recast=recast,
)  # fmt: skip


class Nim(Game):
    name = "nim"
    title = "Nim"
    description = "Who takes the last stone wins."
    players = range(2, 4)
    rules = (
        Rule("last_stone", "whether taking it wins, or lets the next player win", ("wins", "loses")),
        Rule("long_game", f"what a game of more than {LONG} turns is", ("won", "draw")),
    )
    dtype = STATE
    longest = STONES
    columns = ("winner", "turns")
    width = 3
    competitive = True
    counts = (
        Count("ends", "Games by the turn of their end", STONES),
        Count("last", "Stones taken in the last turn", STONES, NUMBERS),
    )

    def rule_bits(self, rules: Mapping[str, str]) -> int:
        return LOSES * (rules["last_stone"] == "loses") | TIRES * (rules["long_game"] == "draw")

    def dump_start(self, state: Any) -> Any:
        return {"stones": int(state["stones"])}

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        start = np.zeros(1, STATE)
        start["stones"], start["players"], start["rules"] = text["stones"], players, self.rule_bits(rules)
        start["seat"] = -1
        return start

    def view(self, struct: Any) -> int:
        return int(struct["stones"])

    def legal(self, struct: Any) -> list[int]:
        return list(range(min(3, int(struct["stones"]))))

    def move(self, answer: Any, struct: Any) -> int:
        move = int(str(answer).removeprefix("take ")) - 1
        if not allowed(struct, move):
            raise KibitzError("Take one to three of the stones that are left.")
        return move

    def move_text(self, move: int) -> str:
        return f"take {move + 1}"

    def event_text(self, struct: Any, turn: int) -> str:
        return f"{self.seat_name(turn % struct['players'])} takes {struct['taken'][turn] + 1}"

    def explain(self, reason: str, about: int, view: Any) -> str:
        return reason.format(stones=about)

    def board(self, view: Any) -> str:
        return "o" * int(view["stones"])

    def help(self) -> str:
        return "take 2"

    def winners(self, results: Any) -> Any:
        return (1 << results[:, 0]) >> 1

    def count(self, results: Any, players: int) -> dict[str, Any]:
        ends = np.zeros((players + 1, STONES, 1), np.int64)
        last = np.zeros((players + 1, STONES, len(NUMBERS)), np.int64)
        winner, turn = (results[:, 0] - 1) % (players + 1), results[:, 1] - 1
        np.add.at(ends, (winner, turn, 0), 1)
        np.add.at(last, (turn % players, turn, results[:, 2]), 1)
        return {"ends": ends, "last": last}

    def table(self, results: Any, named: Sequence[int]) -> dict[str, Any]:
        winners = np.array([0, *named])[results[:, 0]]
        return {"row": np.arange(len(results)), "winner": winners, "turns": results[:, 1], "last": results[:, 2] + 1}

    def verdict(self, state: Any) -> str:
        winner = self.result(state)["winner"]
        return f"{self.seat_name(winner - 1)} wins." if winner else "Nobody wins."


NIM = Nim()


def take_any(view: Any, memory: Any, weights: Any) -> int:
    return decision(seeds.below(view.dice, 0, min(3, view.stones)), 0, view.stones)


any_taker = CompiledAgent(
    "any_taker", "nim", "Takes any number of stones.", "a test", Traits(random=True),
    decide=take_any, observe=see_nothing, reasons=("some of {stones}",),
)  # fmt: skip


def take_by_budget(view: Any, memory: Any, weights: Any) -> int:
    return decision(min(int(weights.values[0]), view.stones) - 1, 0, view.stones)


thinker = CompiledAgent(
    "thinker", "nim", "Takes as many stones as it has iterations.", "a test", Traits(searches=True),
    decide=take_by_budget, observe=see_nothing, reasons=("some of {stones}",), weights=(2.0, 0.0),
)  # fmt: skip


class Expert:
    """Leaves a multiple of four."""

    game = "nim"

    def decide(self, stones: int) -> tuple[str, str]:
        return f"take {stones % 4 or 1}", f"{stones} are left"


def some_games() -> dict[str, Any]:
    """What kibitz makes of a game it has never heard of: a match, a table of a bot and an agent, a record."""
    game = registry.game("nim")
    agents = registry.agents(game)
    keys, number = seeds.keys(1), 30
    pair, results, logs = np.zeros(2, STATE), np.zeros((number, 3), np.int64), np.zeros((number, STONES), np.int64)
    deals, dice = (seeds.numbers(key, 0, number) for key in keys)
    seats = seats_of(game, [any_taker, any_taker])
    done = play_games(pair, seats, np.zeros(3, MEMORY), 2, 0, deals, dice, results, logs)

    tables = []
    for each in range(number):
        start = game.deal(keys, each, 2, game.check_rules({}))
        tables.append(Table(game, [agent.take_seat(game) for agent in (any_taker, any_taker)], start))
    same = [list(table.run().values()) for table in tables] == results[:, :2].tolist()

    start = game.load_start({"stones": 21}, 2, game.check_rules({}))
    table = Table(game, [agent.take_seat(game) for agent in (registry.agent(game, "expert"), any_taker)], start)
    table.run()
    record = parse(Record.of(table, ["expert", "any_taker"], game.check_rules({}), None, None).dump())
    return {
        "agents": [agent.name for agent in agents],
        "done": int(done),
        "same": same,
        "won": table.result()["winner"],
        "first": table.text(table.turns[0]) + ", " + table.turns[0].decision.reason,
        "replayed": record.replay().result() == table.result(),
        "continued": table.imagine(0, [], 3).result() == table.result(),
    }
