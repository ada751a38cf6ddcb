"""Search over a blueprint: playouts of every move by another agent, in worlds that agree with the moves made so far.

The blueprint is the model of all players. Moves that it would not have made rule out hands of the searcher
(`hanabi.hand_belief`), and it plays the sampled worlds to their end (`search.racing`). The searcher departs from the
blueprint's move only for one that is clearly better. This is sound with partners who play the blueprint.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.core.agent import CompiledAgent
from kibitz.core.weights import Numbers, load_weights
from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import SHARE
from kibitz.engine.loop import WORLD, replay_memories
from kibitz.engine.seat import Budget, decide_at, has, seat_models
from kibitz.engine.seeds import number
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.lookahead import (
    LOOKAHEAD,
    MOST_WORLDS,
    NO_TIME,
    ONLY_MOVE,
    POINTS,
    Lookahead,
    candidates,
    decided,
    effort_of,
    model_move,
    remember_start,
    simulations_text,
    what_it_expects,
    without_search,
)
from kibitz.games.hanabi.agents.signal.player import signal
from kibitz.games.hanabi.agents.trustful import trustful
from kibitz.games.hanabi.cards import ALL, KINDS
from kibitz.games.hanabi.hand_belief import (
    STRIDE,
    Effort,
    Past,
    as_of,
    fill_world,
    likelihood,
    past_of,
    shares_of_hands,
    update_belief,
)
from kibitz.games.hanabi.knowledge import playable, possible, useless
from kibitz.games.hanabi.last_cards import count_worlds, list_worlds
from kibitz.games.hanabi.reason_words import seat_name
from kibitz.games.hanabi.rules import legal
from kibitz.games.hanabi.state import CARDS, LONGEST, SEATS, STATE, State
from kibitz.search.clock import Limit, limit_of, milliseconds, progress
from kibitz.search.model_playout import play_with_models, restore
from kibitz.search.racing import (
    COMPARED_EVERY,
    FAVOURITE,
    FIRST_SHARE,
    PLAYOUTS,
    PROBES,
    WORLDS,
    Race,
    RacingParameters,
    all_settled,
    alternate,
    clear_race,
    drop_hopeless,
    favourite_first,
    halve,
    has_room,
    new_race,
    record_favourite,
    record_other,
    still_running,
    tried_enough,
)
from kibitz.search.two_turns import value_of_move, value_of_two_turns
from kibitz.search.worlds import drawn

NOT_ITS_TURN = NO_TIME + 1
REASONS = (
    "I {move} and expect {points} points{found}",
    "I {move} and expect {points} points; no other move is clearly better{found}",
    "I {move}: it is the only legal move",
    "I {move}: there is no time to search",
    "I {move}: we agreed not to search yet",
)

NAMES = (
    "switch_z", "bonus", "drop_z", "plies", "full_playout_deck", "max_hands", "max_hands_by_convention",
    "min_hands", "rounds", "deck", "truthful_moves", "false", "surprise",
)  # fmt: skip
(
    SWITCH_Z, BONUS, DROP_Z, PLIES, FULL_PLAYOUT_DECK, MAX_HANDS, MAX_HANDS_BY_CONVENTION,
    MIN_HANDS, ROUNDS, DECK, TRUTHFUL_MOVES, FALSE, SURPRISE,
) = range(len(NAMES))  # fmt: skip
WEIGHTS = load_weights(Path(__file__).with_name("search.toml"), NAMES)
MIN_SURPRISES = 3  # a seat with this number of surprising moves, and a majority of them, is a stranger
STRANGER_SLACK = 0.05  # the likelihood of a stranger's move that the blueprint would not have made
LATE_PLAYOUTS = 8  # playouts of the last cards that cost as much as one from mid-game
PER_MILLISECOND = 20  # playouts
EXACT_BONUS = 0.01  # points by which another move must be better if all worlds were searched

MEMORY = struct_dtype(
    [
        *LOOKAHEAD,
        ("strange", np.int64),  # a mask of the seats with a move that no hand explains
        ("dice", np.int64),  # whether the blueprint is random
    ]
)


class SearchMemory(Lookahead, Protocol):
    strange: int
    dice: int


@compiled
def blueprint_move(view: State, past: Past) -> int:
    """The blueprint's move in the searcher's place."""
    restore(past.seats, past.rooms[past.moves])
    return model_move(view, past.seats.seats[view.seat])


@compiled
def moves_to_try(view: State, past: Past, weights: Numbers) -> int:
    """The legal moves or, by weight, those that are truthful by the blueprint's conventions.

    If partners may make untruthful moves, plays with one life left must be certain by hints alone.
    """
    if weights[TRUTHFUL_MOVES] != 0.0:
        return truthful_moves(view, past)
    moves = legal(view)
    if view.lives == 1 and knows_truth(past):
        for slot in range(view.held[view.seat]):
            moves &= ~(int(possible(view, view.seat, slot) & ~playable(view) != 0) << slot)
    return moves


@compiled
def truthful_moves(view: State, past: Past) -> int:
    """The legal moves that are truthful by the blueprint's conventions; all, if it does not declare which are."""
    if not knows_truth(past):
        return legal(view)
    restore(past.seats, past.rooms[past.moves])
    struct = past.seats.seats[view.seat]
    return decide_at(struct.truthful_moves, view, struct)


