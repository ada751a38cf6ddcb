"""Search over a blueprint: every move is played on by another agent, in worlds that this agent's moves left possible.

The agent searched over, the blueprint, is a model of everybody: what it would have done tells which hands the searcher
may hold (`hanabi.hand_belief`), and it plays the worlds to their end (`search.paired`). The searcher makes another move
than the blueprint's only where that is clearly worth more. It is sound with partners who play the blueprint.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.core.agent import CompiledAgent
from kibitz.core.bits import count_bits, lowest_bit
from kibitz.core.compile import compiled, struct_dtype
from kibitz.core.dice import SHARE
from kibitz.core.errors import KibitzError
from kibitz.core.expectation import FOUND
from kibitz.core.loop import WORLD, decision, move_of, relive
from kibitz.core.seat import Budget, decide_at, has, seated
from kibitz.core.seeds import number
from kibitz.core.weights import Numbers, Weights
from kibitz.hanabi.agents import agent
from kibitz.hanabi.agents.trustful import trustful
from kibitz.hanabi.hand_belief import (
    BELIEF,
    STRIDE,
    Belief,
    Effort,
    Past,
    as_of,
    believe,
    fill_world,
    note_start,
    past_of,
    shares_of_hands,
    true_moves,
)
from kibitz.hanabi.last_cards import count_worlds, list_worlds
from kibitz.hanabi.moves import Move
from kibitz.hanabi.reason_words import seat_name
from kibitz.hanabi.rules import legal
from kibitz.hanabi.state import LONGEST, SEATS, STATE, State
from kibitz.search.clock import Limit, limit_of, milliseconds, progress
from kibitz.search.paired import (
    Terms,
    Trials,
    Verdict,
    drop_hopeless,
    halve,
    has_room,
    mean_of,
    next_look,
    no_trials,
    restore,
    still_running,
    try_world,
    unbeaten,
    verdict,
)
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
    "by agreement it does not search in this round",
)

NAMES = ("leave", "bonus", "drop", "hands", "enough", "rounds", "period", "surprise", "true_moves")
LEAVE, BONUS, DROP, HANDS, ENOUGH, ROUNDS, PERIOD, SURPRISE, TRUE_MOVES = range(9)
WEIGHTS = Weights((1.0, 0.02, 2.5, 4000.0, 200.0, 6.0, 0.0, 0.05, 0.0), NAMES)
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
    others: Any
    other_values: Any


def remember_start(view: State, memory: Memory) -> None:
    note_start(view, memory)


@compiled
def blueprint_move(view: State, past: Past) -> int:
    """What the blueprint would do now in the searcher's place."""
    restore(past.seats, past.memories)
    struct = past.seats.seats[view.seat]
    move = move_of(decide_at(struct.decide, view, struct))
    moves = legal(view)
    return move if moves >> move & 1 else lowest_bit(moves)


@compiled
def moves_that_are_true(view: State, past: Past) -> int:
    """The legal moves that tell nothing false by the blueprint's conventions."""
    restore(past.seats, past.memories)
    return legal(view) & true_moves(view, past.seats.seats[view.seat])


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


# Who searches when. In every round of moves one seat in `period` may search, by turns; with 1 everybody always may, and
# with 0 nobody but the searcher itself. It follows from the number of the turn, so everybody knows.


