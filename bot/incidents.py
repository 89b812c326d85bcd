"""Tells a webhook of what the log has as errors: where, of which kind, and under which number the log has the whole.

Never what was said or tried: values in a message, or in an exception, may be a token, or what a player keeps secret. So
only what the program's own text says is sent, without what is put into it.
"""

import asyncio
import logging
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType

import aiohttp

from bot.settings import Settings
from bot.version import HERE, full_version

log = logging.getLogger("tetsudo.webhook")
APART = 60.0
"""Seconds between two messages: what happens meanwhile is only counted."""
OURS = ("bot", "cli", "engine", "opponents", "playground", "programs", "records", "renderer", "storage")
VALUE = re.compile(r"%[-.\d]*[a-z]")
SECONDS = aiohttp.ClientTimeout(total=20)


class Teller(logging.Handler):
    """Hands on errors of all threads to a queue of the event loop."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[str] = asyncio.Queue(maxsize=1000)

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error."""
        self._loop.call_soon_threadsafe(self._add, said(record))

    def _add(self, text: str) -> None:
        if not self._waiting.full():
            self._waiting.put_nowait(text)

    async def run(self, webhook: str) -> None:
        """Post what is noted, until cancelled."""
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
