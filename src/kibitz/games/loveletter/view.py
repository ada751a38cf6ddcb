"""A view as Python agents read it: hands, cards on the table, and what is known of the others.

It is made from a struct whose hidden cards are already face down, so there is nothing in it to peek at.
"""

import random
from functools import cached_property
from typing import Any, NamedTuple

from kibitz.core.game import plain
from kibitz.games.loveletter import rules
from kibitz.games.loveletter.cards import BARON, CARDS, FACE_DOWN, KINDS, KING, PRIEST
from kibitz.games.loveletter.moves import ALL_CARDS, ALL_MOVES, Card, Move
from kibitz.games.loveletter.state import NOBODY, ONE_ROUND, SET_ASIDE


class Event(NamedTuple):
    """A move that was made, and what the viewer saw of it."""

    turn: int  # of the game, from 1
    round: int  # from 1
    seat: int
    move: Move
    out: int | None  # the seat it put out
    opened: Card | None  # the card it laid open, besides the one played
    shown: tuple[Card, Card] | None  # what the viewer was shown in this round: the mover's card, the target's


class Round(NamedTuple):
    """A round that is over."""

    number: int  # from 1
    winners: tuple[int, ...]  # nobody in a draw
    first: int
    turns: int
    last_turn: int  # of the game
    decisive: Card | None  # the card that put the last opponent out; None if hands were compared
    hands: dict[int, Card]  # what those still in it held


