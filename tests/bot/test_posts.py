"""Games in threads or forum posts, whose tags are true; several in one channel; tables that start by themselves."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import discord
import pytest
from club import Club, buttons, said, text
from days import Day, Hand
from player import answer, begin_at, presses, private_answer, take_turn
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from tables import table as position
from test_run_out import near_the_end, propose

from bot.core.current import Current
from bot.rooms.seats import absent, handing
from bot.rooms.seats.posts import EVERY
from engine.actions import Pass
from engine.ids import PlayerId


def opened(club: Club, place: Any) -> Any:
    """The only thread of a channel, as the bot knows it."""
    known: Any = club.bot.get_channel(place.id)
    (thread,) = known.threads
    return thread


def tags(club: Club, place: Any) -> set[str]:
    """Those of the only post of a forum."""
    return {one.name for one in opened(club, place).applied_tags}


def there(club: Club, place: Any) -> Club:
    """The same people in the only thread of a channel."""
    (made,) = place.threads
    return replace(club, channel=made)


async def test_a_game_opens_a_post_whose_tags_follow_it_no_more_than_twice_in_ten_minutes(day: Day, hand: Hand) -> None:
    club = day.club
    forum = club.guild.create_forum_channel("games")
    told = await club.aiko.slash(club.channel, "game create", title="1889", thread=forum)
    post = opened(club, forum)
    assert f"<#{post.id}>" in text(private_answer(told))
    assert tags(club, forum) == {"Shikoku 1889", "Joining"}
    table_club = there(club, forum)
    await day.tick()  # while people still join
    await club.ben.click(table_club.packet(), label="Join")
    await club.aiko.slash(table_club.channel, "seat order", how="joined")
    await club.aiko.click(table_club.packet(), label="Start")
    table = await table_club.table()
    await day.tick()
    assert tags(club, forum) == {"Shikoku 1889", "Opening auction", "Aiko"}
    before = changes(club, post)
    for seat, user in (("p1", club.aiko), ("p2", club.ben), ("p1", club.aiko)):
        await table.submit(Pass(PlayerId(seat)), user=user.id)
        await day.tick()
    assert changes(club, post) == before, "all within the pause"
    hand.now += EVERY
    await day.tick()
    assert "Ben" in tags(club, forum)
    assert changes(club, post) == before + 1
    await table.end_here()
    hand.now += EVERY
    await day.tick()
    assert tags(club, forum) == {"Shikoku 1889", "Over"}
    await club.aiko.slash(table_club.channel, "game create", title="1889")
    await day.tick()
    assert tags(club, forum) == {"Shikoku 1889", "Joining"}


async def test_a_post_has_no_more_tags_than_it_may_have(day: Day, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four who may all decide for a company without a director, Discord refused the tags."""
    club = day.club
    forum = club.guild.create_forum_channel("games")
    await club.aiko.slash(club.channel, "game create", title="1860", thread=forum)
    post = there(club, forum)
    for member in (club.ben, club.chloe, club.daichi):
        await member.click(post.packet(), label="Join")
    monkeypatch.setattr(Current, "awaited", property(lambda table: tuple(table.seats)))
    await club.aiko.click(post.packet(), label="Start")
    hand.now += EVERY
    await day.tick()
    assert tags(club, forum) > {"1860", "Opening auctions"}
    assert len(tags(club, forum)) == 5


async def test_the_tags_of_a_post_are_true_of_a_game_that_comes_and_goes(day: Day, hand: Hand) -> None:
    """They said *Over*, of a game that had been called off there, and still whose turn it was once it had gone."""
    club, forum = day.club, day.club.guild.create_forum_channel("games")
    table = await club.begin(2)
    await club.aiko.slash(club.channel, "game create", title="1889", thread=forum)
    inside = there(club, forum)
    await club.aiko.slash(inside.channel, "game end")
    await day.tick()
    assert tags(club, forum) == {"Shikoku 1889", "Over"}
    assert "✓" in await answer(club.aiko.slash(inside.channel, "game move", game=table.id))
    await day.tick()
    assert tags(club, forum) == {"Shikoku 1889", "Opening auction", "Aiko"}
    await club.aiko.slash(club.channel, "game move", game=table.id)
    hand.now += EVERY
    await day.moves(table, "p1")
    assert tags(club, forum) == {"Shikoku 1889"}


