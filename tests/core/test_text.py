"""Text of somebody else's making can be shown, sent and kept, whatever it is."""

import json
from pathlib import Path

import msgspec
import pytest

from kibitz.text import MOST_LETTERS, error_text, fit, text_of


class WordlessError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


def test_what_no_file_can_hold_is_replaced() -> None:
    text = fit("half \ud800 of a letter, \x1b[31mred\x00, but\ta tab\nand a line")
    assert text == "half � of a letter, �[31mred�, but\ta tab\nand a line"
    assert json.loads(msgspec.json.encode(text)) == text


def test_a_long_text_is_cut_and_says_so() -> None:
    text = fit("!" * 100_000_000)
    assert text.startswith("!" * MOST_LETTERS + "… (cut: it has 100,000,000 characters)")
    assert len(text) < MOST_LETTERS + 100


def test_an_error_without_words_is_reported_by_its_kind() -> None:
    assert error_text(WordlessError()) == "WordlessError: (no readable text)"
    assert error_text(KeyboardInterrupt()) == "KeyboardInterrupt"
    assert text_of("\ud800", repr) == "'\\ud800'"


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_an_agent_that_wants_to_end_the_program_only_fails(kind: type[BaseException], tmp_path: Path) -> None:
    """In a thread, as the server lets bots think: there no Ctrl-C arrives."""
    from concurrent.futures import ThreadPoolExecutor

    from kibitz.core import registry
    from kibitz.core.table import Table
    from kibitz.engine.seeds import keys
    from kibitz.errors import AgentError

    path = tmp_path / "bot.py"
    path.write_text(f"class Bot:\n    def decide(self, view):\n        raise {kind.__name__}\n")
    game = registry.game("hanabi")
    agent = registry.agent(game, f"{path}:Bot")
    table = Table(game, [agent.take_seat(game)] * 2, game.deal(keys(0), 0, 2, game.check_rules({})))
    with ThreadPoolExecutor(1) as thread, pytest.raises(AgentError, match=f"G1, turn 1, failed.* {kind.__name__}"):
        thread.submit(table.step).result()
