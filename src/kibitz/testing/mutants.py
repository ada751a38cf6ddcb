"""Mutated views, records and texts of real games, as a hostile host or file could contain them."""

import json
import random
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np

MOST_CHANGES = 3
NASTY: tuple[Any, ...] = (
    None, True, -1, 0, 1, 7, 1 << 31, (1 << 63) - 1, -(1 << 63), 1 << 70, 1e300, float("nan"), "", "x", "\ud800",
    "A" * 300, [], [[]], {}, {"x": 1}, [None], [0] * 70, ["red"],
)  # fmt: skip
LETTERS = "0123456789abcdefghKQRBNPkqrbnpWBSE:./-+# \n\"'{}[],\x00ÄÖ♥"


def changed_view(views: Sequence[Any], dice: random.Random) -> Any:
    """One of the views, as an array of one struct, with bytes, numbers or whole fields changed."""
    view = dice.choice(views).copy()
    for _ in range(dice.randint(1, MOST_CHANGES)):
        dice.choice(CHANGES)(view, views, dice)
    return view


def some_field(view: Any, dice: random.Random) -> Any:
    """All numbers of a random field, as a flat writable array."""
    return view[dice.choice(view.dtype.names)].reshape(-1)


def change_bytes(view: Any, views: Sequence[Any], dice: random.Random) -> None:
    data = view.view(np.uint8)
    data[dice.randrange(len(data))] = dice.choice((0, 1, 127, 128, 255, dice.randrange(256)))


def change_number(view: Any, views: Sequence[Any], dice: random.Random) -> None:
    """One number becomes its neighbour, a small number, or an extreme of its type."""
    numbers = some_field(view, dice)
    place, limits = dice.randrange(len(numbers)), np.iinfo(numbers.dtype)
    near = int(numbers[place]) + dice.choice((-1, 1))
    number = dice.choice((near, near, dice.randint(-2, 60), limits.min, limits.max))
    numbers[place] = min(max(number, limits.min), limits.max)


def fill_field(view: Any, views: Sequence[Any], dice: random.Random) -> None:
    numbers = some_field(view, dice)
    limits = np.iinfo(numbers.dtype)
    numbers[:] = max(dice.choice((0, 1, -1, limits.min, limits.max)), limits.min)


def copy_field(view: Any, views: Sequence[Any], dice: random.Random) -> None:
    """One or several adjacent fields are copied from another view."""
    other, names = dice.choice(views), view.dtype.names
    first = dice.randrange(len(names))
    for name in names[first : first + dice.choice((1, 1, 2, 5))]:
        view[name] = other[name]


def swap_numbers(view: Any, views: Sequence[Any], dice: random.Random) -> None:
    numbers = some_field(view, dice)
    one, other = dice.randrange(len(numbers)), dice.randrange(len(numbers))
    numbers[one], numbers[other] = int(numbers[other]), int(numbers[one])


CHANGES = (change_bytes, change_number, change_number, fill_field, copy_field, swap_numbers)


def changed_json(text: str, others: Sequence[str], dice: random.Random) -> str:
    """A JSON document with values changed, removed, repeated or taken from other documents."""
    document = json.loads(text)
    for _ in range(dice.randint(1, MOST_CHANGES)):
        change_value(document, json.loads(dice.choice(others)), dice)
    return json.dumps(document)


def change_value(value: Any, other: Any, dice: random.Random) -> None:
    """Change something in an object or a list at any depth, perhaps to what the other document has there."""
    while isinstance(value, dict | list) and value:
        key: Any = dice.choice(list(value)) if isinstance(value, dict) else dice.randrange(len(value))
        inner, theirs = value[key], at(other, key)
        if isinstance(inner, dict | list) and inner and dice.random() < 0.8:
            value, other = inner, theirs
            continue
        way = dice.randrange(5)
        if way == 0:
            del value[key]
        elif way == 1 and isinstance(value, list):
            value.insert(dice.randrange(len(value) + 1), inner)
        elif way == 2 and theirs is not None:
            value[key] = theirs
        elif way == 3 and isinstance(inner, str):
            value[key] = changed_text(inner, dice)
        elif way == 3 and isinstance(inner, int):
            value[key] = inner + dice.choice((-1, 1))
        else:
            value[key] = deepcopy(dice.choice(NASTY))
        return


def at(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        return value.get(key)
    return value[key] if isinstance(value, list) and isinstance(key, int) and key < len(value) else None


def changed_text(text: str, dice: random.Random) -> str:
    """A text with characters changed, removed, doubled or moved."""
    for _ in range(dice.randint(1, MOST_CHANGES)):
        place, length = dice.randrange(len(text) + 1), dice.choice((0, 1, 1, 2, 8))
        new = dice.choice(("", dice.choice(LETTERS), text[place : place + 2 * length] * 2, text[-length:]))
        text = text[:place] + new + text[place + length :]
    return text
