"""Programs as their owner meets them: put together by pressing, told of privately, unseen by everybody else."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest
from club import Club, buttons, payload, selects, text, walk
from days import Day
from player import answer, begin_at, more, passes, private_answer, tool
from simcord.backend.errors import SetupError
from tables import Table as Position
from tables import table as position

from bot.chat.messages import Messages
from bot.chat.press import Press
from bot.core import desks
from bot.core.errors import NO_RESULT, OVER, TableError
from bot.core.orders import MOST, Desk, Halt, Orders
from bot.core.table import Table
from bot.rooms.programs.room import LISTED, NOT_THIS, YOUR_TURN, OpenLists, _begin, programs_screen
from bot.rooms.turn.beside import fitting, is_on, option
from bot.rooms.turn.screen import turn_screen
from bot.words.narration import plain
from bot.words.programs import sentence
from engine.actions import Bid, BidToChoose, BuyTrain, Dividend, LayTile, Pass, PlaceToken, RunTrains
from engine.flow import finish
from engine.ids import BANK, RESERVED, CorpId, HexId, PlayerId, PrivateId, Rank, TileId
from engine.state import TURN_OVER
from programs import AnswerOffers, BidFor, Cause, Operate, PassAhead
from programs.presets import LETS, SEES

CHECKBOXES = 22
"""What Discord calls a group of boxes to tick."""
P1, P2, P3 = (PlayerId(f"p{number}") for number in (1, 2, 3))


async def choose(member: Any, message: Any, code: str) -> Any:
    """Choose what has this code from whichever list has it."""
    custom_id = next(one for one, options in selects(message).items() if any(o["value"] == code for o in options))
    return await member.select(message, [code], custom_id=custom_id)


async def fill_in(club: Club, member: Any, kind: str, about: str = "", **entered: Any) -> Any:
    """Open the form of a kind behind *More…*, and send it with this entered; the answer."""
    form = await choose(member, await more(member, club.packet()), f"program|form|{kind}|{about}")
    return private_answer(await member.submit_modal(form, {**given(form), **entered}))


def given(form: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in (label["component"] for label in form._interaction.modal["components"] if "component" in label):
        chosen = [o["value"] for o in one.get("options", ()) if o.get("default")]
        if one["type"] == CHECKBOXES:
            found[one["custom_id"]] = chosen
        elif chosen or one.get("value"):
            found[one["custom_id"]] = one.get("value") or chosen[0]
    return found


async def switch_on(club: Club, member: Any, name: str) -> Any:
    """Switch on what *More…* offers as it stands."""
    return private_answer(await choose(member, await more(member, club.packet()), f"program|do|{name}"))


async def test_the_form_that_passes_the_next_turn_passes_no_present_one(club: Club) -> None:
    table = await club.begin(3)
    form = await choose(club.ben, await more(club.ben, club.packet()), "program|form|pass|")
    assert "✓ It is on" in text(await fill_in(club, club.ben, "pass", span="once"))
    await club.ben.slash(club.channel, "pass", when="stop")
    await pass_turn(club, table, "p1")
    assert YOUR_TURN in await answer(club.ben.submit_modal(form, {"span": "once"}))
    assert len(table.moves) == 1


async def test_whoever_is_up_is_not_offered_to_pass_their_next_turn(club: Club) -> None:
    """It was the first choice of the form, and refused."""
    await club.begin(3)
    for member, offered in ((club.aiko, ["round", "bought"]), (club.ben, ["once", "round", "bought"])):
        form = await choose(member, await more(member, club.packet()), "program|form|pass|")
        spans = next(
            one["component"]["options"] for one in form._interaction.modal["components"] if one["label"] == "Pass"
        )
        assert [one["value"] for one in spans] == offered


async def pass_turn(club: Club, table: Table, seat: str) -> None:
    await club.who(seat, table).click(club.packet(), label="Pass")


async def test_one_form_makes_a_program_which_moves_in_its_owners_name(club: Club) -> None:
    table = await club.begin(3)
    answer = await fill_in(club, club.ben, "bid", private="B", most="¥1,055", step="10")
    assert "✓ It is on." in text(answer)
    assert "up to ¥1,055, raising by ¥10" in text(answer)
    await pass_turn(club, table, "p1")
    assert [one.action for one in table.moves] == [Pass(P1), Bid(P2, PrivateId("B"), 35)]
    assert (table.moves[-1].user, table.moves[-1].note) == (club.ben.id, None)
    assert "bids ¥35" in text(club.packet())
    assert text(club.packet()).startswith("### <@" + str(club.chloe.id))


@pytest.mark.parametrize(("title", "private", "owner"), [("1860", "FFC", BANK), ("1890", "K4", RESERVED)])
async def test_in_a_stock_round_a_private_is_bought_and_not_bid_for(
    club: Club, title: str, private: str, owner: str
) -> None:
    """There the bank asks a fixed price: “Bid on a private” asked by how much to raise, and when to pass."""
    table = await club.begin(3, title)
    begin_at(table, *position(title, 3).private(**{private: owner}).phase("4").cash(p1=0, p2=900).build())
    offered = await more(club.ben, club.packet())
    assert "Buy a private…" in str(selects(offered))
    form = await choose(club.ben, offered, "program|form|bid|")
    assert [one["component"]["custom_id"] for one in form.modal["components"]] == ["private", "most", "stops"]
    said = await answer(club.ben.submit_modal(form, {"private": [private], "most": "900", "stops": []}))
    price = table.position.lexicon().money(900)
    assert f"Buys {table.position.lexicon().private(PrivateId(private))} for {price} or less" in said
    await passes(table, P1)
    assert table.position.state.owner[PrivateId(private)] == P2


@pytest.mark.parametrize(("title", "deals"), [("1860", {"train"}), ("1888", {"train", "private"})])
async def test_only_offers_that_somebody_can_make_are_answered_by_a_program(
    club: Club, title: str, deals: set[str]
) -> None:
    """In 1860 nobody buys a private of another player, and answers to such offers could be switched on."""
    await club.begin(3, title)
    form = await choose(club.ben, await more(club.ben, club.packet()), "program|form|answer|")
    options = next(one["component"]["options"] for one in form.modal["components"] if one["label"] == "Answer")
    assert {one["value"].split("|")[0] for one in options} == deals
    assert [one["default"] for one in options if one.get("default")] == [True] * (title == "1860"), "the only one"


@pytest.mark.parametrize(
    ("title", "phase", "owned", "deals"),
    [
        ("1890", "3", ["A", "M1", "K1"], {"train|", "private|", "private|A"}),
        ("1889", "4", ["A", "G"], {"train|", "private|", "private|A", "private|G"}),
        ("1889", "5", ["G"], {"train|"}),
    ],
)
async def test_only_what_can_still_change_hands_is_a_private_for_which_offers_are_answered(
    club: Club, title: str, phase: str, owned: list[str], deals: set[str]
) -> None:
    """Minors and late privates of 1890 were listed, and in 1889 the ferry that companies cannot buy any more."""
    table = await club.begin(4, title)
    begin_at(table, *position(title, 4).stock(turn=2).phase(phase).private(**dict.fromkeys(owned, P2)).build())
    form = await choose(club.ben, await more(club.ben, club.packet()), "program|form|answer|")
    options = next(one["component"]["options"] for one in form.modal["components"] if one["label"] == "Answer")
    assert {one["value"] for one in options} == deals


async def test_what_fits_is_switched_on_from_the_turns_message_by_one_press(club: Club) -> None:
    table = await club.begin(3)
    await club.ben.click(club.packet(), label="Pass this round")  # it is not their turn yet
    answer = private_answer(await club.aiko.click(club.packet(), label="Pass this round"))
    assert "Passes for the rest" in text(answer)
    assert [one.action for one in table.moves] == [Pass(P1), Pass(P2)]
    kept = [one.program for seat in (P1, P2) for one in table.orders.desk(seat).kept]
    assert {one.span for one in kept if isinstance(one, PassAhead)} == {"round"}
    assert "Pass this round" not in str(selects(answer)), "it is on"
    assert "Pass till a sale" not in buttons(club.packet())  # nobody can sell in an opening
    await club.aiko.click(club.packet(), label="Pass this round")
    assert len(table.orders.desk(P1).kept) == 1


async def test_of_several_ways_to_pass_on_the_message_offers_the_most_careful(club: Club) -> None:
    table = await club.begin(3)
    laid = position("1889", 3).par("AR", 80).shares("AR", president="p2", p2=4, p1=2).phase("2").set(turn=2)
    begin_at(table, *laid.cash(p1=500).build())
    offered = [one.label for row in (await turn_screen(table)).rows if isinstance(row, tuple) for one in row]
    assert [one for one in offered if one.startswith("Pass ")] == ["Pass till a sale"]
    assert "Pass this round" in str(selects(await more(club.aiko, club.packet())))


async def test_passing_where_nothing_can_be_bought_leaves_a_first_turn_that_is_yet_to_come(club: Club) -> None:
    """It passed that, too, where it was switched on before it."""
    table = await club.begin(3)
    laid = position("1889", 3).par("AR", 80).shares("AR", president="p2", p2=4, p1=2, p3=1).phase("2").set(turn=2)
    begin_at(table, *laid.cash(p1=500, p2=0).build())
    await club.announces(table)
    answer = await switch_on(club, club.ben, "idle")
    assert "do|idle" not in str(selects(answer))
    await pass_turn(club, table, "p1")
    assert [one.action for one in table.moves] == [Pass(P1)]
    assert table.position.up == (P2,)
    await club.ben.click(club.packet(), label="Pass")
    assert not fitting(table, P2)["idle"].fresh  # type: ignore[attr-defined]


async def test_near_the_end_the_message_offers_only_to_run_in_place_of_asking_for_track(club: Club) -> None:
    table = await running(club)
    assert "Run and pay every turn" in buttons(club.packet())
    state = table.position.state
    state.broken, state.or_count = True, state.or_number + 1
    await club.announces(table)
    assert "Only run from now on" in buttons(club.packet())
    assert "Run and pay every turn" not in buttons(club.packet())
    assert "Run and pay every turn" in str(selects(await more(club.aiko, club.packet())))


@pytest.mark.parametrize(("label", "word"), [("Pass this round", "do|round"), ("More…", "more")])
async def test_somebody_without_a_seat_is_offered_and_gets_no_program(club: Club, label: str, word: str) -> None:
    table = await club.begin(3)
    answer = private_answer(await club.goro.click(club.packet(), label=label))
    assert "Do it for me" not in str(selects(answer))
    assert not any(desk.kept for desk in table.orders.desks.values()), word


async def test_while_the_right_to_choose_is_bid_for_there_is_no_form_for_one_private(club: Club) -> None:
    await club.begin(3, title="1860")
    forms = [value for one in selects(await more(club.aiko, club.packet())).values() for value in one]
    offered = [one["value"] for one in forms]
    assert "program|form|right|" in offered
    assert "program|form|bid|" not in offered


async def test_the_right_to_choose_can_be_bid_for_by_a_program_and_by_hand(club: Club) -> None:
    table = await club.begin(3, title="1860")
    shown = await fill_in(club, club.ben, "right", most="60", step="10")
    assert "Bids up to £60 for the right to choose, raising by £10." in text(shown)
    form = await club.aiko.click(club.packet(), label="Another bid…")
    assert form.modal["title"] == "Bid for the right to choose"
    await club.aiko.submit_modal(form, {"amount": "35"})
    assert [one.action.amount for one in table.moves if isinstance(one.action, BidToChoose)] == [35, 45]


async def test_what_nobody_chose_is_not_filled_in(club: Club) -> None:
    """A purchase names no company, goal or price, and a form that lacks them is not sent."""
    table = await club.begin(3)
    begun = position("1889", 3).par("AR", 80).shares("AR", president="p2", p2=5).par("KO", 80).shares("KO", p1=2)
    begin_at(table, *begun.build())
    message = await more(club.aiko, club.packet())
    form = await choose(club.aiko, message, "program|form|buy|")
    assert set(given(form)) == {"source", "stops"}
    with pytest.raises(SetupError, match="corp"):
        await club.aiko.submit_modal(form, given(form))


async def test_only_companies_with_a_share_left_are_offered_to_buy_shares_of(club: Club) -> None:
    table = await club.begin(2)
    sold_out = position("1889", 2).par("AR", 80).shares("AR", p1=6, p2=4)
    begin_at(table, *sold_out.stock().build())
    kinds = [one["value"] for options in selects(await more(club.aiko, club.packet())).values() for one in options]
    assert "program|form|sell|" in kinds
    assert "program|form|buy|" not in kinds
    begin_at(table, *sold_out.par("KO", 80).shares("KO", p1=6, pool=4).par("SR", 80).shares("SR", p2=5).stock().build())
    form: Any = await choose(club.aiko, await more(club.aiko, club.packet()), "program|form|buy|")
    company = form.modal["components"][0]["component"]
    assert [one["value"] for one in company["options"]] == ["KO", "SR"]


async def test_a_form_that_is_refused_opens_again_as_it_was_and_says_why(club: Club) -> None:
    await club.begin(3)
    wrong = await fill_in(club, club.ben, "bid", private="B", most="-3")
    assert "“-3” is not a whole number" in text(wrong)
    form = await club.ben.click(wrong, label="Correct it…")
    assert (given(form)["most"], given(form)["private"]) == ("-3", "B")
    assert {one["label"]: one.get("description", "")[:8] for one in form._interaction.modal["components"]} == {
        "Private": "", "At most": "“-3” is ", "Raise by at least": "Left emp", "Otherwise": "", "Stop for": "",
    }  # fmt: skip
    assert "Bids on B" in await answer(club.ben.submit_modal(form, {**given(form), "most": "40"}))
    wrong = await fill_in(club, club.ben, "bid", private="B", most="40", step="x")
    form = await club.ben.click(wrong, label="Correct it…")
    assert "“x”" in form._interaction.modal["components"][2]["description"]
    assert "How much may it cost" in text(await fill_in(club, club.ben, "bid", private="B", most="0", step=""))
    assert "At what price" in text(await fill_in(club, club.ben, "answer", deal="private|", agrees="yes", price=""))


async def test_each_stop_is_switched_off_by_itself(club: Club) -> None:
    table = await club.begin(3)
    stops = [one for one in PassAhead.watches if one != "company"]
    answer = await fill_in(club, club.ben, "pass", span="round", stops=stops)
    assert "a new company" not in text(answer)
    (kept,) = table.orders.desk("p2").kept
    assert kept.program == PassAhead(off=("company",))
    await club.ben.click(answer, label="Off")
    assert table.orders.desk("p2").kept == ()


async def test_a_program_switched_on_in_ones_turn_moves_at_once(club: Club) -> None:
    table = await club.begin(3)
    await fill_in(club, club.aiko, "bid", private="B", most="35")
    assert [one.action.by for one in table.moves] == ["p1"]
    assert table.position.up == ("p2",)


async def test_what_stops_a_program_is_told_in_the_hand_until_it_is_read(club: Club) -> None:
    table = await club.begin(3)
    await desks.enable(table, P2, BidFor(private=PrivateId("B"), most=40))
    await pass_turn(club, table, "p1")
    await table.submit(Bid(P3, PrivateId("B"), 45), user=club.chloe.id)
    await table.submit(Pass(P1), user=club.aiko.id)
    assert table.position.up == ("p2",)
    hand = private_answer(await club.ben.slash(club.channel, "my hand"))
    assert "now costs ¥50, more than your limit" in text(hand)
    assert "now costs" in text(private_answer(await tool(club.ben, club.packet(), "What happened?")))
    assert "more than your limit" not in await answer(club.aiko.slash(club.channel, "my hand"))
    message = private_answer(await club.ben.slash(club.channel, "my programs"))
    assert "more than your limit" not in await answer(club.ben.click(message, label="Seen"))


def why(table: Table) -> str:
    """What the second player reads of programs that stopped."""
    return "\n".join(desks.stop_lines(table.orders.desk(P2), table.position.lexicon()))


async def test_an_undo_takes_a_programs_move_back_and_switches_it_off(club: Club) -> None:
    table = await club.begin(3)
    await desks.enable(table, P2, PassAhead())
    await pass_turn(club, table, "p1")
    assert [one.action.by for one in table.moves] == ["p1", "p2"]
    await club.undo(club.ben)
    assert [one.action.by for one in table.moves] == ["p1"]
    assert table.orders.desk("p2").kept == ()
    assert "taken back" in why(table)
    assert table.position.up == ("p2",)


async def test_whoever_moves_by_hand_instead_stops_the_program(club: Club, day: Day) -> None:
    table = await club.begin(3)
    await desks.enable(table, P2, PassAhead())
    await desks.change(table, P2, lambda desk: desk.delayed(10, 10))
    await pass_turn(club, table, "p1")
    await table.submit(Bid(P2, PrivateId("B"), 35), user=club.ben.id)
    assert table.orders.desk("p2").kept == ()
    assert "You moved by hand" in why(table)


async def test_passing_that_ends_as_it_was_meant_to_is_nothing_to_be_told(club: Club) -> None:
    table = await club.begin(3)
    await desks.enable(table, P2, PassAhead(span="once"))
    await pass_turn(club, table, "p1")
    assert table.orders.desk("p2").kept == ()
    assert why(table) == ""


async def test_passing_that_ends_while_the_round_goes_on_says_why(club: Club) -> None:
    """Everybody passed, so privates got cheaper: whoever passes this round was asked again without a word."""
    await club.begin(2)
    await club.aiko.click(club.packet(), label="Pass this round")
    await club.ben.click(club.packet(), label="Pass")
    assert "Everybody has passed, and the auction goes on." in text(await more(club.aiko, club.packet()))


async def test_a_delay_lets_the_turn_come_as_always_and_then_moves(club: Club, day: Day) -> None:
    table = await club.begin(3)
    message = private_answer(await club.ben.slash(club.channel, "my programs"))
    form = await club.ben.click(message, label="Delay…")
    assert "between 10 and 20 minutes" in await answer(club.ben.submit_modal(form, {"first": "10", "last": "20"}))
    await desks.enable(table, P2, PassAhead())
    await pass_turn(club, table, "p1")
    assert table.position.up == ("p2",)
    assert club.pinged()[-1] == club.ben.id
    await day.passes(9 * 60)
    assert table.position.up == ("p2",)
    await day.passes(12 * 60)
    assert [one.action.by for one in table.moves] == ["p1", "p2"]


async def test_a_delay_whose_bounds_are_the_same_is_said_as_one_number(club: Club) -> None:
    table = await club.begin(3)
    for minutes, said in ((5, "They wait 5 minutes before"), (1, "They wait 1 minute before")):
        await desks.change(table, P1, lambda desk, span=minutes: desk.delayed(span, span))  # type: ignore[misc]
        assert said in programs_screen(table, P1).text


async def test_a_delay_that_makes_no_sense_is_refused_and_can_be_corrected(club: Club) -> None:
    await club.begin(2)
    form = await club.ben.click(private_answer(await club.ben.slash(club.channel, "my programs")), label="Delay…")
    wrong = private_answer(await club.ben.submit_modal(form, {"first": "30", "last": "20"}))
    assert "the shorter bound first" in text(wrong)
    assert given(await club.ben.click(wrong, label="Correct it…")) == {"first": "30", "last": "20"}


async def test_a_delay_with_one_bound_is_that_long(club: Club) -> None:
    """Whoever wrote 30 as the shorter bound alone was told to write that first."""
    await club.begin(2)
    form = await club.ben.click(private_answer(await club.ben.slash(club.channel, "my programs")), label="Delay…")
    assert given(form) == {}
    assert "They wait 30 minutes before" in await answer(club.ben.submit_modal(form, {"first": "30"}))


async def test_whoever_wants_direct_messages_is_told_there_and_never_in_the_channel(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(3)
    await day.choose(club.ben, "both")
    await day.choose(club.chloe, "both")
    for seat in (P2, P3):
        await desks.enable(table, seat, BidFor(private=PrivateId("C"), most=45))
    await pass_turn(club, table, "p1")
    await day.tick()
    said = "now costs ¥50, more than your limit."
    found = [one for one in day.direct(club.ben) + day.direct(club.chloe) if said in one]
    assert len(found) == 1
    assert found[0].startswith("A program of yours has stopped:\n- ")
    assert not found[0].endswith("*.")
    assert not any("limit" in one or "program" in one.casefold() for one in day.said())


async def test_a_program_that_has_done_what_it_was_for_rings_nobody(club: Club, day: Day) -> None:
    table = await club.begin(3)
    await day.choose(club.ben, "both")
    await desks.enable(table, P2, PassAhead(span="once"))
    await pass_turn(club, table, "p1")
    await day.tick()
    assert table.orders.desk("p2").kept == ()
    assert not [one for one in day.direct(club.ben) if "It was:" in one]


async def test_closed_direct_messages_never_lead_what_is_private_into_the_channel(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(3)
    await day.choose(club.ben, "dm")
    monkeypatch.setattr(Messages, "send_direct", AsyncMock(return_value=None))
    await desks.enable(table, P2, BidFor(private=PrivateId("C"), most=40))
    await table.submit(Bid(P1, PrivateId("C"), 45), user=club.aiko.id)
    await club.says()
    await day.tick()
    assert "more than your limit" in why(table)
    assert not any("limit" in one for one in day.said())


async def test_a_seat_has_so_many_programs_at_most(club: Club) -> None:
    table = await club.begin(2)
    one = AnswerOffers(deal="private", agrees=False)
    for number in range(MOST):
        await desks.enable(table, P2, replace(one, price=number))
    with pytest.raises(TableError, match="switch one off first"):
        await desks.enable(table, P2, one)
    await desks.enable(table, P2, one, instead=lambda other: other == one)
    message = private_answer(await club.ben.slash(club.channel, "my programs"))
    assert "program|form|pass" not in str(selects(message))
    await tool(club.ben, message, "My hand")


@pytest.mark.parametrize("count", [MOST, MOST - 1])
async def test_programs_are_listed_as_far_as_a_message_has_room(club: Club, count: int) -> None:
    """With eleven on, one that had stopped and one to play by hand, the list could not be shown, nor anything ended."""
    table = await club.begin(3)
    laid = position("1889", 3).operating("AR", "track").par("AR", 80).shares("AR", president="p1", p1=5)
    begin_at(table, *laid.phase("3").trains("AR", "2").build())
    await desks.enable(table, P1, Operate(corp=CorpId("AR"), track="ask"))
    for number in range(count - 1):
        await desks.enable(table, P1, AnswerOffers(deal="private", agrees=False, price=number))
    halt = Halt(None, Cause("said", text="It stopped."))
    await desks.change(table, P1, lambda desk: desk.telling(halt))
    shown = private_answer(await club.aiko.slash(club.channel, "my programs"))
    offs = [one["custom_id"] for one in walk(payload(shown)) if one.get("label") == "Off"]
    assert len(offs) == LISTED
    assert f"and {count - LISTED} more" in text(shown)
    assert {"Seen", "Delay…", "My hand", "Play AR by hand this turn"} <= set(buttons(shown))
    left = private_answer(await club.aiko.click(shown, custom_id=offs[-1]))
    assert len(table.orders.desk("p1").kept) == count - 1
    assert "Off" in buttons(left)


@pytest.mark.core
async def test_a_program_that_would_stop_at_once_is_not_switched_on(club: Club) -> None:
    table = await club.begin(3)
    answer = await fill_in(club, club.aiko, "bid", private="B", most="7")
    assert "It would stop at once" in text(answer)
    assert "now costs ¥35, more than your limit" in text(answer)
    assert table.orders.desk("p1").kept == ()


async def test_no_program_is_switched_on_in_a_game_that_is_over(club: Club) -> None:
    table = await club.begin(3)
    await table.end_here()
    with pytest.raises(TableError, match="over"):
        await desks.enable(table, P2, PassAhead())
    assert table.orders.desk("p2").kept == ()


async def test_no_form_is_filled_in_for_a_game_that_is_over(club: Club) -> None:
    """It was opened, and refused with a way to correct it."""
    table = await club.begin(3)
    listed = await more(club.ben, club.packet())
    form = await choose(club.ben, await more(club.ben, club.packet()), "program|form|pass|")
    await table.end_here()
    refused = private_answer(await club.ben.submit_modal(form, {**given(form), "span": "round"}))
    assert (text(refused), buttons(refused)) == (OVER, {})
    assert await answer(choose(club.ben, listed, "program|form|pass|")) == OVER
    shown = private_answer(await club.ben.slash(club.channel, "my programs"))
    assert set(buttons(shown)) == {"My hand"}


async def test_somebody_without_a_seat_has_no_programs(club: Club) -> None:
    await club.begin(2)
    assert "no seat" in await answer(club.goro.slash(club.channel, "my programs"))


async def test_programs_and_open_forms_outlast_a_restart(club: Club) -> None:
    table = await club.begin(3)
    await desks.enable(table, P2, PassAhead())
    form = await choose(club.ben, await more(club.ben, club.packet()), "program|form|answer|")
    await club.restart()
    assert "Declines all" in await answer(club.ben.submit_modal(form, {"deal": "private|", "agrees": "no"}))
    await pass_turn(club, await club.table(), "p1")
    assert [one.action.by for one in (await club.table()).moves] == ["p1", "p2"]


async def test_an_old_list_switches_off_no_program_made_after_a_restart(club: Club) -> None:
    table = await club.begin(3)
    await desks.enable(table, P2, PassAhead())
    old = private_answer(await club.ben.slash(club.channel, "my programs"))
    await desks.change(table, P2, lambda desk: desk.without(1))
    await club.restart()
    table = await club.table()
    await desks.enable(table, P2, PassAhead(span="once"))
    await club.ben.click(old, label="Off")
    assert [one.program for one in table.orders.desk(P2).kept] == [PassAhead(span="once")]


def test_after_an_end_that_is_taken_back_no_number_is_given_anew() -> None:
    title, state = position("1889", 3).stock().build()
    over = replace(state, over="bank")
    orders = Orders({P2: Desk().having(PassAhead())})
    orders.moved(title, state, Pass(P1), over, 1)
    assert not orders.desk(P2).kept
    assert [one.number for one in orders.desk(P2).having(PassAhead()).kept] == [2]


async def test_passing_ahead_from_earlier_versions_goes_on(club: Club) -> None:
    table = await club.begin(3)
    await club.bot.store._db.write(
        lambda tx: tx.run(
            "INSERT INTO standing_orders (game, seat, body, set_at) VALUES (?, 'p2', ?, 0)",
            *(table.game.id, '{"pass": "once"}'),
        )
    )
    await table.load()
    await pass_turn(club, table, "p1")
    assert [one.action.by for one in table.moves] == ["p1", "p2"]
    assert table.orders.desk("p2").kept == ()


def to_sell() -> Position:
    """A position in which Ann's company may buy a train of Ben's."""
    laid = position("1889", 3).operating("AR", "trains").par("AR", 80).cash(AR=500).phase("3").trains("AR", "2")
    return laid.par("IR", 90).shares("IR", {"p2": 5}).trains("IR", "3", "3")


async def offered(club: Club, day: Day, agrees: bool, price: int) -> tuple[Table, Any]:
    """Ann's company wants Ben's train, and Ben has a program for that; the table, and the offer's message."""
    table = await club.begin(3)
    begin_at(table, *to_sell().build())
    await desks.enable(table, P2, AnswerOffers(deal="train", agrees=agrees, price=price))
    await club.aiko.slash(club.channel, "train buy", train="BuyTrain|AR|3|IR|150|", price=150)
    await club.bot.sender.idle()
    message = next(one for one in day.messages() if "Accept" in buttons(one))
    return table, message


