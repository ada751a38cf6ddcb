"""The believer: keeps the set of positions that are still possible, and chooses by search over it.

In every position it looks at, every attempt is legal or not, and worth something if it is. An attempt that is refused
costs nothing and tells something: so its worth is what it is worth where it is legal, and what the best other attempt
is worth in the positions that would be left if it were refused. That is why it probes. Against a king alone the set is
small: with a rook or a queen it is looked up (`tablebase`), else the search looks further ahead (`lone_king_search`).
"""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from kibitz.core.weights import Numbers
from kibitz.engine.compile import INTERPRETED, compiled, struct_dtype
from kibitz.engine.dice import SHARE
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
from kibitz.games.kriegspiel.state import State
from kibitz.games.kriegspiel.tablebase import forced_mate
from kibitz.games.kriegspiel.umpire import list_attempts
from kibitz.games.kriegspiel.worlds import known_halfmove_clock
from kibitz.search.clock import goes_on, limit_of

CAPACITY = 8 if INTERPRETED else 1024  # positions of the set
LOOK_AHEAD = 1 if INTERPRETED else 2  # own moves, against a king alone
SCALE = 400.0  # points: so far ahead, ten of eleven games are won
SEARCHED, PROBES, HUNTS, MATES = range(4)
CIRCLING_AFTER, VARIED_FOR = (
    16,
    8,
)  # moves of both sides after which a hunt that goes in circles is varied, and for how long

# The set of the last decision, so that it need not follow the game from its start, and what was found.
MEMORY = struct_dtype(
    [
        ("value", np.float64),
        ("tries", np.int64),
        ("trials", np.int64),
        ("digest", np.int64),  # of what the set has followed: another game is begun anew
        ("turn", np.int64),
        ("count", np.int64),
        ("quality", np.int64),
        ("repaired", np.int64),
        ("points", np.float64),
        ("legal", np.float64),  # the share of positions in which the attempt is legal
        ("mate", np.int64),  # own moves in which a king alone is mated at the latest, if that is known
        ("rows", np.int64, (CAPACITY, ROW_LENGTH)),
    ]
)


class BelieverMemory(Protocol):
    value: float
    tries: int
    trials: int
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
    """A number that tells what a seat knew after so many turns from anything else it may have known."""
    digest = number(view.seat, view.king_candidates)
    for kind in range(6):
        digest = number(digest ^ view.first_pieces[kind], kind)
    digest = number(digest ^ view.first_sides[0], view.first_castling)
    for turn in range(turns):
        digest = number(digest ^ view.history[turn], turn)
    return digest | 1


