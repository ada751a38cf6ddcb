"""What a seat sees as a vector of zeros and ones: the canonical observation of the Hanabi Learning Environment.

It is written from a view, in which the hidden cards lie face down, so there is nothing in it to peek at.
Players are counted from the viewer on, cards from the oldest, colours in that program's order.
"""

from typing import Any

from kibitz.core.bits import lowest_bit
from kibitz.core.compile import compiled
from kibitz.hanabi.cards import COLOURS, COPIES, FIVES, KINDS, RANKS, holds
from kibitz.hanabi.env.actions import OTHER_COLOUR, their_kinds
from kibitz.hanabi.rules import DISCARD, HINT, event_detail, event_misplayed, event_move, hand_size
from kibitz.hanabi.state import CARDS, COLOUR_TOLD, LIVES, RANK_TOLD, TOKENS, Table

PLAYED, DISCARDED, COLOUR_HINTED, RANK_HINTED = range(4)  # what somebody did


def sections(players: int) -> dict[str, slice]:
    """Where each part of the vector stands, in order."""
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
    """How many numbers the vector has: 658, 956, 1041 and 1280 for two to five players."""
    return sections(players)["knowledge"].stop


@compiled
def put(row: Any, at: int, bits: int, width: int) -> int:
    """Write the lowest bits of a mask, the lowest first; where the next ones go."""
    for n in range(width):
        row[at + n] = (bits >> n) & 1
    return at + width


@compiled
def upto(count: int) -> int:
    """So many ones."""
    return (1 << count) - 1


@compiled
def encode(view: Table, row: Any) -> None:
    """Write the vector of whoever's view this is."""
    at = put_hands(view, row, 0)
    at = put_board(view, row, at)
    at = put_discards(view, row, at)
    at = put_last_move(view, row, at)
    put_knowledge(view, row, at)


@compiled
def put_hands(view: Table, row: Any, at: int) -> int:
    """The cards of the others, and whose hands are short of one."""
    players, hand = view.players, hand_size(view.players)
    short = 0
    for offset in range(players):
        seat = (view.seat + offset) % players
        short |= (view.held[seat] < hand) << offset
        if offset > 0:
            for slot in range(hand):
                kind = view.deck[view.hands[seat][slot]] if slot < view.held[seat] else 0
                at = put(row, at, their_kinds(1 << kind) if slot < view.held[seat] else 0, KINDS)
    return put(row, at, short, players)


@compiled
def put_board(view: Table, row: Any, at: int) -> int:
    """The deck, tokens and lives as so many ones; the highest card of every pile."""
    at = put(row, at, upto(CARDS - view.drawn), CARDS - view.players * hand_size(view.players))
    at = put(row, at, their_kinds(view.played & ~(view.played >> 1 & ~FIVES)), KINDS)
    at = put(row, at, upto(view.tokens), TOKENS)
    return put(row, at, upto(view.lives), LIVES)


@compiled
def put_discards(view: Table, row: Any, at: int) -> int:
    """Of every kind as many ones as copies are gone, and room for the others."""
    one, two, three = view.discarded[0], view.discarded[1], view.discarded[2]
    for colour in range(len(COLOURS)):
        for rank in range(RANKS):
            kind = RANKS * OTHER_COLOUR[colour] + rank
            gone = (one >> kind) & 1 | ((two >> kind) & 1) << 1 | ((three >> kind) & 1) << 2
            at = put(row, at, gone, COPIES[rank])
    return at


@compiled
def put_last_move(view: Table, row: Any, at: int) -> int:
    """Who moved last, what they did, and what came of it; zeros at the start of a game."""
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
    at = put(row, at, actor, players)
    at = put(row, at, what, 4)
    at = put(row, at, target, players)
    at = put(row, at, colour, len(COLOURS))
    at = put(row, at, rank, RANKS)
    at = put(row, at, touched, hand)
    at = put(row, at, slot, hand)
    at = put(row, at, card, KINDS)
    return put(row, at, success, 2)


@compiled
def returned_a_token(view: Table, kind: int) -> bool:
    """Whether the card that was just played, rightly, brought a token back: a five does unless all are there."""
    if not holds(FIVES, kind):
        return False
    return view.tokens < TOKENS or tokens_before(view) < TOKENS


@compiled
def tokens_before(view: Table) -> int:
    """How many tokens there were before the last move, counted from the start of the game."""
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
def put_knowledge(view: Table, row: Any, at: int) -> None:
    """Of every card what hints left open, and the colour and the rank it was told to be; the viewer's own first."""
    players, hand = view.players, hand_size(view.players)
    for offset in range(players):
        seat = (view.seat + offset) % players
        for slot in range(hand):
            held = slot < view.held[seat]
            told = view.told[seat][slot] if held else 0
            marks = view.marks[seat][slot] if held else 0
            kinds = their_kinds(told)
            colour = 1 << lowest_bit(kinds) // RANKS if marks & COLOUR_TOLD else 0
            rank = 1 << lowest_bit(kinds) % RANKS if marks & RANK_TOLD else 0
            at = put(row, at, kinds | colour << KINDS | rank << KINDS + RANKS, KINDS + 2 * RANKS)
