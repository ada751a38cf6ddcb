"""The interface of a game: its rules as compiled functions, and its words for people.

The compiled half is found by the type of the game's states (`generic.implement`); this is the half
that speaks with players, programs and files.
"""

import io
from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec
import numpy as np

from kibitz.core import generic
from kibitz.core.dice import set_dice
from kibitz.core.errors import KibitzError, RecordError, unknown
from kibitz.core.seeds import Keys, number

if TYPE_CHECKING:
    from kibitz.core.agent import Agent
    from kibitz.core.formats import Format
    from kibitz.core.wire import Wire

Shape = TypeVar("Shape")

PAGE_WIDTH = 100  # letters across a board that is drawn as text


@dataclass(frozen=True)
class Rule:
    """A rule that can be played in more than one way; the first choice is the default."""

    name: str
    help: str
    choices: tuple[str, ...]
    option: bool = False  # whether commands take --NAME CHOICE for it as well as --rule NAME=CHOICE

    @property
    def default(self) -> str:
        return self.choices[0]


@dataclass(frozen=True)
class Lineup:
    """Partners or opponents for a person who asks for a level rather than for names."""

    help: str
    agents: tuple[str, ...]  # they fill the other seats in turn, as often as it takes

    def seats(self, count: int) -> list[str]:
        return [self.agents[seat % len(self.agents)] for seat in range(count)]


@dataclass(frozen=True)
class Count:
    """Something that is counted over many games: who did it, in which turn, and of which kind it was.

    The count called `ends` is special: how often a game, or a round of it, ended in a turn, and who won.
    """

    name: str  # as a program reads it
    title: str  # as a person reads it
    turns: int  # from the first to the last in which it can happen
    kinds: tuple[str, ...] = ()


ENDS = "ends"


def plain(struct: Any) -> dict[str, Any]:
    """A struct as plain numbers and lists, all at once: reading its fields one by one is slow."""
    values = (field.tolist() if hasattr(field, "tolist") else field for field in struct.tolist())
    return dict(zip(struct.dtype.names, values, strict=True))


def start_as(shape: type[Shape], text: Any) -> Shape:
    """The start of a game in a record, its shape checked."""
    try:
        return msgspec.convert(text, shape)
    except msgspec.ValidationError as error:
        raise RecordError(f"The start of the game cannot be read: {error}.") from None


