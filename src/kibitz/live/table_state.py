"""What a table is: the game so far, who holds which seat, what was agreed on. It changes only by entries of its log.

Nothing here waits, writes or sends: `table.LiveTable` does that, in the right order.
"""

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from kibitz.core import generic
from kibitz.core.agent import Decision
from kibitz.core.game import Game
from kibitz.core.loop import ONLOOKER
from kibitz.core.table import Table
from kibitz.live.messages import RefusedError
from kibitz.live.rehearsal import usual_level
from kibitz.live.storage import Entry, StoredTable

OPEN = -1  # the viewer who sees everything
ANY_MOVE = "any legal move"  # who plays when nobody else can
LONGEST_NAME = 32
NAMELESS = "Guest"

Status = Literal["waiting", "running", "left", "finished"]


def clean_name(text: str) -> str:
    """A name on one line, without control characters and lone surrogates."""
    seen = "".join(letter if unicodedata.category(letter)[0] != "C" else " " for letter in text)
    return " ".join(unicodedata.normalize("NFC", seen).split())[:LONGEST_NAME].strip() or NAMELESS


class Seat(msgspec.Struct, omit_defaults=True):
    """A seat of a table. A bot may sit in for a person, who keeps the token and may come back."""

    kind: Literal["person", "bot", "open", "absent"]
    agent: str = ""  # who plays, if a bot does
    person: str = ""  # the name of whose seat it is
    program: bool = False  # a program holds it, from elsewhere, and is given so much time and no more
    token: str = ""  # digests
    invitation: str = ""

    @property
    def name(self) -> str:
        return self.agent if self.kind == "bot" else self.person

    def holder(self) -> dict[str, Any]:
        """Who plays in it, and for whom."""
        shown: dict[str, Any] = {"name": self.name, "kind": self.kind}
        if self.kind == "bot":
            shown["agent"] = self.agent
            if self.person:
                shown["for"] = self.person
        return shown

    def public(self, connected: bool) -> dict[str, Any]:
        """What everybody may know of it."""
        shown = self.holder()
        if self.program:
            shown["program"] = True
        if self.token:
            shown["connected"] = connected
        return shown


@dataclass(frozen=True)
class Role:
    """What somebody is at a table: in a seat or looking on, and whether they made the table."""

    seat: int | None = None
    host: bool = False