@pytest.mark.parametrize(("agrees", "price", "word"), [(True, 150, "Accepted"), (False, 151, "Declined")])
async def test_an_offer_is_answered_in_its_message_as_if_by_hand(
    club: Club, day: Day, agrees: bool, price: int, word: str
) -> None:
    table, message = await offered(club, day, agrees, price)
    assert "wants **AR** to buy a 3-train" in text(message)
    await day.tick()
    (after,) = [one for one in day.messages() if one.id == message.id]
    assert f"*{word}.*" in text(after)
    assert not buttons(after)
    assert (len(table.position.state.trains["AR"]), len(table.moves)) == ((2, 1) if agrees else (1, 0))
    if agrees:
        assert (table.moves[0].user, str(table.moves[0].note)) == (club.ben.id, "offer 1 accepted")
    else:
        assert any("declines the offer" in one for one in day.said())


async def test_no_program_answers_an_offer_of_a_game_that_has_ended_without_a_result(club: Club, day: Day) -> None:
    table, message = await offered(club, day, False, 151)
    await table.store.set_status(table.id, "abandoned", expected="running")
    await day.tick()
    assert not any("declines the offer" in one for one in day.said())
    assert await answer(club.ben.click(message, label="Decline")) == NO_RESULT


@pytest.mark.parametrize(("agrees", "price"), [(True, 151), (False, 150)])
async def test_an_offer_that_no_program_is_for_waits_for_its_owner(
    club: Club, day: Day, agrees: bool, price: int
) -> None:
    table, message = await offered(club, day, agrees, price)
    await day.tick()
    (after,) = [one for one in day.messages() if one.id == message.id]
    assert "Accept" in buttons(after)
    assert table.moves == []


