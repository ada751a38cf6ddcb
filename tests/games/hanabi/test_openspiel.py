"""The rules against another program's: OpenSpiel's Hanabi must agree after every move of a few thousand games."""

import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pyspiel
import pytest

from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.games.hanabi import Move, View, discard, hint, play
from kibitz.games.hanabi.cards import COLOURS
from kibitz.games.hanabi.game import HANABI
from tests.fuzzing import TIMES
from tests.tables import DEFAULTS, PLAYERS, careless_move, dealt, table_of

pytestmark = pytest.mark.fuzz
RULES = {**DEFAULTS, "lost_game": "zero", "full_discard": "forbidden"}
GAMES = 15 * TIMES  # for each number of players and each way to choose moves
THEIR_COLOURS = "RYGWB"
IN_FULL = {colour[0].upper(): colour for colour in COLOURS}

Choose = Callable[[Table, View, random.Random], int]


class Shown(NamedTuple):
    """What both programs say of a table."""

    lives: int
    tokens: int
    piles: dict[str, int]
    deck_left: int
    discards: list[str]
    hands: list[list[str]]
    known: list[list[set[str]]]  # the kinds that hints leave open
    to_move: int


def any_move(table: Table, view: View, dice: random.Random) -> int:
    return dice.choice(view.legal)


def few_misplays(table: Table, view: View, dice: random.Random) -> int:
    return careless_move(view, dice)


def smart(table: Table, view: View, dice: random.Random) -> int:
    return table.decide().move


def their_deal(kind: int) -> int:
    """A card as OpenSpiel deals it: its colours stand in another order."""
    return 5 * THEIR_COLOURS.index(COLOURS[kind // 5][0].upper()) + kind % 5


@cache
def our_move(text: str, seat: int, players: int) -> Move:
    """The move that OpenSpiel describes; it counts the seats of hints from the player who gives them."""
    if found := re.fullmatch(r"\((Play|Discard) (\d)\)", text):
        return (play if found[1] == "Play" else discard)(int(found[2]))
    found = re.fullmatch(r"\(Reveal player \+(\d) (?:color (\w)|rank (\d))\)", text)
    assert found, text
    return hint((seat + int(found[1])) % players, IN_FULL[found[2]] if found[2] else int(found[3]))


def shown_by_them(state: Any) -> Shown:
    text = str(state)
    top, _, rest = text.partition("Hands:\n")
    hands, _, bottom = rest.partition("Deck size: ")
    numbers = re.fullmatch(r"Life tokens: (\d)\nInfo tokens: (\d)\nFireworks: ([\w ]+)\n", top)
    below = re.fullmatch(r"(\d+)\nDiscards:([\w ]*)", bottom)
    assert numbers, text
    assert below, text
    each = [hand.strip().splitlines() for hand in hands.split("-----\n")]
    cards = [[line for line in hand if line != "Cur player"] for hand in each]
    return Shown(
        lives=int(numbers[1]),
        tokens=int(numbers[2]),
        piles={IN_FULL[pile[0]]: int(pile[1]) for pile in numbers[3].split()},
        deck_left=int(below[1]),
        discards=sorted(card.lower() for card in below[2].split()),
        hands=[[line[:2].lower() for line in hand] for hand in cards],
        known=[[kinds_left(line.rpartition("|")[2]) for line in hand] for hand in cards],
        to_move=next((seat for seat, hand in enumerate(each) if "Cur player" in hand), -1),
    )


@cache
def kinds_left(text: str) -> set[str]:
    """`RB12` are the red and blue ones and twos."""
    return {colour + rank for colour in text.lower() if colour.isalpha() for rank in text if rank.isdigit()}


def shown_by_us(table: Table, view: View) -> Shown:
    return Shown(
        lives=view.lives,
        tokens=view.tokens,
        piles=view.piles,
        deck_left=view.deck_left,
        discards=sorted(kind.short for kind in view.discards),
        hands=[[str(card) for card in hand] for hand in view.hands],
        known=[[names_of(card.hinted_kinds) for card in hand] for hand in view.hands],
        to_move=table.to_move,
    )


@cache
def names_of(kinds: int) -> set[str]:
    return {COLOURS[kind // 5][0] + str(kind % 5 + 1) for kind in range(25) if kinds >> kind & 1}


def at_the_end(shown: Shown) -> Shown:
    """OpenSpiel does not draw after the move that ends a game, and does not say that nobody is to move."""
    return shown._replace(deck_left=0, hands=[], known=[], to_move=-1)


def let_them_draw(state: Any, deck: list[int]) -> None:
    """Deal from our deck wherever OpenSpiel would deal by chance."""
    while state.is_chance_node():
        state.apply_action(their_deal(deck.pop(0)))


@pytest.mark.parametrize("choose", [any_move, few_misplays, smart], ids=lambda choose: choose.__name__)
@pytest.mark.parametrize("players", PLAYERS)
def test_openspiel_agrees_after_every_move(players: int, choose: Choose) -> None:
    dice = random.Random(players)
    other_program = pyspiel.load_game("hanabi", {"players": players})
    agents = [registry.agent(HANABI, "smart_cheater")] * players
    for number in range(GAMES):
        table = table_of(agents, dealt(players, rules=RULES, seed=players, number=number))
        theirs = other_program.new_initial_state()
        deck = table.state["deck"].tolist()
        let_them_draw(theirs, deck)
        while True:
            view = HANABI.view(table.state)
            assert table.over == theirs.is_terminal()
            if table.over:
                assert at_the_end(shown_by_us(table, view)) == at_the_end(shown_by_them(theirs))
                break
            assert shown_by_us(table, view) == shown_by_them(theirs)
            actions = {
                our_move(theirs.action_to_string(action), table.to_move, players): action
                for action in theirs.legal_actions()
            }
            assert sorted(actions) == view.legal
            move = choose(table, view, dice)
            table.make(Decision(move))
            theirs.apply_action(actions[Move(move)])
            let_them_draw(theirs, deck)
        assert theirs.returns() == [table.result()["score"]] * players
