"""The start of a game in words: the hands, the contract, and what the bidding told; written, read and checked."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from kibitz.bridge import rules
from kibitz.bridge.cards import (
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
from kibitz.bridge.contract import bid, high_cards
from kibitz.bridge.state import OPEN, STATE
from kibitz.bridge.view import DOUBLES, VULNERABLE, Contract, View
from kibitz.core.errors import RecordError
from kibitz.core.game import start_as

CONTRACT = re.compile(r"([1-7])\s*(NT?|SA|[CDHS♣♦♥♠])\s*(XX|X|)", re.IGNORECASE)
STRAINS = {**{letter: suit for suit, letter in enumerate("CDHS")}, **{s: n for n, s in enumerate("♣♦♥♠")}}
SAID_VULNERABLE = {name.lower(): sides for sides, name in enumerate(VULNERABLE)} | {"-": 0, "love": 0, "both": 3}


class Told(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What the bidding told of a hand: points, and cards of a suit, from the least to the most."""

    points: tuple[int, int] = (0, MOST_POINTS)
    lengths: dict[str, tuple[int, int]] = {}


class Start(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The start of a game in a record."""

    deal: str  # as PBN writes it: whose hand is first, then the hands around the table
    contract: str = ""  # 4S, 3NTX; without one the hands bid by the rules of `contract`
    declarer: str = ""
    dealer: str = "N"
    vulnerable: str = "None"
    bidding: dict[str, Told] = {}  # by seat


def dump(state: Any) -> dict[str, Any]:
    view = View(state)
    hands = " ".join(hand_text(int(cards)) for cards in state["dealt"])
    told = {}
    for seat, letter in enumerate(SEAT_LETTERS):
        lengths = {SUIT_LETTERS[suit]: limits for suit, limits in view.told_lengths(seat).items()}
        points = view.told_points(seat)
        if points or lengths:
            told[letter] = Told(points or (0, MOST_POINTS), lengths)
    start = Start(
        f"N:{hands}", view.contract.text, SEAT_LETTERS[view.declarer], SEAT_LETTERS[view.dealer],
        VULNERABLE[view.vulnerable], told,
    )  # fmt: skip
    return msgspec.to_builtins(start)


def load(text: Any, players: int, rule_bits: int) -> Any:
    """The start that a record describes, as an array of one state; a RecordError says what is wrong with it."""
    start = start_as(Start, text)
    struct = np.zeros(1, STATE)
    state = struct[0]
    state["players"], state["seat"], state["rules"] = players, OPEN, rule_bits
    state["dealt"] = read_deal(start.deal)
    state["dealer"] = read_seat(start.dealer, "dealer")
    state["vulnerable"] = read_vulnerable(start.vulnerable)
    rules.tell_nothing(state)
    if start.contract:
        contract = read_contract(start.contract, start.declarer)
        state["level"], state["strain"], state["doubled"], state["declarer"] = contract
    elif start.declarer:
        raise RecordError("A deal has a contract and a declarer, or neither: then its hands bid for themselves.")
    else:
        bid(state)
    read_bidding(state, start.bidding)
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
    if text.strip().lower() not in SAID_VULNERABLE:
        raise RecordError(f"Vulnerable are None, NS, EW or All, not {text[:40]!r}.")
    return SAID_VULNERABLE[text.strip().lower()]


def read_contract(text: str, declarer: str) -> Contract:
    found = CONTRACT.fullmatch(text.strip())
    if not found:
        raise RecordError(f"A contract is a level from 1 to 7 and a suit or NT, as 4S, 3NT or 2HX, not {text[:40]!r}.")
    level, strain, doubled = int(found[1]), found[2].upper(), found[3].upper()
    suit = STRAINS.get(strain, NO_TRUMP)
    return Contract(level, suit, DOUBLES.index(doubled), read_seat(declarer, "declarer"))


def read_deal(text: str) -> list[int]:
    """The four hands of a deal as PBN writes it, as masks, North's first: every card once, thirteen to a hand."""
    first, colon, hands = text.strip().partition(":")
    if not colon:
        raise RecordError(f"A deal begins with whose hand is first and a colon, as N: or W:, not with {text[:20]!r}.")
    seat = read_seat(first, "seat before the colon of a deal")
    words = hands.split()
    if len(words) != SEATS:
        raise RecordError(f"A deal has four hands with a space between, and this has {len(words)}: {text[:120]!r}.")
    masks, holders = [0] * SEATS, dict[int, int]()
    for step, word in enumerate(words):
        holder = (seat + step) % SEATS
        masks[holder] = read_hand(word, holder, holders)
    missing = [str(Card(card)) for card in range(CARDS) if card not in holders]
    if missing:
        raise RecordError(
            f"Nobody holds {', '.join(missing[:5])}{' and others' if len(missing) > 5 else ''} in this deal."
        )
    return masks


def read_hand(text: str, seat: int, holders: dict[int, int]) -> int:
    """A hand as PBN writes it; `holders` says who holds the cards that were read before, and is added to."""
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
                raise RecordError(f"{letter!r} in the hand of {COMPASS[seat]} is no card. Cards are A K Q J T 9 … 2.")
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


def read_bidding(state: Any, told: Mapping[str, Told]) -> None:
    """What the bidding told, which must be true of the hands."""
    for letter, of in told.items():
        seat = read_seat(letter, "seat that the bidding tells of")
        name, points = COMPASS[seat], int(high_cards(int(state["dealt"][seat])))
        least, most = of.points
        if not 0 <= least <= most <= MOST_POINTS:
            raise RecordError(f"The points of {name} have to be from 0 to {MOST_POINTS}, the least first.")
        if not least <= points <= most:
            raise RecordError(f"The bidding told that {name} has {least} to {most} points, but this hand has {points}.")
        state["min_points"][seat], state["max_points"][seat] = least, most
        for suit_letter, (fewest, longest) in of.lengths.items():
            if suit_letter not in SUIT_LETTERS or not suit_letter:
                raise RecordError(f"The bidding told of the suit {suit_letter[:20]!r}; suits are S, H, D and C.")
            suit = SUIT_LETTERS.index(suit_letter)
            cards = int(rules.length(int(state["dealt"][seat]), suit))
            if not 0 <= fewest <= longest <= RANKS:
                raise RecordError(f"The {STRAIN_NAMES[suit]} of {name} have to be from 0 to {RANKS}, the least first.")
            if not fewest <= cards <= longest:
                raise RecordError(
                    f"The bidding told that {name} has {fewest} to {longest} {STRAIN_NAMES[suit]}, but this hand has "
                    f"{cards}."
                )
            state["min_lengths"][seat][suit], state["max_lengths"][seat][suit] = fewest, longest
