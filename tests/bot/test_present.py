"""The present turn is shown in its channel, whatever was lost; and nobody is told of it twice."""

from __future__ import annotations

from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest
from club import Club, buttons, text
from player import answer, begin_at, private_answer
from tables import table as position

from bot.chat import messages, sender
from bot.chat.messages import Retirer
from bot.core.table import Table
from engine.actions import Pass
from engine.ids import PlayerId
from storage import Message, Unavailable

ADD = Retirer.add


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be sent is tried again at the next sweep; past messages keep their controls."""
    monkeypatch.setattr(sender, "PAUSES", (0,))
    monkeypatch.setattr(Retirer, "add", lambda *_: None)


async def sent(club: Club) -> None:
    await club.bot.sender.sweep()
    await club.bot.sender.idle()


def position_shown(club: Club) -> int:
    """The position for which the newest message has controls."""
    return int(next(iter(buttons(club.packet()).values())).split(":")[2])


def turns_posted(club: Club) -> int:
    """How many messages of turns were posted, refused or not."""
    path = f"/channels/{club.channel.id}/messages"
    return sum(one.method == "POST" and one.path == path for one in club.env.http_requests)


async def begun(club: Club) -> Table:
    table = await club.begin(3)
    await club.aiko.slash(club.channel, "pass")
    await sent(club)
    return table


def fails(club: Club, times: int, code: int = 10003) -> None:
    """Discord says that it knows no such channel."""
    path = f"/channels/{club.channel.id}/messages"
    club.env.inject_error("POST", path, status=404, code=code, times=times)


def is_unknown(club: Club) -> None:
    """Nor when it is asked for it."""
    fails(club, 100)
    club.env.inject_error("GET", f"/channels/{club.channel.id}", status=404, code=10003, times=100)


async def test_one_wrong_answer_of_discord_loses_no_turn(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await begun(club)
    monkeypatch.setattr(sender, "PAUSES", (600,))
    pinged = len(club.pinged())
    fails(club, 1)
    told = await club.ben.slash(club.channel, "pass")
    await club.bot.sender.idle()
    assert "Nothing is lost" in text(private_answer(told))
    assert "/game move" not in text(private_answer(told))
    assert position_shown(club) == 1
    await club.bot.sender.reopened(club.bot.guilds[0])
    await sent(club)
    assert position_shown(club) == 2
    assert club.pinged()[pinged:].count(club.chloe.id) == 2  # of which one was refused


async def test_whoever_lists_their_games_reads_how_one_goes_on_whose_channel_was_deleted(club: Club) -> None:
    """Also if nothing has been posted there since, and if it had not begun."""
    other, there = club.guild.create_text_channel("other"), club.guild.create_text_channel("there")
    await begun(club)
    await club.ben.slash(other, "game create", title="1889")
    for place in (club.channel, other):
        club.env.backend.delete_channel(place.id)
    await club.env.settle()
    told = await answer(club.ben.slash(there, "my games"))
    assert told.count("The channel is gone: `/game move` moves the game to another.") == 2


async def test_a_game_whose_channel_is_gone_is_given_up_until_something_happens_to_it(club: Club) -> None:
    table = await begun(club)
    is_unknown(club)
    told = await club.ben.slash(club.channel, "pass")
    await club.bot.sender.idle()
    assert "/game move" in text(private_answer(told))
    assert await table.store.outbox.waiting() == 0
    before = len(club.env.http_requests)
    for _ in range(3):
        assert await club.bot.present.compare(None) == 0
        await sent(club)
    assert len(club.env.http_requests) == before
    club.env.backend.faults.clear()
    await club.chloe.slash(club.channel, "pass")
    await sent(club)
    assert position_shown(club) == 3


async def test_whoever_moves_a_game_does_not_read_what_was_wrong_where_it_was(club: Club) -> None:
    """“The game continues here. I cannot post turns in …: `/game move` moves the game to another.”"""
    table, there = await begun(club), club.guild.create_text_channel("there")
    club.env.backend.delete_channel(club.channel.id)
    await table.submit(Pass(PlayerId("p2")), user=club.ben.id)
    await sent(club)
    assert "channel is gone" in club.bot.sender.trouble(table.id)
    assert await answer(club.ben.slash(there, "game move", game=table.id)) == "✓ The game continues here."


async def test_a_turn_whose_pictures_are_too_large_for_discord_is_shown_without_them(club: Club) -> None:
    """It was never shown, and nobody was told."""
    table = await club.begin(3)
    path, too_large = f"/channels/{club.channel.id}/messages", {"status": 413, "code": 40005}
    club.env.inject_error("POST", path, **too_large, times=1)
    begin_at(table, *position("1889", 3).stock("p1").build())
    await club.announces(table)
    shown = club.packet()
    assert "too large for Discord" in text(shown)
    assert not shown.attachments
    assert club.pinged()[-1] == club.aiko.id
    for way in (f"{path}/*", "/webhooks/*/@original"):
        club.env.inject_error("PATCH", way, **too_large, times=1)
    await club.announces(table)
    assert "too large for Discord" in text(club.packet())
    assert await table.store.outbox.waiting() == 0


@pytest.mark.parametrize("how", ["now and then", "at the start"])
async def test_a_turn_whose_notice_was_lost_is_shown(club: Club, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await begun(club)
    monkeypatch.setattr(sender, "PAUSES", (600,))
    fails(club, 1)
    await club.ben.slash(club.channel, "pass")
    await club.bot.sender.idle()
    await table.store._db.write(lambda tx: tx.run("UPDATE outbox SET done_at = 1 WHERE done_at IS NULL"))
    club.env.backend.faults.clear()
    await sent(club)
    assert position_shown(club) == 1
    if how == "at the start":
        await club.restart()
        await club.env.settle()
        await club.bot.compare()
    else:
        assert await club.bot.present.compare(None) == 1
    await sent(club)
    assert position_shown(club) == 2
    assert await club.bot.present.compare(None) == 0


async def test_comparing_posts_edits_and_asks_nothing_where_all_is_shown(club: Club) -> None:
    table = await begun(club)
    await club.ben.slash(club.channel, "bid", private="Dougo Railway", amount=45)
    await sent(club)
    before = len(club.env.http_requests)
    for _ in range(5):
        assert await club.bot.present.compare(None) == 0
        await sent(club)
    assert len(club.env.http_requests) == before
    assert await table.store.messages.unshown("turn:%") == []


async def test_a_turn_that_goes_on_in_its_message_is_shown(club: Club) -> None:
    """Its row says where it was posted; what it shows by now counts."""
    table = await begun(club)
    message = [one for one in await table.store.messages.live(table.game.id) if one.kind.startswith("turn:")][-1]
    await club.bot.sender.announce(table.game.id)
    await sent(club)
    await table.store._db.write(lambda tx: tx.run("UPDATE messages SET seq = 0, shows = NULL"))
    assert len(await table.store.messages.unshown("turn:%")) == 1
    posted = turns_posted(club)
    assert await club.bot.present.compare(None) == 1
    await sent(club)
    assert turns_posted(club) == posted
    assert await table.store.messages.unshown("turn:%") == []
    assert (await table.store.messages.find(message.message_id)).seq == 0  # type: ignore[union-attr]


@pytest.mark.broad
async def test_comparing_takes_no_controls_off_a_message_before_the_next_turn_stands_below_it(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody moves between the query and what is done about its games."""
    table = await begun(club)
    found = await table.store.messages.unreduced("turn:%", ())
    assert found
    monkeypatch.setattr(sender, "PAUSES", (600,))
    fails(club, 1)
    await club.ben.slash(club.channel, "pass")
    await club.bot.sender.idle()
    reduced: list[Message] = []
    monkeypatch.setattr(type(table.store.messages), "unreduced", AsyncMock(return_value=found))
    monkeypatch.setattr(Retirer, "add", lambda _, message: reduced.append(message))
    await club.bot.present.compare(None)
    assert club.packet().id not in {one.message_id for one in reduced}


