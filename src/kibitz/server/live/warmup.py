"""Warm-up: play a game once in every way a server needs, so that the event loop never compiles."""

import random

from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine.loop import ONLOOKER
from kibitz.engine.seeds import keys

REHEARSED = 300  # moves, as some games can go on forever
ODDS = (0, 50)  # when odds are computed, which may take long: of a new game, and of one with a past


def rehearse(game: Game) -> None:
    """Play a game and make every kind of view, so that everything is compiled.

    Then the event loop never compiles, and never waits for a bot that is being compiled.
    """
    players, rules = game.usual_players, game.check_rules(game.table_rules)
    table = Table(game, [], game.deal(keys(0), 0, players, rules))
    game.load_start(game.dump_start(table.start[0]), players, rules)
    _ = game.formats  # loaded on first use
    dice = random.Random(0)
    for number in range(REHEARSED):
        seat, turn = table.to_move, len(table.turns)
        view = table.view(seat)
        game.page(view), game.turns_explained(table.state)
        if number in ODDS:
            game.odds(view)
        move = game.move(dice.choice(game.choices(view))["move"], view)
        if table.allows(move):
            table.make_legal(Decision(move))
            for seen in (table.view(seat), table.seen(seat, cheats=True), table.view(ONLOOKER), table.state):
                game.page(seen), game.event(seen, turn)
        if table.over:
            game.verdict(table.state), table.result()
            break
    table.at_turn(1, [])


def guided_games() -> list[Game]:
    """The games with a guided first game, which the lobby shows first; if there are none, every game."""
    games = registry.games()
    return [game for game in games if game.page_folder and (game.page_folder / "guide.js").is_file()] or games


def usual_level(game: Game) -> str:
    """The default level: one in the middle."""
    levels = list(game.lineups)
    return levels[(len(levels) - 1) // 2]


def usual_first(game: Game) -> list[str]:
    """The agents of a game's levels, those of the usual level before the others."""
    levels = sorted(game.lineups, key=lambda level: level != usual_level(game))
    return list(dict.fromkeys(name for level in levels for name in game.lineup(level).everybody))


def take_seat(game: Game, name: str) -> None:
    registry.agent(game, name).take_seat(game)
