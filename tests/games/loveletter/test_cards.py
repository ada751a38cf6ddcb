"""The eight cards of Love Letter: what each does, and what everybody knows after it."""

import pytest

from kibitz.engine.loop import ONLOOKER
from kibitz.games.loveletter.cards import COUNTESS, GUARD, KINDS, KING, NAMES, PRIEST, PRINCE, PRINCESS
from kibitz.games.loveletter.game import LOVE_LETTER
from tests.games.loveletter.tables import at, hand, laid, legal, make, nearly_done

# Guard


def test_a_guard_who_names_the_card_puts_its_holder_out() -> None:
    view = make(at("guard", "priest", "baron", draws="handmaid"), "guard g2 priest")
    assert view.is_out(1)
    assert (hand(view, 1), laid(view, 1)) == ("", "priest")


def test_a_guard_who_names_another_card_does_nothing() -> None:
    view = make(at("guard", "priest", "baron", draws="handmaid"), "guard g2 baron")
    assert not view.is_out(1)
    assert hand(view, 1).split()[0] == "priest"


def test_a_guard_names_any_card_but_a_guard() -> None:
    table = at("guard", "guard", draws="guard")
    assert legal(table) == {f"Guard G2 {NAMES[kind]}" for kind in range(PRIEST, KINDS)}


def test_a_guard_cannot_be_put_out_by_a_guard() -> None:
    for kind in range(PRIEST, KINDS):
        table = at("guard", "guard", "guard", draws="guard")
        assert not make(table, f"guard g2 {NAMES[kind]}").is_out(1)


# Priest


def test_a_priest_shows_the_card_to_who_played_it_and_to_nobody_else() -> None:
    table = at("priest", "king", "baron", draws="guard")
    make(table, "priest g2")
    views = [LOVE_LETTER.view(table.view(seat)) for seat in range(3)]
    assert views[0].card(1) == KING
    assert views[2].card(1) is None
    assert [str(view.history[0].shown and view.history[0].shown[1]) for view in views] == ["King", "None", "None"]


def test_who_was_looked_at_knows_that_it_is_known() -> None:
    table = at("priest", "king", "baron", draws="guard")
    make(table, "priest g2")
    assert LOVE_LETTER.view(table.view(1)).known_to(1) == (0,)
    assert LOVE_LETTER.view(table.view(2)).known_to(1) == ()


def test_a_card_that_was_shown_is_remembered_until_it_may_have_been_played() -> None:
    table = at("priest", "king", "baron", draws="guard guard handmaid handmaid guard")
    make(table, "priest g2", "guard g3 prince", "handmaid", "handmaid")
    assert LOVE_LETTER.view(table.view(0)).card(1) == KING
    make(table, "king")  # with everybody protected it has no effect
    assert LOVE_LETTER.view(table.view(0)).card(1) is None


def test_a_card_like_the_known_one_may_be_the_known_one() -> None:
    """G2 was seen with a Guard and plays a Guard: the one it keeps may be anything, even if it is a Guard too."""
    table = at("priest", "guard", "baron", draws="king guard")
    make(table, "priest g2", "guard g3 king")
    assert hand(LOVE_LETTER.view(table.state), 1) == "guard"
    assert LOVE_LETTER.view(table.view(0)).card(1) is None
    assert LOVE_LETTER.view(table.view(1)).known_to(1) == ()


# Baron


@pytest.mark.parametrize(
    ("mine", "theirs", "out"), [("king", "priest", 1), ("priest", "king", 0), ("countess", "princess", 0)]
)
def test_a_baron_puts_the_lower_card_out(mine: str, theirs: str, out: int) -> None:
    view = make(at(mine, theirs, "guard", draws="baron"), "baron g2")
    assert [view.is_out(seat) for seat in (0, 1)] == [out == 0, out == 1]
    assert laid(view, 0) == f"baron {mine}" if out == 0 else "baron"
    assert laid(view, 1) == (theirs if out == 1 else "")


def test_equal_cards_at_a_baron_put_nobody_out_and_both_know_them() -> None:
    table = at("priest", "priest", "guard", draws="baron")
    view = make(table, "baron g2")
    assert not any(view.is_out(seat) for seat in range(3))
    views = [LOVE_LETTER.view(table.view(seat)) for seat in range(3)]
    assert (views[0].card(1), views[1].card(0), views[2].card(0), views[2].card(1)) == (PRIEST, PRIEST, None, None)
    assert (views[0].known_to(0), views[1].known_to(1)) == ((1,), (0,))


