"""An agent that cannot be compiled is refused with the line of its file and a sentence."""

from pathlib import Path

import pytest

from kibitz.core import registry
from kibitz.errors import KibitzError
from kibitz.games.hanabi.game import HANABI

FILE = Path(__file__).with_name("uncompilable.py")
SAYS = {
    "unknown_field": "a view has no field `token`. Did you mean `tokens`?",
    "unknown_field_written": "a view has no field `tempo`. Its fields are countdown, deck, dice,",
    "in_a_helper": "a view has no field `token`. Did you mean `tokens`?",
    "unknown_name": "there is no name `playng`. Did you mean `playing` or `plain`? Define or import it.",
    "plain_helper": "`plain` is a function that is not compiled. Decorate it with @compiled.",
    "too_few_arguments": "playing(view, slot, reason) is called wrongly: missing a required argument: 'reason'.",
    "too_many_arguments": "playing(view, slot, reason) is called wrongly: too many positional arguments.",
    "dictionary": "`TABLE` is of the type dict, which compiled code cannot use. Use a NumPy array, a tuple",
    "never_returns": "`never_returns` never returns anything. Return a decision on every path.",
    "returns_text": "`returns_text` returns str instead of int.",
    "two_types": "the variable `slot` is int in one place and str in another. Use two variables.",
    "wrong_type": "compiled code has no le(int, str).",
    "generator": "this cannot be compiled: The use of yield in a closure is unsupported.",
    "class_inside": "compiled code does not support this Python feature (LOAD_BUILD_CLASS). Write it in another way.",
    "unknown_in_module": "this cannot be compiled: module 'numpy' has no attribute 'zeross'.",
}


@pytest.mark.machine_code
@pytest.mark.parametrize("name", SAYS)
def test_the_error_is_a_line_and_a_sentence(name: str) -> None:
    agent = registry.agent(HANABI, f"{FILE}:{name}")
    with pytest.raises(KibitzError) as caught:
        agent.take_seat(HANABI)
    lines = FILE.read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if text.endswith(f"# {name}"))
    where, _, sentence = str(caught.value).partition(": ")
    assert where.endswith(f"uncompilable.py, line {line}")
    assert sentence.startswith(SAYS[name])
    assert len(str(caught.value).splitlines()) == 1
