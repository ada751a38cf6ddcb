"""How a Hanabi player behaves: how much it tells, and how sure it is when it plays.

Both are counted over games that were played, move by move, from what the player could know at that moment:

*Communicativeness* is the share of possible hints given. A hint is possible in every turn of the player in which a
token is there; of these turns it is the share in which the player gave a hint, whatever it told.

*Risk aversion* is how sure the player is when it plays a card: the mean, over all cards it played, of the probability
that the card fits. The probability is the exact one of somebody who counts: of the copies that the player does not see
and that hints to its hand leave open for this card, the share that fits on a pile. What players agreed on besides does
not count. Who never plays a card has no risk aversion to speak of.
"""

from typing import Any

import numpy as np

from kibitz.core.breeding import Axis
from kibitz.engine.compile import compiled
from kibitz.engine.loop import move_of
from kibitz.games.hanabi.analytics import chance, unseen_copies
from kibitz.games.hanabi.knowledge import playable
from kibitz.games.hanabi.rules import DISCARD, HINT, PLAY, apply, deal, to_move
from kibitz.games.hanabi.state import STATE, State

COULD_HINT, HINTED, PLAYED, CERTAINTY = 0, 1, 2, 3  # what is added up


@compiled
def certainty(state: State, seat: int, slot: int) -> float:
    """How likely an own card fits, for its holder."""
    return chance(unseen_copies(state, seat), state.hinted_kinds[seat][slot], playable(state))


@compiled
def count_move(state: State, move: int, sums: Any) -> None:
    """Add one move, before it is made."""
    if state.tokens > 0:
        sums[COULD_HINT] += 1
    if move >= HINT:
        sums[HINTED] += 1
    elif move < DISCARD:
        sums[PLAYED] += 1
        sums[CERTAINTY] += certainty(state, state.to_move, move - PLAY)


@compiled
def count_games(states: Any, deals: Any, players: int, rules: int, logs: Any, seats: int, sums: Any) -> None:
    """Play games again by the decisions in their logs, and add up the moves of some seats."""
    state = states[0]
    for game in range(deals.shape[0]):
        deal(state, players, rules, deals[game])
        while to_move(state) >= 0:
            move = move_of(logs[game][state.turn])
            if seats >> state.to_move & 1:
                count_move(state, move, sums)
            apply(state, move)


class HanabiBehaviour:
    axes = (
        Axis(
            "communicativeness",
            "Communicativeness",
            "the share of possible hints given: of its turns with a token, those in which it gave a hint",
            "keeps silent",
            "tells whenever it can",
        ),
        Axis(
            "risk_aversion",
            "Risk aversion",
            "how sure it is when it plays: the mean chance that a card it played fits, as far as it could know",
            "plays what cannot fit",
            "plays only what is sure",
        ),
    )

    def sums(self, deals: Any, players: int, rules: int, logs: Any, seats: int) -> Any:
        sums = np.zeros(4)
        count_games(np.zeros(1, STATE), deals, players, rules, logs, seats, sums)
        return sums

    def values(self, sums: Any) -> tuple[float, float] | None:
        could_tell, told, played, certain = map(float, sums)
        if not could_tell or not played:
            return None
        return told / could_tell, certain / played


BEHAVIOUR = HanabiBehaviour()
