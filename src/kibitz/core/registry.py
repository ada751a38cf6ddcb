"""The registry of games, agents and trainers: built-in, from installed packages, and from files.

A package adds games with entry points of the group `kibitz.games`, agents with `kibitz.agents`, named `game.agent`, and
trainers with `kibitz.trainers`, named `game.trainer`. An agent is a compiled agent or a class with a method `decide`.
"""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from inspect import getdoc
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec

from kibitz.core.agent import FAILURES, Agent, CompiledAgent, PythonAgent, Traits, interrupted
from kibitz.core.agent_faults import error_with_place
from kibitz.core.agent_spec import AgentSpec, changed_weights, parsed, spec_weights
from kibitz.core.agent_title import title_of
from kibitz.core.bot_instances import creator, sharing_warning
from kibitz.core.game import Game
from kibitz.core.trainer import Trainer
from kibitz.core.weights import Weights
from kibitz.engine.seat import Budget, argument_names
from kibitz.errors import KibitzError, unknown
from kibitz.text import error_text, fit, text_of


@cache
def game_entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group="kibitz.games")}


@cache
def agent_entries(game: str) -> dict[str, EntryPoint]:
    return entries_of(game, "kibitz.agents")


@cache
def trainer_entries(game: str) -> dict[str, EntryPoint]:
    return entries_of(game, "kibitz.trainers")


def entries_of(game: str, group: str) -> dict[str, EntryPoint]:
    named = [(entry.name.partition("."), entry) for entry in entry_points(group=group)]
    return {name: entry for (of, _, name), entry in named if of == game}


