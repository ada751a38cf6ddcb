"""Dice that the game itself rolls, and moves of any number: at tables, in matches, records and searches."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from kibitz.arena.match import Match, play_compiled
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, Decision, Traits
from kibitz.core.record import Record, parse
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.loop import ONLOOKER, SEEN, WORLD, decision, move_of
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError
from kibitz.search.choice import most_visited
from kibitz.search.clock import limit_of
from kibitz.search.ismcts import MANY, MODELLED, SINGLE, Options, ismcts
from kibitz.search.playout import MODEL, RANDOM
from kibitz.search.worlds import fresh_worlds
from tests.core.race import GO, RACE, ROLL, STAY, TRACK
from tests.fuzzing import at_length


def go_if_allowed(view: Any) -> int:
    return decision(GO + view.rolled if generic.allowed(view, GO + view.rolled) else STAY, 0)


RUNNER = CompiledAgent("runner", "race", "Goes.", "a test", Traits(), go_if_allowed, ("goes",))
GAMES = 50


def table(number: int = 0, agents: tuple[CompiledAgent, ...] = (RUNNER, RUNNER)) -> Table:
    return Table(RACE, [agent.take_seat(RACE) for agent in agents], RACE.deal(keys(1), number, 2, {}))


def test_chance_moves_by_itself_at_a_table_and_its_moves_are_turns() -> None:
    played = table()
    assert played.turns[0].seat == generic.CHANCE
    assert ROLL < played.turns[0].decision.move <= ROLL + 6
    played.run()
    assert [turn.seat for turn in played.turns[:4]] == [generic.CHANCE, 0, generic.CHANCE, 1]
    assert max(played.state["places"]) == TRACK


def test_the_loop_and_the_table_roll_the_same_dice() -> None:
    stretch = play_compiled(Match.of(RACE, [RUNNER, RUNNER], GAMES, seed=1), 0, range(GAMES), keeps=True)
    assert not stretch.failure
    for number in range(GAMES):
        played = table(number)
        assert list(played.run().values()) == stretch.results[number].tolist()
        made = [turn.decision.move for turn in played.turns if turn.seat >= 0]
        assert made == [int(move_of(each)) for each in stretch.decisions[number] if each >= 0]


def test_every_face_is_as_likely_as_the_others() -> None:
    rolls = Counter(table(number).turns[0].decision.move - ROLL for number in range(1200))
    assert set(rolls) == set(range(1, 7))
    assert all(150 < count < 250 for count in rolls.values())


def test_nobody_can_foresee_a_roll() -> None:
    played = table()
    for viewer in (0, 1, ONLOOKER):
        for cheats in (False, True):
            assert played.seen(viewer, cheats)["chance"] == 0
    assert played.open_state()["chance"] == 0
    other = played.start.copy()
    other["chance"] ^= 12345
    for viewer in (0, 1, ONLOOKER):
        one, two = (Table(RACE, [], start, rolls=False).view(viewer) for start in (played.start, other))
        assert one.tobytes() == two.tobytes()


def test_a_record_has_the_rolls_and_is_replayed_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "game", lambda name: RACE)
    played = table()
    played.run()
    record = parse(Record.of(played, ["a", "b"], {}, None, None).dump())
    assert len(record.moves) == len(played.turns)
    again = record.replay()
    assert again.result() == played.result()
    record.moves[0].move = str(ROLL + 7)
    with pytest.raises(KibitzError, match="Move 1 of the record"):
        record.replay()


def test_a_table_that_does_not_roll_waits_for_what_is_rolled_by_hand() -> None:
    waits = Table(RACE, [], RACE.deal(keys(1), 0, 2, {}), rolls=False)
    assert waits.to_move == generic.CHANCE
    assert not waits.over
    with pytest.raises(KibitzError, match="not a possible roll"):
        waits.make(Decision(STAY))
    waits.make(Decision(ROLL + 2))
    assert waits.to_move == 0


def test_a_table_goes_back_and_on_with_the_same_rolls() -> None:
    played = table()
    played.run()
    for turn in range(len(played.turns)):
        past = played.at_turn(turn, [RUNNER.take_seat(RACE), RUNNER.take_seat(RACE)])
        past.run()
        assert [each.decision for each in past.turns] == [each.decision for each in played.turns]


@at_length
def test_sampled_worlds_roll_dice_of_their_own() -> None:
    played = table()
    rolls = set()
    for stream in range(40):
        imagined = played.sample_world(0, [RUNNER.take_seat(RACE) for _ in range(2)], stream)
        assert imagined.turns[0].decision == played.turns[0].decision  # what was rolled already
        imagined.step()
        rolls.add(imagined.turns[2].decision.move)
    assert len(rolls) == 6


SEARCHES = {
    "single": lambda view, budget: ismcts(fresh_worlds(view), limit_of(budget), 1, Options(SINGLE, RANDOM, 0.7)),
    "many": lambda view, budget: ismcts(fresh_worlds(view), limit_of(budget), 1, Options(MANY, RANDOM, 0.7)),
    "modelled": lambda view, budget: ismcts(fresh_worlds(view), limit_of(budget), 1, Options(MODELLED, MODEL, 0.7)),
}


@at_length
@pytest.mark.parametrize("name", SEARCHES)
def test_search_of_information_sets_takes_moves_of_any_number_and_dice(name: str) -> None:
    """One step from the end, with the right number of eyes, to go wins at once."""
    pair = np.zeros(2, RACE.dtype)
    pair[WORLD] = RACE.deal(keys(1), 0, 2, {})[0]
    pair[WORLD]["rolled"], pair[WORLD]["turn"], pair[WORLD]["places"] = 3, 1, (TRACK - 3, 0)
    pair[WORLD]["history"][0] = ROLL + 3
    pair[WORLD]["turn"] = 1
    generic.observe(pair, 0, False)
    found = SEARCHES[name](pair[SEEN], Budget(400))
    assert found.moves.tolist() == [STAY, GO + 3]
    assert found.visits.sum() == 400
    assert most_visited(found).move == GO + 3 or found.values[1] > found.values[0]
    assert found.values[1] == 1.0
