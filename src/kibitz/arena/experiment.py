"""A paper's table as a file: replay it, and compare its figures and claims with ours."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from kibitz.arena import runs
from kibitz.arena.claims import Judged, LostShare, MeanDifference, Order, PlayedTable, Seats, judged, label
from kibitz.arena.kept_matches import KeptMatches
from kibitz.arena.match import GameChunk, Match, play
from kibitz.arena.rotation import First
from kibitz.arena.score_claims import DeviationDifference, Extreme, Mean, Peak, ScoreShare
from kibitz.arena.standings import Standings
from kibitz.arena.statistics import Z95, Estimate, ScoreCounts
from kibitz.arena.win_claims import Lead, Portion
from kibitz.bots.players import BOT_SECONDS
from kibitz.core import registry
from kibitz.core.toml_files import read_toml
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError, unknown

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor

HERE = Path(__file__).resolve().parents[1]
Count = Callable[[int], None]  # called with the number of games since the last call
FOLDERS = (HERE / "experiments", HERE.parents[1] / "experiments")  # of an installed package, of a clone


class Figure(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The paper's figures for one table of agents."""

    mean: float
    std: float | None = None  # if unknown, only our own sampling error counts
    perfect: int | None = None  # games with the best score


class MixedFigure(Figure, kw_only=True):
    seats: list[str]
    or_seats: list[list[str]] = []  # of more tables, if the paper prints one figure for all of them

    @property
    def tables(self) -> "list[Seats]":
        """The tables behind the figure, each with the same share of the games."""
        return [tuple(seats) for seats in (self.seats, *self.or_seats)]


class Rival(Figure, kw_only=True):
    """The figure of another program, to compare with an agent here that is not a reproduction of it."""

    program: str
    agent: str
    players: int
    games: int = 0  # behind the figure, if different from `their_games`
    half_width: float = 0.0  # of its 95 % interval, if it is printed with one
    most: int = 0  # an upper limit on our deals, for slow searches; 0 is none

    @property
    def seats(self) -> "Seats":
        return (self.agent,) * self.players


class Pairing(msgspec.Struct, forbid_unknown_fields=True):
    """A match of a paper about a competitive game."""

    seats: list[str]
    first: First = "fixed"
    mirror: bool = False  # whether every deal is played once per starting seat, or per side
    most: int = 0  # an upper limit on our deals, for slow searches; 0 is none
    iterations: int = 0  # of searching agents, per move


class Claim(msgspec.Struct, forbid_unknown_fields=True):
    """A sentence of a paper, and the comparisons that test it."""

    text: str
    checks: list[
        MeanDifference | Mean | DeviationDifference | ScoreShare | Extreme | Peak | LostShare | Order | Lead | Portion
    ]

    def __post_init__(self) -> None:
        for check in self.checks:
            check.tables()  # an unreadable table is reported when the file is read

    def tables(self) -> list[Seats]:
        return [seats for check in self.checks for seats in check.tables()]


