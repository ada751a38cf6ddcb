"""The believer keeps a belief state, the set of possible positions, and searches over it.

An attempt has a value in each position in which it is legal. A refused attempt costs nothing and gives information, so
the value of an attempt is its own where it is legal, and elsewhere that of the best other attempt in the positions that
a refusal would leave. That makes the believer probe. A question is an attempt that is never made: its value is that of
the best attempt after each answer. Against a lone king the set is small: with a rook or a queen the
move comes from the tablebase, otherwise from a deeper search (`lone_king_search`).
"""

import math
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from kibitz.core.weights import Numbers
from kibitz.engine.compile import INTERPRETED, compiled, struct_dtype
from kibitz.engine.dice import SHARE
from kibitz.engine.expectation import ESTIMATED, EXPECTED, Found
from kibitz.engine.loop import decision
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import number
from kibitz.games.chess.board import BOARD
from kibitz.games.chess.moves import MAX_MOVES, captured_square, copy_board, is_legal, make_move
from kibitz.games.kriegspiel.agents import agent
from kibitz.games.kriegspiel.belief_state import BeliefStatus, initial_positions, update_belief
from kibitz.games.kriegspiel.consistency import EXACT, FORCED, REPAIRED
from kibitz.games.kriegspiel.evaluation import WEIGHTS, can_mate, evaluate, is_lone_king
from kibitz.games.kriegspiel.lone_king_search import DRIVING, FINDING, MATED, Best, best_attempt, squares_of_king
from kibitz.games.kriegspiel.packed_positions import ROW_LENGTH, unpack
from kibitz.games.kriegspiel.state import ASK, State
from kibitz.games.kriegspiel.tablebase import forced_mate
from kibitz.games.kriegspiel.umpire import has_capture, list_attempts
from kibitz.games.kriegspiel.worlds import known_halfmove_clock
from kibitz.search.choice import VALUE, Choice, Estimates, empty_estimates, entry_of, most_valued, note_estimates
from kibitz.search.clock import goes_on, limit_of

CAPACITY = 8 if INTERPRETED else 1024  # positions of the set
LOOK_AHEAD = 1 if INTERPRETED else 2  # own moves, against a lone king
QUESTION_COST = 1.0  # points: a question whose answer changes nothing is not asked
SCALE = 400.0  # points; with this lead the expected score is 10/11
SEARCHED, PROBES, HUNTS, MATES, ASKS = range(5)
CIRCLING_AFTER, VARIED_FOR = 16, 8  # moves of both sides after which a hunt is varied, and for how long

# The belief state after the last decision, so that the next one need not replay the whole game.
MEMORY = struct_dtype(
    [
        *EXPECTED,
        ("digest", np.int64),  # of the events followed so far; it differs for another game
        ("turn", np.int64),
        ("count", np.int64),
        ("quality", np.int64),
        ("repaired", np.int64),
        ("points", np.float64),
        ("legal", np.float64),  # the share of positions in which the attempt is legal
        *ESTIMATED,
        ("mate", np.int64),  # own moves to forced mate of a lone king, or 0
        ("rows", np.int64, (CAPACITY, ROW_LENGTH)),
    ]
)


class BelieverMemory(Found, Protocol):
    """A struct of the type MEMORY."""

    digest: int
    turn: int
    count: int
    quality: int
    repaired: int
    points: float
    legal: float
    mate: int
    rows: Any


@compiled
def digest_of(view: State, turns: int) -> int:
    """A hash of what a seat knows after a number of turns; it identifies the game so far."""
    digest = number(view.seat, view.king_candidates)
    for kind in range(6):
        digest = number(digest ^ view.first_pieces[kind], kind)
    digest = number(digest ^ view.first_sides[0], view.first_castling)
    for turn in range(turns):
        digest = number(digest ^ view.history[turn], turn)
    return digest | 1


@compiled
def update_memory(view: State, memory: BelieverMemory) -> None:
    """Update the belief state in the memory to this turn."""
    rows, turn = memory.rows[:], memory.turn
    so_far = BeliefStatus(memory.count, memory.quality, memory.repaired)
    if turn > view.turn or memory.digest != digest_of(view, turn):
        turn, so_far = 0, BeliefStatus(initial_positions(view, rows), EXACT, -1)
    followed = update_belief(view, rows, so_far, turn, view.turn)
    memory.count, memory.quality, memory.repaired = followed
    memory.turn, memory.digest = view.turn, digest_of(view, view.turn)


