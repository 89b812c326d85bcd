"""Undo, fair: free as long as it concerns nobody else, and a request to those whom it does."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from club import Club, buttons, said, text
from days import Day
from player import answer, hands_over, private_answer, tool

import engine
from bot.core import undoing
from bot.core.errors import STALE, TableError
from bot.core.moves import Note
from bot.core.table_settings import TableSettings
from bot.core.undoing import turnback
from bot.rooms.turn import asking, deals
from engine.actions import Bid, LayTile, Pass
from engine.ids import CHANCE, PlayerId, PrivateId
from records.simulate import choose
from storage import SeatChange

DAY = 86400


async def three_passed(club: Club) -> Any:
    """Aiko bids, Ben and Chloe pass; Daichi is next."""
    table = await club.begin(4)
    await table.submit(Bid(PlayerId("p1"), PrivateId("B"), 35), user=club.aiko.id)
    for number in (1, 2):
        await table.submit(Pass(PlayerId(f"p{number + 1}")), user=club.members[number].id)
    await club.says()
    return table


async def asked(club: Club, table: Any) -> Any:
    """Aiko asks to take back her bid; the public message."""
    question = private_answer(await tool(club.aiko, club.packet(), "Undo"))
    assert "**Ben**, **Chloe** and **Daichi** must agree" in text(question)
    await club.aiko.click(question, label="Ask them")
    message = club.packet()
    assert "**Aiko** asks to take this back" in text(message)
    return message


async def test_ending_a_turn_is_taken_back_under_its_own_name(club: Club) -> None:
    """It was called *Pass*, or *No track* if companies operated by then."""
    table, chance = await club.begin(3), Random(1)
    while not table.moves or not isinstance(table.moves[-1].action, Pass) or table.tell(table.moves[-1:]):
        action = choose(table.title, table.position.state, chance)
        await table.submit(action, user=table.seats[action.by].user_id)
    ended = table.moves[-1:]
    assert table.account(ended) == ["End turn"]
    await table.undo(user=table.seats[ended[0].action.by].user_id)
    assert table.account(ended) == ["End turn"]


@pytest.mark.broad
async def test_nobody_who_is_asked_scrolls_past_pictures_to_answer(club: Club) -> None:
    """There were the map and the market with their legends, two screens of a phone, above *Agree*."""
    table, chance = await club.begin(3), Random(1)
    while not table.moves or not isinstance(table.moves[-1].action, LayTile):
        action = choose(table.title, table.position.state, chance)
        await table.submit(action, user=table.seats[action.by].user_id)
    await club.says()
    member = next(one for one in club.members if one.id != table.seats[table.moves[-1].action.by].user_id)
    question = private_answer(await tool(member, club.packet(), "Undo"))
    await member.click(question, label="Ask them")
    assert " lays tile " in text(club.packet())
    assert not [*question.attachments, *club.packet().attachments]


async def test_ones_own_last_decision_is_free_until_somebody_else_has_acted(club: Club) -> None:
    table = await three_passed(club)
    chloe, ben, aiko = (club.members[number].id for number in (2, 1, 0))
    assert turnback(table, chloe).asked == ()
    assert turnback(table, ben).asked == ("p3", "p4")
    assert turnback(table, aiko).asked == ("p2", "p3", "p4")
    with pytest.raises(TableError, match="must agree"):
        await table.undo(user=ben, seq=2)
    await table.undo(user=chloe)
    assert len(table.moves) == 2
    assert turnback(table, ben).asked == ()


async def test_a_deal_is_taken_back_only_if_whoever_accepted_it_agrees(club: Club) -> None:
    table = await club.begin(3)
    await table.submit(Pass(PlayerId("p1")), user=club.aiko.id)
    assert turnback(table, club.aiko.id).asked == ()
    table.moves[-1] = replace(table.moves[-1], note=Note("offer", 1), user=club.chloe.id)
    assert turnback(table, club.aiko.id).asked == ("p2", "p3")


@pytest.mark.broad
async def test_a_deal_is_taken_back_only_if_the_seat_agrees_that_agreed_whoever_has_it_by_then(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "consent", lambda title, state, action: PlayerId("p3"))
    table = await club.begin(4)
    await deals.make(table, Pass(PlayerId("p1")), PlayerId("p3"), seen=None, interaction=900)
    (offer,) = await table.store.offers.open(table.game.id)
    await deals.answer(table, offer.id, user=club.chloe.id, accept=True, interaction=901)
    assert turnback(table, club.aiko.id).asked == ("p2", "p3")
    await hands_over(club, club.chloe, club.emma)
    assert table.seats["p3"].user_id == club.emma.id
    assert turnback(table, club.aiko.id).asked == ("p2", "p3")
    assert undoing.slip(table, club.aiko.id) is None


async def test_the_host_asks_like_everybody_else(club: Club) -> None:
    table = await three_passed(club)
    host = club.aiko
    assert table.game.host_id == host.id
    with pytest.raises(TableError, match="must agree"):
        await table.undo(user=host.id)
    question = private_answer(await host.slash(club.channel, "game undo", move=3))
    assert "Undo it" not in buttons(question)
    assert "**Chloe** and **Daichi** must agree" in text(question)


async def test_a_message_shows_by_the_next_comparison_who_has_agreed_elsewhere(club: Club) -> None:
    table = await three_passed(club)
    await asked(club, table)
    await asking.agree(table, club.ben.id, 1, 901)
    assert "Agreed" not in text(club.packet())
    await club.bot.compare()
    await club.says()
    assert "Agreed: **Ben**." in text(club.packet())


async def test_the_end_is_not_taken_back_where_another_game_has_begun(club: Club) -> None:
    table = await three_passed(club)
    await table.end_here()
    await club.says()
    question = private_answer(await club.aiko.slash(club.channel, "game undo"))
    await club.goro.slash(club.channel, "game create", title="1889")
    before = len(club.pinged())
    assert "Another game is in this channel" in await answer(club.aiko.click(question, label="Ask them"))
    assert len(club.pinged()) == before
    with pytest.raises(TableError, match="Another game is in this channel"):
        await table.undo(user=club.aiko.id, agreed=("p1", "p2", "p3", "p4"))
    await club.goro.slash(club.channel, "game end")
    assert (await asking.ask(table, club.aiko.id, table.moves[-1].seq, 990)).missing


async def test_whoever_is_not_seated_can_take_nothing_back(club: Club) -> None:
    table = await three_passed(club)
    with pytest.raises(TableError, match="no seat"):
        await table.undo(user=club.goro.id)


async def test_a_request_is_carried_out_when_the_last_has_agreed(club: Club) -> None:
    table = await three_passed(club)
    message = await asked(club, table)
    assert club.pinged()[-3:] == [club.members[number].id for number in (1, 2, 3)]
    await club.ben.click(message, label="Agree")
    message = club.packet()
    assert "Agreed: **Ben**." in text(message)
    assert asking.NOT_ASKED in await answer(club.fumi.click(message, label="Agree"))
    await club.daichi.click(message, label="Agree")
    assert len(table.moves) == 3
    await club.chloe.click(message, label="Agree")
    assert table.moves == []
    (told,) = [one for one in said(club) if one.startswith("↩")]
    assert told.startswith("↩ **Aiko** took back 3 moves, as **Ben**, **Chloe** and **Daichi** agreed:")
    assert "- **Aiko** bids ¥35 on B Mitsubishi Ferry." in told


async def test_nobody_is_asked_where_nobody_needs_to_agree(club: Club) -> None:
    table = await club.begin(2)
    await table.submit(Pass(PlayerId("p1")), user=club.aiko.id)
    with pytest.raises(TableError, match="Nobody needs to agree"):
        await asking.ask(table, club.aiko.id, 1, 900)


async def test_two_who_agree_at_once_take_it_back_once(club: Club) -> None:
    table = await three_passed(club)
    await asking.ask(table, club.aiko.id, 1, 900)
    await asking.agree(table, club.ben.id, 1, 901)
    done = await asyncio.gather(
        *(asking.agree(table, club.members[number].id, 1, 902 + number) for number in (2, 3)), return_exceptions=True
    )
    assert table.moves == []
    assert [entry.kind for entry in table.entries].count("undo") == 1
    assert all(isinstance(one, asking.Request | Exception) for one in done)


async def test_one_who_declines_ends_the_request_in_public(club: Club) -> None:
    table = await three_passed(club)
    message = await asked(club, table)
    await club.chloe.click(message, label="Decline")
    assert any("**Chloe** does not agree to take that back." in one for one in said(club))
    with pytest.raises(TableError, match="no longer stands"):
        await asking.agree(table, club.ben.id, 1, 77)
    assert len(table.moves) == 3


async def test_whoever_declines_in_two_seats_is_named_once(club: Club) -> None:
    table = await three_passed(club)
    await table.store.tenures.open(table.game.id, "p3", held_by=club.chloe.id)
    await table.store.tenures.hand_over(table.game.id, SeatChange("p3", "taken", club.chloe.id, club.ben.id, "Ben 2"))
    table = await club.table()
    await asking.ask(table, club.aiko.id, 1, 900)
    await asking.refuse(table, club.ben.id, 1)
    assert await asking.refused(table, [PlayerId("p1")]) == ["**Ben** has declined your request to take moves back."]


async def test_whoever_asked_can_withdraw(club: Club) -> None:
    table = await three_passed(club)
    message = await asked(club, table)
    await club.aiko.click(message, label="Decline")
    assert any("**Aiko** no longer asks" in one for one in said(club))
    assert len(table.moves) == 3


async def test_a_request_lapses_when_the_game_moves_on(club: Club) -> None:
    table = await three_passed(club)
    message = await asked(club, table)
    await club.daichi.slash(club.channel, "pass")
    assert await answer(club.ben.click(message, label="Agree")) == STALE
    [request] = [one for one in await table.store.messages.of_game(table.game.id) if one.message_id == message.id]
    await club.bot.retire(request)
    assert "*This request has lapsed.*" in said(club)
    assert len(table.moves) > 3


async def test_a_request_lapses_after_a_day(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await three_passed(club)
    await asking.ask(table, club.aiko.id, 1, 900)
    later = table.store.clock() + asking.LASTS + 5
    monkeypatch.setattr(table.store._db, "clock", lambda: later)
    with pytest.raises(TableError, match="older than a day"):
        await asking.agree(table, club.ben.id, 1, 901)
    assert len(table.moves) == 3


async def test_a_request_survives_a_restart(club: Club) -> None:
    await three_passed(club)
    table = await club.table()
    message = await asked(club, table)
    await club.ben.click(message, label="Agree")
    await club.restart()
    for number in (2, 3):
        await club.members[number].click(club.packet(), label="Agree")
    assert (await club.table()).moves == []


async def test_a_draw_is_taken_back_only_if_everybody_agrees(club: Club) -> None:
    table = await three_passed(club)
    chloe = club.chloe.id
    assert turnback(table, chloe).asked == ()
    drawn = replace(table.moves[-1], action=Pass(CHANCE), note=Note("drawn"), user=None)
    table.moves.append(drawn)
    assert turnback(table, chloe).asked == ("p1", "p2", "p4")


async def test_a_table_may_let_any_player_take_back_the_last_move(club: Club) -> None:
    table = await three_passed(club)
    await table.store.change_game(table.game.id, settings=TableSettings(undo="anyone").text())
    await table.read_on()
    aiko = club.aiko.id
    assert undoing.last(table, aiko).asked == ()
    assert turnback(table, aiko, 1).asked == ("p2", "p3", "p4")
    await table.undo(user=aiko)
    assert len(table.moves) == 2


async def test_the_question_says_what_is_taken_back_and_offers_the_last_move_alone(club: Club) -> None:
    table = await three_passed(club)
    question = private_answer(await club.aiko.slash(club.channel, "game undo"))
    assert "- **Aiko** bids ¥35 on B Mitsubishi Ferry.\n- **Ben** passes.\n- **Chloe** passes." in text(question)
    last = private_answer(await club.aiko.click(question, label="Only the last move"))
    assert "bids" not in text(last)
    assert "**Chloe** and **Daichi** must agree" in text(last)
    assert len(table.moves) == 3


async def test_the_history_in_pictures_leads_to_taking_back_from_there(club: Club) -> None:
    await three_passed(club)
    shown = private_answer(await club.ben.slash(club.channel, "game history", move=2))
    question = private_answer(await club.ben.click(shown, label="Take back from here…"))
    assert "- **Ben** passes.\n- **Chloe** passes." in text(question)
    assert "**Chloe** and **Daichi** must agree" in text(question)


@pytest.mark.broad
async def test_a_request_stands_until_those_asked_had_a_day_for_it(club: Club, day: Day) -> None:
    table = await three_passed(club)
    await day.away(club.ben, "", "3 d")
    request = await asking.ask(table, club.aiko.id, 1, 900)
    assert request.until == day.hand.now + 4 * DAY
    await day.passes(4 * DAY - 60)
    assert (await asking.request(table, 1)).until == request.until
    await day.passes(60)
    with pytest.raises(TableError, match="older than a day"):
        await asking.request(table, 1)


async def test_a_request_to_somebody_away_until_they_are_back_waits_for_them(club: Club, day: Day) -> None:
    table = await three_passed(club)
    await day.away(club.ben, "", "")
    assert (await asking.ask(table, club.aiko.id, 1, 900)).until is None
    await day.passes(9 * DAY)
    assert (await asking.request(table, 1)).until is None
    await club.says()
    assert any("The request ends when everybody is back" in one for one in said(club))
