"""Search over a blueprint: every move is played on by another agent, in worlds that this agent's moves left possible.

The agent searched over, the blueprint, is a model of everybody: what it would have done tells which hands the searcher
may hold (`hanabi.hand_belief`), and it plays the worlds to their end (`search.paired`). The searcher makes another move
than the blueprint's only where that is clearly worth more. It is sound with partners who play the blueprint.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.core.agent import CompiledAgent
from kibitz.core.weights import Numbers, load_weights
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import SHARE
from kibitz.engine.expectation import FOUND
from kibitz.engine.loop import WORLD, decision, move_of, replay_memories
from kibitz.engine.seat import Budget, decide_at, has, seat_models
from kibitz.engine.seeds import number
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.signal.player import signal
from kibitz.games.hanabi.agents.trustful import trustful
from kibitz.games.hanabi.cards import ALL, KINDS
from kibitz.games.hanabi.hand_belief import (
    BELIEF,
    STRIDE,
    Belief,
    Effort,
    Past,
    as_of,
    believe,
    fill_world,
    likelihood,
    note_start,
    past_of,
    shares_of_hands,
)
from kibitz.games.hanabi.knowledge import playable, possible, useless
from kibitz.games.hanabi.last_cards import count_worlds, list_worlds
from kibitz.games.hanabi.moves import Move
from kibitz.games.hanabi.reason_words import seat_name
from kibitz.games.hanabi.rules import legal
from kibitz.games.hanabi.state import CARDS, LONGEST, SEATS, STATE, State
from kibitz.search.clock import Limit, limit_of, milliseconds, progress
from kibitz.search.favourite import (
    FAVOURITE,
    FIRST_SHARE,
    LOOKS,
    PROBES,
    Race,
    always_best,
    clear_race,
    drop_hopeless,
    halve,
    mean_of,
    no_race,
    note_favourite,
    note_other,
    take_turns,
    tried_enough,
    verdict,
)
from kibitz.search.paired import Terms, Verdict, play_on, restore, still_running
from kibitz.search.two_turns import value_of_move, value_of_two_turns
from kibitz.search.worlds import drawn

POINTS = 25  # a payoff of 1
BEST_OF_REST = 3  # moves that a reason speaks of besides
MOST_WORLDS = 1 << 13

BETTER, SAME, ONLY_MOVE, NO_TIME, NOT_ITS_TURN = range(5)
REASONS = (
    "search: {points} points expected{found}",
    "search: {points} points expected, and no other move promises clearly more{found}",
    "the only legal move",
    "no time to search: the move it would make without",
    "by agreement it does not search yet",
)

NAMES = (
    "leave", "bonus", "drop", "plies", "whole", "hands", "said", "enough", "rounds",
    "deck", "truthful_moves", "false", "surprise",
)  # fmt: skip
(
    LEAVE, BONUS, DROP, PLIES, WHOLE, HANDS, SAID, ENOUGH, ROUNDS,
    DECK, TRUTHFUL_MOVES, FALSE, SURPRISE,
) = range(len(NAMES))  # fmt: skip
WEIGHTS = load_weights(Path(__file__).with_name("search.toml"), NAMES)
MANY = 3  # surprising moves, and more than half of all, make a stranger
STRANGE = 0.05  # how likely a move is that the blueprint would not have made, of who is known to make such moves
SHORT = 8  # playouts of the last cards that count as one: they are as much shorter
PER_MILLISECOND = 20  # playouts
HARDLY = 0.01  # points by which another move must be better where all worlds were looked into

MEMORY = struct_dtype(
    [
        *((name, FOUND[name]) for name in FOUND.names or ()),
        *BELIEF,
        ("strange", np.int64),  # a mask of the seats that did what the blueprint would not have done with any hand
        ("worlds", np.int64),  # in which moves were tried
        ("dice", np.int64),  # whether the blueprint draws dice
        ("others", np.int64, BEST_OF_REST),  # the best of the other moves; −1 where there is none
        ("other_values", np.float64, BEST_OF_REST),
    ]
)


class Memory(Belief, Protocol):
    value: float
    tries: int
    trials: int
    strange: int
    worlds: int
    dice: int
    others: Any
    other_values: Any


def remember_start(view: State, memory: Memory) -> None:
    note_start(view, memory)


@compiled
def blueprint_move(view: State, past: Past) -> int:
    """What the blueprint would do now in the searcher's place."""
    restore(past.seats, past.rooms[past.moves])
    struct = past.seats.seats[view.seat]
    move = move_of(decide_at(struct.decide, view, struct))
    moves = legal(view)
    return move if moves >> move & 1 else lowest_bit(moves)