async def running(club: Club, corp: str = "AR", *, shown: bool = True, alone: bool = False) -> Table:
    """A game in which Ann runs two companies, the turn being one's; `alone`: the others are opponents."""
    table = await club.begin(1, opponents=2) if alone else await club.begin(3)
    laid = position("1889", 3).par("AR", 80).par("IR", 80).shares("AR", president="p1", p1=5)
    laid = laid.shares("IR", president="p1", p1=5).operating(corp, "track", then=("AR",) if corp == "IR" else ())
    begin_at(table, *laid.cash(**{corp: 500}).trains(corp, "2").build())
    if shown:
        await club.announces(table)
    return table


async def test_a_company_runs_its_turn_in_one_message(club: Club, day: Day) -> None:
    table = await running(club, shown=False)
    before = len(day.messages())
    answer = await fill_in(club, club.aiko, "operate", "AR", rounds="1", trains="none", heeds=[])
    assert "lays nothing, places no token, runs the best routes, pays out and buys no train" in text(answer)
    assert {type(one.action).__name__ for one in table.moves} <= {"Pass", "RunTrains", "Dividend"}
    assert table.position.state.operating != "AR"
    await club.bot.sender.idle()
    assert len(day.messages()) == before + 1


@pytest.mark.core
async def test_the_company_whose_turn_it_is_is_offered_first(club: Club) -> None:
    await running(club, "IR")
    message = await more(club.aiko, club.packet())
    (codes,) = ([o["value"] for o in options] for one, options in selects(message).items() if ":new" in one)
    assert [one for one in codes if "operate" in one] == ["program|form|operate|IR", "program|form|operate|AR"]


