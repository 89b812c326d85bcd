"""Nothing public tells that a program moved: a game with programs and the same game by hand are the same to others.

Two games of the same people are played with the same moves, in two channels. In one, programs make some of them. What
is posted, edited, exported, listed, followed and shown to others is compared; ids and times are left out, nothing else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from club import Club
from days import Day, Hand

import engine
from bot.play import desks
from bot.play.errors import TableError
from bot.play.events import EVENTS
from bot.play.following import digest_text
from bot.play.game_files import log_of, record_of
from bot.play.table import Table
from bot.play.turns import Move
from bot.ui import programming
from bot.ui.sender import Sender
from engine import actions as a
from engine.actions import Action
from engine.ids import CHANCE, PlayerId
from programs import Operate, PassAhead, Program
from records.simulate import choose
from storage import Watch

pytestmark = pytest.mark.usefixtures("plain_pictures")
READS: tuple[tuple[str, dict[str, str]], ...] = (
    ("game history", {}),
    ("game status", {}),
    ("game export", {}),
    ("game since", {"round": "SR1"}),
    ("show table", {}),
    ("show market", {}),
    ("show privates", {}),
    ("show trains", {}),
    ("seat list", {}),
    ("my hand", {}),
    ("my programs", {}),
)
"""What anybody may open."""


class Player:
    """Plays one of the two games, and keeps what everybody can see of it."""

    def __init__(self, club: Club, channel: Any, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
        self.club = Club(club.env, club.guild, channel, club.members)
        self.day = Day(self.club, hand)
        self.patch = monkeypatch
        self.groups: list[list[Move]] = []
        """The moves that are shown together."""
        self.by_program = 0

    async def begin(self, title: str, options: str) -> Table:
        self.club.bot.sweep.cancel()
        self.first = len(self.club.env.http_requests)
        self.table = await self.club.begin(3, title, options=options)
        return self.table

    async def show(self) -> None:
        """Show what happened, and let a little time pass."""
        self.club.bot.sender.wake()
        await self.club.bot.sender.idle()
        await self.day.tick()

    def seen(self) -> int:
        return len(self.table.moves)

    async def with_programs(self, seed: int, most: int, delay: tuple[int, int]) -> None:
        """Play by chance, with programs from time to time."""
        random = Random(seed)
        for seat in ("p1", "p2"):
            await desks.change(self.table, PlayerId(seat), lambda desk: desk.delayed(*delay))
        while not self.table.position.over and self.seen() < most:
            await self._switch_on(random)
            await self._let_them(delay)
            if self.table.position.over or self.seen() >= most:
                return
            before = self.seen()
            action = self._choose(random)
            await self.table.submit(action, user=self.table.seats[action.by].user_id)
            self._note(before, by_hand=1)
            await self.show()
            await self._let_them(delay)

    async def _let_them(self, delay: tuple[int, int]) -> None:
        """Let time pass until nobody's programs wait."""
        for _ in range(40):
            if not any(desk.due_at is not None for desk in self.table.orders.desks.values()):
                return
            before = self.seen()
            self.day.hand.now += 60 * delay[1] + 1
            await programming.play_due(self.club.bot, self.table.game.id)
            if self.seen() > before:
                self._note(before, by_hand=0)
            await self.show()

    def _note(self, before: int, *, by_hand: int) -> None:
        made = self.table.moves[before:]
        self.groups.append(made)
        self.by_program += sum(not one.automatic for one in made) - by_hand

    def _choose(self, random: Random) -> Action:
        t, s = self.table.title, self.table.position.state
        while True:
            action = choose(t, s, random)
            if engine.consent(t, s, action) is None and not isinstance(action, a.EndGame):
                return action

    async def _switch_on(self, random: Any) -> None:
        state = self.table.position.state
        seat = PlayerId(random.choice(("p1", "p2")))  # p3 looks on
        kept = self.table.orders.desk(seat).kept
        mine = [corp for corp in self.table.title.corporations if state.president_of(corp) == seat]
        program: Program = PassAhead(off=PassAhead.watches)
        if mine and random.random() < 0.7:
            pays = random.choice(("pay", "withhold"))
            trains = random.choice(("none", "next", "ask"))
            program = Operate(corp=random.choice(mine), rounds=2, pays=pays, trains=trains, off=Operate.watches)
        if len(kept) < 2 and random.random() < 0.35:
            with suppress(TableError):  # it would stop at once
                await desks.enable(self.table, seat, program)

    async def by_hand(self, groups: Sequence[Sequence[Move]]) -> None:
        """Press the same moves; what was shown together is pressed before anything is shown."""
        for group in groups:
            with self.patch.context() as held:
                held.setattr(Sender, "wake", lambda sender: None)
                for one in group:
                    if not one.automatic and self.seen() < one.seq:
                        await self.table.submit(one.action, user=self.table.seats[one.action.by].user_id)
            await self.show()

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
        return re.sub(r"\d{17,20}", "ID", text)

    async def read_by_others(self) -> dict[str, Any]:
        """What another player and somebody without a seat can open."""
        found = {}
        for member in (self.club.members[2], self.club.members[6]):
            for command, options in READS:
                before = len(self.club.env.http_requests)
                await member.slash(self.club.channel, command, **options)
                sent = self.club.env.http_requests[before:]
                found[f"{member.name} {command}"] = [self.plain(one.json) for one in sent if one.method == "PATCH"]
        return found

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


GAMES = [
    ("1889", "", (0, 0)),
    pytest.param("1889", "", (1, 3), marks=pytest.mark.slow),
    pytest.param("1860", "", (0, 0), marks=pytest.mark.slow),
    pytest.param("1890", "hidden_cash", (0, 0), marks=pytest.mark.slow),
    ("1890", "hidden_cash", (2, 2)),
]


@pytest.mark.rule("1889-SEC-03", "1890-VAR-05")
@pytest.mark.parametrize(("title", "options", "delay"), GAMES)
async def test_others_see_the_same_of_a_game_with_programs_and_of_one_by_hand(
    club: Club, hand: Hand, monkeypatch: pytest.MonkeyPatch, title: str, options: str, delay: tuple[int, int]
) -> None:
    one = Player(club, club.channel, hand, monkeypatch)
    await one.begin(title, options)
    await one.with_programs(7, 90, delay)
    assert one.by_program > 10, one.by_program
    other = Player(club, club.guild.create_text_channel("other"), hand, monkeypatch)
    await other.begin(title, options)
    chance = iter([move.action for move in one.table.moves if move.action.by == CHANCE])
    monkeypatch.setattr("bot.play.outcome.RANDOM.choice", lambda offered: next(chance))
    await other.by_hand(one.groups)
    assert [move.action for move in other.table.moves] == [move.action for move in one.table.moves]
    assert [move.note for move in other.table.moves] == [move.note for move in one.table.moves]
    assert await other.files() == await one.files()
    assert other.public() == one.public()
    assert await other.read_by_others() == await one.read_by_others()
