"""Our players at a host that somebody else wrote."""

import io
import json
import socket
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kibitz.cli.join import AgentHere, short_name
from kibitz.client.agent_seat import WireAgentSeat
from kibitz.core import registry
from kibitz.core.table import Table
from kibitz.engine.dice import set_dice
from kibitz.engine.seeds import keys, number
from kibitz.games.hanabi.formats.unibo_words import move_object
from tests.cli.conftest import Kibitz, helped
from tests.server.host.plain_host import PlainHost, plain_guest, plainly, unusually

HANABI = registry.game("hanabi")
WIRE = HANABI.wire
UNIBO = ("--protocol", "unibo")
MY_BOT = Path(__file__).parents[2] / "examples" / "my_bot.py"


def guest_of(name: str, seed: int = 0) -> WireAgentSeat:
    assert WIRE is not None
    guest = AgentHere(HANABI, registry.agent(HANABI, name), quiet=True)
    return WireAgentSeat(name, WIRE, guest, partial(dice_of_game, seed), wait=5.0)


def results(guest: WireAgentSeat) -> list[dict[str, Any]]:
    assert isinstance(guest.participant, AgentHere)
    return guest.participant.results


def dice_of_game(seed: int, played: int) -> int:
    return number(keys(seed).dice, played)


def play_together(host: PlainHost, guests: list[WireAgentSeat], games: int) -> None:
    threads = [threading.Thread(target=guest.play, args=(host.where, games), daemon=True) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)


@pytest.mark.parametrize(
    ("agents", "writing"),
    [
        (["bot2", "bot2"], {"write": plainly}),
        (["trustful", "bot2_conventions", f"{MY_BOT}:MyBot"], {"write": unusually, "together": True}),
        (["hajdu_v2", "random_legal", "trustful", "bot2"], {"write": unusually, "in_pieces": True, "shuffled": True}),
        (["hajdu_v2"] * 5, {"write": plainly, "shuffled": True, "together": True}),
    ],
)
def test_agents_play_at_anybodys_host_move_for_move_as_at_home(agents: list[str], writing: dict[str, Any]) -> None:
    sitting = [guest_of(name) for name in agents]
    with PlainHost(len(agents), 2, seed=3, **writing) as host:
        play_together(host, sitting, 2)
    for guest in sitting:
        assert [result["score"] for result in results(guest)] == host.scores
    for played, (deck, turns) in enumerate(zip(host.decks, host.turns, strict=True)):
        seats = sorted((results(guest)[played]["full_name"], guest.name) for guest in sitting)
        players = [registry.agent(HANABI, name).take_seat(HANABI) for _, name in seats]
        cards = " ".join(f"{colour[0]}{value}" for colour, value in deck)
        start = HANABI.load_start({"deck": cards}, len(agents), HANABI.check_rules({"lost_game": "zero"}))
        set_dice(start[0], dice_of_game(0, played))
        table = Table(HANABI, players, start)
        assert table.run()["score"] == host.scores[played]
        names = [name for name, _ in seats]
        assert turns == [move_object(turn.decision.move, names[turn.seat], names) for turn in table.turns]


@pytest.mark.parametrize(
    ("who", "called"),
    [
        ("search:signal@100ms", "search:signal@100ms"),
        ("search:bots/mine.toml@50", "search:mine@50"),
        ("trustful@weights/tuned.toml", "trustful@tuned"),
        ("path/to/my_bot.py:MyBot", "MyBot"),
    ],
)
def test_an_agent_sits_down_under_its_whole_name_without_paths(who: str, called: str) -> None:
    assert short_name(HANABI, who) == called


def test_a_joined_agent_says_where_it_sits_and_how_the_games_went(kibitz: Kibitz) -> None:
    with PlainHost(2, games=2, seed=2) as host:
        plain_guest(host.where, "Bo", games=2)
        code, out, err = kibitz("join", host.where, "--as", "bot2", "--name", "Ada", "--games", "2", *UNIBO)
    assert (code, err) == (0, "")
    assert "Game 1: G1 (Ada) with G2 (Bo)" in out
    assert f"{host.scores[0]} points after {len(host.turns[0])} turns" in out
    assert f"2 games: mean {sum(host.scores) / 2:.2f}" in out