async def test_whoever_runs_a_company_decides_on_track_and_the_rest_is_done(club: Club) -> None:
    table = await running(club)
    answer = await fill_in(club, club.aiko, "operate", "AR")
    assert "It stops for another player's sale, a change of presidency" in text(answer)
    await club.aiko.click(answer, label="Off")
    answer = private_answer(await club.aiko.click(club.packet(), label="Run and pay every turn"))
    assert "It is on. Lay a tile or press *No track*" in text(answer)
    assert "Its button stays in the channel, as nobody else sees what you have on." in text(answer)
    assert "Run and pay every turn" not in str(selects(answer))
    assert "Run and pay every turn" in buttons(club.packet())
    assert "You decide on track" in text(answer)
    assert table.moves == []
    await club.aiko.click(club.packet(), label="No track")
    assert {type(one.action).__name__ for one in table.moves} <= {"Pass", "RunTrains", "Dividend"}
    assert "BuyTrain" in {type(one).__name__ for one in await table.position.actions(P1)}  # it could pay for one


async def test_whoever_plays_alone_is_not_offered_in_the_message_what_is_on(club: Club) -> None:
    table = await running(club, alone=True)
    ann, label = club.aiko, "Run and pay every turn"
    answer = private_answer(await ann.click(club.packet(), label=label))
    await club.bot.sender.idle()
    assert "nobody else sees" not in text(answer)
    assert label not in buttons(club.packet())
    assert "Withhold once" in buttons(club.packet())
    await ann.click(answer, label="Off")
    await club.bot.sender.idle()
    assert label in buttons(club.packet())
    assert table.moves == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("step", "done"),
    [
        ("track", [Pass]),  # it has no route
        ("token", [Pass, RunTrains, Dividend]),
        ("run", [RunTrains, Dividend]),
        ("trains", []),
    ],
)
async def test_a_company_runs_and_pays_at_once_in_the_midst_of_its_turn(
    club: Club, step: str, done: list[type]
) -> None:
    """What is left of the step, a token or more track, is declined; trains are asked about."""
    corp, title = ("IWNJ", "1860") if step == "track" else ("IR", "1889")
    laid = position(title, 3).par(corp, 74 if step == "track" else 80).shares(corp, president="p1", p1=5)
    laid = laid.operating(corp, step).cash(**{corp: 900}).trains(corp, "2+1" if step == "track" else "2")
    if step != "track":
        laid = laid.tile("E2", "6", 5).tile("F3", "57", 2).tile("G4", "6", 2)
    table = await club.begin(3, title)
    begin_at(table, *laid.build())
    await club.announces(table)
    if step == "track":
        await table.submit(LayTile(P1, CorpId(corp), HexId("H8"), TileId("741"), 2), user=club.aiko.id)
        await club.says()
    places = {one.stop for one in await table.position.actions(P1) if isinstance(one, PlaceToken)}
    before = len(table.moves)
    answer = private_answer(await club.aiko.click(club.packet(), label="Run and pay every turn"))
    assert [type(one.action) for one in table.moves[before:]] == done
    assert (table.position.state.operating, table.position.decision.step) == (corp, "trains")
    assert "The trains of this turn are yours to decide" in text(answer)
    (kept,) = table.orders.desk(P1).kept
    assert isinstance(kept.program, Operate)
    assert set(kept.program.declined) == places
    assert bool(places) is (step == "token")


