"""A channel is never blocked for good: moderators, votes that expire, and games whose host is gone."""

from __future__ import annotations

import time
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
from club import Club, buttons, said, text
from days import Day
from player import answer, passes, private_answer
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.core.errors import NO_RESULT
from bot.core.moves import Note
from bot.rooms.turn.room import MOST_PINGS
from engine.actions import EndGame
from storage import Unavailable

DAY = 24 * 3600


def moderator(club: Club, **rights: bool) -> Any:
    """Somebody without a seat who has rights of Discord."""
    role = club.guild.create_role("mods", permissions=discord.Permissions(**rights or {"manage_channels": True}))
    return club.guild.add_member(club.env.create_user("gina", global_name="Gina"), roles=[role])


def later(club: Club, monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    monkeypatch.setattr(club.bot.store._db, "clock", lambda: int(time.time()) + seconds)


@pytest.mark.parametrize("right", ["manage_channels", "manage_guild", "administrator"])
@pytest.mark.core
async def test_a_moderator_ends_a_game_and_everybody_reads_who_did_it(club: Club, right: str) -> None:
    table = await club.begin(2)
    gina = moderator(club, **{right: True})
    assert (await answer(gina.slash(club.channel, "game end", at_once=True))).startswith("✓")
    assert table.position.over
    assert any(f"<@{gina.id}>, a moderator, ended the game" in one for one in said(club))
    last = table.moves[-1]
    assert (type(last.action), last.user, last.note) == (EndGame, gina.id, Note("moderator"))
    assert (await table.store.game(table.game.id)).status == "finished"
    asked = private_answer(await club.aiko.slash(club.channel, "game undo"))
    assert "**Ben** must agree" in text(asked)  # whoever ended it, the host alone cannot take it back
    await club.aiko.click(asked, label="Ask them")
    await club.ben.click(club.packet(), label="Agree")
    assert not table.position.over
    assert any("took back the end of the game, as **Ben** agreed" in one for one in said(club))


async def test_nobody_else_ends_a_game_without_a_vote(club: Club) -> None:
    table = await club.begin(2)
    for member in (club.aiko, club.fumi):
        assert "Only moderators" in await answer(member.slash(club.channel, "game end", at_once=True))
    assert not table.position.over
    assert (await table.store.log(table.game.id)) == []


async def test_the_right_counts_where_the_game_is_played(club: Club) -> None:
    """Who may manage one channel does not take away another's game."""
    table = await club.begin(2)
    gina = club.guild.add_member(club.env.create_user("gina", global_name="Gina"))
    own = discord.PermissionOverwrite(manage_channels=True)
    elsewhere = club.guild.create_text_channel("elsewhere", overwrites={gina: own})
    assert "Only the host or a moderator can move" in await answer(
        gina.slash(elsewhere, "game move", game=table.game.id)
    )
    assert (await table.store.game(table.game.id)).channel_id == club.channel.id


async def test_a_moderator_moves_a_game_and_everybody_reads_who_did_it(club: Club) -> None:
    table = await club.begin(2)
    gina = moderator(club)
    elsewhere = club.guild.create_text_channel("elsewhere")
    assert (await answer(gina.slash(elsewhere, "game move", game=table.game.id))).startswith("✓")
    moved, turn = elsewhere.history()
    assert f"<@{gina.id}> moved the game here from <#{club.channel.id}>." in text(moved)
    assert [user.id for user in turn.mentions] == [table.seats["p1"].user_id]
    assert await club.bot.store.game_in_channel(club.channel.id) is None


async def test_only_games_are_offered_for_moving_that_the_person_may_move_here(club: Club) -> None:
    """Those of others once their channel is gone; none where another game is."""
    table = await club.begin(2)
    elsewhere = club.guild.create_text_channel("elsewhere")

    async def offered(member: Any, place: Any = elsewhere) -> list[str]:
        return [one["value"] for one in await member.autocomplete(place, "game move", "game", "")]

    assert [await offered(one) for one in (club.aiko, club.ben, club.chloe)] == [[table.id], [], []]
    assert await offered(club.aiko, club.channel) == []
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    assert await offered(club.ben) == [table.id]
    await club.chloe.slash(elsewhere, "game create", title="1889")
    assert await offered(club.ben) == []
    there = club.guild.create_text_channel("there")
    assert (await answer(club.ben.slash(there, "game move", game=table.id))).startswith("✓")


async def test_players_move_no_game_from_a_channel_that_is_closed_to_the_bot_or_perhaps_there(club: Club) -> None:
    """Its host and moderators can; so what is offered fits what lists say of a channel that is gone."""
    table = await club.begin(2)
    elsewhere = club.guild.create_text_channel("elsewhere")
    denied, everybody = discord.Permissions(view_channel=True).value, club.guild.default_role.id
    club.env.backend.set_overwrite(club.channel.id, Overwrite(everybody, OverwriteType.ROLE, allow=0, deny=denied))
    await club.env.settle()
    where = f"/channels/{club.channel.id}"
    club.env.inject_error("GET", where, status=403, code=50001, times=9)
    assert "Only the host or a moderator" in await answer(club.ben.slash(elsewhere, "game move", game=table.id))
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    club.env.inject_error("GET", where, status=500, code=0, times=9)
    assert "Only the host or a moderator" in await answer(club.ben.slash(elsewhere, "game move", game=table.id))


async def test_people_join_where_a_game_has_been_moved_that_has_not_started(club: Club) -> None:
    host, other = club.members[:2]
    await host.slash(club.channel, "game create", title="1889")
    game = await club.game()
    elsewhere = club.guild.create_text_channel("elsewhere")
    await host.slash(elsewhere, "game move", game=game.id)
    (lobby,) = [one for one in elsewhere.history() if "Join" in buttons(one)]
    await other.click(lobby, label="Join")
    await club.chloe.slash(elsewhere, "game join")
    assert "**Players (3)**" in text(next(one for one in elsewhere.history() if "Join" in buttons(one)))
    assert [text(one) for one in club.channel.history()] == [f"*This game can now be joined in <#{elsewhere.id}>.*"]


async def test_what_discord_takes_later_still_says_where_a_moved_game_can_be_joined(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    game, elsewhere = await club.game(), club.guild.create_text_channel("elsewhere")
    club.env.inject_error("PATCH", f"/channels/{club.channel.id}/messages/*", status=429)
    await club.aiko.slash(elsewhere, "game move", game=game.id)
    await club.bot.store.outbox.hurry({game.id})
    await club.says()
    assert [text(one) for one in club.channel.history()] == [f"*This game can now be joined in <#{elsewhere.id}>.*"]
    assert sum("Join" in buttons(one) for one in elsewhere.history()) == 1


async def test_a_cancelled_game_invites_nobody_any_more_whatever_failed_meanwhile(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    with pytest.MonkeyPatch.context() as away:
        away.setattr(club.bot.store, "seats", AsyncMock(side_effect=Unavailable("It is away.")))
        await club.aiko.slash(club.channel, "game end")
    await club.says()
    assert not any(buttons(one) for one in club.channel.history())


async def test_a_game_that_has_not_started_is_cancelled_by_its_host_or_a_moderator(club: Club) -> None:
    host, other = club.members[:2]
    gina = moderator(club)
    for one in (gina, host):
        await host.slash(club.channel, "game create", title="1889")
        assert "Only the host" in await answer(other.slash(club.channel, "game end"))
        assert (await answer(one.slash(club.channel, "game end"))).startswith("✓")
        assert f"<@{one.id}> cancelled the game" in text(club.channel.last_message)


async def test_the_old_buttons_of_a_cancelled_game_say_that_nothing_comes_of_it(club: Club) -> None:
    """Those of the list of its state too, and to those who have joined as to others."""
    await club.aiko.slash(club.channel, "game create", title="1889")
    game = await club.game()
    pressed = [(club.aiko, "Leave"), (club.aiko, "Start"), (club.ben, "Join")]
    panels = [private_answer(await one.slash(club.channel, "game status")) for one, _ in pressed]
    await club.aiko.slash(club.channel, "game end")
    for panel, (member, label) in zip(panels, pressed, strict=True):
        told = await answer(member.click(panel, label=label))
        assert told == (f"{NO_RESULT} `/game create` sets up another one." if label == "Join" else NO_RESULT), label
    assert await answer(club.aiko.slash(club.channel, "game watch", game=game.id)) == NO_RESULT


async def test_whoever_does_not_agree_to_end_a_game_cancels_none(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    told = await answer(club.aiko.slash(club.channel, "game end", agree=False))
    assert told == "This game has not started, so nobody has proposed to end it."
    assert (await club.game()).status == "open"


async def test_anybody_cancels_a_lobby_whose_host_has_left_the_server(club: Club) -> None:
    host, other = club.members[:2]
    await host.slash(club.channel, "game create", title="1889")
    club.guild.remove_member(host)
    assert (await answer(other.slash(club.channel, "game end"))).startswith("✓")
    assert not buttons(club.channel.history()[0])


async def test_anybody_cancels_a_lobby_that_has_waited_for_a_week(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    later(club, monkeypatch, -8 * DAY)
    await club.aiko.slash(club.channel, "game create", title="1889")
    later(club, monkeypatch, 0)
    assert (await answer(club.emma.slash(club.channel, "game end"))).startswith("✓")


async def test_a_lobby_waits_for_a_host_who_is_away(club: Club, day: Day) -> None:
    host, ben = club.members[:2]
    await day.away(host, "", "10 d")
    await host.slash(club.channel, "game create", title="1889")
    await day.passes(16 * DAY)
    assert "Only the host or a moderator" in await answer(ben.slash(club.channel, "game end"))
    await day.passes(2 * DAY)
    assert (await answer(ben.slash(club.channel, "game end"))).startswith("✓")


async def test_votes_to_end_expire(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await club.begin(2)
    later(club, monkeypatch, -8 * DAY)
    await club.aiko.slash(club.channel, "game end")
    later(club, monkeypatch, 0)
    said = await answer(club.ben.slash(club.channel, "game end"))
    assert "Still to agree: Aiko" in said
    assert not table.position.over
    await club.aiko.slash(club.channel, "game end")
    assert table.position.over


async def test_voting_again_and_again_pings_nobody_again(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.begin(3)
    before, (aiko, ben, chloe) = len(club.pinged()), club.members[:3]
    for agree in (True, False, True, False, True):
        await aiko.slash(club.channel, "game end", agree=agree)
    await ben.slash(club.channel, "game end")
    assert club.pinged()[before:] == [ben.id, chloe.id]
    later(club, monkeypatch, 2 * DAY)
    await ben.slash(club.channel, "game end")
    assert club.pinged()[before + 2 :] == [chloe.id]


@pytest.mark.broad
async def test_undo_and_redo_do_not_ring_a_bell(club: Club) -> None:
    table = await club.begin(2)
    await club.aiko.slash(club.channel, "pass")
    for _ in range(6):
        await club.undo(club.aiko)
        await club.aiko.slash(club.channel, "game redo")
    assert table.position.up == ("p2",)
    assert f"<@{club.ben.id}>, your turn" in text(club.packet())
    assert club.pinged().count(club.ben.id) == MOST_PINGS


async def test_a_finished_game_is_not_ended_again(club: Club) -> None:
    table = await club.begin(2)
    gina = moderator(club)
    await gina.slash(club.channel, "game end", at_once=True)
    for member, options in ((gina, {"at_once": True}), (club.aiko, {})):
        assert "already over" in await answer(member.slash(club.channel, "game end", **options))
    assert (await table.store.game(table.game.id)).status == "finished"


async def test_a_vote_to_end_is_answered_by_its_buttons_also_after_a_move(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.chat.messages.OLD", 2**40)
    table = await club.begin(3)
    await club.aiko.slash(club.channel, "game end")
    question = club.packet()
    assert list(buttons(question)) == ["End it", "Play on"]
    asked = {table.seats[seat].user_id for seat in ("p2", "p3")}
    assert asked <= set(club.pinged())
    await passes(table, "p1")
    await club.says()
    assert await answer(club.ben.click(question, label="Play on")) == "✓ You want to play on."
    assert "Moderators who never had a seat in it can" in await answer(club.fumi.click(question, label="End it"))
    for member in club.members[1:3]:
        await member.click(question, label="End it")
    await club.bot.sender.idle()
    assert table.position.over
    (left,) = (one for one in club.channel.history() if one.id == question.id)
    assert not buttons(left)


async def test_who_may_not_start_a_game_reads_that_first_where_the_bot_may_not_post(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    denied = discord.Permissions(send_messages=True).value
    club.env.backend.set_overwrite(
        club.channel.id, Overwrite(club.guild.default_role.id, OverwriteType.ROLE, allow=0, deny=denied)
    )
    await club.env.settle()
    for work in (club.ben.slash(club.channel, "game start"), club.ben.click(club.packet(), label="Start")):
        assert "Only the host" in await answer(work)
    assert "without the permission Send Messages" in await answer(club.aiko.slash(club.channel, "game start"))


@pytest.mark.parametrize(
    ("command", "given"),
    [
        ("seat give", {"user": "emma"}),
        ("game end", {}),
        ("pace", {"pace": "fast"}),
        ("game settings", {"undo": "anyone"}),
        ("game leave", {}),
    ],
)
async def test_whoever_asks_the_others_reads_that_the_channel_is_closed_to_the_bot(
    club: Club, command: str, given: dict[str, Any]
) -> None:
    await club.begin(3)
    denied = discord.Permissions(send_messages=True).value
    club.env.backend.set_overwrite(
        club.channel.id, Overwrite(club.guild.default_role.id, OverwriteType.ROLE, allow=0, deny=denied)
    )
    await club.env.settle()
    told = await club.ben.slash(club.channel, command, **{key: getattr(club, one, one) for key, one in given.items()})
    if command == "game leave":
        told = await club.ben.click(private_answer(told), label="Leave the game")
    await club.says()
    assert "I cannot post turns in" in text(private_answer(told))


async def test_so_does_whoever_asks_them_while_that_is_known_already(club: Club) -> None:
    """Whoever asked something before the next attempt to post read only that the others had been asked."""
    await club.begin(3)
    club.env.inject_error("POST", f"/channels/{club.channel.id}/*", status=403, code=50013, times=None)
    assert "I cannot post turns in" in text(private_answer(await club.aiko.slash(club.channel, "pass")))
    for command, options in (("game end", {}), ("pace", {"pace": "fast"})):
        assert "I cannot post turns in" in await answer(club.ben.slash(club.channel, command, **options))
