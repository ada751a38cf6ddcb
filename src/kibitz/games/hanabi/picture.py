"""The Hanabi table as a picture for notebooks, drawn from a view: hidden cards show only what was hinted about them."""

from collections.abc import Sequence

from kibitz.core.svg import INK, LINE, MUTED, Picture
from kibitz.core.words import Words
from kibitz.games.hanabi.cards import COLOURS
from kibitz.games.hanabi.state import LIVES, TOKENS
from kibitz.games.hanabi.view import Card, View

FILLS = {"red": "#ff9a90", "yellow": "#ffdf7d", "green": "#8fe0a2", "blue": "#9ccbff", "white": "#f4f1e8"}
BACK = "#3b4275"
WIDTH, HEIGHT, STEP, LEFT = 42, 56, 52, 96


def table(view: View, words: Words) -> str:
    """A seat's view, an onlooker's view, or the open table."""
    picture = Picture(max(LEFT + 5 * STEP + 20, 420), 148 + 84 * view.players, "Hanabi")
    tokens = "●" * view.tokens + "○" * (TOKENS - view.tokens)
    lives = "♥" * view.lives + "♡" * (LIVES - view.lives)
    picture.text(14, 26, f"tokens {tokens}   lives {lives}   deck {view.deck_left}   score {view.score}", 14)
    for place, (colour, height) in enumerate(view.piles.items()):
        x, fill = LEFT + place * STEP, FILLS[colour]
        if height:
            face(picture, x, 42, fill, str(height))
        else:  # an empty place, framed in its colour
            picture.rect(x + 1, 43, WIDTH - 2, HEIGHT - 2, "none", fill, 6, 3)
    picture.text(14, 76, "piles", 13, MUTED)
    gone = sorted(view.discards, key=lambda kind: kind.index)
    shown = [f"{each[0]} {' '.join(str(kind.rank) for kind in gone if kind.colour == each)}"
             for each in COLOURS if any(kind.colour == each for kind in gone)]  # fmt: skip
    picture.text(14, 124, "discards  " + ("   ".join(shown) or "none"), 12, MUTED)
    for seat, cards in enumerate(view.hands):
        top = 144 + 84 * seat
        marker = "▶ " if seat == view.to_move else ""
        picture.text(14, top + 26, f"{marker}{words.seat_name(seat)}", 14, bold=seat == view.to_move)
        if seat == view.seat:
            picture.text(14, top + 44, "you", 12, MUTED)
        hand(picture, cards, LEFT, top)
    return str(picture)


def hand_picture(cards: Sequence[Card]) -> str:
    """A hand on its own."""
    picture = Picture(max(len(cards), 1) * STEP + 16, 92, "A hand in Hanabi")
    hand(picture, cards, 12, 10)
    return str(picture)


def hand(picture: Picture, cards: Sequence[Card], left: float, top: float) -> None:
    for place, card in enumerate(cards):
        x = left + place * STEP
        if card.kind is None:
            face(picture, x, top, BACK, "?", "#ffffff")
        else:
            face(picture, x, top, FILLS[card.kind.colour], card.kind.short)
        picture.text(x + WIDTH / 2, top + HEIGHT + 15, hinted(card), 11, INK if card.marked else LINE, "middle")


def face(picture: Picture, x: float, y: float, fill: str, text: str, ink: str = INK) -> None:
    picture.rect(x, y, WIDTH, HEIGHT, fill, LINE, 6)
    picture.text(x + WIDTH / 2, y + HEIGHT / 2 + 6, text, 18, ink, "middle", bold=True)


def hinted(card: Card) -> str:
    """What hints say about a card: its colour, its rank, both, or nothing."""
    kinds = card._replace(possible=card.hinted_kinds).kinds
    if not kinds:
        return ""
    colour = kinds[0].colour if card.colour_hinted else ""
    rank = str(kinds[0].rank) if card.rank_hinted else ""
    return f"{colour} {rank}".strip() or "·"
