"""However an agent gets to a table, its fault is one sentence with its name, seat and turn, and the exit code is 1."""

from pathlib import Path

import pytest

from tests.cli.conftest import Kibitz
from tests.cli.conftest import kibitz as kibitz
from tests.core import faulty_agents
from tests.engine import uncompilable
from tests.server.host.hosts import hosting

FAULTY, UNCOMPILABLE = (f"{Path(module.__file__ or '')}" for module in (faulty_agents, uncompilable))
FAULT = f"{FAULTY}:slot_nine at seat G1, turn 5, decided on slot 9, which is out of range."
PYTHON = "class Any:\n    def decide(self, view):\n        return view.legal[-1]\n"


@pytest.mark.parametrize(
    "words",
    [
        f"match hanabi {FAULTY}:slot_nine trustful --games 3",
        f"cross hanabi {FAULTY}:slot_nine trustful --players 2 --games 3",
        f"watch hanabi {FAULTY}:slot_nine trustful --brief",
        f"match hanabi {FAULTY}:slot_nine any.py:Any --games 3",
    ],
    ids=["match", "cross", "watch", "beside a Python bot"],
)
def test_a_fault_ends_the_command_with_a_sentence(kibitz: Kibitz, words: str) -> None:
    Path("any.py").write_text(PYTHON)
    code, _, err = kibitz(*words.split())
    assert code == 1
    assert FAULT in err
    assert "Traceback" not in err
    assert "Exception ignored" not in err


def test_at_a_host_a_fault_ends_the_joined_agent_with_a_sentence(kibitz: Kibitz) -> None:
    with hosting("trustful,open", games=1) as host:
        code, _, err = kibitz("join", host.where, "--as", f"{FAULTY}:slot_nine")
    assert code == 1
    assert f"{FAULTY}:slot_nine at seat G2, turn " in err
    assert "decided on slot 9, which is out of range." in err


@pytest.mark.parametrize("command", ["match", "cross", "watch"])
def test_a_compile_error_is_one_line(kibitz: Kibitz, command: str) -> None:
    code, _, err = kibitz(command, "hanabi", f"{UNCOMPILABLE}:unknown_field", "trustful", "--players", "2")
    assert code == 1
    assert "uncompilable.py, line 18: a view has no field `token`. Did you mean `tokens`?" in err
    assert len(err.strip().splitlines()) == 1
