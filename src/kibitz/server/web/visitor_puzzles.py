"""Puzzles for visitors: the next one, the check of an answer, ratings, ten a day, streaks, lessons.

Only the solver's view of a position is sent before an answer, and a visitor's first answer to a puzzle is the one that
counts. All puzzles come with kibitz: none is taken from visitors.
"""

import time
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from kibitz.coach import puzzles, solving
from kibitz.coach.glicko import Rating
from kibitz.coach.puzzles import Puzzle
from kibitz.coach.solving import Progress
from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.core.puzzling import Lesson
from kibitz.errors import KibitzError
from kibitz.server.live.messages import Puzzle as Question
from kibitz.server.live.messages import RefusedError
from kibitz.server.live.table_service import TableService
from kibitz.server.web.coach_store import CoachStore

MOST_HISTORY = 500  # ratings that are kept of a visitor
ROUNDS = 2  # of moves before a puzzle that are sent
Fields = dict[str, Any]


def today() -> date:
    """The day of all visitors: UTC."""
    return datetime.fromtimestamp(time.time(), UTC).date()


class Solver:
    """What is known of a visitor's puzzles of one game."""

    def __init__(self, store: CoachStore, visitor: str, game: str) -> None:
        """`visitor` is empty for those who have no key: nothing is kept of them."""
        self.store, self.visitor, self.game = store, visitor, game
        self.every = all_puzzles(game)
        self.kept: Fields = store.visitor(visitor) if visitor else {}
        stored = dict(self.kept.get("puzzles", {}).get(game, {}))
        self.history: list[float] = stored.pop("history", [])
        self.progress = Progress.from_json(stored)

    def shown(self) -> Fields:
        """What the visitor reads of it."""
        at, ten = self.progress, self.ten()
        return {
            "rating": at.rating.rating, "deviation": at.rating.deviation, "tried": at.tried, "solved": at.solved,
            "streak": at.streak, "best_streak": at.best_streak, "days": at.days,
            "today": sum(puzzle.id in at.seen for puzzle in ten), "a_day": len(ten),
        }  # fmt: skip

    def ten(self) -> list[Puzzle]:
        return solving.daily_ten(self.every, today(), self.visitor)

    async def answered(self, puzzle: Puzzle, solved: bool) -> bool:
        """Note an answer; whether it is the first one to this puzzle, and so counts."""
        if not self.visitor or puzzle.id in self.progress.seen:
            return False
        stored = self.store.puzzle_rating(puzzle.id)
        self.progress, rating = solving.update(
            self.progress, puzzle, solved, today(), Rating(*stored) if stored else None
        )
        self.history = [*self.history, round(self.progress.rating.rating, 1)][-MOST_HISTORY:]
        mine = {**self.progress.as_json(), "history": self.history}
        self.kept = {**self.kept, "puzzles": {**self.kept.get("puzzles", {}), self.game: mine}}
        await self.store.keep_visitor(self.visitor, self.kept, self.store.new_puzzle_rating(puzzle.id, list(rating)))
        return True

    # Choosing

    def next(self, said: Question) -> Puzzle:
        """The puzzle asked for: one by its id, or the next of a lesson, of the ten of the day, or of a theme."""
        if said.puzzle:
            return self.named(said.puzzle)
        if said.lesson:
            return self.fresh(lesson_named(self.game, said.lesson)[1])
        if said.daily:
            return self.fresh(self.ten())
        at = self.progress
        found = solving.upcoming(self.every, at.rating.rating, 1, self.visitor, frozenset(at.seen), said.theme)
        found = found or [puzzle for puzzle in self.every if said.theme in ("", puzzle.theme)]
        if not found:
            raise RefusedError("unknown", f"There are no puzzles of the theme {said.theme!r}.")
        return found[0]

    def fresh(self, wanted: Sequence[Puzzle]) -> Puzzle:
        """The first that was not tried yet; all were: the first of them."""
        if not wanted:
            raise RefusedError("unknown", "There are no such puzzles.")
        return next((puzzle for puzzle in wanted if puzzle.id not in self.progress.seen), wanted[0])

    def named(self, id: str) -> Puzzle:
        found = next((puzzle for puzzle in self.every if puzzle.id == id), None)
        if found is None:
            raise RefusedError("unknown", f"There is no puzzle {id!r} of {registry.game(self.game).title} here.")
        return found

    # Showing

    def overview(self) -> Fields:
        """The games with puzzles, and the themes and lessons of this one."""
        part, seen = puzzles.part_of(registry.game(self.game)), frozenset(self.progress.seen)
        counts = {name: sum(puzzle.theme == name for puzzle in self.every) for name in part.themes}
        lessons = [(lesson, lesson_named(self.game, lesson.name)[1]) for lesson in part.lessons]
        return {
            "games": [game.name for game in puzzles.games()], "total": len(self.every),
            "themes": [
                {"name": name, "title": theme.title, "help": theme.help, "puzzles": counts[name]}
                for name, theme in part.themes.items() if counts[name]
            ],
            "lessons": [
                {
                    "name": lesson.name, "title": lesson.title, "text": lesson.text, "puzzles": len(found),
                    "done": sum(puzzle.id in seen for puzzle in found),
                }
                for lesson, found in lessons if found
            ],
        }  # fmt: skip


