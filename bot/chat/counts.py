"""What whoever hosts the bot can count."""

from __future__ import annotations

from collections import Counter


class Counts:
    """Counters since the start, for whoever hosts the bot."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.slowest_turn_ms = 0
        self.lag_ms = 0

    def add(self, name: str, number: int = 1) -> None:
        """Count `number` more events of this name."""
        self.counts[name] += number

    def turn_shown(self, milliseconds: int) -> None:
        """Count a turn that took this many milliseconds to show."""
        self.add("turns_shown")
        self.add("turns_shown_ms", milliseconds)
        self.slowest_turn_ms = max(self.slowest_turn_ms, milliseconds)
