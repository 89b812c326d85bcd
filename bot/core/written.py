"""Amounts, quiet hours and dates as people write them. Pure: the text, the zone and the time say what is meant."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import groupby

from bot.core.errors import TableError
from bot.core.hours import DAY, HOUR, MOST_QUIET, Quiet, Week, at_local, local
from engine.action_json import LARGEST


def narrow(text: str) -> str:
    """With letters, digits and signs as wide as usual: a keyboard for Japanese types wider ones, too."""
    return unicodedata.normalize("NFKC", text)


def read_amount(text: str) -> int:
    """Parse a whole number as people write it: "1,100", "1.100" or "¥85". Raises TableError."""
    if not text.strip():
        raise TableError("Write a whole number in digits, such as 120.")
    digits = re.sub(r"[\s_'’]|[,.](?=\d{3}(?!\d))", "", narrow(text)).strip("¥£$€円")
    if not re.fullmatch(r"[+-]?\d{1,12}", digits) or abs(int(digits)) > LARGEST:
        raise TableError(f"“{text[:30]}” is not a whole number. Write it in digits, such as 120.")
    return int(digits)


DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
FULL_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NAMED = {"daily": range(7), "every": range(7), "weekdays": range(5), "weekends": (5, 6)}
_CLOCK = r"(\d{1,2})(?:[:.h](\d{2})|h)?"
_LINE = re.compile(rf"(?P<days>[a-z ,\-–]*?)\s*:?\s*{_CLOCK}\s*(?:-|–|~|to|until)\s*{_CLOCK}", re.IGNORECASE)
_SPAN = re.compile(r"(\d{1,3})\s*(h|hours?|d|days?|w|weeks?)", re.IGNORECASE)
_DATE = re.compile(rf"(\d{{4}})-(\d{{1,2}})-(\d{{1,2}})(?:[ T]+{_CLOCK})?")
HOW_HOURS = "Write a line for each kind of day, as “Mon-Fri 23:00-8:00”, or “daily 23:00-8:00”, or “none”."
HOW_DATES = "Write a date as 2026-12-24 (and 18:00 after it, if you like), a weekday, or a time as “10 days”."
FURTHEST_AWAY = 366 * DAY


def read_week(text: str) -> Week:
    """Quiet hours, a line for each kind of day. Raises TableError, which says how to write them."""
    lines = [line.strip() for line in re.split(r"[\n;]|(?<=[\dh]),", narrow(text)) if line.strip()]
    if not lines or [line.casefold() for line in lines] == ["none"]:
        return ()
    week: list[Quiet | None] = [None] * 7
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None:
            raise TableError(f"“{line[:40]}” is not clear to me. {HOW_HOURS}")
        quiet = Quiet(_minutes(match[2], match[3], HOW_HOURS), _minutes(match[4], match[5], HOW_HOURS))
        if not 0 < (quiet.until - quiet.since) % (24 * 60) <= MOST_QUIET:
            raise TableError("Quiet hours can last 12 hours at most, so that games can go on.")
        for day in _days(match["days"], line):
            week[day] = quiet
    return tuple(week)


def written_week(week: Week, between: str = "\n") -> str:
    """Quiet hours as `read_week` reads them; "none" for none."""
    lines = []
    for quiet, group in groupby(range(7), key=lambda day: week[day] if week else None):
        days = list(group)
        if quiet is not None:
            span = f"{DAYS[days[0]]}-{DAYS[days[-1]]}" if len(days) > 1 else DAYS[days[0]]
            named = "daily" if len(days) == 7 else span
            lines.append(f"{named} {_clock(quiet.since)}-{_clock(quiet.until)}")
    return between.join(lines) or "none"


def _clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}"


def _minutes(hours: str, minutes: str | None, how: str) -> int:
    found = int(hours) * 60 + int(minutes or 0)
    if int(minutes or 0) > 59 or found > 24 * 60:
        raise TableError(f"{hours}:{minutes or '00'} is not a time of day. {how}")
    return found % (24 * 60)


def _days(text: str, line: str) -> Sequence[int]:
    """The weekdays that are named; all of them where none is."""
    words = re.sub(r"\s*[-–]\s*|\s+to\s+", "-", text.casefold().replace("every day", "daily"))
    found: list[int] = []
    for part in re.split(r"[,\s]+", words.strip()):
        if part in _NAMED:
            found += _NAMED[part]
            continue
        ends = [_day(one) for one in part.split("-")] if part else []
        if not all(one is not None for one in ends) or len(ends) > 2:
            raise TableError(f"“{line[:40]}” names no days that I know. {HOW_HOURS}")
        known = [one for one in ends if one is not None]
        if len(known) == 2:
            known = [(known[0] + step) % 7 for step in range((known[1] - known[0]) % 7 + 1)]
        found += known
    return found or range(7)


def _day(word: str) -> int | None:
    """The weekday that a word of three letters or more begins."""
    fitting = [number for number, name in enumerate(FULL_DAYS) if name.casefold().startswith(word)]
    return fitting[0] if len(word) >= 3 and len(fitting) == 1 else None


def read_absence(since: str, until: str, zone: str, now: int) -> tuple[int, int | None]:
    """From when to when somebody is away. Nothing is now, or until they are back. Raises TableError."""
    start = _moment(since, zone, now, now, end=False) if since.strip() else now
    end = _moment(until, zone, now, start, end=True) if until.strip() else None
    if start > now + FURTHEST_AWAY or (end is not None and end > now + FURTHEST_AWAY):
        raise TableError("That is more than a year from now.")
    if end is not None and end <= max(start, now):
        raise TableError("That would be over before it begins.")
    return max(start, now), end


def _moment(text: str, zone: str, now: int, after: int, *, end: bool) -> int:
    """A moment as written. A day without a time is meant whole: an absence until Sunday ends as Monday begins."""
    said = narrow(text).strip().casefold()
    if said in ("now", "today") and not end:
        return now
    if match := _SPAN.fullmatch(said):
        return after + int(match[1]) * {"h": HOUR, "d": DAY, "w": 7 * DAY}[match[2][0]]
    today = local(zone, now).date()
    if match := _DATE.fullmatch(said):
        try:
            day = min(date(int(match[1]), int(match[2]), int(match[3])), date.max - timedelta(days=1))
        except ValueError as error:
            raise TableError(f"“{text[:30]}” is not a date. {HOW_DATES}") from error
        if match[4] is not None:
            return at_local(zone, day + timedelta(days=match[4] == "24"), _minutes(match[4], match[5], HOW_DATES))
    elif said in ("today", "tomorrow"):
        day = today + timedelta(days=said == "tomorrow")
    elif (weekday := _day(said)) is not None:
        first = local(zone, after).date() if after > now else today + timedelta(days=1)
        day = first + timedelta(days=(weekday - first.weekday()) % 7)
    else:
        raise TableError(f"“{text[:30]}” is not clear to me. {HOW_DATES}")
    return at_local(zone, day + timedelta(days=1) if end else day, 0)
