"""Memory that the C library keeps after a crowd has gone: it is given back to the system now and then."""

import ctypes
from collections.abc import Callable


def trimmer() -> Callable[[], None]:
    """What gives free memory back, where the C library can do that (glibc)."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another library; Windows
        return lambda: None
    return lambda: trim(0)
