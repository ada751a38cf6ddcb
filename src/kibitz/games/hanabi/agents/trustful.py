"""A trusting player: hints promise plays, and it plays promised cards without knowing them in full.

`promises` says what a hint means, `partners` predicts the others. This file has the ten modules and their weights, and
two players: `trustful`, and `trustful_2020`, which follows the text of the thesis to the letter.
"""

from pathlib import Path
from typing import NamedTuple

from kibitz.core.weights import Numbers, load_weights
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import avalanches, discarding, may_discard, playing, slots_of
from kibitz.games.hanabi.agents.partners import (
    Hinted,
    Partner,
    hinted,
    partner_with,
    piles_after,
    spoken_for,
    wrongs,
)
from kibitz.games.hanabi.agents.promises import (
    ACCOUNT,
    DISCARDS_SURE,
    Account,
    Intent,
    hinted_play,
    intent,
    keep_account,
    keep_account_by_hints,
    promises_to,
    trusted,
)
from kibitz.games.hanabi.agents.tips import (
    FAILED,
    NONE,
    Hand,
    Outlook,
    Tip,
    given,
    guess_discard,
    hand_after,
    known_hand,
    next_seat,
    no_tip,
    obvious_discard,
    obvious_play,
    outlook,
    power,
    sure_slots,
    tip_to,
    touched_by,
    touches,
    unhinted,
)
from kibitz.games.hanabi.cards import ALL, holds
from kibitz.games.hanabi.knowledge import fitting, kind_of, plays_missing, unseen, unseen_by_all
from kibitz.games.hanabi.state import State

# The modules, in the order of the paper, and three more reasons.
(
    NECESSARY_TIP, OBVIOUS_PLAY, HINTED_PLAY, PLAY_TIP, DISCARD_TIP,
    RISKY_TIP, SAVE_TIP, INFORMATION_TIP, OBVIOUS_DISCARD, GUESS_DISCARD,
    NECESSARY_PLAY, VETO, FORCED_TIP,
) = range(13)  # fmt: skip

# The order of the modules by tokens left, padded with the module that never fails.
UNDER_3 = (
    NECESSARY_TIP, OBVIOUS_PLAY, HINTED_PLAY, OBVIOUS_DISCARD, PLAY_TIP, DISCARD_TIP,
    GUESS_DISCARD, GUESS_DISCARD, GUESS_DISCARD, GUESS_DISCARD,
)  # fmt: skip
FROM_3_TO_5 = (
    NECESSARY_TIP, OBVIOUS_PLAY, HINTED_PLAY, PLAY_TIP, DISCARD_TIP, OBVIOUS_DISCARD,
    GUESS_DISCARD, GUESS_DISCARD, GUESS_DISCARD, GUESS_DISCARD,
)  # fmt: skip
FROM_6_TO_7 = (
    NECESSARY_TIP, OBVIOUS_PLAY, HINTED_PLAY, PLAY_TIP, DISCARD_TIP, OBVIOUS_DISCARD, RISKY_TIP, SAVE_TIP,
    GUESS_DISCARD, GUESS_DISCARD,
)  # fmt: skip
ALL_8 = (
    NECESSARY_TIP, OBVIOUS_PLAY, HINTED_PLAY, PLAY_TIP, DISCARD_TIP, RISKY_TIP, SAVE_TIP, INFORMATION_TIP,
    OBVIOUS_DISCARD, GUESS_DISCARD,
)  # fmt: skip

# The weights: three for the discard tip, then eight for each of the three tips with the same evaluation.
TIPS = ("play_tip", "risky_tip", "information_tip")
TIP_WEIGHTS = ("bar", "second_mark", "false_promise", "distance", "low_rank", "message", "has_play", "avalanche")
WEIGHT_NAMES = (
    "discard_tip.bar", "discard_tip.false_promise", "discard_tip.distance",
    *(f"{tip}.{weight}" for tip in TIPS for weight in TIP_WEIGHTS),
)  # fmt: skip
DISCARD_BAR, DISCARD_FALSE_PROMISE, DISCARD_DISTANCE = range(3)
FOR_PLAY, FOR_RISKY, FOR_INFORMATION = 3, 11, 19  # where the eight of each begin, in this order:
BAR, SECOND_MARK, FALSE_PROMISE, DISTANCE, LOW_RANK, MESSAGE, HAS_PLAY, AVALANCHE = range(8)


