"""A seat's belief about its own hand: the possible hands and their likelihoods, if the other seats play like a model.

A hand is possible if the unseen cards allow it and every hint agrees with it; moves that the model would not have made
with that hand in sight rule it out. The belief is updated from turn to turn: played and discarded cards leave the
hands, and a drawn card splits every hand by the kinds it can be. The belief is exact as long as the list has room for
all hands; otherwise a sample by weight represents them.

A hand's weight is the number of ways in which the unseen cards make it, times its likelihood.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import SHARE
from kibitz.engine.loop import SEEN, WORLD, has_observers, move_of, notify_observers
from kibitz.engine.seat import WORD, Seats, chance_at, decide_at, has, observe_at
from kibitz.engine.seeds import number
from kibitz.games.hanabi.cards import KINDS, holds
from kibitz.games.hanabi.rules import DISCARD, HINT, event, event_detail, event_move, held_values, shuffle
from kibitz.games.hanabi.state import HAND, LONGEST, OPEN, STATE, State
from kibitz.games.hanabi.worlds import face_down_counts
from kibitz.search.clock import milliseconds

HANDS = 8192  # the most hands that are kept or weighed
BITS = 5  # per kind, in a hand packed into one number
KIND = (1 << BITS) - 1
LOOKS = 64  # hands between checks of the clock
STRIDE = (
    0.6180339887498949  # the golden ratio: its multiples cover the range from 0 to 1 evenly, however many there are
)
ROLLS = 4  # decisions sampled from a random model per position
LEAST_CHANCE = 0.02  # of a random model's move that none of these decisions is

# The belief as part of a seat's memory, and its working space.
BELIEF: list[tuple[Any, ...]] = [
    ("start", STATE, (1,)),  # the game as the seat first saw it; without players until then
    ("turn", np.int64),  # to which the hands below belong
    ("count", np.int64),  # the number of hands
    ("exact", np.int64),  # whether they are all possible hands
    ("hands", np.int64, HANDS),
    ("likelihoods", np.float64, HANDS),
    ("now", STATE, (1,)),  # the seat's view
    ("views", STATE, (LONGEST,)),  # by move: the mover's view, into which the believer's hand is written
    # By move: its likelihood if the model would not have made it; with 1, the model is not asked.
    ("slack", np.float64, LONGEST),
    ("trusts", np.int64),  # whether the conventional meanings of moves narrow the hands
    ("open", np.int64, HAND),  # by slot: the possible kinds
    ("listed", np.int64, HANDS),  # hands to weigh, complete or from the oldest card to some slot
    ("listed_likelihoods", np.float64, HANDS),
    ("spare", np.int64, HANDS),
    ("spare_likelihoods", np.float64, HANDS),
]


class Belief(Protocol):
    start: Any
    turn: int
    count: int
    exact: int
    hands: Any
    likelihoods: Any
    now: Any
    views: Any
    slack: Any
    trusts: int
    open: Any
    listed: Any
    listed_likelihoods: Any
    spare: Any
    spare_likelihoods: Any


class Past(NamedTuple):
    """The game so far with a model in every seat, as far as it does not depend on the believer's cards."""

    start: Any  # the state at the start, as an array of one
    moves: int  # the number of moves since
    rooms: Any  # the models' public knowledge before every move, and all their knowledge now
    seats: Seats
    pair: Any  # working space


class Effort(NamedTuple):
    """The effort to spend on a belief."""

    max_hands: int  # if more are possible, this number is sampled
    min_hands: int  # if fewer sampled hands survive, more are sampled,
    rounds: int  # at most this number of times
    deadline: float  # on the clock of `search.clock`


# Hands


@compiled
def kind_in(hand: int, slot: int) -> int:
    return (hand >> (BITS * slot)) & KIND


@compiled
def with_kind(hand: int, slot: int, kind: int) -> int:
    """The hand with a card added in an empty slot."""
    return hand | kind << (BITS * slot)