@compiled
def may_search(turn: int, seat: int, players: int, period: int) -> bool:
    return period > 0 and (turn // players + seat) % period == 0


@compiled
def set_slack(memory: Memory, past: Past, strange: int, weights: Numbers) -> None:
    """Say of every move how likely it was though the blueprint would not have made it."""
    players, period = memory.now[0].players, int(weights[PERIOD])
    for n in range(past.moves):
        turn, seat = memory.views[n].turn, memory.views[n].to_move
        surprise = weights[SURPRISE] if may_search(turn, seat, players, period) else 0.0
        memory.true_slack[n] = surprise
        memory.slack[n] = surprise if weights[TRUE_MOVES] == 0.0 else 0.0
        if has(strange, seat):
            memory.slack[n] = max(memory.slack[n], STRANGE)


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
            memory.strange = strange
            break


@compiled
def believe_by_turns(view: State, memory: Memory, past: Past, effort: Effort, weights: Numbers) -> None:
    """Believe what fits, at every own turn since it last did, and now.

    So who was not asked for some turns believes the same as who was. There is no time for that if time is short.
    """
    if effort.deadline == np.inf:
        for n in range(past.moves):
            if memory.views[n].to_move == view.seat and memory.views[n].turn > memory.turn - (memory.count == 0):
                memory.now[0] = memory.views[n]
                believe_what_fits(memory, as_of(past, n), effort, weights)
        memory.now[0] = view
    believe_what_fits(memory, past, effort, weights)


@compiled
def playouts_of(budget: Budget) -> int:
    """How often models may play on, roughly, if the budget is a time."""
    return budget.iterations if budget.iterations > 0 else PER_MILLISECOND * budget.milliseconds


@compiled
def try_everything(memory: Memory, past: Past, trials: Trials, playouts: int, limit: Limit) -> bool:
    """With few cards left: try the moves in every world, and one own turn further if the budget allows for it.

    Whether that was done. What a move is worth stands in the trials as if there were one world.
    """
    moves, me = trials.moves.shape[0], memory.now[0].seat
    count = count_worlds(memory, SHORT * playouts // moves)
    if count == 0:
        return False
    pool, log = list_worlds(memory, past, count), np.zeros(LONGEST, np.int64)
    further = count * moves * moves <= SHORT * playouts
    for place in range(moves):
        value, made = 0.0, count
        if further:
            value, made = value_of_two_turns(pool, trials.moves[place], past.seats, past.pair, log, me, limit)
        else:
            value = value_of_move(pool, trials.moves[place], past.seats, past.pair, log, me, limit)
        trials.payoffs[0, place] = value
        trials.tries[place] = 1
        trials.done[1] += made
        if milliseconds() > limit.deadline:
            trials.tries[:] = 0
            trials.done[:] = 0
            return False
    trials.done[0] = 1
    return True


@compiled
def try_moves(memory: Memory, past: Past, trials: Trials, terms: Terms, limit: Limit, stream: int) -> None:
    """Try the moves in worlds drawn from the belief until all but one have dropped out, or the budget is spent."""
    view, seats, pair = memory.now[0], past.seats, past.pair
    world, log = np.zeros(1, STATE), np.zeros(LONGEST, np.int64)
    up_to = np.empty(memory.count)
    shares_of_hands(memory, up_to)
    memories = past.memories.copy()
    offset = number(stream, 0) * SHARE
    look = next_look(0)
    n = 0
    while has_room(trials) and still_running(trials) > 1:
        hand = memory.hands[drawn(up_to, (offset + n * STRIDE) % 1.0)]
        fill_world(view, world, hand, number(stream, 1 + n))
        if seats.remembers:
            pair[WORLD] = world[0]
            relive(past.start, pair, seats)
            for word in range(memories.shape[0]):
                memories[word] = seats.room[word]
        if not try_world(trials, world, 1.0, memories, seats, pair, log, view.seat, limit):
            break
        n += 1
        halve(trials, progress(limit, trials.done[1]))
        if n == look:
            if unbeaten(trials):
                break
            drop_hopeless(trials, terms)
            look = next_look(n)


@compiled
def note_verdict(memory: Memory, trials: Trials, chosen: Verdict) -> None:
    """Leave what was found where it can be told."""
    memory.value, memory.tries, memory.trials = chosen.value, trials.tries[chosen.place], trials.done[1]
    memory.worlds = trials.done[0]
    told = 0
    for rank in range(BEST_OF_REST):
        best, highest = -1, -1.0
        for place in range(trials.moves.shape[0]):
            mean = mean_of(trials, place)
            if place != chosen.place and mean > highest and not told >> place & 1:
                best, highest = place, mean
        told |= 1 << max(best, 0)
        memory.others[rank] = trials.moves[best] if best >= 0 else -1
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
    found = f"{beside} ({known}; {int(memory['trials']):,} games played on{besides})"
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
    tells=what_was_found,
)
def search(view: State, memory: Memory, models: Any, weights: Numbers, budget: Budget) -> int:
    """Plays every move on, in all the hands it may hold, as if everybody played like Trusting Taylor, and makes the
    move that ends best.

    The others' moves tell it which hands it may hold: those with which Trusting Taylor would have made them. With
    partners who play like that it loses nothing by looking ahead. Any other agent can take that one's place.
    """
    limit = limit_of(budget)
    seats = seated(models, np.zeros(view.players, np.int64))
    past = past_of(memory, view, seats)
    favourite = blueprint_move(view, past)
    if weights[PERIOD] > 0.0 and not may_search(view.turn, view.seat, view.players, int(weights[PERIOD])):
        return no_search(memory, favourite, NOT_ITS_TURN)
    moves = candidates(moves_that_are_true(view, past) if weights[TRUE_MOVES] != 0.0 else legal(view), favourite)
    if moves.shape[0] == 1:
        return no_search(memory, favourite, ONLY_MOVE)
    share = 0.4 * budget.milliseconds if budget.milliseconds > 0 else np.inf
    effort = Effort(int(weights[HANDS]), int(weights[ENOUGH]), int(weights[ROUNDS]), milliseconds() + share)
    believe_by_turns(view, memory, past, effort, weights)
    if memory.count == 0:
        return no_search(memory, favourite, NO_TIME)
    trials = no_trials(moves, min(limit.iterations // 2 + 1, MOST_WORLDS))
    terms = Terms(weights[DROP], weights[LEAVE], weights[BONUS] / POINTS)
    if try_everything(memory, past, trials, playouts_of(budget), limit):
        terms = Terms(0.0, 0.0, HARDLY / POINTS)
    else:
        try_moves(memory, past, trials, terms, limit, view.dice)
    if trials.done[0] == 0:
        return no_search(memory, favourite, NO_TIME)
    chosen = verdict(trials, terms)
    note_verdict(memory, trials, chosen)
    return decision(moves[chosen.place], SAME if chosen.place == 0 else BETTER)
