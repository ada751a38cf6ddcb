"""Scores in words."""

from kibitz.games.connect4.board import PLACES

STONES = PLACES // 2 + 1  # a score is this less the stones of the winner


def plies_to_end(score: int, turn: int) -> int:
    """After how many more moves the game ends with the best play, in a position after so many."""
    if score == 0:
        return PLACES - turn
    stones = STONES - abs(score)
    first_wins = (score > 0) == (turn % 2 == 0)
    return 2 * stones - (1 if first_wins else 0) - turn


def score_text(score: int, turn: int) -> str:
    """What a score means to who is to move."""
    plies = plies_to_end(score, turn)
    if score == 0:
        return "a draw with the best play of both"
    if score < 0:
        return f"loses in {plies} plies against the best play"
    return "wins with this move" if plies == 1 else f"wins in {plies} plies at the latest"
