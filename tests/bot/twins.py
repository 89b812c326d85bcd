"""Two games of the same people and the same moves, in two channels, and everything that others can see of them.

Whatever somebody does privately in one of them must leave the other the same: what is posted, edited, exported, listed,
followed, filmed and shown to others is compared. Ids and times are left out, nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, is_dataclass
from functools import partial
from hashlib import sha256
from io import BytesIO
from random import Random
from typing import Any

import pytest
from club import Club, buttons
from days import Day, Hand
from PIL import Image
from player import private_answer

import engine
import renderer
from bot.chat.sender import Sender
from bot.core.moves import EVENTS, Move
from bot.core.table import Table
from bot.rooms.past.workshop import Films, Job
from bot.rooms.seats.game_files import log_of, record_of
from bot.rooms.watching.room import digest_text
from engine import actions as a
from engine.actions import Action
from engine.ids import CHANCE
from engine.plain import unfolded
from records.simulate import choose
from storage import Watch

READS: tuple[tuple[str, dict[str, str]], ...] = (
    ("game history", {}),
    ("game status", {}),
    ("game export", {}),
    ("game chart", {}),
    ("game chart", {"about": "prices"}),
    ("game since", {"round": "SR1"}),
    ("show film", {}),
    ("show map", {}),
    ("show table", {}),
    ("show market", {}),
    ("show privates", {}),
    ("show trains", {}),
    ("seat list", {}),
    ("my hand", {}),
    ("my programs", {}),
)
"""What anybody may open."""
OTHERS = (2, 6)
"""A player who looks on, and somebody without a seat, by their numbers among the members."""

LOOK = 30
"""After so many messages others look at everything."""
FILMS: list[str] = []
"""What films were made of."""


def described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every picture is one white pixel, described by a digest of all that it would be drawn of; no film is made."""
    pixel = BytesIO()
    Image.new("RGB", (1, 1), "white").save(pixel, "PNG")

    def blank(name: str, *args: Any, **kwargs: Any) -> renderer.Picture:
        return renderer.Picture(pixel.getvalue(), 1, 1, f"{name} {digest([args, kwargs])}")

    for name in renderer.__all__:
        if name.endswith("_picture"):
            monkeypatch.setattr(renderer, name, partial(blank, name))

    async def filmed(films: Films, job: Job, user: int) -> bytes:
        FILMS.append(json.dumps(asdict(job)))
        return pixel.getvalue()

    monkeypatch.setattr(Films, "make", filmed)


def digest(value: Any) -> str:
    """The same for what is drawn the same."""
    text = json.dumps(value, sort_keys=True, default=lambda one: unfolded(one) if _is_plain(one) else repr(one))
    return sha256(text.encode()).hexdigest()[:16]


def _is_plain(value: Any) -> bool:
    return isinstance(value, frozenset) or is_dataclass(value)


