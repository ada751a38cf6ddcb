"""Checks that the cards in a view can be those of a deal, for views from outside."""

from typing import Any, NamedTuple

from kibitz.errors import RecordError
from kibitz.games.bridge import rules, worlds
from kibitz.games.bridge.cards import RANKS, SEATS, SUIT_MASKS
from kibitz.games.bridge.contract import high_cards


class Play(NamedTuple):
    """What the cards played show."""

    cards: list[int]  # by seat, as masks
    voids: list[int]  # by seat: the suits it has shown out of, as a mask
    leader: int  # to this trick


def play_of(view: Any) -> Play:
    cards, voids, led = [0] * SEATS, [0] * SEATS, 0
    leader = (int(view["declarer"]) + 1) % SEATS
    for place, card in enumerate(view["history"][: int(view["turn"])].tolist()):
        seat, suit = (leader + place) % SEATS, card // RANKS
        if place % SEATS == 0:
            led = suit
        if suit != led:
            voids[seat] |= 1 << led
        cards[seat] |= 1 << card
        if place % SEATS == SEATS - 1:
            leader = (leader + int(rules.winning_place(view, place - 3, place + 1))) % SEATS
    return Play(cards, voids, leader)


def check(view: Any, seat: int) -> None:
    """Refuse a view with a missing or repeated card, or whose hidden hands cannot be dealt."""
    play, turn = play_of(view), int(view["turn"])
    if play.leader != view["leader"] or play.voids != view["voids"].tolist():
        raise cannot_be("the cards played lead to another trick, or show out of other suits")
    hands, dealt = view["hands"].tolist(), view["dealt"].tolist()
    seen = {seat, (int(view["declarer"]) + 2) % SEATS} if turn else {seat}
    counts = [int(worlds.held(view, each)) if each in seen else 0 for each in range(SEATS)]
    if [hand.bit_count() for hand in hands] != counts:
        raise cannot_be("a visible hand has too many or too few cards, or a hidden hand is visible")
    shown = [hand | cards for hand, cards in zip(hands, play.cards, strict=True)]
    once = (shown[0] | shown[1] | shown[2] | shown[3]).bit_count()
    if shown != dealt or not turn + sum(counts) == once == sum(map(int.bit_count, shown)):
        raise cannot_be("a card occurs twice, or a seat's cards differ from those it was dealt")
    if not all(matches_bidding(view, each, hand) for each, hand in enumerate(dealt) if hand.bit_count() == RANKS):
        raise cannot_be("a visible hand contradicts the bidding")
    if not worlds.can_be_dealt(view):
        raise cannot_be("no deal of the unseen cards is consistent with the play and the bidding")


def matches_bidding(view: Any, seat: int, hand: int) -> bool:
    """Whether a hand of thirteen cards is within the public limits."""
    lengths = [(hand & mask).bit_count() for mask in SUIT_MASKS.tolist()]
    limits = zip(view["min_lengths"][seat].tolist(), lengths, view["max_lengths"][seat].tolist(), strict=True)
    points = int(high_cards(hand))
    return bool(view["min_points"][seat] <= points <= view["max_points"][seat]) and all(
        least <= length <= most for least, length, most in limits
    )


def cannot_be(why: str) -> RecordError:
    return RecordError(f"The cards in this view of Bridge cannot be those of a deal: {why}.")