def load(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except FAILURES as error:
        if interrupted(error):
            raise
        raise KibitzError(
            f"{entry.name} ({entry.value}) is installed but cannot be loaded: {error_text(error)}"
        ) from error


@cache
def game(name: str) -> Game:
    if name not in game_entries():
        raise unknown("game", name, game_entries(), "`kibitz games` lists them.")
    found = load(game_entries()[name])
    if not isinstance(found, Game):
        raise KibitzError(f"The entry point of the game {name} is {found!r}, which is not a Game.")
    if getattr(found, "name", None) != name:
        raise KibitzError(
            f"The entry point {name} is a game whose `name` is {getattr(found, 'name', 'missing')}. Use the same name."
        )
    found.check_declared()
    return found


def games() -> list[Game]:
    return [game(name) for name in sorted(game_entries())]


def trainer(game: Game, name: str) -> Trainer:
    known = trainer_entries(game.name)
    if name not in known:
        there = f"{game.title} has {', '.join(known)}." if known else f"{game.title} has none."
        raise unknown(f"{game.title} trainer", name, known, there)
    found = load(known[name])
    if not isinstance(found, Trainer):
        raise KibitzError(f"The entry point of the trainer {name} is {found!r}, which is not a Trainer.")
    return found


def agents(game: Game) -> list[Agent]:
    """All agents of a game. The description of one that cannot be loaded is the reason."""
    return [agent_or_why(game, name) for name in sorted(agent_entries(game.name))]


def agent_or_why(game: Game, name: str) -> Agent:
    try:
        return agent(game, name)
    except KibitzError as error:
        return Agent(name, game.name, str(error), agent_entries(game.name)[name].value, Traits(), title=title_of(name))


def agent(game: Game, text: str) -> Agent:
    """An agent by its name or place: `path/to/bot.py:MyBot`, `package.module:MyBot`, `path/to/list.toml`.

    `agent_spec` describes the options that may follow.
    """
    return made(game, spec(game.name, text))


def spec(game_name: str, agent: str | AgentSpec | Agent) -> AgentSpec:
    """The description of an agent, which may be a text, a description or an agent."""
    if isinstance(agent, AgentSpec):
        return agent
    if isinstance(agent, Agent):
        return described(game(game_name), agent) if agent.source else AgentSpec(agent.name)
    found = parsed(agent, lambda name: name in agent_entries(game_name))
    check_other_games(game_name, found.name)
    return found


def check_other_games(game_name: str, name: str) -> None:
    """Refuse NAME:MODEL if NAME is an agent of another game, rather than look for a module of that name."""
    outer, colon, _ = name.partition(":")
    if not colon or not outer.isidentifier() or find_spec(outer) is not None or Path(f"{outer}.py").exists():
        return
    owners = [each for each in game_entries() if outer in agent_entries(each)]
    if owners:
        raise KibitzError(
            f"{outer} is an agent of {', '.join(owners)}, not of {game_name}. `kibitz agents {game_name}` lists the "
            f"agents of this game."
        )


def made(game: Game, spec: AgentSpec) -> Agent:
    """Make an agent from its description."""
    spec.check_files()
    agent = base(game, spec.name)
    if spec == AgentSpec(spec.name, digests=spec.digests):
        return agent
    if isinstance(agent, PythonAgent):
        return with_spec(agent, spec)
    if not isinstance(agent, CompiledAgent):
        raise KibitzError(f"{spec.name} takes no options.")
    if spec.budget is not None and not agent.traits.searches:
        raise KibitzError(f"{spec.name} does not search, so it takes no budget ({spec.budget_text}).")
    if spec.depth and not agent.counts_plies:
        raise KibitzError(f"{spec.name} takes no depth. Its budget is a number of iterations or milliseconds.")
    if spec.models and "models" not in argument_names(agent.decide):
        raise KibitzError(f"{spec.name} uses no other agent as a model. Leave out :{spec.models[0]}.")
    apart = with_settings_apart(spec, agent)
    agent = agent.with_weights(spec_weights(apart, agent.weights))
    agent = agent.with_settings(dict(apart.settings)) if apart.settings else agent
    agent = agent.with_book(Path(spec.book)) if spec.book else agent
    agent = agent.with_budget(spec.budget) if spec.budget is not None else agent
    models = [made(game, model) for model in spec.models]
    for model in models:
        if not isinstance(model, CompiledAgent):
            raise KibitzError(
                f"{spec.name} can only use compiled agents as models, but {model.name} is a Python class."
            )
    agent = agent.with_models([model for model in models if isinstance(model, CompiledAgent)]) if models else agent
    return replace(agent, name=str(spec), title=f"{agent.title} ({spec.without_paths()})")


def with_settings_apart(spec: AgentSpec, agent: CompiledAgent) -> AgentSpec:
    """The description with the settings of the search apart from the weights: both are written NAME=NUMBER."""
    settings = [each for each in spec.some_weights if each[0] in agent.settings.names]
    weights = tuple(each for each in spec.some_weights if each not in settings)
    for name in dict(weights) if agent.settings.names else ():
        if name not in agent.weights.names:
            known = (*agent.weights.names, *agent.settings.names)
            raise unknown("weight", name, known, f"{spec.name} has the weights and settings {', '.join(known)}.")
    return msgspec.structs.replace(spec, some_weights=weights, settings=(*spec.settings, *settings))


def with_spec(agent: PythonAgent, spec: AgentSpec) -> PythonAgent:
    """A Python agent with the weights of a description."""
    if spec.budget is not None or spec.models:
        raise KibitzError(f"{spec.name} is a Python class. Only compiled agents take budgets and models.")
    if not len(agent.own_weights):
        raise KibitzError(
            f"{spec.name} is a Python class without weights. Declare them as a dictionary of numbers, `weights`."
        )
    weights = spec_weights(spec, agent.own_weights)
    if weights.by_players:
        raise KibitzError(
            f"{spec.name} is a Python class, whose weights cannot depend on the number of players. Remove the tables "
            f"`players` from the file."
        )
    return replace(agent.with_weights(weights), name=str(spec))


def declared_weights(name: str, found: Any) -> Weights:
    """The weights of a Python class, from its attributes `weights`, named numbers, and `ranges`, the limits of each.

    An attribute `weights` of any other form is ignored.
    """
    weights, ranges = getattr(found, "weights", None), getattr(found, "ranges", {})
    if isinstance(weights, Weights):
        return weights
    if not isinstance(weights, Mapping) or not all(isinstance(each, str) for each in weights):
        return Weights()
    if not weights or not all(is_number(value) for value in weights.values()):
        return Weights()
    if not isinstance(ranges, Mapping) or not ranges:
        return Weights(list(weights.values()), tuple(weights))
    for each in weights:
        if not (isinstance(ends := ranges.get(each), Sequence) and len(ends) == 2 and all(map(is_number, ends))):
            raise KibitzError(
                f"The `ranges` of {name} must give the limits of every weight, as in "
                f"{{{each!r}: (0.0, 1.0)}}; for {each} it is {text_of(ranges.get(each), repr)}."
            )
    ends = tuple((float(ranges[each][0]), float(ranges[each][1])) for each in weights)
    return Weights(list(weights.values()), tuple(weights), ends)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def described(game: Game, agent: Agent) -> AgentSpec:
    """The description from which another process can make the agent."""
    if not agent.source:
        raise KibitzError(
            f"{agent.name} was made in this program, so another process cannot make it. Put it into a file and name it "
            f"path/to/file.py:{agent.name}, or play without records and in one process."
        )
    if isinstance(agent, PythonAgent):
        return AgentSpec(agent.source, **changed_weights(agent.own_weights, agent.weights))
    own = base(game, agent.source)
    if not isinstance(agent, CompiledAgent) or not isinstance(own, CompiledAgent):
        return AgentSpec(agent.source)
    budget = agent.budget if agent.budget not in (None, own.budget) else Budget()
    return AgentSpec(
        agent.source,
        **changed_weights(own.weights, agent.weights),
        settings=tuple(each for each in agent.settings.by_name().items() if each not in own.settings.by_name().items()),
        book=agent.book_file,
        iterations=budget.iterations,
        milliseconds=budget.milliseconds,
        depth=budget.depth,
        models=() if agent.models == own.models else tuple(described(game, model) for model in agent.models),
    )


def base(game: Game, name: str) -> Agent:
    """An agent without options."""
    if name.endswith(".toml"):
        return as_agent(game, name, game.compose(Path(name)))
    if ":" in name:
        return as_agent(game, name, load_from(name))
    if is_elite(game, name):
        assert game.elites is not None
        return as_agent(game, name, game.elites.agent(name))
    if name not in agent_entries(game.name):
        raise unknown(
            f"{game.title} agent", name, agent_entries(game.name),
            f"`kibitz agents {game.name}` lists them; an agent in your own file is path/to/file.py:ClassName or "
            f"path/to/file.toml.",
        )  # fmt: skip
    return as_agent(game, name, load(agent_entries(game.name)[name]))


def is_elite(game: Game, name: str) -> bool:
    """Whether a name belongs to the game's built-in map of elites."""
    return name not in agent_entries(game.name) and game.elites is not None and name in game.elites


def is_known(game: Game, name: str) -> bool:
    """Whether an agent is installed: other people may name it, because nothing of theirs is loaded."""
    return name in agent_entries(game.name) or is_elite(game, name)


def is_ours(game: Game, name: str) -> bool:
    """Whether an agent's code belongs to this package. Other code may do anything while it is loaded."""
    if name.endswith(".toml") or is_elite(game, name):
        return True
    entry = agent_entries(game.name).get(name)
    return entry is not None and entry.module.partition(".")[0] == __package__.partition(".")[0]


def as_agent(game: Game, name: str, found: Any) -> Agent:
    if isinstance(found, Agent):
        if found.game != game.name:
            raise KibitzError(f"{name} plays {found.game}, not {game.name}.")
        return replace(found, title=found.title or title_of(name), source=name)
    if not callable(getattr(found, "decide", None)):
        if isinstance(found, FunctionType):
            raise KibitzError(
                f"{name} is a function, not an agent. Make it the method `decide(self, view)` of a class, or compile "
                f"it with the decorator `@agent` of its game (docs/how-to/compiled-agent.md)."
            )
        raise KibitzError(f"{name} is not an agent: it has no method `decide(self, view)` that returns a move.")
    plays = getattr(found, "game", game.name)
    if plays != game.name:
        raise KibitzError(f"{name} plays {plays}, not {game.name}.")
    traits = getattr(found, "traits", Traits(remembers=hasattr(found, "observe")))
    if not isinstance(traits, Traits):
        raise KibitzError(f"The traits of {name} are {text_of(traits, repr)}; they must be a kibitz.core.agent.Traits.")
    weights = declared_weights(name, found)
    return PythonAgent(
        name=name,
        game=game.name,
        description=text_of(getdoc(found) or ""),
        origin=text_of(getattr(found, "origin", name.partition(":")[0])),
        traits=traits,
        title=text_of(getattr(found, "title", "") or title_of(name)),
        create=creator(found, name),
        warning=sharing_warning(found, name),
        source=name,
        weights=weights,
        own_weights=weights,
    )


def in_this_process(game: Game, name: str, found: Any, create: Callable[[], Any]) -> Agent:
    """An agent of an object of this program. It has no source, so other processes cannot make it."""
    agent = as_agent(game, name, found)
    assert isinstance(agent, PythonAgent)
    return replace(agent, create=create, source="")


def load_from(name: str) -> Any:
    where, _, attribute = name.rpartition(":")
    module = load_file(Path(where)) if where.endswith(".py") else load_module(where)
    if not hasattr(module, attribute):
        names = [key for key, value in vars(module).items() if hasattr(value, "decide")]
        raise unknown("agent in " + where, attribute, names, f"It has {', '.join(names) or 'none'}.")
    return getattr(module, attribute)


def load_module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except FAILURES as error:
        if interrupted(error):
            raise
        raise KibitzError(f"The module {fit(name)!r} cannot be imported: {error_text(error)}") from error


def load_file(path: Path) -> Any:
    if not path.is_file():
        raise KibitzError(f"There is no file {path}. An agent in a file is named path/to/file.py:ClassName.")
    return load_version(path.resolve(), path.read_bytes())


@cache
def load_version(path: Path, content: bytes) -> Any:
    """Load a file, once for each content.

    The module's name depends on the path and the content. It is the same in every process, so that the cache finds its
    compiled functions, and differs between files and versions, of which several may be in use.
    """
    place_and_content = blake2b(bytes(path) + b"\0" + content, digest_size=8)
    name = f"kibitz_file_{path.stem}_{place_and_content.hexdigest()}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # a .py file has a spec
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        exec(compile(content, path, "exec"), vars(module))  # its loader would read the file again
    except FAILURES as error:
        del sys.modules[name]
        if interrupted(error):
            raise
        raise KibitzError(f"{fit(str(path))} cannot be loaded: {error_with_place(error, str(path))}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module
