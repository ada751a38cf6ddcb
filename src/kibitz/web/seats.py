"""Who holds a seat: names as people give them, tokens that nobody can guess, and what of it everybody may see."""

import hmac
import secrets
import unicodedata
from hashlib import blake2b
from typing import Any, Literal

import msgspec

LONGEST_NAME = 32
NAMELESS = "Guest"
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that looks like another


def new_id() -> str:
    """A name for a table or a run: short enough to be read out."""
    return "".join(secrets.choice(LETTERS) for _ in range(8))


def new_token() -> str:
    """The key to a seat. Only who holds the seat knows it; the server keeps a digest."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    return blake2b(token.encode(), digest_size=24).hexdigest()


def fits(token: str, kept: str) -> bool:
    """Whether a token is the one of which this digest was kept."""
    return bool(kept) and hmac.compare_digest(digest(token), kept)


def invitation(token: str, table: str, seat: int) -> str:
    """The key to an open seat, which who made the table can always work out again from their own token."""
    return blake2b(f"{table} {seat}".encode(), key=token.encode(), digest_size=18).hexdigest()


def clean_name(text: str) -> str:
    """A name on one line, without characters that are not to be seen."""
    seen = "".join(letter if unicodedata.category(letter)[0] != "C" else " " for letter in text)
    return " ".join(unicodedata.normalize("NFC", seen).split())[:LONGEST_NAME].strip() or NAMELESS


class Seat(msgspec.Struct, omit_defaults=True):
    """A seat of a table. A bot may sit in for a person, who keeps the token and may come back."""

    kind: Literal["person", "bot", "open", "absent"]
    agent: str = ""  # who plays, if a bot does
    person: str = ""  # the name of whose seat it is
    program: bool = False  # a program holds it, from elsewhere, and is given so much time and no more
    token: str = ""  # digests
    invitation: str = ""

    @property
    def name(self) -> str:
        return self.agent if self.kind == "bot" else self.person

    def public(self, connected: bool) -> dict[str, Any]:
        """What everybody may know of it."""
        shown: dict[str, Any] = {"name": self.name, "kind": self.kind}
        if self.kind == "bot":
            shown["agent"] = self.agent
            if self.person:
                shown["for"] = self.person
        if self.program:
            shown["program"] = True
        if self.token:
            shown["connected"] = connected
        return shown
