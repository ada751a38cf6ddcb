"""The progress of a visitor: their games by level and players, mistakes by kind, puzzles. Nobody has an account.

The server makes a key, the visitor's browser keeps it, and the database has only its digest: without the key nobody
can read what is kept, or delete it. A game counts if the visitor has the token of a seat there.
"""

from collections import Counter
from typing import Any

import numpy as np

from kibitz.arena.worth import worth
from kibitz.server.live import tokens
from kibitz.server.live.messages import RefusedError
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_state import TableState
from kibitz.server.web.coach_store import CoachStore

LEAST_KEY = 20  # characters: what `tokens.new_token` makes has 32
Fields = dict[str, Any]


def visitor_of(key: str) -> str:
    """What the database knows of a key."""
    if len(key) < LEAST_KEY:
        raise RefusedError("not_yours", "That is no key of a visitor. Ask without a key to be given one.")
    return tokens.digest(key)


def shown(store: CoachStore, visitor: str) -> Fields:
    kept = store.visitor(visitor)
    puzzles = {game: {**each, "rating": each["rating"][0]} for game, each in kept.get("puzzles", {}).items()}
    return {"games": store.games(visitor), "puzzles": puzzles}


def seat_there(table: LiveTable, token: str) -> int:
    """The seat of a visitor who played a whole game there."""
    state, seat = table.state, table.state.seat_of(token)
    if seat is None:
        raise RefusedError("not_yours", "This token is not the key to a seat at this table.")
    if not state.over or state.analysis_board:
        raise RefusedError("hidden", "Only finished games count. Come back when this one is over.")
    return seat


def game_of(table: LiveTable, seat: int, review: Fields | None) -> Fields:
    """A finished game as it is kept for a visitor."""
    state, game, core = table.state, table.game, table.state.core
    results = np.array([game.row(core.state)])
    kept: Fields = {
        "table": table.id, "game": game.name, "players": len(state.seats), "seat": seat, "level": level_of(state, seat),
        "ended": table.stored.finished, "worth": float(worth(game, results, seat, len(state.seats))[0]),
        "name": state.seats[seat].person,
    }  # fmt: skip
    if state.taken_back or table.stored.options.get("origin"):
        kept["practice"] = True  # with undo, or from a position that was known
    if review is None or review.get("state") != "done":
        return kept
    mine = [turn for turn in review["turns"] if turn["seat"] == seat]
    wrong = [turn for turn in mine if turn["verdict"] in ("inaccuracy", "mistake", "blunder")]
    return {
        **kept, **{name: review["seats"][seat][name] for name in ("accuracy", "lost", "luck")}, "unit": review["unit"],
        "decisions": len(mine), "verdicts": dict(Counter(turn["verdict"] for turn in wrong)),
        "kinds": dict(Counter(turn["kind"] or "other" for turn in wrong)),
    }  # fmt: skip


def level_of(state: TableState, seat: int) -> str:
    """The level of the bots a visitor played with; "people" if a person was there, too, empty for other bots."""
    others = [each for number, each in enumerate(state.seats) if number != seat]
    if any(each.person for each in others):
        return "people"
    names = sorted(each.agent for each in others)
    lineups = state.game.lineups.items()
    return next((level for level, lineup in lineups if sorted(lineup.seats(len(others))) == names), "")
