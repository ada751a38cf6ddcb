"""The commands as a person or a program types them."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.runs.journal import Journal
from kibitz.cli.terminal import speed_text
from kibitz.errors import KibitzError
from tests.cli.conftest import Kibitz, helped
from tests.fuzzing import at_length

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_help_teaches_and_pays_for_no_compiler() -> None:
    script = "import sys, kibitz.cli.app; print({'numba', 'numpy', 'llvmlite'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"set()\n"


@pytest.mark.parametrize("command", ["", "games", "agents", "match", "watch", "play", "replay", "reproduce", "check"])
def test_every_command_explains_itself(kibitz: Kibitz, command: str) -> None:
    code, out, _ = kibitz(*command.split(), "--help")
    assert code == 0
    assert "Usage" in out


def test_games_and_agents_are_listed(kibitz: Kibitz) -> None:
    assert "Build fireworks together" in kibitz("games")[1]
    assert "lost_game" in kibitz("games", "hanabi")[1]
    _, out, _ = kibitz("agents", "hanabi")
    for name in ("cheater", "smart_cheater", "erratic", "stopped_clock", "simple_distrustful", "random_legal"):
        assert name in out
    hanabi = next(game for game in json.loads(kibitz("games", "--json")[1]) if game["name"] == "hanabi")
    assert hanabi["players"] == [2, 5]
    cheater = next(agent for agent in json.loads(kibitz("agents", "--json")[1]) if agent["name"] == "cheater")
    assert cheater["traits"] == {"cheats": True, "random": True, "remembers": False, "searches": False}
    assert cheater["description"]
    assert cheater["origin"]


def test_a_match_prints_what_was_measured(kibitz: Kibitz) -> None:
    code, out, _ = kibitz("match", "hanabi", "smart_cheater", "--players", "4", "--games", "500")
    assert code == 0
    for words in ("mean score", "95 %", "deviation", "perfect", "lost", "games per second", "█"):
        assert words in out


def test_a_match_as_json_carries_everything(kibitz: Kibitz) -> None:
    words = ("hanabi", "erratic", "cheater", "--games", "300", "--seed", "4", "--rule", "lost_game=zero", "--json")
    code, out, _ = kibitz("match", *words)
    summary = json.loads(out)
    assert code == 0
    assert summary["seats"] == ["erratic", "cheater"]
    assert (summary["games"], summary["seed"]) == (300, 4)
    assert summary["rules"]["lost_game"] == "zero"
    assert sum(summary["histogram"]) == 300
    assert summary["histogram"][25] == summary["perfect"]
    assert summary["lost"] > 0
    assert {"mean", "stderr", "std", "perfect", "lost", "games_per_second"} <= set(summary)


def test_the_example_bot_plays_by_name(kibitz: Kibitz) -> None:
    bot = f"{EXAMPLES / 'my_bot.py'}:MyBot"
    code, out, _ = kibitz("match", "hanabi", bot, "simple_distrustful", "--games", "20", "--jobs", "1", "--json")
    assert code == 0
    assert json.loads(out)["mean"] > 8


def test_a_player_in_a_package_of_its_own_plays_by_its_name(tmp_path: Path) -> None:
    """What installing the example writes: its module, and the entry points that its project names."""
    package = EXAMPLES / "suitor"
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    (tmp_path / "suitor.py").write_text((package / "suitor.py").read_text())
    about = tmp_path / f"{project['name']}-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    [(group, entries)] = project["entry-points"].items()
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
    words = ["match", "loveletter", "suitor", "random", "--games", "60", "--jobs", "1", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", *words],
        env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["wins"][0] > 30


def test_watch_shows_moves_reasons_hands_and_the_end(kibitz: Kibitz) -> None:
    code, out, _ = kibitz("watch", "hanabi", "simple_distrustful", "--players", "3", "--seed", "7")
    assert code == 0
    for words in ("I hint ", "tokens", "piles", "G3", "points after"):
        assert words in out


def test_watch_and_match_play_the_same_game(kibitz: Kibitz) -> None:
    kibitz("match", "hanabi", "erratic", "--players", "2", "--games", "3", "--seed", "8", "--output", "games.json")
    kibitz(
        "watch", "hanabi", "erratic", "--players", "2", "--seed", "8", "--game", "2", "--brief", "--output", "one.json"
    )
    many = json.loads(Path("games.json").read_text())
    assert json.loads(Path("one.json").read_text()) == many["games"][2]
    assert many["summary"]["games"] == 3


def test_replay_shows_a_record_and_any_turn_of_it(kibitz: Kibitz) -> None:
    kibitz("watch", "hanabi", "simple_distrustful", "--players", "2", "--output", "game.json")
    code, out, _ = kibitz("replay", "game.json")
    assert code == 0
    assert "points after" in out
    code, out, _ = kibitz("replay", "game.json", "--turn", "3")
    assert "  3. " in out
    assert "  4. " not in out
    turns = json.loads(kibitz("replay", "game.json", "--json")[1])["turns"]
    assert [turn["turn"] for turn in turns] == list(range(1, len(turns) + 1))
    code, _, err = kibitz("replay", "game.json", "--turn", "300")
    assert code == 1
    assert "there is no turn 300" in err


def test_replay_tells_that_moves_were_taken_back(kibitz: Kibitz) -> None:
    kibitz("watch", "hanabi", "simple_distrustful", "--players", "2", "--output", "game.json")
    record = json.loads(Path("game.json").read_text())
    record["taken_back"] = [{"turn": 2, "moves": [{"move": "discard 1"}]}]
    Path("game.json").write_text(json.dumps(record))
    assert "With undo: a move was taken back." in kibitz("replay", "game.json")[1]
    assert json.loads(kibitz("replay", "game.json", "--json")[1])["undone"] == 1


def test_a_game_is_written_in_other_formats_and_read_again(kibitz: Kibitz) -> None:
    kibitz(
        "watch",
        "hanabi",
        "simple_distrustful",
        "--players",
        "2",
        "--rule",
        "full_discard=forbidden",
        "--output",
        "game.json",
    )
    shown = kibitz("replay", "game.json", "--json")[1]
    code, link, err = kibitz("replay", "game.json", "--export", "hanab.live-link")
    assert (code, err) == (0, "")
    assert link.startswith("https://hanab.live/replay-json/215")
    assert (
        "Saved the game to theirs.json"
        in kibitz("replay", "game.json", "--export", "hanab.live", "--output", "theirs.json")[1]
    )
    for source in (link.strip(), "theirs.json"):
        turns = json.loads(kibitz("replay", source, "--json")[1])["turns"]
        assert [turn["text"] for turn in turns] == [turn["text"] for turn in json.loads(shown)["turns"]]
    assert len(json.loads(kibitz("replay", link.strip(), "--turn", "5", "--export", "hanab.live")[1])["actions"]) == 5
    assert json.loads(kibitz("replay", "theirs.json", "--export", "kibitz")[1])["format"] == "kibitz-game"
    for words, helps in (
        ("replay theirs.json --export hanabi.live", "Did you mean hanab.live"),
        ("replay theirs.json --output other.json", "--export FORMAT"),
        ("replay theirs.json --export hanab.live --output nowhere/game.json", "cannot be written"),
        ("replay https://hanab.live/replay/123", "https://hanab.live/export/123"),
    ):
        helped(kibitz, words, helps)


def test_a_record_with_an_illegal_move_says_which_and_why(kibitz: Kibitz) -> None:
    kibitz("watch", "hanabi", "simple_distrustful", "--players", "2", "--output", "game.json")
    record = json.loads(Path("game.json").read_text())
    record["moves"][4]["move"] = "hint red to G1"
    Path("game.json").write_text(json.dumps(record))
    code, out, err = kibitz("replay", "game.json")
    assert code == 1
    assert out == ""
    assert "Move 5" in err
    assert "another player" in err


def test_reproduce_sets_theirs_beside_ours(kibitz: Kibitz) -> None:
    code, out, _ = kibitz("reproduce")
    assert "jarzabek-leja-2020" in out
    code, out, _ = kibitz("reproduce", "jarzabek-leja-2020", "--games", "50", "--output", "table.md")
    assert code == 0
    assert "missing:" not in out
    assert "agrees" in out
    assert Path("table.md").read_text().count("| cheater × ") == 4
    rows = json.loads(kibitz("reproduce", "jarzabek-leja-2020", "--games", "50", "--json")[1])["rows"]
    assert rows[0]["theirs"]["mean"] == 20.5
    assert rows[0]["difference"]["low"] < rows[0]["difference"]["mean"] < rows[0]["difference"]["high"]


@at_length
def test_reproduce_checks_what_a_paper_says_in_words(kibitz: Kibitz) -> None:
    code, out, _ = kibitz("reproduce", "hajdu-2020", "--games", "300", "--output", "table.md")
    assert code == 0
    assert "holds: v1 loses quite a number of games outright" in out
    assert "of 17 claims hold" in out
    assert "covers only our own sampling error" in " ".join(out.split())
    assert "| **v2-fives is at least 0.5 below v2** |" in Path("table.md").read_text()
    claims = json.loads(kibitz("reproduce", "hajdu-2020", "--games", "300", "--json")[1])["claims"]
    assert len(claims) == 17
    [claim] = [claim for claim in claims if claim["text"] == "v1 loses quite a number of games outright"]
    [check] = claim["checks"]
    assert (claim["verdict"], check["verdict"]) == ("holds", "holds")
    [interval] = check["intervals"]
    assert interval["low"] < interval["value"] < interval["high"]
    assert kibitz("reproduce", "hajdu-2020", "--games", "300", "--check")[0] == 1


def test_a_reproduction_that_cannot_be_kept_is_played_all_the_same(
    kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    paper = """title = "A paper"\nsource = "nowhere"\ngame = "hanabi"\ntheir_games = 1000
        [self_play.cheater]\n2 = { mean = 20.5, std = 2.6 }\n4 = { mean = 21.7, std = 2.1 }"""
    Path("paper.toml").write_text(paper)

    def full(self: Any, entries: bytes) -> None:
        raise KibitzError("x.tail cannot be written: No space left on device.")

    with monkeypatch.context() as disk:
        disk.setattr(Journal, "add", full)
        code, out, err = kibitz("reproduce", "paper.toml", "--games", "40")
    assert code == 1
    assert "No space left on device. The run reproduce-paper keeps what was played" in " ".join(err.split())
    assert kibitz("run", "resume", "reproduce-paper")[0] == 0
    monkeypatch.setenv("KIBITZ_RUNS", str(tmp_path / "paper.toml" / "runs"))
    code, out, err = kibitz("reproduce", "paper.toml", "--games", "40")
    assert code == 0
    assert "2 of 2 rows agree" in out
    assert "so this run is not kept" in err


def test_levels_are_listed_where_a_person_looks(kibitz: Kibitz) -> None:
    for words in (("games", "hanabi"), ("play", "--help")):
        _, out, _ = kibitz(*words)
        for level in ("beginner", "easy", "medium", "hard", "strong"):
            assert level in out
    hanabi = next(game for game in json.loads(kibitz("games", "--json")[1]) if game["name"] == "hanabi")
    assert [level["name"] for level in hanabi["levels"]] == ["beginner", "easy", "medium", "hard", "strong"]
    assert all(level["help"] and level["agents"] for level in hanabi["levels"])


@pytest.mark.parametrize(
    ("words", "helps"),
    [
        ("match chess x", "There is no game called 'chess'"),
        ("match hanabi simple_distrustfull --players 3", "Did you mean simple_distrustful"),
        ("match hanabi cheater --players 7", "2 to 5 players"),
        ("match hanabi cheater", "Add --players"),
        ("match hanabi cheater erratic --players 3", "Got 2 agents for 3 players"),
        ("match hanabi cheater --players 3 --rule lost=1", "Did you mean lost_game?"),
        ("match hanabi cheater --players 3 --rule lost_game=half", "piles or zero"),
        ("match hanabi nowhere.py:Bot --players 3", "There is no file nowhere.py"),
        ("match hanabi cheater --players 2 --output games.txt", ".jsonl"),
        ("watch hanabi nobody --players 3", "There is no Hanabi agent called 'nobody'"),
        ("play hanabi --seats cheater,erratic", "kibitz watch"),
        ("play hanabi --seats human", "2 to 5 players"),
        ("play hanabi --level mediun", "Did you mean medium?"),
        ("play hanabi --level easy --players 7", "2 to 5 players"),
        ("play hanabi --level easy --seats human,erratic", "Use one of the two"),
        ("play hanabi --seats human,erratic --players 2", "Use one of the two"),
        ("replay nothing.json", "cannot be read"),
        ("reproduce jarzabek", "Did you mean jarzabek-leja-2020?"),
    ],
)
def test_bad_input_gets_a_sentence_that_helps(kibitz: Kibitz, words: str, helps: str) -> None:
    helped(kibitz, words, helps)


@pytest.mark.parametrize(
    "words", ["match hanabi cheater --players 3 --games 0", "match hanabi cheater --players 3 --rule lost", "juggle"]
)
def test_words_that_are_no_command_exit_with_two(kibitz: Kibitz, words: str) -> None:
    assert kibitz(*words.split())[0] == 2


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise ValueError('no idea')", "ValueError: no idea"),
        ("return None", "answered None"),
        ("return 'castle'", "'castle' is not a move"),
        ("return 'hint 1 to G1'", "a hint goes to another player"),
        ("return 3.5", "answered 3.5"),
        ("return 999", "That is a bare number"),
    ],
)
def test_a_python_agent_that_fails_is_named_with_its_turn(kibitz: Kibitz, body: str, says: str) -> None:
    Path("bot.py").write_text(f"class Bot:\n    def decide(self, view):\n        {body}\n")
    fails_at_once(kibitz, says, "watch")


def test_a_match_with_a_python_agent_that_fails_names_it_with_its_turn(kibitz: Kibitz) -> None:
    Path("bot.py").write_text("class Bot:\n    def decide(self, view):\n        return 'castle'\n")
    fails_at_once(kibitz, "'castle' is not a move", "match", "--games", "5", "--jobs", "1")


def fails_at_once(kibitz: Kibitz, says: str, command: str, *options: str) -> None:
    code, _, err = kibitz(command, "hanabi", "bot.py:Bot", "cheater", *options)
    assert code == 1
    assert "bot.py:Bot at seat G1, turn 1," in err
    assert says in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("speed", "text"),
    [
        (0.0, ""),
        (0.0012, "0.0012 games per second"),
        (0.4, "0.4 games per second"),
        (12_345.6, "12,346 games per second"),
    ],
)
def test_a_match_never_plays_0_games_a_second(speed: float, text: str) -> None:
    assert speed_text(speed) == text