class TableState:
    def __init__(self, stored: StoredTable, game: Game, core: Table) -> None:
        self.stored, self.game, self.core = stored, game, core
        self.id = stored.id
        self.seats = [msgspec.convert(seat, Seat) for seat in stored.seats]
        self.pace: int = stored.options.get("pace", 0)  # milliseconds between two moves of bots
        self.paused: bool = stored.options.get("paused", False)
        self.notes: dict[int, dict[int, str]] = {}  # by seat and mark
        self.forfeit = ""  # why the game was ended before its end
        self.bot_seconds = 0.0  # that a bot of the server may think about a move; 0: no limit
        self.is_honest: Callable[[str], bool] = lambda agent: True  # whether an agent sees only what its seat may see
        self.entries = 0  # in the log
        self.holders: dict[int, list[dict[str, Any]]] = {}  # who sat where, by the turn from which on they did
        self.note_holders()
        self.status: Status = "waiting"
        self.refresh()

    # What happened

    def apply(self, entry: Entry) -> None:
        """Let an entry of the log happen, which may have been damaged on the disk: a KibitzError says so."""
        self.entries += 1
        match entry.kind:
            case "move":
                if not entry.payload.get("rolled"):
                    self.roll()
                move = self.game.move(entry.payload["move"], self.core.state)
                self.core.make(Decision(move, entry.payload.get("reason", "")))
                self.refresh()
            case "seat":
                self.put(entry.payload["number"], msgspec.convert(entry.payload["seat"], Seat))
            case "pace":
                self.pace, self.paused = entry.payload["pace"], entry.payload["paused"]
            case "forfeit":
                self.forfeit = entry.payload["text"]
                self.refresh()

    def make(self, decision: Decision) -> None:
        """Make a move that was found legal."""
        self.core.make_legal(decision)
        self.refresh()

    def rolls_after(self, decision: Decision) -> list[Decision]:
        """What chance does after a legal move, in games that have dice. Nothing happens yet."""
        if "chance" not in (self.game.dtype.names or ()):
            return []
        after = self.core.copy()
        after.make_legal(decision)
        after.rolls = True
        after.settle()
        return [turn.decision for turn in after.turns[self.turn + 1 :]]

    def roll(self) -> None:
        """Let chance move, if it is to move and the log does not say what it did: a log from before rolls were kept."""
        if self.core.to_move == generic.CHANCE:
            self.core.rolls = True
            self.core.settle()
            self.core.rolls = False
            self.refresh()

    def put(self, number: int, seat: Seat) -> None:
        self.seats[number] = seat
        self.note_holders()
        self.refresh()

    def note_holders(self) -> None:
        """Keep who sits where from now on, so that earlier moves stay those of who made them."""
        self.holders[self.turn if self.holders else 0] = [seat.holder() for seat in self.seats]

    def refresh(self) -> None:
        """Note what is asked for again and again, after a move and when somebody sits down."""
        kinds = {seat.kind for seat in self.seats}
        self.mover = self.core.to_move  # or OVER
        self.over = self.mover == generic.OVER
        self.status = (
            "finished" if self.over
            else "left" if "absent" in kinds or self.forfeit
            else "waiting" if "open" in kinds
            else "running"
        )  # fmt: skip

    # What it is

    @property
    def only_bots(self) -> bool:
        """Nobody but bots ever had a seat, so there is nobody to hide anything from."""
        return bool(self.stored.options.get("open"))

    @property
    def all_may_be_seen(self) -> bool:
        return self.only_bots or self.status in ("finished", "left")

    @property
    def turn(self) -> int:
        return len(self.core.turns)

    @property
    def to_move(self) -> int | None:
        return self.mover if self.status == "running" else None

    def viewer(self, role: Role) -> int:
        """As whom somebody sees the table."""
        if role.seat is not None:
            return role.seat
        return OPEN if self.all_may_be_seen else ONLOOKER

    def may_pace(self, role: Role) -> bool:
        return role.host or role.seat is not None

    def asked(self, role: Role) -> bool:
        """Whether it is somebody's turn, and nobody else plays for them."""
        seat = self.to_move
        return seat is not None and seat == role.seat and self.seats[seat].kind == "person"

    def listing(self, here: Iterable[int | None]) -> dict[str, Any]:
        """What the lobby shows; `here` are the seats whose holders are connected."""
        shown: dict[str, Any] = {
            "table": self.id, "game": self.game.name, "title": self.game.title, "state": self.status,
            "turn": self.turn, "open": self.only_bots, "created": self.stored.created,
            "seats": [seat.public(number in here) for number, seat in enumerate(self.seats)],
        }  # fmt: skip
        if self.over:
            shown |= {"result": self.core.result(), "verdict": self.game.verdict(self.core.state)}
            shown["seats"] = [{key: seat[key] for key in seat if key != "connected"} for seat in shown["seats"]]
        return shown

    def options(self, host: bool) -> dict[str, Any]:
        """How the table is set up, as it is told to who may change it or not."""
        stored = self.stored
        shown = {
            "rules": stored.rules, "kibitz": stored.options.get("kibitz", True), "pace": self.pace,
            "paused": self.paused, "seed_chosen": bool(stored.options.get("seed_chosen")), "open": self.only_bots,
            "host": host,
        }  # fmt: skip
        if host and self.status in ("running", "waiting") and not self.only_bots:
            shown["stand_in"] = self.stand_in()
        seconds = {"bot": self.bot_seconds, "program": stored.options.get("deadline", 0)}
        if any(seconds.values()):
            shown["seconds"] = {kind: limit for kind, limit in seconds.items() if limit}
        if stored.options.get("origin"):
            shown["origin"] = stored.options["origin"]
        if self.all_may_be_seen and stored.seed is not None and not stored.options.get("seed_untold"):
            shown |= {"seed": stored.seed, "number": stored.number}
        return shown

    def substitute(self, failed: str) -> str:
        """Who plays instead of a bot that failed: the first of the line-ups, or if that failed any legal move."""
        agents = (name for lineup in self.game.lineups.values() for name in lineup.agents)
        first = next(filter(self.is_honest, agents), ANY_MOVE)
        return first if first != failed else ANY_MOVE

    def stand_in(self) -> str:
        """Who plays for a person unless another agent is chosen: one of the table's level.

        That is the first bot with a seat of its own here; at a table of people only, an agent of the middle level.
        Never one that cheats: it would see the hand of whom it plays for, and they may come back.
        """
        bots = [seat.agent for seat in self.seats if seat.kind == "bot" and not seat.person and seat.agent != ANY_MOVE]
        usual = self.game.lineup(usual_level(self.game)).agents if self.game.lineups else ()
        return next(filter(self.is_honest, (*bots, *usual)), ANY_MOVE)

    # Who may do what

    def person(self, role: Role) -> int:
        """The seat of somebody who plays."""
        if role.seat is None:
            raise RefusedError("not_yours", "You hold no seat at this table; you look on.")
        if self.seats[role.seat].kind != "person":
            raise RefusedError("not_yours", "A bot plays in your seat. Take it back first.")
        return role.seat

    def check_goes_on(self) -> None:
        if self.status not in ("running", "waiting"):
            raise RefusedError("over", "The game is over.")

    def check_turn(self, seat: int, turn: int) -> None:
        """Whether a seat is to move, and whoever decided for it had seen all moves."""
        if self.over or self.forfeit:
            raise RefusedError("over", "The game is over; no move can be made.")
        if turn != self.turn:
            raise RefusedError(
                "stale", f"The table has moved on: {self.turn} moves were made, and yours was decided after {turn}."
            )
        if self.status == "waiting":
            raise RefusedError("not_your_turn", "The game begins when every seat is taken.")
        if self.to_move != seat:
            raise RefusedError("not_your_turn", f"It is the turn of {self.game.seat_name(self.mover)}, not yours.")

    def check_sight(self, role: Role, viewer: int) -> None:
        """Whether somebody may see the table as this viewer."""
        if viewer >= len(self.seats):
            raise RefusedError("unknown", f"There are {len(self.seats)} seats at this table.")
        if not self.all_may_be_seen and viewer not in (role.seat, ONLOOKER):
            raise RefusedError("hidden", "While people play, you may look back only at what you saw yourself.")

    def at(self, turn: int) -> Table:
        """The game after so many moves."""
        if turn > self.turn:
            raise RefusedError("unknown", f"{self.turn} moves were made at this table; there is no turn {turn} yet.")
        return self.core if turn == self.turn else self.core.at_turn(turn, [])
