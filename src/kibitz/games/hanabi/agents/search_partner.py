"""Search for people: the moves that `partner` holds to be best are tried in sampled worlds, with people in them.

The searcher knows two ways to play: that of people (`person`), whose habits it learns from their moves, and that of
`partner` (`people.listening`). Moves narrow its own hand by how likely they are, averaged over both. In a sampled world
every other seat is somebody drawn by what is known of it, its own seat goes on as `partner`, and after some turns a
network says what the state is worth (`people.worth`). All moves are raced in the same worlds (`search.racing`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.core.agent import CompiledAgent
from kibitz.core.weights import Numbers, Weights
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import SHARE
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seat import Budget, numbers_at
from kibitz.engine.seeds import number
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.lookahead import (
    LOOKAHEAD,
    MOST_WORLDS,
    POINTS,
    Lookahead,
    decided,
    effort_of,
    remember_start,
    simulations_text,
    what_it_expects,
    without_search,
)
from kibitz.games.hanabi.agents.partner import REASONS as PARTNER_REASONS
from kibitz.games.hanabi.agents.partner import best_of, partner, read_extras, score_moves
from kibitz.games.hanabi.agents.person import explained, person
from kibitz.games.hanabi.hand_belief import (
    STRIDE,
    Effort,
    Past,
    as_of,
    continue_hands,
    fill_world,
    keep_listed,
    note_start,
    past_of,
    shares_of_hands,
    split,
    take_hand,
    update_open_kinds,
    ways,
)
from kibitz.games.hanabi.partner_tables import onlookers
from kibitz.games.hanabi.people.inputs import CONTEXT, KINDS_OF_MOVES, WIDEST, read_position
from kibitz.games.hanabi.people.listening import COPY, TYPES, Ears, expect_anybody, hear, new_ears
from kibitz.games.hanabi.people.model import MOST_UNITS, Mind, assume, move_scores, think_as, to_chances
from kibitz.games.hanabi.people.worth import UNITS, VALUES, WORTH, read_worth, worth_of
from kibitz.games.hanabi.rules import HINT, MOVES, apply, event_move, score, to_move
from kibitz.games.hanabi.state import HAND, LOST_SCORES_ZERO, SEATS, STATE, State
from kibitz.games.hanabi.worlds import face_down_counts, observe
from kibitz.search.clock import Limit, goes_on, limit_of, progress
from kibitz.search.racing import (
    PLAYOUTS,
    WORLDS,
    Race,
    all_at_once,
    drop_hopeless,
    halve,
    has_room,
    new_race,
    next_comparison,
    still_running,
    unbeaten,
)
from kibitz.search.worlds import drawn

FILE = Path(__file__).with_name("search_partner.npz")  # made by `benchmarks/search_partner.py train`
HANDS, ENOUGH = 192, 48  # hands sampled, and how many must count after the others' moves
TRIED = 8  # moves at most
FAR = 12.0  # below the best score, in the units of `partner`
HORIZON = 8  # turns that are simulated
SWITCH_Z, BONUS, DROP_Z = 1.0, 0.05, 2.5  # when moves drop out and replace the favourite: `search.racing`
PARTNER, PERSON = range(2)  # the models

REASONS = tuple(f"{reason}{{found}}" for reason in PARTNER_REASONS)
MEMORY = struct_dtype(
    [
        *LOOKAHEAD,
        ("kinds", np.float64, (SEATS, TYPES)),  # by seat: the chance of every kind of partner
        ("heard", np.int64),  # the moves that these chances take into account
    ]
)


class PartnerMemory(Lookahead, Protocol):
    kinds: Any
    heard: int


# The belief


@compiled
def weigh(
    memory: PartnerMemory, past: Past, left: Any, count: int, slots: int, since: int, until: int, ears: Ears
) -> None:
    """Multiply the likelihoods of the listed hands, complete up to some slot, by those of a range of the others' moves.

    The first time that a move is weighed, its mover becomes better known.
    """
    view, now, total = past.pair[SEEN], memory.now[0], np.zeros(TYPES)
    for n in range(since, until):
        who = memory.views[n].to_move | 0
        if who == now.seat:
            continue
        move = event_move(now.history[past.start[0].turn + n])
        total[:] = 0.0
        for place in range(count):
            past.pair[SEEN] = memory.views[n]
            take_hand(now, view, memory.listed[place])
            chance = hear(view, move, memory.kinds[who], ears)
            if n >= memory.heard:
                share = memory.listed_likelihoods[place] * ways(left, memory.listed[place], slots)
                for kind in range(TYPES):
                    total[kind] += share * ears.found[kind]
            memory.listed_likelihoods[place] *= chance
        if n >= memory.heard and count > 0:
            learn(memory.kinds[who], total)


@compiled
def learn(kinds: Any, likelihoods: Any) -> None:
    """Bayes' rule."""
    whole = 0.0
    for kind in range(TYPES):
        kinds[kind] *= likelihoods[kind]
        whole += kinds[kind]
    for kind in range(TYPES):
        kinds[kind] /= whole


