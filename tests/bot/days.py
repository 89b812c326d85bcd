"""A club whose time passes: a clock that tests move, and a bot that does what is due when it is due."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from club import Club, buttons, selects, text
from due import next_due
from player import passes, private_answer
from simcord.builders import ChannelHandle

from bot.core.table import Table

MONDAY_NOON = 1_772_452_800  # 2026-03-02, 12:00 UTC


@dataclass
class Hand:
    """UTC seconds, set by hand."""

    now: int = MONDAY_NOON

    def __call__(self) -> int:
        return self.now


@dataclass
class Day:
    """A club whose time passes."""

    club: Club
    hand: Hand

    async def passes(self, seconds: int) -> None:
        """Let time pass with the bot there, which does what is due when it is due."""
        end = self.hand.now + seconds
        while self.hand.now < end:
            due = [await next_due(one) for one in self.dues()]
            soon = min((one for one in due if one is not None), default=end)
            self.hand.now = min(max(soon, self.hand.now + 1), end)
            await self.club.bot.store._db.write(self._there)
            await self.tick()

    def dues(self) -> list[Any]:
        """Everything that has rows that become due."""
        store = self.club.bot.store
        return [store.clocks, store.people, store.orders]

    async def _there(self, tx: Any) -> None:
        """The bot was there all the time."""
        await tx.run("UPDATE alive SET at = ?", self.hand.now)

    async def tick(self) -> None:
        self.club.bot._beaten = None
        while await self.club.bot.tick():
            await self.club.bot.sender.idle()
        await self.club.env.settle()

    async def moves(self, table: Table, seat: str) -> None:
        """The seat passes, and the turn is shown."""
        await passes(table, seat)
        await self.club.says()
        await self.tick()

    def said(self) -> list[str]:
        return [text(one) for one in self.club.channel.history()]

    def replies(self) -> list[Any]:
        """Messages that answer another, the oldest first."""
        return [one for one in self.messages() if one.reference is not None]

    def direct(self, member: Any) -> list[str]:
        """The direct messages to somebody, the oldest first."""
        env = self.club.env
        place = ChannelHandle(env, None, env.backend.get_dm_channel(member.id))
        return [text(one) for one in sorted(place.history(), key=lambda one: one.id)]

    def messages(self) -> list[Any]:
        return sorted(self.club.channel.history(), key=lambda one: one.id)

    def said_last(self, member: Any) -> str:
        """The newest answer to a turn's message that names the person."""
        return next(text(one) for one in reversed(self.replies()) if f"<@{member.id}>" in text(one))

    def question(self) -> Any:
        """The newest question about somebody whose time is up."""
        return next(one for one in reversed(self.messages()) if "Let the bot play this turn" in buttons(one))

    async def zone(self, member: Any, zone: str) -> Any:
        return private_answer(await member.slash(self.club.channel, "my settings", zone=zone))

    async def choose(self, member: Any, where: str) -> Any:
        """Choose where to be told."""
        panel = private_answer(await member.slash(self.club.channel, "my settings"))
        custom_id = next(one for one in selects(panel) if "where" in one)
        return private_answer(await member.select(panel, [f"mine|where|{where}"], custom_id=custom_id))

    async def away(self, member: Any, since: str, until: str) -> str:
        """Fill in the form for absences."""
        panel = private_answer(await member.slash(self.club.channel, "my settings"))
        form = await member.click(panel, label="Away…")
        return text(private_answer(await member.submit_modal(form, {"since": since, "until": until})))
