"""Where the bot can answer and post nothing: it says so before a game begins there, and to whoever acts later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from wire_limits import EPHEMERAL
from wire_people import acknowledged, answered, buttons, until
from wire_play import Party, party, shown
from wire_process import BotProcess, rows, settled
from wire_server import Server
from wire_world import ALL, FORUM, HISTORY, MANAGE_THREADS, PRIVATE_THREAD, SEND, Channel, Message, Refusal

from bot.chat.messages import PAUSE

NEVER = "600"
"""Seconds after which the bot tries again by itself, so that something else must have shown what waits."""
FASTER = 10
"""How many times faster the limit of edits of old messages passes here, and the bot's heed of it."""


@pytest_asyncio.fixture
async def table(server: Server, database: Path) -> AsyncIterator[Party]:
    """Some of these tests bring an incident about, so that the bot's log may tell of one."""
    bot = await BotProcess(server, database, WIRE_PAUSE=NEVER, WIRE_RETIRE=str(PAUSE / FASTER)).start()
    server.world.old_edits_seconds /= FASTER
    yield await party(server, database)
    await bot.kill()


async def thread(table: Party, kind: int = 11) -> Channel:
    """A thread in which they play."""
    made = table.server.world.channel(table.channel.guild, "thread", parent=table.channel, kind=kind)
    made.joined = kind != PRIVATE_THREAD
    if made.joined:
        await table.server.dispatch("THREAD_CREATE", made.payload() | {"newly_created": True})
    table.channel = made
    return made


async def another(table: Party, seen: Message) -> None:
    await until(table.server, lambda: table.packet() is not seen, what="the next turn")


async def passes(table: Party) -> list[Message]:
    """Whoever is up passes by the command; all that they read in the next seconds."""
    person, before = table.people[table.seq() % len(table.people)], table.seq()
    given = await person.slash(table.channel, "pass")
    await answered(table.server, given)
    assert table.seq() > before
    await until(table.server, lambda: any("cannot post" in one for one in given.said), what="a word of the trouble")
    assert all(one.private for one in given.answers)
    return given.answers


async def test_a_private_thread_of_others_takes_no_game_until_the_bot_is_a_member(table: Party) -> None:
    place = await thread(table, PRIVATE_THREAD)
    host = table.people[0]
    refused = await answered(table.server, await host.slash(place, "game create", title="1889"))
    assert refused.private
    assert "Mention me" in refused.text
    assert rows(table.database, "SELECT count(*) FROM games") == [(0,)]
    await table.server.add_to_thread(place)
    await table.begin()
    await shown(table)


async def test_players_read_that_turns_cannot_be_posted_and_a_mention_mends_it(table: Party) -> None:
    place = await thread(table, PRIVATE_THREAD)
    await table.server.add_to_thread(place)
    await table.begin()
    await shown(table)
    await table.server.remove_from_thread(place)
    await passes(table)
    told = await passes(table)
    assert "mention me" in "".join(one.text for one in told)
    for command in ("game status", "turns", "my games"):
        status = await answered(table.server, await table.people[0].slash(place, command))
        assert "cannot post" in status.text
    await table.server.add_to_thread(place)
    await shown(table)
    status = await answered(table.server, await table.people[0].slash(place, "game status"))
    assert "cannot post" not in status.text


async def test_a_game_does_not_start_where_the_bot_was_removed(table: Party) -> None:
    place = await thread(table, PRIVATE_THREAD)
    await table.server.add_to_thread(place)
    host, other = table.people[:2]
    await answered(table.server, await host.slash(place, "game create", title="1889"))
    await answered(table.server, await other.slash(place, "game join"))
    lobby = table.packet()
    await table.server.remove_from_thread(place)
    by_command = await answered(table.server, await host.slash(place, "game start"))
    by_button = await answered(table.server, await host.click(lobby, buttons(lobby)["Start"]))
    for one in (by_command, by_button):
        assert one.private
        assert "Mention me" in one.text
    assert rows(table.database, "SELECT status FROM games") == [("open",)]