def changes(club: Club, post: Any) -> int:
    """How often the post was changed."""
    path = f"/channels/{post.id}"
    return sum(one.method == "PATCH" and one.path.endswith(path) for one in club.env.http_requests)


async def test_without_the_right_to_make_tags_a_post_has_those_that_there_are(club: Club) -> None:
    forum = club.guild.create_forum_channel("games")
    everybody = club.guild.default_role.id
    denied = Overwrite(
        target_id=everybody, type=OverwriteType.ROLE, allow=0, deny=discord.Permissions(manage_channels=True).value
    )
    club.env.backend.set_overwrite(forum.id, denied)
    await club.env.settle()
    await club.aiko.slash(club.channel, "game create", title="1889", thread=forum)
    assert tags(club, forum) == set()
    assert "Join" in buttons(there(club, forum).packet())


@pytest.mark.parametrize("right", ["Create Public Threads", "Send Messages in Threads"])
async def test_no_thread_is_opened_in_which_the_bot_could_not_post(club: Club, right: str) -> None:
    denied = discord.Permissions(**{right.lower().replace(" ", "_"): True}).value
    everybody = Overwrite(target_id=club.guild.default_role.id, type=OverwriteType.ROLE, allow=0, deny=denied)
    club.env.backend.set_overwrite(club.channel.id, everybody)
    await club.env.settle()
    told = await answer(club.aiko.slash(club.channel, "game create", title="1860", thread=club.channel))
    assert told == f"I cannot open a thread in <#{club.channel.id}> without the permission {right}."


async def test_who_may_open_no_thread_has_the_bot_open_none(club: Club) -> None:
    right = discord.Permissions(create_public_threads=True).value
    denied = Overwrite(target_id=club.ben.id, type=OverwriteType.MEMBER, allow=0, deny=right)
    club.env.backend.set_overwrite(club.channel.id, denied)
    await club.env.settle()
    told = await answer(club.ben.slash(club.channel, "game create", title="1860", thread=club.channel))
    assert told == f"You may not open a thread in <#{club.channel.id}>."


