"""A game's description as JSON, for commands and pages."""

from typing import Any

from kibitz.core.game import Game


def game_described(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "description": game.description,
        "rules": [
            {
                "name": rule.name,
                "help": rule.help,
                "choices": list(rule.choices),
                "default": rule.default,
                "defaults": dict(rule.defaults),
                "title": rule.called,
                "words": {choice: rule.choice(choice)._asdict() for choice in rule.choices},
            }
            for rule in game.rules
        ],
        "levels": [
            {
                "name": name,
                "help": lineup.help,
                "hints": lineup.hints,
                "agents": list(lineup.agents),
                "at": {str(players): list(agents) for players, agents in lineup.at.items()},
            }
            for name, lineup in game.lineups.items()
        ],
    }
