"""Double-dummy tricks: how many a card takes when all four hands are open and everybody plays perfectly.

The solver is Bo Haglund's DDS, by way of the package endplay, which is an extra: `pip install 'kibitz[bridge]'`.
"""

import importlib
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from kibitz.core.agent import Progress, no_progress
from kibitz.errors import KibitzError
from kibitz.games.bridge.cards import RANK_LETTERS, RANKS, SEATS, SUIT_OF, SUITS, Card, hand_text

INSTALL = "Install it with: pip install 'kibitz[bridge]'"
MISSING = f"Bridge deals are solved by endplay, which is not installed here. {INSTALL}"
AT_ONCE = 4  # deals that are solved in one call; others who wait get their turn after so many
PATIENCE = 2.0  # seconds that somebody who looks back waits for bots that solve
MOST_KNOWN = 4096  # positions that somebody looked back at

SOLVING = Lock()  # the library solves on several threads itself, and cannot be entered twice


class Position(NamedTuple):
    """What decides how many tricks are to be had: the cards held, the trick on the table, and trumps."""

    hands: tuple[int, ...]
    leader: int
    trick: tuple[int, ...]  # the cards played to it
    strain: int

    @classmethod
    def of(cls, state: Any) -> "Position":
        turn = int(state["turn"])
        trick = state["history"][turn - turn % SEATS : turn].tolist()
        return cls(tuple(state["hands"].tolist()), int(state["leader"]), tuple(trick), int(state["strain"]))

    @property
    def legal(self) -> list[Card]:
        hand = self.hands[(self.leader + len(self.trick)) % SEATS]
        cards = [Card(card) for card in range(SUITS * RANKS) if hand >> card & 1]
        following = [card for card in cards if self.trick and card.suit == SUIT_OF[self.trick[0]]]
        return following or cards


def installed() -> bool:
    try:
        library()
    except KibitzError:
        return False
    return True


@cache
def library() -> Any:
    """The parts of endplay that are used; a KibitzError if it is not there, or does not run on this machine."""
    try:
        types, dds = importlib.import_module("endplay.types"), importlib.import_module("endplay.dds")
    except ModuleNotFoundError:
        raise KibitzError(MISSING) from None
    except (ImportError, OSError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise KibitzError(f"endplay, which solves bridge deals, cannot be loaded here: {reason}") from None
    return Library(types.Deal, types.Card, types.Denom, types.Player, dds.solve_all_boards)


class Library(NamedTuple):
    Deal: Any
    Card: Any
    Denom: Any
    Player: Any
    solve_all_boards: Any

    def deal(self, position: Position) -> Any:
        hands = " ".join(hand_text(hand) for hand in position.hands)
        deal = self.Deal(f"N:{hands}", self.Player(position.leader), self.Denom(self.strain(position.strain)))
        for card in position.trick:
            deal.play(self.Card(Card(card).name), from_hand=False)
        return deal

    @staticmethod
    def strain(strain: int) -> int:
        """Suits are counted from spades down there."""
        return strain if strain == SUITS else SUITS - 1 - strain

    def card(self, card: Any) -> Card:
        return Card(RANKS * (SUITS - 1 - int(card.suit)) + RANK_LETTERS.index(card.rank.abbr))


def solve(positions: Sequence[Position], progress: Progress = no_progress) -> list[dict[Card, int]]:
    """For each position, by legal card, how many of the tricks still to come its side takes with it."""
    endplay, solved = library(), list[dict[Card, int]]()
    for start in range(0, len(positions), AT_ONCE):
        progress(start, len(positions))
        with SOLVING:
            solved += solve_some(endplay, positions[start : start + AT_ONCE])
    progress(0, 0)
    return solved


def solve_some(endplay: Any, positions: Sequence[Position]) -> list[dict[Card, int]]:
    boards = endplay.solve_all_boards([endplay.deal(position) for position in positions])
    return [{endplay.card(card): int(tricks) for card, tricks in board} for board in boards]


KNOWN: dict[Position, dict[Card, int]] = {}  # what was solved for those who look back


def solved_soon(position: Position) -> dict[Card, int] | None:
    """The tricks of every card for somebody who looks back; None if nothing is installed, or others keep it busy."""
    if position in KNOWN:
        return KNOWN[position]
    if not installed() or not any(position.hands) or not SOLVING.acquire(timeout=PATIENCE):
        return None
    try:
        if len(KNOWN) >= MOST_KNOWN:
            KNOWN.clear()
        return KNOWN.setdefault(position, solve_some(library(), [position])[0])
    finally:
        SOLVING.release()


def known(position: Position) -> dict[Card, int] | None:
    """The same, if it was found before."""
    return KNOWN.get(position)
