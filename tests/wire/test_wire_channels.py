"""Channels that are deleted, archived, locked or closed to the bot, and servers that lose it: games go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio
from wire_people import answered, buttons, until
from wire_play import Party, party, playing, seq_of, shown
from wire_process import BotProcess, settled
from wire_server import Server
from wire_world import ALL, SEND, Channel


@pytest_asyncio.fixture
async def running(server: Server, database: Path) -> AsyncIterator[tuple[Server, Path, BotProcess]]:
    """What could not be posted is not posted later by itself: something else must show it."""
    async with BotProcess(server, database, WIRE_PAUSE="600") as bot:
        yield server, database, bot


async def thread(server: Server, table: Party) -> Channel:
    """Play in a thread instead."""
    made = server.world.channel(table.channel.guild, "thread", parent=table.channel)
    await server.dispatch("THREAD_CREATE", made.payload() | {"newly_created": True})
    table.channel = made
    return made


def overwrites(channel: Channel, denied: int) -> dict[str, Any]:
    rule = {"id": str(channel.guild), "type": 0, "allow": "0", "deny": str(denied)}
    return channel.payload() | {"permission_overwrites": [rule]}


async def test_games_go_on_whatever_happens_to_a_channel(running: tuple[Server, Path, BotProcess]) -> None:
    server, database, _bot = running
    await asyncio.gather(
        withdrawn_permission(server, database),
        archived_and_locked_thread(server, database),
        removed_and_invited_again(server, database),
        deleted_channel(server, database),
    )


async def withdrawn_permission(server: Server, database: Path) -> None:
    """The turn waits while the bot may not write, and is shown as soon as it may."""
    table = await playing(server, database)
    await table.turn()
    shown = table.packet()
    table.channel.rights = ALL & ~SEND
    await server.dispatch("CHANNEL_UPDATE", overwrites(table.channel, SEND))
    person, before = table.up(shown), table.seq()
    await answered(server, await person.slash(table.channel, "pass"))
    assert table.seq() > before
    assert table.packet() is shown
    table.channel.rights = ALL
    await server.dispatch("CHANNEL_UPDATE", overwrites(table.channel, 0))
    await until(server, lambda: seq_of(table.packet()) == table.seq(), what="the turn")
    await table.turn()


async def archived_and_locked_thread(server: Server, database: Path) -> None:
    """An archived thread is opened; a locked one is waited for."""
    table = await party(server, database)
    place = await thread(server, table)
    await table.begin()
    place.archived = True
    await server.change(place)
    await table.turn()
    await until(server, lambda: seq_of(table.packet()) == table.seq(), what="the turn")
    assert not place.archived
    place.archived = place.locked = True
    await server.change(place)
    person = table.up(table.packet())
    await answered(server, await person.slash(place, "pass"))
    assert seq_of(table.packet()) < table.seq()
    place.archived = place.locked = False
    await server.change(place)
    await until(server, lambda: seq_of(table.packet()) == table.seq(), what="the turn")


async def removed_and_invited_again(server: Server, database: Path) -> None:
    table = await playing(server, database)
    await table.turn()
    old = table.packet()
    guild = table.channel.guild
    await server.remove_bot(guild)
    await server.add_bot(guild)
    await until(server, lambda: old.edits > 0 or table.packet() is not old, what="news")
    await table.turn()


async def deleted_channel(server: Server, database: Path) -> None:
    """A player brings the game to another channel; a stranger cannot."""
    table = await playing(server, database)
    await table.turn()
    old, position = table.channel, table.seq()
    await server.delete_channel(old)
    table.channel = server.world.channel(old.guild, "elsewhere")
    await server.dispatch("CHANNEL_CREATE", table.channel.payload())
    other = await party(server, database)
    other.channel.guild = old.guild
    refused = await answered(server, await other.people[0].slash(table.channel, "game move", game=table.game))
    assert "host" in refused.text
    moved = await answered(server, await table.people[1].slash(table.channel, "game move", game=table.game))
    assert moved.text.startswith("✓")
    await until(server, lambda: table.channel.last is not None and bool(buttons(table.channel.last)), what="the turn")
    assert seq_of(table.packet()) == position == table.seq()
    await table.turn()


async def test_direct_answers_to_people_who_left_do_no_harm(running: tuple[Server, Path, BotProcess]) -> None:
    """The turn of somebody who is not in the server any more is announced, and the host can go on for them."""
    server, database, _bot = running
    table = await party(server, database)
    await table.begin(host_acts=True, options="open_treasuries")
    gone = table.up(table.packet())
    host = table.people[0]
    server.world.people.pop(gone.id)
    before = table.seq()
    done = await answered(server, await host.slash(table.channel, "pass"))
    assert done.text.startswith("✓"), done.text
    await settled(server, database)
    assert table.seq() > before


# What happens elsewhere makes the bot try nothing in a closed channel again


NEVER = "600"
"""Seconds after which the bot tries again by itself, so that something else must have made it try."""


def refused(table: Party) -> int:
    """How often Discord refused to have the bot post in the channel."""
    path = f"/channels/{table.channel.id}/messages"
    return sum(
        status == 403 and method == "POST" and asked.endswith(path)
        for _, method, asked, status in table.server.world.requests
    )


async def begun(server: Server, database: Path, *names: str) -> list[Party]:
    """Games on servers of their own."""
    tables = [await party(server, database, name=name) for name in names]
    for table in tables:
        await table.begin()
    return tables


async def close(table: Party) -> None:
    """Close the channel to the bot, and let it find out."""
    table.channel.rights = ALL & ~SEND
    await table.up(table.packet()).slash(table.channel, "pass")
    await until(table.server, lambda: refused(table) == 1, what="a refusal")


async def test_what_changes_on_another_server_makes_nobody_try_a_closed_channel_again(
    server: Server, database: Path
) -> None:
    async with BotProcess(server, database, WIRE_PAUSE=NEVER):
        table, other = await begun(server, database, "rails", "other")
        await close(table)
        await close(other)
        other.channel.rights = ALL
        await server.change_roles(other.channel.guild, other.channel.guild + 1)
        await shown(other)
        assert refused(table) == 1


async def test_whoever_changes_roles_again_and_again_causes_few_tries_and_the_last_change_counts(
    server: Server, database: Path
) -> None:
    async with BotProcess(server, database, WIRE_PAUSE=NEVER):
        (table,) = await begun(server, database, "rails")
        await close(table)
        for number in range(30):
            await server.change_roles(table.channel.guild, table.channel.guild + 1 + number)
            await asyncio.sleep(0.02)
        table.channel.rights = ALL
        await server.change_roles(table.channel.guild, table.channel.guild)
        await shown(table)
        assert refused(table) < 10
