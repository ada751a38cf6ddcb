"""The rules of Hanabi, one at a time."""

import random
from collections import Counter

import numpy as np
import pytest

from kibitz.core.table import Table
from kibitz.errors import KibitzError
from kibitz.games.hanabi import Move, View
from kibitz.games.hanabi import rules as hanabi_rules
from kibitz.games.hanabi.cards import COLOURS
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import ALL_MOVES
from tests.tables import DEFAULTS, EVERY_RULES, PLAYERS, at, dealt, hand, make, named, other_cards, table_of, wander

TWO_HANDS = ("r1 r2 y3 g4 b5", "w1 w2 y1 y4 b4")


@pytest.mark.parametrize(("players", "size", "deck_left"), [(2, 5, 40), (3, 5, 35), (4, 4, 34), (5, 4, 30)])
def test_two_or_three_hold_five_cards_and_four_or_five_hold_four(players: int, size: int, deck_left: int) -> None:
    view = HANABI.view(dealt(players)[0])
    assert [len(cards) for cards in view.hands] == [size] * players
    assert view.deck_left == deck_left


def test_a_game_starts_with_eight_tokens_three_lives_and_empty_piles() -> None:
    view = HANABI.view(dealt(3)[0])
    assert (view.tokens, view.lives, view.to_move) == (8, 3, 0)
    assert view.piles == dict.fromkeys(COLOURS, 0)
    assert not any(card.marked for cards in view.hands for card in cards)


def test_the_deck_has_three_ones_one_five_and_two_of_the_others_in_each_colour() -> None:
    kinds = Counter(int(kind) for kind in dealt(2)[0]["deck"])
    assert kinds == {5 * colour + rank: copies for colour in range(5) for rank, copies in enumerate((3, 2, 2, 2, 1))}


def test_hanabi_is_for_two_to_five_players() -> None:
    for players in (1, 6):
        with pytest.raises(KibitzError, match=f"2 to 5 players, not {players}"):
            HANABI.check_players(players)


def test_the_default_rules_are_those_of_jarzabek_and_leja_without_empty_hints() -> None:
    assert HANABI.check_rules({}) == {"lost_game": "piles", "empty_hint": "forbidden", "full_discard": "allowed"}


def test_a_rule_or_a_choice_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(KibitzError, match=r"'lost_gam'. Did you mean lost_game\?.*lost_game=piles\|zero"):
        HANABI.check_rules({"lost_gam": "zero"})
    with pytest.raises(KibitzError, match="lost_game is played as piles or zero, not 'nothing'"):
        HANABI.check_rules({"lost_game": "nothing"})


# Plays


def test_a_card_that_fits_extends_its_pile() -> None:
    table = at(*TWO_HANDS, tokens=4)
    view = make(table, "play 1")
    assert view.piles == {**dict.fromkeys(COLOURS, 0), "red": 1}
    assert (view.tokens, view.lives, view.discards) == (4, 3, ())


def test_a_pile_goes_on_from_rank_to_rank() -> None:
    table = at("r1 r2 r3 r4 r5", "y1 y2 y3 y4 y5", tokens=0)
    view = make(table, *("play 1",) * 10)
    assert view.piles == {**dict.fromkeys(COLOURS, 0), "red": 5, "yellow": 5}
    assert view.lives == 3


@pytest.mark.parametrize("slot", [2, 3, 4, 5])
def test_a_wrong_card_is_discarded_and_costs_a_life(slot: int) -> None:
    table = at(*TWO_HANDS, tokens=4)
    wrong = HANABI.view(table.state).hands[0][slot - 1].kind
    view = make(table, f"play {slot}")
    assert (view.score, view.tokens, view.lives, view.discards) == (0, 4, 2, (wrong,))


def test_a_copy_of_a_card_already_on_its_pile_is_wrong() -> None:
    view = make(at("r1 r2 r3", "y1 y1 y1", piles={"red": 3}), "play 3")
    assert (view.piles["red"], view.lives) == (3, 2)


def test_a_five_returns_a_token() -> None:
    view = make(at("b5", "y1", piles={"blue": 4}, tokens=3), "play 1")
    assert (view.piles["blue"], view.tokens) == (5, 4)


def test_a_five_returns_no_token_when_all_eight_are_there() -> None:
    view = make(at("b5", "y1", piles={"blue": 4}, tokens=8), "play 1")
    assert (view.piles["blue"], view.tokens) == (5, 8)


