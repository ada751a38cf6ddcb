"""Games of hanab.live: there and back again without a change, known ones, and why others are refused."""

import contextlib
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core import formats
from kibitz.core.record import Made, Record, nth_game
from kibitz.errors import KibitzError, RecordError
from kibitz.games.hanabi.formats.hanab_live import ADDRESS, FORMATS, NAMES, Action, Card, expanded, shrunk
from kibitz.games.hanabi.game import HANABI
from tests.tables import DEFAULTS, PLAYERS, at, dealt, make, table_of, wander

JSON, LINK = FORMATS
THEIR_RULES = {"lost_game": "zero", "empty_hint": "forbidden", "full_discard": "forbidden"}
EMPTY_HINTS = {**THEIR_RULES, "empty_hint": "allowed"}

# A perfect game of four that was published as a link, and what it says: type, target and value of each action.
PERFECT = (
    "https://hanab.live/replay-json/415bpilhckfaxutkacql-wuvnouykigfdemdmfrhr-sqppwjbnvxgas,03tbeh-ldenwcpaekemedxcsaet-"
    "ebsdlaereafgejkafwwd-e0exxcefe2epfyeefixa-1ce8fsscece4eBfoeu1d-elevf11akae3eG,0,p4v0s9#31"
)
PERFECT_DECK = (
    "r2 b1 y4 g2 y3 r3 g1 y1 r1 w4 w1 b5 g1 r1 r3 b2 g2 w3 w1 w2 g4 g5 w1 w5 g1 "
    "y4 y2 y1 r4 r5 g3 r4 g3 y1 b3 y3 b3 b4 b2 b1 b1 w3 y5 r2 g4 w2 w4 y2 r1 b4"
)
PERFECT_ACTIONS = (
    "3:1:3 0:7 3:3:1 0:13 2:2:4 3:0:2 0:10 0:12 0:3 3:2:4 2:0:3 0:19 0:1 2:3:3 3:0:1 0:17 0:0 1:6 0:9 2:0:1 1:22 2:3:4 "
    "0:26 0:23 3:2:4 0:5 0:28 0:15 1:24 0:4 1:8 3:0:4 3:2:5 0:34 1:18 2:2:3 0:2 0:30 0:37 1:14 0:20 3:3:5 0:11 0:21 "
    "1:27 3:0:5 2:0:1 0:29 0:42"
)


