"""Every past that a seat cannot rule out, counted on the plain engine: what sampled worlds are measured by.

A past is a deck of sixteen different cards together with what everybody played from it, the card that was
held or the one just drawn. All pasts in which the viewer would have seen what it saw are equally likely.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tests.games.loveletter import plain

UNKNOWN = 0  # a card that is not decided on yet
ONLOOKER = -2


class World(NamedTuple):
    """What is hidden now: the hands, in their holders' order, and the card set aside; and with which hands it began."""

    hands: tuple[tuple[int, ...], ...]
    aside: int
    began: tuple[int, ...]


Step = tuple[plain.Happened, tuple[int, ...], tuple[int, ...]]  # a move, the viewer's hand after it, and its look


def shown_cards(game: plain.Round, move: plain.Move, viewer: int) -> tuple[int, ...]:
    """What a move shows to the viewer alone: of hands without the card that is played."""
    card, target, _ = move
    if target is None or card not in (plain.PRIEST, plain.BARON, plain.KING):
        return ()
    mine = list(game.hands[game.seat])
    mine.remove(card)
    if card == plain.PRIEST:
        return tuple(game.hands[target]) if viewer == game.seat else ()
    return (*mine, *game.hands[target]) if viewer in (game.seat, target) else ()


def steps(game: plain.Round, moves: Sequence[plain.Move], viewer: int) -> tuple[list[Step], int] | None:
    """What the viewer sees of the moves as far as all cards are decided on, and how many pasts that is one of.

    Somebody else who plays one of two equal cards may have played either. None if a move cannot be made.
    """
    seen: list[Step] = []
    ways = 1
    for move in moves:
        if any(UNKNOWN in hand for hand in game.hands):
            break
        if game.winners is not None or move not in game.legal():
            return None
        shown = shown_cards(game, move, viewer)
        hand = game.hands[game.seat]
        ways *= 2 if game.seat != viewer and hand[0] == hand[1] else 1
        happened = game.play(move)
        seen.append((happened, tuple(game.hands[viewer]) if viewer >= 0 else (), shown))
    return seen, ways


def every_past(deck: Sequence[int], players: int, moves: Sequence[plain.Move], viewer: int) -> Counter[World]:
    """In how many pasts each world came about, for a viewer of a round that went from this deck with these moves."""
    true = plain.Round(deck, players)
    seen = steps(true, moves, viewer)
    assert seen is not None
    places = len(deck) - len(true.deck)  # those of the deck that matter: what lies under them is any order of the rest
    drawers = who_drew(deck, players, moves)
    known = {place for place in range(places) if drawers[place] in ("open", viewer)}
    pool = Counter(deck) - Counter(deck[place] for place in known)
    found: Counter[World] = Counter()

    def decide(place: int, guess: list[int], weight: int) -> None:
        went = steps(plain.Round(guess, players), moves, viewer)
        if went is None or went[0] != seen[0][: len(went[0])]:
            return
        while place < places and guess[place] != UNKNOWN:
            place += 1
        if place < places:
            for kind, copies in list(pool.items()):
                if copies:
                    pool[kind] -= 1
                    decide(place + 1, [*guess[:place], kind, *guess[place + 1 :]], weight * copies)
                    pool[kind] += 1
            return
        finish(guess, weight * went[1])

    def finish(guess: list[int], weight: int) -> None:
        """The card set aside is decided on last, where nobody has taken it. At the end all hands are shown."""
        game = plain.Round(guess, players)
        began = tuple(hand[0] for hand in game.hands)
        for move in moves:
            game.play(move)
        if true.winners is not None and game.hands != true.hands:
            return
        hands = tuple(map(tuple, game.hands))
        for aside, copies in pool.items() if guess[0] == UNKNOWN else [(guess[0], 1)]:
            if copies:
                found[World(hands, aside, began)] += weight * copies

    guess = [deck[place] if place in known else UNKNOWN for place in range(len(deck))]
    decide(1 if drawers[0] == "aside" else 0, guess, 1)
    return found


def who_drew(deck: Sequence[int], players: int, moves: Sequence[plain.Move]) -> list[int | str]:
    """By place of the deck: the seat that drew it, or that it lies open, aside or in the deck."""
    tagged = plain.Round(deck, players)
    opened = 3 if players == 2 else 0
    drawers: list[int | str] = ["aside", *["open"] * opened, *range(players), tagged.seat]
    for move in moves:
        left, aside = len(tagged.deck), tagged.set_aside
        target = move[1]
        tagged.play(move)
        taken = left - len(tagged.deck)
        turn_begins = tagged.winners is None
        if target is not None and taken > turn_begins:
            drawers.append(target)  # a Prince's victim draws before the next player does
        if target is not None and aside is not None and tagged.set_aside is None:
            drawers[0] = target
        if turn_begins:
            drawers.append(tagged.seat)
    return [*drawers, *["deck"] * (len(deck) - len(drawers))]