@compiled
def counting(memory: PartnerMemory, left: Any, count: int, held: int) -> float:
    """The effective number of the listed hands."""
    whole = squares = 0.0
    for place in range(count):
        share = memory.listed_likelihoods[place] * ways(left, memory.listed[place], held)
        whole += share
        squares += share * share
    return whole * whole / squares if squares > 0.0 else 0.0


@compiled
def hands_from_start(memory: PartnerMemory, past: Past, left: Any, effort: Effort, stream: int, ears: Ears) -> int:
    """List hands by the whole game, extended card by card from the oldest; returns their number."""
    view = memory.now[0]
    held = view.held[view.seat]
    memory.listed[0], memory.listed_likelihoods[0] = 0, 1.0
    count, since, until = 1, 0, 0
    for slot in range(held):
        count = split(memory, left, count, slot, effort.max_hands, stream)
        if slot == held - 1:
            until = past.moves
        else:
            while until < past.moves and memory.views[until].drawn <= view.hands[view.seat][slot + 1]:
                until += 1
        weigh(memory, past, left, count, slot + 1, since, until, ears)
        since = until
    return count


@compiled
def update_belief(memory: PartnerMemory, past: Past, effort: Effort, ears: Ears) -> None:
    """Update the belief to the view it contains: from that of the last turn if enough of its hands remain."""
    view = memory.now[0]
    if memory.turn == view.turn and memory.count > 0:
        return
    update_open_kinds(memory, past)
    stream, left, held = number(view.turn, view.seat), face_down_counts(view), view.held[view.seat] | 0
    count, last = 0, memory.turn - past.start[0].turn
    if memory.count > 0 and memory.turn + view.players == view.turn:
        count = continue_hands(memory, past, left, effort, stream)
        weigh(memory, past, left, count, held, last + 1, past.moves, ears)
        memory.heard = past.moves if count > 0 else memory.heard
    if counting(memory, left, count, held) < ENOUGH:
        count = hands_from_start(memory, past, left, effort, number(stream, 1), ears)
    memory.heard, memory.count, memory.turn, memory.exact = past.moves, 0, view.turn, 0
    keep_listed(memory, left, count)


@compiled
def update_by_turns(view: State, memory: PartnerMemory, past: Past, effort: Effort, ears: Ears) -> None:
    """Update the belief at every own turn since the last update, and now, so that skipped turns change nothing."""
    for n in range(memory.heard, past.moves):
        if memory.views[n].to_move == view.seat and memory.views[n].turn > memory.turn - (memory.count == 0):
            memory.now[0] = memory.views[n]
            update_belief(memory, as_of(past, n), effort, ears)
    memory.now[0] = view
    update_belief(memory, past, effort, ears)


# Playouts


