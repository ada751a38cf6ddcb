"""Memory that the C library keeps after a crowd has gone: less of it, and it goes back to the system now and then.

Only glibc has these calls; elsewhere nothing is done.
"""

import contextlib
import ctypes

M_ARENA_MAX = -8  # of malloc.h
ARENAS = 2  # heaps for all threads: with eight a core, the usual number, pieces of 80 MB stayed behind


def use_few_arenas() -> None:
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def trim() -> None:
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
