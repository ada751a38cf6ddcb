"""OpenSpiel's Hanabi, played at random: driven move by move from Python, and by its own loop in C++."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from timing import Worker, timed

try:
    import pyspiel
except ImportError:
    pyspiel = None

INSTALLED = pyspiel is not None
MISSING = "OpenSpiel is not installed (pip install open_spiel)"
GAMES = 200  # between two looks at the clock


def hanabi(players: int) -> Any:
    return pyspiel.load_game("hanabi", {"players": players})


def next_card(chances: Sequence[tuple[int, float]], roll: float) -> int:
    for card, probability in chances:
        roll -= probability
        if roll < 0:
            return card
    return chances[-1][0]  # the probabilities add up to a hair less than 1


def let_cards_fall(state: Any, dice: random.Random) -> None:
    """Deal wherever it is chance that deals, as one writes it after reading OpenSpiel's documentation."""
    while state.is_chance_node():
        cards, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(dice.choices(cards, chances)[0])


def dealt(game: Any, dice: random.Random) -> Any:
    """A game whose first player is to move."""
    state = game.new_initial_state()
    let_cards_fall(state, dice)
    return state


def game_the_usual_way(game: Any, dice: random.Random) -> int:
    """One game, from the first card dealt, as one writes it after reading OpenSpiel's documentation."""
    state = game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            cards, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(cards, chances)[0])
        else:
            state.apply_action(dice.choice(state.legal_actions()))
            moves += 1
    return moves


def game_the_fastest_way(game: Any, roll: Callable[[], float]) -> int:
    """The same game, tuned as far as we know how: one question for whose turn it is, and a walk along the chances."""
    chance, over = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
    state = game.new_initial_state()
    moves = 0
    while (player := state.current_player()) != over:
        if player == chance:
            state.apply_action(next_card(state.chance_outcomes(), roll()))
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(roll() * len(legal))])
            moves += 1
    return moves


def from_python(players: int) -> Worker:
    game, dice = hanabi(players), random.Random(1)
    return timed(lambda: sum(game_the_usual_way(game, dice) for _ in range(GAMES)))


def tuned(players: int) -> Worker:
    game, roll = hanabi(players), random.Random(1).random
    return timed(lambda: sum(game_the_fastest_way(game, roll) for _ in range(GAMES)))


def in_its_own_loop(players: int) -> Worker:
    """The same games with OpenSpiel's own random players, Python out of the way. Moves are counted off the clock."""
    game = hanabi(players)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(players)]
    seeds = random.Random(1)

    def worker() -> tuple[int, float]:
        moves, took = 0, 0.0
        for _ in range(GAMES):
            seed = seeds.getrandbits(30)
            start = time.perf_counter()
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, seed)
            took += time.perf_counter() - start
            moves += sum(made.player >= 0 for made in state.full_history())
        return moves, took

    return worker