@compiled
def penalties(view: State, moves: Any, past: Past, weights: Numbers) -> Any:
    """The penalty of each move: untruthful moves mislead partners, also those who search."""
    true, taken = truthful_moves(view, past) if weights[FALSE] > 0.0 else legal(view), np.zeros(moves.shape[0])
    for place in range(moves.shape[0]):
        taken[place] = 0.0 if has(true, moves[place]) else weights[FALSE] / POINTS
    return taken


# The agreement of players who search over the same blueprint: when to search, and how to interpret each other's moves.


@compiled
def may_search(view: State, weights: Numbers) -> bool:
    return CARDS - view.drawn <= weights[DECK]


@compiled
def knows_truth(past: Past) -> bool:
    """Whether the blueprint declares its truthful moves. Over other blueprints only one seat can search."""
    return past.seats.seats[0].truthful_moves != 0


@compiled
def set_slack(memory: SearchMemory, past: Past, strange: int, weights: Numbers) -> None:
    """Set the likelihood of every move in case that the blueprint would not have made it."""
    for n in range(past.moves):
        surprise = weights[SURPRISE] if knows_truth(past) and may_search(memory.views[n], weights) else 0.0
        memory.slack[n] = max(surprise, STRANGER_SLACK if has(strange, memory.views[n].to_move) else 0.0)


@compiled
def update_belief_or_find_strangers(memory: SearchMemory, past: Past, effort: Effort, weights: Numbers) -> None:
    """Update the belief by the others' moves.

    If no hand is left, somebody does not play the blueprint: a single seat if that explains it, else all. From then on,
    their moves are weaker evidence.
    """
    view = memory.now[0]
    everybody = (1 << view.players) - 1
    for who in range(-1, view.players + 1):
        if who == view.seat or (who >= 0 and has(memory.strange, who)):
            continue
        strange = memory.strange
        if who == view.players:
            strange = everybody
        elif who >= 0:
            strange |= 1 << who
        set_slack(memory, past, strange, weights)
        memory.trusts = strange == 0
        update_belief(memory, past, effort)
        if memory.count > 0:
            memory.strange = strange | (surprising(memory, past) if knows_truth(past) else 0)
            break


@compiled
def surprising(memory: SearchMemory, past: Past) -> int:
    """A mask of the seats that mostly made other moves than the blueprint would with the likeliest hand in sight.

    With slack for surprises, a stranger's moves do not rule out all hands, so strangers must be found this way.
    """
    moves, surprises = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    likeliest = 0
    for n in range(memory.count):
        likeliest = n if memory.likelihoods[n] > memory.likelihoods[likeliest] else likeliest
    for n in range(past.moves):
        seat = memory.views[n].to_move
        if memory.slack[n] > 0.0 and seat != memory.now[0].seat:
            moves[seat] += 1
            surprises[seat] += likelihood(memory, past, memory.hands[likeliest], n, n + 1) < 1.0
    strange = 0
    for seat in range(SEATS):
        strange |= int(surprises[seat] >= MIN_SURPRISES and 2 * surprises[seat] > moves[seat]) << seat
    return strange


@compiled
def update_by_turns(view: State, memory: SearchMemory, past: Past, effort: Effort, weights: Numbers) -> None:
    """Update the belief at every own turn since the last update, and now.

    A player that skipped some turns then believes the same as one that did not. With a time limit, only now.
    """
    if effort.deadline == np.inf:
        for n in range(past.moves):
            mine = memory.views[n].to_move == view.seat and may_search(memory.views[n], weights)
            if mine and memory.views[n].turn > memory.turn - (memory.count == 0):
                memory.now[0] = memory.views[n]
                update_belief_or_find_strangers(memory, as_of(past, n), effort, weights)
        memory.now[0] = view
    update_belief_or_find_strangers(memory, past, effort, weights)


@compiled
def playouts_of(budget: Budget) -> int:
    """The number of playouts in the budget, estimated if it is a time."""
    return budget.iterations if budget.iterations > 0 else PER_MILLISECOND * budget.milliseconds


