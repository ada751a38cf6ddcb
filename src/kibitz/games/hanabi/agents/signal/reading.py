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
    place_among,
    value_for,
    written_book,
)
from kibitz.games.hanabi.agents.signal.common_knowledge import (
    TRUST,
    Common,
    known_to_fit,
    mask,
    move_on,
    narrow,
    refresh,
)
from kibitz.games.hanabi.agents.signal.implicit_signals import after_discard, after_play, before_hint
from kibitz.games.hanabi.agents.signal.questions import ask_everybody, learn, saying_slots, value_of
from kibitz.games.hanabi.agents.signal.saving import early
from kibitz.games.hanabi.agents.signal.weights import DISCARD_SUMS, PLAY_SUMS
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.rules import DISCARD, HINT, event_detail, event_move
from kibitz.games.hanabi.state import State


@compiled
def catch_up(c: Common, view: State, weights: Numbers) -> None:
    """Take in all that happened since."""
    while c.turn < view.turn:
        happened = view.history[c.turn]
        if trusting(c):
            read(c, view, happened, weights)
        elif event_move(happened) >= HINT:
            take_at_its_word(c, happened)
        check_shown(c, happened)
        move_on(c, happened)
        if c.wrong != 0:
            forget(c)


@compiled
def trusting(c: Common) -> bool:
    """Whether moves are taken to say more than their words."""
    return c.doubts < TRUST


@compiled
def read(c: Common, view: State, happened: int, weights: Numbers) -> None:
    """What a move says beyond itself, and what it says in words."""
    mover, move = c.to_move, event_move(happened)
    if move >= HINT:
        target, value, touched = (move - HINT) // 10, (move - HINT) % 10, event_detail(happened)
        before_hint(c, mover, weights)
        numbers = count_codes(c, mover, weights)
        book = written_book(c, target)
        number = first_code(c, mover, target) + code_in(book, value, touched)
        if c.players == 2:
            ask_everybody(c, mover, numbers, weights)
            number = value_for(c, target, book, number)
        take_sum(c, view, number, numbers, weights)
        take_at_its_word(c, happened)
    elif move >= DISCARD:
        slots = saying_slots(c, mover, move - DISCARD, weights)
        after_discard(c, mover, move - DISCARD, weights)
        if weights[DISCARD_SUMS] != 0 and count_bits(slots) >= 2:
            take_sum(c, view, place_among(slots, move - DISCARD), count_bits(slots), weights)
    else:
        after_play(c, mover, weights)
        if weights[PLAY_SUMS] != 0 and early(c, weights):
            fit = known_to_fit(c, mover, c.fits)
            if holds(fit, move) and count_bits(fit) >= 2:
                take_sum(c, view, place_among(fit, move), count_bits(fit), weights)


@compiled
def take_sum(c: Common, view: State, number: int, numbers: int, weights: Numbers) -> None:
    """Everybody learns the value of every hand but the mover's: one's own is what the others leave of the sum.

    All values are taken before anything is learnt: what is learnt of one hand must not change what another was asked.
    """
    mover, me = c.to_move, view.seat
    ask_everybody(c, mover, numbers, weights)
    if c.players == 2:
        learn_value(c, 1 - mover, number)
        return
    total = 0
    for seat in range(c.players):
        if seat != mover and seat != me:
            total += value_of(c, view, seat)
    if me == mover:
        c.wrong |= int(total % numbers != number)
    else:
        learn_value(c, me, (number - total) % numbers)
    for seat in range(c.players):
        if seat != mover and seat != me:
            learn(c, seat, value_of(c, view, seat))
    c.asked_for = 0


@compiled
def learn_value(c: Common, seat: int, value: int) -> None:
    """Somebody was told the value of its hand, which is one that it can have, if who told it follows.

    With two players everybody else heard it, too, and need not see the hand.
    """
    c.wrong |= int(value > c.asked[seat])
    learn(c, seat, value)
    c.asked_for = 0


@compiled
def take_at_its_word(c: Common, happened: int) -> None:
    """What a hint says of the cards it touches, and of those it does not."""
    move, touched = event_move(happened), event_detail(happened)
    target, named = (move - HINT) // 10, hinted_kinds((move - HINT) % 10)
    for slot in range(c.held[target]):
        told = named if holds(touched, slot) else ~named
        narrow(c, c.hands[target][slot], told)
        c.hinted_kinds[target][slot] &= told


@compiled
def check_shown(c: Common, happened: int) -> None:
    """A card that leaves a hand shows whether what was believed of it was true."""
    move = event_move(happened)
    if move < HINT and not holds(mask(c, c.to_move, move % DISCARD), event_detail(happened)):
        c.wrong = 1


@compiled
def forget(c: Common) -> None:
    """Somebody did not follow: nothing counts any more but what hints said in words."""
    c.wrong = 0
    c.doubts += 1
    for seat in range(c.players):
        for slot in range(c.held[seat]):
            c.masks[c.hands[seat][slot]] = c.hinted_kinds[seat][slot]
    refresh(c)
