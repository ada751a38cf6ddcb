"""What a compiled agent declares: memories, public knowledge, weights, budgets and models of any size, at one table."""

import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kibitz.arena.match import Match, play_compiled
from kibitz.core.agent import CompiledAgent, seats_of
from kibitz.core.table import Table
from kibitz.core.weights import Weights
from kibitz.engine import generic
from kibitz.engine.compile import struct_dtype
from kibitz.engine.loop import SEEN, WORLD, decision, notify_observers, play_out
from kibitz.engine.seat import Budget, decide_at, seat_models
from kibitz.errors import AgentError, KibitzError
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.trustful import trustful
from kibitz.games.hanabi.env.batched import BatchedHanabi
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.rules import score
from kibitz.search.worlds import room
from tests.tables import PLAYERS, dealt

REASONS = ("because",)
GAMES = 20

# Memories and weights of very different sizes. Each agent discards by what it has, so that a wrong one shows.

BELIEF = struct_dtype([("turns", np.int64), ("chances", np.float64, (40, 50)), ("last", np.int8)])
COUNT = struct_dtype([("turns", np.int16)])


def note_belief(view: Any, memory: Any) -> None:
    memory.turns += 1
    memory.chances[view.turn % 40, 49] += 1.0
    memory.last = view.turn


@agent(reasons=REASONS, origin="a test", observe=note_belief, memory=BELIEF)
def believer(view: Any, memory: Any) -> int:
    """Has a large memory."""
    total = 0.0
    for turn in range(40):
        total += memory.chances[turn, 49]
    return decision(5 + int(total + memory.turns + memory.last) % view.held[view.seat], 0)


def note_count(view: Any, memory: Any) -> None:
    memory.turns += 1


@agent(reasons=REASONS, origin="a test", observe=note_count, memory=COUNT)
def counter(view: Any, memory: Any) -> int:
    """Has a small memory."""
    return decision(5 + memory.turns % view.held[view.seat], 0)


@agent(reasons=REASONS, origin="a test", memory=COUNT)
def solitary(view: Any, memory: Any) -> int:
    """Plays a card by the number of its own turns, and observes nothing."""
    memory.turns += 1
    return decision(memory.turns % view.held[view.seat], 0)


def network_of(size: int) -> CompiledAgent:
    numbers = np.arange(size) % 7
    return network.with_weights(Weights(numbers))


@agent(reasons=REASONS, origin="a test")
def network(view: Any, weights: Any) -> int:
    """Has as many weights as it is given."""
    total = 0.0
    for place in range(weights.shape[0]):
        total += weights[place]
    return decision(5 + int(total + view.turn) % view.held[view.seat], 0)


@agent(reasons=REASONS, origin="a test")
def plain(view: Any) -> int:
    """Asks for nothing but the view."""
    return decision(5 + view.turn % view.held[view.seat], 0)


@agent(reasons=REASONS, origin="a test", searches=True, budget=Budget(3), weights=(5.0,))
def thoughtful(view: Any, budget: Budget, weights: Any) -> int:
    """Has a budget beside its weights."""
    return decision(5 + (budget.iterations + budget.milliseconds + int(weights[0])) % view.held[view.seat], 0)


MIX = (believer, network_of(50_000), counter, plain, thoughtful)


@pytest.mark.parametrize("players", PLAYERS)
def test_agents_of_every_size_mix_at_a_table_and_play_as_they_do_in_python(players: int) -> None:
    for first in range(len(MIX)):
        agents = [MIX[(first + seat) % len(MIX)] for seat in range(players)]
        played = play_compiled(Match.of(HANABI, agents, GAMES, seed=4), 0, range(GAMES))
        assert not played.failure
        for number in range(3):
            table = Table(HANABI, [each.take_seat(HANABI) for each in agents], dealt(players, seed=4, number=number))
            assert list(table.run().values()) == played.results[number].tolist()


@pytest.mark.parametrize("same_start", [False, True])
def test_the_memory_of_an_agent_that_does_not_observe_is_zeros_when_a_game_begins(same_start: bool) -> None:
    match = Match.of(HANABI, [solitary] * 2, 4, seed=3)
    match.__dict__["start_array"] = dealt(2, seed=3) if same_start else None

    def decisions(games: range) -> Any:
        return play_compiled(match, 0, games, keeps=True).decisions.tolist()

    assert decisions(range(4)) == [decisions(range(game, game + 1))[0] for game in range(4)]


