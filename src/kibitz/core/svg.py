"""Pictures of boards as SVG, for notebooks: a few shapes on a page, with texts escaped."""

from collections.abc import Iterable
from html import escape

FONT = "ui-sans-serif,system-ui,sans-serif"
MONOSPACE = "ui-monospace,SFMono-Regular,Menlo,monospace"
INK, MUTED, LINE, PAPER = "#222222", "#6b6b6b", "#b9b9b9", "#ffffff"


class Picture:
    """Shapes in the order they are drawn."""

    def __init__(self, width: float, height: float, title: str = "") -> None:
        self.width, self.height, self.title = width, height, title
        self._shapes: list[str] = []

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str = "none", line: str = "none",
        radius: float = 0, thickness: float = 1,
    ) -> None:  # fmt: skip
        width_of_line = f' stroke-width="{thickness:g}"' if thickness != 1 else ""
        self._shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}" '
            f'stroke="{line}"{width_of_line}/>'
        )

    def circle(self, x: float, y: float, radius: float, fill: str = "none", line: str = "none") -> None:
        self._shapes.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{line}"/>')

    def text(
        self, x: float, y: float, text: str, size: float = 14, fill: str = INK, anchor: str = "start",
        bold: bool = False, font: str = FONT,
    ) -> None:  # fmt: skip
        weight = ' font-weight="bold"' if bold else ""
        self._shapes.append(
            f'<text x="{x:g}" y="{y:g}" font-family="{font}" font-size="{size:g}" fill="{fill}" '
            f'text-anchor="{anchor}"{weight} xml:space="preserve">{escape(text)}</text>'
        )

    def __str__(self) -> str:
        title = f"<title>{escape(self.title)}</title>" if self.title else ""
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        shapes = "\n".join([paper, *self._shapes])
        return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{title}\n{shapes}\n</svg>'


def lines(picture: Picture, x: float, y: float, texts: Iterable[str], size: float = 13, fill: str = MUTED) -> None:
    """Texts below each other."""
    for number, text in enumerate(texts):
        picture.text(x, y + 1.4 * size * number, text, size, fill)


def text_picture(text: str) -> str:
    """Plain text as a picture."""
    rows = text.splitlines() or [""]
    picture = Picture(8.1 * max(map(len, rows)) + 24, 18 * len(rows) + 20)
    for number, row in enumerate(rows):
        picture.text(12, 24 + 18 * number, row, 13, INK, font=MONOSPACE)
    return str(picture)
