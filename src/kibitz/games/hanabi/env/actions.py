"""Actions: moves numbered as in the Hanabi Learning Environment.

The discards come first, then the plays, both from the oldest card on, then colour hints and rank hints, the next player
first. Seats count from the acting player, so an action means the same in every seat. The colours are in the order of
that program: red, yellow, green, white, blue.
"""

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.games.hanabi.cards import RANKS
from kibitz.games.hanabi.rules import DISCARD, HINT, hand_size

COLOURS = ("red", "yellow", "green", "white", "blue")
OTHER_COLOUR = np.array([0, 1, 2, 4, 3], np.int64)  # from our colour order to theirs, and back
FIRST_THREE, LAST_BUT_ONE, LAST = (1 << 15) - 1, 15, 20  # where the kinds of the colours stand in a mask


@compiled
def action_count(players: int) -> int:
    return 2 * hand_size(players) + 2 * RANKS * (players - 1)


def action_names(players: int) -> tuple[str, ...]:
    """Every action as text: cards count from 1 at the oldest, players from +1, the next."""
    slots, others = range(1, hand_size(players) + 1), range(1, players)
    return (
        *(f"discard {slot}" for slot in slots),
        *(f"play {slot}" for slot in slots),
        *(f"hint {colour} to +{other}" for other in others for colour in COLOURS),
        *(f"hint {rank} to +{other}" for other in others for rank in range(1, RANKS + 1)),
    )


@compiled
def their_kinds(kinds: int) -> int:
    """A set of kinds in their colour order: the last two colours are swapped."""
    return kinds & FIRST_THREE | ((kinds >> LAST) & 31) << LAST_BUT_ONE | ((kinds >> LAST_BUT_ONE) & 31) << LAST


@compiled
def their_colours(colours: int) -> int:
    """A set of colours, as bits 0–4, in their order."""
    return colours & 0b00111 | ((colours >> 4) & 1) << 3 | ((colours >> 3) & 1) << 4


@compiled
def move_of_action(action: int, seat: int, players: int) -> int:
    """The move, as numbered by `rules`, of a seat's action."""
    hand = hand_size(players)
    if action < hand:
        return DISCARD + action
    if action < 2 * hand:
        return action - hand
    hint, colours = action - 2 * hand, RANKS * (players - 1)
    is_colour = hint < colours
    offset = (hint if is_colour else hint - colours) // RANKS
    value = OTHER_COLOUR[hint % RANKS] if is_colour else RANKS + hint % RANKS
    return HINT + 10 * ((seat + 1 + offset) % players) + value


@compiled
def action_of_move(move: int, seat: int, players: int) -> int:
    """The action of a seat's move."""
    hand = hand_size(players)
    if move < DISCARD:
        return hand + move
    if move < HINT:
        return move - DISCARD
    target, value = (move - HINT) // 10, (move - HINT) % 10
    first = 2 * hand + RANKS * ((target - seat - 1) % players)
    if value < RANKS:
        return first + OTHER_COLOUR[value]
    return first + RANKS * (players - 1) + value - RANKS


@compiled
def actions_of_moves(moves: int, seat: int, players: int) -> int:
    """A mask of a seat's moves as a mask of actions."""
    hand = hand_size(players)
    slots = (1 << hand) - 1
    actions = (moves >> DISCARD) & slots | (moves & slots) << hand
    for offset in range(players - 1):
        hints = moves >> (HINT + 10 * ((seat + 1 + offset) % players))
        place = 2 * hand + RANKS * offset
        actions |= their_colours(hints & 31) << place
        actions |= ((hints >> RANKS) & 31) << (place + RANKS * (players - 1))
    return actions
