"""Puzzles of Hanabi: positions where one move is clearly best, with partners whose conventions can be said in a line.

The first evaluator tries every move in worlds drawn from the belief that the review uses, with the partners as they
are. The second draws its belief again, from more hands, and uses other random numbers. Where all worlds can be listed
(few cards in the deck, partners that do not roll dice) values are exact.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.coaching import Evaluation, Worth
from kibitz.core.puzzling import (
    KEPT,
    UNCLEAR,
    UNCONFIRMED,
    Answer,
    Examined,
    Explained,
    Gap,
    Lesson,
    Source,
    Theme,
    Value,
)
from kibitz.engine.seeds import number
from kibitz.errors import KibitzError
from kibitz.games.hanabi.agents.lookahead import POINTS
from kibitz.games.hanabi.cards import hinted_kinds
from kibitz.games.hanabi.coach import thorough, words
from kibitz.games.hanabi.coach.known import Known
from kibitz.games.hanabi.coach.part import COACH, HanabiJudge
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import Move, spoken
from kibitz.games.hanabi.rules import HINT
from kibitz.games.hanabi.state import CARDS
from kibitz.games.hanabi.view import View
from kibitz.search.paired_trials import Criteria, compare_moves

QUICK = 160  # playouts of the quick evaluation, and the gap that it must find
QUICK_GAP = 0.2
LEAST_GAP, LEAST_PERFECT = 0.25, 0.10  # in points; in the chance of 25
CRITERIA = Criteria("points", POINTS, LEAST_GAP, LEAST_PERFECT)
MORE_HANDS = 4  # times the hands of the first evaluator's belief, for the second
LAST_CARDS = 3  # in the deck: positions that can be listed must be exact
# Rules of the review that explain what is wrong with the second move.
SAID = ("last copy", "wrong card", "empty hint", "too late", "risky discard", "wasted discard", "hoarded token")
CERTAIN, HOPELESS = 0.995, 0.3  # chances
LIKELY = 0.75  # the chance below which a play is called a chance
LOST_OFTEN = 0.4  # the share of worlds in which a partner misplays

CONVENTIONS = MappingProxyType(
    {
        "bot2_conventions": "A hint that touches one card asks to play it. The leftmost card that no hint touched is "
        "discarded next. Safe cards are played at once.",
        "hajdu_v2_fives": "A hinted card that can be playable is meant to be played. Hints touch only playable or "
        "useless cards, or fives to keep. Otherwise the oldest card is discarded.",
        "iggi": "Partners play only cards that must be playable, hint playable cards to anyone, and discard the oldest "
        "card.",
        "piers": "Partners hint playable cards to anyone, take chances while a life can be spared, and hint useless "
        "cards when tokens are short.",
        "outer": "Partners play what they know to be playable, and hint what the next player does not know yet.",
        "partner": "Partners play like people: a hint on one card means play it, and the oldest card without a hint is "
        "discarded.",
    }
)

THEMES = MappingProxyType(
    {
        "sure play": Theme("A sure play", "One of your cards must be playable: find it.", 0.15),
        "what a hint means": Theme("What a hint means", "A hint did not say what your card is, but why was it given?"),
        "choose a play": Theme("Which card to play", "More than one card could be played."),
        "take a chance": Theme("A chance worth taking", "Nothing is certain: weigh a life against a point."),
        "dead card": Theme("A useless card", "One of your cards can never be played: find it.", 0.15),
        "discard slot": Theme("The discard slot", "Choose the card that you can best do without."),
        "last copies": Theme("Last copies", "Keep the last card of its kind."),
        "save": Theme("Saving", "A partner is about to lose a card that cannot be replaced."),
        "stop a mistake": Theme("Stop a mistake", "A partner is about to play a card that does not fit."),
        "give a play": Theme("Get a card played", "A hint lets a partner play at once."),
        "good hint": Theme("A hint for later", "The best hint does not lead to a play at once."),
        "endgame": Theme("Endgame", "The deck is almost empty: every turn counts.", 0.2),
    }
)

LESSONS = (
    Lesson(
        "hints", "What a hint means",
        "Hints cost tokens, so nobody gives one without a reason. A hint mostly means: play this. Ask what the hint "
        "would be good for if your card were something else. If it touched a single card, that card is meant.",
        "what a hint means",
    ),
    Lesson(
        "discard slot", "The discard slot",
        "Everybody should know which card you discard next: by custom your oldest card that no hint touched. Partners "
        "then hint that card before you lose something that matters, and you can discard without worry.",
        "discard slot",
    ),
    Lesson(
        "last copies", "Last copies",
        "There are three ones, two each of twos, threes and fours, and a single five of every colour. When one copy of "
        "a card is gone, count: if the other is lost, its pile ends there. Fives are always last copies.",
        "last copies",
    ),
    Lesson(
        "saving", "Saving",
        "Look at the card that each partner would discard next. If it is a last copy, a hint that touches it comes "
        "before everything else, unless somebody before that partner can give it.",
        "save",
    ),
    Lesson(
        "endgame", "The endgame",
        "When the deck is empty, everybody has one more turn. Count the cards that can still be played, and who holds "
        "them. A hint that passes the turn without drawing can be worth more than a discard.",
        "endgame",
    ),
)  # fmt: skip


def tables() -> tuple[Source, ...]:
    """Mostly partners that are fast and follow plain rules; tables of two to five. `partner` takes minutes per game."""
    rules = dict(HANABI.table_rules)
    who = ("bot2_conventions", "iggi", "hajdu_v2_fives", "piers", "bot2_conventions", "outer")
    plan = 3 * [(agent, players) for players in (3, 2, 4, 3, 5, 2) for agent in who] + [("partner", 2)]
    return tuple(Source((agent,) * players, rules) for agent, players in plan)


class HanabiExaminer:
    """Examines the decisions of one seat at a table of known agents."""

    def __init__(self, agents: Sequence[CompiledAgent], seat: int) -> None:
        self.judge: HanabiJudge = COACH.judge(agents, 0, seat, seat)
        self.other: HanabiJudge = COACH.judge(agents, 0, seat, seat)
        self.other.hands *= MORE_HANDS
        self.random = any(agent.traits.random for agent in agents)

    def see(self, views: Sequence[Any]) -> tuple[Known, Sequence[Any]]:
        return self.judge.see(views), views

    def promises(self, known: tuple[Known, Sequence[Any]], chosen: int, stream: int) -> bool:
        found = self.judge.evaluate(known[0], chosen, stream, QUICK)
        if len(found.worths) < 2:
            return False
        best, second = found.worths[:2]
        perfect = (best.perfect or 0.0) - (second.perfect or 0.0)
        return best.value - second.value >= QUICK_GAP or (best.value > second.value and perfect >= LEAST_PERFECT)

    def examine(self, known: tuple[Known, Sequence[Any]], stream: int) -> Examined:
        first = self.evaluate(known, number(stream, 1))
        if first is None or not CRITERIA.is_met(first):
            return Examined(UNCLEAR)
        if first.exact:
            return Examined(KEPT, first)
        self.other.memory[:] = np.zeros_like(self.other.memory)  # the belief is drawn again
        try:
            again = evaluated(self.other, self.other.see(known[1]), number(stream, 2), self.random)
        except KibitzError:
            again = None
        if again is None or again.best != first.best or not again.gap.is_clear or again.measure != first.measure:
            return Examined(UNCONFIRMED)
        return Examined(KEPT, Answer(first.values, first.gap, again.gap, first.measure))

    def evaluate(self, known: tuple[Known, Sequence[Any]], stream: int) -> Answer | None:
        return evaluated(self.judge, known[0], stream, self.random)

    def explain(self, known: tuple[Known, Sequence[Any]], answer: Answer, stream: int) -> Explained:
        return explained(self.judge, known[0], answer, stream)


# Evaluation


def evaluated(judge: HanabiJudge, known: Known, stream: int, random: bool) -> Answer | None:
    """The values of all moves; None if listing is possible but dice would make the values inexact."""
    moves = np.array(View(known.view[0]).legal, np.int64)
    memory = judge.believing_in(known)
    memory["now"][0, 0] = known.view[0]
    if CARDS - int(known.view[0]["drawn"]) <= LAST_CARDS and thorough.worlds_left(memory):
        return None if random else exact(judge, known, memory, moves)

    def trials(tried: Any, worlds: int, dice: int) -> Any:
        payoffs = np.zeros((worlds, len(tried)))
        believing = judge.believing_in(known)
        thorough.try_moves(believing, known.view, judge.models, judge.playing, tried, dice, payoffs)
        return payoffs

    return compare_moves(trials, moves, stream, CRITERIA)


def exact(judge: HanabiJudge, known: Known, memory: Any, moves: Any) -> Answer:
    values = np.zeros(len(moves))
    thorough.exact_values(memory, known.view, judge.models, judge.playing, moves, values)
    order = np.argsort(-values, kind="stable")
    listed = tuple(Value(int(moves[place]), POINTS * float(values[place]), 0.0) for place in order)
    gap = Gap(listed[0].value - listed[1].value if len(listed) > 1 else 0.0, 0.0)
    return Answer(listed, gap, gap, "points", exact=True)


# Words


def explained(judge: HanabiJudge, known: Known, answer: Answer, stream: int) -> Explained:
    view = View(known.view[0])
    best, second = Move(answer.best), Move(answer.second)
    after_best = words.ahead(judge, known, view, best, stream)
    after_second = words.ahead(judge, known, view, second, stream)
    loss = answer.values[0].value - answer.values[1].value
    found = Evaluation(
        tuple(Worth(each.move, each.value, each.error, 0) for each in answer.values), second, best, loss, 0.0
    )
    case = words.Case(judge, known, found, view, second, best, after_second, after_best)
    reason = reason_for(case)
    if not reason or surprises(case):
        return Explained("", "")
    kind, wrong = next(((kind, text) for kind, rule in words.RULES if (text := rule(case))), ("", ""))
    text = f"{words.upper(spoken(best))}: {reason}."
    ahead = (
        f"{words.points(answer.gap.points)} less"
        if answer.measure == "points"
        else f"a chance of 25 that is {words.percent(answer.gap.points)} lower"
    )
    text += f" Next best: {spoken(second)}, {ahead}."
    if wrong and kind in SAID:
        text += f" {wrong}."
    return Explained(theme_of(case), text)


def surprises(case: words.Case) -> bool:
    """Whether no person would see why a move is the best: a play that hardly ever fits, or a hint that mostly makes its
    receiver play a card that it does not touch."""
    view, move = case.view, case.best
    if not move.is_hint:
        return move.is_play and case.known.chance(move.slot, view.playable) < HOPELESS
    kinds, touched = hinted_kinds((int(move) - HINT) % 10), 0
    for card in view.hands[move.target]:
        touched |= (kinds >> card.kind.index & 1 if card.kind else 0) << card.slot
    strange = 0
    for (seat, slot, _), count in case.after_best.plays.items():
        before = sum(number for key, number in case.after_chosen.plays.items() if key[:2] == (seat, slot))
        strange += count if seat == move.target and not touched >> slot & 1 and count > 2 * before else 0
    return strange > words.RISKY * case.after_best.worlds


def reason_for(case: words.Case) -> str:
    """Why the best move is good: the rules of the review, and some that only matter where a move is the best."""
    move, view = case.best, case.view
    if move.is_play and not view.is_playable(view.hand[move.slot]) and view.hand[move.slot].marked:
        likely = case.known.chance(move.slot, view.playable)
        hinted = f"{words.own(move.slot)} was hinted, and by what your partners would hint it"
        if likely > CERTAIN:
            return f"{hinted} must be playable"
        return f"{hinted} is playable with a chance of {words.percent(likely)}"
    if move.is_discard and not view.is_useless(view.hand[move.slot]):
        return safest(case)
    if not move.is_hint:
        return words.why(case, move, case.after_best)
    if saves(case):
        return words.why(case, move, case.after_best)
    follows = words.what_follows(case, move, case.after_best)
    return shown_by(case) if not follows or "does not fit" in follows else follows


def saves(case: words.Case) -> bool:
    """Whether the hint touches a last copy that its receiver would otherwise lose."""
    found = words.saved_by(case.after_chosen, case.after_best)
    kinds = hinted_kinds((int(case.best) - HINT) % 10)
    return found is not None and found[0] == case.best.target and bool(kinds >> found[1] & 1)


def safest(case: words.Case) -> str:
    """The risk of a discard, beside that of the card with the highest risk."""
    view, slot = case.view, case.best.slot
    risk = [case.known.chance(card.slot, view.critical) for card in view.hand]
    worst = risk.index(max(risk))
    if risk[slot] > words.RISKY:
        return ""
    card = f"{words.own(slot)} is the last of its kind with a chance of only {words.percent(risk[slot])}"
    if risk[slot] < 1.0 - CERTAIN:
        card = f"{words.own(slot)} is not the last of its kind"
    if risk[worst] - risk[slot] < words.RISKY:
        return card
    other = f"{words.own(worst)} is" if risk[worst] > CERTAIN else f"{words.own(worst)} may be"
    return f"{card}, but {other}" + ("" if risk[worst] > CERTAIN else f" ({words.percent(risk[worst])})")


def shown_by(case: words.Case) -> str:
    """The cards that a hint touches."""
    view, move = case.view, case.best
    kinds = hinted_kinds((int(move) - HINT) % 10)
    touched = [card for card in view.hands[move.target] if card.kind and kinds >> card.kind.index & 1]
    cards = [
        f"the {card.kind}{', which fits' if view.is_playable(card) else ''}"
        f"{', the last of its kind' if view.is_critical(card) else ''}"
        for card in touched
    ]
    return f"it shows G{move.target + 1} {words.listed(cards, 'and')}" if cards else ""


def misplays(after: words.Ahead) -> float:
    return sum(count for (_, _, fits), count in after.plays.items() if not fits) / max(after.worlds, 1)


def theme_of(case: words.Case) -> str:
    view, best = case.view, case.best
    sure = [card.slot for card in view.hand if view.is_playable(card)]
    if best.is_play and sure == [best.slot]:
        return "sure play"
    if view.deck_left <= LAST_CARDS:
        return "endgame"
    if best.is_play:
        if case.known.chance(best.slot, view.playable) < LIKELY:
            return "take a chance"
        if best.slot in sure:
            return "choose a play"
        return "what a hint means" if view.hand[best.slot].marked else "choose a play"
    if best.is_discard:
        if view.is_useless(view.hand[best.slot]):
            return "dead card"
        risk = [case.known.chance(card.slot, view.critical) for card in view.hand]
        return "last copies" if max(risk) - risk[best.slot] > words.RISKY else "discard slot"
    if saves(case):
        return "save"
    if misplays(case.after_chosen) - misplays(case.after_best) >= LOST_OFTEN:
        return "stop a mistake"
    return "give a play" if words.what_follows(case, best, case.after_best) else "good hint"


class HanabiPuzzles:
    unit = "points"
    least_gap = LEAST_GAP
    sources = tables()
    references = (
        "internal", "outer", "iggi", "piers", "hajdu_v1_fixed", "hajdu_v2_fives", "bot2", "bot2_conventions",
        "trustful", "partner", "person",
    )  # fmt: skip
    themes = THEMES
    lessons = LESSONS
    conventions = CONVENTIONS

    def examiner(self, agents: Sequence[str], seat: int) -> HanabiExaminer:
        found = [registry.agent(HANABI, name) for name in agents]
        return HanabiExaminer([agent for agent in found if isinstance(agent, CompiledAgent)], seat)


PUZZLES = HanabiPuzzles()
