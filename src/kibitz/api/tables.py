"""`kibitz.table` and `kibitz.replay`: one game, move by move, with what every seat sees."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.api import arguments
from kibitz.api.arguments import AgentLike
from kibitz.api.catalogue import checked
from kibitz.bots.players import BOT_SECONDS, seat_player
from kibitz.core import registry
from kibitz.core import table as core
from kibitz.core.agent import Agent, Decision, Player, Traits, check_kind
from kibitz.core.game import Game
from kibitz.core.plain_board import trimmed
from kibitz.core.record import Record
from kibitz.core.view import PlainView, View
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import keys
from kibitz.errors import ArgumentError, KibitzError
from kibitz.text import fit

LAST_GAME = 10**18


@dataclass(frozen=True)
class Turn:
    """A turn: who moved, what it saw, its move and why."""

    number: int  # from 1
    seat: int | None  # None for a move of chance, such as a roll
    move: str
    reason: str
    text: str  # the turn in a sentence
    view: View | None = field(repr=False, compare=False)  # what the seat saw when it decided; None for chance

    def __str__(self) -> str:
        return f"{self.number:>3}. {self.text}" + (f"  [{self.reason}]" if self.reason else "")


def table(
    game: str | Game,
    agents: AgentLike | Sequence[AgentLike | None] | None = None,
    players: int | None = None,
    seed: int = 0,
    rules: Mapping[str, str] | None = None,
    *,
    number: int = 0,
    start: str | None = None,
    think_ms: int | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    bot_seconds: float = BOT_SECONDS,
) -> "Table":
    """One game to step through. It is game `number` of the seed, the one that `kibitz.match` plays.

    The arguments are those of `kibitz.match`. An agent that is None leaves its seat to you: the loop over the table
    stops when it has to move, and `play` makes its move.

    >>> import kibitz
    >>> table = kibitz.table("tictactoe", [None, "perfect"])
    >>> table.play("b2").text
    'G1 marks b2.'
    >>> for turn in table:
    ...     print(turn.number, turn.seat)
    2 1
    >>> table.to_move, table.over
    (0, False)
    """
    which = arguments.game_of(game)
    listed = [None] if agents is None else arguments.several(agents)
    seats = arguments.seats_of(which, listed, players)
    terms = arguments.rules_of(which, rules)
    seed, number = arguments.seed_of(seed), arguments.whole("number", number, 0, LAST_GAME)
    seconds, budget = arguments.seconds_of(bot_seconds), arguments.budget_of(think_ms, iterations, depth)
    begins = arguments.check_start(which, start, len(seats), terms)
    there = iter(checked(which, [each for each in seats if each is not None]))
    named = [None if each is None else next(there) for each in seats]
    chosen = [seated(which, each, seconds, budget) for each in named]
    sitting: list[Player] = [take_seat(which, each, seconds) for each in chosen]
    played = core.Table(which, sitting, which.begin(keys(seed), number, len(seats), terms, begins))
    described = [registry.spec(which.name, NOBODY if each is None else each) for each in named]
    names, specs = list(map(str, described)), [spec.written() for spec in described]
    return Table(played, names, terms, seed if begins is None else None, number if begins is None else None, specs)


def replay(record: Record | str | Path, number: int = 0) -> "Table":
    """The table of a record, before its first move: the loop over it repeats the recorded moves.

    >>> import kibitz
    >>> table = kibitz.table("tictactoe", "perfect", seed=3).run()
    >>> [turn.move for turn in kibitz.replay(table.record)] == [turn.move for turn in table.turns]
    True
    """
    if not isinstance(record, Record):
        from kibitz.api.files import load

        record = load(record, number)
    record.replay()  # refuses a record that breaks the rules
    return Table(record.opened(), record.seats, record.rules, record.seed, record.number, (), record)


NOBODY = "you"


def seated(game: Game, named: str | Agent | None, seconds: float, budget: Budget | None) -> Agent:
    """The agent of a seat; a seat without one is left to the caller."""
    if named is None:
        return Agent(NOBODY, game.name, "The caller of `play`.", "", Traits())
    return arguments.with_budget(arguments.known(game, named, seconds) if isinstance(named, str) else named, budget)


class You:
    """A seat without an agent."""

    remembers = False

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def observe(self, view: Any) -> None:
        """It remembers nothing."""

    def decide(self, view: Any) -> Decision:
        raise KibitzError("This seat has no agent. Make its move with table.play(move).")

    def copy(self) -> "You":
        return self


def take_seat(game: Game, agent: Agent, seconds: float) -> Player:
    """A player; agents of this program play in this process, files of others in their own."""
    if type(agent) is Agent:
        return You(agent)
    return seat_player(game, agent, seconds) if agent.source else agent.take_seat(game)


class Table:
    """A game in progress. Print it to see the open table; `view` shows what a seat sees.

    >>> import kibitz
    >>> table = kibitz.table("coins", "greedy", players=2, seed=1)
    >>> for turn in table:
    ...     pass
    >>> table.over, table.result["turns"]
    (True, 12)
    """

    def __init__(
        self, table: core.Table, seats: Sequence[str], rules: dict[str, str], seed: int | None, number: int | None,
        specs: Sequence[dict[str, Any] | None] = (), replayed: Record | None = None,
    ) -> None:  # fmt: skip
        self._table, self._rules, self._seed, self._number, self._specs = table, rules, seed, number, specs
        self._recorded = iter(replayed.steps(table)) if replayed is not None else None
        self._replayed = replayed
        self.seats = list(seats)
        """The names of the agents, by seat."""
        self.turns: list[Turn] = []
        """All turns so far."""
        self._given = 0  # the turns that a loop over the table has seen, or that `play` returned
        self._collect(None)

    @property
    def game(self) -> Game:
        return self._table.game

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._table.over

    @property
    def to_move(self) -> int | None:
        """The seat to move, from 0; None when the game is over, or when chance is to move."""
        return seat if (seat := self._table.to_move) >= 0 else None

    @property
    def legal(self) -> list[str]:
        """The legal moves of the seat to move, as text."""
        moves = [] if self.over else self.game.legal(self._table.state)
        return [self.game.move_text(move) for move in moves]

    @property
    def result(self) -> dict[str, int] | None:
        """The result of a finished game; None before."""
        return self._table.result() if self.over else None

    @property
    def verdict(self) -> str:
        """The outcome of a finished game in a sentence; empty before."""
        return self.game.verdict(self._table.state) if self.over else ""

    def view(self, seat: int | None = None) -> View:
        """What a seat sees now; without a seat, the open table."""
        struct = (
            self._table.open_state()
            if seat is None
            else self._table.view(arguments.whole("seat", seat, 0, self.players - 1))
        )
        return self._as_view(struct)

    @property
    def views(self) -> list[View]:
        """What every seat sees now."""
        return [self.view(seat) for seat in range(self.players)]

    def _as_view(self, struct: Any) -> View:
        view = self.game.view(struct)
        return view if isinstance(view, View) else PlainView(self.game, struct)

    def _collect(self, view: View | None) -> None:
        """Note the turns that were made since the last call; the first of them was decided from a view."""
        for made in self._table.turns[len(self.turns) :]:
            self.turns.append(
                Turn(
                    number=made.number,
                    seat=made.seat if made.seat >= 0 else None,
                    move=self.game.move_text(made.decision.move),
                    reason=made.decision.reason,
                    text=self._table.text(made),
                    view=view if made.seat >= 0 else None,
                )
            )

    @property
    def _waits(self) -> bool:
        """Whether only the caller can continue the game."""
        if self.over:
            return True
        if self._replayed is not None:
            return len(self._table.turns) >= len(self._replayed.moves)
        return isinstance(self._table.players[self._table.to_move], You)

    def step(self) -> Turn:
        """Let the agent to move make its move."""
        if self.over:
            raise KibitzError(f"The game is over: {self.verdict}")
        if self._waits and self._replayed is not None:
            raise KibitzError("The record ends here, before the game is over.")
        before, view = len(self.turns), self._viewed()
        if self._recorded is not None:
            next(self._recorded)
        else:
            self._table.step()
        return self._noted(before, view)

    def play(self, move: Any, reason: str = "") -> Turn:
        """Make a move for the seat to move, in any form that an agent may answer with, such as its text."""
        if self._replayed is not None:
            raise KibitzError("This table repeats a record. Make moves at a table of your own: kibitz.table(…).")
        if self.over:
            raise KibitzError(f"The game is over: {self.verdict}")
        before, view, struct = len(self.turns), self._viewed(), self._table.view(self._table.to_move)
        try:
            check_kind(self.game, move, struct)
            number = self.game.move(move, struct)
        except KibitzError as error:
            raise ArgumentError(f"`move` is {fit(repr(move), 80)}. {error}") from None
        if not self._table.allows(number):
            raise ArgumentError(f"{self.game.move_text(number)} is not legal now. Legal are {', '.join(self.legal)}.")
        self._table.make(Decision(number, str(reason)))
        return self._noted(before, view)

    def _viewed(self) -> View | None:
        return self.view(self.to_move) if self.to_move is not None else None

    def _noted(self, before: int, view: View | None) -> Turn:
        self._collect(view)
        self._given = max(self._given, before + 1)
        return self.turns[before]

    def __iter__(self) -> Iterator[Turn]:
        """The turns from now on, as agents make them, until the game is over or a seat without an agent is to move."""
        while True:
            while self._given < len(self.turns):
                self._given += 1
                yield self.turns[self._given - 1]
            if self._waits:
                return
            given = self._given
            self.step()
            self._given = given

    def run(self) -> "Table":
        """Play on while agents are to move, and return the table."""
        for _ in self:
            pass
        return self

    @property
    def record(self) -> Record:
        """The game so far, as a record."""
        return Record.of(self._table, self.seats, self._rules, self._seed, self._number, self._specs)

    def save(self, path: str | Path) -> Path:
        """Write the game so far as a record, in the format that the name of the file ends with (see `kibitz.save`)."""
        from kibitz.api.files import save

        return save(self.record, path)

    def __str__(self) -> str:
        """The open table, with all hands."""
        text = trimmed(self.game.watched(self._table.state, self._table.view))
        return f"{text}\n{self.verdict}" if self.over else text

    def __repr__(self) -> str:
        seats = " · ".join(self.seats)
        state = "over" if self.over else f"{len(self.turns)} turn{'' if len(self.turns) == 1 else 's'} made"
        return f"<table of {self.game.title}: {seats}, {state}>"

    def _repr_svg_(self) -> str:
        """The open table, for notebooks."""
        return self.view()._repr_svg_()
