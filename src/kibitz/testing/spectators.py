"""What spectators see some moves later must be of no use to a player, who may look on in a second window."""

from typing import Any

import msgspec

from kibitz.core.table import Table
from kibitz.engine.loop import ONLOOKER
from kibitz.testing.position import Position
from kibitz.testing.sampling import lived_through


def delayed_views(at: Position) -> None:
    """The same late views in the true world and in any that a seat takes for possible."""
    game = at.game
    if at.table.over or not game.delays:
        return
    least, public = game.delays[0], at.view(ONLOOKER)
    for delay in game.delays:
        last = game.late_turn(at.state, delay)
        at.require(
            last <= len(at.moves) - delay, f"`late_turn` is {last} with a delay of {delay}, which is not that late."
        )
        at.require(last == game.late_turn(public, delay), "`late_turn` depends on what is hidden from an onlooker.")
    last = game.late_turn(at.state, least)
    if last < 0:
        return
    seen = shown(at, at.table, last)
    for seat in at.viewers:
        other, _, first = lived_through(at, seat)
        at.lived.append(first < len(at.moves))
        if first > last:
            continue  # of a round that is over: the sampled worlds begin later
        at.require(
            seen == shown(at, other, last - first),
            f"spectators with a delay of {least} moves are shown something of turn {last} that seat {seat} does not "
            f"know, and may look at in a second window. Let `late_turn` or `seen_late` keep it back, or leave `delays` "
            f"empty.",
        )


def worlds_have_a_past(at: Position) -> None:
    at.require(
        not at.lived or any(at.lived),
        "`delays` lets spectators look back, but `rewind` never does, so nothing can say whether that is of use to a "
        "player, who may look on in a second window. Leave `delays` empty.",
    )


def shown(at: Position, table: Table, moves: int) -> tuple[bytes, Any]:
    """The page and the event of a past turn, as spectators are shown them now."""
    past = table.replayed([], table.start, moves)
    view = at.game.seen_late(past.open_state(), table.open_state())
    event = at.game.event(view, past.turns[-1].number - 1) if past.turns else None
    return msgspec.json.encode(at.game.page(view)), event
