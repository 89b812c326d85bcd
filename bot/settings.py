"""Settings from the environment and the file .env, checked when the program starts.

Every mistake raises a `SettingsError` that names the variable and says what it should be.
"""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from storage import Address, BadAddress, Place, place_of

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


DEFAULT_DB = "data/tetsudo.sqlite3"
DEFAULT_CACHE = 48
FILE = Path(".env")
"""Settings beside the environment's, in the folder where the program is started."""
_LINE = re.compile(r"(?:export\s+)?(?P<name>[A-Z_]+)\s*=\s*(?P<value>.*)")
_HOST = r"[\w-]{1,63}(?:\.[\w-]{1,63})*\.?"
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class SettingsError(Exception):
    """A setting is missing or unusable; the text is for the person who starts the bot."""


@dataclass(frozen=True, slots=True)
class Activity:
    """The bot's application as an Activity: Discord shows the board in a frame of its own."""

    client: int
    """The application's id."""
    secret: str = field(repr=False)

    @property
    def origin(self) -> str:
        """Where Discord serves the application's pages from."""
        return f"https://{self.client}.discordsays.com"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where Discord sends interactions over HTTP."""

    place: tuple[str, int]
    """Host and port."""
    key: bytes
    """The application's public key, by which Discord's signature is checked."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a host can configure. `token` never appears in a `repr`."""

    token: str = field(default="", repr=False)
    database: Place = Path(DEFAULT_DB)
    log_level: str = "INFO"
    log_format: str = "json"
    api_base: str = ""
    """Address of Discord's HTTP API, if not the default; for proxies and tests."""
    gateway_url: str = ""
    """Address of Discord's gateway, if not the default; for tests."""
    send_deadline: float = 30.0
    """Seconds that sending a message may take before it is retried."""
    workers: int = 2
    """Threads for drawing pictures and finding routes."""
    drawers: int = 0
    """Processes that draw; with none, pictures are drawn in the worker threads."""
    thinkers: int = 1
    """Processes in which opponents think; with none, they do in the worker threads."""
    cache: int = DEFAULT_CACHE
    """Megabytes that drawn pictures and parts of them may take in memory."""
    retry_seconds: float = 20.0
    """Seconds between retries of messages that could not be sent."""
    shards: Wanted | None = None
    """The shards to serve, None for all that Discord recommends."""
    metrics: tuple[str, int] | None = None
    """Where metrics are served, as host and port; None for nowhere."""
    endpoint: Endpoint | None = None
    """Where interactions come over HTTP; None where they come over the gateway."""
    board: tuple[str, int] | None = None
    """Where the board is served, as host and port; None for nowhere."""
    board_url: str = ""
    """The address at which people reach it."""
    activity: Activity | None = None
    """Where the board opens inside Discord; None for a link alone."""
    webhook: str = field(default="", repr=False)
    """An address that is told of incidents; whoever knows it can post there."""
    signs: bool = False
    """Whether signs are uploaded as emojis of the application, and shown."""
    requests: float = 50.0
    """Requests a second that Discord allows the whole token, 0 where a proxy sees to that."""


def from_environment(env: Mapping[str, str] | None = None, *, need_token: bool = True) -> Settings:
    """The settings in `env`: unless given the environment and, for what that leaves out, the file .env.

    Raises SettingsError.
    """
    env = {**read_file(FILE), **{name: value for name, value in os.environ.items() if value}} if env is None else env
    token = env.get("DISCORD_TOKEN", "").strip()
    if need_token:
        _check_token(token)
    return Settings(
        token=token,
        database=_database(env.get("TETSUDO_DB", "").strip() or DEFAULT_DB),
        log_level=_one_of(env, "TETSUDO_LOG_LEVEL", "INFO", LEVELS),
        log_format=_one_of(env, "TETSUDO_LOG_FORMAT", "json", ("json", "text")),
        api_base=_url(env, "TETSUDO_API_BASE", ("http", "https")),
        gateway_url=_url(env, "TETSUDO_GATEWAY_URL", ("ws", "wss")),
        send_deadline=_number(env, "TETSUDO_SEND_DEADLINE", 30.0, 1, 600),
        workers=int(_number(env, "TETSUDO_WORKERS", 2, 1, 32)),
        drawers=int(_number(env, "TETSUDO_DRAWERS", 0, 0, 64)),
        thinkers=int(_number(env, "TETSUDO_THINKERS", 1, 0, 64)),
        cache=int(_number(env, "TETSUDO_CACHE", DEFAULT_CACHE, 4, 4096)),
        retry_seconds=_number(env, "TETSUDO_RETRY_SECONDS", 20.0, 1, 3600),
        shards=_shards(env),
        metrics=_place(env, "TETSUDO_METRICS"),
        endpoint=_endpoint(env),
        board=(board := _place(env, "TETSUDO_BOARD")),
        board_url=(board_url := _board_url(env, board)),
        activity=_activity(env, board_url),
        webhook=_url(env, "TETSUDO_WEBHOOK", ("https", "http"), shown=False),
        signs=_one_of(env, "TETSUDO_SIGNS", "off", ("off", "on")) == "on",
        requests=_number(env, "TETSUDO_REQUESTS", 50.0, 0, 10_000),
    )


