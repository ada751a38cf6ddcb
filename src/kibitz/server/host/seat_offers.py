"""Matches the seats that a host offers with the clients that ask for one."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from kibitz.server.host.wire_player import WirePlayer
from kibitz.server.live import messages
from kibitz.server.live.connection_limit import Acceptor
from kibitz.server.live.connections import LineConnection
from kibitz.server.live.session import Session
from kibitz.server.live.table import LiveTable


class Port:
    """A private port for one launched program, where no other client can take its seat."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.acceptor: Acceptor | None = None

    def close(self) -> None:
        if self.acceptor is not None:
            self.acceptor.close()


class PortConnection(LineConnection):
    """A connection, and the port it came through."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: Port | None) -> None:
        super().__init__(reader, writer)
        self.port = port  # None: the host's own


@dataclass(eq=False)
class Offer:
    """An offered seat, for any client or for one that connects to a private port."""

    table: LiveTable
    seat: int
    port: Port | None = None


@dataclass(eq=False)
class Applicant:
    """A client's request for a seat."""

    who: Session | WirePlayer
    port: Port | None
    said: messages.Sit | None = None


class SeatOffers:
    def __init__(self, seat: Callable[[Offer, Applicant], None]) -> None:
        """`seat` is called for every offer that is taken."""
        self.seat = seat
        self.offers: deque[Offer] = deque()
        self.applicants: deque[Applicant] = deque()
        self.sitting_down: set[tuple[object, LiveTable]] = set()  # the client, and its seat

    def offer(self, offer: Offer, first: bool = False) -> None:
        if first:
            self.offers.appendleft(offer)
        else:
            self.offers.append(offer)
        self.match()

    def apply(self, applicant: Applicant) -> None:
        self.applicants.append(applicant)
        self.match()

    def waits(self, who: object) -> int:
        """The number of clients that wait for a seat."""
        return sum(applicant.who is who for applicant in self.applicants)

    def open_at(self, table: LiveTable, seat: int | None = None) -> bool:
        """Whether a seat of a table, or any of them, is still offered."""
        return any(offer.table is table and seat in (None, offer.seat) for offer in self.offers)

    def took_seat(self, offer: Offer, applicant: Applicant) -> None:
        self.sitting_down.discard((applicant.who, offer.table))

    def match(self) -> None:
        """Seat waiting clients in the order of their arrival."""
        self.applicants = deque(applicant for applicant in self.applicants if not applicant.who.gone)
        for offer in list(self.offers):
            applicant = next((each for each in self.applicants if self._fits(each, offer)), None)
            if applicant is not None:
                self.applicants.remove(applicant)
                self.offers.remove(offer)
                self.sitting_down.add((applicant.who, offer.table))
                self.seat(offer, applicant)

    def _fits(self, applicant: Applicant, offer: Offer) -> bool:
        """No client sits twice at a table: from the other seat it would see its own cards."""
        who, table = applicant.who, offer.table
        sits_there = (who, table) in self.sitting_down or (isinstance(who, Session) and table.id in who.roles)
        return offer.port is applicant.port and not sits_there
