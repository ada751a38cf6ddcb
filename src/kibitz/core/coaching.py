"""What a game provides so that decisions can be reviewed: the worth of every move from one seat's view, and words.

`kibitz.coach` knows games only through this part. A game without it is reviewed with the estimates of a searching agent
(`Game.reviewer`).

Everything a `SeatJudge` says is a function of the views of its seat, of the models of the players, and of a stream of
random numbers. It is never given the state of the game, so what is hidden cannot change a verdict.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from kibitz.core.agent import Agent


class Worth(NamedTuple):
    """What a move is worth to the seat that makes it."""

    move: int
    value: float  # the expected result, in the unit of the game's coach
    error: float  # its standard error: 0 if it is exact, infinite if nothing is known
    visits: int  # playouts that began with it
    perfect: float | None = None  # the chance of the best possible result, in games that have one


class Evaluation(NamedTuple):
    """The worth of all legal moves of a decision, and what the chosen one loses."""

    worths: tuple[Worth, ...]  # the best first
    chosen: int
    best: int
    # The best move minus the chosen one, measured in worlds that did not choose the best; 0 if it was chosen.
    loss: float
    error: float
    # If the best move was chosen: how far it is ahead of the second.
    margin: float = 0.0
    margin_error: float = float("inf")
    usual: float | None = None  # the expected result if the seat moves like its model; None if this is not known

    @property
    def value(self) -> float:
        """The expected result with the best move."""
        return self.after + self.loss

    @property
    def before(self) -> float:
        """The expected result before the decision, by what the seat usually does."""
        return self.value if self.usual is None else self.usual

    @property
    def after(self) -> float:
        """The expected result with the chosen move."""
        return next(each.value for each in self.worths if each.move == self.chosen)

    def worth(self, move: int) -> Worth:
        return next(each for each in self.worths if each.move == move)


class Remark(NamedTuple):
    """A decision in words."""

    kind: str  # of mistake, for counting; empty if no rule applies
    text: str
    convention: str = ""  # how the move breaks a convention of the partners, which need not lose anything


class SeatJudge(Protocol):
    """Judges the decisions of one seat in one game."""

    def see(self, views: Sequence[Any]) -> Any:
        """What the seat can know at its turn, from all its views so far. Called for every own turn, in their order."""
        ...

    def evaluate(self, known: Any, chosen: int, stream: int, playouts: int) -> Evaluation:
        """Evaluate all moves. Threads may call it at the same time."""
        ...

    def remark(self, known: Any, found: Evaluation, stream: int) -> Remark:
        """Put the chosen move in words. Threads may call it at the same time."""
        ...


class Coach(Protocol):
    """The part of a game that reviews decisions."""

    unit: str  # "points", or "wins" where a value is the chance to win
    people: str  # the name of an agent that stands for people: its seats are reviewed like theirs

    def playouts(self, models: Sequence[Agent]) -> int:
        """The usual number of playouts per decision, in the first of two passes: fewer with slow models."""
        ...

    def model(self, name: str, agent: Agent | None) -> Agent:
        """The agent that stands for a player in playouts: one that is fast enough, or a model of people."""
        ...

    def judge(self, models: Sequence[Agent], people: int, seat: int, reviewed: int) -> SeatJudge:
        """A judge for a seat; `people` is a mask of the seats that are not agents, `reviewed` the seat of the review.

        All judges of a review assume the same players in playouts, so that their values can be compared.
        """
        ...

    def episode(self, view: Any) -> int:
        """The round that a view belongs to, from 0, in games whose rounds are judged one by one; else 0."""
        ...

    def outcomes(self, state: Any, seat: int) -> list[float]:
        """The results of the finished rounds, or of a finished game, for a seat in the same unit; empty if there is
        none in this unit."""
        ...
