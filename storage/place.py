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
    """The place that a setting or an argument names. Raises BadAddress."""
    if not isinstance(text, str):
        return text
    scheme, address, _ = text.partition("://")
    if not address:
        return Path(text)
    if scheme not in SCHEMES or not _is_address(text):
        raise BadAddress
    return Address(text)


class BadAddress(ValueError):
    """No address of a database. The text does not repeat it: it may have a password."""

    def __init__(self) -> None:
        super().__init__(
            "This is no address of a PostgreSQL database, which is postgresql://USER:PASSWORD@HOST:PORT/DATABASE. "
            "Signs such as / # ? @ in a password are written %2F %23 %3F %40. A file is named by its path alone."
        )


def _is_address(url: str) -> bool:
    """Whether each host has a port that can be, if any, and no part of a password has become something else."""
    try:
        parts = urlsplit(url)
    except ValueError:  # half a bracket
        return False
    hosts = parts.netloc.rpartition("@")[2].split(",")
    ports = [host.rpartition(":")[2] for host in hosts if ":" in host and not host.endswith("]")]
    sound = all(port.isascii() and port.isdecimal() and 0 < int(port[:6]) < 65536 for port in ports)
    return sound and "@" not in parts.path and not parts.fragment