@compiled
def search_all_worlds(memory: SearchMemory, past: Past, race: Race, playouts: int, limit: Limit) -> bool:
    """With few cards left, evaluate the moves in all worlds, and if the budget allows, with the best next move.

    Returns whether that was done. The race then has a single world, with the exact values.
    """
    moves, me = race.moves.shape[0], memory.now[0].seat
    count = count_worlds(memory, LATE_PLAYOUTS * playouts // moves)
    if count == 0:
        return False
    pool, log = list_worlds(memory, past, count), np.zeros(LONGEST, np.int64)
    further = count * moves * moves <= LATE_PLAYOUTS * playouts
    for place in range(moves):
        value, made = 0.0, count
        if further:
            value, made = value_of_two_turns(pool, race.moves[place], past.seats, past.pair, log, me, limit)
        else:
            value = value_of_move(pool, race.moves[place], past.seats, past.pair, log, me, limit)
        if milliseconds() > limit.deadline:
            clear_race(race)
            return False
        if place == FAVOURITE:
            record_favourite(race, value, most_points(memory.now[0]))
        else:
            record_other(race, place, value)
        race.done[PLAYOUTS] += made - 1
        if all_settled(race):
            break
    return True


@compiled
def most_points(view: State) -> float:
    """The payoff if all cards that can still be played are."""
    return (KINDS - count_bits(useless(view) & ~view.played)) / POINTS


class Worlds(NamedTuple):
    """Worlds drawn from the belief, and working space for playouts."""

    shares: Any  # the cumulative weights of the hands
    stream: int
    world: Any
    memories: Any  # of the models in that world
    log: Any  # its length limits the playouts: see `last_turn`


@compiled
def last_turn(view: State, past: Past, weights: Numbers) -> int:
    """The last turn of playouts. If the game is not over then, the blueprint estimates its payoff."""
    to_the_end = (
        past.seats.seats[0].estimate == 0 or weights[PLIES] == 0.0 or CARDS - view.drawn <= weights[FULL_PLAYOUT_DECK]
    )
    return LONGEST if to_the_end else min(view.turn + int(weights[PLIES]), LONGEST)


@compiled
def worlds_of(memory: SearchMemory, past: Past, stream: int, weights: Numbers) -> Worlds:
    shares = np.empty(memory.count)
    shares_of_hands(memory, shares)
    room = past.rooms[past.moves].copy()
    log = np.zeros(last_turn(memory.now[0], past, weights), np.int64)
    return Worlds(shares, stream, np.zeros(1, STATE), room, log)


@compiled
def draw_world(memory: SearchMemory, past: Past, worlds: Worlds, n: int) -> None:
    """Write the n-th world, and the models' memories in it."""
    hand = memory.hands[drawn(worlds.shares, (number(worlds.stream, 0) * SHARE + n * STRIDE) % 1.0)]
    fill_world(memory.now[0], worlds.world, hand, number(worlds.stream, 1 + n))
    if past.seats.remembers:
        past.pair[WORLD] = worlds.world[0]
        replay_memories(past.start, past.pair, past.seats)
        for word in range(worlds.memories.shape[0]):
            worlds.memories[word] = past.seats.room[word]


@compiled
def payoff_of(move: int, worlds: Worlds, past: Past, me: int) -> float:
    """The payoff of a move in the drawn world."""
    return play_with_models(worlds.world, worlds.memories, move, past.seats, past.pair, worlds.log, me)


@compiled
def try_favourite(memory: SearchMemory, past: Past, worlds: Worlds, race: Race) -> None:
    """Try the blueprint's move in one more world."""
    view = memory.now[0]
    draw_world(memory, past, worlds, race.done[WORLDS])
    record_favourite(race, payoff_of(race.moves[FAVOURITE], worlds, past, view.seat), most_points(view))


@compiled
def try_moves(
    memory: SearchMemory,
    past: Past,
    race: Race,
    parameters: RacingParameters,
    limit: Limit,
    stream: int,
    weights: Numbers,
) -> None:
    """Race the moves in worlds drawn from the belief, until one is left or the budget is spent."""
    view = memory.now[0]
    taken = penalties(view, race.moves, past, weights)
    worlds, room = worlds_of(memory, past, stream, weights), race.settled.shape[0]
    while has_room(race) and progress(limit, race.done[PLAYOUTS]) < FIRST_SHARE:
        try_favourite(memory, past, worlds, race)
        if race.done[WORLDS] == PROBES and all_settled(race):
            return
    alternate(race)
    first, tried = progress(limit, race.done[PLAYOUTS]), 0
    while still_running(race) > 1 and progress(limit, race.done[PLAYOUTS]) < 1.0 and tried < room:
        if tried == race.done[WORLDS]:
            try_favourite(memory, past, worlds, race)
        draw_world(memory, past, worlds, race.order[tried])
        for place in range(1, race.moves.shape[0]):
            if race.running[place]:
                record_other(race, place, payoff_of(race.moves[place], worlds, past, view.seat) - taken[place])
        tried += 1
        halve(race, parameters, (progress(limit, race.done[PLAYOUTS]) - first) / (1.0 - first))
        if tried % COMPARED_EVERY == 0:
            drop_hopeless(race, parameters)


@compiled
def parameters_of(weights: Numbers, exact: bool) -> RacingParameters:
    """When moves drop out and replace the blueprint's; after an exact search, a tiny lead is enough."""
    if exact:
        return favourite_first(0.0, 0.0, EXACT_BONUS / POINTS)
    return favourite_first(weights[DROP_Z], weights[SWITCH_Z], weights[BONUS] / POINTS)


def check_blueprint(agent: CompiledAgent) -> None:
    for model in agent.models:
        if model.traits.cheats:
            raise KibitzError(f"{agent.name} cannot search over {model.name}, which sees its own hand.")
        if model.traits.searches:
            raise KibitzError(
                f"{agent.name} cannot search over {model.name}, which searches itself: that would take too long."
            )
    if len(agent.models) != 1:
        raise KibitzError(f"{agent.name} searches over one agent, as search:trustful does, not {len(agent.models)}.")


def saw_the_deal(start: Any) -> bool:
    """Whether a game was seen from its deal on: no card played or discarded, and no hint given."""
    hinted = any((start["hinted_kinds"][seat][:held] != ALL).any() for seat, held in enumerate(start["held"]))
    return int(start["drawn"]) == int(start["held"].sum()) and not start["turn"] and not start["played"] and not hinted


def what_was_found(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """The expected score, the next best moves, and what both are based on."""
    hands = int(memory["count"])
    known = f"{hands:,} {'possible' if memory['exact'] else 'sampled'} hands" if hands > 1 else "the only possible hand"
    based_on = [f"{known} and {simulations_text(memory)}"]
    strangers = [seat_name(seat) for seat in range(SEATS) if int(memory["strange"]) >> seat & 1]
    if strangers:
        who = "some players do" if len(strangers) > 1 else f"{strangers[0]} does"
        based_on.append(f"{who} not play like the model, so moves say less")
    if memory["dice"]:
        based_on.append("the model is random, so moves say less")
    if not saw_the_deal(memory["start"][0]):
        based_on.append("I do not know how this position came about")
    return what_it_expects(memory, "; ".join(based_on))


@agent(
    title="Farsighted Fran",
    reasons=REASONS,
    origin="Lerer, Hu, Foerster and Brown 2020",
    random=True,
    searches=True,
    budget=Budget(1000),
    memory=MEMORY,
    observe=remember_start,
    models=(trustful,),
    weights=WEIGHTS,
    check=check_blueprint,
    reason_variables=what_was_found,
)
def search(view: State, memory: SearchMemory, models: Any, weights: Numbers, budget: Budget) -> int:
    """Simulates every move with all hands it may hold, as if everybody played like Trusting Taylor, and makes the move
    with the best results.

    It infers its hand from the others' moves: Trusting Taylor must have made them with that hand in sight. With
    partners who play like that, searching loses nothing. Any other agent can be searched over instead.
    """
    limit = limit_of(budget)
    seats = seat_models(models, np.zeros(view.players, np.int64))
    past = past_of(memory, view, seats)
    memory.dice = seats.seats[0].random
    favourite = blueprint_move(view, past)
    if not may_search(view, weights):
        return without_search(memory, favourite, NOT_ITS_TURN)
    moves = candidates(moves_to_try(view, past, weights), favourite)
    if moves.shape[0] == 1:
        return without_search(memory, favourite, ONLY_MOVE)
    max_hands = weights[MAX_HANDS_BY_CONVENTION] if knows_truth(past) else weights[MAX_HANDS]
    effort = effort_of(budget, max_hands, weights[MIN_HANDS], weights[ROUNDS])
    update_by_turns(view, memory, past, effort, weights)
    if memory.count == 0:
        return without_search(memory, favourite, NO_TIME)
    race = new_race(moves, min(limit.iterations, MOST_WORLDS))
    exact = search_all_worlds(memory, past, race, playouts_of(budget), limit)
    parameters = parameters_of(weights, exact)
    if not exact:
        try_moves(memory, past, race, parameters, limit, view.dice, weights)
        if not tried_enough(race):
            return without_search(memory, favourite, NO_TIME)
    return decided(memory, view, race, parameters, exact)


search_signal = replace(
    search,
    name="search_signal",
    title="Summing Seer",
    description="""Simulates every move with all hands it may hold, as if everybody played like Summing Sasha, and makes
the move with the best results; with three players or more, only truthful ones.

Partners who do the same know when each of them searches, and what their moves still mean then. It needs partners who
play like Summing Sasha, or like itself.""",
    models=(signal,),
    budget=Budget(400),
)