@compiled
def without_slot(hand: int, slot: int) -> int:
    """The hand without the card in a slot; newer cards move up."""
    older = hand & ((1 << (BITS * slot)) - 1)
    return older | (hand >> (BITS * (slot + 1))) << (BITS * slot)


@compiled
def ways(left: Any, hand: int, held: int) -> int:
    """The number of ways in which the unseen cards make a hand."""
    product = 1
    for slot in range(held):
        kind = kind_in(hand, slot)
        copies = left[kind]
        for other in range(slot):
            copies -= kind_in(hand, other) == kind
        product *= max(copies, 0)
    return product


@compiled
def is_open(belief: Belief, hand: int, held: int) -> bool:
    """Whether a hand agrees with hints and conventions."""
    agrees = True
    for slot in range(held):
        agrees = agrees and holds(belief.open[slot], kind_in(hand, slot))
    return agrees


@compiled
def take_hand(view: State, world: State, hand: int) -> None:
    """Put the viewer's current hand into another state of the same game, without the cards drawn later."""
    me = view.seat
    for slot in range(view.held[me]):
        place = view.hands[me][slot]
        if place < world.drawn:
            world.deck[place] = kind_in(hand, slot)
    world.values[me] = held_values(world, me)


@compiled
def fill_world(view: State, world: Any, hand: int, stream: int) -> None:
    """Write a state in which the viewer has this hand, with the rest of the deck shuffled."""
    world[0] = view
    state = world[0]
    state.seat = OPEN
    take_hand(view, state, hand)
    left = face_down_counts(state)
    place = state.drawn
    for kind in range(KINDS):
        for _ in range(left[kind]):
            state.deck[place] = kind
            place += 1
    shuffle(state, state.drawn, number(stream, 0))
    for seat in range(state.players):
        state.streams[seat] = number(stream, 1 + seat)


# What the model would have done


@compiled
def note_start(view: State, belief: Belief) -> None:
    """Remember the start of the game."""
    if belief.start[0].players == 0:
        belief.start[0] = view
        belief.start[0].seat = OPEN


@compiled
def past_of(belief: Belief, view: State, seats: Seats) -> Past:
    """Replay the game once, in any world that agrees with the view: public knowledge is the same in all of them.

    A model that interprets the game from its own view gets the believer's here. Its conclusions are those of every
    other seat, unless some announcement turns out to be false, which it can see.
    """
    pair, start = np.zeros(2, STATE), np.zeros(1, STATE)
    note_start(view, belief)
    belief.now[0] = view
    start[0] = belief.start[0]
    pair[SEEN] = view
    generic.sample_world(pair, 0)
    generic.rewind(start, pair)
    moves = view.turn - start[0].turn
    rooms = np.zeros((moves + 1, seats.room.shape[0]), np.int64)
    clear(seats)
    for n in range(moves + 1):
        if has_observers(seats):
            notify_observers(pair, seats)
        generic.observe(pair, view.seat, False)
        infer(pair[SEEN], seats)
        if n < moves:
            copy_public(seats, seats.room, rooms[n])
            generic.observe(pair, pair[WORLD].to_move, False)
            belief.views[n] = pair[SEEN]
            belief.slack[n] = 0.0
            generic.apply(pair[WORLD], event_move(view.history[start[0].turn + n]))
    for word in range(rooms.shape[1]):
        rooms[moves, word] = seats.room[word]
    return Past(start, moves, rooms, seats, pair)


@compiled
def infer(view: State, seats: Seats) -> None:
    """Narrow the viewer's hand by the conventional meaning of moves, if its model has conventions."""
    if view.seat >= seats.seats.shape[0]:
        return
    struct = seats.seats[view.seat]
    if struct.infer != 0:
        observe_at(struct.infer, view, struct)


@compiled
def clear(seats: Seats) -> None:
    for word in range(seats.room.shape[0]):
        seats.room[word] = 0


