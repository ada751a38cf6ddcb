"""The rules of Love Letter, one at a time."""

import itertools
import random
from collections import Counter

import pytest

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.errors import KibitzError
from kibitz.games.loveletter.cards import COPIES, COUNTESS, GUARD, HANDMAID, KINDS, NAMES, PRINCE, PRINCESS, SORTED
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.moves import ALL_MOVES, NUMBERS
from kibitz.games.loveletter.rules import ALL, MOVES, MOVES_WITH, allowed, game_winners, payoff
from kibitz.games.loveletter.state import LAID, ROUNDS, TURNS
from kibitz.games.loveletter.view import View
from tests.any_game import named
from tests.games.loveletter.tables import (
    EVERY_RULES,
    GAME,
    PLAYERS,
    ROUND,
    at,
    dealt,
    hand,
    laid,
    make,
    nearly_done,
    table_of,
    wander,
)

DRAWN_TIES, SHARED_TIES = ({**ROUND, "ties": ties} for ties in ("draw", "all"))


# Setting up


def test_the_deck_has_five_guards_two_of_the_next_four_and_one_of_the_rest() -> None:
    kinds = Counter(NAMES[kind] for kind in dealt(2)[0]["deck"])
    twice = dict.fromkeys(("Priest", "Baron", "Handmaid", "Prince"), 2)
    assert kinds == {"Guard": 5, **twice, "King": 1, "Countess": 1, "Princess": 1}


@pytest.mark.parametrize(("players", "face_up", "deck_left"), [(2, 3, 9), (3, 0, 11), (4, 0, 10)])
def test_one_card_is_set_aside_and_with_two_players_three_lie_open(players: int, face_up: int, deck_left: int) -> None:
    table = table_of((), dealt(players))
    view = LOVE_LETTER.view(table.state)
    assert view.set_aside is not None
    assert len(view.face_up) == face_up
    assert view.deck_left == deck_left  # one card a hand, and the first seat has drawn
    assert [len(view.cards(seat)) for seat in range(players)] == [2] + [1] * (players - 1)
    assert all(LOVE_LETTER.view(table.view(seat)).set_aside is None for seat in range(players))
    assert all(LOVE_LETTER.view(table.view(seat)).face_up == view.face_up for seat in range(players))


def test_love_letter_is_for_two_to_four_players() -> None:
    for players in (1, 5):
        with pytest.raises(KibitzError, match=f"2 to 4 players, not {players}"):
            LOVE_LETTER.check_players(players)


def test_a_round_is_played_and_ties_go_to_the_greater_sum_unless_something_else_is_said() -> None:
    assert LOVE_LETTER.check_rules({}) == {"unit": "round", "ties": "discards"}
    assert [rule.choices for rule in LOVE_LETTER.rules] == [("round", "game"), ("discards", "draw", "all")]


def test_the_decks_of_a_game_differ_from_round_to_round() -> None:
    table = table_of((), dealt(2, rules=GAME))
    decks = {
        int(each.state["finished"]): tuple(each.state["deck"].tolist()) for each in wander(table, random.Random(1))
    }
    assert len(set(decks.values())) == len(table.game.view(table.state).rounds) >= 7


def test_every_shuffle_is_as_likely_as_any_other() -> None:
    """Every kind lies at every place of 4,000 decks as often as its copies say, within five standard deviations."""
    decks = 4000
    found = Counter(
        (place, int(kind)) for number in range(decks) for place, kind in enumerate(dealt(3, number=number)[0]["deck"])
    )
    for kind in range(1, KINDS):
        share = COPIES[kind] / 16
        for place in range(16):
            assert abs(found[place, kind] - decks * share) <= 5 * (decks * share * (1 - share)) ** 0.5


# Turns


def test_a_turn_is_to_draw_a_card_and_to_play_one_of_two() -> None:
    table = at("guard", "priest", "baron", draws="handmaid king")
    assert hand(LOVE_LETTER.view(table.state), 0) == "guard handmaid"
    view = make(table, "handmaid")
    assert (hand(view, 0), laid(view, 0)) == ("guard", "handmaid")
    assert (view.to_move, hand(view, 1), hand(view, 2)) == (1, "priest king", "baron")


def test_seats_that_are_out_are_passed_over() -> None:
    table = at("guard", "priest", "baron", "king", draws="handmaid guard")
    view = make(table, "guard g2 priest")
    assert view.to_move == 2
    view = make(table, "guard g4 king")
    assert view.to_move == 0


@pytest.mark.parametrize("players", PLAYERS)
def test_every_move_that_is_legal_is_allowed_and_no_other(players: int) -> None:
    for number in range(12):
        for table in wander(table_of((), dealt(players, number=number)), random.Random(number)):
            if not table.over:
                mask = int(generic.legal(table.state))
                assert mask > 0
                assert [move for move in range(MOVES) if allowed(table.state, move)] == [
                    move for move in range(MOVES) if mask >> move & 1
                ]
                assert LOVE_LETTER.view(table.state).legal == [move for move in ALL_MOVES if mask >> move & 1]
            for move in (-1, MOVES, 63, 64, 255):
                assert not allowed(table.state, move)


