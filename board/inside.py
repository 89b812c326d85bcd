"""The board inside Discord: the page that Discord's client frames, and letting in whoever opens it.

The page asks the client for a code that says who its reader is (`static/inside.js`). Each page is given a state of its
own and the hash of a secret that belongs to it; Discord takes the code only together with that secret, which stays
here. So a code serves the page that asked for it, once.
"""

import re
import secrets
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import sha256

from board import page
from board.assets import ASSETS
from board.markup import el
from bot.core.errors import TableError
from bot.rooms.page.room import Arrival, Signer
from bot.settings import Activity

CLIENTS = ("https://discord.com", "https://ptb.discord.com", "https://canary.discord.com")
"""Where Discord's client is served from, which is what holds the frame on a computer."""
LASTS = 12 * 3600
"""Seconds for which a board stays open inside Discord; each time it is opened, Discord is asked again."""
STATE_LASTS = 10 * 60
NOT_INSIDE = "This page opens only inside Discord: press More… and Open the board in the game's channel."
SPENT = "This page was opened too long ago, or has been used. Close the board, then open it again."
_INSTANCE = re.compile(r"[\w-]{1,200}")
_STATE = re.compile(r"(?P<body>(?P<until>\d{1,12})\.[\w-]{22})\.(?P<mac>[\w-]{22})")

Admit = Callable[[str, str, str], Awaitable[Arrival]]
"""Asks Discord who brings a code, with its secret, to an instance of the Activity. Raises TableError."""


@dataclass(slots=True)
class Inside:
    """The door inside Discord."""

    activity: Activity
    signer: Signer
    admit: Admit
    _spent: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """The states that were used, by when they are over."""

    @property
    def frames(self) -> str:
        """Who may show a page within another: Discord's client its first page, and that the board."""
        return " ".join((*CLIENTS, self.activity.origin))

    def page(self, instance: str, now: int) -> str:
        """The page that Discord frames first. Raises TableError where it is not Discord that opens it."""
        if not _INSTANCE.fullmatch(instance):
            raise TableError(NOT_INSIDE)
        state = self._state(f"{now + STATE_LASTS}.{secrets.token_urlsafe(16)}", instance)
        challenge = urlsafe_b64encode(sha256(self._secret(state).encode()).digest()).rstrip(b"=").decode()
        styles = [*page.STYLES, el("link", rel="stylesheet", href=ASSETS.url("inside.css"))]
        head = page.head("Tetsudo", "inside.js", styles)
        told = el(
            "main", el("h1", "Tetsudo"), el("p", "Opening the board…", id="told", role="status"),
            el("button", "Try again", type="button", cls="primary", id="again", hidden=True), cls="plain",
        )  # fmt: skip
        body = el(
            "body", told, el("iframe", title="Board", id="board", hidden=True), data_client=self.activity.client,
            data_clients=" ".join(CLIENTS), data_instance=instance, data_state=state,
            data_challenge=challenge,
        )  # fmt: skip
        return f"<!doctype html>{el('html', head, body, lang='en')}"

    async def arrival(self, code: str, state: str, instance: str, now: int) -> Arrival:
        """Who opens the board, and where. Raises TableError."""
        self._spent[state] = self.good_until(state, instance, now)
        while self._spent and next(iter(self._spent.values())) <= now:
            self._spent.popitem(last=False)
        return await self.admit(code, self._secret(state), instance)

    def good_until(self, state: str, instance: str, now: int) -> int:
        """When the state of a page is over. Raises TableError where it is, has been used, or is no page's of ours."""
        match = _STATE.fullmatch(state)
        if match is None or state != self._state(match["body"], instance) or not now < int(match["until"]):
            raise TableError(SPENT)
        if state in self._spent:
            raise TableError(SPENT)
        return int(match["until"])

    def _state(self, body: str, instance: str) -> str:
        return f"{body}.{self.signer.mac(f'{body}.{instance}', 'state')}"

    def _secret(self, state: str) -> str:
        """The 43 characters, at least, that Discord asks for."""
        return self.signer.mac(state, "first half") + self.signer.mac(state, "second half")