class Twin:
    """Plays one of the two games, and keeps what everybody can see of it."""

    def __init__(self, club: Club, channel: Any, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
        self.club = Club(club.env, club.guild, channel, club.members)
        self.day = Day(self.club, hand)
        self.patch = monkeypatch
        self.groups: list[list[Move]] = []
        """The moves that are shown together."""
        self.looks: list[dict[str, Any]] = []
        """What others could open, from time to time."""

    async def begin(self, title: str, options: str) -> Table:
        self.club.bot.sweep.cancel()
        self.first = len(self.club.env.http_requests)
        self.table = await self.club.begin(3, title, options=options)
        return self.table

    async def show(self) -> None:
        """Show what happened, and let a little time pass."""
        await self.club.says()
        await self.day.tick()

    def seen(self) -> int:
        return len(self.table.moves)

    async def shown(self, before: int) -> list[Move]:
        """What was played since then, shown together; others have a look from time to time."""
        made = self.table.moves[before:]
        self.groups.append(made)
        await self.show()
        await self._looked()
        return made

    async def _looked(self) -> None:
        if len(self.groups) % LOOK == 0:
            self.looks.append(await self.read_by_others())

    async def move(self, random: Random) -> None:
        """One move by chance, pressed."""
        before, action = self.seen(), self._choose(random)
        await self.table.submit(action, user=self.table.seats[action.by].user_id)
        await self.shown(before)

    def _choose(self, random: Random) -> Action:
        t, s = self.table.title, self.table.position.state
        while True:
            action = choose(t, s, random)
            if engine.consent(t, s, action) is None and not isinstance(action, a.EndGame):
                return action

    async def by_hand(self, groups: Sequence[Sequence[Move]]) -> None:
        """Press the same moves; what was shown together is pressed before anything is shown."""
        for group in groups:
            with self.patch.context() as held:
                held.setattr(Sender, "wake", lambda sender: None)
                for one in group:
                    if not one.automatic and self.seen() < one.seq:
                        await self.table.submit(one.action, user=self.table.seats[one.action.by].user_id)
            self.groups.append(list(group))
            await self.show()
            await self._looked()

    # What can be seen

    def public(self) -> list[Any]:
        """Everything sent to the channel without ids and times: what is posted in order, then what is edited.

        Past messages are edited whenever there is time, so nothing follows from the order of that.
        """
        sent = []
        for one in self.club.env.http_requests[self.first :]:
            place = re.match(r"/channels/(\d+)/", one.path)
            if place is None or one.method not in ("POST", "PATCH"):
                continue
            if int(place[1]) == self.club.channel.id:
                sent.append((one.method, self.plain(one.json)))
        return [one for one in sent if one[0] == "POST"] + sorted(one for one in sent if one[0] == "PATCH")

    def plain(self, body: Any) -> Any:
        """Without ids, times and what is random by design."""
        text = json.dumps(body, sort_keys=True, ensure_ascii=False)
        text = text.replace(self.table.game.id, "GAME").replace(str(self.club.channel.id), "CHANNEL")
        for member in self.club.members:
            text = text.replace(f"<@{member.id}>", f"<@{member.name}>").replace(f'"{member.id}"', f'"{member.name}"')
        text = re.sub(r"<t:\d+(:\w)?>", "<t>", text)
        text = re.sub(r'"nonce": "[^"]*"', '"nonce": ""', text)
        number = r'"id": \d+, ((?:"spoiler": false, )?"type": 1[07]|"max_values")'  # of its notice, or of its list
        text = re.sub(number, r"\1", text)
        text = re.sub(r"GAME-\d+", "GAME-LINE", re.sub(r"board\|(open|drop)\|\d+", r"board|\1|LINE", text))
        return re.sub(r"\d{17,20}", "ID", text)

    async def read_by_others(self) -> dict[str, Any]:
        """What another player and somebody without a seat can open."""
        found: dict[str, Any] = {}
        for member in (self.club.members[number] for number in OTHERS):
            for command, options in READS:
                filmed = len(FILMS)
                answer = await self._answer(found, f"{member.name} {command}", member.slash, command, **options)
                found[f"{member.name} {command} film"] = FILMS[filmed:]
                if command == "game history":
                    await self._browsed(found, member, answer)
            for label in ("What happened?", "Try out"):
                packet, name = self.club.packet(), f"{member.name} More…"
                offered = await self._answer(found, name, member.click, packet, label="More…")
                if label in buttons(offered):
                    await self._answer(found, f"{member.name} {label}", member.click, offered, label=label)
        return found

    async def _browsed(self, found: dict[str, Any], member: Any, page: Any) -> None:
        """The history in pictures."""
        for label in ("In pictures", "Market", "Holdings", "◀ Back", "First", "Map", "Last", "Show undone"):
            if label in buttons(page):
                page = await self._answer(found, f"{member.name} history: {label}", member.click, page, label=label)

    async def _answer(self, found: dict[str, Any], what: str, act: Any, *args: Any, **given: Any) -> Any:
        """Note all that is answered to what somebody does, and give the last of it."""
        before = len(self.club.env.http_requests)
        place = (self.club.channel,) if act.__name__ == "slash" else ()
        result = await act(*place, *args, **given)
        sent = self.club.env.http_requests[before:]
        found[what] = [(one.method, self.plain(one.json)) for one in sent if one.method in ("POST", "PATCH")]
        return private_answer(result)

    async def files(self) -> dict[str, Any]:
        """The exports, and the log as it is stored, without times."""
        rows = await self.table.store.log(self.table.game.id)
        log = json.loads(log_of(self.table.game, list(self.table.names.values()), rows))
        stored = [
            (one.seq, one.kind, one.body, one.by_seat, one.by_user, one.note, one.rules, one.position, one.told)
            for one in rows
        ]
        for one in log["log"]:
            del one["at"]
        try:
            record = self.plain(re.sub(r'"created_at": ?\d+|"updated_at": ?\d+', "", record_of(self.table)))
        except Exception as error:
            record = str(error)
        everything = Watch(1, self.table.game.id, "follow", 9, 0, ",".join(EVENTS), 60, 0, 0, None)
        told = self.plain(digest_text(self.table, everything))
        return {"log": log, "stored": stored, "record": re.sub(r"\d{9,10}", "", record), "told": told}


async def same_to_others(one: Twin, other: Twin, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play the first game's moves by hand in the other, and compare."""
    chance = iter([move.action for move in one.table.moves if move.action.by == CHANCE])
    monkeypatch.setattr("bot.core.outcome.RANDOM.choice", lambda offered: next(chance))
    await other.by_hand(one.groups)
    assert [move.action for move in other.table.moves] == [move.action for move in one.table.moves]
    assert [move.note for move in other.table.moves] == [move.note for move in one.table.moves]
    assert await other.files() == await one.files()
    assert other.public() == one.public()
    assert other.looks == one.looks
    assert await other.read_by_others() == await one.read_by_others()
