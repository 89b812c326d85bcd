"""Links that open the board for one person, and the sessions that they become: signed, and for a time.

A pass says who looks at which game and until when. Nothing of it is stored: the signature is proof. What revokes all
passes of a person is their `epoch`, a number that goes up.
"""

import hashlib
import hmac
import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import Literal

LINK_LASTS = 15 * 60
"""Seconds for which a link opens the board."""
SESSION_LASTS = 30 * 24 * 3600
WATCHER = 0
"""Stands for whoever only watches."""

Use = Literal["open", "stay", "inside"]
"""A link that is opened, the session that follows, or one inside Discord."""
_FORM = re.compile(
    r"(?P<body>(?P<user>\d{1,20})\.(?P<game>[\w-]{1,40})\.(?P<until>\d{1,12})\.(?P<epoch>\d{1,9}))\.(?P<mac>[\w-]{22})"
)


@dataclass(frozen=True, slots=True)
class BoardPass:
    """Who may look at a game as whom, until when (seconds since 1970)."""

    user: int
    game: str
    until: int
    epoch: int = 0

    @property
    def who(self) -> str:
        """As paths have it."""
        return str(self.user) if self.user else "watch"


class Signer:
    """Signs passes with the secret of the host."""

    def __init__(self, secret: bytes) -> None:
        self._key = hashlib.blake2b(secret, digest_size=32, person=b"tetsudo board").digest()

    def sign(self, given: BoardPass, use: Use) -> str:
        """The pass as it stands in a link or a cookie."""
        body = f"{given.user}.{given.game}.{given.until}.{given.epoch}"
        return f"{body}.{self.mac(body, use)}"

    def read(self, token: str, use: Use, now: int) -> BoardPass | None:
        """The pass, None if it is forged, for another use, or over."""
        match = _FORM.fullmatch(token)
        if match is None or not hmac.compare_digest(match["mac"], self.mac(match["body"], use)):
            return None
        given = BoardPass(int(match["user"]), match["game"], int(match["until"]), int(match["epoch"]))
        return given if now < given.until else None

    def mac(self, body: str, use: str) -> str:
        """The signature of a text for a use."""
        made = hashlib.blake2b(f"{use}\0{body}".encode(), digest_size=16, key=self._key).digest()
        return urlsafe_b64encode(made).rstrip(b"=").decode()