class Cast(NamedTuple):
    """The players of a playout, and buffers."""

    kinds: Any  # by seat
    linear: Any  # by seat: the parts of `Mind`
    outputs: Any
    buffer: Any
    chances: Any
    sums: Any
    worth: Any


@compiled
def new_cast() -> Cast:
    return Cast(
        np.zeros(SEATS, np.int64), np.zeros((SEATS, KINDS_OF_MOVES, CONTEXT + WIDEST)),
        np.zeros((SEATS, KINDS_OF_MOVES, MOST_UNITS)), np.zeros((2, MOST_UNITS)), np.zeros(MOVES), np.zeros(UNITS),
        np.zeros(VALUES),
    )  # fmt: skip


@compiled
def mind_of(cast: Cast, seat: int) -> Mind:
    return Mind(cast.linear[seat], cast.outputs[seat], cast.buffer)


@compiled
def choose_cast(memory: PartnerMemory, view: State, stream: int, ears: Ears, cast: Cast) -> None:
    """Draw somebody for every other seat."""
    for seat in range(view.players):
        cast.kinds[seat] = COPY
        if seat != view.seat:
            share, kind = number(stream, seat) * SHARE - memory.kinds[seat, 0], 0
            while share >= 0.0 and kind < COPY:
                kind += 1
                share -= memory.kinds[seat, kind]
            cast.kinds[seat] = kind
            if kind != COPY:
                think_as(ears.people, ears.habits[kind], mind_of(cast, seat))


@compiled
def move_of_cast(view: State, cast: Cast, ears: Ears, luck: float) -> int:
    """A move of the seat to move, which sees this view: the best one, or that of a person by luck."""
    room, chances, seat = ears.room, cast.chances, view.seat
    count, row = read_position(view, room), 0
    if cast.kinds[seat] == COPY:
        read_extras(view, room, count, ears.extras)
        score_moves(view, ears.partner, room, ears.extras, count, chances)
        return room.moves[best_of(chances, count)]
    move_scores(ears.people, mind_of(cast, seat), room, count, chances)
    assume(view, ears.people, room, count, chances)
    to_chances(chances, count)
    while row < count - 1 and luck >= chances[row]:
        luck -= chances[row]
        row += 1
    return room.moves[row]


@compiled
def payoff_of(
    pair: Any, world: Any, move: int, me: int, stream: int, cast: Cast, ears: Ears, weights: Numbers
) -> float:
    """The payoff after a move in a world, with the same luck for every move."""
    pair[WORLD] = world[0]
    state = pair[WORLD]
    last = state.turn + HORIZON
    apply(state, move)
    while to_move(state) >= 0:
        if state.turn >= last:
            read_worth(state, me, cast.worth)
            return worth_of(cast.worth, weights, 0 if state.rules & LOST_SCORES_ZERO else WORTH, cast.sums)
        observe(pair, state.to_move, False)
        apply(state, move_of_cast(pair[SEEN], cast, ears, number(stream, state.turn) * SHARE))
    return score(state) / POINTS


@compiled
def try_moves(memory: PartnerMemory, past: Past, race: Race, limit: Limit, ears: Ears, weights: Numbers) -> None:
    """Race the moves in worlds drawn from the belief, until one is left or the budget is spent."""
    view, pair, cast = memory.now[0], past.pair, new_cast()
    world, parameters = np.zeros(1, STATE), all_at_once(DROP_Z, SWITCH_Z, BONUS / POINTS)
    shares = np.empty(memory.count)
    shares_of_hands(memory, shares)
    offset, look, n = number(view.dice, 0) * SHARE, next_comparison(0), 0
    while has_room(race) and still_running(race) > 1 and goes_on(limit, race.done[PLAYOUTS]):
        stream = number(view.dice, 1 + n)
        fill_world(view, world, memory.hands[drawn(shares, (offset + n * STRIDE) % 1.0)], stream)
        choose_cast(memory, view, number(stream, 1), ears, cast)
        for place in range(race.moves.shape[0]):
            if race.running[place]:
                move = race.moves[place]
                race.payoffs[n, place] = payoff_of(pair, world, move, view.seat, number(stream, 2), cast, ears, weights)
                race.done[PLAYOUTS] += 1
                race.visits[place] += 1
        n += 1
        race.done[WORLDS] = n
        halve(race, parameters, progress(limit, race.done[PLAYOUTS]))
        if n == look:
            if unbeaten(race):
                break
            drop_hopeless(race, parameters)
            look = next_comparison(n)


