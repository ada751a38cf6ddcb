"""Where players come in, the seats they are offered, and those who wait for one."""

import asyncio
from dataclasses import dataclass, field

from kibitz.host.launched import Launched
from kibitz.host.peers import WirePlayer
from kibitz.web import messages
from kibitz.web.sockets import LineSocket
from kibitz.web.tables import LiveTable
from kibitz.web.visitors import Visitor


@dataclass(eq=False)
class Door:
    """A port: that of the host, or one of its own for a launched program."""

    server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        assert self.server is not None
        return int(self.server.sockets[0].getsockname()[1])

    def close(self) -> None:
        if self.server is not None:
            self.server.close()


class DoorSocket(LineSocket):
    """Lines that came in through a certain door."""

    door: Door | None = None


@dataclass(eq=False)
class Offer:
    """A seat that somebody may take: anybody, or who comes through a door of its own."""

    table: LiveTable
    seat: int
    door: Door | None = None


@dataclass(eq=False)
class Waiting:
    """Somebody who asks for a seat."""

    who: Visitor | WirePlayer
    door: Door | None
    said: messages.Sit | None = None


@dataclass(eq=False)
class Lane:
    """Games that are played one after the other, with the programs launched for them."""

    programs: dict[int, Launched] = field(default_factory=dict)  # by seat
    doors: dict[int, Door] = field(default_factory=dict)
