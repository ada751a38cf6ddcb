"""The code of hat guessing: which number a hint encodes, and which hints encode a number.

The hinter adds up the values of all other hands modulo M and gives a hint that encodes the sum S. Each receiver sees
all those hands but its own, subtracts their values from S, and is left with its own value.

The code of a hint depends on its receiver and its type. With five players two types are enough for M = 8, as in the
paper: a rank or a colour. With fewer receivers there are more types, by whether the hint touches the newest card of its
receiver: three types with four players (M = 9), four with three (M = 8) and with two (M = 4).
"""

from collections.abc import Callable
from typing import Any

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision, move_of
from kibitz.games.hanabi.agents.tips import touched_by, touches
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.knowledge import critical
from kibitz.games.hanabi.reason_words import ReasonWords, percent, seat_name
from kibitz.games.hanabi.rules import HINT, allowed, event_detail, event_move, legal, legal_hints
from kibitz.games.hanabi.state import FACE_DOWN, State

ORIGIN = "Cox, De Silva, DeOrsey, Kenter, Retter & Tobin 2015"
RANK, COLOUR, MISSING = range(3)  # types of hints; the fourth is a colour that misses the newest card


@compiled
def sorts(players: int) -> int:
    """The number of types of hints to one player."""
    return 2 if players == 5 else 3 if players == 4 else 4


@compiled
def codes(players: int) -> int:
    """M, the number of codes."""
    return (players - 1) * sorts(players)


@compiled
def sort_of(view: State, seat: int, value: int, touched: int) -> int:
    """The type of a hint to a seat that touches these slots."""
    named = COLOUR if value < 5 else RANK
    several = sorts(view.players)
    if several == 2 or (view.held[seat] > 0 and holds(touched, view.held[seat] - 1)):
        return named
    return MISSING if several == 3 else MISSING + named


@compiled
def number_of(view: State, giver: int, seat: int, sort: int) -> int:
    """The number that a hint encodes: receivers count from the one after the giver, then types."""
    return (seat - giver - 1) % view.players + (view.players - 1) * sort


@compiled
def last_mover(view: State) -> int:
    return (view.to_move - 1) % view.players


@compiled
def hinted_last(view: State) -> bool:
    """Whether the last move was a hint."""
    return view.turn > 0 and event_move(view.history[view.turn - 1]) >= HINT


@compiled
def number_said(view: State) -> int:
    """The number that the last move, a hint, encodes."""
    happened = view.history[view.turn - 1]
    seat, value = (event_move(happened) - HINT) // 10, (event_move(happened) - HINT) % 10
    return number_of(view, last_mover(view), seat, sort_of(view, seat, value, event_detail(happened)))


@compiled
def receiver(view: State, number: int) -> int:
    """The seat that receives the hint encoding this number."""
    return (view.seat + 1 + number % (view.players - 1)) % view.players


@compiled
def hints_saying(view: State, number: int) -> int:
    """The legal hints that encode a number, as bits 0–9 for the values that its receiver can be hinted."""
    seat, sort, said = receiver(view, number), number // (view.players - 1), 0
    if view.tokens == 0:
        return 0
    slots = touches(view, seat)
    for value in range(10):
        if holds(legal_hints(view, seat), value):
            said |= int(sort_of(view, seat, value, touched_by(slots, value)) == sort) << value
    return said


@compiled
def legal_or_any(view: State, decided: int, reason: int) -> int:
    """The decision, or the first legal move where it is not legal, as in a position set up with an empty hand."""
    return decided if allowed(view, move_of(decided)) else decision(lowest_bit(legal(view)), reason)


# Words for the reasons


def sum_in_words(view: Any, reader: Any, value_of: Callable[[int], int], meaning: Callable[[int, int], str]) -> str:
    """The sum that the player to move encodes, and its meaning for the reader and for the hands the reader sees."""
    me, players, total, parts = int(view["seat"]), int(view["players"]), 0, []
    for seat in ((me + step) % players for step in range(1, players)):
        value = value_of(seat)
        total += value
        if seat == reader["seat"]:
            parts.append(f"your value is {value}, so {meaning(seat, value)}")
        elif reader_sees(reader, seat):
            parts.append(f"{seat_name(seat)}'s value is {value}, so {meaning(seat, value)}")
    numbers = int(codes(players))
    return f"S = {total % numbers} of {numbers}" + (": " + "; ".join(parts) if parts else "")


def reader_sees(reader: Any, seat: int) -> bool:
    return all(reader["deck"][place] != FACE_DOWN for place in reader["hands"][seat][: reader["held"][seat]])


def risk_by_hints_alone(view: Any, reader: Any, place: int) -> str:
    """The risk that a player who knows only the literal hints would see."""
    hand = view["hands"][view["seat"]][: view["held"][view["seat"]]]
    if view["seat"] != reader["seat"] or place not in hand:
        return ""
    likely = ReasonWords(place, view).chance(int(critical(view)))
    return f"; by hints alone the chance that it is a last copy we need is {percent(likely)}" if likely else ""