class View:
    """What a seat sees. An open state is a view of seat −1, from which nothing is hidden."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct
        fields = self._fields = plain(struct)
        self.seat: int = fields["seat"]
        self.players: int = fields["players"]
        self.to_move: int = fields["to_move"]
        self.first: int = fields["first"]
        self.turn: int = fields["turn"] + 1
        self.tokens: list[int] = fields["tokens"][: self.players]
        self.deck_left: int = CARDS - fields["drawn"]
        self.goal: int = int(rules.GOALS[self.players])

    @property
    def record(self) -> Any:
        """The former name of `struct`, which bots may use."""
        return self.struct

    @property
    def over(self) -> bool:
        return self.to_move < 0

    @property
    def one_round(self) -> bool:
        """Whether a single round is played, and not a game for tokens."""
        return bool(self._fields["rules"] & ONE_ROUND)

    @property
    def round(self) -> int:
        """The number of the round, from 1; of a game that is over, of its last."""
        return self._fields["finished"] + (0 if self.over else 1)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The viewer's own cards: in its turn the one it held and the one it drew. Who has no seat has none."""
        return self.cards(self.seat) if self.seat >= 0 else ()

    def cards(self, seat: int) -> tuple[Card, ...]:
        """The cards of a seat that the viewer knows."""
        return tuple(ALL_CARDS[kind] for kind in self._fields["hands"][seat] if kind != FACE_DOWN)

    def card(self, seat: int) -> Card | None:
        """The card that a seat holds, if the viewer knows it."""
        kind = self._fields["hands"][seat][0]
        return ALL_CARDS[kind] if kind != FACE_DOWN else None

    def held(self, seat: int) -> int:
        """How many cards a seat holds."""
        return 0 if self.is_out(seat) else 2 if seat == self.to_move else 1

    def known_to(self, seat: int) -> tuple[int, ...]:
        """Who knows the card the viewer holds, as far as it can tell; of another card, whether the viewer does."""
        return tuple(other for other in range(self.players) if self._fields["known"][seat] >> other & 1)

    def ruled_out(self, seat: int) -> tuple[Card, ...]:
        """The cards that everybody knows a seat does not hold: a Guard has missed, a Baron has compared."""
        return tuple(card for card in ALL_CARDS[1:] if self._fields["missed"][seat] >> card & 1)

    def discards(self, seat: int) -> tuple[Card, ...]:
        """The cards that lie open before a seat, in order."""
        return tuple(ALL_CARDS[kind] for kind in self._fields["laid"][seat][: self._fields["count"][seat]])

    @property
    def face_up(self) -> tuple[Card, ...]:
        """The cards that were laid open at the start, with two players."""
        return tuple(ALL_CARDS[kind] for kind in self._fields["deck"][SET_ASIDE + 1 : rules.first_hand(self.players)])

    @property
    def set_aside(self) -> Card | None:
        """The card that was set aside; only an open state shows it."""
        kind = self._fields["deck"][SET_ASIDE]
        return ALL_CARDS[kind] if kind != FACE_DOWN else None

    @cached_property
    def unseen(self) -> dict[Card, int]:
        """How many of each card the viewer does not see."""
        left = rules.unseen(self.struct)
        return {ALL_CARDS[kind]: int(left[kind]) for kind in range(1, KINDS)}

    @property
    def others(self) -> list[int]:
        """The other seats that are still in the round, the next to move first."""
        around = [(self.seat + step) % self.players for step in range(1, self.players)]
        return [seat for seat in around if not self.is_out(seat)]

    def is_out(self, seat: int) -> bool:
        return bool(self._fields["out"] >> seat & 1)

    def is_protected(self, seat: int) -> bool:
        return bool(self._fields["protected"] >> seat & 1)

    @cached_property
    def legal(self) -> list[Move]:
        """The legal moves of the seat to move, as far as the viewer knows its cards."""
        mask = 0 if self.over else int(rules.legal(self.struct))
        return [move for move in ALL_MOVES if mask >> move & 1]

    @cached_property
    def random(self) -> random.Random:
        """Dice of this seat's own for this turn: an agent that rolls only these can be replayed."""
        return random.Random(self._fields["dice"])

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds that are over."""
        past, turns = [], 0
        for number, summed in enumerate(self._fields["rounds"][: self._fields["finished"]], start=1):
            turns += rules.round_turns(summed)
            winners, decisive = rules.round_winners(summed), rules.round_card(summed)
            hands = {seat: rules.round_hand(summed, seat) for seat in range(self.players)}
            past.append(
                Round(
                    number=number,
                    winners=tuple(seat for seat in range(self.players) if winners >> seat & 1),
                    first=rules.round_first(summed),
                    turns=rules.round_turns(summed),
                    last_turn=turns,
                    decisive=ALL_CARDS[decisive] if decisive != FACE_DOWN else None,
                    hands={seat: ALL_CARDS[kind] for seat, kind in hands.items() if kind != FACE_DOWN},
                )
            )
        return tuple(past)

    @cached_property
    def history(self) -> tuple[Event, ...]:
        return tuple(self.event(turn) for turn in range(self.turn - 1))

    def event(self, turn: int) -> Event:
        """What happened in a turn, from 0."""
        happened = self._fields["history"][turn]
        out, opened = rules.event_out(happened), rules.event_kind(happened)
        return Event(
            turn=turn + 1,
            round=1 + sum(past.last_turn <= turn for past in self.rounds),
            seat=rules.event_seat(happened),
            move=ALL_MOVES[rules.event_move(happened)],
            out=int(out) if out != NOBODY else None,
            opened=ALL_CARDS[opened] if opened != FACE_DOWN else None,
            shown=self._shown(turn, happened),
        )

    def _shown(self, turn: int, happened: int) -> tuple[Card, Card] | None:
        """Looks are remembered for the length of a round; an open state has everybody's."""
        mover, move = rules.event_seat(happened), ALL_MOVES[rules.event_move(happened)]
        if turn < self._fields["opened"] or move.target is None or move.card not in (PRIEST, BARON, KING):
            return None
        rows = self._fields["looks"] if self.seat < 0 else [self._fields["looks"][self.seat]]
        seen = max(row[turn - self._fields["opened"]] for row in rows)
        if self.seat not in (-1, mover, move.target) or not seen:
            return None
        return ALL_CARDS[rules.look_mover(seen)], ALL_CARDS[rules.look_target(seen)]
