"""In every game, a view reveals nothing about the dice of other seats."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kibitz.core.agent import Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.engine.dice import set_dice
from kibitz.games.hanabi.game import HANABI
from kibitz.games.loveletter.game import LOVE_LETTER
from tests.core.nim import NIM

SEED, NUMBER = 14, 3
TABLES = [(game, players) for game in (HANABI, LOVE_LETTER, NIM) for players in game.players]
WRAP = 2**64
STEP, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

every_table = pytest.mark.parametrize(
    ("game", "players"), TABLES, ids=[f"{game.name}-{players}" for game, players in TABLES]
)


def start_of(game: Game, players: int) -> Any:
    rules = {rule.name: rule.choices[-1] for rule in game.rules}  # of Love Letter: a game of rounds
    return game.deal(seeds.keys(SEED), NUMBER, players, game.check_rules(rules))


def wandering(game: Game, *starts: Any) -> Iterator[list[Table]]:
    """Tables at which the same legal moves are made, before each of the first moves."""
    tables, dice = [Table(game, [], start) for start in starts], random.Random(SEED)
    for _ in range(12):
        yield tables
        if tables[0].over:
            return
        move = dice.choice(game.legal(tables[0].state))
        for table in tables:
            table.make(Decision(int(move)))


# Who sees what


@every_table
def test_an_open_state_hides_no_card(game: Game, players: int) -> None:
    for [table] in wandering(game, start_of(game, players)):
        struct = table.open_state()
        for name in set(game.dtype.names or ()) - set(game.stream_fields):
            assert np.array_equal(struct[name], table.state[name])


@every_table
def test_the_dice_of_all_seats_come_from_one_number(game: Game, players: int) -> None:
    again = start_of(game, players)
    again["streams"] = 0
    set_dice(again[0], seeds.number(seeds.keys(SEED).dice, NUMBER))
    assert again.tobytes() == start_of(game, players).tobytes()


@every_table
def test_seats_without_streams_roll_different_dice_all_the_same(game: Game, players: int) -> None:
    start = start_of(game, players)
    start["streams"] = 0
    table = Table(game, [], start)
    assert len({int(table.view(seat)["dice"]) for seat in range(players)}) == players


# An attack


def unshifted(x: int, bits: int) -> int:
    """What x was before `x ^= x >> bits`."""
    found = x
    for _ in range(64 // bits):
        found = x ^ found >> bits
    return found


def streams_of(number: int, n: int) -> set[int]:
    """The streams of which this is number n: splitmix64 undone step by step. Its last bit is not known."""
    found = set()
    for x in (2 * number, 2 * number + 1):
        x = unshifted(x, 31) * pow(SECOND, -1, WRAP) % WRAP
        x = unshifted(x, 27) * pow(FIRST, -1, WRAP) % WRAP
        found.add((unshifted(x, 30) - (n + 1) * STEP) % WRAP)
    return found


def test_a_number_gives_its_stream_away() -> None:
    """So splitmix64 is no way to make one player's secret from another's: the attack below would succeed."""
    for n in range(50):
        stream = seeds.number(seeds.keys(SEED).dice, n)
        assert stream in streams_of(int(seeds.number(stream, n)), n)


@every_table
def test_from_the_dice_of_a_view_the_dice_of_others_cannot_be_computed(game: Game, players: int) -> None:
    """Nor the number they all come from, nor the key of the games of the seed."""
    key = seeds.keys(SEED).dice
    secrets = {key, *(int(seeds.number(key, other)) for other in range(10))}
    seats = game.most_seats
    for [table] in wandering(game, start_of(game, players)):
        dice = [int(table.view(seat)["dice"]) for seat in range(players)]
        turn = int(table.rules.turns(table.state))
        for seat in range(players):
            for n in {turn, turn * seats + seat, turn * players + seat}:
                for stream in streams_of(dice[seat], n):
                    assert stream not in secrets
                    assert not streams_of(stream >> 1, NUMBER) & secrets
                    guesses = {int(seeds.number(stream & 2**63 - 1, place)) for place in range((turn + 1) * seats)}
                    assert not guesses & {dice[other] for other in range(players) if other != seat}
