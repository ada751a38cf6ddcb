"""What a bot writer uses to join a host. Nothing compiled is imported, so a small bot starts at once.

from kibitz.client import Client
"""

from kibitz.client.address import HostError
from kibitz.client.client import Client

__all__ = ["Client", "HostError"]
