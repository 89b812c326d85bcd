"""Channels that are closed to the bot: what happens elsewhere makes it try nothing there again."""

from __future__ import annotations

import asyncio
from pathlib import Path

from wire_people import until
from wire_play import Party, party, shown
from wire_process import BotProcess
from wire_server import Server
from wire_world import ALL, SEND

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
