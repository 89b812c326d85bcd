"""Making a game, joining, seating, starting."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord
import pytest
from club import Club, buttons, selects, text
from player import answer, private_answer
from test_incidents import BROKEN

import engine
from bot.core.errors import TableError
from bot.rooms.seats import lobby
from bot.rooms.seats.options import option_name, options_beside


async def test_a_game_is_created_joined_and_started_with_buttons(club: Club) -> None:
    result = await club.aiko.slash(club.channel, "game create", title="1889")
    lobby = club.packet()
    assert "Shikoku 1889" in text(lobby)
    assert "\n\n**Players (1)**\n1. Aiko" in text(lobby)  # or it reads like part of the last term
    assert set(buttons(lobby)) == {"Join", "Leave", "Start"}
    await club.ben.click(lobby, label="Join")
    assert "Ben" in text(club.packet())
    await club.aiko.click(club.packet(), label="Start")
    table = await club.table()
    assert set(table.names.values()) == {"Aiko", "Ben"}
    assert result.acknowledged


@pytest.mark.long
@pytest.mark.parametrize("pressed", [False, True])
@pytest.mark.parametrize("error", [BROKEN[0], BROKEN[-2], BROKEN[-1]], ids=lambda one: type(one).__name__)
async def test_a_lobby_that_could_not_be_drawn_anew_is_drawn_later_without_a_press(
    club: Club, monkeypatch: pytest.MonkeyPatch, error: Exception, pressed: bool
) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    shown = club.packet()
    where, edit = (discord.Interaction, "edit_original_response") if pressed else (discord.PartialMessage, "edit")
    with monkeypatch.context() as patched:
        patched.setattr(where, edit, AsyncMock(side_effect=error))
        await (club.ben.click(shown, label="Join") if pressed else club.ben.slash(club.channel, "game join"))
        await club.bot.sender.idle()
    assert "Ben" not in text(club.packet())
    game = await club.bot.store.game_in_channel(club.channel.id)
    assert game is not None
    await club.bot.store.outbox.hurry({game.id})
    await club.bot.sender.sweep()
    await club.bot.sender.idle()
    assert "Ben" in text(club.packet())
    assert await club.bot.store.outbox.waiting() == 0


async def test_a_game_that_is_full_begins_even_if_its_host_cannot_be_answered(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = discord.Forbidden(SimpleNamespace(status=403, reason="Forbidden"), "")
    monkeypatch.setattr(discord.Interaction, "edit_original_response", AsyncMock(side_effect=refused))
    await club.aiko.slash(club.channel, "game create", title="1889", players=2, opponents=1, start="when_full")
    assert (await club.game()).status == "running"


@pytest.mark.parametrize(("chosen", "needed"), [({}, "2 to 6"), ({"players": 2}, "2")])
async def test_a_game_begins_with_no_fewer_players_than_it_is_for(
    club: Club, chosen: dict[str, int], needed: str
) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889", **chosen)
    said = text(private_answer(await club.aiko.click(club.packet(), label="Start")))
    assert said == f"Shikoku 1889 needs {needed} players; joined so far: 1."


async def test_options_are_suggested_with_what_they_do_and_those_that_exclude_each_other_are_refused(
    club: Club,
) -> None:
    host = club.aiko
    refused = await host.slash(
        club.channel, "game create", title="1860", options="original_insolvency, simplified_insolvency"
    )
    assert "cannot be combined" in text(private_answer(refused))
    await host.slash(club.channel, "game create", title="1860", options="open_treasuries, destinations")
    shown = text(club.packet())
    assert "**Open treasuries**: Company credits are shown to all" in shown
    assert "**Destinations**" in shown


async def choose_rules(member: Any, club: Club, word: str) -> Any:
    code = f"rules|{word}"
    lists = selects(club.packet()).items()
    (custom_id,) = [key for key, found in lists if code in [one["value"] for one in found]]
    return await member.select(club.packet(), [code], custom_id=custom_id)


@pytest.mark.long
@pytest.mark.parametrize("title", engine.TITLES)
async def test_the_host_plays_as_most_people_do_and_changes_single_options_afterwards(club: Club, title: str) -> None:
    host, guest = club.members[:2]
    recipe = engine.TITLES[title]
    await host.slash(club.channel, "game create", title=title)
    assert "**By the book**: everything as in the rule book." in text(club.packet())
    await choose_rules(host, club, "as_most_people_play")
    assert f"**As most people play**: {recipe.as_most_play.about}" in text(club.packet())
    by_hand = next(one for one in options_beside(recipe, [*recipe.as_most_play.options]))
    await choose_rules(host, club, by_hand)
    game = await club.game()
    assert set(json.loads(game.options)) == {*recipe.as_most_play.options, by_hand}
    assert f"**{option_name(recipe, by_hand)}**" in text(club.packet())
    await choose_rules(host, club, "by_the_book")
    game = await club.bot.store.game(game.id)
    assert json.loads(game.options) == [by_hand]
    assert "**By the book**: everything as in the rule book, but for:\n" in text(club.packet())
    assert "Only the host" in await answer(choose_rules(guest, club, by_hand))


async def test_the_settings_call_the_rules_as_the_lobby_does(club: Club) -> None:
    host = club.aiko
    await host.slash(club.channel, "game create", title="1889", options="online, eight_diesels")
    said = text(private_answer(await host.slash(club.channel, "game settings")))
    rules = [line for line in text(club.packet()).splitlines() if line.startswith("- **")]
    assert len(rules) == 2
    assert set(rules) <= set(said.splitlines())


async def test_who_was_asked_whether_to_leave_before_the_start_is_asked_anew_after_it(club: Club) -> None:
    host, guest = club.members[:2]
    await host.slash(club.channel, "game create", title="1889")
    await guest.slash(club.channel, "game join")
    asked = private_answer(await guest.slash(club.channel, "game leave"))
    await host.slash(club.channel, "game start")
    anew = private_answer(await guest.click(asked, label="Leave the game"))
    assert "**Leave this running game?**" in text(anew)
    assert guest.id in (await club.table()).people
    await guest.click(anew, label="Leave the game")
    assert guest.id not in (await club.table()).people


async def test_what_is_pressed_in_a_private_view_of_the_lobby_is_seen_in_the_channel(club: Club) -> None:
    """As `/game status` shows it."""
    await club.aiko.slash(club.channel, "game create", title="1889")
    lobby = club.packet().id
    for member in club.members[:2]:
        panel = private_answer(await member.slash(club.channel, "game status"))
        if member is club.ben:
            await member.click(panel, label="Join")
        else:
            await member.select(panel, ["opponent|learner"], custom_id=next(iter(selects(panel))))
    (shown,) = [one for one in club.channel.history() if one.id == lobby]
    assert "**Players (3)**" in text(shown)


async def test_who_has_joined_reads_that_the_rules_have_changed(club: Club) -> None:
    host, guest = club.members[:2]
    await host.slash(club.channel, "game create", title="1890")
    await choose_rules(host, club, "scenario_a")
    await club.env.settle()
    assert not [one for one in club.channel.history() if "changed the rules" in text(one)]
    await guest.click(club.packet(), label="Join")
    await choose_rules(host, club, "scenario_a")
    await club.env.settle()
    (told,) = [one for one in club.channel.history() if "changed the rules" in text(one)]
    assert "without **Scenario A**" in text(told), "as the lobby calls it"


async def test_no_rules_are_chosen_by_which_a_host_who_acts_for_others_would_see_their_secrets(club: Club) -> None:
    host = club.aiko
    await host.slash(club.channel, "game create", title="1889", options="open_treasuries", host_acts=True)
    store, game = club.bot.store, await club.game()
    with pytest.raises(TableError, match="the host cannot act for other players"):  # from a message drawn before
        await lobby.change_rules(store, game, host.id, "open_treasuries")
    assert json.loads((await club.game()).options) == ["open_treasuries"]


async def test_a_game_is_created_as_most_people_play(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1890", options="as_most_people_play, hidden_train_price")
    assert "**As most people play**" in text(club.packet())
    assert "**Hidden train price**" in text(club.packet())
    assert "Open treasuries" not in text(club.packet()).replace("**As most people play**", "")


async def test_what_chance_deals_at_the_start_is_dealt_before_the_first_turn_is_shown(club: Club) -> None:
    table = await club.begin(3, options="beginner")
    assert {one.action.by for one in table.moves} == {"chance"}
    assert not table.position.chance
    packets = [one for one in club.channel.history() if buttons(one)]
    assert len(packets) == 1
    assert [user.id for user in packets[0].mentions] == [table.seats[table.position.up[0]].user_id]


@pytest.mark.core
async def test_nothing_is_read_or_written_before_a_press_or_command_is_acknowledged(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord waits three seconds; a busy disk may take longer."""
    early: list[str] = []
    database = club.bot.store._db
    one, many, write = database.one, database.all, database.write
    acknowledged = True

    def watch(do: Any) -> Any:
        async def watched(*args: Any) -> Any:
            if not acknowledged:
                early.append(str(args[0]))
            return await do(*args)

        return watched

    defer = discord.InteractionResponse.defer

    async def deferred(self: Any, **more: Any) -> Any:
        nonlocal acknowledged
        acknowledged = True
        return await defer(self, **more)

    for name, do in (("one", one), ("all", many), ("write", write)):
        monkeypatch.setattr(database, name, watch(do))
    monkeypatch.setattr(discord.InteractionResponse, "defer", deferred)

    async def act(work: Any) -> None:
        nonlocal acknowledged
        acknowledged = False
        await work
        assert acknowledged
        assert early == []

    await act(club.aiko.slash(club.channel, "game create", title="1889"))
    await act(club.ben.click(club.packet(), label="Join"))
    await act(club.ben.click(club.packet(), label="Leave"))
    await act(club.ben.click(club.packet(), label="Join"))
    await act(club.aiko.click(club.packet(), label="Start"))
    for name, options in (("lay", {"hex": "C4"}), ("pass", {}), ("game undo", {}), ("turns", {})):
        await act(club.aiko.slash(club.channel, name, **options))


