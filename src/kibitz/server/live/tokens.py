"""Session tokens and invitations: secrets that cannot be guessed.

The server stores only a digest of a token. Invitations are derived from a secret of their table, stored with its cards.
"""

import hmac
import secrets
from hashlib import blake2b

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without look-alikes


def new_id() -> str:
    """An id for a table or a run, short enough to be read aloud."""
    return "".join(secrets.choice(LETTERS) for _ in range(8))


def new_token() -> str:
    """The key to a seat, a table or a run, known only to its holder."""
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    return blake2b(token.encode(), digest_size=24).hexdigest()


def matches(token: str, kept: str) -> bool:
    """Whether a token has this digest, compared in constant time."""
    return bool(kept) and hmac.compare_digest(digest(token), kept)


def invitation(secret: str, table: str, seat: int) -> str:
    """The key to an open seat. At tables of earlier versions the secret is the creator's token."""
    return blake2b(f"{table} {seat}".encode(), key=secret.encode(), digest_size=18).hexdigest()