@compiled
def copy_public(seats: Seats, source: Any, target: Any) -> None:
    """Copy the models' public knowledge."""
    structs, base = seats.seats, seats.room.ctypes.data
    for seat in range(structs.shape[0]):
        if has(seats.watches, seat):
            first = (structs[seat].public - base) // WORD
            for word in range(first, first + structs[seat].public_words):
                target[word] = source[word]


@compiled
def update_open_kinds(belief: Belief, past: Past) -> None:
    """Compute the possible kinds of each own card, by hints and, if trusted, by conventions."""
    view = past.pair[SEEN]
    past.pair[SEEN] = belief.now[0]
    if belief.trusts:
        clear(past.seats)
        copy_public(past.seats, past.rooms[past.moves], past.seats.room)
        infer(view, past.seats)
    for slot in range(view.held[view.seat]):
        belief.open[slot] = view.hinted_kinds[view.seat][slot]


@compiled
def move_chance(view: State, struct: Any, move: int) -> float:
    """The probability that a model decides on a move: 0 or 1 unless it is random, sampled unless the model says it."""
    if struct.chance != 0:
        view.history[view.turn] = event(move, 0, 0)
        return chance_at(struct.chance, view, struct)
    if not struct.random:
        return 1.0 if move_of(decide_at(struct.decide, view, struct)) == move else 0.0
    dice, times = view.dice, 0
    for roll in range(ROLLS):
        view.dice = number(dice, roll)
        times += move_of(decide_at(struct.decide, view, struct)) == move
    return max(times / ROLLS, LEAST_CHANCE)


@compiled
def chance_by_model(belief: Belief, view: State, struct: Any, n: int, move: int) -> float:
    """The likelihood of the game's n-th move by a player with this view, with slack for deviations from the model."""
    made = move_chance(view, struct, move)
    return made + (1.0 - made) * belief.slack[n]


@compiled
def chance_of_move(belief: Belief, past: Past, n: int, hand: int) -> float:
    """The likelihood of the n-th move with this hand in sight, if models remember only public knowledge."""
    view, structs = past.pair[SEEN], past.seats.seats
    past.pair[SEEN] = belief.views[n]
    take_hand(belief.now[0], view, hand)
    copy_public(past.seats, past.rooms[n], past.seats.room)
    move = event_move(belief.now[0].history[past.start[0].turn + n])
    return chance_by_model(belief, view, structs[view.to_move], n, move)


@compiled
def likelihood(belief: Belief, past: Past, hand: int, since: int, until: int) -> float:
    """The likelihood of a range of the others' moves with this hand in sight."""
    if past.seats.remembers:
        return likelihood_by_replay(belief, past, hand, since, until)
    me = belief.now[0].seat
    chance = 1.0
    clear(past.seats)  # private memories belong to a single world
    for n in range(since, until):
        if belief.views[n].to_move != me and belief.slack[n] < 1.0:
            chance *= chance_of_move(belief, past, n, hand)
            if chance == 0.0:
                break
    return chance


@compiled
def likelihood_by_replay(belief: Belief, past: Past, hand: int, since: int, until: int) -> float:
    """The same for models with private memories: the game is replayed with this hand, which must be complete."""
    pair, seats, now = past.pair, past.seats, belief.now[0]
    state, structs = pair[WORLD], seats.seats
    pair[WORLD] = now
    take_hand(now, state, hand)
    generic.rewind(past.start, pair)
    clear(seats)
    chance = 1.0
    for n in range(until):
        notify_observers(pair, seats)
        seat, move = state.to_move, event_move(now.history[state.turn])
        if seat != now.seat and n >= since and belief.slack[n] < 1.0:
            generic.observe(pair, seat, False)
            chance *= chance_by_model(belief, pair[SEEN], structs[seat], n, move)
            if chance == 0.0:
                break
        generic.apply(state, move)
    return chance