def test_a_misplayed_five_returns_no_token() -> None:
    view = make(at("b5", "y1", piles={"blue": 3}, tokens=3), "play 1")
    assert (view.lives, view.tokens) == (2, 3)


@pytest.mark.parametrize("height", range(4))
def test_no_other_rank_returns_a_token(height: int) -> None:
    view = make(at(f"b{height + 1}", "y1", piles={"blue": height}, tokens=3), "play 1")
    assert (view.piles["blue"], view.tokens) == (height + 1, 3)


# Discards


def test_a_discard_returns_a_token() -> None:
    view = make(at(*TWO_HANDS, tokens=4), "discard 3")
    assert (view.tokens, view.lives, view.score) == (5, 3, 0)
    assert [str(kind) for kind in view.discards] == ["yellow 3"]


def test_a_discard_with_all_tokens_there_gains_nothing() -> None:
    view = make(at(*TWO_HANDS), "discard 3")
    assert (view.tokens, len(view.discards)) == (8, 1)


def test_a_discard_with_all_tokens_there_can_be_forbidden() -> None:
    table = at(*TWO_HANDS, rules={"full_discard": "forbidden"})
    with pytest.raises(KibitzError, match=r"discard 3.*not legal.*all 8 tokens are there"):
        make(table, "discard 3")
    assert not any(move.is_discard for move in HANABI.view(table.state).legal)


def test_a_discard_below_eight_tokens_is_never_forbidden() -> None:
    view = make(at(*TWO_HANDS, tokens=7, rules={"full_discard": "forbidden"}), "discard 3")
    assert view.tokens == 8


def test_copies_of_a_card_are_counted_among_the_discards() -> None:
    view = make(at("w1 w1 r1", "w1 r3 y3", tokens=0), "discard 1", "discard 1", "discard 1")
    assert [kind.short for kind in view.discards] == ["w1", "w1", "w1"]


# Drawing


@pytest.mark.parametrize("move", ["play 2", "discard 2"])
def test_a_new_card_enters_at_the_right_and_nothing_is_known_of_it(move: str) -> None:
    table = at("r1 r2 y3 g4 b5", "w1 w2 y1 y4 b4", deck="g1 g2", tokens=4, hints=["red to G1", "5 to G1"])
    view = make(table, move)
    assert hand(view, 0) == "r1 y3 g4 b5 g1"
    assert [card.marked for card in view.hands[0]] == [True, False, False, True, False]
    assert len(view.hands[0][-1].kinds) > 10


def test_what_is_known_of_the_other_cards_moves_with_them() -> None:
    table = at("r1 r2 y3 g4 b5", "w1 w2 y1 y4 b4", tokens=4, hints=["red to G1", "5 to G1"])
    before = HANABI.view(table.state).hands[0]
    after = make(table, "discard 1").hands[0]
    assert [(card.place, card.hinted_kinds, card.marked) for card in after[:-1]] == [
        (card.place, card.hinted_kinds, card.marked) for card in before[1:]
    ]


def test_a_hint_draws_nothing() -> None:
    table = at(*TWO_HANDS)
    before = HANABI.view(table.state).deck_left
    assert make(table, "hint 4 to G2").deck_left == before


def test_cards_are_drawn_in_the_order_of_the_deck() -> None:
    table = at("r1 r2", "y1 y2", deck="b1 b2 b3 b4")
    view = make(table, "discard 1", "discard 1", "play 1", "play 1")
    assert (hand(view, 0), hand(view, 1)) == ("b1 b3", "b2 b4")


# Hints


def test_a_hint_costs_a_token() -> None:
    assert make(at(*TWO_HANDS, tokens=1), "hint 4 to G2").tokens == 0


def test_without_a_token_there_is_no_hint() -> None:
    table = at(*TWO_HANDS, tokens=0)
    with pytest.raises(KibitzError, match="no token is left"):
        make(table, "hint 4 to G2")
    assert not any(move.is_hint for move in HANABI.view(table.state).legal)


def test_a_colour_hint_marks_every_card_of_the_colour_and_says_what_the_others_are_not() -> None:
    cards = make(at(*TWO_HANDS), "hint white to G2").hands[1]
    assert [card.colour_hinted for card in cards] == [True, True, False, False, False]
    assert not any(card.rank_hinted for card in cards)
    assert [{kind.colour for kind in card.kinds} for card in cards[:2]] == [{"white"}] * 2
    assert all({kind.colour for kind in card.kinds} == set(COLOURS) - {"white"} for card in cards[2:])