def test_the_memory_of_an_agent_that_does_not_observe_is_zeros_in_every_continuation() -> None:
    table, agents = Table(HANABI, [], dealt(2, seed=3)), [solitary] * 2
    together = table.continuations(0, agents, np.arange(20)).tolist()
    assert together == [table.continuations(0, agents, np.array([stream]))[0].tolist() for stream in range(20)]


def test_a_partner_in_an_environment_that_does_not_observe_remembers_its_own_table_only() -> None:
    rules = HANABI.check_rules({})
    environment = BatchedHanabi(9, partners={1: solitary}, seed=3, rules=rules, observe=False)
    scores = environment.play(lambda batch: environment.advise(plain))
    match = Match.of(HANABI, [plain, solitary], 9, seed=3, rules=rules)
    assert scores.tolist() == HANABI.scores(play_compiled(match, 0, range(9)).results)[0].tolist()


def test_another_mix_compiles_nothing() -> None:
    from kibitz.engine.loop import play_games

    play_compiled(Match.of(HANABI, [plain, plain], 1, seed=0), 0, range(1))
    if not hasattr(play_games, "signatures"):
        pytest.skip("interpreted")
    before = len(play_games.signatures)
    for agents in ([believer, network_of(3)], [network_of(9_000), counter], [thoughtful, believer]):
        play_compiled(Match.of(HANABI, agents, 1, seed=0), 0, range(1))
    assert len(play_games.signatures) == before


def test_a_table_of_agents_without_memories_has_no_room_for_any() -> None:
    seats = seats_of(HANABI, [plain, network_of(10)])
    assert (seats.remembers, seats.watches) == (0, 0)
    assert len(seats.room) < len(seats_of(HANABI, [believer, plain]).room) // 50


def test_agents_with_the_same_weights_share_them() -> None:
    one = network_of(1000)
    assert len(seats_of(HANABI, [one] * 4).weights) < 2000


def test_weights_may_differ_by_the_number_of_players() -> None:
    weights = Weights((0.0,), by_players={3: (1.0,)})
    differing = network.with_weights(weights)
    for players, same_as in ((2, 0.0), (3, 1.0), (4, 0.0)):
        fixed = network.with_weights(Weights((same_as,)))
        one, other = (
            play_compiled(Match.of(HANABI, [each] * players, 3, seed=1), 0, range(3), keeps=True).decisions.tolist()
            for each in (differing, fixed)
        )
        assert one == other


# Public knowledge


SEEN_CARDS = struct_dtype([("looks", np.int64), ("open_cards", np.int64)])


def count_open_cards(view: Any, public: Any) -> None:
    """Of all hands, how many cards can be seen: to an onlooker, none."""
    public.looks += 1
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            public.open_cards += int(view.deck[view.hands[seat][slot]] >= 0)


@agent(reasons=REASONS, origin="a test", watch=count_open_cards, public=SEEN_CARDS)
def watcher(view: Any, public: Any) -> int:
    """Plays by public knowledge alone; it would play a card of a number that it does not have if it had seen any."""
    return decision(5 + (public.looks % view.held[view.seat] if public.open_cards == 0 else 44), 0)


def test_public_knowledge_is_made_from_what_an_onlooker_sees() -> None:
    played = play_compiled(Match.of(HANABI, [watcher] * 4, GAMES, seed=2), 0, range(GAMES))
    assert (len(played.results), played.failure) == (GAMES, "")


