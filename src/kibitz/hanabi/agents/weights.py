"""The numbers an agent plays by, read by name from the data file beside it.

A file is tables of named numbers. A weight is called `table.name`, and the order of the names in the
agent's code is the order of its weights. A table `ranges` says where to look when they are tuned.
"""

import tomllib
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError

RANGES = "ranges"


def read(file: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(file).read_text("utf-8"))


def load_weights(file: str, names: tuple[str, ...]) -> tuple[float, ...]:
    """The weights of these names, in this order; the file must hold these and no others."""
    tables = {name: table for name, table in read(file).items() if isinstance(table, dict) and name != RANGES}
    weights = {f"{table}.{name}": weight for table in tables for name, weight in tables[table].items()}
    for name in set(names) ^ set(weights):
        who = "is not in the file" if name in names else "is not a weight of the agent"
        raise KibitzError(f"{file}: {name} {who}. The agent's weights are {', '.join(names)}.")
    return tuple(float(weights[name]) for name in names)


def load_ranges(file: str, names: tuple[str, ...]) -> tuple[tuple[float, float], ...]:
    """Where each of these weights is to be looked for, in this order; weights of one name share a range."""
    ranges = read(file)[RANGES]
    return tuple((float(low), float(high)) for low, high in (ranges[name.partition(".")[2]] for name in names))
