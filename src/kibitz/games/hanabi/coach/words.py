"""A decision in words, by rules: what was knowable, what the move did, and why the best move is better.

Everything here is read from the seat's view, its belief about its hand, and what the models do next in sampled worlds.
A rule names a kind of mistake. The first that applies to a move that loses something is the one that is named.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from kibitz.core.coaching import Evaluation, Remark
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.cards import hinted_kinds
from kibitz.games.hanabi.coach.known import Known
from kibitz.games.hanabi.knowledge import kinds_after_hint
from kibitz.games.hanabi.moves import ALL_KINDS, Move, spoken
from kibitz.games.hanabi.state import TOKENS
from kibitz.games.hanabi.view import Card, View, kinds_in
from kibitz.text import counted

ORDINALS = ("first", "second", "third", "fourth", "fifth")
LEAST_LOSS = 0.05  # points, below which nothing is called a mistake
UNLIKELY = 0.5  # the chance to fit below which a play is a gamble
CERTAIN = 0.995  # a chance that is called certain
LIKELY = 0.9  # a card that is playable with this chance should be played
RISKY = 0.25  # the chance to lose the last copy of a card
SAVED = 0.3  # the drop in that chance by which another move saves a card
OFTEN = 0.5  # the share of worlds in which something "would" happen
FEW_TOKENS, MANY_TOKENS = 2, 6
NAMED_KINDS = 4  # at most, in a sentence
# The kinds of mistakes, in the order in which they are looked for.
KINDS_OF_MISTAKES = (
    "last copy", "missed play", "gamble", "endgame", "wrong card", "empty hint", "too late", "risky discard",
    "wasted discard", "hoarded token", "wasted token", "other",
)  # fmt: skip


class Asked(Protocol):
    """What the words ask about the partners."""

    with_people: bool  # whether all of them are people

    def futures(self, known: Known, move: int, stream: int) -> Any:
        """The events until the seat's next turn after a move, by sampled world."""
        ...

    def is_truthful(self, known: Known, move: int) -> bool:
        """Whether a move keeps the conventions of the partners, as far as these declare any."""
        ...


class Ahead(NamedTuple):
    """What the others do after a move, by sampled world."""

    plays: Counter[tuple[int, int, bool]]  # by seat, place of the card in the hand, and whether it fits
    lost: Counter[tuple[int, int]]  # last copies that others discard or misplay: the seat and the kind
    worlds: int


class Case(NamedTuple):
    """A decision to put in words."""

    judge: Asked
    known: Known
    found: Evaluation
    view: View
    chosen: Move
    best: Move
    after_chosen: Ahead
    after_best: Ahead


# Phrases


def own(slot: int) -> str:
    return f"your {ORDINALS[slot]} card"


def upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def listed(words: Iterable[str], last: str = "or") -> str:
    *rest, end = words
    return f"{', '.join(rest)} {last} {end}" if rest else end


def kinds_text(mask: int) -> str:
    """The kinds by colour: the 2 or 4 of green."""
    by_colour: dict[str, list[int]] = {}
    for kind in kinds_in(mask):
        by_colour.setdefault(kind.colour, []).append(kind.rank)
    return listed(f"the {listed(map(str, ranks))} of {colour}" for colour, ranks in by_colour.items())


def could_be(card: Card, what: str) -> str:
    """What a card could be, if these are few kinds, and what is true of all of them."""
    count = card.possible.bit_count()
    if count == 1:
        return f"{upper(own(card.slot))} could only be {kinds_text(card.possible)}, which was {what}"
    if count <= NAMED_KINDS:
        both = "both were" if count == 2 else "all were"
        return f"{upper(own(card.slot))} could only be {kinds_text(card.possible)}, and {both} {what}"
    return f"{upper(own(card.slot))} could be {count} kinds, and all were {what}"


def points(value: float) -> str:
    return "1 point" if f"{value:.1f}" == "1.0" else f"{value:.1f} points"


# What the others do next


def ahead(judge: Asked, known: Known, view: View, move: Move, stream: int) -> Ahead:
    """Read the models' next moves; the cards they play and lose are in the hands that the seat sees."""
    plays: Counter[tuple[int, int, bool]] = Counter()
    lost: Counter[tuple[int, int]] = Counter()
    histories = judge.futures(known, int(move), stream)
    last = view.critical
    for world in histories.tolist():
        for step, happened in enumerate(world[1:], start=1):
            if happened < 0:
                break
            made, seat = rules.event_move(happened), (view.to_move + step) % view.players
            if made >= rules.HINT:
                continue
            kind, misplayed = rules.event_detail(happened), bool(rules.event_misplayed(happened))
            if made < rules.DISCARD:
                plays[seat, made, not misplayed] += 1
            if (made >= rules.DISCARD or misplayed) and last >> kind & 1:
                lost[seat, kind] += 1
    return Ahead(plays, lost, len(histories))


