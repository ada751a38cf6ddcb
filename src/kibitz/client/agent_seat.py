"""A player of ours in a seat elsewhere. It decides from the same records as at home, whichever protocol brings them."""

import base64
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from kibitz.client.address import HostError
from kibitz.client.client import Client, Message
from kibitz.client.wire_client import State, UniboClient, given_name
from kibitz.core.agent import Player
from kibitz.core.errors import AgentError
from kibitz.core.game import Game
from kibitz.core.wire import Mirror, Wire


class Guest(Protocol):
    """Who plays, and who hears how it goes."""

    def sit(self, seat: int) -> Player:
        """A new game begins: the player, without memories of the last."""

    def greet(self, seat: int, names: Sequence[str]) -> None:
        """Everybody has sat down."""

    def saw(self, view: Any) -> None:
        """The table after a move, as the player's seat sees it."""

    def ended(self, view: Any, result: dict[str, int], verdict: str) -> None: ...


class UniboGuest(UniboClient):
    """At a host of the protocol of Bida & Pandolfi, where the table is known from a mirror of it."""

    mirror: Mirror
    player: Player

    def __init__(self, name: str, wire: Wire, guest: Guest, dice: Callable[[int], int], wait: float) -> None:
        """The dice of the player come from the number of the game."""
        super().__init__(name, wait=wait)
        self.wire, self.guest, self.dice, self.played = wire, guest, dice, 0

    def begin(self) -> None:
        self.mirror = self.wire.mirror(self.full_name, self.dice(self.played))
        self.player = self.guest.sit(self.seat - 1)

    def observe(self, state: State) -> None:
        self.view = self.mirror.see(state)
        if not self.mirror.table.turns:
            self.guest.greet(self.mirror.seat, [given_name(name) for name in self.mirror.names])
        if self.player.remembers:
            self.player.observe(self.view)
        self.guest.saw(self.view)

    def answer(self, state: State) -> bytes:
        move = self.player.decide(self.view).move
        if not self.mirror.table.allows(move):
            raise AgentError(
                f"{self.player.agent.name} as {self.full_name} decided on an illegal move in round {state['round']}."
            )
        return self.mirror.move(move)

    def end(self, state: State) -> None:
        self.played += 1
        table = self.mirror.table
        self.guest.ended(self.view, table.result(), table.game.verdict(table.state))


class LineGuest(Client):
    """At a host or a table of kibitz, which sends the record of the view."""

    records = True
    player: Player

    def __init__(self, name: str, game: Game, guest: Guest) -> None:
        super().__init__(name)
        self.game, self.guest = game, guest
        self.seen = 0  # views of this game
        self.greeted = False
        self.record: Any = None

    def begins(self, seat: Message) -> None:
        self.player, self.seen, self.greeted = self.guest.sit(seat["seat"]), 0, False

    def past(self, message: Message) -> None:
        for text in message.get("records", ())[self.seen :]:
            self._see(text)

    def sees(self, view: Message) -> None:
        if view["game"] != self.game.name:
            raise HostError(f"This host plays {view['game']}, not {self.game.name}. Say so: --game {view['game']}.")
        if view["layout"] != self.game.layout:
            raise HostError("This host has another version of kibitz, with other records. Use the same on both sides.")
        if view["state"] != "waiting" and not self.greeted:
            self.greeted = True
            self.guest.greet(view["as"], [seat["name"] for seat in view["seats"]])
        if view["turn"] == self.seen:
            self._see(view["record"])
        if view["state"] != "waiting":
            self.guest.saw(self.record)

    def _see(self, text: str) -> None:
        self.record = np.frombuffer(bytearray(base64.b64decode(text)), self.game.dtype)[0]
        self.seen += 1
        if self.player.remembers:
            self.player.observe(self.record)

    def decide(self, view: Message) -> str:
        return self.game.move_text(self.player.decide(self.record).move)

    def ends(self, view: Message) -> None:
        self.guest.ended(self.record, view.get("result") or {}, view.get("verdict", ""))