async def test_of_two_presses_at_once_the_second_declines_nothing_where_the_first_has_led(club: Club) -> None:
    """It passed a token, after the first had declined more track."""
    laid = position("1889", 3).par("IR", 80).shares("IR", president="p1", p1=5).operating("IR", "token")
    laid = laid.cash(IR=900).trains("IR", "2").tile("E2", "6", 5).tile("F3", "57", 2).tile("G4", "6", 2)
    table = await club.begin(3)
    begin_at(table, *laid.build())
    program = fitting(table, P1)["run|IR"]
    second = SimpleNamespace(bot=club.bot, user=club.aiko.id, seq=table.position.seq + 1)
    await _begin(cast(Press, second), table, P1, program)
    assert table.moves == []
    second.seq = table.position.seq
    await _begin(cast(Press, second), table, P1, program)
    assert len(table.moves) == 1


async def test_one_turn_withholds_beside_what_runs_and_pays_every_turn(club: Club) -> None:
    table = await running(club)
    offered = [one for one in buttons(club.packet()) if one in ("Withhold once", "Run and pay every turn")]
    assert offered == ["Withhold once", "Run and pay every turn"]  # a phone's row holds two with the shortest first
    await club.aiko.click(club.packet(), label="Run and pay every turn")
    answer = private_answer(await club.aiko.click(club.packet(), label="Withhold once"))
    assert "The next turn of **AR**: runs the best routes and withholds." in text(answer)
    await club.aiko.click(club.packet(), label="Withhold once")
    once, lasting = (one.program for one in table.orders.desk("p1").kept)
    assert isinstance(once, Operate)
    assert isinstance(lasting, Operate)
    assert [(one.rounds, one.pays) for one in (once, lasting)] == [(1, "withhold"), (0, "pay")]
    await club.aiko.click(club.packet(), label="No track")
    await club.aiko.click(club.packet(), label="End the turn")
    assert [one.program for one in table.orders.desk("p1").kept] == [lasting]


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("bid", {"private": "B", "most": "100"}, {"private": "B", "most": "40"}),
        ("sell", {"corp": ["AR"], "down_to": "0", "least": "70"}, {"corp": ["AR"], "down_to": "1", "least": "90"}),
        ("buy", {"corp": ["AR"], "until": "all", "most": "90"}, {"corp": ["AR"], "until": "1", "most": "70"}),
        (
            "answer",
            {"deal": "train|", "agrees": "yes", "price": "9"},
            {"deal": "train|", "agrees": "yes", "price": "8"},
        ),
    ],
)
async def test_a_program_takes_the_place_of_one_for_the_same(
    club: Club, kind: str, first: dict[str, Any], second: dict[str, Any]
) -> None:
    """The earlier one went on, so that a private was bid for up to the old limit."""
    table = await club.begin(3)
    if kind != "bid":
        laid = position("1889", 3).par("AR", 80).shares("AR", president="p1", p1=2, p2=2).phase("2").set(turn=2)
        begin_at(table, *laid.private(A="p3").build())
    ben, before = club.ben, tuple[int, ...]()
    for entered in (first, second):
        assert "✓ It is on." in text(await fill_in(club, ben, kind, **entered))
        (kept,) = table.orders.desk(P2).kept
        assert kept.number not in before
        before = (kept.number,)


