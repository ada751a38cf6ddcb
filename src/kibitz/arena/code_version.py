"""A digest of the rules, code and weights that the games of a match depend on.

A checkpoint must not be resumed after an edit, or its games would mix two versions of an agent.
"""

import importlib.util
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from numba import from_dtype

from kibitz import __version__
from kibitz.arena.match import Match
from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.agent_spec import AgentSpec, digest_of
from kibitz.core.game import Game
from kibitz.engine.dependencies import digest, function_of
from kibitz.engine.loop import play_games
from kibitz.engine.seat import SEAT


def code_version(match: Match) -> str:
    """A digest of the rules and of all agents' code, weights and budgets, the same in every process."""
    seats = [version_of_agent(match.game, *seat) for seat in zip(match.agents, match.specs, strict=True)]
    return digest_of_texts([__version__, rules_version(match.game), *seats])


def parts_of(match: Match) -> dict[str, str]:
    """The versions of the rules and of every agent, by a name for people."""
    versions = {f"the rules of {match.game.title}": rules_version(match.game)}
    for name, agent, spec in zip(match.seats, match.agents, match.specs, strict=True):
        # A function's digest depends on the place of its file, which differs from computer to computer.
        in_file = any(file.suffix == ".py" for file in spec.files())
        version = digest_of_texts(package_parts(match.game, spec)) if in_file else ""
        versions[f"the agent {name}"] = version or version_of_agent(match.game, agent, spec)
    return versions


def rules_version(game: Game) -> str:
    return digest(function_of(play_games), str(from_dtype(game.dtype)))


def version_of_agent(game: Game, agent: Agent, spec: AgentSpec) -> str:
    return digest_of_texts(agent_parts(game, agent) if isinstance(agent, CompiledAgent) else package_parts(game, spec))


def digest_of_texts(parts: Iterable[str]) -> str:
    return blake2b("\n".join(parts).encode(errors="surrogatepass"), digest_size=16).hexdigest()


def agent_parts(game: Game, agent: CompiledAgent) -> Iterator[str]:
    argument_types = f"{from_dtype(game.dtype)} {from_dtype(SEAT)}"
    for function in agent.functions(game):
        yield digest(function_of(function), argument_types) if function is not None else ""
    yield repr((agent.memory, agent.public, agent.budget, agent.traits.cheats))
    yield agent.weights.digest()
    if len(agent.settings) or len(agent.book):
        yield f"{agent.settings.digest()} {agent.book.digest()}"
    for model in agent.models:
        yield from agent_parts(game, model)


def package_parts(game: Game, spec: AgentSpec) -> Iterator[str]:
    """The digest of a Python agent's files: its code must not run in this process."""
    yield str(spec.without_paths())
    yield from (digest_of(file) for file in spec.files())
    entry = registry.agent_entries(game.name).get(spec.name)
    if entry is not None:
        yield from map(digest_of, module_files(entry.module.partition(".")[0]))


def module_files(name: str) -> list[Path]:
    """The Python files of a module or of a whole package, without importing it."""
    try:
        found = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return []
    if found is None:
        return []
    folders = [Path(place) for place in found.submodule_search_locations or ()]
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    return files or ([Path(found.origin)] if found.origin else [])
