"""Hanabi as JSON, for the page and for bots over the network.

All of it is made from the struct of a view, in which hidden cards are already face down. A card is identified by its
place in the deck; kinds are short, `r1` for red 1. A server writes this for every seat and every move, so tables are
assembled from cached pieces.
"""

from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from kibitz.core.game import plain
from kibitz.engine import bits
from kibitz.engine.compile import compiled
from kibitz.games.hanabi import analytics, knowledge, rules
from kibitz.games.hanabi.cards import COLOURS, HINTS_TOUCHING, KINDS, pile_heights
from kibitz.games.hanabi.moves import ALL_KINDS, ALL_MOVES, Move
from kibitz.games.hanabi.state import CARDS, COLOUR_MARK, FACE_DOWN, LIVES, RANK_MARK, SEATS, TOKENS
from kibitz.games.hanabi.view import Event, View

SHORT = tuple(kind.short for kind in ALL_KINDS)
HINTS = 10  # to a seat: five colours, then five ranks
TOUCHED_BY = tuple(tuple(value for value in range(HINTS) if int(each) >> value & 1) for each in HINTS_TOUCHING)
# for each colour, the JSON of each set of its kinds
ROWS = tuple(
    tuple(",".join(f'"{SHORT[5 * index + rank]}"' for rank in range(5) if ranks >> rank & 1) for ranks in range(32))
    for index in range(len(COLOURS))
)
PLAYABLE, USELESS, CRITICAL, LEGAL, OVER, UNSEEN = range(6)


@compiled
def derive(structs: Any, found: Any) -> None:
    """All that the page needs of a view, in one call: masks of kinds and moves, then the kinds each seat may hold."""
    s = structs[0]
    found[PLAYABLE] = knowledge.playable(s)
    found[USELESS] = knowledge.useless(s)
    found[CRITICAL] = knowledge.critical(s)
    found[LEGAL] = rules.legal(s)
    found[OVER] = rules.to_move(s) == rules.GAME_OVER
    for seat in range(s.players):
        found[UNSEEN + seat] = knowledge.unseen(s, seat)


def derived(struct: Any) -> list[int]:
    found = np.zeros(UNSEEN + SEATS, np.int64)
    derive(np.frombuffer(bytearray(struct.tobytes()), struct.dtype), found)
    return found.tolist()


def kinds(mask: int) -> str:
    """A set of kinds as a JSON list."""
    return f"[{','.join([some for index, row in enumerate(ROWS) if (some := row[mask >> 5 * index & 31])])}]"


def table(struct: Any) -> msgspec.Raw:
    """The table as seen by a seat, a spectator, or everybody once it is open."""
    s, found = plain(struct), derived(struct)
    public = middle(
        s["players"], None if found[OVER] else s["to_move"], s["turn"], s["tokens"], s["lives"], s["drawn"],
        s["countdown"], s["played"], tuple(s["discarded"]), *found[: CRITICAL + 1],
    )  # fmt: skip
    seat = s["seat"] if s["seat"] >= 0 else "null"
    hands = ",".join([hand(s, found, seat) for seat in range(s["players"])])
    return msgspec.Raw(f'{{"seat":{seat},{public},"hands":[{hands}]}}'.encode())


@lru_cache(maxsize=1024)
def middle(
    players: int, to_move: int | None, turn: int, tokens: int, lives: int, drawn: int, countdown: int, played: int,
    discarded: tuple[int, ...], playable: int, useless: int, critical: int,
) -> str:  # fmt: skip
    """The public part of a table, the same for everybody."""
    piles = pile_heights(played)
    return inner({
        "players": players,
        "to_move": to_move,
        "turn": turn,
        "tokens": tokens,
        "most_tokens": TOKENS,
        "lives": lives,
        "most_lives": LIVES,
        "deck": CARDS - drawn,
        "turns_left": countdown if countdown >= 0 else None,
        "score": sum(piles.values()),
        "piles": piles,
        "discards": [SHORT[kind] for kind in range(KINDS) for copies in discarded if copies >> kind & 1],
        "playable": msgspec.Raw(kinds(playable).encode()),
        "useless": msgspec.Raw(kinds(useless).encode()),
        "critical": msgspec.Raw(kinds(critical).encode()),
    })  # fmt: skip


def inner(fields: dict[str, Any]) -> str:
    """A JSON object without its braces."""
    return msgspec.json.encode(fields).decode()[1:-1]


