"""The bridge table as a picture for notebooks, drawn from a view: hands that its seat does not see are only counted."""

from collections.abc import Sequence

from kibitz.core.svg import INK, LINE, MUTED, Picture
from kibitz.core.words import Words
from kibitz.games.bridge.cards import COMPASS, RANK_LETTERS, SEATS, SYMBOLS, Card
from kibitz.games.bridge.view import SIDES, VULNERABLE, View

SUITS = ("#177245", "#d98200", "#c62828", "#1c3f94")  # clubs first
PLACES = ((250, 54), (470, 190), (250, 326), (20, 190))  # of the hands of North, East, South and West
TRICK = ((330, 206), (390, 236), (330, 270), (272, 236))
WIDTH, HEIGHT = 680, 450


def table(view: View, words: Words) -> str:
    """A view, or the open table."""
    picture = Picture(WIDTH, HEIGHT, "Bridge")
    contract = view.contract
    picture.text(16, 26, f"{contract}, {contract.needed} tricks; vulnerable: {VULNERABLE[view.vulnerable]}", 14)
    picture.text(WIDTH - 16, 26, f"{SIDES[0]} {view.tricks[0]}   {SIDES[1]} {view.tricks[1]}", 14, anchor="end")
    picture.rect(250, 180, 180, 110, "#eef5ee", LINE, 8)
    for seat in range(SEATS):
        hand(picture, view, seat, words)
    trick = view.current or (view.last if view.over else None)
    for seat, card in (trick.by_seat() if trick else {}).items():
        x, y = TRICK[seat]
        picture.text(x, y, str(card), 17, SUITS[card.suit], "middle", bold=True)
    return str(picture)


def hand(picture: Picture, view: View, seat: int, words: Words) -> None:
    x, y = PLACES[seat]
    marks = [mark for mark, holds in (("declarer", seat == view.declarer), ("dummy", seat == view.dummy)) if holds]
    marks += ["you"] if seat == view.seat else []
    turn = not view.over and view.playing == seat
    title = f"{'▶ ' if turn else ''}{COMPASS[seat]} {words.seat_name(seat)}"
    picture.text(x, y, f"{title}  {' '.join(marks)}", 13, INK, bold=turn)
    if not view.sees(seat):
        picture.text(x, y + 22, f"{view.held(seat)} cards", 13, MUTED)
        return
    by_suit(picture, view.dealt(seat) if view.over else view.hand(seat), x, y + 22)


def hand_picture(cards: Sequence[Card]) -> str:
    """A hand on its own."""
    picture = Picture(260, 96, "A hand in bridge")
    by_suit(picture, cards, 14, 24)
    return str(picture)


def by_suit(picture: Picture, cards: Sequence[Card], x: float, y: float) -> None:
    for row, suit in enumerate(reversed(range(len(SUITS)))):
        picture.text(x, y + 20 * row, f"{SYMBOLS[suit]} {ranks(cards, suit)}", 15, SUITS[suit])


def ranks(cards: Sequence[Card], suit: int) -> str:
    return " ".join(RANK_LETTERS[card.rank] for card in cards if card.suit == suit) or "—"
