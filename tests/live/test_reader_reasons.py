"""Reasons during the game: what a reader is told of a bot's move is what they could have worked out themselves."""

import pytest

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.core.game import Game
from kibitz.core.seeds import keys
from kibitz.core.table import Table
from kibitz.hanabi.game import HANABI
from kibitz.live.reader_reasons import Question, can_be_told, dice_of, shared_reason
from kibitz.loveletter.game import LOVE_LETTER
from tests.wall import another

QUICK = [
    (game, agent)
    for game in (HANABI, LOVE_LETTER)
    for agent in registry.agents(game)
    if can_be_told(agent) and isinstance(agent, CompiledAgent)
]


def dealt(game: Game, players: int, seed: int) -> Table:
    return Table(game, [], game.deal(keys(seed), 0, players, game.check_rules(game.table_rules)))


def told(game: Game, agent: CompiledAgent, question: Question) -> str | None:
    return shared_reason(game, agent, question, dice_of("table", len(question.before.turns), question.reader))


@pytest.mark.parametrize(("game", "agent"), QUICK, ids=lambda each: each.name)
def test_what_is_told_does_not_depend_on_what_the_reader_does_not_see(game: Game, agent: CompiledAgent) -> None:
    """Also where the bot's own reason does: in the other world it may have decided on something else."""
    table = dealt(game, 3, 5)
    while not table.over and len(table.turns) < 8:
        past = table.copy()
        seat = past.to_move
        player = agent.take_seat(game)
        if player.remembers:
            for each in past.from_the_start():
                player.observe(each.seen(seat, agent.traits.cheats))
        decision = player.decide(past.seen(seat, agent.traits.cheats))
        if seat != 0:
            other = another(past, 0, len(past.turns))
            answers = {told(game, agent, Question(each, seat, decision.move, 0)) for each in (past, other)}
            assert len(answers) == 1
        table.make(decision)


def test_the_readers_own_cards_are_told_of_without_their_faces() -> None:
    agent = registry.agent(HANABI, "piers")
    assert isinstance(agent, CompiledAgent)
    about_mine = []
    for seed in range(1, 5):
        table = dealt(HANABI, 2, seed)
        while len(table.turns) < 24:
            past, player = table.copy(), agent.take_seat(HANABI)
            decision = player.decide(past.view(past.to_move))
            reason = told(HANABI, agent, Question(past, 1, decision.move, 0)) if past.to_move == 1 else None
            if reason and "G1's card" in reason:
                about_mine.append(reason)
                assert "(" not in reason
                assert decision.reason.count(" (") == 1
            table.make(decision)
    assert about_mine


def test_who_searches_and_who_is_python_is_not_asked_again() -> None:
    assert not can_be_told(registry.agent(LOVE_LETTER, "ismcts"))
    assert not can_be_told(registry.agent(HANABI, "tests.web.unruly:Diary"))
