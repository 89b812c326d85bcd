"""The work that a search may do, counted in steps so that every machine gives the same answer."""

from dataclasses import dataclass


class Exhausted(Exception):
    """The work allowed was used up."""


@dataclass(slots=True)
class Meter:
    """Steps left. Inner loops count down for themselves and raise `Exhausted` below 0."""

    left: int
