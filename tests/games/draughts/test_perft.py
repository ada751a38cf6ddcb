"""Counts of positions by depth: the published ones."""

import pytest

from kibitz.games.draughts.game import DRAUGHTS
from tests.cli.conftest import Kibitz, helped, kibitz
from tests.games.draughts.tables import table_at

__all__ = ["kibitz"]

# Aart Bik's and Ed Gilbert's tables; Brazilian with captures that take the same and end alike counted once.
PUBLISHED = {
    "english": (7, 49, 302, 1469, 7361, 36768, 179740),
    "brazilian": (7, 49, 302, 1469, 7473, 37628, 187302),
}


@pytest.mark.parametrize("variant", PUBLISHED)
def test_there_are_as_many_positions_as_published(variant: str) -> None:
    start = table_at(variant=variant).start
    for depth, count in enumerate(PUBLISHED[variant], start=1):
        assert sum(count for _, count in DRAUGHTS.count_moves(start, depth)) == count


def test_the_command_prints_one_count(kibitz: Kibitz) -> None:
    assert kibitz("perft", "draughts", "--rule", "variant=english", "--depth", "6") == (0, "36768\n", "")
    assert kibitz("perft", "draughts", "--start", "W:WK29:B18", "--depth", "1") == (0, "4\n", "")


def test_first_moves_have_counts_of_their_own(kibitz: Kibitz) -> None:
    code, out, _ = kibitz("perft", "draughts", "--start", "W:WK29:B18,1", "--depth", "2", "--divide")
    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    assert [line[0] for line in lines[:-1]] == ["29x4", "29x8", "29x11", "29x15"]
    assert sum(int(line[1]) for line in lines[:-1]) == int(lines[-1][0])


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("perft hanabi", "hides something from its players"),
        ("perft hanabi --start x", "no text form for positions"),
        ("perft draughts --start nonsense", "'nonsense' is not a position"),
        ("perft draughts --rule variant=polish", "brazilian or english or russian"),
    ],
)
def test_what_cannot_be_counted_is_reported_in_a_sentence(kibitz: Kibitz, words: str, sentence: str) -> None:
    helped(kibitz, words, sentence)