async def test_a_locked_thread_takes_no_game_and_a_game_in_it_says_why_it_waits(table: Party) -> None:
    place = await thread(table)
    place.locked = True
    await table.server.change(place)
    refused = await answered(table.server, await table.people[0].slash(place, "game create", title="1889"))
    assert "locked" in refused.text
    place.locked = False
    await table.server.change(place)
    await table.begin()
    await shown(table)
    place.locked = True
    await table.server.change(place)
    assert "unlock" in "".join(one.text for one in await passes(table))
    place.locked = False
    await table.server.change(place)
    await shown(table)


async def test_a_new_role_of_the_bot_shows_what_waits(table: Party) -> None:
    await table.begin()
    await shown(table)
    table.channel.rights = ALL & ~SEND
    await passes(table)
    table.channel.rights = ALL
    await table.server.change_roles(table.channel.guild, table.channel.guild + 1)
    await shown(table)


async def test_the_right_to_read_history_is_asked_for_at_create(table: Party) -> None:
    table.channel.rights = ALL & ~HISTORY
    refused = await answered(table.server, await table.people[0].slash(table.channel, "game create", title="1889"))
    assert "Read Message History" in refused.text
    assert refused.private


async def test_errors_of_public_answers_are_private(table: Party) -> None:
    await table.begin()
    await settled(table.server, table.database)
    before = len(table.channel.messages)
    given = await table.people[0].slash(table.channel, "show map", hex="ZZ99", public=True)
    refused = await answered(table.server, given)
    assert refused.private
    assert "no hex" in refused.text
    assert len(table.channel.messages) == before
    given = await table.people[0].slash(table.channel, "show map", public=True)
    await until(table.server, lambda: len(given.answers) == 2, what="the map")
    told, public = given.answers
    assert told.private
    assert not public.flags & EPHEMERAL
    assert list(public.files)


async def test_a_thread_that_is_archived_or_closed_to_the_bot_is_not_gone(table: Party) -> None:
    """It is only absent from what the bot remembers: no player takes the game away from it, but its host may."""
    place = await thread(table)
    await table.begin()
    await shown(table)
    place.archived = True
    await table.server.change(place)
    elsewhere = table.server.world.channel(place.guild, "elsewhere")
    await table.server.dispatch("CHANNEL_CREATE", elsewhere.payload())
    refused = await answered(table.server, await table.people[1].slash(elsewhere, "game move", game=table.game))
    assert "Only the host" in refused.text
    place.joined, place.kind = False, PRIVATE_THREAD  # closed to the bot
    refused = await answered(table.server, await table.people[1].slash(elsewhere, "game move", game=table.game))
    assert "Only the host" in refused.text
    moved = await answered(table.server, await table.people[0].slash(elsewhere, "game move", game=table.game))
    assert moved.text.startswith("✓")


async def test_a_game_does_not_move_where_nothing_can_be_posted(table: Party) -> None:
    await table.begin()
    await settled(table.server, table.database)
    elsewhere = table.server.world.channel(table.channel.guild, parent=table.channel, kind=PRIVATE_THREAD)
    elsewhere.joined = False
    refused = await answered(table.server, await table.people[0].slash(elsewhere, "game move", game=table.game))
    assert "Mention me" in refused.text
    assert rows(table.database, "SELECT channel_id FROM games") == [(table.channel.id,)]


async def test_old_messages_lose_their_buttons_without_holding_up_a_turn(table: Party) -> None:
    """Discord allows three changes of messages older than an hour in six seconds; here ten times as fast."""
    world = table.server.world
    await table.begin()
    await settled(table.server, table.database)
    world.aged = 7200.0
    await table.turn()
    first, free = table.packet(), asyncio.Event()

    async def held(method: str, path: str) -> None:
        if method == "PATCH" and path.startswith("/channels/"):
            await free.wait()

    world.faults.append(held)
    for _ in range(6):
        packet = table.packet()
        await table.up(packet).slash(table.channel, "pass")  # after a press, its answer would be the edit
        await another(table, packet)
    assert buttons(first)
    free.set()
    await until(table.server, lambda: not buttons(first), what="the end of its buttons")
    assert [one for one in world.requests if one[3] == 429] == []


