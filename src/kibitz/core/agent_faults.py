"""Sentences about agents that fail: which agent, at which seat, in which turn, what it did, and where in its file."""

import contextlib
import sys
import sysconfig
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from kibitz.core.game import Game
from kibitz.core.words import MOST_LISTED
from kibitz.engine import generic
from kibitz.engine.loop import (
    DECIDED,
    MOVE,
    MOVE_BITS,
    NUMBER,
    PARTS,
    REASON,
    REFUSED,
    SUBJECT,
    SUBJECT_BITS,
    VALUE_BITS,
    WORLD,
    is_decision,
    move_of,
    reason_of,
    turns_made,
    whose_turn,
)
from kibitz.engine.seat import DECIDING, IDLE, Seats
from kibitz.errors import AgentError, KibitzError
from kibitz.text import error_text, fit

DOING = ("", "deciding", "observing", "watching")  # by `calling` of a seat's struct
KIBITZ = str(Path(__file__).parents[1])
LIBRARIES = tuple(dict.fromkeys(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")))
LONGEST_LINE = 100


def where(game: Game, name: str, seat: int, turn: int) -> str:
    """The subject of a sentence: an agent, its seat, and the turn from 0."""
    return f"{fit(name)} at seat {game.seat_name(seat)}, turn {turn + 1},"


def called(agent: Any) -> str:
    """An agent's name as people type it, with its file."""
    return str(agent.source) if agent.source.endswith(f":{agent.name}") else str(agent.name)


# What a compiled agent returned


def decision_fault(game: Game, decided: int, reasons: int, view: Any) -> str:
    """What is wrong with a number that a compiled agent returned for a view or a state; empty if it is a legal move."""
    if not is_decision(decided, reasons):
        return part_fault(decided, reasons)
    move = int(move_of(decided))
    return "" if generic.allowed(view, move) else illegal(game, move, view)


def part_fault(decided: int, reasons: int) -> str:
    part, value = NUMBER, decided
    if decided & DECIDED and decided > 0:
        part, value = REASON, int(reason_of(decided))
    elif decided & REFUSED and decided > 0:
        part, value = (decided & ~REFUSED) >> VALUE_BITS, decided & ((1 << VALUE_BITS) - 1)
        value -= value >> (VALUE_BITS - 1) << VALUE_BITS  # its sign
    if part == NUMBER or part >= len(PARTS):
        return (
            f"returned {decided}, which is not a decision. Return decision(move, reason) of kibitz.engine.loop, or "
            f"what a function of the game makes with it, such as playing(view, slot, reason) in Hanabi."
        )
    if part == REASON:
        few = {0: "it has no reasons", 1: "its only reason is 0"}
        allowed = few.get(reasons, f"its reasons are 0 to {reasons - 1}")
        return f"gave reason {value}, but {allowed}. Add the missing one to `reasons`."
    limit = {
        MOVE: f"Moves are below 2**{MOVE_BITS}",
        SUBJECT: f"A reason's subject is from -1 to {(1 << SUBJECT_BITS) - 2}",
    }.get(part, "Slots and seats count from 0; a hint needs another player's seat")
    return f"decided on {PARTS[part]} {value}, which is out of range. {limit}."


def illegal(game: Game, move: int, view: Any) -> str:
    """A move that is not legal, and those that are."""
    legal = game.legal(view)
    known = ", ".join(game.move_text(each) for each in legal[:MOST_LISTED])
    more = f" and {len(legal) - MOST_LISTED} more" if len(legal) > MOST_LISTED else ""
    text = str(move)
    with contextlib.suppress(Exception):  # a number that is no move has no text
        text = game.move_text(move)
    text += "" if text == str(move) else f", number {move}"
    return f"decided on an illegal move ({text}). Legal are {known or 'none'}{more}."


# Exceptions


def error_with_place(error: BaseException, file: str = "") -> str:
    """An exception in one line, with the innermost place in the agent's own file."""
    frame = own_frame(error.__traceback__, file)
    text = error_text(error)
    if frame is None:
        return text
    line = fit(frame.line or "", LONGEST_LINE)
    return f"{text} ({fit(shown(frame.filename))}, line {frame.lineno}{': ' if line else ''}{line})"


def own_frame(raised: TracebackType | None, file: str = "") -> traceback.FrameSummary | None:
    """The innermost frame in a file, or outside of libraries and our own code; without a file, at least of all."""
    frames = list(reversed(traceback.extract_tb(raised)))
    inside = [frame for frame in frames if file and frame.filename == file]
    theirs = [frame for frame in frames if not frame.filename.startswith((*LIBRARIES, KIBITZ, "<"))]
    return next(iter([*inside, *theirs, *([] if file else frames)]), None)


def shown(file: str) -> str:
    """A file's path as people write it: relative if it is in the working folder."""
    with contextlib.suppress(ValueError, OSError):
        return str(Path(file).relative_to(Path.cwd()))
    return file


def file_of(agent: Any) -> str:
    """The file that a class, an instance or a function comes from."""
    code = getattr(agent, "__code__", None)
    if code is not None:
        return str(code.co_filename)
    kind = agent if isinstance(agent, type) else type(agent)
    return str(getattr(sys.modules.get(kind.__module__), "__file__", "") or "")


def machine_failure(error: BaseException, function: Callable[..., Any]) -> str:
    """An exception that machine code raised in an agent's function."""
    if isinstance(error, TypeError) and "got None" in str(error):
        return (
            f"a path through `{function.__name__}` ends without `return` ({shown(file_of(function))}, line "
            f"{function.__code__.co_firstlineno}). Return a decision on every path"
        )
    if isinstance(error, KibitzError):
        return str(error).rstrip(".")
    file = file_of(function)
    if own_frame(error.__traceback__, file) is None:  # it was raised in a function of Numba
        place = f"in `{function.__name__}`, {shown(file)}, line {function.__code__.co_firstlineno}"
        return f"{error_text(error)} ({place}; with NUMBA_DISABLE_JIT=1 the line is shown)"
    return error_with_place(error, file)


def failed_seat(
    game: Game, agents: Sequence[Any], names: Sequence[str], pair: Any, seats: Seats | None, error: BaseException
) -> str:
    """The sentence on an exception that left the compiled loop."""
    turn = int(turns_made(pair))
    for seat, struct in enumerate(seats.seats if seats is not None else ()):
        if struct["calling"] != IDLE:
            doing = DOING[int(struct["calling"])]
            function = getattr(agents[seat], {"deciding": "decide", "observing": "observe"}.get(doing, "watch"))
            at = turn if doing == DOING[DECIDING] else max(turn - 1, 0)
            return f"{where(game, names[seat], seat, at)} failed while {doing}: {machine_failure(error, function)}."
    return f"The rules of {game.title} failed in turn {turn + 1}: {error_with_place(error)}."


def why_stopped(
    game: Game, agents: Sequence[Any], names: Sequence[str], pair: Any, seats: Seats, log: Any
) -> str:  # fmt: skip
    """Why the compiled loop did not finish a game, without an exception."""
    seat, turn = int(whose_turn(pair)), int(turns_made(pair))
    if turn >= game.longest:
        return f"a game of {game.title} has more than {game.longest} moves, which it declares as its `longest`."
    fault = decision_fault(game, int(log[turn]), int(seats.seats[seat]["reasons"]), pair[WORLD])
    return f"{where(game, names[seat], seat, turn)} {fault}"


@contextlib.contextmanager
def naming_the_agent(game: Game, agents: Sequence[Any], pair: Any, seats: Seats | None) -> Iterator[None]:
    """Turn an exception in machine code into an AgentError that names the agent."""
    try:
        yield
    except AgentError:
        raise
    except Exception as error:
        names = [called(agent) for agent in agents]
        raise AgentError(failed_seat(game, agents, names, pair, seats, error)) from error