class Experiment(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    source: str
    game: str
    their_games: int = 0  # behind each figure; 0 if unknown
    games: int = 10_000  # our default number of games per row
    seed: int = 0  # our default seed
    margin: float = 0.0  # the difference beyond sampling error that still counts as agreement
    self_play: dict[str, dict[int, Figure]] = {}  # by agent and number of players
    mixed: list[MixedFigure] = []
    rivals: list[Rival] = []  # programs that are compared, not reproduced
    pairings: list[Pairing] = []  # of competitive games, which have no tables
    claims: list[Claim] = []  # statements of the paper
    charts: dict[str, list[str]] = {}  # counts of the game that the report draws, each with its pairings
    rules: dict[str, str] = {}
    notes: dict[str, str] = {}  # by agent: an explanation of differences

    @property
    def length(self) -> int:
        return len(self.tables()) + len(self.pairings)

    def tables(self) -> list[tuple[Seats, Figure | None]]:
        """All tables by their seats, each with the paper's figure; None if only claims mention the table."""
        alike = [((agent,) * players, figure) for agent, by in self.self_play.items() for players, figure in by.items()]
        figures = dict(alike + [(tuple(figure.seats), figure) for figure in self.mixed])
        claimed = [] if self.pairings else [seats for claim in self.claims for seats in claim.tables()]
        first_named = {agent: place for place, agent in reversed(list(enumerate(seats[0] for seats in claimed)))}
        shared = {seats for figure in self.mixed for seats in figure.tables}
        others = sorted(
            set(claimed) - set(figures) - shared, key=lambda seats: (first_named[seats[0]], len(seats), seats)
        )
        rivals = [(rival.seats, rival) for rival in self.rivals]
        return [*figures.items(), *rivals, *((seats, None) for seats in others if seats not in dict(rivals))]


def names() -> list[str]:
    return sorted({path.stem for folder in FOLDERS for path in folder.glob("*.toml")})


def read(name: str) -> Experiment:
    """An experiment by its name or the path of its file."""
    paths = [Path(name)] if name.endswith(".toml") else [folder / f"{name}.toml" for folder in FOLDERS]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise unknown("experiment", name, names(), "`kibitz reproduce` lists them. Give your own file by its path.")
    try:
        return msgspec.convert(read_toml(path), Experiment, strict=False)
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {error.strerror or error}.") from None
    except KibitzError as error:
        raise KibitzError(f"{path} is not an experiment: {error}") from None
    except msgspec.ValidationError as error:
        raise KibitzError(f"{path} is not an experiment: {error}.") from None


def tables_of(seats: Seats, figure: Figure | None) -> list[Seats]:
    """The tables that are played for a row."""
    return figure.tables if isinstance(figure, MixedFigure) else [seats]


@dataclass
class TableRow:
    """Their figure beside ours. Rows that only claims need lack theirs; rows with an agent that is missing here lack
    ours."""

    seats: Seats
    theirs: Figure | None
    their_games: int
    margin: float
    missing: list[str] = field(default_factory=list)
    ours: ScoreCounts | None = None  # of all tables behind the figure
    scores: Any = None  # ours, deal by deal; the mean of several tables
    tables: dict[Seats, tuple[ScoreCounts, Any]] = field(default_factory=dict)  # the tables behind the figure

    @property
    def rival(self) -> str:
        """The other program, if ours is not a reproduction of it."""
        return self.theirs.program if isinstance(self.theirs, Rival) else ""

    @property
    def label(self) -> str:
        return " and ".join(map(label, tables_of(self.seats, self.theirs))) + (
            f" beside {self.rival}" if self.rival else ""
        )

    @property
    def estimate(self) -> Estimate:
        """Our mean. Several tables play the same deals."""
        assert self.ours is not None
        return Estimate.of(self.scores) if len(self.tables) > 1 else self.ours.estimate

    @property
    def std(self) -> float | None:
        """Our deviation, the mean of several tables."""
        if self.ours is None or len(self.tables) < 2:
            return self.ours.std if self.ours else None
        return sum(tally.std for tally, _ in self.tables.values()) / len(self.tables)

    @property
    def difference(self) -> Estimate:
        """Ours minus theirs."""
        return self.estimate - self.their_estimate

    @property
    def their_estimate(self) -> Estimate:
        """Theirs, with its error as far as it is known."""
        assert self.theirs is not None
        if isinstance(self.theirs, Rival) and self.theirs.half_width:
            return Estimate(self.theirs.mean, self.theirs.half_width / Z95, self.their_games)
        if self.theirs.std is None or not self.their_games:
            return Estimate(self.theirs.mean, None, self.their_games)
        return Estimate(self.theirs.mean, self.theirs.std / sqrt(self.their_games), self.their_games)

    @property
    def verdict(self) -> str:
        if self.ours is None:
            return f"missing: {', '.join(self.missing)}"
        if self.theirs is None:
            return "—"
        gap, half = self.difference.mean, self.difference.half_width
        if abs(gap) <= half:
            return "no difference seen" if self.rival else "agrees"
        if self.rival:
            return "ours is higher" if gap > 0 else "ours is lower"
        if abs(gap) <= half + self.margin:
            return f"agrees within {self.margin}"
        return "ours is higher" if gap > 0 else "ours is lower"

    @property
    def differs(self) -> bool:
        return self.verdict.startswith("ours") and not self.rival

    def as_json(self) -> dict[str, Any]:
        row: dict[str, Any] = {"seats": list(self.seats), "verdict": self.verdict}
        if len(self.tables) > 1:
            row["tables"] = [list(seats) for seats in self.tables]
        if self.rival:
            row["rival"] = self.rival
        if self.theirs is not None:
            row["theirs"] = {
                "mean": self.theirs.mean, "std": self.theirs.std, "stderr": self.their_estimate.stderr,
                "perfect": self.theirs.perfect, "games": self.their_games,
            }  # fmt: skip
        if self.ours is not None:
            row["ours"] = {
                "mean": self.estimate.mean, "stderr": self.estimate.stderr, "std": self.std,
                "perfect": self.ours.perfect, "lost": self.ours.lost, "games": self.ours.games,
            }  # fmt: skip
        if self.ours is not None and self.theirs is not None:
            gap = self.difference
            row["difference"] = {"mean": gap.mean, "low": gap.low, "high": gap.high}
        return row


@dataclass
class PairingRow:
    """Our result of a pairing, or the agents it lacks."""

    pairing: Pairing
    missing: list[str] = field(default_factory=list)
    ours: Standings | None = None

    @property
    def seats(self) -> Seats:
        return tuple(self.pairing.seats)

    @property
    def label(self) -> str:
        return label(self.seats)

    @property
    def verdict(self) -> str:
        return f"missing: {', '.join(self.missing)}" if self.missing else "played"

    def as_json(self) -> dict[str, Any]:
        row: dict[str, Any] = {"seats": list(self.seats), "verdict": self.verdict}
        return {**row, "ours": self.ours.as_json()} if self.ours else row


@dataclass(frozen=True)
class Run:
    """The replay of an experiment."""

    experiment: Experiment
    deals: int  # for each row
    seed: int
    jobs: "int | Executor"
    bot_seconds: float = BOT_SECONDS  # time limit per move of Python agents; 0 disables it
    count: Count = lambda games: None
    matches: KeptMatches | None = None  # played by this command and by earlier ones

    def plan(self) -> dict[str, Any]:
        """Everything the rows depend on, except the agents' code."""
        return {"experiment": msgspec.to_builtins(self.experiment), "deals": self.deals, "seed": self.seed}

    def keeping(self, run: runs.Run) -> "Run":
        """The same, with its games kept in a run."""
        return replace(self, matches=KeptMatches(run))

    def played(self) -> Iterator[TableRow | PairingRow]:
        """Play all rows of the experiment in order."""
        yield from self.rows() if self.experiment.tables() else ()
        yield from self.pairings()

    def missing(self, seats: Sequence[str]) -> list[str]:
        game = self.experiment.game
        return sorted({registry.spec(game, seat).name for seat in seats} - set(registry.agent_entries(game)))

    def deals_of(self, row: Pairing | Figure | None) -> int:
        most = row.most if isinstance(row, Pairing | Rival) else 0
        return min(self.deals, most) if most else self.deals

    @property
    def games(self) -> int:
        """The number of games to play."""
        paper = self.experiment
        tables = {each: figure for seats, figure in paper.tables() for each in tables_of(seats, figure)}
        rows = sum(self.deals_of(figure) for seats, figure in tables.items() if not self.missing(seats))
        return rows + sum(self.pairing(each).games for each in paper.pairings if not self.missing(each.seats))

    def match(self, seats: Seats, deals: int, **more: Any) -> Match:
        paper = self.experiment
        return Match(paper.game, seats, deals, self.seed, paper.rules, bot_seconds=self.bot_seconds, **more)

    def pairing(self, pairing: Pairing) -> Match:
        budget = Budget(pairing.iterations) if pairing.iterations else None
        seats, deals = tuple(pairing.seats), self.deals_of(pairing)
        return self.match(seats, deals, first=pairing.first, mirror=pairing.mirror, budget=budget)

    def chunks(self, match: Match) -> Iterator[GameChunk]:
        """The games of a match, starting with those that an earlier run saved."""
        kept = self.matches.kept(match) if self.matches else None
        first = len(kept.results) if kept else 0
        if kept and first:
            self._note(first)
            yield GameChunk(kept.results, rotations=match.rotations(np.arange(first)))
        for chunk in play(match, self.jobs, first):
            if kept:
                kept.add(chunk.results)
            if chunk.failure:
                raise KibitzError(f"{chunk.failure} It sat at the table {', '.join(match.seats)}.")
            self._note(chunk.games)
            yield chunk

    def _note(self, games: int) -> None:
        self.count(games)
        if self.matches is not None:
            done = sum(len(each.games) for each in self.matches.opened)
            self.matches.run.note_progress(done, self.games)

    def pairings(self) -> Iterator[PairingRow]:
        for pairing in self.experiment.pairings:
            row = PairingRow(pairing, self.missing(pairing.seats))
            if not row.missing:
                match = self.pairing(pairing).prepared()
                standings = Standings(match)
                for chunk in self.chunks(match):
                    standings.add(chunk.results, chunk.rotations)
                row.ours = standings
            yield row

    def rows(self) -> Iterator[TableRow]:
        paper = self.experiment
        played: dict[Seats, tuple[ScoreCounts, Any]] = {}
        for seats, figure in paper.tables():
            their_games = (figure.games if isinstance(figure, Rival) else 0) or paper.their_games
            tables = tables_of(seats, figure)
            row = TableRow(seats, figure, their_games, paper.margin, self.missing([seat for t in tables for seat in t]))
            if not row.missing:
                for each in tables:
                    if each not in played:
                        played[each] = self.scores(self.match(each, self.deals_of(figure)).prepared())
                row.tables = {each: played[each] for each in tables}
                row.ours = ScoreCounts.of_all([tally for tally, _ in row.tables.values()])
                row.scores = sum(scores for _, scores in row.tables.values()) / len(tables)
            yield row

    def scores(self, match: Match) -> tuple[ScoreCounts, Any]:
        """The tally of a match, and the score of every game."""
        tally, every = ScoreCounts(match.game.best), []
        for chunk in self.chunks(match):
            scores, lost = match.game.scores(chunk.results)
            tally.add(scores, lost)
            every.append(scores)
        return tally, np.concatenate(every)


def claims(experiment: Experiment, rows: Sequence[TableRow | PairingRow]) -> list[Judged]:
    """The verdicts on all claims, from the tables that were played."""
    tables: dict[Seats, PlayedTable | Standings] = {}
    for row in rows:
        if isinstance(row, PairingRow):
            tables |= {row.seats: row.ours} if row.ours is not None else {}
        else:
            tables |= {seats: PlayedTable(scores, tally.lost) for seats, (tally, scores) in row.tables.items()}
    return [judged(claim, tables) for claim in experiment.claims]