async def test_a_game_opens_a_thread_in_a_channel_and_leaves_the_channel_free(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1860", thread=club.channel)
    inside = there(club, club.channel)
    assert "Join" in buttons(inside.packet())
    await club.ben.slash(club.channel, "game create", title="1889")
    assert "Shikoku 1889" in text(club.packet())


async def test_a_table_starts_by_itself_once_it_is_full(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889", players=3, start="when_full", opponents=1)
    lobby = club.packet()
    assert "For 3 players" in text(lobby)
    assert "The game starts when all seats are taken." in text(lobby)
    await club.ben.click(lobby, label="Join")
    table = await club.table()
    assert len(table.seats) == 3


async def test_the_host_is_told_when_the_table_is_full(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889", players=2)
    lobby = club.packet()
    await club.ben.click(lobby, label="Join")
    await club.bot.sender.idle()
    assert club.pinged() == [club.aiko.id]
    assert "The table is full" in text(sorted(club.channel.history(), key=lambda one: one.id)[-1])
    assert "taken" in text(private_answer(await club.chloe.click(lobby, label="Join")))


async def test_more_players_than_the_title_takes_are_refused(club: Club) -> None:
    assert "2 to 6 players" in await answer(club.aiko.slash(club.channel, "game create", title="1889", players=7))


def thread(club: Club, name: str) -> Club:
    """A thread of the club's channel, with the same people."""
    owner = club.aiko.id
    club.env.backend.create_thread(club.channel.id, name, owner)
    made = next(one for one in club.channel.threads if one.name == name)
    return replace(club, channel=made)


@pytest.mark.broad
async def test_a_channel_and_its_threads_hold_a_game_each(club: Club) -> None:
    tables = [club, thread(club, "china"), thread(club, "wight")]
    titles = ("1889", "1888", "1860")
    for place, title in zip(tables, titles, strict=True):
        table = await place.begin(3, title)
        assert table.title.id == title
    chance = random.Random(5)
    for _ in range(15):
        for place in tables:
            await take_turn(place, chance)
    for place, title in zip(tables, titles, strict=True):
        table = await place.table()
        assert table.title.id == title
        assert len(table.moves) >= 15
        assert "your turn" in text(place.packet())
    waiting = await club.who(PlayerId("p1"), await club.table()).slash(club.channel, "turns")
    shown = text(waiting.followups[-1] if waiting.followups else waiting.response)
    assert all(f"<#{place.channel.id}>" in shown for place in tables)


async def test_in_a_thread_of_its_own_a_game_is_not_said_to_be_followed_in_threads_below(club: Club) -> None:
    """A thread has none: who asked in it read that one of them could follow the game."""
    await club.aiko.slash(club.channel, "game create", title="1889", thread=club.channel)
    here = there(club, club.channel)
    await club.ben.slash(here.channel, "game join")
    await club.aiko.slash(here.channel, "game start")
    assert "in a thread" not in await answer(club.chloe.slash(here.channel, "game follow"))
    await club.begin(2)
    assert "in a thread" in await answer(club.chloe.slash(club.channel, "game follow"))


# What a moderator deletes


async def test_a_lobby_that_was_deleted_is_there_again_as_soon_as_somebody_joins(club: Club) -> None:
    """Nobody who had not heard of the game could join it any more: its buttons were gone for good."""
    await club.aiko.slash(club.channel, "game create", title="1889")
    club.env.backend.delete_message(club.channel.id, club.packet().id)
    assert "✓" in await answer(club.ben.slash(club.channel, "game join"))
    assert "Join" in buttons(club.packet())
    assert "2. Ben" in text(club.packet())
    assert "3. Chloe" in await answer(club.chloe.click(club.packet(), label="Join"))
    assert len([one for one in club.channel.history() if "Join" in buttons(one)]) == 1


async def test_an_offer_whose_message_was_deleted_is_asked_again(club: Club) -> None:
    """It waited for an answer that nobody could give, and could not be made anew."""
    table = await club.begin(3, "1888")
    box = position("1888", 3).par("ZDR", 80).shares("ZDR", p1=5).private(KT="p2").phase("3").trains("ZDR", "3")
    begin_at(table, *box.operating("ZDR", "privates").cash(ZDR=400).build())
    await club.announces(table)
    offers = [await answer(club.aiko.slash(club.channel, "private acquire", private="KT", price=30))]
    again = club.aiko.slash(club.channel, "private acquire", private="KT", price=30)
    assert await answer(again) == "This has already been offered, and waits for an answer."
    club.env.backend.delete_message(club.channel.id, club.newest("Accept").id)
    offers.append(await answer(club.aiko.slash(club.channel, "private acquire", private="KT", price=30)))
    assert offers[0] == offers[1]
    await club.ben.click(club.newest("Accept"), label="Accept")
    assert table.position.state.owner["KT"] == "ZDR"


async def test_a_request_to_undo_whose_message_was_deleted_is_asked_again(club: Club) -> None:
    """Whoever asked again read that the others had been asked, and nobody could agree."""
    table = await club.begin(3)
    for seat, member in zip(("p1", "p2", "p3"), club.members, strict=False):
        await table.submit(Pass(PlayerId(seat)), user=member.id)
    for deleted in (False, True):
        await presses_of(club, "Ask them", await club.aiko.slash(club.channel, "game undo"))
        if not deleted:
            club.env.backend.delete_message(club.channel.id, club.newest("Agree").id)
    for member in (club.ben, club.chloe):
        await member.click(club.newest("Agree"), label="Agree")
    assert table.moves == []


async def test_a_request_to_undo_is_not_asked_again_because_another_message_was_deleted(club: Club) -> None:
    """The one for move 1 was thought to be gone with that for move 11."""
    table = await club.begin(3)
    for number in range(11):
        await table.submit(Pass(PlayerId(f"p{number % 3 + 1}")), user=club.members[number % 3].id)
    for move in (1, 11, 1):
        await presses_of(club, "Ask them", await club.aiko.slash(club.channel, "game undo", move=move))
        if move == 11:
            club.env.backend.delete_message(club.channel.id, club.newest("Agree").id)
    assert len([one for one in club.channel.history() if "Agree" in buttons(one)]) == 1


async def presses_of(club: Club, label: str, asked: Any) -> None:
    await club.aiko.click(private_answer(asked), label=label)
    await club.says()


@pytest.mark.parametrize(
    ("command", "options", "label"),
    [("game end", {}, "End it"), ("pace", {"pace": "fast"}, "Agree"), ("game settings", {"undo": "anyone"}, "Agree")],
)
async def test_a_vote_whose_message_was_deleted_is_asked_again(
    club: Club, command: str, options: dict[str, Any], label: str
) -> None:
    """Whoever proposed it again read who was still to agree, and nobody was asked."""
    await club.begin(3)
    for again in (False, True, True):
        await club.ben.slash(club.channel, command, **options)
        await club.says()
        asking = [one for one in club.channel.history() if label in buttons(one)]
        assert len(asking) == 1
        if not again:
            club.env.backend.delete_message(club.channel.id, asking[0].id)


@pytest.mark.parametrize("lends", [False, True])
async def test_a_seat_that_is_offered_in_a_deleted_message_is_offered_again(club: Club, lends: bool) -> None:
    """Whoever offered it again read that it had been offered, and nobody could press *Accept*."""
    await club.begin(3)
    command, days = ("seat lend", {"days": 3}) if lends else ("seat give", {})
    for _ in range(2):
        said = await answer(club.ben.slash(club.channel, command, user=club.daichi, **days))
        assert "has been asked" in said
        club.env.backend.delete_message(club.channel.id, club.newest("Accept").id)
    await club.ben.slash(club.channel, command, user=club.daichi, **days)
    again = await answer(club.ben.slash(club.channel, command, user=club.daichi, **days))
    assert again == "This has already been offered, and waits for an answer."
    await presses(club, club.daichi, "Accept")
    assert (await club.table()).seats["p2"].user_id == club.daichi.id


@pytest.mark.usefixtures("new_messages")
async def test_what_a_game_asks_stands_only_where_it_has_moved(club: Club) -> None:
    """It could be answered in both channels, or only in the old one, in which nobody might look any more."""
    table, there = await club.begin(3), club.guild.create_text_channel("there")
    for seat, member in zip(("p1", "p2", "p3"), club.members, strict=False):
        await table.submit(Pass(PlayerId(seat)), user=member.id)
    await presses_of(club, "Ask them", await club.aiko.slash(club.channel, "game undo"))
    await club.ben.click(club.newest("Agree"), label="Agree")
    await club.ben.slash(club.channel, "pace", pace="fast")
    await presses(club, club.chloe, "Agree")
    await club.ben.slash(club.channel, "game end")
    await club.ben.slash(club.channel, "seat give", user=club.daichi)
    await club.bot.compare()  # who has agreed is asked no more
    await club.says()
    before, pinged = questions(club.channel), club.pinged()
    assert [labels for _, labels in before] == [["Agree", "Decline"], ["Agree", "Keep the pace"], ["End it", "Play on"],
                                                ["Accept", "Decline"]]  # fmt: skip
    await club.aiko.slash(there, "game move", game=table.id)
    await club.says()
    assert questions(there) == before
    assert said(club).count(f"*The game has moved to <#{there.id}>.*") == 4
    assert questions(club.channel) == []
    assert club.pinged() == [*pinged, club.aiko.id], "whose turn it is"
    moved = replace(club, channel=there)
    await presses(moved, club.aiko, "Keep the pace")
    await presses(moved, club.daichi, "Accept")
    assert table.seats["p2"].user_id == club.daichi.id


def questions(place: Any) -> list[tuple[str, list[str]]]:
    """What a channel is asked, the oldest first, beside the turn: the text, and the buttons."""
    asked = sorted((one for one in place.history() if buttons(one)), key=lambda one: one.id)
    return [(text(one), list(buttons(one))) for one in asked if "More…" not in buttons(one)]


@pytest.mark.usefixtures("new_messages")
async def test_an_offer_and_what_is_asked_about_a_seat_come_along_from_a_deleted_channel(club: Club) -> None:
    table = await club.begin(4, "1888")
    await table.store.change_game(table.game.id, settings=replace(table.settings, newcomers="vote").text())
    box = position("1888", 4).par("ZDR", 80).shares("ZDR", p1=5).private(KT="p2").phase("3").trains("ZDR", "3")
    begin_at(table, *box.operating("ZDR", "privates").cash(ZDR=400).build())
    await club.announces(table)
    await absent.open_seat(table, "p3", "The table agreed.")
    await club.says()
    await club.fumi.slash(club.channel, "seat take")
    await presses(club, club.aiko, "Agree")
    await presses(club, club.aiko, "Let the bot play on")
    await club.aiko.slash(club.channel, "private acquire", private="KT", price=30)
    before, there = questions(club.channel), club.guild.create_text_channel("there")
    club.env.backend.delete_channel(club.channel.id)
    await club.ben.slash(there, "game move", game=table.id)
    await club.says()
    assert sorted(questions(there)) == sorted(before)
    moved = replace(club, channel=there)
    assert await presses(moved, club.ben, "Accept")
    assert table.position.state.owner["KT"] == "ZDR"


async def test_who_may_sit_in_an_open_seat_is_asked_again_where_the_message_was_deleted(club: Club) -> None:
    """The players voted on a newcomer, and on the bot, in messages that nobody sees any more."""
    table = await club.begin(3)
    await table.store.change_game(table.game.id, settings=replace(table.settings, newcomers="vote").text())
    await absent.open_seat(table, "p2", "The table agreed.")
    await club.says()
    for _ in range(2):
        assert "have been asked" in await answer(club.daichi.slash(club.channel, "seat take"))
        club.env.backend.delete_message(club.channel.id, club.newest("Wait for others").id)
        assert "1 more must agree" in await presses(club, club.aiko, "Let the bot play on")
        asking = club.newest("Let the bot play on")
        assert "would like the bot to play on" in text(asking)
        club.env.backend.delete_message(club.channel.id, asking.id)


async def test_whether_a_seat_is_opened_is_asked_again_where_the_message_was_deleted(club: Club, day: Day) -> None:
    table = await club.begin(4)
    await day.moves(table, "p1")
    await day.passes(26 * 3600)
    for _ in range(2):
        assert "more must agree" in await answer(club.chloe.slash(club.channel, "seat open", player=club.ben))
        club.env.backend.delete_message(club.channel.id, club.newest("Open the seat").id)


async def test_whether_the_game_is_run_out_is_asked_again_where_the_message_was_deleted(club: Club) -> None:
    await near_the_end(club)
    for _ in range(2):
        await propose(club, club.aiko)
        await club.says()
        asking = club.newest("Play on")
        assert "proposes to run the game out" in text(asking)
        club.env.backend.delete_message(club.channel.id, asking.id)


async def test_what_happens_about_somebody_late_is_asked_again_where_the_message_was_deleted(
    club: Club, day: Day
) -> None:
    """Nobody could decide any more: the question comes once."""
    table = await club.begin(3, pace="fast")
    await day.moves(table, "p1")
    await day.passes(30 * 3600)
    await club.aiko.click(day.question(), label="Pass for them")
    club.env.backend.delete_message(club.channel.id, day.question().id)
    pinged = len(club.pinged())
    for _ in range(2):
        await club.aiko.slash(club.channel, "game status")
        await club.says()
        day.hand.now += 120
    assert [one for one in day.said() if "passes in their place (**Aiko**)" in one] == [text(day.question())]
    assert len(club.pinged()) == pinged
    await club.chloe.click(day.question(), label="Pass for them")
    assert table.position.seq == 2


async def test_votes_on_a_newcomer_are_kept_where_their_message_was_deleted(club: Club) -> None:
    """Whoever had agreed was asked anew, and pinged."""
    table = await club.begin(5)
    await table.store.change_game(table.game.id, settings=replace(table.settings, newcomers="vote").text())
    await absent.open_seat(table, "p2", "The table agreed.")
    await club.says()
    asks = "have been asked"
    assert asks in await answer(club.fumi.slash(club.channel, "seat take"))
    await presses(club, club.aiko, "Agree")
    await presses(club, club.chloe, "Wait for others")
    club.env.backend.delete_message(club.channel.id, club.newest("Wait for others").id)
    pinged = len(club.pinged())
    assert asks in await answer(club.fumi.slash(club.channel, "seat take"))
    assert club.pinged()[pinged:] == [club.daichi.id, club.emma.id]
    assert "Agreed: 1 of 3. Still asked:" in text(club.newest("Wait for others"))
    assert handing.ASKED in await answer(club.fumi.slash(club.channel, "seat take"))
    await presses(club, club.daichi, "Agree")
    await presses(club, club.emma, "Agree")
    assert table.seats["p2"].user_id == club.fumi.id