def games(players: int, rules: dict[str, str] = THEIR_RULES, seed: int = 1) -> list[Record]:
    """A game after its first move, in the middle and at its end."""
    table = table_of((), dealt(players, rules=rules, seed=seed))
    for _ in wander(table, random.Random(seed)):
        pass
    whole = Record.of(table, list(NAMES[:players]), rules, None, None)
    return [whole.up_to(1), whole.up_to(len(whole.moves) // 2), whole]


def theirs(record: Record | None = None, **parts: Any) -> dict[str, Any]:
    """A game as their JSON, with some parts of it changed."""
    text = JSON.write(record or games(3)[-1])
    return {**msgspec.json.decode(text), **parts}


def refused(why: str, game: Any) -> None:
    text = game if isinstance(game, str) else msgspec.json.encode(game).decode()
    with pytest.raises(RecordError, match=why):
        nth_game(text.encode(), 0)


# There and back again


@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_goes_there_and_comes_back_the_same(players: int) -> None:
    for seed in range(5):
        for record in games(players, seed=seed):
            for format in FORMATS:
                text = format.write(record)
                assert format.recognises(text)
                assert nth_game(text.encode(), 0) == format.read(text) == record
                assert format.write(format.read(text)) == text


@pytest.mark.parametrize("players", PLAYERS)
def test_hints_that_touch_nothing_go_there_as_their_option(players: int) -> None:
    for record in games(players, EMPTY_HINTS):
        assert theirs(record)["options"] == {"variant": "No Variant", "emptyClues": True}
        assert JSON.read(JSON.write(record)) == record


def test_names_are_kept_in_json_and_not_in_a_link() -> None:
    record = msgspec.structs.replace(games(2)[-1], seats=["Ada <b>", "Żółw"])
    assert JSON.read(JSON.write(record)).seats == ["Ada <b>", "Żółw"]
    assert LINK.read(LINK.write(record)).seats == ["Alice", "Bob"]


def test_a_game_by_other_rules_goes_there_if_its_moves_can_be_made_there() -> None:
    for seed in range(3):
        moves = games(4, seed=seed)[-1].moves
        table = Record(game="hanabi", players=4, seats=list(NAMES[:4]), rules=DEFAULTS, moves=moves,
                       start=HANABI.dump_start(dealt(4, seed=seed)[0]))  # fmt: skip
        again = LINK.read(LINK.write(table))
        assert (again.start, again.moves, again.rules) == (table.start, moves, THEIR_RULES)


def test_who_begins_may_be_said_in_json_but_not_in_a_link() -> None:
    record = JSON.read(msgspec.json.encode(theirs(games(3)[0], actions=[], options={"startingPlayer": 2})).decode())
    table = record.opened()
    assert table.to_move == 2
    make(table, "play 1")
    assert [int(card) for card in table.state["hands"][2]] == [11, 12, 13, 14, 15]
    record = Record.of(table, record.seats, record.rules, None, None)
    assert theirs(record)["options"]["startingPlayer"] == 2
    assert JSON.read(JSON.write(record)) == record
    with pytest.raises(RecordError, match="G3 begins this game, and in a short link the first seat does"):
        LINK.write(record)


def test_a_game_that_was_stopped_there_has_no_result_here() -> None:
    whole = games(2)[-1]
    actions = theirs(whole)["actions"]
    for end in ({"type": 4, "target": 1, "value": 4}, {"type": 5, "target": -1, "value": 10}):
        stopped = JSON.read(msgspec.json.encode(theirs(whole, actions=[*actions[:5], end])).decode())
        assert stopped == whole.up_to(5)
    assert JSON.read(msgspec.json.encode(theirs(whole, actions=[*actions, end])).decode()) == whole


# Known games


def test_a_known_link_is_the_known_game() -> None:
    record = LINK.read(PERFECT)
    assert record.start == {"deck": PERFECT_DECK}
    assert record.seats == ["Alice", "Bob", "Cathy", "Donald"]
    assert record.result == {"score": 25, "lives": 3, "turns": 49}
    parts = ([int(number) for number in action.split(":")] for action in PERFECT_ACTIONS.split())
    assert theirs(record)["actions"] == [
        {"type": type, "target": target, "value": value[0] if value else 0} for type, target, *value in parts
    ]
    assert LINK.write(record) == PERFECT.partition(",p4v0s9")[0]


def test_the_letters_of_a_link() -> None:
    game = expanded("215abcde,00ba,0")
    assert game.players == ["Alice", "Bob"]
    assert game.deck == [Card(0, rank) for rank in range(1, 6)]
    assert game.actions == [Action(0, 0, 0)]
    assert shrunk(game) == "215abcde,00ba,0"
    assert expanded("2-15abcde,00a-a,0,any-seed").actions == [Action(0, 0, None)]
    assert expanded("215ay,23abcd,0").actions == [Action(2, 1, None), Action(2, 3, 0)]


@pytest.mark.parametrize("text", [
    PERFECT, PERFECT.replace("replay-json", "shared-replay-json"), PERFECT.replace("https://", ""),
    PERFECT.replace(",", "%2C"), PERFECT.partition("replay-json/")[2].partition("#")[0], f"  {PERFECT}\n",
    f'"{PERFECT}"',
])  # fmt: skip
def test_a_link_is_read_however_it_is_written(text: str) -> None:
    assert nth_game(text.encode(), 0) == LINK.read(PERFECT)


def test_json_may_say_more_or_less_than_is_read() -> None:
    whole = games(2)[-1]
    game = theirs(whole, id=12345, seed="p2v0s1", notes=[["chop"], []], characters=[])
    del game["options"]
    for action in game["actions"]:
        if action["type"] < 2:
            del action["value"]
    assert JSON.read(msgspec.json.encode(game).decode()) == whole
    clock = {"timed": True, "timeBase": 120, "timePerTurn": 20, "speedrun": True, "deckPlays": False}
    assert JSON.read(msgspec.json.encode(theirs(whole, options=clock)).decode()) == whole


def test_a_file_may_hold_many_games_of_either_kind() -> None:
    records = [games(2, seed=seed)[-1] for seed in range(3)]
    several = [JSON.write(record) for record in records]
    links = [LINK.write(record) for record in records]
    for text in ("\n".join(several), f"[{','.join(several)}]", "\n\n".join(links), msgspec.json.encode(links).decode()):
        assert [nth_game(text.encode(), number) for number in range(3)] == records
        with pytest.raises(RecordError, match="there is no game 3"):
            nth_game(text.encode(), 3)


# Refused on the way in


@pytest.mark.parametrize(("options", "why"), [
    ({"variant": "Rainbow (6 Suits)"}, r"the variant 'Rainbow \(6 Suits\)'; only 'No Variant'"),
    ({"variant": 3}, "the variant 3"),
    ({"deckPlays": True}, "deckPlays.*the last card of the deck may be played unseen"),
    ({"oneExtraCard": True}, "oneExtraCard.*a card more"),
    ({"oneLessCard": True}, "oneLessCard.*a card less"),
    ({"allOrNothing": True}, "allOrNothing"),
    ({"detrimentalCharacters": True}, "detrimentalCharacters"),
    ({"somethingNew": 7}, "somethingNew.*not known here"),
    ({"startingPlayer": 3}, "startingPlayer is 3; 3 players are counted from 0 to 2"),
    ({"startingPlayer": "Bob"}, "startingPlayer is 'Bob'"),
])  # fmt: skip
def test_other_variants_and_options_are_refused_by_name(options: dict[str, Any], why: str) -> None:
    refused(why, theirs(options=options))


@pytest.mark.parametrize(("action", "why"), [
    ({"type": 0, "target": 7}, "Action 1 cannot be made: it names card 7 of the deck, and player 0 holds 0, 1, 2,"),
    ({"type": 0, "target": -1}, "names card -1"),
    ({"type": 0, "target": 0, "value": 2}, "a play or a discard has no value, and this one has 2"),
    ({"type": 1, "target": 0}, "all 8 tokens are there"),
    ({"type": 2, "target": 0, "value": 1}, "a hint goes to another player"),
    ({"type": 2, "target": 3, "value": 1}, "clue to player 3, and players are 0 to 2"),
    ({"type": 2, "target": 1, "value": 5}, "colour clue with the value 5, and those are 0 to 4"),
    ({"type": 3, "target": 1, "value": 0}, "rank clue with the value 0, and those are 1 to 5"),
    ({"type": 3, "target": 1}, "rank clue with the value None"),
    ({"type": 9, "target": 1}, "its type is 9, and types are 0 to 5"),
    ({"type": 10**30, "target": 1}, "its type is 10"),
    ({"type": 0, "target": 1.5}, "Expected `int`, got `float`"),
    ({"type": "play", "target": 1}, "Expected `int`, got `str`"),
    ({"target": 1}, "missing required field `type`"),
    (7, "Expected `object`, got `int`"),
])  # fmt: skip
def test_an_action_that_cannot_be_made_is_refused_with_its_number_and_why(action: Any, why: str) -> None:
    refused(why, theirs(actions=[action]))


def test_a_clue_that_touches_nothing_is_refused_unless_they_were_allowed() -> None:
    deck = theirs()["deck"]
    missing = next(suit for suit in range(5) if all(card["suitIndex"] != suit for card in deck[5:10]))
    actions = [{"type": 2, "target": 1, "value": missing}]
    refused("Action 1 cannot be made.*touches nothing", theirs(actions=actions))
    allowed = theirs(actions=actions, options={"emptyClues": True})
    record = JSON.read(msgspec.json.encode(allowed).decode())
    assert record.rules == EMPTY_HINTS
    with pytest.raises(RecordError, match="a hint touches no card, and a short link cannot say"):
        LINK.write(record)


def test_actions_after_the_end_are_refused() -> None:
    actions = theirs()["actions"]
    refused(
        f"over after {len(actions)} actions, but action {len(actions) + 1} follows",
        theirs(actions=[*actions, actions[-1]]),
    )
    refused("Action 1 ends the game, but 2 more follow", theirs(actions=[{"type": 4, "target": 0}, *actions[:2]]))


def test_another_deck_is_refused_with_the_cards() -> None:
    deck = theirs()["deck"]
    red, purple = deck.index({"suitIndex": 0, "rank": 5}), deck.index({"suitIndex": 4, "rank": 5})
    refused("1 missing red 5", theirs(deck=deck[:red] + deck[red + 1 :]))
    two = [*deck[:purple], deck[red], *deck[purple + 1 :]]
    refused("1 too many red 5, 1 missing white 5. White stands for hanab.live's purple", theirs(deck=two))
    refused("Card 0 of the deck has suitIndex 5 and rank 1", theirs(deck=[{"suitIndex": 5, "rank": 1}, *deck[1:]]))
    refused("Card 1 of the deck has suitIndex 0 and rank 7", theirs(deck=[deck[0], {"suitIndex": 0, "rank": 7}]))
    refused("missing required field `deck`", {key: part for key, part in theirs().items() if key != "deck"})


def test_a_game_of_one_or_of_six_is_refused() -> None:
    refused("The game has 6 players; Hanabi is for 2 to 5 here", theirs(players=list("abcdef")))
    refused("The game has 1 players", theirs(players=["a"]))
    refused("Expected `str`", theirs(players=[1, 2]))


@pytest.mark.parametrize(("link", "why"), [
    (PERFECT.replace("415b", "615b"), "6 players"),
    (PERFECT.replace("415b", "425b"), "ranks 2 to 5"),
    (PERFECT.replace("415b", "4x5b"), "begins with '4x5', and not with 3 digits"),
    (PERFECT.replace(",0,p4v0s9", ",16"), "variant number 16; only number 0"),
    (PERFECT.partition(",0,p4v")[0], "2 of the three parts"),
    (PERFECT.replace(",0,p4v", "e,0,p4v"), "ends in the middle of an action"),
    (PERFECT.replace("03tbeh", "30tbeh"), "types 3 to 0"),
    (PERFECT.replace("03tbeh", "03t_eh"), "has '_' in it"),
    (PERFECT.replace("bpil", "Zpil"), "suitIndex 12 and rank 2"),
    ("https://hanab.live/replay/123", "only names game 123 of hanab.live.*https://hanab.live/export/123"),
    ("https://hanab.live/lobby", "does not hold a game; one that does begins with https://hanab.live/replay-json/"),
])  # fmt: skip
def test_a_link_that_is_no_standard_game_is_refused_with_the_reason(link: str, why: str) -> None:
    refused(why, link)


def test_what_is_in_no_format_is_refused_with_the_known_formats() -> None:
    refused(
        "This is not a record of a game: .* Other formats that can be read: .*hanab.live JSON, hanab.live link", "hello"
    )


# Refused on the way out


def test_a_discard_with_all_tokens_there_is_refused_with_the_turn() -> None:
    table = table_of((), dealt(2))
    make(table, "play 1", "discard 2")
    record = Record.of(table, ["a", "b"], DEFAULTS, None, None)
    for format in FORMATS:
        with pytest.raises(
            RecordError, match=r"Move 2 is a discard with all 8 tokens there, which hanab\.live forbids"
        ):
            format.write(record)
        assert format.read(format.write(record.up_to(1))).moves == [Made("play 1")]


def test_a_position_and_a_game_without_moves_are_refused() -> None:
    position = at("r1 r2 r3 r4 r5", "y1 y2 y3 y4 y5", piles={"green": 1})
    make(position, "play 1")
    for table, why in ((position, "begins with a position"), (table_of((), dealt(2)), "no moves yet")):
        with pytest.raises(RecordError, match=why):
            JSON.write(Record.of(table, ["a", "b"], DEFAULTS, None, None))


def test_a_format_that_is_not_there_is_refused_with_those_that_are() -> None:
    record = games(2)[-1]
    assert nth_game(record.written().encode(), 0) == record
    assert record.written("hanab.live-link").startswith(ADDRESS)
    with pytest.raises(
        KibitzError, match=r"no format called 'hanab'. Did you mean hanab.live.*kibitz or hanab.live or"
    ):
        record.written("hanab")


# Whatever comes in

WHOLE = theirs(games(2)[-1])
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["type", "target", "value", "rank"]), inner)
    ),
    max_leaves=8,
)
NUMBERS = st.integers(-2, 60) | st.integers()
ACTIONS = st.fixed_dictionaries(
    {"type": st.integers(-1, 6), "target": NUMBERS}, optional={"value": NUMBERS | st.none()}
)


