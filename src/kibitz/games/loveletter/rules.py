"""The rules: the deal, legal moves, the effects of cards, and the end of a round and of a game.

A move is a small number for a card, its target and, for a Guard, the card it names, so the legal moves are one mask. A
card that needs a target while everybody is protected has a number of its own.
"""

from typing import Any

import numpy as np

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below, number
from kibitz.games.loveletter.cards import (
    BARON,
    CARDS,
    COPIES,
    COUNTESS,
    FACE_DOWN,
    GUARD,
    HANDMAID,
    KINDS,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
    SORTED,
)
from kibitz.games.loveletter.state import (
    LAID,
    NOBODY,
    ONE_ROUND,
    OPEN,
    ROUNDS,
    SEATS,
    SET_ASIDE,
    TIES_DRAWN,
    TIES_SHARED,
    TURNS,
    State,
)

GAME_OVER = -1
GOALS = np.array([0, 0, 7, 5, 4])  # tokens to win a game, by number of players
FACE_UP = 3  # cards face up at the start with two players


def numbered() -> list[tuple[int, int, int]]:
    """The card, target and named card of every move, in the order of their numbers."""
    moves = [(GUARD, seat, named) for seat in range(SEATS) for named in range(PRIEST, KINDS)]
    moves += [(GUARD, NOBODY, FACE_DOWN)]
    for card in (PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS):
        if card in (PRIEST, BARON, PRINCE, KING):
            moves += [(card, seat, FACE_DOWN) for seat in range(SEATS)]
        if card != PRINCE:  # a Prince can always be played, if only on oneself
            moves += [(card, NOBODY, FACE_DOWN)]
    return moves


ALL = numbered()
MOVES = len(ALL)
CARD_OF = np.array([card for card, _, _ in ALL])
TARGET_OF = np.array([target for _, target, _ in ALL])
NAMED_OF = np.array([named for _, _, named in ALL])


def masks() -> list[list[int]]:
    """The moves of each card, by the mask of possible targets."""
    table = [[0] * (1 << SEATS) for _ in range(KINDS)]
    for move, (card, target, _) in enumerate(ALL):
        for targets in range(1 << SEATS):
            untargeted = target == NOBODY and (targets == 0 or card in (HANDMAID, COUNTESS, PRINCESS))
            if untargeted or (target != NOBODY and targets >> target & 1):
                table[card][targets] |= 1 << move
    return table


MOVES_WITH = np.array(masks())


# Setting up


@compiled
def deal(s: State, players: int, rules: int, stream: int) -> None:
    s.players, s.rules, s.cards = players, rules, stream
    s.turn = s.finished = 0
    s.seat = OPEN
    for seat in range(SEATS):
        s.tokens[seat] = 0
    begin_round(s, 0)


@compiled
def begin_round(s: State, first: int) -> None:
    """Shuffle and deal; every round has its own stream of cards."""
    stream = number(s.cards, s.finished)
    for place in range(CARDS):
        s.deck[place] = SORTED[place]
    for place in range(CARDS - 1, 0, -1):
        other = below(stream, place, place + 1)
        s.deck[place], s.deck[other] = s.deck[other], s.deck[place]
    set_out(s, first)


@compiled
def first_hand(players: int) -> int:
    """The place in the deck of the first seat's card; those of the other seats follow."""
    return SET_ASIDE + 1 + (FACE_UP if players == 2 else 0)


@compiled
def set_out(s: State, first: int) -> None:
    """Start a round with the present order of the deck."""
    s.first = first
    s.opened = s.turn
    s.out = s.protected = 0
    for seat in range(SEATS):
        s.hands[seat][0] = s.hands[seat][1] = FACE_DOWN
        s.known[seat] = s.aware[seat] = s.missed[seat] = s.count[seat] = 0
        for place in range(LAID):
            s.laid[seat][place] = FACE_DOWN
        for turn in range(TURNS):
            s.looks[seat][turn] = 0
    for place in range(CARDS):
        s.drawer[place] = NOBODY
    s.drawn = first_hand(s.players)
    for seat in range(s.players):
        s.hands[seat][0] = draw(s, seat)
    begin_turn(s, first)