async def test_of_programs_for_different_things_each_stays_on(club: Club) -> None:
    table = await club.begin(3)
    for kind, entered in (
        ("bid", {"private": "B", "most": "100"}),
        ("bid", {"private": "C", "most": "100"}),
        ("answer", {"deal": "train|", "agrees": "yes", "price": "99"}),
        ("answer", {"deal": "train|", "agrees": "no", "price": "50"}),
        ("answer", {"deal": "private|", "agrees": "no", "price": "50"}),
    ):
        await fill_in(club, club.ben, kind, **entered)
    assert len(table.orders.desk(P2).kept) == 5


async def test_what_passes_this_round_leaves_on_what_passes_wherever_nothing_can_be_bought(club: Club) -> None:
    """`/pass` switched it off, and the button of the same name did not."""
    table = await club.begin(3)
    ben, idle = club.ben, PassAhead(span="idle")
    await desks.enable(table, P2, idle)
    await ben.slash(club.channel, "pass", when="round")
    assert [one.program for one in table.orders.desk(P2).kept] == [idle, PassAhead()]
    await ben.slash(club.channel, "pass", when="stop")
    assert not table.orders.desk(P2).kept


async def test_what_runs_one_company_and_what_runs_all_take_each_others_place(club: Club) -> None:
    """The earlier one went on: nothing was asked about track, or was although nothing was to be laid any more."""
    table = await running(club)
    ann, runs = club.aiko, fitting(table, P1)["run|AR"]
    once = Operate(corp=CorpId("IR"), pays="withhold")
    await desks.enable(table, P1, once)
    await desks.enable(table, P1, Operate(rounds=0, off=LETS))
    await switch_on(club, ann, "run|AR")
    assert [one.program for one in table.orders.desk(P1).kept] == [once, runs]
    assert table.moves == []
    await switch_on(club, ann, "rest")
    assert [one.program for one in table.orders.desk(P1).kept] == [once, Operate(rounds=0, off=LETS)]


