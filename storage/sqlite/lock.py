"""One bot process per file, whatever name it goes by. The locks end with the process, however that ends.

The first lock is SQLite's own, on a small database beside the file: it works wherever SQLite does, and says who holds
it. It goes by the name of the file, with symbolic links followed. On Linux the file itself is locked too, which holds
through hard links and after the small database was removed.
"""

import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from storage.errors import Unavailable
from storage.sqlite.connection import in_plain_words, keep_private


@contextmanager
def sole_user(path: Path, wait_seconds: float = 5.0, *, create: bool = False) -> Iterator[None]:
    """Be the only process that serves the file. Reading, backing up and verifying need no lock.

    Waits for a process that is shutting down. Raises Unavailable, with the id of the process that holds the lock where
    it is known. `create`: make an empty file where there is none, so that it is locked from the start. Open the file
    within, not around: closing a lock on the file itself lets go of SQLite's locks on it.
    """
    real, until = path.resolve(), time.monotonic() + wait_seconds
    with _locked_beside(real, wait_seconds):
        if create:
            keep_private(real)
        with _locked(real, until):
            yield


@contextmanager
def _locked_beside(path: Path, wait_seconds: float) -> Iterator[None]:
    """Hold the lock of writers on a database of its own, whose version is the number of the process."""
    beside = path.with_name(path.name + ".lock")
    with in_plain_words(beside):
        keep_private(beside)
        _must_be_a_database(beside)
        connection = sqlite3.connect(beside, timeout=wait_seconds, isolation_level=None, check_same_thread=False)
    with closing(connection):
        try:
            with in_plain_words(beside):
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(f"PRAGMA user_version = {os.getpid()}")
                connection.execute("COMMIT")
                connection.execute("BEGIN IMMEDIATE")
        except Unavailable as error:
            if not isinstance(error.__cause__, sqlite3.OperationalError) or not _is_busy(error.__cause__):
                raise
            raise _taken(path, connection.execute("PRAGMA user_version").fetchone()[0]) from error
        yield


def _must_be_a_database(beside: Path) -> None:
    """Earlier releases kept the number of their process there as text."""
    if 0 < beside.stat().st_size < 100:
        beside.unlink()
        keep_private(beside)


def _is_busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


def _taken(path: Path, process: int = 0) -> Unavailable:
    number = f" (number {process})" if process else ""
    return Unavailable(
        f"Another process{number} plays the games of {path} already. Stop it first: one process "
        "serves any number of servers and games."
    )


if sys.platform == "linux":
    import fcntl

    @contextmanager
    def _locked(path: Path, until: float) -> Iterator[None]:
        """Lock the file itself, where there is one. Only on Linux are SQLite's own locks apart from this one."""
        if not path.exists():
            yield
            return
        try:
            handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise Unavailable(f"The file {path} cannot be written: {error.strerror}.") from error
        try:
            _take(handle, path, until)
            yield
        finally:
            os.close(handle)

    def _take(handle: int, path: Path, until: float) -> None:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError as error:
                if time.monotonic() >= until:
                    raise _taken(path) from error
            except OSError as error:
                raise Unavailable(f"The file system of {path} cannot lock files: {error.strerror}.") from error
            time.sleep(0.1)

else:  # pragma: no cover - the tests run on Linux

    @contextmanager
    def _locked(path: Path, until: float) -> Iterator[None]:
        yield