# The belief


@compiled
def step_through(count: int) -> int:
    """A step that visits every place once: near the golden section, and coprime to the count."""
    step = max(int(count * STRIDE), 1)
    while greatest_divisor(step, count) != 1:
        step += 1
    return step


@compiled
def greatest_divisor(one: int, other: int) -> int:
    while other:
        one, other = other, one % other
    return one


@compiled
def spare_as_list(belief: Belief, count: int) -> int:
    for n in range(count):
        belief.listed[n] = belief.spare[n]
        belief.listed_likelihoods[n] = belief.spare_likelihoods[n]
    return count


@compiled
def weigh(belief: Belief, past: Past, count: int, since: int, until: int, effort: Effort) -> int:
    """Multiply the listed hands' likelihoods by those of a range of moves, and drop impossible hands; returns the
    number left.

    If time is up, unweighed hands are dropped, and the belief is no longer exact.
    """
    step, kept = step_through(count), 0
    for n in range(count):
        if n % LOOKS == LOOKS - 1 and milliseconds() > effort.deadline:
            belief.exact = 0
            break
        place = n * step % count  # an order that covers them evenly even if it is cut short
        chance = likelihood(belief, past, belief.listed[place], since, until)
        if chance > 0.0:
            belief.spare[kept] = belief.listed[place]
            belief.spare_likelihoods[kept] = belief.listed_likelihoods[place] * chance
            kept += 1
    return spare_as_list(belief, kept)


@compiled
def split(belief: Belief, left: Any, count: int, slot: int, most: int, stream: int) -> int:
    """Extend every listed hand by all possible cards in one more slot; returns the number of hands.

    If there are more than `most`, that number is sampled, and the belief is no longer exact. The sample is stratified
    by weight, with a random point in each stratum: as most hands weigh about the same, equidistant points would often
    select the same card.
    """
    kinds = belief.open[slot]
    found, total = 0, 0.0
    for n in range(count):
        for kind in range(KINDS):
            if holds(kinds, kind):
                weight = ways(left, with_kind(belief.listed[n], slot, kind), slot + 1)
                found += weight > 0
                total += belief.listed_likelihoods[n] * weight
    drawn = found > most
    belief.exact = belief.exact and not drawn
    step, dice = total / most, number(stream, slot)
    part, so_far, kept = 0, 0.0, 0
    point = number(dice, part) * SHARE * step
    for n in range(count):
        for kind in range(KINDS):
            if not holds(kinds, kind):
                continue
            hand = with_kind(belief.listed[n], slot, kind)
            weight = ways(left, hand, slot + 1)
            likelihood = belief.listed_likelihoods[n] if weight > 0 else 0.0
            if drawn:
                so_far += likelihood * weight
                times = 0
                while point < so_far and part < most:
                    times, part = times + 1, part + 1
                    point = (part + number(dice, part) * SHARE) * step
                likelihood = times * step / max(weight, 1)
            if likelihood > 0.0:
                belief.spare[kept] = hand
                belief.spare_likelihoods[kept] = likelihood
                kept += 1
    return spare_as_list(belief, kept)


@compiled
def continue_hands(belief: Belief, past: Past, left: Any, effort: Effort, stream: int) -> int:
    """List the hands that follow from those of the believer's last turn, before the others' moves are weighed; returns
    their number."""
    view, last = belief.now[0], belief.turn - past.start[0].turn
    me, held = view.seat, view.held[view.seat]
    happened = view.history[belief.turn]
    move, shown = event_move(happened), event_detail(happened)
    slot = move if move < DISCARD else move - DISCARD
    drew = move < HINT and view.hands[me][held - 1] >= belief.views[last].drawn
    old, count = held - 1 if drew else held, 0
    for n in range(belief.count):
        hand = belief.hands[n]
        if move < HINT:
            if kind_in(hand, slot) != shown:
                continue
            hand = without_slot(hand, slot)
        if is_open(belief, hand, old) and ways(left, hand, old) > 0:
            belief.listed[count] = hand
            belief.listed_likelihoods[count] = belief.likelihoods[n]
            count += 1
    return split(belief, left, count, old, effort.max_hands, stream) if drew else count


