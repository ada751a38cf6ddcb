"""Ad-hoc teamwork: a guest among strangers infers the type of each partner, and searches for the best response to them.

It has models of some agents, with the mean score of each pair (`guest_models`). A partner's moves give the probability
that it plays like each model (`hanabi.partner_posterior`), and the likeliest models narrow the guest's own hand
(`hanabi.hand_belief`). Without search it makes the move of the model that scores best with these partners. With search
it races all moves in sampled worlds (`search.racing`): a hand, a deck, and partners drawn from the posterior
(`hanabi.partner_tables`), while the best response to those partners plays in its own seat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from kibitz.core.agent import CompiledAgent, Tells
from kibitz.core.weights import Numbers, Weights
from kibitz.engine import generic
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.dice import SHARE
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seat import Budget, seat_models
from kibitz.engine.seeds import number
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.guest_models import KNOWN, known_pairs
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
from kibitz.games.hanabi.hand_belief import (
    STRIDE,
    Effort,
    Past,
    fill_world,
    note_start,
    past_of,
    shares_of_hands,
    update_belief,
)
from kibitz.games.hanabi.partner_posterior import (
    POSTERIOR,
    Posterior,
    likeliest,
    model_at,
    weigh_partners,
)
from kibitz.games.hanabi.partner_tables import PartnerTables, memories_in, onlookers, table_at, tables_of
from kibitz.games.hanabi.reason_words import percent, seat_name
from kibitz.games.hanabi.rules import legal
from kibitz.games.hanabi.state import LONGEST, SEATS, STATE, State
from kibitz.search.clock import Limit, limit_of, progress
from kibitz.search.model_playout import restore
from kibitz.search.racing import (
    PLAYOUTS,
    WORLDS,
    Race,
    RacingParameters,
    all_at_once,
    drop_hopeless,
    halve,
    has_room,
    new_race,
    next_comparison,
    still_running,
    try_world,
    unbeaten,
)
from kibitz.search.worlds import drawn

TABLES = 8  # combinations of partners in playouts
MIN_HANDS, ROUNDS = 100, 3  # see `hand_belief.Effort`
UNKNOWN_STYLE = 0.15  # the likelihood of a move by a partner unlike all models

REASONS = (
    "{who}, so I {move} and expect {points} points{found}",
    "{who}, so I {move} and expect {points} points; no other move is clearly better{found}",
    "I {move}: it is the only legal move",
    "{who}; without a search I {move}, as the best partner for such players would",
)
NAMES = ("noise", "max_hands", "posterior_hands", "switch_z", "bonus", "drop_z")
NOISE, MAX_HANDS, POSTERIOR_HANDS, SWITCH_Z, BONUS, DROP_Z = range(6)
PARAMETERS = (0.02, 1000.0, 32.0, 1.0, 0.02, 2.5)

MEMORY = struct_dtype(
    [
        *LOOKAHEAD,
        *POSTERIOR,
        ("models", np.int64, SEATS),  # by partner: its likeliest model at the last update of the belief
        ("studied", np.int64),  # the turn after the last update of the belief
    ]
)


class GuestMemory(Lookahead, Posterior, Protocol):
    models: Any
    studied: int


# Best responses


@compiled
def gain_with(weights: Numbers, models: int, own: int, partner: int) -> float:
    """The mean score of an agent among copies of a partner."""
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
def best_with_likely(memory: GuestMemory, view: State, weights: Numbers, models: int) -> int:
    """The model that plays best with the partners, by their posteriors."""
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


# The belief


@compiled
def set_slack(memory: GuestMemory, past: Past, noise: float) -> None:
    """Set the likelihood of every move that its model would not have made: lower, the surer the model is."""
    for n in range(past.moves):
        seat = memory.views[n].to_move
        by_model = (1.0 - noise) * memory.chances[seat, memory.models[seat]]
        otherwise = (1.0 - by_model) * UNKNOWN_STYLE
        memory.slack[n] = otherwise / (by_model + otherwise)


@compiled
def update_models_and_hands(view: State, memory: GuestMemory, models: Any, weights: Numbers, effort: Effort) -> None:
    """Update posteriors and belief at an own turn."""
    count, changed = models.shape[0], False
    few = Effort(int(weights[POSTERIOR_HANDS]), 1, 1, effort.deadline)
    weigh_partners(memory, memory, view, models, few, weights[NOISE])
    which = np.zeros(view.players, np.int64)
    for seat in range(view.players):
        which[seat] = likeliest(memory, seat if seat != view.seat else (seat + 1) % view.players, count)
        changed = changed or which[seat] != memory.models[seat]
        memory.models[seat] = which[seat]
    if changed:
        memory.count = 0
    partners = past_of(memory, view, seat_models(models, which))
    set_slack(memory, partners, weights[NOISE])
    update_belief(memory, partners, effort)
    memory.studied = view.turn + 1


@compiled
def update_by_turns(view: State, memory: GuestMemory, models: Any, weights: Numbers, effort: Effort) -> None:
    """Update posteriors and belief at every own turn since the last update, and now.

    A player that skipped some turns then believes the same as one that did not. With a time limit, only now.
    """
    if effort.deadline == np.inf:
        past = past_of(memory, view, onlookers(models[:0]))
        turns = memory.views[: past.moves].copy()
        for n in range(past.moves):
            if turns[n].to_move == view.seat and turns[n].turn >= memory.studied:
                update_models_and_hands(turns[n], memory, models, weights, effort)
    update_models_and_hands(view, memory, models, weights, effort)


# Search


@compiled
def move_without_search(view: State, past: Past, tables: PartnerTables, models: Any) -> int:
    """The move of the model in the guest's seat at the first table."""
    seats, pair = table_at(tables, 0, models), past.pair
    pair[SEEN] = view
    generic.sample_world(pair, 0)
    memories = memories_in(pair[WORLD : WORLD + 1].copy(), past, tables, 0, seats)
    restore(seats, memories)
    return model_move(view, seats.seats[view.seat])


