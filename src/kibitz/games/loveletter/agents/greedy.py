"""Greedy: the move with the best immediate chances (Malarczyk 2016, section 3.2).

The value of a move is 1 + the probability of knocking out the target − the probability of being knocked out; the
target's card is distributed like the unseen cards. Where the source's pseudo-code and text differ (it swaps the two
cases of the Prince, and adds to the King), this follows the text.
"""

from typing import Any

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision
from kibitz.games.loveletter.agents import agent
from kibitz.games.loveletter.cards import BARON, COUNTESS, GUARD, KINDS, KING, PRINCE, PRINCESS
from kibitz.games.loveletter.chances import shares, unread
from kibitz.games.loveletter.reason_words import ABOUT_MOVE
from kibitz.games.loveletter.rules import CARD_OF, NAMED_OF, TARGET_OF, legal
from kibitz.games.loveletter.state import NOBODY, State

ORIGIN = "Malarczyk 2016, section 3"
REASONS = (
    "I play the {card}, my best chance right now{why}",
    "I must play the {card}, because I also hold a King or a Prince",
)


@compiled
def preference(card: int) -> float:
    """A bonus for lower cards, which breaks ties."""
    return 0.001 * (9 - card)


@compiled
def guard_worth(chances: Any, named: int) -> float:
    return 1 + chances[named] + preference(GUARD)


@compiled
def baron_worth(chances: Any, kept: int) -> float:
    worth = 1 + preference(BARON)
    for kind in range(1, KINDS):
        if kind < kept:
            worth += chances[kind]
        elif kind > kept:
            worth -= chances[kind]
    return worth


@compiled
def prince_worth(chances: Any) -> float:
    """Played on another player."""
    return 1 + chances[PRINCESS] + preference(PRINCE)


@compiled
def worth_on_somebody(card: int, kept: int, chances: Any) -> float:
    """The value of a card other than a Guard, played on an opponent."""
    if card == BARON:
        return baron_worth(chances, kept)
    if card == PRINCE:
        return prince_worth(chances)
    return 1 + preference(card)


@compiled
def worth(move: int, kept: int, me: int, chances: Any) -> float:
    """The value of a move that keeps a card; a card without a target has no effect."""
    card, target = CARD_OF[move], TARGET_OF[move]
    if card == PRINCESS or (target == me and kept == PRINCESS):
        return 0.0
    if target != NOBODY and target != me:
        if card == GUARD:
            return guard_worth(chances, NAMED_OF[move])
        return worth_on_somebody(card, kept, chances)
    return 1 + preference(card)


@compiled
def kept_card(view: State, move: int) -> int:
    """The card that stays in the hand of the seat to move."""
    me = view.to_move
    return view.hands[me][0] + view.hands[me][1] - CARD_OF[move]


@compiled
def distance(view: State, target: int) -> int:
    """The number of seats from the mover to a target."""
    return (target - view.to_move) % view.players if target != NOBODY else 0


@compiled
def better(view: State, move: int, than: int, by: float) -> bool:
    """Whether a move is better than another: it has a higher value, names a higher card, or has a nearer target.

    `by` is the difference of their values; sums that should be equal may differ a little.
    """
    if than < 0 or abs(by) > 1e-9:
        return than < 0 or by > 0
    if NAMED_OF[move] != NAMED_OF[than]:
        return NAMED_OF[move] > NAMED_OF[than]
    return distance(view, TARGET_OF[move]) < distance(view, TARGET_OF[than])


@compiled
def forced(view: State) -> bool:
    """Whether the Countess must be played."""
    hand = 1 << view.hands[view.seat][0] | 1 << view.hands[view.seat][1]
    return hand >> COUNTESS & 1 != 0 and hand & (1 << KING | 1 << PRINCE) != 0


@compiled
def greedy_move(view: State) -> int:
    chances = shares(unread(view))
    best, best_worth = -1, 0.0
    moves = legal(view)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        value = worth(move, kept_card(view, move), view.seat, chances)
        if better(view, move, best, value - best_worth):
            best, best_worth = move, value
    return best


@compiled
def explained(view: State, move: int) -> int:
    """A decision with the first reason, or the second if the move is forced."""
    return decision(move, 1 if forced(view) else 0, ABOUT_MOVE + move)


@agent(title="Eager Eden", reasons=REASONS, origin=ORIGIN)
def greedy(view: State) -> int:
    """Maximises the probability of knocking out the target minus that of being knocked out.

    It counts the cards on the table, forgets what it was shown, and does not look ahead. A Guard names the most
    likely card; of equally likely ones, the highest.
    """
    return explained(view, greedy_move(view))