def test_a_move_is_a_card_a_target_and_a_name_and_there_are_51() -> None:
    """Guards 7 names on 4 seats, four cards 4 seats each, and 7 cards that may be laid down alone."""
    assert len(set(ALL)) == MOVES == 7 * 4 + 4 * 4 + 7
    assert [NUMBERS[parts] for parts in ALL] == list(range(MOVES))
    assert NUMBERS.get((PRINCE, -1, 0), -1) == NUMBERS.get((HANDMAID, 2, 0), -1) == -1
    assert NUMBERS.get((GUARD, 1, GUARD), -1) == -1


def test_the_moves_with_a_card_are_those_on_its_targets_or_alone_if_there_are_none() -> None:
    for card in range(1, KINDS):
        for targets in range(16):
            moves = {move for move in ALL_MOVES if MOVES_WITH[card][targets] >> move & 1}
            assert {move.card for move in moves} <= {card}
            aimed = {move.target for move in moves} - {None}
            if card in (HANDMAID, COUNTESS, PRINCESS):
                assert [move.target for move in moves] == [None]
            else:
                assert aimed == {seat for seat in range(4) if targets >> seat & 1}
                alone = targets == 0 and card != PRINCE
                assert len(moves) == int(alone) + len(aimed) * (7 if card == GUARD else 1)


# The end of a round


def test_a_round_ends_when_one_player_remains() -> None:
    view = make(at("guard", "priest", draws="handmaid"), "guard g2 priest")
    assert view.over
    assert view.rounds[-1] == (1, (0,), 0, 1, 1, GUARD, {0: HANDMAID})


@pytest.mark.parametrize(("hands", "winner"), [(("king", "baron"), 0), (("baron", "princess"), 1)])
def test_when_the_deck_is_empty_the_highest_card_wins(hands: tuple[str, str], winner: int) -> None:
    view = make(nearly_done(*hands, last="countess"), "countess")
    assert view.over
    assert (view.rounds[-1].winners, view.rounds[-1].decisive, view.rounds[-1].turns) == ((winner,), None, 10)
    assert {seat: str(card).lower() for seat, card in view.rounds[-1].hands.items()} == dict(enumerate(hands))


def tied(ties: dict[str, str], last: str = "countess") -> View:
    return make(nearly_done("baron", "baron", last=last, rules=ties), last)


def test_of_equal_cards_the_greater_sum_of_discards_wins() -> None:
    """G1 has laid down a Handmaid, three Guards and a Priest; G2 the same with a Countess for one of the Guards."""
    view = tied(ROUND)
    assert [sum(view.discards(seat)) for seat in (0, 1)] == [9, 15]
    assert view.rounds[-1].winners == (1,)


def test_a_card_put_down_for_a_prince_counts_in_the_sum() -> None:
    view = make(nearly_done("king", "baron", last="prince", aside="baron"), "prince g1")
    assert [sum(view.discards(seat)) for seat in (0, 1)] == [15, 13]
    assert (view.rounds[-1].hands, view.rounds[-1].winners) == ({0: 3, 1: 3}, (0,))


def test_equal_cards_and_equal_sums_are_won_by_nobody() -> None:
    table = at(
        "baron", "baron", draws="countess handmaid guard handmaid guard priest guard guard priest guard",
        aside="king", face_up="prince prince princess",
    )  # fmt: skip
    make(table, "countess", "handmaid", "guard", "handmaid", "guard", "priest g1")
    view = make(table, "guard g2 king", "guard g1 king", "priest g2", "guard g1 king")
    assert [sum(view.discards(seat)) for seat in (0, 1)] == [12, 12]
    assert (view.over, view.rounds[-1].winners, view.rounds[-1].decisive) == (True, (), None)


def test_the_source_calls_equal_cards_a_draw() -> None:
    view = tied(DRAWN_TIES)
    assert view.rounds[-1].winners == ()
    assert (view.tokens, game_winners(view.struct)) == ([0, 0], 0)


def test_or_all_who_tie_win() -> None:
    view = tied(SHARED_TIES)
    assert view.rounds[-1].winners == (0, 1)
    assert view.tokens == [1, 1]


def test_only_the_highest_cards_tie() -> None:
    for ties in (ROUND, DRAWN_TIES, SHARED_TIES):
        view = make(nearly_done("baron", "king", last="countess", rules=ties), "countess")
        assert view.rounds[-1].winners == (1,)


# Games


@pytest.mark.parametrize(("players", "goal"), [(2, 7), (3, 5), (4, 4)])
def test_a_game_is_won_with_seven_five_or_four_tokens(players: int, goal: int) -> None:
    table = table_of((), dealt(players, rules=GAME))
    for each in wander(table, random.Random(5)):
        view = LOVE_LETTER.view(each.state)
        assert view.over == (max(view.tokens) == view.goal == goal)
    assert sum(view.tokens) == len([past for past in view.rounds if past.winners])
    assert [seat for seat in range(players) if game_winners(table.state) >> seat & 1] == [view.tokens.index(goal)]