@compiled
def likely_tables(memory: GuestMemory, view: State, weights: Numbers, models: int) -> Any:
    """The models at the tables of the search, by table and seat, sampled from the posteriors.

    The first table has the likeliest partners, for the move without search.
    """
    which = np.zeros((1 + TABLES, view.players), np.int64)
    for seat in range(view.players):
        if seat != view.seat:
            which[0, seat] = likeliest(memory, seat, models)
            dice = number(view.dice, seat)
            first = number(dice, 0) % TABLES
            step = 2 * (number(dice, 1) % (TABLES // 2)) + 1  # odd, so that it visits every part once
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
    memory: GuestMemory,
    past: Past,
    tables: PartnerTables,
    models: Any,
    race: Race,
    parameters: RacingParameters,
    limit: Limit,
    stream: int,
) -> None:
    """Race the moves in worlds drawn from the belief, with the tables in turn, until one is left or the budget is
    spent."""
    view, pair = memory.now[0], past.pair
    world, log = np.zeros(1, STATE), np.zeros(LONGEST, np.int64)
    up_to = np.empty(memory.count)
    shares_of_hands(memory, up_to)
    offset = number(stream, 0) * SHARE
    look = next_comparison(0)
    n = 0
    while has_room(race) and still_running(race) > 1:
        hand = memory.hands[drawn(up_to, (offset + n * STRIDE) % 1.0)]
        fill_world(view, world, hand, number(stream, 1 + n))
        table = 1 + n % TABLES
        seats = table_at(tables, table, models)
        memories = memories_in(world, past, tables, table, seats)
        if not try_world(race, world, memories, seats, pair, log, view.seat, limit):
            break
        n += 1
        halve(race, parameters, progress(limit, race.done[PLAYOUTS]))
        if n == look:
            if unbeaten(race):
                break
            drop_hopeless(race, parameters)
            look = next_comparison(n)


# The agent


def weights_for(agents: Sequence[CompiledAgent]) -> Weights:
    """The parameters, followed by the mean scores of all pairs of models; by number of players."""
    pairs = known_pairs(agents)
    names = [f"pairs.{own.name}.{other.name}" for own in agents for other in agents]
    by_players = {players: (*PARAMETERS, *means) for players, means in pairs.items()}
    return Weights(by_players[2], (*NAMES, *names), by_players=by_players)


def check_models(agent: CompiledAgent) -> None:
    if len(agent.weights) != len(PARAMETERS) + len(agent.models) ** 2:
        raise KibitzError(f"{agent.name} has its own models and takes no others.")


def teller(agents: Sequence[CompiledAgent]) -> Tells:
    """The reason variables of a guest with these models."""
    return partial(what_was_found, [agent.title for agent in agents])


def taken_for(titles: Sequence[str], seat: str, chances: Any) -> str:
    """A text about a partner's likeliest model."""
    model = int(chances.argmax())
    likely = float(chances[model])
    if likely == float(chances[: len(titles)].min()):
        return f"nothing is known of {seat} yet"
    return f"{seat} {'plays' if likely > 0.5 else 'may play'} like {titles[model]} ({percent(likely)})"


def what_was_found(
    titles: Sequence[str], view: Any, reader: Any, about: int, public: Any, memory: Any
) -> Mapping[str, str]:
    """The partners' likeliest models, the expected score, the next best moves, and the number of simulated games."""
    me, players = int(view["seat"]), int(view["players"])
    partners = [(me + turn) % players for turn in range(1, players)]
    who = ", ".join(taken_for(titles, seat_name(seat), memory["chances"][seat]) for seat in partners)
    return {"who": who[0].upper() + who[1:], **what_it_expects(memory, simulations_text(memory))}


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
def guest(view: State, memory: GuestMemory, models: Any, weights: Numbers, budget: Budget) -> int:
    """Watches how the others move, finds out which agents they play like, and makes the move with the best results
    among players like these.

    It adapts to strangers of any kind, and copes with weak ones.
    """
    limit, count = limit_of(budget), models.shape[0]
    note_start(view, memory)
    update_by_turns(view, memory, models, weights, effort_of(budget, weights[MAX_HANDS], MIN_HANDS, ROUNDS))
    past = past_of(memory, view, onlookers(models))
    tables = tables_of(models, likely_tables(memory, view, weights, count), past)
    favourite = move_without_search(view, past, tables, models)
    moves = candidates(legal(view), favourite)
    if moves.shape[0] == 1:
        return without_search(memory, favourite, ONLY_MOVE)
    if memory.count == 0 or limit.iterations <= moves.shape[0]:
        return without_search(memory, favourite, NO_TIME)
    race = new_race(moves, min(limit.iterations // 2 + 1, MOST_WORLDS))
    parameters = all_at_once(weights[DROP_Z], weights[SWITCH_Z], weights[BONUS] / POINTS)
    try_moves(memory, past, tables, models, race, parameters, limit, view.dice)
    if race.done[WORLDS] == 0:
        return without_search(memory, favourite, NO_TIME)
    return decided(memory, view, race, parameters, False)


def guest_knowing(agents: Sequence[CompiledAgent]) -> CompiledAgent:
    """A guest with only some of its models."""
    return replace(guest, models=tuple(agents), weights=weights_for(agents), reason_variables=teller(agents))
