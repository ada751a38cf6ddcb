"""Love Letter as JSON: what a page and a bot over the network are handed, and what is not in it."""

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.engine.loop import ONLOOKER
from kibitz.games.loveletter.cards import NAMES, SORTED
from kibitz.games.loveletter.game import LOVE_LETTER

PLAYERS = tuple(LOVE_LETTER.players)
WHOLE_GAME = LOVE_LETTER.check_rules({"unit": "game"})
DECK = [NAMES[kind] for kind in SORTED]


def games(players: int, number: int = 1) -> Iterator[Table]:
    """The table before every move, and at the end, of whole games in which moves are chosen at random."""
    for game in range(number):
        dice = random.Random(game)
        table = Table(LOVE_LETTER, [], LOVE_LETTER.deal(seeds.keys(31), game, players, WHOLE_GAME))
        yield table
        while not table.over:
            moves = [move for move in LOVE_LETTER.legal(table.state) if LOVE_LETTER.move_text(move) != "Princess"]
            table.make(Decision(dice.choice(moves or LOVE_LETTER.legal(table.state))))
            yield table


def dealt(players: int, *first: str, rules: dict[str, str] = WHOLE_GAME) -> Table:
    """A table whose deck begins so: the card set aside, three open ones if two play, the hands, the draws."""
    rest = list(DECK)
    for card in first:
        rest.remove(card)
    start = LOVE_LETTER.load_start({"deck": [*first, *rest], "later": 7}, players, rules)
    return Table(LOVE_LETTER, [], start)


def make(table: Table, *moves: str) -> None:
    for move in moves:
        table.make(Decision(LOVE_LETTER.move(move, table.state)))


def event(table: Table, viewer: int) -> dict[str, Any]:
    return LOVE_LETTER.event(table.view(viewer), len(table.turns) - 1)


@pytest.mark.parametrize("players", PLAYERS)
def test_an_onlooker_is_shown_no_hand_and_nothing_set_aside(players: int) -> None:
    """At the end of a game the players still in it show their hands."""
    for table in games(players):
        page = LOVE_LETTER.page(table.view(ONLOOKER))
        assert page["seat"] is None
        assert page["set_aside"] is None
        assert table.over or all(card is None for seat in page["seats"] for card in seat["cards"])
        assert all(seat["known_to"] == [] for seat in page["seats"])
        assert LOVE_LETTER.odds(table.view(ONLOOKER)) == []


@pytest.mark.parametrize("players", PLAYERS)
def test_the_page_of_a_seat_is_the_same_in_every_world_the_seat_can_imagine(players: int) -> None:
    different = 0
    for table in games(players):
        if table.over:
            continue
        for seat in range(players):
            other = table.sample_world(seat, [], stream=seat + 11)
            different += LOVE_LETTER.page(other.state)["seats"] != LOVE_LETTER.page(table.state)["seats"]
            there, here = LOVE_LETTER.page(other.view(seat)), LOVE_LETTER.page(table.view(seat))
            assert there == here
            assert LOVE_LETTER.odds(other.view(seat)) == LOVE_LETTER.odds(table.view(seat))
            if len(other.turns) == len(table.turns) and table.turns:
                assert event(other, seat) == event(table, seat)
    assert different > 20


@pytest.mark.parametrize("players", PLAYERS)
def test_a_seat_is_shown_its_own_cards_and_those_it_was_shown(players: int) -> None:
    for table in games(players):
        if table.over:
            continue
        open_seats = LOVE_LETTER.page(table.state)["seats"]
        for seat in range(players):
            page = LOVE_LETTER.page(table.view(seat))
            assert page["seats"][seat]["cards"] == open_seats[seat]["cards"]
            for other in set(range(players)) - {seat}:
                known = bool(table.state["known"][other] >> seat & 1)
                shown = page["seats"][other]["cards"]
                assert len(shown) == len(open_seats[other]["cards"])
                assert shown[1:] == [None] * len(shown[1:])
                if shown:
                    assert shown[0] == (open_seats[other]["cards"][0] if known else None)


def test_only_who_plays_a_priest_sees_the_card() -> None:
    table = dealt(3, "Guard", "Countess", "Baron", "Guard", "Priest")
    make(table, "Priest G2")
    assert event(table, 0)["shown"] == [None, "Baron"]
    assert LOVE_LETTER.page(table.view(0))["seats"][1]["cards"] == ["Baron", None]
    for other in (1, 2, ONLOOKER):
        assert event(table, other)["shown"] is None
        assert "Baron" not in event(table, other)["text"]
    assert LOVE_LETTER.page(table.view(1))["seats"][1]["known_to"] == [0]
    assert LOVE_LETTER.page(table.view(2))["seats"][1]["known_to"] == []


def test_those_who_compare_see_both_cards_and_nobody_else_does() -> None:
    table = dealt(3, "Guard", "Guard", "Guard", "King", "Baron")
    make(table, "Baron G2")
    assert event(table, 0)["shown"] == ["Guard", "Guard"]
    assert event(table, 1)["shown"] == ["Guard", "Guard"]
    assert event(table, 2)["shown"] is None


def test_a_missed_guard_rules_a_card_out_for_everybody() -> None:
    table = dealt(3, "Guard", "Guard", "Baron", "Guard", "King")
    make(table, "Guard G2 Princess")
    assert LOVE_LETTER.page(table.view(ONLOOKER))["seats"][1]["ruled_out"] == ["Princess"]
    chances = {each["seat"]: each["cards"] for each in LOVE_LETTER.odds(table.view(0))}
    assert "Princess" not in chances[1]
    assert "Princess" in chances[2]
    assert sum(chances[1].values()) == pytest.approx(1)


def test_the_end_of_a_round_is_announced_with_the_hands_and_the_next_is_dealt() -> None:
    table = dealt(2, "Guard", "Guard", "Guard", "Guard", "Guard", "Princess", "Handmaid")
    make(table, "Guard G2 Princess")
    happened = event(table, 1)
    assert happened["out"] == 1
    assert happened["opened"] == "Princess"
    assert happened["round_over"]["winners"] == [0]
    assert happened["round_over"]["decisive"] == "Guard"
    page = LOVE_LETTER.page(table.view(1))
    assert page["round"] == 2
    assert page["tokens"] == [1, 0]
    assert page["rounds"][0]["hands"] == {"0": "Handmaid"}
    assert page["seats"][1]["discards"] == []


def test_reasons_are_sent_round_by_round() -> None:
    for table in games(2):
        if table.over:
            assert LOVE_LETTER.turns_explained(table.state) == len(table.turns)
        else:
            assert LOVE_LETTER.turns_explained(table.state) == sum(
                past.turns for past in LOVE_LETTER.view(table.state).rounds
            )


@pytest.mark.parametrize("players", PLAYERS)
def test_choices_are_the_legal_moves_in_words_the_game_reads(players: int) -> None:
    for table in games(players):
        if not table.over:
            view = table.view(table.to_move)
            choices = LOVE_LETTER.choices(view)
            assert [LOVE_LETTER.move(choice["move"], view) for choice in choices] == LOVE_LETTER.legal(view)


def test_everything_is_json() -> None:
    for table in games(3):
        for viewer in (0, 1, 2, ONLOOKER):
            view = table.view(viewer)
            parts = [LOVE_LETTER.page(view), LOVE_LETTER.odds(view)]
            if table.turns:
                parts.append(event(table, viewer))
            assert msgspec.json.decode(msgspec.json.encode(parts)) == parts
