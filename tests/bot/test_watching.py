"""Watching from outside the table: followers, live boards, and the list of a server's games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest
from club import Club, buttons, selects, text
from days import MONDAY_NOON, Hand
from player import more, private_answer
from simcord.backend.errors import BackendError
from simcord.http import router
from simcord.results import to_discord_message

from bot.core.errors import NO_RESULT
from bot.core.moves import EVENTS
from bot.core.notices import BoardNotice, queued
from bot.core.table import Table
from bot.rooms.watching.room import NOT_FOLLOWED, board_screen
from engine import TITLES
from storage import Watch

HOUR = 3600


async def answer(work: Any) -> Any:
    return private_answer(await work)


async def pass_on(club: Club) -> None:
    """Whoever is up passes."""
    table = await club.table()
    await club.who(table.position.up[0], table).slash(club.channel, "pass")


async def due(club: Club) -> None:
    """What is due is done and sent."""
    await club.bot.sweep()
    await club.env.settle()
    await club.bot.sender.idle()


async def pass_and_tell(club: Club) -> None:
    """Whoever is up passes, and followers are told what is due."""
    await pass_on(club)
    await due(club)


async def following(club: Club, member: Any, *events: str) -> Table:
    """A game that somebody follows by direct message, with these events."""
    table = await club.table()
    panel = await answer(member.slash(club.channel, "game follow"))
    panel = await answer(member.click(panel, label="Follow by direct message"))
    for event, name in EVENTS.items():
        on = event in (await watch_of(table, member)).events.split(",")
        if on != (event in events):
            panel = await answer(member.click(panel, label=f"{'–' if event in events else '✓'} {name}"))
    return table


async def watch_of(table: Table, member: Any) -> Watch:
    found = await table.store.watches.find(table.game.id, "follow", user_id=member.id)
    assert found is not None
    return found


def told(club: Club, member: Any) -> list[str]:
    """The direct messages that somebody got from the bot."""
    stored = club.env.backend.messages.get(club.env.backend.dm_channels.get(member.id, 0), {})
    return [text(to_discord_message(club.env, one)) for one in stored.values()]


def close_direct_messages(club: Club, monkeypatch: pytest.MonkeyPatch, member: Any) -> None:
    """From now on the bot cannot send them any."""
    dispatch, place = router.dispatch, club.env.backend.get_dm_channel(member.id).id

    def closed(backend: Any, method: str, path: str, **rest: Any) -> Any:
        if (method, path) == ("POST", f"/channels/{place}/messages"):
            raise BackendError(403, 50007, "Cannot send messages to this user")
        return dispatch(backend, method, path, **rest)

    monkeypatch.setattr(router, "dispatch", closed)


def thread(club: Club, name: str) -> Any:
    """A thread of the club's channel."""
    club.env.backend.create_thread(club.channel.id, name, club.emma.id)
    return next(one for one in club.channel.threads if one.name == name)


@pytest.mark.broad
async def test_a_follower_is_told_what_they_chose_and_no_sooner_than_they_chose(club: Club, hand: Hand) -> None:
    await club.begin(2)
    await following(club, club.emma, "turn")
    await pass_and_tell(club)
    assert len(told(club, club.emma)) == 1
    assert "**Aiko** passes." in told(club, club.emma)[0]
    await pass_on(club)
    await pass_and_tell(club)
    assert len(told(club, club.emma)) == 1
    hand.now = MONDAY_NOON + HOUR + 60
    await due(club)
    await due(club)
    assert len(told(club, club.emma)) == 2
    assert "**Aiko** passes" in told(club, club.emma)[1]
    assert "**Ben** passes" in told(club, club.emma)[1]
    assert f"<#{club.channel.id}>" in told(club, club.emma)[1]


