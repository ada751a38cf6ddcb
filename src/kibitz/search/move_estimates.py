"""What a search says about every legal move of a position, for any agent that searches."""

from collections.abc import Iterable
from typing import Any

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.engine import generic
from kibitz.engine.expectation import ESTIMATED, MoveEstimate, unknown_estimate
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError


def estimate_moves(
    agent: CompiledAgent, view: Any, *, seen: Iterable[Any] = (), budget: Budget | None = None
) -> list[MoveEstimate]:
    """Let an agent search, and return its estimate of every legal move: the best first, those not searched last.

    An agent that remembers has to be shown what its seat has `seen`: its views since the start, this one included.

        >>> from kibitz.core import registry
        >>> from kibitz.engine.seeds import keys
        >>> game = registry.game("connect4")
        >>> state = game.deal(keys(7), 0, 2, game.check_rules({}))[0]
        >>> best, *others = estimate_moves(registry.agent(game, "alphabeta"), state)
        >>> game.move_text(best.move), best.error, len(others)
        ('d', 0.0, 6)
    """
    if not agent.traits.searches:
        raise KibitzError(f"{agent.name} does not search, so it has no estimates. Choose an agent that searches.")
    if agent.memory is None or not {field[0] for field in ESTIMATED} <= set(agent.memory.names or ()):
        fields = "kibitz.engine.expectation.ESTIMATED"
        raise KibitzError(f"{agent.name} does not keep its estimates. Add the fields {fields} to its memory.")
    if generic.to_move(view) < 0:
        raise KibitzError("Nobody is to move in this position, so there are no moves to estimate.")
    game = registry.game(agent.game)
    player = (agent if budget is None else agent.with_budget(budget)).take_seat(game, explains=False)
    for each in seen:
        player.observe(each)
    player.packed(view)
    found = player.estimates
    listed = {each.move for each in found}
    return found + [unknown_estimate(move) for move in game.legal(view) if move not in listed]
