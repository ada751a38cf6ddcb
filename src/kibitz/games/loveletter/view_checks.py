"""Checks of views from other hosts, before compiled code may sample a world from them.

Afterwards the present (or last) round is replayed with sampled cards (see `core.retrace`). Of earlier rounds a view has
only what everybody saw.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kibitz.core.game import plain
from kibitz.games.loveletter import rules
from kibitz.games.loveletter.cards import CARDS, COPIES, FACE_DOWN, KINDS
from kibitz.games.loveletter.open_round import Knowledge, OpenRound, is_explained, require, unseen_after
from kibitz.games.loveletter.state import NOBODY, ONE_ROUND, ROUNDS, SEATS, SET_ASIDE, TIES_DRAWN, TIES_SHARED, TURNS

COPIES_OF = COPIES.tolist()


def check(view: Any) -> None:
    """Refuse a view from which no world can be sampled, or with impossible earlier rounds."""
    moves, kinds = view["history"] & 63, view["history"] >> 10  # as packed by `rules.event`
    require(bool(moves.max() < rules.MOVES and kinds.max() < KINDS), "has only moves of the game in its history")
    fields = plain(view)
    first = check_rounds(fields)
    over, opened, turn = fields["to_move"] == NOBODY, fields["opened"], fields["turn"]
    require(fields["first"] == first and 0 <= turn - opened <= TURNS, "has the right seat begin each round")
    played = replayed(fields["players"], first, tuple(fields["history"][opened:turn]))
    require(played.over == over, "ends with the round that decides the game")
    check_table(fields, played)
    check_cards(fields, played)


def check_rounds(fields: dict[str, Any]) -> int:
    """Check the finished rounds, except for the last of a finished game; returns the seat that begins the next."""
    players, options = fields["players"], fields["rules"]
    over, finished = fields["to_move"] == NOBODY, fields["finished"]
    before = finished - over
    require(before >= 0 and not any(fields["rounds"][finished:]), "describes the finished rounds and no others")
    require(not any(fields["history"][fields["turn"] :]), "has a history of the moves that were made and no others")
    goal = 1 if options & ONE_ROUND else int(rules.GOALS[players])
    first = turn = 0
    tokens = [0] * SEATS
    for number, summed in enumerate(fields["rounds"][:finished]):
        require(max(tokens) < goal and not (options & ONE_ROUND and number), "ends when somebody has won")
        if number == before:
            require(fields["opened"] == turn, "has consecutive rounds")
        length = rules.round_turns(summed)
        events = tuple(fields["history"][turn : turn + length])
        turn += length
        winners = past_round(players, options, first, events, summed)
        tokens = [had + (winners >> seat & 1) for seat, had in enumerate(tokens)]
        if number < before and winners and not winners & (winners - 1):
            first = winners.bit_length() - 1
    decided = max(tokens) >= goal or finished == ROUNDS or bool(options & ONE_ROUND and finished)
    require(decided == over and tokens == fields["tokens"], "has the tokens of its rounds")
    require(over or fields["opened"] == turn, "has consecutive rounds")
    return first


@lru_cache(maxsize=4096)
def past_round(players: int, options: int, first: int, events: tuple[int, ...], summed: int) -> int:
    """The winners of a round, as a mask; an impossible round is refused."""
    played = replayed(players, first, events)
    require(played.over, "has only complete rounds")
    hands = tuple(rules.round_hand(summed, seat) for seat in range(SEATS))
    held = [seat for seat in range(SEATS) if hands[seat] != FACE_DOWN]
    require(held == played.remaining, "shows the hands of the seats still in a round at its end")
    decisive = played.turns[-1].card if len(held) == 1 else FACE_DOWN
    winners = winners_of(played, hands, options)
    shown = sum(kind << 4 * seat for seat, kind in enumerate(hands))
    right = winners | first << 4 | len(events) << 6 | decisive << 10 | shown << 14  # as in `rules.summary`
    require(summed == right, "has the right results of its rounds")
    laid = [kind for cards in played.laid for kind in cards]
    unseen = unseen_after([*laid, *(hands[seat] for seat in held)], COPIES_OF)
    require(is_explained(played, hands, unseen), "has only possible rounds")
    return winners


@lru_cache(maxsize=4096)
def replayed(players: int, first: int, events: tuple[int, ...]) -> OpenRound:
    played = OpenRound(players, first)
    for happened in events:
        played.follow(happened)
    return played


def winners_of(played: OpenRound, hands: Sequence[int], options: int) -> int:
    """The winners of a finished round, as a mask."""
    remaining = played.remaining
    highest = max(hands[seat] for seat in remaining)
    tied = [seat for seat in remaining if hands[seat] == highest]
    if len(tied) > 1 and options & TIES_DRAWN and not options & TIES_SHARED:
        tied = []
    elif len(tied) > 1 and not options & TIES_SHARED:
        spent = [sum(played.laid[seat]) for seat in tied]
        tied = [tied[spent.index(max(spent))]] if spent.count(max(spent)) == 1 else []
    return sum(1 << seat for seat in tied)


def check_table(fields: dict[str, Any], played: OpenRound) -> None:
    """The public fields must follow from the moves of the round."""
    laid = [
        [*cards, *[FACE_DOWN] * (len(row) - len(cards))] for cards, row in zip(played.laid, fields["laid"], strict=True)
    ]
    right = {
        "laid": laid, "count": [len(cards) for cards in played.laid], "drawer": played.drawer, "drawn": played.drawn,
        "out": played.out, "protected": played.protected, "to_move": NOBODY if played.over else played.to_move,
    }  # fmt: skip
    wrong = [name for name, value in right.items() if fields[name] != value]
    require(not wrong, f"has {' and '.join(wrong) or 'all fields'} that follow from its history")


def check_cards(fields: dict[str, Any], played: OpenRound) -> None:
    """The viewer sees its own cards and those it was shown, and some places of the others explain the round."""
    me, players, deck, hands = fields["seat"], fields["players"], fields["deck"], fields["hands"]
    opened = range(SET_ASIDE + 1, rules.first_hand(players))
    for place in range(CARDS):
        seen = place in opened or played.drawer[place] == me
        require((deck[place] != FACE_DOWN) == seen, "shows the cards that its seat drew and no others")
    for seat, (held, drawn) in enumerate(hands):
        known = seat in played.remaining and (played.over or seat == me or fields["known"][seat] != 0)
        in_turn = seat == me and not played.over and seat == played.to_move
        require((held != FACE_DOWN) == known, "shows the hands that its seat knows and no others")
        require((drawn != FACE_DOWN) == in_turn, "shows the card that its seat drew in its turn")
    laid = [kind for cards in played.laid for kind in cards]
    shown = [kind for hand in hands for kind in hand if kind != FACE_DOWN]
    unseen = unseen_after([*(deck[place] for place in opened), *laid, *shown], COPIES_OF)
    sure = sum(1 << seat for seat in range(players) if seat != me and fields["known"][seat])
    if me == fields["to_move"]:
        require(deck[played.place] == hands[me][1], "shows the card that its seat drew in its turn")
    knows = Knowledge(me, sure, deck, fields["looks"][me])
    require(is_explained(played, tuple(held for held, _ in hands), unseen, knows), "has a possible round")
