"""The figures of finished games that the arena receives, against plain counting over the events."""

from collections import Counter

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.games.loveletter import rounds
from kibitz.games.loveletter.cards import GUARD
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.state import TURNS
from tests.games.loveletter.tables import GAME, dealt, table_of


@pytest.mark.parametrize("players", [2, 3, 4])
def test_counts_and_tables_agree_with_the_histories(players: int) -> None:
    agents = [registry.agent(LOVE_LETTER, name) for name in ("random", "greedy", "counting", "random")[:players]]
    rows, ends, decisive, guesses, winning = (
        [],
        Counter[tuple[int, int]](),
        Counter[tuple[int, int, str]](),
        Counter[tuple[int, int, str]](),
        Counter[tuple[int, int, str]](),
    )
    expected = []
    for number in range(25):
        table = table_of(agents, dealt(players, rules=GAME, seed=5, number=number))
        table.run()
        rows.append(LOVE_LETTER.row(table.state))
        view = LOVE_LETTER.view(table.state)
        for past in view.rounds:
            what = str(past.decisive) if past.decisive else rounds.SHOWDOWN
            for seat in past.winners or (players,):
                ends[seat, past.turns] += 1
                decisive[seat, past.turns, what] += 1
            winner = "+".join(str(seat + 1) for seat in past.winners) or "0"
            expected.append((number, past.number, past.first + 1, winner, past.turns, what))
        opened = {past.number: past.last_turn - past.turns for past in view.rounds}
        for event in view.history:
            if event.move.card == GUARD and event.move.named:
                guesses[event.seat, event.turn - opened[event.round], str(event.move.named)] += 1
        for past in view.rounds:
            last = view.history[past.last_turn - 1]
            if past.decisive == GUARD:
                winning[last.seat, past.turns, str(last.move.named)] += 1
    results = np.array(rows)
    counted = LOVE_LETTER.count(results, players)
    kinds = {count.name: count.kinds for count in LOVE_LETTER.counts}
    for seat in range(players + 1):
        for turn in range(1, TURNS + 1):
            assert counted["ends"][seat, turn - 1, 0] == ends[seat, turn]
            for name, seen in (("decisive", decisive), ("guesses", guesses), ("winning_guesses", winning)):
                for place, kind in enumerate(kinds[name]):
                    assert counted[name][seat, turn - 1, place] == seen[seat, turn, kind]
    lines = LOVE_LETTER.table(results, range(1, players + 1))
    columns = ("row", "round", "began", "winner", "turns", "decisive")
    assert list(zip(*(lines[name].tolist() for name in columns), strict=True)) == expected
    assert len(lines["named_1"]) == len(expected)
