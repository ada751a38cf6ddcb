"""Games that begin with a position of one's own: `--start` of play, watch and match."""

import io
import json
import sys
from pathlib import Path

import pytest

from kibitz.arena.match import Match
from kibitz.arena.measure import begin_match
from kibitz.arena.runs import Run
from kibitz.errors import KibitzError
from kibitz.games.bridge.game import BRIDGE
from tests.cli.conftest import Kibitz
from tests.games.bridge.tables import EVEN

PAWN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
WORDS = ("dicechess", "greedy", "random", "--games", "5", "--mirror", "--seed", "2", "--start")


def test_every_game_of_a_match_begins_there_with_either_side_for_each_and_on_any_number_of_workers(
    kibitz: Kibitz,
) -> None:
    assert kibitz("match", *WORDS, PAWN, "--jobs", "1", "--output", "games.json")[0] == 0
    saved = json.loads(Path("games.json").read_text())
    assert {game["start"]["position"] for game in saved["games"]} == {PAWN}
    assert [game["seats"][0] for game in saved["games"]] == ["greedy", "random"] * 5
    assert len({str(game["moves"]) for game in saved["games"]}) > 5  # each has its own dice
    for jobs in ("1", "2"):
        in_machine_code = json.loads(kibitz("match", *WORDS, PAWN, "--json", "--jobs", jobs)[1])
        del in_machine_code["games_per_second"]
        assert in_machine_code == saved["summary"]
        assert in_machine_code["start"] == PAWN


def test_a_match_of_another_start_does_not_go_on_from_what_was_kept(tmp_path: Path) -> None:
    def begun(start: str | None) -> Run:
        match = Match("dicechess", ("random", "random"), 5, 0, start=start)
        return begin_match(match.prepared(), "results", name=str(tmp_path / "run"))

    with begun(PAWN) as run:
        assert run.plan["start"] == PAWN
    begun(PAWN).release()
    for other in (PAWN.replace("w", "b"), None):
        with pytest.raises(KibitzError, match="holds another run: start is"):
            begun(other)


def test_what_is_watched_and_played_begins_there(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    kibitz("match", *WORDS, PAWN, "--jobs", "1", "--output", "games.jsonl")
    third = json.loads(Path("games.jsonl").read_text().splitlines()[4])
    watched = (
        "dicechess",
        "greedy",
        "random",
        "--seed",
        "2",
        "--game",
        "2",
        "--start",
        PAWN,
        "--output",
        "watched.json",
    )
    assert kibitz("watch", *watched)[0] == 0
    assert json.loads(Path("watched.json").read_text()) == third
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    code, out, _ = kibitz("play", "kriegspiel", "--seats", "human,random", "--start", PAWN, "--output", "mine.json")
    assert code == 0
    assert "2              P" in out
    assert json.loads(Path("mine.json").read_text())["start"]["position"] == PAWN
    code, _, err = kibitz("play", "--resume", "mine.json", "--start", PAWN)
    assert code == 1
    assert "Leave --start out" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("watch", "dicechess", "random", "random", "--start", "8/8/8/8/8/8/8/8 w"), "White has 0 kings"),
        (("match", "kriegspiel", "random", "random", "--start", "7k/5Q2/6K1/8/8/8/8/8 b"), "the game is over"),
        (("match", "kriegspiel", "random", "random", "--start", "7k/8/6K1/8/8/8/8/7R w"), "has just moved is in check"),
        (("watch", "kriegspiel", "random", "random", "--start", "rook_ending"), "--rule start=rook_ending"),
        (("match", "kriegspiel", "random", "random", "--rule", "start=rook_ending", "--start", PAWN), "one of the two"),
        (("play", "hanabi", "--start", PAWN), "no text form for positions"),
        (("match", "bridge", "random", "random", "--start", "N:AKQ... ... ... ..."), "North holds 3 cards"),
    ],
)
def test_a_start_that_cannot_be_is_refused_with_the_reason(kibitz: Kibitz, words: tuple[str, ...], says: str) -> None:
    code, out, err = kibitz(*words)
    assert (code, out) == (2, "")
    assert says in " ".join(err.replace("│", " ").split())


def test_a_start_may_stand_in_a_file(kibitz: Kibitz) -> None:
    Path("deal.pbn").write_text(f'[Deal "{EVEN}"]\n[Contract "4S"]\n[Declarer "S"]\n')
    code, out, _ = kibitz("match", "bridge", "random", "random", "--games", "1", "--start", "deal.pbn", "--json")
    assert code == 0
    assert json.loads(out)["start"].startswith("[Deal")
    Path("deal.pbn").write_bytes(b"\xff\xfe\x00")
    code, _, err = kibitz("match", "bridge", "random", "random", "--start", "deal.pbn")
    assert code == 2
    assert "deal.pbn cannot be read" in err


def test_a_deal_of_bridge_is_written_as_pbn_and_the_rules_seat_its_declarer() -> None:
    tags = f'[Deal "{EVEN}"] [Contract "4S"] [Declarer "S"] [Play "W"] HT - - -'
    as_written = BRIDGE.start_at(tags, 4, BRIDGE.check_rules({}))
    assert BRIDGE.dump_start(as_written[0])["declarer"] == "S"
    turned = BRIDGE.dump_start(BRIDGE.start_at(tags, 4, BRIDGE.check_rules({"declarer": "north"}))[0])
    assert (turned["declarer"], turned["contract"], turned["deal"] == EVEN) == ("N", "4S", False)
    assert "bidding" in BRIDGE.dump_start(BRIDGE.start_at(EVEN, 4, BRIDGE.check_rules({"bidding": "points"}))[0])
