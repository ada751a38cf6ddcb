"""Views from elsewhere: what they must keep before compiled code may sample a world from them.

The round that is played, or was the last, is played again with sampled cards afterwards (see `core.retrace`). Of those
before a view tells only what everybody saw.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kibitz.core.game import plain
from kibitz.games.loveletter import rules
from kibitz.games.loveletter.cards import CARDS, COPIES, FACE_DOWN, KINDS
from kibitz.games.loveletter.open_round import Knowledge, OpenRound, can_have_been, require, unseen_after
from kibitz.games.loveletter.state import NOBODY, ONE_ROUND, ROUNDS, SEATS, SET_ASIDE, TIES_DRAWN, TIES_SHARED, TURNS

COPIES_OF = COPIES.tolist()


def check(view: Any) -> None:
    """Refuse a view from which a world could not be sampled, or with rounds before that cannot have been."""
    moves, kinds = view["history"] & 63, view["history"] >> 10  # as `rules.event` puts them together
    require(bool(moves.max() < rules.MOVES and kinds.max() < KINDS), "has only moves of the game in its history")
    fields = plain(view)
    first = check_rounds(fields)
    over, opened, turn = fields["to_move"] == NOBODY, fields["opened"], fields["turn"]
    require(fields["first"] == first and 0 <= turn - opened <= TURNS, "has rounds that begin with the right seat")
    went = followed(fields["players"], first, tuple(fields["history"][opened:turn]))
    require(went.over == over, "ends when a round ends that decides the game")
    check_table(fields, went)
    check_cards(fields, went)


def check_rounds(fields: dict[str, Any]) -> int:
    """Follow the rounds that are over, but for the last of a game that is; who begins the next."""
    players, options = fields["players"], fields["rules"]
    over, finished = fields["to_move"] == NOBODY, fields["finished"]
    before = finished - over
    require(before >= 0 and not any(fields["rounds"][finished:]), "tells of the rounds that are over, and no others")
    require(not any(fields["history"][fields["turn"] :]), "has a history of the moves that were made, and no others")
    goal = 1 if options & ONE_ROUND else int(rules.GOALS[players])
    first = turn = 0
    tokens = [0] * SEATS
    for number, summed in enumerate(fields["rounds"][:finished]):
        require(max(tokens) < goal and not (options & ONE_ROUND and number), "ends when somebody has won")
        if number == before:
            require(fields["opened"] == turn, "has rounds that follow each other")
        length = rules.round_turns(summed)
        events = tuple(fields["history"][turn : turn + length])
        turn += length
        winners = past_round(players, options, first, events, summed)
        tokens = [had + (winners >> seat & 1) for seat, had in enumerate(tokens)]
        if number < before and winners and not winners & (winners - 1):
            first = winners.bit_length() - 1
    decided = max(tokens) >= goal or finished == ROUNDS or bool(options & ONE_ROUND and finished)
    require(decided == over and tokens == fields["tokens"], "has the tokens of its rounds")
    require(over or fields["opened"] == turn, "has rounds that follow each other")
    return first


@lru_cache(maxsize=4096)
def past_round(players: int, options: int, first: int, events: tuple[int, ...], summed: int) -> int:
    """The winners of a round that went so, as a mask; one that cannot have ended so is refused."""
    went = followed(players, first, events)
    require(went.over, "has rounds that went to their end")
    hands = tuple(rules.round_hand(summed, seat) for seat in range(SEATS))
    held = [seat for seat in range(SEATS) if hands[seat] != FACE_DOWN]
    require(held == went.remaining, "shows the hands at the end of a round of those who are still in it")
    decisive = went.turns[-1].card if len(held) == 1 else FACE_DOWN
    winners = winners_of(went, hands, options)
    shown = sum(kind << 4 * seat for seat, kind in enumerate(hands))
    right = winners | first << 4 | len(events) << 6 | decisive << 10 | shown << 14  # as in `rules.summary`
    require(summed == right, "tells how its rounds ended as they did")
    laid = [kind for cards in went.laid for kind in cards]
    unseen = unseen_after([*laid, *(hands[seat] for seat in held)], COPIES_OF)
    require(can_have_been(went, hands, unseen), "has rounds that some cards explain")
    return winners


@lru_cache(maxsize=4096)
def followed(players: int, first: int, events: tuple[int, ...]) -> OpenRound:
    went = OpenRound(players, first)
    for happened in events:
        went.follow(happened)
    return went


def winners_of(went: OpenRound, hands: Sequence[int], options: int) -> int:
    """Who wins a round that is over, as a mask."""
    remaining = went.remaining
    highest = max(hands[seat] for seat in remaining)
    tied = [seat for seat in remaining if hands[seat] == highest]
    if len(tied) > 1 and options & TIES_DRAWN and not options & TIES_SHARED:
        tied = []
    elif len(tied) > 1 and not options & TIES_SHARED:
        spent = [sum(went.laid[seat]) for seat in tied]
        tied = [tied[spent.index(max(spent))]] if spent.count(max(spent)) == 1 else []
    return sum(1 << seat for seat in tied)


def check_table(fields: dict[str, Any], went: OpenRound) -> None:
    """What lies open must be what the moves of the round led to."""
    laid = [
        [*cards, *[FACE_DOWN] * (len(row) - len(cards))] for cards, row in zip(went.laid, fields["laid"], strict=True)
    ]
    right = {
        "laid": laid, "count": [len(cards) for cards in went.laid], "drawer": went.drawer, "drawn": went.drawn,
        "out": went.out, "protected": went.protected, "to_move": NOBODY if went.over else went.to_move,
    }  # fmt: skip
    wrong = [name for name, value in right.items() if fields[name] != value]
    require(not wrong, f"has {' and '.join(wrong) or 'all'} as its history leads to")


def check_cards(fields: dict[str, Any], went: OpenRound) -> None:
    """The viewer sees its own cards and those it was shown, and the others can lie so that all went as it did."""
    me, players, deck, hands = fields["seat"], fields["players"], fields["deck"], fields["hands"]
    opened = range(SET_ASIDE + 1, rules.first_hand(players))
    for place in range(CARDS):
        seen = place in opened or went.drawer[place] == me
        require((deck[place] != FACE_DOWN) == seen, "shows the cards that its seat has drawn, and no others")
    for seat, (held, drawn) in enumerate(hands):
        known = seat in went.remaining and (went.over or seat == me or fields["known"][seat] != 0)
        in_turn = seat == me and not went.over and seat == went.to_move
        require((held != FACE_DOWN) == known, "shows the hands that its seat knows, and no others")
        require((drawn != FACE_DOWN) == in_turn, "shows the card its seat has drawn in its turn")
    laid = [kind for cards in went.laid for kind in cards]
    shown = [kind for hand in hands for kind in hand if kind != FACE_DOWN]
    unseen = unseen_after([*(deck[place] for place in opened), *laid, *shown], COPIES_OF)
    sure = sum(1 << seat for seat in range(players) if seat != me and fields["known"][seat])
    if me == fields["to_move"]:
        require(deck[went.place] == hands[me][1], "shows the card its seat has drawn in its turn")
    knows = Knowledge(me, sure, deck, fields["looks"][me])
    require(can_have_been(went, tuple(held for held, _ in hands), unseen, knows), "has a round that some cards explain")
