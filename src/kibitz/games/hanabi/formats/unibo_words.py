"""The words of the wire, both ways: numbers, colours and moves as they stand in its objects."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kibitz.errors import KibitzError
from kibitz.games.hanabi.cards import COLOURS
from kibitz.games.hanabi.formats.unibo_states import WIRE_COLOURS, whole
from kibitz.games.hanabi.moves import Move, discard, hint, play
from kibitz.games.hanabi.state import HAND

PLAY, DISCARD, HINT_COLOUR, HINT_VALUE = "play", "discard", "hint color", "hint value"
compact = msgspec.json.encode


def move_object(move: int, player: str, names: Sequence[str]) -> dict[str, Any]:
    """A move of a player, to whom the others are known by these names."""
    made = Move(move)
    if not made.is_hint:
        return {"player": player, "type": PLAY if made.is_play else DISCARD, "card": made.slot}
    by_colour = isinstance(made.value, str)
    return {
        "player": player,
        "type": HINT_COLOUR if by_colour else HINT_VALUE,
        "hinted": names[made.target],
        "color" if by_colour else "value": made.value,
    }


def move_said(said: Mapping[str, Any], names: Sequence[str], held: int = HAND) -> Move:
    """The move that an object means, made with so many cards in hand; whether it is legal, the rules say."""
    match said.get("type"):
        case "play" | "discard" as kind:
            slot = whole(said.get("card"))
            if slot is None or not 0 <= slot < held:
                raise KibitzError(
                    f'A {kind} says which card as "card", and {said.get("card")!r} is none: the hand has {held} cards, '
                    f"counted from 0 at the oldest."
                )
            return play(slot) if kind == PLAY else discard(slot)
        case "hint color":
            colour = said.get("color")
            if colour not in COLOURS:
                raise KibitzError(f'A hint says which colour as "color", and {colour!r} is none of {WIRE_COLOURS}.')
            return hint(hinted_seat(said, names), colour)
        case "hint value":
            value = whole(said.get("value"))
            if value is None or not 1 <= value <= 5:
                raise KibitzError(f'A hint says which value as "value", 1 to 5, and not {said.get("value")!r}.')
            return hint(hinted_seat(said, names), value)
        case other:
            kinds = ", ".join((PLAY, DISCARD, HINT_COLOUR, HINT_VALUE))
            raise KibitzError(f'"type" is {other!r}. The types of a move are {kinds}.')


def hinted_seat(said: Mapping[str, Any], names: Sequence[str]) -> int:
    hinted = said.get("hinted")
    if hinted not in names:
        raise KibitzError(
            f'A hint says to whom as "hinted", and {hinted!r} is no full name of a player; they are {", ".join(names)}.'
        )
    return names.index(hinted)