@compiled
def moves_to_try(view: State, past: Past, weights: Numbers) -> int:
    """The legal moves, or those of them that tell nothing false by the blueprint's conventions if it knows which.

    Where partners may tell what is not so, with one life left no plays but those that must fit by hints.
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
    """The legal moves that tell nothing false by the blueprint's conventions; all, if it does not know which do."""
    if not knows_truth(past):
        return legal(view)
    restore(past.seats, past.rooms[past.moves])
    struct = past.seats.seats[view.seat]
    return decide_at(struct.truthful_moves, view, struct)


@compiled
def penalties(view: State, moves: Any, past: Past, weights: Numbers) -> Any:
    """What is taken off the payoff of each move: a partner who searches, too, is misled by what is false."""
    true, taken = truthful_moves(view, past) if weights[FALSE] > 0.0 else legal(view), np.zeros(moves.shape[0])
    for place in range(moves.shape[0]):
        taken[place] = 0.0 if has(true, moves[place]) else weights[FALSE] / POINTS
    return taken


@compiled
def candidates(moves: int, favourite: int) -> Any:
    """The moves to be compared, the favourite first."""
    moves |= 1 << favourite
    listed = np.empty(count_bits(moves), np.int64)
    listed[0] = favourite
    moves &= ~(1 << favourite)
    for place in range(1, listed.shape[0]):
        listed[place] = lowest_bit(moves)
        moves &= moves - 1
    return listed


# What those agree on who search over the same blueprint: when they do, and what they make of each other's moves.


@compiled
def may_search(view: State, weights: Numbers) -> bool:
    return CARDS - view.drawn <= weights[DECK]


@compiled
def knows_truth(past: Past) -> bool:
    """Whether the blueprint knows which moves tell nothing false. Of another only one seat can search."""
    return past.seats.seats[0].truthful_moves != 0


@compiled
def set_slack(memory: Memory, past: Past, strange: int, weights: Numbers) -> None:
    """Say of every move how likely it was though the blueprint would not have made it."""
    for n in range(past.moves):
        surprise = weights[SURPRISE] if knows_truth(past) and may_search(memory.views[n], weights) else 0.0
        memory.slack[n] = max(surprise, STRANGE if has(strange, memory.views[n].to_move) else 0.0)


@compiled
def believe_what_fits(memory: Memory, past: Past, effort: Effort, weights: Numbers) -> None:
    """Believe what the others' moves leave possible.

    If that is nothing, somebody does not play the blueprint: if it can be one alone, that one, else everybody. From
    then on their moves count for less.
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
        believe(memory, past, effort)
        if memory.count > 0:
            memory.strange = strange | (surprising(memory, past) if knows_truth(past) else 0)
            break


@compiled
def surprising(memory: Memory, past: Past) -> int:
    """The seats, as a mask, whose moves the blueprint mostly would not have made with the likeliest hand in sight.

    Where surprises are allowed for, moves of a stranger do not rule out every hand.
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
        strange |= int(surprises[seat] >= MANY and 2 * surprises[seat] > moves[seat]) << seat
    return strange


@compiled
def believe_by_turns(view: State, memory: Memory, past: Past, effort: Effort, weights: Numbers) -> None:
    """Believe what fits, at every own turn since it last did, and now.

    So who was not asked for some turns believes the same as who was. There is no time for that if time is short.
    """
    if effort.deadline == np.inf:
        for n in range(past.moves):
            mine = memory.views[n].to_move == view.seat and may_search(memory.views[n], weights)
            if mine and memory.views[n].turn > memory.turn - (memory.count == 0):
                memory.now[0] = memory.views[n]
                believe_what_fits(memory, as_of(past, n), effort, weights)
        memory.now[0] = view
    believe_what_fits(memory, past, effort, weights)


@compiled
def playouts_of(budget: Budget) -> int:
    """How often models may play on, roughly, if the budget is a time."""
    return budget.iterations if budget.iterations > 0 else PER_MILLISECOND * budget.milliseconds


