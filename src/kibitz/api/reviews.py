"""`kibitz.review`: what every decision of a game lost, from what its seat could know."""

import math
from pathlib import Path

from kibitz.api.arguments import jobs_of, seconds_of, seed_of, whole
from kibitz.coach.review import Progress, Review, reviewing
from kibitz.core.record import Record, read
from kibitz.errors import ArgumentError
from kibitz.text import fit

MOST_PLAYOUTS = 1_000_000


def review(
    record: Record | str | Path, *, seat: int | None = None, partners: str | None = None, seed: int = 0,
    jobs: int | None = None, playouts: int | None = None, seconds: float | None = None,
    progress: Progress | None = None,
) -> Review:  # fmt: skip
    """Review a game: what each decision of a seat was worth by what that seat could know then.

    `seat` counts from 1; by default it is the first person's. Agents are modelled as themselves and people by a model
    of people, unless `partners` names an agent for all other seats. `playouts` is the effort per decision; decisions in
    doubt get six times as many. `seconds` limits the time; without it the number of jobs does not change the result.

    >>> import kibitz
    >>> record = kibitz.table("hanabi", ["trustful", "trustful"], seed=7).run().record
    >>> found = kibitz.review(record, seat=1, playouts=20)
    >>> found.turns[0].turn, found.unit
    (1, 'points')
    """
    if isinstance(record, str | Path):
        record = read(record)
    if not isinstance(record, Record):
        raise ArgumentError(f"`record` is {fit(repr(record), 80)}, but must be a record or the path of one.")
    count = None if playouts is None else whole("playouts", playouts, 1, MOST_PLAYOUTS)
    place = None if seat is None else whole("seat", seat, 1, record.players) - 1
    work = reviewing(
        record, seat=place, partners=partners, seed=seed_of(seed), jobs=jobs_of(jobs), playouts=count,
        seconds=math.inf if seconds is None else seconds_of(seconds) or math.inf,
    )  # fmt: skip
    for turn in work:
        if progress is not None:
            progress(turn)
    return work.review()
