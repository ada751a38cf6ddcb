"""Moves as people write them, both ways, and games as records."""

import msgspec
import pytest

from kibitz.core.record import Record, parse
from kibitz.errors import KibitzError, RecordError
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.moves import ALL_MOVES, Move, play
from tests.games.loveletter.tables import AGENTS, GAME, PLAYERS, at, dealt, make, table_of


@pytest.mark.parametrize("move", ALL_MOVES, ids=str)
def test_every_move_is_read_as_it_is_written(move: Move) -> None:
    assert play(move.card, move.target, move.named) == move
    table = at("guard", "guard", "guard", "guard", draws="priest")
    with pytest.raises(KibitzError) if move not in LOVE_LETTER.view(table.state).legal else _nothing():
        assert LOVE_LETTER.move(str(move), table.state) == move


def _nothing() -> "Quiet":
    return Quiet()


class Quiet:
    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ("guard g2 priest", "Guard G2 Priest"), ("Guard on G3, naming Baron", "Guard G3 Baron"),
        ("1 g2 8", "Guard G2 Princess"),
        ("g1 guard g4 king", "Guard G4 King"), ("gua g2 princess", "Guard G2 Princess"), ("prince me", "Prince G1"),
        ("prince g2", "Prince G2"), ("5 myself", "Prince G1"),
    ],
)  # fmt: skip
def test_people_may_write_it_in_their_own_way(words: str, means: str) -> None:
    table = at("guard", "handmaid", "guard", "guard", draws="prince")
    assert LOVE_LETTER.move_text(LOVE_LETTER.move(words, table.state)) == means


def test_what_only_one_move_can_mean_may_be_left_out() -> None:
    table = at("guard", "guard", draws="baron")
    assert LOVE_LETTER.move_text(LOVE_LETTER.move("baron", table.state)) == "Baron G2"
    assert LOVE_LETTER.move_text(LOVE_LETTER.move("guard priest", table.state)) == "Guard G2 Priest"


@pytest.mark.parametrize(
    ("words", "helps"),
    [
        ("", "is not a move"), ("pri", "is not a move"), ("²", "is not a move"), ("9" * 5000, "is not a move"),
        ("knight g2", "is not a move"), ("guard", "Say the target"), ("guard g2", "Say which card it names"),
        ("guard g2 guard", "cannot name a Guard"), ("guard g1 priest", "only a Prince"), ("priest g9", "neither"),
        ("king g2", "the hand is Guard and Priest"), ("guard g4 priest", "there are only 3 players"),
    ],
)  # fmt: skip
def test_what_is_no_move_says_what_to_write(words: str, helps: str) -> None:
    table = at("guard", "guard", "guard", draws="priest")
    with pytest.raises(KibitzError, match=helps):
        LOVE_LETTER.move(words, table.state)


def test_when_everybody_is_protected_the_card_is_written_alone() -> None:
    table = at("handmaid", "guard", draws="guard baron guard")
    make(table, "Handmaid")
    with pytest.raises(KibitzError, match="Write only Baron"):
        LOVE_LETTER.move("baron g1", table.state)
    assert LOVE_LETTER.move_text(LOVE_LETTER.move("baron", table.state)) == "Baron"


def test_the_countess_must_be_played_and_it_is_said() -> None:
    table = at("countess", "guard", draws="king")
    with pytest.raises(KibitzError, match="the Countess must be played"):
        LOVE_LETTER.move("king g2", table.state)


@pytest.mark.parametrize("players", PLAYERS)
def test_a_recorded_game_replays_to_the_same_end(players: int) -> None:
    agents = [agent for agent in AGENTS if not agent.traits.searches][:players]
    table = table_of(agents, dealt(players, rules=GAME, seed=3))
    table.run()
    record = Record.of(table, [agent.name for agent in agents], GAME, 3, 0)
    again = parse(record.dump()).replay()
    assert again.result() == table.result()
    assert [turn.decision for turn in again.turns] == [turn.decision for turn in table.turns]


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda start: start["deck"].pop(), "the 16 cards"),
        (lambda start: start["deck"].__setitem__(0, "Joker"), "the 16 cards"),
        (lambda start: start.pop("later"), "cannot be read"),
        (lambda start: start.__setitem__("later", -1), "from 0 to"),
    ],
)
def test_a_damaged_record_is_refused_with_the_reason(damage: object, why: str) -> None:
    table = at("guard", "priest")
    record = Record.of(table, ["a", "b"], GAME, None, None)
    start = msgspec.json.decode(msgspec.json.encode(record.start))
    damage(start)  # type: ignore[operator]
    record.start = start
    with pytest.raises(RecordError, match=why):
        record.opened()
