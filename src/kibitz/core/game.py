"""The interface of a game, in optional pieces.

The type of the states selects the compiled rules (`generic.implement`). The rest is a subclass of `Game`, which has
defaults for text (`core.words`), results (`core.results`), the page (`core.page`), a wire protocol (`core.wire`), other
programs' formats (`core.formats`) and agents from files. `kibitz check` reports what is wrong with a game.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import msgspec
import numpy as np

from kibitz.core.deferred import load
from kibitz.core.page import PageFormat
from kibitz.core.results import Results
from kibitz.engine import defaults as defaults
from kibitz.engine import generic
from kibitz.engine.dice import set_dice
from kibitz.engine.seeds import Keys, number
from kibitz.errors import KibitzError, RecordError, unknown
from kibitz.text import fit

if TYPE_CHECKING:
    from kibitz.core.agent import Agent
    from kibitz.core.breeding import Behaviour, Breed
    from kibitz.core.coaching import Coach
    from kibitz.core.deal_study import DealStudy
    from kibitz.core.elites import Archive
    from kibitz.core.encoding import Encoding
    from kibitz.core.formats import Format
    from kibitz.core.people import People
    from kibitz.core.puzzling import PuzzlePart
    from kibitz.core.solver import Solver
    from kibitz.core.wire import Wire

Shape = TypeVar("Shape")

REQUIRED = {"players", "seat", "dice", "streams"}  # fields of every state
MOST_SEATS = 62  # a mask has a bit for each


class Choice(NamedTuple):
    """One choice of a rule, for people."""

    title: str
    about: str = ""  # a sentence, if the title is not enough


@dataclass(frozen=True)
class Rule:
    """A rule with several choices, of which the first is the default.

    `name` is for commands and records, `title` for people.
    """

    name: str
    help: str
    choices: tuple[str, ...]
    option: bool = False  # whether commands also take --NAME CHOICE, besides --rule NAME=CHOICE
    title: str = ""
    words: Mapping[str, Choice] = field(default_factory=dict, hash=False)  # by choice
    # Other defaults where an earlier rule has a choice: {"start=ending": "short"}.
    defaults: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def called(self) -> str:
        return self.title or self.name.replace("_", " ").capitalize()

    def choice(self, name: str) -> Choice:
        return self.words.get(name) or Choice(name.replace("_", " ").capitalize())

    @property
    def default(self) -> str:
        return self.choices[0]

    def default_with(self, chosen: Mapping[str, str]) -> str:
        """The default with these choices of earlier rules."""
        fitting = (self.defaults.get(f"{name}={choice}") for name, choice in chosen.items())
        return next(filter(None, fitting), self.default)


@dataclass(frozen=True)
class Lineup:
    """Partners or opponents for people who choose a level instead of agents."""

    help: str
    agents: tuple[str, ...]  # they take turns in filling the other seats
    # Other agents by the number of players, where the levels would not be in order of strength.
    at: Mapping[int, tuple[str, ...]] = field(default_factory=dict, hash=False)
    hints: str = ""  # in a game with hints: what they mean at this level, given and received

    def at_table(self, players: int) -> tuple[str, ...]:
        return self.at.get(players, self.agents)

    @property
    def everybody(self) -> tuple[str, ...]:
        """All agents at any number of players."""
        return tuple(dict.fromkeys(name for agents in (self.agents, *self.at.values()) for name in agents))

    def seats(self, count: int) -> list[str]:
        """The agents for `count` seats beside a person."""
        agents = self.at_table(count + 1)
        return [agents[seat % len(agents)] for seat in range(count)]


def plain(struct: Any) -> dict[str, Any]:
    """A struct as plain numbers and lists, in one step: reading single fields is slow."""
    values = (field.tolist() if hasattr(field, "tolist") else field for field in struct.tolist())
    return dict(zip(struct.dtype.names, values, strict=True))


def start_as(shape: type[Shape], text: Any) -> Shape:
    """A start from a record, with its shape checked."""
    try:
        return msgspec.convert(text, shape)
    except msgspec.ValidationError as error:
        raise RecordError(f"The start of the game cannot be read: {error}.") from None


class Game(PageFormat, Results):
    """A game, except for its compiled rules."""

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]
    players: ClassVar[range]
    rules: ClassVar[tuple[Rule, ...]] = ()
    dtype: ClassVar[np.dtype[Any]]  # the struct type of states and views
    stream_fields: ClassVar[tuple[str, ...]] = ("streams",)  # state fields that random numbers come from
    longest: ClassVar[int]  # the maximum number of moves of a game
    builds_on: ClassVar[tuple[str, ...]] = ()  # the names of other games whose rules it uses
    lineups: ClassVar[Mapping[str, Lineup]] = {}  # the levels, from weakest to strongest
    usual_players: ClassVar[int] = 2  # the default number of players at a person's table
    small: ClassVar[bool] = False  # a toy: lobbies list it below the other games
    # What each seat is called at a table with the usual rules, for people who choose one; empty: by its number.
    seat_titles: ClassVar[tuple[str, ...]] = ()
    sides: ClassVar[int] = 0  # in a game of partners, their number: seats n and n + sides play together
    table_rules: ClassVar[Mapping[str, str]] = {}  # rules that differ from the defaults at people's tables
    # The minimum and maximum of view fields, for views from the network.
    bounds: ClassVar[Mapping[str, tuple[int, int]]] = {}
    # Whether a view contains enough to replay its game. If not, `check_fields` must check all that agents rely on.
    retraceable: ClassVar[bool] = True

    # Attributes of hidden cards, which are None in a view, and what to ask instead: for bots that forget it.
    hidden_attributes: ClassVar[Mapping[str, str]] = {}

    # Pieces that are slow to import are declared as `deferred("package.module:NAME")` and loaded on first use.

    # Its protocol for other programs, if there is an established one.
    wire: "ClassVar[Wire | None]" = None
    # Game formats of other programs, besides kibitz's own records.
    formats: "ClassVar[Sequence[Format]]" = ()
    # The class of its solver, if positions can be solved.
    solver: "ClassVar[type[Solver] | None]" = None
    # Its observations and actions for networks, and its environments.
    encoding: "ClassVar[Encoding | None]" = None
    # Agents that can evolve, and how the behaviour of agents is measured.
    breed: "ClassVar[Breed | None]" = None
    behaviour: "ClassVar[Behaviour | None]" = None
    # The built-in map of elites; its agents can be named like registered ones.
    elites: "ClassVar[Archive | None]" = None
    # Games of people, to learn how they play.
    people: "ClassVar[People | None]" = None
    # How decisions are reviewed.
    coach: "ClassVar[Coach | None]" = None
    # Without a coach: an agent that estimates all moves, and the unit of its values: the chance to win, or points.
    reviewer: ClassVar[str] = ""
    reviewer_unit: ClassVar[str] = "wins"  # or "search points"
    # How hard its deals are.
    deals: "ClassVar[DealStudy | None]" = None
    # How puzzles are made of its games.
    puzzles: "ClassVar[PuzzlePart | None]" = None

    def __repr__(self) -> str:
        return f"<game {self.name}>"

    def compose(self, path: Path) -> "Agent":
        """The agent described by a TOML file, in games that have such agents."""
        raise KibitzError(f"{path} cannot be loaded: {self.title} has no agents that are composed from TOML files.")

    @property
    def most_seats(self) -> int:
        return self.players[-1]

    @cached_property
    def layout(self) -> str:
        """A digest of the memory layout of its structs: both sides of a connection must have the same."""
        return blake2b(repr(self.dtype.descr).encode(), digest_size=8).hexdigest()

    def check_declared(self) -> None:
        """Refuse a game with wrong declarations, because compiled code would write out of bounds."""
        names, faults = self.dtype.names or (), []
        faults += [f"`{name}` is missing" for name in ("title", "description", "longest") if not hasattr(self, name)]
        if lacking := sorted(REQUIRED - set(names)):
            faults.append(f"its states lack the fields {', '.join(lacking)}, see kibitz.engine.dice")
        if not self.players or self.players.step != 1 or not 1 <= self.players[0] <= self.most_seats <= MOST_SEATS:
            faults.append(f"`players` is {self.players}, but must be a range of player counts from 1 to {MOST_SEATS}")
        elif not lacking and self.dtype["streams"].shape < (self.most_seats,):
            faults.append(f"`streams` has fewer than {self.most_seats} places, one for each seat")
        if self.usual_players not in self.players:
            faults.append(f"`usual_players` is {self.usual_players}, which is not in `players`")
        if self.sides and any(players % self.sides for players in self.players):
            faults.append(f"`sides` is {self.sides}, which does not divide every number in `players`")
        if getattr(self, "longest", 1) < 1:
            faults.append(f"`longest` is {self.longest}, but must be at least 1")
        if self.width < len(self.columns):
            faults.append(f"`width` is {self.width}, which is less than its {len(self.columns)} columns")
        if not self.competitive and not hasattr(self, "best"):
            faults.append("a game that is not `competitive` needs `best`, the highest score")
        if list(self.delays) != sorted({max(1, delay) for delay in self.delays}):
            faults.append(f"`delays` is {self.delays}, but must be numbers of moves from 1 on, in ascending order")
        if self.delays and generic.has_private_turns(self.dtype):
            faults.append("`delays` needs turns that everybody learns of, and its rules implement `is_private`")
        for name in {*self.stream_fields, *self.bounds} - set(names):
            faults.append(f"`stream_fields` or `bounds` name {name}, which is not a field of its states")
        if faults:
            raise KibitzError(f"The declaration of the game {self.name} is wrong: {'; '.join(faults)}.")

    def check_view(self, view: Any, seat: int) -> None:
        """Refuse a view from another host unless a legal game shows it to this seat.

        Compiled code does not check indices, so an impossible view could make it write anywhere.
        """
        self._check_view(view, seat)

    def check_next(self, view: Any, seat: int, before: Any) -> None:
        """Refuse a view from another host unless it directly follows the view `before`, or is the first one if that is
        None.

        An agent's memory of earlier views must fit the view it decides from.
        """
        self._check_view(view, seat, before=before, begins=before is None)

    def _check_view(self, view: Any, seat: int, **sequence: Any) -> None:
        self.check_bounds(view, seat)
        self.check_fields(view, seat)
        if not load("kibitz.core.retrace:retraced")(self, view, **sequence):
            after = " after the one before it" if sequence.get("before") is not None else ""
            raise RecordError(f"No legal game of {self.title} leads to this view{after}.")

    def check_bounds(self, view: Any, seat: int) -> None:
        for name, (least, greatest) in self.bounds.items():
            values = np.asarray(view[name])
            if values.min() < least or values.max() > greatest:
                raise RecordError(f"In a view of {self.title}, {name} must be from {least} to {greatest}.")
        players, names = int(view["players"]), self.dtype.names or ()
        mover = int(view["to_move"]) if "to_move" in names else -1
        if players not in self.players or view["seat"] != seat or not 0 <= seat < players or mover >= players:
            raise RecordError(f"This is not a view of {self.seat_name(seat)} in a game of {self.title}.")
        if "rules" in names and int(view["rules"]) not in self.all_rule_bits:
            raise RecordError(f"This view has rules that {self.title} does not have.")
        if any(view[name].any() for name in self.stream_fields) or view["dice"] < 0:
            raise RecordError(f"A view of {self.title} must contain only its own seat's dice for one turn.")
        clean = np.zeros(1, self.dtype)
        clean[0] = view  # copies field by field, so that padding stays zero
        if clean.tobytes() != view.tobytes():
            raise RecordError(f"This view of {self.title} has data in the padding between its fields.")

    def check_fields(self, view: Any, seat: int) -> None:
        """Refuse a view, within its bounds, from which sampling or replaying a world could go wrong.

        Check everything that `sample_world`, `rewind`, `move_at` and `observe` rely on: counts within their arrays, the
        right number of hidden cards, face down, and at least one consistent world. Use plain Python on plain numbers;
        nothing of the view may reach compiled code yet.
        """

    def starts_of(self, view: Any) -> Iterator[Any]:
        """The possible starts of a view's game, each an array of one state, for `rewind`. Their hidden fields do not
        matter.
        """
        bits = int(view["rules"]) if "rules" in (self.dtype.names or ()) else 0
        yield self.dealt(int(view["players"]), bits)

    def dealt(self, players: int, bits: int = 0, stream: int = 0) -> Any:
        """A dealt game without dice, as an array of one state, for starts that overwrite what the deal chose."""
        start = np.zeros(1, self.dtype)
        generic.deal(start[0], players, bits, stream)
        return start

    @cached_property
    def all_rule_bits(self) -> frozenset[int]:
        """The bits of every combination of rule choices."""
        chosen = product(*([(rule.name, choice) for choice in rule.choices] for rule in self.rules))
        return frozenset(self.rule_bits(dict(choices)) for choices in chosen)

    # Setup

    def check_players(self, players: int) -> int:
        if players not in self.players:
            raise KibitzError(
                f"{self.title} is for {self.players[0]} to {self.players[-1]} players, not {players}. "
                f"Name that many agents, or one agent and --players."
            )
        return players

    def check_rules(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """All rules of the game with their choices; a rule that is not chosen has its default."""
        known = {rule.name: rule for rule in self.rules}
        for name, choice in chosen.items():
            if name not in known:
                options = "; ".join(f"{rule.name}={'|'.join(rule.choices)}" for rule in self.rules)
                raise unknown("rule", name, known, f"The rules of {self.title} are {options}.")
            if choice not in known[name].choices:
                raise KibitzError(
                    f"The rule {name} is played as {' or '.join(known[name].choices)}, not {choice[:80]!r}."
                )
        rules: dict[str, str] = {}
        for name, rule in known.items():
            rules[name] = chosen.get(name) or rule.default_with(rules)
        return rules

    def recorded_rules(self, recorded: Mapping[str, str]) -> dict[str, str]:
        """All rules of a recorded game. A rule that is missing there did not exist yet, and has its first choice."""
        return self.check_rules({**{rule.name: rule.default for rule in self.rules}, **recorded})

    def usual_seats(self, players: int) -> list[str]:
        """The default agents for a person's table: those of the second level."""
        if not self.lineups:
            raise KibitzError(f"{self.title} has no levels. Name a player for each seat, as human,AGENT.")
        return list(self.lineups.values())[min(1, len(self.lineups) - 1)].seats(players - 1)

    def lineup(self, level: str) -> Lineup:
        if level not in self.lineups:
            known = ", ".join(self.lineups) or "none"
            raise unknown("level", level, self.lineups, f"The levels of {self.title} are {known}.")
        return self.lineups[level]

    def rule_bits(self, rules: Mapping[str, str]) -> int:
        """The rules as a number, for compiled code.

        By default it is made of the indices of the choices, one after another from the lowest bit: two choices take one
        bit, three or four take two.
        """
        bits = shift = 0
        for rule in self.rules:
            bits |= rule.choices.index(rules[rule.name]) << shift
            shift += (len(rule.choices) - 1).bit_length()
        return bits

    def deal(self, keys: Keys, game: int, players: int, rules: Mapping[str, str]) -> Any:
        """The start of game number `game` of a seed, as an array of one state."""
        start = self.dealt(players, self.rule_bits(rules), number(keys.deal, game))
        set_dice(start[0], number(keys.dice, game))
        return start

    def begin(self, keys: Keys, game: int, players: int, rules: Mapping[str, str], start: Any = None) -> Any:
        """The initial state of game number `game` of a seed: dealt, or at a given start, with its dice."""
        if start is None:
            return self.deal(keys, game, players, rules)
        begun = start.copy()
        generic.deal_the_rest(begun[0], number(keys.deal, game))
        set_dice(begun[0], number(keys.dice, game))
        return begun

    def dump_start(self, state: Any) -> Any:
        """The start of a game for a record; empty in a game that always starts the same."""
        return {}

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        """The start from a record, as an array of one state; a RecordError says what is wrong."""
        if text:
            raise RecordError(f"{self.title} always starts the same, so its records must not describe the start.")
        return self.dealt(players, self.rule_bits(rules))

    def set_up(self, text: str, players: int, rules: Mapping[str, str]) -> Any:
        """The position that a text describes (FEN, PBN), as an array of one state."""
        raise KibitzError(f"{self.title} has no text form for positions. Leave the position out to begin at the start.")

    def start_at(self, text: str, players: int, rules: Mapping[str, str]) -> Any:
        """The position that a text describes, as a start: the game must not be over."""
        start = self.set_up(text, players, rules)
        if generic.to_move(start[0]) == generic.OVER:
            raise KibitzError(f"In the position {fit(text, 100)!r} the game is over: {self.verdict(start[0])}")
        return start

    def count_moves(self, start: Any, depth: int) -> Iterator[tuple[int, int]]:
        """Every first move with its number of continuations: perft to `depth` moves in all (see `core.perft`)."""
        return load("kibitz.core.perft:by_first_move")(self, start, depth)
