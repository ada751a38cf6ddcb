"""The games of a finished run in one file for other programs.

The file is a table (`.csv` or `.parquet`) with one or more rows per game, or the games' records: one per line
(`.jsonl`), or in one document with the summary (`.json`).
"""

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.match import Match
from kibitz.arena.measure import Keep, KeptGames, MeasuredMatch
from kibitz.arena.rotation import rotated
from kibitz.core.whole_files import whole_file
from kibitz.errors import KibitzError
from kibitz.extras import need

RECORDS, TABLES = (".json", ".jsonl"), (".csv", ".parquet")


def keeps(path: Path | None) -> Keep:
    """What must be kept of every game to write a file of this name."""
    return "statistics" if path is None else "records" if wants_records(path) else "results"


def wants_records(path: Path) -> bool:
    """Whether a file of this name holds records of whole games, not only results."""
    if path.suffix not in RECORDS + TABLES:
        endings = ", ".join(RECORDS + TABLES)
        raise KibitzError(f"{path} must end in one of {endings}, which selects the format.")
    if path.is_dir():
        raise KibitzError(f"{path} is a folder. Name a file in it.")
    need("frames")
    return path.suffix in RECORDS


def document(summary: bytes, games: Sequence[bytes]) -> bytes:
    """Records, given one per line, and their summary as one JSON document."""
    return b'{"summary":' + summary + b',\n"games":[\n' + b",\n".join(games) + b"\n]}\n"


def write_games(measured: MeasuredMatch, path: Path) -> None:
    """Write the kept games of a match, a part at a time; an older file stays until then."""
    kept = measured.games_kept
    assert kept is not None
    write = {".json": write_json, ".jsonl": write_lines, ".csv": write_csv, ".parquet": write_parquet}[path.suffix]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as draft:
            write(kept, measured.measure.as_json(), draft)
    except OSError as error:
        name = measured.run.name if measured.run is not None else ""
        raise KibitzError(
            f"{path} cannot be written: {error.strerror or error}. Nothing is lost: the games are in the run {name}."
        ) from None


def write_json(kept: KeptGames, summary: dict[str, Any], path: Path) -> None:
    """Like `document`, but streamed part by part."""
    before, after = document(json.dumps(summary).encode(), [b"\n"]).split(b"\n\n\n")
    with path.open("wb") as file:
        file.write(before + b"\n")
        for number, block in enumerate(kept.rows.blocks()):
            file.write((b",\n" if number else b"") + b",\n".join(block))
        file.write(b"\n" + after)


def write_lines(kept: KeptGames, summary: dict[str, Any], path: Path) -> None:
    with path.open("wb") as file:
        file.writelines(line + b"\n" for block in kept.rows.blocks() for line in block)


def write_csv(kept: KeptGames, summary: dict[str, Any], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
        writer = csv.writer(file)
        for number, block in enumerate(tables(kept)):
            if number == 0:
                writer.writerow(block)
            writer.writerows(zip(*(column.tolist() for column in block.values()), strict=True))


def write_parquet(kept: KeptGames, summary: dict[str, Any], path: Path) -> None:
    """The table is put together from parts on the disk, so that it need not fit in memory."""
    import polars as pl  # slow to load

    folder = path.with_name(path.name + ".parts")
    folder.mkdir(exist_ok=True)
    try:
        parts = []
        for number, block in enumerate(tables(kept)):
            parts.append(folder / f"{number:05}.parquet")
            pl.DataFrame(block).write_parquet(parts[-1])
        table = pl.scan_parquet(parts, low_memory=True)
        table.sink_parquet(path, metadata={"kibitz": json.dumps(summary)}, row_group_size=BLOCK, maintain_order=True)
    finally:
        for part in folder.iterdir():
            part.unlink()
        folder.rmdir()


BLOCK = 100_000  # rows of a Parquet file that are compressed together


def tables(kept: KeptGames) -> Iterator[dict[str, Any]]:
    for number, chunk in enumerate(kept.blocks()):
        if chunk.games or not number:
            yield table(kept.match, chunk.first, chunk.results, chunk.rotations)


def table(match: Match, first: int, results: Any, rotations: Any) -> dict[str, Any]:
    """Table rows of games: the numbers of the game, its deal and its starting seat, and the game's own columns.

    Cooperative games have neither deal nor starting seat, as they are equal in every row or follow from the number.
    """
    parts = []
    for rotation in np.unique(rotations):
        here = np.flatnonzero(rotations == rotation)
        named = rotated(range(1, match.players + 1), rotation)
        part = match.game.table(results[here], named)
        parts.append({**part, "row": here[part["row"]]})
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = np.argsort(whole["row"], kind="stable")
    row = whole.pop("row")[order]
    numbers: dict[str, Any] = {"game": first + row}
    if match.game.competitive:
        numbers |= {"deal": match.deal_of(first + row), "first": rotations[row] + 1}
    return numbers | {name: column[order] for name, column in whole.items()}
