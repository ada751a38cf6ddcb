"""Tuned weights in a TOML file for `AGENT@FILE`, with their provenance and gain."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.core.weights import TUNED
from kibitz.core.whole_files import write_whole

ABOUT = """\
# Made by kibitz tune. The scores, with the weights below and with the original ones, and the gain are means over
# {deals:,} holdout deals of seed {seed}.
"""


def quoted(text: str) -> str:
    """A text as a TOML string."""
    escaped = "".join(
        f"\\{letter}" if letter in '"\\' else letter if letter.isprintable() else f"\\U{ord(letter):08X}"
        for letter in text
    )
    return f'"{escaped}"'


def written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(written, value))}]"
    return quoted(str(value))


def tables(weights: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Named weights by TOML table; those without a table come first."""
    found: dict[str, dict[str, float]] = {"": {}}
    for name, value in weights.items():
        table, _, last = name.rpartition(".")
        found.setdefault(table, {})[last] = value
    return found


def weights_text(origin: str, provenance: Mapping[str, Any], weights: Mapping[str, float]) -> str:
    by_table = tables(weights)
    lines = [ABOUT.format(deals=provenance["holdout_deals"], seed=provenance["holdout_seed"]).rstrip()]
    lines += [f"origin = {quoted(origin)}", *(f"{name} = {written(value)}" for name, value in by_table.pop("").items())]
    lines += ["", f"[{TUNED}]", *(f"{name} = {written(value)}" for name, value in provenance.items())]
    for table, named in by_table.items():
        lines += ["", f"[{table}]", *(f"{name} = {written(value)}" for name, value in named.items())]
    return "\n".join(lines) + "\n"


def write_weights(path: Path, text: str) -> None:
    write_whole(
        path,
        text,
        "The study is saved: fix the cause, and the same command writes the file without playing again.",
    )
