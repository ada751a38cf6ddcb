"""Reviews: they rest on what the seat could know, and skill and luck add up to the result."""

import math
from typing import Any

import msgspec
import pytest

import kibitz
from kibitz.coach.positions import played
from kibitz.coach.review import Review, Reviewing, TurnReview
from kibitz.coach.verdicts import THRESHOLDS, Verdict, accuracy_of, verdict_of
from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.coaching import Evaluation, Worth
from kibitz.core.record import Made, Record
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.errors import KibitzError, RecordError

PLAYOUTS = 16
HANABI, LOVE_LETTER = registry.game("hanabi"), registry.game("loveletter")


def game_of(name: str, agents: list[str], seed: int, **rules: str) -> Record:
    return kibitz.table(name, agents, seed=seed, rules=rules or None).run().record


def reviewed(record: Record, seat: int = 0, jobs: int = 1, playouts: int = PLAYOUTS) -> Review:
    work = Reviewing(record, seat=seat, jobs=jobs, playouts=playouts)
    for _ in work:
        pass
    return work.review()


def said(turn: TurnReview) -> Any:
    """Everything about a decision except what happened after it."""
    return turn.turn, turn.move, turn.best, turn.verdict, turn.kind, turn.text, turn.convention, turn.evaluation


def in_another_world(record: Record, seat: int, turn: int, stream: int) -> Record:
    """The game up to a turn of a seat, with other cards wherever this seat could not see them before it moved."""
    table = record.up_to(turn - 1).replay()
    other = table.sample_world(seat, [], stream)
    if other.allows(move := played(record).positions[turn - 1].move):
        other.make(Decision(move))
    return Record.of(other, record.seats, record.rules, None, None)


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("hanabi", ["trustful", "trustful", "Bob"]),
        ("hanabi", ["signal", "signal", "signal"]),
        ("hanabi", ["Ann", "Bob"]),
        ("loveletter", ["greedy", "counting", "greedy"]),
    ],
)
def test_a_verdict_does_not_depend_on_what_could_not_be_known(game: str, agents: list[str]) -> None:
    record = game_of(game, ["trustful" if name in ("Ann", "Bob") else name for name in agents], seed=5)
    record.seats = agents
    positions = played(record).positions
    last = 2 * len(positions) // 3
    for stream, position in enumerate((positions[min(11, last // 2)], positions[min(24, last)])):
        one = record.up_to(position.turn)
        other = in_another_world(record, position.seat, position.turn, stream)
        assert one.start != other.start
        here, there = (reviewed(each, position.seat).turns for each in (one, other))
        assert list(map(said, here)) == list(map(said, there))


def test_later_moves_do_not_change_a_verdict() -> None:
    record = game_of("hanabi", ["trustful", "piers"], seed=3)
    whole, half = (reviewed(each).all_turns for each in (record, record.up_to(20)))
    assert len(half) == 20
    assert list(map(said, whole[:20])) == list(map(said, half))


@pytest.mark.parametrize(
    "record",
    [
        game_of("hanabi", ["trustful", "piers", "trustful"], seed=1),
        game_of("hanabi", ["random_legal", "piers"], seed=2, lost_game="zero"),
        game_of("loveletter", ["greedy", "counting"], seed=4, unit="game"),
    ],
    ids=["hanabi", "a lost game", "rounds"],
)
def test_losses_and_luck_add_up_to_the_result(record: Record) -> None:
    review = reviewed(record)
    result = review.result
    assert result is not None
    lost = math.fsum(turn.loss for turn in review.counted)
    assert result == pytest.approx(review.start + review.opportunities - lost + review.luck)
    assert all(turn.loss >= 0.0 for turn in review.all_turns)
    if record.game == "hanabi":
        assert record.result is not None
        assert result == record.result["score"]
        assert lost == pytest.approx(review.lost + review.partners_lost)


def test_the_number_of_threads_does_not_change_a_review() -> None:
    record = game_of("hanabi", ["trustful", "piers", "trustful"], seed=1)
    one, three = (reviewed(record, 1, jobs) for jobs in (1, 3))
    assert one.as_json() == three.as_json()


def test_a_review_comes_turn_by_turn() -> None:
    record = game_of("loveletter", ["greedy", "counting"], seed=4)
    work = Reviewing(record, playouts=PLAYOUTS)
    first = next(iter(work))
    assert first.turn in {position.turn for position in work.played.positions}
    assert len(work.review().all_turns) == 1


def test_a_card_that_could_be_known_as_the_last_one_is_named() -> None:
    """G2 hints its fives to G1, who discards one of them."""
    for number in range(20):
        start = HANABI.deal(seeds.keys(1), number, 2, HANABI.check_rules({}))
        table = Table(HANABI, [], start)
        view = HANABI.view(table.open_state())
        fives = [card for card in view.hands[0] if card.kind and card.kind.rank == 5]
        if len(fives) == 1:
            break
    slot = fives[0].slot
    for text in (str(view.legal[-1]), "hint 5 to G1", f"discard {slot + 1}"):
        table.make(Decision(HANABI.move(text, table.state)))
    record = Record.of(table, ["Ann", "iggi"], HANABI.check_rules({}), None, None)
    review = reviewed(record, playouts=800)
    wrong = review.turns[-1]
    assert wrong.kind == "last copy"
    assert "card could be 5 kinds, and all were the last of its kind" in wrong.text
    assert review.problems == ("The game is not finished, so the review ends with its last move.",)


def test_a_princess_thrown_away_is_named() -> None:
    for number in range(100):
        start = LOVE_LETTER.deal(seeds.keys(1), number, 2, LOVE_LETTER.check_rules({"unit": "round"}))
        table = Table(LOVE_LETTER, [], start)
        if "Princess" in map(str, LOVE_LETTER.view(table.view(0)).hand):
            break
    table.make(Decision(LOVE_LETTER.move("Princess", table.state)))
    wrong = reviewed(Record.of(table, ["Ann", "Bob"], LOVE_LETTER.check_rules({"unit": "round"}), None, None)).turns[0]
    assert (wrong.kind, wrong.verdict) == ("princess", Verdict.BLUNDER)


# Verdicts


def evaluation(loss: float, error: float, margin: float = 0.0, margin_error: float = math.inf) -> Evaluation:
    worths = (Worth(1, 20.0, 0.1, 9), Worth(2, 20.0 - loss, 0.1, 9))
    return Evaluation(worths, 2 if loss else 1, 1, loss, error, margin, margin_error)


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (evaluation(0.7, 0.05), Verdict.MISTAKE),
        (evaluation(0.7, 0.2), Verdict.INACCURACY),
        (evaluation(0.7, 0.5), Verdict.GOOD),
        (evaluation(2.0, 0.1), Verdict.BLUNDER),
        (evaluation(0.0, 0.1, 0.9, 0.1), Verdict.EXCELLENT),
        (evaluation(0.0, 0.1, 2.0, 0.1), Verdict.ONLY_MOVE),
        (evaluation(0.0, 0.1, 2.0, 1.0), Verdict.GOOD),
    ],
)
def test_a_verdict_needs_the_whole_interval(found: Evaluation, verdict: Verdict) -> None:
    assert verdict_of(found, "points") == verdict


@pytest.mark.parametrize("unit", THRESHOLDS)
def test_accuracy_falls_with_every_loss(unit: str) -> None:
    values = [accuracy_of(lost, 20, unit) for lost in (0.0, 0.1, 1.0, 5.0, 30.0)]
    assert values[0] == 100.0
    assert values == sorted(set(values), reverse=True)


# Other games, and records that cannot be reviewed in full


def test_a_game_without_a_coach_is_reviewed_by_its_search() -> None:
    record = game_of("tictactoe", ["random", "random"], seed=3)
    review = reviewed(record, 1)
    assert review.unit == "search points"
    assert [turn.seat for turn in review.turns] == [1] * len(review.turns)


def test_what_cannot_be_reviewed_is_said_in_a_sentence() -> None:
    record = game_of("hanabi", ["trustful", "piers"], seed=3)
    with pytest.raises(RecordError, match=r"There is no seat 3: the game has seats 1 to 2\."):
        reviewed(record, 2)
    broken = msgspec.structs.replace(record, moves=[*record.moves[:6], Made("hint 9 to G7")], result=None)
    review = reviewed(broken)
    assert len(review.all_turns) == 6
    assert "Move 7 of the record" in review.problems[0]
    with pytest.raises(KibitzError, match="no agent that estimates"):
        reviewed(game_of("coins", ["greedy", "greedy"], seed=1))