def read_file(path: Path) -> dict[str, str]:
    """The lines NAME=value of a file, comments left out; none if there is no file. Raises SettingsError."""
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} is not UTF-8 text: save it again as UTF-8.") from error
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}.") from error
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not (stripped := line.strip()) or stripped.startswith("#"):
            continue
        match = _LINE.fullmatch(stripped)
        if match is None:
            raise SettingsError(f"Line {number} of {path} is not NAME=value.")  # which may be the token: do not show it
        found[match["name"]] = match["value"].strip("\"'")
    return found


def check_database(path: Place) -> None:
    """Create the folder of a file if needed and check that it is writable. Raises SettingsError."""
    if isinstance(path, Address):
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"TETSUDO_DB is {path}, but the folder {path.parent} cannot be made: {error.strerror}."
        ) from error
    if os.path.isdir(path):  # a Path raises where the folder may not be entered, or the name is too long
        raise SettingsError(
            f"TETSUDO_DB is {path}, which is a folder. Name a file in it, such as {path}/tetsudo.sqlite3."
        )
    probe = path.parent / f".{path.name}.probe"
    try:
        with probe.open("wb") as file:
            file.write(b"\0" * 65536)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise SettingsError(
            f"The games are kept in {path}, but its folder cannot be written: {error.strerror}. "
            "Free some space, or give the bot's user permission to write there."
        ) from error
    finally:
        with suppress(OSError):  # on a disk that is read-only there is none to remove
            probe.unlink(missing_ok=True)


def _check_token(token: str) -> None:
    if not token:
        raise SettingsError(
            "DISCORD_TOKEN is not set. Copy the bot's token from the Discord developer portal "
            "(Applications, your bot, Bot, Reset Token) into the environment or the .env file. "
            "To try the game without a token, run `tetsudo play` (or `make play`)."
        )
    if not re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", token, re.ASCII):
        raise SettingsError(
            "DISCORD_TOKEN does not look like a bot token: it should be three parts joined by dots, without spaces "
            "or quotes. "
            "The client secret and the application id are something else; use Bot, Reset Token in the portal."
        )


def _database(text: str) -> Place:
    if "\0" in text:
        raise SettingsError("TETSUDO_DB must be the path of a file, or the address of a PostgreSQL database.")
    try:
        place = place_of(text)
    except BadAddress as error:
        raise SettingsError(f"TETSUDO_DB cannot be used. {error}") from error
    try:
        return place.expanduser() if isinstance(place, Path) else place
    except RuntimeError as error:
        raise SettingsError(f"TETSUDO_DB is {place}, but there is no such user or home.") from error


