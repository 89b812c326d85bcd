"""Opponents of the program at the table: seated in the lobby, moving by themselves, never in anybody's way."""

from __future__ import annotations

import random
from typing import Any
from unittest.mock import AsyncMock

import pytest
from club import Club, buttons, selects, text
from player import answer, presses, private_answer, take_turn

from bot.core import clockwork
from bot.core.errors import Outdated, TableError
from bot.core.opponents import is_person, level_of, newcomer
from bot.core.table import Table
from bot.core.thinking import Thought
from bot.rooms.opponents.room import Opponents, Thinkers
from bot.rooms.seats import absent
from bot.rooms.seats.screen import past_notice
from bot.rooms.turn import deals
from engine.actions import Action, Bid, BuyPrivate, Pass
from engine.ids import PlayerId, PrivateId
from opponents import Choice


async def begin(club: Club, *, people: int = 1, opponents: int = 2, title: str = "1889", **given: Any) -> Table:
    """A game of some members with opponents, who sit after them."""
    host = club.aiko
    await host.slash(club.channel, "game create", title=title, opponents=opponents, **given)
    for member in club.members[1:people]:
        await member.slash(club.channel, "game join")
    await host.slash(club.channel, "seat order", how="joined")
    await host.slash(club.channel, "game start")
    return await club.table()


async def test_opponents_are_seated_by_the_command_and_in_the_lobby_with_names_that_say_what_they_are(
    club: Club,
) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889", opponents=1, level="learner")
    assert "2. Hikari (bot), learner" in text(club.packet())
    await seat(club.aiko, club, "strong")
    assert "3. Kodama (bot), strong" in text(club.packet())
    assert "Only the host" in await answer(seat(club.ben, club, "regular"))
    await seat(club.aiko, club, "p2")
    assert "Hikari" not in text(club.packet()).replace("Seat", "")
    await club.aiko.click(club.packet(), label="Start")
    table = await club.table()
    assert sorted(filter(None, map(table.opponent, table.seats))) == ["strong"]


async def seat(member: Any, club: Club, what: str) -> Any:
    (custom_id,) = [key for key in selects(club.packet()) if "opponents" in key]
    return await member.select(club.packet(), [f"opponent|{what}"], custom_id=custom_id)


