# mypy: ignore-errors
"""Agents that cannot be compiled. The line with the mistake ends with the agent's name."""

from typing import Any

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, playing

mine: Any = agent(reasons=("because",))
TABLE = {"a": 1}


@mine
def unknown_field(view):
    return playing(view, view.token, 0)  # unknown_field


@mine
def unknown_field_written(view):
    view.tempo = 3  # unknown_field_written
    return playing(view, 0, 0)


@compiled
def spare(view):
    return view.token  # in_a_helper


@mine
def in_a_helper(view):
    return playing(view, spare(view), 0)


@mine
def unknown_name(view):
    return playng(view, 0, 0)  # type: ignore  # noqa: F821 # unknown_name


def plain(view):
    return 0


@mine
def plain_helper(view):
    return playing(view, plain(view), 0)  # plain_helper


@mine
def too_few_arguments(view):
    return playing(view, 0)  # too_few_arguments


@mine
def too_many_arguments(view):
    return playing(view, 0, 0, 0)  # too_many_arguments


@mine
def dictionary(view):
    return playing(view, TABLE["a"], 0)  # dictionary


@mine  # never_returns
def never_returns(view):
    while True:
        pass


@mine  # returns_text
def returns_text(view):
    return "play 1"


@mine
def two_types(view):
    slot = 0
    if view.tokens:
        slot = "a"
    return playing(view, slot, 0)  # two_types


@mine
def wrong_type(view):
    return discarding(view, "0", 0)  # wrong_type


@mine
def generator(view):
    slots = sorted(slot for slot in range(3))  # generator
    return playing(view, slots[0], 0)


@mine
def class_inside(view):
    class Inside:  # class_inside
        pass

    return playing(view, 0, 0)


@mine
def unknown_in_module(view):
    return playing(view, np.zeross(3)[0], 0)  # unknown_in_module
