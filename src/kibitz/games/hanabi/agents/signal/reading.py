"""How moves become common knowledge.

A hint encodes the sum of the values of all hands but the hinter's. Each receiver subtracts the values it sees and is
left with its own, and everybody knows this. So all seats arrive at the same knowledge from different views. Spectators,
who see no hands, cannot.

Seats share the result of the first one to decode a move, and check it: if common knowledge allows every card that a
seat sees, the values of all other hands were right, and so is the rest of the sum, its own value. If not, a hint
followed other conventions, and the seat decodes the whole game from its own view. Sharing is a cache: a seat's
knowledge depends only on what it sees.
"""

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.signal.codes import (
    code_in,
    count_codes,
    first_code,
    index_among,
    stored_codebook,
    value_for,
)
from kibitz.games.hanabi.agents.signal.common_knowledge import (
    MAX_CONTRADICTIONS,
    CommonKnowledge,
    advance,
    known_playable,
    mask,
    narrow,
    refresh,
)
from kibitz.games.hanabi.agents.signal.implicit_signals import after_discard, after_play, before_hint
from kibitz.games.hanabi.agents.signal.questions import ask_everybody, encoding_slots, learn, value_of
from kibitz.games.hanabi.agents.signal.saving import before_endgame
from kibitz.games.hanabi.agents.signal.weights import MOD_SUM_DISCARDS, MOD_SUM_PLAYS
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.rules import DISCARD, HINT, event_detail, event_move
from kibitz.games.hanabi.state import State


@compiled
def catch_up(c: CommonKnowledge, view: State, weights: Numbers) -> None:
    """Read all moves since the last call."""
    while c.turn < view.turn:
        happened = view.history[c.turn]
        if trusting(c):
            read(c, view, happened, weights)
        elif event_move(happened) >= HINT:
            apply_literal_hint(c, happened)
        check_revealed(c, happened)
        advance(c, happened)
        if c.contradicted != 0:
            reset_to_hints(c)


@compiled
def trusting(c: CommonKnowledge) -> bool:
    """Whether moves are read as signals, not only literally."""
    return c.contradictions < MAX_CONTRADICTIONS


@compiled
def read(c: CommonKnowledge, view: State, happened: int, weights: Numbers) -> None:
    """Read the signals of a move, and the literal content of a hint."""
    mover, move = c.to_move, event_move(happened)
    if move >= HINT:
        target, value, touched = (move - HINT) // 10, (move - HINT) % 10, event_detail(happened)
        before_hint(c, mover, weights)
        modulus = count_codes(c, mover, weights)
        codebook = stored_codebook(c, target)
        number = first_code(c, mover, target) + code_in(codebook, value, touched)
        if c.players == 2:
            ask_everybody(c, mover, modulus, weights)
            number = value_for(c, target, codebook, number)
        decode_sum(c, view, number, modulus, weights)
        apply_literal_hint(c, happened)
    elif move >= DISCARD:
        slots = encoding_slots(c, mover, move - DISCARD, weights)
        after_discard(c, mover, move - DISCARD, weights)
        if weights[MOD_SUM_DISCARDS] != 0 and count_bits(slots) >= 2:
            decode_sum(c, view, index_among(slots, move - DISCARD), count_bits(slots), weights)
    else:
        after_play(c, mover, weights)
        if weights[MOD_SUM_PLAYS] != 0 and before_endgame(c, weights):
            known = known_playable(c, mover, c.playable)
            if holds(known, move) and count_bits(known) >= 2:
                decode_sum(c, view, index_among(known, move), count_bits(known), weights)


@compiled
def decode_sum(c: CommonKnowledge, view: State, number: int, modulus: int, weights: Numbers) -> None:
    """Everybody learns the value of every hand but the mover's: the viewer's is the rest of the sum.

    All values are computed before any is recorded, because recording one hand changes the questions to others.
    """
    mover, me = c.to_move, view.seat
    ask_everybody(c, mover, modulus, weights)
    if c.players == 2:
        learn_value(c, 1 - mover, number)
        return
    total = 0
    for seat in range(c.players):
        if seat != mover and seat != me:
            total += value_of(c, view, seat)
    if me == mover:
        c.contradicted |= int(total % modulus != number)
    else:
        learn_value(c, me, (number - total) % modulus)
    for seat in range(c.players):
        if seat != mover and seat != me:
            learn(c, seat, value_of(c, view, seat))
    c.asked_for = 0


@compiled
def learn_value(c: CommonKnowledge, seat: int, value: int) -> None:
    """Record a decoded value. One that the hand cannot have is a contradiction.

    With two players the value is public, and the viewer need not see the hand.
    """
    c.contradicted |= int(value > c.asked[seat])
    learn(c, seat, value)
    c.asked_for = 0


@compiled
def apply_literal_hint(c: CommonKnowledge, happened: int) -> None:
    """Apply the literal content of a hint to the cards it touches and to those it misses."""
    move, touched = event_move(happened), event_detail(happened)
    target, named = (move - HINT) // 10, hinted_kinds((move - HINT) % 10)
    for slot in range(c.held[target]):
        hinted = named if holds(touched, slot) else ~named
        narrow(c, c.hands[target][slot], hinted)
        c.hinted_kinds[target][slot] &= hinted


@compiled
def check_revealed(c: CommonKnowledge, happened: int) -> None:
    """Compare a card that leaves a hand with what was inferred about it."""
    move = event_move(happened)
    if move < HINT and not holds(mask(c, c.to_move, move % DISCARD), event_detail(happened)):
        c.contradicted = 1


@compiled
def reset_to_hints(c: CommonKnowledge) -> None:
    """After a contradiction, keep only the literal content of hints."""
    c.contradicted = 0
    c.contradictions += 1
    for seat in range(c.players):
        for slot in range(c.held[seat]):
            c.masks[c.hands[seat][slot]] = c.hinted_kinds[seat][slot]
    refresh(c)
