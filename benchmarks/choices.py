"""The measurements behind two choices of design (docs/explanation/fast-python.md), on a game of one number.

    python benchmarks/choices.py

1. How a loop for every game finds the rules: passed as a tuple of functions, or by the type of the state.
   Once compiled both run equally fast; what differs is whether the next start finds the loop in the cache.
2. How an agent gets its memory and weights: as arrays, which Numba counts references to, or as structs.
"""

import subprocess
import sys
import tempfile
import time
from os import environ
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types

from kibitz.engine import generic
from kibitz.engine.compile import compiled

STATE = np.dtype([("left", np.int64), ("dice", np.int64), ("toy", np.int8)], align=True)
NOTES = np.dtype([("notes", np.int64, 64)])
MOVES = 2_000_000


class Rules(NamedTuple):
    to_move: Any
    apply: Any


@compiled
def to_move(state: Any) -> int:
    return 0 if state.left > 0 else -1


@compiled
def apply(state: Any, move: int) -> None:
    state.left -= move


generic.implement("toy", STATE, to_move=to_move, apply=apply)


@compiled
def loop_with_tuple(rules: Rules, states: Any) -> int:
    moves = 0
    while rules.to_move(states[0]) >= 0:
        rules.apply(states[0], 1)
        moves += 1
    return moves


@compiled
def loop_by_type(states: Any) -> int:
    moves = 0
    while generic.to_move(states[0]) >= 0:
        generic.apply(states[0], 1)
        moves += 1
    return moves


def with_arrays(state: Any, memory: Any, weights: Any) -> int:
    return 1 + memory[0]


def with_structs(state: Any, memory: Any, weights: Any) -> int:
    return 1 + memory.notes[0]


@compiled
def ask(agents: Any, states: Any, memories: Any, weights: Any) -> int:
    moves = 0
    while states[0].left > 0:
        seat = moves & 1
        states[0].left -= agents[seat](states[0], memories[seat], weights[seat])
        moves += 1
    return moves


def first_call(way: str) -> float:
    """Seconds to the first result, in this process."""
    states = np.zeros(1, STATE)
    states[0]["left"] = 10
    apply(states[0], to_move(states[0]))  # what Numba itself needs to get going is not the question
    start = time.perf_counter()
    if way == "tuple":
        loop_with_tuple(Rules(to_move, apply), states)
    else:
        loop_by_type(states)
    return time.perf_counter() - start


def second_start(way: str, cache: str) -> float:
    """Seconds to the first result in a new process whose cache another one has filled."""
    command = [sys.executable, __file__, way]
    runs = [
        subprocess.run(command, env={**environ, "NUMBA_CACHE_DIR": cache}, capture_output=True, check=True, text=True)
        for _ in range(4)
    ]
    return median(float(run.stdout) for run in runs[1:])


def per_decision(way: str) -> float:
    """Nanoseconds a move of the loop takes with function values that get arrays or structs."""
    memory: Any
    weights: Any
    if way == "arrays":
        signature = types.int64(from_dtype(STATE), types.int64[::1], types.float64[::1])
        agent = compiled(with_arrays, signature)
        memory, weights = np.zeros((2, 64), np.int64), np.zeros((2, 64))
    else:
        signature = types.int64(*(from_dtype(dtype) for dtype in (STATE, NOTES, NOTES)))
        agent = compiled(with_structs, signature)
        memory, weights = np.zeros(2, NOTES), np.zeros(2, NOTES)
    states = np.zeros(1, STATE)
    ask((agent, agent), states, memory, weights)
    states[0]["left"] = MOVES
    start = time.perf_counter()
    ask((agent, agent), states, memory, weights)
    return 1e9 * (time.perf_counter() - start) / MOVES


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        for way, says in (("tuple", "a tuple of functions"), ("type", "the type of the state")):
            print(f"rules by {says:22} second start: {1000 * second_start(way, cache):7.1f} ms to the first result")
    rounds = [(per_decision("arrays"), per_decision("structs")) for _ in range(7)]
    print(f"memory and weights as arrays:  {median(arrays for arrays, _ in rounds):6.1f} ns a decision")
    print(f"memory and weights as structs: {median(structs for _, structs in rounds):6.1f} ns a decision")
    print(f"ratio, median of {len(rounds)} rounds: {median(arrays / structs for arrays, structs in rounds):.1f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(first_call(sys.argv[1]))
    else:
        main()