def test_a_rank_hint_marks_every_card_of_the_rank_and_says_what_the_others_are_not() -> None:
    cards = make(at(*TWO_HANDS), "hint 4 to G2").hands[1]
    assert [card.rank_hinted for card in cards] == [False, False, False, True, True]
    assert not any(card.colour_hinted for card in cards)
    assert [{kind.rank for kind in card.kinds} for card in cards[3:]] == [{4}] * 2
    assert all({kind.rank for kind in card.kinds} == {1, 2, 3, 5} for card in cards[:3])


def test_a_card_is_revealed_when_both_colour_and_rank_were_hinted() -> None:
    table = at(*TWO_HANDS)
    make(table, "hint white to G2", "hint 1 to G1")
    card = make(table, "hint 2 to G2").hands[1][1]
    assert card.revealed
    assert [str(kind) for kind in card.kinds] == ["white 2"]


def test_a_hint_goes_to_another_player() -> None:
    with pytest.raises(KibitzError, match="a hint goes to another player"):
        make(at(*TWO_HANDS), "hint red to G1")


def test_a_hint_goes_to_somebody_who_plays() -> None:
    with pytest.raises(KibitzError, match="only 2 are playing"):
        make(at(*TWO_HANDS), "hint red to G3")


@pytest.mark.parametrize("value", ["red", "5"])
def test_a_hint_that_touches_no_card_is_forbidden(value: str) -> None:
    with pytest.raises(KibitzError, match=f"G2 holds no {value}, and these rules forbid"):
        make(at(*TWO_HANDS), f"hint {value} to G2")


def test_a_hint_that_touches_no_card_can_be_allowed_and_says_what_no_card_is() -> None:
    view = make(at(*TWO_HANDS, rules={"empty_hint": "allowed"}), "hint red to G2")
    assert view.tokens == 7
    assert all({kind.colour for kind in card.kinds} == set(COLOURS) - {"red"} for card in view.hands[1])
    assert not any(card.marked for card in view.hands[1])


def test_a_hand_has_no_more_moves_than_cards() -> None:
    with pytest.raises(KibitzError, match=r"play 4.*not legal.*the hand has 3 cards"):
        make(at("r1 r2 r3", "y1 y2 y3"), "play 4")


@pytest.mark.parametrize("players", PLAYERS)
def test_the_turn_goes_round_the_table(players: int) -> None:
    table = table_of((), dealt(players))
    seats = []
    for _ in range(2 * players):
        seats.append(table.to_move)
        make(table, "discard 1")
    assert seats == [*range(players)] * 2


# The last round


def before_the_last_card(players: int, tokens: int) -> Table:
    """Two cards in each hand and one in the draw pile, everything else gone."""
    hands = ["r1 r2", "y1 y2", "g1 g2", "b1 b2", "w1 w2"][:players]
    return at(*hands, deck="r3", discards=other_cards(*hands, "r3"), tokens=tokens)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("move", ["play 1", "discard 1"])
def test_when_the_last_card_is_drawn_everybody_the_drawer_included_has_one_more_turn(players: int, move: str) -> None:
    table = before_the_last_card(players, tokens=0)
    view = make(table, move)
    assert (view.deck_left, view.turns_left) == (0, players)
    seats = []
    while not table.over:
        seats.append(table.to_move)
        make(table, "discard 1")
    assert seats == [*range(1, players), 0]


def test_before_the_last_card_is_drawn_no_turns_are_counted() -> None:
    table = before_the_last_card(2, tokens=8)
    view = make(table, *("hint 1 to G2", "hint 1 to G1") * 4)
    assert (view.deck_left, view.turns_left, view.tokens) == (1, None, 0)


def test_hints_are_turns_of_the_last_round_too() -> None:
    table = before_the_last_card(3, tokens=8)
    make(table, "discard 1", "hint 1 to G3", "hint 1 to G2")
    assert not table.over
    make(table, "hint 1 to G2")
    assert table.over


def test_nothing_is_drawn_in_the_last_round() -> None:
    table = before_the_last_card(2, tokens=0)
    make(table, "discard 1", "play 1")
    view = make(table, "play 1")
    assert (hand(view, 0), hand(view, 1)) == ("r3", "y2")


# The end


@pytest.mark.parametrize("lost_game", ["piles", "zero"])
def test_twenty_five_points_end_the_game_at_once(lost_game: str) -> None:
    piles = {**dict.fromkeys(COLOURS, 5), "white": 4}
    table = at("w5 r1", "r1 y1", piles=piles, lives=1, rules={"lost_game": lost_game})
    make(table, "play 1")
    assert table.over
    assert table.result() == {"score": 25, "lives": 1, "turns": 1}


