"""The default title of an agent: its name in plain words."""

import re

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")


def title_of(name: str) -> str:
    """The title for a name: `my_bot` and `bots/mine.py:MyBot` both become "My bot"."""
    where, _, attribute = name.partition("@")[0].rpartition(":")
    last = attribute or where
    words = WORDS.findall(last.rpartition("/")[2].removesuffix(".toml"))
    plain = " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in words)
    return plain[:1].upper() + plain[1:] or name