def _one_of(env: Mapping[str, str], name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = env.get(name, "").strip() or default
    for choice in allowed:
        if value.casefold() == choice.casefold():
            return choice
    raise SettingsError(f"{name} is {value!r}; it must be one of {', '.join(allowed)}.")


def _url(env: Mapping[str, str], name: str, schemes: tuple[str, ...], *, shown: bool = True) -> str:
    """An address. Unless `shown`, it is a secret, which no message repeats."""
    value = env.get(name, "").strip().rstrip("/")
    try:
        parts = urlsplit(value)
        wrong = parts.scheme not in schemes or not re.fullmatch(rf"{_HOST}|[\da-f:.]+", parts.hostname or "")
        wrong = wrong or parts.port == 0
    except ValueError:  # half a bracket, or no port
        wrong = True
    if value and wrong:
        said = f" is {value!r}; it" if shown else ""
        raise SettingsError(f"{name}{said} must be an address that begins with {' or '.join(schemes)}://.")
    return value


def _place(env: Mapping[str, str], name: str) -> tuple[str, int] | None:
    """HOST:PORT, or a port of this machine alone."""
    text = env.get(name, "").strip()
    if not text:
        return None
    match = re.fullmatch(rf"(?:(?P<host>{_HOST}|\[[0-9a-fA-F:]+\]):)?(?P<port>\d{{1,5}})", text)
    if match is None or not 0 < int(match["port"]) < 65536:
        raise SettingsError(f"{name} is {text!r}; it must be a port such as 9464, or an address such as 0.0.0.0:9464.")
    return (match["host"] or "127.0.0.1").strip("[]"), int(match["port"])


def _endpoint(env: Mapping[str, str]) -> Endpoint | None:
    """Where interactions come over HTTP, and the key that Discord's page of the application shows."""
    place, key = _place(env, "TETSUDO_ENDPOINT"), env.get("DISCORD_PUBLIC_KEY", "").strip()
    if place is None and not key:
        return None
    if place is None or not key:
        raise SettingsError("TETSUDO_ENDPOINT and DISCORD_PUBLIC_KEY belong together: set both of them, or neither.")
    if not re.fullmatch(r"[0-9a-fA-F]{64}", key):
        raise SettingsError(f"DISCORD_PUBLIC_KEY is {key!r}; it must be the application's public key, 64 hex digits.")
    return Endpoint(place, bytes.fromhex(key))


def _board_url(env: Mapping[str, str], board: tuple[str, int] | None) -> str:
    """Where people reach the board: on this machine alone, unless the host says where else."""
    url = _url(env, "TETSUDO_BOARD_URL", ("https", "http"))
    if url and board is None:
        raise SettingsError("TETSUDO_BOARD_URL is set, but TETSUDO_BOARD is not: it must be a port such as 8890.")
    if url:
        return _origin("TETSUDO_BOARD_URL", url)
    return f"http://127.0.0.1:{board[1]}" if board is not None else ""


def _origin(name: str, url: str) -> str:
    """The address as browsers name it, by which presses are known to come from the board."""
    import yarl

    try:
        origin = str(yarl.URL(url).origin())
    except ValueError:
        origin = ""
    parts = urlsplit(url)
    if not origin or parts.path or parts.query or parts.fragment or "@" in parts.netloc:
        raise SettingsError(f"{name} is {url!r}; it must be an address without a path.")
    return origin


def _activity(env: Mapping[str, str], board_url: str) -> Activity | None:
    """Client id and secret, which Discord's page for OAuth2 shows together."""
    client, secret = (env.get(name, "").strip() for name in ("DISCORD_CLIENT_ID", "DISCORD_CLIENT_SECRET"))
    if not client and not secret:
        return None
    if not client or not secret:
        raise SettingsError(
            "DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET belong together: set both of them, or neither."
        )
    if not re.fullmatch(r"[0-9]{15,20}", client):
        raise SettingsError(f"DISCORD_CLIENT_ID is {client!r}; it must be the application's id, a long number.")
    if not board_url.startswith("https:"):
        raise SettingsError(
            "DISCORD_CLIENT_ID is set, so that the board opens inside Discord. For that TETSUDO_BOARD_URL must be the "
            "board's public address, which begins with https://."
        )
    return Activity(int(client), secret)


def _shards(env: Mapping[str, str]) -> Wanted | None:
    text = env.get("TETSUDO_SHARDS", "")
    try:
        return read_shards(text)
    except ValueError as error:
        raise SettingsError(f"TETSUDO_SHARDS is {text!r}; it must name shards, {FORMS}.") from error


def _number(env: Mapping[str, str], name: str, default: float, low: float, high: float) -> float:
    text = env.get(name, "").strip()
    try:
        value = float(text) if text else default
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise SettingsError(f"{name} is {text!r}; it must be a number from {low:g} to {high:g}.")
    return value
