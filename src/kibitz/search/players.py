"""Searching players for any game with open information; the game supplies names, weights and texts for its moves.

All players share the same functions, so the levels of a game differ only in weights and budgets, and one copy of
machine code plays them all. A budget in plies is searched in full; one in milliseconds or positions is spent by
iterative deepening.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, Traits, agent_of
from kibitz.core.game import Game
from kibitz.core.weights import Numbers, Weights
from kibitz.engine import generic
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.expectation import ESTIMATED, FOUND, Estimated, Found
from kibitz.engine.loop import decision
from kibitz.engine.move_sets import any_of, contains
from kibitz.engine.seat import Budget, argument_names
from kibitz.search import alphabeta, expectimax, maxn, uct
from kibitz.search import flat as flat_search
from kibitz.search.alphabeta import DEEPEST, USUAL, Options, SearchResult, Workspace
from kibitz.search.book import depth_at, find, move_in, read_book_for, value_at
from kibitz.search.choice import (
    Choice,
    Estimates,
    empty_estimates,
    most_valued,
    most_visited,
    move_room,
    note_estimates,
    note_found,
)
from kibitz.search.clock import limit_of
from kibitz.search.flat import flat
from kibitz.search.maxn import MOST_SEATS
from kibitz.search.open_games import DECIDED, WIN
from kibitz.search.playout import MODEL, RANDOM
from kibitz.search.worlds import fresh_worlds
from kibitz.text import counted

SHOWN = 12  # moves of the main line in a reason
TABLE_BITS = 16
EXPLORATION = 1.0

# What a player remembers of its last search, for its reason.
LOOKED = struct_dtype(
    [
        ("points", np.float64), ("depth", np.int64), ("nodes", np.int64), ("length", np.int64),
        ("line", np.int64, SHOWN), *ESTIMATED,
    ]
)  # fmt: skip
MoveText = Callable[[int], str]


class Looked(Estimated, Protocol):
    """A struct of the type LOOKED."""

    points: float
    depth: int
    nodes: int
    length: int
    line: Any


@compiled
def reach_of(budget: Budget, usual: int) -> int:
    """The depth to search: that of the budget, no limit if it is a time or a number, else the usual depth."""
    if budget.depth > 0:
        return min(budget.depth, DEEPEST)
    return DEEPEST if budget.milliseconds > 0 or budget.iterations > 0 else usual


@compiled
def note(memory: Looked, found: SearchResult, nodes: int) -> int:
    memory.points = found.value
    memory.depth = found.depth
    memory.nodes = nodes
    memory.length = 0
    note_estimates(memory, found.estimates)
    return decision(found.move, 0)


def any_legal(view: Any) -> int:
    """Makes a random legal move."""
    return decision(any_of(generic.legal_moves(view, move_room(view)), view.dice, 0), 0)


# The settings of alpha-beta. With SAFE ones it finds the value of minimax, as deep as it searches.
SETTINGS = Weights(
    (0.0, 0.0, 2.0), ("singular", "beam", "beam_after"), ((0.0, 1e4), (0.0, 256.0), (0.0, float(DEEPEST))),
)  # fmt: skip
ALLY_SETTINGS = Weights((*SETTINGS.values, 0.0), (*SETTINGS.names, "ally"), (*SETTINGS.ranges, (0.0, MOST_SEATS - 1)))
SINGULAR, BEAM, BEAM_AFTER, ALLY = range(4)


@compiled
def chosen_options(view: Any, settings: Numbers) -> Options:
    """All enhancements, and those that a player's settings add."""
    ally = -1
    if settings.shape[0] > ALLY and settings[ALLY] > 0:
        ally = (view.seat + int(settings[ALLY])) % view.players
    return Options(
        USUAL.prunes, USUAL.promising_first, USUAL.killers, USUAL.history, USUAL.table, USUAL.deepens, USUAL.quiets,
        settings[SINGULAR], USUAL.equal_depth, int(settings[BEAM]), int(settings[BEAM_AFTER]), ally, USUAL.shuffles,
    )  # fmt: skip


