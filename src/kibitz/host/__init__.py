"""Seats for programs in any language: a host, and players who join one. What a bot writer needs is imported here, and
nothing heavy with it.

from kibitz.host import Client
"""

from kibitz.client.address import HostError
from kibitz.client.client import Client
from kibitz.client.wire_client import UniboClient

__all__ = ["Client", "HostError", "UniboClient"]
