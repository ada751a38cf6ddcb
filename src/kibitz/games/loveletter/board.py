"""The Love Letter table drawn for the terminal."""

from rich.console import Group
from rich.text import Text

from kibitz.core.words import Words
from kibitz.games.loveletter.cards import COPIES, NAMES
from kibitz.games.loveletter.moves import Card
from kibitz.games.loveletter.state import OPEN
from kibitz.games.loveletter.view import View


def board(view: View, words: Words) -> Group:
    """A view, or the open state with seat −1."""
    lines = [status(view), unseen(view)]
    lines += [seat_line(view, seat, words) for seat in range(view.players)]
    return Group(*lines)


def status(view: View) -> Text:
    line = Text.assemble(("  deck ", "dim"), str(view.deck_left))
    if not view.one_round:
        line = Text.assemble(("  round ", "dim"), str(view.round), ("   deck ", "dim"), str(view.deck_left))
        line.append(f"   {view.goal} tokens win", "dim")
    if view.face_up:
        line.append("   face up ", "dim")
        line.append(listed(view.face_up))
    if view.set_aside is not None:
        line.append("   set aside ", "dim")
        line.append(str(view.set_aside))
    return line


def unseen(view: View) -> Text:
    """The number of unseen copies of each card."""
    line = Text.assemble(("  unseen ", "dim"))
    for card, left in view.unseen.items():
        line.append(f" {NAMES[card]} {'●' * left}{'○' * (int(COPIES[card]) - left)}", "" if left else "dim")
    return line


def listed(cards: tuple[Card, ...]) -> str:
    return ", ".join(f"{card} {int(card)}" for card in cards)


def seat_line(view: View, seat: int, words: Words) -> Text:
    mine = seat == view.seat
    marker = "►" if seat == view.to_move else " "
    line = Text.assemble((f" {marker}{words.seat_name(seat)} ", "bold cyan" if mine else "bold"))
    if not view.one_round:
        line.append("♥" * view.tokens[seat] + "♡" * (view.goal - view.tokens[seat]) + "  ")
    cards = view.cards(seat)
    if view.is_out(seat):
        line.append("out", "red")
    elif cards:
        line.append(listed(cards), "bold")
        if len(cards) < view.held(seat):
            line.append(" and a new card")
        if not mine and view.seat != OPEN and not view.over:
            line.append(" (you have seen it)", "dim")
    else:
        line.append("two cards" if view.held(seat) == 2 else "a card")
        if view.ruled_out(seat):
            line.append(f" (not {', '.join(map(str, view.ruled_out(seat)))})", "dim")
    if view.is_protected(seat) and not view.is_out(seat):
        line.append("  protected", "yellow")
    if mine and view.known_to(seat):
        line.append(f"  known to {', '.join(map(words.seat_name, view.known_to(seat)))}", "dim")
    line.append("   played: " if view.discards(seat) else "", "dim")
    line.append(listed(view.discards(seat)))
    return line
