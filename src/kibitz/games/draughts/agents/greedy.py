"""Greedy: counts pieces one move ahead, after the opponent's best capture."""

import numpy as np

from kibitz.engine import generic
from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision
from kibitz.engine.seeds import below
from kibitz.games.draughts.agents import agent
from kibitz.games.draughts.capturing import MOST_MOVES
from kibitz.games.draughts.rules import apply, capturing_moves, moves, side_of, winner
from kibitz.games.draughts.squares import WHITE
from kibitz.games.draughts.state import PLAYED, STATE, State

KING = 3  # men
WON = 1000
REASONS = (
    "This move wins the game",
    "After this and your best capture I am {about} ahead, with a king as three men",
    "After this and your best capture the pieces are even",
    "After this and your best capture I am {about} behind; every other move is worse",
    "It is my only move",
)


@compiled
def material(s: State, seat: int) -> int:
    """A seat's lead in men."""
    ahead = worth(s.white, s.kings) - worth(s.black, s.kings)
    return ahead if side_of(s, seat) == WHITE else -ahead


@compiled
def worth(pieces: int, kings: int) -> int:
    return count_bits(pieces) + (KING - 1) * count_bits(pieces & kings)


@compiled
def after_captures(s: State, seat: int) -> int:
    """A seat's lead in men after the opponent's best capture, if there is one."""
    if s.ending != PLAYED:
        won = winner(s)
        return 0 if won < 0 else WON if won == seat else -WON
    room, now = np.empty(MOST_MOVES, np.int64), np.empty(1, STATE)
    least = material(s, seat)
    count = capturing_moves(s, room)
    for place in range(count):
        now[0] = s
        apply(now[0], room[place])
        left = material(now[0], seat)
        least = left if place == 0 else min(least, left)
    return least


@agent(title="Greedy Greta", reasons=REASONS, origin="material, one move ahead", random=True)
def greedy(view: State) -> int:
    """Makes the move that leaves it with the most pieces after the opponent's best capture.

    A king counts as three men. Among equal moves it chooses at random.
    """
    room, after = np.empty(MOST_MOVES, np.int64), np.empty(1, STATE)
    count, best, chosen, equal = moves(view, room), -2 * WON, -1, 0
    for place in range(count):
        after[0] = view
        generic.apply(after[0], room[place])
        value = after_captures(after[0], view.seat)
        if value > best:
            best, equal = value, 0
        if value == best:
            equal += 1
            if below(view.dice, place, equal) == 0:
                chosen = room[place]
    if count == 1:
        return decision(chosen, 4)
    if best == WON:
        return decision(chosen, 0)
    return decision(chosen, 1, best) if best > 0 else decision(chosen, 2) if best == 0 else decision(chosen, 3, -best)
