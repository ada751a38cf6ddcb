"""The joining side of the protocol: a game at another host, mirrored by our own rules.

Every state follows from the previous one by the move in its `lastaction`. The mirror makes that move at its own table,
with the visible cards as they are and each of our own cards as any card that hints allow: in our view it is face down.
Then it compares the whole state with the table.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.core.agent import Decision
from kibitz.core.game import plain
from kibitz.core.table import Table
from kibitz.core.wire import OutOfStepError
from kibitz.engine.bits import lowest_bit
from kibitz.engine.dice import set_dice
from kibitz.errors import AgentError, KibitzError, RecordError
from kibitz.games.hanabi import rules
from kibitz.games.hanabi.cards import COLOURS, COPIES, KINDS, ONES, RANKS, holds, pile_heights
from kibitz.games.hanabi.formats.unibo_states import SCORED, whole
from kibitz.games.hanabi.formats.unibo_words import compact, move_object, parse_move
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.moves import ALL_KINDS, Move
from kibitz.games.hanabi.state import CARDS, FACE_DOWN, STATE

FULL_NAME = re.compile(r"G[1-9] ?\(.*\)", re.DOTALL)
NUMBERS = ("round", "final", "deck", "hints", *SCORED)
OF_COLOUR = {colour: 0b11111 << RANKS * index for index, colour in enumerate(COLOURS)}
OF_VALUE: dict[int | None, int] = {rank + 1: ONES << rank for rank in range(RANKS)}


@dataclass(frozen=True)
class Shown:
    """A card as the host shows it."""

    kind: int  # FACE_DOWN if colour or value is missing
    hinted_kinds: int  # the kinds that its possible lists leave open

    def __str__(self) -> str:
        face = "a hidden card" if self.kind == FACE_DOWN else str(ALL_KINDS[self.kind])
        kinds = " ".join(kind.short for kind in ALL_KINDS if holds(self.hinted_kinds, kind.index))
        return f"{face} that hints allow to be {kinds or 'nothing'}"


@dataclass(frozen=True)
class HostState:
    """A state from the host, in our own terms."""

    current: str
    numbers: dict[str, int]
    gone: Counter[int]
    last: Any
    hands: tuple[tuple[Shown, ...], ...]


def player_names(said: Mapping[str, Any]) -> tuple[str, ...]:
    """The full names in a state, in the order of their seats."""
    names = sorted(key for key, hand in said.items() if FULL_NAME.fullmatch(key) and isinstance(hand, list))
    if [name[1] for name in names] != [str(seat + 1) for seat in range(len(names))] or len(names) < 2:
        raise OutOfStepError(
            f"A state has the hand of every player under a full name like 'G1 (Ada)', with the seats from 1; "
            f"the host sent one with {', '.join(map(repr, names)) or 'none'}."
        )
    return tuple(names)


def read_state(said: Mapping[str, Any], names: tuple[str, ...]) -> HostState:
    numbers = {key: whole(said.get(key)) for key in NUMBERS}
    for key, number in numbers.items():
        if number is None:
            raise OutOfStepError(f'"{key}" of a state is a whole number, and the host sent {said.get(key)!r}.')
    return HostState(
        current=str(said.get("current")),
        numbers={key: number for key, number in numbers.items() if number is not None},
        gone=Counter(kind_of_card(card) for card in cards_of(said, "discarded")),
        last=said.get("lastaction"),
        hands=tuple(
            tuple(Shown(kind_of_card(card), kinds_left(card)) for card in cards_of(said, name)) for name in names
        ),
    )


def cards_of(said: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    cards = said.get(key)
    if not isinstance(cards, list) or not all(isinstance(card, Mapping) for card in cards):
        raise OutOfStepError(f'"{key}" of a state is a list of cards, and the host sent {cards!r}.')
    return cards


def kind_of_card(card: Mapping[str, Any]) -> int:
    colour, value = card.get("color"), whole(card.get("value"))
    if colour is None or not value:
        return FACE_DOWN
    if colour not in COLOURS or not 1 <= value <= RANKS:
        raise OutOfStepError(
            f"The host sent a card of colour {colour!r} and value {value!r}, which is none of the game."
        )
    return COLOURS.index(colour) * RANKS + value - 1


def kinds_left(card: Mapping[str, Any]) -> int:
    colours, values = card.get("possible_colors"), card.get("possible_values")
    if not isinstance(colours, list) or not isinstance(values, list):
        raise OutOfStepError(
            f'A card of a hand has "possible_colors" and "possible_values", and the host sent {dict(card)!r}.'
        )
    of_colours = of_values = 0
    for colour in colours:
        of_colours |= OF_COLOUR.get(colour, 0) if isinstance(colour, str) else 0
    for value in values:
        of_values |= OF_VALUE.get(whole(value), 0)
    return of_colours & of_values


class HanabiMirror:
    table: Table
    names: tuple[str, ...]
    seat: int

    def __init__(self, own: str, rules: Mapping[str, str], dice: int) -> None:
        self.own, self.rules, self.dice = own, rules, dice
        self.begun = False

    @property
    def over(self) -> bool:
        return self.begun and self.table.over

    def see(self, said: Mapping[str, Any]) -> Any:
        if not isinstance(said, Mapping):
            raise OutOfStepError(f"A state is a JSON object, and the host sent {said!r}.")
        if not self.begun:
            self.names = player_names(said)
        state = read_state(said, self.names)
        if self.begun:
            self._follow(state)
        else:
            self._begin(state)
        self._compare(state)
        view = self.table.view(self.seat)
        if not self.over:
            self._count()
            self._check(view)
        return view

    def move(self, move: int) -> bytes:
        return compact(move_object(move, self.own, self.names))

    def _begin(self, said: HostState) -> None:
        if self.own not in self.names:
            raise OutOfStepError(f"You are {self.own!r}, and the host's state has hands of {', '.join(self.names)}.")
        players = HANABI.check_players(len(self.names))
        if said.numbers["round"] != 1 or said.current not in self.names:
            raise OutOfStepError(
                f"A game begins with round 1 and the turn of a player; the host sent round {said.numbers['round']} "
                f"with {said.current!r} to move. Join when a new game begins."
            )
        self.seat = self.names.index(self.own)
        start = np.zeros(1, STATE)
        size = rules.hand_size(players)
        for seat, hand in enumerate(said.hands):
            if len(hand) != size:
                raise OutOfStepError(
                    f"With {players} players a hand has {size} cards; {self.names[seat]} has {len(hand)}."
                )
            for slot, card in enumerate(hand):
                start[0]["deck"][seat * size + slot] = self._face(seat, card)
        rules.set_up(start[0], players, HANABI.rule_bits(HANABI.check_rules(self.rules)))
        start[0]["to_move"] = self.names.index(said.current)
        set_dice(start[0], self.dice)
        self.table = Table(HANABI, [], start)
        self.begun = True

    def _face(self, seat: int, card: Shown) -> int:
        """The kind for our table: the visible one, or for our own card any that hints allow."""
        if seat != self.seat:
            return max(card.kind, 0)  # the comparison reports a missing one
        if card.hinted_kinds == 0:
            raise OutOfStepError("The host leaves no possible kind for one of your cards.")
        return lowest_bit(card.hinted_kinds)

    def _follow(self, said: HostState) -> None:
        """Make the last move at the table, with the cards it involves in place."""
        table, state = self.table, self.table.state
        mover = table.to_move
        if mover < 0:
            raise OutOfStepError("The host sent a state after the one in which the game was over.")
        move = self._last_move(said, mover)
        deck, hand = state["deck"], state["hands"][mover]
        if not move.is_hint:
            if mover == self.seat:
                deck[hand[move.slot]] = self._own_card(said, state, move)
            if state["drawn"] < CARDS and said.hands[mover]:
                deck[state["drawn"]] = self._face(mover, said.hands[mover][-1])
        elif move.target == self.seat:
            for place, card in zip(state["hands"][self.seat], said.hands[self.seat], strict=False):
                deck[place] = self._face(self.seat, card)
            state["values"][self.seat] = rules.held_values(state, self.seat)
        try:
            table.make(Decision(move))
        except AgentError:
            why = HANABI.why_not(move, state)
            raise OutOfStepError(f"The host says that {self.names[mover]} made the move '{move}': {why}.") from None

    def _last_move(self, said: HostState, mover: int) -> Move:
        last = said.last
        if not isinstance(last, Mapping) or last.get("player") != self.names[mover]:
            raise OutOfStepError(
                f'It was the turn of {self.names[mover]!r}, and "lastaction" of the state after it is {last!r}.'
            )
        try:
            return parse_move(last, self.names, int(self.table.state["held"][mover]))
        except KibitzError as error:
            raise OutOfStepError(f'"lastaction" of a state cannot be read: {error}') from None

    def _own_card(self, said: HostState, state: Any, move: Move) -> int:
        """The card that we played or discarded: it is now on a pile or among the discards."""
        played, before = int(state["played"]), discards_of(state)
        risen = [
            COLOURS.index(colour) * RANKS + height
            for colour, height in pile_heights(played).items()
            if said.numbers[colour] == height + 1 <= RANKS
        ]
        new = [*(said.gone - before).elements()]
        found = risen if move.is_play and risen else new
        if len(found) != 1 or found[0] == FACE_DOWN:
            raise OutOfStepError(
                f"After your own '{move}', the host shows no new card on the piles or among the discards."
            )
        return found[0]

    def _compare(self, said: HostState) -> None:
        """The whole state must follow from the moves; of the last state, where hosts differ, only the score."""
        s, over = plain(self.table.state), self.table.over
        numbers = {
            "round": s["turn"] + 1,
            "final": s["turn"] + s["countdown"] if s["countdown"] >= 0 else -1,
            "deck": CARDS - s["drawn"],
            "hints": s["tokens"],
            "fuse": s["lives"],
            **pile_heights(s["played"]),
        }
        for key in SCORED if over else NUMBERS:
            self._expect(f'"{key}" is', said.numbers[key], numbers[key])
        if over:
            return
        self._expect('"current" is', said.current, self.names[s["to_move"]])
        self._expect("among the discards are", kinds_text(said.gone), kinds_text(discards_of(s)))
        for seat, name in enumerate(self.names):
            held = s["held"][seat]
            self._expect(f"cards in the hand of {name} are", len(said.hands[seat]), held)
            for slot, (place, kinds) in enumerate(zip(s["hands"][seat][:held], s["hinted_kinds"][seat], strict=False)):
                shown = said.hands[seat][slot]
                kind = shown.kind if seat == self.seat else s["deck"][place]
                self._expect(f"card {slot} of {name} is", shown, Shown(kind, kinds))

    def _expect(self, what: str, said: Any, known: Any) -> None:
        if said != known:
            raise OutOfStepError(
                f"The host contradicts itself in round {int(self.table.state['turn']) + 1}: it says that {what} "
                f"{said}, but by the moves so far it is {known}."
            )

    def _count(self) -> None:
        """No card has more copies than the game, and each of our own cards has a possible kind."""
        s = plain(self.table.state)
        mine = s["hands"][self.seat][: s["held"][self.seat]]
        seen = Counter(kind for place, kind in enumerate(s["deck"][: s["drawn"]]) if place not in mine)
        for kind, copies in seen.items():
            if copies > COPIES[kind % RANKS]:
                raise OutOfStepError(
                    f"The host has shown {copies} copies of {ALL_KINDS[kind]}; the game has {COPIES[kind % RANKS]}."
                )
        unseen = sum(1 << kind for kind in range(KINDS) if seen[kind] < COPIES[kind % RANKS])
        for slot in range(len(mine)):
            if not s["hinted_kinds"][self.seat][slot] & unseen:
                raise OutOfStepError(
                    f"By the host's hints your card {slot} can only be cards that are all visible elsewhere."
                )

    def _check(self, view: Any) -> None:
        """Searches sample hands that are consistent with the view: there must be one."""
        try:
            HANABI.check_view(view, self.seat)
        except RecordError as error:
            raise OutOfStepError(f"The host describes an impossible table: {error}") from None


def discards_of(s: Any) -> Counter[int]:
    return Counter(kind for copies in s["discarded"] for kind in range(KINDS) if int(copies) >> kind & 1)


def kinds_text(kinds: Counter[int]) -> str:
    return " ".join("??" if kind == FACE_DOWN else ALL_KINDS[kind].short for kind in sorted(kinds.elements())) or "none"
