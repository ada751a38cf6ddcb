"""Whether 25 points are possible with all cards face up: a line of moves that reaches them, or a proof that none does.

*Found* comes from a beam search over the rules' own states: turn by turn it keeps the most promising positions. If none
reaches 25, it tries again with a wider beam or with noise, and lets agents that see their own cards play. A hint is a
pass here, so one hint stands for all.

*Impossible* is proved in an easier game, where all hands are one pool (`pool_is_stuck`). If even a player who holds all
hands has to discard a last copy, or if fewer cards can be drawn or played than are needed, 25 is out of reach. A beam
that never had to drop a position is a proof, too.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.agent import seats_of
from kibitz.core.deal_study import OpenCards
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import move_of, play_games_from
from kibitz.engine.seeds import keys, number, numbers
from kibitz.games.hanabi.agents.cheater import smart_cheater
from kibitz.games.hanabi.cards import ALL, KINDS, holds
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.knowledge import critical, fitting, playable, useless
from kibitz.games.hanabi.rules import DISCARD, HINT, apply, event_move, legal, to_move
from kibitz.games.hanabi.state import CARDS, LONGEST, STATE, State

FOUND, IMPOSSIBLE, UNKNOWN = "found", "impossible", "unknown"
KEY = (1 << 40) - 1
MOST_MOVES = 12  # plays, discards and one hint
MOST_POOLS = 20_000  # positions of the pooled game that are looked at for a proof
DEAD = -1e9
LATE = 64  # where a card that is not drawn yet would lie


class Search(NamedTuple):
    """A beam search, or without a width games of agents that see their own cards."""

    width: int
    amplitude: float = 0.0  # of the noise in how promising a position is
    tries: int = 1


# Where a deal is hard, what seems promising misleads, and noise helps more than width.
SEARCHES = (
    Search(32), Search(0, tries=100), Search(128, 6.0, 8), Search(128, 12.0, 8), Search(512, 9.0, 8),
    Search(2048, 9.0, 4),
)  # fmt: skip


# The easier game: one pool of all cards that are drawn


class Pool(NamedTuple):
    """A position of the easier game. Copies of a kind that is held or played are spare cards."""

    played: int
    held: int  # the kinds that are still needed
    spare: int  # the number of other cards
    drawn: int  # the places of the deck; in the last round it goes on by one a turn
    last: int  # the kind that was drawn last, until it can be played


@compiled
def with_card(pool: Pool, kind: int) -> Pool:
    new = ~(pool.played | pool.held) & (1 << kind)
    return Pool(pool.played, pool.held | new, pool.spare + (new == 0), pool.drawn, pool.last)


@compiled
def pool_of(s: State) -> Pool:
    pool = Pool(int(s.played), 0, 0, int(s.drawn), 0)
    for seat in range(s.players):
        for slot in range(s.held[seat]):
            pool = with_card(pool, s.deck[s.hands[seat][slot]])
    return pool


@compiled
def after_action(s: State, pool: Pool) -> Pool:
    """Draw a card. The one that is drawn last can be played in the last turn of the game only."""
    drawn = pool.drawn + 1
    pool = Pool(pool.played, pool.held, pool.spare, drawn, pool.last)
    if drawn == CARDS:
        return Pool(pool.played, pool.held, pool.spare, drawn, 1 << s.deck[CARDS - 1])
    if drawn < CARDS:
        return with_card(pool, s.deck[drawn - 1])
    if drawn == CARDS + s.players - 1:
        return Pool(pool.played, pool.held | (pool.last & ~pool.played), pool.spare, drawn, 0)
    return pool


@compiled
def actions_left(s: State, pool: Pool) -> int:
    """The most cards that can still be played or discarded."""
    return CARDS - pool.drawn + (s.players if s.countdown < 0 else s.countdown)


@compiled
def forced_actions(s: State, pool: Pool) -> Pool:
    """Act as long as there is something that costs nothing."""
    while actions_left(s, pool) >= KINDS - count_bits(pool.played) > 0:
        fits = fitting(pool.played) & pool.held
        if fits:
            card = fits & -fits
            pool = Pool(pool.played | card, pool.held & ~card, pool.spare, pool.drawn, pool.last)
        elif pool.spare > 0:
            pool = Pool(pool.played, pool.held, pool.spare - 1, pool.drawn, pool.last)
        elif pool.drawn < CARDS:
            break
        pool = after_action(s, pool)
    return pool


@compiled
def pool_is_stuck(s: State, most: int) -> int:
    """1 if even a player who holds all hands cannot reach 25; 0 if that player can; −1 after `most` positions.

    A turn plays or discards a card of the pool and draws one; hints cost nothing. To play a card at once is never worse
    than later, and to discard a spare card costs nothing. So only the choice among single cards that have another copy
    in the deck is searched.
    """
    stack = np.empty((most + KINDS, 5), np.int64)
    first = pool_of(s)
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = first
    left = 1
    for _ in range(most):
        if left == 0:
            return 1
        left -= 1
        pool = Pool(stack[left, 0], stack[left, 1], stack[left, 2], stack[left, 3], stack[left, 4])
        pool = forced_actions(s, pool)
        if pool.played == ALL:
            return 0
        if actions_left(s, pool) < KINDS - count_bits(pool.played) or pool.drawn >= CARDS:
            continue
        choices = 0
        for place in range(pool.drawn, CARDS):
            choices |= 1 << s.deck[place] & pool.held
        while choices and left < stack.shape[0]:
            card = choices & -choices
            choices &= choices - 1
            after = after_action(s, Pool(pool.played, pool.held & ~card, pool.spare, pool.drawn, pool.last))
            stack[left, 0], stack[left, 1], stack[left, 2], stack[left, 3], stack[left, 4] = after
            left += 1
    return -1


# The beam


@compiled
def draw_slack(s: State) -> int:
    """How many turns are left over for discards, at the place of the deck where it is tightest; negative is hopeless.

    A card is late if it, or a lower card of its pile, is drawn late: after the draw of place `n` these late cards
    must be played, and few turns follow.
    """
    if s.countdown >= 0:
        return s.countdown - (KINDS - count_bits(s.played))
    first = np.full(KINDS, LATE, np.int64)
    for place in range(CARDS - 1, s.drawn - 1, -1):
        first[s.deck[place]] = place
    for seat in range(s.players):
        for slot in range(s.held[seat]):
            first[s.deck[s.hands[seat][slot]]] = s.drawn - 1
    late = np.zeros(CARDS, np.int64)
    for colour in range(0, KINDS, 5):
        latest = s.drawn - 1
        for kind in range(colour, colour + 5):
            if not holds(s.played, kind):
                latest = max(latest, first[kind])
                if latest >= CARDS:
                    return -1
                late[latest] += 1
    slack, count = LATE, 0
    for place in range(CARDS - 1, s.drawn - 2, -1):
        count += late[place]
        slack = min(slack, CARDS - 1 - place + s.players - count)
    return slack


@compiled
def promise(s: State, noise: int, amplitude: float) -> float:
    """How promising a position is, compared with others of the same turn; DEAD if 25 is out of reach.

    Noise makes one search different from the next.
    """
    if useless(s) & ~s.played or s.lives == 0:
        return DEAD
    slack = draw_slack(s)
    if slack < 0:
        return DEAD
    value = 3.0 * count_bits(s.played) + 1.0 * s.tokens + 0.8 * min(slack, 12)
    seen, fits = s.played | 0, playable(s)
    for seat in range(s.players):
        free, soon = 0, False
        for slot in range(s.held[seat]):
            kind = s.deck[s.hands[seat][slot]]
            if holds(seen, kind):
                free += 1
            else:
                seen |= 1 << kind
                missing = kind % 5 - count_bits(s.played >> (kind - kind % 5) & 31)
                value += 0.6 / (1 + missing)
                soon = soon or holds(fits, kind)
        value += 0.3 * (free > 0) + 0.3 * soon
    value -= 0.4 * count_bits(critical(s) & ~seen)
    return value + (1e-3 + amplitude) * number(noise, s.turn) * 2.0**-63


@compiled
def position_key(s: State) -> int:
    """A hash of what counts from here on: hands as sets, piles, discards, tokens, the turn."""
    key = number(number(s.played, s.tokens), s.drawn)
    key = number(key, s.lives)
    for seat in range(s.players):
        hand = 0
        for slot in range(s.held[seat]):
            hand |= 1 << s.hands[seat][slot]
        key = number(key, hand)
    return key


@compiled
def moves_worth_trying(s: State, room: Any) -> int:
    """Every play that fits, discards that lose nothing for good, one hint, and a misplay where a discard is barred."""
    moves, count, last, fits = legal(s), 0, critical(s), playable(s)
    for slot in range(s.held[s.to_move]):
        kind = s.deck[s.hands[s.to_move][slot]]
        if holds(fits, kind):
            room[count] = slot
            count += 1
        if not holds(last, kind):
            if holds(moves, DISCARD + slot):
                room[count] = DISCARD + slot
                count += 1
            elif not holds(fits, kind) and s.lives > 1:
                room[count] = slot
                count += 1
    hints = moves >> HINT << HINT
    if hints:
        room[count] = lowest_bit(hints)
        count += 1
    return count


@compiled
def beam(first: Any, width: int, amplitude: float, stream: int) -> tuple[bool, bool, Any]:
    """Search with a beam: whether 25 was reached, whether every position was kept, and the last position."""
    states, nexts, trial = np.zeros(width, STATE), np.zeros(width, STATE), np.zeros(1, STATE)
    parents, moves = np.empty(width * MOST_MOVES, np.int64), np.empty(width * MOST_MOVES, np.int64)
    values, room = np.empty(width * MOST_MOVES), np.empty(MOST_MOVES, np.int64)
    size = 1
    while size < 4 * width * MOST_MOVES:
        size *= 2
    table = np.zeros(size, np.int64)
    states[0] = first[0]
    count, complete = 1, True
    while count > 0:
        found = 0
        table[:] = 0
        for parent in range(count):
            if to_move(states[parent]) < 0:
                continue
            for n in range(moves_worth_trying(states[parent], room)):
                trial[0] = states[parent]
                apply(trial[0], room[n])
                if trial[0].played == ALL:
                    return True, complete, trial
                key = position_key(trial[0]) | 1
                entry = key & (size - 1)
                while table[entry] != 0 and table[entry] != key:
                    entry = (entry + 1) & (size - 1)
                if table[entry] == key:
                    continue
                table[entry] = key
                value = promise(trial[0], number(stream, key & KEY), amplitude)
                if value > DEAD:
                    parents[found], moves[found], values[found] = parent, room[n], value
                    found += 1
        order = np.argsort(-values[:found])
        complete = complete and found <= width
        count = min(found, width)
        for n in range(count):
            nexts[n] = states[parents[order[n]]]
            apply(nexts[n], moves[order[n]])
        states, nexts = nexts, states
    return False, complete, trial


def open_cards(state: Any, searches: tuple[Search, ...] = SEARCHES) -> OpenCards:
    """Whether 25 points can be reached from a state with all cards face up; the moves are those that follow it."""
    first = np.zeros(1, STATE)
    first[0] = state
    if int(state["played"]) == ALL:
        return OpenCards(FOUND)
    if hopeless(first) or pool_is_stuck_in(first, MOST_POOLS) == 1:
        return OpenCards(IMPOSSIBLE)
    for number_of, search in enumerate(searches):
        if search.width == 0:
            moves = line_of_cheaters(first, search.tries, number_of)
            if moves:
                return OpenCards(FOUND, moves)
            continue
        for stream in range(search.tries):
            reached, complete, last = beam(first, search.width, search.amplitude, stream)
            if reached:
                turns = range(int(state["turn"]), int(last[0]["turn"]))
                return OpenCards(FOUND, tuple(int(event_move(last[0]["history"][turn])) for turn in turns))
            if complete:
                return OpenCards(IMPOSSIBLE)
    return OpenCards(UNKNOWN)


def line_of_cheaters(first: Any, tries: int, stream: int) -> tuple[int, ...]:
    """The moves of a game in which agents that see their own cards reach 25; none if they do not."""
    players = int(first[0]["players"])
    pair, seats = np.zeros(2, STATE), seats_of(HANABI, [smart_cheater] * players)
    results, log = np.zeros((tries, 3), np.int64), np.zeros((tries, LONGEST), np.int64)
    dice = numbers(keys(stream).dice, 0, tries)
    play_games_from(first, pair, seats, dice, dice, results, log, np.zeros(1, np.int64))
    for game in np.flatnonzero(results[:, 0] == KINDS)[:1].tolist():
        turns = slice(int(first[0]["turn"]), int(results[game, 2]))
        return tuple(move_of(int(decided)) for decided in log[game, turns])
    return ()


@compiled
def hopeless(first: Any) -> bool:
    return promise(first[0], 0, 0.0) == DEAD


@compiled
def pool_is_stuck_in(first: Any, most: int) -> int:
    return pool_is_stuck(first[0], most)
