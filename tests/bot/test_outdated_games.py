"""Games that the present rules cannot carry on: they wait, or cannot even be read. Their players still have a way."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Callable
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
from club import Club, text
from days import Day
from player import answer, private_answer

from bot.core import clockwork
from bot.core.hours import DAY
from bot.words.rule_changes import ended
from engine.titles import TITLES
from storage import BrokenLog, Game

Outdated = Callable[[], None]


@pytest.fixture(params=["waiting", "unreadable"])
def outdated(request: pytest.FixtureRequest, club: Club, monkeypatch: pytest.MonkeyPatch) -> Outdated:
    """A call after which the games of 1889 wait, or are unreadable."""
    return {"waiting": waits, "unreadable": vanishes}[request.param](club, monkeypatch)


def waits(club: Club, monkeypatch: pytest.MonkeyPatch) -> Outdated:
    """Everybody begins with ¥1 more, and nobody can do anything by these rules."""
    entry = TITLES["1889"]

    def richer(players: int, options: frozenset[str]) -> Any:
        title = entry.build(players, options)
        return dataclasses.replace(title, cash=title.cash + 1)

    def change() -> None:
        monkeypatch.setitem(TITLES, "1889", dataclasses.replace(entry, build=richer))
        monkeypatch.setattr("bot.core.loading.playable", lambda title, state: False)
        club.bot.tables._tables.clear()

    return change


def vanishes(club: Club, monkeypatch: pytest.MonkeyPatch) -> Outdated:
    def change() -> None:
        monkeypatch.delitem(TITLES, "1889")
        club.bot.tables._tables.clear()

    return change


def is_damaged(club: Club, monkeypatch: pytest.MonkeyPatch) -> Outdated:
    """A call after which no log can be read."""

    def change() -> None:
        for way in ("log", "verify"):
            monkeypatch.setattr(club.bot.store, way, AsyncMock(side_effect=BrokenLog("abc123", 1, "it was altered")))
        club.bot.tables._tables.clear()

    return change


async def played(club: Club, outdated: Outdated, options: str = "") -> Game:
    """A game of two people with two moves, then outdated."""
    table = await club.begin(2, options=options)
    for member in club.members[:2]:
        await member.slash(club.channel, "pass")
    assert table.position.seq == 2
    outdated()
    return table.game


async def test_its_log_is_not_exported_while_it_may_hide_money(club: Club, outdated: Outdated) -> None:
    await played(club, outdated)
    refused = private_answer(await club.aiko.slash(club.channel, "game export"))
    assert "hides money" in text(refused)
    assert not refused.attachments


async def test_its_log_can_be_exported(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await played(club, waits(club, monkeypatch), "open_treasuries")
    given = private_answer(await club.aiko.slash(club.channel, "game export"))
    assert "the game's log" in text(given)
    (file,) = given.attachments
    body = json.loads(await file.read())
    assert (body["title"], body["players"], body["status"]) == ("1889", ["Aiko", "Ben"], "running")
    assert [row["body"]["do"] for row in body["log"]] == ["Pass", "Pass"]
    assert await club.bot.store.verify(game.id) == 2


async def test_an_exported_log_is_said_to_be_damaged_if_it_is(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was said that its rules had changed."""
    table = await club.begin(2, options="open_treasuries")
    await club.aiko.slash(club.channel, "pass")
    (row,) = await club.bot.store.log(table.id)
    body = row.body.replace("Pass", "Fly")
    monkeypatch.setattr(club.bot.store, "log", AsyncMock(return_value=[dataclasses.replace(row, body=body)]))
    monkeypatch.setattr(club.bot.store, "verify", AsyncMock(side_effect=BrokenLog(table.id, 1, "it was altered")))
    club.bot.tables._tables.clear()
    given = private_answer(await club.aiko.slash(club.channel, "game export"))
    assert text(given) == "Here is the game's log. It is damaged, so other programs cannot replay it."
    assert len(given.attachments) == 1


async def test_it_can_be_moved_and_its_channel_is_free_again(club: Club, outdated: Outdated) -> None:
    game = await played(club, outdated)
    elsewhere = club.guild.create_text_channel("elsewhere")
    assert (await answer(club.aiko.slash(elsewhere, "game move", game=game.id))).startswith("✓")
    assert (await club.bot.store.game(game.id)).channel_id == elsewhere.id
    assert await club.bot.store.game_in_channel(club.channel.id) is None
    assert await club.bot.store.verify(game.id) == 2


