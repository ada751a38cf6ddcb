"""Hidden information: what a seat sees (`observe`), and sampled worlds consistent with it (`sample_world`).

Sampling starts from a view, so it cannot leak. A world includes the whole deck of the round, from which its moves lead
to the view, so it can be rewound.
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
    """Write the view of a seat. Cheaters see every hand, and so does everybody at the end."""
    pair[SEEN] = pair[WORLD]
    view = pair[SEEN]
    view.seat = seat
    observe_dice(view, seat, view.turn)
    view.cards = 0
    me = seat if seat != ONLOOKER else SEATS  # matches no seat
    open_hands = cheats or view.to_move == GAME_OVER
    for other in range(SEATS):
        if other != me:
            view.known[other] &= 1 << me  # other bits depend on hidden cards
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
    """What a seat knows beyond the moves: its own cards, cards it was shown, and the outcome of the last move."""
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
    """Search only to the end of this round."""
    s.rules |= ONE_ROUND


@compiled
def sample_world(pair: Any, stream: int) -> None:
    """Write a random state that is consistent with the view.

    All decks that could have led here are equally likely, for each way in which the others came by the cards they
    played (held or just drawn). What their choices say about their cards is left to `move_probabilities`.
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
        draw = number(stream, attempt)
        deal_unseen(view, world, pool, count, draw)
        if trace_back(view, world, number(draw, CARDS)):
            break
        attempt += 1
    sample_dice(world, number(stream, -1))
    world.cards = number(stream, -2)
    world.seat = OPEN
    replay_round(world)


@compiled
def deal_unseen(view: State, world: State, pool: Any, count: int, stream: int) -> None:
    """Deal the unseen cards at random to the hidden hands, the set-aside place and the deck."""
    for place in range(count - 1, 0, -1):
        other = below(stream, place, place + 1)
        pool[place], pool[other] = pool[other], pool[place]
    dealt = 0
    for seat in range(view.players):
        if view.hands[seat][0] == FACE_DOWN and not view.out >> seat & 1:
            world.hands[seat][0] = pool[dealt]
            dealt += 1
        if seat == view.to_move and view.hands[seat][1] == FACE_DOWN:
            world.hands[seat][1] = pool[dealt]
            dealt += 1
    if view.drawer[SET_ASIDE] == NOBODY:
        world.deck[SET_ASIDE] = pool[dealt]
        dealt += 1
    for place in range(view.drawn, CARDS):
        world.deck[place] = pool[dealt]
        dealt += 1


@compiled
def trace_back(view: State, world: State, coins: int) -> bool:
    """Fill in the drawn part of the deck, going back through the round; returns whether everything seen is possible.

    A player held two cards, and a coin decides which of them was just drawn, except in the viewer's own turns and where
    the viewer knew the card.
    """
    me = view.seat
    held = np.empty(SEATS, np.int64)  # the card each seat kept
    sure = 0  # the seats that still hold a card the viewer was shown
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
                    if both & (both - 1) == 0:  # if one of two swapped cards is known, it was the other seat's
                        sure ^= 0 if both == 0 else 1 << seat | 1 << target
                if card == BARON and not baron_explained(held[seat], held[target], seat, target, out):
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
def baron_explained(mine: int, theirs: int, seat: int, target: int, out: int) -> bool:
    """Whether two cards explain the outcome of a Baron."""
    loser = NOBODY if mine == theirs else seat if mine < theirs else target
    return loser == out


@compiled
def replay_round(world: State) -> None:
    """Replay this round with the world's deck, to fill in what the others know."""
    now = world.turn
    back_to_start(world)
    for turn in range(world.opened, now):
        apply(world, event_move(world.history[turn]))


@compiled
def back_to_start(world: State) -> None:
    """Take back this round, and its tokens if the game is over."""
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
    """Go back to the start of this round, in the sampled world."""
    world = pair[WORLD]
    for turn in range(world.opened, world.turn):
        world.history[turn] = 0
    back_to_start(world)
