"""Tables for playouts: several combinations of models, each with its public knowledge of the game.

The public knowledge of every model is computed once, and copied to the seats that the model takes. Private memories
must be replayed in every world.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.loop import WORLD, replay_memories
from kibitz.engine.seat import GUARD, SEAT, WORD, Seats, first_watchers, has, masks, seat_models, take_room
from kibitz.games.hanabi.hand_belief import Past

REMEMBERS, WATCHES, CHEATS, ELSEWHERE = range(4)  # masks


class PartnerTables(NamedTuple):
    seats: Any  # by table and seat: structs
    rooms: Any  # by table: the memories of its seats during a playout
    known: Any  # by table: their present public knowledge
    masks: Any  # by table: the seats that remember, watch, cheat or are external


@compiled
def onlookers(models: Any) -> Seats:
    """Every model once, as an observer that keeps public knowledge without private memories."""
    seats = seat_models(models, np.arange(models.shape[0]))
    return Seats(seats.seats, seats.room, seats.weights, seats.models, 0, seats.watches, seats.cheats, seats.elsewhere)


@compiled
def known_in_public(past: Past, model: int, word: int) -> int:
    """A word of a model's present public knowledge, from a past with `onlookers`."""
    seats = past.seats
    return past.rooms[past.moves, (seats.seats[model].public - seats.room.ctypes.data) // WORD + word]


@compiled
def words_at(models: Any, which: Any) -> int:
    """The number of words that the memories of a table take."""
    words = 0
    for seat in range(which.shape[0]):
        struct = models[which[seat]]
        words += struct.memory_words + struct.public_words + 2 * GUARD
    return words


@compiled
def tables_of(models: Any, which: Any, past: Past) -> PartnerTables:
    """Tables of the models that `which` gives by table and seat, from a past with `onlookers`."""
    count, players, words = which.shape[0], which.shape[1], 0
    for table in range(count):
        words = max(words, words_at(models, which[table]))
    tables = PartnerTables(
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
def table_at(tables: PartnerTables, table: int, models: Any) -> Seats:
    """One of the tables, for a playout."""
    mask = tables.masks[table]
    return Seats(
        tables.seats[table], tables.rooms[table], np.zeros(0), models[:0],
        mask[REMEMBERS], mask[WATCHES], mask[CHEATS], mask[ELSEWHERE],
    )  # fmt: skip


@compiled
def memories_in(world: Any, past: Past, tables: PartnerTables, table: int, seats: Seats) -> Any:
    """The memories of a table's seats in a world."""
    if not seats.remembers:
        return tables.known[table]
    past.pair[WORLD] = world[0]
    replay_memories(past.start, past.pair, seats)
    return seats.room.copy()
