"""A paper's table as a file: replay it, and compare its figures and claims with ours."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kibitz.arena.claims import Judged, LostShare, MeanDifference, Order, PlayedTable, Seats, judged, label
from kibitz.arena.match import GameChunk, Match, play
from kibitz.arena.rotation import First
from kibitz.arena.run_checkpoints import RunCheckpoints
from kibitz.arena.standings import Standings
from kibitz.arena.statistics import Estimate, ScoreCounts
from kibitz.arena.win_claims import Lead, Portion
from kibitz.bots.players import BOT_SECONDS
from kibitz.core import registry
from kibitz.core.toml_files import read_toml
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError, unknown

HERE = Path(__file__).resolve().parents[1]
Count = Callable[[int], None]  # told how many games were played since the last time
FOLDERS = (HERE / "experiments", HERE.parents[1] / "experiments")  # of an installed package, of a clone


class Figure(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What the paper reports of one table of agents."""

    mean: float
    std: float | None = None  # where the paper does not say, only our own sampling error counts
    perfect: int | None = None  # games with the best score


class MixedFigure(Figure, kw_only=True):
    seats: list[str]


class Rival(Figure, kw_only=True):
    """A figure of another program, to be set beside an agent of ours that is not meant to play like it."""

    program: str
    agent: str
    players: int
    games: int = 0  # behind the figure, if not as many as behind the others
    most: int = 0  # deals that we play, however many are asked for: search takes its time

    @property
    def seats(self) -> "Seats":
        return (self.agent,) * self.players


class Pairing(msgspec.Struct, forbid_unknown_fields=True):
    """A match of a paper that somebody wins."""

    seats: list[str]
    first: First = "fixed"
    mirror: bool = False  # whether every deal is played once for each to begin it, or by each side
    most: int = 0  # deals, however many are asked for: search takes its time
    iterations: int = 0  # of those that search, at every move


class Claim(msgspec.Struct, forbid_unknown_fields=True):
    """A sentence of a paper, and the comparisons that it means."""

    text: str
    checks: list[MeanDifference | LostShare | Order | Lead | Portion]

    def __post_init__(self) -> None:
        for check in self.checks:
            check.tables()  # a table that cannot be read is said when the file is

    def tables(self) -> list[Seats]:
        return [seats for check in self.checks for seats in check.tables()]


