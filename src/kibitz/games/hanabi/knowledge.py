"""The terms of Hanabi as sets of kinds: playable, useless, critical, and what a card can be.

Every function takes a view (or a state) and returns a mask of kinds, so that "surely playable" is
`possible & ~playable == 0`.
"""

from kibitz.engine.compile import compiled
from kibitz.games.hanabi.cards import ALL, FIVES, MIDDLE, ONES, hinted_kinds, holds, pile_height
from kibitz.games.hanabi.state import FACE_DOWN, State

# The kinds of which at least one, two, three copies are counted.
Copies = tuple[int, int, int]


@compiled
def fitting(played: int) -> int:
    """The kinds that are playable on these piles."""
    return ((played << 1) | ONES) & ~played & ALL


@compiled
def playable(s: State) -> int:
    """The kinds that are playable now."""
    return fitting(s.played)


@compiled
def with_copy(copies: Copies, kinds: int) -> Copies:
    """The copies with one more of each of these kinds."""
    one, two, three = copies
    return one | kinds, two | (one & kinds), three | (two & kinds)


@compiled
def discards(s: State) -> Copies:
    return int(s.discarded[0]), int(s.discarded[1]), int(s.discarded[2])


@compiled
def exhausted(copies: Copies) -> int:
    """The kinds of which every copy is counted."""
    one, two, three = copies
    return (one & FIVES) | (two & MIDDLE) | (three & ONES)


@compiled
def useless(s: State) -> int:
    """The kinds that can never be played again."""
    blocked = exhausted(discards(s)) & ~s.played
    for _ in range(4):
        blocked |= (blocked << 1) & ~ONES
    return (blocked | s.played) & ALL


@compiled
def awaited(s: State) -> int:
    """The playable kinds of which a copy is left: the cards that the piles need next."""
    return playable(s) & ~useless(s)


@compiled
def critical(s: State) -> int:
    """The kinds that are still needed and of which one copy is left."""
    one_left = FIVES | (s.discarded[0] & MIDDLE) | (s.discarded[1] & ONES)
    return one_left & ~useless(s)


@compiled
def kind_of(s: State, seat: int, slot: int) -> int:
    """The kind of a card in a hand, or FACE_DOWN."""
    return s.deck[s.hands[seat][slot]]


@compiled
def visible(s: State, seat: int) -> Copies:
    """The copies a seat sees on the piles, among the discards and in the other hands."""
    copies = with_copy(discards(s), int(s.played))
    for other in range(s.players):
        if other != seat:
            for slot in range(s.held[other]):
                kind = kind_of(s, other, slot)
                if kind != FACE_DOWN:
                    copies = with_copy(copies, 1 << kind)
    return copies


@compiled
def unseen(s: State, seat: int) -> int:
    """The kinds of which a seat does not see every copy: what its own cards can be without hints.

    In a view, the viewer's own hand is face down, so it does not count as seen by the other seats.
    """
    return ALL & ~exhausted(visible(s, seat))


@compiled
def unseen_by_all(s: State) -> int:
    """The kinds of which not every copy is on the table: what a card can be by public knowledge, without hints."""
    return ALL & ~exhausted(with_copy(discards(s), int(s.played)))


@compiled
def possible(s: State, seat: int, slot: int) -> int:
    """The kinds a card can be for its holder, by positive and negative hints and the copies seen."""
    return s.hinted_kinds[seat][slot] & unseen(s, seat)


NO_HINT = -1


@compiled
def kinds_after_hint(s: State, seat: int, slot: int, value: int) -> int:
    """The kinds that hints leave open for a visible card after one more hint, or after NO_HINT."""
    kinds = int(s.hinted_kinds[seat][slot])
    if value == NO_HINT:
        return kinds
    named = hinted_kinds(value)
    return kinds & named if holds(named, kind_of(s, seat, slot)) else kinds & ~named


@compiled
def surely(kinds: int, wanted: int) -> bool:
    """Inferably: every possible kind is a wanted one."""
    return kinds & ~wanted == 0


@compiled
def revealed(s: State, seat: int, slot: int) -> bool:
    """Both colour and rank were hinted."""
    return s.marks[seat][slot] == 3


@compiled
def marked(s: State, seat: int, slot: int) -> bool:
    return s.marks[seat][slot] != 0


@compiled
def marked_elsewhere(s: State, kind: int, seat: int, slot: int) -> bool:
    """Whether another visible card of this kind is marked."""
    for other in range(s.players):
        for place in range(s.held[other]):
            same = other == seat and place == slot
            if not same and kind_of(s, other, place) == kind and marked(s, other, place):
                return True
    return False


@compiled
def plays_missing(s: State, kind: int) -> int:
    """The number of cards to play before this kind is playable; negative if it is on its pile."""
    return kind % 5 - pile_height(int(s.played), kind // 5) if not holds(s.played, kind) else -1
