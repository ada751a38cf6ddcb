"""Playing over a plain connection. What a bot writer needs is imported here, and nothing heavy with it.

from kibitz.host import UniboClient
"""

from kibitz.host.client import HostError, UniboClient

__all__ = ["HostError", "UniboClient"]
