"""Opponents that the bot plays at a table: which seats are theirs, at what level, and under which name.

No Discord user has a number below `VACANT`, so there a seat's holder says by its number that it is an opponent, and at
which level. Only this module makes and reads such numbers.
"""

import hashlib
from collections.abc import Iterable

from opponents import Level
from storage import VACANT, Seat

MARK = "(bot)"
"""What tells an opponent's name from a person's."""
NAMES = ("Hikari", "Kodama", "Nozomi", "Sakura", "Tsubame", "Hayabusa", "Komachi", "Mizuho", "Asakaze", "Izumo")
"""They are called after express trains."""
ABOUT: dict[Level, str] = {
    "learner": "plays by rules of thumb, and errs now and then",
    "regular": "compares where its moves lead, but not every time",
    "strong": "thinks every move through, and looks further ahead",
}
SUBSTITUTE: Level = "regular"
"""The level that plays on for somebody."""
_CODES: dict[Level, int] = {"learner": 0, "regular": 1, "strong": 2}
_LEVELS = {code: level for level, code in _CODES.items()}


def is_person(user: int) -> bool:
    """Whether a seat is held by a person: by neither an opponent nor nobody."""
    return user > VACANT


def level_of(user: int) -> Level | None:
    """The level of an opponent; None for a person and an empty seat."""
    return _LEVELS.get(-user % 10) if user < VACANT else None


def newcomer(level: Level, seated: Iterable[Seat]) -> tuple[int, str]:
    """The number and name of an opponent of this level, unlike those who sit there."""
    taken = {one.name for one in seated}
    number = next(one for one in range(1, 100) if named(one) not in taken)
    return -(10 * number + _CODES[level]), named(number)


def named(number: int) -> str:
    """The name of an opponent, counted from 1: "Hikari (bot)"."""
    again, which = divmod(number - 1, len(NAMES))
    return f"{NAMES[which]}{f' {again + 1}' if again else ''} {MARK}"


def told(level: Level) -> str:
    """What an opponent is, for people: "played by the bot, regular"."""
    return f"played by the bot, {level}"


def seed_of(game: str, seat: str) -> int:
    """What its decisions vary by: the same position of a game leads to the same decision."""
    return int.from_bytes(hashlib.sha256(f"{game}:{seat}".encode()).digest()[:4])
