"""Encode a view as a vector of zeros and ones, the canonical observation of the Hanabi Learning Environment.

A view has its hidden cards face down, so the vector cannot leak them. Players count from the viewer, cards from the
oldest, colours in the order of that program.

The vector is assembled as bits in words and then expanded to numbers eight at a time, several times faster than writing
it number by number.
"""

from functools import cache
from typing import Any

import numpy as np

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.cards import COLOURS, COPIES, FIVES, KINDS, RANKS, holds
from kibitz.games.hanabi.env.actions import OTHER_COLOUR, their_kinds
from kibitz.games.hanabi.rules import DISCARD, HINT, event_detail, event_misplayed, event_move, hand_size
from kibitz.games.hanabi.state import CARDS, COLOUR_MARK, LIVES, RANK_MARK, TOKENS, State

WORD = 32  # bits stored in a word; its other 32 bits are scratch space for shifts
FULL = (1 << WORD) - 1
PLAYED, DISCARDED, COLOUR_HINTED, RANK_HINTED = range(4)  # kinds of the last move


def sections(players: int) -> dict[str, slice]:
    """The slice of each part of the vector, in order."""
    hand = hand_size(players)
    widths = {
        "hands": (players - 1) * hand * KINDS,
        "short_hands": players,
        "deck": CARDS - players * hand,
        "piles": KINDS,
        "tokens": TOKENS,
        "lives": LIVES,
        "discards": CARDS,
        "last_player": players,
        "last_move": 4,
        "last_target": players,
        "last_colour": len(COLOURS),
        "last_rank": RANKS,
        "last_touched": hand,
        "last_slot": hand,
        "last_card": KINDS,
        "last_success": 2,
        "knowledge": players * hand * (KINDS + len(COLOURS) + RANKS),
    }
    parts, at = {}, 0
    for name, width in widths.items():
        parts[name] = slice(at, at + width)
        at += width
    return parts


def observation_width(players: int) -> int:
    """The length of the vector: 658, 956, 1041 and 1280 for two to five players."""
    return sections(players)["knowledge"].stop


def word_count(players: int) -> int:
    """The number of words for the bits, and one for overflow of the last."""
    return observation_width(players) // WORD + 2


@cache
def numbers_of_bytes(dtype: Any) -> Any:
    """The eight bits of every byte as numbers, the lowest first."""
    return (np.arange(256)[:, None] >> np.arange(8) & 1).astype(dtype)


def observation(view: Any, dtype: Any = np.uint8) -> Any:
    """The vector of a view, as a new array."""
    players = int(view["players"])
    words = np.zeros(word_count(players), np.int64)
    rows = np.empty((1, observation_width(players)), dtype)
    encode(view, words)
    spread(words, numbers_of_bytes(np.dtype(dtype)), rows, 0)
    return rows[0]


