"""The declarations of a game: sizes, names, and pieces that can be loaded."""

from kibitz.core import registry
from kibitz.core.deferred import Deferred, load
from kibitz.core.formats import Format
from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.errors import KibitzError
from kibitz.testing.position import CheckError

NEEDED = (
    "deal", "to_move", "allowed", "legal_moves", "most_moves", "apply", "turns", "move_at", "result", "observe",
    "sample_world", "rewind",
)  # fmt: skip


def declarations(game: Game) -> None:
    try:
        game.check_declared()
        game.check_rules(game.table_rules)
    except KibitzError as error:
        raise CheckError(str(error)) from None
    for name in generic.missing(game.dtype, NEEDED):
        raise CheckError(generic.why_missing(name, game.dtype))
    owner = generic.OWNERS[generic.struct_type(game.dtype)]
    if owner != game.name:
        raise CheckError(
            f"The `name` of {game.title} is {game.name}, but its rules are registered for {owner}. Use the same name "
            f"in generic.implement."
        )
    for rule in game.rules:
        if len(set(rule.choices)) < max(2, len(rule.choices)):
            raise CheckError(f"The rule {rule.name} of {game.title} needs at least two different choices.")


def pieces(game: Game) -> None:
    """Pieces that are loaded on first use can be loaded."""
    for of in reversed(type(game).__mro__):
        for name, piece in vars(of).items():
            if isinstance(piece, Deferred):
                try:
                    load(piece.where)
                except (ImportError, AttributeError, ValueError) as error:
                    raise CheckError(
                        f"`{name}` of {game.title} is {piece.where}, which cannot be loaded: {error}."
                    ) from None
    for each in game.formats:
        if not isinstance(each, Format):
            raise CheckError(f"`formats` of {game.title} has {each!r}, which is not a kibitz.core.formats.Format.")
    if game.wire is not None:
        game.check_rules(game.wire.rules)
    folder = game.page_folder
    if folder is not None and not (folder / "board.js").is_file():
        raise CheckError(
            f"`page_folder` of {game.title} is {folder}, which has no board.js. Write one, or leave `page_folder` out."
        )


def levels(game: Game) -> None:
    if game.name in registry.game_entries():
        known = registry.agent_entries(game.name)
        for level in game.lineups:
            for agent in game.lineup(level).everybody:
                if agent not in known:
                    raise CheckError(
                        f"The level {level} of {game.title} uses the agent {agent}, which does not exist. Add an entry "
                        f"point named {game.name}.{agent} to the group kibitz.agents."
                    )
