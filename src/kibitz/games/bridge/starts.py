"""The start of a game as text: hands, contract, bidding information; written, read and checked."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from kibitz.core.game import start_as
from kibitz.errors import RecordError
from kibitz.games.bridge import rules
from kibitz.games.bridge.cards import (
    CARDS,
    CLUBS,
    COMPASS,
    DIAMONDS,
    HEARTS,
    MOST_POINTS,
    NO_TRUMP,
    RANK_LETTERS,
    RANKS,
    SEAT_LETTERS,
    SEATS,
    SPADES,
    STRAIN_NAMES,
    SUIT_LETTERS,
    Card,
    hand_text,
)
from kibitz.games.bridge.contract import bid, high_cards
from kibitz.games.bridge.state import OPEN, STATE
from kibitz.games.bridge.view import DOUBLES, VULNERABLE, Contract, View

CONTRACT = re.compile(r"([1-7])\s*(NT?|SA|[CDHS♣♦♥♠])\s*(XX|X|)", re.IGNORECASE)
STRAINS = {**{letter: suit for suit, letter in enumerate("CDHS")}, **{s: n for n, s in enumerate("♣♦♥♠")}}
# Limits of points or of the length of a suit.
LIMITS = re.compile(r"([SHDC]?)([0-9]{1,2})(\+|-([0-9]{1,2})|)")
VULNERABILITIES = {name.lower(): sides for sides, name in enumerate(VULNERABLE)} | {"-": 0, "love": 0, "both": 3}


class HandConstraints(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Public limits of a hand: of points, and of the lengths of suits."""

    points: tuple[int, int] = (0, MOST_POINTS)
    lengths: dict[str, tuple[int, int]] = {}


