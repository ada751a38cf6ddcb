"""A struct from a host goes to compiled code, which does not check its indices: what cannot be a view is refused."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.errors import RecordError
from tests.any_game import every_rules

GAMES = registry.games()
HANABI, LOVE_LETTER = registry.game("hanabi"), registry.game("loveletter")
HISTORIES = [HANABI, LOVE_LETTER]  # the games whose states keep what happened


def tables(game: Game) -> list[Table]:
    """A table for every number of players and all rules, where everybody moves at random."""
    agent = registry.agent(game, {"hanabi": "random_legal"}.get(game.name, "random"))
    return [
        Table(game, [agent.take_seat(game)] * players, game.deal(keys(number), number, players, rules))
        for number, (players, rules) in enumerate(product(game.players, every_rules(game)))
    ]


def views(table: Table) -> list[Any]:
    return [table.view(seat).copy() for seat in range(len(table.players))]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_view_of_a_real_game_is_accepted(game: Game) -> None:
    for table in tables(game):
        for _ in (None, *table.steps()):
            for seat, view in enumerate(views(table)):
                game.check_view(view, seat)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_view_outside_its_bounds_is_refused(game: Game) -> None:
    view = views(tables(game)[0])[1]
    for field, (least, greatest) in game.bounds.items():
        for value in (least - 1, greatest + 1):
            if np.can_cast(np.min_scalar_type(value), view.dtype[field].base):
                wrong = view.copy()
                wrong[field] = value
                with pytest.raises(RecordError, match=f"{field} must be from"):
                    game.check_view(wrong, 1)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_view_of_another_seat_is_refused(game: Game) -> None:
    view = views(tables(game)[0])[1]
    wrong = {"players": (1, 9), "seat": (0, -1), "to_move": (2,)}
    for field, value in ((name, value) for name, values in wrong.items() for value in values):
        if field in (view.dtype.names or ()):
            other = view.copy()
            other[field] = value
            with pytest.raises(RecordError, match="not a view of G2"):
                game.check_view(other, 1)


@pytest.mark.parametrize("game", HISTORIES, ids=lambda game: game.name)
@pytest.mark.parametrize("happened", [63, 31 << 6])
def test_an_event_that_cannot_be_in_the_history_is_refused(game: Game, happened: int) -> None:
    if game.name == "loveletter" and happened != 63:
        happened = 15 << 10
    view = views(tables(game)[0])[1]
    view["history"][3] = happened  # it is not read before what is in it is known
    with pytest.raises(RecordError, match="only moves of the game"):
        game.check_view(view, 1)


def test_rounds_that_do_not_fit_the_history_are_refused() -> None:
    game = registry.game("loveletter")
    view = views(tables(game)[0])[1]
    view["finished"] = 2
    view["rounds"][:2] = 15 << 6
    with pytest.raises(RecordError, match="A view of Love Letter has legal targets for its cards"):
        game.check_view(view, 1)


# What a hostile host has sent, and compiled agents crashed on or never came back from.


def late(game: Game, seat: int = 1, moves: int = 12) -> Any:
    """The view of a seat in the middle of a game."""
    table = tables(game)[0]
    for _ in range(moves):
        table.step()
    return table.view(seat).copy()


@pytest.mark.parametrize(
    ("field", "index", "value"),
    [("drawn", (), 50), ("hands", (0, 0), 49), ("held", (1,), 0), ("hinted_kinds", (1, 0), 0), ("deck", (0,), 24),
     ("tokens", (), 9), ("played", (), 1), ("countdown", (), 1), ("values", (0,), 1023), ("history", (20,), 12)],
)  # fmt: skip
def test_a_view_of_hanabi_that_contradicts_itself_is_refused(field: str, index: Any, value: int) -> None:
    view = late(HANABI)
    HANABI.check_view(view, 1)
    view.reshape(1)[field][(0, *index)] = value
    with pytest.raises(RecordError):
        HANABI.check_view(view, 1)


def test_hints_that_no_hand_agrees_with_are_refused_and_not_searched_for_ever() -> None:
    view = HANABI.deal(keys(1), 1, 2, {rule.name: rule.default for rule in HANABI.rules})
    table = Table(HANABI, [], view)
    seen = table.view(0)
    seen["hinted_kinds"][0][:2] = 1 << 4  # there is one red five
    with pytest.raises(RecordError, match="hints that some hand agrees with"):
        HANABI.check_view(seen, 0)


@pytest.mark.parametrize(
    ("field", "index", "value"),
    [("count", (0,), 10), ("laid", (0, 0), 8), ("drawn", (), 16), ("drawer", (0,), 0), ("deck", (15,), 1),
     ("hands", (0, 0), 9 - 1), ("known", (0,), 2), ("out", (), 3), ("first", (), 1), ("opened", (), 1),
     ("looks", (1, 0), 0x11), ("missed", (0,), 0), ("tokens", (0,), 1), ("finished", (), 19), ("spare", (0,), 1)],
)  # fmt: skip
def test_a_view_of_love_letter_that_contradicts_itself_is_refused(field: str, index: Any, value: int) -> None:
    view = late(LOVE_LETTER, moves=2)
    LOVE_LETTER.check_view(view, 1)
    before = int(view.reshape(1)[field][(0, *index)])
    view.reshape(1)[field][(0, *index)] = value if value != before else 7
    with pytest.raises(RecordError):
        LOVE_LETTER.check_view(view, 1)


def test_a_position_set_up_by_hand_is_accepted_at_every_turn() -> None:
    """Piles, discards and hints from before the first move are in no history."""
    for number in range(20):
        table = tables(HANABI)[number % 4]
        for _ in range(number):
            if not table.over:
                table.step()
        if table.over:
            continue
        rules = {rule.name: rule.default for rule in HANABI.rules}
        start = HANABI.load_start(HANABI.dump_start(table.state), len(table.players), rules)
        later = Table(HANABI, [each.copy() for each in table.players], start)
        for _ in (None, *later.steps()):
            for seat, view in enumerate(views(later)):
                HANABI.check_view(view, seat)


@pytest.mark.parametrize("game", HISTORIES, ids=lambda game: game.name)
def test_views_that_do_not_follow_each_other_are_refused(game: Game) -> None:
    """An agent remembers what it saw: views of two games, or of one with a gap, would lead it astray."""
    table, other = tables(game)[0], Table(game, [], game.deal(keys(9), 9, 2, game.check_rules({})))
    table.run()
    seen = [past.view(1).copy() for past in table.from_the_start()]
    for before, view in zip([None, *seen], seen, strict=False):
        game.check_next(view, 1, before)
    for before, view in ((seen[0], seen[2]), (seen[1], seen[1]), (seen[2], seen[1]), (other.view(1), seen[1])):
        with pytest.raises(RecordError, match="leads to this view after the one before it"):
            game.check_next(view, 1, before)
    with pytest.raises(RecordError, match=f"No legal game of {game.title} leads to this view"):
        game.check_next(seen[3], 1, None)
