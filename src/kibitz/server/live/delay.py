"""The spectators' delay: which delays a game allows, and how older tables are adjusted."""

from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.server.live.messages import RefusedError

LONGEST_DELAY = 100  # moves


def check_delay(game: Game, moves: int) -> None:
    """Refuse a delay that does not protect in this game: a player can watch as a spectator in a second window."""
    if not moves:
        return
    if generic.hides_nothing(game.dtype):
        raise RefusedError("bad_message", f"{game.title} hides nothing, so spectators need no delay. Leave it out.")
    if not game.delays:
        raise RefusedError("bad_message", f"{reason(game)} Leave the delay out.")
    if not game.delays[0] <= moves <= LONGEST_DELAY:
        raise RefusedError(
            "bad_message",
            f"In {game.title} the delay of spectators is {game.delays[0]} to {LONGEST_DELAY} moves, or 0 to show "
            f"nothing hidden before the end.",
        )


def allowed_delay(game: Game, moves: int) -> int:
    """A stored table's delay, raised to the shortest that the game allows now."""
    return max(moves, game.delays[0]) if moves and game.delays else 0


def reason(game: Game) -> str:
    return game.late_words or "Spectators see nothing hidden before the game is over."


def delay_text(game: Game, moves: int) -> str:
    if moves:
        return f"From now on the spectators' delay is {moves} {'move' if moves == 1 else 'moves'}. {reason(game)}"
    return "From now on, spectators see nothing hidden before the game is over."
