"""Solving puzzles: which come next, what an attempt does to ratings and streaks, lessons. Pure functions.

A `Progress` is all that has to be stored of a solver, and of a puzzle the server may store its `Rating`:

    progress, puzzle_rating = update(progress, puzzle, solved, date)

`as_json` and `from_json` are the stored form.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from hashlib import blake2b
from typing import Any

from kibitz.coach import puzzles
from kibitz.coach.glicko import LEAST_DEVIATION, Rating, rated
from kibitz.coach.puzzles import Puzzle
from kibitz.core import registry
from kibitz.core.puzzling import Lesson

PUZZLE_DEVIATION = 120.0  # of a puzzle that nobody has tried: its first rating is a guess
DAILY = 10
REMEMBERED = 400  # tried puzzles that are not offered again
NEWCOMER = Rating()
NEAR = 150.0  # puzzles within this distance of the solver's rating are offered first


@dataclass(frozen=True)
class Progress:
    """A solver's rating, streaks and the puzzles tried last, of one game."""

    rating: Rating = NEWCOMER
    tried: int = 0
    solved: int = 0
    streak: int = 0  # puzzles solved in a row
    best_streak: int = 0
    days: int = 0  # days in a row with an attempt
    last_day: str = ""
    by_theme: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # tried and solved
    seen: tuple[str, ...] = ()  # ids, the latest last

    def as_json(self) -> dict[str, Any]:
        named = ("tried", "solved", "streak", "best_streak", "days", "last_day")
        return {
            "rating": list(self.rating), **{name: getattr(self, name) for name in named},
            "by_theme": {name: list(counts) for name, counts in self.by_theme.items()}, "seen": list(self.seen),
        }  # fmt: skip

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Progress":
        kept = dict(stored)
        by_theme = {str(name): (int(tried), int(solved)) for name, (tried, solved) in kept.pop("by_theme", {}).items()}
        rating, seen = Rating(*kept.pop("rating", NEWCOMER)), tuple(kept.pop("seen", ()))
        return cls(rating, by_theme=by_theme, seen=seen, **kept)


def first_rating(puzzle: Puzzle) -> Rating:
    """The rating of a puzzle that nobody has tried."""
    return Rating(float(puzzle.rating), PUZZLE_DEVIATION)


def update(
    progress: Progress, puzzle: Puzzle, solved: bool, day: date, rating: Rating | None = None
) -> tuple[Progress, Rating]:
    """The solver's progress and the puzzle's rating after an attempt. A puzzle tried before changes no rating."""
    against, score = rating or first_rating(puzzle), 1.0 if solved else 0.0
    again = puzzle.id in progress.seen
    mine = progress.rating if again else at_least(rated(progress.rating, [(against, score)]))
    theirs = against if again else at_least(rated(against, [(progress.rating, 1.0 - score)]))
    tried, right = progress.by_theme.get(puzzle.theme, (0, 0))
    streak = progress.streak + 1 if solved else 0
    yesterday = (day - timedelta(days=1)).isoformat()
    days = (
        progress.days if progress.last_day == day.isoformat()
        else progress.days + 1 if progress.last_day == yesterday
        else 1
    )  # fmt: skip
    after = replace(
        progress, rating=mine, tried=progress.tried + 1, solved=progress.solved + solved, streak=streak,
        best_streak=max(progress.best_streak, streak), days=days, last_day=day.isoformat(),
        by_theme={**progress.by_theme, puzzle.theme: (tried + 1, right + solved)},
        seen=(*(each for each in progress.seen if each != puzzle.id), puzzle.id)[-REMEMBERED:],
    )  # fmt: skip
    return after, theirs


def at_least(rating: Rating) -> Rating:
    return rating._replace(deviation=max(rating.deviation, LEAST_DEVIATION))


# Which puzzles


def shuffled(found: Sequence[Puzzle], salt: str) -> list[Puzzle]:
    """The same order for the same salt, on every machine."""
    return sorted(found, key=lambda puzzle: blake2b(f"{salt} {puzzle.id}".encode(), digest_size=8).digest())


def upcoming(
    found: Sequence[Puzzle], rating: float, count: int, salt: str, seen: Collection[str] = (), theme: str = ""
) -> list[Puzzle]:
    """Puzzles to try next: not tried yet, near the solver's rating, in an order that depends on the salt only."""
    fresh = [puzzle for puzzle in found if puzzle.id not in seen and theme in ("", puzzle.theme)]
    return sorted(shuffled(fresh, salt), key=lambda puzzle: int(abs(puzzle.rating - rating) // NEAR))[:count]


def daily_ten(found: Sequence[Puzzle], day: date, solver: str) -> list[Puzzle]:
    """Ten puzzles for a solver on a day, one of every tenth by difficulty, the easiest first.

    They depend on nothing else, so they stay the same however many are solved.
    """
    ordered = sorted(found, key=lambda puzzle: (puzzle.rating, puzzle.id))
    parts = [ordered[n * len(ordered) // DAILY : (n + 1) * len(ordered) // DAILY] for n in range(DAILY)]
    return [shuffled(part, f"{day.isoformat()} {solver}")[0] for part in parts if part]


# Lessons


def lessons(game: str) -> Sequence[Lesson]:
    return puzzles.part_of(registry.game(game)).lessons


def lesson(game: str, name: str) -> tuple[Lesson, list[Puzzle]]:
    """A lesson and its puzzles: the easiest of its theme, the easiest first."""
    found = next(each for each in lessons(game) if each.name == name)
    fitting = [puzzle for puzzle in puzzles.of(game) if puzzle.theme == found.theme]
    return found, sorted(fitting, key=lambda puzzle: (puzzle.rating, puzzle.id))[: found.puzzles]
