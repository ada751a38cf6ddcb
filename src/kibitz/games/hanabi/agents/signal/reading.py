"""How what happens becomes common knowledge.

A hint says the sum of all values of hands but the hinter's. Whoever got it sees the other hands, takes their values
away, and knows his own; and everybody knows that he does. So all seats come to know the same, though each of them
worked out something else, and an onlooker, who sees no hands, could not.

Therefore seats share what one of them worked out, and check it: if every card that a seat sees is what it is taken to
be, then the values of all other hands were right, and so its own, which is what is left of the sum, is what it would
have worked out itself. If not, somebody gave a hint by other conventions, and the seat reads the game anew with its own
eyes. So what a seat knows depends on what it sees, and on nothing else.
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
    """Take in all that happened since."""
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
    """Whether moves are taken to say more than their words."""
    return c.contradictions < MAX_CONTRADICTIONS


@compiled
def read(c: CommonKnowledge, view: State, happened: int, weights: Numbers) -> None:
    """What a move says beyond itself, and what it says in words."""
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
    """Everybody learns the value of every hand but the mover's: one's own is what the others leave of the sum.

    All values are taken before anything is learnt: what is learnt of one hand must not change what another was asked.
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
    """Somebody was told the value of its hand, which is one that it can have, if who told it follows.

    With two players everybody else heard it, too, and need not see the hand.
    """
    c.contradicted |= int(value > c.asked[seat])
    learn(c, seat, value)
    c.asked_for = 0


@compiled
def apply_literal_hint(c: CommonKnowledge, happened: int) -> None:
    """What a hint says of the cards it touches, and of those it does not."""
    move, touched = event_move(happened), event_detail(happened)
    target, named = (move - HINT) // 10, hinted_kinds((move - HINT) % 10)
    for slot in range(c.held[target]):
        hinted = named if holds(touched, slot) else ~named
        narrow(c, c.hands[target][slot], hinted)
        c.hinted_kinds[target][slot] &= hinted


@compiled
def check_revealed(c: CommonKnowledge, happened: int) -> None:
    """A card that leaves a hand shows whether what was believed of it was true."""
    move = event_move(happened)
    if move < HINT and not holds(mask(c, c.to_move, move % DISCARD), event_detail(happened)):
        c.contradicted = 1


@compiled
def reset_to_hints(c: CommonKnowledge) -> None:
    """Somebody did not follow: nothing counts any more but what hints said in words."""
    c.contradicted = 0
    c.contradictions += 1
    for seat in range(c.players):
        for slot in range(c.held[seat]):
            c.masks[c.hands[seat][slot]] = c.hinted_kinds[seat][slot]
    refresh(c)