def survives(text: str) -> None:
    """A text is a game, or refused with a reason; nothing else happens."""
    with contextlib.suppress(RecordError):
        nth_game(text.encode(errors="surrogatepass"), 0).replay()


@given(st.sampled_from(sorted(WHOLE)), ANY_JSON)
def test_any_part_may_be_anything(part: str, value: Any) -> None:
    survives(msgspec.json.encode({**WHOLE, part: value}).decode())


@given(st.integers(0, 30), st.lists(ACTIONS, max_size=4))
def test_a_game_may_go_on_in_any_way(kept: int, actions: list[dict[str, Any]]) -> None:
    survives(msgspec.json.encode({**WHOLE, "actions": WHOLE["actions"][:kept] + actions}).decode())


@given(st.integers(0, len(PERFECT)), st.integers(0, 6), st.text(max_size=4) | st.text("0123,-aZ%#/", max_size=4))
def test_a_link_may_be_damaged_in_any_way(place: int, lost: int, put: str) -> None:
    survives(PERFECT[:place] + put + PERFECT[place + lost :])


@given(st.text() | st.binary().map(lambda raw: raw.decode(errors="replace")))
def test_any_text_may_come(text: str) -> None:
    survives(text)
    survives(f"https://hanab.live/replay-json/{text}")


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"players":' * 50_000, '{"players":[],"deck":' + "[" * 50_000, '"\\ud800"']
)
def test_texts_that_a_reader_could_choke_on_are_refused(text: str) -> None:
    refused("This is not a", text)


def test_a_game_brings_the_formats_of_its_own_programs() -> None:
    assert [format.name for format in HANABI.formats] == ["hanab.live", "hanab.live-link"]
    assert {"hanab.live", "hanab.live-link"} <= {format.name for format in formats.every()}