class Game(ABC):
    """A game has a score that all players reach together, or it is competitive and has winners."""

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    players: ClassVar[range]
    rules: ClassVar[tuple[Rule, ...]]
    dtype: ClassVar[np.dtype[Any]]  # of a state and of a view
    stream_fields: ClassVar[tuple[str, ...]] = ("streams",)  # of a state: what random numbers are made from
    longest: ClassVar[int]  # no game has more moves
    columns: ClassVar[tuple[str, ...]]  # the names of what `generic.result` writes of a finished game
    competitive: ClassVar[bool] = False
    best: ClassVar[int]  # the highest score; a competitive game has none
    moves_are_open: ClassVar[bool] = (
        False  # whether everybody sees the same of every move: then `event` is the same, too
    )
    counts: ClassVar[tuple[Count, ...]] = ()
    lineups: ClassVar[Mapping[str, Lineup]] = {}  # the levels of a person's game, the weakest first
    usual_players: ClassVar[int] = 2  # how many sit down with a person who says nothing else
    table_rules: ClassVar[Mapping[str, str]] = {}  # rules that people play by, unlike a match that says nothing else
    page_folder: ClassVar[Path | None] = None  # with board.js and board.css for the browser
    # The least and the greatest value in the fields of a view; a game that has them has `players`, `seat`, `to_move`.
    bounds: ClassVar[Mapping[str, tuple[int, int]]] = {}

    @property
    def most_seats(self) -> int:
        return self.players[-1]

    @property
    def width(self) -> int:
        """How many numbers `generic.result` writes: the columns, and what may stand behind them for the game itself."""
        return len(self.columns)

    @property
    def wire(self) -> "Wire | None":
        """How it is played over a plain connection with programs of others, if such a form of it is agreed on."""
        return None

    @cached_property
    def layout(self) -> str:
        """A name for how its structs lie in memory: who is sent one must have the same."""
        return blake2b(repr(self.dtype.descr).encode(), digest_size=8).hexdigest()

    def check_view(self, view: Any, seat: int) -> None:
        """Refuse a view from elsewhere that is not one of this seat: compiled code does not check its indices."""
        for field, (least, greatest) in self.bounds.items():
            values = np.asarray(view[field])
            if values.min() < least or values.max() > greatest:
                raise RecordError(f"A view of {self.title} has {field} from {least} to {greatest}, and this has not.")
        if not self.bounds:
            return
        players = int(view["players"])
        if players not in self.players or view["seat"] != seat or not 0 <= seat < players or view["to_move"] >= players:
            raise RecordError(f"That is not the view of {self.seat_name(seat)} in a game of {self.title}.")

    # Setting up

    def check_players(self, players: int) -> int:
        if players not in self.players:
            raise KibitzError(
                f"{self.title} is for {self.players[0]} to {self.players[-1]} players, not {players}. "
                f"Name that many agents, or one agent and --players."
            )
        return players

    def check_rules(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Every rule of the game with the way it is played."""
        known = {rule.name: rule for rule in self.rules}
        for name, choice in chosen.items():
            if name not in known:
                options = "; ".join(f"{rule.name}={'|'.join(rule.choices)}" for rule in self.rules)
                raise unknown("rule", name, known, f"The rules of {self.title} are {options}.")
            if choice not in known[name].choices:
                raise KibitzError(f"The rule {name} is played as {' or '.join(known[name].choices)}, not {choice!r}.")
        return {name: chosen.get(name, rule.default) for name, rule in known.items()}

    def usual_seats(self, players: int) -> list[str]:
        """Who plays with a person who has not chosen: agents of the second level."""
        if not self.lineups:
            raise KibitzError(f"{self.title} has no levels to choose from; name who sits where, as human,AGENT.")
        return list(self.lineups.values())[min(1, len(self.lineups) - 1)].seats(players - 1)

    def lineup(self, level: str) -> Lineup:
        if level not in self.lineups:
            known = ", ".join(self.lineups) or "none"
            raise unknown("level", level, self.lineups, f"The levels of {self.title} are {known}.")
        return self.lineups[level]

    @abstractmethod
    def rule_bits(self, rules: Mapping[str, str]) -> int:
        """The rules as the compiled half knows them."""

    def deal(self, keys: Keys, game: int, players: int, rules: Mapping[str, str]) -> Any:
        """The start of game number `game` of a seed, as an array of one state."""
        start = np.zeros(1, self.dtype)
        generic.deal(start[0], players, self.rule_bits(rules), number(keys.deal, game))
        set_dice(start[0], number(keys.dice, game))
        return start

    @abstractmethod
    def dump_start(self, state: Any) -> Any:
        """The start of a game as it stands in a record."""

    @abstractmethod
    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        """The start that a record describes, as an array of one state; a RecordError says what is wrong with it."""

    def compose(self, path: Path) -> "Agent":
        """The agent that a TOML file describes, in a game whose agents can be put together from parts."""
        raise KibitzError(
            f"{path} is a file of parts, and {self.title} has no agents that are put together from parts."
        )

    def formats(self) -> Sequence["Format"]:
        """Formats of other programs that games are read from and written in, besides our own records."""
        return ()

    # Words

    def seat_name(self, seat: int) -> str:
        return f"G{seat + 1}"

    @abstractmethod
    def view(self, struct: Any) -> Any:
        """A view as Python agents read it."""

    @abstractmethod
    def legal(self, struct: Any) -> list[int]:
        """The legal moves of the seat to move."""

    @abstractmethod
    def move(self, answer: Any, struct: Any) -> int:
        """The move that a player's answer means, as its number; a KibitzError says why it is none, or not legal."""

    @abstractmethod
    def move_text(self, move: int) -> str:
        """A move as it is written in records and read from people."""

    @abstractmethod
    def event_text(self, struct: Any, turn: int) -> str:
        """What happened in a turn, from 0, in a sentence."""

    @abstractmethod
    def explain(self, reason: str, about: int, view: Any) -> str:
        """A compiled agent's reason in words; `about` is what it points at."""

    @abstractmethod
    def board(self, view: Any) -> Any:
        """A view, or an open state, drawn for the terminal."""

    @abstractmethod
    def help(self) -> str:
        """How a person at the terminal writes moves."""

    # Results

    def row(self, state: Any) -> Any:
        """All that `generic.result` writes of a finished game."""
        row = np.zeros(self.width, np.int64)
        generic.result(state, row)
        return row

    def result(self, state: Any) -> dict[str, int]:
        return {column: int(value) for column, value in zip(self.columns, self.row(state), strict=False)}

    def scores(self, results: Any) -> tuple[Any, int]:
        """Of rows of results: the scores, and how many of the games were lost. Games with a score have it."""
        raise NotImplementedError

    def winners(self, results: Any) -> Any:
        """Of rows of results: who won each game, as a mask of seats; nobody is a draw. Competitive games have it."""
        raise NotImplementedError

    def count(self, results: Any, players: int) -> dict[str, Any]:
        """Of rows of results: the sum of each of the game's counts, by seat, turn and kind.

        A row for what belongs to nobody stands behind those of the seats. A count without kinds has one.
        """
        return {}

    def table(self, results: Any, named: Sequence[int]) -> dict[str, Any]:
        """Rows of results as columns of a table for people, all of the same length.

        A game may take several lines: `row` says which one of the results a line is about. `named` has, for
        every seat, the number by which people know who sat there, from 1.
        """
        return {
            "row": np.arange(len(results)),
            **{column: results[:, place] for place, column in enumerate(self.columns)},
        }

    @abstractmethod
    def verdict(self, state: Any) -> str:
        """How a finished game went, in a sentence."""

    # What goes to browsers and over the network, as JSON. All of it is made from the struct it is handed, in which
    # what must be hidden is hidden already. What is here is enough for any game; one with a board of its own says more.

    def page(self, view: Any) -> dict[str, Any] | msgspec.Raw:
        """A view, an onlooker's view or an open state, as a page draws it: what becomes a JSON object, or is one."""
        from rich.console import Console

        console = Console(file=io.StringIO(), record=True, width=PAGE_WIDTH, color_system=None)
        console.print(self.board(view))
        return {"text": console.export_text(styles=False)}

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        """What the viewer may know of a turn, from 0, told by the view right after it.

        Who moved is added by the table.
        """
        move = self.move_text(int(generic.move_at(view, turn)))
        return {"turn": turn + 1, "move": move, "text": self.event_text(view, turn)}

    def choices(self, view: Any) -> list[dict[str, Any]]:
        """The legal moves of the viewer, whose turn it is; `move` is the text that `Game.move` reads."""
        return [{"move": self.move_text(move)} for move in self.legal(view)]

    def odds(self, view: Any) -> list[dict[str, Any]]:
        """What a viewer can work out about what is hidden from them, if the game has anything to say on that."""
        return []

    def note_marks(self, view: Any) -> Container[int]:
        """What a person may write notes about, as numbers: in Hanabi the own cards. Other games need not have any."""
        return ()

    def turns_explained(self, state: Any) -> int:
        """The number of turns whose reasons people who still play may hear: reasons can speak of hidden cards.

        In a game of rounds, those of the rounds that are over.
        """
        return int(generic.turns(state)) if generic.to_move(state) < 0 else 0
