"""Hidden information: what a seat may see (`observe`), and sampled worlds that agree with it (`sample_world`).

Sampling begins with a view, so nothing hidden can find its way into a sample. A world is a whole deck,
from which the moves of this round lead to what the viewer saw: so a world can also be gone back in.
"""

from typing import Any

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.dice import observe_dice, sample_dice
from kibitz.engine.loop import ONLOOKER, SEEN, WORLD
from kibitz.engine.seeds import below, number
from kibitz.games.loveletter.cards import (
    BARON,
    CARDS,
    COUNTESS,
    FACE_DOWN,
    GUARD,
    KINDS,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from kibitz.games.loveletter.rules import (
    CARD_OF,
    GAME_OVER,
    NAMED_OF,
    TARGET_OF,
    apply,
    event_kind,
    event_move,
    event_out,
    event_outcome,
    event_seat,
    first_hand,
    look,
    round_winners,
    set_out,
    unseen,
)
from kibitz.games.loveletter.state import NOBODY, ONE_ROUND, OPEN, SEATS, SET_ASIDE, TURNS, State


@compiled
def observe(pair: Any, seat: int, cheats: bool) -> None:
    """Write the view of a seat beside the state; a cheater's shows every hand, and so does everybody's at the end."""
    pair[SEEN] = pair[WORLD]
    view = pair[SEEN]
    view.seat = seat
    observe_dice(view, seat, view.turn)
    view.cards = 0
    me = seat if seat != ONLOOKER else SEATS  # a seat that nobody has
    open_hands = cheats or view.to_move == GAME_OVER
    for other in range(SEATS):
        if other != me:
            view.known[other] &= 1 << me  # what else is known of it depends on cards that others hold
            view.aware[other] = 0
            if not open_hands and not view.known[other]:
                view.hands[other][0] = FACE_DOWN
            if not open_hands:
                view.hands[other][1] = FACE_DOWN
            for turn in range(TURNS):
                view.looks[other][turn] = 0
    if seat >= 0:
        view.known[seat] = view.aware[seat]
    open_cards = first_hand(view.players)
    for place in range(CARDS):
        shown = SET_ASIDE < place < open_cards or view.drawer[place] == me
        view.deck[place] = view.deck[place] if shown else FACE_DOWN


@compiled
def information_key(s: State, seat: int) -> int:
    """What a seat knows beyond the moves: its own cards, others it was shown, and what the last move led to."""
    held, drawn = s.hands[seat][0], s.hands[seat][1]
    knows = max(held, drawn) | min(held, drawn) << 4
    for other in range(s.players):
        if other != seat and s.known[other] >> seat & 1:
            knows |= s.hands[other][0] << (8 + 4 * other)
    if s.turn > s.opened:
        knows |= event_outcome(s.history[s.turn - 1]) << (8 + 4 * SEATS)
    return knows


@compiled
def horizon(s: State) -> None:
    """Look no further than this round."""
    s.rules |= ONE_ROUND


@compiled
def sample_world(pair: Any, stream: int) -> None:
    """Write beside a view a state that agrees with it.

    Every deck that could have led here, with every way for the others to have come by the cards they
    played (held or just drawn), is as likely as any other. So a hidden card is what the unseen cards and
    all that was seen of it say, and not what its holder's choices may say: that is for `move_probabilities`.
    """
    pair[WORLD] = pair[SEEN]
    world, view = pair[WORLD], pair[SEEN]
    left = unseen(view)
    pool, count = np.empty(CARDS, np.int64), 0
    for kind in range(KINDS):
        for _ in range(left[kind]):
            pool[count] = kind
            count += 1
    attempt = 0
    while True:
        lot = number(stream, attempt)
        hand_out(view, world, pool, count, lot)
        if trace_back(view, world, number(lot, CARDS)):
            break
        attempt += 1
    sample_dice(world, number(stream, -1))
    world.cards = number(stream, -2)
    world.seat = OPEN
    live_through(world)


@compiled
def hand_out(view: State, world: State, pool: Any, count: int, stream: int) -> None:
    """Give the unseen cards at random to the hands, the set-aside place and the deck."""
    for place in range(count - 1, 0, -1):
        other = below(stream, place, place + 1)
        pool[place], pool[other] = pool[other], pool[place]
    given = 0
    for seat in range(view.players):
        if view.hands[seat][0] == FACE_DOWN and not view.out >> seat & 1:
            world.hands[seat][0] = pool[given]
            given += 1
        if seat == view.to_move and view.hands[seat][1] == FACE_DOWN:
            world.hands[seat][1] = pool[given]
            given += 1
    if view.drawer[SET_ASIDE] == NOBODY:
        world.deck[SET_ASIDE] = pool[given]
        given += 1
    for place in range(view.drawn, CARDS):
        world.deck[place] = pool[given]
        given += 1


@compiled
def trace_back(view: State, world: State, coins: int) -> bool:
    """Fill the drawn part of the deck by going back over the round; whether all that was seen can have been.

    Whoever played a card held another, and which of the two had been drawn last is anybody's guess:
    a coin for every turn, except the viewer's own and those through which the viewer knew the card.
    """
    me = view.seat
    held = np.empty(SEATS, np.int64)  # the card each seat kept, as time goes back
    sure = 0  # the seats whose card the viewer has been shown and that still hold it
    for seat in range(view.players):
        held[seat] = world.hands[seat][0]
        sure |= (seat != me and view.known[seat] != 0) << seat
    place = view.drawn
    if view.to_move >= 0:
        place -= 1
        world.deck[place] = world.hands[view.to_move][1]
    for turn in range(view.turn - 1, view.opened - 1, -1):
        happened = view.history[turn]
        move, seat = event_move(happened), event_seat(happened)
        card, target, kind = CARD_OF[move], TARGET_OF[move], event_kind(happened)
        out = event_out(happened)
        if out != NOBODY:
            held[out] = PRINCESS if card == PRINCE else kind
        if target != NOBODY:
            if card == GUARD:
                if (held[target] == NAMED_OF[move]) != (out == target):
                    return False
            elif card == PRINCE:
                if out == NOBODY:
                    from_deck = turn < view.turn - 1 or view.drawer[SET_ASIDE] == NOBODY
                    place -= 1 if from_deck else 0
                    taken = place if from_deck else SET_ASIDE
                    if target == me and view.deck[taken] != held[me]:
                        return False
                    world.deck[taken] = held[target]
                    held[target] = kind
                    sure &= ~(1 << target)
            else:
                if card == KING:
                    held[seat], held[target] = held[target], held[seat]
                    both = sure & (1 << seat | 1 << target)
                    if both & (both - 1) == 0:  # of two cards that changed hands one is known: it was the other's
                        sure ^= 0 if both == 0 else 1 << seat | 1 << target
                if card == BARON and not fought(held[seat], held[target], seat, target, out):
                    return False
                saw = look(FACE_DOWN if card == PRIEST else held[seat], held[target])
                if me == seat or (me == target and card != PRIEST):
                    if view.looks[me][turn - view.opened] != saw:
                        return False
                    sure &= ~(1 << target | 1 << seat)
        if (card in (PRINCE, KING)) and held[seat] == COUNTESS:
            return False
        place -= 1
        if seat == me:
            if view.deck[place] != card:
                if view.deck[place] != held[me]:
                    return False
                held[me] = card
        elif not sure >> seat & 1 and below(coins, turn, 2):
            world.deck[place] = held[seat]
            held[seat] = card
        else:
            world.deck[place] = card
    for seat in range(view.players):
        place = first_hand(view.players) + seat
        if seat == me and view.deck[place] != held[me]:
            return False
        world.deck[place] = held[seat]
    return True


@compiled
def fought(mine: int, theirs: int, seat: int, target: int, out: int) -> bool:
    """Whether a Baron's comparison of two cards ends as it did."""
    loser = NOBODY if mine == theirs else seat if mine < theirs else target
    return loser == out


@compiled
def live_through(world: State) -> None:
    """Make the moves of this round again from the world's deck, so that it has what the others know."""
    now = world.turn
    back_to_start(world)
    for turn in range(world.opened, now):
        apply(world, event_move(world.history[turn]))


@compiled
def back_to_start(world: State) -> None:
    """Take back all that happened in this round, and its token too if it was the last."""
    if world.to_move == GAME_OVER:
        world.finished -= 1
        winners = round_winners(world.rounds[world.finished])
        world.rounds[world.finished] = 0
        for seat in range(world.players):
            world.tokens[seat] -= winners >> seat & 1
    world.turn = world.opened
    set_out(world, world.first)


@compiled
def rewind(start: Any, pair: Any) -> None:
    """Go back to the start of this round, in the world of the pair's state."""
    world = pair[WORLD]
    for turn in range(world.opened, world.turn):
        world.history[turn] = 0
    back_to_start(world)