class Experiment(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    source: str
    game: str
    their_games: int = 0  # behind each figure, 0 if that is not known
    games: int = 10_000  # that we play of each row, unless others are asked for
    seed: int = 0  # of the deals, unless another is asked for
    margin: float = 0.0  # how far apart two means may lie beyond sampling error, before we call them different
    self_play: dict[str, dict[int, Figure]] = {}  # by agent and number of players
    mixed: list[MixedFigure] = []
    rivals: list[Rival] = []  # who is compared, not reproduced
    pairings: list[Pairing] = []  # of a game that somebody wins; the rest is then left out
    claims: list[Claim] = []  # what the paper says in words
    rules: dict[str, str] = {}
    notes: dict[str, str] = {}  # by agent: what a reader of the differences should know

    @property
    def length(self) -> int:
        return len(self.tables()) + len(self.pairings)

    def tables(self) -> list[tuple[Seats, Figure | None]]:
        """Who sat at the table, and what came of it; tables without a figure are those that only claims speak of."""
        alike = [((agent,) * players, figure) for agent, by in self.self_play.items() for players, figure in by.items()]
        figures = dict(alike + [(tuple(figure.seats), figure) for figure in self.mixed])
        claimed = [] if self.pairings else [seats for claim in self.claims for seats in claim.tables()]
        first_named = {agent: place for place, agent in reversed(list(enumerate(seats[0] for seats in claimed)))}
        others = sorted(set(claimed) - set(figures), key=lambda seats: (first_named[seats[0]], len(seats), seats))
        rivals = [(rival.seats, rival) for rival in self.rivals]
        return [*figures.items(), *rivals, *((seats, None) for seats in others if seats not in dict(rivals))]


def names() -> list[str]:
    return sorted({path.stem for folder in FOLDERS for path in folder.glob("*.toml")})


def read(name: str) -> Experiment:
    """An experiment by its name or the path of its file."""
    paths = [Path(name)] if name.endswith(".toml") else [folder / f"{name}.toml" for folder in FOLDERS]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise unknown(
            "experiment", name, names(), "`kibitz reproduce` lists them; a file of yours is named by its path."
        )
    try:
        return msgspec.convert(read_toml(path), Experiment, strict=False)
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {error.strerror or error}.") from None
    except KibitzError as error:
        raise KibitzError(f"{path} is not an experiment: {error}") from None
    except msgspec.ValidationError as error:
        raise KibitzError(f"{path} is not an experiment: {error}.") from None


@dataclass
class TableRow:
    """Theirs beside ours. A row without theirs is one the claims need, without ours one that needs an agent
    that does not exist here."""

    seats: Seats
    theirs: Figure | None
    their_games: int
    margin: float
    missing: list[str] = field(default_factory=list)
    ours: ScoreCounts | None = None
    scores: Any = None  # ours, deal by deal

    @property
    def rival(self) -> str:
        """The program that ours is compared with, if it is not meant to be the same player."""
        return self.theirs.program if isinstance(self.theirs, Rival) else ""

    @property
    def label(self) -> str:
        return label(self.seats) + (f" beside {self.rival}" if self.rival else "")

    @property
    def difference(self) -> Estimate:
        """Ours minus theirs."""
        assert self.ours is not None
        assert self.theirs is not None
        their_error = (self.theirs.std or 0.0) / sqrt(self.their_games) if self.their_games else 0.0
        return self.ours.estimate - Estimate(self.theirs.mean, their_error, self.their_games)

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
        if self.rival:
            row["rival"] = self.rival
        if self.theirs is not None:
            row["theirs"] = {
                "mean": self.theirs.mean, "std": self.theirs.std,
                "perfect": self.theirs.perfect, "games": self.their_games,
            }  # fmt: skip
        if self.ours is not None:
            row["ours"] = {
                "mean": self.ours.mean, "stderr": self.ours.estimate.stderr, "std": self.ours.std,
                "perfect": self.ours.perfect, "lost": self.ours.lost, "games": self.ours.games,
            }  # fmt: skip
        if self.ours is not None and self.theirs is not None:
            gap = self.difference
            row["difference"] = {"mean": gap.mean, "low": gap.low, "high": gap.high}
        return row


@dataclass
class PairingRow:
    """A pairing as we played it, or why we could not."""

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
    """How an experiment is played again."""

    experiment: Experiment
    deals: int  # for each row
    seed: int
    jobs: int
    bot_seconds: float = BOT_SECONDS  # that a Python agent has for a move; 0 is no limit
    count: Count = lambda games: None
    checkpoints: RunCheckpoints | None = None  # where games are kept, and those of an earlier run found

    def plan(self) -> dict[str, Any]:
        """What decides the rows, but for the code of the agents."""
        return {"experiment": msgspec.to_builtins(self.experiment), "deals": self.deals, "seed": self.seed}

    def keeping(self, restart: bool = False) -> "Run":
        """The same, resuming an unfinished run unless `restart`."""
        return replace(self, checkpoints=RunCheckpoints(self.plan(), restart))

    def played(self) -> Iterator[TableRow | PairingRow]:
        """Play everything that is in the experiment, one row after the other."""
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
        """How many are to be played."""
        paper = self.experiment
        rows = sum(self.deals_of(figure) for seats, figure in dict(paper.tables()).items() if not self.missing(seats))
        return rows + sum(self.pairing(each).games for each in paper.pairings if not self.missing(each.seats))

    def match(self, seats: Seats, deals: int, **more: Any) -> Match:
        paper = self.experiment
        return Match(paper.game, seats, deals, self.seed, paper.rules, bot_seconds=self.bot_seconds, **more)

    def pairing(self, pairing: Pairing) -> Match:
        budget = Budget(pairing.iterations) if pairing.iterations else None
        seats, deals = tuple(pairing.seats), self.deals_of(pairing)
        return self.match(seats, deals, first=pairing.first, mirror=pairing.mirror, budget=budget)

    def chunks(self, match: Match) -> Iterator[GameChunk]:
        """The games of a match: first those that an earlier run kept."""
        kept = self.checkpoints.kept(match) if self.checkpoints else None
        first = len(kept.results) if kept else 0
        if kept and first:
            self.count(first)
            yield GameChunk(kept.results, rotations=match.rotations(np.arange(first)))
        for chunk in play(match, self.jobs, first):
            if kept:
                kept.add(chunk.results)
            if chunk.failure:
                raise KibitzError(f"{chunk.failure} It sat at the table {', '.join(match.seats)}.")
            self.count(chunk.games)
            yield chunk

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
            row = TableRow(seats, figure, their_games, paper.margin, self.missing(seats))
            if not row.missing:
                if seats not in played:
                    played[seats] = self.scores(self.match(seats, self.deals_of(figure)).prepared())
                row.ours, row.scores = played[seats]
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
    """What became of every claim, by the tables that were played."""
    tables: dict[Seats, PlayedTable | Standings] = {}
    for row in rows:
        if isinstance(row, PairingRow):
            tables |= {row.seats: row.ours} if row.ours is not None else {}
        elif row.ours is not None:
            tables[row.seats] = PlayedTable(row.scores, row.ours.lost)
    return [judged(claim, tables) for claim in experiment.claims]
