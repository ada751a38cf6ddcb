"""Players for any open game, made of the searches here: a game gives them names, weights and words for its moves.

The functions that decide are the same for all of them. So the levels of a game differ in weights and budgets alone,
and one copy of machine code plays them all. A budget in plies is searched to its end; one in milliseconds or
positions, ply after ply until it is spent.
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
from kibitz.engine.move_sets import any_of
from kibitz.engine.seat import Budget
from kibitz.search import alphabeta, expectimax, maxn, uct
from kibitz.search import flat as flat_search
from kibitz.search.alphabeta import DEEPEST, Options, SearchResult
from kibitz.search.book import no_book
from kibitz.search.choice import Choice, Estimates, most_valued, most_visited, move_room, note_estimates, note_found
from kibitz.search.clock import limit_of
from kibitz.search.flat import flat
from kibitz.search.open_games import DECIDED, WIN
from kibitz.search.playout import MODEL, RANDOM
from kibitz.search.worlds import fresh_worlds

SAID = 12  # moves of the main line that are told
TABLE_BITS = 16
EXPLORATION = 1.0

# What a player leaves behind for who asks why.
LOOKED = struct_dtype(
    [
        ("points", np.float64), ("depth", np.int64), ("nodes", np.int64), ("length", np.int64),
        ("line", np.int64, SAID), *ESTIMATED,
    ]
)  # fmt: skip
Say = Callable[[int], str]  # a move in words


class Looked(Estimated, Protocol):
    """A struct of the type LOOKED."""

    points: float
    depth: int
    nodes: int
    length: int
    line: Any


@compiled
def reach_of(budget: Budget, usual: int) -> int:
    """How deep to look: as the budget says, or as far as its time goes, or as usual."""
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
    """Makes any legal move, each as likely as the others."""
    return decision(any_of(generic.legal_moves(view, move_room(view)), view.dice, 0), 0)


def look_ahead(view: Any, memory: Looked, weights: Numbers, budget: Budget) -> int:
    """Looks at every line of play, and leaves out those that cannot matter: alpha-beta with all its helpers."""
    options = Options(True, 2, True, True, True, True, True, 0.0, False)
    workspace = alphabeta.workspace_for(view, view.seat, options, weights, TABLE_BITS, no_book())
    found = alphabeta.search(workspace, plies_limit(budget), reach_of(budget, 4), True)
    decided = note(memory, found, workspace.run[0].nodes)
    memory.length = min(workspace.frames[0].length, SAID)
    for n in range(memory.length):
        memory.line[n] = workspace.frames[0].line[n]
    return decided


@compiled
def plies_limit(budget: Budget) -> Any:
    """The limit of a search ply by ply: none, for a budget in plies alone."""
    if budget.milliseconds > 0 or budget.iterations > 0:
        return limit_of(budget)
    return limit_of(Budget(1 << 62, 0, 0))


def look_ahead_at_dice(view: Any, memory: Looked, weights: Numbers, budget: Budget) -> int:
    """Looks at every line of play, and at all that can be rolled: expectiminimax."""
    workspace = expectimax.workspace_for(view, view.seat, weights, expectimax.STAR2)
    found = expectimax.search(workspace, plies_limit(budget), reach_of(budget, 3), True)
    return note(memory, found, workspace.run[0].nodes)


def each_for_himself(view: Any, memory: Looked, weights: Numbers, budget: Budget) -> int:
    """Looks ahead, and expects everybody to do what is best for themselves: max^n."""
    workspace = maxn.workspace_for(view, weights)
    timed = budget.milliseconds > 0 or budget.iterations > 0
    found = maxn.search(workspace, plies_limit(budget), reach_of(budget, 6), view.players, timed)
    return note(memory, found, workspace.run[0].nodes)


def tree_player(view: Any, memory: Found, weights: Numbers, budget: Budget) -> int:
    """Plays on at random very often, more so along the lines that go well: Monte Carlo tree search."""
    playout = MODEL if weights[1] > 0.0 else RANDOM
    found = uct.uct(fresh_worlds(view), limit_of(budget), view.dice, uct.Options(weights[0], playout))
    return most_promising(memory, found, most_visited(found))


def flat_player(view: Any, memory: Found, weights: Numbers, budget: Budget) -> int:
    """Plays on at random after every move, very often, and makes the one that wins most: Monte Carlo evaluation."""
    playout = MODEL if weights[0] > 0.0 else RANDOM
    found = flat(fresh_worlds(view), limit_of(budget), view.dice, playout)
    return most_promising(memory, found, most_valued(found))


@compiled
def most_promising(memory: Found, found: Estimates, choice: Choice) -> int:
    note_found(memory, found, choice)
    return decision(choice.move, 0, int(100 * choice.value + 0.5))


def told(say: Say) -> Callable[..., Mapping[str, str]]:
    """What a player found out by looking ahead, in words."""

    def tell(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
        return {"found": found_text(memory, say)}

    return tell


def found_text(memory: Any, say: Say) -> str:
    """The value, the depth and the main line."""
    points, depth = float(memory["points"]), int(memory["depth"])
    line = ", ".join(say(int(move)) for move in memory["line"][: int(memory["length"])])
    looked = f"{depth} {'ply' if depth == 1 else 'plies'} deep, {int(memory['nodes']):,} positions"
    return f"{value_text(points)} ({looked}){f'; expects {line}' if line else ''}"


def value_text(points: float) -> str:
    if points > DECIDED:
        plies = round(WIN - points)
        return f"sees a win in {plies} {'ply' if plies == 1 else 'plies'}"
    if points < -DECIDED:
        return f"sees a loss in {round(WIN + points)} plies"
    return f"worth {points:+.0f} points" if round(points) else "worth as much to both"


def searcher(
    game: str, say: Say, name: str, decide: Callable[..., int] = look_ahead, *,
    needs: tuple[str, ...] = alphabeta.NEEDS, depth: int = 0, weights: Weights | tuple[float, ...] = (),
    title: str = "", description: str = "", origin: str = "kibitz",
) -> CompiledAgent:  # fmt: skip
    """A player of a game that looks ahead so many plies, or as usual, and evaluates by these weights."""
    made = agent_of(
        game, decide, ("{found}",), origin, Traits(searches=True), name, memory=LOOKED, needs=needs,
        budget=Budget(depth=depth), weights=weights, reason_variables=told(say), title=title,
    )  # fmt: skip
    return described(made, description)


def paranoid(game: str, say: Say, name: str, **parts: Any) -> CompiledAgent:
    """Looks ahead, and expects all others to play against it."""
    return searcher(game, say, name, look_ahead, **{"description": paranoid.__doc__, **parts})


def tree_searcher(
    game: str, name: str, iterations: int, *, informed: bool = False, exploration: float = EXPLORATION, title: str = "",
    description: str = "",
) -> CompiledAgent:  # fmt: skip
    """A player by Monte Carlo tree search, with playouts at random or by what the game takes for plausible."""
    weights = Weights((exploration, float(informed)), ("exploration", "informed"), ((0.1, 3.0), (0.0, 1.0)))
    made = playing_on(game, name, tree_player, iterations, weights, uct.NEEDS, "Kocsis and Szepesvári 2006", title)
    return described(made, description)


def flat_searcher(
    game: str, name: str, iterations: int, *, informed: bool = False, title: str = "", description: str = ""
) -> CompiledAgent:
    """A player by Monte Carlo evaluation, with playouts at random or by what the game takes for plausible."""
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
    """The first of a game's own players that looks ahead, if there is one."""
    for agent in registry.agents(game):
        if isinstance(agent, CompiledAgent) and agent.decide in (look_ahead, look_ahead_at_dice):
            return agent
    return None


def usual_weights(game: Game) -> Any:
    """What the game's own players that look ahead evaluate by."""
    agent = usual_searcher(game)
    return agent.weights.values if agent is not None else ()
