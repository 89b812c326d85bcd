"""A clock for stores that stands still until a test moves it."""

from __future__ import annotations


class Clock:
    """UTC seconds, set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now
