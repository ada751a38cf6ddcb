"""What there is to play and with whom: games, rules, levels, agents and what they scored when they were measured."""

from typing import Any

from kibitz.core import registry
from kibitz.core.agent import NAMED_TRAITS, Agent
from kibitz.core.description import game_described
from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.search.players import usual_searcher
from kibitz.server.live import delay
from kibitz.server.live.table_service import TableService
from kibitz.server.web import agent_scores


def games(tables: TableService) -> list[dict[str, Any]]:
    """Those with a guided first game come first: they are for who is new here."""
    measured = agent_scores.read()
    found = [described(tables, game, measured.get(game.name, {})) for game in registry.games()]
    return sorted(found, key=lambda game: not game["guide"])


def described(tables: TableService, game: Game, measured: dict[str, Any]) -> dict[str, Any]:
    plainly = game_described(game)
    return {
        **plainly,
        "rules": [{**rule, "usual": game.table_rules.get(rule["name"], rule["default"])} for rule in plainly["rules"]],
        "players": list(game.players),
        "best": None if game.competitive else game.best,
        "board": brings(game, "board.js"),
        "guide": brings(game, "guide.js"),
        "elites": game.elites is not None,
        "hides": not generic.hides_nothing(game.dtype),
        "delays": list(game.delays),
        "late_words": delay.reason(game),
        "ladder": usual_searcher(game) is not None,
        "usual_players": game.usual_players,
        "formats": [{"name": each.name, "title": each.title, "link": each.link} for each in game.formats],
        "agents": [agent_described(agent, measured.get(agent.name, {})) for agent in tables.agents(game)],
    }


def brings(game: Game, file: str) -> bool:
    """Whether a game has a file for its pages."""
    return game.page_folder is not None and (game.page_folder / file).is_file()


def agent_described(agent: Agent, measured: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": agent.name,
        "title": agent.title,
        "summary": agent.summary,
        "description": agent.description,
        "origin": agent.origin,
        "traits": [name for name in NAMED_TRAITS if getattr(agent.traits, name)],
        "scores": measured,
    }
