"""Limits on the memory that glibc keeps after many connections have closed. Does nothing with other C libraries."""

import contextlib
import ctypes

M_ARENA_MAX = -8  # of malloc.h
ARENAS = 2  # heaps shared by all threads; with the default of eight per core, 80 MB stayed allocated


def use_few_arenas() -> None:
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def trim() -> None:
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