def all_puzzles(game: str) -> tuple[Puzzle, ...]:
    try:
        return puzzles.of(game)
    except KibitzError as error:
        raise RefusedError("unknown", str(error)) from None


def lesson_named(game: str, name: str) -> tuple[Lesson, list[Puzzle]]:
    try:
        return solving.lesson(game, name)
    except StopIteration:
        raise RefusedError("unknown", f"There is no lesson {name!r} of {registry.game(game).title}.") from None


def question(tables: TableService, puzzle: Puzzle) -> Fields:
    """What the solver may know."""
    game, view = registry.game(puzzle.game), puzzle.view
    return {
        "game": puzzle.game, "puzzle": puzzle.id, "rules": puzzle.rules, "seat": puzzle.seat,
        "seats": [
            {"name": "", "kind": "person"} if seat == puzzle.seat
            else {"name": tables.title(game, name), "kind": "bot", "agent": name}
            for seat, name in enumerate(puzzle.seats)
        ],
        "view": game.page(view), "choices": game.choices(view), "turn": len(puzzle.moves),
        "events": events_before(game, puzzle), "convention": puzzles.convention(puzzle), "measure": puzzle.measure,
    }  # fmt: skip


def events_before(game: Game, puzzle: Puzzle) -> list[Fields]:
    """The last moves, as the solver saw them."""
    turns, views = puzzle.table.turns, puzzle.views
    if len(views) != len(turns) + 1:  # some turns were private
        return []
    first = max(len(turns) - ROUNDS * puzzle.players, 0)
    return [
        {"seat": turn.seat, **game.event(view, turn.number - 1), "turn": turn.number}
        for turn, view in zip(turns[first:], views[first + 1 :], strict=True)
    ]


def move_of(puzzle: Puzzle, text: str) -> int:
    try:
        move = int(registry.game(puzzle.game).move(text, puzzle.table.state))
        puzzle.loss(move)
    except KibitzError as error:
        raise RefusedError("illegal", str(error)) from None
    return move


def answer(puzzle: Puzzle, move: int) -> Fields:
    """What is sent after the solver's move."""
    found = puzzles.solution(puzzle, move)
    return {
        "game": puzzle.game, "puzzle": puzzle.id, "correct": found["solved"], "theme": found["title"],
        "moves": found["values"], "puzzle_rating": puzzle.rating,
        **{name: found[name] for name in ("move", "best", "loss", "text", "exact")},
    }  # fmt: skip