class Reading(NamedTuple):
    """How to read what the paper leaves open."""

    by_cards: bool  # a hint is worth the sum over its cards; otherwise what the run of plays after it gains
    copies: bool  # a player counts the copies it sees; otherwise it knows its cards by hints alone
    reserve: bool  # until the last round, one token is reserved for a veto or a rescue
    second_marks: bool  # `second_mark` also counts for cards to play, not only for messages
    relaxed: float  # the share of the penalty for a false promise, if the hint allows a right play
    waiting: float  # for every play that a card in a message still waits for


# A hinted card counts half for every play it still waits for, as in `distrustful`.
OURS = Reading(False, True, True, False, 0.25, 0.5)
READING_NAMES = ("reserve", "second_marks", "relaxed", "waiting")

Gains = tuple[float, float, float, float, float]  # by slot

MISPLAYS, LOSES, HARMLESS, PLAYS = range(4)  # outcomes of an intent, the worst first


@compiled
def outcome(view: State, seat: int, about_to: Intent, look: Outlook) -> int:
    """The outcome of a player's intent. In the last round a discard does no harm."""
    kind = kind_of(view, seat, about_to.slot)
    if about_to.act < DISCARDS_SURE:
        return PLAYS if holds(look.playable, kind) else MISPLAYS
    return LOSES if holds(look.critical, kind) and view.countdown < 0 else HARMLESS


@compiled
def kinds_unseen_by(view: State, seat: int, reading: Reading) -> int:
    """The kinds that a player knows its cards to be among, before hints."""
    return unseen(view, seat) if reading.copies else ALL


@compiled
def partner_at(view: State, account: Account, seat: int, piles: int, reading: Reading) -> Partner:
    by_all = unseen_by_all(view) if reading.copies else ALL
    return partner_with(view, account, seat, piles, kinds_unseen_by(view, seat, reading), by_all)


@compiled
def necessary_tip(view: State, account: Account, mine: Hand, look: Outlook, weights: Numbers, reading: Reading) -> int:
    """Keep the next player from misplaying a promised card or from discarding a critical one."""
    seat = next_seat(view)
    hand = known_hand(view, seat, kinds_unseen_by(view, seat, reading))
    about_to = intent(hand, trusted(promises_to(view, seat, account), view.lives), look)
    danger = outcome(view, seat, about_to, look)
    if danger == MISPLAYS:
        slot = play_before(mine, kind_of(view, seat, about_to.slot), look)
        if slot != NONE:
            return playing(view, slot, NECESSARY_PLAY)
    if danger >= HARMLESS or view.tokens == 0:
        return FAILED
    reason = VETO if danger == MISPLAYS else NECESSARY_TIP
    return given(rescue(view, account, mine, about_to, danger, look, weights, reading), reason)


@compiled
def play_before(mine: Hand, kind: int, look: Outlook) -> int:
    """The slot of an own card that must be the playable predecessor of this kind, or NONE."""
    before = 1 << (kind - 1) if kind % 5 else 0
    return obvious_play(mine, mine.slots, before & look.playable)


@compiled
def rescue(
    view: State, account: Account, mine: Hand, about_to: Intent, danger: int, look: Outlook, weights: Numbers,
    reading: Reading,
) -> Tip:  # fmt: skip
    """The hint with the best outcome for the next player.

    Hints that cause a right play come first, the worthiest of them. If all of these have a negative worth (they ruin
    more than they save), the endangered card itself is hinted, rank before colour.
    """
    other = partner_at(view, account, next_seat(view), view.played & ALL, reading)
    claims = spoken_for(view, account, mine)
    gains = gains_of(view, other.seat, avalanches(view), weights, FOR_PLAY)
    hints = touches(view, other.seat)
    colour_unhinted, rank_unhinted = unhinted(view, other.seat)
    best = no_tip(-1e9)
    best_class = 0
    for value in range(9, -1, -1):
        touched = touched_by(hints, value)
        if touched == 0:
            continue
        then = hinted(view, other, value, touched, look)
        result = outcome(view, other.seat, intent(then.hand, then.promised, look), look)
        if result <= danger:
            continue
        new = touched & (colour_unhinted if value < 5 else rank_unhinted)
        worth, _ = tip_worth(view, other, then, touched, new, claims, gains, look, weights, FOR_PLAY, reading)
        if result == PLAYS and worth >= 0:
            group = 4 * PLAYS
        else:
            group = 4 * min(result, HARMLESS) + 2 * holds(touched, about_to.slot) + (value >= 5)
        if group > best_class or (group == best_class and worth > best.worth):
            best, best_class = tip_to(view, other.seat, value, about_to.slot, worth), group
    return best