# The agent


@compiled
def moves_to_try(view: State, ears: Ears, scores: Any) -> Any:
    """The moves that `partner` holds to be best, the best first, but none that it scores far below."""
    count = read_position(view, ears.room)
    read_extras(view, ears.room, count, ears.extras)
    score_moves(view, ears.partner, ears.room, ears.extras, count, scores)
    tried = np.zeros(min(TRIED, count), np.int64)
    highest = 0.0
    for place in range(tried.shape[0]):
        best = best_of(scores, count)
        highest = scores[best] if place == 0 else highest
        if scores[best] < highest - FAR:
            return tried[:place]
        tried[place] = ears.room.moves[best]
        scores[best] = -np.inf
    return tried


@compiled
def with_reason(view: State, move: int, ears: Ears) -> int:
    """The move with the reason that `partner` would have for it."""
    read_position(view, ears.room)
    slot = move % HAND if move < HINT else 0
    return explained(view, move, ears.room.hand.fits[slot], ears.room.hand.dead[slot])


def trained() -> Weights:
    """The weights that come with Hanabi, by number of players."""
    return Weights(np.zeros(2 * WORTH)).from_file(FILE)


def check_models(agent: CompiledAgent) -> None:
    if [model.decide for model in agent.models] != [partner.decide, person.decide]:
        raise KibitzError(f"{agent.name} searches with partner and person, and takes no other models.")


def what_was_found(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """The expected points and the next best moves; nothing without a search."""
    if memory["simulations"] == 0:
        return {"found": ""}
    found = what_it_expects(memory, simulations_text(memory))
    return {"found": f"; I expect {found['points']} points{found['found']}"}


@agent(
    title="Thoughtful Theo",
    reasons=REASONS,
    origin="kibitz (docs/explanation/partner.md)",
    random=True,
    searches=True,
    budget=Budget(1000),
    memory=MEMORY,
    observe=remember_start,
    models=(partner, person),
    weights=trained(),
    check=check_models,
    reason_variables=what_was_found,
)
def search_partner(view: State, memory: PartnerMemory, models: Any, weights: Numbers, budget: Budget) -> int:
    """Plays like Partner Pat, and thinks ahead: it tries its best moves in games with people as it knows them by now.

    It learns your habits from your moves. A hint on one card means: play it.
    """
    limit = limit_of(budget)
    ears = new_ears(
        numbers_at(models[PERSON].weights, models[PERSON].weight_count),
        numbers_at(models[PARTNER].weights, models[PARTNER].weight_count),
    )
    note_start(view, memory)
    if memory.kinds[0, COPY] == 0.0:
        for seat in range(view.players):
            expect_anybody(view.players, memory.kinds[seat])
    past = past_of(memory, view, onlookers(models[:0]))
    effort = effort_of(budget, HANDS, ENOUGH, 1)
    update_by_turns(view, memory, past, effort, ears)
    moves = moves_to_try(view, ears, np.zeros(MOVES))
    if moves.shape[0] == 1 or memory.count == 0 or limit.iterations <= moves.shape[0]:
        without_search(memory, moves[0], 0)
        return with_reason(view, moves[0], ears)
    race = new_race(moves, min(limit.iterations // 2 + 1, MOST_WORLDS))
    try_moves(memory, past, race, limit, ears, weights)
    decided(memory, view, race, all_at_once(DROP_Z, SWITCH_Z, BONUS / POINTS), False)
    return with_reason(view, memory.chosen, ears)