@compiled
def draw(s: State, seat: int) -> int:
    """Take the next card of the deck, or the one set aside when the deck is empty."""
    place = s.drawn if s.drawn < CARDS else SET_ASIDE
    if s.drawn < CARDS:
        s.drawn += 1
    s.drawer[place] = seat
    return s.deck[place]


@compiled
def begin_turn(s: State, seat: int) -> None:
    s.to_move = seat
    s.protected &= ~(1 << seat)
    s.hands[seat][1] = draw(s, seat)


# Moves


@compiled
def to_move(s: State) -> int:
    """The seat to move, or GAME_OVER."""
    return s.to_move


@compiled
def targets(s: State) -> int:
    """The other seats that can be targets, as a mask."""
    return ((1 << s.players) - 1) & ~(s.out | s.protected | 1 << s.to_move)


@compiled
def legal(s: State) -> int:
    """The legal moves of the seat to move, as a mask; face-down cards have none."""
    me = s.to_move
    held, drawn = s.hands[me][0], s.hands[me][1]
    if held == COUNTESS or drawn == COUNTESS:
        other = held + drawn - COUNTESS
        if other in (KING, PRINCE):
            return MOVES_WITH[COUNTESS][0]
    others = targets(s)
    mine = others | 1 << me
    return MOVES_WITH[held][mine if held == PRINCE else others] | MOVES_WITH[drawn][mine if drawn == PRINCE else others]


@compiled
def allowed(s: State, move: int) -> bool:
    return 0 <= move < MOVES and (legal(s) >> move) & 1 != 0


@compiled
def event(move: int, seat: int, out: int, kind: int) -> int:
    """An entry of the public history: the move, the mover, who was knocked out, and the card that was revealed.

    `out` is 0 for nobody, 1 for the target, 2 for the mover.
    """
    return move | seat << 6 | out << 8 | kind << 10


@compiled
def event_move(happened: int) -> int:
    return happened & 63


@compiled
def event_seat(happened: int) -> int:
    return (happened >> 6) & 3


@compiled
def event_out(happened: int) -> int:
    """The seat that was knocked out, or NOBODY."""
    out = (happened >> 8) & 3
    if out == 0:
        return NOBODY
    return TARGET_OF[event_move(happened)] if out == 1 else event_seat(happened)


@compiled
def event_kind(happened: int) -> int:
    """The card that was revealed besides the one played, or FACE_DOWN."""
    return (happened >> 10) & 15


@compiled
def event_outcome(happened: int) -> int:
    """The public outcome of a move, in six bits: who was knocked out, and the card that was revealed."""
    return happened >> 8


@compiled
def look(mover_card: int, target_card: int) -> int:
    """The cards of mover and target that were seen; FACE_DOWN if the mover's was not shown."""
    return mover_card | target_card << 4


@compiled
def look_mover(seen: int) -> int:
    return seen & 15


@compiled
def look_target(seen: int) -> int:
    return seen >> 4


@compiled
def lay(s: State, seat: int, kind: int) -> None:
    s.laid[seat][s.count[seat]] = kind
    s.count[seat] += 1


@compiled
def knock_out(s: State, seat: int) -> int:
    """Knock a seat out of the round and reveal its card; returns the card."""
    kind = s.hands[seat][0]
    if kind != FACE_DOWN:
        lay(s, seat, kind)
    s.hands[seat][0] = FACE_DOWN
    s.out |= 1 << seat
    s.known[seat] = s.missed[seat] = 0
    for other in range(s.players):
        s.aware[other] &= ~(1 << seat)  # the knowledge of a seat that is out no longer matters
    s.aware[seat] = 0
    return kind


