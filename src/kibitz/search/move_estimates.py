"""Estimates of every legal move of a position, for any agent that searches."""

from collections.abc import Iterable
from typing import Any

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, CompiledPlayer, PythonPlayer
from kibitz.engine import generic
from kibitz.engine.expectation import ESTIMATED, MoveEstimate, unknown_estimate
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError


def estimate_moves(
    agent: Agent, view: Any, *, seen: Iterable[Any] = (), budget: Budget | None = None
) -> list[MoveEstimate]:
    """Let an agent search, and return its estimates of all legal moves: the best first, those not searched last.

    It works for every agent for which `keeps_estimates` is true. `seen` are the views of its seat since the start, this
    one included; an agent that remembers needs them.

        >>> from kibitz.core import registry
        >>> from kibitz.engine.seeds import keys
        >>> game = registry.game("connect4")
        >>> state = game.deal(keys(7), 0, 2, game.check_rules({}))[0]
        >>> best, *others = estimate_moves(registry.agent(game, "alphabeta"), state)
        >>> game.move_text(best.move), best.error, len(others)
        ('d', 0.0, 6)
    """
    if generic.to_move(view) < 0:
        raise KibitzError("The game is over in this position, so there are no moves to estimate.")
    game = registry.game(agent.game)
    if isinstance(agent, CompiledAgent) and budget is not None:
        agent = agent.with_budget(budget)
    if not keeps_estimates(agent):
        raise KibitzError(why_none(agent))
    player = agent.take_seat(game, explains=False)
    assert isinstance(player, CompiledPlayer | PythonPlayer)
    if player.remembers:
        for each in seen:
            player.observe(each)
    player.decide(view)
    found = player.estimates
    listed = {each.move for each in found}
    return found + [unknown_estimate(move) for move in game.legal(view) if move not in listed]


def keeps_estimates(agent: Agent) -> bool:
    """Whether an agent leaves estimates of the moves after a decision.

    A compiled agent has the fields `ESTIMATED` in its memory; a Python agent sets the attribute `estimates`.
    """
    if isinstance(agent, CompiledAgent):
        return agent.memory is not None and {field[0] for field in ESTIMATED} <= set(agent.memory.names or ())
    player = agent.take_seat(registry.game(agent.game), explains=False)
    return isinstance(player, PythonPlayer) and hasattr(player.bot, "estimates")


def why_none(agent: Agent) -> str:
    if not agent.traits.searches:
        return f"{agent.name} does not search, so it has no estimates. Choose an agent that searches."
    fields = "kibitz.engine.expectation.ESTIMATED"
    return f"{agent.name} does not keep its estimates. Add the fields {fields} to its memory."