@compiled
def gain(view: State, seat: int, slot: int, avalanche: int, weights: Numbers, tip: int) -> float:
    """The worth of having a card played."""
    if slot >= view.held[seat]:
        return 0.0
    kind = kind_of(view, seat, slot)
    worth = power(weights[tip + LOW_RANK], 4 - kind % 5)
    return worth * weights[tip + AVALANCHE] if holds(avalanche, kind) else worth


@compiled
def gains_of(view: State, seat: int, avalanche: int, weights: Numbers, tip: int) -> Gains:
    return (
        gain(view, seat, 0, avalanche, weights, tip),
        gain(view, seat, 1, avalanche, weights, tip),
        gain(view, seat, 2, avalanche, weights, tip),
        gain(view, seat, 3, avalanche, weights, tip),
        gain(view, seat, 4, avalanche, weights, tip),
    )


@compiled
def tip_worth(
    view: State, other: Partner, then: Hinted, touched: int, new: int, claims: tuple[int, int],
    gains: Gains, look: Outlook, weights: Numbers, tip: int, reading: Reading,
) -> tuple[float, int]:  # fmt: skip
    """The worth of a hint, and the slots it lets its receiver play. A hint to a player with a play counts less."""
    if reading.by_cards:
        worth, enabled = worth_of_cards(view, other, then, touched, new, claims, gains, look, weights, tip, reading)
    else:
        worth, enabled = worth_of_run(view, other, then, new, claims, gains, look, weights, tip, reading)
    if other.run.right and worth > 0:
        worth *= weights[tip + HAS_PLAY]
    return worth, enabled


@compiled
def worth_of_run(
    view: State, other: Partner, then: Hinted, new: int, claims: tuple[int, int],
    gains: Gains, look: Outlook, weights: Numbers, tip: int, reading: Reading,
) -> tuple[float, int]:  # fmt: skip
    """The run of plays after a hint compared with the run before.

    Plays gained count for it and plays lost against it. A new misplay is a false promise, and so is a second copy of a
    card that is promised or known elsewhere. New information about other cards counts as a message.
    """
    once, twice = claims
    gained, lost = then.run.right & ~other.run.right, other.run.right & ~then.run.right
    false_promise = weights[tip + FALSE_PROMISE]
    wrong_first = then.run.wrong_first & ~wrongs(other.run)
    wrong_later = then.run.wrong_later & ~wrongs(other.run)
    worth = count_bits(wrong_first) * false_promise + count_bits(wrong_later) * false_promise * reading.relaxed
    enabled = 0
    interesting = gained | lost | new & ~then.run.right
    while interesting:
        slot = lowest_bit(interesting)
        interesting &= interesting - 1
        kind = kind_of(view, other.seat, slot)
        claimed = holds(other.promises.slots, slot) or view.marks[other.seat][slot] == 3
        if holds(lost, slot):
            worth -= gains[slot]
        elif holds(twice if claimed else once, kind):
            worth += false_promise * reading.relaxed if holds(gained, slot) else 0.0
        elif holds(gained, slot):
            worth += gains[slot]
            enabled |= 1 << slot
        elif not holds(look.useless, kind):
            again = weights[tip + SECOND_MARK] if holds(other.hand.marked, slot) else 1.0
            worth += gains[slot] * weights[tip + MESSAGE] * again * power(reading.waiting, plays_missing(view, kind))
    return worth, enabled