async def test_what_answers_offers_for_one_thing_is_asked_before_what_answers_all(club: Club) -> None:
    """Trains were sold that their owner had said not to sell."""
    table = await club.begin(3)
    begin_at(table, *to_sell().build())
    for of, agrees, price in (("", True, 1), ("IR", False, 0)):
        await desks.enable(table, P2, AnswerOffers(deal="train", of=of, agrees=agrees, price=price))
    offer = BuyTrain(P1, CorpId("AR"), Rank("3"), CorpId("IR"), 150)
    assert table.orders.answer(table.title, table.position.state, P2, offer) is False
    await desks.change(table, P2, lambda desk: desk.without(2))
    assert table.orders.answer(table.title, table.position.state, P2, offer) is True


async def test_one_turn_that_withholds_is_in_all_else_as_what_runs_every_turn(club: Club) -> None:
    table = await running(club)
    lasting = Operate(corp=CorpId("AR"), rounds=0, track="ask", token="none", trains="none")
    await desks.enable(table, P1, lasting)
    await club.aiko.click(club.packet(), label="Withhold once")
    assert [one.program for one in table.orders.desk(P1).kept] == [lasting.withholding(), lasting]


async def test_what_is_offered_for_one_turn_is_said_to_do_what_it_then_does(club: Club) -> None:
    """It said that tokens and trains would be asked about, and passed them."""
    table = await running(club)
    await desks.enable(table, P1, Operate(corp=CorpId("AR"), rounds=0, track="ask"))
    offered = option(table, "withhold|AR", fitting(table, P1)["withhold|AR"])
    await club.aiko.click(club.packet(), label="Withhold once")
    once = table.orders.desk(P1).kept[0].program
    assert plain(sentence(once, table.position.lexicon())).startswith(offered.note.rstrip("…"))
    assert is_on(table, P1, fitting(table, P1)["withhold|AR"])


async def test_a_turn_is_played_by_hand_without_dismantling_anything(club: Club) -> None:
    table = await running(club)
    await club.aiko.click(club.packet(), label="Run and pay every turn")
    assert "You play AR's turn this time" in await answer(tool(club.aiko, club.packet(), "Play AR by hand this turn"))
    await club.aiko.click(club.packet(), label="No track")
    assert [type(one.action).__name__ for one in table.moves] == ["Pass"]
    assert "Run" in str(buttons(club.packet()))
    (kept,) = table.orders.desk("p1").kept
    assert isinstance(kept.program, Operate)
    assert kept.program.rests == "AR"


async def test_a_turn_played_by_hand_is_left_by_all_programs_of_the_company(club: Club) -> None:
    """The one that withholds once rested, and what runs and pays every turn paid out."""
    table = await running(club)
    ann, label = club.aiko, "Play AR by hand this turn"
    await ann.click(club.packet(), label="Run and pay every turn")
    await ann.click(club.packet(), label="Withhold once")
    listed = await more(ann, club.packet())
    assert [one["label"] for one in walk(payload(listed)) if one.get("label") == label] == [label]
    await ann.click(listed, label=label)
    await ann.click(club.packet(), label="No track")
    assert [type(one.action).__name__ for one in table.moves] == ["Pass"]