async def test_opponents_alone_do_not_play(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889", opponents=3)
    await club.leave(club.aiko)
    assert "join, then start" in await answer(club.aiko.slash(club.channel, "game start"))


async def test_nobody_creates_a_game_with_more_opponents_than_seats(club: Club) -> None:
    refused = await club.aiko.slash(club.channel, "game create", title="1860", opponents=6)
    assert text(private_answer(refused)) == "Only 4 can play: you and 3 more."
    refused = await club.aiko.slash(club.channel, "game create", title="1889", opponents=2, players=2)
    assert text(private_answer(refused)) == "Only 2 can play: you and 1 more."


async def test_one_press_and_the_opponents_answer_in_one_message(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.core.current.seed_of", lambda game, seat: 1)  # of more than two lines none are told
    table = await begin(club)
    assert table.position.up == ("p1",)
    before = len(club.channel.history())
    await club.aiko.click(club.packet(), label="Pass")
    await club.bot.its(Opponents).idle()  # a thought in a thread may outlast what the simulation waits for
    await club.bot.sender.idle()
    assert table.position.up == ("p1",)
    moved = {one.action.by for one in table.moves}
    assert moved == {"p1", "p2", "p3"}
    assert len(club.channel.history()) == before + 1
    assert "**Kodama (bot)** " in text(club.packet())
    assert club.pinged() == [club.aiko.id] * 2
    old = club.channel.history()[before - 1]
    assert not buttons(old)
    assert "Aiko" in text(old)


async def test_what_opponents_did_stays_in_the_story(club: Club) -> None:
    table = await begin(club)
    aiko, told = club.aiko, []
    for _ in range(3):
        await aiko.click(club.packet(), label="Pass")
    told = [text(one) for one in club.channel.history()]
    for name in (row.name for row in table.seats.values() if level_of(row.user_id)):
        lines = [line for line in "\n".join(told[:-1]).splitlines() if name in line and "Players" not in line]
        assert any("passes" in line or "bids" in line or "buys" in line for line in lines), told


async def test_an_opponent_is_nobody_who_is_pinged_asked_or_waited_for(club: Club) -> None:
    table = await begin(club, people=2, pace="fast")
    for _ in range(4):
        await club.who(table.position.up[0], table).click(club.packet(), label="Pass")
    assert set(club.pinged()) == {club.aiko.id, club.ben.id}
    assert set(table.people) == {club.aiko.id, club.ben.id}
    assert "Still to agree: Ben." in await answer(club.aiko.slash(club.channel, "game end"))
    await club.ben.slash(club.channel, "game end")
    assert table.position.over


async def test_an_opponent_has_no_time_of_its_own(club: Club) -> None:
    await begin(club, people=2, opponents=1, pace="steady")
    shown = await answer(club.aiko.slash(club.channel, "pace"))
    assert "**Ben**: 72 h" in shown
    assert "(bot)" not in shown


async def test_what_only_opponents_answered_is_taken_back_by_one_press(club: Club) -> None:
    table = await begin(club)
    assert "Undo" not in buttons(club.packet())
    await club.aiko.click(club.packet(), label="Pass")
    assert len(table.moves) >= 3
    await club.aiko.click(club.packet(), label="Undo")
    assert table.moves == []
    assert table.position.up == ("p1",)


async def test_the_host_does_not_act_for_an_opponent(club: Club) -> None:
    table = await begin(club, host_acts=True, options="open_treasuries")
    opponent = next(seat for seat in table.seats if table.opponent(seat))
    assert not table.may_act(club.aiko.id, opponent)
    table.position.up = (opponent,)
    assert table.seat_for(club.aiko.id) == "p1"


async def test_a_rated_game_with_opponents_does_not_count(club: Club) -> None:
    table = await begin(club, rated=True)
    assert "Not rated" in text(club.channel.history()[0])
    await club.aiko.slash(club.channel, "game end")
    assert table.position.over
    assert "Nobody has a rating here yet" in await answer(club.aiko.slash(club.channel, "server table"))


async def test_saying_a_turn_makes_no_move(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes an opponent's move is told by the table; a message only says where the game stands."""
    table, woken = await begin(club), []
    with monkeypatch.context() as still:
        still.setattr(type(club.bot.opponents), "wake", lambda self, game_id: woken.append(game_id))
        await club.aiko.click(club.packet(), label="Pass")
        assert woken == [table.game.id]
        await club.announces(table)
    assert woken == [table.game.id]
    assert [one.action.by for one in table.moves] == ["p1"]
    club.bot.advance(table.game.id)
    await club.bot.opponents.idle()
    assert table.position.up == ("p1",)


async def test_saying_a_turn_draws_nothing(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """What chance decides before anybody's first move is drawn beside the table, and after a stop by what is due."""
    with monkeypatch.context() as still:
        still.setattr(type(club.bot.opponents), "wake", lambda self, game_id: None)
        table = await club.begin(3, options="beginner")
        await club.announces(table)
    assert table.position.chance
    assert table.moves == []
    await club.bot.tick()
    await club.bot.opponents.idle()
    assert not table.position.chance


@pytest.mark.parametrize("repaced", [False, True])
async def test_a_restart_in_the_middle_of_thinking_loses_nothing(
    club: Club, monkeypatch: pytest.MonkeyPatch, repaced: bool
) -> None:
    """Also where the table has agreed to another pace meanwhile."""
    table = await begin(club)
    with monkeypatch.context() as asleep:
        asleep.setattr(type(club.bot.opponents), "wake", lambda self, game_id: None)
        await club.aiko.click(club.packet(), label="Pass")
        assert table.thinking is not None
        if repaced:
            await club.aiko.slash(club.channel, "pace", pace="steady")
            assert table.settings.pace.name == "steady"
        assert (await clockwork.clock_of(club.bot.store, table.id)).thinks
    await club.restart()
    await club.bot.tick()
    await club.env.settle()
    table = await club.table()
    assert table.position.up == ("p1",)
    assert {one.action.by for one in table.moves} == {"p1", "p2", "p3"}


async def test_a_failure_to_think_stops_no_game(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await begin(club)
    monkeypatch.setattr(type(club.bot.thinkers), "choice", AsyncMock(side_effect=RuntimeError("no idea")))
    await club.aiko.click(club.packet(), label="Pass")
    assert table.position.up == ("p1",)


async def test_an_opponent_that_wants_what_is_not_possible_does_something_else(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await begin(club)

    async def wants(self: Thinkers, question: Thought) -> Choice:
        return Choice(Bid(question.seat, PrivateId("B"), 10_000), 0.0)

    monkeypatch.setattr(type(club.bot.thinkers), "choice", wants)
    await club.aiko.click(club.packet(), label="Pass")
    assert table.position.up == ("p1",)
    assert [type(one.action) for one in table.moves] == [Pass] * 3


async def test_where_a_strong_fails_to_think_a_regular_does(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await begin(club, level="strong")
    think = type(club.bot.thinkers).choice
    answered: dict[PlayerId, Action] = {}

    async def fails(self: Thinkers, question: Thought) -> Choice:
        if question.level == "strong":
            raise TableError("The program could not think of anything: please try again.")
        choice = await think(self, question)
        answered[question.seat] = choice.action
        return choice

    monkeypatch.setattr(type(club.bot.thinkers), "choice", fails)
    await club.aiko.click(club.packet(), label="Pass")
    assert table.position.up == ("p1",)
    assert {one.action.by: one.action for one in table.moves if one.action.by != "p1"} == answered
    assert set(answered) == {"p2", "p3"}


async def test_names_are_unlike_those_who_sit_there(club: Club) -> None:
    seats: list[Any] = []
    for _ in range(12):
        number, name = newcomer("strong", seats)
        assert not is_person(number)
        assert level_of(number) == "strong"
        seats.append(type("Row", (), {"user_id": number, "name": name}))
    assert len({one.name for one in seats}) == len({one.user_id for one in seats}) == 12


@pytest.mark.broad
async def test_a_game_against_opponents_goes_on_for_long(club: Club) -> None:
    table = await begin(club, level="learner")
    chance = random.Random(4)
    for _ in range(25):
        if table.position.over:
            break
        await take_turn(club, chance)
    assert len(table.moves) > 60


async def open_seat(club: Club) -> Table:
    """A game of three people in which the second one's seat is open."""
    table = await club.begin(3)
    await presses(club, club.aiko, "Pass")
    await absent.open_seat(table, "p2", "The table agreed.")
    await club.says()
    return table


async def test_the_others_let_the_bot_play_on_for_somebody_absent_who_comes_back(club: Club) -> None:
    table = await open_seat(club)
    aiko, ben, chloe, watcher = club.members[:4]
    assert "Or the bot plays on, if a majority of the others agrees." in text(club.newest("Let the bot play on"))
    for member, words in ((watcher, "no seat"), (ben, "your own seat")):
        assert words in await presses(club, member, "Let the bot play on")
    assert "1 more must agree" in await presses(club, aiko, "Let the bot play on")
    assert club.pinged()[-1] == chloe.id
    assert table.people == [aiko.id, ben.id, chloe.id]
    await presses(club, chloe, "Let the bot play on")
    assert table.opponent("p2") == "regular"
    assert table.position.up == ("p3",)
    assert [level_of(one.user or 0) for one in table.moves] == [None, "regular"]
    assert "plays on for **Ben**" in text(club.newest("I am back"))
    assert "plays for **Ben** until they are back" in past_notice(table, "open:p2").text
    assert "until they are back" in await answer(chloe.slash(club.channel, "seat list"))
    assert "`/seat take` takes it back" in await presses(club, ben, "Pass")
    await presses(club, ben, "I am back")
    assert table.opponent("p2") is None
    assert table.names["p2"] == "Ben"
    await presses(club, club.who("p3", table), "Pass")
    await presses(club, club.who("p1", table), "Pass")
    assert table.position.up == ("p2",)
    told = private_answer(await chloe.slash(club.channel, "game history"))
    assert "plays for **Ben** until they are back" in text(told)
    assert "**Ben** plays again" in text(told)


@pytest.mark.slow
async def test_a_seat_comes_back_in_the_middle_of_its_turn(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await open_seat(club)
    monkeypatch.setattr(type(club.bot.opponents), "wake", lambda self, game_id: None)
    for member in (club.aiko, club.chloe):
        await presses(club, member, "Let the bot play on")
    assert table.thinking == "p2"
    monkeypatch.undo()
    await presses(club, club.ben, "I am back")
    assert table.thinking is None
    clock = await clockwork.clock_of(table.store, table.game.id)
    assert [one.user for one in clock.runs] == [club.ben.id]
    assert not clock.thinks
    await presses(club, club.ben, "Pass")
    assert table.position.up == ("p3",)


async def test_the_bot_plays_on_in_a_seat_that_was_left_until_a_person_takes_it(club: Club) -> None:
    table = await club.begin(2)
    await club.leave(club.ben)
    await presses(club, club.aiko, "Let the bot play on")
    assert table.opponent("p2") == "regular"
    await presses(club, club.aiko, "Pass")
    assert table.position.up == ("p1",)
    taken = await club.chloe.slash(club.channel, "seat take")
    assert "The seat is yours" in text(private_answer(taken))
    assert table.names["p2"] == "Chloe"
    await presses(club, club.aiko, "Pass")
    assert table.position.up == ("p2",)
    with pytest.raises(Outdated):  # thought of before the seat was taken
        await table.decided(Pass(PlayerId("p2")), seen=table.position.seq)


async def test_a_deal_is_answered_at_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await begin(club)
    asked: list[Action] = []

    async def answers(self: Any, question: Any, action: Action) -> bool:
        asked.append(action)
        return len(asked) > 2

    monkeypatch.setattr(type(club.bot.thinkers), "agrees", answers)
    monkeypatch.setattr(deals, "needs_consent", lambda table, action: PlayerId("p2"))
    aiko = club.aiko
    refused = await aiko.slash(club.channel, "bid", private="B", amount=35)
    assert "**Hikari (bot)** does not agree" in text(private_answer(refused))
    assert table.moves == []
    assert "**Hikari (bot)** does not agree" in await answer(aiko.click(club.packet(), label="Buy A for ¥20"))
    listed = await aiko.click(private_answer(refused), label="Make another offer…")
    custom_id = next(key for key in selects(private_answer(listed)) if "Bid" in key)
    assert "✓ **Aiko** bids ¥40" in await answer(aiko.select(private_answer(listed), ["Bid|B|40"], custom_id=custom_id))
    bids = [Bid(PlayerId("p1"), PrivateId("B"), amount) for amount in (35, 40)]
    assert asked == [bids[0], BuyPrivate(PlayerId("p1"), PrivateId("A")), bids[1]]


async def test_a_rematch_seats_the_same_opponents(club: Club) -> None:
    table = await begin(club, people=2, opponents=1, level="learner")
    await club.aiko.slash(club.channel, "game end")
    await club.ben.slash(club.channel, "game end")
    assert table.position.over
    await presses(club, club.aiko, "Rematch")
    lobby = text(club.newest("Join"))
    assert "1. Aiko" in lobby
    assert "Hikari (bot), learner" in lobby
    assert club.pinged()[-1] == club.ben.id
    await presses(club, club.ben, "Join")
    await presses(club, club.aiko, "Start")
    again = await club.table()
    assert again.game.id != table.game.id
    assert list(again.names.values()) == ["Ben", "Aiko", "Hikari (bot)"]