def look_ahead(
    view: Any, memory: Looked, weights: Numbers, settings: Numbers, book: Numbers, budget: Budget
) -> int:  # fmt: skip
    """Searches all lines of play except those that cannot matter: alpha-beta with its enhancements."""
    options = chosen_options(view, settings)
    workspace = alphabeta.workspace_for(view, view.seat, options, weights, TABLE_BITS, book)
    known = move_from_book(view, workspace, memory, reach_of(budget, 4))
    if known >= 0:
        return known
    found = alphabeta.search(workspace, plies_limit(budget), reach_of(budget, 4), True)
    decided = note(memory, found, workspace.run[0].nodes)
    memory.length = min(workspace.frames[0].length, SHOWN)
    for n in range(memory.length):
        memory.line[n] = workspace.frames[0].line[n]
    return decided


@compiled
def move_from_book(view: Any, workspace: Workspace, memory: Looked, reach: int) -> int:
    """The decision that the book has for this position, if it has looked deeper than the search would; else −1.

    A search without a depth, within a time or a number of positions, is never deeper than the book.
    """
    run, root = workspace.run[0], workspace.positions[0]
    page = find(run.book, run.book_length, generic.key(root)) if run.book != 0 else -1
    if page < 0 or depth_at(run.book, page) <= (reach if reach < DEEPEST else 0):
        return -1
    move = move_in(run.book, page)
    if not contains(generic.legal_moves(view, move_room(view)), move):  # two positions can share a key
        return -1
    value, depth = value_at(run.book, page), depth_at(run.book, page)
    workspace.frames[0].line[0] = move
    memory.line[0] = move
    memory.length = 1
    return note(memory, SearchResult(move, value, depth, empty_estimates(0)), 0)


@compiled
def plies_limit(budget: Budget) -> Any:
    """The limit of iterative deepening; none if the budget is in plies."""
    if budget.milliseconds > 0 or budget.iterations > 0:
        return limit_of(budget)
    return limit_of(Budget(1 << 62, 0, 0))


def look_ahead_at_dice(view: Any, memory: Looked, weights: Numbers, budget: Budget) -> int:
    """Searches all lines of play and all rolls: expectiminimax."""
    workspace = expectimax.workspace_for(view, view.seat, weights, expectimax.STAR2)
    found = expectimax.search(workspace, plies_limit(budget), reach_of(budget, 3), True)
    return note(memory, found, workspace.run[0].nodes)


def each_for_himself(view: Any, memory: Looked, weights: Numbers, budget: Budget) -> int:
    """Looks ahead, and expects everybody to maximize their own result: max^n."""
    workspace = maxn.workspace_for(view, weights)
    timed = budget.milliseconds > 0 or budget.iterations > 0
    found = maxn.search(workspace, plies_limit(budget), reach_of(budget, 6), view.players, timed)
    return note(memory, found, workspace.run[0].nodes)


def tree_player(view: Any, memory: Found, weights: Numbers, budget: Budget) -> int:
    """Plays many random games from here, more of them along promising lines: Monte Carlo tree search."""
    playout = MODEL if weights[1] > 0.0 else RANDOM
    found = uct.uct(fresh_worlds(view), limit_of(budget), view.dice, uct.Options(weights[0], playout))
    return most_promising(memory, found, most_visited(found))


def flat_player(view: Any, memory: Found, weights: Numbers, budget: Budget) -> int:
    """Plays many random games after each move, and makes the move that wins most: Monte Carlo evaluation."""
    playout = MODEL if weights[0] > 0.0 else RANDOM
    found = flat(fresh_worlds(view), limit_of(budget), view.dice, playout)
    return most_promising(memory, found, most_valued(found))


@compiled
def most_promising(memory: Found, found: Estimates, choice: Choice) -> int:
    note_found(memory, found, choice)
    return decision(choice.move, 0, int(100 * choice.value + 0.5))


