"""Double-dummy analysis: the tricks of each card when all four hands are open and everybody plays perfectly.

The solver is Bo Haglund's DDS through the package endplay, an extra: `pip install 'kibitz[bridge]'`.
"""

import importlib
from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

from kibitz.core.agent import Progress, no_progress
from kibitz.errors import KibitzError
from kibitz.extras import missing
from kibitz.games.bridge.cards import RANK_LETTERS, RANKS, SEATS, SUIT_OF, SUITS, Card, hand_text

MISSING = str(missing("bridge"))
BATCH = 4  # deals per call; other callers wait no longer
WAIT_SECONDS = 2.0  # seconds that a review waits while bots solve
CACHE_SIZE = 4096  # positions

SOLVING = Lock()  # the library has its own threads, and is not reentrant


class Position(NamedTuple):
    """All that decides the number of tricks: the cards held, the trick on the table, and trumps."""

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
    """The parts of endplay in use; a KibitzError if it is missing or does not run on this machine."""
    try:
        types, dds = importlib.import_module("endplay.types"), importlib.import_module("endplay.dds")
    except ModuleNotFoundError:
        raise missing("bridge") from None
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
        """endplay counts suits from spades down."""
        return strain if strain == SUITS else SUITS - 1 - strain

    def card(self, card: Any) -> Card:
        return Card(RANKS * (SUITS - 1 - int(card.suit)) + RANK_LETTERS.index(card.rank.abbr))


def solve(positions: Sequence[Position], progress: Progress = no_progress) -> list[dict[Card, int]]:
    """For each position and legal card, how many of the remaining tricks its side takes."""
    endplay, solved = library(), list[dict[Card, int]]()
    for start in range(0, len(positions), BATCH):
        progress(start, len(positions))
        with SOLVING:
            solved += solve_some(endplay, positions[start : start + BATCH])
    progress(0, 0)
    return solved


def solve_some(endplay: Any, positions: Sequence[Position]) -> list[dict[Card, int]]:
    boards = endplay.solve_all_boards([endplay.deal(position) for position in positions])
    return [{endplay.card(card): int(tricks) for card, tricks in board} for board in boards]


CACHE: dict[Position, dict[Card, int]] = {}  # positions solved for reviews


def solved_soon(position: Position) -> dict[Card, int] | None:
    """The tricks of every card, for a review; None if nothing is installed, or other callers keep the solver busy."""
    if position in CACHE:
        return CACHE[position]
    if not installed() or not any(position.hands) or not SOLVING.acquire(timeout=WAIT_SECONDS):
        return None
    try:
        if len(CACHE) >= CACHE_SIZE:
            CACHE.clear()
        return CACHE.setdefault(position, solve_some(library(), [position])[0])
    finally:
        SOLVING.release()


def known(position: Position) -> dict[Card, int] | None:
    """The cached tricks of every card, or None."""
    return CACHE.get(position)
