"""Check whether a legal game leads to a view: replay a sampled world from its start and compare its view.

This is for views from other hosts. `Game.check_fields` has already checked that sampling is safe.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import INTERPRETED, compiled
from kibitz.engine.loop import SEEN, WORLD, turns_made

if TYPE_CHECKING:
    from kibitz.core.game import Game


@compiled
def imagine_world(pair: Any, stream: int) -> None:
    """Write a sampled world beside the view."""
    generic.sample_world(pair, stream)


@compiled
def play_again(start: Any, pair: Any, last: int) -> int:
    """Replay the pair's world from its start to a turn, and write the view of the same seat there.

    Returns the turn it began with, or −1 if a move was illegal.
    """
    seat = pair[SEEN].seat
    now = pair[WORLD : WORLD + 1].copy()
    generic.rewind(start, pair)
    state = pair[WORLD]
    first = generic.turns(state)
    for turn in range(first, last):
        move = generic.move_at(now[0], turn)
        if generic.to_move(state) == generic.OVER or not generic.allowed(state, move):
            return -1
        generic.apply(state, move)
    generic.observe(pair, seat, False)
    return first


@compiled
def players_moves(start: Any, pair: Any, turn: int, last: int) -> int:
    """The number of moves by players, not chance, between two turns of the pair's world, which is legal."""
    now, count = pair[WORLD : WORLD + 1].copy(), 0
    generic.rewind(start, pair)
    for made in range(generic.turns(pair[WORLD]), last):
        count += 1 if made >= turn and generic.to_move(pair[WORLD]) != generic.CHANCE else 0
        generic.apply(pair[WORLD], generic.move_at(now[0], made))
    return count


@compiled
def same_moves(views: Any, count: int) -> bool:
    """Whether the first `count` moves of two views are equal."""
    same = True
    for turn in range(count):
        same = same and generic.move_at(views[0], turn) == generic.move_at(views[1], turn)
    return same


def same_view(one: Any, other: Any) -> bool:
    """Whether two views are equal, except perhaps for the seat's dice, which may be any."""
    if INTERPRETED:  # NumPy does not copy padding
        return all(np.array_equal(one[name], other[name]) for name in one.dtype.names if name != "dice")
    rolled = one["dice"]
    one["dice"] = other["dice"]
    same: bool = one.tobytes() == other.tobytes()
    one["dice"] = rolled
    return same


def retraced(game: "Game", view: Any, before: Any = None, begins: bool = False) -> bool:
    """Whether a view belongs to a legal game that had the view `before` one move earlier.

    A game that `begins` has only moves of chance so far, which players see together with the next move.
    """
    pair = np.zeros(2, game.dtype)
    pair[WORLD] = pair[SEEN] = view
    turns = turns_made(pair)
    if not 0 <= turns <= game.longest:
        return False
    if begins and not game.retraceable:
        return turns == 0
    if before is not None and not one_move_later(view, turns, before):
        return False
    if not game.retraceable:
        return True
    imagine_world(pair, 0)
    for start in game.starts_of(view):
        again = pair.copy()
        if play_again(start, again, turns) >= 0 and same_view(again[SEEN], view):
            if begins:
                return bool(players_moves(start, pair.copy(), 0, turns) == 0)
            return before is None or goes_on(start, pair, turns, before)
    return False


def one_move_later(view: Any, turns: int, before: Any) -> bool:
    """Whether a view can follow another by one move, and by the moves of chance after it.

    The last view of a game may show private turns that the one before hid: its game checks them.
    """
    past = np.zeros(1, before.dtype)
    past[0] = before
    same = all(view[name] == before[name] for name in ("players", "rules") if name in view.dtype.names)
    reveals = generic.has_private_turns(before.dtype) and generic.to_move(view) == generic.OVER
    return same and 0 < turns - turns_made(past) <= (turns if reveals or has_chance(before.dtype) else 1)


def has_chance(dtype: np.dtype[Any]) -> bool:
    return not generic.missing(dtype, ["chance_moves"])


def goes_on(start: Any, pair: Any, turns: int, before: Any) -> bool:
    """Whether the seat saw the view `before` the last move, in the pair's world."""
    views = np.zeros(2, before.dtype)
    views[0], views[1] = before, pair[SEEN]
    earlier, until = pair.copy(), turns_made(views)
    first = play_again(start, earlier, until)
    if has_chance(before.dtype) and players_moves(start, pair.copy(), until, turns) != 1:
        return False
    # In a game of rounds, a view says nothing about what was hidden in earlier rounds.
    return bool(same_moves(views, until)) and (first == turns or same_view(earlier[SEEN], before))
