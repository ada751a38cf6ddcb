"""The state of a table: the game so far, the holders of seats, the options.

It changes only by entries of its log. Nothing here waits, writes or sends: `table.LiveTable` does that, in the right
order.
"""

import unicodedata
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from kibitz.core.agent import Decision
from kibitz.core.game import Game
from kibitz.core.record import Made, TakenBack, undo_text
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.loop import ONLOOKER
from kibitz.server.live.delay import allowed_delay
from kibitz.server.live.limits import is_own
from kibitz.server.live.messages import ChatMode, RefusedError
from kibitz.server.live.storage import Entry, Note, StoredTable
from kibitz.server.live.tokens import invitation, matches
from kibitz.server.live.warmup import usual_level

OPEN = -1  # the viewer who sees everything
ANY_MOVE = "any legal move"  # the last resort
LONGEST_NAME = 32
NAMELESS = "Guest"
CHAT_KEPT = 100  # lines of chat sent to an arriving client

Status = Literal["waiting", "running", "abandoned", "finished"]


def clean_line(text: str) -> str:
    """A text on one line, without control characters, those that turn the direction of letters, and lone surrogates."""
    seen = "".join(letter if unicodedata.category(letter)[0] != "C" else " " for letter in text)
    return " ".join(unicodedata.normalize("NFC", seen).split())


def clean_name(text: str) -> str:
    return clean_line(text)[:LONGEST_NAME].strip() or NAMELESS


class Seat(msgspec.Struct, omit_defaults=True):
    """A seat of a table. A bot can play for a person, who keeps the token and may return."""

    kind: Literal["person", "bot", "open", "absent"]
    agent: str = ""  # the bot that plays, if any
    person: str = ""  # the name of the seat's holder
    program: bool = False  # held by a remote program, which has a time limit
    token: str = ""  # digests
    invitation: str = ""
    reserved: str = ""  # digest of the token of a rematch player who may take this open seat
    declined: bool = False  # they declined the rematch

    @property
    def name(self) -> str:
        return self.agent if self.kind == "bot" else self.person

    def called(self, title: Callable[[str], str]) -> str:
        """The player's name; `title` is the name of an agent."""
        return title(self.agent) if self.kind == "bot" else self.person

    def holder(self, title: Callable[[str], str]) -> dict[str, Any]:
        """Its player, and the person a bot plays for."""
        shown: dict[str, Any] = {"name": self.called(title), "kind": self.kind}
        if self.kind == "bot":
            shown["agent"] = self.agent
            if self.person:
                shown["for"] = self.person
        if self.reserved:
            shown["reserved"] = True
        return shown

    def public(self, connected: bool, title: Callable[[str], str]) -> dict[str, Any]:
        """Its public data."""
        shown = self.holder(title)
        if self.program:
            shown["program"] = True
        if self.declined:
            shown["declined"] = True
        if self.token:
            shown["connected"] = connected
        return shown


@dataclass(frozen=True)
class Role:
    """A client's role at a table: in a seat or spectating, and whether it created the table."""

    seat: int | None = None
    host: bool = False
    played: bool = False  # a spectator who held a seat earlier in this session, and sees only the public view


