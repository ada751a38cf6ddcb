"""A guest at tables of strangers: it finds out whom each partner plays like, and answers the mixture of those by
search.

It knows some agents, and how well each of them plays with each (`guest_models`). From the moves of a partner follows
how likely it plays like each of them (`hanabi.partner_posterior`), and what such a partner would have done tells which
hands the guest may hold (`hanabi.hand_belief`). Without looking ahead it makes the move of whoever plays best with such
partners. Looking ahead, it tries every move in the same worlds (`search.paired`): a hand and a deck, with partners
drawn from what it holds likely (`hanabi.partner_tables`), and in its own place whoever plays best with those.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from kibitz.core.agent import CompiledAgent, Tells
from kibitz.core.weights import Numbers, Weights
from kibitz.engine import generic
from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import SHARE
from kibitz.engine.expectation import FOUND
from kibitz.engine.loop import SEEN, WORLD, decision, move_of
from kibitz.engine.seat import Budget, decide_at, seat_models
from kibitz.engine.seeds import number
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.guest_models import KNOWN, known_pairs
from kibitz.games.hanabi.agents.search import BEST_OF_REST, POINTS, candidates
from kibitz.games.hanabi.agents.search import MEMORY as THOUGHT
from kibitz.games.hanabi.hand_belief import (
    STRIDE,
    Effort,
    Past,
    believe,
    fill_world,
    note_start,
    past_of,
    shares_of_hands,
)
from kibitz.games.hanabi.moves import Move
from kibitz.games.hanabi.partner_posterior import (
    POSTERIOR,
    Posterior,
    likeliest,
    model_at,
    weigh_partners,
)
from kibitz.games.hanabi.partner_tables import Tables, memories_in, onlookers, table_at, tables_of
from kibitz.games.hanabi.reason_words import percent, seat_name
from kibitz.games.hanabi.rules import legal
from kibitz.games.hanabi.state import LONGEST, SEATS, STATE, State
from kibitz.search.clock import Limit, limit_of, milliseconds, progress
from kibitz.search.paired import (
    Terms,
    Trials,
    Verdict,
    drop_hopeless,
    halve,
    has_room,
    lead,
    next_look,
    no_trials,
    still_running,
    try_world,
    unbeaten,
    verdict,
)
from kibitz.search.worlds import drawn

SOON = 4  # a move that was tried in so many times fewer worlds than another is not told of
TABLES = 8  # of partners that are looked ahead with
MOST_WORLDS = 1 << 13
ENOUGH, ROUNDS = 100, 3  # hands of those drawn that must be left, and how often others are drawn (`hand_belief.Effort`)
OTHERWISE = 0.15  # how likely somebody makes a move of whom nothing is known

BETTER, SAME, ONLY_MOVE, NO_TIME = range(4)
REASONS = (
    "{who}: {points} points expected{found}",
    "{who}: {points} points expected, and no other move promises clearly more{found}",
    "the only legal move",
    "{who}: what goes best with that, without looking ahead",
)
NAMES = ("noise", "hands", "few", "leave", "bonus", "drop")
NOISE, HANDS, FEW, LEAVE, BONUS, DROP = range(6)
PARAMETERS = (0.02, 1000.0, 32.0, 1.0, 0.02, 2.5)

MEMORY = struct_dtype(
    [
        *((name, FOUND[name]) for name in FOUND.names or ()),
        ("thought", THOUGHT, (1,)),  # the belief about the own hand, and what was found
        *POSTERIOR,
        ("models", np.int64, SEATS),  # whom each partner was taken for when the hands were believed
        ("others", np.int64, BEST_OF_REST),  # the best of the other moves; −1 where there is none
        ("other_values", np.float64, BEST_OF_REST),
        ("studied", np.int64),  # own turns before this have been thought about
    ]
)


class Memory(Posterior, Protocol):
    value: float
    tries: int
    trials: int
    thought: Any
    models: Any
    others: Any
    other_values: Any
    studied: int


def remember_start(view: State, memory: Memory) -> None:
    note_start(view, memory.thought[0])


# Who plays best with whom


@compiled
def gain_with(weights: Numbers, models: int, own: int, partner: int) -> float:
    """What an agent scores among copies of a partner."""
    return weights[len(PARAMETERS) + own * models + partner]


@compiled
def best_with_these(which: Any, me: int, weights: Numbers, models: int) -> int:
    best, most = 0, -1.0
    for own in range(models):
        gain = 0.0
        for seat in range(which.shape[0]):
            gain += gain_with(weights, models, own, which[seat]) if seat != me else 0.0
        if gain > most:
            best, most = own, gain
    return best


@compiled
def best_with_likely(memory: Memory, view: State, weights: Numbers, models: int) -> int:
    """Who plays best with the partners as they are likely to be."""
    best, most = 0, -1.0
    for own in range(models):
        gain = 0.0
        for seat in range(view.players):
            if seat != view.seat:
                for model in range(models):
                    gain += memory.chances[seat, model] * gain_with(weights, models, own, model)
        if gain > most:
            best, most = own, gain
    return best


# What it believes


@compiled
def set_slack(memory: Memory, past: Past, noise: float) -> None:
    """Say of every move how likely it was though its model would not have made it: the surer the model, the less."""
    thought = memory.thought[0]
    for n in range(past.moves):
        seat = thought.views[n].to_move
        by_model = (1.0 - noise) * memory.chances[seat, memory.models[seat]]
        otherwise = (1.0 - by_model) * OTHERWISE
        thought.slack[n] = otherwise / (by_model + otherwise)


@compiled
def study(view: State, memory: Memory, models: Any, weights: Numbers, effort: Effort) -> None:
    """Take into account what happened up to this own turn."""
    thought, count, changed = memory.thought[0], models.shape[0], False
    few = Effort(int(weights[FEW]), 1, 1, effort.deadline)
    weigh_partners(memory, thought, view, models, few, weights[NOISE])
    which = np.zeros(view.players, np.int64)
    for seat in range(view.players):
        which[seat] = likeliest(memory, seat if seat != view.seat else (seat + 1) % view.players, count)
        changed = changed or which[seat] != memory.models[seat]
        memory.models[seat] = which[seat]
    if changed:
        thought.count = 0
    partners = past_of(thought, view, seat_models(models, which))
    set_slack(memory, partners, weights[NOISE])
    believe(thought, partners, effort)
    memory.studied = view.turn + 1


@compiled
def study_by_turns(view: State, memory: Memory, models: Any, weights: Numbers, effort: Effort) -> None:
    """Study every own turn since the last that was studied, and this one.

    So who was not asked for some turns believes the same as who was. There is no time for that if time is short.
    """
    thought = memory.thought[0]
    if effort.deadline == np.inf:
        past = past_of(thought, view, onlookers(models[:0]))
        turns = thought.views[: past.moves].copy()
        for n in range(past.moves):
            if turns[n].to_move == view.seat and turns[n].turn >= memory.studied:
                study(turns[n], memory, models, weights, effort)
    study(view, memory, models, weights, effort)


# Looking ahead


@compiled
def move_without_search(view: State, past: Past, tables: Tables, models: Any) -> int:
    """What whoever sits in the own seat of the first table would do."""
    seats, pair = table_at(tables, 0, models), past.pair
    pair[SEEN] = view
    generic.sample_world(pair, 0)
    memories = memories_in(pair[WORLD : WORLD + 1].copy(), past, tables, 0, seats)
    for word in range(memories.shape[0]):
        seats.room[word] = memories[word]
    pair[SEEN] = view
    struct = seats.seats[view.seat]
    move = move_of(decide_at(struct.decide, pair[SEEN], struct))
    moves = legal(view)
    return move if moves >> move & 1 else lowest_bit(moves)


@compiled
def likely_tables(memory: Memory, view: State, weights: Numbers, models: int) -> Any:
    """Whom to look ahead with: by table and seat a model, each as often as it is likely.

    The first table is for the move without looking ahead, with the likeliest partners.
    """
    which = np.zeros((1 + TABLES, view.players), np.int64)
    for seat in range(view.players):
        if seat != view.seat:
            which[0, seat] = likeliest(memory, seat, models)
            dice = number(view.dice, seat)
            first, step = number(dice, 0) % TABLES, 2 * (number(dice, 1) % (TABLES // 2)) + 1  # odd: every part once
            for table in range(TABLES):
                part = (first + table * step) % TABLES
                place = (part + number(dice, 2 + table) * SHARE) / TABLES
                which[1 + table, seat] = model_at(memory, seat, models, place)
    which[0, view.seat] = best_with_likely(memory, view, weights, models)
    for table in range(1, 1 + TABLES):
        which[table, view.seat] = best_with_these(which[table], view.seat, weights, models)
    return which


@compiled
def try_moves(
    memory: Memory, past: Past, tables: Tables, models: Any, trials: Trials, terms: Terms, limit: Limit, stream: int
) -> None:
    """Try the moves in worlds drawn from the belief, with partners by turns, until all but one have dropped out or the
    budget is spent."""
    thought = memory.thought[0]
    view, pair = thought.now[0], past.pair
    world, log = np.zeros(1, STATE), np.zeros(LONGEST, np.int64)
    up_to = np.empty(thought.count)
    shares_of_hands(thought, up_to)
    offset = number(stream, 0) * SHARE
    look = next_look(0)
    n = 0
    while has_room(trials) and still_running(trials) > 1:
        hand = thought.hands[drawn(up_to, (offset + n * STRIDE) % 1.0)]
        fill_world(view, world, hand, number(stream, 1 + n))
        table = 1 + n % TABLES
        seats = table_at(tables, table, models)
        memories = memories_in(world, past, tables, table, seats)
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
    """Leave what was found where it can be told.

    Other moves may have been tried in fewer worlds: what they are worth is told by how far they were behind in these,
    and nothing is told of those that dropped out soon.
    """
    memory.value, memory.tries, memory.trials = chosen.value, trials.tries[chosen.place], trials.done[1]
    told = 1 << chosen.place
    for place in range(trials.moves.shape[0]):
        told |= int(SOON * trials.tries[place] < memory.tries) << place
    for rank in range(BEST_OF_REST):
        best, highest = -1, -np.inf
        for place in range(trials.moves.shape[0]):
            if not told >> place & 1:
                ahead, _ = lead(trials, place, chosen.place)
                if ahead > highest:
                    best, highest = place, ahead
        told |= 1 << max(best, 0)
        memory.others[rank] = trials.moves[best] if best >= 0 else -1
        memory.other_values[rank] = chosen.value + highest


@compiled
def no_search(memory: Memory, move: int, reason: int) -> int:
    memory.trials = 0
    return decision(move, reason)


# The agent


def weights_for(agents: Sequence[CompiledAgent]) -> Weights:
    """The parameters, and behind them how well each of the agents plays with each, by the number of players."""
    pairs = known_pairs(agents)
    names = [f"pairs.{own.name}.{other.name}" for own in agents for other in agents]
    by_players = {players: (*PARAMETERS, *means) for players, means in pairs.items()}
    return Weights(by_players[2], (*NAMES, *names), by_players=by_players)


def check_models(agent: CompiledAgent) -> None:
    if len(agent.weights) != len(PARAMETERS) + len(agent.models) ** 2:
        raise KibitzError(f"{agent.name} knows its own agents; it cannot be given another one to think with.")


def teller(agents: Sequence[CompiledAgent]) -> Tells:
    """The words of a guest with these acquaintances."""
    return partial(what_was_found, [agent.title for agent in agents])


def taken_for(titles: Sequence[str], seat: str, chances: Any) -> str:
    """Whom a partner is taken for."""
    model = int(chances.argmax())
    likely = float(chances[model])
    if likely == float(chances[: len(titles)].min()):
        return f"nothing is known of {seat} yet"
    return f"{seat} {'plays' if likely > 0.5 else 'may play'} like {titles[model]} ({percent(likely)})"


def what_was_found(
    titles: Sequence[str], view: Any, reader: Any, about: int, public: Any, memory: Any
) -> dict[str, str]:
    """Whom it takes the partners for; the expected score, what else there was to choose, and how much was looked at."""
    me, players = int(view["seat"]), int(view["players"])
    partners = [(me + turn) % players for turn in range(1, players)]
    who = ", ".join(taken_for(titles, seat_name(seat), memory["chances"][seat]) for seat in partners)
    others = [
        f"{Move(int(move))} {POINTS * float(value):.2f}"
        for move, value in zip(memory["others"], memory["other_values"], strict=True)
        if move >= 0
    ]
    beside = f"; else {', '.join(others)}" if others else ""
    trials = int(memory["trials"])
    found = f"{beside} ({f'{trials:,} games' if trials > 1 else 'one game'} played on)"
    return {"who": who, "points": f"{POINTS * float(memory['value']):.2f}", "found": found}


@agent(
    title="Gracious Gale",
    reasons=REASONS,
    origin="kibitz",
    random=True,
    searches=True,
    budget=Budget(300),
    memory=MEMORY,
    observe=remember_start,
    models=KNOWN,
    weights=weights_for(KNOWN),
    check=check_models,
    reason_variables=teller(KNOWN),
)
def guest(view: State, memory: Memory, models: Any, weights: Numbers, budget: Budget) -> int:
    """Watches how the others move, finds out whom of its acquaintances each of them plays like, and makes the move that
    ends best with such partners.

    It goes well with strangers of any kind, and puts up with one who plays badly.
    """
    limit = limit_of(budget)
    thought, count = memory.thought[0], models.shape[0]
    note_start(view, thought)
    share = 0.4 * budget.milliseconds if budget.milliseconds > 0 else np.inf
    effort = Effort(int(weights[HANDS]), ENOUGH, ROUNDS, milliseconds() + share)
    study_by_turns(view, memory, models, weights, effort)
    past = past_of(thought, view, onlookers(models))
    tables = tables_of(models, likely_tables(memory, view, weights, count), past)
    favourite = move_without_search(view, past, tables, models)
    moves = candidates(legal(view), favourite)
    if moves.shape[0] == 1:
        return no_search(memory, favourite, ONLY_MOVE)
    if thought.count == 0 or limit.iterations <= moves.shape[0]:
        return no_search(memory, favourite, NO_TIME)
    trials = no_trials(moves, min(limit.iterations // 2 + 1, MOST_WORLDS))
    terms = Terms(weights[DROP], weights[LEAVE], weights[BONUS] / POINTS)
    try_moves(memory, past, tables, models, trials, terms, limit, view.dice)
    if trials.done[0] == 0:
        return no_search(memory, favourite, NO_TIME)
    chosen = verdict(trials, terms)
    note_verdict(memory, trials, chosen)
    return decision(moves[chosen.place], SAME if chosen.place == 0 else BETTER)


def guest_knowing(agents: Sequence[CompiledAgent]) -> CompiledAgent:
    """A guest with other acquaintances; they must be among those it has."""
    return replace(guest, models=tuple(agents), weights=weights_for(agents), reason_variables=teller(agents))
