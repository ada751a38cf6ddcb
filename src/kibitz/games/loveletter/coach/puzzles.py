"""Puzzles of Love Letter: decisions in which one move wins the round clearly more often than all others.

Worlds are weighed by how likely the opponents' moves were for a sensible player, and opponents play on as who they are.
The second evaluator draws a larger pool of worlds with other random numbers.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.puzzling import (
    KEPT,
    UNCLEAR,
    UNCONFIRMED,
    Answer,
    Examined,
    Explained,
    Lesson,
    Source,
    Theme,
)
from kibitz.engine.seeds import number
from kibitz.games.loveletter.cards import BARON, COUNTESS, GUARD, HANDMAID, KING, PRIEST, PRINCE, PRINCESS
from kibitz.games.loveletter.coach import words
from kibitz.games.loveletter.coach.part import COACH, Known, LoveLetterJudge
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.moves import Move
from kibitz.games.loveletter.view import View
from kibitz.search.paired_trials import Criteria, compare_moves, try_moves

QUICK, QUICK_GAP = 400, 0.08  # playouts of the quick evaluation, and the gap that it must find
CRITERIA = Criteria("wins", 1.0, 0.10, first_worlds=100, most_moves=5, looks=(500, 2000))
POOLS = 300, 1000  # worlds that the two evaluators draw from

THEMES = MappingProxyType(
    {
        "known card": Theme("A card you know", "You know what somebody holds: make use of it.", 0.25),
        "guess": Theme("Whose card, and which", "Count what is left, and remember who avoided what."),
        "compare": Theme("Compare", "Is your other card higher?"),
        "look": Theme("Look", "What you learn now decides the next turn."),
        "protect": Theme("Protection", "Your other card needs a turn of peace."),
        "discard": Theme("The Prince", "Somebody has to discard: who?"),
        "swap": Theme("The King", "Whose card would you rather have?"),
        "keep": Theme("Keep the right card", "Which of your two cards is worth more later?"),
    }
)
THEME_OF = {
    GUARD: "guess", PRIEST: "look", BARON: "compare", HANDMAID: "protect", PRINCE: "discard", KING: "swap",
    COUNTESS: "keep", PRINCESS: "keep",
}  # fmt: skip

LESSONS = (
    Lesson(
        "counting", "Count the cards",
        "Five Guards, two each of Priest, Baron, Handmaid and Prince, one King, Countess and Princess. Subtract what "
        "lies on the table and what you hold: name the card of which most copies are left.",
        "guess",
    ),
    Lesson(
        "comparing", "When to compare",
        "The Baron wins with the higher card, so play it beside a high one. With a low card in hand, any other move is "
        "mostly better.",
        "compare",
    ),
    Lesson(
        "protection", "Protect a high card",
        "A Handmaid keeps everybody away from you for a round. Play it when somebody may know your card, or late in "
        "the round, when the highest card wins.",
        "protect",
    ),
)  # fmt: skip


def tables() -> tuple[Source, ...]:
    """Opponents of all kinds that do not search, at tables of two to four."""
    mixed = (
        ("counting", "counting"), ("counting", "minimax", "counting", "greedy"), ("minimax", "counting"),
        ("counting", "counting", "minimax"), ("greedy", "counting"), ("counting", "counting", "counting", "counting"),
    )  # fmt: skip
    return tuple(Source(agents, {"unit": "round"}) for agents in mixed)


class LoveLetterExaminer:
    def __init__(self, agents: Sequence[CompiledAgent]) -> None:
        self.judge: LoveLetterJudge = COACH.judge(agents, 0, 0, 0)

    def see(self, views: Sequence[Any]) -> Known:
        return self.judge.see(views)

    def promises(self, known: Known, chosen: int, stream: int) -> bool:
        found = self.judge.evaluate(known, chosen, stream, QUICK)
        if len(found.worths) < 2 or found.worths[0].value - found.worths[1].value < QUICK_GAP:
            return False
        return not loses_the_princess(View(known.view[0]), Move(found.worths[1].move))

    def examine(self, known: Known, stream: int) -> Examined:
        first = self.evaluate(known, number(stream, 1))
        if first is None or not CRITERIA.is_met(first):
            return Examined(UNCLEAR)
        again = self.evaluated(known, number(stream, 2), POOLS[1])
        if again is None or again.best != first.best or not again.gap.is_clear:
            return Examined(UNCONFIRMED)
        return Examined(KEPT, Answer(first.values, first.gap, again.gap, first.measure))

    def evaluate(self, known: Known, stream: int) -> Answer | None:
        return self.evaluated(known, stream, POOLS[0])

    def evaluated(self, known: Known, stream: int, pool: int) -> Answer | None:
        def trials(tried: Any, worlds: int, dice: int) -> Any:
            payoffs = np.zeros((worlds, len(tried)))
            judge = self.judge
            try_moves(known.view, known.view, judge.models, judge.which, tried, pool, dice, payoffs)
            return payoffs

        return compare_moves(trials, np.array(View(known.view[0]).legal, np.int64), stream, CRITERIA)

    def explain(self, known: Known, answer: Answer, stream: int) -> Explained:
        view, best, second = View(known.view[0]), Move(answer.best), Move(answer.second)
        case = words.Case(view, second, best)
        reason = suggested(case) or words.why(case) or what_it_does(case)
        wrong = next((text for _, rule in words.RULES if (text := rule(case))), "")
        lead = f"Next best: {second}, which wins {words.percent(answer.gap.points)} less."
        text = f"{best}: {reason}." if reason else f"{best} is best."
        return Explained(theme_of(view, best), " ".join(filter(None, (text, lead, f"{wrong}." if wrong else ""))))


def loses_the_princess(view: View, move: Move) -> bool:
    """Whether a move is out of the question, so that the others are no choice."""
    return move.card == PRINCESS or (move.card == PRINCE and move.target == view.seat and PRINCESS in view.hand)


def suggested(case: words.Case) -> str:
    """A guess that counting alone would not make: the opponent's moves speak for it."""
    move = case.best
    if move.card != GUARD or move.target is None or move.named is None:
        return ""
    chances = case.chances(move.target)
    if chances[move.named] >= max(chances[PRIEST:]):
        return ""
    return f"what G{move.target + 1} played before suggests the {move.named}"


