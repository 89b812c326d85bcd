"""The paces that a table can choose from, as data."""

from dataclasses import dataclass, replace
from typing import Literal

from bot.core.errors import TableError
from bot.core.hours import DAY, HOUR, Stops
from bot.core.person import FOR_EVER, Person, absences

PaceName = Literal["none", "gentle", "steady", "fast", "own"]
Then = Literal["ask", "pass", "bot"]
HALF, MOST = 50, 80
"""Shares of the time of a turn, in percent, after which its player is reminded."""
GENTLE = 5
"""How many reminders a gentle table sends for one turn."""
DELAYS = 3
"""How many times in a game the others can excuse a player who is late."""
LEAST_DELAY = 12 * HOUR
ARCHIVED_AFTER = 45 * DAY
"""Seconds without an answer after which a game is archived."""
LONGEST = 30 * 24
"""Hours that any of a table's own numbers may be."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How much time a table gives its players; the numbers are hours. Without a `cap` there is no clock."""

    name: PaceName = "none"
    bank: int = 0
    """What everybody has at the start."""
    increment: int = 0
    """What is added after each turn."""
    cap: int = 0
    """What nobody's time grows beyond."""
    quiet_free: bool = True
    """Whether a player's time stands still in their quiet hours."""
    weekends_free: bool = False
    then: Then = "ask"
    """What happens when time is up: the others are asked, or what the table agreed to at the start."""
    leave: int = 14 * 24
    """What everybody may be away at the start while their time stands still."""
    leave_cap: int = 21 * 24
    """What that grows to, by an hour every seven."""

    @property
    def timed(self) -> bool:
        return self.cap > 0

    @property
    def delay(self) -> int:
        """Seconds that *Wait longer* adds."""
        return max(LEAST_DELAY, self.increment * HOUR)

    def thresholds(self, budget: int, person: Person) -> list[int]:
        """After how many seconds of a turn its player is reminded, in order."""
        if self.timed:
            return [budget * HALF // 100, budget * MOST // 100]
        if self.name == "gentle":
            return [number * person.after * HOUR for number in range(1, GENTLE + 1)]
        return []

    def stops(self, person: Person, leave: int, since: int) -> Stops:
        """When the time of a player stands still, who may be away for `leave` more seconds, counted from `since`."""
        away = absences(person, since, leave if self.timed else FOR_EVER)
        if not self.timed:
            return Stops(away=away)
        return Stops(person.zone, person.quiet if self.quiet_free else (), self.weekends_free, away)

    def numbers(self) -> str:
        """Bank, increment and cap in words."""
        return f"{self.bank} h to begin with, {self.increment} h more after each turn, at most {self.cap} h"


NO_CLOCK = Pace()
PACES: dict[PaceName, Pace] = {
    "none": NO_CLOCK,
    "gentle": Pace("gentle"),
    "steady": Pace("steady", 72, 24, 120),
    "fast": Pace("fast", 24, 4, 72, quiet_free=False, leave=7 * 24, leave_cap=14 * 24),
}
NAMES: dict[PaceName, str] = {
    "none": "No clock", "gentle": "Gentle", "steady": "Steady", "fast": "Fast", "own": "Custom",
}  # fmt: skip
ABOUT: dict[PaceName, str] = {
    "none": "nobody is reminded, and nobody's time runs",
    "gentle": "reminders only; the host is told after five go unanswered",
    "steady": "72 h, and 24 h more a turn, at most 120 h; not in quiet hours",
    "fast": "24 h, and 4 h more a turn, at most 72 h",
    "own": "the table's own numbers",
}
THEN: dict[Then, str] = {
    "ask": "the others decide what happens when somebody's time is up",
    "pass": "the bot passes where that is legal when somebody's time is up; elsewhere the others decide",
    "bot": "the bot plays the turn, cautiously, when somebody's time is up",
}


def own(bank: int, increment: int, cap: int) -> Pace:
    """A pace of the table's own numbers, in hours. Raises TableError, which says what is wrong with them."""
    if not (1 <= bank <= LONGEST and 0 <= increment <= LONGEST and 1 <= cap <= LONGEST):
        raise TableError(f"The hours of a clock are whole numbers up to {LONGEST}, and the bank and cap at least 1.")
    if cap < bank or cap < increment:
        raise TableError("The cap must be at least the bank and the increment: time never grows beyond it.")
    return replace(PACES["steady"], name="own", bank=bank, increment=increment, cap=cap)


def told(pace: Pace) -> str:
    if not pace.timed:
        return f"{NAMES[pace.name]}: {ABOUT[pace.name]}"
    free = [when for when, on in (("in quiet hours", pace.quiet_free), ("on weekends", pace.weekends_free)) if on]
    still = f"; no time runs {' and '.join(free)}" if free else ""
    return f"{NAMES[pace.name]}: {pace.numbers()}{still}; {THEN[pace.then]}"


def chosen(name: str) -> Pace:
    """The pace of this name. Raises TableError."""
    found = next((pace for key, pace in PACES.items() if key == name), None)
    if found is None:
        raise TableError(f"“{name[:40]}” is not a pace. Possible: {', '.join(PACES)}, or your own numbers.")
    return found
