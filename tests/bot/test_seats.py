"""Seats that change hands: lent, given, opened, left and taken, and what passes with them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest
from club import Club, buttons, said, text
from days import MONDAY_NOON, Day, Hand
from player import answer, hands_over, presses, private_answer
from simcord.builders import UserHandle

from bot.chat.rights import is_gone
from bot.core import clockwork
from bot.core.errors import NO_RESULT, TableError
from bot.core.table import Table
from bot.rooms.seats import absent, posts
from bot.rooms.seats import handing as seats
from bot.rooms.seats.screen import past_notice
from bot.rooms.watching.room import digest_text
from engine.actions import Pass
from engine.ids import PlayerId
from storage import Watch

HOUR, DAY = 3600, 24 * 3600


async def holders(table: Table) -> list[int]:
    return [seat.user_id for seat in await table.store.seats(table.game.id)]


async def opened(club: Club, hand: Hand, players: int = 3) -> Table:
    """A game that has waited for its second player for three days and opened their seat."""
    table = await club.begin(players)
    await club.aiko.slash(club.channel, "pass")
    await Day(club, hand).passes(73 * HOUR)
    assert "✓ The seat is open" in await answer(club.aiko.slash(club.channel, "seat open", player=club.ben))
    return table


# Giving and lending


async def test_a_seat_is_given_once_both_sides_agree(club: Club) -> None:
    table = await club.begin(3)
    assert "has been asked" in await answer(club.ben.slash(club.channel, "seat give", user=club.daichi))
    assert await holders(table) == [one.id for one in club.members[:3]]
    assert "Where the game stands" in await presses(club, club.daichi, "Accept")
    assert await holders(table) == [club.aiko.id, club.daichi.id, club.chloe.id]
    assert any(f"<@{club.daichi.id}> has taken over **Ben**'s seat." in one for one in said(club))
    assert "Accept" not in {label for one in club.channel.history() for label in buttons(one)}


async def test_nobody_else_accepts_a_seat_and_its_player_can_withdraw_it(club: Club) -> None:
    table = await club.begin(3)
    await club.ben.slash(club.channel, "seat give", user=club.daichi)
    offer = club.newest("Accept")
    for other in (club.chloe, club.emma, club.ben):
        assert "alone" in await answer(other.click(offer, label="Accept"))
    for other in (club.chloe, club.emma):
        assert "to answer" in await answer(other.click(offer, label="Decline"))
    await club.ben.click(offer, label="Decline")
    assert "has withdrawn the offer" in text(club.channel.history()[-1])
    assert "no seat for you to take" in await answer(club.daichi.slash(club.channel, "seat take"))
    assert club.ben.id in await holders(table)


async def test_whoever_is_offered_two_seats_accepts_one(club: Club) -> None:
    """For a second one the others would have to agree."""
    table = await club.begin(4)
    for one in (club.ben, club.chloe):
        await one.slash(club.channel, "seat give", user=club.emma)
    await presses(club, club.emma, "Accept")
    assert seats.SECOND in await presses(club, club.emma, "Accept")
    assert seats.SECOND in await answer(club.emma.slash(club.channel, "seat take"))
    assert (await holders(table)).count(club.emma.id) == 1
    await presses(club, club.emma, "Decline")
    assert any("would rather not play in your seat" in one for one in said(club))


async def test_whoever_offers_a_seat_hears_that_it_was_declined(club: Club) -> None:
    await club.begin(3)
    await club.ben.slash(club.channel, "seat lend", user=club.daichi, days=3)
    assert "play for them for 3 days, and lends" in text(club.newest("Decline"))
    before = len(club.pinged())
    await club.daichi.click(club.newest("Decline"), label="Decline")
    assert club.pinged()[before:] == [club.ben.id]
    assert any("would rather not" in one for one in said(club))


async def test_a_lent_seat_is_taken_back_by_its_owner_alone(club: Club) -> None:
    table = await club.begin(3)
    await hands_over(club, club.ben, club.daichi, days=3)
    assert table.seats["p2"].user_id == club.daichi.id
    assert "plays in your seat now" in await answer(club.ben.slash(club.channel, "pass"))
    for other in (club.chloe, club.emma):
        assert "no seat for you to take" in await answer(other.slash(club.channel, "seat take"))
        assert "no seat for you" in await answer(other.slash(club.channel, "seat take", seat="p2"))
    assert "only Ben can offer it" in await answer(club.daichi.slash(club.channel, "seat give", user=club.emma))
    for command in ("my hand", "my programs", "game leave"):
        assert "`/seat take` takes it back" in await answer(club.ben.slash(club.channel, command))
    before = len(club.pinged())
    assert "Where the game stands" in await answer(club.ben.slash(club.channel, "seat take"))
    assert club.pinged()[before:] == [club.daichi.id], "whoever has played is told, and not whoever did it"
    assert table.seats["p2"].user_id == club.ben.id
    assert await answer(club.daichi.slash(club.channel, "pass")) == "Ben plays in the seat that you had."


async def test_after_the_end_no_seat_is_offered_any_more(club: Club) -> None:
    table = await club.begin(4)
    await hands_over(club, club.aiko, club.emma, days=3)
    await club.ben.slash(club.channel, "seat give", user=club.fumi)
    await club.leave(club.chloe)
    await table.end_here()
    await club.says()
    assert ["Rematch" in found for one in club.channel.history() if (found := buttons(one))] == [True]
    assert not any("has kept" in one for one in said(club))


async def test_an_offered_seat_lapses_with_the_end_also_if_that_is_taken_back(club: Club) -> None:
    """Its message is settled with the end, so nobody could withdraw it."""
    table = await club.begin(3)
    await club.ben.slash(club.channel, "seat give", user=club.fumi)
    await table.end_here()
    await club.says()
    await table.undo(user=club.aiko.id, agreed=("p1", "p2", "p3"))
    await club.says()
    assert "no seat for you to take" in await answer(club.fumi.slash(club.channel, "seat take"))
    assert "offered" not in await answer(club.ben.slash(club.channel, "seat list"))
    assert "has been asked" in await answer(club.ben.slash(club.channel, "seat give", user=club.fumi))


async def test_whoever_had_lent_their_seat_is_asked_to_a_rematch_and_can_ask_for_one(club: Club) -> None:
    await club.begin(3)
    await hands_over(club, club.ben, club.daichi, days=3)
    for one in (club.aiko, club.ben, club.chloe):
        await one.slash(club.channel, "game end")
    over = club.newest("Rematch")
    assert "All move up one seat" in await presses(club, club.ben, "Rematch")
    await club.ben.slash(club.channel, "game end")
    before = len(club.pinged())
    await club.aiko.click(over, label="Rematch")
    assert set(club.pinged()[before:]) == {club.ben.id, club.chloe.id, club.daichi.id}
    for one in (club.daichi, club.chloe, club.ben):
        await presses(club, one, "Join")
    await presses(club, club.aiko, "Start")
    assert (await club.table()).people == [club.ben.id, club.daichi.id, club.chloe.id, club.aiko.id]


@pytest.mark.core
async def test_what_was_the_old_players_alone_is_dropped(club: Club) -> None:
    table = await club.begin(3)
    await club.ben.slash(club.channel, "pass", when="once")
    await club.ben.slash(club.channel, "game end")
    assert table.orders.desk("p2").kept
    assert await table.store.votes.of_game(table.game.id, "end")
    await hands_over(club, club.ben, club.daichi)
    assert not table.orders.desk("p2").kept
    assert not await table.store.votes.of_game(table.game.id, "end")


async def test_the_new_player_has_the_hand_and_the_old_one_has_not(club: Club) -> None:
    await club.begin(3)
    await hands_over(club, club.ben, club.daichi)
    assert "Daichi" in await answer(club.daichi.slash(club.channel, "my hand"))
    assert "Daichi plays in your seat now." in await answer(club.ben.slash(club.channel, "my hand"))


async def test_no_other_bot_is_offered_a_seat(club: Club) -> None:
    await club.begin(2)
    robot = club.guild.add_member(club.env.create_user("robot", bot=True))
    assert "Bots cannot take seats." in await answer(club.ben.slash(club.channel, "seat give", user=robot))


# Open seats


async def test_the_seat_of_somebody_present_is_not_opened(club: Club, hand: Hand) -> None:
    await club.begin(3)
    for one in (club.aiko, club.chloe):
        assert "not waiting for" in await answer(one.slash(club.channel, "seat open", player=club.ben))
    await club.aiko.slash(club.channel, "pass")
    hand.now = MONDAY_NOON + 23 * HOUR
    for one in (club.aiko, club.chloe):
        assert "after 24 hours" in await answer(one.slash(club.channel, "seat open", player=club.ben))


async def test_a_majority_of_the_others_opens_a_seat_after_a_day(club: Club, hand: Hand) -> None:
    table = await club.begin(4)
    await club.aiko.slash(club.channel, "pass")
    await Day(club, hand).passes(25 * HOUR)
    assert "no seat" in await answer(club.emma.slash(club.channel, "seat open", player=club.ben))
    assert "own seat" in await answer(club.ben.slash(club.channel, "seat open", player=club.ben))
    assert "1 more must agree" in await answer(club.chloe.slash(club.channel, "seat open", player=club.ben))
    before = len(club.pinged())
    await club.chloe.slash(club.channel, "seat open", player=club.ben)
    assert len(club.pinged()) == before  # asked already
    assert table.tenures.opening("p2") is None
    assert "✓ The seat is open" in await presses(club, club.daichi, "Open the seat")
    assert table.tenures.opening("p2") is not None
    assert club.pinged()[before:] == [club.ben.id]
    assert await holders(table) == [club.aiko.id, club.ben.id, club.chloe.id, club.daichi.id]


async def test_the_host_alone_opens_a_seat_after_three_days(club: Club, day: Day) -> None:
    await waits_for_ben(club, day, 3)
    await day.passes(71 * HOUR)
    assert "1 more must agree" in await opens(club)
    await day.passes(2 * HOUR)
    assert "✓ The seat is open" in await opens(club)


async def test_a_proposal_to_open_a_seat_stands_also_where_the_seat_changed_hands_before(club: Club, day: Day) -> None:
    table = await club.begin(4)
    await hands_over(club, club.ben, club.emma)
    await club.aiko.slash(club.channel, "pass")
    await day.passes(30 * HOUR)
    await club.chloe.slash(club.channel, "seat open", player=club.emma)
    await table.store.outbox.post(table.game.id, [table.shown()])  # as when a deal is declined, or the table agrees
    await day.tick()
    await club.says()
    assert "✓ The seat is open" in await presses(club, club.daichi, "Open the seat")
    await day.passes(9 * HOUR)
    await presses(club, club.ben, "Take the seat")
    await club.says()
    assert not any("Open the seat" in buttons(one) for one in club.channel.history())


async def test_the_players_next_move_keeps_an_open_seat(club: Club, hand: Hand) -> None:
    table = await opened(club, hand)
    await club.ben.slash(club.channel, "pass")
    assert table.tenures.opening("p2") is None
    assert any("keeps the seat that was open" in one for one in said(club))
    assert "no seat for you to take" in await answer(club.emma.slash(club.channel, "seat take"))
    assert "Take the seat" not in {label for one in club.channel.history() for label in buttons(one)}


async def test_a_button_keeps_an_open_seat_for_its_player_alone(club: Club, hand: Hand) -> None:
    table = await opened(club, hand)
    assert "no seat" in await presses(club, club.fumi, "Keep my seat")
    assert await presses(club, club.chloe, "Keep my seat") == seats.NOT_YOURS
    assert table.tenures.opening("p2") is not None
    assert "✓ You keep" in await presses(club, club.ben, "Keep my seat")
    with pytest.raises(TableError, match="so it is yours anyway"):
        await seats.keep(table, club.ben.id, "p2", 901)
    assert table.tenures.opening("p2") is None
    assert "**Ben** has kept it." in past_notice(table, "open:p2").text


async def test_what_is_left_of_a_message_about_an_open_seat_says_what_became_of_it(club: Club, day: Day) -> None:
    await opened(club, day.hand)
    await day.tick()
    first = club.newest("Keep my seat")
    await day.passes(HOUR)
    await club.emma.click(first, label="Take the seat")
    await day.passes(73 * HOUR)
    await club.aiko.slash(club.channel, "seat open", player=club.emma)
    await club.says()
    second = club.newest("Keep my seat")
    await presses(club, club.emma, "Keep my seat")
    await club.leave(club.emma)
    left = club.newest("Let the bot play on")
    for member in (club.aiko, club.chloe):
        await member.click(left, label="Let the bot play on")
    await club.says()
    now = {one.id: text(one) for one in club.channel.history()}
    assert now[first.id] == "**Emma** takes the open seat of **Ben**."
    assert now[second.id] == "*This seat was open; **Emma** has kept it.*", "though she had taken it before"
    assert now[left.id] == "**Hikari (bot)** plays on in the seat of **Emma**.", "and it is still open"
    free = max((one for one in club.channel.history() if list(buttons(one)) == ["Take the seat"]), key=lambda m: m.id)
    await club.ben.slash(club.channel, "seat take")
    await club.says()
    now = {one.id: text(one) for one in club.channel.history()}
    assert now[free.id] == "**Ben** plays again, after **Hikari (bot)**."


async def test_anybody_takes_an_open_seat_once(club: Club, hand: Hand) -> None:
    table = await opened(club, hand)
    notice = club.newest("Keep my seat")
    assert "✓ The seat is yours" in await answer(club.emma.click(notice, label="Take the seat"))
    assert table.seats["p2"].user_id == club.emma.id
    assert "no seat for you to take" in await answer(club.fumi.slash(club.channel, "seat take"))
    assert f"<@{club.emma.id}>, your turn" in text(club.newest("More…"))


async def test_whoever_lost_an_open_seat_reads_how_they_can_claim_it_also_after_a_week_away(
    club: Club, day: Day
) -> None:
    await opened(club, day.hand)
    await club.emma.click(club.newest("Keep my seat"), label="Take the seat")
    claims = "Emma plays in your seat now. For a week in which you are not away, `/seat take` claims it back."
    assert await answer(club.ben.slash(club.channel, "pass")) == claims
    await day.away(club.ben, "", "10 days")
    await day.passes(9 * DAY)
    assert await answer(club.ben.slash(club.channel, "pass")) == claims
    assert "You play in your own seat again" in await answer(club.ben.slash(club.channel, "seat take"))


async def test_nobody_is_said_to_have_left_whose_seat_somebody_else_took_and_left(club: Club, hand: Hand) -> None:
    await opened(club, hand)
    await club.emma.click(club.newest("Keep my seat"), label="Take the seat")
    await club.leave(club.emma)
    again = "As long as the seat is open, you can take it again."
    assert await answer(club.ben.slash(club.channel, "pass")) == f"Nobody plays in your seat now. {again}"
    assert await answer(club.emma.slash(club.channel, "pass")) == f"You have left this game. {again}"
    for member in (club.aiko, club.chloe):
        await presses(club, member, "Let the bot play on")
    for member in (club.ben, club.emma):
        assert f"plays in your seat now. {again}" in await answer(member.slash(club.channel, "pass"))


async def test_whoever_played_in_a_lent_seat_does_not_read_that_it_is_theirs(club: Club) -> None:
    await club.begin(3)
    await hands_over(club, club.ben, club.daichi)
    await hands_over(club, club.chloe, club.ben, days=3)
    assert "✓ You play in your own" in await answer(club.chloe.slash(club.channel, "seat take"))
    assert await answer(club.ben.slash(club.channel, "pass")) == "Daichi plays in your seat now."
    await hands_over(club, club.chloe, club.emma, days=3)
    await club.chloe.slash(club.channel, "seat take")
    assert await answer(club.emma.slash(club.channel, "pass")) == "Chloe plays in the seat that you had."


async def test_a_player_of_the_game_takes_a_second_seat_only_if_the_others_agree(club: Club, hand: Hand) -> None:
    table = await opened(club, hand, 4)
    assert "have been asked" in await answer(club.chloe.slash(club.channel, "seat take"))
    assert table.seats["p2"].user_id == club.ben.id
    question = club.newest("Agree")
    for one in (club.ben, club.chloe, club.fumi):
        assert "for the other players" in await answer(one.click(question, label="Agree"))
    await club.daichi.click(question, label="Agree")
    assert "Agreed: 1 of 2" in text(club.newest("Agree"))
    await club.aiko.click(club.newest("Agree"), label="Agree")
    assert table.seats["p2"].user_id == club.chloe.id
    assert table.names == {"p1": "Aiko", "p2": "Chloe 2", "p3": "Chloe", "p4": "Daichi"}


async def test_what_somebody_with_two_seats_presses_in_a_turn_is_for_the_seat_whose_turn_it_is(
    club: Club, hand: Hand
) -> None:
    table = await opened(club, hand, 4)
    await club.chloe.slash(club.channel, "seat take")
    for one in (club.aiko, club.daichi):
        await presses(club, one, "Agree")
    assert (await holders(table))[1:3] == [club.chloe.id, club.chloe.id]
    await club.chloe.slash(club.channel, "pass")
    assert table.position.up == ("p3",)
    assert "✓ It is on" in await presses(club, club.chloe, "Pass this round")
    assert [seat for seat in table.seats if table.orders.desk(seat).kept] == ["p3"]


async def test_where_the_table_wants_it_newcomers_need_a_vote(club: Club, hand: Hand) -> None:
    table = await opened(club, hand)
    await table.store.change_game(table.game.id, settings=replace(table.settings, newcomers="vote").text())
    assert "have been asked" in await presses(club, club.emma, "Take the seat")
    await presses(club, club.aiko, "Wait for others")
    assert table.seats["p2"].user_id != club.emma.id
    assert any("rather wait for somebody else" in one for one in said(club))
    assert "have been asked" in await presses(club, club.emma, "Take the seat")
    before = len(club.pinged())
    await presses(club, club.aiko, "Agree")
    await presses(club, club.chloe, "Agree")
    assert table.seats["p2"].user_id == club.emma.id
    assert club.emma.id in club.pinged()[before:]
    assert "Where the game stands" in await presses(club, club.emma, "Catch me up")


async def test_where_newcomers_need_a_vote_nobody_is_told_that_they_can_just_take_a_seat(club: Club) -> None:
    table = await club.begin(3)
    await table.store.change_game(table.game.id, settings=replace(table.settings, newcomers="vote").text())
    question = private_answer(await club.ben.slash(club.channel, "game leave"))
    assert "Whom the players accept can take your seat then; until somebody has, you can ask for it" in text(question)
    again = "As long as the seat is open, you can ask the players for it."
    assert again in await answer(club.ben.click(question, label="Leave the game"))
    assert await answer(club.ben.slash(club.channel, "pass")) == f"You have left this game. {again}"
    assert "have been asked" in await presses(club, club.ben, "Take the seat")
    assert await presses(club, club.ben, "Take the seat") == seats.ASKED


@pytest.mark.parametrize("offers", [True, False])
async def test_what_nobody_has_answered_for_a_week_can_be_asked_again(club: Club, day: Day, offers: bool) -> None:
    table = await club.begin(3)
    await table.store.change_game(table.game.id, settings=replace(table.settings, newcomers="vote").text())
    await club.leave(club.ben)

    async def asks() -> str:
        if offers:
            return await answer(club.chloe.slash(club.channel, "seat give", user=club.emma))
        return await presses(club, club.emma, "Take the seat")

    assert "been asked" in await asks()
    assert "been asked" not in await asks()
    await day.passes(8 * DAY)
    assert "been asked" in await asks()


# Leaving


async def test_leaving_asks_once_more_and_opens_the_seat(club: Club) -> None:
    table = await club.begin(3)
    question = await club.ben.slash(club.channel, "game leave")
    assert "Leave this running game?" in text(private_answer(question))
    assert club.ben.id in await holders(table)
    assert "✓ You have left" in await answer(club.ben.click(private_answer(question), label="Leave the game"))
    assert club.ben.id not in await holders(table)
    assert "You have left this game" in await answer(club.ben.slash(club.channel, "pass"))
    before = len(club.pinged())
    await club.aiko.slash(club.channel, "pass")
    assert len(club.pinged()) == before  # nobody sits there
    assert "### The seat of **Ben** is open" in text(club.packet())
    assert "✓ The seat is yours" in await presses(club, club.daichi, "Take the seat")
    await presses(club, club.daichi, "Pass")
    assert table.position.up == ("p3",)


async def test_where_the_bot_plays_on_nobody_is_offered_that_any_more(club: Club) -> None:
    await club.begin(3)
    await club.leave(club.ben)
    for member in (club.aiko, club.chloe):
        await presses(club, member, "Let the bot play on")
    await club.says()
    await club.bot.compare()
    await club.says()
    offered = [label for one in club.channel.history() if "More…" not in buttons(one) for label in buttons(one)]
    assert offered == ["Take the seat"]


async def test_whoever_left_comes_back_as_long_as_the_seat_is_open(club: Club) -> None:
    table = await club.begin(2)
    await club.leave(club.ben)
    assert "✓ The seat is yours" in await answer(club.ben.slash(club.channel, "seat take"))
    assert table.names["p2"] == "Ben"


async def test_after_the_end_nobody_is_told_to_take_a_seat_back(club: Club) -> None:
    table = await club.begin(3)
    await hands_over(club, club.aiko, club.emma, days=3)
    await club.leave(club.ben)
    await table.end_here()
    assert await answer(club.ben.slash(club.channel, "game undo")) == "You have left this game."
    assert await answer(club.aiko.slash(club.channel, "game undo")) == "Emma plays in your seat now."


async def test_the_game_has_another_host_when_its_host_leaves(club: Club) -> None:
    table = await club.begin(3)
    await club.leave(club.aiko)
    assert (await table.store.game(table.game.id)).host_id == club.ben.id
    assert any(f"<@{club.ben.id}> is the host now" in one for one in said(club))


async def test_the_game_ends_when_the_last_player_leaves(club: Club) -> None:
    table = await club.begin(2)
    for member in (club.ben, club.aiko):
        await club.leave(member)
    assert (await table.store.game(table.game.id)).status == "abandoned"
    assert await presses(club, club.aiko, "Pass") == NO_RESULT
    assert not table.moves
    await club.bot.present.compare(None)
    await club.bot.sender.idle()
    assert not any(buttons(one) for one in club.channel.history())
    await club.daichi.slash(club.channel, "game create", title="1889")  # the channel is free
    another = await club.game()
    assert another.id != table.game.id


async def test_a_game_that_has_ended_without_a_result_offers_nothing_of_its_last_turn(club: Club) -> None:
    """Neither to whoever has left nor to the last, who keeps the seat; and their programs stay as they were."""
    table = await club.begin(2)
    turn = club.packet()
    for member in (club.ben, club.aiko):
        await member.slash(club.channel, "pass", when="once")
    listed = private_answer(await club.ben.slash(club.channel, "my programs"))
    for member in (club.aiko, club.ben):
        await club.leave(member)
    assert (table.game.status, table.people) == ("abandoned", [club.ben.id])
    presses = [(member, turn, label) for member in (club.aiko, club.ben) for label in ("More…", "Pass")]
    for member, message, label in [*presses, (club.ben, listed, "Off")]:
        assert await answer(member.click(message, label=label)) == NO_RESULT, label
    assert len(table.orders.desk(PlayerId("p2")).kept) == 1
    assert str(table.not_seated(club.aiko.id)) == NO_RESULT


async def test_of_an_end_that_was_taken_back_before_all_left_there_is_no_rematch(club: Club) -> None:
    table = await club.begin(2)
    await table.end_here()
    ended = private_answer(await club.ben.slash(club.channel, "game status"))
    await club.aiko.click(private_answer(await club.aiko.slash(club.channel, "game undo")), label="Ask them")
    await presses(club, club.ben, "Agree")
    for member in (club.aiko, club.ben):
        await club.leave(member)
    assert await answer(club.ben.click(ended, label="Rematch")) == NO_RESULT


async def test_of_a_game_that_has_ended_without_a_result_no_turn_is_shown_any_more(club: Club, day: Day) -> None:
    table = await club.begin(2)
    await table.submit(Pass(PlayerId("p1")), user=club.aiko.id)  # the next turn waits to be shown
    for number, member in enumerate((club.ben, club.aiko)):
        await seats.leave(table, member.id, 900 + number)
    await club.says()
    assert any("Everybody has left" in one for one in said(club))
    assert not any("The seat of **Ben** is open" in one for one in said(club))


async def test_an_empty_seat_blocks_no_vote_to_end(club: Club) -> None:
    table = await club.begin(3)
    await club.leave(club.ben)
    await club.aiko.slash(club.channel, "game end")
    await club.chloe.slash(club.channel, "game end")
    assert table.position.over


async def test_who_gave_a_seat_away_cannot_take_back_the_last_move_and_who_has_it_can(club: Club) -> None:
    table = await club.begin(3)
    await club.aiko.slash(club.channel, "pass")
    await club.ben.slash(club.channel, "pass")
    await hands_over(club, club.ben, club.daichi)
    assert "Daichi plays in your seat now" in await answer(club.ben.slash(club.channel, "game undo"))
    await club.undo(club.daichi)
    assert table.position.up == ("p2",)


@pytest.mark.parametrize("leaves", [True, False])
async def test_wherever_the_game_waits_for_a_seat_that_is_open_it_is_said_to_be(
    club: Club, day: Day, leaves: bool
) -> None:
    table = await club.begin(3, pace="steady")
    await club.aiko.slash(club.channel, "pass")
    if leaves:
        await club.leave(club.ben)
    else:
        await absent.open_seat(table, "p2", "Its clock ran out.")
    for command in ("game status", "turns", "server games", "pass"):
        told = await answer(club.aiko.slash(club.channel, command))
        assert "waiting for **Ben**'s open seat" in told, command
    watch = Watch(1, table.id, "follow", club.emma.id, 0, "turn", 0, 0, 0, None)
    assert "waiting for **Ben**'s open seat" in str(digest_text(table, watch))
    assert "- **Ben**'s open seat, whose turn it is. Time: 72 h" in await answer(club.aiko.slash(club.channel, "pace"))
    assert ("Ben" in await posts._wanted(club.bot, table.game)) == (not leaves)


# The story


async def test_the_history_says_who_played_what(club: Club) -> None:
    await club.begin(2)
    await club.aiko.slash(club.channel, "pass")
    await club.ben.slash(club.channel, "pass")
    await hands_over(club, club.ben, club.daichi)
    await club.aiko.slash(club.channel, "pass")
    await club.daichi.slash(club.channel, "pass")
    story = await answer(club.aiko.slash(club.channel, "game history"))
    first, then = story.split("**Daichi** takes over the seat of **Ben**.")
    assert "**Ben** passes" in first
    assert "**Daichi**" not in first
    assert "**Daichi** passes" in then
    await club.restart()
    assert "**Ben** passes" in await answer(club.aiko.slash(club.channel, "game history"))


async def test_clocks_open_a_seat_by_one_function(club: Club) -> None:
    table = await club.begin(2)
    await absent.open_seat(table, "p1", "Its clock ran out.")
    await club.says()
    assert table.tenures.opening("p1") is not None
    assert "Its clock ran out." in text(club.newest("Keep my seat"))
    assert club.aiko.id in club.pinged()


# Absence


async def test_who_is_on_the_server_is_not_gone(club: Club) -> None:
    guild = club.bot.get_guild(club.guild.id)
    assert isinstance(guild, discord.Guild)
    assert not await is_gone(guild, club.daichi.id)
    club.guild.remove_member(club.daichi)
    assert await is_gone(guild, club.daichi.id)


async def test_whoever_left_the_server_is_noticed_when_it_is_their_turn(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(3)
    club.guild.remove_member(club.ben)
    monkeypatch.setattr("bot.rooms.seats.absent.SEEN", -1.0)  # they have not used the bot for long
    await club.aiko.slash(club.channel, "pass")
    await club.bot.sweep()
    await club.bot.sender.idle()
    notice = club.newest("Open the seat")
    assert "**Ben** has left this server" in text(notice)
    before = len(said(club))
    await club.announces(table)
    await club.bot.sweep()
    await club.bot.sender.idle()
    assert sum("has left this server" in one for one in said(club)) == 1
    assert len(said(club)) >= before
    assert "1 more must agree" in await answer(club.chloe.click(notice, label="Open the seat"))
    assert "✓ The seat is open" in await answer(club.aiko.click(notice, label="Open the seat"))
    assert "✓ The seat is yours" in await presses(club, club.daichi, "Take the seat")


async def test_whoever_left_the_server_is_noticed_once_however_long_nobody_opens_the_seat(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(3)
    club.guild.remove_member(club.ben)
    monkeypatch.setattr("bot.rooms.seats.absent.SEEN", -1.0)
    await club.aiko.slash(club.channel, "pass")
    await day.passes(9 * DAY)
    await table.store.outbox.prune(day.hand.now)
    await club.bot.sender.announce(table.game.id)
    await day.tick()
    assert sum("has left this server" in one for one in said(club)) == 1


async def test_whoever_comes_back_and_moves_is_no_longer_said_to_have_left_until_they_leave_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stayed, with *Open the seat*, for good; and that they had left again nobody was told."""
    await club.begin(2)
    monkeypatch.setattr("bot.rooms.seats.absent.SEEN", -1.0)
    ben = UserHandle(club.env, club.env.backend.users[club.ben.id])

    async def leaves_as(aiko_passes: Any) -> None:
        club.guild.remove_member(club.ben)
        await aiko_passes
        await club.bot.sweep()
        await club.bot.sender.idle()
        assert sum("has left this server" in one for one in said(club)) == 1

    await leaves_as(club.aiko.slash(club.channel, "pass"))
    club.members[1] = club.guild.add_member(ben)
    await club.ben.slash(club.channel, "pass")
    assert not any("has left this server" in one for one in said(club))
    await leaves_as(club.aiko.slash(club.channel, "pass"))


