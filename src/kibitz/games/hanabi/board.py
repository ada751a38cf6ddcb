"""Draw the Hanabi table in the terminal, with colours, and with letters for terminals without."""

from rich.console import Group
from rich.text import Text

from kibitz.core.words import Words
from kibitz.games.hanabi.cards import COLOURS
from kibitz.games.hanabi.moves import Kind
from kibitz.games.hanabi.state import LIVES, TOKENS
from kibitz.games.hanabi.view import Card, View
from kibitz.text import counted

STYLES = {
    "red": "bold red",
    "yellow": "bold yellow",
    "green": "bold green",
    "blue": "bold bright_blue",
    "white": "bold",
}
FEW = 8  # the most possible kinds that are listed


def coloured(kind: Kind) -> Text:
    return Text(kind.short, STYLES[kind.colour])


def board(view: View, words: Words) -> Group:
    """A seat's view, a spectator's view, or the open table."""
    lines = [status(view), piles(view), discards(view)]
    for seat in range(view.players):
        lines += hand(view, seat, words)
    if view.seat >= 0:
        lines += own_cards(view)
    return Group(*lines)


def status(view: View) -> Text:
    line = Text.assemble(
        ("  tokens ", "dim"), "●" * view.tokens + "○" * (TOKENS - view.tokens),
        ("   lives ", "dim"), "♥" * view.lives + "♡" * (LIVES - view.lives),
        ("   deck ", "dim"), str(view.deck_left),
        ("   score ", "dim"), str(view.score),
    )  # fmt: skip
    if view.turns_left is not None:
        line.append(f"   last round: {counted(view.turns_left, 'turn')} left", "bold")
    return line


def piles(view: View) -> Text:
    line = Text.assemble(("  piles  ", "dim"))
    for colour, height in view.piles.items():
        line.append(f"{colour} {height}  ", STYLES[colour])
    return line


def discards(view: View) -> Text:
    line = Text.assemble(("  gone   ", "dim"))
    gone = sorted(view.discards, key=lambda kind: kind.index)
    for colour in COLOURS:
        cards = [str(kind.rank) for kind in gone if kind.colour == colour]
        if cards:
            line.append(f"{colour} {' '.join(cards)}  ", STYLES[colour])
    return line if gone else Text.assemble(line, ("nothing yet", "dim"))


def hand(view: View, seat: int, words: Words) -> list[Text]:
    """Two lines: the cards, and below each its hinted properties."""
    mine = seat == view.seat
    turn = "▶" if seat == view.to_move else " "
    cards = Text.assemble(turn, (f" {words.seat_name(seat)}", "bold"), ("  you  " if mine else "       ", "bold"))
    known = Text("           ")
    for card in view.hands[seat]:
        cards.append_text(face(view, card)).append("  ")
        known.append_text(knowledge(card)).append("   ")
    return [cards, known]


def face(view: View, card: Card) -> Text:
    if card.kind is None:
        return Text("?? ", "dim")
    mark = "!" if view.is_critical(card) else "-" if view.is_useless(card) else " "
    return coloured(card.kind).append(mark)


def knowledge(card: Card) -> Text:
    kind = next((kind for kind in hinted_kinds(card)), None)
    colour = kind.colour if kind and card.colour_hinted else None
    rank = str(kind.rank) if kind and card.rank_hinted else "·"
    return Text((colour or "·")[0] + rank, STYLES[colour] if colour else "dim" if rank == "·" else "bold")


def hinted_kinds(card: Card) -> tuple[Kind, ...]:
    return card._replace(possible=card.hinted_kinds).kinds


def own_cards(view: View) -> list[Text]:
    """What the viewer's own cards can be, if that is few kinds or something is certain."""
    lines = []
    for card in view.hand:
        sure = [
            word
            for word, holds in (
                ("is playable", view.is_playable(card)),
                ("is useless", view.is_useless(card)),
                ("is the last of its kind", view.is_critical(card)),
            )
            if holds
        ]
        if len(card.kinds) <= FEW or sure:
            line = Text.assemble((f"    your card {card.slot + 1} ", "dim"))
            if len(card.kinds) <= FEW:
                line.append("can be ", "dim")
                for kind in card.kinds:
                    line.append_text(coloured(kind)).append(" ")
            if len(card.kinds) <= FEW and sure:
                line.append("and ", "dim")
            line.append(" and ".join(sure), "bold")
            lines.append(line)
    return lines
