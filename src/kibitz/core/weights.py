"""The weights of an agent: numbers that are the same in every game, with names and ranges if they can be tuned.

They may differ by the number of players. A TOML file has tables of named numbers; a weight is called `table.name`, or
just `name` at the top level. The table `ranges` gives the limits for tuning by name, a table `players.N` the weights
that differ with N players, and a table `tuned` where the numbers come from. An .npz file, for networks or learned
tables, has an array `weights`, and `players_N` where they differ; other arrays are ignored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np

from kibitz.core.array_files import arrays_in, file_named
from kibitz.core.toml_files import read_toml
from kibitz.errors import KibitzError, unknown

RANGES, PLAYERS, TUNED = "ranges", "players", "tuned"  # tables without weights
MOST_BYTES = 256 << 20  # of an unpacked file
Range = tuple[float, float]
Numbers = Any  # the values of weights in compiled functions: a vector


def numbers(values: Any) -> Any:
    """Numbers as a read-only vector."""
    vector = np.array(values, np.float64).reshape(-1)
    vector.flags.writeable = False
    return vector


@dataclass(frozen=True, eq=False)
class Weights:
    values: Any = ()
    names: tuple[str, ...] = ()
    ranges: tuple[Range, ...] = ()
    by_players: Mapping[int, Any] = field(default_factory=dict)
    words: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # by name: words for some of its values

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", numbers(self.values))
        object.__setattr__(self, "by_players", {players: numbers(each) for players, each in self.by_players.items()})
        for players, values in self.by_players.items():
            if len(values) != len(self.values):
                raise KibitzError(f"There are {len(self.values)} weights, but {len(values)} for {players} players.")

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Weights) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def digest(self) -> str:
        """A digest of the values, which determine the moves; the same in every process."""
        values, _, _, others = self._content()
        return blake2b(repr((values, others)).encode(), digest_size=16).hexdigest()

    def _content(self) -> tuple[Any, ...]:
        others = sorted((players, values.tobytes()) for players, values in self.by_players.items())
        return self.values.tobytes(), self.names, self.ranges, tuple(others)

    def for_players(self, players: int) -> Any:
        return self.by_players.get(players, self.values)

    def but(self, values: Any) -> Self:
        """The same weights with other values: all of them, for every number of players, or some by name."""
        if isinstance(values, Mapping):
            values = self.in_numbers(values)
            usual = self.but(self.with_some(self.values, values))
            by_players = {players: self.with_some(each, values) for players, each in self.by_players.items()}
            return replace(usual, by_players=by_players)
        values = numbers(values)
        if len(self) and len(values) != len(self):
            raise KibitzError(f"The agent has {len(self)} weights, and these are {len(values)}.")
        if not np.isfinite(values).all():
            raise KibitzError(f"Weight {self.named(int(np.argmin(np.isfinite(values))))} is not a finite number.")
        return replace(self, values=values, by_players={})

    def check_ranges(self, values: Any) -> None:
        """Refuse values outside their ranges."""
        for name, value, (low, high) in zip(self.names, values, self.ranges, strict=False):
            if not low <= value <= high:
                raise KibitzError(f"The weight {name} is {value:g}; it goes from {low:g} to {high:g}.")

    def by_name(self) -> dict[str, float]:
        return dict(zip(self.names, self.values.tolist(), strict=True))

    def with_some(self, vector: Any, values: Mapping[str, float]) -> list[float]:
        """A vector of all weights with some changed by name."""
        return [values.get(name, value) for name, value in zip(self.names, vector, strict=True)]

    def named(self, place: int) -> str:
        return self.names[place] if self.names else str(place + 1)

    def in_numbers(self, values: Mapping[str, float | str]) -> dict[str, float]:
        """Values by name, with words replaced by the numbers they stand for."""
        self.check_names(values)
        found: dict[str, float] = {}
        for name, value in values.items():
            known = self.words.get(name, {})
            if isinstance(value, str) and value not in known:
                takes = f"one of {', '.join(known)}" if known else "a number"
                raise unknown("value", value, known, f"{name} is {takes}.")
            found[name] = known[value] if isinstance(value, str) else value
        return found

    def check_names(self, names: Mapping[str, Any]) -> None:
        for name in names:
            if name not in self.names:
                known = ", ".join(self.names) or "without names"
                raise unknown("weight", name, self.names, f"The agent's weights are {known}.")

    def from_file(self, path: Path) -> Self:
        """The same weights with the values from a file."""
        read = read_arrays if path.suffix == ".npz" else read_tables
        with file_named(path, "damaged, or not a file of NumPy arrays"):
            values, by_players = read(path, self.names)
            made = replace(self, values=values, by_players=by_players)
            made.but(made.values)
            for each in (made.values, *made.by_players.values()):
                self.check_ranges(each)
        if len(self) and len(made) != len(self):
            raise KibitzError(f"{path} has {len(made)} weights, and the agent {len(self)}.")
        return made


def as_weights(weights: Weights | Sequence[float]) -> Weights:
    return weights if isinstance(weights, Weights) else Weights(weights)


def load_weights(path: Path, names: tuple[str, ...]) -> Weights:
    """The weights of these names, in this order, with their ranges; the file must hold these and no others."""
    return Weights(np.zeros(len(names)), names, read_ranges(path, names)).from_file(path)


def flat(tables: Mapping[str, Any], alone: Mapping[str, Any]) -> dict[str, float]:
    """Flatten tables of named numbers, and numbers at the top level."""
    found = dict(alone)
    for table, named in tables.items():
        found |= {f"{table}.{name}": value for name, value in named.items()}
    for name, value in found.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise KibitzError(f"{name} is {value!r}, which is not a number.")
    return {name: float(value) for name, value in found.items()}


def read_tables(path: Path, names: tuple[str, ...]) -> tuple[list[float], dict[int, list[float]]]:
    content = read_toml(path)
    tables = {name: table for name, table in content.items() if isinstance(table, dict)}
    special = tables.pop(PLAYERS, {})
    alone = {name: content[name] for name in names if name in content}
    usual = flat({name: table for name, table in tables.items() if name not in (RANGES, TUNED)}, alone)
    for name in sorted(set(names) ^ set(usual)):
        who = "is not in the file" if name in names else "is not a weight of the agent"
        raise KibitzError(f"{name} {who}. The agent's weights are {', '.join(names) or 'without names'}.")
    by_players = {}
    for players, others in special.items():
        named = {name: each for name, each in others.items() if isinstance(each, dict)}
        changed = flat(named, {name: each for name, each in others.items() if name not in named})
        if not players.isdecimal() or not set(changed) <= set(usual):
            raise KibitzError(f"[{PLAYERS}.{players}] has to be a number of players with weights of the agent.")
        by_players[int(players)] = [changed.get(name, usual[name]) for name in names]
    return [usual[name] for name in names], by_players


def read_ranges(path: Path, names: tuple[str, ...]) -> tuple[Range, ...]:
    """The ranges of the weights, in their order; weights with the same name may share a range."""
    ranges = read_toml(path).get(RANGES, {})
    wanted = [ranges.get(name, ranges.get(name.rpartition(".")[2])) for name in names]
    for name, ends in zip(names, wanted, strict=True):
        if ranges and not (isinstance(ends, list) and len(ends) == 2):
            raise KibitzError(f"{path}: the table {RANGES} says nothing of {name}, as in {name!r} = [0.0, 1.0].")
    return tuple((float(low), float(high)) for low, high in wanted) if ranges else ()


def read_arrays(path: Path, names: tuple[str, ...]) -> tuple[Any, dict[int, Any]]:
    others = arrays_in(path, MOST_BYTES)
    wanted = [name for name in others if name == "weights" or name.startswith(f"{PLAYERS}_")]
    arrays = {name: np.asarray(others[name], np.float64).reshape(-1) for name in wanted}
    if "weights" not in arrays:
        raise KibitzError(f"it has no array called weights; it has {', '.join(others) or 'none'}.")
    head = f"{PLAYERS}_"
    special = {name.removeprefix(head): each for name, each in arrays.items() if name.startswith(head)}
    return arrays["weights"], {int(players): each for players, each in special.items() if players.isdecimal()}
