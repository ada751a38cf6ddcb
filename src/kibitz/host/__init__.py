"""Seats for programs in any language: a host, and players who join one. What a bot writer needs is imported here, and
nothing heavy with it.

from kibitz.host import Client
"""

from kibitz.host.calling import HostError
from kibitz.host.lines import Client
from kibitz.host.unibo import UniboClient

__all__ = ["Client", "HostError", "UniboClient"]
