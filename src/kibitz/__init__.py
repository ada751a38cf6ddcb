"""kibitz: a laboratory for games with hidden information.

>>> import kibitz
>>> result = kibitz.match("tictactoe", ["perfect", "random"], games=20)
>>> result.games, result.mean > 0.5
(20, True)

`match`, `duel` and `cross` measure agents, `reproduce` replays the tables of a paper, `runs` and `run` find what
commands played, `table` plays one game step by step, `records`, `load` and `save` read and write games, `games` and
`agents` list what is installed, `agent` wraps a function or a class, and `env` makes environments.

Every name is loaded on first use, so `import kibitz` is fast and compiles nothing.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from kibitz.api.catalogue import agent as agent
    from kibitz.api.catalogue import agents as agents
    from kibitz.api.catalogue import games as games
    from kibitz.api.crosses import CrossResult as CrossResult
    from kibitz.api.crosses import cross as cross
    from kibitz.api.duels import DuelResult as DuelResult
    from kibitz.api.duels import duel as duel
    from kibitz.api.environments import env as env
    from kibitz.api.experiments import ReproduceResult as ReproduceResult
    from kibitz.api.experiments import reproduce as reproduce
    from kibitz.api.files import load as load
    from kibitz.api.files import records as records
    from kibitz.api.files import save as save
    from kibitz.api.matches import MatchResult as MatchResult
    from kibitz.api.matches import match as match
    from kibitz.api.reviews import review as review
    from kibitz.api.saved_runs import SavedRun as SavedRun
    from kibitz.api.saved_runs import run as run
    from kibitz.api.saved_runs import runs as runs
    from kibitz.api.tables import Table as Table
    from kibitz.api.tables import Turn as Turn
    from kibitz.api.tables import replay as replay
    from kibitz.api.tables import table as table
    from kibitz.arena.statistics import Estimate as Estimate
    from kibitz.coach.review import Review as Review
    from kibitz.core.agent import Agent as Agent
    from kibitz.core.encoding import Actions as Actions
    from kibitz.core.game import Game as Game
    from kibitz.core.record import Record as Record
    from kibitz.core.view import View as View
    from kibitz.errors import AgentError as AgentError
    from kibitz.errors import ArgumentError as ArgumentError
    from kibitz.errors import KibitzError as KibitzError
    from kibitz.errors import MissingExtraError as MissingExtraError
    from kibitz.errors import RecordError as RecordError
    from kibitz.errors import UnknownNameError as UnknownNameError
    from kibitz.errors import UnsupportedError as UnsupportedError
else:
    _PLACES = {
        "Actions": "kibitz.core.encoding",
        "Agent": "kibitz.core.agent",
        "AgentError": "kibitz.errors",
        "ArgumentError": "kibitz.errors",
        "CrossResult": "kibitz.api.crosses",
        "DuelResult": "kibitz.api.duels",
        "Estimate": "kibitz.arena.statistics",
        "Game": "kibitz.core.game",
        "KibitzError": "kibitz.errors",
        "MatchResult": "kibitz.api.matches",
        "MissingExtraError": "kibitz.errors",
        "Record": "kibitz.core.record",
        "RecordError": "kibitz.errors",
        "ReproduceResult": "kibitz.api.experiments",
        "Review": "kibitz.coach.review",
        "SavedRun": "kibitz.api.saved_runs",
        "Table": "kibitz.api.tables",
        "Turn": "kibitz.api.tables",
        "UnknownNameError": "kibitz.errors",
        "UnsupportedError": "kibitz.errors",
        "View": "kibitz.core.view",
        "agent": "kibitz.api.catalogue",
        "agents": "kibitz.api.catalogue",
        "cross": "kibitz.api.crosses",
        "duel": "kibitz.api.duels",
        "env": "kibitz.api.environments",
        "load": "kibitz.api.files",
        "match": "kibitz.api.matches",
        "records": "kibitz.api.files",
        "replay": "kibitz.api.tables",
        "reproduce": "kibitz.api.experiments",
        "review": "kibitz.api.reviews",
        "run": "kibitz.api.saved_runs",
        "runs": "kibitz.api.saved_runs",
        "save": "kibitz.api.files",
        "table": "kibitz.api.tables",
    }

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name == "games":  # a package that can be called: the package and the function share their name
            return import_module("kibitz.games")
        if name not in _PLACES:
            raise AttributeError(f"module 'kibitz' has no attribute {name!r}. It has {', '.join(__all__)}.")
        value = globals()[name] = getattr(import_module(_PLACES[name]), name)
        return value


__all__ = [
    "Actions",
    "Agent",
    "AgentError",
    "ArgumentError",
    "CrossResult",
    "DuelResult",
    "Estimate",
    "Game",
    "KibitzError",
    "MatchResult",
    "MissingExtraError",
    "Record",
    "RecordError",
    "ReproduceResult",
    "Review",
    "SavedRun",
    "Table",
    "Turn",
    "UnknownNameError",
    "UnsupportedError",
    "View",
    "__version__",
    "agent",
    "agents",
    "cross",
    "duel",
    "env",
    "games",
    "load",
    "match",
    "records",
    "replay",
    "reproduce",
    "review",
    "run",
    "runs",
    "save",
    "table",
]


def __dir__() -> list[str]:
    return sorted(__all__)
