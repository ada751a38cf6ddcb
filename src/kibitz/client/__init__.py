"""Clients for programs that join a host. They import nothing compiled, so a small bot starts at once.

from kibitz.client import Client
"""

from kibitz.client.address import HostError
from kibitz.client.client import Client

__all__ = ["Client", "HostError"]
