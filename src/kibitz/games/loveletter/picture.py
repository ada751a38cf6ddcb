"""The Love Letter table as a picture for notebooks, drawn from a view: unknown cards lie face down."""

from collections.abc import Sequence

from kibitz.core.svg import INK, LINE, MUTED, Picture
from kibitz.core.words import Words
from kibitz.games.loveletter.moves import Card
from kibitz.games.loveletter.view import View

WIDTH, HEIGHT, STEP, ROW, LEFT = 74, 50, 82, 92, 90
FACE, BACK, PALE = "#f7e7c6", "#7a2e3a", "#f3f0ea"


def table(view: View, words: Words) -> str:
    """A view, or the open table."""
    most = max([len(view.discards(seat)) for seat in range(view.players)])
    picture = Picture(LEFT + 2 * STEP + 40 + max(most, 3) * STEP, 54 + ROW * view.players, "Love Letter")
    about = [f"deck {view.deck_left}"] if view.one_round else [f"round {view.round}", f"deck {view.deck_left}"]
    if view.face_up:
        about.append(f"open at the start: {', '.join(map(str, view.face_up))}")
    if view.set_aside is not None:
        about.append(f"set aside: {view.set_aside}")
    picture.text(14, 26, "   ".join(about), 14)
    for seat in range(view.players):
        row(picture, view, seat, words, 46 + ROW * seat)
    return str(picture)


def hand_picture(cards: Sequence[Card]) -> str:
    """A hand on its own."""
    picture = Picture(max(len(cards), 1) * STEP + 16, HEIGHT + 24, "A hand in Love Letter")
    for place, card in enumerate(cards):
        face(picture, 12 + place * STEP, 12, card)
    return str(picture)


def row(picture: Picture, view: View, seat: int, words: Words, top: float) -> None:
    """A seat: its name, its hand, and the cards it has played."""
    marker = "▶ " if seat == view.to_move else ""
    picture.text(14, top + 20, f"{marker}{words.seat_name(seat)}", 14, bold=seat == view.to_move)
    notes = [f"{view.tokens[seat]} of {view.goal}"] if not view.one_round else []
    notes += ["you"] if seat == view.seat else []
    notes += ["out"] if view.is_out(seat) else ["protected"] if view.is_protected(seat) else []
    for place, note in enumerate(notes):
        picture.text(14, top + 38 + 15 * place, note, 11, MUTED)
    cards = view.cards(seat)
    for place in range(max(view.held(seat), len(cards))):
        face(picture, LEFT + place * STEP, top, cards[place] if place < len(cards) else None)
    for place, card in enumerate(view.discards(seat)):
        face(picture, LEFT + 2 * STEP + 30 + place * STEP, top, card, PALE)


def face(picture: Picture, x: float, y: float, card: Card | None, fill: str = FACE) -> None:
    picture.rect(x, y, WIDTH, HEIGHT, fill if card is not None else BACK, LINE, 5)
    text, ink = ("?", "#ffffff") if card is None else (str(card), INK)
    picture.text(x + WIDTH / 2, y + HEIGHT / 2 + 2, text, 13, ink, "middle", bold=True)
    if card is not None:
        picture.text(x + WIDTH / 2, y + HEIGHT / 2 + 17, str(int(card)), 11, MUTED, "middle")
