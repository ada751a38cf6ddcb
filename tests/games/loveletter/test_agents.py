"""The players of the source on its own examples, and what the others promise."""

from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.core.agent import Agent
from kibitz.games.loveletter.agents.greedy import worth
from kibitz.games.loveletter.agents.minimax import reply_loss
from kibitz.games.loveletter.cards import BARON, COPIES, GUARD, HANDMAID, KINDS, KING, PRIEST, PRINCE, PRINCESS
from kibitz.games.loveletter.chances import shares
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.moves import play
from tests.games.loveletter.tables import at, make, played


def agent(name: str) -> Agent:
    return registry.agent(LOVE_LETTER, name)


def decided(name: str, *hands: str, before: tuple[str, ...] = (), **parts: str) -> str:
    """What a player does in the seat to move, after some moves."""
    table = at(*hands, **parts)  # type: ignore[arg-type]
    make(table, *before)
    table.players = [agent(name).take_seat(LOVE_LETTER)] * len(hands)
    return LOVE_LETTER.move_text(table.decide().move)


def counts(**kinds: int) -> Any:
    names = {"guard": GUARD, "priest": PRIEST, "baron": BARON, "handmaid": HANDMAID, "prince": PRINCE,
             "king": KING, "countess": 7, "princess": PRINCESS}  # fmt: skip
    left = np.zeros(KINDS, np.int64)
    for name, count in kinds.items():
        left[names[name]] = count
    return left


def test_greedy_values_the_source_first_example_as_the_source_does() -> None:
    """King, Prince and Handmaid lie open, Guard and Baron in hand; the source has four Guards, so three are unseen."""
    left = counts(guard=3, priest=2, baron=1, handmaid=1, prince=1, countess=1, princess=1)
    chances = shares(left)
    assert worth(play(GUARD, 1, PRIEST), BARON, 0, chances) == pytest.approx(1.2 + 0.008)
    assert worth(play(BARON, 1), GUARD, 0, chances) == pytest.approx(0.3 + 0.006)
    assert decided("greedy", "guard", "countess", draws="baron", face_up="king prince handmaid") == "Guard G2 Priest"


def test_minimax_finds_the_chance_of_losing_that_the_source_finds() -> None:
    """Handmaid kept, and Guard, Baron, Prince and Princess unseen: half of the replies put one out."""
    assert reply_loss(counts(guard=1, baron=1, prince=1, princess=1), HANDMAID) == pytest.approx(0.5)


def test_a_guard_names_the_higher_of_two_likely_cards() -> None:
    assert decided("greedy", "guard", "priest", draws="guard", face_up="princess king countess") == "Guard G2 Prince"


def test_of_equal_worth_the_lower_card_is_played() -> None:
    assert decided("greedy", "king", "guard", draws="priest", face_up="countess guard guard") == "Priest G2"


def test_greedy_never_throws_the_princess_away() -> None:
    assert decided("greedy", "princess", "guard", draws="king") == "King G2"
    assert decided("greedy", "princess", "guard", draws="prince").startswith("Prince G2")


@pytest.mark.parametrize("name", ["random", "greedy", "minimax", "counting"])
def test_nobody_lays_the_princess_down_of_their_own_will(name: str) -> None:
    games = played([agent(name)] * 2, 400)
    assert games.done == 400
    assert not any(
        LOVE_LETTER.move_text(int(entry) & 255) == "Princess" for log in games.logs for entry in log if entry >= 0
    )


def test_counting_names_the_card_a_priest_has_shown() -> None:
    shown = decided(
        "counting", "guard", "baron", draws="priest countess handmaid guard", before=("Priest G2", "Countess")
    )
    assert shown == "Guard G2 Baron"
    forgets = decided(
        "greedy", "guard", "baron", draws="priest countess handmaid guard", before=("Priest G2", "Countess")
    )
    assert forgets.startswith("Guard")


def test_a_fresh_deck_has_sixteen_cards() -> None:
    assert COPIES.sum() == 16
