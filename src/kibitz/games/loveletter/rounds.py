"""Results of finished games for the arena: a row of numbers each, and statistics over them.

After the named columns, a row has two numbers for every round: its summary (`rules.summary`), and the cards that its
Guards named.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.core.results import ENDS, Count
from kibitz.engine.compile import compiled
from kibitz.games.loveletter.cards import BARON, FACE_DOWN, GUARD, KINDS, NAMES, PRIEST, PRINCE, PRINCESS
from kibitz.games.loveletter.rules import (
    NAMED_OF,
    event_move,
    event_seat,
    game_winners,
    round_card,
    round_first,
    round_turns,
    round_winners,
)
from kibitz.games.loveletter.state import ROUNDS, SEATS, TURNS, State

COLUMNS = ("winners", "rounds", "turns", *(f"tokens_{seat + 1}" for seat in range(SEATS)))
WIDTH = len(COLUMNS) + 2 * ROUNDS
SUMMED, NAMED = len(COLUMNS), len(COLUMNS) + ROUNDS
GUESS = 5  # bits: the card a Guard named in a turn, from 1 for the Priest, and the seat that named it

SHOWDOWN = "showdown"
DECISIVE = (GUARD, BARON, PRINCE, PRINCESS, FACE_DOWN)
PLACE_OF = np.array([DECISIVE.index(kind) if kind in DECISIVE else -1 for kind in range(KINDS)])
COUNTS = (
    Count(ENDS, "Winners by turn", TURNS),
    Count("decisive", "How rounds were decided", TURNS, tuple(NAMES[kind] if kind else SHOWDOWN for kind in DECISIVE)),
    Count("guesses", "Cards named by Guards", TURNS, NAMES[PRIEST:]),
    Count("winning_guesses", "Cards named by Guards that won the round", TURNS, NAMES[PRIEST:]),
)


@compiled
def result(s: State, row: Any) -> None:
    row[0], row[1], row[2] = game_winners(s), s.finished, s.turn
    for seat in range(SEATS):
        row[3 + seat] = s.tokens[seat]
    turn = 0
    for number in range(s.finished):
        row[SUMMED + number] = s.rounds[number]
        row[NAMED + number] = guesses(s, turn, round_turns(s.rounds[number]))
        turn += round_turns(s.rounds[number])


@compiled
def guesses(s: State, first: int, turns: int) -> int:
    """The cards named in the turns of a round, and by which seats, in one number."""
    packed = 0
    for turn in range(turns):
        happened = s.history[first + turn]
        named = NAMED_OF[event_move(happened)]
        if named:
            packed |= (named - 1 | event_seat(happened) << 3) << GUESS * turn
    return packed


def played(results: Any) -> tuple[Any, Any, Any]:
    """Every round of some games: the row of its game, its number from 0, and the index of its summary."""
    rows, numbers = np.nonzero(np.arange(ROUNDS) < results[:, 1:2])
    return rows, numbers, (rows, SUMMED + numbers)


def guess(packed: Any, turn: int) -> tuple[Any, Any]:
    """The cards named in a turn, 0 for none, and the seats that named them."""
    bits = packed >> GUESS * turn
    named = bits & 7
    return np.where(named, named + 1, 0), bits >> 3 & 3


def count(results: Any, players: int) -> dict[str, Any]:
    rows, numbers, place = played(results)
    summed, packed = results[place], results[rows, NAMED + numbers]
    turns, winners = round_turns(summed) - 1, round_winners(summed)
    ends = np.zeros((players + 1, TURNS, 1), np.int64)
    decisive = np.zeros((players + 1, TURNS, len(DECISIVE)), np.int64)
    guesses = np.zeros((players + 1, TURNS, len(NAMES) - PRIEST), np.int64)
    what = PLACE_OF[round_card(summed)]
    for seat in range(players + 1):
        won = winners == 0 if seat == players else winners >> seat & 1 != 0
        np.add.at(ends[seat, :, 0], turns[won], 1)
        np.add.at(decisive[seat], (turns[won], what[won]), 1)
    for turn in range(TURNS):
        named, who = guess(packed, turn)
        np.add.at(guesses[:, turn], (who[named > 0], named[named > 0] - PRIEST), 1)
    winning = np.zeros_like(guesses)
    named, who = guess(packed, turns)
    right = (round_card(summed) == GUARD) & (named > 0)
    np.add.at(winning, (who[right], turns[right], named[right] - PRIEST), 1)
    return {ENDS: ends, "decisive": decisive, "guesses": guesses, "winning_guesses": winning}


def table(results: Any, named: Sequence[int]) -> dict[str, Any]:
    """A line for every round: who began, who won (0 for nobody, several joined by +), how and when."""
    rows, numbers, place = played(results)
    summed, packed = results[place], results[rows, NAMED + numbers]
    people = np.array(named)
    names = [
        "+".join(str(named[seat]) for seat in range(SEATS) if mask >> seat & 1) or "0"
        for mask in range(1 << len(named))
    ]
    lines: dict[str, Any] = {
        "row": rows,
        "round": numbers + 1,
        "began": people[round_first(summed)],
        "winner": np.array(names)[round_winners(summed)],
        "turns": round_turns(summed),
        "decisive": np.array([name if name != NAMES[FACE_DOWN] else SHOWDOWN for name in NAMES])[round_card(summed)],
    }
    for turn in range(TURNS):
        cards, _ = guess(packed, turn)
        lines[f"named_{turn + 1}"] = np.where(cards, np.array(NAMES)[cards], "")
    return lines
