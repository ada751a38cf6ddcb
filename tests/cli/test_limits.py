"""Numbers that cannot be meant, paths that are empty and terminals without letters: a sentence, never a traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.cli.rule_options import spelled_out
from tests.cli.conftest import Kibitz
from tests.fuzzing import at_length

HUGE = str(10**18)
MATCH = "match hanabi cheater --players 2"
CROSS = "cross hanabi cheater erratic"
SEED = "a seed is a whole number from −2**63 to 2**63 − 1"


@pytest.mark.parametrize(
    ("words", "helps"),
    [
        (f"{MATCH} --games {HUGE}", "at most 1,000,000,000,000, which takes days at best"),
        (f"{MATCH} --games {10**40}", "a number of more than 30 digits is too many"),
        (f"{MATCH} --games -1", "--games"),
        (f"{MATCH} --jobs {HUGE}", "at most 512"),
        (f"{MATCH} --jobs 0", "--jobs"),
        (f"{MATCH} --seed {1 << 63}", SEED),
        (f"{MATCH} --seed {-(1 << 63) - 1}", SEED),
        (f"{MATCH} --bot-seconds nan", "--bot-seconds"),
        (f"{MATCH} --bot-seconds inf", "inf is not a time: use 0 to"),
        (f"{MATCH} --bot-seconds -1", "--bot-seconds"),
        (f"{MATCH} --iterations {HUGE}", "at most 10,000,000"),
        (f"{MATCH} --think-ms {HUGE}", "at most 60,000, one minute per move"),
        (f"{CROSS} --games {HUGE}", "at most 10,000,000, as the result of every deal of a cell is held in memory"),
        (f"{CROSS} --seed {1 << 64}", SEED),
        (f"reproduce jarzabek-leja-2020 --games {HUGE}", "at most 1,000,000, as the score of every deal"),
        (f"watch hanabi cheater --players 2 --game {1 << 64}", "as games have numbers of 64 bits"),
        ("watch hanabi cheater --players 2 --pace nan", "--pace"),
        ("watch hanabi cheater --players 2 --pace inf", "not a time"),
        (f"play hanabi --seed {1 << 64}", SEED),
        (f"join localhost:1 --as cheater --games {HUGE}", "as no host plays more"),
        ("join localhost:1 --as cheater --wait inf", "not a time"),
        (f"join localhost:1 --as cheater --seed {1 << 64}", SEED),
        (f"host hanabi --seats open,open --games {HUGE}", "at most 1,000,000"),
        ("host hanabi --seats open,open --bot-seconds nan", "--bot-seconds"),
    ],
)  # fmt: skip
def test_a_number_that_cannot_be_meant_is_refused_with_what_is_allowed(kibitz: Kibitz, words: str, helps: str) -> None:
    code, out, err = kibitz(*words.split())
    assert (code, out) == (2, "")
    assert helps in " ".join(err.replace("│", " ").split())


@pytest.mark.parametrize("players", ["0", str(10**12), "-1"])
def test_no_table_is_laid_for_more_players_than_can_be_counted(kibitz: Kibitz, players: str) -> None:
    for words in ("match hanabi cheater", "cross hanabi cheater erratic", "watch hanabi cheater", "play hanabi"):
        code, _, err = kibitz(*words.split(), "--players", players)
        assert code in (1, 2)
        assert "players" in err


@pytest.mark.parametrize(
    "words",
    [
        (*MATCH.split(), "--output", ""), (*MATCH.split(), "--charts", " "), (*CROSS.split(), "--output", ""),
        ("watch", "hanabi", "cheater", "--players", "2", "--output", ""), ("play", "hanabi", "--output", ""),
        ("play", "hanabi", "--resume", ""), ("replay", ""), ("replay", "x.json", "--export", "kibitz", "--output", ""),
        ("reproduce", "jarzabek-leja-2020", "--output", ""), ("serve", "--data", ""),
        ("host", "hanabi", "--seats", "open,open", "--output", ""),
    ],
)  # fmt: skip
def test_an_empty_path_is_refused(kibitz: Kibitz, words: tuple[str, ...]) -> None:
    code, _, err = kibitz(*words)
    assert code == 2
    assert "The path is empty" in err
    assert not list(Path().iterdir())


def test_a_file_of_more_games_than_it_can_hold_is_refused(kibitz: Kibitz) -> None:
    code, _, err = kibitz(*MATCH.split(), "--games", str(10**9), "--output", "games.csv")
    assert code == 1
    assert "at most 10,000,000 games" in err


@at_length
def test_any_text_can_be_printed_on_any_terminal(tmp_path: Path) -> None:
    bot = 'class Bot:\n    def decide(self, view):\n        return view.legal[0], "half \\ud800 → whole"\n'
    (tmp_path / "bot.py").write_text(bot)

    def printed(words: str, encoding: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "kibitz", *words.split()],
            cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
            capture_output=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stderr == b""
        return done.stdout.decode(encoding)

    assert "half" in printed("watch hanabi bot.py:Bot cheater --output game.json", "ascii")
    shown = json.loads(printed("replay game.json --json", "ascii"))
    assert shown["turns"][0]["reason"] == "half � → whole"


# Options of a game's own


def test_a_rule_with_an_option_of_its_own_is_spelled_out() -> None:
    known = {"--games", "--rule", "--output"}
    for words in ("--unit game", "--unit=game"):
        assert spelled_out(["loveletter", *words.split(), "--games", "3"], known) == [
            "loveletter", "--rule", "unit=game", "--games", "3",
        ]  # fmt: skip
    for words in ("--ties draw", "--gmaes 3", "--unit", "-- --unit game"):
        assert spelled_out(words.split(), known) == words.split()


def test_every_command_with_rules_takes_the_options_of_a_game(kibitz: Kibitz) -> None:
    words = "watch loveletter random random --unit round --brief --seed 4 --output one.json"
    code, _, err = kibitz(*words.split())
    assert (code, err) == (0, "")
    assert json.loads(Path("one.json").read_text())["rules"]["unit"] == "round"
    assert "--unit" in kibitz("games", "loveletter")[1]
    code, _, err = kibitz("match", "loveletter", "random", "random", "--uint", "round")
    assert code == 2
    assert "--uint" in err


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
def test_a_bot_in_a_file_without_a_unicode_name_is_measured(kibitz: Kibitz) -> None:
    Path("b\udcff.py").write_text("class Bot:\n    def decide(self, view):\n        return view.legal[0]\n")
    words = ("hanabi", "b\udcff.py:Bot", "cheater", "--games", "2", "--jobs", "1", "--output")
    code, _, err = kibitz("match", *words, "games.jsonl")
    assert (code, err) == (0, "")
    code, out, _ = kibitz("cross", *words, "table", "--players", "2")
    assert code == 0
    assert "b�.py:Bot" in out
    assert "mean" in Path("table.csv").read_text(encoding="utf-8")