@compiled
def show_card(s: State, holder: int, to: int) -> None:
    s.known[holder] |= 1 << to
    s.aware[holder] |= 1 << to


@compiled
def lower_kinds(kind: int) -> int:
    """A kind and all lower ones, as a mask."""
    return (1 << (kind + 1)) - 1


@compiled
def apply(s: State, move: int) -> None:
    """Make a legal move."""
    me, card, target = s.to_move, CARD_OF[move], TARGET_OF[move]
    lay_down(s, me, card)
    before = s.out
    opened = play_card(s, me, card, target, NAMED_OF[move])
    gone = s.out & ~before
    out = 0 if gone == 0 else 2 if gone == 1 << me else 1
    s.history[s.turn] = event(move, me, out, opened)
    s.turn += 1
    remaining = ((1 << s.players) - 1) & ~s.out
    if remaining & (remaining - 1) == 0:
        finish_round(s, remaining, card)
    elif s.drawn == CARDS:
        finish_round(s, best_hands(s, remaining), FACE_DOWN)
    else:
        seat = me
        while True:
            seat = seat + 1 if seat + 1 < s.players else 0
            if remaining >> seat & 1:
                break
        begin_turn(s, seat)


@compiled
def lay_down(s: State, me: int, card: int) -> None:
    """Discard one of two cards and update what is known of the other."""
    held = s.hands[me][0]
    s.hands[me][0] = held + s.hands[me][1] - card
    s.hands[me][1] = FACE_DOWN
    lay(s, me, card)
    if card == held:  # the known card, or another copy of it, was played
        s.known[me] = s.aware[me] = 0
    if not s.missed[me] >> card & 1:  # the kept card may be the new one
        s.missed[me] = 0
    if card in (PRINCE, KING):
        s.missed[me] |= 1 << COUNTESS


@compiled
def play_card(s: State, me: int, card: int, target: int, named: int) -> int:
    """The effect of a card; returns the kind of card it reveals, or FACE_DOWN."""
    if card == HANDMAID:
        s.protected |= 1 << me
    elif card == PRINCESS:
        return knock_out(s, me)
    if target == NOBODY:
        return FACE_DOWN
    mine, theirs = s.hands[me][0], s.hands[target][0]
    turn = s.turn - s.opened
    if card == GUARD:
        if theirs == named:
            return knock_out(s, target)
        s.missed[target] |= 1 << named
    elif card == PRIEST:
        show_card(s, target, me)
        s.looks[me][turn] = look(FACE_DOWN, theirs)
    elif card == BARON:
        s.looks[me][turn] = s.looks[target][turn] = look(mine, theirs)
        show_card(s, target, me)
        show_card(s, me, target)
        if mine > theirs:
            s.missed[me] |= lower_kinds(theirs)
            return knock_out(s, target)
        if mine < theirs:
            s.missed[target] |= lower_kinds(mine)
            return knock_out(s, me)
    elif card == PRINCE:
        s.hands[target][0] = FACE_DOWN
        lay(s, target, theirs)
        if theirs == PRINCESS:
            knock_out(s, target)
        else:
            s.hands[target][0] = draw(s, target)
            s.known[target] = s.aware[target] = s.missed[target] = 0
        return theirs
    elif card == KING:
        s.looks[me][turn] = s.looks[target][turn] = look(mine, theirs)
        s.hands[me][0], s.hands[target][0] = theirs, mine
        s.missed[me], s.missed[target] = s.missed[target], s.missed[me]
        s.known[me], s.known[target] = (
            (s.known[target] | 1 << target) & ~(1 << me),
            (s.known[me] | 1 << me) & ~(1 << target),
        )
        s.aware[me], s.aware[target] = 1 << target, 1 << me
    return FACE_DOWN


# The end of a round and of a game


