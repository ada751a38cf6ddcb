"""Read untrusted TOML files, or refuse them with a sentence."""

import tomllib
from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError

MOST_BYTES = 4 << 20
MOST_DEEP = 50  # nesting of tables and lists


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file. Raises an OSError, or a KibitzError that does not name the file."""
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise KibitzError(f"it is larger than {MOST_BYTES >> 20} MB, the most that is read of a TOML file.")
    try:
        found = tomllib.loads(content.decode("utf-8").replace("\r\n", "\n"))
    except RecursionError:
        raise too_deep() from None
    except ValueError as error:  # also raised for an integer with thousands of digits
        raise KibitzError(f"it is not a TOML file: {error}.") from None
    level: list[Any] = [found]
    for _ in range(MOST_DEEP):
        level = [each for value in level for each in (value.values() if isinstance(value, dict) else value)]
        level = [each for each in level if isinstance(each, dict | list)]
    if level:
        raise too_deep()
    return found


def too_deep() -> KibitzError:
    return KibitzError(f"its lists and tables are nested more than {MOST_DEEP} levels deep.")
