"""The view for agents written in Python: hands, discards, and what is known about the others.

It is made from a struct in which hidden cards are already face down.
"""

import random
from functools import cached_property
from typing import Any, NamedTuple

from kibitz.core.deferred import load
from kibitz.core.game import plain
from kibitz.core.view import View as GameView
from kibitz.games.loveletter import rules
from kibitz.games.loveletter.cards import BARON, CARDS, FACE_DOWN, KINDS, KING, PRIEST
from kibitz.games.loveletter.moves import ALL_CARDS, ALL_MOVES, Card, Move
from kibitz.games.loveletter.state import NOBODY, ONE_ROUND, SET_ASIDE


class Hand(tuple[Card, ...]):
    """The cards of a seat that the viewer knows."""

    def __str__(self) -> str:
        return ", ".join(map(str, self))

    def __repr__(self) -> str:
        return f"<hand {self or 'unknown'}>"

    def _repr_svg_(self) -> str:
        return str(load("kibitz.games.loveletter.picture:hand_picture")(self))


class Event(NamedTuple):
    """A move in the past, and what the viewer saw of it."""

    turn: int  # of the game, from 1
    round: int  # from 1
    seat: int
    move: Move
    out: int | None  # the seat it knocked out
    opened: Card | None  # the card it revealed besides the one played
    shown: tuple[Card, Card] | None  # the cards of mover and target, if the viewer saw them


class Round(NamedTuple):
    """A finished round."""

    number: int  # from 1
    winners: tuple[int, ...]  # nobody in a draw
    first: int
    turns: int
    last_turn: int  # of the game
    decisive: Card | None  # the card that knocked out the last opponent; None if hands were compared
    hands: dict[int, Card]  # of the seats still in it


class View(GameView):
    """What a seat sees. An open state is a view of seat −1, with nothing hidden."""

    game_name = "loveletter"

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
    def over(self) -> bool:
        return self.to_move < 0

    @property
    def one_round(self) -> bool:
        """Whether the game is a single round."""
        return bool(self._fields["rules"] & ONE_ROUND)

    @property
    def round(self) -> int:
        """The number of the round, from 1; of a finished game, the last one."""
        return self._fields["finished"] + (0 if self.over else 1)

    @property
    def hand(self) -> Hand:
        """The viewer's own cards: in its turn two. Viewers without a seat have none."""
        return self.cards(self.seat) if self.seat >= 0 else Hand()

    def cards(self, seat: int) -> Hand:
        """The cards of a seat that the viewer knows."""
        return Hand(ALL_CARDS[kind] for kind in self._fields["hands"][seat] if kind != FACE_DOWN)

    def card(self, seat: int) -> Card | None:
        """The card that a seat holds, if the viewer knows it."""
        kind = self._fields["hands"][seat][0]
        return ALL_CARDS[kind] if kind != FACE_DOWN else None

    def held(self, seat: int) -> int:
        """The number of cards a seat holds."""
        return 0 if self.is_out(seat) else 2 if seat == self.to_move else 1

    def known_to(self, seat: int) -> tuple[int, ...]:
        """The seats that the viewer knows to know a card: for its own card any, for others only itself."""
        return tuple(other for other in range(self.players) if self._fields["known"][seat] >> other & 1)

    def ruled_out(self, seat: int) -> tuple[Card, ...]:
        """The cards that a seat publicly cannot hold, after wrong guesses of a Guard or comparisons of a Baron."""
        return tuple(card for card in ALL_CARDS[1:] if self._fields["missed"][seat] >> card & 1)

    def discards(self, seat: int) -> tuple[Card, ...]:
        """The discards of a seat, in order."""
        return tuple(ALL_CARDS[kind] for kind in self._fields["laid"][seat][: self._fields["count"][seat]])

    @property
    def face_up(self) -> tuple[Card, ...]:
        """The cards that are face up from the start, with two players."""
        return tuple(ALL_CARDS[kind] for kind in self._fields["deck"][SET_ASIDE + 1 : rules.first_hand(self.players)])

    @property
    def set_aside(self) -> Card | None:
        """The set-aside card, in an open state."""
        kind = self._fields["deck"][SET_ASIDE]
        return ALL_CARDS[kind] if kind != FACE_DOWN else None

    @cached_property
    def unseen(self) -> dict[Card, int]:
        """The number of cards of each kind that the viewer does not see."""
        left = rules.unseen(self.struct)
        return {ALL_CARDS[kind]: int(left[kind]) for kind in range(1, KINDS)}

    @property
    def others(self) -> list[int]:
        """The other seats still in the round, in the order of their turns."""
        around = [(self.seat + step) % self.players for step in range(1, self.players)]
        return [seat for seat in around if not self.is_out(seat)]

    def is_out(self, seat: int) -> bool:
        return bool(self._fields["out"] >> seat & 1)

    def is_protected(self, seat: int) -> bool:
        return bool(self._fields["protected"] >> seat & 1)

    @cached_property
    def legal(self) -> list[Move]:
        """The legal moves of the seat to move, for the cards that the viewer knows."""
        mask = 0 if self.over else int(rules.legal(self.struct))
        return [move for move in ALL_MOVES if mask >> move & 1]

    @cached_property
    def random(self) -> random.Random:
        """Random numbers for this seat and turn. An agent that uses only these can be replayed."""
        return random.Random(self._fields["dice"])

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """The finished rounds."""
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
        """The event of a turn, counted from 0."""
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
        """Cards seen by a Priest, Baron or King in this round; an open state has those of all seats."""
        mover, move = rules.event_seat(happened), ALL_MOVES[rules.event_move(happened)]
        if turn < self._fields["opened"] or move.target is None or move.card not in (PRIEST, BARON, KING):
            return None
        rows = self._fields["looks"] if self.seat < 0 else [self._fields["looks"][self.seat]]
        seen = max(row[turn - self._fields["opened"]] for row in rows)
        if self.seat not in (-1, mover, move.target) or not seen:
            return None
        return ALL_CARDS[rules.look_mover(seen)], ALL_CARDS[rules.look_target(seen)]
