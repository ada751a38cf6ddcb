"""Which games and agents there are, and how others add theirs without a change here."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kibitz.core import registry
from kibitz.core.agent import Agent, PythonAgent
from kibitz.core.game import Game
from kibitz.errors import KibitzError
from kibitz.games.hanabi.game import HANABI
from tests.tables import EVERY_AGENT, dealt, named, table_of

ROOT = Path(__file__).parents[2]
BOT = '''
from kibitz.games.hanabi import View, discard


class Bot:
    """Discards its oldest card.

    Always.
    """

    def decide(self, view: View):
        return discard(0), "out with the old"


class Watcher(Bot):
    origin = "the back row"

    def observe(self, view: View) -> None:
        pass


class Stranger(Bot):
    game = "bridge"


class Mute:
    pass
'''


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "my_bot.py"
    path.write_text(BOT)
    return path


# By name


@pytest.mark.parametrize("agent", EVERY_AGENT, ids=named)
def test_every_agent_says_who_it_is_and_where_it_comes_from(agent: Agent) -> None:
    assert registry.agent(HANABI, agent.name) == agent
    assert agent.game == "hanabi"
    assert agent.summary
    assert agent.origin


def test_the_house_brings_its_games_and_agents() -> None:
    assert HANABI in registry.games()
    assert {"random_legal", "cheater", "smart_cheater", "erratic", "stopped_clock", "simple_distrustful"} <= {
        agent.name for agent in registry.agents(HANABI)
    }


@pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
def test_every_byte_of_a_state_belongs_to_a_field(game: Game) -> None:
    """Others are copied from wherever, and views that should be the same would differ by them."""
    assert game.dtype.itemsize == sum(game.dtype[name].itemsize for name in game.dtype.names or ())


def test_cheaters_say_that_they_cheat() -> None:
    assert {"cheater", "smart_cheater"} <= {agent.name for agent in EVERY_AGENT if agent.traits.cheats}
    assert str(registry.agent(HANABI, "cheater").traits) == "cheats, random"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("cheeter", "cheater"),
        ("simple", "simple_distrustful"),
        ("random", "random_legal"),
        ("stoppedclock", "stopped_clock"),
    ],
)
def test_the_nearest_agents_are_offered_for_a_name_that_is_none(name: str, near: str) -> None:
    with pytest.raises(
        KibitzError,
        match=rf"There is no Hanabi agent called '{name}'. Did you mean [\w ]*\b{near}\b.*`kibitz agents hanabi` lists",
    ):
        registry.agent(HANABI, name)


def test_a_name_like_no_other_is_refused_with_where_to_look() -> None:
    with pytest.raises(KibitzError, match=r"no Hanabi agent called 'xyzzy'\. `kibitz agents hanabi` lists them"):
        registry.agent(HANABI, "xyzzy")
    with pytest.raises(KibitzError, match=r"no game called 'poker'\. `kibitz games` lists them"):
        registry.game("poker")
    with pytest.raises(KibitzError, match=r"no game called 'hannabi'\. Did you mean hanabi\?"):
        registry.game("hannabi")


# In a file


def test_a_class_in_a_file_is_an_agent(bot: Path) -> None:
    agent = registry.agent(HANABI, f"{bot}:Bot")
    assert isinstance(agent, PythonAgent)
    assert agent.summary == "Discards its oldest card."
    assert (agent.name, agent.game, agent.origin) == (f"{bot}:Bot", "hanabi", str(bot))
    assert not agent.traits.remembers
    table = table_of([agent] * 2, dealt(2))
    assert table.step().decision == (5, "out with the old")
    assert table.run()["score"] == 0


def test_a_class_may_say_where_it_comes_from_and_look_on(bot: Path) -> None:
    agent = registry.agent(HANABI, f"{bot}:Watcher")
    assert agent.origin == "the back row"
    assert agent.traits.remembers


def test_a_class_of_a_module_is_an_agent() -> None:
    assert registry.agent(HANABI, "kibitz.games.hanabi.agents.cheater:cheater") == registry.agent(HANABI, "cheater")
    with pytest.raises(KibitzError, match=r"The module 'no.such.module' cannot be imported: ModuleNotFoundError"):
        registry.agent(HANABI, "no.such.module:Bot")


def test_a_file_that_is_not_there_is_reported() -> None:
    with pytest.raises(
        KibitzError, match=r"There is no file nowhere\.py. An agent in a file is named path/to/file\.py:"
    ):
        registry.agent(HANABI, "nowhere.py:Bot")


def test_a_class_that_is_not_in_the_file_is_reported_with_those_that_are(bot: Path) -> None:
    with pytest.raises(KibitzError, match=r"called 'Bott'. Did you mean Bot\? It has Bot, Watcher, Stranger"):
        registry.agent(HANABI, f"{bot}:Bott")


def test_a_class_that_does_not_decide_is_no_agent(bot: Path) -> None:
    with pytest.raises(KibitzError, match=r"my_bot\.py:Mute is not an agent: it has no method `decide\(self, view\)`"):
        registry.agent(HANABI, f"{bot}:Mute")


def test_a_function_is_no_agent_and_the_error_says_how_to_make_it_one(tmp_path: Path) -> None:
    (tmp_path / "policy.py").write_text("def policy(view):\n    return view.legal[0]\n")
    with pytest.raises(KibitzError, match=r"policy is a function, not an agent\. Make it the method `decide"):
        registry.agent(HANABI, f"{tmp_path}/policy.py:policy")


def test_an_agent_of_another_game_is_refused_by_its_game(bot: Path) -> None:
    with pytest.raises(KibitzError, match=r"my_bot\.py:Stranger plays bridge, not hanabi"):
        registry.agent(HANABI, f"{bot}:Stranger")


@pytest.mark.parametrize(
    ("text", "says"),
    [("class Bot(:", "SyntaxError"), ("1 / 0", "ZeroDivisionError: division by zero"), ("import nonesuch", "nonesuch")],
)
def test_a_file_that_cannot_be_loaded_is_reported_with_the_reason(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(KibitzError, match=rf"broken\.py cannot be loaded: .*{says}"):
        registry.agent(HANABI, f"{path}:Bot")


def test_a_file_may_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "thoughts_of_a_bot.py").write_text("OLDEST = 'discard 1'\n")
    path = tmp_path / "thinking.py"
    path.write_text("from thoughts_of_a_bot import OLDEST\nclass Bot:\n    def decide(self, view): return OLDEST\n")
    table = table_of([registry.agent(HANABI, f"{path}:Bot")] * 2, dealt(2))
    assert table.step().decision.move == 5
    assert str(tmp_path) not in sys.path


def test_files_of_the_same_name_are_different_agents(tmp_path: Path) -> None:
    moves = []
    for folder, slot in (("one", 1), ("two", 2)):
        path = tmp_path / folder / "bot.py"
        path.parent.mkdir()
        path.write_text(f"class Bot:\n    def decide(self, view): return 'discard {slot}'\n")
        moves.append(table_of([registry.agent(HANABI, f"{path}:Bot")] * 2, dealt(2)).step().decision.move)
    assert moves == [5, 6]


# In a package that is installed


def forget_entries() -> None:
    for remembered in (registry.game_entries, registry.agent_entries, registry.game):
        remembered.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    """Install a package with these entry points, for the length of a test."""

    def installed(games: str = "", agents: str = "", code: str = "") -> Path:
        site = tmp_path / "site"
        info = site / "somebodys_games-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: somebodys-games\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[kibitz.games]\n{games}\n\n[kibitz.agents]\n{agents}\n")
        (site / "somebodys_games.py").write_text(code)
        monkeypatch.syspath_prepend(site)
        forget_entries()
        return site

    yield installed
    sys.modules.pop("somebodys_games", None)
    forget_entries()


def test_an_installed_package_adds_an_agent(install: Callable[..., Path]) -> None:
    install(agents="hanabi.old_hand = somebodys_games:Bot\nbridge.other = somebodys_games:Stranger", code=BOT)
    agent = registry.agent(HANABI, "old_hand")
    assert agent in registry.agents(HANABI)
    assert [each.name for each in registry.agents(HANABI)] == sorted(["old_hand", *(each.name for each in EVERY_AGENT)])
    assert table_of([agent] * 2, dealt(2)).step().decision == (5, "out with the old")


def test_an_agent_is_only_of_the_game_its_entry_names(install: Callable[..., Path]) -> None:
    install(agents="bridge.other = somebodys_games:Stranger", code=BOT)
    with pytest.raises(KibitzError, match="There is no Hanabi agent called 'other'"):
        registry.agent(HANABI, "other")


def test_an_installed_agent_that_cannot_be_loaded_is_reported_with_the_reason(install: Callable[..., Path]) -> None:
    install(agents="hanabi.broken = somebodys_games:Bot", code="import nonesuch")
    with pytest.raises(
        KibitzError, match=r"broken \(somebodys_games:Bot\) is installed but cannot be loaded.*nonesuch"
    ):
        registry.agent(HANABI, "broken")


def test_an_entry_that_leads_to_no_game_is_reported(install: Callable[..., Path]) -> None:
    install(games="bluff = somebodys_games:BLUFF", code="BLUFF = 'a game'")
    with pytest.raises(KibitzError, match="The entry point of the game bluff is 'a game', which is not a Game"):
        registry.game("bluff")


NIM = ROOT / "examples" / "nim"
NIM_GAMES = "nim = nim.game:NIM"
NIM_AGENTS = "nim.expert = nim.agents:Expert\nnim.any_taker = tests.core.nim:any_taker"


def test_an_installed_package_adds_a_game(install: Callable[..., Path]) -> None:
    install(games=NIM_GAMES, agents=NIM_AGENTS)
    nim = registry.game("nim")
    assert nim.title == "Nim"
    assert {"hanabi", "nim"} <= {game.name for game in registry.games()}
    assert [agent.name for agent in registry.agents(nim)] == ["any_taker", "expert"]
    with pytest.raises(KibitzError, match="There is no Nim agent called 'cheater'"):
        registry.agent(nim, "cheater")
    with pytest.raises(KibitzError, match=r"tests\.core\.nim:any_taker plays nim, not hanabi"):
        registry.agent(HANABI, "tests.core.nim:any_taker")


def test_an_added_game_is_played_recorded_and_imagined_like_any_other(install: Callable[..., Path]) -> None:
    site = install(games=NIM_GAMES, agents=NIM_AGENTS)
    play = "import json; from tests.core.nim import some_games; print(json.dumps(some_games()))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", play], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(site), str(NIM)])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "agents": ["any_taker", "expert"],
        "done": 30,
        "same": True,
        "won": 1,
        "first": "G1 takes 1, 21 stones are left",
        "replayed": True,
        "continued": True,
    }
