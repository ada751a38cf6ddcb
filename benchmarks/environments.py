"""How many steps per second a learner gets: thousands of tables at once, beside OpenSpiel driven from Python.

A step is a random legal action, chosen and made. On our side choosing is `sample`, on theirs `random.choice` of the
legal actions; games that end are dealt again on both. Where observations are counted, each step also makes the
whole vector of the player to move, as an array: ours in place, theirs out of the list that OpenSpiel gives.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import rival
from report import NONE, Line, rate_line, ratio_line
from timing import Worker, take_turns, timed

from kibitz.games.hanabi.env import BatchedHanabi
from kibitz.games.hanabi.env.network_tables import NetworkTables

TABLES, STEPS = 1024, 20
WANTED = {False: 1_000_000, True: 200_000}  # steps a second without and with observations
PARTNERS = ("hajdu_v2", "trustful")


def tables_of(players: int, observe: bool, **more: Any) -> Callable[[], int]:
    """Some steps of all tables whenever it is called; how many steps that is."""
    env = BatchedHanabi(TABLES, players, observe=observe, **more)

    def work() -> int:
        for _ in range(STEPS):
            env.step(env.sample())
        return STEPS * TABLES

    return work


def lessons_of(teacher: str) -> Callable[[], int]:
    """Steps of tables that show a network what it learns from, made as the teacher advises."""
    tables = NetworkTables(TABLES, 2, teacher=teacher)

    def work() -> int:
        for _ in range(STEPS):
            tables.step(tables.rows.advice)
        return STEPS * TABLES

    return work


def their_steps(players: int, observe: bool, steps: int = 500) -> Callable[[], int]:
    """The same at one table of OpenSpiel."""
    game, dice = rival.hanabi(players), random.Random(1)
    row = np.zeros(game.observation_tensor_shape(), np.float32)
    state = rival.dealt(game, dice)

    def work() -> int:
        nonlocal state
        for _ in range(steps):
            state.apply_action(dice.choice(state.legal_actions()))
            rival.let_cards_fall(state, dice)
            if state.is_terminal():
                state = rival.dealt(game, dice)
            if observe:
                row[:] = state.observation_tensor()
        return steps

    return work


def measured() -> list[Line]:
    lines = []
    for players in (2, 4):
        for observe in (False, True):
            what = f"steps at {TABLES:,} tables of {players}, {'observed' if observe else 'not observed'}, one thread"
            workers: list[Worker] = [timed(tables_of(players, observe))]
            if rival.INSTALLED:
                workers.append(timed(their_steps(players, observe)))
            ours, *theirs = take_turns(workers)
            line = rate_line(what, ours, "steps/s", WANTED[observe], NONE if theirs else rival.MISSING)
            if theirs:
                beside = ratio_line(what, ours, theirs[0], "OpenSpiel from Python", "steps/s")
                figures = {**beside.figures, "wanted": WANTED[observe]}
                line = replace(line, rival=beside.rival, ratio=beside.ratio, figures=figures)
            lines.append(line)
    for name in PARTNERS:
        [rates] = take_turns([timed(tables_of(2, True, partners={1: name}))])
        lines.append(rate_line(f"steps with {name} as partner, observed, one thread", rates, "steps/s"))
    [rates] = take_turns([timed(lessons_of("trustful"))])
    lines.append(rate_line("steps advised by trustful, as a network is shown them, one thread", rates, "steps/s"))
    return lines


def load() -> None:
    """Have everything compiled and in the cache."""
    lessons_of("trustful")()
    for more in ({}, {"partners": {1: PARTNERS[0]}}, {"partners": {1: PARTNERS[1]}}):
        tables_of(2, True, **more)()