def hand(s: dict[str, Any], found: list[int], seat: int) -> str:
    held, deck = s["held"][seat], s["deck"]
    places = tuple(s["hands"][seat][:held])
    return cards(
        places, tuple([deck[place] for place in places]), tuple(s["hinted_kinds"][seat][:held]),
        tuple(s["marks"][seat][:held]),
        found[UNSEEN + seat], found[PLAYABLE], found[USELESS], found[CRITICAL],
    )  # fmt: skip


@lru_cache(maxsize=8192)  # a move changes one hand; the others stay the same for every viewer
def cards(
    places: tuple[int, ...], kinds_seen: tuple[int, ...], hinted: tuple[int, ...], marks: tuple[int, ...],
    unseen: int, playable: int, useless: int, critical: int,
) -> str:  # fmt: skip
    """The cards of a hand; `unseen` are the kinds its holder may have, as far as the viewer knows."""
    written = []
    for place, kind, left, marked in zip(places, kinds_seen, hinted, marks, strict=True):
        candidates, parts = face(kind, left, marked, left & unseen)
        judged = (not candidates & ~playable) | (not candidates & ~useless) << 1 | (not candidates & ~critical) << 2
        written.append(f'{{"card":{place},{parts},{JUDGED[judged]}}}')
    return f"[{','.join(written)}]"


@lru_cache(maxsize=16384)
def face(kind: int, hinted: int, marks: int, possible: int) -> tuple[int, str]:
    """The kinds a card can be for the viewer; the JSON of its face and of its holder's knowledge."""
    candidates, seen = (possible, "null") if kind == FACE_DOWN else (1 << kind, f'"{SHORT[kind]}"')
    any_left = ALL_KINDS[bits.lowest_bit(hinted)]
    colour = f'"{any_left.colour}"' if marks & COLOUR_MARK else "null"
    rank = any_left.rank if marks & RANK_MARK else "null"
    return candidates, f'"kind":{seen},"colour_hinted":{colour},"rank_hinted":{rank},"possible":{kinds(possible)}'


JUDGED = tuple(
    inner({"playable": bool(each & 1), "useless": bool(each & 2), "critical": bool(each & 4)}) for each in range(8)
)


def event(struct: Any, happened: Event, text: str) -> dict[str, Any]:
    """A turn as everybody saw it, from the view right after it."""
    shown = {"turn": happened.turn, "text": text, **PARTS[happened.move]}
    if happened.move.is_hint:
        places = struct["hands"][happened.move.target]
        return {**shown, "cards": [int(places[slot]) for slot in happened.touched]}
    return {**shown, "kind": happened.kind.short if happened.kind else None, "misplayed": happened.misplayed}


def parts(move: Move) -> dict[str, Any]:
    """A move as text, and in the parts a board needs."""
    if move.is_hint:
        return {"move": str(move), "action": "hint", "target": move.target, "value": move.value}
    return {"move": str(move), "action": "play" if move.is_play else "discard", "slot": move.slot}


PARTS = tuple(parts(move) for move in ALL_MOVES)
# the other hand that a move is about, if any, and which hint to it or which own card
ABOUT = tuple((move.target, (move - rules.HINT) % HINTS) if move.is_hint else (None, move.slot) for move in ALL_MOVES)


def choices(struct: Any) -> list[dict[str, Any]]:
    """The legal moves, each with the cards it is about."""
    s, legal = plain(struct), derived(struct)[LEGAL]
    own = [[place] for place in s["hands"][s["to_move"]]]
    touched = [touched_cards(s, seat) for seat in range(s["players"])]
    return [
        {**PARTS[move], "cards": (own if target is None else touched[target])[which]}
        for move, (target, which) in enumerate(ABOUT)
        if legal >> move & 1
    ]


def touched_cards(s: dict[str, Any], seat: int) -> list[list[int]]:
    """The cards of a hand that each hint touches, colours first, then ranks."""
    touched: list[list[int]] = [[] for _ in range(HINTS)]
    for place in s["hands"][seat][: s["held"][seat]]:
        if s["deck"][place] != FACE_DOWN:
            for value in TOUCHED_BY[s["deck"][place]]:
                touched[value].append(place)
    return touched


def odds(view: View) -> list[dict[str, Any]]:
    """The probabilities of each of the viewer's cards, by counting the cards the viewer does not see."""
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
