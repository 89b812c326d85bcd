"""Where the games are: a SQLite file, or a PostgreSQL database by its address."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

SCHEMES = ("postgresql", "postgres")


@dataclass(frozen=True, slots=True)
class Address:
    """A PostgreSQL database. Its text is for people and logs: it leaves out the password and whatever follows a "?"."""

    url: str = field(repr=False)

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        user, _, host = parts.netloc.rpartition("@")
        name = user.partition(":")[0]
        return f"postgresql://{name}{'@' if name else ''}{host}{parts.path}"


Place = Path | Address


def place_of(text: str | Place) -> Place:
    """The place that a setting or an argument names."""
    if isinstance(text, str):
        return Address(text) if text.partition("://")[0] in SCHEMES else Path(text)
    return text
