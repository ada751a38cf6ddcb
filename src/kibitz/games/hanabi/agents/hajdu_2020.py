"""The six generations of `hajdu` as the thesis describes them, to the letter.

Every generation is the same function with other weights: the rules it adds are switched on, and the readings of the
text are weights, too. Players know only what hints name: nothing follows from hints that pass a card by, or from the
copies they see.
"""

from dataclasses import replace

from kibitz.core.agent import CompiledAgent
from kibitz.core.weights import Numbers, Weights
from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, hinting, playing, slots_of
from kibitz.games.hanabi.agents.hajdu import (
    BOLD_HINT,
    CORRECTION,
    FIVE_HINT,
    NOTHING,
    OLDEST,
    OLDEST_BUT_FIVES,
    ORIGIN,
    PLAY_HINT,
    READ,
    REASONS,
    SHOWN,
    SPARE,
    SPARE_HINT,
    SPARES,
    SURE,
    USELESS,
    USELESS_HINT,
    Spares,
    remember_spares,
    touched_with,
    worth,
)
from kibitz.games.hanabi.cards import ALL, FIVES, OF_COLOUR, OF_RANK, holds
from kibitz.games.hanabi.knowledge import critical, kind_of, marked, playable, revealed, surely, useless
from kibitz.games.hanabi.state import COLOUR_MARK, RANK_MARK, State

WEIGHT_NAMES = (
    "rules.copies", "rules.interprets", "rules.fives", "rules.spares", "rules.bold",
    "reading.whom", "reading.again", "reading.most", "reading.blocked", "reading.any_colour", "reading.any_copy",
    "reading.correct", "reading.remember",
)  # fmt: skip
(
    COPIES,  # v1: hints touch several copies of a card
    INTERPRETS,  # from v2 on
    FIVES_TOO,  # v2_fives
    SPARES_TOO,  # from v3 on
    BOLD,  # v4
    WHOM,  # to hint a play: 0 any player, the nearest first; 1 the nearest who holds a playable card; 2 the next player
    AGAIN,  # 1: a playable card that was hinted counts as one to hint
    MOST,  # 1: the hint that marks most cards, then a five, then the lowest rank; 0: the first found, the oldest card
    BLOCKED,  # 1: cards whose pile cannot reach them are useless, too; 0: only those whose copy was played
    ANY_COLOUR,  # 1: a card shown alone by its colour is played even if its colour is finished
    ANY_COPY,  # 1: the last copy of a card counts as a spare, and so do two copies in one hand
    CORRECT,  # 2: corrections come before everything, even plays; 1: before all other hints; 0: after hints of plays
    REMEMBER,  # 1: a card shown as a spare stays one when a pile comes to need its rank; 0: it is played then
) = range(len(WEIGHT_NAMES))  # fmt: skip
ANYBODY, NEAREST_WITH_A_PLAY, NEXT_PLAYER = range(3)
AFTER_HINTS_OF_PLAYS, BEFORE_HINTS, BEFORE_PLAYS = range(3)