@compiled
def worth_of_cards(
    view: State, other: Partner, then: Hinted, touched: int, new: int, claims: tuple[int, int],
    gains: Gains, look: Outlook, weights: Numbers, tip: int, reading: Reading,
) -> tuple[float, int]:  # fmt: skip
    """The sum over the cards of a hint. The cards of a promise are played from left to right: a right play counts, a
    wrong one is a false promise. The other new information counts as a message, and a play that the hint ruins against
    it. A card whose copy is promised or known elsewhere is no right play.
    """
    once, twice = claims
    worth = 0.0
    enabled = right = 0
    piles = other.piles
    left = touched
    while left:
        slot = lowest_bit(left)
        left &= left - 1
        kind = kind_of(view, other.seat, slot)
        claimed = holds(other.promises.slots, slot) or view.marks[other.seat][slot] == 3
        spoken = holds(twice if claimed else once, kind)
        again = weights[tip + SECOND_MARK] if holds(other.hand.marked, slot) else 1.0
        if holds(then.promised, slot) and not then.message:
            if then.hand.kinds[slot] & fitting(piles) == 0:
                continue  # its holder knows that it cannot be played
            if holds(fitting(piles), kind) and not spoken:
                worth += gains[slot] * (again if reading.second_marks else 1.0)
                enabled |= ~other.run.right & 1 << slot
                right += 1
                piles |= 1 << kind
            else:
                worth += weights[tip + FALSE_PROMISE] * (reading.relaxed if right else 1.0)
        elif then.hand.kinds[slot] & ~fitting(other.piles) == 0 and not spoken and not holds(other.run.right, slot):
            worth += gains[slot]
            enabled |= 1 << slot
        elif holds(new, slot) and not spoken and not holds(look.useless, kind):
            worth += gains[slot] * weights[tip + MESSAGE] * again * power(reading.waiting, plays_missing(view, kind))
    lost = other.run.right & ~then.run.right
    while lost:
        worth -= gains[lowest_bit(lost)]
        lost &= lost - 1
    return worth, enabled


@compiled
def could_play(view: State, other: Partner) -> int:
    """The slots of playable cards that a partner is not going to play rightly anyway."""
    piles = other.piles
    for slot in range(view.held[other.seat]):
        piles |= holds(other.run.right, slot) << kind_of(view, other.seat, slot)
    return slots_of(view, other.seat, fitting(other.piles) | fitting(piles)) & ~other.run.right


@compiled
def best_tip(
    view: State, account: Account, mine: Hand, look: Outlook, weights: Numbers, tip: int, bar: float, needs_play: bool,
    reading: Reading,
) -> Tip:  # fmt: skip
    """The worthiest hint by one set of weights, if it exceeds the bar."""
    best = no_tip(bar)
    claims = spoken_for(view, account, mine)
    avalanche = avalanches(view)
    piles = view.played & ALL
    farness = 1.0
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        farness *= weights[tip + DISTANCE]
        other = partner_at(view, account, seat, piles, reading)
        piles = piles_after(view, other)
        if needs_play and not reading.by_cards and could_play(view, other) == 0:
            continue
        gains = gains_of(view, seat, avalanche, weights, tip)
        hints = touches(view, seat)
        colour_unhinted, rank_unhinted = unhinted(view, seat)
        for value in range(9, -1, -1):
            touched = touched_by(hints, value)
            if touched == 0:
                continue
            then = hinted(view, other, value, touched, look)
            new = touched & (colour_unhinted if value < 5 else rank_unhinted)
            worth, enabled = tip_worth(view, other, then, touched, new, claims, gains, look, weights, tip, reading)
            worth *= farness
            if worth > best.worth and (enabled or not needs_play):
                best = tip_to(view, seat, value, lowest_bit(enabled if enabled else touched), worth)
    return best


@compiled
def token_to_spare(view: State, reading: Reading) -> bool:
    return view.tokens > (1 if reading.reserve and view.countdown < 0 else 0)


