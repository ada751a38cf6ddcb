"""Bridge as JSON, for the page and for bots over the network.

All of it comes from a view, without hidden hands. Cards are SA, HT.
"""

from typing import Any

from kibitz.games.bridge import double_dummy
from kibitz.games.bridge.cards import NO_TRUMP, SEATS, SUIT_LETTERS, Card
from kibitz.games.bridge.state import OPEN
from kibitz.games.bridge.view import VULNERABLE, Trick, View


def table(view: View) -> dict[str, Any]:
    """The table as a viewer sees it: a seat, a spectator, or everybody once it is over."""
    contract = view.contract
    return {
        "players": view.players,
        "seat": view.seat if view.seat >= 0 else None,
        "to_move": None if view.over else view.to_move,
        "playing": None if view.over else view.playing,
        "turn": view.turn - 1,
        "contract": {
            "text": contract.text,
            "level": contract.level,
            "strain": "NT" if contract.strain == NO_TRUMP else SUIT_LETTERS[contract.strain],
            "doubled": contract.doubled,
            "declarer": contract.declarer,
            "needed": contract.needed,
        },
        "dummy": view.dummy,
        "vulnerable": VULNERABLE[view.vulnerable],
        "tricks": view.tricks,
        "trick": trick(view.current),
        "last_trick": trick(view.last),
        "seats": [seat_at(view, seat) for seat in range(SEATS)],
        "tricks_of": tricks_of(view),
    }


def prepare(view: View) -> None:
    """Solve a position with all hands open, for `tricks_of`: a tenth of a second, longer if the solver is busy."""
    if view.seat == OPEN and not view.over:
        double_dummy.solved_soon(double_dummy.Position.of(view.struct))


def tricks_of(view: View) -> dict[str, int] | None:
    """With all hands open, the total number of tricks of each legal card's side under perfect play.

    None if the position has not been solved: see `prepare`.
    """
    if view.seat != OPEN or view.over or not (found := double_dummy.known(double_dummy.Position.of(view.struct))):
        return None
    taken = view.tricks[view.playing % 2]
    return {card.name: taken + tricks for card, tricks in found.items()}


def seat_at(view: View, seat: int) -> dict[str, Any]:
    """A seat: its cards if they are visible, their number, and what is known of it."""
    return {
        "cards": names(view.hand(seat)) if view.sees(seat) else None,
        "dealt": names(view.dealt(seat)) if view.over else None,
        "held": view.held(seat),
        "out_of": [SUIT_LETTERS[suit] for suit in view.shown_out(seat)],
        "points": view.shown_points(seat),
        "lengths": {SUIT_LETTERS[suit]: bounds for suit, bounds in view.shown_lengths(seat).items()},
    }


def trick(shown: Trick | None) -> dict[str, Any] | None:
    if shown is None:
        return None
    return {
        "number": shown.number,
        "leader": shown.leader,
        "cards": names(shown.cards),
        "winner": shown.winner,
    }


def event(view: View, turn: int, text: str) -> dict[str, Any]:
    """A card that was played, from the view right after it; it is the same for everybody."""
    card, seat, shown = view.history[turn], view.played_from(turn), view.trick(turn // SEATS)
    return {
        "turn": turn + 1,
        "move": card.name,
        "text": text,
        "card": card.name,
        "from": seat,
        "trick": shown.number,
        "taken_by": shown.winner if turn % SEATS == SEATS - 1 else None,
    }


def choices(view: View) -> list[dict[str, Any]]:
    """The legal cards, and the hand they are in."""
    return [{"move": card.name, "card": card.name, "from": view.playing} for card in view.legal]


def names(cards: list[Card] | tuple[Card, ...]) -> list[str]:
    return [card.name for card in cards]
