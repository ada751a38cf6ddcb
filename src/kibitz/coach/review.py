"""A review: the loss of every decision of a recorded game, skill and luck apart, and who lost how much.

The values of decisions telescope. Before a decision the expected result is U, if the seat moves as usual; with the
best move it is V. The decision offers the opportunity V − U, and loses V − Q(chosen). What happens from there to the U
of the next decision, or to the result of the game, is luck. So the result is the first U, plus all opportunities, minus
all losses, plus all luck.
"""

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from kibitz.coach.judges import coach_of
from kibitz.coach.positions import Played, Position, played, players_of
from kibitz.coach.verdicts import WRONG, Verdict, accuracy_of, is_doubtful, verdict_of
from kibitz.core.coaching import Coach, Evaluation, Remark, SeatJudge
from kibitz.core.game import Game
from kibitz.core.record import Record
from kibitz.engine.seeds import keys, number
from kibitz.errors import KibitzError, RecordError

MORE = 6  # times the playouts of the first pass for decisions in doubt
PASSES = 2
REMARK_STREAM = 1 << 30


@dataclass(frozen=True)
class TurnReview:
    """The review of one decision."""

    turn: int  # of the game, from 1
    seat: int  # from 0
    move: str
    best: str
    value: float  # the expected result with the best move
    opportunity: float  # that minus the expected result of the seat's usual play
    loss: float
    error: float  # the standard error of the loss
    luck: float  # what happened until the next decision, or the end
    verdict: Verdict
    kind: str  # of mistake
    text: str
    convention: str
    evaluation: Evaluation
    passes: int  # how thoroughly it was examined
    episode: int  # its round, from 0, where rounds are judged one by one
    outcome: float | None  # the result of the round or the game for its seat
    view: Any = field(repr=False, compare=False)  # what the seat saw

    def as_json(self) -> dict[str, Any]:
        named = (
            "turn", "move", "best", "loss", "error", "verdict", "kind", "text", "convention", "value", "opportunity",
            "luck",
        )  # fmt: skip
        return {name: rounded(getattr(self, name)) for name in named}


def rounded(value: Any) -> Any:
    return (round(value, 4) if math.isfinite(value) else None) if isinstance(value, float) else value


Progress = Callable[[TurnReview], None]


