"""Reasons during the game tell a reader only what they could have worked out themselves."""

import random
from itertools import islice

import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.games.hanabi.game import HANABI
from kibitz.games.kriegspiel.game import KRIEGSPIEL
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.server.live.public_explanations import Question, can_be_explained, dice_of, question, shared_reason
from tests.wall import another

QUICK = [
    (game, agent)
    for game in (HANABI, LOVE_LETTER, registry.game("bridge"))
    for agent in registry.agents(game)
    if can_be_explained(agent) and isinstance(agent, CompiledAgent)
]


def dealt(game: Game, players: int, seed: int, **rules: str) -> Table:
    return Table(game, [], game.deal(keys(seed), 0, players, game.check_rules({**game.table_rules, **rules})))


def explained(game: Game, agent: CompiledAgent, question: Question) -> str | None:
    reader, past = question.reader, islice(question.after.from_the_start(), 1, None)
    learned = sum(each.learns(reader) for each in past)  # turns, as the reader counts them
    return shared_reason(game, agent, question, dice_of("table", learned, reader))


def asked(before: Table, move: int, reader: int) -> Question:
    """A question about a move that was made there."""
    after = before.copy()
    after.make_legal(Decision(move))
    return question(after, len(after.turns), reader)


@pytest.mark.parametrize(("game", "agent"), QUICK, ids=lambda each: each.name)
def test_what_is_explained_does_not_depend_on_what_the_reader_does_not_see(game: Game, agent: CompiledAgent) -> None:
    """Also where the bot's own reason does: in the other world it may have decided on something else."""
    table = dealt(game, 3 if 3 in game.players else game.usual_players, 5)
    while not table.over and len(table.turns) < (8 if game.name != "bridge" else 16):
        past = table.copy()
        seat = past.to_move
        player = agent.take_seat(game)
        if player.remembers:
            for each in past.from_the_start():
                player.observe(each.seen(seat, agent.traits.cheats))
        decision = player.decide(past.seen(seat, agent.traits.cheats))
        table.make(decision)
        if seat != 0:
            turn = len(table.turns)
            answers = {explained(game, agent, question(each, turn, 0)) for each in (table, another(table, 0, turn))}
            assert len(answers) == 1


def look_alikes(past: Table, move: int, reader: int) -> list[tuple[Table, int]]:
    """Other positions and moves after which the reader sees the same: hidden moves in this world, and other worlds."""
    seen = before_and_after(past, move, reader)
    found = [(past, other) for other in past.game.legal(past.state)]
    for stream in range(2):
        world = past.sample_world(reader, [], stream)
        found += [(world, other) for other in world.game.legal(world.state)]
    return [each for each in found if before_and_after(*each, reader) == seen]


def before_and_after(past: Table, move: int, reader: int) -> tuple[bytes, bytes]:
    after = past.copy()
    after.make_legal(Decision(move))
    return past.view(reader).tobytes(), after.view(reader).tobytes()


@pytest.mark.parametrize("umpire", ["club", "lecture"])
def test_in_kriegspiel_a_hidden_move_changes_no_explanation(umpire: str) -> None:
    """No reason reveals the move that was made, nor does the presence of one."""
    agent = registry.agent(KRIEGSPIEL, "heuristic")
    assert isinstance(agent, CompiledAgent)
    reasons: list[str | None] = []
    hidden, dice = 0, random.Random(1)
    table = dealt(KRIEGSPIEL, 2, 6, umpire=umpire)
    while len(table.turns) < 20:
        past, player = table.copy(), agent.take_seat(KRIEGSPIEL)
        decision = player.decide(past.view(past.to_move))
        if past.to_move == 1:
            others = look_alikes(past, decision.move, 0)
            others = dice.sample(others, min(len(others), 2))
            answers = {explained(KRIEGSPIEL, agent, asked(*each, 0)) for each in [(past, decision.move), *others]}
            assert len(answers) == 1
            hidden += any(move != decision.move for _, move in others)
            reasons += answers
        table.make(decision)
    assert hidden >= 5
    assert sum(reason is not None for reason in reasons) >= 3


def test_the_readers_own_cards_are_mentioned_without_their_faces() -> None:
    agent = registry.agent(HANABI, "piers")
    assert isinstance(agent, CompiledAgent)
    about_mine = []
    for seed in range(1, 5):
        table = dealt(HANABI, 2, seed)
        while len(table.turns) < 24:
            past, player = table.copy(), agent.take_seat(HANABI)
            decision = player.decide(past.view(past.to_move))
            reason = explained(HANABI, agent, asked(past, decision.move, 0)) if past.to_move == 1 else None
            if reason and "G1's card" in reason:
                about_mine.append(reason)
                assert "(" not in reason
                assert decision.reason.count(" (") == 1
            table.make(decision)
    assert about_mine


def test_who_searches_and_who_is_python_is_not_asked_again() -> None:
    assert not can_be_explained(registry.agent(LOVE_LETTER, "ismcts"))
    assert not can_be_explained(registry.agent(HANABI, "tests.server.web.unruly:Diary"))
