"""Duels: two agents play the same deals until it is known which is better, or that they differ by less than a margin.

In a cooperative game each agent plays every deal with its own copies, and the difference of the two scores counts. In a
competitive game every deal is played twice, with the seats exchanged, and counts as a pair. What is decided
after which deal depends on the deals alone, so a duel ends the same on any number of workers.
"""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from kibitz.arena.code_version import code_version
from kibitz.arena.match import Match, PlayDeals, can_search, play_chunk, somebody_searches
from kibitz.arena.runs import Numbers, Run, begin
from kibitz.arena.sequential import bounds, half_width, interval, likelihood, moments, reach_of
from kibitz.arena.standings import parts, points_of
from kibitz.bots.players import BOT_SECONDS
from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor

Verdict = Literal["A", "B", "equal", "undecided"]
LARGEST_PIECE = 100_000  # deals
TOTALS = ("total_A", "total_B")  # columns before those of the differences


def piece_at(first: int) -> int:
    """How many deals are played before the next look: always about a sixteenth of those before."""
    return max(1, min(first // 16, LARGEST_PIECE))


@dataclass(frozen=True)
class DuelPlan:
    """The definition of a duel."""

    game_name: str
    agents: tuple[str, str]  # agents and their specs are converted to names
    players: int
    alpha: float = 0.05
    margin: float = 0.1
    most_games: int = 100_000
    seed: int = 0
    rules: dict[str, str] = field(default_factory=dict)
    budget: Budget | None = None  # of searching agents
    bot_seconds: float = BOT_SECONDS  # time limit per move of Python agents; 0 disables it
    given: tuple[Any, ...] = field(default=(), compare=False, repr=False)  # the agents as they were given

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", self.given or tuple(self.agents))
        names = tuple(str(registry.spec(self.game_name, each)) for each in self.given)
        object.__setattr__(self, "agents", names)

    @property
    def game(self) -> Game:
        return registry.game(self.game_name)

    @property
    def deals(self) -> int:
        return max(1, self.most_games // 2)

    @property
    def unit(self) -> int:
        """What a game is divided into, so that winners can share it evenly."""
        return parts(self.players)

    @cached_property
    def values(self) -> Any:
        """The possible differences in a deal, A's result minus B's: points, or the share of its games."""
        if not self.game.competitive:
            return np.arange(-self.game.best, self.game.best + 1, dtype=np.float64)
        return np.arange(-self.unit, self.unit + 1) / self.unit

    @property
    def matches(self) -> list[Match]:
        """The two games of a deal: each agent alone, or the agents in turn and then with their seats exchanged."""
        a, b = self.given
        if not self.game.competitive:
            return [self._match((a,) * self.players), self._match((b,) * self.players)]
        seats = [(a, b) if seat % 2 == 0 else (b, a) for seat in range(self.players)]
        return [self._match(tuple(pair[game] for pair in seats)) for game in range(2)]

    def _match(self, seats: tuple[Any, ...]) -> Match:
        match = Match.of(
            self.game, seats, self.deals, self.seed, rules=self.rules, budget=self.budget, bot_seconds=self.bot_seconds
        )
        if self.budget is not None and not any(map(can_search, match.agents)):
            return replace(match, budget=None, loaded=())
        return match

    def prepared(self) -> "DuelPlan":
        """The same plan, checked and with complete rules."""
        self.game.check_players(self.players)
        if self.agents[0] == self.agents[1]:
            raise KibitzError(
                f"A duel needs two different agents, not {self.agents[0]} twice. `kibitz match` measures one."
            )
        if not (isfinite(self.alpha) and 0 < self.alpha < 0.5):
            raise KibitzError(
                f"The error rate (alpha) is {self.alpha:g}, but must lie between 0 and 0.5, such as 0.05."
            )
        most = float(self.values[-1])
        if not (isfinite(self.margin) and 0 < self.margin < most):
            unit = "share of a game" if self.game.competitive else "score"
            raise KibitzError(
                f"The margin is {self.margin:g}, but must lie between 0 and {most:g}, the largest difference in {unit}."
            )
        if self.most_games < 2:
            raise KibitzError("A duel plays every deal twice: allow at least 2 games.")
        plan = replace(self, rules=self.game.check_rules(self.rules))
        if self.budget is not None:
            somebody_searches(self.game, [agent for match in plan.matches for agent in match.agents])
        return plan


def duel_sums(matches: Any, play_deals: PlayDeals, first: int, deals: int) -> Any:
    """Play some deals of a duel, for an executor: what each agent got, and how often each difference occurred."""
    game, players = matches[0].game, matches[0].players
    got: list[Any] = []
    for number, each in enumerate(matches):
        match = each if each.loaded else each.prepared()
        chunk = play_chunk(match, first, deals, play_deals)
        if chunk.failure:
            raise KibitzError(f"{chunk.failure} It sat at the table {', '.join(match.seats)}.")
        if not game.competitive:
            got.append(game.scores(chunk.results)[0])
            continue
        won = (game.winners(chunk.results)[:, None] >> np.arange(players)) & 1
        got.append(points_of(won)[:, number::2].sum(axis=1))
    if game.competitive:
        both = got[0] + got[1]
        got, middle, differences = [both, 2 * parts(players) - both], parts(players), both - parts(players)
    else:
        middle, differences = game.best, got[0] - got[1]
    return np.concatenate([[got[0].sum(), got[1].sum()], np.bincount(differences + middle, minlength=2 * middle + 1)])


@dataclass(frozen=True)
class Look:
    """What is known after some deals."""

    deals: int
    difference: float
    half_width: float  # of the interval of the difference; infinite after the first few deals
    verdict: Verdict
    deals_left: int | None = None  # expected, if the difference stays as it is; None if nothing can be expected yet

    @property
    def games(self) -> int:
        return 2 * self.deals

    @property
    def interval(self) -> tuple[float, float] | None:
        if not isfinite(self.half_width):
            return None
        return self.difference - self.half_width, self.difference + self.half_width


def by_interval(mean: Any, half: Any, margin: float) -> tuple[Any, Any, Any]:
    """Whether A is better, B is better, or they are equal, by an interval of the difference."""
    return mean - half > 0, mean + half < 0, (mean - half > -margin) & (mean + half < margin)


def evidence(counts: Any, values: Any, margin: float) -> tuple[Any, Any]:
    """The log likelihood ratios of two tests: that A, or that B, is better by the margin, against no difference."""
    none = likelihood(counts, values, 0.0)
    return likelihood(counts, values, margin) - none, likelihood(counts, values, -margin) - none


def by_ratio(a: Any, b: Any, alpha: float) -> tuple[Any, Any, Any]:
    """The same by the two ratio tests. Either of them may claim a difference, so each gets half of the error rate."""
    none, some = bounds(alpha / 2, alpha)
    return a >= some, b >= some, (a <= none) & (b <= none)


def look_at(plan: DuelPlan, counts: Any) -> Look:
    """What the differences so far decide."""
    deals, mean, variance = moments(counts, plan.values)
    _, half = interval(counts, plan.values, plan.alpha)
    if plan.game.competitive:
        a, b = (float(each) for each in evidence(counts, plan.values, plan.margin))
        decided, left = by_ratio(a, b, plan.alpha), left_by_ratio(int(deals), [a, b], plan.alpha)
    else:
        decided = by_interval(mean, half, plan.margin)
        left = left_by_interval(int(deals), float(mean), float(variance), plan)
    verdicts: tuple[Verdict, ...] = ("A", "B", "equal", "undecided")
    verdict = next(name for name, holds in zip(verdicts, (*decided, True), strict=True) if holds)
    return Look(int(deals), float(mean), float(half), verdict, left if verdict == "undecided" else 0)


def left_by_interval(deals: int, mean: float, variance: float, plan: DuelPlan) -> int | None:
    """How many more deals make the interval narrow enough, if mean and variance stay as they are."""
    needed = max(abs(mean), plan.margin - abs(mean))
    ahead = deals * 2.0 ** np.arange(0, 30, 0.125)
    enough = half_width(ahead, variance, float(reach_of(mean, plan.values)), plan.alpha) < needed
    return int(ahead[np.argmax(enough)]) - deals if enough.any() else None


def left_by_ratio(deals: int, ratios: list[float], alpha: float) -> int | None:
    """How many more deals take the tests to their bounds, if evidence keeps growing as it has so far."""
    none, some = bounds(alpha / 2, alpha)
    times = [some / ratio for ratio in ratios if ratio > 0]
    if all(ratio < 0 for ratio in ratios):
        times.append(max(none / ratio for ratio in ratios))
    return max(1, round(deals * min(times)) - deals) if times else None


def begin_duel(plan: DuelPlan, **how: Any) -> Run:
    """The run of a prepared plan; `how` is passed to `begin`."""
    header = {each.name: getattr(plan, each.name) for each in fields(plan) if each.name not in ("bot_seconds", "given")}
    header |= {"agents": list(plan.agents), "budget": plan.budget and list(plan.budget)}
    header["code"] = [code_version(match) for match in plan.matches]
    return begin("duel", header, f"{plan.game_name}-{plan.agents[0]}-{plan.agents[1]}-{plan.players}", **how)


class MeasuredDuel:
    """A duel, kept in a run as it is played: the sums of every piece."""

    def __init__(self, plan: DuelPlan, run: Run | None = None) -> None:
        self.plan, self.run = plan, run
        self.sums = np.zeros(len(TOTALS) + len(plan.values), np.int64)
        self.look = Look(0, 0.0, float("inf"), "undecided")
        self.looks: list[Look] = []
        self.rows: Numbers | None = None
        if run is not None and run.folder is not None:
            names = [f"difference_{value:g}" for value in plan.values]
            self.rows = Numbers(run.folder, "pieces", [*TOTALS, *names])
            self._resume(self.rows)
        self.games_before = self.look.games  # played by earlier commands

    def _resume(self, rows: Numbers) -> None:
        for number, sums in enumerate(rows.whole()):
            if self.over or sums[len(TOTALS) :].min() < 0 or sums[len(TOTALS) :].sum() != self._next(self.look.deals):
                raise rows.journal.damaged(number, "it is no piece of this duel")
            self._add(sums)

    def _next(self, first: int) -> int:
        return min(piece_at(first), self.plan.deals - first)

    def _add(self, sums: Any) -> None:
        self.sums += sums
        self.look = look_at(self.plan, self.counts)
        self.looks.append(self.look)

    @property
    def counts(self) -> Any:
        """How often each difference occurred."""
        return self.sums[len(TOTALS) :]

    @property
    def over(self) -> bool:
        return self.look.verdict != "undecided" or self.look.deals >= self.plan.deals

    @property
    def expected_games(self) -> int:
        """The games played, and those that are expected to be missing, at most those allowed."""
        left = self.look.deals_left
        most = 2 * self.plan.deals
        return most if left is None else min(most, self.look.games + 2 * left)

    @property
    def means(self) -> list[float]:
        """The mean score of each agent, or its share of the games."""
        unit = 2 * self.plan.unit if self.plan.game.competitive else 1
        return [float(total) / unit / max(1, self.look.deals) for total in self.sums[: len(TOTALS)]]

    def play(self, jobs: "int | Executor") -> Iterator[Look]:
        """Play until the duel is decided, or all its games are played, and yield what is known after each piece."""
        from kibitz.arena.executors import executor_for

        if self.over:
            return
        matches = [match.prepared() for match in self.plan.matches]
        executor = executor_for(jobs, matches)
        waiting: deque[Future[Any]] = deque()
        first = self.look.deals
        try:
            while not self.over:
                while first < self.plan.deals and len(waiting) < 2 * executor.workers:
                    waiting.append(executor.submit(duel_sums, matches, first, self._next(first)))
                    first += self._next(first)
                sums = waiting.popleft().result()
                self._add(sums)
                if self.rows is not None:
                    self.rows.add(sums[None])
                if self.run is not None:
                    self.run.note_progress(self.look.games, self.expected_games)
                yield self.look
        finally:
            for future in waiting:
                future.cancel()
            if executor is not jobs:
                executor.stop()

    def pause(self) -> None:
        """Note how far an unfinished run is, and let another command resume it."""
        if self.run is not None:
            self.run.note_progress(self.look.games, self.expected_games, now=True)
            self.run.release()

    def finish(self) -> None:
        if self.run is None:
            return
        if self.rows is not None:
            self.rows.finish()
        self.run.finish(self.as_json())

    def as_json(self) -> dict[str, Any]:
        plan, look = self.plan, self.look
        occurred = np.flatnonzero(self.counts)
        return {
            "game": plan.game_name, "agents": list(plan.agents), "players": plan.players, "rules": plan.rules,
            "seed": plan.seed, "budget": plan.budget._asdict() if plan.budget else None,
            "test": "pentanomial GSPRT" if plan.game.competitive else "confidence sequence",
            "alpha": plan.alpha, "margin": plan.margin,
            "verdict": look.verdict, "difference": look.difference, "interval": look.interval, "games": look.games,
            "means": self.means,
            "differences": [
                {"difference": float(plan.values[place]), "deals": int(self.counts[place])} for place in occurred
            ],
        }  # fmt: skip
