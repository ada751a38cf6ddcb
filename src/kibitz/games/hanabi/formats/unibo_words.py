"""Convert moves to and from the objects of Bida & Pandolfi's protocol."""

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
    """A player's move as an object, with the other players under these names."""
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


def parse_move(message: Mapping[str, Any], names: Sequence[str], held: int = HAND) -> Move:
    """The move in an object, with this many cards in hand; it need not be legal."""
    match message.get("type"):
        case "play" | "discard" as kind:
            slot = whole(message.get("card"))
            if slot is None or not 0 <= slot < held:
                raise KibitzError(
                    f'The "card" of a {kind} is its place in the hand, 0 (the oldest) to {held - 1}, '
                    f"not {message.get('card')!r}."
                )
            return play(slot) if kind == PLAY else discard(slot)
        case "hint color":
            colour = message.get("color")
            if colour not in COLOURS:
                raise KibitzError(f'The "color" of a hint is one of {", ".join(WIRE_COLOURS)}, not {colour!r}.')
            return hint(hinted_seat(message, names), colour)
        case "hint value":
            value = whole(message.get("value"))
            if value is None or not 1 <= value <= 5:
                raise KibitzError(f'The "value" of a hint is 1 to 5, not {message.get("value")!r}.')
            return hint(hinted_seat(message, names), value)
        case other:
            kinds = ", ".join((PLAY, DISCARD, HINT_COLOUR, HINT_VALUE))
            raise KibitzError(f'"type" is {other!r}. The types of a move are {kinds}.')


def hinted_seat(message: Mapping[str, Any], names: Sequence[str]) -> int:
    hinted = message.get("hinted")
    if hinted not in names:
        raise KibitzError(
            f'The "hinted" player of a hint is given by the full name, one of {", ".join(names)}, not {hinted!r}.'
        )
    return names.index(hinted)