async def test_whoever_follows_is_not_woken_and_reads_it_all_in_the_morning(club: Club, hand: Hand) -> None:
    await club.begin(2)
    await following(club, club.emma, "turn")
    await club.emma.slash(club.channel, "my settings", zone="Asia/Tokyo")
    for hour in (3, 8):  # midnight and five o'clock there
        hand.now = MONDAY_NOON + hour * HOUR
        await pass_and_tell(club)
    assert told(club, club.emma) == []
    hand.now = MONDAY_NOON + 11 * HOUR
    await due(club)
    (morning,) = told(club, club.emma)
    assert "**Aiko** passes" in morning
    assert "**Ben** passes" in morning


@pytest.mark.core
async def test_what_was_not_chosen_is_not_told(club: Club, hand: Hand) -> None:
    await club.begin(2)
    await following(club, club.emma, "end")
    await following(club, club.fumi, "company", "round")
    await pass_on(club)
    hand.now = MONDAY_NOON + 2 * HOUR
    await due(club)
    assert told(club, club.emma) == told(club, club.fumi) == []
    for member in club.members[:2]:
        await member.slash(club.channel, "game end")
    await due(club)
    assert "The game is over" in told(club, club.emma)[0] or "end" in told(club, club.emma)[0]
    assert told(club, club.fumi) == []


async def test_a_follow_is_stopped_and_nothing_more_is_told(club: Club) -> None:
    await club.begin(2)
    await following(club, club.emma, "turn")
    panel = await answer(club.emma.slash(club.channel, "game follow"))
    await club.emma.click(panel, label="Stop following")
    await pass_and_tell(club)
    assert told(club, club.emma) == []


async def test_how_often_is_chosen_from_a_list(club: Club) -> None:
    table = await club.begin(2)
    await following(club, club.emma, "turn")
    beside = await more(club.emma, club.packet())
    looks = next(one for one in selects(beside) if one.endswith(":look"))
    panel = await answer(club.emma.select(beside, ["follow"], custom_id=looks))
    (custom_id,) = selects(panel)
    await club.emma.select(panel, [f"follow|{24 * HOUR}"], custom_id=custom_id)
    assert (await watch_of(table, club.emma)).every == 24 * HOUR