@compiled
def play_tip(view: State, account: Account, mine: Hand, look: Outlook, weights: Numbers, reading: Reading) -> int:
    """A hint that lets its receiver play a card."""
    if not token_to_spare(view, reading):
        return FAILED
    bar = weights[FOR_PLAY + BAR]
    return given(best_tip(view, account, mine, look, weights, FOR_PLAY, bar, True, reading), PLAY_TIP)


@compiled
def risky_tip(view: State, account: Account, mine: Hand, look: Outlook, weights: Numbers, reading: Reading) -> int:
    """Like the play tip, with a smaller penalty for false promises."""
    bar = weights[FOR_RISKY + BAR]
    return given(best_tip(view, account, mine, look, weights, FOR_RISKY, bar, True, reading), RISKY_TIP)


@compiled
def information_tip(
    view: State, account: Account, mine: Hand, look: Outlook, weights: Numbers, reading: Reading
) -> int:
    """Like the play tip, but information is enough."""
    bar = weights[FOR_INFORMATION + BAR]
    return given(best_tip(view, account, mine, look, weights, FOR_INFORMATION, bar, False, reading), INFORMATION_TIP)


@compiled
def forced_tip(view: State, account: Account, mine: Hand, look: Outlook, weights: Numbers, reading: Reading) -> int:
    """If the rules forbid a discard because no token is missing: the least bad hint."""
    return given(best_tip(view, account, mine, look, weights, FOR_INFORMATION, -1e9, False, reading), FORCED_TIP)


@compiled
def discard_tip(view: State, account: Account, look: Outlook, weights: Numbers, reading: Reading) -> int:
    """The hint that makes most cards surely useless, unless it promises a misplay or ruins a play."""
    if not token_to_spare(view, reading):
        return FAILED
    best = no_tip(weights[DISCARD_BAR])
    farness = 1.0
    piles = view.played & ALL
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        farness *= weights[DISCARD_DISTANCE]
        other = partner_at(view, account, seat, piles, reading)
        piles = piles_after(view, other)
        before = sure_slots(other.hand, look.useless)
        if count_bits(slots_of(view, seat, look.useless) & ~before) * farness <= best.worth:
            continue  # no hint can free more cards than are useless
        hints = touches(view, seat)
        for value in range(9, -1, -1):
            touched = touched_by(hints, value)
            if touched == 0:
                continue
            freed = sure_slots(hand_after(other.hand, value, touched), look.useless) & ~before
            worth = count_bits(freed) * farness
            if worth <= best.worth:
                continue
            then = hinted(view, other, value, touched, look)
            if wrongs(then.run) & ~wrongs(other.run) or other.run.right & ~then.run.right:
                worth += weights[DISCARD_FALSE_PROMISE]
            if worth > best.worth:
                best = tip_to(view, seat, value, lowest_bit(freed), worth)
    return given(best, DISCARD_TIP)


@compiled
def save_tip(view: State, account: Account, look: Outlook, reading: Reading) -> int:
    """A message that marks a critical card: first for players without a play, then the lowest rank."""
    best = no_tip(0.0)
    piles = view.played & ALL
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        other = partner_at(view, account, seat, piles, reading)
        piles = piles_after(view, other)
        hints = touches(view, seat)
        for value in range(9, -1, -1):
            touched = touched_by(hints, value)
            fresh = touched & ~other.hand.marked
            if fresh and hinted(view, other, value, touched, look).message:
                for slot in range(view.held[seat]):
                    kind = kind_of(view, seat, slot)
                    if holds(fresh, slot) and holds(look.critical, kind):
                        worth = (5.0 if other.run.right == 0 else 0.0) + 5 - kind % 5
                        if worth > best.worth:
                            best = tip_to(view, seat, value, slot, worth)
    return given(best, SAVE_TIP)