async def test_commands_are_for_servers_alone(table: Party) -> None:
    """Installed by a person, the bot would be asked where it is no member."""
    await until(table.server, lambda: bool(table.server.world.commands), what="the commands")
    for one in table.server.world.commands:
        assert one["integration_types"] == [0], one["name"]
        assert one["contexts"] == ([0, 1] if one["name"] == "turns" else [0]), one["name"]


def failing_answers(table: Party, refusal: Refusal, times: int = 1) -> None:
    """The next answers fail that take the place of the one that was promised."""
    left = times

    async def fail(method: str, path: str) -> None:
        nonlocal left
        if left and method == "PATCH" and path.endswith("/messages/@original"):
            left -= 1
            raise refusal

    table.server.world.faults.append(fail)


async def test_what_was_stored_is_told_as_stored(table: Party) -> None:
    await table.begin()
    await settled(table.server, table.database)
    server = table.server

    # The private answer was dismissed by its reader
    failing_answers(table, Refusal(404, 10008, "Unknown Message"))
    done = await answered(server, await table.up(table.packet()).slash(table.channel, "pass"))
    assert done.text.startswith("✓")
    await settled(server, table.database)
    assert table.seq() == 1

    # Something else fails once the move is stored
    failing_answers(table, Refusal(400, 50035, "Invalid Form Body"))
    given = await table.up(table.packet()).slash(table.channel, "pass")
    await until(server, lambda: bool(given.answers), what="an answer")
    assert "is stored" in given.said[-1]
    assert "Nothing" not in given.said[-1]
    assert table.seq() == 2

    # Nothing was stored
    failing_answers(table, Refusal(400, 50035, "Invalid Form Body"))
    given = await table.people[0].slash(table.channel, "show privates")
    await until(server, lambda: bool(given.answers), what="an answer")
    assert "Nothing was changed" in given.said[-1]
    server.world.deprecated.clear()  # what was promised could not be kept


async def test_who_has_joined_is_told_so_though_the_lobby_cannot_be_drawn(table: Party) -> None:
    host, other = table.people[:2]
    await answered(table.server, await host.slash(table.channel, "game create", title="1889"))
    await settled(table.server, table.database)
    lobby = table.packet()
    once = [Refusal(400, 50035, "Invalid Form Body")]

    async def fail(method: str, path: str) -> None:
        if once and path.endswith("/messages/@original"):
            raise once.pop()

    table.server.world.faults.append(fail)
    given = await other.click(lobby, buttons(lobby)["Join"])
    await acknowledged(table.server, given)
    await until(table.server, lambda: bool(given.said), what="an answer")
    assert "is stored" in given.said[-1]
    assert len(rows(table.database, "SELECT * FROM seats")) == 2


async def test_a_lobby_whose_host_has_left_the_server_is_cancelled_by_anybody(table: Party) -> None:
    host, other = table.people[:2]
    await answered(table.server, await host.slash(table.channel, "game create", title="1889"))
    refused = await answered(table.server, await other.slash(table.channel, "game end"))
    assert "Only the host" in refused.text
    table.server.world.left.add(host.id)
    told = await answered(table.server, await other.slash(table.channel, "game end"))
    assert told.text.startswith("✓")
    await settled(table.server, table.database)
    assert rows(table.database, "SELECT status FROM games") == [("abandoned",)]
    assert f"<@{other.id}> cancelled the game" in next(reversed(table.channel.messages.values())).text
    assert table.server.world.pings == []


# A post of a forum, under Discord's published rules of threads


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
