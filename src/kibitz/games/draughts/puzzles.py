"""Puzzles of draughts: one move wins at least a man more than any other, by two searches of different depth."""

from types import MappingProxyType
from typing import Any

from kibitz.core.puzzling import Answer, Explained, Source, Theme
from kibitz.games.draughts.evaluation import MAN_POINTS
from kibitz.games.draughts.words import DraughtsWords
from kibitz.search.searched_puzzles import SearchedPuzzles
from kibitz.text import counted

WINS = 9000.0  # points of a search, above which a game is won
SHOT, WINNING, SAVING = "shot", "winning", "saving"
WORDS = DraughtsWords()


def worth(points: float) -> float:
    return max(-WINS, min(points, WINS))


def explain(view: Any, answer: Answer) -> Explained:
    best, second = answer.values[:2]
    move = WORDS.move_text(best.move)
    if best.value >= WINS:
        return Explained(WINNING, f"{move} wins by force. Next best: {WORDS.move_text(second.move)}.")
    men = max(int(answer.gap.points / MAN_POINTS + 0.5), 1)
    lead = "several men" if answer.gap.points >= WINS / 2 else counted(men, "man", "men")
    theme = SHOT if best.value > 0 else SAVING
    verb = "wins" if best.value > 0 else "saves"
    return Explained(theme, f"{move} {verb} {lead} more than the next best move, {WORDS.move_text(second.move)}.")


PUZZLES = SearchedPuzzles(
    game="draughts",
    evaluator="alphabeta6",
    second="alphabeta10",
    unit="search points",
    least_gap=0.9 * MAN_POINTS,
    sources=tuple(
        Source(agents, {"opening": "drawn", "variant": variant})
        for variant in ("brazilian", "english", "russian")
        for agents in (("alphabeta2", "greedy"), ("shortsighted", "alphabeta2"), ("alphabeta6", "material"))
    ),
    references=("random", "greedy", "alphabeta2", "shortsighted", "material", "samuel", "alphabeta6"),
    themes=MappingProxyType(
        {
            SHOT: Theme("Win material", "A move wins at least a man."),
            WINNING: Theme("Win the game", "A move wins by force."),
            SAVING: Theme("Save what you can", "All moves lose something, one the least.", 0.3),
        }
    ),
    explain=explain,
)