async def test_a_question_that_nobody_has_answered_for_a_week_is_asked_again(club: Club, day: Day) -> None:
    table = await club.begin(4)
    host, ben, chloe = club.members[:3]
    await seats.leave(table, ben.id, 901)
    for wanted in (host, host, chloe):
        await absent.propose(table, wanted.id, "p2", day.hand.now + wanted.id)
        await club.says()
        await day.passes(8 * DAY)
    assert sum("would like the bot to play on" in one for one in said(club)) == 3
    assert table.opponent("p2") is None


async def test_whether_somebody_is_still_there_is_asked_by_no_request_that_counts(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    await club.begin(3)
    monkeypatch.setattr("bot.rooms.seats.absent.SEEN", -1.0)
    asked: list[list[int]] = []
    query = discord.Guild.query_members

    async def counted(guild: discord.Guild, **about: Any) -> list[discord.Member]:
        asked.append(about["user_ids"])
        return await query(guild, **about)

    monkeypatch.setattr(discord.Guild, "query_members", counted)
    await club.aiko.slash(club.channel, "pass")
    await club.bot.sweep()
    await club.bot.sender.idle()
    assert asked == [[club.ben.id]]
    assert not [one for one in club.env.http_requests if "/members/" in one.path]
    assert "has left this server" not in "".join(said(club))


async def test_a_connection_that_breaks_while_it_is_asked_who_is_there_is_no_fault_of_the_program(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await club.begin(3)
    monkeypatch.setattr("bot.rooms.seats.absent.SEEN", -1.0)
    monkeypatch.setattr(discord.Guild, "fetch_member", AsyncMock(side_effect=aiohttp.ServerDisconnectedError()))
    club.guild.remove_member(club.ben)
    await club.aiko.slash(club.channel, "pass")
    await club.bot.sweep()
    assert discord.Guild.fetch_member.await_count == 1  # type: ignore[attr-defined]
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []


async def test_discord_is_not_asked_about_somebody_who_has_just_played(club: Club) -> None:
    await club.begin(2)
    club.forget_transcript()
    for _ in range(2):
        for member in club.members[:2]:
            await member.slash(club.channel, "pass")
    assert not [one for one in club.env.http_requests if "/members/" in one.path]


async def test_a_loan_ends_by_itself_and_its_owner_is_told_once(club: Club, hand: Hand) -> None:
    table = await club.begin(3)
    await hands_over(club, club.ben, club.daichi, days=3)
    await club.aiko.slash(club.channel, "pass")
    hand.now = MONDAY_NOON + 3 * DAY - HOUR
    await club.bot.sweep()
    assert table.seats["p2"].user_id == club.daichi.id
    hand.now = MONDAY_NOON + 3 * DAY + HOUR
    before = len(club.pinged())
    for _ in range(2):
        await club.bot.sweep()
        await club.bot.sender.idle()
    assert table.seats["p2"].user_id == club.ben.id
    assert club.pinged()[before:] == [club.ben.id]
    assert f"<@{club.ben.id}>, your turn" in text(club.newest("More…"))
    assert "plays in your seat now" not in await answer(club.ben.slash(club.channel, "pass"))


async def test_an_absent_borrowers_seat_goes_back_to_its_owner(club: Club, hand: Hand) -> None:
    table = await club.begin(3)
    await hands_over(club, club.ben, club.daichi, days=30)
    await club.aiko.slash(club.channel, "pass")
    await Day(club, hand).passes(73 * HOUR)
    await club.aiko.slash(club.channel, "seat open", player=club.daichi)
    assert table.seats["p2"].user_id == club.ben.id
    assert table.tenures.opening("p2") is None


@pytest.mark.parametrize("processes", [1, 2])
async def test_of_two_who_take_a_seat_at_once_one_has_it(club: Club, hand: Hand, processes: int) -> None:
    table = await opened(club, hand)
    other = Table(table.store, table.work, table.game, list(table.seats.values())) if processes == 2 else table
    await other.load()
    emma, fumi = club.members[4:6]
    done = await asyncio.gather(
        seats.take(table, emma.id, "Emma", "p2", 1), seats.take(other, fumi.id, "Fumi", "p2", 2), return_exceptions=True
    )
    assert sum(isinstance(one, TableError) for one in done) == 1
    assert [one.how for one in table.tenures.handovers or other.tenures.handovers] == ["taken"]
    assert sum(user in (emma.id, fumi.id) for user in await holders(table)) == 1


async def test_an_offer_that_was_withdrawn_meanwhile_is_not_accepted(club: Club) -> None:
    table = await club.begin(2)
    await club.ben.slash(club.channel, "seat give", user=club.daichi)
    stale = Table(table.store, table.work, table.game, list(table.seats.values()))
    await stale.load()
    await presses(club, club.ben, "Decline")
    with pytest.raises(TableError, match="things have changed"):
        await seats.answer(stale, 1, club.daichi.id, True, 5)
    assert club.ben.id in await holders(table)


async def test_a_form_that_was_open_when_the_seat_moved_is_refused(club: Club) -> None:
    table = await club.begin(2)
    aiko, daichi = club.aiko, club.daichi
    form = await aiko.click(club.packet(), label="Another bid…")
    await hands_over(club, aiko, daichi)
    before = table.position.seq
    assert "Daichi plays in your seat now" in await answer(aiko.submit_modal(form, {"private": ["C"], "amount": "45"}))
    assert table.position.seq == before


async def test_typing_a_seat_offers_those_that_can_be_taken_or_are_ones_own(club: Club, hand: Hand) -> None:
    await opened(club, hand)

    async def offered(member: Any, command: str) -> list[str]:
        return [one["value"] for one in await member.autocomplete(club.channel, command, "seat", "")]

    assert await offered(club.daichi, "seat take") == ["p2"]
    assert await offered(club.ben, "seat take") == []
    for command in ("seat give", "seat lend"):
        assert await offered(club.ben, command) == ["p2"]
        assert await offered(club.daichi, command) == []


async def test_open_seats_are_listed(club: Club, hand: Hand) -> None:
    await opened(club, hand)
    listing = await answer(club.fumi.slash(club.channel, "seat list"))
    assert "**Ben**: <@" in listing
    assert "**open**" in listing


# Absences, and what is nobody's time


async def waits_for_ben(club: Club, day: Day, players: int = 2) -> Table:
    table = await club.begin(players)
    await day.moves(table, "p1")
    return table


async def opens(club: Club, number: int = 0) -> str:
    """Somebody asks for the seat of the second player to be opened."""
    return await answer(club.members[number].slash(club.channel, "seat open", player=club.ben))


async def test_a_message_shows_by_the_next_comparison_how_many_agree_to_a_newcomer(club: Club) -> None:
    table = await club.begin(4)
    await club.leave(club.ben)
    await club.aiko.slash(club.channel, "seat take")
    asks = table.tenures.proposals[0].id
    await club.bot.compare()
    await club.says()
    assert "do you agree?" in text(club.newest("Wait for others"))
    await seats.answer(table, asks, club.chloe.id, True, 901)
    await club.bot.compare()
    await club.says()
    assert "Agreed: 1 of 2." in text(club.newest("Wait for others"))


async def test_an_announced_absence_keeps_the_seat(club: Club, day: Day) -> None:
    table = await club.begin(2)
    await day.away(club.ben, "", "10 d")
    await day.moves(table, "p1")
    await day.passes(9 * DAY)
    assert "has announced an absence" in await opens(club)
    await day.passes(2 * DAY - HOUR)
    assert "has had 23 h to move" in await opens(club), "since they were greeted"
    await day.passes(2 * HOUR)
    assert "✓ The seat is open" in await opens(club)


async def test_whoever_says_that_they_go_away_after_a_day_keeps_the_seat(club: Club, day: Day) -> None:
    await waits_for_ben(club, day)
    await day.passes(25 * HOUR)
    await day.away(club.ben, "", "3 d")
    assert "has announced an absence" in await opens(club)


async def test_nobody_is_away_for_ever(club: Club, day: Day) -> None:
    table = await club.begin(2)
    await day.away(club.ben, "", "")
    await day.moves(table, "p1")
    await day.passes(14 * DAY - HOUR)
    assert "has announced an absence" in await opens(club)
    await day.passes(2 * HOUR)
    assert "has had 1 h to move" in await opens(club)
    await day.passes(DAY)
    assert "✓ The seat is open" in await opens(club)


async def test_quiet_hours_do_not_count_for_an_open_seat(club: Club, day: Day) -> None:
    await day.zone(club.ben, "UTC")  # quiet from 23:00 to 8:00
    await waits_for_ben(club, day)
    await day.passes(32 * HOUR)
    assert "has had 23 h to move" in await opens(club)
    await day.passes(2 * HOUR)
    assert "✓ The seat is open" in await opens(club)


async def test_an_outage_of_the_bot_is_nobodys_absence(club: Club, day: Day, hand: Hand) -> None:
    await waits_for_ben(club, day, 3)
    hand.now += 74 * HOUR
    assert "has had 0 h to move" in await opens(club), "before anything else was done"
    await day.passes(23 * HOUR)
    assert "has had 23 h to move" in await opens(club)


async def test_a_move_right_after_an_outage_uses_no_time(club: Club, day: Day, hand: Hand) -> None:
    table = await club.begin(2, pace="steady")
    await day.tick()
    hand.now += 50 * HOUR
    await club.aiko.slash(club.channel, "pass")
    clock = await clockwork.clock_of(table.store, table.game.id)
    assert clock.accounts["p1"].bank == 96 * HOUR


async def test_an_open_seat_is_taken_by_nobody_before_its_player_could_be_told(club: Club, day: Day) -> None:
    await waits_for_ben(club, day)
    await day.passes(25 * HOUR)
    await day.zone(club.ben, "Asia/Tokyo")
    await day.passes(2 * HOUR)  # midnight in Tokyo
    assert "✓ The seat is open" in await opens(club)
    told = MONDAY_NOON + 35 * HOUR
    assert f"does not know yet that the seat is open. It can be taken from <t:{told}:f> on" in await answer(
        club.daichi.slash(club.channel, "seat take")
    )
    assert "does not know yet" in await answer(
        club.aiko.click(club.newest("Keep my seat"), label="Let the bot play on")
    )
    await day.passes(9 * HOUR)
    assert "✓ The seat is yours" in await answer(club.daichi.slash(club.channel, "seat take"))


async def test_an_offered_seat_waits_for_whoever_is_away(club: Club, day: Day) -> None:
    table = await club.begin(3)
    await day.away(club.daichi, "", "10 d")
    await answer(club.ben.slash(club.channel, "seat lend", user=club.daichi, days=3))
    await day.passes(11 * DAY)
    assert await presses(club, club.daichi, "Accept")
    assert (await holders(table))[1] == club.daichi.id
