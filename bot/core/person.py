"""What one person wants to be told, when and where. Only this module writes and reads it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Literal

from bot.core.hours import DAY, HOUR, Quiet, Span, Stops, Week, at_local, local, quiet_spans, segments
from engine.plain import read_fields
from storage import Break

Where = Literal["channel", "dm", "both", "digest"]
WHERE: tuple[Where, ...] = ("channel", "dm", "both", "digest")
FOR_EVER = 2**40
"""A time that never comes, for people who are away until they are back."""
NOTICE = 4 * HOUR
"""Seconds that somebody has after they were told of a turn, whatever the hour; less where the turn has less."""
KEPT = 120 * DAY
"""For how long absences are known that have ended."""


@dataclass(frozen=True, slots=True)
class Person:
    """One person's own settings, the same for all games and servers."""

    zone: str = ""
    """An IANA name; empty if they have not said, and then nothing is known of their nights."""
    quiet: Week = ()
    after: int = 24
    """Hours until the first reminder at tables that only remind."""
    where: Where = "channel"
    digest: int = 8
    """The local hour of the daily digest."""
    away: tuple[int, int | None] | None = None
    """From when to when they are away; None at the end is until they are back."""
    past: tuple[Span, ...] = ()
    """Absences that have ended."""
    closed: bool = False
    """Whether they do not accept direct messages, so that they are told in the channel instead."""
    muted_games: tuple[str, ...] = ()
    """Games of which they want no pings but those of their turns."""
    muted_people: tuple[int, ...] = ()
    """People because of whom they want no pings."""
    digested: int = 0
    """When they had their last digest, or chose to have one."""
    boards: int = 0
    """How often they have taken back all their links to boards."""

    @classmethod
    def read(cls, text: str | None) -> Person:
        """Parse the stored text; what is missing has its default."""
        body: dict[str, Any] = json.loads(text or "{}")
        quiet = tuple(None if one is None else Quiet(*one) for one in body.pop("quiet", ()))
        return cls(**read_fields(cls, body), quiet=quiet)

    def text(self) -> str:
        body = {name: getattr(self, name) for name in self.__slots__}
        body["quiet"] = [None if one is None else [one.since, one.until] for one in self.quiet]
        return json.dumps(body)

    @property
    def told_in(self) -> Where:
        """Where they are told: as they chose, as long as their direct messages are open."""
        return "channel" if self.closed and self.where != "digest" else self.where

    @property
    def away_span(self) -> tuple[int, int] | None:
        if self.away is None:
            return None
        return self.away[0], FOR_EVER if self.away[1] is None else self.away[1]

    def is_away(self, now: int) -> bool:
        span = self.away_span
        return span is not None and span[0] <= now < span[1]

    def was_away(self, now: int) -> bool:
        """Whether their absence has ended by itself."""
        return self.away is not None and self.away[1] is not None and self.away[1] <= now

    def greeted_at(self, now: int) -> int | None:
        """When they are told what waits as their absence has ended: not in quiet hours, in which it often ends."""
        if self.away is None or self.away[1] is None:
            return None
        return self.reachable(max(now, self.away[1]))

    def back(self, now: int) -> Person:
        """The same person without an absence."""
        return self.leaving(None, now)

    def leaving(self, away: tuple[int, int | None] | None, now: int) -> Person:
        """The same person with another absence; how much of the present one has passed stays known."""
        past = [one for one in self.past if one[1] > now - KEPT]
        if (span := self.away_span) is not None and span[0] < now:
            past.append((span[0], min(span[1], now)))
        return replace(self, away=away, past=tuple(past))

    def reachable(self, now: int) -> int | None:
        """When they may be disturbed at the earliest; None if nobody knows when they are back."""
        at = now
        while True:
            if self.is_away(at):
                assert self.away is not None
                if self.away[1] is None:
                    return None
                at = self.away[1]
            woken = self._wakes(at)
            if woken == at and not self.is_away(at):
                return at
            at = woken

    def _wakes(self, at: int) -> int:
        """When the quiet hours that hold now are over; at once if none do."""
        while spans := [one for one in quiet_spans(self.zone, self.quiet, at, at + 14 * HOUR) if one[0] <= at]:
            at = max(end for _, end in spans)
        return at

    def hears(self, now: int) -> int | None:
        """When they can be told something at the earliest, also as they are back; None if nobody knows."""
        if self.where != "digest":
            return self.reachable(now)
        return min((one for one in (self.next_digest(now), self.greeted_at(now)) if one is not None), default=None)

    def pinged_in_channel(self, now: int) -> bool:
        return self.told_in in ("channel", "both") and self.reachable(now) == now

    def next_digest(self, now: int) -> int | None:
        """When their next digest is due, if they want digests; not in quiet hours, nor while they are away."""
        first = self._first_digest()
        return first if first is None or first > now else self._digest_after(now)

    def digest_due(self, now: int) -> bool:
        """Whether they are to have their digest now: its hour has come since the last one, however late it is seen."""
        due = self._first_digest()
        return due is not None and due <= now

    def _first_digest(self) -> int | None:
        """When the first digest since the last one is due; whoever came back had a greeting in its place."""
        return self._digest_after(max([self.digested, *(end for _, end in self.past)]))

    def back_today(self, now: int) -> int:
        """When they came back, and were told what waits, if that was on this day; or 0."""
        back = max((end for _, end in self.past), default=0)
        return back if local(self.zone, back).date() == local(self.zone, now).date() else 0

    def _digest_after(self, since: int) -> int | None:
        if self.where != "digest":
            return None
        day = local(self.zone, since).date()
        at = at_local(self.zone, day, self.digest * 60)
        while at <= since:
            day += timedelta(days=1)
            at = at_local(self.zone, day, self.digest * 60)
        return self.reachable(at)


def absences(person: Person, since: int, leave: int = FOR_EVER) -> tuple[Span, ...]:
    """When they were, are or will be away; what is to come counts for `leave` seconds from `since` on."""
    span = person.away_span
    if span is None:
        return person.past
    return (*person.past, (span[0], min(span[1], max(span[0], since) + leave)))


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
