"""Checks that a seat can have a view, for views from outside.

The seat's own side is replayed from the start: its attempts, its losses, the announcements. The result must be the
view. The other side's pieces are counted, and as long as the belief state is exact, it must not be empty. A finished
game is visible to all, so it is replayed whole.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.loop import SEEN, WORLD
from kibitz.errors import KibitzError, RecordError
from kibitz.games.chess.board import BLACK, KING, WHITE, as_mask
from kibitz.games.chess.fen import MAX_NUMBER, refuse_capturable_king
from kibitz.games.chess.view import ALL, start_board
from kibitz.games.kriegspiel import rules, worlds
from kibitz.games.kriegspiel.belief_state import BeliefStatus, update_belief
from kibitz.games.kriegspiel.consistency import EXACT
from kibitz.games.kriegspiel.own_side_replay import replay_error
from kibitz.games.kriegspiel.packed_positions import ROW_LENGTH, pack
from kibitz.games.kriegspiel.state import ATTEMPT, KEEPS_TURN, ONGOING, STATE, event_move, is_lecture

ROWS = 64  # positions kept: at least one per square of a lone king


def check(view: Any, seat: int) -> None:
    """Refuse a view that no game shows to a seat."""
    events = view["history"][: int(view["turn"])].tolist()
    starts = list(possible_starts(view, seat, events))
    if not starts:
        raise cannot_be("no game can begin with its start")
    pair = np.zeros(2, STATE)
    pair[WORLD] = starts[0]
    if view["outcome"] == ONGOING:
        worlds.observe(pair, seat, False)
        if why := replay_error(pair[SEEN], events, starts[0]):
            raise cannot_be(why)
    else:
        if not play_again(pair[WORLD], np.array(events, np.int64)):
            raise cannot_be("one of its moves cannot be attempted")
        worlds.observe(pair, seat, False)
    pair[SEEN]["dice"] = view["dice"]
    if wrong := [name for name in STATE.names or () if pair[SEEN][name].tolist() != view[name].tolist()]:
        raise cannot_be(f"its moves lead to other values of {', '.join(wrong)}")
    if view["outcome"] == ONGOING:
        check_positions(view, starts, len(events))


def check_past(view: Any, before: Any) -> None:
    """Refuse a view of another game than the view before it; a finished game shows more of the same past."""
    turns, known = int(before["turn"]), np.array(learned_events(view), np.int64)
    same = all(
        np.array_equal(view[name], before[name]) for name in ("first_side", "first_castling", "first_halfmove_clock")
    )
    over = view["outcome"] != ONGOING
    if (
        not same
        or len(known) != turns + 1
        or ((known[:turns] ^ before["history"][:turns]) & (~ATTEMPT if over else -1)).any()
    ):
        raise cannot_be("it is of another game than the view before it")


def learned_events(view: Any) -> list[int]:
    """The events of a view's game that its seat learned of; a finished game shows those of the other side, too."""
    mover, learned = int(view["first_side"]), []
    for turn, event in enumerate(view["history"][: int(view["turn"])].tolist()):
        if mover == view["seat"] or not rules.is_private(view, turn):
            learned.append(event)
        mover ^= not event & KEEPS_TURN
    return learned


def cannot_be(why: str) -> RecordError:
    return RecordError(f"This view of Kriegspiel cannot be: {why}.")


# The start


def possible_starts(view: Any, seat: int, events: list[int]) -> Iterator[Any]:
    """The states that the game can have begun with: one, or one per possible square of a hidden king."""
    among = int(view["king_candidates"]) & ALL
    hidden = among != 0 and seat == WHITE and view["outcome"] == ONGOING
    board = start_board(view, "Kriegspiel", kings=not hidden)[0]
    white, black = (int(side) & ALL for side in board["sides"])
    if not int(board["pieces"][KING]) & white or among & white or (black if hidden else among and black & ~among):
        raise cannot_be("a king is missing, or not on one of his possible squares")
    legal = [event for event in events if not event & KEEPS_TURN]
    if is_lecture(view["rules"]) and among.bit_count() > rules.KING_CANDIDATES:
        raise cannot_be("its umpire names fewer squares for a lone king")
    board["fullmove_number"] = int(view["fullmove_number"]) - (len(legal) + int(view["first_side"])) // 2
    if not 1 <= board["fullmove_number"] <= MAX_NUMBER:
        raise cannot_be("it has more or fewer moves than its number says")
    for king in [1 << square for square in range(64) if among >> square & 1] if hidden else [0]:
        placed = with_king(board, king) if king else board
        try:
            refuse_capturable_king(placed, "")
        except KibitzError:
            continue
        start = rules.new_game(placed, among, int(view["rules"]))[0]
        consistent = legal or [start[name] for name in ("check_mask", "pawn_tries")] == [
            view[name] for name in ("check_mask", "pawn_tries")
        ]
        if start["outcome"] == ONGOING and consistent:
            yield start


def with_king(board: Any, king: int) -> Any:
    """The position with Black's lone king on a square, given as a mask."""
    placed = board.copy()
    placed["pieces"][KING] |= as_mask(king)
    placed["sides"][BLACK] |= as_mask(king)
    return placed


# The game


@compiled
def play_again(state: Any, events: Any) -> bool:
    """Make all attempts of a finished game; False if one cannot be made."""
    for turn in range(events.shape[0]):
        if not rules.allowed(state, event_move(events[turn])):
            return False
        rules.apply(state, event_move(events[turn]))
    return True


def check_positions(view: Any, starts: list[Any], turns: int) -> None:
    """Refuse a view with an exact belief state that is empty."""
    rows = np.zeros((ROWS, ROW_LENGTH), np.int64)
    for row, start in zip(rows, starts, strict=False):
        pack(start, row)
    status = BeliefStatus(len(starts), EXACT, -1)
    for turn in range(turns):
        status = BeliefStatus(*update_belief(view, rows, status, turn, turn + 1))
        if status.repaired == turn:
            raise cannot_be(f"no position matches the announcement of turn {turn + 1}")
        if status.quality != EXACT:
            return
