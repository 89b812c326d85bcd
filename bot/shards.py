"""Which shards of Discord a process wants to serve: the setting TETSUDO_SHARDS."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST = 100_000
_FORM = re.compile(r"(?:(?P<first>\d+)(?:-(?P<last>\d+))?/(?P<count>\d+))|(?:auto(?:/(?P<leased>\d+))?)", re.IGNORECASE)
FORMS = "such as 0-3/16 (shards 0 to 3 of 16), auto, or auto/16"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which shards to serve. Without any of these, one process serves all that Discord recommends."""

    named: tuple[int, ...] = ()
    """These and no others; () where they are shared out among the processes that run."""
    count: int | None = None
    """How many there are, None for as many as Discord recommends."""
    shared: bool = False
    """Whether other processes may serve shards of the same games."""


def read_shards(text: str) -> Wanted | None:
    """What the setting says, None where it says nothing. Raises ValueError."""
    if not text.strip():
        return None
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    if match["count"] is None:
        return Wanted(count=_count(match["leased"]) if match["leased"] else None, shared=True)
    first, count = int(match["first"]), _count(match["count"])
    last = int(match["last"] or first)
    if not first <= last < count:
        raise ValueError(text)
    return Wanted(tuple(range(first, last + 1)), count, shared=True)


def _count(text: str) -> int:
    if not 1 <= int(text) <= MOST:
        raise ValueError(text)
    return int(text)