def test_a_program_reads_the_results_as_json(kibitz: Kibitz) -> None:
    with PlainHost(3) as host:
        for name in ("Bo", "Cy"):
            plain_guest(host.where, name)
        code, out, _ = kibitz("join", host.where, "--as", "hajdu_v2", "--json", *UNIBO)
    said = json.loads(out)
    assert code == 0
    assert (said["agent"], said["name"], said["played"], said["mean"]) == ("hajdu_v2", "hajdu_v2", 1, host.scores[0])
    [game] = said["games"]
    assert game["full_name"].endswith("(hajdu_v2)")
    assert (game["players"], game["score"], game["turns"]) == (3, host.scores[0], len(host.turns[0]))


def test_the_same_seed_gives_the_same_decisions() -> None:
    turns = []
    for seed in (1, 1, 2):
        with PlainHost(2, seed=4) as host:
            plain_guest(host.where, "Bo")
            guest_of("random_legal", seed).play(host.where)
        turns.append(host.turns)
    assert turns[0] == turns[1]
    assert turns[1] != turns[2]


def test_a_person_plays_at_a_host(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("help\nplay 9\n" + "discard 1\n" * 60))
    with PlainHost(2) as host:
        plain_guest(host.where, "Bo")
        code, out, err = kibitz("join", host.where, "--as", "human", "--name", "Zoë [dim]", *UNIBO)
    assert code == 0
    assert "  you" in out
    assert "Bo" in out
    assert "hint blue to G2" in out
    assert "'play 9' is not a move" in err
    assert "0 points after" in out
    assert any(turn["player"].endswith("(Zoë [dim])") for turn in host.turns[0])


def test_a_person_may_leave(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    host = PlainHost(2)
    host.start()
    plain_guest(host.where, "Bo")
    code, out, _ = kibitz("join", host.where, "--as", "human")
    assert code == 0
    assert "You have left the table" in out
    host.join(30)
    assert "a guest went away" in str(host.failure)


def test_the_games_before_a_failure_are_still_shown(kibitz: Kibitz) -> None:
    with PlainHost(2) as host:
        plain_guest(host.where)
        code, out, err = kibitz("join", host.where, "--as", "bot2", "--games", "2", "--wait", "0")
    assert code == 1
    assert f"{host.scores[0]} points" in out
    assert host.where in err


def test_what_the_host_complains_of_is_reported(kibitz: Kibitz) -> None:
    with PlainHost(2, breaks_at=3, says=b'{"error": "G1 [Bo] went away."}') as host:
        plain_guest(host.where)
        code, _, err = kibitz("join", host.where, "--as", "bot2")
    assert code == 1
    assert "says: G1 [Bo] went away." in err


def test_an_agent_that_decides_on_an_illegal_move_is_found_out_before_the_host_is(kibitz: Kibitz) -> None:
    Path("wrong.py").write_text(WRONG_BOT)
    host = PlainHost(2)
    host.start()
    plain_guest(host.where)
    code, _, err = kibitz("join", host.where, "--as", "wrong.py:Wrong", "--name", "A")
    assert code == 1
    assert "hint red to G1" in err
    host.join(30)
    assert "a guest went away" in str(host.failure)


WRONG_BOT = """
class Wrong:
    def decide(self, view):
        return "hint red to G1"
"""


def test_wrong_words_are_answered_with_what_helps(kibitz: Kibitz) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = f"127.0.0.1:{closed.getsockname()[1]}"
    helped(kibitz, f"join {nobody} --as bot2 --wait 0", f"No host answers at {nobody}")
    helped(kibitz, f"join {nobody} --as cheater", "which a host never sends")
    helped(kibitz, f"join {nobody} --as bot3", "Did you mean bot2")
    unibo = f"join {nobody} --as greedy --game loveletter --protocol unibo"
    helped(kibitz, unibo, "Love Letter is not played by the protocol unibo")
    helped(kibitz, f"join {nobody} --as human --json", "a human plays here")
    helped(kibitz, "join localhost --as bot2", "is not HOST:PORT")
    helped(kibitz, f"join {nobody}/table/secret --as bot2 --protocol unibo", "An invitation is not taken")
    code, _, err = kibitz("join", nobody, "--as", "bot2", "--protocol", "telnet")
    assert code == 2
    assert "'telnet' is neither unibo nor lines" in err


def test_a_host_cannot_write_escape_sequences_to_the_terminal(kibitz: Kibitz) -> None:
    with PlainHost(2, breaks_at=3, says=b'{"error": "\\u001b[2J\\u001b]0;title\\u0007 [red]gone"}') as host:
        plain_guest(host.where, "\x1b[31mBo")
        code, out, err = kibitz("join", host.where, "--as", "bot2")
    assert code == 1
    assert "[red]gone" in err
    assert "Bo)" in out
    assert "\x1b" not in out + err