class Reviewing:
    """The work on a review. Iterating over it yields turns as they are examined, some of them twice."""

    def __init__(
        self, record: Record, *, seat: int | None = None, partners: str | None = None, seed: int = 0,
        jobs: int = 1, playouts: int | None = None, seconds: float = math.inf,
    ) -> None:  # fmt: skip
        self.record = record
        self.played: Played = played(record)
        self.game: Game = self.played.game
        if seat is not None and not 0 <= seat < record.players:
            raise RecordError(f"There is no seat {seat + 1}: the game has seats 1 to {record.players}.")
        self.coach: Coach = coach_of(self.game)
        everybody = players_of(record, self.game, self.coach.people)
        people = [place for place, (_, agent) in enumerate(everybody) if agent is None]
        self.seat = seat if seat is not None else people[0] if people else 0
        self.players = players_of(record, self.game, self.coach.people, partners, self.seat)
        self.stream = keys(seed).dice
        self.jobs, self.seconds = max(jobs, 1), seconds
        self.models = [self.coach.model(name, agent) for name, agent in self.players]
        self.playouts = playouts or self.coach.playouts(self.models)
        self.found: dict[int, tuple[Evaluation, Remark, int]] = {}  # by place in the game
        self.problems = [self.played.problem] if self.played.problem else []

    # What is examined, and in which order

    def judges(self) -> list[SeatJudge]:
        people = sum(1 << seat for seat, (_, agent) in enumerate(self.players) if agent is None)
        return [self.coach.judge(self.models, people, seat, self.seat) for seat in range(len(self.players))]

    def stream_of(self, position: Position, examined: int) -> int:
        """It depends on nothing but the seed, the turn and the pass."""
        return number(number(self.stream, position.turn), examined)

    def urgency(self, place: int) -> tuple[bool, float, int]:
        return self.played.positions[place].seat != self.seat, -self.found[place][0].loss, place

    def executor(self) -> Executor:
        """What the calls run in; a server has its own."""
        return ThreadPoolExecutor(self.jobs)

    def __iter__(self) -> Iterator[TurnReview]:
        judges, began = self.judges(), time.monotonic()
        places = [[] for _ in judges]  # type: list[list[int]]
        for place, position in enumerate(self.played.positions):
            places[position.seat].append(place)
        known: dict[int, Any] = {}

        def see(seat: int, place: int) -> Any:
            try:
                return judges[seat].see(self.played.positions[place].views)
            except KibitzError as error:
                return error

        def examine(place: int, examined: int) -> tuple[Evaluation, Remark]:
            position = self.played.positions[place]
            judge, stream = judges[position.seat], self.stream_of(position, examined)
            playouts = self.playouts * (MORE if examined else 1)
            found = judge.evaluate(known[place], position.move, stream, playouts)
            remark = judge.remark(known[place], found, number(stream, REMARK_STREAM))
            return found, remark

        with self.executor() as workers:
            waiting: dict[Future[Any], tuple[str, int, int]] = {}
            for seat in sorted(range(len(places)), key=lambda seat: (seat != self.seat, seat)):
                if own := places[seat]:
                    waiting[workers.submit(see, seat, own[0])] = "see", seat, 0
            doubtful: list[int] = []
            left = len(self.played.positions)
            try:
                while waiting:
                    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        what, one, two = waiting.pop(future)
                        result = future.result()
                        if what == "see":
                            place = places[one][two]
                            if isinstance(result, KibitzError):
                                position = self.played.positions[place]
                                self.problems.append(f"Turn {position.turn} cannot be reviewed: {result}.")
                                left -= 1
                            else:
                                known[place] = result
                                waiting[workers.submit(examine, place, 0)] = "examine", place, 0
                            if two + 1 < len(places[one]):
                                following = places[one][two + 1]
                                waiting[workers.submit(see, one, following)] = "see", one, two + 1
                            continue
                        self.found[one] = (*result, two + 1)
                        yield self.turn(one)
                        if time.monotonic() - began > self.seconds:
                            self.problems.append(
                                f"The review stopped after {self.seconds:g} seconds: {len(self.found)} of "
                                f"{len(self.played.positions)} decisions were examined."
                            )
                            workers.shutdown(wait=False, cancel_futures=True)
                            return
                        if two == 0:
                            left -= 1
                            if is_doubtful(result[0], self.coach.unit):
                                doubtful.append(one)
                        if not left and doubtful:
                            # The reviewed seat's worst first; the review is the same in any order.
                            doubtful.sort(key=self.urgency)
                            for place in doubtful:
                                waiting[workers.submit(examine, place, 1)] = "examine", place, 1
                            doubtful = []
            except BaseException:
                workers.shutdown(wait=False, cancel_futures=True)
                raise

    # Results

    def counts_together(self, place: int, later: int) -> bool:
        """Whether two decisions are of one account: of the same round and, in a game of opponents, the same seat."""
        one, other = self.played.positions[place], self.played.positions[later]
        same_round = self.coach.episode(one.views[-1]) == self.coach.episode(other.views[-1])
        return same_round and (not self.game.competitive or one.seat == other.seat)

    def luck(self, place: int) -> float:
        """What happened between a decision and the next one that counts, or the end of the game."""
        after = self.found[place][0].after
        for later in range(place + 1, len(self.played.positions)):
            if later in self.found and self.counts_together(place, later):
                return self.found[later][0].before - after
        outcome = self.outcome(place)
        return 0.0 if outcome is None else outcome - after

    def outcome(self, place: int) -> float | None:
        """The result of the round of a decision, for its seat; None if it is not finished or has no such result."""
        position, table = self.played.positions[place], self.played.table
        episode = self.coach.episode(position.views[-1])
        outcomes = self.coach.outcomes(table.state, position.seat) if table.over or episode else []
        return outcomes[episode] if episode < len(outcomes) else None

    def turn(self, place: int) -> TurnReview:
        position, (found, remark, passes) = self.played.positions[place], self.found[place]
        text = self.game.move_text
        return TurnReview(
            turn=position.turn, seat=position.seat, move=text(position.move), best=text(found.best),
            value=found.value, opportunity=found.value - found.before, loss=found.loss, error=found.error,
            luck=self.luck(place),
            verdict=verdict_of(found, self.coach.unit), kind=remark.kind, text=remark.text,
            convention=remark.convention, evaluation=found, passes=passes, view=position.views[-1],
            episode=self.coach.episode(position.views[-1]), outcome=self.outcome(place),
        )  # fmt: skip

    def review(self) -> "Review":
        """The review as far as it has come."""
        turns = tuple(self.turn(place) for place in sorted(self.found))
        return Review(
            self.record, self.game, self.coach.unit, self.seat, turns, not self.played.table.over,
            tuple(name for name, _ in self.players), tuple(dict.fromkeys(self.problems)),
        )  # fmt: skip