def findings(move_text: MoveText) -> Callable[..., Mapping[str, str]]:
    """The variable {found} of a searching player's reason."""

    def variables(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
        return {"found": found_text(memory, move_text)}

    return variables


def found_text(memory: Any, move_text: MoveText) -> str:
    """The value, the depth and the main line."""
    points, depth = float(memory["points"]), int(memory["depth"])
    if not int(memory["nodes"]):
        return f"{value_text(points)} (from its book, searched {counted(depth, 'ply', 'plies')} deep)"
    line = ", ".join(move_text(int(move)) for move in memory["line"][: int(memory["length"])])
    looked = f"{counted(depth, 'ply', 'plies')} deep, {counted(int(memory['nodes']), 'position')}"
    return f"{value_text(points)} ({looked}){f'; expects {line}' if line else ''}"


def value_text(points: float) -> str:
    if points > DECIDED:
        return f"sees a win in {counted(round(WIN - points), 'ply', 'plies')}"
    if points < -DECIDED:
        return f"sees a loss in {counted(round(WIN + points), 'ply', 'plies')}"
    if not round(points):
        return "worth as much to both"
    return f"worth {points:+.0f} {'point' if abs(round(points)) == 1 else 'points'}"


def searcher(
    game: str, move_text: MoveText, name: str, decide: Callable[..., int] = look_ahead, *,
    needs: tuple[str, ...] = alphabeta.NEEDS, depth: int = 0, weights: Weights | tuple[float, ...] = (),
    title: str = "", description: str = "", origin: str = "kibitz", settings: Weights = SETTINGS,
) -> CompiledAgent:  # fmt: skip
    """A player that searches to this depth (0: the usual one) and evaluates with these weights."""
    takes = argument_names(decide)
    made = agent_of(
        game, decide, ("{found}",), origin, Traits(searches=True), name, memory=LOOKED, needs=needs,
        budget=Budget(depth=depth), weights=weights, reason_variables=findings(move_text), title=title,
        settings=settings if "settings" in takes else Weights(), reads_book=read_book_for if "book" in takes else None,
    )  # fmt: skip
    return described(made, description)


def paranoid(game: str, move_text: MoveText, name: str, **parts: Any) -> CompiledAgent:
    """Looks ahead, and expects all others to play against it, except an ally (`@ally=1` is the next player)."""
    return searcher(
        game, move_text, name, look_ahead, settings=ALLY_SETTINGS, **{"description": paranoid.__doc__, **parts}
    )


def tree_searcher(
    game: str, name: str, iterations: int, *, informed: bool = False, exploration: float = EXPLORATION, title: str = "",
    description: str = "",
) -> CompiledAgent:  # fmt: skip
    """A player by Monte Carlo tree search; playouts are random or, if `informed`, by the game's model."""
    weights = Weights((exploration, float(informed)), ("exploration", "informed"), ((0.1, 3.0), (0.0, 1.0)))
    made = playing_on(game, name, tree_player, iterations, weights, uct.NEEDS, "Kocsis and Szepesvári 2006", title)
    return described(made, description)


def flat_searcher(
    game: str, name: str, iterations: int, *, informed: bool = False, title: str = "", description: str = ""
) -> CompiledAgent:
    """A player by Monte Carlo evaluation; its playouts are as for `tree_searcher`."""
    weights = Weights((float(informed),), ("informed",), ((0.0, 1.0),))
    made = playing_on(game, name, flat_player, iterations, weights, flat_search.NEEDS, "Abramson 1990", title)
    return described(made, description)


def playing_on(
    game: str, name: str, decide: Callable[..., int], iterations: int, weights: Weights, needs: tuple[str, ...],
    origin: str, title: str,
) -> CompiledAgent:  # fmt: skip
    return agent_of(
        game, decide, ("won {about} of a hundred games it played on to the end",), origin,
        Traits(random=True, searches=True), name, memory=FOUND, needs=needs, budget=Budget(iterations),
        weights=weights, title=title,
    )  # fmt: skip


def random_player(game: str, title: str = "") -> CompiledAgent:
    return agent_of(game, any_legal, ("any move will do",), "kibitz", Traits(random=True), "random", title=title)


def described(agent: CompiledAgent, description: str) -> CompiledAgent:
    return replace(agent, description=description) if description else agent


def usual_searcher(game: Game) -> CompiledAgent | None:
    """A game's first player that searches by alpha-beta or expectiminimax, if it has one."""
    for agent in registry.agents(game):
        if isinstance(agent, CompiledAgent) and agent.decide in (look_ahead, look_ahead_at_dice):
            return agent
    return None


def usual_weights(game: Game) -> Any:
    """The evaluation weights of a game's `usual_searcher`."""
    agent = usual_searcher(game)
    return agent.weights.values if agent is not None else ()