async def test_closed_direct_messages_end_a_follow_and_are_told_once(
    club: Club, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(2)
    await following(club, club.emma, "turn")
    close_direct_messages(club, monkeypatch, club.emma)
    await pass_and_tell(club)
    hand.now = MONDAY_NOON + 2 * HOUR
    await pass_and_tell(club)
    about = [one for one in club.channel.history() if "cannot send you direct messages" in text(one)]
    assert len(about) == 1
    assert club.pinged().count(club.emma.id) == 1
    assert await table.store.watches.of_game(table.game.id) == []
    assert f"<@{table.seats['p1'].user_id}>, your turn" in text(club.packet())


def with_a_barred_role(club: Club) -> tuple[Club, Any]:
    """The club in a channel that one role does not see, and that role."""
    barred = club.guild.create_role("barred")
    hidden = {barred: discord.PermissionOverwrite(view_channel=False)}
    return replace(club, channel=club.guild.create_text_channel("club", overwrites=hidden)), barred


async def test_a_follow_that_was_stopped_in_direct_messages_begins_again_there(club: Club) -> None:
    """They were told to try again in a minute, as the server's channels were not known yet: they are, but not there."""
    club, barred = with_a_barred_role(club)
    table = await club.begin(2)
    ben, emma, fumi = club.ben, *club.members[4:6]
    stopped = []
    for member in (ben, emma, fumi):
        await following(club, member, "turn")
    await pass_and_tell(club)
    for member in (ben, emma, fumi):
        (message,) = member.user.dm_channel.history()
        panel = await answer(member.user.click(message, label="What I follow…"))
        stopped.append(await answer(member.user.click(panel, label="Stop following")))
    club.env.backend.guilds[club.guild.id].members[fumi.id].role_ids.append(barred.id)
    said = [
        text(await answer(member.user.click(panel, label="Follow by direct message"))).partition("\n")[0]
        for member, panel in zip((ben, emma, fumi), stopped, strict=True)
    ]
    followed = "**You follow this game by direct message**, at most hourly. You are told when:"
    assert said == [followed, followed, "You can only follow a game whose channel you see: use `/game follow` there."]
    assert [one.user_id for one in await table.store.watches.of_game(table.game.id)] == [ben.id, emma.id]


async def test_who_no_longer_sees_the_channel_is_told_nothing(club: Club) -> None:
    club, barred = with_a_barred_role(club)
    table = await club.begin(2)
    emma, fumi, goro = club.members[4:7]
    for member in (emma, fumi, goro):
        await following(club, member, "turn")
    club.guild.remove_member(emma)
    club.env.backend.guilds[club.guild.id].members[fumi.id].role_ids.append(barred.id)
    await pass_and_tell(club)
    assert told(club, emma) == told(club, fumi) == []
    assert len(told(club, goro)) == 1
    assert [one.user_id for one in await table.store.watches.of_game(table.game.id)] == [goro.id]


async def test_a_thread_follows_for_all_in_it(club: Club, hand: Hand) -> None:
    table = await club.begin(2)
    fans = thread(club, "fans")
    panel = await answer(club.emma.slash(fans, "game follow"))
    panel = await answer(club.emma.click(panel, label="Follow here"))
    await club.emma.click(panel, label="– every turn")
    other = await answer(club.fumi.slash(fans, "game follow"))
    refused = await answer(club.fumi.click(other, label="Stop following"))
    assert "only they, the game's host and moderators" in text(refused)
    await pass_and_tell(club)
    assert "**Aiko** passes." in text(fans.history()[-1])
    assert told(club, club.emma) == []
    assert len(await table.store.watches.of_game(table.game.id)) == 1


@pytest.mark.broad
async def test_a_live_board_is_one_message_that_is_edited(club: Club, hand: Hand) -> None:
    await club.begin(2)
    host, emma = club.aiko, club.emma
    elsewhere = club.guild.create_text_channel("spectators")
    game = (await club.table()).game.id
    assert "Only the game's host" in text(await answer(emma.slash(elsewhere, "game watch", game=game)))
    assert "played here" in text(await answer(host.slash(club.channel, "game watch")))
    assert "✓" in text(await answer(host.slash(elsewhere, "game watch", game=game)))
    await club.bot.sender.idle()
    (board,) = elsewhere.history()
    assert "Waiting for **Aiko**" in text(board)
    for ahead in (61, 122):
        await pass_on(club)
        hand.now = MONDAY_NOON + ahead
        await due(club)
    (board,) = elsewhere.history()
    assert "Waiting for **Aiko**" in text(board)
    assert "**Ben** passes." in text(board)
    assert len(board.attachments) == 3
    assert "live board of this game here already" in text(await answer(host.slash(elsewhere, "game watch", game=game)))
    assert "stays as it is" in text(await answer(host.slash(elsewhere, "game watch", game=game, stop=True)))
    await pass_on(club)
    hand.now += 61
    await due(club)
    assert "Waiting for **Aiko**" in text(elsewhere.history()[0])


async def test_the_board_of_a_game_that_is_over_says_who_came_first_below_its_heading(club: Club) -> None:
    table = await club.begin(2)
    await table.end_here()
    head, first, *_ = (await board_screen(table, "")).text.splitlines()
    assert head == "### The game is over"
    assert first.startswith("1st ")


async def test_a_board_in_a_lobby_comes_with_the_start(
    club: Club, hand: Hand, caplog: pytest.LogCaptureFixture
) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    await club.ben.slash(club.channel, "game join")
    elsewhere = club.guild.create_text_channel("spectators")
    said = await answer(club.aiko.slash(elsewhere, "game watch", game=(await club.game()).id))
    assert "comes when the game starts" in text(said)
    hand.now += HOUR
    await due(club)
    assert not [one for one in caplog.records if "is due waits" in one.message]
    await club.aiko.slash(club.channel, "game start")
    hand.now += 61
    await due(club)
    assert "Waiting for" in text(elsewhere.history()[0])


async def test_the_board_of_a_game_without_a_result_no_longer_says_who_is_waited_for(club: Club, hand: Hand) -> None:
    table, elsewhere = await watched(club)
    for one in (club.aiko, club.ben):
        await club.leave(one)
    hand.now += 61
    await due(club)
    (board,) = elsewhere.history()
    assert "ended without a result" in text(board)
    assert not buttons(board)
    again = club.guild.create_text_channel("again")
    assert text(await answer(club.ben.slash(again, "game watch", game=table.game.id))) == NO_RESULT


async def test_a_cancelled_game_has_no_board(club: Club, hand: Hand) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    elsewhere = club.guild.create_text_channel("spectators")
    await club.aiko.slash(elsewhere, "game watch", game=(await club.game()).id)
    await club.aiko.slash(club.channel, "game end")
    hand.now += HOUR
    await due(club)
    assert elsewhere.history() == []


async def test_a_follower_is_told_that_a_game_ends_without_a_result(club: Club, hand: Hand) -> None:
    await club.begin(2)
    await following(club, club.emma, "end")
    for one in (club.aiko, club.ben):
        await club.leave(one)
    await due(club)
    (said,) = club.emma.user.dm_channel.history()
    assert f"The game in <#{club.channel.id}> has ended without a result" in text(said)
    assert not buttons(said), "of such a game nothing is followed any more"
    hand.now += 2 * HOUR
    await due(club)
    assert len(told(club, club.emma)) == 1


async def test_a_follower_is_told_that_a_game_that_had_not_begun_is_cancelled(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    panel = await answer(club.emma.slash(club.channel, "game follow"))
    await club.emma.click(panel, label="Follow by direct message")
    await club.aiko.slash(club.channel, "game end")
    await due(club)
    assert "has ended without a result" in told(club, club.emma)[0]


async def test_a_follower_is_told_that_a_game_that_cannot_be_read_has_ended(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.begin(2)
    await following(club, club.emma, "end")
    monkeypatch.delitem(TITLES, "1889")
    club.bot.tables._tables.clear()
    await club.aiko.slash(club.channel, "game end")
    await due(club)
    assert "has ended without a result" in told(club, club.emma)[0]


async def test_a_game_that_is_over_is_followed_only_by_who_did_before(club: Club, hand: Hand) -> None:
    table, elsewhere = await watched(club)
    await following(club, club.emma, "turn")
    await table.end_here()
    hand.now += HOUR
    await due(club)
    assert not buttons(elsewhere.history()[0])
    assert text(await answer(club.fumi.slash(club.channel, "game follow"))) == NOT_FOLLOWED
    panel = await answer(club.emma.slash(club.channel, "game follow"))
    assert "Follow this game?" not in text(panel)
    assert text(await answer(club.emma.click(panel, label="Stop following"))) == NOT_FOLLOWED


async def watched(club: Club) -> tuple[Table, Any]:
    """A game, and another channel with its live board."""
    table = await club.begin(2)
    elsewhere = club.guild.create_text_channel("spectators")
    await club.aiko.slash(elsewhere, "game watch", game=table.game.id)
    await due(club)
    return table, elsewhere


async def test_a_board_that_has_ended_is_not_shown_once_more(club: Club, hand: Hand) -> None:
    table, elsewhere = await watched(club)
    (watch,) = await table.store.watches.of_game(table.game.id)
    await table.store.watches.stop(watch.id)
    await table.store.outbox.post(table.game.id, [queued(BoardNotice(watch.id))])
    await club.says()
    assert await table.store.outbox.waiting() == 0
    assert len(elsewhere.history()) == 1


async def test_a_board_gathers_quick_turns_into_one_edit(club: Club, hand: Hand) -> None:
    _, elsewhere = await watched(club)
    club.forget_transcript()
    for _ in range(4):
        await pass_and_tell(club)
    hand.now = MONDAY_NOON + 61
    await due(club)
    edits = [one for one in club.env.http_requests if one.method == "PATCH" and str(elsewhere.id) in one.path]
    assert len(edits) == 1


async def test_a_board_whose_message_was_deleted_is_posted_anew(club: Club, hand: Hand) -> None:
    _, elsewhere = await watched(club)
    place: Any = club.bot.get_channel(elsewhere.id)
    await place.get_partial_message(elsewhere.history()[0].id).delete()
    await pass_on(club)
    hand.now = MONDAY_NOON + 61
    await due(club)
    (board,) = elsewhere.history()
    assert "Waiting for **Ben**" in text(board)


@pytest.mark.core
async def test_a_board_in_a_channel_that_is_gone_ends_and_the_table_reads_so(club: Club, hand: Hand) -> None:
    table, elsewhere = await watched(club)
    await club.bot.get_channel(elsewhere.id).delete()  # type: ignore[union-attr]
    await pass_on(club)
    hand.now = MONDAY_NOON + 61
    await due(club)
    assert await table.store.watches.of_game(table.game.id) == []
    assert any("can no longer post there" in text(one) for one in club.channel.history())
    assert club.bot.sender.trouble(table.game.id) == ""


async def test_the_games_of_a_server_are_listed_as_far_as_their_channels_are_seen(club: Club) -> None:
    await club.begin(2, pace="gentle")
    hidden = {club.emma: discord.PermissionOverwrite(view_channel=False)}
    secret = club.guild.create_text_channel("secret", overwrites=hidden)
    other = club.guild.create_text_channel("other")
    await club.aiko.slash(secret, "game create", title="1889")
    await club.aiko.slash(other, "game create", title="1860")
    listing = text(await answer(club.emma.slash(club.channel, "server games")))
    assert f"<#{club.channel.id}>" in listing
    assert "waiting for **Aiko**" in listing
    assert "Shikoku 1889 · Gentle · " in listing
    assert f"<#{other.id}>" in listing
    assert f"<#{secret.id}>" not in listing
    assert f"<#{secret.id}>" in text(await answer(club.aiko.slash(club.channel, "server games")))


async def test_many_games_are_on_pages(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.rooms.server.room.PAGE", 2)
    places = [club.guild.create_text_channel(f"c{number}") for number in range(5)]
    for place in places:
        await club.aiko.slash(place, "game create", title="1889")
    seen = set[str]()
    page = await answer(club.emma.slash(places[0], "server games"))
    for _ in range(3):
        seen |= {str(place.id) for place in places if str(place.id) in text(page)}
        if "More ▶" in buttons(page):
            page = await answer(club.emma.click(page, label="More ▶"))
    assert len(seen) == 5
    assert "More ▶" not in buttons(page)


@pytest.mark.parametrize("status", [403, 404])
async def test_a_follower_is_told_later_what_happened_while_the_games_channel_was_closed_or_gone(
    club: Club, hand: Hand, status: int
) -> None:
    """Their direct messages were open all the time."""
    table = await club.begin(2)
    await following(club, club.emma, "turn")
    await pass_on(club)
    guild = club.bot.guilds[0]
    guild._remove_channel(guild.get_channel(club.channel.id))  # type: ignore[arg-type]
    code = {403: 50001, 404: 10003}[status]
    club.env.inject_error("GET", f"/channels/{club.channel.id}", status=status, code=code, times=100)
    await due(club)
    assert told(club, club.emma) == []
    club.env.backend.faults.clear()
    hand.now += HOUR
    await due(club)
    assert len(told(club, club.emma)) == 1
    assert await table.store.watches.find(table.game.id, "follow", user_id=club.emma.id)
