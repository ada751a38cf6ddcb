"""The rules: the deal, legal moves, the effect of a move, the end of a game and its score.

A move is a small number: 0–4 plays a card of the hand, 5–9 discards one, and `10 + 10 * seat + value` hints colour
`value` (0–4) or rank `value − 5` (5–9) to a seat. So the legal moves are a 60-bit mask.
"""

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below
from kibitz.games.hanabi.cards import ALL, FIVES, HINTS_TOUCHING, SORTED, hinted_kinds, holds
from kibitz.games.hanabi.knowledge import discards, playable, with_copy
from kibitz.games.hanabi.state import (
    CARDS,
    COLOUR_MARK,
    EMPTY_HINTS,
    HAND,
    LIVES,
    LOST_SCORES_ZERO,
    NO_FULL_DISCARD,
    OPEN,
    RANK_MARK,
    SEATS,
    TOKENS,
    State,
)

PLAY, DISCARD, HINT = 0, 5, 10
MOVES = HINT + 10 * SEATS
GAME_OVER = -1


@compiled
def hand_size(players: int) -> int:
    return 5 if players <= 3 else 4


@compiled
def shuffle(s: State, first: int, stream: int) -> None:
    """Shuffle the deck from place `first` on."""
    for place in range(CARDS - 1, first, -1):
        other = first + below(stream, place, place - first + 1)
        s.deck[place], s.deck[other] = s.deck[other], s.deck[place]


@compiled
def deal(s: State, players: int, rules: int, stream: int) -> None:
    for place in range(CARDS):
        s.deck[place] = SORTED[place]
    shuffle(s, 0, stream)
    set_up(s, players, rules)


@compiled
def set_up(s: State, players: int, rules: int) -> None:
    """Start a game with the deck in its present order: whole hands are dealt in the order of the seats."""
    s.players, s.rules = players, rules
    s.tokens, s.lives, s.countdown = TOKENS, LIVES, -1
    s.to_move, s.turn, s.seat = 0, 0, OPEN
    s.played = s.drawn = 0
    for copies in range(3):
        s.discarded[copies] = 0
    for seat in range(SEATS):
        s.held[seat] = 0
    for seat in range(players):
        for _ in range(hand_size(players)):
            draw(s, seat)
        s.values[seat] = held_values(s, seat)


@compiled
def draw(s: State, seat: int) -> None:
    slot = s.held[seat]
    s.hands[seat][slot] = s.drawn
    s.hinted_kinds[seat][slot] = ALL
    s.marks[seat][slot] = 0
    s.held[seat] += 1
    s.drawn += 1


@compiled
def to_move(s: State) -> int:
    """The seat to move, or GAME_OVER."""
    if s.lives == 0 or s.countdown == 0 or s.played == ALL:
        return GAME_OVER
    return s.to_move


@compiled
def score(s: State) -> int:
    if s.lives == 0 and s.rules & LOST_SCORES_ZERO:
        return 0
    return count_bits(s.played)


@compiled
def held_values(s: State, seat: int) -> int:
    """The colours (bits 0–4) and ranks (bits 5–9) that a seat holds."""
    values = 0
    for slot in range(HAND):  # every slot, held or not: the compiler unrolls a loop of a fixed count
        values |= HINTS_TOUCHING[s.deck[s.hands[seat][slot]]] if slot < s.held[seat] else 0
    return values


@compiled
def legal_hints(s: State, seat: int) -> int:
    """The hints that may be given to another seat, as bits 0–9, regardless of tokens."""
    return 0b11111_11111 if s.rules & EMPTY_HINTS else s.values[seat]


@compiled
def legal(s: State) -> int:
    """Every legal move of the seat to move, as a mask."""
    me = s.to_move
    slots = (1 << s.held[me]) - 1
    moves = slots
    if s.tokens < TOKENS or not s.rules & NO_FULL_DISCARD:
        moves |= slots << DISCARD
    if s.tokens > 0:
        for seat in range(s.players):
            if seat != me:
                moves |= legal_hints(s, seat) << (HINT + 10 * seat)
    return moves


@compiled
def allowed(s: State, move: int) -> bool:
    """Whether a move is legal: its bit in `legal`, computed faster."""
    if move < 0 or move >= MOVES:
        return False
    if move < DISCARD:
        return move < s.held[s.to_move]
    if move < HINT:
        full = s.tokens == TOKENS and s.rules & NO_FULL_DISCARD
        return move - DISCARD < s.held[s.to_move] and not full
    seat, value = (move - HINT) // 10, (move - HINT) % 10
    if s.tokens == 0 or seat == s.to_move or seat >= s.players:
        return False
    return holds(legal_hints(s, seat), value)


@compiled
def event(move: int, detail: int, misplayed: int) -> int:
    """One entry of the history: detail is the kind that was shown, or the slots a hint touched."""
    return move | detail << 6 | misplayed << 11


@compiled
def event_move(happened: int) -> int:
    return happened & 63


@compiled
def event_detail(happened: int) -> int:
    return (happened >> 6) & 31


@compiled
def event_misplayed(happened: int) -> bool:
    return (happened >> 11) & 1 != 0


@compiled
def apply(s: State, move: int) -> None:
    """Make a legal move."""
    if move >= HINT:
        happened = give_hint(s, (move - HINT) // 10, (move - HINT) % 10)
        s.tokens -= 1
    elif move >= DISCARD:
        kind = take_card(s, move - DISCARD)
        count_discard(s, kind)
        if s.tokens < TOKENS:
            s.tokens += 1
        happened = event(move, kind, 0)
    else:
        kind = take_card(s, move)
        fits = holds(playable(s), kind)
        if fits:
            s.played |= 1 << kind
            if holds(FIVES, kind) and s.tokens < TOKENS:
                s.tokens += 1
        else:
            count_discard(s, kind)
            s.lives -= 1
        happened = event(move, kind, 0 if fits else 1)
    s.history[s.turn] = happened
    s.turn += 1
    if s.countdown > 0:
        s.countdown -= 1
    if move < HINT:
        if s.drawn < CARDS:
            draw(s, s.to_move)
            if s.drawn == CARDS:
                s.countdown = s.players
        s.values[s.to_move] = held_values(s, s.to_move)
    s.to_move = s.to_move + 1 if s.to_move + 1 < s.players else 0


@compiled
def give_hint(s: State, seat: int, value: int) -> int:
    """Mark a hand with a hint and return the event. Untouched cards learn something, too."""
    named = hinted_kinds(value)
    mark = COLOUR_MARK if value < 5 else RANK_MARK
    touched = 0
    for slot in range(s.held[seat]):
        touches = holds(named, s.deck[s.hands[seat][slot]])
        s.hinted_kinds[seat][slot] &= named if touches else ~named
        s.marks[seat][slot] |= mark if touches else 0
        touched |= touches << slot
    return event(HINT + 10 * seat + value, touched, 0)


@compiled
def count_discard(s: State, kind: int) -> None:
    s.discarded[0], s.discarded[1], s.discarded[2] = with_copy(discards(s), 1 << kind)


@compiled
def take_card(s: State, slot: int) -> int:
    """Remove a card from the hand of the seat to move and return its kind."""
    me = s.to_move
    kind = s.deck[s.hands[me][slot]]
    s.held[me] -= 1
    for place in range(HAND - 1):
        after = place + 1 if place >= slot else place
        s.hands[me][place] = s.hands[me][after]
        s.hinted_kinds[me][place] = s.hinted_kinds[me][after]
        s.marks[me][place] = s.marks[me][after]
    return kind
