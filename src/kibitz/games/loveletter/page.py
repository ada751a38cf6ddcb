"""Love Letter as JSON, for the page that draws it and for bots over the network.

It is made from a view, in which hidden cards are already face down. Cards are given by name.
"""

from typing import Any

from kibitz.games.loveletter.cards import FACE_DOWN, KINDS, NAMES
from kibitz.games.loveletter.chances import held_by
from kibitz.games.loveletter.moves import Card, Move
from kibitz.games.loveletter.view import Round, View


def table(view: View) -> dict[str, Any]:
    """The table for a seat, an onlooker, or anybody once it is open."""
    return {
        "players": view.players,
        "seat": view.seat if view.seat >= 0 else None,
        "to_move": None if view.over else view.to_move,
        "turn": view.turn - 1,
        "round": view.round,
        "one_round": view.one_round,
        "goal": view.goal,
        "tokens": view.tokens,
        "first": view.first,
        "deck": view.deck_left,
        "set_aside": name(view.set_aside),
        "face_up": names(view.face_up),
        "unseen": {str(card): left for card, left in view.unseen.items()},
        "seats": [seat_at(view, seat) for seat in range(view.players)],
        "rounds": [past_round(past) for past in view.rounds],
    }


def seat_at(view: View, seat: int) -> dict[str, Any]:
    """A seat: the cards that the viewer knows, the discards, and what is known about its card."""
    cards = names(view.cards(seat))
    return {
        "cards": cards + [None] * (view.held(seat) - len(cards)),
        "discards": names(view.discards(seat)),
        "out": view.is_out(seat),
        "protected": view.is_protected(seat) and not view.is_out(seat),
        "ruled_out": names(view.ruled_out(seat)),
        "known_to": list(view.known_to(seat)) if seat == view.seat else [],
    }


def past_round(past: Round) -> dict[str, Any]:
    return {
        "number": past.number,
        "winners": list(past.winners),
        "first": past.first,
        "turns": past.turns,
        "last_turn": past.last_turn,
        "decisive": name(past.decisive),
        "hands": {str(seat): str(card) for seat, card in past.hands.items()},
    }


def event(view: View, turn: int, text: str) -> dict[str, Any]:
    """A turn, counted from 0, from the view right after it."""
    happened = view.event(turn)
    ended = next((past for past in view.rounds if past.last_turn == turn + 1), None)
    return {
        "turn": turn + 1,
        "move": str(happened.move),
        "text": text,
        "round": happened.round,
        **move_parts(happened.move),
        "out": happened.out,
        "opened": name(happened.opened),
        "shown": [name(card) for card in happened.shown] if happened.shown else None,
        "round_over": past_round(ended) if ended else None,
    }


def move_parts(move: Move) -> dict[str, Any]:
    return {"card": str(move.card), "target": move.target, "named": name(move.named)}


def choices(view: View) -> list[dict[str, Any]]:
    """The legal moves and their parts."""
    return [{"move": str(move), **move_parts(move)} for move in view.legal]


def odds(view: View) -> list[dict[str, Any]]:
    """The probability of each card in each other hand."""
    if view.seat < 0 or view.over:
        return []
    return [
        {
            "seat": seat,
            "cards": {NAMES[kind]: float(share) for kind, share in enumerate(held_by(view.struct, seat)) if share},
        }
        for seat in view.others
    ]


def names(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


def name(card: Card | None) -> str | None:
    return None if card is None or not FACE_DOWN < card < KINDS else str(card)
