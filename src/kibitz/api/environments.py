"""`kibitz.env`: environments for training."""

from typing import Any

from kibitz.api.arguments import game_of, players_of, rules_of, seed_of, whole
from kibitz.core import registry
from kibitz.core.encoding import Encoding
from kibitz.core.game import Game
from kibitz.errors import ArgumentError, UnsupportedError

MOST_TABLES = 1 << 22


def env(
    game: str | Game,
    players: int | None = None,
    seed: int = 0,
    rules: dict[str, str] | None = None,
    *,
    tables: int | None = None,
    **options: Any,
) -> Any:
    """An environment: one table for PettingZoo, or, with `tables`, many tables that move together.

    `rules` and `options` are those of the game's own environments; Hanabi's are described in how-to/environments.

    >>> import kibitz
    >>> batch = kibitz.env("hanabi", players=2, tables=4).batch
    >>> batch.observations.shape, batch.legal.shape
    ((4, 658), (4, 20))
    """
    which = game_of(game)
    encoding = which.encoding
    if not isinstance(encoding, Encoding):
        others = " and ".join(each.title for each in registry.games() if each.encoding is not None)
        raise UnsupportedError(f"{which.title} has no environment. There is one for {others}.")
    count = which.players[0] if players is None else players_of(which, players)
    if rules is not None:
        rules_of(which, rules)
    given = {"players": count, "seed": seed_of(seed), "rules": rules, **options}
    try:
        if tables is None:
            return encoding.environment(**given)
        return encoding.batch(tables=whole("tables", tables, 1, MOST_TABLES), **given)
    except TypeError as error:
        raise ArgumentError(f"The environment of {which.title} does not take these options: {error}.") from None
