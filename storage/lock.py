"""One bot process per file. The operating system holds the lock, so it goes with the process, however that ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storage.errors import Unavailable

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def sole_user(path: Path, wait_seconds: float = 5.0) -> Iterator[None]:
    """Be the only process that serves the file. Reading, backing up and verifying need no lock.

    Waits for a process that is shutting down. Raises Unavailable with the id of the process that holds the lock.
    """
    beside = path.with_name(path.name + ".lock")
    try:
        handle = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Unavailable(f"The file {beside} cannot be written: {error.strerror}.") from error
    try:
        _take(handle, path, time.monotonic() + wait_seconds)
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(handle)


def _take(handle: int, path: Path, until: float) -> None:
    while fcntl is not None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() >= until:
                other = os.pread(handle, 20, 0).decode("ascii", "replace") or "unknown"
                raise Unavailable(
                    f"Another process (number {other}) plays the games of {path} already. Stop it first: one process "
                    "serves any number of servers and games."
                ) from error
        except OSError as error:
            raise Unavailable(f"The file system of {path} cannot lock files: {error.strerror}.") from error
        time.sleep(0.1)
