"""Nim, and a Nim with secrets, each with one fault: what `check_game` says of them.

Run as a module it checks them all in plain Python, in which no fault can crash and nothing has to be compiled.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from nim import rules
from nim.game import Nim

from kibitz.core.deferred import deferred
from kibitz.core.game import Game, Rule
from kibitz.core.results import Count
from kibitz.engine import generic, seeds
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import observe_dice, sample_dice
from kibitz.engine.loop import SEEN, WORLD
from kibitz.errors import RecordError
from kibitz.testing import CheckError, check_game
from tests.testing.bare import HIGHER

FIELDS: list[tuple[Any, ...]] = [
    ("dice", np.int64), ("streams", np.int64, 3), ("seat", np.int64), ("players", np.int64), ("rules", np.int64),
    ("stones", np.int64), ("turn", np.int64), ("taken", np.int64, rules.STONES),
]  # fmt: skip
RULES = generic.rules_of(rules.STATE)
OWN = {name: getattr(RULES, name) for name in sorted(generic.OWN[rules.STATE])}


@dataclass(frozen=True)
class Broken:
    """Something wrong with a game, and the sentence that says so."""

    sentence: str
    functions: dict[str, Any] = field(default_factory=dict)
    secrets: bool = False  # of the Nim with secrets
    fields: tuple[tuple[Any, ...], ...] = ()
    without: tuple[str, ...] = ()  # functions that are left out
    declared: dict[str, Any] = field(default_factory=dict)


# Nim in which every seat has a number that the others do not see.


@compiled
def deal(s: Any, players: int, bits: int, stream: int) -> None:
    rules.deal(s, players, bits, stream)
    for seat in range(3):
        s.secrets[seat] = 1 + seeds.below(stream, 1 + seat, 9) if seat < players else 0


@compiled
def observe(pair: Any, seat: int, cheats: bool) -> None:
    pair[SEEN] = pair[WORLD]
    pair[SEEN].seat = seat
    observe_dice(pair[SEEN], seat, pair[WORLD].turn)
    for other in range(3):
        if other != seat:
            pair[SEEN].secrets[other] = 0


@compiled
def sample_world(pair: Any, stream: int) -> None:
    pair[WORLD] = pair[SEEN]
    pair[WORLD].seat = -1
    sample_dice(pair[WORLD], stream)
    for other in range(pair[WORLD].players):
        if other != pair[SEEN].seat:
            pair[WORLD].secrets[other] = 1 + seeds.below(stream, other, 9)


@compiled
def rewind(start: Any, pair: Any) -> None:
    pair[WORLD].stones = start[0].stones
    pair[WORLD].turn = 0
    pair[WORLD].taken[:] = 0


SECRETS: dict[str, Any] = {"deal": deal, "observe": observe, "sample_world": sample_world, "rewind": rewind}


class SecretNim(Nim):
    """A start has the secrets in it."""

    def starts_of(self, view: Any) -> Iterator[Any]:
        for start in super().starts_of(view):
            start["secrets"] = view["secrets"]
            yield start

    def dump_start(self, state: Any) -> Any:
        return {"stones": int(state["stones"]), "secrets": [int(secret) for secret in state["secrets"]]}

    def load_start(self, text: Any, players: int, rules: Any) -> Any:
        secrets = text.get("secrets")
        start = super().load_start({name: text[name] for name in text if name != "secrets"}, players, rules)
        if not isinstance(secrets, list) or not all(isinstance(secret, int) for secret in secrets) or len(secrets) != 3:
            raise RecordError("There are three secrets.")
        start["secrets"] = secrets
        return start


# Faults


def but(name: str, change: Callable[..., Any], secrets: bool = False) -> dict[str, Any]:
    """A function after which something else is done, with the same arguments."""
    original = SECRETS[name] if secrets and name in SECRETS else getattr(RULES, name)

    def changed(*arguments: Any) -> Any:
        given = original(*arguments)
        return change(given, *arguments)

    return {name: changed}


def write(field: str, value: Any, index: Any = None) -> Callable[..., None]:
    """Write a field of the record that a function is handed first."""

    def change(_: Any, record: Any, *arguments: Any) -> None:
        if index is None:
            record[field] = value
        else:
            record[field][index] = value

    return change


def shown(field: str, of: Callable[[Any], Any]) -> Callable[..., None]:
    def change(_: Any, pair: Any, *arguments: Any) -> None:
        pair[SEEN][field] = of(pair)

    return change


def sampled(field: str, of: Callable[[Any], Any]) -> Callable[..., None]:
    def change(_: Any, pair: Any, *arguments: Any) -> None:
        pair[WORLD][field] = of(pair)

    return change


def overdone(_: Any, state: Any, row: Any) -> None:
    row[3] = 1


def short_result(s: Any, row: Any) -> None:
    row[0] = 1


def only_whole(self: Game, text: Any, players: int, rules: Any) -> Any:
    """Accept no start with fewer stones than are dealt."""
    if text.get("stones") in range(10):
        raise RecordError("A game starts with ten stones.")
    return SecretNim.load_start(self, text, players, rules)  # type: ignore[arg-type]


def no_zeros(self: Game, text: Any, players: int, rules: Any) -> Any:
    """Replace secrets that no deal has."""
    start = SecretNim.load_start(self, text, players, rules)  # type: ignore[arg-type]
    start["secrets"][0, :players] = np.maximum(start["secrets"][0, :players], 1)
    return start


def forget(pair: Any) -> None:
    """Sample secrets that no deal has."""
    for other in range(pair[WORLD]["players"]):
        if other != pair[SEEN]["seat"]:
            pair[WORLD]["secrets"][other] = 0


LISTED = {"legal": lambda self, record: list(range(min(3, int(record["stones"]))))}
NUMBERED = {"take 1": 0, "take 2": 1, "take 3": 2}
ROLLS = iter(range(1 << 30))

BROKEN: dict[str, Broken] = {
    # Declarations
    "no best": Broken("not `competitive` needs `best`", declared={"competitive": False}),
    "no players": Broken("`players` is range(0, 0)", declared={"players": range(0)}),
    "few streams": Broken("`streams` has fewer than 4 places", declared={"players": range(2, 5)}),
    "unusual players": Broken("`usual_players` is 9", declared={"usual_players": 9}),
    "narrow": Broken("`width` is 1, which is less than its 2 columns", declared={"width": 1}),
    "bounds of nothing": Broken("name nonesuch", declared={"bounds": {"nonesuch": (0, 1)}}),
    "one choice": Broken("The rule dull of Nim needs at least two", declared={"rules": (Rule("dull", "", ("a",)),)}),
    "no move_at": Broken("does not implement `move_at(state, turn)`: the move", without=("move_at",)),
    "half hidden": Broken("does not implement `sample_world(pair, stream)`: sample a world", {"observe": observe}),
    "no page": Broken("has no board.js", declared={"page_folder": Path("nowhere")}),
    "no protocol": Broken("`wire` of Nim is no:WHERE, which cannot be loaded", declared={"wire": deferred("no:WHERE")}),
    # Rules
    "longest": Broken("the game continues, but `longest` is 3", declared={"longest": 3}),
    "no room": Broken("IndexError", fields=(("taken", np.int64, 4),)),
    "seat to move": Broken("`to_move` returns 7", but("to_move", lambda seat, s: 7 if s["turn"] == 2 else seat)),
    "stuck": Broken("there is no legal move", but("allowed", lambda yes, s, move: yes and s["turn"] < 2)),
    "turns": Broken("`turns` returns 1, but 0 moves were made", but("turns", lambda n, s: n + 1)),
    "move_at": Broken("`move_at` returns the moves", but("move_at", lambda move, s, turn: 1 - move)),
    "allowed": Broken("but `allowed` is true for [0, 1, 2, 9]", but("allowed", lambda yes, s, move: yes or move == 9),
                      declared=LISTED),
    "below 0": Broken("`allowed` is true for the move −1", but("allowed", lambda yes, s, move: yes or move == -1)),
    "legal": Broken("the bits of `legal` are the moves [0]", {"legal": lambda s: 1},
                    declared=LISTED),
    "chance": Broken("making the move 0 twice from here gives different `stones`",
                     but("apply", lambda _, s, move: s.__setitem__("stones", 1 + next(ROLLS) % 3))),
    "players changed": Broken("changes `rules` of the state", but("apply", write("rules", 3))),
    "dirty deal": Broken("dealt into the memory of a finished game", {"deal": lambda s, players, bits, stream: (
        s.__setitem__("stones", 12), s.__setitem__("players", players), s.__setitem__("rules", bits),
        s.__setitem__("seat", -1))}),
    "seat of a state": Broken("`seat` is not negative", but("deal", write("seat", 0))),
    # Views
    "streams shown": Broken("contains the random numbers of `streams`", secrets=True,
                            functions=but("observe", shown("streams", lambda pair: pair[WORLD]["streams"]), True)),
    "another's view": Broken("`seat` is 5 in the view of seat 0", but("observe", shown("seat", lambda pair: 5))
                             | {"sample_world": sample_world, "rewind": rewind}),
    "onlooker": Broken("an onlooker sees something in `secrets`", secrets=True,
                       functions=but("observe", lambda _, pair, seat, cheats: seat < 0 and shown(
                           "secrets", lambda pair: pair[WORLD]["secrets"])(None, pair), True)),
    "no dice": Broken("seats see the same `dice`", secrets=True,
                      functions=but("observe", shown("dice", lambda pair: 0), True)),
    "state changed": Broken("`observe` changes the state", secrets=True,
                            functions=but("observe", sampled("taken", lambda pair: pair[WORLD]["taken"] + 1), True)),
    "leak": Broken("seat 0 sees different `secrets`", secrets=True,
                   functions=but("observe", lambda _, pair, seat, cheats: seat >= 0 and shown(
                       "secrets", lambda pair: pair[WORLD]["secrets"])(None, pair), True)),
    "nothing hidden": Broken("sampled worlds never differ", secrets=True, functions={
        name: getattr(RULES, name) for name in ("observe", "sample_world", "rewind")}),
    "bounds": Broken("`check_view` refuses the view of seat 0", declared={"bounds": {"stones": (0, 5)}}),
    # Sampling
    "peeking": Broken("`secrets` in the world that `sample_world` makes for seat 1 depends", secrets=True, functions={
        "sample_world": lambda pair, stream: peek(pair, stream)}),
    "view changed": Broken("`sample_world` changes `stones` of the view", secrets=True,
                           functions=but("sample_world", shown("stones", lambda pair: 0), True)),
    "rewind": Broken("lead to a state that differs from the sampled world in `secrets`", secrets=True,
                     functions=but("rewind", lambda _, start, pair: pair[WORLD].__setitem__("secrets", 0), True)),
    "no stones": Broken("not legal after `rewind`", {"rewind": lambda start, pair: empty(start, pair)}, secrets=True),
    "no streams": Broken("a sampled world has no `streams`", secrets=True,
                         functions=but("sample_world", sampled("streams", lambda pair: 0), True)),
    "information_key": Broken("`information_key` distinguishes worlds", secrets=True,
                      functions={"information_key": lambda s, seat: int(s["secrets"][1 - seat]) if seat < 2 else 0}),
    "move_probabilities": Broken("sum to 2.7", {"move_probabilities": lambda view, chances: chances.fill(0.9)}),
    "horizon": Broken("after `horizon`, `to_move` returns -1", {"horizon": lambda s: s.__setitem__("stones", 0)}),
    # Notation
    "same words": Broken("writes the moves 0 and 1 as 'take'", declared={"move_text": lambda self, move: "take"}),
    "another move": Broken("as the move 0", declared={"move": lambda self, answer, record: 0}),
    "not read": Broken("`Game.move` does not read 'take 1'", declared={
        "move": lambda self, answer, record: Nim.move(self, answer.removeprefix("take"), record)}),
    "bare error": Broken("`Game.move` raises ValueError for ''", declared={
        "move": lambda self, answer, record: int(str(answer).removeprefix("take ")) - 1}),
    "illegal taken": Broken("which is not legal here", declared={
        "move": lambda self, answer, record: NUMBERED.get(answer, 2)}),
    "same seats": Broken("gives seats the same name", declared={"seat_name": lambda self, seat: "G"}),
    "no event": Broken("`event_text` returns ''", declared={"event_text": lambda self, record, turn: ""}),
    # Records
    "start forgotten": Broken("must implement both", declared={
        "dump_start": Game.dump_start, "load_start": Game.load_start}),
    "start not JSON": Broken("`dump_start` returns something", declared={"dump_start": lambda self, state: {"a": {1}}}),
    "unknown field": Broken("accepts an unknown field", declared={
        "load_start": lambda self, text, players, rules: Nim.load_start(
            self, {"stones": text.get("stones")}, players, rules)}),
    "start bare error": Broken("`load_start` raises", declared={
        "load_start": lambda self, text, players, rules: unchecked(self, text, players, rules)}),
    # Pages
    "page not JSON": Broken("`page` returns something", declared={"page": lambda self, view: {"a": object()}}),
    "large page": Broken("`page` returns 70,", declared={"page": lambda self, view: {"a": "x" * 70_000}}),
    "list for a page": Broken("`page` must return a JSON object", declared={"page": lambda self, view: []}),
    "event": Broken("`event` lacks turn, move or text", declared={"event": lambda self, view, turn: {}}),
    "closed moves": Broken("`event` differs from seat to seat", declared={
        "event": lambda self, view, turn: {**Nim.event(self, view, turn), "seat": int(view["seat"])}}),
    "choices": Broken("`choices` offers the moves [0]", declared={"choices": lambda self, view: [{"move": "take 1"}]}),
    "turns explained": Broken("`turns_explained` returns 99", declared={"turns_explained": lambda self, state: 99}),
    # Spectators
    "delays": Broken("`delays` is (5, 2)", declared={"delays": (5, 2)}),
    "early spectators": Broken("`late_turn` returns 0, but with a delay of 2", declared={
        "delays": (2,), "late_turn": lambda self, state, delay: int(state["turn"])}),
    "late turn": Broken("`late_turn` depends on hidden information", secrets=True, declared={
        "delays": (1,), "late_turn": lambda self, state, delay: -1 - int(state["secrets"][0])}),
    "late secrets": Broken("can look up in a second window", secrets=True, declared={
        "delays": (2,), "page": lambda self, view: {"secrets": view["secrets"].tolist()}}),
    "sampled start": Broken("refuses the start of a world", {"rewind": lambda start, pair: None}, secrets=True,
                            declared={"retraceable": False, "load_start": only_whole}),
    "changed start": Broken("made for seat 0 with different `secrets`", secrets=True, declared={"load_start": no_zeros},
                            functions=but("sample_world", lambda _, pair, stream: forget(pair), True)),
    "no past": Broken("`rewind` never goes back", {"rewind": lambda start, pair: None}, secrets=True, declared={
        "delays": (2,), "retraceable": False}),
    # Results
    "wide result": Broken("writes more than the 3 numbers that the game declares", but("result", overdone)),
    "short result": Broken("`result` does not write turns", {"result": short_result}),
    "winners": Broken("not a mask of 2 seats", declared={"winners": lambda self, results: 0 * results[:, 0] + 64}),
    "score": Broken("must be between 0 and `best`, 0", declared={"competitive": False, "best": 0}),
    "payoff": Broken("`payoff` returns [2.0, 2.0]", {"payoff": lambda s, seat: 2.0}),
    "payoff of others": Broken("Winners must have the highest", {"payoff": lambda s, seat: 1 - rules.payoff(s, seat)}),
    "counts": Broken("`counts` declares", declared={"counts": (Count("ends", "", 4),)}),
    "table": Broken("`table` has no column `row`", declared={"table": lambda self, results, named: {}}),
}  # fmt: skip


def peek(pair: Any, stream: int) -> None:
    """Sample a world that has a secret of the state."""
    secret = int(pair[WORLD]["secrets"][0])
    sample_world(pair, stream)
    if pair[SEEN]["seat"] == 1:
        pair[WORLD]["secrets"][0] = secret


def empty(start: Any, pair: Any) -> None:
    """Go back to a start without stones, once two were taken."""
    later = pair[WORLD]["turn"] > 1
    rewind(start, pair)
    if later:
        pair[WORLD]["stones"] = 0


def unchecked(game: Game, text: Any, players: int, rules: Any) -> Any:
    if len(text) > 1:
        raise RecordError("A start has one field.")
    start = np.zeros(1, game.dtype)
    start["stones"], start["players"], start["rules"] = text["stones"], players, game.rule_bits(rules)
    start["seat"] = -1
    return start


def broken_game(name: str) -> Game:
    fault = BROKEN[name]
    fields = {each[0]: each for each in [*FIELDS, *fault.fields]}
    more = [("secrets", np.int64, 3)] if fault.secrets else []
    dtype = struct_dtype([*fields.values(), *more, (f"broken_{name}".replace(" ", "_"), np.int8)])
    functions = {**OWN, **(SECRETS if fault.secrets else {}), **fault.functions}
    generic.implement("nim", dtype, **{key: each for key, each in functions.items() if key not in fault.without})
    base = SecretNim if fault.secrets else Nim
    return type("BrokenNim", (base,), {"dtype": dtype, **fault.declared})()


def said(name: str) -> str:
    try:
        check_game(broken_game(name))
    except CheckError as error:
        return str(error)
    return "nothing"


if __name__ == "__main__":
    check_game(HIGHER)
    print(json.dumps({name: said(name) for name in BROKEN}))
