"""Session tokens and invitations: secrets that nobody can guess.

Of a token the server keeps only a digest. Invitations are made from a secret of their table, kept with its cards.
"""

import hmac
import secrets
from hashlib import blake2b

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that looks like another


def new_id() -> str:
    """A name for a table or a run: short enough to be read out."""
    return "".join(secrets.choice(LETTERS) for _ in range(8))


def new_token() -> str:
    """The key to a seat, a table or a run. Only who was given it knows it."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    return blake2b(token.encode(), digest_size=24).hexdigest()


def matches(token: str, kept: str) -> bool:
    """Whether a token is the one of which this digest was kept, in constant time."""
    return bool(kept) and hmac.compare_digest(digest(token), kept)


def invitation(secret: str, table: str, seat: int) -> str:
    """The key to an open seat. At tables of earlier versions the secret is the creator's token."""
    return blake2b(f"{table} {seat}".encode(), key=secret.encode(), digest_size=18).hexdigest()