@compiled
def update_memory(view: State, memory: BelieverMemory) -> None:
    """Let the set in the memory follow the game to this turn."""
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
    """Write what every attempt is worth in a position; nothing that is a number where it is illegal."""
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
    """What an attempt is worth on average, where another would be refused if that is given: −1 for none.

    Where it is illegal itself, another legal move will be found.
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
    """By position the mean of its legal attempts."""
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
def best_attempt_over(values: Any, looked: int, count: int) -> tuple[int, float, float]:
    """The best attempt, its worth, and the share of positions in which it is legal."""
    usual = mean_legal_values(values, looked, count)
    best, highest, share = -1, -1e18, 0.0
    for attempt in range(count):
        legal, total = 0, 0.0
        for n in range(looked):
            if not np.isnan(values[n, attempt]):
                legal += 1
                total += values[n, attempt]
        if legal == 0:
            continue
        if legal < looked:
            instead = -1e18
            for second in range(count):
                if second != attempt:
                    instead = max(instead, mean_without(values, looked, second, usual, attempt))
            total += (looked - legal) * instead
        if total / looked > highest:
            best, highest, share = attempt, total / looked, legal / looked
    return best, highest, share


def reason_variables(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """How many positions are possible, and what the attempt is worth in them."""
    count, quality = int(memory["count"]), int(memory["quality"])
    many = f"{count:,} {'position is' if count == 1 else 'positions are'} possible"
    if quality == REPAIRED:
        many = f"no position it kept agreed in turn {int(memory['repaired']) + 1}, so {count:,} were put right"
    elif quality == FORCED:
        many = f"what was told cannot all be true, so {count:,} positions are a guess"
    elif quality != EXACT:
        many = f"very many positions are possible, {count:,} of them are kept"
    points = float(memory["points"])
    return {
        "many": many,
        "worth": f"worth {points / 100:+.1f} pawns over {int(memory['tries']):,} of them",
        "legal": f"legal in {100 * float(memory['legal']):.0f} % of them",
        "mate": f"mate in {int(memory['mate'])}" if memory["mate"] > 1 else "mate",
    }


@agent(
    title="Believing Bea",
    reasons=(
        "{many}; it is {legal}, and {worth}",
        "{many}; a probe, only {legal}: if it is refused, it knows more",
        "{many}, and the other king is alone: it drives him to the edge",
        "{many}, and the other king is alone: {mate} at the latest, wherever he is",
    ),
    origin="Ciancarini and Favini 2010, in its own way",
    searches=True,
    budget=Budget(100),
    memory=MEMORY,
    weights=WEIGHTS,
    reason_variables=reason_variables,
)
def believer(view: State, memory: BelieverMemory, weights: Numbers, budget: Budget) -> int:
    """Keeps the positions that are still possible, and chooses what is best over them; `@200` looks at 200 of them.

    All are kept while there are no more than a thousand. What may be illegal is tried when a refusal costs nothing and
    tells much.
    """
    update_memory(view, memory)
    rows, kept = memory.rows[:], memory.count
    memory.legal = 1.0
    attempts = np.empty(MAX_MOVES, np.int64)
    count = list_attempts(view, attempts)
    if is_lone_king(rows, kept, view.sides[view.seat]) and can_mate(view.pieces, view.sides[view.seat]):
        found, reason = hunt(view, squares_of_king(view, rows, kept), memory)
        for n in range(count):
            if attempts[n] == found.move:
                memory.points, memory.tries, memory.trials, memory.value = found.value, kept, kept, 1.0
                return decision(found.move, reason)
    values = np.empty((kept, count))
    boards, room, limit, looked = np.empty(3, BOARD), np.empty(MAX_MOVES, np.int64), limit_of(budget), 0
    step = stride(kept)
    while looked < kept and goes_on(limit, looked):
        evaluate_attempts(view, rows[looked * step % kept], attempts, count, weights, boards, room, values[looked])
        looked += 1
    best, points, share = best_attempt_over(values, looked, count)
    if best < 0:
        best, points, share = number(view.dice, 0) % count, 0.0, 0.0
    memory.points, memory.legal, memory.tries, memory.trials = points, share, looked, looked
    memory.value = 1.0 / (1.0 + 10.0 ** (-points / SCALE))
    return decision(attempts[best], PROBES if share < 0.5 else SEARCHED)


@compiled
def hunt(view: State, kings: int, memory: BelieverMemory) -> tuple[Best, int]:
    """The best attempt against a king alone on one of these squares, and why.

    Where mate is not known to be forced it is searched for. A hunt that takes long goes in circles: then it is varied
    by turns.
    """
    sure = forced_mate(view, kings)
    if sure.move >= 0:
        memory.mate = sure.moves
        return Best(sure.move, MATED), MATES
    quiet, weights = known_halfmove_clock(view), DRIVING.copy()
    if quiet < CIRCLING_AFTER or quiet // VARIED_FOR % 2 == 0:
        return best_attempt(view, kings, LOOK_AHEAD + (1 if quiet >= 2 * CIRCLING_AFTER else 0), weights), HUNTS
    for n in range(weights.shape[0]):
        weights[n] = FINDING[n] * (number(quiet // VARIED_FOR, n) * 2.0 * SHARE)
    return best_attempt(view, kings, LOOK_AHEAD + 1, weights), HUNTS


@compiled
def stride(count: int) -> int:
    """A step that leads through all of so many positions, and to ones far apart at first."""
    step = max(1, int(count * 0.618))
    while divisor(step, count) > 1:
        step += 1
    return step


@compiled
def divisor(one: int, other: int) -> int:
    while other:
        one, other = other, one % other
    return one