class Start(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The start of a game in a record."""

    deal: str  # in PBN: the first seat, then the hands around the table
    contract: str = ""  # 4S, 3NTX; without one, `contract` bids
    declarer: str = ""
    dealer: str = "N"
    vulnerable: str = "None"
    bidding: dict[str, HandConstraints] = {}  # by seat


def dump(state: Any) -> dict[str, Any]:
    view = View(state)
    hands = " ".join(hand_text(int(cards)) for cards in state["dealt"])
    bidding = {}
    for seat, letter in enumerate(SEAT_LETTERS):
        lengths = {SUIT_LETTERS[suit]: limits for suit, limits in view.shown_lengths(seat).items()}
        points = view.shown_points(seat)
        if points or lengths:
            bidding[letter] = HandConstraints(points or (0, MOST_POINTS), lengths)
    start = Start(
        f"N:{hands}", view.contract.text, SEAT_LETTERS[view.declarer], SEAT_LETTERS[view.dealer],
        VULNERABLE[view.vulnerable], bidding,
    )  # fmt: skip
    return msgspec.to_builtins(start)


def load(text: Any, players: int, rule_bits: int, may_be_open: bool = False) -> Any:
    """The start that a record describes, as an array of one state.

    With `may_be_open`, hands can be constraints. Those are left to be dealt (see `constrained_deals`).
    """
    start, constraints = start_as(Start, text), dict[str, HandConstraints]()
    struct = np.zeros(1, STATE)
    state = struct[0]
    state["players"], state["seat"], state["rules"] = players, OPEN, rule_bits
    state["dealt"] = read_deal(start.deal, constraints if may_be_open else None)
    state["dealer"] = read_seat(start.dealer, "dealer")
    state["vulnerable"] = read_vulnerable(start.vulnerable)
    rules.clear_bidding(state)
    if start.contract:
        contract = read_contract(start.contract, start.declarer)
        state["level"], state["strain"], state["doubled"], state["declarer"] = contract
    elif start.declarer:
        raise RecordError("A deal has a contract and a declarer, or neither; then it is bid automatically.")
    elif not constraints:
        bid(state)
    read_bidding(state, {**start.bidding, **constraints})
    rules.begin(state)
    return struct


def read_seat(text: str, what: str) -> int:
    seat = text.strip().upper()[:1]
    if (
        not seat
        or seat not in SEAT_LETTERS
        or text.strip().upper() not in (seat, COMPASS[SEAT_LETTERS.index(seat)].upper())
    ):
        raise RecordError(f"The {what} has to be N, E, S or W, not {text[:40]!r}.")
    return SEAT_LETTERS.index(seat)


def read_vulnerable(text: str) -> int:
    if text.strip().lower() not in VULNERABILITIES:
        raise RecordError(f"Vulnerable are None, NS, EW or All, not {text[:40]!r}.")
    return VULNERABILITIES[text.strip().lower()]


def read_contract(text: str, declarer: str) -> Contract:
    found = CONTRACT.fullmatch(text.strip())
    if not found:
        raise RecordError(f"A contract is a level from 1 to 7 and a suit or NT, as 4S, 3NT or 2HX, not {text[:40]!r}.")
    level, strain, doubled = int(found[1]), found[2].upper(), found[3].upper()
    suit = STRAINS.get(strain, NO_TRUMP)
    return Contract(level, suit, DOUBLES.index(doubled), read_seat(declarer, "declarer"))


def read_deal(text: str, constraints: dict[str, HandConstraints] | None = None) -> list[int]:
    """The four hands of a deal in PBN, as masks, North first: every card once, thirteen to a hand.

    If `constraints` is given, hands can be constraints instead. Their masks are 0, and they are added to it.
    """
    first, colon, hands = text.strip().partition(":")
    if not colon:
        raise RecordError(f"A deal begins with its first seat and a colon, N: or W:, not with {text[:20]!r}.")
    seat = read_seat(first, "seat before the colon of a deal")
    words = hands.split()
    if len(words) != SEATS:
        raise RecordError(f"A deal has four hands separated by spaces, and this has {len(words)}: {text[:120]!r}.")
    masks, holders = [0] * SEATS, dict[int, int]()
    for step, word in enumerate(words):
        holder = (seat + step) % SEATS
        if "." in word:
            masks[holder] = read_hand(word, holder, holders)
            continue
        constraint = read_constraints(word, holder)
        if constraints is None:
            raise RecordError(
                f"The cards of {COMPASS[holder]} are left open by {word[:40]!r}, but a recorded game needs all four "
                f"hands. Use --start of play, watch or match to deal open hands."
            )
        constraints[SEAT_LETTERS[holder]] = constraint
    missing = [str(Card(card)) for card in range(CARDS) if card not in holders]
    if missing and not constraints:
        raise RecordError(
            f"Nobody holds {', '.join(missing[:5])}{' and others' if len(missing) > 5 else ''} in this deal."
        )
    return masks


def read_constraints(text: str, seat: int) -> HandConstraints:
    """The constraints of a hand: - for any, or points and lengths of suits, as 15-17,S5+,H0-3."""
    points, lengths = (0, MOST_POINTS), dict[str, tuple[int, int]]()
    for part in [] if text == "-" else text.upper().split(","):
        found = LIMITS.fullmatch(part)
        if not found:
            raise RecordError(
                f"The hand of {COMPASS[seat]} has to be its spades, hearts, diamonds and clubs with dots between, as "
                f"AK2.QJ9.T876.543, or constraints: - for any hand, or points and lengths, as 15-17,S5+,H0-3. "
                f"{text[:40]!r} is neither."
            )
        suit, least, upwards, most = found.groups()
        end = RANKS if suit else MOST_POINTS
        limits = (int(least), end if upwards == "+" else int(most or least))
        if suit:
            lengths[suit] = limits
        else:
            points = limits
    return HandConstraints(points, lengths)


def read_hand(text: str, seat: int, holders: dict[int, int]) -> int:
    """A hand in PBN; `holders` maps the cards read so far to their seats, and is updated."""
    suits = text.split(".")
    if len(suits) != 4:
        raise RecordError(
            f"The hand of {COMPASS[seat]} has to be its spades, hearts, diamonds and clubs with dots between, as "
            f"AK2.QJ9.T876.543, not {text[:40]!r}."
        )
    mask = 0
    for suit, ranks in zip((SPADES, HEARTS, DIAMONDS, CLUBS), suits, strict=True):
        for letter in ranks.upper().replace("10", "T"):
            if letter not in RANK_LETTERS:
                raise RecordError(
                    f"{letter!r} in the hand of {COMPASS[seat]} is not a card. Cards are A K Q J T 9 … 2."
                )
            card = Card(RANKS * suit + RANK_LETTERS.index(letter))
            if card in holders:
                other = COMPASS[holders[card]]
                twice = f"{other} and {COMPASS[seat]} both hold" if other != COMPASS[seat] else f"{other} holds twice"
                raise RecordError(f"{twice} {card.words} in this deal.")
            holders[card] = seat
            mask |= 1 << card
    count = sum(map(len, suits))
    if mask.bit_count() != RANKS:
        raise RecordError(f"{COMPASS[seat]} holds {mask.bit_count() or count} cards in this deal; a hand has 13.")
    return mask


def read_bidding(state: Any, bidding: Mapping[str, HandConstraints]) -> None:
    """Read the bidding information, which must be true of the hands that are dealt."""
    for letter, of in bidding.items():
        seat = read_seat(letter, "seat in the bidding")
        name, hand = COMPASS[seat], int(state["dealt"][seat])
        check_limits(of.points, MOST_POINTS, "points", name, int(high_cards(hand)) if hand else None)
        state["min_points"][seat], state["max_points"][seat] = of.points
        for letter_of_suit, limits in of.lengths.items():
            if letter_of_suit not in SUIT_LETTERS or not letter_of_suit:
                raise RecordError(f"The bidding names the suit {letter_of_suit[:20]!r}; suits are S, H, D and C.")
            suit = SUIT_LETTERS.index(letter_of_suit)
            cards = int(rules.length(hand, suit)) if hand else None
            check_limits(limits, RANKS, STRAIN_NAMES[suit], name, cards)
            state["min_lengths"][seat][suit], state["max_lengths"][seat][suit] = limits


def check_limits(limits: tuple[int, int], end: int, what: str, name: str, true: int | None) -> None:
    """Refuse limits that are impossible, or false for a hand that is dealt."""
    least, most = limits
    if not 0 <= least <= most <= end:
        raise RecordError(f"The {what} of {name} have to be from 0 to {end}, the minimum first.")
    if true is not None and not least <= true <= most:
        raise RecordError(f"The bidding shows {least} to {most} {what} for {name}, but this hand has {true}.")