def seen_card(view: View, seat: int, slot: int) -> str:
    kind = view.hands[seat][slot].kind
    return f"card {slot + 1} (the {kind})" if kind else f"card {slot + 1}"


def what_follows(case: Case, move: Move, after: Ahead) -> str:
    """What the receiver of a hint mostly does with it."""
    view = case.view
    mine = {key: count for key, count in after.plays.items() if key[0] == move.target}
    if not mine:
        return ""
    (seat, slot, fits), count = max(mine.items(), key=lambda item: (item[1], item[0]))
    if count < OFTEN * after.worlds:
        return ""
    name = f"G{seat + 1}"
    outcome = "which fits" if fits else "which does not fit"
    return f"{name} then plays {seen_card(view, seat, slot)}, {outcome}, in {percent(count / after.worlds)} of games"


# Why a move is good


def why(case: Case, move: Move, after: Ahead) -> str:
    """A reason for a move, from what was knowable; empty if no rule gives one."""
    view, known = case.view, case.known
    if move.is_hint:
        saves = saved_by(case.after_chosen, after) if move == case.best else None
        if saves is not None:
            seat, kind = saves
            return f"it keeps G{seat + 1} from losing the {ALL_KINDS[kind]}, the last of its kind"
        follows = what_follows(case, move, after)
        return follows if "does not fit" not in follows else ""
    card = view.hand[move.slot]
    if move.is_play:
        if view.is_playable(card):
            return lower(could_be(card, "playable"))
        if known.chance(move.slot, view.playable) > CERTAIN:
            return f"by hints and by what the others did, {own(move.slot)} had to be playable"
        return f"{own(move.slot)} was playable with a chance of {percent(known.chance(move.slot, view.playable))}"
    if view.is_useless(card):
        return lower(could_be(card, "useless"))
    danger = known.chance(move.slot, view.critical)
    if danger > RISKY:
        return ""
    if danger < 1 - CERTAIN:
        return f"{own(move.slot)} was surely not the last of its kind"
    return f"the chance was {percent(danger)} that {own(move.slot)} was the last of its kind"


def lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def saved_by(chosen: Ahead, best: Ahead) -> tuple[int, int] | None:
    """A last copy that is lost after the chosen move and not after the best."""
    for (seat, kind), count in sorted(chosen.lost.items(), key=lambda item: (-item[1], item[0])):
        if (count - best.lost[seat, kind]) / chosen.worlds >= SAVED:
            return seat, kind
    return None


# Rules: each returns what was wrong with the move, or nothing.


def last_copy(case: Case) -> str:
    if not case.chosen.is_discard:
        return ""
    card = case.view.hand[case.chosen.slot]
    return could_be(card, "the last of its kind") if case.view.is_critical(card) else ""


def missed_play(case: Case) -> str:
    view, known = case.view, case.known
    if not case.best.is_play or (case.chosen.is_play and view.is_playable(view.hand[case.chosen.slot])):
        return ""
    card = view.hand[case.best.slot]
    if view.is_playable(card):
        return could_be(card, "playable")
    likely = known.chance(card.slot, view.playable)
    if likely < LIKELY:
        return ""
    if likely > CERTAIN:
        return f"By hints and by what the others did, {own(card.slot)} had to be playable"
    return f"The chance that {own(card.slot)} was playable was {percent(likely)}, by hints and by what the others did"


def gamble(case: Case) -> str:
    if not case.chosen.is_play:
        return ""
    view, slot = case.view, case.chosen.slot
    likely = case.known.chance(slot, view.playable)
    if likely >= UNLIKELY:
        return ""
    lives = "the last life" if view.lives == 1 else "a life"
    return f"You risked {lives}: the chance that {own(slot)} was playable was {percent(likely)}"


def endgame(case: Case) -> str:
    view = case.view
    if view.turns_left is None and view.deck_left > view.players:
        return ""
    if case.chosen.is_play:
        return ""
    left = (
        f"{counted(view.turns_left, 'turn')} were left" if view.turns_left is not None and view.turns_left != 1
        else "this was the last turn" if view.turns_left == 1
        else f"the deck had {counted(view.deck_left, 'card')}"
    )  # fmt: skip
    if case.best.is_play:
        return f"A turn was lost at the end: {left}"
    if case.chosen.is_discard and case.best.is_hint:
        return f"A discard near the end brings the last turn closer: {left}"
    return ""


