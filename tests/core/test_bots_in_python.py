"""What a bot in Python may answer, may change and shares, and how its mistakes are reported."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.core.agent import Agent, PythonAgent, PythonPlayer, Traits
from kibitz.core.frozen import READ_ONLY, frozen_view
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.errors import AgentError, KibitzError
from kibitz.games.hanabi import View
from kibitz.games.hanabi.game import HANABI
from tests.tables import dealt

BOTS = """
from kibitz.games.hanabi import discard, hint, play

def first_rank(view):
    return view.hand[0].kind.rank

class Slot:
    def decide(self, view):
        return view.hand[2].slot

class OwnCard:
    def decide(self, view):
        return play(first_rank(view))

class Misspelt:
    def decide(self, view):
        return discard(view.token)

class FarSeat:
    def decide(self, view):
        return hint(9, "blue")

class Listed:
    seen = []
    table = ["play", "discard"]

    def decide(self, view):
        self.seen.append(view.seat)
        return discard(0), f"{set(self.seen) == {view.seat}}"

class Made:
    def __init__(self):
        self.seen = []

    decide = Listed.decide

made = Made()

class Locked:
    def __init__(self):
        import threading
        self.lock = threading.Lock()

    decide = Listed.decide

locked = Locked()
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bots") / "bots.py"
    path.write_text(BOTS)
    return path


def bot(file: Path, name: str) -> Agent:
    return registry.agent(HANABI, f"{file}:{name}")


def failure(agent: Agent) -> str:
    with pytest.raises(AgentError) as caught:
        Table(HANABI, [agent.take_seat(HANABI) for _ in range(2)], dealt(2)).step()
    return str(caught.value)


def test_a_misspelt_attribute_of_a_view_is_guessed(file: Path) -> None:
    assert failure(bot(file, "Misspelt")).endswith("return discard(view.token)). Did you mean `tokens`?")


def test_a_bare_number_is_no_move(file: Path) -> None:
    assert failure(bot(file, "Slot")).endswith(
        ":Slot at seat G1, turn 1, answered 2. That is a bare number, which may be a slot, a seat or a move. Return a "
        "move or its text, such as 'play 1'."
    )


@pytest.mark.parametrize("number", [0, np.int64(0), True])
def test_a_number_of_any_type_is_no_move(number: Any) -> None:
    assert "That is a bare number" in failure(answering(number))


def answering(answer: Any) -> PythonAgent:
    class Answers:
        def decide(self, view: View) -> Any:
            return answer

    return PythonAgent("answers", "hanabi", "", "a test", Traits(), Answers)


def test_an_error_shows_the_innermost_line_of_the_bots_own_file(file: Path) -> None:
    line = BOTS.splitlines().index("    return view.hand[0].kind.rank") + 1
    assert f"bots.py, line {line}: return view.hand[0].kind.rank)" in failure(bot(file, "OwnCard"))
    line = BOTS.splitlines().index('        return hint(9, "blue")') + 1
    says = failure(bot(file, "FarSeat"))
    assert f'KibitzError: There is no seat 9: a seat is 0 to 4. ({file}, line {line}: return hint(9, "blue"))' in says


def test_a_bot_that_reads_its_own_card_learns_what_to_ask(file: Path) -> None:
    assert failure(bot(file, "OwnCard")).endswith("You do not see your own cards: ask card.kinds for what one can be.")


def test_a_file_that_cannot_be_loaded_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("import math\n\nmath.sqrt(-1)\n")
    with pytest.raises(KibitzError, match=r"cannot be loaded: ValueError: .*broken\.py, line 3: math\.sqrt\(-1\)"):
        bot(path, "Any")


# Views


@pytest.fixture
def view() -> Any:
    return frozen_view(HANABI, Table(HANABI, [], dealt(3)).view(0))


def test_a_view_is_still_a_view(view: Any) -> None:
    assert isinstance(view, View)
    assert type(view).__name__ == "View"
    assert view.tokens == 8
    assert view.legal == list(View(view.struct).legal)
    assert view.piles == View(view.struct).piles
    assert view.hand == View(view.struct).hand


def append(view: Any) -> None:
    view.legal.append(0)


def sort(view: Any) -> None:
    view.legal.sort()


def delete(view: Any) -> None:
    del view.piles["red"]


def assign(view: Any) -> None:
    view.tokens = 8


def invent(view: Any) -> None:
    view.plan = "discard"


def remove(view: Any) -> None:
    del view.tokens


def add_to_list(view: Any) -> None:
    view.others += [0]


@pytest.mark.parametrize("change", [append, sort, delete, assign, invent, remove, add_to_list])
def test_a_view_cannot_be_changed(view: Any, change: Any) -> None:
    with pytest.raises(AttributeError, match=READ_ONLY.partition(".")[0]):
        change(view)


def test_the_arrays_of_a_view_cannot_be_changed(view: Any) -> None:
    with pytest.raises(ValueError, match="read-only"):
        view.struct["tokens"] = 3
    with pytest.raises(ValueError, match="read-only"):
        view.struct["held"][0] = 3


def test_a_copy_of_a_view_is_equal_and_cannot_be_changed(view: Any) -> None:
    _ = view.legal
    twin = copy.deepcopy(view)
    assert (twin.legal, twin.hand, twin.piles) == (view.legal, view.hand, view.piles)
    with pytest.raises(AttributeError):
        twin.tokens = 3


@pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
def test_the_views_of_every_game_are_frozen(game: Game) -> None:
    start = game.deal(seeds.keys(1), 0, game.players[0], game.check_rules({}))
    with pytest.raises(AttributeError):
        frozen_view(game, Table(game, [], start).view(0)).turn = 3


# State that seats would share


def reasons(agent: Agent) -> set[str]:
    table = Table(HANABI, [agent.take_seat(HANABI) for _ in range(2)], dealt(2))
    for _ in range(4):
        table.step()
    return {turn.decision.reason for turn in table.turns}


@pytest.mark.parametrize("name", ["Listed", "made"])
def test_seats_share_neither_lists_of_the_class_nor_an_instance(file: Path, name: str) -> None:
    assert reasons(bot(file, name)) == {"True"}


def test_a_class_that_shares_nothing_is_used_as_it_is(file: Path) -> None:
    player = bot(file, "Made").take_seat(HANABI)
    assert isinstance(player, PythonPlayer)
    assert type(player.bot) is registry.load_from(f"{file}:Made")


def test_the_author_is_warned(file: Path) -> None:
    def warning(name: str) -> str:
        agent = bot(file, name)
        assert isinstance(agent, PythonAgent)
        return agent.warning

    assert warning("Listed").startswith("seen of ")
    assert warning("Listed").endswith("every seat gets a copy. Create it in __init__ instead.")
    assert "is one bot, not a class: every seat gets a copy of it." in warning("made")
    assert warning("Made") == ""


def test_an_instance_that_cannot_be_copied_is_refused(file: Path) -> None:
    with pytest.raises(KibitzError, match=r"cannot be copied for each \(TypeError: .*\)\. Name its class instead\."):
        bot(file, "locked").take_seat(HANABI)
