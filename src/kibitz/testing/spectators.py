"""Delayed spectators must see nothing that helps a player, who may watch in a second window."""

from typing import Any

import msgspec

from kibitz.core.table import Table
from kibitz.engine.loop import ONLOOKER
from kibitz.testing.position import Position
from kibitz.testing.sampling import replayed_world


def delayed_views(at: Position) -> None:
    """Delayed views are the same in the true world and in all worlds that a seat considers possible."""
    game = at.game
    if at.table.over or not game.delays:
        return
    least, public = game.delays[0], at.view(ONLOOKER)
    for delay in game.delays:
        last = game.late_turn(at.state, delay)
        at.require(
            last <= len(at.moves) - delay,
            f"`late_turn` returns {last}, but with a delay of {delay} it must be at most {len(at.moves) - delay} here.",
        )
        at.require(
            last == game.late_turn(public, delay), "`late_turn` depends on hidden information. Use public fields."
        )
    last = game.late_turn(at.state, least)
    if last < 0:
        return
    seen = shown(at, at.table, last)
    for seat in at.viewers:
        other, _, first = replayed_world(at, seat)
        at.had_past.append(first < len(at.moves))
        if first > last:
            continue  # the turn is of an earlier round: the sampled worlds begin later
        at.require(
            seen == shown(at, other, last - first),
            f"spectators with a delay of {least} moves see something of turn {last} that seat {seat} does not know but "
            f"can look up in a second window. Hide it in `late_turn` or `seen_late`, or leave `delays` empty.",
        )


def worlds_have_a_past(at: Position) -> None:
    at.require(
        not at.had_past or any(at.had_past),
        "`delays` lets spectators look back, but `rewind` never goes back, so kibitz cannot check whether that helps a "
        "player who watches in a second window. Leave `delays` empty.",
    )


def shown(at: Position, table: Table, moves: int) -> tuple[bytes, Any]:
    """The page and the event of a past turn, as delayed spectators see them now."""
    past = table.replayed([], table.start, moves)
    view = at.game.seen_late(past.open_state(), table.open_state())
    event = at.game.event(view, past.turns[-1].number - 1) if past.turns else None
    return msgspec.json.encode(at.game.page(view)), event
