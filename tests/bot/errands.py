"""What tests have other processes do: those import this, and not all that the tests do."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from renderer import Picture
from renderer.png import Drawing


def slow_once(note: Path, drawing: Drawing) -> Picture:
    """The picture; the first process to draw it says which it is, and never comes to an end."""
    if not note.exists():
        note.write_text(str(os.getpid()))
        time.sleep(600)
    return drawing()


def own_number(*_: Any) -> Picture:
    return Picture(b"", os.getpid(), 0, "")


def wrong_view() -> Picture:
    raise ValueError("a view that cannot be drawn")


def ends() -> Picture:
    os._exit(1)


def dies(*_: Any) -> None:
    os._exit(1)


def ponders(*_: Any) -> None:
    while True:
        pass


def wrong(*_: Any) -> None:
    raise ValueError("no such decision")
