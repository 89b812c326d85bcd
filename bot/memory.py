"""Memory: what is freed goes back to the system, where the C library would keep it.

The GNU library keeps freed pieces of up to 32 MB for later, and the layers of pictures are such pieces; between them it
holds some 50 MB that nobody uses. Elsewhere these functions do nothing.
"""

import ctypes
import sys
from functools import cache

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _MOST_ARENAS = -1, -3, -8
"""Names of the options in malloc.h."""
_LARGE = 8 << 20
"""Bytes: larger pieces are the system's own, and go back to it when they are freed."""


@cache
def _library() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "malloc_trim") and hasattr(library, "mallopt") else None


def keep_small() -> None:
    """Keep little of what is freed; to be called before there are other threads."""
    library = _library()
    if library is not None:
        for option, value in ((_MMAP_THRESHOLD, _LARGE), (_TRIM_THRESHOLD, _LARGE), (_MOST_ARENAS, 2)):
            library.mallopt(option, value)


def give_back() -> None:
    """Give back what is free in between; it takes some milliseconds, in which other threads go on."""
    library = _library()
    if library is not None:
        library.malloc_trim(0)
