"""Maps of elites, in the form the laboratory's page draws."""

import json
from typing import Any

from kibitz.core.elites import Archive, Elite
from kibitz.core.game import Game
from kibitz.errors import KibitzError
from kibitz.server.live.messages import RefusedError


def described(game: Game) -> dict[str, Any]:
    """A map with its elites, each with its rules in words."""
    archive = game.elites
    if archive is None:
        raise RefusedError("unknown", f"{game.title} has no map of elites.")
    try:
        found = archive.map
        return {
            "game": game.name,
            "players": found.players,
            "rules": found.rules,
            "size": found.size,
            "axes": [axis._asdict() for axis in archive.axes],
            "elites": [elite_described(archive, elite) for elite in found.elites],
            "made": {key: found.provenance.get(key) for key in ("command", "seed", "date")},
        }
    except KibitzError as error:
        raise RefusedError("failed", str(error)) from None


def elite_described(archive: Archive, elite: Elite) -> dict[str, Any]:
    return {
        "name": archive.name(elite.cell),
        "title": archive.about(elite)["title"],
        "cell": elite.cell,
        "behaviour": [round(value, 2) for value in elite.behaviour],
        "alone": [round(elite.alone, 2), round(elite.alone_error, 2)],
        "others": [round(elite.others, 2), round(elite.others_error, 2)],
        "does": archive.breed.in_words(elite.genes),
    }


def as_json(game: Game) -> bytes:
    return json.dumps(described(game), ensure_ascii=False, separators=(",", ":")).encode()
