"""People at a table, as the tests drive them: what a message offers, and pressing it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import discord
from simcord.results import to_discord_message

from bot.chat.room import Rooms
from bot.core.table import Table
from bot.core.table_settings import TableSettings, players_of
from bot.house import ROOMS, House
from bot.rooms.seats.options import read_options
from storage import Game

read_code = Rooms(ROOMS).read


def _member(number: int) -> property:
    return property(lambda club: club.members[number])


@dataclass
class Club:
    """A simulated server with the bot."""

    env: Any
    guild: Any
    channel: Any
    members: list[Any]

    aiko, ben, chloe, daichi, emma, fumi, goro = map(_member, range(7))
    """The members by their names."""

    @property
    def bot(self) -> House:
        bot: House = self.env.bot
        return bot

    async def begin(self, players: int, title: str = "1889", *, options: str = "", **more: Any) -> Table:
        """A game of the first member, joined by others and started by command, seats as joined.

        It is created by command where more than its options is given. That this posts a lobby, and that the others join
        and are seated by commands, is for the tests of the lobby: here it would be more than half the time.
        """
        host, store, settings = self.aiko, self.bot.store, TableSettings()
        by_command = {name: value for name, value in more.items() if value != ""}
        if by_command:
            given = {"options": options, **by_command} if options else by_command
            await host.slash(self.channel, "game create", title=title, **given)
            game = await self.game()
            settings = TableSettings.read(game.settings)
        else:
            picked = json.dumps(read_options(title, options))
            place = {"channel_id": self.channel.id, "guild_id": self.guild.id}
            game = await store.create_game(**place, host_id=host.id, title=title, options=picked)
            await store.join(game.id, host.id, host.name.title(), limit=players)
        for member in self.members[1:players]:
            await store.join(game.id, member.id, member.name.title(), limit=players_of(game)[1])
        await store.change_game(game.id, settings=replace(settings, seats="joined").text())
        await host.slash(self.channel, "game start")
        return await self.table()

    async def game(self) -> Game:
        """The channel's game, also before it starts."""
        return await self.bot.tables.game_in(self.channel.id)

    async def table(self) -> Table:
        return await self.bot.tables.in_channel(self.channel.id)

    def packet(self) -> discord.Message:
        """The newest message with controls in the channel."""
        stored = self.env.backend.messages.get(self.channel.id, {})
        for number in sorted(stored, reverse=True):  # one at a time: `history()` copies them all
            if not stored[number].visible_to(None):
                continue
            message = to_discord_message(self.env, stored[number])
            if buttons(message) or selects(message):
                return message
        raise AssertionError("no message with controls")

    def newest(self, label: str) -> discord.Message:
        """The newest message of the channel with this button."""
        return max((one for one in self.channel.history() if label in buttons(one)), key=lambda one: one.id)

    def pinged(self) -> list[int]:
        """Whom the bot pinged so far, by their ids, in order; who is mentioned without a ping is left out."""
        bodies = [one.json or {} for one in self.env.http_requests if one.method == "POST"]
        allowed = [body["allowed_mentions"] for body in bodies if body.get("allowed_mentions")]
        assert all(one["parse"] == [] for one in allowed)
        return [int(user) for one in allowed for user in one.get("users", [])]

    def who(self, seat: str, table: Table) -> Any:
        user = table.seats[seat].user_id
        return next(member for member in self.members if member.id == user)

    def forget_transcript(self) -> None:
        """Let the record of all traffic go, which long games need not keep."""
        self.env.backend.transcript.clear()
        self.env.backend.http_requests.clear()

    async def says(self) -> None:
        """What is due is said, and old messages are reduced."""
        self.bot.sender.wake()
        await self.bot.sender.idle()

    async def announces(self, table: Table) -> None:
        """The present turn is shown, and all else that is due is said."""
        await self.bot.sender.announce(table.id)
        await self.bot.sender.idle()

    async def undo(self, member: Any) -> None:
        """Undo the last move by command, as somebody who means it."""
        await self._confirmed(member, "game undo", "Undo it")

    async def leave(self, member: Any) -> None:
        """Leave the game by command, as somebody who means it."""
        await self._confirmed(member, "game leave", "Leave the game")

    async def _confirmed(self, member: Any, command: str, label: str) -> None:
        asked = await member.slash(self.channel, command)
        question = asked.followups[-1] if asked.followups else asked.response
        await member.click(question, label=label)

    async def restart(self) -> None:
        """Another process of the bot on the same file."""
        await self.env.restart_bot(House(self.bot.store, self.bot.settings))


def walk(node: Any) -> Iterator[dict[str, Any]]:
    """All component payloads in a message or an answer."""
    if isinstance(node, dict):
        yield node
        for key in ("components", "items", "accessory"):
            yield from walk(node.get(key) or [])
    elif isinstance(node, list):
        for one in node:
            yield from walk(one)


def payload(message: Any) -> list[dict[str, Any]]:
    """The components of a message or response as Discord sends them."""
    found = message.components
    return [one if isinstance(one, dict) else one.to_dict() for one in found]


def buttons(message: Any) -> dict[str, str]:
    """Label -> custom id."""
    return {one["label"]: one["custom_id"] for one in walk(payload(message)) if one.get("type") == 2}


def selects(message: Any) -> dict[str, list[dict[str, Any]]]:
    """Custom id -> options."""
    return {one["custom_id"]: one["options"] for one in walk(payload(message)) if one.get("type") == 3}


def text(message: Any) -> str:
    """All the text that a person reads."""
    if message is None:
        return ""
    shown = [str(one.get("content", "")) for one in walk(payload(message)) if one.get("type") == 10]
    return "\n".join([message.content, *shown]).strip()


def said(club: Club) -> list[str]:
    """What the bot says in the channel, the newest first."""
    return [text(one) for one in club.channel.history()]
