"""The public part of a round, in plain Python: the effects of its moves, and whether any cards explain them.

It checks views from other hosts before compiled code may read them, so it does not use the compiled rules.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kibitz.errors import RecordError
from kibitz.games.loveletter import rules
from kibitz.games.loveletter.cards import (
    BARON,
    CARDS,
    COUNTESS,
    FACE_DOWN,
    GUARD,
    HANDMAID,
    KINDS,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from kibitz.games.loveletter.state import LAID, NOBODY, SEATS, SET_ASIDE, TURNS

Hands = tuple[int, ...]  # the card that each seat keeps after it has played
AIMED = (GUARD, PRIEST, BARON, PRINCE, KING)


def require(holds: bool, promise: str) -> None:
    if not holds:
        raise RecordError(f"A view of Love Letter {promise}, and this one does not.")


class Turn(NamedTuple):
    """A move with its public outcome, and the places in the deck of the cards drawn."""

    seat: int
    card: int
    target: int  # or NOBODY
    named: int
    out: int  # the seat it knocked out, or NOBODY
    kind: int  # the card it revealed, or FACE_DOWN
    drawn: int  # the place of the card that the seat drew before it
    taken: int | None  # the place of the card that the target of a Prince drew


class OpenRound:
    """What everybody sees of a round, from its deal on."""

    def __init__(self, players: int, first: int) -> None:
        self.players = players
        self.out = self.protected = 0
        self.laid: list[list[int]] = [[] for _ in range(SEATS)]
        self.drawer = [NOBODY] * CARDS
        self.drawn = rules.first_hand(players)
        self.turns: list[Turn] = []
        self.over = False
        for seat in range(players):
            self._draw(seat)
        self._begin_turn(first)

    @property
    def remaining(self) -> list[int]:
        return [seat for seat in range(self.players) if not self.out >> seat & 1]

    def _draw(self, seat: int) -> int:
        """Draw the next card, or the set-aside one; returns its place."""
        place = self.drawn if self.drawn < CARDS else SET_ASIDE
        self.drawn += place != SET_ASIDE
        self.drawer[place] = seat
        return place

    def _begin_turn(self, seat: int) -> None:
        self.to_move = seat
        self.protected &= ~(1 << seat)
        self.place = self._draw(seat)

    def follow(self, happened: int) -> None:
        """Make the move of an entry of the history, or refuse it."""
        move, me = happened & 63, happened >> 6 & 3
        require(move < rules.MOVES, "has only moves of the game in its history")
        require(not self.over and me == self.to_move, "has its seats move in turn")
        card, target, named = rules.ALL[move]
        targets = [seat for seat in self.remaining if seat != me and not self.protected >> seat & 1]
        targets += [me] if card == PRINCE else []
        fits = target in targets or (target == NOBODY and (card not in AIMED or not targets))
        require(fits, "has legal targets for its cards")
        out, kind = happened >> 8 & 3, happened >> 10
        gone = (NOBODY, target, me, SEATS)[out]
        require(kind < KINDS and is_possible(card, target, named, me, gone, kind), "has the right effects of its cards")
        self.laid[me].append(card)
        self.protected |= (card == HANDMAID) << me
        if kind != FACE_DOWN:
            self.laid[target if card == PRINCE else gone].append(kind)
        if gone != NOBODY:
            self.out |= 1 << gone
        taken = self._draw(target) if card == PRINCE and gone == NOBODY else None
        self.turns.append(Turn(me, card, target, named, gone, kind, self.place, taken))
        require(max(map(len, self.laid)) <= LAID and len(self.turns) <= TURNS, "has rounds that are not too long")
        remaining = self.remaining
        self.over = len(remaining) == 1 or self.drawn == CARDS
        if not self.over:
            after = (*range(me + 1, self.players), *range(me))
            self._begin_turn(next(seat for seat in after if seat in remaining))


def is_possible(card: int, target: int, named: int, me: int, gone: int, kind: int) -> bool:
    """Whether a move can knock out this seat and reveal this card."""
    if card == PRINCESS:
        return gone == me and kind != FACE_DOWN
    if card == PRINCE:
        return kind != FACE_DOWN and gone == (target if kind == PRINCESS else NOBODY)
    if card == GUARD and gone != NOBODY:
        return gone == target and kind == named
    if card == BARON and gone != NOBODY:
        return target != NOBODY and gone in (me, target) and kind != FACE_DOWN
    return gone == NOBODY and kind == FACE_DOWN


class Knowledge(NamedTuple):
    """What one seat knows about the cards of a round."""

    seat: int
    sure: int  # the seats that still hold a card it was shown
    drew: Sequence[int]  # its own cards, by their place in the deck
    looks: Sequence[int]  # the cards it was shown, by turn: see `rules.look`


NOTHING = Knowledge(NOBODY, 0, (), ())


def is_explained(played: OpenRound, hands: Hands, unseen: Mapping[int, int], knows: Knowledge = NOTHING) -> bool:
    """Whether some places of the unseen cards explain a round; FACE_DOWN in these hands stands for any card.

    It goes back from every combination of hidden hands, as `worlds.trace_back` does from one, until one fits.
    """
    hidden = [seat for seat in played.remaining if hands[seat] == FACE_DOWN]
    dead: set[tuple[int, Hands]] = set()  # positions that no start leads to

    def leads_back(turn: int, held: Hands, sure: int) -> bool:
        if turn < 0:
            first = rules.first_hand(played.players)
            return knows.seat == NOBODY or knows.drew[first + knows.seat] == held[knows.seat]
        if (turn, held) in dead:
            return False
        if any(
            leads_back(turn - 1, before, left)
            for before, left in steps_back(played.turns[turn], turn, held, sure, knows)
        ):
            return True
        dead.add((turn, held))
        return False

    last = len(played.turns) - 1
    return any(leads_back(last, start, knows.sure) for start in filled(hands, hidden, unseen))


def filled(hands: Hands, hidden: Sequence[int], unseen: Mapping[int, int]) -> Iterator[Hands]:
    """All combinations of hidden hands."""
    if not hidden:
        yield hands
        return
    seat, *others = hidden
    for kind, count in unseen.items():
        if count:
            yield from filled((*hands[:seat], kind, *hands[seat + 1 :]), others, {**unseen, kind: count - 1})


def steps_back(turn: Turn, number: int, held: Hands, sure: int, knows: Knowledge) -> Iterator[tuple[Hands, int]]:
    """The possible hands before a turn that led to these hands and was seen like this."""
    seat, card, target, me = turn.seat, turn.card, turn.target, knows.seat
    hands = list(held)
    if turn.out != NOBODY:
        hands[turn.out] = PRINCESS if card == PRINCE else turn.kind
    if target != NOBODY and card == GUARD:
        if (hands[target] == turn.named) != (turn.out == target):
            return
    elif target != NOBODY and card == PRINCE:
        if turn.taken is not None:
            if target == me and knows.drew[turn.taken] != hands[me]:
                return
            hands[target] = turn.kind
            sure &= ~(1 << target)
    elif target != NOBODY:
        if card == KING:
            hands[seat], hands[target] = hands[target], hands[seat]
            both = sure & (1 << seat | 1 << target)
            if both & (both - 1) == 0:  # if one of two swapped cards is known, it was the other seat's
                sure ^= 0 if both == 0 else 1 << seat | 1 << target
        mine, theirs = hands[seat], hands[target]
        if card == BARON and turn.out != (NOBODY if mine == theirs else seat if mine < theirs else target):
            return
        if me == seat or (me == target and card != PRIEST):
            if knows.looks[number] != rules.look(FACE_DOWN if card == PRIEST else mine, theirs):
                return
            sure &= ~(1 << target | 1 << seat)
    kept = hands[seat]
    if card in (PRINCE, KING) and kept == COUNTESS:
        return
    if seat == me:
        if knows.drew[turn.drawn] not in (card, kept):
            return
        if knows.drew[turn.drawn] != card:
            hands[seat] = card
        yield tuple(hands), sure
        return
    yield tuple(hands), sure
    if not sure >> seat & 1:
        hands[seat] = card
        yield tuple(hands), sure


def unseen_after(seen: Sequence[int], copies: Sequence[int]) -> dict[int, int]:
    """The number of each card that is not among those seen."""
    counts = Counter(seen)
    left = {kind: copies[kind] - counts[kind] for kind in range(1, KINDS)}
    require(min(left.values()) >= 0, "has no more copies of a card than the deck")
    return left
