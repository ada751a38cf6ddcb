"""Games of the tests: compiled searches are cached by the type of a game's states, not by the text of its rules."""

import hashlib
from pathlib import Path


def version_of(file: str) -> str:
    """The name of a field that is another one whenever the file of a game changes."""
    return "version_" + hashlib.blake2b(Path(file).read_bytes(), digest_size=6).hexdigest()
