"""The rules of Kuhn poker, compiled: three cards, one for each of two players, and one bet.

Both players put one chip into the pot. In turn they pass or bet one more chip. A pass after a bet folds, a bet after a
bet calls. After two passes or a call, the higher card wins the pot.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic, seeds
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import observe_dice, sample_dice
from kibitz.engine.loop import SEEN, WORLD

SEATS, CARDS, LONGEST = 2, 3, 3
JACK, QUEEN, KING = range(CARDS)
PASS, BET = range(2)
HIDDEN = -1  # instead of a card
MOST_CHIPS = 2  # that a player can win or lose

FIELDS: list[tuple[Any, ...]] = [
    ("dice", np.int64),
    ("streams", np.int64, SEATS),
    ("seat", np.int64),
    ("players", np.int64),
    ("cards", np.int64, SEATS),
    ("turn", np.int64),
    ("line", np.int64, LONGEST),  # the moves made
]
STATE = struct_dtype(FIELDS)


@compiled
def deal(s: Any, players: int, rules: int, stream: int) -> None:
    s.seat = -1
    s.players = players
    s.cards[0] = seeds.below(stream, 0, CARDS)
    s.cards[1] = other_card(s.cards[0], seeds.below(stream, 1, CARDS - 1))
    s.turn = 0
    s.line[:] = 0


@compiled
def other_card(card: int, place: int) -> int:
    """The card at a place among the other two."""
    return place + (place >= card)


@compiled
def to_move(s: Any) -> int:
    if s.turn < 2:
        return s.turn
    return 0 if s.turn == 2 and s.line[0] == PASS and s.line[1] == BET else -1


@compiled
def legal(s: Any) -> int:
    return 1 << PASS | 1 << BET if to_move(s) >= 0 else 0


@compiled
def apply(s: Any, move: int) -> None:
    s.line[s.turn] = move
    s.turn += 1


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.line[turn]


# Stakes


@compiled
def folded(s: Any) -> bool:
    """Whether the last move of a finished game was a pass after a bet."""
    return s.turn >= 2 and s.line[s.turn - 2] == BET and s.line[s.turn - 1] == PASS


@compiled
def winnings(s: Any, seat: int) -> int:
    """The chips that a seat wins in a finished game; negative if it loses them."""
    if folded(s):
        winner, chips = s.turn & 1, 1  # the other seat made the last move
    else:
        winner, chips = (0 if s.cards[0] > s.cards[1] else 1), 1 + s.line[s.turn - 1]
    return chips if seat == winner else -chips


@compiled
def payoff(s: Any, seat: int) -> float:
    """From 0, two chips lost, to 1, two chips won."""
    return (winnings(s, seat) + MOST_CHIPS) / (2 * MOST_CHIPS)


@compiled
def result(s: Any, row: Any) -> None:
    """The winner as a mask, the number of turns, and the chips won."""
    won = winnings(s, 0)
    row[0] = 1 if won > 0 else 2
    row[1] = s.turn
    row[2] = abs(won)


# Hidden information


@compiled
def observe(pair: Any, seat: int, cheats: bool) -> None:
    """Copy the state, without the other card; at a showdown both cards are open."""
    pair[SEEN] = pair[WORLD]
    pair[SEEN].seat = seat
    observe_dice(pair[SEEN], seat, pair[WORLD].turn)
    showdown = to_move(pair[WORLD]) < 0 and not folded(pair[WORLD])
    for other in range(SEATS):
        if other != seat and not showdown and not cheats:
            pair[SEEN].cards[other] = HIDDEN


@compiled
def sample_world(pair: Any, stream: int) -> None:
    """Deal the hidden cards from those that the viewer does not see."""
    pair[WORLD] = pair[SEEN]
    pair[WORLD].seat = -1
    sample_dice(pair[WORLD], seeds.number(stream, SEATS))
    cards = pair[WORLD].cards
    for seat in range(SEATS):
        if cards[seat] == HIDDEN and cards[1 - seat] == HIDDEN:
            cards[seat] = seeds.below(stream, seat, CARDS)
        elif cards[seat] == HIDDEN:
            cards[seat] = other_card(cards[1 - seat], seeds.below(stream, seat, CARDS - 1))


@compiled
def rewind(start: Any, pair: Any) -> None:
    """Take back all moves; the cards stay."""
    pair[WORLD].turn = 0
    pair[WORLD].line[:] = 0


@compiled
def information_key(s: Any, seat: int) -> int:
    """What a seat knows besides the moves: its card."""
    return s.cards[seat]


# How often to bet with a jack, a queen and a king: one of the equilibria that Kuhn found (1950).
FIRST, AFTER_PASS, AFTER_BET, AFTER_PASS_BET = range(4)
EQUILIBRIUM = np.array(
    [
        [0.0, 0.0, 0.0],
        [1 / 3, 0.0, 1.0],
        [0.0, 1 / 3, 1.0],
        [0.0, 1 / 3, 1.0],
    ]
)
LEAST = 1e-6  # no move is impossible


@compiled
def situation(s: Any) -> int:
    if s.turn == 0:
        return FIRST
    if s.turn == 1:
        return AFTER_BET if s.line[0] == BET else AFTER_PASS
    return AFTER_PASS_BET


@compiled
def write_probabilities(chances: Any, bets: float) -> None:
    chances[BET] = min(max(bets, LEAST), 1 - LEAST)
    chances[PASS] = 1 - chances[BET]


@compiled
def move_probabilities(view: Any, chances: Any) -> None:
    """How a sensible player moves, for searches that model the opponent."""
    write_probabilities(chances, EQUILIBRIUM[situation(view), view.cards[view.seat]])


generic.implement(
    "kuhn",
    STATE,
    deal=deal,
    to_move=to_move,
    legal=legal,
    apply=apply,
    move_at=move_at,
    payoff=payoff,
    result=result,
    observe=observe,
    sample_world=sample_world,
    rewind=rewind,
    information_key=information_key,
    move_probabilities=move_probabilities,
)