@compiled
def try_everything(memory: Memory, past: Past, race: Race, playouts: int, limit: Limit) -> bool:
    """With few cards left: try the moves in every world, and one own turn further if the budget allows for it.

    Whether that was done. What a move is worth stands in the trials as if there were one world.
    """
    moves, me = race.moves.shape[0], memory.now[0].seat
    count = count_worlds(memory, SHORT * playouts // moves)
    if count == 0:
        return False
    pool, log = list_worlds(memory, past, count), np.zeros(LONGEST, np.int64)
    further = count * moves * moves <= SHORT * playouts
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
            note_favourite(race, value, most_points(memory.now[0]))
        else:
            note_other(race, place, value)
        race.done[1] += made - 1
        if always_best(race):
            break
    return True


@compiled
def most_points(view: State) -> float:
    """The payoff of a game in which nothing more goes wrong."""
    return (KINDS - count_bits(useless(view) & ~view.played)) / POINTS


class Worlds(NamedTuple):
    """Worlds drawn from the belief, and room to play them on in."""

    shares: Any  # of the hands: of all up to each
    stream: int
    world: Any
    memories: Any  # of the models in that world
    log: Any  # as long as games are played on: up to this turn


@compiled
def last_turn(view: State, past: Past, weights: Numbers) -> int:
    """The turn up to which worlds are played on. If the game is not over then, the blueprint says what it is worth."""
    to_the_end = past.seats.seats[0].estimate == 0 or weights[PLIES] == 0.0 or CARDS - view.drawn <= weights[WHOLE]
    return LONGEST if to_the_end else min(view.turn + int(weights[PLIES]), LONGEST)


@compiled
def worlds_of(memory: Memory, past: Past, stream: int, weights: Numbers) -> Worlds:
    shares = np.empty(memory.count)
    shares_of_hands(memory, shares)
    room = past.rooms[past.moves].copy()
    log = np.zeros(last_turn(memory.now[0], past, weights), np.int64)
    return Worlds(shares, stream, np.zeros(1, STATE), room, log)


@compiled
def draw_world(memory: Memory, past: Past, worlds: Worlds, n: int) -> None:
    """Write the n-th world, and what the models remember in it."""
    hand = memory.hands[drawn(worlds.shares, (number(worlds.stream, 0) * SHARE + n * STRIDE) % 1.0)]
    fill_world(memory.now[0], worlds.world, hand, number(worlds.stream, 1 + n))
    if past.seats.remembers:
        past.pair[WORLD] = worlds.world[0]
        replay_memories(past.start, past.pair, past.seats)
        for word in range(worlds.memories.shape[0]):
            worlds.memories[word] = past.seats.room[word]


@compiled
def payoff_of(move: int, worlds: Worlds, past: Past, me: int) -> float:
    """What a move leads to in the world that was drawn."""
    return play_on(worlds.world, worlds.memories, move, past.seats, past.pair, worlds.log, me)


@compiled
def try_favourite(memory: Memory, past: Past, worlds: Worlds, race: Race) -> None:
    """Try the blueprint's move in one more world."""
    view = memory.now[0]
    draw_world(memory, past, worlds, race.done[0])
    note_favourite(race, payoff_of(race.moves[FAVOURITE], worlds, past, view.seat), most_points(view))


@compiled
def try_moves(
    memory: Memory, past: Past, race: Race, terms: Terms, limit: Limit, stream: int, weights: Numbers
) -> None:
    """Try the moves in worlds drawn from the belief, until it is clear which to make or the budget is spent."""
    view = memory.now[0]
    taken = penalties(view, race.moves, past, weights)
    worlds, room = worlds_of(memory, past, stream, weights), race.best.shape[0]
    while race.done[0] < room and progress(limit, race.done[1]) < FIRST_SHARE:
        try_favourite(memory, past, worlds, race)
        if race.done[0] == PROBES and always_best(race):
            return
    take_turns(race)
    first, tried = progress(limit, race.done[1]), 0
    while still_running(race) > 1 and progress(limit, race.done[1]) < 1.0 and tried < room:
        if tried == race.done[0]:
            try_favourite(memory, past, worlds, race)
        draw_world(memory, past, worlds, race.order[tried])
        for place in range(1, race.moves.shape[0]):
            if race.running[place]:
                note_other(race, place, payoff_of(race.moves[place], worlds, past, view.seat) - taken[place])
        tried += 1
        halve(race, (progress(limit, race.done[1]) - first) / (1.0 - first))
        if tried % LOOKS == 0:
            drop_hopeless(race, terms)


@compiled
def note_verdict(memory: Memory, race: Race, chosen: Verdict) -> None:
    """Leave what was found where it can be told."""
    memory.value, memory.tries, memory.trials = chosen.value, race.tries[chosen.place], race.done[1]
    memory.worlds = race.done[0]
    told = 0
    for rank in range(BEST_OF_REST):
        best, highest = -1, -1.0
        for place in range(race.moves.shape[0]):
            mean = mean_of(race, place)
            if place != chosen.place and race.tries[place] > 0 and mean > highest and not told >> place & 1:
                best, highest = place, mean
        told |= 1 << max(best, 0)
        memory.others[rank] = race.moves[best] if best >= 0 else -1
        memory.other_values[rank] = highest


@compiled
def no_search(memory: Memory, move: int, reason: int) -> int:
    memory.trials = 0
    return decision(move, reason)


def check_blueprint(agent: CompiledAgent) -> None:
    for model in agent.models:
        if model.traits.cheats:
            raise KibitzError(f"{agent.name} cannot search over {model.name}, which sees its own hand.")
        if model.traits.searches:
            raise KibitzError(
                f"{agent.name} cannot search over {model.name}, which searches itself: it would take ages."
            )
    if len(agent.models) != 1:
        raise KibitzError(f"{agent.name} searches over one agent, as search:trustful does, not {len(agent.models)}.")


def saw_the_deal(start: Any) -> bool:
    """Whether a game was seen from its deal on: no card had been played or thrown away, and no hint given."""
    hinted = any((start["hinted_kinds"][seat][:held] != ALL).any() for seat, held in enumerate(start["held"]))
    return int(start["drawn"]) == int(start["held"].sum()) and not start["turn"] and not start["played"] and not hinted


def what_was_found(view: Any, reader: Any, about: int, public: Any, memory: Any) -> dict[str, str]:
    """The expected score; and what else there was to choose, and how much was looked at."""
    others = [
        f"{Move(int(move))} {POINTS * float(value):.2f}"
        for move, value in zip(memory["others"], memory["other_values"], strict=True)
        if move >= 0
    ]
    hands = int(memory["count"])
    known = f"{hands:,} hands {'are possible' if memory['exact'] else 'drawn of those that are possible'}"
    known = "one hand is possible" if hands == 1 else known
    beside = f"; else {', '.join(others)}" if others else ""
    strange = [seat_name(seat) for seat in range(SEATS) if int(memory["strange"]) >> seat & 1]
    who = "somebody moves" if len(strange) > 1 else f"{strange[0]} moves" if strange else ""
    besides = f"; {who} as the model never would, so that moves say less" if who else ""
    besides += "; the model draws dice, so that moves say less" if memory["dice"] else ""
    besides += "" if saw_the_deal(memory["start"][0]) else "; what happened before this position is not known"
    games = f"{int(memory['trials']):,} games" if memory["trials"] > 1 else "one game"
    found = f"{beside} ({known}; {games} played on{besides})"
    return {"points": f"{POINTS * float(memory['value']):.2f}", "found": found}


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
def search(view: State, memory: Memory, models: Any, weights: Numbers, budget: Budget) -> int:
    """Plays every move on, in all the hands it may hold, as if everybody played like Trusting Taylor, and makes the
    move that ends best.

    The others' moves tell it which hands it may hold: those with which Trusting Taylor would have made them. With
    partners who play like that it loses nothing by looking ahead. Any other agent can take that one's place.
    """
    limit = limit_of(budget)
    seats = seat_models(models, np.zeros(view.players, np.int64))
    past = past_of(memory, view, seats)
    memory.dice = seats.seats[0].random
    favourite = blueprint_move(view, past)
    if not may_search(view, weights):
        return no_search(memory, favourite, NOT_ITS_TURN)
    moves = candidates(moves_to_try(view, past, weights), favourite)
    if moves.shape[0] == 1:
        return no_search(memory, favourite, ONLY_MOVE)
    share = 0.4 * budget.milliseconds if budget.milliseconds > 0 else np.inf
    hands = weights[SAID] if knows_truth(past) else weights[HANDS]
    effort = Effort(int(hands), int(weights[ENOUGH]), int(weights[ROUNDS]), milliseconds() + share)
    believe_by_turns(view, memory, past, effort, weights)
    if memory.count == 0:
        return no_search(memory, favourite, NO_TIME)
    race = no_race(moves, min(limit.iterations, MOST_WORLDS))
    terms = Terms(weights[DROP], weights[LEAVE], weights[BONUS] / POINTS)
    if try_everything(memory, past, race, playouts_of(budget), limit):
        terms = Terms(0.0, 0.0, HARDLY / POINTS)
    else:
        try_moves(memory, past, race, terms, limit, view.dice, weights)
        if not tried_enough(race):
            return no_search(memory, favourite, NO_TIME)
    chosen = verdict(race, terms)
    note_verdict(memory, race, chosen)
    return decision(moves[chosen.place], SAME if chosen.place == 0 else BETTER)


search_signal = replace(
    search,
    name="search_signal",
    title="Summing Seer",
    description="""Plays every move on, in all the hands it may hold, as if everybody played like Summing Sasha, and
makes the move that ends best; with three players or more, of those that tell nothing false.

Partners who do the same know when each other searches and what that leaves of a move's meaning. It needs partners who
play like Summing Sasha, or like itself.""",
    models=(signal,),
    budget=Budget(400),
)