def test_the_winner_of_a_baron_is_known_to_hold_more_than_the_loser() -> None:
    table = at("king", "handmaid", "guard", draws="baron")
    make(table, "baron g2")
    assert [str(card) for card in LOVE_LETTER.view(table.view(2)).ruled_out(0)] == [
        "Guard", "Priest", "Baron", "Handmaid",
    ]  # fmt: skip


def test_who_is_out_knows_a_card_and_can_do_no_harm_with_it() -> None:
    table = at("king", "handmaid", "guard", draws="baron guard")
    make(table, "baron g2")
    assert LOVE_LETTER.view(table.view(1)).card(0) == KING
    assert LOVE_LETTER.view(table.view(0)).known_to(0) == ()


# Handmaid


def test_a_handmaid_protects_until_the_next_turn() -> None:
    table = at("handmaid", "guard", "baron", draws="countess guard priest guard prince")
    make(table, "handmaid")
    assert legal(table) == {f"Guard G3 {NAMES[kind]}" for kind in range(PRIEST, KINDS)}
    make(table, "guard g3 king")
    assert legal(table) == {"Baron G2", "Priest G2"}
    view = make(table, "priest g2")
    assert not view.is_protected(0)
    make(table, "guard g3 king")
    assert "Prince G1" in legal(table)


@pytest.mark.parametrize("card", ["guard", "priest", "baron", "king"])
def test_a_card_that_finds_everybody_protected_has_no_effect(card: str) -> None:
    other = "guard" if card != "guard" else "priest"
    table = at("countess", other, draws=f"handmaid {card}")
    before = make(table, "handmaid")
    assert hand(before, 1) == f"{other} {card}"
    assert legal(table) == {card.capitalize(), other.capitalize()}
    view = make(table, card)
    assert [hand(view, seat).split()[0] for seat in (0, 1)] == ["countess", other]
    assert laid(view, 1) == card
    assert not view.is_out(0)
    assert not view.is_out(1)


def test_a_card_must_be_played_on_somebody_if_anybody_is_not_protected() -> None:
    table = at("handmaid", "baron", "guard", draws="king priest")
    make(table, "handmaid")
    assert legal(table) == {"Baron G3", "Priest G3"}


def test_only_a_prince_is_played_on_oneself() -> None:
    table = at("prince", "guard", "guard", draws="baron")
    assert legal(table) == {"Prince G1", "Prince G2", "Prince G3", "Baron G2", "Baron G3"}


# Prince


def test_a_prince_makes_another_player_lay_down_and_draw() -> None:
    view = make(at("prince", "king", "guard", draws="priest baron handmaid"), "prince g2")
    assert laid(view, 1) == "king"
    assert hand(view, 1) == "baron handmaid"  # and its own turn has begun
    assert not view.is_out(1)


def test_a_prince_may_be_played_on_oneself() -> None:
    view = make(at("prince", "king", "guard", draws="priest baron"), "prince g1")
    assert (laid(view, 0), hand(view, 0)) == ("prince priest", "baron")


@pytest.mark.parametrize(("hands", "target"), [(("guard", "princess"), 1), (("princess", "guard"), 0)])
def test_a_prince_puts_out_whoever_lays_the_princess_down_and_no_card_is_drawn(
    hands: tuple[str, str], target: int
) -> None:
    table = at(*hands, "king", draws="prince")
    before = LOVE_LETTER.view(table.state).deck_left
    view = make(table, f"prince g{target + 1}")
    assert view.is_out(target)
    assert laid(view, target).split()[-1] == "princess"
    assert hand(view, target) == ""
    assert view.deck_left == before - 1  # only the next player has drawn


def test_a_prince_hits_oneself_if_everybody_is_protected() -> None:
    table = at("guard", "prince", draws="handmaid priest king")
    make(table, "handmaid")
    assert legal(table) == {"Prince G2", "Priest"}
    view = make(table, "prince g2")
    assert (laid(view, 1), hand(view, 1)) == ("prince priest", "king")


def test_with_an_empty_deck_a_prince_gives_the_card_set_aside() -> None:
    view = make(nearly_done("baron", "prince", last="king", aside="princess"), "prince g1")
    assert view.over
    assert view.rounds[-1].hands == {0: PRINCESS, 1: KING}
    assert view.rounds[-1].winners == (0,)
    assert laid(view, 0).split()[-1] == "baron"