async def test_a_game_whose_questions_are_open_is_read_again_only_once_something_has_happened(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 300 open votes, each comparison took half a minute of the processor."""
    await club.begin(3)
    await club.aiko.slash(club.channel, "pace", pace="steady")
    await sent(club)
    read = AsyncMock(wraps=club.bot.tables.get)
    reduced: list[str] = []
    monkeypatch.setattr(Retirer, "add", lambda _, message: reduced.append(message.kind))
    with monkeypatch.context() as counted:
        counted.setattr(club.bot.tables, "get", read)
        for _ in range(3):
            await club.bot.present.compare(None)
    assert (read.await_count, reduced.count("vote:pace")) == (1, 1)
    await club.aiko.slash(club.channel, "pace", agree=False)
    await club.bot.present.compare(None)
    assert reduced.count("vote:pace") == 2


@pytest.mark.parametrize("looks_by", ["the status", "an old button"])
async def test_a_deleted_message_is_posted_again_when_somebody_looks_for_it_and_pings_nobody_twice(
    club: Club, looks_by: str
) -> None:
    table = await club.begin(3)
    old = club.packet()
    await club.aiko.slash(club.channel, "pass")
    await sent(club)
    assert position_shown(club) == 1
    club.env.backend.delete_message(club.channel.id, club.packet().id)
    pinged = len(club.pinged())
    assert await club.bot.present.compare(None) == 0  # nobody has asked Discord
    if looks_by == "the status":
        await club.aiko.slash(club.channel, "game status")
    else:
        await club.chloe.click(old, label="Pass")
    await sent(club)
    assert position_shown(club) == 1
    assert len(club.pinged()) == pinged
    posted = turns_posted(club)
    if looks_by == "the status":
        await club.aiko.slash(club.channel, "game status")
    else:
        await club.chloe.click(old, label="Pass")
    await sent(club)
    assert turns_posted(club) == posted
    await club.ben.click(club.packet(), label="Pass")
    await sent(club)
    assert (await club.table()).position.seq == 2 == position_shown(club)
    assert await table.store.outbox.waiting() == 0


async def test_looking_again_and_again_asks_discord_once_a_minute(club: Club) -> None:
    await begun(club)
    for _ in range(4):
        await club.aiko.slash(club.channel, "game status")
    path = f"/channels/{club.channel.id}/messages/{club.packet().id}"
    assert sum(one.method == "GET" and one.path == path for one in club.env.http_requests) == 1


async def test_a_moved_turn_of_which_it_was_found_only_later_that_it_was_sent_leaves_no_second_one(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, there = await begun(club), club.guild.create_text_channel("there")
    monkeypatch.setattr(messages, "CLOCKS", 2**30)  # the simulated Discord dates its messages long ago
    with pytest.MonkeyPatch.context() as lost:
        lost.setattr(table.store.outbox, "done", AsyncMock(side_effect=Unavailable("It is away.")))
        await club.aiko.slash(there, "game move", game=table.game.id)
    await sent(club)
    monkeypatch.setattr(Retirer, "add", ADD)
    await club.bot.present.compare(None)
    await sent(club)
    assert [sum("Pass" in buttons(one) for one in place.history()) for place in (club.channel, there)] == [0, 1]


async def test_what_stands_in_a_closed_channel_that_the_game_has_left_is_tried_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await begun(club)
    there = club.guild.create_text_channel("there")
    closed = f"/channels/{club.channel.id}/messages/*"
    club.env.inject_error("PATCH", closed, status=403, code=50001, times=None)
    monkeypatch.setattr(Retirer, "add", ADD)
    await club.aiko.slash(there, "game move", game=table.game.id)
    await sent(club)
    before = len(club.env.http_requests)
    for _ in range(3):
        await club.bot.compare()
        await sent(club)
    assert len(club.env.http_requests) == before


async def test_who_looks_for_a_turn_while_the_connection_breaks_is_answered(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(club)
    monkeypatch.setattr(discord.PartialMessage, "fetch", AsyncMock(side_effect=aiohttp.ServerDisconnectedError()))
    status = private_answer(await club.aiko.slash(club.channel, "game status"))
    assert "waiting for **Ben**: buy, bid or pass." in text(status)