@compiled
def evaluate_attempts(
    view: State, row: Any, attempts: Any, count: int, weights: Numbers, boards: Any, room: Any, values: Any
) -> None:
    """Write the value of every attempt in a position, NaN where it is illegal."""
    b, made, after = boards[0], boards[1], boards[2:3]
    unpack(row, b, view.side)
    for n in range(count):
        values[n] = np.nan
        if is_legal(b, attempts[n], after):
            taken = captured_square(b, attempts[n])
            copy_board(b, made)
            make_move(made, attempts[n])
            values[n] = evaluate(made, view.seat, taken, weights, room, after)


@compiled
def mean_without(values: Any, looked: int, attempt: int, usual: Any, without: int) -> float:
    """The mean value of an attempt over the positions, or over those in which another one (−1: none) is illegal.

    Where the attempt itself is illegal, the mean of the legal ones counts.
    """
    total, count = 0.0, 0
    for n in range(looked):
        if without >= 0 and not np.isnan(values[n, without]):
            continue
        total += usual[n] if np.isnan(values[n, attempt]) else values[n, attempt]
        count += 1
    return total / count


@compiled
def mean_legal_values(values: Any, looked: int, count: int) -> Any:
    """For each position, the mean value of its legal attempts."""
    usual = np.zeros(looked)
    for n in range(looked):
        total, legal = 0.0, 0
        for attempt in range(count):
            if not np.isnan(values[n, attempt]):
                total += values[n, attempt]
                legal += 1
        usual[n] = total / max(legal, 1)
    return usual


@compiled
def estimate_attempts(values: Any, looked: int, exact: bool, found: Estimates) -> None:
    """Write the estimates of the attempts that are legal in some position; exact ones have no standard error."""
    count = found.moves.shape[0]
    usual = mean_legal_values(values, looked, count)
    for attempt in range(count):
        legal, total, squares = 0, 0.0, 0.0
        for n in range(looked):
            if not np.isnan(values[n, attempt]):
                legal += 1
                total += values[n, attempt]
                squares += values[n, attempt] * values[n, attempt]
        if legal == 0:
            continue
        if legal < looked:
            instead = -1e18
            for second in range(count):
                if second != attempt:
                    instead = max(instead, mean_without(values, looked, second, usual, attempt))
            total += (looked - legal) * instead
            squares += (looked - legal) * instead * instead
        found.visits[attempt], found.values[attempt], found.bounds[attempt] = looked, total / looked, VALUE
        if exact:
            found.errors[attempt] = 0.0
        elif looked > 1:
            spread = max(squares - total * total / looked, 0.0)
            found.errors[attempt] = math.sqrt(spread / (looked - 1) / looked)


@compiled
def estimate_question(values: Any, answers: Any, looked: int, exact: bool, found: Estimates) -> None:
    """Write the estimate of the question as the first: the mean value of the best attempt after either answer.

    It is none if the answer is known, in all positions looked at.
    """
    yes = answers[:looked].sum()
    if yes == 0 or yes == looked:
        return
    usual, total = mean_legal_values(values, looked, values.shape[1]), 0.0
    for answer in range(2):
        best = -1e18
        for attempt in range(values.shape[1]):
            gained = 0.0
            for n in range(looked):
                if answers[n] == answer:
                    gained += usual[n] if np.isnan(values[n, attempt]) else values[n, attempt]
            best = max(best, gained)
        total += best
    found.visits[0], found.values[0], found.bounds[0] = looked, total / looked - QUESTION_COST, VALUE
    if exact:
        found.errors[0] = 0.0


@compiled
def share_legal(values: Any, looked: int, attempt: int) -> float:
    """The share of positions in which an attempt is legal."""
    legal = 0
    for n in range(looked):
        legal += not np.isnan(values[n, attempt])
    return legal / looked


