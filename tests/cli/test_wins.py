"""Matches and cross tables of competitive games, as a person or a program types them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from kibitz.arena import match as arena
from kibitz.core import registry
from tests.cli.conftest import Kibitz, helped

pytestmark = pytest.mark.usefixtures("nim")


def summary(kibitz: Kibitz, words: str) -> dict[str, Any]:
    code, out, err = kibitz(*words.split(), "--json")
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_help_pays_for_no_tables_and_no_ratings() -> None:
    script = "import sys, kibitz.cli.app; print({'polars', 'choix', 'scipy', 'numpy'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"set()\n"


def test_a_match_prints_who_wins_when_and_how(kibitz: Kibitz) -> None:
    code, out, _ = kibitz("match", "nim", "any_taker", "any_taker", "--games", "400", "--first", "alternate")
    assert code == 0
    for words in (
        "1 any_taker", "2 any_taker", "draws", "share, 95 %", "as 1st", "as 2nd", " ± ", "Games end in turn",
        "the seats begin in turn", "Stones taken in the last turn, by turn", "most often", "games per second",
    ):  # fmt: skip
        assert words in out


def test_a_match_as_json_carries_everything(kibitz: Kibitz) -> None:
    words = "match nim any_taker thinker --games 300 --seed 4 --first alternate --rule long_game=draw"
    found = summary(kibitz, words)
    assert found["seats"] == ["any_taker", "thinker"]
    assert (found["games"], found["deals"], found["seed"]) == (300, 300, 4)
    assert (found["first"], found["mirror"]) == ("alternate", False)
    assert found["rules"] == {"last_stone": "wins", "long_game": "draw"}
    assert found["draws"] > 0
    assert sum(found["wins"]) + found["draws"] == 300
    assert found["games_per_second"] > 0
    assert [turn["turn"] for turn in found["by_turn"]] == list(range(1, len(found["by_turn"]) + 1))
    for seat in range(2):
        assert sum(turn["wins"][seat] for turn in found["by_turn"]) == found["wins"][seat]
        low, high = found["shares"][seat]["interval"]
        assert low < found["shares"][seat]["share"] == found["wins"][seat] / 300 < high
    assert sum(turn["draws"] for turn in found["by_turn"]) == found["draws"]
    assert [(each["first"], each["games"]) for each in found["by_first"]] == [(1, 150), (2, 150)]
    assert sum(each["wins"][1] for each in found["by_first"]) == found["wins"][1]
    assert 4 < found["mean_turn"] < 21
    assert sum(sum(seat.values()) for turn in found["last"] for seat in turn["seats"]) == 300


def test_games_is_the_number_of_deals_and_a_mirror_plays_each_for_every_seat(kibitz: Kibitz) -> None:
    found = summary(kibitz, "match nim any_taker any_taker any_taker --games 50 --mirror")
    assert (found["deals"], found["games"], found["mirror"]) == (50, 150, True)
    assert found["wins"] == [50, 50, 50]


@pytest.mark.parametrize("seating", ["--first alternate", "--mirror"])
def test_the_number_of_workers_changes_nothing(kibitz: Kibitz, seating: str) -> None:
    one, two = (summary(kibitz, f"match nim any_taker thinker --games 700 {seating} --jobs {jobs}") for jobs in (1, 2))
    for found in (one, two):
        del found["games_per_second"]
    assert one == two


def test_a_budget_reaches_those_who_search(kibitz: Kibitz) -> None:
    few, many = (summary(kibitz, f"match nim thinker thinker --games 50 --iterations {n}") for n in (1, 3))
    assert few["mean_turn"] > 2 * many["mean_turn"]
    assert many["budget"] == {"iterations": 3, "milliseconds": 0, "depth": 0}
    assert summary(kibitz, "match loveletter flat_mc random --games 2 --think-ms 1")["budget"] == {
        "iterations": 0, "milliseconds": 1, "depth": 0,
    }  # fmt: skip


def test_the_unit_is_a_rule_of_games_of_rounds(kibitz: Kibitz) -> None:
    words = "match loveletter random random --games 30"
    games, same = summary(kibitz, f"{words} --unit game"), summary(kibitz, f"{words} --rule unit=game")
    rounds = summary(kibitz, words)
    assert games["rules"]["unit"] == "game"
    assert games["wins"] == same["wins"]
    ends = [sum(sum(turn["wins"]) + turn["draws"] for turn in each["by_turn"]) for each in (games, rounds)]
    assert ends[0] >= 7 * 30
    assert ends[1] == rounds["games"] == 30
    assert {"decisive", "guesses"} <= set(rounds)


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_a_stopped_match_goes_on_with_whoever_is_to_begin(
    kibitz: Kibitz, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"match nim any_taker any_taker --games 60 --first alternate --jobs 1 --output games.{ending}"
    whole = summary(kibitz, words)
    Path(f"games.{ending}").unlink()
    monkeypatch.setattr("kibitz.arena.match.ChunkSize.most", 20)
    played = arena.play_chunk

    def interrupted(match: arena.Match, first: int, count: int, how: arena.PlayDeals) -> arena.GameChunk:
        if first > 30:
            raise KeyboardInterrupt
        return played(match, first, count, how)

    monkeypatch.setattr(arena, "play_chunk", interrupted)
    code, _, err = kibitz(*words.split())
    assert code == 130
    assert "of 60 games" in err
    monkeypatch.setattr(arena, "play_chunk", played)
    code, out, err = kibitz(*words.split(), "--json")
    assert code == 0
    assert "of these games; resuming" in err
    again = json.loads(out)
    for found in (whole, again):
        del found["games_per_second"]
    assert again == whole
    if ending == "parquet":
        assert len(pl.read_parquet("games.parquet")) == 60


def test_charts_are_drawn_in_a_folder(kibitz: Kibitz) -> None:
    code, _, err = kibitz("match", "nim", "any_taker", "thinker", "--games", "50", "--charts", "some/folder")
    assert code == 0
    files = {path.name for path in Path("some/folder").iterdir()}
    assert files == {f"{name}.{ending}" for name in ("shares", "by-turn", "last") for ending in ("svg", "png")}
    assert all(file in err for file in files)
    kibitz("match", "hanabi", "cheater", "--players", "2", "--games", "50", "--charts", ".")
    assert {path.name for path in Path().glob("*.*")} == {"scores.svg", "scores.png"}


def test_a_cross_table_has_shares_and_ratings(kibitz: Kibitz) -> None:
    words = ("cross", "nim", "any_taker", "expert", "thinker", "--players", "2", "--games", "20", "--jobs", "1")
    code, out, _ = kibitz(*words, "--output", "table")
    assert code == 0
    for expected in ("shares of the games in %", "—", "The fair share is 50", "rating", "Elo points"):
        assert expected in out
    assert out.index("\nexpert ") < out.index("\nany_taker ")
    assert {path.name for path in Path().iterdir()} == {"table.csv", "table.svg", "table.png"}
    rating = json.loads(kibitz(*words, "--json", "--iterations", "3")[1])["ratings"][0]
    assert rating["agent"] == "expert"
    assert rating["interval"][0] < rating["points"] < rating["interval"][1]


@pytest.mark.parametrize(
    ("words", "helps"),
    [
        ("match nim expert any_taker --mirror --first alternate", "Leave one of the two out"),
        ("match nim expert any_taker --unit round", "There is no rule called 'unit'. The rules of Nim are"),
        ("match hanabi cheater --players 2 --unit game", "There is no rule called 'unit'. The rules of Hanabi are"),
        ("cross hanabi cheater erratic --players 2 --unit=game", "There is no rule called 'unit'"),
        ("match loveletter random random --unit week", "played as round or game, not 'week'"),
        (
            "match loveletter random random --unit round --rule unit=game",
            "The rule unit is set to both round and game",
        ),
        ("match nim thinker expert --think-ms 5 --iterations 5", "Use one of them"),
        ("match nim any_taker expert --think-ms 5", "none of any_taker, expert does"),
        ("cross nim any_taker expert --players 2 --iterations 5", "none of any_taker, expert does"),
        ("match hanabi cheater --players 2 --mirror", "is cooperative"),
        ("match nim any_taker expert --output games.xlsx", ".parquet"),
    ],
)
def test_bad_input_gets_a_sentence_that_helps(kibitz: Kibitz, words: str, helps: str) -> None:
    helped(kibitz, words, helps)


@pytest.mark.parametrize("words", ["--first loser", "--iterations 0", "--think-ms -3"])
def test_words_that_are_no_option_exit_with_two(kibitz: Kibitz, words: str) -> None:
    assert kibitz("match", "nim", "any_taker", "expert", *words.split())[0] == 2


def test_every_competitive_game_says_who_wins() -> None:
    for game in registry.games():
        assert game.competitive != hasattr(game, "best")


def test_a_game_without_rules_has_no_rules_in_its_summary(kibitz: Kibitz) -> None:
    _, printed, _ = kibitz("match", "tictactoe", "perfect", "random", "--games", "2", "--jobs", "1")
    assert printed.splitlines()[1] == "2 games, seed 0; the seat named first begins"
