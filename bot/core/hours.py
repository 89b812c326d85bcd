"""Hours of the day in a zone, spans of time, and how long something takes that stands still in some of them.

Pure arithmetic over whole seconds since 1970, UTC. A span is (start, end), without the end. Zones come from `zoneinfo`
with the package tzdata, so a changed rule of a zone counts from the next look on.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

DAY, HOUR, MINUTE = 86400, 3600, 60
FURTHEST = 400 * DAY
"""How far ahead is looked; whatever is later is never."""
STEP = 28 * DAY
MOST_QUIET = 12 * 60
"""Minutes that quiet hours may last at a time, so that they are never more than half of a week."""
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Quiet:
    """Quiet hours that begin on one weekday, in minutes after local midnight.

    `until` is on the next day unless it is later than `since`.
    """

    since: int
    until: int


Week = tuple[Quiet | None, ...]
"""Quiet hours by the weekday on which they begin, Monday first; empty for none."""
NIGHT = Quiet(23 * 60, 8 * 60)
NIGHTS: Week = (NIGHT,) * 7
WEEKENDS: Week = (*(None,) * 5, Quiet(0, 0), Quiet(0, 0))


@lru_cache(maxsize=256)
def zone_of(name: str) -> tzinfo:
    """The zone of this name; UTC for none, or for one that is no longer known."""
    try:
        return ZoneInfo(name) if name else UTC
    except (KeyError, ValueError, OSError):
        return UTC


@lru_cache(maxsize=1)
def zones() -> tuple[str, ...]:
    """The zones that people can choose from, sorted: places, and UTC."""
    places = ("Africa/", "America/", "Antarctica/", "Arctic/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/")
    known = available_timezones()
    return tuple(sorted(one for one in known if one.startswith((*places, "Pacific/")) or one == "UTC"))


def local(zone: str, at: int) -> datetime:
    return datetime.fromtimestamp(at, zone_of(zone))


def at_local(zone: str, day: date, minutes: int) -> int:
    """When it is so many minutes after midnight there: the first time if twice, after the gap if never."""
    moment = datetime.combine(day, time(minutes // 60, minutes % 60), zone_of(zone))
    return int(moment.timestamp())


def quiet_spans(zone: str, week: Week, start: int, end: int) -> Iterator[Span]:
    """The quiet hours between two times, by when they begin."""
    if not week or end <= start:
        return
    day, last = local(zone, start).date() - timedelta(days=1), local(zone, end).date()
    while day <= last:
        quiet = week[day.weekday()]
        if quiet is not None:
            over = day + timedelta(days=quiet.until <= quiet.since)
            yield from _clipped(at_local(zone, day, quiet.since), at_local(zone, over, quiet.until), start, end)
        day += timedelta(days=1)


def _clipped(begin: int, finish: int, start: int, end: int) -> Iterator[Span]:
    begin, finish = max(begin, start), min(finish, end)
    if begin < finish:
        yield begin, finish


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same times as spans in order that neither touch nor overlap."""
    found: list[Span] = []
    for begin, finish in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], finish))
        elif begin < finish:
            found.append((begin, finish))
    return found


@dataclass(frozen=True, slots=True)
class Stops:
    """When somebody's time stands still: in quiet hours, on weekends, while they are away."""

    zone: str = ""
    week: Week = ()
    weekends: bool = False
    away: tuple[Span, ...] = ()

    def between(self, start: int, end: int) -> list[Span]:
        """The spans in which it stands still, in order, apart from one another."""
        spans = [*quiet_spans(self.zone, self.week, start, end)]
        spans += quiet_spans(self.zone, WEEKENDS, start, end) if self.weekends else ()
        for begin, finish in self.away:
            spans += _clipped(begin, finish, start, end)
        return merged(spans)

    def running(self, start: int, end: int) -> int:
        """How many seconds of the span count."""
        if end <= start:
            return 0
        return end - start - sum(finish - begin for begin, finish in self.between(start, end))

    def reach(self, start: int, seconds: int) -> int | None:
        """When so many seconds will have counted from `start` on; None if that is not within sight."""
        at, left = start, seconds
        while at < start + FURTHEST:
            chunk = at + STEP
            for begin, finish in [*self.between(at, chunk), (chunk, chunk)]:
                if left <= begin - at:
                    return at + max(0, left)
                left -= begin - at
                at = finish
        return None


def segments(since: int, until: int, jumps: Sequence[Span]) -> list[Span]:
    """What of the time from `since` to `until` passed on the clock while the bot was there.

    `jumps` are (stopped, resumed) in the order in which they happened; where the clock was set back, resumed is the
    earlier one.
    """
    found, at = [], since
    for stopped, resumed in jumps:
        found.append((at, max(at, stopped)))
        at = resumed
    found.append((at, max(at, until)))
    return [one for one in found if one[0] < one[1]]


LIKELY = {
    "bg": "Europe/Sofia",
    "cs": "Europe/Prague",
    "da": "Europe/Copenhagen",
    "de": "Europe/Berlin",
    "el": "Europe/Athens",
    "en-GB": "Europe/London",
    "en-US": "America/New_York",
    "es-419": "America/Mexico_City",
    "es-ES": "Europe/Madrid",
    "fi": "Europe/Helsinki",
    "fr": "Europe/Paris",
    "hi": "Asia/Kolkata",
    "hr": "Europe/Zagreb",
    "hu": "Europe/Budapest",
    "id": "Asia/Jakarta",
    "it": "Europe/Rome",
    "ja": "Asia/Tokyo",
    "ko": "Asia/Seoul",
    "lt": "Europe/Vilnius",
    "nl": "Europe/Amsterdam",
    "no": "Europe/Oslo",
    "pl": "Europe/Warsaw",
    "pt-BR": "America/Sao_Paulo",
    "ro": "Europe/Bucharest",
    "ru": "Europe/Moscow",
    "sv-SE": "Europe/Stockholm",
    "th": "Asia/Bangkok",
    "tr": "Europe/Istanbul",
    "uk": "Europe/Kyiv",
    "vi": "Asia/Ho_Chi_Minh",
    "zh-CN": "Asia/Shanghai",
    "zh-TW": "Asia/Taipei",
}
"""By Discord's locale: the zone where most people live who use this language."""