async def test_a_program_asks_no_more_about_what_its_owner_is_tired_of(club: Club) -> None:
    table = await running(club)
    await club.aiko.click(club.packet(), label="Run and pay every turn")
    await club.aiko.click(club.packet(), label="No track")
    assert table.position.decision.step == "trains"
    assert "✓ It is on." in await answer(tool(club.aiko, club.packet(), "Ask no more about trains"))
    assert table.position.state.operating != "AR"
    (kept,) = table.orders.desk("p1").kept
    assert kept.program == Operate(corp=CorpId("AR"), rounds=0, track="ask", token="new", trains="none", off=SEES)
    assert "Ask no more about" not in str(buttons(await more(club.aiko, club.packet())))


async def test_an_old_list_changes_nothing_that_it_did_not_show(club: Club) -> None:
    """It said “track”; pressed later, no train was asked about any more. What passes a turn passed a later one."""
    table = await running(club)
    ann = club.aiko
    await ann.click(club.packet(), label="Run and pay every turn")
    old = [await more(ann, club.packet()) for _ in range(3)]
    await ann.click(club.packet(), label="No track")
    assert table.position.decision.step == "trains"
    kept, seq = table.orders.desk(P1), table.position.seq
    said = [
        await ann.click(old[0], label="Ask no more about track"),
        await ann.click(old[1], label="Play AR by hand this turn"),
        await choose(ann, old[2], "program|do|rest"),
    ]
    assert [NOT_THIS in text(private_answer(one)) for one in said] == [True] * 3
    assert "program|do|rest" in str(selects(private_answer(said[2])))
    assert (table.orders.desk(P1), table.position.seq) == (kept, seq)


async def test_a_stop_that_an_old_list_does_not_show_stays_to_be_read(club: Club) -> None:
    table = await club.begin(3)
    first, second = (Halt(None, Cause("said", text=said)) for said in ("First.", "Second."))
    await desks.change(table, P2, lambda desk: desk.telling(first))
    old = private_answer(await club.ben.slash(club.channel, "my programs"))
    await desks.change(table, P2, lambda desk: desk.telling(second))
    await pass_turn(club, table, "p1")
    shown = private_answer(await club.ben.click(old, label="Seen"))
    assert "Second." in text(shown)
    assert "Second." not in text(private_answer(await club.ben.click(shown, label="Seen")))


async def test_in_a_game_that_ended_within_a_turn_nothing_more_is_done(club: Club) -> None:
    """What was asked of the step that the turn was at was answered as a fault of the bot's."""
    table = await running(club)
    await club.aiko.click(club.packet(), label="Run and pay every turn")
    await club.aiko.click(club.packet(), label="No track")
    listed = await more(club.aiko, club.packet())
    finish(table.title, table.position.state, "price")
    table.position.state.step = TURN_OVER
    table.position.over = True
    answers = [
        await club.aiko.click(listed, label="Ask no more about trains"),
        await club.aiko.slash(club.channel, "bid", amount=5),
        await club.aiko.slash(club.channel, "lay", hex="C4"),
    ]
    said = [text(private_answer(one)) for one in answers]
    assert said == ["The game is already over.", "The game is already over.", "The game is already over."]


async def test_what_is_planned_is_typed_in_lines_and_what_the_game_does_not_have_is_refused(club: Club) -> None:
    """With an example of this game."""
    table = await running(club, "IR")
    for places, words in (
        ("k8 8 2\nC4: 9 0", "lays 8 on K8 and 9 on C4 in order"),
        ("K4", "places a token on"),
        ("¥120", "pays out ¥120 or more and withholds less"),
        ("C4 8", "neither a tile"),
        ("Z99 8 0", "no tile"),
        ("C4 999 0", "no tile"),
        ("C4 8 6", "neither a tile"),
        ("D3", "No city on D3 has a free place."),
        ("A4 A4", "neither a tile"),
    ):
        said = text(await fill_in(club, club.aiko, "operate", "AR", places=places))
        assert words in said
    (hex_id, tile), (city, _), *_ = re.findall(r"“(\w+)(?: (\w+) 2)?”", said.partition("A line each")[2])
    assert tile in table.title.tiles
    assert not table.title.hexes[HexId(hex_id)].face.stops
    assert any(stop.kind == "city" for stop in table.title.hexes[HexId(city)].face.stops)


def private_to(club: Club, member: Any) -> list[Any]:
    """What only this person sees in the channel, in order."""
    return [one for one in club.channel.history(viewer=member) if one.flags.ephemeral]


async def test_a_stop_is_told_privately_at_once_and_an_open_list_is_mended(club: Club, day: Day) -> None:
    table = await club.begin(3)
    listed = await fill_in(club, club.ben, "bid", private="B", most="40")
    await pass_turn(club, table, "p1")
    seen = len(private_to(club, club.ben))
    await table.submit(Bid(P3, PrivateId("B"), 45), user=club.chloe.id)
    await table.submit(Pass(P1), user=club.aiko.id)
    await asyncio.gather(*club.bot.its(OpenLists)._tasks)
    await club.env.settle()
    (told,) = private_to(club, club.ben)[seen:]
    assert "more than your limit" in text(told)
    (after,) = [one for one in private_to(club, club.ben) if one.id == listed.id]
    assert "None is on." in text(after)
    assert text(after).startswith("**Programs of yours that stopped**")
    assert not any("limit" in one for one in day.said())


async def test_a_stop_that_cannot_be_told_as_the_connection_breaks_waits_in_the_hand(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(3)
    await fill_in(club, club.ben, "bid", private="B", most="40")
    await pass_turn(club, table, "p1")
    with monkeypatch.context() as broken:
        broken.setattr(
            discord.Interaction, "edit_original_response", AsyncMock(side_effect=aiohttp.ServerDisconnectedError())
        )
        await table.submit(Bid(P3, PrivateId("B"), 45), user=club.chloe.id)
        await table.submit(Pass(P1), user=club.aiko.id)
        await asyncio.gather(*club.bot.its(OpenLists)._tasks)  # raises what nobody else would see
    assert "more than your limit" in await answer(club.ben.slash(club.channel, "my hand"))
