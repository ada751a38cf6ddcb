"""The table for the terminal: four hands around the trick, the contract, and the tricks so far."""

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from kibitz.games.bridge.cards import COMPASS, RANK_LETTERS, SYMBOLS, Card
from kibitz.games.bridge.view import SIDES, VULNERABLE, Trick, View

if TYPE_CHECKING:
    from kibitz.core.words import Words

NORTH, EAST, SOUTH, WEST = range(4)
COLOURS = ("green", "yellow", "red", "blue")  # of the suits, clubs first
WIDTH = 24  # of a hand


def board(view: View, game: "Words") -> Group:
    grid = Table.grid(padding=(0, 2))
    for _ in range(3):
        grid.add_column(min_width=WIDTH)
    grid.add_row("", hand(view, NORTH, game), "")
    grid.add_row(hand(view, WEST, game), centre(view), hand(view, EAST, game))
    grid.add_row("", hand(view, SOUTH, game), "")
    return Group(status(view, game), grid)


def coloured(card: Card) -> Text:
    return Text(str(card), COLOURS[card.suit])


def status(view: View, game: "Words") -> Text:
    contract = view.contract
    text = Text.assemble(
        ("Contract ", "dim"), (str(contract), "bold"), (f" ({game.seat_name(view.declarer)}), ", "dim"),
        (f"{contract.needed} tricks; vulnerable: {VULNERABLE[view.vulnerable]}; ", "dim"),
        ("tricks ", "dim"), (f"{SIDES[0]} {view.tricks[0]}, {SIDES[1]} {view.tricks[1]}", "bold"),
    )  # fmt: skip
    if view.last is not None:
        text.append(f"\nlast trick ({game.seat_name(view.last.winner or 0)}'s): ", "dim")
        text.append(Text(" ").join(coloured(card) for card in view.last.cards))
    return text


def hand(view: View, seat: int, game: "Words") -> Text:
    """A hand suit by suit, or the number of its cards and what is known of it."""
    turn = not view.over and view.playing == seat
    marks = [mark for mark, is_so in (("declarer", seat == view.declarer), ("dummy", seat == view.dummy)) if is_so]
    title = f"{COMPASS[seat]} {game.seat_name(seat)}{' (you)' if seat == view.seat else ''}"
    text = Text.assemble(
        (title, "bold"), (f" {', '.join(marks)}" if marks else "", "dim"), (" ◀" if turn else "", "bold")
    )
    if view.sees(seat):
        cards = view.hand(seat) if not view.over else view.dealt(seat)
        legal = set(view.legal) if turn else set()
        for suit in range(3, -1, -1):
            text.append(f"\n{SYMBOLS[suit]} ", COLOURS[suit])
            ranks = [card for card in cards if card.suit == suit]
            for card in ranks:
                text.append(f"{RANK_LETTERS[card.rank]} ", "bold" if card in legal else "" if not legal else "dim")
            if not ranks:
                text.append("—", "dim")
        return text
    text.append(f"\n{view.held(seat)} cards")
    out = view.shown_out(seat)
    if out:
        text.append(f"\nno {' '.join(SYMBOLS[suit] for suit in out)}", "dim")
    if points := view.shown_points(seat):
        text.append(f"\n{points[0]}–{points[1]} points", "dim")
    for suit, (least, most) in view.shown_lengths(seat).items():
        text.append(f"\n{least}–{most} {SYMBOLS[suit]}", "dim")
    return text


def centre(view: View) -> Text:
    """The trick on the table, each card in front of its seat."""
    trick = view.current or (view.last if view.over else None)
    cards = trick.by_seat() if isinstance(trick, Trick) else {}

    def at(seat: int) -> Text:
        return coloured(cards[seat]) if seat in cards else Text("· ", "dim")

    lines = [Text("      ") + at(NORTH), Text("  ") + at(WEST) + Text("      ") + at(EAST), Text("      ") + at(SOUTH)]
    return Text("\n\n").join(lines)