def test_with_an_empty_deck_a_princess_laid_down_takes_no_card() -> None:
    view = make(nearly_done("princess", "prince", last="king", aside="baron"), "prince g1")
    assert (view.rounds[-1].winners, view.rounds[-1].decisive) == ((1,), PRINCE)
    assert view.rounds[-1].hands == {1: KING}


# King


def test_a_king_exchanges_hands_and_both_know_the_card_they_gave() -> None:
    table = at("king", "guard", "baron", draws="priest handmaid")
    view = make(table, "king g2")
    assert (hand(view, 0), hand(view, 1)) == ("guard", "priest handmaid")
    views = [LOVE_LETTER.view(table.view(seat)) for seat in range(3)]
    assert (views[0].card(1), views[1].card(0)) == (PRIEST, GUARD)
    assert views[2].cards(0) == views[2].cards(1) == ()
    assert (views[0].known_to(0), views[1].known_to(1)) == ((1,), (0,))


def test_what_is_known_of_a_card_goes_with_it_through_a_king() -> None:
    table = at("priest", "guard", "baron", draws="handmaid king countess")
    make(table, "priest g2", "king g3")
    view = LOVE_LETTER.view(table.view(0))
    assert (view.card(1), view.card(2)) == (None, GUARD)


# Countess


@pytest.mark.parametrize("other", ["king", "prince"])
def test_the_countess_must_be_played_beside_a_king_or_a_prince(other: str) -> None:
    assert legal(at("countess", "guard", draws=other)) == {"Countess"}
    assert legal(at(other, "guard", draws="countess")) == {"Countess"}


@pytest.mark.parametrize("other", ["guard", "priest", "baron", "handmaid", "princess"])
def test_the_countess_may_be_kept_beside_any_other_card(other: str) -> None:
    moves = legal(at("countess", "guard", draws=other))
    assert "Countess" in moves
    assert any(move.startswith(other.capitalize()) for move in moves)


def test_the_countess_does_nothing() -> None:
    view = make(at("countess", "guard", "baron", draws="priest king"), "countess")
    assert (hand(view, 0), hand(view, 1), hand(view, 2)) == ("priest", "guard king", "baron")


def test_who_plays_a_king_or_a_prince_is_known_not_to_keep_the_countess() -> None:
    table = at("prince", "king", "guard", draws="guard")
    make(table, "prince g2")
    assert COUNTESS in LOVE_LETTER.view(table.view(2)).ruled_out(0)


# Princess


def test_whoever_plays_the_princess_is_out() -> None:
    view = make(at("princess", "guard", "baron", draws="king"), "princess")
    assert view.is_out(0)
    assert laid(view, 0) == "princess king"


@pytest.mark.parametrize(
    ("held", "other", "drawn", "move", "out", "cards"),
    [
        ("guard", "king", "priest", "guard g2 king", 1, "king"),
        ("priest", "king", "baron", "baron g2", 0, "baron priest"),
        ("king", "priest", "baron", "baron g2", 1, "priest"),
        ("princess", "king", "priest", "princess", 0, "princess priest"),
        ("prince", "princess", "priest", "prince g2", 1, "princess"),
    ],
)
def test_the_hand_of_whoever_goes_out_is_laid_open(
    held: str, other: str, drawn: str, move: str, out: int, cards: str
) -> None:
    table = at(held, other, "guard", draws=drawn)
    make(table, move)
    for viewer in (0, 1, 2, ONLOOKER):
        view = LOVE_LETTER.view(table.view(viewer))
        assert view.is_out(out)
        assert laid(view, out) == cards


# What Guards and Barons reveal to all


def test_a_card_that_was_named_in_vain_is_ruled_out_until_another_may_have_taken_its_place() -> None:
    table = at("guard", "handmaid", "baron", draws="guard king prince guard priest")
    make(table, "guard g2 king")
    assert LOVE_LETTER.view(table.view(2)).ruled_out(1) == (KING,)
    make(table, "king g3")  # G2 was known not to hold the King: so it has just drawn it and kept the other card
    assert LOVE_LETTER.view(table.view(0)).ruled_out(2) == (KING, COUNTESS)
    make(table, "handmaid")
    assert LOVE_LETTER.view(table.view(0)).ruled_out(2) == ()
