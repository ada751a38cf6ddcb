"""How a Hanabi player behaves: how often it hints, and how certain it is when it plays.

Both are measured over played games, move by move, from what the player could know:

*Communicativeness* is the share of the player's turns with a token in which it gave a hint.

*Risk aversion* is the mean probability that a card it played was playable. The probability is exact: among the unseen
copies that hints leave open for the card, the share that is playable. Conventions do not count. It is undefined for a
player that never plays a card.
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

COULD_HINT, HINTED, PLAYED, CERTAINTY = 0, 1, 2, 3  # the sums


@compiled
def certainty(state: State, seat: int, slot: int) -> float:
    """The probability, for its holder, that a card is playable."""
    return chance(unseen_copies(state, seat), state.hinted_kinds[seat][slot], playable(state))


@compiled
def count_move(state: State, move: int, sums: Any) -> None:
    """Add a move to the sums, before it is made."""
    if state.tokens > 0:
        sums[COULD_HINT] += 1
    if move >= HINT:
        sums[HINTED] += 1
    elif move < DISCARD:
        sums[PLAYED] += 1
        sums[CERTAINTY] += certainty(state, state.to_move, move - PLAY)


@compiled
def count_games(states: Any, deals: Any, players: int, rules: int, logs: Any, seats: int, sums: Any) -> None:
    """Replay games from the decisions in their logs, and add up the moves of some seats."""
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
            "the share of its turns with a token in which it gave a hint",
            "never hints",
            "hints whenever it can",
        ),
        Axis(
            "risk_aversion",
            "Risk aversion",
            "how certain it is when it plays: the mean probability, as far as it could know, that its card is playable",
            "plays unplayable cards",
            "plays only certain cards",
        ),
    )

    def sums(self, deals: Any, players: int, rules: int, logs: Any, seats: int) -> Any:
        sums = np.zeros(4)
        count_games(np.zeros(1, STATE), deals, players, rules, logs, seats, sums)
        return sums

    def values(self, sums: Any) -> tuple[float, float] | None:
        could_hint, hinted, played, certain = map(float, sums)
        if not could_hint or not played:
            return None
        return hinted / could_hint, certain / played


BEHAVIOUR = HanabiBehaviour()
