"""Records: a game is written, read and replayed to the same state, in kibitz's format and in the game's others."""

import json
from typing import Any

from kibitz.core.record import Record, parse
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.loop import WORLD
from kibitz.errors import KibitzError, RecordError
from kibitz.testing.position import OWN_DICE, Position, differing


def starts(at: Position) -> None:
    if at.moves:
        return
    text = at.game.dump_start(at.table.start[0])
    try:
        again = json.loads(json.dumps(text))
    except (TypeError, ValueError) as error:
        at.refuse(f"`dump_start` returns something that JSON cannot represent: {error}.")
    at.require(isinstance(again, dict), f"`dump_start` returns {again!r}, but must return a dictionary.")
    loaded = at.game.load_start(again, at.players, at.rules)
    left = differing(loaded[0], at.table.start[0], OWN_DICE)
    at.require(
        not left,
        f"`load_start` does not restore {left} from what `dump_start` wrote. A game whose deals differ must implement "
        f"both.",
    )
    for broken in broken_starts(again):
        try:
            at.game.load_start(broken, at.players, at.rules)
        except RecordError:
            continue
        except Exception as error:
            at.refuse(f"`load_start` raises {type(error).__name__} for {broken}. Raise a RecordError that explains it.")
        at.require(
            "no such field" not in broken, f"`load_start` accepts an unknown field in {broken}. Raise a RecordError."
        )


def broken_starts(text: dict[str, Any]) -> list[dict[str, Any]]:
    """Faulty starts: with an unknown field, and with each field changed or missing."""
    others: tuple[Any, ...] = (None, -(1 << 62), "no such thing", [[]])
    changed = [{**text, name: other} for name in text for other in others]
    return [{**text, "no such field": 1}, *changed, *({k: v for k, v in text.items() if k != name} for name in text)]


def sampled_starts(at: Position) -> None:
    """The start of a sampled world is accepted in every game, and read back unchanged.

    `rewind` may stop after the first turn: at the start of a round, or at the sampled position itself, if views do not
    contain enough to go back. Then the start need only be accepted. A position in which the game is over is no start.
    """
    for seat in at.viewers:
        pair = at.imagined(seat, at.stream(seat))
        at.functions.rewind(at.table.start, pair)
        if at.functions.to_move(pair[WORLD]) == generic.OVER:
            continue
        try:
            loaded = at.game.load_start(at.game.dump_start(pair[WORLD]), at.players, at.rules)
        except KibitzError as error:
            at.refuse(f"`load_start` refuses the start of a world that `sample_world` made for seat {seat}: {error}")
        left = differing(loaded[0], pair[WORLD], {*OWN_DICE, *at.game.stream_fields})
        at.require(
            not at.game.retraceable or int(at.functions.turns(pair[WORLD])) > 0 or not left,
            f"`load_start` restores the start of a world that `sample_world` made for seat {seat} with different "
            f"{left}. Let `rewind` write a whole start.",
        )


def whole_games(at: Position) -> None:
    game = at.game
    record = Record.of(at.table, ["somebody"] * at.players, dict(at.rules), None, None)
    read = parse(record.dump())
    table = Table(game, [], game.load_start(read.start, read.players, game.recorded_rules(read.rules)), rolls=False)
    try:
        for _ in read.steps(table):
            pass
    except KibitzError as error:
        at.refuse(f"the record of the game cannot be replayed: {error}")
    left = differing(table.state, at.state, {*OWN_DICE, *game.stream_fields})
    at.require(not left, f"replaying the record of the game gives different {left}.")
    at.require(
        read.result is None or read.result == table.result(), "replaying the record of the game gives another result."
    )


def formats_of_others(at: Position) -> None:
    record = Record.of(at.table, ["somebody"] * at.players, dict(at.rules), None, None)
    for each in at.game.formats:
        try:
            text = each.write(record)
        except RecordError:  # this format cannot represent the game
            continue
        at.require(each.recognises(text), f"the format {each.name} does not recognise its own text.")
        moves = [made.move for made in each.read(text).moves]
        at.require(
            moves == [made.move for made in record.moves], f"the format {each.name} reads other moves than it wrote."
        )
