"""Draughts tables to test at: positions in FEN, moves in words."""

from typing import Any

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent, Decision
from kibitz.core.table import Table
from kibitz.engine.seat import Budget
from kibitz.games.draughts.game import DRAUGHTS
from kibitz.games.draughts.moves import Move

VARIANTS = DRAUGHTS.rules[0].choices
LEVELS = ("alphabeta2", "alphabeta6", "alphabeta10")  # they are `samuel`, at other depths


def at_two_plies(agent: Agent) -> Agent:
    return agent.with_budget(Budget(depth=2)) if isinstance(agent, CompiledAgent) else agent


def hurried(agent: Agent) -> Agent:
    """With little time: two plies, or a hundred random playouts."""
    if isinstance(agent, CompiledAgent) and agent.budget and agent.budget.iterations:
        return agent.with_budget(Budget(100))
    return at_two_plies(agent)


AGENTS = tuple(hurried(agent) for agent in registry.agents(DRAUGHTS) if agent.name not in LEVELS)


def table_at(fen: str = "", variant: str = "brazilian") -> Table:
    """A table nobody sits at, at a position, or at the start."""
    rules = {"variant": variant}
    start = DRAUGHTS.set_up(fen, 2, rules) if fen else DRAUGHTS.load_start({}, 2, rules)
    return Table(DRAUGHTS, [], start)


def legal(fen: str, variant: str = "brazilian") -> set[str]:
    return {str(Move(move)) for move in DRAUGHTS.legal(table_at(fen, variant).state)}


def make(table: Table, moves: str) -> Any:
    """Make moves in words; the state after them."""
    for text in moves.split():
        table.make(Decision(DRAUGHTS.move(text, table.state)))
    return table.state
