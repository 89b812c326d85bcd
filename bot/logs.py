"""Structured logs: one JSON object per line, never containing a secret; and telling a webhook of the errors in them.

The webhook is told where, of which kind, and under which number the log has the whole. Never what was said or tried:
values in a message, or in an exception, may be a token, or what a player keeps secret. So only what the program's own
text says is sent, without what is put into it.
"""

import asyncio
import json
import logging
import re
import socket
import string
import sys
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import aiohttp

from bot.settings import Settings
from bot.version import HERE, full_version

TOKEN_LIKE = re.compile(r"(?<![\w-])[\w-]{20,}+\.[\w-]{5,}+\.[\w-]{20,}+")
"""Each run of letters is looked at from its beginning only, so that long texts take no more time than they are long."""
WEBHOOK_LIKE = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.-]{20,}")
HIDDEN = "[hidden]"
LONGEST = 20_000
"""Characters of a message, traceback or other text that are logged, so that no line holds up the players."""

_OF_TOKENS = string.ascii_letters + string.digits + "_-./"
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
log = logging.getLogger("tetsudo.webhook")
APART = 60.0
"""Seconds between two messages to the webhook: what happens meanwhile is only counted."""
OURS = ("board", "bot", "cli", "engine", "opponents", "playground", "programs", "records", "renderer", "storage")
VALUE = re.compile(r"%[-.\d]*[a-z]")
SECONDS = aiohttp.ClientTimeout(total=20)


def hide(text: str, *secrets: str) -> str:
    """`text` without the `secrets` and without anything else that looks like a token."""
    for secret in filter(None, secrets):
        text = text.replace(secret, HIDDEN)
    return WEBHOOK_LIKE.sub(r"\1" + HIDDEN, TOKEN_LIKE.sub(HIDDEN, text))


def bounded(text: str) -> str:
    """The text, or its beginning up to a place where no token can be cut in two."""
    return text if len(text) <= LONGEST else text[:LONGEST].rstrip(_OF_TOKENS) + " … and so on"


class Lines(logging.Formatter):
    """Formats a record as JSON, or as plain text for people."""

    def __init__(self, *secrets: str, as_json: bool = True) -> None:
        super().__init__()
        self.secrets = secrets
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """One line, or in plain text one with the traceback below it; secrets are hidden and long texts cut."""
        given = {key: value for key, value in vars(record).items() if key not in _STANDARD}
        extra = {key: bounded(value) if isinstance(value, str) else value for key, value in given.items()}
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = bounded(record.getMessage())
        error = bounded("".join(traceback.format_exception(*record.exc_info))) if record.exc_info else ""
        if self.as_json:
            body: dict[str, Any] = {"at": at, "level": record.levelname, "from": record.name, "say": said}
            body.update(extra)
            if error:
                body["error"] = error
            return hide(json.dumps(body, ensure_ascii=False, default=str), *self.secrets)
        more = " ".join(f"{key}={value}" for key, value in extra.items())
        line = f"{at} {record.levelname:7} {record.name}: {said} {more}".rstrip()
        return hide(f"{line}\n{error}".rstrip(), *self.secrets)


def start_logs(level: int, *secrets: str, as_json: bool = True) -> None:
    """Send all logs to standard error in our format; call once."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(*secrets, as_json=as_json))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("discord").setLevel(max(level, logging.INFO))
    logging.getLogger("discord.client").addFilter(lambda record: "voice" not in record.getMessage())
    logging.getLogger("aiosqlite").setLevel(max(level, logging.INFO))
    logging.getLogger("PIL").setLevel(max(level, logging.INFO))


# Telling a webhook


class Teller(logging.Handler):
    """Hands on errors of all threads to a queue of the event loop."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[str] = asyncio.Queue(maxsize=1000)

    def emit(self, record: logging.LogRecord) -> None:
        self._loop.call_soon_threadsafe(self._add, said(record))

    def _add(self, text: str) -> None:
        if not self._waiting.full():
            self._waiting.put_nowait(text)

    async def run(self, webhook: str) -> None:
        async with aiohttp.ClientSession(timeout=SECONDS) as session:
            while True:
                text = await self._waiting.get()
                if more := self._waiting.qsize():
                    text += f" And {more} more since, which the log has."
                    self._waiting = asyncio.Queue(maxsize=1000)
                await _post(session, webhook, f"Tetsudo {full_version()} on {socket.gethostname()}: {text}")
                await asyncio.sleep(APART)


@asynccontextmanager
async def telling(settings: Settings) -> AsyncIterator[None]:
    """Tell the webhook in the settings, if there is one, of errors."""
    if not settings.webhook:
        yield
        return
    await asyncio.to_thread(full_version)  # from now on it is known
    teller = Teller()
    task = asyncio.create_task(teller.run(settings.webhook))
    logging.getLogger().addHandler(teller)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(teller)
        task.cancel()


def said(record: logging.LogRecord) -> str:
    """The error in a sentence, without any value but the numbers of an incident and a game."""
    text = record.name
    if record.name.startswith("tetsudo.") and isinstance(record.msg, str):
        text = VALUE.sub("…", record.msg)
    if incident := getattr(record, "incident", None):
        text = f"incident {incident}"
    if record.exc_info and record.exc_info[0] is not None:
        text += f", {record.exc_info[0].__name__} at {_place(record.exc_info[2])}"
    if game := getattr(record, "game", None):
        text += f" (game {game})"
    return f"{text}."


def _place(trace: TracebackType | None) -> str:
    """The last line of the program's own that the error came through."""
    place = "a place unknown"
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if file.is_relative_to(HERE) and file.relative_to(HERE).parts[0] in OURS:
            place = f"{file.relative_to(HERE).as_posix()}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


async def _post(session: aiohttp.ClientSession, webhook: str, text: str) -> None:
    """In the form that Discord's webhooks take, and the one of most others; a failure is only logged, without where."""
    body = {"content": text[:1900], "text": text[:1900], "allowed_mentions": {"parse": []}}
    try:
        async with session.post(webhook, json=body) as answer:
            if answer.status >= 400:
                log.warning("the webhook answers %s", answer.status)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        log.warning("the webhook cannot be reached: %s", type(error).__name__)
