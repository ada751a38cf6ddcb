"""Every reason of every agent is true: the view of the deciding seat bears out what it claims about a card."""

from dataclasses import replace

import pytest

from kibitz.core.agent import CompiledAgent, CompiledPlayer
from kibitz.core.table import Table
from kibitz.engine.loop import about_of, move_of
from kibitz.games.hanabi import View
from kibitz.games.hanabi.agents import breeding
from kibitz.games.hanabi.analytics import chance_of
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import Move
from kibitz.games.hanabi.view import Card
from tests.games.hanabi.claims import CLAIMS, NO_CLAIM
from tests.tables import AGENTS, DEFAULTS, at, dealt, named, table_of

EVERY_RULE = breeding.RULE_LISTS.agent(
    [{"rule": name, "when": {"by_chance": 0.2}} for name in breeding.POOL], "every_rule"
)
COMPILED = [*(agent for agent in AGENTS if isinstance(agent, CompiledAgent)), EVERY_RULE]
SEEDS = (2, 3, 5)
FORBIDDEN = {**DEFAULTS, "full_discard": "forbidden"}


def card_at(view: View, place: int) -> Card | None:
    return next((card for hand in view.hands for card in hand if card.place == place), None)


def check(table: Table, player: CompiledPlayer, seat: int) -> None:
    """What a player says at its turn is so."""
    struct = table.seen(seat, player.agent.traits.cheats)
    packed = player.packed(struct)
    template, view, move = player.reason(packed), View(struct), Move(int(move_of(packed)))
    card, words = card_at(view, int(about_of(packed))), player.explained(packed, struct).reason
    assert "{" not in words
    if card is None:
        return
    for phrase, holds in CLAIMS.items():
        if phrase in template:
            assert holds(view, card, move), f"{phrase!r} is not true of {words!r}"
    named_card = move.is_play or move.is_discard
    if named_card:
        assert (card.seat, card.slot) == (seat, move.slot)
    if move.is_discard and not player.agent.traits.cheats:
        warned = any(each in words for each in ("chance that it is a last copy", "is a last copy", "are last copies"))
        assert warned or chance_of(view, card, view.critical) == 0, f"{words!r} does not warn"


@pytest.mark.parametrize("agent", COMPILED, ids=named)
def test_what_a_reason_claims_is_so(agent: CompiledAgent) -> None:
    for seed in SEEDS:
        players = 2 + seed % 4
        table = table_of([agent] * players, dealt(players, seed=seed, rules=FORBIDDEN if seed == 5 else DEFAULTS))
        while not table.over:
            player = table.players[table.to_move]
            assert isinstance(player, CompiledPlayer)
            check(table, player, table.to_move)
            table.step()


@pytest.mark.parametrize("agent", COMPILED, ids=named)
def test_every_reason_claims_something_or_says_that_it_does_not(agent: CompiledAgent) -> None:
    for reason in agent.reasons:
        assert any(phrase in reason for phrase in (*CLAIMS, *NO_CLAIM)), reason


FALSE = "I play {card}, which can never be played{useless}"


def test_a_reason_that_is_not_true_is_found() -> None:
    bot2 = next(agent for agent in COMPILED if agent.name == "bot2")
    with pytest.raises(AssertionError, match="'can never be played' is not true"):
        test_what_a_reason_claims_is_so(replace(bot2, reasons=(FALSE,) * len(bot2.reasons)))


def test_a_reason_says_why_a_card_is_playable() -> None:
    table = at("r2 y4", "g4 g3", piles={"red": 1}, hints=["red to G1", "2 to G1"])
    trustful = next(agent for agent in COMPILED if agent.name == "trustful")
    decision = trustful.take_seat(HANABI).decide(table.view(0))
    assert decision.reason == "I play my card 1: it must be the red 2"


def test_a_discard_of_a_needed_card_is_said_to_lose_nothing_for_good() -> None:
    """Blue 3 is still needed: it is not the last one, and that is all that can be said for its discard."""
    bot1 = next(agent for agent in COMPILED if agent.name == "bot1")
    decision = bot1.take_seat(HANABI).decide(at("y1 y2 y3 y4 g4", "b3 r5 w5 y5 g5", tokens=1).view(0))
    assert decision.reason == (
        "I hint 5 to G2, who had no safe move and can now discard G2's card 1 (blue 3) without a lasting loss, "
        "because it is not the last of its kind"
    )
