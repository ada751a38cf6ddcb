"""Bridge in words: cards, plays, tricks and results."""

from typing import Any

from kibitz.core.deferred import load
from kibitz.core.words import Words
from kibitz.errors import KibitzError
from kibitz.games.bridge import double_dummy
from kibitz.games.bridge.cards import COMPASS, RANK_NAMES, STRAIN_NAMES, SYMBOLS, Card, read_card
from kibitz.games.bridge.view import SIDES, View

MOST_NAMED = 3  # better cards in a remark

HELP = """Type a card, suit and rank in either order:
  sa   ♠A   s a   ace of spades      h10 and ht are the ten of hearts
  q                                  a rank alone, if only one suit is legal
Suits are s, h, d and c. You must follow suit if you can. The declarer plays dummy's cards as well.
Commands: moves (the legal cards), board, history, help, quit."""


class BridgeWords(Words):
    def view(self, record: Any) -> View:
        return View(record)

    def legal(self, record: Any) -> list[int]:
        return list(View(record).legal)

    def move(self, answer: Any, record: Any) -> int:
        view = View(record)
        said = str(Card(answer)) if isinstance(answer, int) and answer in range(len(Card)) else str(answer)
        read = read_card(said)
        if read is None:
            raise KibitzError(f"{said[:80]!r} is not a card. Write suit and rank, SA or ♠A. Legal: {named(view)}.")
        suit, rank = read
        meant = [card for card in view.legal if suit in (None, card.suit) and rank in (None, card.rank)]
        if len(meant) == 1:
            return int(meant[0])
        if meant:
            raise KibitzError(f"{said[:80]!r} is ambiguous: {' or '.join(map(str, meant))}. Write suit and rank.")
        raise KibitzError(f"{said.strip()[:80]} cannot be played now: {why_not(suit, rank, view)}")

    def move_text(self, move: int) -> str:
        return Card(move).name

    def event_text(self, record: Any, turn: int) -> str:
        view = View(record)
        card, seat = view.history[turn], view.played_from(turn)
        who, from_dummy = self.seat_name(view.player_of(seat)), " from dummy" if seat == view.dummy else ""
        text = f"{who} {'plays' if turn % 4 else 'leads'} {card}{from_dummy}."
        trick = view.trick(turn // 4)
        if turn % 4 == 3 and trick.winner is not None:
            text += f" {self.seat_name(trick.winner)} takes trick {trick.number}."
        return text

    def verdict(self, state: Any) -> str:
        view = View(state)
        contract, pair = view.contract, view.declarer % 2
        tricks, result = view.tricks[pair], self.result(state)  # type: ignore[attr-defined]
        over = tricks - contract.needed
        how = (
            "just made"
            if over == 0
            else f"made with {over} {'overtrick' if over == 1 else 'overtricks'}"
            if over > 0
            else f"{-over} down"
        )
        score = result["score"]
        sign = "+" if score > 0 else "−"
        return (
            f"{contract} ({self.seat_name(view.declarer)}) is {how}: {tricks} tricks. "
            f"{SIDES[0]} score {sign}{abs(score)}."
        )

    def hindsight(self, state: Any, move: int) -> str:
        """The cost of a card, double-dummy."""
        position = double_dummy.Position.of(state)
        if not double_dummy.installed():
            return "" if state["turn"] else double_dummy.MISSING
        tricks = double_dummy.solved_soon(position) if len(position.legal) > 1 else None
        cost = max(tricks.values()) - tricks[Card(move)] if tricks else 0
        if not tricks or not cost:
            return ""
        better = [card for card, taken in tricks.items() if taken == max(tricks.values())]
        instead = " or ".join(str(card) for card in sorted(better, reverse=True)[:MOST_NAMED])
        return f"costs {'a trick' if cost == 1 else f'{cost} tricks'}, with all hands open; {instead} would not"

    def explain(self, reason: str, about: int, view: Any) -> str:
        """Reasons refer to a card."""
        return reason if about < 0 else reason.format(card=Card(about), suit=STRAIN_NAMES[Card(about).suit])

    def board(self, view: Any) -> Any:
        return load("kibitz.games.bridge.board:board")(View(view), self)

    def svg(self, view: Any) -> str:
        return str(load("kibitz.games.bridge.picture:table")(View(view), self))

    def help(self) -> str:
        return HELP


def named(view: View) -> str:
    return " ".join(map(str, view.legal)) or "none"


def why_not(suit: int | None, rank: int | None, view: View) -> str:
    """Why a card is not legal, with the legal ones."""
    held, trick = view.hand(view.playing), view.current
    whose = "dummy" if view.playing == view.dummy else COMPASS[view.playing]
    if not held:
        why = f"the hand of {whose} is hidden"
    elif not any(suit in (None, card.suit) and rank in (None, card.rank) for card in held):
        words = f"the {RANK_NAMES[rank]}" if suit is None and rank is not None else f"a {STRAIN_NAMES[suit or 0][:-1]}"
        missing = Card(13 * suit + rank).words if suit is not None and rank is not None else words
        why = f"{whose} does not hold {missing}"
    elif trick is not None:
        why = f"{SYMBOLS[trick.cards[0].suit]} was led, and {whose} can follow suit"
    else:
        why = "it is not legal"
    return f"{why}. Legal: {named(view)}."