@dataclass(frozen=True, repr=False)
class Review:
    """The review of a game for one seat."""

    record: Record
    game: Game
    unit: str
    seat: int  # from 0
    all_turns: tuple[TurnReview, ...]  # of all seats
    unfinished: bool
    players: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def turns(self) -> tuple[TurnReview, ...]:
        """The decisions of the reviewed seat."""
        return tuple(turn for turn in self.all_turns if turn.seat == self.seat)

    @property
    def accuracy(self) -> float:
        """In per cent."""
        return accuracy_of(self.lost, len(self.turns), self.unit)

    @property
    def lost(self) -> float:
        """What the decisions of the reviewed seat lost."""
        return math.fsum(turn.loss for turn in self.turns)

    @property
    def partners_lost(self) -> float:
        """What the decisions of the other seats lost, in a game in which all play together."""
        together = not self.game.competitive
        return math.fsum(turn.loss for turn in self.all_turns if turn.seat != self.seat and together)

    @property
    def counted(self) -> tuple[TurnReview, ...]:
        """The decisions in the account of luck: of all players who play together, or of one seat among opponents."""
        return self.turns if self.game.competitive else self.all_turns

    @property
    def luck(self) -> float:
        """What cards gave; in a game of opponents, also what these did."""
        return math.fsum(turn.luck for turn in self.counted)

    @property
    def opportunities(self) -> float:
        """What the best moves offered beyond the usual play of their seats."""
        return math.fsum(turn.opportunity for turn in self.counted)

    @property
    def start(self) -> float:
        """The expected result before the first decision; of several rounds, their sum."""
        first = {turn.episode: turn for turn in reversed(self.counted)}
        return math.fsum(turn.evaluation.before for turn in first.values())

    @property
    def result(self) -> float | None:
        """The result of the game, or the sum over the rounds with a decision; None if there is none in this unit."""
        last = {turn.episode: turn.outcome for turn in self.counted}
        known = [outcome for outcome in last.values() if outcome is not None]
        return math.fsum(known) if known and len(known) == len(last) else None

    @property
    def worst(self) -> tuple[TurnReview, ...]:
        """The mistakes of the reviewed seat, the worst first."""
        wrong = (turn for turn in self.turns if turn.verdict in WRONG)
        return tuple(sorted(wrong, key=lambda turn: (-turn.loss, turn.turn)))

    def picture(self, turn: TurnReview) -> str:
        """What the seat saw, as SVG."""
        return self.game.svg(turn.view)

    def hidden_picture(self, turn: TurnReview) -> str:
        """The same with all cards, of a finished game."""
        if self.unfinished:
            raise KibitzError("Hidden cards are shown when the game is over.")
        return self.game.svg(self.record.up_to(turn.turn - 1).replay().open_state())

    @property
    def html(self) -> str:
        """A page to keep or mail, which shows what the seat saw, and hidden cards on a click."""
        from kibitz.coach.page import page

        return page(self)

    def as_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat + 1, "accuracy": rounded(self.accuracy), "lost": rounded(self.lost),
            "luck": rounded(self.luck), "opportunities": rounded(self.opportunities),
            "partners_lost": rounded(self.partners_lost), "unit": self.unit, "start": rounded(self.start),
            "result": rounded(self.result), "problems": list(self.problems),
            "turns": [turn.as_json() for turn in self.turns],
        }  # fmt: skip

    @property
    def frame(self) -> Any:
        """The decisions of all seats as a frame of polars."""
        from kibitz.extras import need

        need("frames")
        import polars

        names = (
            "turn",
            "seat",
            "move",
            "best",
            "value",
            "opportunity",
            "loss",
            "error",
            "luck",
            "verdict",
            "kind",
            "text",
        )
        rows = [{name: getattr(turn, name) for name in names} for turn in self.all_turns]
        return polars.DataFrame([{**row, "seat": row["seat"] + 1, "verdict": str(row["verdict"])} for row in rows])

    def __repr__(self) -> str:
        from kibitz.coach.words import summary

        return f"<review of {self.players[self.seat]} (seat {self.seat + 1}): {summary(self)}>"

    def _repr_html_(self) -> str:
        from kibitz.coach.page import body

        return body(self)


def reviewing(record: Record, **options: Any) -> Reviewing:
    """Begin a review; see `Reviewing`."""
    return Reviewing(record, **options)
