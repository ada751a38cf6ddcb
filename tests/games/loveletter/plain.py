"""Love Letter in plain Python, from the rulebook and nothing else: the oracle of the tests, the rival of the benchmark.

It knows nothing of kibitz. Cards are their numbers, seats count from 0, and a move is a card, the seat
it is played on and the card a Guard names, or None for what it does not need.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)
DECK = [GUARD] * 5 + [PRIEST] * 2 + [BARON] * 2 + [HANDMAID] * 2 + [PRINCE] * 2 + [KING, COUNTESS, PRINCESS]
GOALS = {2: 7, 3: 5, 4: 4}  # tokens that win a game
MOST_ROUNDS = 20

Move = tuple[int, int | None, int | None]


class Happened(NamedTuple):
    """What everybody sees of a move."""

    seat: int
    move: Move
    out: int | None = None  # who went out of the round
    opened: int | None = None  # the card that was laid open, besides the one played


class Round:
    """One round: deal, play moves, and when it is over `winners` says who won it."""

    def __init__(self, deck: Sequence[int], players: int, first: int = 0, ties: str = "discards") -> None:
        """The deck begins with the card set aside, with two players three open ones, then as it is dealt and drawn."""
        cards = list(deck)
        self.players, self.ties = players, ties
        self.set_aside: int | None = cards.pop(0)
        self.face_up = [cards.pop(0) for _ in range(3 if players == 2 else 0)]
        self.hands = [[cards.pop(0)] for _ in range(players)]
        self.deck = cards
        self.laid: list[list[int]] = [[] for _ in range(players)]
        self.alive = list(range(players))
        self.protected: set[int] = set()
        self.turns = 0
        self.winners: list[int] | None = None
        self.compared = False  # whether the deck ran out and hands were shown
        self.begin_turn(first)

    def begin_turn(self, seat: int) -> None:
        self.seat = seat
        self.protected.discard(seat)
        self.hands[seat].append(self.deck.pop(0))

    def legal(self) -> list[Move]:
        hand = self.hands[self.seat]
        if COUNTESS in hand and (KING in hand or PRINCE in hand):
            return [(COUNTESS, None, None)]
        others = [seat for seat in self.alive if seat != self.seat and seat not in self.protected]
        moves: list[Move] = []
        for card in hand if hand[0] != hand[1] else hand[:1]:
            if card == GUARD and others:
                moves += [(GUARD, seat, named) for seat in others for named in range(PRIEST, PRINCESS + 1)]
            elif card in (PRIEST, BARON, KING) and others:
                moves += [(card, seat, None) for seat in others]
            elif card == PRINCE:
                moves += [(PRINCE, seat, None) for seat in [*others, self.seat]]
            else:
                moves.append((card, None, None))
        return moves

    def play(self, move: Move) -> Happened:
        me, (card, target, named) = self.seat, move
        self.hands[me].remove(card)
        self.laid[me].append(card)
        self.turns += 1
        out = opened = None
        if card == HANDMAID:
            self.protected.add(me)
        elif card == PRINCESS:
            out, opened = me, self.knock_out(me)
        elif target is not None:
            mine, theirs = self.hands[me][0], self.hands[target][0]
            if card == GUARD and theirs == named:
                out, opened = target, self.knock_out(target)
            elif card == BARON and mine != theirs:
                out = target if mine > theirs else me
                opened = self.knock_out(out)
            elif card == PRINCE:
                opened = theirs
                if theirs == PRINCESS:
                    out = target
                    self.knock_out(target)
                else:
                    self.laid[target].append(self.hands[target].pop())
                    self.hands[target].append(self.next_card())
            elif card == KING:
                self.hands[me], self.hands[target] = self.hands[target], self.hands[me]
        self.end_turn()
        return Happened(me, move, out, opened)

    def knock_out(self, seat: int) -> int:
        card = self.hands[seat].pop()
        self.laid[seat].append(card)
        self.alive.remove(seat)
        return card

    def next_card(self) -> int:
        if self.deck:
            return self.deck.pop(0)
        card, self.set_aside = self.set_aside, None
        assert card is not None
        return card

    def end_turn(self) -> None:
        if len(self.alive) == 1:
            self.winners = list(self.alive)
        elif not self.deck:
            self.compared = True
            self.winners = self.best_hands()
        else:
            seat = (self.seat + 1) % self.players
            while seat not in self.alive:
                seat = (seat + 1) % self.players
            self.begin_turn(seat)

    def best_hands(self) -> list[int]:
        highest = max(self.hands[seat][0] for seat in self.alive)
        tied = [seat for seat in self.alive if self.hands[seat][0] == highest]
        if len(tied) == 1 or self.ties == "all":
            return tied
        if self.ties == "draw":
            return []
        most = max(sum(self.laid[seat]) for seat in tied)
        tied = [seat for seat in tied if sum(self.laid[seat]) == most]
        return tied if len(tied) == 1 else []


class Game:
    """Rounds for tokens, or a single one. The sole winner of a round begins the next, else its first player."""

    def __init__(self, next_deck: Callable[[], Sequence[int]], players: int, unit: str, ties: str) -> None:
        self.next_deck, self.players, self.unit, self.ties = next_deck, players, unit, ties
        self.tokens = [0] * players
        self.finished: list[Round] = []
        self.first = 0
        self.round = Round(next_deck(), players, 0, ties)
        self.winners: list[int] | None = None  # of the game, when it is over

    def play(self, move: Move) -> Happened:
        happened = self.round.play(move)
        if self.round.winners is not None:
            self.end_round(self.round.winners)
        return happened

    def end_round(self, winners: list[int]) -> None:
        self.finished.append(self.round)
        for seat in winners:
            self.tokens[seat] += 1
        reached = [seat for seat in range(self.players) if self.tokens[seat] >= GOALS[self.players]]
        if self.unit == "round":
            self.winners = winners
        elif reached:
            self.winners = reached
        elif len(self.finished) == MOST_ROUNDS:
            self.winners = [seat for seat in range(self.players) if self.tokens[seat] == max(self.tokens)]
        else:
            self.first = winners[0] if len(winners) == 1 else self.first
            self.round = Round(self.next_deck(), self.players, self.first, self.ties)
