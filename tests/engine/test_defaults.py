"""What a game leaves out has a default, or an error names it."""

import subprocess
import sys

import numpy as np
import pytest

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.generic import MissingFunctionError
from kibitz.engine.loop import ONLOOKER
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError
from kibitz.games.hanabi.game import HANABI
from tests.testing.bare import HIGHER

UNFINISHED = struct_dtype([("turn", np.int64), ("only_for_tests_of_defaults", np.int8)])
SENTENCE = (
    r"The game unfinished does not implement `payoff\(state, seat\)`: the value of a finished "
    r"game for a seat, from 0 to 1\. Write it as a compiled function and pass it to generic\.implement\."
)


@compiled
def turns(s: object) -> int:
    return 0


generic.implement("unfinished", UNFINISHED, turns=turns)


@compiled
def asked_in_machine_code(states: object) -> float:
    return generic.payoff(states[0], 0)  # type: ignore[index]


def test_a_function_that_a_game_lacks_is_reported_by_name_wherever_it_is_asked_for() -> None:
    states = np.zeros(1, UNFINISHED)
    with pytest.raises(MissingFunctionError, match=SENTENCE):
        generic.payoff(states[0], 0)
    with pytest.raises(MissingFunctionError, match=SENTENCE):
        asked_in_machine_code(states)
    with pytest.raises(MissingFunctionError, match=SENTENCE):
        _ = generic.rules_of(UNFINISHED).payoff
    assert generic.missing(UNFINISHED, ["turns", "payoff", "horizon"]) == ["payoff"]


def test_a_game_whose_states_have_no_turn_counts_its_turns_itself() -> None:
    assert not any(default.fits(set(), np.dtype([("moves", int)])) for default in generic.DEFAULTS["turns"])


def test_plain_python_tells_it_too() -> None:
    code = (
        "import numpy as np; from kibitz.engine import generic; s = np.dtype([('a', int)]);"
        "generic.implement('tiny', s, turns=lambda s: 0); generic.payoff(np.zeros(1, s)[0], 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False,
                          env={"NUMBA_DISABLE_JIT": "1"})  # fmt: skip
    assert "MissingFunctionError: The game tiny does not implement `payoff(state, seat)`" in done.stderr


def test_a_game_of_hidden_cards_is_not_taken_for_one_that_hides_nothing() -> None:
    own = {"observe", "sample_world"}
    assert not any(default.fits(own, HANABI.dtype) for default in generic.DEFAULTS["information_key"])
    assert "information_key" in generic.OWN[HANABI.dtype]  # its own
    assert generic.missing(HANABI.dtype, ["move_probabilities", "horizon"]) == []
    assert generic.hides_nothing(HIGHER.dtype)
    assert not generic.hides_nothing(HANABI.dtype)


def test_a_game_of_rules_alone_is_played_and_described() -> None:
    table = Table(HIGHER, [], HIGHER.deal(keys(1), 0, 2, {}))
    assert [choice["move"] for choice in HIGHER.choices(table.view(0))] == ["0", "1", "2"]
    table.make(Decision(HIGHER.move("1", table.state)))
    with pytest.raises(KibitzError, match=r"'1' is not a legal move now\. Legal are 0, 2\."):
        HIGHER.move("1", table.state)
    table.make(Decision(2))
    assert table.result() == {"winners": 2, "turns": 2}
    assert HIGHER.verdict(table.state) == "G2 wins."
    assert HIGHER.page(table.view(ONLOOKER)) == {"text": "players: 2\nturn: 2\nnamed: [1 2]\n"}
    assert HIGHER.load_start(HIGHER.dump_start(table.start[0]), 2, {})[0]["named"].tolist() == [-1, -1]


def test_rules_become_bits_one_behind_the_other() -> None:
    chosen = {"lost_game": "zero", "empty_hint": "forbidden", "full_discard": "forbidden"}
    assert HIGHER.rule_bits({}) == 0
    assert super(type(HANABI), HANABI).rule_bits(chosen) == 0b101
