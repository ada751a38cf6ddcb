"""What the games of a match depend on besides its plan: rules, code and weights of its agents, as a digest.

A checkpoint that lies where nobody looks must not be gone on with after an edit: its games would be of two players.
"""

import importlib.util
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from numba import from_dtype

from kibitz import __version__
from kibitz.arena.match import Match
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.agent_spec import AgentSpec, digest_of
from kibitz.core.game import Game
from kibitz.engine.dependencies import digest, function_of
from kibitz.engine.loop import play_games
from kibitz.engine.seat import SEAT


def code_version(match: Match) -> str:
    """The digest of the rules, and of every agent's code, weights and budget; the same in every process."""
    parts = [__version__, digest(function_of(play_games), str(from_dtype(match.game.dtype)))]
    for agent, spec in zip(match.agents, match.specs, strict=True):
        parts += agent_parts(match.game, agent) if isinstance(agent, CompiledAgent) else package_parts(match.game, spec)
    return blake2b("\n".join(parts).encode(errors="surrogatepass"), digest_size=16).hexdigest()


def agent_parts(game: Game, agent: CompiledAgent) -> Iterator[str]:
    argument_types = f"{from_dtype(game.dtype)} {from_dtype(SEAT)}"
    for function in agent.functions(game):
        yield digest(function_of(function), argument_types) if function is not None else ""
    yield repr((agent.memory, agent.public, agent.budget, agent.traits.cheats))
    yield agent.weights.digest()
    for model in agent.models:
        yield from agent_parts(game, model)


def package_parts(game: Game, spec: AgentSpec) -> Iterator[str]:
    """Somebody's Python is not loaded here: its files stand for it."""
    yield str(spec)
    yield from (digest_of(file) for file in spec.files())
    entry = registry.agent_entries(game.name).get(spec.name)
    if entry is not None:
        yield from map(digest_of, module_files(entry.module.partition(".")[0]))


def module_files(name: str) -> list[Path]:
    """The Python files of a module, or of a package with all that is in it, without importing it."""
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return []
    if found is None:
        return []
    folders = [Path(place) for place in found.submodule_search_locations or ()]
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    return files or ([Path(found.origin)] if found.origin else [])