class TableState:
    def __init__(
        self,
        stored: StoredTable,
        game: Game,
        core: Table,
        title: Callable[[str], str],
        is_honest: Callable[[str], bool],
        bot_seconds: float,
    ) -> None:
        """`title` names an agent at the table; `is_honest` says whether an agent sees only its seat's view."""
        self.stored, self.game, self.core = stored, game, core
        self.title, self.is_honest = title, is_honest
        self.id = stored.id
        self.seats = [msgspec.convert(seat, Seat) for seat in stored.seats]
        self.bot_delay: int = stored.options.get("bot_delay", 0)  # milliseconds between two moves of bots
        self.paused: bool = stored.options.get("paused", False)
        # Moves by which spectators' open view is delayed; 0: only after the end.
        self.spectators = allowed_delay(game, stored.options.get("spectators", 0))
        self.chat_mode: ChatMode = stored.options.get("chat", "quick")
        self.chat_spectators: bool = False  # whether spectators may chat while people play
        self.chat: deque[dict[str, Any]] = deque(maxlen=CHAT_KEPT)
        self.chat_lines = 0  # chat messages so far
        self.joinable: bool = stored.options.get("joinable", False)  # without an invitation
        # Moves that players saw and took back, also before an import.
        self.taken_back = msgspec.convert(stored.options.get("taken_back", []), list[TakenBack])
        self.held_by_people = {number for number, seat in enumerate(self.seats) if seat.person}  # at any time
        self.notes: dict[int, dict[int, Note]] = {}  # by seat and mark
        self.move_seconds: int = stored.options.get("move_seconds", 0)  # per move of a person; 0: no limit
        self.forfeit = ""  # why the game was aborted
        self.bot_seconds = bot_seconds  # per move of a bot of the server; 0: no limit
        self.rematch: dict[str, Any] | None = None  # the table of the rematch, and the player who asked
        self.entries = 0  # in the log
        self.holders: dict[int, list[dict[str, Any]]] = {}  # the players, by the turn from which they sat
        self.hides_turns = generic.has_private_turns(game.dtype)
        self.private: list[bool] = []  # of the turns in a game that may have private ones
        self.note_holders()
        self.status: Status = "waiting"
        self.refresh()

    # Changes

    def apply(self, entry: Entry) -> None:
        """Apply an entry of the log; raises a KibitzError if it was damaged on the disk."""
        self.entries += 1
        match entry.kind:
            case "move":
                if not entry.payload.get("rolled"):
                    self.roll()
                move = self.game.move(entry.payload["move"], self.core.state)
                self.core.make(Decision(move, entry.payload.get("reason", "")))
                self.refresh()
            case "undo":
                self.take_back(entry.payload["turn"])
            case "seat":
                self.put(entry.payload["number"], msgspec.convert(entry.payload["seat"], Seat))
            case "bot_delay" | "pace":  # "pace" in logs of earlier versions
                self.bot_delay, self.paused = entry.payload[entry.kind], entry.payload["paused"]
            case "chat":
                self.say(entry.payload)
            case "options":
                self.choose(entry.payload)
            case "forfeit":
                self.forfeit = entry.payload["text"]
                self.refresh()
            case "rematch":
                self.rematch = entry.payload

    def choose(self, options: dict[str, Any]) -> None:
        """Apply a change of an option."""
        self.spectators = allowed_delay(self.game, options.get("spectators", self.spectators))
        self.joinable = options.get("joinable", self.joinable)
        self.chat_mode = options.get("chat", self.chat_mode)
        self.chat_spectators = options.get("chat_spectators", self.chat_spectators)

    def say(self, line: dict[str, Any]) -> None:
        """Add a chat message."""
        self.chat.append(line)
        self.chat_lines += 1

    def make(self, decision: Decision) -> None:
        """Make a legal move."""
        self.core.make_legal(decision)
        self.refresh()

    def take_back(self, turn: int) -> None:
        """Go back to a turn, and keep a note of the moves taken back."""
        seen = [Made(self.game.move_text(each.decision.move), each.decision.reason) for each in self.core.turns[turn:]]
        if not self.analysis_board:
            self.taken_back.append(TakenBack(turn, seen))
        self.core = self.core.at_turn(turn, [])
        del self.private[turn:]
        self.holders = {since: seats for since, seats in self.holders.items() if since <= turn}
        self.note_holders()
        self.refresh()

    def rolls_after(self, decision: Decision) -> list[Decision]:
        """The moves of chance after a legal move, in games with dice. They are not made yet."""
        if "chance" not in (self.game.dtype.names or ()):
            return []
        after = self.core.copy()
        after.make_legal(decision)
        after.roll_once()
        return [turn.decision for turn in after.turns[self.turn + 1 :]]

    def roll(self) -> None:
        """Make due moves of chance that are missing in the log, as in logs of early versions."""
        if self.core.to_move == generic.CHANCE:
            self.core.roll_once()
            self.refresh()

    def put(self, number: int, seat: Seat) -> None:
        self.seats[number] = seat
        if seat.person:
            self.held_by_people.add(number)
        self.note_holders()
        self.refresh()

    def note_holders(self) -> None:
        """Store the current players, so that earlier moves keep theirs."""
        self.holders[self.turn if self.holders else 0] = [seat.holder(self.title) for seat in self.seats]

    def holder_at(self, turn: int, seat: int) -> dict[str, Any]:
        """The player in a seat at a turn."""
        return self.holders[max(since for since in self.holders if since <= turn)][seat]

    def refresh(self) -> None:
        """Update cached values, after a move or a change of seats."""
        kinds = {seat.kind for seat in self.seats}
        self.mover = self.core.to_move  # or OVER
        self.over = self.mover == generic.OVER
        self.status = (
            "finished" if self.over
            else "abandoned" if "absent" in kinds or self.forfeit
            else "waiting" if "open" in kinds
            else "running"
        )  # fmt: skip

    # Queries

    @property
    def analysis_board(self) -> bool:
        """Whether the creator moves for every seat, to analyse; the game does not count."""
        return bool(self.stored.options.get("analysis_board"))

    @property
    def only_bots(self) -> bool:
        """Whether nothing has to be hidden: only bots ever had seats, or it is an analysis board."""
        return bool(self.stored.options.get("open"))

    @property
    def all_may_be_seen(self) -> bool:
        return self.only_bots or self.status in ("finished", "abandoned")

    @property
    def turn(self) -> int:
        return len(self.core.turns)

    # Private turns. A viewer counts only the turns it learned of, so the numbers of others reveal nothing to it.

    def reader(self, role: Role) -> int:
        """The viewer from whose place a role reads and counts turns: nobody's where all may be seen of them."""
        if self.analysis_board or (self.hides_turns and self.all_may_be_seen):
            return OPEN
        return self.viewer(role)

    def private_turns(self) -> list[bool]:
        """Of each turn, whether only its player learned of it."""
        for turn in self.core.turns[len(self.private) :]:
            self.private.append(self.hides_turns and self.core.is_private(turn))
        return self.private

    def learned(self, viewer: int) -> list[int]:
        """The turns that a viewer learned of, as numbers from 1."""
        made = zip(self.core.turns, self.private_turns(), strict=True)
        return [turn.number for turn, private in made if not private or viewer in (OPEN, turn.seat)]

    def number(self, viewer: int, turn: int) -> int:
        """A turn as its viewer counts it."""
        return bisect_right(self.learned(viewer), turn) if self.hides_turns else turn

    def turn_for(self, role: Role) -> int:
        """The number of turns as a role counts them."""
        return self.number(self.reader(role), self.turn)

    @property
    def public_turn(self) -> int:
        """The number of turns that everybody knows of."""
        return self.number(OPEN if self.all_may_be_seen else ONLOOKER, self.turn)

    def counted_turn(self, role: Role, number: int) -> int:
        """The turn that a role means by a number."""
        if not self.hides_turns:
            return number
        learned = [0, *self.learned(self.reader(role))]
        if number >= len(learned):
            raise RefusedError(
                "unknown", f"{len(learned) - 1} moves were made at this table; there is no turn {number} yet."
            )
        return learned[number]

    def keeps_turn(self, decision: Decision) -> tuple[bool, bool]:
        """Whether a legal decision only tries something, and its seat moves again; and whether others learn of it."""
        if not self.hides_turns:
            return False, True
        after = self.core.copy()
        turn = after.make_legal(decision)
        return after.to_move == turn.seat, not after.is_private(turn)

    @property
    def touched(self) -> bool:
        """Whether any move was made here."""
        return bool(self.core.turns or self.taken_back)

    @property
    def bot_limit(self) -> float:
        """The time limit of the bot to move in seconds, if it is one that may hang; else 0."""
        mover = self.to_move
        agent = self.seats[mover].agent if mover is not None and mover >= 0 else ""
        return self.bot_seconds if agent and not is_own(self.game, agent) else 0.0

    @property
    def to_move(self) -> int | None:
        return self.mover if self.status == "running" else None

    def viewer(self, role: Role) -> int:
        """The viewer whose view a role gets."""
        if role.seat is not None:
            return role.seat
        if self.analysis_board and role.host and not self.over:
            return self.mover
        return OPEN if self.all_may_be_seen else ONLOOKER

    def open_until(self, role: Role) -> int:
        """The last turn of which a role may see more than the public view; negative: none yet."""
        if self.all_may_be_seen:
            return self.turn
        if self.spectators and role.seat is None and not role.played:
            return self.game.late_turn(self.core.state, self.spectators)
        return -1

    @property
    def ended(self) -> bool:
        """Whether no further move will be made."""
        return self.status in ("finished", "abandoned")

    def seat_of(self, token: str) -> int | None:
        """The seat of a token's holder."""
        seats = enumerate(self.seats)
        return next((number for number, seat in seats if matches(token, seat.token)), None)

    def open_seats(self) -> list[int]:
        """Seats without a holder that are not reserved."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "open" and not seat.reserved]

    def invitation(self, number: int) -> str:
        """The key to an open seat; empty at old tables without the secret it is derived from."""
        secret = self.stored.options.get("invitations")
        return invitation(secret, self.id, number) if secret else ""

    def may_control(self, role: Role) -> bool:
        return role.host or role.seat is not None

    def asked(self, role: Role) -> bool:
        """Whether it is a person's turn, and no bot plays for them."""
        seat = self.to_move
        mine = role.host if self.analysis_board else seat == role.seat
        return seat is not None and mine and self.seats[seat].kind == "person"

    def listing(self, here: Iterable[int | None]) -> dict[str, Any]:
        """The row in the lobby; `here` are the seats whose holders are connected."""
        shown: dict[str, Any] = {
            "table": self.id, "game": self.game.name, "title": self.game.title, "state": self.status,
            "turn": self.public_turn, "open": self.only_bots, "created": self.stored.created,
            "seats": self.public_seats(here),
        }  # fmt: skip
        if self.taken_back:
            shown["undo_count"] = len(self.taken_back)
        if self.joinable and self.status == "waiting" and self.open_seats():
            shown["joinable"] = True
        if not self.over and not self.only_bots:
            shown |= self.known_deal()
        if self.to_move is not None:
            shown["to_move"] = self.to_move
        if self.over:
            shown |= {"result": self.core.result(), "verdict": self.verdict()}
            if self.rematch:
                shown["rematch"] = self.rematch
            shown["seats"] = [{key: seat[key] for key in seat if key != "connected"} for seat in shown["seats"]]
        return shown

    def known_deal(self) -> dict[str, Any]:
        """Why a player may know the cards: a chosen seed and its author, or the game that this one continues.

        At a table for several people all see the seed, so that none knows more than another. With one person and bots
        it stays hidden until the end.
        """
        stored = self.stored
        if "seed_by" in stored.options:  # a host reveals the seed of a series at the end of the series
            shared = sum(seat["kind"] in ("person", "open") for seat in stored.seats) > 1
            return {"seed_by": stored.options["seed_by"]} | ({"seed": stored.seed} if shared else {})
        return {"origin": stored.options["origin"]} if stored.options.get("origin") else {}

    def verdict(self) -> str:
        """How the game ended, and whether moves were taken back on the way."""
        text, times = self.game.verdict(self.core.state), len(self.taken_back)
        if times:
            text += f" {undo_text(times)}"
        return f"{text} Analysis board: the game does not count." if self.analysis_board else text

    def public_seats(self, here: Iterable[int | None]) -> list[dict[str, Any]]:
        """The public data of the seats; `here` are the seats whose holders are connected."""
        return [seat.public(number in here, self.title) for number, seat in enumerate(self.seats)]

    def options(self, host: bool) -> dict[str, Any]:
        """The options as shown to a client, who may control the bots (`host`) or not."""
        stored = self.stored
        shown = {
            "rules": stored.rules, "kibitz": stored.options.get("kibitz", True), "bot_delay": self.bot_delay,
            "paused": self.paused, "seed_chosen": bool(stored.options.get("seed_chosen")), "open": self.only_bots,
            "host": host, "joinable": self.joinable,
        }  # fmt: skip
        if host and self.status in ("running", "waiting") and not self.only_bots:
            shown["stand_in"] = self.stand_in()
        if host and self.status == "waiting":
            invitations = [{"seat": number, "invitation": self.invitation(number)} for number in self.open_seats()]
            shown["invitations"] = [each for each in invitations if each["invitation"]]
        if self.rematch:
            shown["rematch"] = self.rematch
        if stored.options.get("rematch_of"):
            shown["rematch_of"] = stored.options["rematch_of"]
        seconds = {
            "bot": self.bot_limit, "program": stored.options.get("deadline", 0), "person": self.move_seconds
        }  # fmt: skip
        if any(seconds.values()):
            shown["seconds"] = {kind: limit for kind, limit in seconds.items() if limit}
        if self.taken_back:
            shown["undo_count"] = len(self.taken_back)
        if self.spectators and not self.only_bots:
            shown["spectators"] = self.spectators
        if self.chat_mode != "quick":
            shown["chat"] = self.chat_mode
        if self.chat_spectators:
            shown["chat_spectators"] = True
        if self.analysis_board:
            shown["analysis_board"] = True
        shown |= self.known_deal()
        if self.all_may_be_seen and stored.seed is not None and not stored.options.get("seed_hidden"):
            shown |= {"seed": stored.seed, "number": stored.number}
        return shown

    def substitute(self, failed: str) -> str:
        """The replacement for a failed bot: the first of the line-ups, or, if that failed, random legal moves."""
        agents = (name for lineup in self.game.lineups.values() for name in lineup.agents)
        first = next(filter(self.is_honest, agents), ANY_MOVE)
        return first if first != failed else ANY_MOVE

    def stand_in(self) -> str:
        """The default agent to play for a person.

        It is the first bot with its own seat here; at a table of people only, an agent of the middle level. It never
        cheats: it would see other hands, and the person may return.
        """
        bots = [seat.agent for seat in self.seats if seat.kind == "bot" and not seat.person and seat.agent != ANY_MOVE]
        usual = self.game.lineup(usual_level(self.game)).at_table(len(self.seats)) if self.game.lineups else ()
        return next(filter(self.is_honest, (*bots, *usual)), ANY_MOVE)

    # Permissions

    def person(self, role: Role) -> int:
        """The seat of a player; on an analysis board, the seat to move."""
        if self.analysis_board and role.host:
            return max(self.mover, 0)
        if role.seat is None:
            raise RefusedError("not_yours", "You are a spectator: you hold no seat at this table.")
        if self.seats[role.seat].kind != "person":
            raise RefusedError("not_yours", "A bot plays in your seat. Take it back first.")
        return role.seat

    def check_goes_on(self) -> None:
        if self.status not in ("running", "waiting"):
            raise RefusedError("over", "The game is over.")

    def check_turn(self, role: Role, seat: int, turn: int) -> None:
        """Check that a seat is to move, and that its decision takes all moves into account."""
        if self.over or self.forfeit:
            raise RefusedError("over", "The game is over; no move can be made.")
        if turn != (made := self.turn_for(role)):
            raise RefusedError(
                "stale", f"The table has moved on: {made} moves were made, and yours was decided after {turn}."
            )
        if self.status == "waiting":
            raise RefusedError("not_your_turn", "The game begins when every seat is taken.")
        if self.to_move != seat:
            raise RefusedError("not_your_turn", f"It is the turn of {self.game.seat_name(self.mover)}, not yours.")

    def check_sight(self, role: Role, viewer: int, turn: int) -> None:
        """Whether a role may see the table at a turn as this viewer."""
        if viewer >= len(self.seats):
            raise RefusedError("unknown", f"There are {len(self.seats)} seats at this table.")
        if viewer in (role.seat, ONLOOKER) or self.all_may_be_seen:
            return
        last = self.open_until(role)
        if viewer == OPEN and turn <= last:
            return
        if self.spectators and role.seat is None and not role.played:
            so_far = f"up to move {last}" if last >= 0 else "at no move so far"
            raise RefusedError("hidden", f"{self.game.late_words} You may look back {so_far}, and from no seat.")
        raise RefusedError("hidden", "While people play, you may look back only at what you saw yourself.")

    def at(self, turn: int) -> Table:
        """The game at a turn."""
        if turn > self.turn:
            raise RefusedError("unknown", f"{self.turn} moves were made at this table; there is no turn {turn} yet.")
        return self.core if turn == self.turn else self.core.at_turn(turn, [])
