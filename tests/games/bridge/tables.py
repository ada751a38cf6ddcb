"""Tables of bridge for tests: deals, hands and plays written as people write them."""

from collections.abc import Sequence
from typing import Any

from kibitz.core import registry
from kibitz.core.agent import Agent, Decision, PythonAgent
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.games.bridge.game import BRIDGE
from tests import any_game

RULES = BRIDGE.check_rules({})
DEALS = 4  # what a sampler deals in tests, which look at what it does and not at how well

# North has the spades, East the hearts, South the diamonds and West the clubs.
SUITS_APART = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
# Everybody has an honour of every suit; South can make four spades.
EVEN = "N:KQJ5.A62.K73.T84 T9.KQ94.QJ4.KQ92 A8764.J5.A52.A73 32.T873.T986.J65"


def agent(name: str) -> Agent:
    found = registry.agent(BRIDGE, name)
    return found.with_weights({"deals": DEALS}) if isinstance(found, PythonAgent) else found


def start(deal: str = EVEN, contract: str = "4S", declarer: str = "S", **more: Any) -> Any:
    return BRIDGE.load_start({"deal": deal, "contract": contract, "declarer": declarer, **more}, 4, RULES)


def table(deal: str = EVEN, contract: str = "4S", declarer: str = "S", cards: str = "", **more: Any) -> Table:
    """A table at which nobody sits, after some cards were played."""
    at = Table(BRIDGE, [], start(deal, contract, declarer, **more))
    play(at, cards)
    return at


def play(at: Table, cards: str) -> None:
    for card in cards.split():
        at.make(Decision(BRIDGE.move(card, at.state)))


def dealt(seed: int = 1, number: int = 0, **rules: str) -> Any:
    return BRIDGE.deal(seeds.keys(seed), number, 4, {**RULES, **rules})


def seated(agents: Sequence[Agent], at: Any) -> Table:
    return any_game.table_of(BRIDGE, agents, at)
