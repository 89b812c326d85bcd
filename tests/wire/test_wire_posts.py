"""A game in a post of a forum, whose tags follow it, under Discord's published rules of threads."""

from __future__ import annotations

from pathlib import Path

import pytest
from wire_people import answered, until
from wire_play import Party, party
from wire_process import BotProcess, rows
from wire_server import Server
from wire_world import ALL, FORUM, MANAGE_THREADS, Channel

TAGS = ["Shikoku 1889", "Joining", "Opening auction", "aiko"]


async def posted(table: Party, forum: Channel) -> Channel:
    """A game that its host opens in a post of the forum, and begins there."""
    host, guild = table.people[0], table.channel.guild
    data = host._command("game create", {"title": "1889", "thread": str(forum.id)})
    data["resolved"] = {"channels": {str(forum.id): forum.payload()}}
    await answered(table.server, await host.interact(table.channel, 2, data))
    (post,) = [one for one in table.server.world.channels.values() if one.parent == forum.id]
    assert post.guild == guild
    assert (post.tags, list(post.messages)) == (["1", "2"], [post.id])
    await until(table.server, lambda: "Shikoku 1889" in post.messages[post.id].text, what="the lobby")
    await table.server.dispatch("THREAD_CREATE", post.payload() | {"newly_created": True})
    for person in table.people[1:]:
        await answered(table.server, await person.slash(post, "game join"))
    await answered(table.server, await host.slash(post, "seat order", how="joined"))
    await answered(table.server, await host.slash(post, "game start"))
    return post


@pytest.mark.parametrize("rights", [ALL | MANAGE_THREADS, ALL])
async def test_tags_follow_the_game_where_the_bot_may_manage_threads(
    server: Server, database: Path, rights: int
) -> None:
    """Where Discord refuses that, the bot asks no more, and the game goes on."""
    async with BotProcess(server, database):
        table = await party(server, database)
        forum = server.world.channel(table.channel.guild, "games", kind=FORUM)
        forum.rights, forum.tags = rights, list(TAGS)
        await server.dispatch("CHANNEL_CREATE", forum.payload())
        post = await posted(table, forum)
        if rights & MANAGE_THREADS:
            await until(server, lambda: post.tags == ["1", "3", "4"], what="the tags of the turn")
        else:
            await until(server, lambda: not rows(database, "SELECT 1 FROM watches"), what="the end of the tags")
            assert post.tags == ["1", "2"]
        table.channel = post
        await answered(server, await table.people[0].slash(post, "pass"))
