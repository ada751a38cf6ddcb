"""Training games: the learner plays, sometimes at random, and records the outcome of every choice.

A right play or the discard of a useless card rewards the choices behind it; a misplay, or the loss of a playable card
or a last copy, punishes them. A play also rewards or punishes the last hint about its card. After the game, every
choice is rewarded or punished by the difference of the score from the median of recent games.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.copying import copy_into
from kibitz.engine.dice import set_dice
from kibitz.engine.generic import observe
from kibitz.engine.loop import SEEN, WORLD, move_by, notify_observers
from kibitz.engine.seat import Seats, has, struct_at
from kibitz.games.hanabi.agents.reinforced.outcomes import BEST, UNDECIDED, WORST, Outcomes, remember
from kibitz.games.hanabi.agents.reinforced.player import THOUGHT
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.knowledge import critical, kind_of, playable, useless
from kibitz.games.hanabi.rules import (
    DISCARD,
    HINT,
    allowed,
    apply,
    deal,
    event_detail,
    event_move,
    score,
    to_move,
)
from kibitz.games.hanabi.state import CARDS, LONGEST, State

SCORES = 26
MEDIAN_OF = 1000  # games
NOT_YET = -1  # stands for a game that was not played yet
FIXED = -1  # stands for a player that does not learn
NOBODY = -1
ILLEGAL = -1
thought_at = struct_at(THOUGHT)


class Settings(NamedTuple):
    """The hyperparameters of learning."""

    exploration: float = 2**0.5
    random_moves: float = 0.01
    game_reward: float = 30.0  # per point above the median; outcomes go up to 255
    discard_credit: float = 0.0  # whether discards are credited to hints, too
    action_credit: float = 1.0  # whether immediate outcomes are also credited to the choice of the action
    inference: float = 1.0  # extensions of the thesis: see `situations`
    signals: float = 1.0
    partners: float = 1.0
    look_ahead: float = 1.0


class Diary(NamedTuple):
    """The choices of a game, by turn, and the turn of the last hint about each card."""

    learner: Any
    action: Any
    detail: Any
    hint: Any  # by place in the deck


@compiled
def became_of(state: State, seat: int, move: int) -> int:
    """The outcome of a play or a discard, or UNDECIDED."""
    kind = kind_of(state, seat, move % DISCARD)
    if move < DISCARD:
        return BEST if holds(playable(state), kind) else WORST
    if holds(useless(state), kind):
        return BEST
    return WORST if holds(critical(state) | playable(state), kind) else UNDECIDED


@compiled
def credit(memory: Outcomes, diary: Diary, turn: int, outcome: int, exploration: float, actions: int) -> None:
    """Reward or punish a choice of a card or hint and, if `actions` count, the choice of the action."""
    learner = diary.learner[turn]
    if learner != FIXED:
        remember(memory, learner, diary.detail[turn], outcome, exploration)
        if actions:
            remember(memory, learner, diary.action[turn], outcome, exploration)


@compiled
def note_hint(state: State, diary: Diary, turn: int) -> None:
    """Enter the last move, a hint, as the last hint about every card it touched."""
    happened = state.history[turn]
    seat = (event_move(happened) - HINT) // 10
    for slot in range(state.held[seat]):
        if holds(event_detail(happened), slot):
            diary.hint[state.hands[seat][slot]] = turn


@compiled
def median(counts: Any) -> int:
    """The median of the counted scores."""
    half, below_or_at, middle = counts.sum() / 2, 0, 0
    while below_or_at + counts[middle] < half:
        below_or_at += counts[middle]
        middle += 1
    return middle


@compiled
def one_game(pair: Any, seats: Seats, learners: Any, memory: Outcomes, diary: Diary, settings: Settings) -> int:
    """Play a dealt game, crediting the outcome of each move; returns the number of turns, or ILLEGAL.

    Learners are asked like any other agent. Their memory holds the situations that decided.
    """
    state, view, structs = pair[WORLD], pair[SEEN], seats.seats
    turn = 0
    while to_move(state) >= 0:
        seat = to_move(state)
        learner = learners[seat]
        observe(pair, seat, has(seats.cheats, seat))
        diary.learner[turn] = learner
        move = move_by(structs[seat], view)
        if not allowed(state, move):
            return ILLEGAL
        if learner != FIXED:
            thought = thought_at(structs[seat].memory)
            diary.action[turn], diary.detail[turn] = thought.action, thought.detail
        if move < HINT:
            outcome, hint = became_of(state, seat, move), diary.hint[state.hands[seat][move % DISCARD]]
            if outcome != UNDECIDED:
                credit(memory, diary, turn, outcome, settings.exploration, int(settings.action_credit))
                if hint != NOBODY and (move < DISCARD or settings.discard_credit > 0):
                    credit(memory, diary, hint, outcome, settings.exploration, int(settings.action_credit))
        apply(state, move)
        if move >= HINT:
            note_hint(state, diary, turn)
        notify_observers(pair, seats)
        turn += 1
    return turn


@compiled
def train(
    pair: Any, seats: Seats, learners: Any, rules: int, deals: Any, dice: Any,
    memory: Outcomes, recent: Any, results: Any, settings: Settings,
) -> int:  # fmt: skip
    """Play a game per stream and learn from it; returns the number of finished games.

    `learners` gives the learner in each seat, or FIXED. `recent` has the scores of the last games, the newest last.
    """
    state, players = pair[WORLD], learners.shape[0]
    turns = np.zeros((3, LONGEST), np.int64)
    diary = Diary(turns[0], turns[1], turns[2], np.zeros(CARDS, np.int64))
    counts = np.zeros(SCORES, np.int64)
    for points in recent:
        counts[points] += points != NOT_YET
    for game in range(deals.shape[0]):
        deal(state, players, rules, deals[game])
        set_dice(state, dice[game])
        seats.room[:] = 0
        notify_observers(pair, seats)
        diary.hint[:] = NOBODY
        played = one_game(pair, seats, learners, memory, diary, settings)
        if played == ILLEGAL:
            return game
        points = score(state)
        usual = median(counts) if recent[-1] != NOT_YET else points
        outcome = min(max(UNDECIDED + (points - usual) * settings.game_reward, 0.0), 255.0)
        for turn in range(played):
            credit(memory, diary, turn, int(outcome), settings.exploration, 1)
        counts[recent[0]] -= recent[0] != NOT_YET
        counts[points] += 1
        copy_into(recent, recent[1:])
        recent[-1] = points
        results[game] = points
    return deals.shape[0]
