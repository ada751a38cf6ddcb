"""Hanabi in Bida & Pandolfi's wire protocol: states and moves as bare JSON objects.

A state is made from the struct of a view, in which hidden cards are already face down. A host sends one to every seat
after every move, so states are assembled from cached pieces of bytes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, ClassVar

from kibitz.core.game import plain
from kibitz.core.wire import ImpersonationError, StateReader
from kibitz.errors import KibitzError
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.cards import KINDS, pile_heights
from kibitz.games.hanabi.formats.unibo_mirror import HanabiMirror
from kibitz.games.hanabi.formats.unibo_states import UNIBO_STATES, WIRE_COLOURS
from kibitz.games.hanabi.formats.unibo_words import compact, move_object, parse_move
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import ALL_KINDS, Move
from kibitz.games.hanabi.state import CARDS, FACE_DOWN


def possible_lists(hinted: int) -> tuple[list[str], list[int]]:
    """The colours and the values among these kinds, in the order of the wire."""
    kinds = [ALL_KINDS[index] for index in range(KINDS) if hinted >> index & 1]
    colours, values = {kind.colour for kind in kinds}, {kind.rank for kind in kinds}
    return [colour for colour in WIRE_COLOURS if colour in colours], sorted(values)


@cache
def card(kind: int, hinted: int) -> bytes:
    """A card of a hand: its face, or if it is FACE_DOWN, only what hints determine."""
    colours, values = possible_lists(hinted)
    if kind == FACE_DOWN:
        colour, value = colours[0] if len(colours) == 1 else None, values[0] if len(values) == 1 else 0
    else:
        colour, value = ALL_KINDS[kind].colour, ALL_KINDS[kind].rank
    return compact({"color": colour, "value": value, "possible_colors": colours, "possible_values": values})


@cache
def gone(happened: int) -> bytes:
    """The card that an event added to the discards, if any."""
    move, kind = Move(rules.event_move(happened)), int(rules.event_detail(happened))
    if move.is_hint or (move.is_play and not rules.event_misplayed(happened)):
        return b""
    return card(kind, 1 << kind)


@cache
def piles(played: int) -> bytes:
    heights = pile_heights(played)
    return b",".join(b'"%s":%d' % (colour.encode(), heights[colour]) for colour in WIRE_COLOURS)


class Pieces:
    """The cached parts of states at a table with these names."""

    def __init__(self, names: tuple[str, ...], by_report: bool) -> None:
        self.names, self.by_report = names, by_report
        self.quoted = tuple(compact(name) for name in names)
        self.hands = tuple(b"," + name + b":[" for name in self.quoted)
        self.actions: dict[tuple[int, int], bytes] = {}
        self.known: tuple[Any, ...] = ()
        self.public = b""

    def middle(self, view: Any, s: dict[str, Any]) -> bytes:
        """The public part of a state. It is the same for every seat, so the latest is cached."""
        counted = s["turn"], s["drawn"], s["tokens"], s["lives"], s["countdown"], s["to_move"], s["played"]
        known = (*counted, *s["discarded"], view["history"].tobytes())
        if known != self.known:
            self.known, self.public = known, self._middle(view, s)
        return self.public

    def final(self, view: Any, s: dict[str, Any]) -> int:
        """The number of the last turn, or by the report of the last state; -1 as long as nobody knows it."""
        if self.by_report and rules.to_move(view) == rules.GAME_OVER:
            return int(s["turn"]) + 1
        return s["turn"] + s["countdown"] + self.by_report if s["countdown"] >= 0 else -1

    def _middle(self, view: Any, s: dict[str, Any]) -> bytes:
        turn, to_move = s["turn"], s["to_move"]
        last = b"null"
        if turn:
            last = self.action((to_move or s["players"]) - 1, s["history"][turn - 1] & 63)
        return (
            b'{"current":%b,"round":%d,"final":%d,"deck":%d,"hints":%d,"fuse":%d,%b,"discarded":[%b],"lastaction":%b'
            % (
                self.quoted[to_move],
                turn + 1,
                self.final(view, s),
                CARDS - s["drawn"],
                s["tokens"],
                s["lives"],
                piles(s["played"]),
                b",".join(discards(s)),
                last,
            )
        )

    def action(self, seat: int, move: int) -> bytes:
        """A move as an object."""
        if (seat, move) not in self.actions:
            self.actions[seat, move] = compact(move_object(move, self.names[seat], self.names))
        return self.actions[seat, move]


@lru_cache(maxsize=1024)
def pieces(names: tuple[str, ...], by_report: bool) -> Pieces:
    return Pieces(names, by_report)


def discards(s: dict[str, Any]) -> list[bytes]:
    """The discarded cards in order; those of a position that was set up come first."""
    cards = list(filter(None, map(gone, s["history"][: s["turn"]])))
    if len(cards) < sum(copies.bit_count() for copies in s["discarded"]):
        every = Counter(card(kind, 1 << kind) for kind in range(KINDS) for each in s["discarded"] if each >> kind & 1)
        return [*(every - Counter(cards)).elements(), *cards]
    return cards


@dataclass(frozen=True)
class Unibo:
    """Hanabi's `Wire`."""

    by_report: bool = False  # whether `final` is the number of the last state, as the authors' report says

    dialects: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "program": "`final` is the number of the last turn: the last state has the number after it",
            "report": "`final` is the number of the last state, also of a game that ends early",
        }
    )
    reader: ClassVar[StateReader] = UNIBO_STATES
    # The protocol does not mention a discard with all tokens, so the default holds: it is allowed.
    rules: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"lost_game": "zero", "empty_hint": "forbidden", "full_discard": "allowed"}
    )

    def full_name(self, seat: int, name: str) -> str:
        return f"G{seat + 1} ({name})"

    def state(self, view: Any, names: Sequence[str]) -> bytes:
        s, cached = plain(view), pieces(tuple(names), self.by_report)
        deck, parts = s["deck"], [cached.middle(view, s)]
        for name, hand, hinted, held in zip(cached.hands, s["hands"], s["hinted_kinds"], s["held"], strict=False):
            cards = [card(deck[place], kinds) for place, kinds in zip(hand[:held], hinted, strict=False)]
            parts += (name, b",".join(cards), b"]")
        parts.append(b"}")
        return b"".join(parts)

    def move(self, message: Any, seat: int, names: Sequence[str], view: Any) -> int:
        if not isinstance(message, Mapping):
            raise KibitzError(f"A move is a JSON object, not {message!r}.")
        if message.get("player") != names[seat]:
            raise ImpersonationError(
                f'The move has "player": {message.get("player")!r}, but this seat is {names[seat]!r}. '
                f"Send moves in your own name, as the host assigned it."
            )
        if view["to_move"] != seat:
            raise KibitzError(f"It is not the turn of {names[seat]!r}. Move when `current` is your full name.")
        return HANABI.move(parse_move(message, names, int(view["held"][seat])), view)

    def in_dialect(self, name: str) -> "Unibo":
        return Unibo(by_report=name == "report")

    def mirror(self, own: str, dice: int = 0) -> HanabiMirror:
        return HanabiMirror(own, self.rules, dice)


UNIBO = Unibo()