@compiled
def named_kinds(view: State, seat: int, slot: int) -> int:
    """The kinds that a card can be by the colour and the rank that hints named."""
    marks, open_kinds = view.marks[seat][slot], view.hinted_kinds[seat][slot]
    kinds = ALL
    if marks & COLOUR_MARK:
        kinds &= OF_COLOUR[lowest_bit(open_kinds) // 5]
    if marks & RANK_MARK:
        kinds &= OF_RANK[lowest_bit(open_kinds) % 5]
    return kinds


@compiled
def alone_in_colour(view: State, seat: int, slot: int) -> bool:
    colour = named_kinds(view, seat, slot)
    for other in range(view.held[seat]):
        if other != slot and view.marks[seat][other] & COLOUR_MARK and named_kinds(view, seat, other) & colour:
            return False
    return True


@compiled
def next_play(view: State, seat: int, now: int, spares: int, weights: Numbers) -> int:
    """The oldest slot whose card its holder plays because of its hints, or NOTHING."""
    for slot in range(view.held[seat]):
        marks, kinds = view.marks[seat][slot], named_kinds(view, seat, slot)
        if not weights[INTERPRETS]:
            plays = marks != 0
        elif marks == COLOUR_MARK:
            plays = alone_in_colour(view, seat, slot) and (weights[ANY_COLOUR] > 0 or kinds & now != 0)
        elif marks == RANK_MARK:
            plays = kinds & now != 0 and not holds(spares, view.hands[seat][slot])
        else:
            plays = marks != 0 and surely(kinds, now)
        if plays:
            return slot
    return NOTHING


@compiled
def dead_kinds(view: State, weights: Numbers) -> int:
    return useless(view) if weights[BLOCKED] else view.played & ALL


# Hints


@compiled
def shown(view: State, seat: int, slot: int, rank: bool) -> bool:
    return view.marks[seat][slot] & (RANK_MARK if rank else COLOUR_MARK) != 0


@compiled
def marks_copies(view: State, seat: int, named: int) -> bool:
    """Whether a hint touches two copies of a card, or one whose copy is marked in another hand."""
    touched = 0
    for slot in range(view.held[seat]):
        kind = kind_of(view, seat, slot)
        if holds(named, kind):
            if holds(touched, kind):
                return True
            touched |= 1 << kind
            for other in range(view.players):
                if other != view.seat and other != seat:
                    for place in range(view.held[other]):
                        if kind_of(view, other, place) == kind and marked(view, other, place):
                            return True
    return False


@compiled
def is_clear(view: State, seat: int, slot: int, rank: bool, now: int, weights: Numbers) -> bool:
    """Whether a hint about a playable card cannot be misunderstood."""
    named = touched_with(kind_of(view, seat, slot), rank)
    if shown(view, seat, slot, rank):
        return False
    if weights[INTERPRETS] and not rank:
        if slots_of(view, seat, named) != 1 << slot:
            return False
    elif slots_of(view, seat, named & ~now):
        return False
    return weights[COPIES] > 0 or not marks_copies(view, seat, named & now)


@compiled
def can_be_bold(view: State, seat: int, slot: int) -> bool:
    """Whether a card can be hinted by its rank although others are not playable: the hint touches no copies."""
    named = OF_RANK[kind_of(view, seat, slot) % 5]
    return not shown(view, seat, slot, True) and not marks_copies(view, seat, named)


@compiled
def hint_playable(view: State, now: int, bold: bool, weights: Numbers) -> int:
    """Hint a playable card by its rank, else by its colour, so that it cannot be misunderstood; if `bold`, by its rank
    although it can."""
    best, most = NOTHING, -1
    for step in range(1, 2 if weights[WHOM] == NEXT_PLAYER else view.players):
        seat = (view.seat + step) % view.players
        has_play = False
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            if not holds(now, kind) or (marked(view, seat, slot) and not weights[AGAIN]):
                continue
            has_play = True
            for rank in (True, False):
                if bold and not rank:
                    continue
                if can_be_bold(view, seat, slot) if bold else is_clear(view, seat, slot, rank, now, weights):
                    value = worth(view, seat, kind, rank)
                    if value > most:
                        best, most = hinting(view, seat, slot, rank, BOLD_HINT if bold else PLAY_HINT), value
                    if not weights[MOST]:
                        return best
                    break
        if has_play and weights[WHOM] == NEAREST_WITH_A_PLAY:
            break
    return best


@compiled
def hint_useless(view: State, dead: int) -> int:
    """Hint a card that can no longer be played, by a rank that every pile has passed or by a finished colour."""
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            for rank in (True, False):
                known = surely(named_kinds(view, seat, slot), dead)
                if surely(touched_with(kind, rank), dead) and not known:
                    return hinting(view, seat, slot, rank, USELESS_HINT)
    return NOTHING


@compiled
def hint_fives(view: State) -> int:
    """Hint the rank of a five, then its colour."""
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            if holds(FIVES, kind_of(view, seat, slot)) and not revealed(view, seat, slot):
                return hinting(view, seat, slot, not shown(view, seat, slot, True), FIVE_HINT)
    return NOTHING


@compiled
def are_spares(view: State, seat: int, named: int) -> bool:
    """Whether a hint touches neither the last copy of a card nor several copies of one."""
    return not slots_of(view, seat, named & critical(view)) and not marks_copies(view, seat, named)


@compiled
def hint_spares(view: State, now: int, dead: int, weights: Numbers) -> int:
    """Hint spare copies to a player with neither playable nor useless cards: fours, else threes, else twos, if no pile
    needs that rank."""
    any_copy = weights[ANY_COPY] > 0
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        if slots_of(view, seat, now | dead):
            continue
        for rank in (3, 2, 1):
            if OF_RANK[rank] & now:
                continue
            for slot in range(view.held[seat]):
                of_rank = holds(OF_RANK[rank], kind_of(view, seat, slot)) and not shown(view, seat, slot, True)
                if of_rank and (any_copy or are_spares(view, seat, OF_RANK[rank])):
                    return hinting(view, seat, slot, True, SPARE_HINT)
    return NOTHING


@compiled
def correct(view: State, now: int, spares: int, weights: Numbers) -> int:
    """Hint the colour of a card that its holder is about to play because of its rank, although it is not playable."""
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        slot = next_play(view, seat, now, spares, weights)
        if slot != NOTHING and view.marks[seat][slot] == RANK_MARK and not holds(now, kind_of(view, seat, slot)):
            return hinting(view, seat, slot, False, CORRECTION)
    return NOTHING


@compiled
def hint(view: State, now: int, dead: int, spares: int, weights: Numbers) -> int:
    decided = NOTHING
    if weights[BOLD] and weights[CORRECT] == BEFORE_HINTS:
        decided = correct(view, now, spares, weights)
    if decided == NOTHING:
        decided = hint_playable(view, now, False, weights)
    if decided == NOTHING and weights[BOLD]:
        decided = hint_playable(view, now, True, weights)
    if decided == NOTHING and weights[BOLD]:
        decided = correct(view, now, spares, weights)
    if decided == NOTHING and weights[INTERPRETS]:
        decided = hint_useless(view, dead)
    if decided == NOTHING and weights[FIVES_TOO]:
        decided = hint_fives(view)
    if decided == NOTHING and weights[SPARES_TOO]:
        decided = hint_spares(view, now, dead, weights)
    return decided


# Discards


@compiled
def discard(view: State, now: int, dead: int, spares: int, weights: Numbers) -> int:
    """Discard a card known to be useless, else one shown as a spare copy, else the oldest."""
    me = view.seat
    if weights[INTERPRETS]:
        for slot in range(view.held[me]):
            if surely(named_kinds(view, me, slot), dead):
                return discarding(view, slot, USELESS)
    if not weights[SPARES_TOO]:
        return discarding(view, 0, OLDEST)
    for slot in range(view.held[me]):
        if view.marks[me][slot] == RANK_MARK:
            rank = lowest_bit(named_kinds(view, me, slot)) % 5
            if 1 <= rank <= 3 and (not OF_RANK[rank] & now or holds(spares, view.hands[me][slot])):
                return discarding(view, slot, SPARE)
    for slot in range(view.held[me]):
        if not surely(named_kinds(view, me, slot), FIVES):
            return discarding(view, slot, OLDEST if slot == 0 else OLDEST_BUT_FIVES)
    return discarding(view, 0, OLDEST)


@agent(
    title="Literal Hollis",
    reasons=REASONS,
    origin=f"{ORIGIN}, to the letter",
    weights=Weights((1, 0, 0, 0, 0, NEAREST_WITH_A_PLAY, 1, 0, 0, 0, 0, BEFORE_HINTS, 1), WEIGHT_NAMES),
    watch=remember_spares,
    public=SPARES,
)
def hajdu_v1_2020(view: State, public: Spares, weights: Numbers) -> int:
    """Plays any hinted card, else hints only playable cards, to the nearest player who holds one, else discards the
    oldest card.

    It may hint both copies of a card."""
    now, dead = playable(view), dead_kinds(view, weights)
    spares = public.cards if weights[SPARES_TOO] and weights[REMEMBER] else 0
    if weights[BOLD] and weights[CORRECT] == BEFORE_PLAYS and view.tokens > 0:
        decided = correct(view, now, spares, weights)
        if decided != NOTHING:
            return decided
    slot = next_play(view, view.seat, now, spares, weights)
    if slot != NOTHING:
        reason = SURE if revealed(view, view.seat, slot) else READ
        return playing(view, slot, reason if weights[INTERPRETS] else SHOWN)
    decided = hint(view, now, dead, spares, weights) if view.tokens > 0 else NOTHING
    return decided if decided != NOTHING else discard(view, now, dead, spares, weights)


def generation(name: str, title: str, description: str, before: CompiledAgent, **weights: float) -> CompiledAgent:
    """The generation after another one, with the weights that differ."""
    changed = {next(full for full in WEIGHT_NAMES if full.endswith(f".{each}")): weights[each] for each in weights}
    described = replace(before, name=name, title=title, description=description)
    return described.with_weights(before.weights.but(changed))


hajdu_v1_fixed_2020 = generation(
    "hajdu_v1_fixed_2020",
    "Literal Tatum",
    "It is Literal Hollis that never hints both copies of a card.",
    hajdu_v1_2020,
    copies=0,
)
hajdu_v2_2020 = generation(
    "hajdu_v2_2020",
    "Literal Charlie",
    "Plays by what hints name, gives hints that cannot be misunderstood, about playable or else useless cards, and "
    "discards useless cards first.",
    hajdu_v1_fixed_2020,
    interprets=1,
    again=0,
)
hajdu_v2_fives_2020 = generation(
    "hajdu_v2_fives_2020",
    "Literal Parker",
    "It is Literal Charlie that also hints fives, first the rank, then the colour.",
    hajdu_v2_2020,
    fives=1,
)
hajdu_v3_2020 = generation(
    "hajdu_v3_2020",
    "Literal Tracy",
    "It is Literal Charlie that also hints and discards spare copies, and keeps known fives.",
    hajdu_v2_2020,
    spares=1,
)
hajdu_v4_2020 = generation(
    "hajdu_v4_2020",
    "Literal Blake",
    "It is Literal Tracy that, if need be, gives hints that can be misunderstood, and corrects such hints.",
    hajdu_v3_2020,
    bold=1,
)