@compiled
def hands_from_last_turn(belief: Belief, past: Past, left: Any, effort: Effort, stream: int) -> int:
    """List the hands that follow from those of the believer's last turn; returns their number."""
    count = continue_hands(belief, past, left, effort, stream)
    return weigh(belief, past, count, belief.turn - past.start[0].turn + 1, past.moves, effort)


@compiled
def hands_from_start(belief: Belief, past: Past, left: Any, effort: Effort, stream: int) -> int:
    """List the hands that are possible by the whole game, extended card by card from the oldest; returns their number.

    Moves before a card was drawn are weighed as soon as all older cards are there.
    """
    view = belief.now[0]
    me, held = view.seat, view.held[view.seat]
    belief.listed[0], belief.listed_likelihoods[0] = 0, 1.0
    count, since, until = 1, 0, 0
    for slot in range(held):
        count = split(belief, left, count, slot, effort.max_hands, stream)
        if slot == held - 1:
            until = past.moves
        elif not past.seats.remembers:
            while until < past.moves and belief.views[until].drawn <= view.hands[me][slot + 1]:
                until += 1
        if until > since:
            count = weigh(belief, past, count, since, until, effort)
            since = until
    return count


@compiled
def keep_listed(belief: Belief, left: Any, count: int) -> None:
    """Add the list to the belief, as far as there is room, with a mean weight of 1."""
    view = belief.now[0]
    total, kept = 0.0, min(count, HANDS - belief.count)
    for n in range(kept):
        total += belief.listed_likelihoods[n] * ways(left, belief.listed[n], view.held[view.seat])
    for n in range(kept):
        belief.hands[belief.count] = belief.listed[n]
        belief.likelihoods[belief.count] = belief.listed_likelihoods[n] * kept / total
        belief.count += 1


@compiled
def as_of(past: Past, moves: int) -> Past:
    """The past up to a number of moves."""
    return Past(past.start, moves, past.rooms, past.seats, past.pair)


@compiled
def update_belief(belief: Belief, past: Past, effort: Effort) -> None:
    """Update the belief to the view it contains. It is empty if no hand is found that agrees with the others' moves.

    The belief of the believer's last turn is continued if everybody has moved once since. Samples become less diverse
    with every turn, so new ones are added. Sampling depends only on the turn number: the same game gives the same
    belief.
    """
    view = belief.now[0]
    if belief.turn == view.turn and belief.count > 0:
        return
    update_open_kinds(belief, past)
    stream, left = number(view.turn, view.seat), face_down_counts(view)
    carries = belief.count > 0 and belief.turn + view.players == view.turn
    count = hands_from_last_turn(belief, past, left, effort, stream) if carries else 0
    belief.exact = belief.exact and carries
    belief.count, belief.turn = 0, view.turn
    keep_listed(belief, left, count)
    for n in range(effort.rounds):
        late = n > 0 and milliseconds() > effort.deadline
        if belief.exact or late or (n > 0 and belief.count >= effort.min_hands):
            break
        belief.exact = 1
        count = hands_from_start(belief, past, left, effort, number(stream, 1 + n))
        if belief.exact:
            belief.count = 0
        keep_listed(belief, left, count)


@compiled
def shares_of_hands(belief: Belief, up_to: Any) -> None:
    """Write the cumulative weights of the hands, as shares of the total."""
    view = belief.now[0]
    left, held = face_down_counts(view), view.held[view.seat]
    total = 0.0
    for n in range(belief.count):
        total += belief.likelihoods[n] * ways(left, belief.hands[n], held)
        up_to[n] = total
    for n in range(belief.count):
        up_to[n] /= total
