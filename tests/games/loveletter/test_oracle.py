"""The rules against a second program: the plain engine must agree after every move of thousands of games."""

import random
from typing import Any

import numpy as np
import pytest

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.loop import WORLD, make_move
from kibitz.games.loveletter import rules
from kibitz.games.loveletter.cards import FACE_DOWN
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.state import NOBODY
from tests.any_game import named
from tests.games.loveletter import plain
from tests.games.loveletter.tables import EVERY_RULES, PLAYERS, dealt

TURNS = {"round": 2000, "game": 5000}  # for each number of players and each set of rules, at least
NUMBERS = {
    (card, target if target != NOBODY else None, name if name != FACE_DOWN else None): number
    for number, (card, target, name) in enumerate(rules.ALL)
}


@compiled
def legal_moves(pair: Any) -> int:
    return rules.legal(pair[WORLD])


def numbered(moves: list[plain.Move]) -> int:
    """Moves of the plain engine as our mask."""
    return sum(1 << NUMBERS[move] for move in moves)


def shown_by_us(state: Any, players: int) -> dict[str, Any]:
    """The table, but for what a game that is over leaves lying about."""
    hands, laid, count = state["hands"].tolist(), state["laid"].tolist(), state["count"].tolist()
    return {
        "to_move": int(state["to_move"]),
        "hands": [[kind for kind in hands[seat] if kind != FACE_DOWN] for seat in range(players)],
        "laid": [laid[seat][: count[seat]] for seat in range(players)],
        "out": [seat for seat in range(players) if state["out"] >> seat & 1],
        "protected": [seat for seat in range(players) if state["protected"] >> seat & 1],
        "tokens": state["tokens"].tolist()[:players],
        "deck": state["deck"].tolist()[int(state["drawn"]) :],
        "finished": int(state["finished"]),
        "first": int(state["first"]),
    }


def shown_by_them(game: plain.Game) -> dict[str, Any]:
    current, seats = game.round, range(game.players)
    return {
        "to_move": current.seat if game.winners is None else -1,
        "hands": [list(hand) for hand in current.hands],
        "laid": [list(laid) for laid in current.laid],
        "out": [seat for seat in seats if seat not in current.alive],
        "protected": [seat for seat in seats if seat in current.protected],
        "tokens": list(game.tokens),
        "deck": list(current.deck),
        "finished": len(game.finished),
        "first": game.first,
    }


def event(state: Any, turn: int) -> plain.Happened:
    """What our history says of a turn, as the plain engine says it."""
    happened = int(state["history"][turn])
    card, target, name = rules.ALL[rules.event_move(happened)]
    out, opened = rules.event_out(happened), rules.event_kind(happened)
    return plain.Happened(
        seat=rules.event_seat(happened),
        move=(card, target if target != NOBODY else None, name if name != FACE_DOWN else None),
        out=out if out != NOBODY else None,
        opened=opened if opened != FACE_DOWN else None,
    )


def check_round(summed: int, finished: plain.Round, first: int) -> None:
    """How a round went, as it is kept for the arena."""
    assert finished.winners is not None
    assert rules.round_winners(summed) == sum(1 << seat for seat in finished.winners)
    assert rules.round_first(summed) == first
    assert rules.round_turns(summed) == finished.turns
    assert (rules.round_card(summed) == FACE_DOWN) == finished.compared
    hands = [rules.round_hand(summed, seat) for seat in range(finished.players)]
    assert hands == [hand[0] if hand else FACE_DOWN for hand in finished.hands]


@pytest.mark.parametrize("chosen", EVERY_RULES, ids=named)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_plain_engine_agrees_after_every_move(players: int, chosen: dict[str, str]) -> None:
    dice = random.Random(players)
    turns = number = 0
    while turns < TURNS[chosen["unit"]]:
        pair = np.zeros(2, LOVE_LETTER.dtype)
        pair[WORLD] = dealt(players, rules=chosen, seed=3, number=number)[0]
        turns += play_both(pair, players, chosen, dice)
        number += 1


def play_both(pair: Any, players: int, chosen: dict[str, str], dice: random.Random) -> int:
    """One random game on both engines; the decks of later rounds are those that ours has just shuffled."""
    state = pair[WORLD]
    theirs = plain.Game(lambda: state["deck"].tolist(), players, **chosen)
    turn, first = 0, 0
    while theirs.winners is None:
        assert shown_by_us(state, players) == shown_by_them(theirs)
        moves = theirs.round.legal()
        assert legal_moves(pair) == numbered(moves)
        current, first = theirs.round, theirs.first
        move = dice.choice(moves)
        if move[0] == plain.PRINCESS and dice.random() < 0.8:  # rounds that go on see more of the rules
            move = dice.choice(moves)
        assert make_move(pair, NUMBERS[move])
        happened = theirs.play(move)
        assert event(state, turn) == happened
        if current.winners is not None:
            check_round(int(state["rounds"][len(theirs.finished) - 1]), current, first)
            if not current.compared:
                assert rules.round_card(int(state["rounds"][len(theirs.finished) - 1])) == move[0]
        turn += 1
    assert shown_by_us(state, players) == shown_by_them(theirs)
    assert int(rules.game_winners(state)) == sum(1 << seat for seat in theirs.winners)
    assert generic.turns(state) == turn
    return turn
