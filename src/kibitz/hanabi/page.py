"""Hanabi as JSON, for the page that draws it and for bots over the network.

Everything here is made from the record of a view, in which hidden cards are face down already. Cards are called by
their place in the deck, which never changes; kinds are written short, `r1` for red 1. A server makes these for every
move of every table, so they are made from plain numbers, without a `View` in between.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.core.compile import compiled
from kibitz.core.game import plain
from kibitz.hanabi import analytics, knowledge, rules
from kibitz.hanabi.cards import COLOURS, HINTS_TOUCHING
from kibitz.hanabi.moves import ALL_KINDS, ALL_MOVES, Kind, Move
from kibitz.hanabi.state import CARDS, COLOUR_TOLD, FACE_DOWN, LIVES, RANK_TOLD, SEATS, TOKENS
from kibitz.hanabi.view import Event, View, kinds_in

SHORT = tuple(kind.short for kind in ALL_KINDS)
TOUCHED_BY = tuple(int(values) for values in HINTS_TOUCHING)  # the hints that touch a kind, as bits
PLAYABLE, USELESS, CRITICAL, LEGAL, OVER, UNSEEN = range(6)


@compiled
def find_out(records: Any, found: Any) -> None:
    """What the page asks of a view, in one go: masks of kinds and of moves, and last the kinds each seat may hold."""
    s = records[0]
    found[PLAYABLE] = knowledge.playable(s)
    found[USELESS] = knowledge.useless(s)
    found[CRITICAL] = knowledge.critical(s)
    found[LEGAL] = rules.legal(s)
    found[OVER] = rules.to_move(s) == rules.GAME_OVER
    for seat in range(s.players):
        found[UNSEEN + seat] = knowledge.unseen(s, seat)


def found_out(record: Any) -> list[int]:
    found = np.zeros(UNSEEN + SEATS, np.int64)
    find_out(np.frombuffer(bytearray(record.tobytes()), record.dtype), found)
    return found.tolist()


@lru_cache(maxsize=4096)
def kinds(mask: int) -> list[str]:
    """The kinds of a set, short, as a list that is shared and must not be changed."""
    return [kind.short for kind in kinds_in(mask)]


@lru_cache(maxsize=4096)
def first_kind(mask: int) -> Kind:
    return kinds_in(mask)[0]


def table(record: Any) -> dict[str, Any]:
    """The table as a viewer sees it: a seat, an onlooker, or everybody once it is open."""
    s, found = plain(record), found_out(record)
    played, seats = s["played"], range(s["players"])
    piles = {colour: (played >> 5 * index & 31).bit_count() for index, colour in enumerate(COLOURS)}
    return {
        "players": s["players"],
        "seat": s["seat"] if s["seat"] >= 0 else None,
        "to_move": None if found[OVER] else s["to_move"],
        "turn": s["turn"],
        "tokens": s["tokens"],
        "most_tokens": TOKENS,
        "lives": s["lives"],
        "most_lives": LIVES,
        "deck": CARDS - s["drawn"],
        "turns_left": s["countdown"] if s["countdown"] >= 0 else None,
        "score": sum(piles.values()),
        "piles": piles,
        "discards": sorted(
            (kind for copies in s["discarded"] for kind in kinds(copies)),
            key=SHORT.index,
        ),
        "playable": kinds(found[PLAYABLE]),
        "useless": kinds(found[USELESS]),
        "critical": kinds(found[CRITICAL]),
        "hands": [hand(s, found, seat) for seat in seats],
    }


def hand(s: dict[str, Any], found: list[int], seat: int) -> list[dict[str, Any]]:
    deck, unseen, masks = s["deck"], found[UNSEEN + seat], tuple(found[: CRITICAL + 1])
    places = s["hands"][seat][: s["held"][seat]]
    cards = zip(places, s["told"][seat], s["marks"][seat], strict=False)
    return [{"card": place, **face(deck[place], told, marks, told & unseen, *masks)} for place, told, marks in cards]


@lru_cache(maxsize=16384)
def face(kind: int, told: int, marks: int, possible: int, playable: int, useless: int, critical: int) -> dict[str, Any]:
    """A card: what the viewer sees of it, and what its holder knows of it as far as the viewer can tell."""
    candidates = possible if kind == FACE_DOWN else 1 << kind
    return {
        "kind": None if kind == FACE_DOWN else SHORT[kind],
        "colour_told": first_kind(told).colour if marks & COLOUR_TOLD else None,
        "rank_told": first_kind(told).rank if marks & RANK_TOLD else None,
        "possible": kinds(possible),
        "playable": not candidates & ~playable,
        "useless": not candidates & ~useless,
        "critical": not candidates & ~critical,
    }


def event(record: Any, happened: Event, text: str) -> dict[str, Any]:
    """What everybody saw of a turn, by the view right after it."""
    said = {"turn": happened.turn, "text": text, **PARTS[happened.move]}
    if happened.move.is_hint:
        places = record["hands"][happened.move.target]
        return {**said, "cards": [int(places[slot]) for slot in happened.touched]}
    return {**said, "kind": happened.kind.short if happened.kind else None, "misplayed": happened.misplayed}


def parts(move: Move) -> dict[str, Any]:
    """A move in words, and in the parts a board needs."""
    if move.is_hint:
        return {"move": str(move), "action": "hint", "target": move.target, "value": move.value}
    return {"move": str(move), "action": "play" if move.is_play else "discard", "slot": move.slot}


PARTS = tuple(parts(move) for move in ALL_MOVES)


def choices(record: Any) -> list[dict[str, Any]]:
    """The legal moves, with the cards each is about."""
    s, legal = plain(record), found_out(record)[LEGAL]
    touched = [touched_cards(s, seat) for seat in range(s["players"])]
    own = s["hands"][s["to_move"]]
    return [
        {**PARTS[move], "cards": touched[move.target][(move - rules.HINT) % 10] if move.is_hint else [own[move.slot]]}
        for move in ALL_MOVES
        if legal >> move & 1
    ]


def touched_cards(s: dict[str, Any], seat: int) -> list[list[int]]:
    """For each colour and then each rank, the cards of a hand that a hint of it touches."""
    hand = [(place, s["deck"][place]) for place in s["hands"][seat][: s["held"][seat]]]
    seen = [(place, TOUCHED_BY[kind]) for place, kind in hand if kind != FACE_DOWN]
    return [[place for place, values in seen if values >> value & 1] for value in range(10)]


def odds(view: View) -> list[dict[str, Any]]:
    """How likely each of the viewer's cards is to be what, by counting the cards the viewer does not see."""
    if view.seat < 0:
        return []
    return [
        {
            "card": card.place,
            "slot": card.slot,
            "playable": analytics.chance_of(view, card, view.playable),
            "useless": analytics.chance_of(view, card, view.useless),
            "critical": analytics.chance_of(view, card, view.critical),
            "kinds": {kind.short: likely for kind, likely in analytics.odds(view, card).items()},
        }
        for card in view.hand
    ]
