"""The catalogue that the page shows: games, rules, levels, agents and their measured scores."""

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
    """All games; those with a guided game come first, for newcomers, and toys last."""
    measured = agent_scores.read()
    with_people = agent_scores.with_people()
    found = [
        described(tables, game, measured.get(game.name, {}), with_people.get(game.name, {}))
        for game in registry.games()
    ]
    return sorted(found, key=lambda game: (game["small"], not game["guide"]))


def described(
    tables: TableService, game: Game, measured: dict[str, Any], with_people: dict[str, Any]
) -> dict[str, Any]:
    core_part = game_described(game)
    return {
        **core_part,
        "rules": [
            {**rule, "usual": game.table_rules.get(rule["name"], rule["default"])} for rule in core_part["rules"]
        ],
        "players": list(game.players),
        "best": None if game.competitive else game.best,
        "board": has_page_file(game, "board.js"),
        "guide": has_page_file(game, "guide.js"),
        "rules_card": has_page_file(game, "rules.js"),
        "small": game.small,
        "seat_titles": list(game.seat_titles),
        "elites": game.elites is not None,
        "hides": not generic.hides_nothing(game.dtype),
        "delays": list(game.delays),
        "late_words": delay.reason(game),
        "ladder": usual_searcher(game) is not None,
        "usual_players": game.usual_players,
        "formats": [{"name": each.name, "title": each.title, "link": each.link} for each in game.formats],
        "agents": [
            agent_described(agent, measured.get(agent.name, {}), with_people.get(agent.name, {}))
            for agent in tables.agents(game)
        ],
    }


def has_page_file(game: Game, file: str) -> bool:
    """Whether the game's page folder contains a file."""
    return game.page_folder is not None and (game.page_folder / file).is_file()


def agent_described(agent: Agent, measured: dict[str, Any], with_people: dict[str, float]) -> dict[str, Any]:
    return {
        "name": agent.name,
        "title": agent.title,
        "summary": agent.summary,
        "description": agent.description,
        "origin": agent.origin,
        "traits": [name for name in NAMED_TRAITS if getattr(agent.traits, name)],
        "scores": measured,
        "with_people": with_people,  # mean scores with a model of real people, by number of players
    }
