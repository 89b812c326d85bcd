"""What runs in a process that only draws: drawings come in, pictures go out."""

import multiprocessing
import os
import signal
import threading
from pathlib import Path

from renderer.cache import limit_all
from renderer.packing import DRAWN
from renderer.shared import SharedParts


def begin(cache: int, parts: Path, parts_limit: int) -> None:
    """Get ready to draw; `cache` is what all caches of this process may hold, in bytes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the bot ends its drawers itself
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    limit_all(cache)
    DRAWN.share(SharedParts(parts, parts_limit))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
