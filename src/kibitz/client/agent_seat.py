"""An agent of kibitz in a seat at another host. It decides from the same structs as locally, with either protocol."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from kibitz.bots.players import BotPlayer
from kibitz.client.address import HostError
from kibitz.client.client import Client, count_in, text_in
from kibitz.client.handshake import Message
from kibitz.client.stream import shown
from kibitz.client.wire_client import State, WireClient, given_name
from kibitz.core.agent import CompiledPlayer, Player
from kibitz.core.game import Game
from kibitz.core.wire import Mirror, OutOfStepError, Wire
from kibitz.engine import generic
from kibitz.errors import AgentError, RecordError

SHARE = 0.6  # of a move's time limit that a search may use; the rest is for the network


class Participant(Protocol):
    """The player, and callbacks for the progress of the game."""

    def sit(self, seat: int) -> Player:
        """Start a game; returns the player, with a new memory."""

    def greet(self, seat: int, names: Sequence[str]) -> None:
        """All seats are taken."""

    def saw(self, view: Any) -> None:
        """The view after a move."""

    def heard(self, text: str) -> None:
        """A notice from the host: no seat is free yet, or a player was late."""

    def notice(self, text: str) -> None:
        """A message about the connection for the person who started the player."""

    def ended(self, view: Any, result: dict[str, int], verdict: str) -> None: ...


def unanswered(where: str) -> str:
    return f"The host at {where} has not answered yet. It may be waiting for other players."


class WireAgentSeat(WireClient):
    """At a host of JSON objects, where a mirror keeps the state of the game."""

    mirror: Mirror
    player: Player

    def __init__(
        self, name: str, wire: Wire, participant: Participant, dice: Callable[[int], int], wait: float
    ) -> None:
        """`dice` returns the player's random number for a game, by its number."""
        super().__init__(name, wait=wait)
        self.reader, self.wire, self.participant, self.dice, self.played = wire.reader, wire, participant, dice, 0

    def waits(self, where: str) -> None:
        self.participant.notice(unanswered(where))

    def begin(self) -> None:
        self.mirror = self.wire.mirror(self.full_name, self.dice(self.played))
        self.player = self.participant.sit(self.seat - 1)

    def observe(self, state: State) -> None:
        try:
            self.view = self.mirror.see(state)
            if self.mirror.over != self.reader.is_last(state):
                raise OutOfStepError("By the moves so far the game is over, but the host continues it.")
        except OutOfStepError as error:
            raise OutOfStepError(shown(error)) from None
        if not self.mirror.table.turns:
            self.participant.greet(self.mirror.seat, [shown(given_name(name)) for name in self.mirror.names])
        if self.player.remembers:
            self.player.observe(self.view)
        self.participant.saw(self.view)

    def answer(self, state: State) -> bytes:
        move = self.player.decide(self.view).move
        if not self.mirror.table.allows(move):
            raise AgentError(
                f"{self.player.agent.name} as {shown(self.full_name)} decided on an illegal move in turn "
                f"{len(self.mirror.table.turns) + 1}."
            )
        return self.mirror.move(move)

    def end(self, state: State) -> None:
        self.played += 1
        table = self.mirror.table
        self.participant.ended(self.view, table.result(), table.game.verdict(table.state))


class LineAgentSeat(Client):
    """At a host or table of kibitz, which sends views as structs."""

    records = True
    player: Player

    def __init__(self, name: str, game: Game, participant: Participant) -> None:
        super().__init__(name)
        self.game, self.participant = game, participant
        self.seen = 0  # views of this game
        self.greeted = False
        self.struct: Any = None

    def begins(self, seat: Message) -> None:
        if self.seat >= self.game.most_seats:
            raise HostError(
                f"The host gave seat {self.seat}, but {self.game.title} has at most {self.game.most_seats} seats."
            )
        self.player, self.seen, self.greeted = self.participant.sit(self.seat), 0, False

    def past(self, message: Message) -> None:
        records = message.get("structs", [])
        if not isinstance(records, list) or len(records) > self.game.longest + 1:
            raise HostError("The host broke the protocol: 'structs' is not a list of the views of one game.")
        for text in records[self.seen :]:
            self._see(text)

    def hears(self, text: str) -> None:
        self.participant.heard(shown(text))

    def sees(self, view: Message) -> None:
        game, state = text_in(view, "game"), view["state"]
        if game != self.game.name:
            raise HostError(f"This host plays {shown(game)}, not {self.game.name}. Use --game {shown(game)}.")
        if view.get("layout") != self.game.layout:
            raise HostError("The host has a different version of kibitz. Install the same version on both sides.")
        if state != "waiting" and not self.greeted:
            self.greeted = True
            self.participant.greet(self.seat, [shown(seat.get("name", "")) for seat in view["seats"]])
        if view["turn"] > self.seen:
            raise HostError(f"The host skipped the view of turn {self.seen} and sent that of turn {view['turn']}.")
        if view["turn"] == self.seen:
            self._see(view.get("struct"))
        if state != "waiting":
            self.participant.saw(self.struct)

    def _see(self, text: object) -> None:
        try:
            data = base64.b64decode(text, validate=True) if isinstance(text, str) else b""
        except (binascii.Error, ValueError):
            data = b""
        if len(data) != self.game.dtype.itemsize:
            raise HostError("The host sent a view that is not the struct of a view in base 64.")
        struct = np.frombuffer(bytearray(data), self.game.dtype)[0]
        try:
            self.game.check_next(struct, self.seat, self.struct if self.seen else None)
        except RecordError as error:
            raise HostError(f"The host sent an impossible view: {error}") from None
        self.struct = struct
        self.seen += 1
        if self.player.remembers:
            self.player.observe(self.struct)

    def decide(self, view: Message) -> str:
        if view["turn"] != self.seen - 1:
            raise HostError(f"The host requests a move in turn {view['turn']}, but it is turn {self.seen - 1}.")
        if generic.to_move(self.struct) != self.seat:
            raise HostError(f"The host requests a move in turn {view['turn']}, but it is not this seat's turn.")
        if self.seconds is not None and isinstance(self.player, CompiledPlayer):
            self.player.hurry(int(1000 * SHARE * self.seconds), self.struct)
        elif self.seconds and isinstance(self.player, BotPlayer):
            self.player.seconds = self.seconds  # after this time, the host lets another player move
        decision = self.player.decide(self.struct)
        self.reason = decision.reason
        return self.game.move_text(decision.move)

    def ends(self, view: Message) -> None:
        result = view.get("result") or {}
        verdict = view.get("verdict", "")
        if not isinstance(result, dict) or not isinstance(verdict, str):
            raise HostError("The host broke the protocol: the result of a game is an object, and the verdict is text.")
        result = {name: count_in({"type": "result", **result}, name) for name in result if name in self.game.columns}
        self.participant.ended(self.struct, result, shown(verdict))
