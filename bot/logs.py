"""Structured logs: one JSON object per line, never containing a secret."""

import json
import logging
import re
import string
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

TOKEN_LIKE = re.compile(r"(?<![\w-])[\w-]{20,}+\.[\w-]{5,}+\.[\w-]{20,}+")
"""Each run of letters is looked at from its beginning only, so that long texts take no more time than they are long."""
WEBHOOK_LIKE = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.-]{20,}")
HIDDEN = "[hidden]"
LONGEST = 20_000
"""Characters of a message, traceback or other text that are logged, so that no line holds up the players."""

_OF_TOKENS = string.ascii_letters + string.digits + "_-./"
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


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
            body: dict[str, Any] = {
                "at": at,
                "level": record.levelname,
                "from": record.name,
                "say": said,
            }
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
