"""A player for a host that speaks Bida & Pandolfi's protocol, in five lines:

from kibitz.games.hanabi.formats.unibo_client import UniboClient

class First(UniboClient):
    def decide(self, state):
        return {"type": "discard", "card": 0}

First("Ada").play("localhost:4000")
"""

from kibitz.client.wire_client import WireClient
from kibitz.games.hanabi.formats.unibo_states import UNIBO_STATES


class UniboClient(WireClient):
    """A Hanabi player. A move is a dictionary like `{"type": "play", "card": 0}` or
    `{"type": "hint value", "hinted": "G1 (Bo)", "value": 3}`.
    """

    reader = UNIBO_STATES