def wrong_card(case: Case) -> str:
    if not case.chosen.is_hint:
        return ""
    follows = what_follows(case, case.chosen, case.after_chosen)
    return f"The hint asks for a wrong card: {follows}" if "does not fit" in follows else ""


def empty_hint(case: Case) -> str:
    if not case.chosen.is_hint:
        return ""
    view, move = case.view, case.chosen
    value = (int(move) - rules.HINT) % 10
    for card in view.hands[move.target]:
        if int(kinds_after_hint(view.struct, move.target, card.slot, value)) != card.hinted_kinds:
            return ""
    return f"The hint told G{move.target + 1} nothing new"


def too_late(case: Case) -> str:
    saves = saved_by(case.after_chosen, case.after_best)
    if saves is None:
        return ""
    seat, kind = saves
    share = case.after_chosen.lost[saves] / case.after_chosen.worlds
    return f"G{seat + 1} then loses the {ALL_KINDS[kind]}, the last of its kind, in {percent(share)} of games"


def risky_discard(case: Case) -> str:
    if not case.chosen.is_discard:
        return ""
    chance = case.known.chance(case.chosen.slot, case.view.critical)
    return (
        f"{upper(own(case.chosen.slot))} was the last of its kind with a chance of {percent(chance)}"
        if chance > RISKY
        else ""
    )


def wasted_discard(case: Case) -> str:
    full = case.chosen.is_discard and case.view.tokens == TOKENS
    return "All eight tokens were there, so the discard returned none" if full else ""


def hoarded_token(case: Case) -> str:
    hoards = case.chosen.is_discard and case.best.is_hint and case.view.tokens >= MANY_TOKENS
    return f"With {case.view.tokens} tokens there was no need to discard" if hoards else ""


def wasted_token(case: Case) -> str:
    spends = case.chosen.is_hint and not case.best.is_hint and case.view.tokens <= FEW_TOKENS
    if not spends:
        return ""
    return f"The hint took one of only {counted(case.view.tokens, 'token')}" if case.view.tokens > 1 else (
        "The hint took the last token"
    )  # fmt: skip


RULES: tuple[tuple[str, Callable[[Case], str]], ...] = (
    ("last copy", last_copy),
    ("missed play", missed_play),
    ("gamble", gamble),
    ("endgame", endgame),
    ("wrong card", wrong_card),
    ("empty hint", empty_hint),
    ("too late", too_late),
    ("risky discard", risky_discard),
    ("wasted discard", wasted_discard),
    ("hoarded token", hoarded_token),
    ("wasted token", wasted_token),
)


# Conventions


def convention(case: Case) -> str:
    """How the chosen move breaks a convention of the partners."""
    if not case.judge.is_truthful(case.known, int(case.chosen)):
        return "By the conventions of your partners this move says something that is not true."
    if not case.chosen.is_hint or not case.judge.with_people:
        return ""
    view, move = case.view, case.chosen
    value = (int(move) - rules.HINT) % 10
    kinds = int(hinted_kinds(value))
    touched = [card for card in view.hands[move.target] if card.kind and kinds >> card.kind.index & 1]
    if len(touched) != 1 or touched[0].marked:
        return ""
    card = touched[0]
    if view.is_playable(card) or view.is_critical(card) or view.is_useless(card):
        return ""
    return f"People mostly play a card that is hinted alone, and the {card.kind} does not fit yet."


# Everything


def remark(judge: Asked, known: Known, found: Evaluation, stream: int) -> Remark:
    view = View(known.view[0])
    chosen, best = Move(found.chosen), Move(found.best)
    after_chosen = ahead(judge, known, view, chosen, stream)
    after_best = after_chosen if best == chosen else ahead(judge, known, view, best, stream)
    case = Case(judge, known, found, view, chosen, best, after_chosen, after_best)
    broken = convention(case)
    if best == chosen or found.loss < LEAST_LOSS:
        reason = why(case, chosen, after_chosen)
        return Remark("", f"{upper(reason)}." if reason else "", broken)
    kind, wrong = next(((kind, text) for kind, rule in RULES if (text := rule(case))), ("other", ""))
    better = f"{upper(spoken(best))} is worth {points(found.loss)} more"
    reason = why(case, best, after_best)
    said_already = bool(reason) and (kind == "missed play" or (kind == "too late" and "keeps" in reason))
    better += f": {reason}" if reason and not said_already else ""
    return Remark(kind, f"{wrong}. {better}." if wrong else f"{better}.", broken)
