"""A MAP-Elites archive: the best agent found for each kind of behaviour, in a JSON file.

Rows and columns are two axes of behaviour, each from 0 to 1 in equal steps. An elite is named after the lower ends of
its cell, as `elite-0.50-0.90`, so people, records and pages can name it without a file.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from math import hypot
from pathlib import Path
from typing import Any

import msgspec

from kibitz.core.agent import CompiledAgent
from kibitz.core.breeding import Axis, Behaviour, Breed
from kibitz.errors import KibitzError

NAME = re.compile(r"elite-(\d\.\d\d)-(\d\.\d\d)")
Cell = tuple[int, int]


class Elite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cell: Cell
    behaviour: tuple[float, float]  # as measured
    alone: float  # the mean score with copies of itself, and half of its 95 % interval
    alone_error: float
    others: float  # the mean score with each other elite
    others_error: float
    genes: Any


class EliteMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stored map: how it was made, and its elites in the order of their cells."""

    game: str
    players: int
    rules: dict[str, str]
    size: int  # cells along each axis
    axes: tuple[str, str]
    provenance: dict[str, Any]
    elites: list[Elite]

    def dumped(self) -> str:
        """JSON with one line per elite, for readable diffs."""
        whole = msgspec.to_builtins(self)
        elites = ",\n".join(json.dumps(each, ensure_ascii=False) for each in whole.pop("elites"))
        head = json.dumps(whole, ensure_ascii=False, indent=1).removesuffix("\n}")
        return f'{head},\n "elites": [\n{elites}\n]}}\n'


def cell_of(behaviour: tuple[float, float], size: int) -> Cell:
    row, column = (min(int(value * size + 1e-9), size - 1) for value in behaviour)
    return row, column


class Archive:
    """The agents of a map, by name and by cell."""

    def __init__(self, path: Path, breed: Breed, behaviour: Behaviour) -> None:
        self.path, self.breed, self.behaviour = path, breed, behaviour

    @cached_property
    def map(self) -> EliteMap:
        return read_map(self.path)

    @cached_property
    def by_cell(self) -> Mapping[Cell, Elite]:
        return {elite.cell: elite for elite in self.map.elites}

    @property
    def axes(self) -> tuple[Axis, Axis]:
        return self.behaviour.axes

    def name(self, cell: Cell) -> str:
        return "elite-" + "-".join(f"{place / self.map.size:.2f}" for place in cell)

    def cell(self, row: float, column: float) -> Cell:
        for axis, value in zip(self.axes, (row, column), strict=True):
            if not 0 <= value <= 1:
                raise KibitzError(f"{axis.title} must be from 0 to 1, not {value:g}.")
        return cell_of((row, column), self.map.size)

    def nearest(self, cell: Cell, count: int = 3) -> list[Elite]:
        def distance(elite: Elite) -> float:
            return hypot(elite.cell[0] - cell[0], elite.cell[1] - cell[1])

        return sorted(self.map.elites, key=distance)[:count]

    def elite(self, row: float, column: float) -> Elite:
        """The elite of the cell that contains a behaviour."""
        cell = self.cell(row, column)
        if cell not in self.by_cell:
            near = ", ".join(self.name(elite.cell) for elite in self.nearest(cell))
            raise KibitzError(
                f"The map has no elite at {self.axes[0].title.lower()} {row:g} and {self.axes[1].title.lower()} "
                f"{column:g}: no agent found behaves like that. The nearest are {near}."
            )
        return self.by_cell[cell]

    def __contains__(self, name: str) -> bool:
        """Whether a name is in this map. Other names do not make it load."""
        found = NAME.fullmatch(name)
        if not found:
            return False
        row, column = map(float, found.groups())
        if row > 1 or column > 1:
            return False
        cell = self.cell(row, column)
        return cell in self.by_cell and self.name(cell) == name

    def agent(self, name: str) -> CompiledAgent:
        """The agent with a name of this map."""
        [(row, column)] = NAME.findall(name)
        return self.agent_of(self.elite(float(row), float(column)))

    def agent_of(self, elite: Elite) -> CompiledAgent:
        about = self.about(elite)
        agent = self.breed.agent(elite.genes, self.name(elite.cell))
        return replace(agent, title=about["title"], description=about["description"], origin=about["origin"])

    def about(self, elite: Elite) -> dict[str, str]:
        """The title, description and origin of an elite."""
        row, column = elite.behaviour
        first, second = self.axes
        made = self.map.provenance
        title = "Elite " + " · ".join(f"{place / self.map.size:.2f}" for place in elite.cell)
        return {
            "title": title,
            "description": f"Bred to behave in one way of many: {first.title.lower()} {row:.2f}, "
            f"{second.title.lower()} {column:.2f}. With its copies it scores {elite.alone:.2f} ± "
            f"{elite.alone_error:.2f}, with the other elites {elite.others:.2f} ± {elite.others_error:.2f} "
            f"({self.map.players} players).",
            "origin": f"MAP-Elites, seed {made.get('seed')}, {made.get('date')}: {made.get('command')}",
        }


def read_map(path: Path) -> EliteMap:
    try:
        return msgspec.json.decode(path.read_bytes(), type=EliteMap)
    except OSError as error:
        raise KibitzError(
            f"The map of elites {path} cannot be read: {error.strerror}. `kibitz elites make` makes one."
        ) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise KibitzError(
            f"{path} is not a map of elites or is damaged ({error}). Restore a copy of it, or make it again with "
            f"`kibitz elites make`."
        ) from None
