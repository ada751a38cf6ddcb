"""Claims of papers about competitive games, as comparisons between measured pairings.

A pairing is written as its seats in the order they are named: `greedy, random`.
"""

from collections.abc import Mapping
from math import sqrt
from typing import Any

from kibitz.arena.claims import Bounded, Finding, Seats, label, seats_named, verdict
from kibitz.arena.standings import WINS, Standings
from kibitz.arena.statistics import Z95, Estimate, wilson
from kibitz.core.results import ENDS
from kibitz.errors import KibitzError

Pairings = Mapping[Seats, Standings]


def lead(won: int, lost: int, games: int) -> Estimate:
    """Wins minus losses per hundred games, with their interval."""
    value = (won - lost) / games
    return Estimate(100 * value, 100 * sqrt(max(0.0, (won + lost) / games - value**2) / games), games)


def whose(pairings: list[Seats], by: str) -> str:
    """Pairings as text, with the agent that counts."""
    tables = " + ".join(map(label, pairings))
    return f"{by} in {tables}" if by else tables


def all_of(pairings: str | list[str]) -> list[Seats]:
    return [seats_named(text) for text in ([pairings] if isinstance(pairings, str) else pairings)]


class Lead(Bounded, tag="lead", kw_only=True):
    """The lead of the first named seat over the second, in wins per hundred games or in another quantity gained.

    It covers all games or those that ended in some turns; optionally minus the lead in another pairing.
    """

    of: str
    minus: str = ""
    turns: tuple[int, int] = (0, 0)  # the first and the last; by default all
    by: str = ""  # a quantity that seats gain, such as tricks in bridge; by default wins

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.by and self.turns != (0, 0):
            raise ValueError("a lead `by` a quantity covers all games: omit `turns` or `by`")

    def tables(self) -> list[Seats]:
        return [seats_named(text) for text in (self.of, self.minus) if text]

    def finding(self, tables: Pairings) -> Finding:
        leads = [self._lead(tables[seats]) for seats in self.tables()]
        ours = leads[0]
        if len(leads) == 2:
            half = sqrt(sum((each.high - each.mean) ** 2 for each in leads))
            ours = Estimate(leads[0].mean - leads[1].mean, half / Z95, min(each.games for each in leads))
        ahead, behind = self.tables()[0][:2]
        compares = f"lead of {ahead} over {behind}" + (f" − {' over '.join(self.tables()[1])}" if self.minus else "")
        if self.turns != (0, 0):
            compares += f", rounds that end in turns {self.turns[0]} to {self.turns[1]}"
        unit = f"{self.by} per game" if self.by else "per 100 games"
        return Finding(compares, self.said("g"), f"{ours:+.2f} {unit}", verdict(ours, *self.bounds), (ours,))

    def _lead(self, standings: Standings) -> Estimate:
        if self.by and self.by not in standings.ahead:
            gained = ", ".join(standings.gained) or "nothing but games won"
            raise KibitzError(f"{standings.match.game.title} counts {gained}, but a claim names {self.by!r}.")
        if self.by or (standings.match.mirror and self.turns == (0, 0)):
            ahead = standings.lead(self.by or WINS, 0)
            if self.by:
                return ahead
            value, half = ahead.mean, ahead.half_width
            if abs(value) == 1.0:  # all alike: the deals do not show how much they can differ
                half = 2 * (1 - wilson(standings.deals, standings.deals)[0])
            bounds = 100 * max(-1.0, value - half), 100 * min(1.0, value + half)
            return Estimate(100 * value, 100 * half / Z95, standings.deals, bounds)
        won, lost = standings.wins[:2]
        if self.turns != (0, 0):
            first, last = self.turns
            won, lost = (int(standings.counts[ENDS][seat, first - 1 : last].sum()) for seat in (0, 1))
        return lead(won, lost, standings.games)


class Portion(Bounded, tag="portion", kw_only=True):
    """The share of a count that falls into some turns or kinds, over some pairings.

    It covers all seats or those of one agent; optionally minus the share in another pairing.
    """

    of: str | list[str]
    count: str
    turns: tuple[int, int] = (0, 0)
    kinds: tuple[str, ...] = ()
    by: str = ""  # the agent whose seats count; by default all seats
    minus: str = ""
    minus_by: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        for by, pairings in ((self.by, all_of(self.of)), (self.minus_by, all_of(self.minus) if self.minus else [])):
            if by and not all(by in seats for seats in pairings):
                raise ValueError(f"{by!r} does not sit in every pairing of its share")
        if self.minus_by and not self.minus:
            raise ValueError("`minus_by` needs `minus`")

    def tables(self) -> list[Seats]:
        return all_of(self.of) + (all_of(self.minus) if self.minus else [])

    def finding(self, tables: Pairings) -> Finding:
        ours = self._share(all_of(self.of), self.by, tables)
        what = " or ".join(self.kinds) or "ends"
        when = f" in turns {self.turns[0]} to {self.turns[1]}" if self.turns != (0, 0) else ""
        compares = f"{self.count}: {what}{when}: " + whose(all_of(self.of), self.by)
        text = f"{ours.mean:.1%} ({ours.low:.1%} to {ours.high:.1%})"
        if self.minus:
            other = self._share(all_of(self.minus), self.minus_by, tables)
            half = sqrt((ours.half_width) ** 2 + other.half_width**2)
            ours = Estimate(ours.mean - other.mean, half / Z95, min(ours.games, other.games))
            compares += f" − {whose(all_of(self.minus), self.minus_by)}"
            text = f"{100 * ours:+.1f} percentage points"
        return Finding(compares, self.said(".0%"), text, verdict(ours, *self.bounds), (ours,))

    def _share(self, pairings: list[Seats], by: str, tables: Pairings) -> Estimate:
        wanted, total = 0, 0
        for seats in pairings:
            counted = tables[seats].counts[self.count]
            if by:
                counted = counted[[seat for seat, name in enumerate(seats) if name == by]]
            total += int(counted.sum())
            wanted += int(self._part(counted, tables[seats]).sum())
        return Estimate.share(wanted, total) if total else Estimate(0.0, None, 0, (0.0, 1.0))

    def _part(self, counted: Any, standings: Standings) -> Any:
        part = counted if self.turns == (0, 0) else counted[:, self.turns[0] - 1 : self.turns[1]]
        if not self.kinds:
            return part
        named = next(count.kinds for count in standings.match.game.counts if count.name == self.count)
        return part[:, :, [named.index(kind) for kind in self.kinds]]
