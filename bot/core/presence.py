"""How long somebody has had to act: the one clock by which anything is done to a person who does not.

It counts from when they were told, and only while they are awake, not away, and the bot is there. What the table's own
clock says comes on top: see `clock.py`. Absences that have ended are kept, so the past can be reckoned too.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.core.hours import HOUR, Span, Stops, segments
from bot.core.person import FOR_EVER, Person
from storage import Break

NOTICE = 4 * HOUR
"""Seconds that somebody has after they were told of a turn, whatever the hour; less where the turn has less."""


def absences(person: Person, since: int, leave: int = FOR_EVER) -> tuple[Span, ...]:
    """When they were, are or will be away; what is to come counts for `leave` seconds from `since` on."""
    span = person.away_span
    if span is None:
        return person.past
    start = max(span[0], since)
    return (*person.past, (start, min(span[1], start + leave)))


def stops(person: Person, since: int, leave: int = FOR_EVER) -> Stops:
    """When they cannot be expected to act: in quiet hours, and while they are away."""
    return Stops(person.zone, person.quiet, away=absences(person, since, leave))


def spans(since: int, now: int, breaks: Sequence[Break], mark: int | None = None) -> list[Span]:
    """The time since then in which the bot was there; `mark` is the last break before it, where that is known."""
    after = [one for one in breaks if (one.resumed_at > since if mark is None else one.id > mark)]
    return segments(since, now, [(one.stopped_at, one.resumed_at) for one in after])


def present(person: Person, told: int, now: int, breaks: Sequence[Break]) -> int:
    """For how many seconds somebody who was told then could have acted."""
    still = stops(person, told)
    return sum(still.running(*span) for span in spans(told, now, breaks))


def over_at(person: Person, told: int, seconds: int, now: int, breaks: Sequence[Break]) -> int | None:
    """When somebody who was told then will have had so many seconds; None if nobody knows when they are back."""
    missing = seconds - present(person, told, now, breaks)
    return now if missing <= 0 else stops(person, told).reach(now, missing)
