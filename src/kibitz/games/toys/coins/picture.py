"""The row of coins as a picture for notebooks."""

from collections.abc import Mapping, Sequence

from kibitz.core.svg import INK, Picture, lines

STEP = 46


def row(coins: Sequence[int], won: Mapping[str, int]) -> str:
    """The coins that are left, and what every player has won."""
    picture = Picture(max(len(coins) * STEP + 24, 240), 88 + 18 * len(won), "Coins in a Row")
    for place, coin in enumerate(coins):
        picture.circle(36 + place * STEP, 40, 20, "#f3c64b", INK)
        picture.text(36 + place * STEP, 46, str(coin), 15, INK, "middle", bold=True)
    lines(picture, 16, 86, [f"{name}: {total}" for name, total in won.items()])
    return str(picture)