async def test_a_game_that_waits_for_the_host_pings_no_player_and_waits_for_none(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await played(club, waits(club, monkeypatch))
    elsewhere, before = club.guild.create_text_channel("elsewhere"), club.pinged()
    await club.aiko.slash(elsewhere, "game move", game=game.id)
    await club.says()
    assert "waiting for the bot's host" in text(elsewhere.last_message)
    assert club.pinged() == before
    told = [await answer(member.slash(elsewhere, "turns")) for member in club.members[:2]]
    assert all("Shikoku 1889, waiting for the bot's host" in one for one in told)


async def test_an_old_list_of_a_game_that_waits_says_for_whom(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.begin(2)
    await club.aiko.slash(club.channel, "pass")
    turn = club.packet()
    waits(club, monkeypatch)()
    assert "waiting for the bot's host" in await answer(club.ben.click(turn, label="Another bid…"))


async def test_nobody_is_reminded_or_late_in_a_game_in_which_nobody_can_move(
    club: Club, day: Day, outdated: Outdated
) -> None:
    table = await club.begin(3, pace="fast")
    await day.moves(table, "p1")
    before = club.pinged()
    outdated()
    club.bot.store.play_by("of the next version")
    await day.passes(60 * DAY)
    assert club.pinged() == before
    assert not day.replies()
    (run,) = (await clockwork.clock_of(club.bot.store, table.game.id)).runs
    assert (run.late_at, run.told) == (None, 0)


async def test_nobody_is_reminded_in_a_game_that_was_found_to_be_damaged(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it is of the present rules, so that nothing else has it read."""
    table = await club.begin(3, pace="fast")
    await day.moves(table, "p1")
    before = club.pinged()
    monkeypatch.setattr(club.bot.store, "log", AsyncMock(side_effect=BrokenLog(table.id, 1, "it was altered")))
    club.bot.tables._tables.clear()
    assert "damaged" in await answer(club.ben.slash(club.channel, "pass"))
    await day.passes(9 * DAY)
    assert club.pinged() == before


async def test_nobody_is_reminded_in_a_damaged_game_though_nobody_has_tried_to_read_it(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(3, pace="fast")
    await day.moves(table, "p1")
    await day.passes(60)  # each new turn is looked at once, for players who have left the server
    before = club.pinged()
    is_damaged(club, monkeypatch)()
    await day.passes(9 * DAY)
    assert club.pinged() == before


@pytest.mark.parametrize("why", ["waiting", "unreadable", "damaged"])
async def test_neither_a_digest_nor_a_greeting_lists_a_game_in_which_nobody_can_move(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    ways = {"waiting": waits, "unreadable": vanishes, "damaged": is_damaged}
    table = await club.begin(2)
    await day.choose(club.ben, "digest")
    await day.moves(table, "p1")
    ways[why](club, monkeypatch)()
    club.bot.store.play_by("of the next version")
    count = len(day.direct(club.ben))
    await day.passes(2 * DAY)
    await day.away(club.ben, "", "2 days")
    await day.passes(3 * DAY)
    assert day.direct(club.ben)[count:] == []
    await day.away(club.ben, "", "2 days")
    panel = private_answer(await club.ben.slash(club.channel, "my settings"))
    assert "No game is waiting." in await answer(club.ben.click(panel, label="I am back"))


async def test_that_a_game_cannot_be_read_is_logged_once_however_often_somebody_types_in_it(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await played(club, vanishes(club, monkeypatch))
    for typed in ("", "b", "bi"):
        assert await club.aiko.autocomplete(club.channel, "do", "move", typed) == []
    assert [one.getMessage()[:14] for one in caplog.records if one.levelname == "ERROR"] == ["cannot be read"]


async def test_a_waiting_game_ends_where_it_stands_once_all_agree(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await played(club, waits(club, monkeypatch))
    assert "waiting for the bot's host" in await answer(club.aiko.slash(club.channel, "pass"))
    assert "Still to agree: Ben" in await answer(club.aiko.slash(club.channel, "game end"))
    assert "Everybody agreed" in await answer(club.ben.slash(club.channel, "game end"))
    table = await club.table()
    assert table.position.over
    assert table.change is None
    assert (await club.bot.store.game(game.id)).status == "finished"
    assert "The game is over" in text(club.channel.last_message)
    row = (await club.bot.store.log(game.id))[-1]
    assert (row.told, json.loads(row.body)["ended"]) == (None, None)
    assert ended(None) in await answer(club.aiko.slash(club.channel, "game history"))
    club.bot.tables._tables.clear()
    assert (await club.table()).position.over  # also when it is read anew


async def test_a_moderator_ends_a_waiting_game(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await played(club, waits(club, monkeypatch))
    owner = club.guild.add_member(
        club.env.create_user("gina", global_name="Gina"),
        roles=[club.guild.create_role("mods", permissions=discord.Permissions(manage_guild=True))],
    )
    assert (await answer(owner.slash(club.channel, "game end", at_once=True))).startswith("✓")
    assert (await club.bot.store.game(game.id)).status == "finished"
    assert any(f"<@{owner.id}>, a moderator, ended" in text(one) for one in club.channel.history())
    assert (await club.table()).past[-1].lines == (ended(owner.id),)


async def test_an_unreadable_game_is_ended_by_its_host_alone(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await played(club, vanishes(club, monkeypatch))
    refused = await answer(club.ben.slash(club.channel, "game end"))
    assert "cannot show the game" in refused
    assert "Only the game's host" in refused
    assert "cannot show the game" in await answer(club.aiko.slash(club.channel, "game end", agree=False))
    assert (await club.bot.store.game(game.id)).status == "running"
    assert "without a result" in await answer(club.aiko.slash(club.channel, "game end"))
    assert (await club.bot.store.game(game.id)).status == "abandoned"
    assert f"<@{club.aiko.id}> ended the game" in text(club.channel.last_message)
    assert "the game's log" in await answer(club.ben.slash(club.channel, "game export"))
    assert await club.bot.store.verify(game.id) == 2


@pytest.mark.parametrize("body", ["{", '{"do": "Fly"}'])
async def test_a_game_whose_log_is_damaged_says_so_and_blocks_its_channel_no_longer(
    club: Club, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    table = await club.begin(2)
    for member in club.members[:2]:
        await member.slash(club.channel, "pass")
    store, (first, second) = club.bot.store, await club.bot.store.log(table.id)
    monkeypatch.setattr(store, "log", AsyncMock(return_value=[first, dataclasses.replace(second, body=body)]))
    monkeypatch.setattr(store, "verify", AsyncMock(side_effect=BrokenLog(table.id, 2, "it was altered")))
    club.bot.tables._tables.clear()
    damaged = (
        "log is damaged at entry 2; please tell the bot's host, who may have a backup. Its host or a moderator can "
    )
    for command in ("game status", "pass", "my games"):
        assert damaged in await answer(club.aiko.slash(club.channel, command)), command
    elsewhere = club.guild.create_text_channel("elsewhere")
    assert damaged in await answer(club.aiko.slash(elsewhere, "game move", game=table.id))
    assert "without a result" in await answer(club.aiko.slash(elsewhere, "game end"))
    assert (await store.game(table.id)).status == "abandoned"


async def test_of_an_unreadable_game_that_is_over_nobody_is_told_to_end_it(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(2)
    await table.end_here()
    vanishes(club, monkeypatch)()
    told = await answer(club.aiko.slash(club.channel, "game status"))
    assert told.endswith("previous version, or `/game export` saves its log.")


async def test_an_unreadable_game_is_explained_to_whoever_acts_or_looks(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(club, vanishes(club, monkeypatch))
    for command in ("pass", "my hand", "game status", "turns"):
        assert "cannot show the game" in await answer(club.aiko.slash(club.channel, command))


async def test_running_games_are_read_once_the_bot_is_connected(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    async def survey(*_: object) -> int:
        read.append("games")
        return 0

    monkeypatch.setattr(club.bot.tables, "survey", survey)
    club.bot._up.clear()
    looking = asyncio.create_task(club.bot._check_rules(None))
    await asyncio.sleep(0.05)
    assert not read
    club.bot._up.set()
    await looking
    assert read


@pytest.mark.parametrize("by_hand", [True, False])
@pytest.mark.parametrize("why", ["waiting", "unreadable", "damaged"])
async def test_what_was_asked_in_a_game_in_which_nobody_can_do_anything_is_not_told_later(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch, why: str, by_hand: bool
) -> None:
    """It was listed as missed, and whoever went there to vote read that the game is damaged."""
    table = await club.begin(2)
    await day.choose(club.ben, "dm")
    await day.away(club.ben, "", "2 days")
    await day.moves(table, "p1")
    await club.aiko.slash(club.channel, "pace", pace="steady")
    await club.says()
    {"waiting": waits, "unreadable": vanishes, "damaged": is_damaged}[why](club, monkeypatch)()
    club.bot.store.play_by("of the next version")
    count = len(day.direct(club.ben))
    if by_hand:
        panel = private_answer(await club.ben.slash(club.channel, "my settings"))
        assert await answer(club.ben.click(panel, label="I am back")) == "✓ Welcome back. No game is waiting."
    await day.passes(3 * DAY)
    assert day.direct(club.ben)[count:] == []