async def test_players_who_are_called_the_same_are_told_apart(club: Club) -> None:
    first, *others = [
        club.guild.add_member(club.env.create_user(f"alex{number}", global_name=name))
        for number, name in enumerate(["Alex", "Alex", "L" * 32, "L" * 32])
    ]
    await first.slash(club.channel, "game create", title="1889")
    for one in others:
        await one.slash(club.channel, "game join")
    await first.click(club.packet(), label="Start")
    names = {"Alex", "Alex 2", "L" * 32, f"{'L' * 28} 2"}
    assert set((await club.table()).names.values()) == names


async def test_a_name_that_pictures_cannot_show_gives_way_to_that_of_the_account(club: Club) -> None:
    somchai, lukasz = (
        club.guild.add_member(club.env.create_user(account, global_name=name))
        for account, name in (("somchai", "สมชาย"), ("lukasz", "Łukasz 🚂"))
    )
    await somchai.slash(club.channel, "game create", title="1889")
    await lukasz.slash(club.channel, "game join")
    await somchai.click(club.packet(), label="Start")
    assert set((await club.table()).names.values()) == {"somchai", "Łukasz 🚂"}


async def test_who_comes_or_goes_too_late_reads_what_is_so(club: Club) -> None:
    table = await club.begin(2)
    for work, words in (
        (club.chloe.slash(club.channel, "game join"), "has begun, with Aiko and Ben"),
        (club.ben.slash(club.channel, "game join"), "You already have a seat"),
        (club.ben.slash(club.channel, "game leave"), "Leave this running game?"),
        (club.chloe.slash(club.channel, "game leave"), "You have no seat"),
    ):
        assert words in text(private_answer(await work))
    for member in club.members[:2]:
        await member.slash(club.channel, "game end")
    assert table.position.over
    assert "already over" in text(private_answer(await club.chloe.slash(club.channel, "game join")))
    assert "already over" in text(private_answer(await club.ben.slash(club.channel, "game leave")))


async def test_a_form_that_takes_too_long_asks_for_another_press(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.begin(2)
    packet = club.packet()
    monkeypatch.setattr("bot.rooms.turn.choosing.FORM_SECONDS", 0.0)
    assert "press again" in await answer(club.aiko.click(packet, label="Another bid…"))
    monkeypatch.setattr("bot.rooms.turn.choosing.FORM_SECONDS", 20.0)
    form = await club.aiko.click(packet, label="Another bid…")
    await club.aiko.submit_modal(form, {"private": ["C"], "amount": "45"})
    assert (await club.table()).position.seq == 1
