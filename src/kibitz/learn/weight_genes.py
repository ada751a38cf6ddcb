"""The named weights of any agent as genes: numbers, each within its range."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from kibitz.core.agent import CompiledAgent
from kibitz.core.breeding import Genes
from kibitz.errors import KibitzError

DIGITS = 6
NEAR = 0.15  # the standard deviation of a mutation, as a share of the range
SHARE = 0.2  # the share of weights that a mutation changes, at least one


class WeightGenes:
    """Agents that differ from one agent only in their weights."""

    suffix = ".toml"

    def __init__(self, own: CompiledAgent) -> None:
        weights = own.weights
        if not weights.names or len(weights.ranges) != len(weights.names):
            raise KibitzError(
                f"{own.name} has no named weights with ranges, so there is nothing to breed. "
                f"docs/how-to/compiled-agent.md shows how to declare them."
            )
        self.own, self.what = own, f"weights of {own.name}"
        self.names, self.ranges = weights.names, weights.ranges

    def founders(self) -> list[Genes]:
        return [self.inside(self.own.weights.values.tolist())]

    def inside(self, values: Sequence[float]) -> Genes:
        return [
            round(min(max(float(value), low), high), DIGITS)
            for value, (low, high) in zip(values, self.ranges, strict=True)
        ]

    def random(self, dice: Random) -> Genes:
        return self.inside([dice.uniform(low, high) for low, high in self.ranges])

    def changed(self, genes: Genes, dice: Random) -> Genes:
        touched = {dice.randrange(len(genes))} | {place for place in range(len(genes)) if dice.random() < SHARE}
        near = NEAR * dice.choice([0.2, 1.0, 1.0])
        values = [
            value + (dice.gauss(0, near) * (high - low) if place in touched else 0)
            for place, (value, (low, high)) in enumerate(zip(genes, self.ranges, strict=True))
        ]
        return self.inside(values)

    def mixed(self, one: Genes, other: Genes, dice: Random) -> Genes:
        return [dice.choice(pair) for pair in zip(one, other, strict=True)]

    def agent(self, genes: Genes, name: str) -> CompiledAgent:
        if not isinstance(genes, list) or len(genes) != len(self.names):
            raise KibitzError(f"{name} needs {len(self.names)} weights of {self.own.name}.")
        for weight, value, (low, high) in zip(self.names, genes, self.ranges, strict=True):
            if not isinstance(value, float | int) or not low <= value <= high:
                raise KibitzError(f"{weight} of {name} is {value!r}; it must be a number from {low:g} to {high:g}.")
        return replace(self.own.with_weights(genes), name=name)

    def trimmed(self, genes: Genes, used: Sequence[int]) -> Genes:
        return genes

    def written(self, genes: Genes, about: Mapping[str, Any]) -> str:
        lines = [f"# {about['description']}", "#"]
        lines += [f"# {key}: {value}" for key, value in about.get("provenance", {}).items()]
        tables: dict[str, list[str]] = {}
        for name, value in zip(self.names, genes, strict=True):
            table, _, weight = name.rpartition(".")
            tables.setdefault(table, []).append(f"{weight} = {value!r}")
        for table in sorted(tables, key=bool):  # weights without a table come first
            lines += ["", *([f"[{table}]"] if table else []), *tables[table]]
        return "\n".join(lines) + "\n"

    def usage(self, path: str) -> str:
        return f"{self.own.source or self.own.name}@{path}"

    def in_words(self, genes: Genes) -> list[str]:
        return [f"{name} {value:g}" for name, value in zip(self.names, genes, strict=True)]
