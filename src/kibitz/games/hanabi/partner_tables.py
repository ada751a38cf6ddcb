"""Tables to think with: several mixes of models, each knowing of the game what is known in public.

Public knowledge is gone through once, by every model at the same time, and handed to whichever seats they take.
Memories of what a model alone saw have to be lived through in every world.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.loop import WORLD, replay_memories
from kibitz.engine.seat import GUARD, SEAT, WORD, Seats, first_watchers, has, masks, seat_models, take_room
from kibitz.games.hanabi.hand_belief import Past

REMEMBERS, WATCHES, CHEATS, ELSEWHERE = range(4)  # masks


class Tables(NamedTuple):
    seats: Any  # by table and seat: structs
    rooms: Any  # by table: what its seats know while it is played at
    known: Any  # by table: what they know now, as far as it is public
    masks: Any  # by table: who remembers, watches, cheats, is not there


@compiled
def onlookers(models: Any) -> Seats:
    """Every model once, to keep public knowledge; what they would see from a seat they are not told."""
    seats = seat_models(models, np.arange(models.shape[0]))
    return Seats(seats.seats, seats.room, seats.weights, seats.models, 0, seats.watches, seats.cheats, seats.elsewhere)


@compiled
def known_in_public(past: Past, model: int, word: int) -> int:
    """A word of what a model knows in public now, by a past that onlookers went through."""
    seats = past.seats
    return past.rooms[past.moves, (seats.seats[model].public - seats.room.ctypes.data) // WORD + word]


@compiled
def words_at(models: Any, which: Any) -> int:
    """How many words the models of a table take."""
    words = 0
    for seat in range(which.shape[0]):
        struct = models[which[seat]]
        words += struct.memory_words + struct.public_words + 2 * GUARD
    return words


@compiled
def tables_of(models: Any, which: Any, past: Past) -> Tables:
    """Tables of these models, named by table and seat. Onlookers went through the past."""
    count, players, words = which.shape[0], which.shape[1], 0
    for table in range(count):
        words = max(words, words_at(models, which[table]))
    tables = Tables(
        np.zeros((count, players), SEAT), np.zeros((count, words), np.int64), np.zeros((count, words), np.int64),
        np.zeros((count, 4), np.int64),
    )  # fmt: skip
    for table in range(count):
        seats, room, mask = tables.seats[table], tables.rooms[table], tables.masks[table]
        for seat in range(players):
            seats[seat] = models[which[table, seat]]
        mask[WATCHES] = first_watchers(seats)
        take_room(seats, mask[WATCHES], room.ctypes.data)
        mask[REMEMBERS], mask[CHEATS], mask[ELSEWHERE] = masks(seats)
        for seat in range(players):
            if has(mask[WATCHES], seat):
                first = (seats[seat].public - room.ctypes.data) // WORD
                for word in range(seats[seat].public_words):
                    tables.known[table, first + word] = known_in_public(past, which[table, seat], word)
    return tables


@compiled
def table_at(tables: Tables, table: int, models: Any) -> Seats:
    """One of the tables, to be played at."""
    mask = tables.masks[table]
    return Seats(
        tables.seats[table], tables.rooms[table], np.zeros(0), models[:0],
        mask[REMEMBERS], mask[WATCHES], mask[CHEATS], mask[ELSEWHERE],
    )  # fmt: skip


@compiled
def memories_in(world: Any, past: Past, tables: Tables, table: int, seats: Seats) -> Any:
    """What the seats of a table know in a world."""
    if not seats.remembers:
        return tables.known[table]
    past.pair[WORLD] = world[0]
    replay_memories(past.start, past.pair, seats)
    return seats.room.copy()
