"""Minimax: greedy's value of a move minus the probability of losing to a greedy reply (Malarczyk 2016, section 3.3).

As in the source, the reply is averaged over all pairs of cards that the opponent may hold and attacks the kept card,
whatever was played; a Handmaid prevents it. The source has two players; with more, the next player replies, and the
target is this seat.
"""

from typing import Any

import numpy as np

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.loveletter.agents import agent
from kibitz.games.loveletter.agents.greedy import (
    ORIGIN,
    better,
    explained,
    kept_card,
    preference,
    worth,
    worth_on_somebody,
)
from kibitz.games.loveletter.cards import BARON, COUNTESS, GUARD, HANDMAID, KINDS, KING, PRIEST, PRINCE, PRINCESS
from kibitz.games.loveletter.chances import share_out, shares, unread
from kibitz.games.loveletter.rules import CARD_OF, NAMED_OF, TARGET_OF, legal
from kibitz.games.loveletter.state import NOBODY, State

REASONS = (
    "I play the {card}, my best chance against the next reply{why}",
    "I must play the {card}, because I also hold a King or a Prince",
)
CERTAIN = 10.0  # the cost of discarding the Princess, from the source


@compiled
def card_worth(card: int, kept: int, chances: Any) -> float:
    """Greedy's value of the best move with a card, against one opponent without protection."""
    if card == PRINCESS:
        return 0.0
    if card == GUARD:
        best = 0.0
        for named in range(PRIEST, KINDS):
            best = max(best, chances[named])
        return 1 + best + preference(GUARD)
    return worth_on_somebody(card, kept, chances)


@compiled
def loss(card: int, kept: int, attacked: int, chances: Any) -> float:
    """The probability that a greedy player's card knocks out a player with the attacked card."""
    if card == GUARD:
        named, rivals = chances[attacked], 0
        if attacked == GUARD:
            return 0.0
        for other in range(PRIEST, KINDS):
            if chances[other] > named + 1e-9:
                return 0.0
            rivals += chances[other] > named - 1e-9
        return 1.0 / rivals
    if card == BARON:
        return 1.0 if attacked < kept else 0.0
    if card == PRINCE:
        return 1.0 if attacked == PRINCESS else 0.0
    return 0.0


@compiled
def reply_loss(left: Any, attacked: int) -> float:
    """The probability of losing to a greedy reply, over all pairs of unseen cards."""
    total, weight = 0.0, 0.0
    pool, chances = left.copy(), np.empty(KINDS)
    pool[attacked] += 1
    for one in range(1, KINDS):
        for other in range(one, KINDS):
            pairs = left[one] * (left[one] - 1) / 2 if one == other else left[one] * left[other]
            if pairs <= 0:
                continue
            pool[one] -= 1
            pool[other] -= 1
            share_out(pool, chances)
            pool[one] += 1
            pool[other] += 1
            must = (one in (PRINCE, KING)) and other == COUNTESS
            second = card_worth(other, one, chances) > card_worth(one, other, chances) + 1e-9
            card, kept = (other, one) if must or second else (one, other)
            total += pairs * loss(card, kept, attacked, chances)
            weight += pairs
    return total / weight if weight > 0 else 0.0


@compiled
def reply_probability(move: int, kept: int, me: int, chances: Any) -> float:
    """The probability that a reply can hit this seat."""
    card, target = CARD_OF[move], TARGET_OF[move]
    if card == HANDMAID:
        return 0.0
    if target == NOBODY:
        return 1.0
    if card == GUARD:
        return 1 - chances[NAMED_OF[move]]
    if card == BARON:
        return chances[kept]
    if card == PRINCE and target != me:
        return 1 - chances[PRINCESS]
    return 0.0 if card == PRINCE and kept == PRINCESS else 1.0


@compiled
def minimax_move(view: State) -> int:
    left = unread(view)
    chances = shares(left)
    feared = np.full(KINDS, -1.0)  # by the card kept, worked out once
    best, best_worth = -1, 0.0
    moves = legal(view)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        kept = kept_card(view, move)
        value = worth(move, kept, view.seat, chances)
        if CARD_OF[move] == PRINCESS:
            value -= CERTAIN
        else:
            exposed = reply_probability(move, kept, view.seat, chances)
            if exposed > 0:
                if feared[kept] < 0:
                    feared[kept] = reply_loss(left, kept)
                value -= exposed * feared[kept]
        if better(view, move, best, value - best_worth):
            best, best_worth = move, value
    return best


@agent(title="Worried Wynn", reasons=REASONS, origin=ORIGIN)
def minimax(view: State) -> int:
    """Values moves like Eager Eden, minus the probability of losing to the best reply.

    The reply is averaged over all hands that the opponent may hold. It looks only one reply ahead.
    """
    return explained(view, minimax_move(view))