def test_public_knowledge_is_kept_once_for_all_seats_that_watch_alike() -> None:
    seats = seats_of(HANABI, [watcher, trustful, watcher, trustful])
    assert seats.watches == 0b0011
    assert seats.seats[0]["public"] == seats.seats[2]["public"] != seats.seats[1]["public"] == seats.seats[3]["public"]
    pair = np.zeros(2, HANABI.dtype)
    pair[WORLD] = dealt(4)[0]
    notify_observers(pair, seats)
    assert seats.room[(int(seats.seats[0]["public"]) - seats.room.ctypes.data) // 8] == 1  # one look for two seats


@pytest.mark.parametrize("changed", range(3))
def test_worlds_that_look_the_same_to_an_onlooker_make_the_same_public_knowledge(changed: int) -> None:
    """Whatever the cards are, as long as the same moves can be made with them."""
    known: set[bytes] = set()
    for number in range(5):
        table = Table(HANABI, [watcher.take_seat(HANABI) for _ in range(3)], dealt(3, number=number))
        for _ in range(changed):
            table.step()
        known.update(bytes(player.known("public").tobytes()) for player in table.players)  # type: ignore[attr-defined]
    assert len(known) == 1


# Models: agents to think with


@agent(reasons=REASONS, origin="a test")
def leader(view: Any, models: Any) -> int:
    """Does what its model does."""
    seats = seat_models(models, np.zeros(1, np.int64))
    return decide_at(seats.seats[0].decide, view, seats.seats[0])


@agent(reasons=REASONS, origin="a test")
def dreamer(view: Any, models: Any) -> int:
    """Plays a sampled world to its end with its models, by turns in the seats, and discards by the score."""
    which = np.arange(view.players) % models.shape[0]
    pair, log = room(view, 2), np.zeros(100, np.int64)
    pair[SEEN] = view
    generic.sample_world(pair, view.dice)
    ended = play_out(pair, seat_models(models, which), log)
    return decision(5 + (score(pair[WORLD]) - ended) % view.held[view.seat], 0)


def decisions(agents: list[CompiledAgent], games: int = 5) -> Any:
    return play_compiled(Match.of(HANABI, agents, games, seed=3), 0, range(games), keeps=True).decisions.tolist()


@pytest.mark.parametrize(
    "model", [plain, network_of(12), thoughtful, leader.with_models([plain])], ids=lambda each: each.name
)
def test_an_agent_thinks_with_the_model_that_it_is_handed(model: CompiledAgent) -> None:
    assert decisions([leader.with_models([model])] * 3) == decisions([model] * 3)


def test_an_agent_plays_worlds_to_their_end_with_its_models() -> None:
    models = [trustful, network_of(2000), believer]
    agents = [dreamer.with_models(models[seat:]) for seat in range(2)]
    played = play_compiled(Match.of(HANABI, agents, 3, seed=3), 0, range(3))
    assert not played.failure
    for number in range(3):
        table = Table(HANABI, [each.take_seat(HANABI) for each in agents], dealt(2, seed=3, number=number))
        assert list(table.run().values()) == played.results[number].tolist()


# What is declared wrongly


def note_too_far(view: Any, memory: Any) -> None:
    memory.notes[view.turn % 3 + 4] = 1


FOUR = struct_dtype([("notes", np.int64, 4)])


@agent(reasons=REASONS, origin="a test", observe=note_too_far, memory=FOUR)
def careless(view: Any, memory: Any) -> int:
    """Writes where its memory has ended."""
    return decision(5, 0)


@pytest.mark.machine_code
def test_who_writes_past_its_memory_is_named() -> None:
    with pytest.raises(AgentError, match="careless wrote past the end of its memory"):
        play_compiled(Match.of(HANABI, [careless, plain], 1, seed=0), 0, range(1))


def test_an_unknown_argument_is_refused() -> None:
    @agent(reasons=REASONS, origin="a test")
    def curious(view: Any, deck: Any) -> int:
        return decision(5, 0)

    with pytest.raises(KibitzError, match=r"has an argument 'deck'\. It gets the view first, then any of memory"):
        curious.take_seat(HANABI)


def test_a_memory_argument_without_a_declared_struct_is_refused() -> None:
    @agent(reasons=REASONS, origin="a test")
    def forgetful(view: Any, memory: Any) -> int:
        return decision(5, 0)

    with pytest.raises(KibitzError, match="has an argument 'memory', but its agent declares no memory struct"):
        forgetful.take_seat(HANABI)


def test_an_agent_says_what_it_needs_of_a_game() -> None:
    picky = replace(plain, needs=("payoff", "chance_moves"))
    with pytest.raises(KibitzError, match="plain cannot play Hanabi: this game does not implement chance_moves"):
        picky.take_seat(HANABI)


def test_many_candidates_leave_no_weights_behind() -> None:
    """A learner tries thousands of agents of 50,000 weights; none of them is kept."""
    play_compiled(Match.of(HANABI, [network_of(50_000)] * 2, 1, seed=0), 0, range(1))
    tracemalloc.start()
    for _ in range(30):
        play_compiled(Match.of(HANABI, [network_of(50_000)] * 2, 1, seed=0), 0, range(1))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 4_000_000  # one candidate has 400 kB
