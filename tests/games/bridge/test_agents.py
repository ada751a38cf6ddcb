"""The players: what the heuristic one leads and follows with, and what the sampler counts."""

import importlib
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.match import Match, play, play_here
from kibitz.bots import players as bots
from kibitz.core import registry
from kibitz.errors import KibitzError
from kibitz.games.bridge import double_dummy
from kibitz.games.bridge.agents.sampler import Sampler
from kibitz.games.bridge.cards import Card
from kibitz.games.bridge.game import BRIDGE
from tests.any_game import named
from tests.games.bridge.tables import EVEN, agent, dealt, seated, table
from tests.golden import game_text, is_as_kept

GOLDEN = Path(__file__).parent / "golden"
needs_solver = pytest.mark.skipif(not double_dummy.installed(), reason=double_dummy.MISSING)


def decides(name: str, deal: str, contract: str, declarer: str, cards: str = "") -> str:
    at = table(deal, contract, declarer, cards)
    return BRIDGE.move_text(agent(name).take_seat(BRIDGE).decide(at.view(at.to_move)).move)


@pytest.mark.parametrize(
    ("contract", "declarer", "cards", "card"),
    [
        ("3NT", "S", "", "D6"),  # the fourth best of the longest suit
        ("4H", "N", "", "CK"),  # the top of a sequence
        ("3NT", "S", "ht", "H2"),  # second hand low
        ("4S", "S", "ht h2", "HQ"),  # third hand high, the lower of two that touch
        ("4S", "S", "ht h2 h4", "HJ"),  # fourth hand as cheaply as it can
        ("4S", "S", "ht ha h4 h5", "SK"),  # the declarer draws trumps, from the top
    ],
)
def test_the_heuristic_player_keeps_to_the_rules_of_thumb(contract: str, declarer: str, cards: str, card: str) -> None:
    assert decides("heuristic", EVEN, contract, declarer, cards) == card


@pytest.mark.parametrize("name", ["random", "heuristic"])
def test_the_game_goes_as_it_always_did(name: str) -> None:
    at = seated([agent(name)] * 4, dealt(2026))
    is_as_kept(game_text(at, f"{name}, seed 2026, game 0", "{number:3}  {text}  [{reason}]"), GOLDEN / f"{name}.txt")


@needs_solver
def test_the_samplers_game_goes_as_it_always_did() -> None:
    at = seated([agent("sampler")] * 4, dealt(2026))
    is_as_kept(game_text(at, "sampler, seed 2026, game 0", "{number:3}  {text}  [{reason}]"), GOLDEN / "sampler.txt")


@needs_solver
def test_the_sampler_says_what_a_card_is_worth() -> None:
    at = table(cards="ht ha h4 h5")
    decision = agent("sampler").take_seat(BRIDGE).decide(at.view(at.to_move))
    assert "tricks on average over 4 deals" in decision.reason


@needs_solver
def test_double_dummy_tricks_are_those_of_all_cards_that_are_legal() -> None:
    at = table(cards="ht")
    [tricks] = double_dummy.solve([double_dummy.Position.of(at.state)])
    assert set(tricks) == {Card["HA"], Card["H6"], Card["H2"]}
    assert set(tricks.values()) == {9}


@needs_solver
def test_hindsight_tells_what_a_card_cost() -> None:
    at = table(cards="ht h2")
    assert BRIDGE.hindsight(at.state, int(Card["HQ"])) == ""
    assert BRIDGE.hindsight(at.state, int(Card["H4"])) == "costs a trick, with all hands open; ♥K or ♥Q would not"


@needs_solver
def test_a_match_comes_out_the_same_in_the_process_of_a_worker_however_busy_the_machine_is() -> None:
    match = Match("bridge", ("sampler@deals=2", "random") * 2, 2, 5, mirror=True, bot_seconds=0.001).prepared()
    batches = list(play(match))
    assert not any(batch.failure for batch in batches)
    results = [row.tolist() for batch in batches for row in batch.results]
    here = [play_here(match, rotation, range(2)).results.tolist() for rotation in range(2)]
    assert results == [here[rotation][deal] for deal in range(2) for rotation in range(2)]


@needs_solver
def test_at_a_table_too_the_sampler_takes_as_long_as_it_needs() -> None:
    player = bots.seat_player(BRIDGE, bots.known(BRIDGE, "sampler@deals=2", 0.001), 0.001)
    assert "over 2 deals" in player.decide(table().view(3)).reason


@needs_solver
def test_the_sampler_tells_how_many_deals_it_has_solved() -> None:
    reported: list[tuple[int, int]] = []
    dana = Sampler()
    dana.progress = lambda done, of: reported.append((done, of))
    dana.estimate(BRIDGE.view(table().view(3)), 6)
    assert reported == [(0, 6), (4, 6), (0, 0)]


def test_without_endplay_the_sampler_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str, *arguments: Any) -> Any:
        if name.startswith("endplay"):
            raise ModuleNotFoundError(name)
        return real(name, *arguments)

    real = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", missing)
    double_dummy.library.cache_clear()
    try:
        with pytest.raises(KibitzError, match=r"needs endplay: pip install 'kibitz\[bridge\]'"):
            registry.agent(BRIDGE, "sampler").take_seat(BRIDGE)
        assert "pip install" in BRIDGE.hindsight(table().state, int(Card["HT"]))
        assert BRIDGE.page(table().state)["tricks_of"] is None
    finally:
        double_dummy.library.cache_clear()


def test_who_looks_back_sees_what_every_card_takes_and_the_page_itself_solves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A page is made in the event loop of the server, and a thread solves before."""
    monkeypatch.setattr(double_dummy, "CACHE", {})
    at = table()
    state = at.open_state()
    assert BRIDGE.page(state)["tricks_of"] is None
    BRIDGE.prepare_page(at.view(at.to_move))  # a seat's view has nothing to solve
    assert not double_dummy.CACHE
    BRIDGE.prepare_page(state)
    monkeypatch.setattr(double_dummy, "library", lambda: pytest.fail("it solves again"))
    tricks = BRIDGE.page(state)["tricks_of"]
    assert set(tricks) == {card.name for card in BRIDGE.view(state).legal}
    assert BRIDGE.prepares_pages


@pytest.mark.parametrize("mixed", [False, True], ids=named)
def test_a_mirrored_deal_is_played_by_both_sides(mixed: bool) -> None:
    """Duplicate bridge: two games a deal where partners are alike, else one for each seat."""
    seats = ("heuristic", "random", "heuristic", "heuristic" if mixed else "random")
    match = Match("bridge", seats, 3, 5, mirror=True).prepared()
    results = [row.tolist() for batch in play(match) for row in batch.results]
    assert match.games_a_deal == (4 if mixed else 2)
    assert len(results) == 3 * match.games_a_deal
    assert all(results[2 * deal][1:3] == results[2 * deal + 1][1:3] for deal in range(3))  # the same contract


def test_the_heuristic_player_makes_more_contracts_than_the_random_one() -> None:
    match = Match("bridge", ("heuristic", "random") * 2, 100, 5, mirror=True).prepared()
    wins = sum(int((batch.results[:, 0] == (0b0101 << batch.rotations % 2)).sum()) for batch in play(match))
    assert wins > 150  # of 200