@compiled
def best_hands(s: State, remaining: int) -> int:
    """The winners of the comparison when the deck is empty, as a mask: nobody in a tie that is a draw by the rules."""
    highest = 0
    for seat in range(s.players):
        if remaining >> seat & 1 and s.hands[seat][0] > highest:
            highest = s.hands[seat][0]
    winners = 0
    for seat in range(s.players):
        if remaining >> seat & 1 and s.hands[seat][0] == highest:
            winners |= 1 << seat
    if winners & (winners - 1) == 0 or s.rules & TIES_SHARED:
        return winners
    return 0 if s.rules & TIES_DRAWN else most_spent(s, winners)


@compiled
def most_spent(s: State, tied: int) -> int:
    """The tied seat with the highest sum of discards, as a mask; nobody if the sums are tied too."""
    most, winners = -1, 0
    for seat in range(s.players):
        if tied >> seat & 1:
            total = 0
            for place in range(s.count[seat]):
                total += s.laid[seat][place]
            if total > most:
                most, winners = total, 1 << seat
            elif total == most:
                winners = 0
    return winners


@compiled
def finish_round(s: State, winners: int, card: int) -> None:
    """Award tokens, record the round, and deal the next one unless the game is over.

    `card` is the card that knocked out the last opponent, or FACE_DOWN if hands were compared.
    """
    s.rounds[s.finished] = summary(s, winners, card)
    s.finished += 1
    for seat in range(s.players):
        s.tokens[seat] += winners >> seat & 1
    if s.rules & ONE_ROUND or s.finished == ROUNDS or game_winners(s) != 0:
        s.to_move = GAME_OVER
    else:
        alone = winners != 0 and winners & (winners - 1) == 0
        begin_round(s, lowest_bit(winners) if alone else s.first)


@compiled
def summary(s: State, winners: int, card: int) -> int:
    """A round in one number: see the functions below."""
    shown = 0
    for seat in range(s.players):
        shown |= s.hands[seat][0] << 4 * seat
    return winners | s.first << 4 | (s.turn - s.opened) << 6 | card << 10 | shown << 14


@compiled
def round_winners(summed: Any) -> Any:
    return summed & 15


@compiled
def round_first(summed: Any) -> Any:
    return (summed >> 4) & 3


@compiled
def round_turns(summed: Any) -> Any:
    return (summed >> 6) & 15


@compiled
def round_card(summed: Any) -> Any:
    """The card that knocked out the last opponent, or FACE_DOWN if hands were compared."""
    return (summed >> 10) & 15


@compiled
def round_hand(summed: int, seat: int) -> int:
    """The card a seat held at the end; FACE_DOWN if it was out."""
    return (summed >> (14 + 4 * seat)) & 15


@compiled
def game_winners(s: State) -> int:
    """The winners of the game, as a mask; nobody before its end, or if it ends without a winner."""
    if s.rules & ONE_ROUND:
        return round_winners(s.rounds[s.finished - 1]) if s.finished else 0
    winners, goal = 0, GOALS[s.players]
    if s.finished == ROUNDS:
        goal = 0
        for seat in range(s.players):
            goal = max(goal, s.tokens[seat])
    for seat in range(s.players):
        if s.tokens[seat] >= goal:
            winners |= 1 << seat
    return winners


@compiled
def payoff(s: State, seat: int) -> float:
    """A win is divided among the winners, and a draw among all players."""
    winners = game_winners(s)
    if winners == 0:
        return 1.0 / s.players
    return 1.0 / count_bits(winners) if winners >> seat & 1 else 0.0


@compiled
def unseen(s: State) -> Any:
    """The number of cards of each kind that a view does not show."""
    left = COPIES.copy()
    for place in range(SET_ASIDE + 1, first_hand(s.players)):
        left[s.deck[place]] -= 1
    for seat in range(s.players):
        for place in range(s.count[seat]):
            left[s.laid[seat][place]] -= 1
        left[s.hands[seat][0]] -= 1
        left[s.hands[seat][1]] -= 1
    left[FACE_DOWN] = 0
    return left