def what_it_does(case: words.Case) -> str:
    """What the card does for its player, where no chance says more."""
    move, other = case.best, case.other_card(case.best)
    who = f"G{move.target + 1}" if move.target is not None else "nobody"
    own = move.target == case.view.seat
    return {
        HANDMAID: f"nobody can act on your {other} until your next turn",
        PRIEST: f"you see what {who} holds" if move.target is not None else f"you keep the {other}",
        PRINCE: "you draw another card" if own else f"{who} discards, and is out with the Princess",
        KING: f"your {other} goes to {who}",
    }.get(int(move.card), f"you keep the {other}")


def theme_of(view: View, best: Move) -> str:
    if best.card == GUARD and best.target is not None and view.card(best.target) == best.named:
        return "known card"
    return THEME_OF[int(best.card)]


class LoveLetterPuzzles:
    unit = "wins"
    least_gap = CRITERIA.least
    sources = tables()
    references = ("random", "greedy", "minimax", "counting", "flat_mc", "ismcts", "ismcts_mo", "reader", "mcts_listing")
    themes = THEMES
    lessons = LESSONS
    conventions = MappingProxyType(
        {
            "counting": "Opponents count the cards and take the best chance they see.",
            "minimax": "Some opponents are careful: they take the move that is best against the worst case.",
            "greedy": "Some opponents take the best chance right now.",
        }
    )

    def examiner(self, agents: Sequence[str], seat: int) -> LoveLetterExaminer:
        found = [registry.agent(LOVE_LETTER, name) for name in agents]
        return LoveLetterExaminer([agent for agent in found if isinstance(agent, CompiledAgent)])


PUZZLES = LoveLetterPuzzles()
