"""Followers and live boards over real connections: told once though the bot dies, and no turn waits for them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from wire_people import Person, answered, buttons, until
from wire_play import Party, playing, seq_of
from wire_process import BotProcess, rows, settled
from wire_server import Server
from wire_world import Channel, Message

TOLD = "### Shikoku 1889 in <#"


async def follower(table: Party, name: str = "watcher") -> tuple[Person, Channel]:
    """Somebody without a seat who follows every turn by direct message, and those messages."""
    person = Person(table.server, table.server.world.person(name))
    panel = await answered(table.server, await person.slash(table.channel, "game follow"))
    for label in ("Follow by direct message", "– every turn"):
        panel = await answered(table.server, await person.click(panel, buttons(panel)[label]))
    return person, table.server.world.direct(person.account)


def told(place: Channel) -> list[Message]:
    return [one for one in place.messages.values() if TOLD in one.text]


async def test_a_follower_is_told_once_though_the_bot_is_killed_right_after(server: Server, database: Path) -> None:
    async with BotProcess(server, database, TETSUDO_RETRY_SECONDS="1") as bot:
        table = await playing(server, database)
        _, place = await follower(table)
        await bot.dies_posting(table.turn(), place.id)
        await bot.start()
        await settled(server, table.database)
        assert len(told(place)) == 1
        assert rows(table.database, "SELECT count(*) FROM outbox WHERE done_at IS NULL") == [(0,)]


async def test_no_turn_waits_for_a_follower_who_cannot_be_told(server: Server, database: Path) -> None:
    async with BotProcess(server, database, TETSUDO_RETRY_SECONDS="1"):
        table = await playing(server, database)
        _, place = await follower(table)
        never = asyncio.Event()

        async def stuck(verb: str, path: str) -> None:
            if verb == "POST" and path == f"/channels/{place.id}/messages":
                await never.wait()

        server.world.faults.append(stuck)
        for _ in range(3):
            before = table.packet()
            await table.turn()
            await until(server, lambda before=before: table.packet() is not before, what="the next turn")  # type: ignore[misc]
        assert told(place) == []
        never.set()
        server.world.faults.clear()
        await until(server, lambda: len(told(place)) == 1, what="the follower's message")


async def test_closed_direct_messages_are_told_once_and_end_the_follow(server: Server, database: Path) -> None:
    async with BotProcess(server, database, TETSUDO_RETRY_SECONDS="1"):
        table = await playing(server, database)
        person, place = await follower(table)
        server.world.closed.add(person.id)
        await table.turn()
        await until(
            server, lambda: any(user == person.id for user, _ in server.world.pings), what="the table to be told"
        )
        await table.plays()
        assert [user for user, _ in server.world.pings].count(person.id) == 1
        assert rows(table.database, "SELECT count(*) FROM watches") == [(0,)]
        assert told(place) == []
        assert seq_of(table.packet()) == table.seq()


async def test_what_one_follows_is_changed_in_the_direct_message_itself(server: Server, database: Path) -> None:
    async with BotProcess(server, database, TETSUDO_RETRY_SECONDS="1"):
        table = await playing(server, database)
        person, place = await follower(table)
        await table.turn()
        await until(server, lambda: bool(told(place)), what="the follower's message")
        (message,) = told(place)
        panel: Any = await answered(server, await person.click(message, buttons(message)["What I follow…"]))
        assert "You follow this game by direct message" in panel.text
        panel = await answered(server, await person.click(panel, buttons(panel)["Stop following"]))
        assert rows(table.database, "SELECT count(*) FROM watches") == [(0,)]


async def test_a_live_board_is_edited_in_a_thread_while_the_game_goes_on(server: Server, database: Path) -> None:
    async with BotProcess(server, database, TETSUDO_RETRY_SECONDS="1") as bot:
        table = await playing(server, database)
        thread = server.world.channel(table.channel.guild, "gallery", parent=table.channel)
        await server.dispatch("THREAD_CREATE", thread.payload())
        await answered(server, await table.people[0].slash(thread, "game watch"))
        await until(server, lambda: len(thread.messages) == 1, what="the board")
        (board,) = thread.messages.values()
        assert "Live board of game" in board.text
        assert len(board.files) == 3
        for _ in range(3):
            await table.turn()
        await settled(server, table.database)
        assert board.edits < 3  # gathered for a minute, however long a turn takes
        assert [user for user, message in server.world.pings if message.channel is thread] == []
        await bot.kill()
        await bot.start()
        await table.plays()
        assert len(thread.messages) == 1
