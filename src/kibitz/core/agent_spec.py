"""A description from which an agent can be made in another process or on another machine.

As text it is NAME, or NAME:MODEL for an agent with another agent as its model. Options follow, each after an @:

    trustful@tuned.toml          weights from a file (.toml or .npz)
    trustful@play_tip.bar=0.8    some weights by name
    person@experience=expert     a word, for a weight that has words for its values
    ismcts@500                   iterations per move
    ismcts@50ms                  milliseconds per move
    alphabeta@6ply               search depth in plies
    alphabeta@singular=50        some settings of its search by name
    alphabeta@book=openings.npz  a book of positions that its search reads
"""

import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from kibitz.core.weights import Weights
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError
from kibitz.text import fit

TIME, DEPTH, COUNT = re.compile(r"(\d+)ms"), re.compile(r"(\d+)ply"), re.compile(r"(\d+)(it)?")
WEIGHT = re.compile(r"([A-Za-z_][\w.]*)=([-+]?[\d.]+(?:e[-+]?\d+)?)", re.IGNORECASE)
WORD = re.compile(r"([A-Za-z_][\w.]*)=([A-Za-z_]\w*)")
BOOK = re.compile(r"book=(.+\.npz)")
FILES = (".toml", ".npz")


class AgentSpec(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    name: str  # in the registry, or a place: path/to/bot.py:MyBot, package.module:MyBot, path/to/list.toml
    weights: tuple[float, ...] = ()  # all weights, if they are not the agent's own
    some_weights: tuple[tuple[str, float | str], ...] = ()  # by name, if only some differ; a word stands for a number
    weights_by_players: tuple[tuple[int, tuple[float, ...]], ...] = ()
    weights_file: str = ""
    settings: tuple[tuple[str, float | str], ...] = ()  # of its search, by name, if they are not the agent's own
    book: str = ""  # a file
    iterations: int = 0
    milliseconds: int = 0
    depth: int = 0
    models: tuple["AgentSpec", ...] = ()  # agents to simulate
    digests: tuple[tuple[str, str], ...] = ()  # of the files it was made from, at that time

    @property
    def budget(self) -> Budget | None:
        budget = Budget(self.iterations, self.milliseconds, self.depth)
        return budget if any(budget) else None

    @property
    def budget_text(self) -> str:
        text = f"@{self.iterations}" if self.iterations else ""
        text += f"@{self.milliseconds}ms" if self.milliseconds else ""
        return text + (f"@{self.depth}ply" if self.depth else "")

    @property
    def plain(self) -> bool:
        """Whether the text describes the agent completely."""
        return not (self.weights or self.weights_by_players or self.digests or any(not m.plain for m in self.models))

    def __str__(self) -> str:
        text = ":".join([self.name, *map(str, self.models)])
        text += f"@{self.weights_file}" if self.weights_file else ""
        for name, value in (*self.some_weights, *self.settings):
            text += f"@{name}={value}" if isinstance(value, str) else f"@{name}={value:.12g}"
        if self.weights or self.weights_by_players:
            content = msgspec.json.encode((self.weights, self.weights_by_players))
            text += f"@weights-{blake2b(content, digest_size=4).hexdigest()}"
        text += f"@book={self.book}" if self.book else ""
        return text + self.budget_text

    def without_paths(self) -> "AgentSpec":
        """The same without folders, for people: MyBot for path/to/my_bot.py:MyBot."""
        models = tuple(model.without_paths() for model in self.models)
        return msgspec.structs.replace(
            self, name=last_of(self.name), weights_file=last_of(self.weights_file), book=last_of(self.book),
            models=models,
        )  # fmt: skip

    def files(self) -> list[Path]:
        """The files that the agent is made from."""
        where = self.name if self.name.endswith(FILES) else self.name.rpartition(":")[0]
        named = [Path(where)] if where.endswith((".py", *FILES)) else []
        named += [Path(self.weights_file)] if self.weights_file else []
        named += [Path(self.book)] if self.book else []
        return named + [file for model in self.models for file in model.files()]

    def with_digests(self) -> "AgentSpec":
        """The same, with the current digests of its files."""
        return msgspec.structs.replace(self, digests=tuple((str(file), digest_of(file)) for file in self.files()))

    def written(self) -> dict[str, Any] | None:
        """The part of the description that a record keeps besides the text; None if the text is complete."""
        spec = self.with_digests()
        return None if spec.plain else fitting(msgspec.to_builtins(spec))

    def check_files(self) -> None:
        """Refuse files that have changed since the description was made."""
        for file, digest in self.digests:
            if digest_of(Path(file)) != digest:
                raise KibitzError(f"{file} is not the file that {self} was made from: it has changed or is missing.")


def fitting(value: Any) -> Any:
    """Plain values with all texts made safe for JSON: file names may contain invalid characters."""
    if isinstance(value, dict):
        return {name: fitting(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [fitting(each) for each in value]
    return fit(value) if isinstance(value, str) else value


def last_of(place: str) -> str:
    return place.rpartition(":")[2].rpartition("/")[2].removesuffix(".toml")


def digest_of(file: Path) -> str:
    try:
        return blake2b(file.read_bytes(), digest_size=8).hexdigest()
    except OSError:
        return ""


def parsed(text: str, is_name: Callable[[str], bool]) -> AgentSpec:
    """Parse a text; `is_name` says whether the registry has an agent of that name."""
    name, *options = split_options(text)
    spec = AgentSpec(name)
    outer, colon, model = name.partition(":")
    if colon and is_name(outer):
        if not model or model.startswith(":"):
            raise KibitzError(f"{outer}: needs the name of another agent after the colon, as in {outer}:AGENT.")
        spec = AgentSpec(outer, models=(parsed(model, is_name),))
    known, behind, rest = name.partition("@")
    if behind and is_name(known) and not is_place(name):
        raise no_option(known, rest)
    for option in options:
        spec = msgspec.structs.replace(spec, **read_option(spec, option))
    return spec


def split_options(text: str) -> list[str]:
    """The name and the options; an @ in a file path is part of the name."""
    parts = text.split("@")
    while len(parts) > 1 and not is_option(parts[1]):
        parts[:2] = [f"{parts[0]}@{parts[1]}"]
    return parts


def is_place(name: str) -> bool:
    """Whether a name is a place, such as path/to/bot.py:MyBot or path/to/list.toml."""
    return ":" in name or name.endswith(FILES)


def is_option(text: str) -> bool:
    return bool(any(each.fullmatch(text) for each in (TIME, DEPTH, COUNT, WEIGHT, WORD, BOOK)) or text.endswith(FILES))


def read_option(spec: AgentSpec, option: str) -> dict[str, Any]:
    if (found := TIME.fullmatch(option) or DEPTH.fullmatch(option) or COUNT.fullmatch(option)) and int(found[1]) < 1:
        raise KibitzError(
            f"The budget {option} of {spec.name} is too small: use at least one iteration, millisecond or ply."
        )
    if found := TIME.fullmatch(option):
        return {"milliseconds": int(found[1])}
    if found := DEPTH.fullmatch(option):
        return {"depth": int(found[1])}
    if found := COUNT.fullmatch(option):
        return {"iterations": int(found[1])}
    if found := WEIGHT.fullmatch(option):
        return {"some_weights": (*spec.some_weights, (found[1], float(found[2])))}
    if found := BOOK.fullmatch(option):
        return {"book": found[1]}
    if found := WORD.fullmatch(option):
        return {"some_weights": (*spec.some_weights, (found[1], found[2]))}
    if option.endswith(FILES):
        return {"weights_file": option}
    raise no_option(spec.name, option)


def no_option(name: str, option: str) -> KibitzError:
    return KibitzError(
        f"{option!r} is not an option of {name}. After an @ write a weights file (.toml, .npz), NAME=NUMBER, "
        f"book=FILE.npz, a number of iterations, a time such as 50ms, or a depth such as 6ply."
    )


def as_spec(value: Any) -> AgentSpec:
    """Validate a description from a record or a file header."""
    try:
        return msgspec.convert(value, AgentSpec)
    except msgspec.ValidationError as error:
        raise KibitzError(f"This is not a valid description of an agent: {error}.") from None


def changed_weights(own: Weights, now: Weights) -> dict[str, Any]:
    """The description of weights that differ from the agent's own."""
    if own == now:
        return {}
    others = tuple((players, tuple(values.tolist())) for players, values in sorted(now.by_players.items()))
    return {"weights": tuple(now.values.tolist()), "weights_by_players": others}


def spec_weights(spec: AgentSpec, own: Weights) -> Weights:
    """The weights of a description, for an agent with these weights of its own."""
    weights = own.from_file(Path(spec.weights_file)) if spec.weights_file else own
    if spec.weights:
        others = {players: own.but(values).values for players, values in spec.weights_by_players}
        weights = replace(own.but(spec.weights), by_players=others)
        for each in (weights.values, *others.values()):
            weights.check_ranges(each)
    if not spec.some_weights:
        return weights
    weights = weights.but(dict(spec.some_weights))
    weights.check_ranges(weights.values)
    return weights
