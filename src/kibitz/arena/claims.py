"""The claims of a paper, as comparisons between measured tables, with intervals and verdicts.

A table is written as it is printed: `cheater × 4` (or `cheater x 4`), or the seats in order, `cheater, erratic`.
A comparison holds if our whole 95 % interval lies in the range that the paper claims, does not hold if all of it lies
outside, and is otherwise undecided: more games decide it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any, Protocol

import msgspec

from kibitz.arena.statistics import Estimate

Seats = tuple[str, ...]

HOLDS, FAILS, UNDECIDED, MISSING = "holds", "does not hold", "undecided", "missing"
COPIES = re.compile(r"(\S+)\s*(?:×|\sx)\s*(\d+)")


def label(seats: Seats) -> str:
    return f"{seats[0]} × {len(seats)}" if len(set(seats)) == 1 else ", ".join(seats)


def seats_named(text: str) -> Seats:
    if found := COPIES.fullmatch(text.strip()):
        return (found[1],) * int(found[2])
    seats = tuple(name.strip() for name in text.split(","))
    if len(seats) < 2 or not all(seats):
        raise ValueError(f"{text!r} is not a table: write 'agent × 4', or every seat, with commas")
    return seats


@dataclass(frozen=True)
class PlayedTable:
    """The scores of a table, deal by deal, and the number of lost games."""

    scores: Any
    lost: int


MeasuredTables = Mapping[Seats, PlayedTable]


def verdict(ours: Estimate, least: float, most: float) -> str:
    """Whether the true value lies between two bounds."""
    if least <= ours.low and ours.high <= most:
        return HOLDS
    return FAILS if ours.high < least or ours.low > most else UNDECIDED


def mean_difference(tables: MeasuredTables, plus: list[Seats], minus: list[Seats]) -> Estimate:
    """The sum of means minus a sum of others, paired by deal: all tables play the same deals, so luck cancels."""
    return Estimate.of(sum(tables[seats].scores for seats in plus) - sum(tables[seats].scores for seats in minus))


@dataclass(frozen=True)
class Finding:
    """The outcome of a comparison: what is compared, their claim, our measurement."""

    compares: str
    theirs: str
    ours: str
    verdict: str
    estimates: tuple[Estimate, ...] = ()

    def as_json(self) -> dict[str, Any]:
        intervals = [{"value": each.mean, "low": each.low, "high": each.high} for each in self.estimates]
        return {
            "compares": self.compares, "theirs": self.theirs, "ours": self.ours, "verdict": self.verdict,
            "intervals": intervals,
        }  # fmt: skip


class Check(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    """One comparison of a claim."""

    theirs: str = ""  # their words or figures, if the bounds do not say enough

    def tables(self) -> list[Seats]:
        raise NotImplementedError

    def finding(self, tables: Any) -> Finding:
        """Compare the tables that were played, given by their seats."""
        raise NotImplementedError


class Bounded(Check, kw_only=True):
    """A comparison of one number with a claimed range."""

    at_least: float | None = None
    at_most: float | None = None
    about: float | None = None
    within: float | None = None  # the tolerance of `about`

    def __post_init__(self) -> None:
        if (self.about is None) != (self.within is None):
            raise ValueError("`about` and `within` go together")
        if self.about is None and self.at_least is None and self.at_most is None:
            raise ValueError("give `at_least`, `at_most`, or `about` and `within`")

    @property
    def bounds(self) -> tuple[float, float]:
        if self.about is not None and self.within is not None:
            return self.about - self.within, self.about + self.within
        return -inf if self.at_least is None else self.at_least, inf if self.at_most is None else self.at_most

    def said(self, form: str) -> str:
        """The bounds in words, with numbers in this form."""
        parts = [self.theirs] if self.theirs else []
        if self.about is not None:
            parts.append(f"about {self.about:{form}} ± {self.within:{form}}")
        if self.at_least is not None:
            parts.append(f"at least {self.at_least:{form}}")
        if self.at_most is not None:
            parts.append(f"at most {self.at_most:{form}}")
        return ", ".join(parts)


class MeanDifference(Bounded, tag="mean_difference", kw_only=True):
    """The mean of a table minus that of another; lists are sums, to express differences of differences."""

    of: str | list[str]
    minus: str | list[str]

    def sides(self) -> tuple[list[Seats], list[Seats]]:
        plus, minus = ([side] if isinstance(side, str) else side for side in (self.of, self.minus))
        return [seats_named(text) for text in plus], [seats_named(text) for text in minus]

    def tables(self) -> list[Seats]:
        plus, minus = self.sides()
        return plus + minus

    def finding(self, tables: MeasuredTables) -> Finding:
        plus, minus = self.sides()
        ours = mean_difference(tables, plus, minus)
        compares = " + ".join(map(label, plus)) + "".join(f" − {label(seats)}" for seats in minus)
        return Finding(compares, self.said("g"), f"{ours:+.2f}", verdict(ours, *self.bounds), (ours,))


class LostShare(Bounded, tag="lost_share", kw_only=True):
    """The share of lost games, over one or several tables."""

    of: str | list[str]

    def tables(self) -> list[Seats]:
        return [seats_named(text) for text in ([self.of] if isinstance(self.of, str) else self.of)]

    def finding(self, tables: MeasuredTables) -> Finding:
        played = [tables[seats] for seats in self.tables()]
        lost, games = sum(each.lost for each in played), sum(len(each.scores) for each in played)
        ours = Estimate.share(lost, games)
        compares = "games lost: " + " + ".join(map(label, self.tables()))
        text = f"{ours.mean:.2%} ({ours.low:.2%} to {ours.high:.2%}): {lost:,} of {games:,}"
        return Finding(compares, self.said(".2%"), text, verdict(ours, *self.bounds), (ours,))


class Order(Check, tag="order", kw_only=True):
    """Tables ranked by their means, the best first; tables in one inner list may be in any order."""

    best_first: list[str | list[str]]

    def __post_init__(self) -> None:
        if len(self.best_first) < 2:
            raise ValueError("an order needs at least two tables")

    def groups(self) -> list[list[Seats]]:
        ranks = [[rank] if isinstance(rank, str) else rank for rank in self.best_first]
        return [[seats_named(text) for text in rank] for rank in ranks]

    def tables(self) -> list[Seats]:
        return [seats for group in self.groups() for seats in group]

    def finding(self, tables: MeasuredTables) -> Finding:
        groups = self.groups()
        pairs = [(better, worse) for group, following in pairwise(groups) for better in group for worse in following]
        gaps = [mean_difference(tables, [better], [worse]) for better, worse in pairs]
        closest = min(range(len(gaps)), key=lambda pair: gaps[pair].low)
        gap, (better, worse) = gaps[closest], pairs[closest]
        compares = " before ".join(" and ".join(map(label, group)) for group in groups)
        text = f"{label(better)} − {label(worse)}: {gap:+.2f}"
        found = together([verdict(each, 0.0, inf) for each in gaps])
        return Finding(compares, self.theirs or "in this order", f"closest {text}", found, tuple(gaps))


class Stated(Protocol):
    """A sentence of a paper, and the comparisons that test it."""

    text: str

    @property
    def checks(self) -> Sequence[Check]: ...


@dataclass(frozen=True)
class Judged:
    """A claim with its verdict."""

    text: str
    findings: list[Finding]

    @property
    def verdict(self) -> str:
        return together([finding.verdict for finding in self.findings])

    @property
    def fails(self) -> bool:
        return self.verdict == FAILS

    def as_json(self) -> dict[str, Any]:
        findings = [finding.as_json() for finding in self.findings]
        return {"text": self.text, "verdict": self.verdict, "checks": findings}


def judged(claim: Stated, tables: Mapping[Seats, Any]) -> Judged:
    findings = []
    for check in claim.checks:
        missing = [seats for seats in check.tables() if seats not in tables]
        if missing:
            findings.append(Finding(", ".join(map(label, missing)), check.theirs, "", MISSING))
        else:
            findings.append(check.finding(tables))
    return Judged(claim.text, findings)


def together(verdicts: list[str]) -> str:
    """The verdict of several comparisons: all must hold."""
    return next((verdict for verdict in (FAILS, MISSING, UNDECIDED) if verdict in verdicts), HOLDS)
