"""Whether a view can be that of a game: a world sampled from it is played again from its start, and shown once more.

It is for views that come from elsewhere. The game has checked by then that sampling is safe (`Game.check_fields`).
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
    """Write a world beside the view."""
    generic.sample_world(pair, stream)


@compiled
def play_again(start: Any, pair: Any, last: int) -> int:
    """Make the moves of the pair's world from its start up to a turn, and show the seat of the view where they lead.

    The turn it began with, or −1 if a move was not legal.
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
    """How many moves players, and not chance, make from one turn to another of the pair's world, which is legal."""
    now, count = pair[WORLD : WORLD + 1].copy(), 0
    generic.rewind(start, pair)
    for made in range(generic.turns(pair[WORLD]), last):
        count += 1 if made >= turn and generic.to_move(pair[WORLD]) != generic.CHANCE else 0
        generic.apply(pair[WORLD], generic.move_at(now[0], made))
    return count


@compiled
def same_moves(views: Any, count: int) -> bool:
    """Whether the first moves of two views are the same."""
    same = True
    for turn in range(count):
        same = same and generic.move_at(views[0], turn) == generic.move_at(views[1], turn)
    return same


def same_view(one: Any, other: Any) -> bool:
    """Whether two views differ at most in the dice of their seat, which may be any."""
    if INTERPRETED:  # NumPy leaves the bytes between fields alone
        return all(np.array_equal(one[name], other[name]) for name in one.dtype.names if name != "dice")
    rolled = one["dice"]
    one["dice"] = other["dice"]
    same: bool = one.tobytes() == other.tobytes()
    one["dice"] = rolled
    return same


def retraced(game: "Game", view: Any, before: Any = None, begins: bool = False) -> bool:
    """Whether a view is what its seat sees in a legal game, and then in one that was at the view `before` a move ago.

    A game that `begins` has no moves yet but those of chance, which nobody sees apart from the move before them.
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
    """Whether a view belongs to a game like that of another, after one move more, or after what chance did then."""
    past = np.zeros(1, before.dtype)
    past[0] = before
    same = all(view[name] == before[name] for name in ("players", "rules") if name in view.dtype.names)
    return same and 0 < turns - turns_made(past) <= (turns if has_chance(before.dtype) else 1)


def has_chance(dtype: np.dtype[Any]) -> bool:
    return not generic.missing(dtype, ["chance_moves"])


def goes_on(start: Any, pair: Any, turns: int, before: Any) -> bool:
    """Whether in the world of this pair its seat saw a view before the last move."""
    views = np.zeros(2, before.dtype)
    views[0], views[1] = before, pair[SEEN]
    earlier, until = pair.copy(), turns_made(views)
    first = play_again(start, earlier, until)
    if has_chance(before.dtype) and players_moves(start, pair.copy(), until, turns) != 1:
        return False
    # In a game of rounds a view tells nothing of what was hidden in those that are over.
    return bool(same_moves(views, until)) and (first == turns or same_view(earlier[SEEN], before))
