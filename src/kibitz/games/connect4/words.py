"""Scores in words."""

from kibitz.games.connect4.board import PLACES

STONES = PLACES // 2 + 1  # a score is this minus the number of the winner's stones


def plies_to_end(score: int, turn: int) -> int:
    """The number of moves until the game ends with best play, from a position after `turn` moves."""
    if score == 0:
        return PLACES - turn
    stones = STONES - abs(score)
    first_wins = (score > 0) == (turn % 2 == 0)
    return 2 * stones - (1 if first_wins else 0) - turn


def score_text(score: int, turn: int) -> str:
    """What a score means for the player to move."""
    plies = plies_to_end(score, turn)
    if score == 0:
        return "a draw with best play"
    if score < 0:
        return f"loses in {plies} plies against best play"
    return "wins with this move" if plies == 1 else f"wins within {plies} plies"


def score_sentence(score: int, turn: int) -> str:
    """What the player to move says about a score."""
    verb, _, rest = score_text(score, turn).partition(" ")
    return f"I {verb.removesuffix('s')} {rest}" if score else f"It is {verb} {rest}"