@compiled
def try_module(
    module: int, view: State, account: Account, hand: Hand, look: Outlook, weights: Numbers, reading: Reading
) -> int:
    """The decision of a module, or FAILED."""
    if module == NECESSARY_TIP:
        return necessary_tip(view, account, hand, look, weights, reading)
    if module == OBVIOUS_PLAY:
        slot = obvious_play(hand, hand.slots, look.playable)
        return playing(view, slot, OBVIOUS_PLAY) if slot != NONE else FAILED
    if module == HINTED_PLAY:
        slot = hinted_play(hand, trusted(promises_to(view, view.seat, account), view.lives), look.playable)
        return playing(view, slot, HINTED_PLAY) if slot != NONE else FAILED
    if module == PLAY_TIP:
        return play_tip(view, account, hand, look, weights, reading)
    if module == DISCARD_TIP:
        return discard_tip(view, account, look, weights, reading)
    if module == RISKY_TIP:
        return risky_tip(view, account, hand, look, weights, reading)
    if module == SAVE_TIP:
        return save_tip(view, account, look, reading)
    if module == INFORMATION_TIP:
        return information_tip(view, account, hand, look, weights, reading)
    if not may_discard(view):
        return forced_tip(view, account, hand, look, weights, reading)
    if module == OBVIOUS_DISCARD:
        slot = obvious_discard(hand, look.useless)
        return discarding(view, slot, OBVIOUS_DISCARD) if slot != NONE else FAILED
    return discarding(view, guess_discard(hand, look.critical), GUESS_DISCARD)


@compiled
def first_move(view: State, public: Account, weights: Numbers, reading: Reading) -> int:
    """The decision of the first module that finds a move."""
    hand = known_hand(view, view.seat, kinds_unseen_by(view, view.seat, reading))
    look = outlook(view)
    tokens = view.tokens
    order = UNDER_3 if tokens < 3 else FROM_3_TO_5 if tokens < 6 else FROM_6_TO_7 if tokens < 8 else ALL_8
    for module in order:
        decided = try_module(module, view, public, hand, look, weights, reading)
        if decided != FAILED:
            return decided
    return discarding(view, 0, GUESS_DISCARD)  # no other player holds a card


REASONS = (
    "I {move} to save {card}: it is the last of its kind and would be discarded next",
    "I play {card}{fits}",
    "I play {card}: a hint promised it{odds}",
    "I {move} to get {card} played; it will be playable",
    "I {move}, who now knows that {card} can never be played{useless}",
    "I {move}, which is risky: {card} will be playable, but the hint may promise others that are not",
    "I {move} to save {card}: it is the last of its kind",
    "I have nothing better to do, so I {move}: no other hint says more",
    "I discard {card}: it can never be played{useless}",
    "I have nothing better to do, so I discard {card}, my next{risk}",
    "I play {card} so that the next player's promised card can follow{fits}",
    "I {move} to stop {card}: it was promised, but it cannot be played now",
    "I may not discard now, so I {move}, the least harmful hint",
)


@agent(
    title="Trusting Taylor",
    reasons=REASONS,
    origin="Jarząbek & Leja 2020, section 4.7; improved: it counts the copies it sees, and weighs a hint by the plays "
    "that the whole hand gains and loses",
    watch=keep_account,
    public=ACCOUNT,
    weights=load_weights(Path(__file__).with_name("trustful.toml"), WEIGHT_NAMES),
)
def trustful(view: State, public: Account, weights: Numbers) -> int:
    """Takes most hints as promises and plays the promised cards from left to right; prevents every mistake of the
    next player that it foresees, and gives the hint that it values most.

    With one life left it believes only promises of a single card.
    """
    return first_move(view, public, weights, OURS)


@agent(
    title="Literal Lane",
    reasons=REASONS,
    origin="Jarząbek & Leja 2020, section 4.7, to the letter",
    watch=keep_account_by_hints,
    public=ACCOUNT,
    weights=load_weights(
        Path(__file__).with_name("trustful_2020.toml"), (*WEIGHT_NAMES, *(f"reading.{name}" for name in READING_NAMES))
    ),
)
def trustful_2020(view: State, public: Account, weights: Numbers) -> int:
    """Takes most hints as promises, as its authors describe it: it judges cards by hints alone, and a hint by the sum
    over its cards.

    It is Trusting Taylor without our improvements.
    """
    reserve, second_marks, relaxed, waiting = weights[-4], weights[-3], weights[-2], weights[-1]
    return first_move(view, public, weights, Reading(True, False, reserve > 0, second_marks > 0, relaxed, waiting))
