"""The three sets as a picture for notebooks."""

from collections.abc import Sequence

from kibitz.core.svg import INK, LINE, Picture

WIDTH, HEIGHT, STEP = 110, 64, 126


def sets(numbers: Sequence[tuple[int, int]], chosen: int | None, picked: int | None) -> str:
    """The numbers of every set; the chosen set and the picked number stand out."""
    picture = Picture(len(numbers) * STEP + 16, HEIGHT + 28, "Three Sets")
    for place, pair in enumerate(numbers):
        x = 16 + place * STEP
        picture.rect(
            x, 14, WIDTH, HEIGHT, "#fdf3d0" if place == chosen else "#f7f7f4", INK if place == chosen else LINE, 8
        )
        for n, number in enumerate(pair):
            stands_out = place == chosen and number == picked
            picture.text(x + 30 + 50 * n, 53, str(number), 20, INK, "middle", bold=stands_out)
    return str(picture)
