"""`kibitz.match`: many games between agents, and what they show."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from kibitz.api import arguments
from kibitz.api.arguments import AgentLike
from kibitz.api.catalogue import checked, html_table
from kibitz.api.progress import Progress
from kibitz.arena.match import Match
from kibitz.arena.measure import Keep, MatchScores, MeasuredMatch, begin_match
from kibitz.arena.rotation import FIRSTS
from kibitz.arena.saved_match import keeps, table, write_games
from kibitz.arena.standings import Standings
from kibitz.arena.statistics import Estimate
from kibitz.bots.players import BOT_SECONDS
from kibitz.core.game import Game
from kibitz.core.record import Record, parse
from kibitz.errors import AgentError, ArgumentError, UnsupportedError
from kibitz.extras import need

if TYPE_CHECKING:
    import polars


def match(
    game: str | Game,
    agents: AgentLike | Sequence[AgentLike],
    players: int | None = None,
    games: int = 1000,
    seed: int = 0,
    rules: Mapping[str, str] | None = None,
    *,
    jobs: int | None = None,
    first: Literal["fixed", "alternate"] = "fixed",
    mirror: bool = False,
    start: str | None = None,
    think_ms: int | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    bot_seconds: float = BOT_SECONDS,
    records: bool = False,
    save: str | Path | None = None,
    progress: bool | None = None,
) -> "MatchResult":
    """Play many games and measure them. The same seed gives the same deals to all agents.

    Args:
        game: its name, as `kibitz.games()` lists it.
        agents: an agent for every seat, or one that plays in all seats. An agent is a name, something made by
            `kibitz.agent`, a function from a view to a move, or a class or an instance with a method `decide`.
        players: the number of players, if one agent is named; by default the usual number of the game.
        games: the number of deals.
        seed: the random seed.
        rules: choices that differ from the defaults, such as `{"lost_game": "zero"}`.
        jobs: the number of workers, by default one per core. It does not change the result. A match with a function
            or a class of this program is played in this process, one game at a time.
        first: who begins in competitive games: always the agent named first, or each in turn.
        mirror: play every deal once per starting seat.
        start: the position that every game begins with, in the notation of the game.
        think_ms: the search time per move in milliseconds; results then vary.
        iterations: the search iterations per move.
        depth: the search depth in plies.
        bot_seconds: the time per move of agents from files; 0 is no limit.
        records: keep a record of every game in `records`.
        save: a file for the games, as `kibitz match --save` writes it: .json, .jsonl, .csv or .parquet. A match that
            was interrupted resumes.
        progress: report progress; by default on a terminal or in a notebook, after two seconds.

    >>> import kibitz
    >>> result = kibitz.match("connect4", ["greedy", "random"], games=50, mirror=True)
    >>> result.games, result.wins, result.draws
    (100, (99, 1), 0)
    """
    which = arguments.game_of(game)
    named = arguments.seats_of(which, arguments.several(agents), players)
    deals, seed = arguments.whole("games", games, 1, arguments.MOST_GAMES), arguments.seed_of(seed)
    terms, workers = arguments.rules_of(which, rules), arguments.jobs_of(jobs)
    seconds, budget = arguments.seconds_of(bot_seconds), arguments.budget_of(think_ms, iterations, depth)
    if first not in FIRSTS:
        raise ArgumentError(f"`first` is {first!r}, but must be {' or '.join(map(repr, FIRSTS))}.")
    arguments.check_start(which, start, len(named), terms)
    path = Path(save) if save is not None else None
    keep: Keep = "records" if records and path is not None else keeps(path)
    label = " · ".join(dict.fromkeys(name_of(each) for each in named))
    total = deals * (len(named) if mirror else 1)
    with Progress(label, total, progress) as reporting:
        with arguments.loading():
            ready = Match.of(
                which, checked(which, named), deals, seed, rules=terms, records=records or keep == "records",
                first=first, mirror=mirror, budget=budget, bot_seconds=seconds, start=start,
            ).prepared()  # fmt: skip
        reporting.total = ready.games
        run = begin_match(ready, keep) if path is not None else None
        try:
            measured = MeasuredMatch(ready, run, keep, chunks=True)
            parts, lines = [np.zeros((0, which.width), np.int64)], list[bytes]()
            for chunk in measured.games_kept.blocks() if measured.games_kept is not None else ():
                parts.append(chunk.results)
                lines += chunk.records
            for chunk in measured.play(workers):
                parts.append(chunk.results)
                lines += chunk.records
                reporting.add(chunk.games)
            if measured.failure:
                raise AgentError(measured.failure)
            measured.finish()
            if path is not None:
                write_games(measured, path)
        finally:
            if run is not None:
                run.release()
    return MatchResult(measured, np.concatenate(parts), lines)


def name_of(agent: Any) -> str:
    return agent if isinstance(agent, str) else getattr(agent, "name", getattr(agent, "__name__", type(agent).__name__))


class MatchResult:
    """The result of `kibitz.match`.

    >>> import kibitz
    >>> print(kibitz.match("tictactoe", ["perfect", "random"], games=100))
    Tic-Tac-Toe: perfect · random
    100 games, seed 0
    perfect  100.0 % ± 1.8
    random     0.0 % ± 1.8
    """

    def __init__(self, measured: MeasuredMatch, results: Any, records: Sequence[bytes] = ()) -> None:
        self._match, self._measure, self._results, self._records = measured.match, measured.measure, results, records
        self.seconds: float = measured.seconds
        """The time that playing took."""

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._match.game_name

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents as named, which in competitive games may sit elsewhere."""
        return self._match.seats

    @property
    def seed(self) -> int:
        return self._match.seed

    @property
    def rules(self) -> dict[str, str]:
        """All rules of the match."""
        return dict(self._match.rules)

    @property
    def games(self) -> int:
        """The number of games played."""
        return self._measure.games

    @property
    def estimate(self) -> Estimate:
        """The mean with its 95 % interval."""
        return self._measure.tally.estimate if isinstance(self._measure, MatchScores) else self.shares[0]

    @property
    def mean(self) -> float:
        """The mean score of a cooperative game; else the share of the agent named first."""
        return self.estimate.mean

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean; None for a single game."""
        return self.estimate.interval

    def _standings(self, what: str) -> Standings:
        if isinstance(self._measure, Standings):
            return self._measure
        raise UnsupportedError(
            f"{self._match.game.title} is cooperative, so there are no {what}. `mean` and `scores` say how the games "
            f"ended."
        )

    @property
    def shares(self) -> tuple[Estimate, ...]:
        """What each agent got of the games: a win is one, and a draw is divided. Competitive games only.

        Partners have the share of their side.
        """
        standings, game = self._standings("shares"), self._match.game
        partners = self._match.players // game.sides if game.sides else 1
        return tuple(partners * standings.points(seat) for seat in range(self._match.players))

    @property
    def wins(self) -> tuple[int, ...]:
        """The games that each agent won. Competitive games only."""
        return tuple(self._standings("wins").wins)

    @property
    def draws(self) -> int:
        """The games that nobody won. Competitive games only."""
        return self._standings("draws").draws

    @property
    def scores(self) -> Any:
        """The score of every game, as a NumPy array. Cooperative games only."""
        if self._match.game.competitive:
            raise UnsupportedError(
                f"{self._match.game.title} is competitive, so its games have no common score. `shares`, `wins` and "
                f"`draws` say how they ended."
            )
        return self._match.game.scores(self._results)[0]

    @cached_property
    def records(self) -> list[Record]:
        """A record of every game, if the match was played with `records=True`."""
        if not self._match.records:
            raise UnsupportedError("This match kept no records. Play it with records=True.")
        return [parse(record) for record in self._records]

    @property
    def columns(self) -> dict[str, Any]:
        """What `frame` contains, as NumPy arrays."""
        return table(self._match, 0, self._results, self._match.rotations(np.arange(len(self._results))))

    @property
    def frame(self) -> "polars.DataFrame":
        """The games as a polars frame with one row a game; games of rounds have one row a round."""
        need("frames")
        import polars

        return polars.DataFrame(self.columns)

    def as_dict(self) -> dict[str, Any]:
        """The summary, as `kibitz match --json` prints it."""
        return self._measure.as_json()

    def _rows(self) -> list[tuple[str, str]]:
        if isinstance(self._measure, MatchScores):
            tally = self._measure.tally
            rows = [
                ("mean score", with_error(tally.estimate)),
                ("perfect games", with_error(tally.perfect_share, percent=True)),
            ]
            return [*rows, ("lost games", f"{tally.lost:,}")]
        return [(name, with_error(share, percent=True)) for name, share in zip(self.agents, self.shares, strict=True)]

    @property
    def _title(self) -> str:
        names = dict.fromkeys(self.agents)
        who = f"{self.agents[0]} × {len(self.agents)}" if len(names) == 1 else " · ".join(self.agents)
        return f"{self._match.game.title}: {who}"

    @property
    def _terms(self) -> str:
        count = f"{self.games:,} game{'' if self.games == 1 else 's'}, seed {self.seed}"
        chosen = ", ".join(f"{name}={value}" for name, value in self._match.terms.items())
        return f"{count}; {chosen}" if chosen else count

    def __str__(self) -> str:
        rows = self._rows()
        width = max(len(name) for name, _ in rows)
        figures = max(len(text) for _, text in rows)
        lines = [f"{name:{width}}  {text:>{figures}}" for name, text in rows]
        return "\n".join([self._title, self._terms, *lines])

    def __repr__(self) -> str:
        shown = "mean" if isinstance(self._measure, MatchScores) else "share"
        return f"<match of {self._title}, {self.games:,} games, {shown} {self.estimate:.3f}>"

    def _repr_html_(self) -> str:
        return html_table(("", ""), self._rows(), f"{self._title}; {self._terms}")


def with_error(estimate: Estimate, percent: bool = False) -> str:
    """A mean with half of its 95 % interval."""
    unit, digits = (100, 1) if percent else (1, 3)
    error = f" ± {unit * estimate.half_width:.{digits}f}" if estimate.interval else ""
    return f"{unit * estimate.mean:.{digits}f}{' %' if percent else ''}{error}"
