"""Hanabi as JSON, for the page that draws it and for bots over the network.

Everything here is made from a view, in which hidden cards are face down already. Cards are called by their place in
the deck, which never changes; kinds are written short, `r1` for red 1.
"""

from functools import lru_cache
from typing import Any

from kibitz.hanabi import analytics, rules
from kibitz.hanabi.moves import Move
from kibitz.hanabi.state import LIVES, TOKENS
from kibitz.hanabi.view import Card, View, kinds_in


@lru_cache(maxsize=4096)
def kinds(mask: int) -> list[str]:
    """The kinds of a set, short, as a list that is shared and must not be changed."""
    return [kind.short for kind in kinds_in(mask)]


def table(view: View) -> dict[str, Any]:
    """The table as a viewer sees it: a seat, an onlooker, or everybody once it is open."""
    over = rules.to_move(view.record) == rules.GAME_OVER
    return {
        "players": view.players,
        "seat": view.seat if view.seat >= 0 else None,
        "to_move": None if over else view.to_move,
        "turn": view.turn - 1,
        "tokens": view.tokens,
        "most_tokens": TOKENS,
        "lives": view.lives,
        "most_lives": LIVES,
        "deck": view.deck_left,
        "turns_left": view.turns_left,
        "score": view.score,
        "piles": view.piles,
        "discards": [kind.short for kind in sorted(view.discards, key=lambda kind: kind.index)],
        "playable": kinds(view.playable),
        "useless": kinds(view.useless),
        "critical": kinds(view.critical),
        "hands": [[card_in_hand(view, card) for card in hand] for hand in view.hands],
    }


def card_in_hand(view: View, card: Card) -> dict[str, Any]:
    """A card: what the viewer sees of it, and what its holder knows of it as far as the viewer can tell."""
    hinted = kinds_in(card.told)
    return {
        "card": card.place,
        "kind": card.kind.short if card.kind else None,
        "colour_told": hinted[0].colour if card.colour_told else None,
        "rank_told": hinted[0].rank if card.rank_told else None,
        "possible": kinds(card.possible),
        "playable": view.is_playable(card),
        "useless": view.is_useless(card),
        "critical": view.is_critical(card),
    }


def event(view: View, turn: int, text: str) -> dict[str, Any]:
    """What everybody saw of a turn, from 0, by the view right after it."""
    happened = view.event(turn)
    said: dict[str, Any] = {"turn": turn + 1, "move": str(happened.move), "text": text}
    if happened.move.is_hint:
        hand = view.hands[happened.move.target]
        touched = [hand[slot].place for slot in happened.touched]
        return {**said, **hint_parts(happened.move), "cards": touched}
    return {
        **said,
        "action": "play" if happened.move.is_play else "discard",
        "slot": happened.move.slot,
        "kind": happened.kind.short if happened.kind else None,
        "misplayed": happened.misplayed,
    }


def hint_parts(move: Move) -> dict[str, Any]:
    return {"action": "hint", "target": move.target, "value": move.value}


def choices(view: View) -> list[dict[str, Any]]:
    """The legal moves, with the cards each is about."""
    return [choice(view, move) for move in view.legal]


def choice(view: View, move: Move) -> dict[str, Any]:
    if move.is_hint:
        named = [card.place for card in view.hands[move.target] if names(move.value, card)]
        return {"move": str(move), **hint_parts(move), "cards": named}
    action = "play" if move.is_play else "discard"
    return {"move": str(move), "action": action, "slot": move.slot, "cards": [view.hand[move.slot].place]}


def names(value: str | int, card: Card) -> bool:
    """Whether a hint of this value touches a card the viewer sees."""
    return card.kind is not None and value in (card.kind.colour, card.kind.rank)


def odds(view: View) -> list[dict[str, Any]]:
    """How likely each of the viewer's cards is to be what, by counting the cards the viewer does not see."""
    if view.seat < 0:
        return []
    return [
        {
            "card": card.place,
            "slot": card.slot,
            "playable": analytics.chance_of(view, card, view.playable),
            "useless": analytics.chance_of(view, card, view.useless),
            "critical": analytics.chance_of(view, card, view.critical),
            "kinds": {kind.short: likely for kind, likely in analytics.odds(view, card).items()},
        }
        for card in view.hand
    ]