@compiled
def spread(words: Any, bytes_as_numbers: Any, rows: Any, row: int) -> None:
    """Expand the bits of the words into a row of numbers."""
    width = rows.shape[1]
    whole = width // 8
    for n in range(whole):
        byte, at = (words[n // 4] >> (n % 4 * 8)) & 255, 8 * n
        # All eight are read before one is written, so that the compiler copies them at once.
        one, two = bytes_as_numbers[byte, 0], bytes_as_numbers[byte, 1]
        three, four = bytes_as_numbers[byte, 2], bytes_as_numbers[byte, 3]
        five, six = bytes_as_numbers[byte, 4], bytes_as_numbers[byte, 5]
        seven, eight = bytes_as_numbers[byte, 6], bytes_as_numbers[byte, 7]
        rows[row, at], rows[row, at + 1], rows[row, at + 2], rows[row, at + 3] = one, two, three, four
        rows[row, at + 4], rows[row, at + 5], rows[row, at + 6], rows[row, at + 7] = five, six, seven, eight
    for bit in range(8 * whole, width):
        rows[row, bit] = (words[bit // WORD] >> bit % WORD) & 1


@compiled
def put(words: Any, at: int, bits: int, width: int) -> int:
    """Append bits, fewer than a word, and return the next position."""
    shifted = bits << at % WORD
    words[at // WORD] |= shifted & FULL
    words[at // WORD + 1] |= shifted >> WORD
    return at + width


@compiled
def upto(count: int) -> int:
    """This number of one bits."""
    return (1 << count) - 1


@compiled
def encode(view: State, words: Any) -> None:
    """Write the vector of a view as bits."""
    words[:] = 0
    at = put_hands(view, words, 0)
    at = put_board(view, words, at)
    at = put_discards(view, words, at)
    at = put_last_move(view, words, at)
    put_knowledge(view, words, at)


@compiled
def put_hands(view: State, words: Any, at: int) -> int:
    """The cards of the other players, and the players whose hand is short of one."""
    players, hand = view.players, hand_size(view.players)
    short = 0
    for offset in range(players):
        seat = (view.seat + offset) % players
        short |= (view.held[seat] < hand) << offset
        if offset > 0:
            for slot in range(hand):
                held = slot < view.held[seat]
                kind = view.deck[view.hands[seat][slot]] if held else 0
                at = put(words, at, their_kinds(held << kind), KINDS)
    return put(words, at, short, players)


@compiled
def put_board(view: State, words: Any, at: int) -> int:
    """The deck, tokens and lives as thermometer codes; the top card of every pile."""
    deck, room = CARDS - view.drawn, CARDS - view.players * hand_size(view.players)
    half = room // 2  # for two players the deck exceeds a word
    at = put(words, at, upto(min(deck, half)), half)
    at = put(words, at, upto(max(deck - half, 0)), room - half)
    at = put(words, at, their_kinds(view.played & ~((view.played >> 1) & ~FIVES)), KINDS)
    at = put(words, at, upto(view.tokens), TOKENS)
    return put(words, at, upto(view.lives), LIVES)


@compiled
def put_discards(view: State, words: Any, at: int) -> int:
    """The discarded copies of every kind, as a thermometer code."""
    for colour in range(len(COLOURS)):
        first = RANKS * OTHER_COLOUR[colour]
        one, two, three = view.discarded[0] >> first, view.discarded[1] >> first, view.discarded[2] >> first
        gone = room = 0
        for rank in range(RANKS):
            gone |= ((one >> rank) & 1 | ((two >> rank) & 1) << 1 | ((three >> rank) & 1) << 2) << room
            room += COPIES[rank]
        at = put(words, at, gone, room)
    return at


@compiled
def put_last_move(view: State, words: Any, at: int) -> int:
    """The last move: player, kind, target and result; zeros at the start of a game."""
    players, hand = view.players, hand_size(view.players)
    actor = what = target = colour = rank = touched = slot = card = success = 0
    if view.turn > 0:
        happened = view.history[view.turn - 1]
        move, detail = event_move(happened), event_detail(happened)
        actor = 1 << (view.to_move - 1 - view.seat) % players
        if move >= HINT:
            value = (move - HINT) % 10
            what = 1 << (COLOUR_HINTED if value < RANKS else RANK_HINTED)
            target = 1 << ((move - HINT) // 10 - view.seat) % players
            colour = 1 << OTHER_COLOUR[value] if value < RANKS else 0
            rank = 1 << value - RANKS if value >= RANKS else 0
            touched = detail
        else:
            card = their_kinds(1 << detail)
            what = 1 << (DISCARDED if move >= DISCARD else PLAYED)
            slot = 1 << move % DISCARD
            if move < DISCARD and not event_misplayed(happened):
                success = 1 | returned_a_token(view, detail) << 1
    at = put(words, at, actor, players)
    at = put(words, at, what, 4)
    at = put(words, at, target, players)
    at = put(words, at, colour, len(COLOURS))
    at = put(words, at, rank, RANKS)
    at = put(words, at, touched, hand)
    at = put(words, at, slot, hand)
    at = put(words, at, card, KINDS)
    return put(words, at, success, 2)


@compiled
def returned_a_token(view: State, kind: int) -> bool:
    """Whether the card just played correctly returned a token: a five does if a token is missing."""
    if not holds(FIVES, kind):
        return False
    return view.tokens < TOKENS or tokens_before(view) < TOKENS


@compiled
def tokens_before(view: State) -> int:
    """The number of tokens before the last move, replayed from the start of the game."""
    tokens = TOKENS
    for turn in range(view.turn - 1):
        happened = view.history[turn]
        move = event_move(happened)
        if move >= HINT:
            tokens -= 1
        elif move >= DISCARD or (holds(FIVES, event_detail(happened)) and not event_misplayed(happened)):
            tokens = min(tokens + 1, TOKENS)
    return tokens


@compiled
def put_knowledge(view: State, words: Any, at: int) -> None:
    """For every card the kinds that hints leave open, and its hinted colour and rank; the viewer's hand first."""
    players, hand = view.players, hand_size(view.players)
    for offset in range(players):
        seat = (view.seat + offset) % players
        for slot in range(hand):
            held = slot < view.held[seat]
            hinted = view.hinted_kinds[seat][slot] if held else 0
            marks = view.marks[seat][slot] if held else 0
            kinds = their_kinds(hinted)
            colour = 1 << lowest_bit(kinds) // RANKS if marks & COLOUR_MARK else 0
            rank = 1 << lowest_bit(kinds) % RANKS if marks & RANK_MARK else 0
            at = put(words, at, kinds, KINDS)
            at = put(words, at, colour | rank << RANKS, 2 * RANKS)