def test_a_single_round_ends_the_game_if_one_round_is_played() -> None:
    view = make(at("guard", "priest", draws="handmaid", rules=ROUND), "guard g2 priest")
    assert view.over
    assert view.tokens == [1, 0]


def test_who_wins_a_round_begins_the_next() -> None:
    for players in PLAYERS:
        table = table_of((), dealt(players, rules=GAME, seed=3))
        assert LOVE_LETTER.view(table.state).to_move == 0
        for _ in wander(table, random.Random(3)):
            pass
        past = LOVE_LETTER.view(table.state).rounds
        assert len(past) > 3
        for before, after in itertools.pairwise(past):
            assert after.first == (before.winners[0] if before.winners else before.first)


@pytest.mark.parametrize(("ties", "tokens"), [("draw", [0, 0]), ("all", [1, 1])])
def test_after_a_round_without_a_single_winner_the_same_player_begins_again(ties: str, tokens: list[int]) -> None:
    table = nearly_done("baron", "baron", last="countess", rules={**GAME, "ties": ties})
    view = make(table, "countess")
    assert (view.over, view.round, view.first, view.to_move, view.tokens) == (False, 2, 0, 0, tokens)


def at_last_round(tokens: list[int], *hands: str) -> Table:
    """Before the last round of a game that ties have drawn out."""
    table = at(*hands, draws="handmaid", rules=GAME)
    table.state["finished"] = ROUNDS - 1
    table.state["tokens"][: len(tokens)] = tokens
    return table


def test_a_game_of_twenty_rounds_goes_to_whoever_has_most_tokens() -> None:
    view = make(at_last_round([2, 5], "guard", "priest"), "guard g2 priest")
    assert (view.over, view.tokens) == (True, [3, 5])
    assert int(game_winners(view.struct)) == 0b10
    view = make(at_last_round([4, 5], "guard", "priest"), "guard g2 priest")
    assert int(game_winners(view.struct)) == 0b11


def test_a_game_goes_on_before_its_twentieth_round() -> None:
    table = at_last_round([2, 5], "guard", "priest")
    table.state["finished"] -= 1
    view = make(table, "guard g2 priest")
    assert (view.over, int(game_winners(view.struct))) == (False, 0)


def test_two_may_win_a_game_together_if_all_who_tie_score() -> None:
    table = nearly_done("baron", "baron", last="countess", rules={**GAME, "ties": "all"})
    table.state["tokens"][:2] = 6
    view = make(table, "countess")
    assert (view.over, view.tokens, int(game_winners(view.struct))) == (True, [7, 7], 0b11)


def test_a_win_is_worth_one_a_shared_win_a_share_and_a_draw_an_even_chance() -> None:
    won = make(at("guard", "priest", draws="handmaid"), "guard g2 priest")
    assert [payoff(won.struct, seat) for seat in (0, 1)] == [1.0, 0.0]
    assert [payoff(tied(DRAWN_TIES).struct, seat) for seat in (0, 1)] == [0.5, 0.5]
    assert [payoff(tied(SHARED_TIES).struct, seat) for seat in (0, 1)] == [0.5, 0.5]


# Bounds that the structs rely on


@pytest.mark.parametrize("chosen", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_cards_are_conserved_and_nothing_outgrows_its_room(players: int, chosen: dict[str, str]) -> None:
    for number in range(20 if chosen["unit"] == "round" else 2):
        table = table_of((), dealt(players, rules=chosen, seed=5, number=number))
        for each in wander(table, random.Random(number)):
            state = each.state
            view = LOVE_LETTER.view(state)
            hands = [int(card) for seat in range(players) for card in view.cards(seat)]
            down = [int(card) for seat in range(players) for card in view.discards(seat)]
            left = [int(kind) for kind in state["deck"][state["drawn"] :]]
            aside = [int(state["deck"][0])] if state["drawer"][0] < 0 else []
            assert sorted(hands + down + left + aside + [int(card) for card in view.face_up]) == sorted(SORTED)
            assert max(state["count"]) <= LAID
            assert state["turn"] - state["opened"] <= TURNS


@pytest.mark.parametrize(("players", "turns"), [(2, 10), (3, 12), (4, 11)])
def test_a_round_has_no_more_turns_than_there_are_cards_to_draw(players: int, turns: int) -> None:
    assert LOVE_LETTER.view(dealt(players)[0]).deck_left + 1 == turns <= TURNS


def test_a_move_of_a_game_that_is_over_is_refused() -> None:
    table = at("guard", "priest", draws="handmaid")
    make(table, "guard g2 priest")
    with pytest.raises(KibitzError, match="The game is over"):
        table.make(Decision(0))


def test_an_illegal_move_is_refused_and_changes_nothing() -> None:
    table = at("guard", "priest", draws="handmaid")
    before = table.state.tobytes()
    with pytest.raises(KibitzError, match="illegal move"):
        table.make(Decision(MOVES - 1))
    assert table.state.tobytes() == before