def reason_variables(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """The number of possible positions, and what the attempt is worth in them."""
    count, quality = int(memory["count"]), int(memory["quality"])
    many = f"{count:,} {'position is' if count == 1 else 'positions are'} possible"
    if quality == REPAIRED:
        many = f"my positions contradicted turn {int(memory['repaired']) + 1}, so I repaired {count:,} of them"
    elif quality == FORCED:
        many = f"the announcements contradict each other, so {count:,} positions are a guess"
    elif quality != EXACT:
        many = f"too many positions are possible; I keep {count:,} of them"
    points = float(memory["points"])
    return {
        "many": many,
        "worth": f"worth {points / 100:+.1f} pawns on average over {int(memory['visits']):,} of them",
        "legal": f"legal in {100 * float(memory['legal']):.0f} % of them",
        "mate": f"mate in at most {int(memory['mate'])}" if memory["mate"] > 1 else "mate",
    }


@agent(
    title="Believing Bea",
    reasons=(
        "{many}. My attempt is {legal} and {worth}",
        "{many}. I probe: my attempt is {legal}, and a refusal costs nothing",
        "{many}. I drive the lone king to the edge",
        "{many}. I force {mate}, wherever the lone king is",
        "{many}. I ask whether I have a capture, which costs nothing",
    ),
    origin="Ciancarini and Favini 2010, in its own way",
    searches=True,
    budget=Budget(100),
    memory=MEMORY,
    weights=WEIGHTS,
    reason_variables=reason_variables,
)
def believer(view: State, memory: BelieverMemory, weights: Numbers, budget: Budget) -> int:
    """Keeps the set of possible positions and picks the best attempt over it; `@200` evaluates 200 of them.

    Keeps all of them up to a thousand. Probes with attempts that may be illegal, because a refusal costs nothing.
    """
    update_memory(view, memory)
    rows, kept = memory.rows[:], memory.count
    memory.legal = 1.0
    attempts = np.empty(MAX_MOVES, np.int64)
    count = list_attempts(view, attempts)
    found = empty_estimates(count)
    found.moves[:] = attempts[:count]
    first = 1 if attempts[0] == ASK else 0
    made = estimates_from(found, first)
    if is_lone_king(rows, kept, view.sides[view.seat]) and can_mate(view.pieces, view.sides[view.seat]):
        best, reason = hunt(view, squares_of_king(view, rows, kept), memory, made)
        for n in range(count):
            if attempts[n] == best.move:
                memory.points, memory.visits, memory.simulations, memory.value = best.value, kept, kept, 1.0
                note_estimates(memory, found)
                return decision(best.move, reason)
    values, answers = np.empty((kept, count - first)), np.zeros(kept, np.int64)
    boards, room, limit, looked = np.empty(3, BOARD), np.empty(MAX_MOVES, np.int64), limit_of(budget), 0
    step = stride(kept)
    while looked < kept and goes_on(limit, looked):
        row = rows[looked * step % kept]
        evaluate_attempts(view, row, made.moves, count - first, weights, boards, room, values[looked])
        if first:
            answers[looked] = has_capture(boards[0], room, boards[2:3])
        looked += 1
    exact = looked == kept and memory.quality == EXACT
    estimate_attempts(values, looked, exact, made)
    if first:
        estimate_question(values, answers, looked, exact, found)
    note_estimates(memory, found)
    choice, share = Choice(made.moves[number(view.dice, 0) % (count - first)], 0.0), 0.0
    if found.visits.max() > 0:
        choice = most_valued(found)
        if choice.move != ASK:
            share = share_legal(values, looked, entry_of(made, choice.move))
    memory.points, memory.legal, memory.visits, memory.simulations = choice.value, share, looked, looked
    memory.value = 1.0 / (1.0 + 10.0 ** (-choice.value / SCALE))
    if choice.move == ASK:
        return decision(ASK, ASKS)
    return decision(choice.move, PROBES if share < 0.5 else SEARCHED)


@compiled
def estimates_from(found: Estimates, first: int) -> Estimates:
    """The estimates without the first ones; they share their memory."""
    return Estimates(
        found.moves[first:], found.visits[first:], found.values[first:], found.errors[first:], found.bounds[first:]
    )


@compiled
def hunt(view: State, kings: int, memory: BelieverMemory, found: Estimates) -> tuple[Best, int]:
    """The best attempt against a lone king on one of these squares, and the reason. Writes the estimates.

    Searches where the tablebase has no forced mate. A hunt that takes long goes in circles, so it is varied in turns.
    """
    sure = forced_mate(view, kings, found)
    if sure.move >= 0:
        memory.mate = sure.moves
        return Best(sure.move, MATED), MATES
    quiet, weights = known_halfmove_clock(view), DRIVING.copy()
    if quiet < CIRCLING_AFTER or quiet // VARIED_FOR % 2 == 0:
        depth = LOOK_AHEAD + (1 if quiet >= 2 * CIRCLING_AFTER else 0)
        return best_attempt(view, kings, depth, weights, found), HUNTS
    for n in range(weights.shape[0]):
        weights[n] = FINDING[n] * (number(quiet // VARIED_FOR, n) * 2.0 * SHARE)
    return best_attempt(view, kings, LOOK_AHEAD + 1, weights, found), HUNTS


@compiled
def stride(count: int) -> int:
    """A step that visits all positions, distant ones first: coprime to their number, near the golden ratio."""
    step = max(1, int(count * 0.618))
    while divisor(step, count) > 1:
        step += 1
    return step


@compiled
def divisor(one: int, other: int) -> int:
    while other:
        one, other = other, one % other
    return one