@pytest.mark.parametrize(("lost_game", "score"), [("piles", 7), ("zero", 0)])
def test_the_last_life_ends_the_game_and_the_piles_count_or_not(lost_game: str, score: int) -> None:
    table = at("r5 y1", "w1 b1", piles={"red": 3, "green": 4}, lives=1, rules={"lost_game": lost_game})
    make(table, "play 1")
    assert table.over
    assert table.result() == {"score": score, "lives": 0, "turns": 1}


@pytest.mark.parametrize("lost_game", ["piles", "zero"])
def test_a_game_that_keeps_a_life_counts_its_piles_under_every_rule(lost_game: str) -> None:
    hands, piles = ("r5 y2", "w1 b1"), {"red": 3, "green": 4}
    table = at(*hands, piles=piles, lives=2, discards=other_cards(*hands, piles=piles), rules={"lost_game": lost_game})
    make(table, "play 1", "play 1")
    assert table.over
    assert table.result() == {"score": 8, "lives": 1, "turns": 2}


def test_three_misplays_lose_a_game() -> None:
    table = at("r5 r4 r3", "y5 y4 y3")
    make(table, "play 1", "play 1")
    assert not table.over
    make(table, "play 1")
    assert table.over
    assert HANABI.view(table.state).lives == 0


def test_lost_games_are_those_without_a_life() -> None:
    results = np.array([[25, 3, 60], [0, 0, 9], [7, 0, 30], [18, 1, 70]])
    scores, lost = HANABI.scores(results)
    assert (scores.tolist(), lost) == ([25, 0, 7, 18], 2)


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (0, "boos"), (5, "boos"), (6, "polite"), (10, "polite"), (11, "honourable"), (15, "honourable"),
        (16, "excellent"), (20, "excellent"), (21, "magnificent"), (24, "magnificent"), (25, "legendary"),
    ],
)  # fmt: skip
def test_the_verdict_follows_the_score(score: int, words: str) -> None:
    piles = {colour: min(5, max(0, score - 5 * index)) for index, colour in enumerate(COLOURS)}
    state = dealt(2)[0]
    state["played"] = sum((1 << height) - 1 << 5 * index for index, height in enumerate(piles.values()))
    assert words in HANABI.verdict(state)
    assert HANABI.verdict(state).startswith(f"{score} points")


def test_the_verdict_of_a_lost_game_says_that_the_piles_count_nothing() -> None:
    table = at("r5 y1", "w1 b1", piles={"red": 3}, lives=1, rules={"lost_game": "zero"})
    make(table, "play 1")
    assert HANABI.verdict(table.state) == "0 points: the last life is lost, and the 3 points on the piles do not count."


# Legal moves


def slow_legal(view: View, rules: dict[str, str]) -> list[Move]:
    """The legal moves of an open table, written as in the printed rules."""
    return [move for move in ALL_MOVES if is_legal(move, view, rules)]


def is_legal(move: Move, view: View, rules: dict[str, str]) -> bool:
    if move.is_play or move.is_discard:
        may = move.is_play or view.tokens < 8 or rules["full_discard"] == "allowed"
        return may and move.slot < len(view.hands[view.to_move])
    if view.tokens == 0 or move.target == view.to_move or move.target >= view.players:
        return False
    kinds = [card.kind for card in view.hands[move.target] if card.kind]
    return rules["empty_hint"] == "allowed" or any(move.value in (kind.colour, kind.rank) for kind in kinds)


@pytest.mark.parametrize("rules", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_legal_moves_are_those_the_rules_tell(players: int, rules: dict[str, str]) -> None:
    dice = random.Random(players)
    for number in range(2):
        for table in wander(table_of((), dealt(players, rules=rules, number=number)), dice):
            view = HANABI.view(table.state)
            assert view.legal == slow_legal(view, rules)
            assert view.legal == [move for move in range(-1, 70) if hanabi_rules.allowed(table.state, move)]


@pytest.mark.parametrize("players", PLAYERS)
def test_no_game_is_longer_than_the_history_has_room_for(players: int) -> None:
    """The longest game spends every token on hints, and a card only to get one back."""
    table = table_of((), dealt(players, rules={**DEFAULTS, "empty_hint": "allowed"}))
    while not table.over:
        hints = HANABI.view(table.state).tokens > 0
        make(table, f"hint 1 to G{2 if table.to_move == 0 else 1}" if hints else "discard 1")
    assert table.result()["turns"] <= HANABI.longest
