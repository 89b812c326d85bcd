"""Programs as their owner meets them: put together by pressing, told of privately, unseen by everybody else."""

from __future__ import annotations

from typing import Any

import pytest
from club import Club, buttons, selects, text
from days import Day
from player import private_answer, tool
from tables import table as position

from bot.chat.messages import Messages
from bot.core import desks
from bot.core.errors import TableError
from bot.core.orders import MOST
from bot.core.table import Table
from engine.actions import Bid, Pass
from engine.ids import CorpId, PlayerId, PrivateId
from programs import AnswerOffers, BidFor, PassAhead

pytestmark = pytest.mark.usefixtures("plain_pictures")
P1, P2, P3 = (PlayerId(f"p{number}") for number in (1, 2, 3))


async def open_programs(club: Club, member: Any) -> Any:
    """The person's programs, from *My hand*."""
    hand = private_answer(await tool(member, club.packet(), "My hand"))
    return private_answer(await member.click(hand, label="Programs…"))


async def choose(member: Any, message: Any, code: str) -> Any:
    """Choose what has this code from whichever list has it."""
    custom_id = next(one for one, options in selects(message).items() if any(o["value"] == code for o in options))
    return private_answer(await member.select(message, [code], custom_id=custom_id))


async def switch_on(club: Club, member: Any, kind: str, *codes: str) -> Any:
    """Put a program together by pressing, and switch it on."""
    message = await choose(member, await open_programs(club, member), f"program|new|{kind}")
    for code in codes:
        message = await choose(member, message, code)
    return private_answer(await member.click(message, label="Switch it on"))


async def pass_turn(club: Club, table: Table, seat: str) -> None:
    await club.who(seat, table).click(club.packet(), label="Pass")


async def test_a_program_is_put_together_by_pressing_and_moves_in_its_owners_name(club: Club) -> None:
    table = await club.begin(3)
    ben = club.members[1]
    answer = await switch_on(club, ben, "bid", "program|set|private=B")
    assert "✓ Bids on B" in text(answer)
    assert "1. Bids on B" in text(answer)
    await pass_turn(club, table, "p1")
    assert [one.action for one in table.moves] == [Pass(P1), Bid(P2, PrivateId("B"), 35)]
    assert (table.moves[-1].user, table.moves[-1].note) == (ben.id, None)
    assert "bids ¥35" in text(club.packet())
    assert text(club.packet()).startswith("### <@" + str(club.members[2].id))


async def test_what_is_typed_changes_the_program_and_the_sentence_says_so(club: Club) -> None:
    await club.begin(3)
    ben = club.members[1]
    message = await choose(ben, await open_programs(club, ben), "program|new|bid")
    form = await ben.click(message, label="Amounts…")
    message = private_answer(await ben.submit_modal(form, {"most": "¥1,055", "step": "10"}))
    assert "up to ¥1,055, raising by ¥10" in text(message)
    form = await ben.click(message, label="Amounts…")
    wrong = private_answer(await ben.submit_modal(form, {"most": "-3", "step": ""}))
    assert "“-3” is not a whole number" in text(wrong)


async def test_each_stop_is_switched_off_by_itself(club: Club) -> None:
    table = await club.begin(3)
    ben = club.members[1]
    message = await choose(ben, await open_programs(club, ben), "program|new|pass")
    assert "a new company" in text(message)
    message = await choose(ben, message, "program|stops|company")
    assert "a new company" not in text(message)
    await ben.click(message, label="Switch it on")
    (kept,) = table.orders.desk("p2").kept
    assert kept.program == PassAhead(off=("company",))
    message = await open_programs(club, ben)
    await choose(ben, message, "program|off|1")
    assert table.orders.desk("p2").kept == ()


async def test_a_program_switched_on_in_ones_turn_moves_at_once(club: Club) -> None:
    table = await club.begin(3)
    message = await choose(club.members[0], await open_programs(club, club.members[0]), "program|new|bid")
    message = await choose(club.members[0], message, "program|set|private=B")
    assert "Next: ¥35 on B" in text(message)
    await club.members[0].click(message, label="Switch it on")
    assert [one.action.by for one in table.moves] == ["p1"]
    assert table.position.up == ("p2",)


async def test_what_stops_a_program_is_told_in_the_hand_until_it_is_read(club: Club) -> None:
    table = await club.begin(3)
    ben = club.members[1]
    await desks.enable(table, P2, BidFor(private=PrivateId("B"), most=40))
    await pass_turn(club, table, "p1")
    await table.submit(Bid(P3, PrivateId("B"), 45), user=club.members[2].id)
    await table.submit(Pass(P1), user=club.members[0].id)
    assert table.position.up == ("p2",)
    hand = private_answer(await ben.slash(club.channel, "my hand"))
    assert "now takes ¥50, more than your limit" in text(hand)
    assert "now takes" in text(private_answer(await tool(ben, club.packet(), "What happened?")))
    other = private_answer(await club.members[0].slash(club.channel, "my hand"))
    assert "more than your limit" not in text(other)
    message = private_answer(await ben.slash(club.channel, "my programs"))
    message = private_answer(await ben.click(message, label="Seen"))
    assert "more than your limit" not in text(message)


def why(table: Table) -> str:
    """What the second player reads of programs that stopped."""
    return "\n".join(desks.stop_lines(table.orders.desk(P2), table.position.lexicon()))


async def test_an_undo_takes_a_programs_move_back_and_switches_it_off(club: Club) -> None:
    table = await club.begin(3)
    await desks.enable(table, P2, PassAhead())
    await pass_turn(club, table, "p1")
    assert [one.action.by for one in table.moves] == ["p1", "p2"]
    await club.undo(club.members[1])
    assert [one.action.by for one in table.moves] == ["p1"]
    assert table.orders.desk("p2").kept == ()
    assert "taken back" in why(table)
    assert table.position.up == ("p2",)


async def test_whoever_moves_by_hand_instead_stops_the_program(club: Club, day: Day) -> None:
    table = await club.begin(3)
    await desks.enable(table, P2, PassAhead())
    await desks.change(table, P2, lambda desk: desk.delayed(10, 10))
    await pass_turn(club, table, "p1")
    await table.submit(Bid(P2, PrivateId("B"), 35), user=club.members[1].id)
    assert table.orders.desk("p2").kept == ()
    assert "You moved by hand" in why(table)


async def test_a_delay_lets_the_turn_come_as_always_and_then_moves(club: Club, day: Day) -> None:
    table = await club.begin(3)
    ben = club.members[1]
    message = await open_programs(club, ben)
    form = await ben.click(message, label="Delay…")
    message = private_answer(await ben.submit_modal(form, {"first": "10", "last": "20"}))
    assert "between 10 and 20 minutes" in text(message)
    await desks.enable(table, P2, PassAhead())
    await pass_turn(club, table, "p1")
    assert table.position.up == ("p2",)
    assert club.pinged()[-1] == ben.id
    await day.passes(9 * 60)
    assert table.position.up == ("p2",)
    await day.passes(12 * 60)
    assert [one.action.by for one in table.moves] == ["p1", "p2"]


async def test_a_delay_that_makes_no_sense_is_refused(club: Club) -> None:
    await club.begin(2)
    ben = club.members[1]
    form = await ben.click(await open_programs(club, ben), label="Delay…")
    answer = private_answer(await ben.submit_modal(form, {"first": "30", "last": "20"}))
    assert "the shorter bound first" in text(answer)


async def test_whoever_wants_direct_messages_is_told_there_and_never_in_the_channel(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(3)
    ben, cho = club.members[1:3]
    await day.choose(ben, "both")
    await day.choose(cho, "both")
    for seat in (P2, P3):
        await desks.enable(table, seat, BidFor(private=PrivateId("C"), most=45))
    await pass_turn(club, table, "p1")
    await day.tick()
    said = "now takes ¥50, more than your limit."
    found = [one for one in day.direct(ben) + day.direct(cho) if said in one]
    assert len(found) == 1
    assert not any("limit" in one or "program" in one.casefold() for one in day.said())


async def test_a_program_that_has_done_what_it_was_for_rings_nobody(club: Club, day: Day) -> None:
    table = await club.begin(3)
    ben = club.members[1]
    await day.choose(ben, "both")
    await desks.enable(table, P2, PassAhead(span="once"))
    await pass_turn(club, table, "p1")
    await day.tick()
    assert table.orders.desk("p2").kept == ()
    assert not [one for one in day.direct(ben) if "It was:" in one]


async def test_closed_direct_messages_never_lead_what_is_private_into_the_channel(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.begin(3)
    await day.choose(club.members[1], "dm")

    async def closed(self: Any, place: Any, screen: Any, nonce: str | None = None) -> None:
        return None

    monkeypatch.setattr(Messages, "send_direct", closed)
    await desks.enable(table, P2, BidFor(private=PrivateId("C"), most=40))
    await table.submit(Bid(P1, PrivateId("C"), 45), user=club.members[0].id)
    club.bot.sender.wake()
    await club.bot.sender.idle()
    await day.tick()
    assert "more than your limit" in why(table)
    assert not any("limit" in one for one in day.said())


async def test_a_seat_has_so_many_programs_at_most(club: Club) -> None:
    table = await club.begin(2)
    one = AnswerOffers(deal="private", agrees=False)
    for _ in range(MOST):
        await desks.enable(table, P2, one)
    with pytest.raises(TableError, match="switch one off first"):
        await desks.enable(table, P2, one)
    await desks.enable(table, P2, one, instead=[1])
    ben = club.members[1]
    message = await open_programs(club, ben)
    assert "program|new|pass" not in str(selects(message))
    await tool(ben, message, "My hand")


@pytest.mark.core
async def test_a_program_that_would_stop_at_once_is_not_switched_on(club: Club) -> None:
    table = await club.begin(3)
    ann = club.members[0]
    message = await choose(ann, await open_programs(club, ann), "program|new|bid")
    message = await choose(ann, message, "program|set|private=B")
    form = await ann.click(message, label="Amounts…")
    message = private_answer(await ann.submit_modal(form, {"most": "7", "step": ""}))
    assert "It would stop at once" in text(message)
    answer = private_answer(await ann.click(message, label="Switch it on"))
    assert "now takes ¥35, more than your limit" in text(answer)
    assert table.orders.desk("p1").kept == ()


async def test_no_program_is_switched_on_in_a_game_that_is_over(club: Club) -> None:
    table = await club.begin(3)
    await table.end_here()
    with pytest.raises(TableError, match="over"):
        await desks.enable(table, P2, PassAhead())
    assert table.orders.desk("p2").kept == ()


async def test_somebody_without_a_seat_has_no_programs(club: Club) -> None:
    await club.begin(2)
    answer = private_answer(await club.members[6].slash(club.channel, "my programs"))
    assert "no seat" in text(answer)


async def test_programs_and_drafts_outlast_a_restart(club: Club) -> None:
    table = await club.begin(3)
    ben = club.members[1]
    await desks.enable(table, P2, PassAhead())
    message = await choose(ben, await open_programs(club, ben), "program|new|answer")
    await club.restart()
    message = await choose(ben, message, "program|set|agrees=no")
    assert "Declines all" in text(message)
    await pass_turn(club, await club.table(), "p1")
    assert [one.action.by for one in (await club.table()).moves] == ["p1", "p2"]


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


async def offered(club: Club, day: Day, agrees: bool, price: int) -> tuple[Table, Any]:
    """Ann's company wants Ben's train, and Ben has a program for that; the table, and the offer's message."""
    table = await club.begin(3)
    laid = position("1889", 3).operating("AR", "trains").par("AR", 80).cash(AR=500).phase("3").trains("AR", "2")
    _, s = laid.par("IR", 90).shares("IR", {"p2": 5}).trains("IR", "3", "3").build()
    table.beginning = s
    table._arrive(0)
    await desks.enable(table, P2, AnswerOffers(deal="train", agrees=agrees, price=price))
    ann = club.members[0]
    await ann.slash(club.channel, "train buy", train="BuyTrain|AR|3|IR|150|", price=150)
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
        assert (table.moves[0].user, str(table.moves[0].note)) == (club.members[1].id, "offer 1 accepted")
    else:
        assert any("declines the offer" in one for one in day.said())


@pytest.mark.parametrize(("agrees", "price"), [(True, 151), (False, 150)])
async def test_an_offer_that_no_program_is_for_waits_for_its_owner(
    club: Club, day: Day, agrees: bool, price: int
) -> None:
    table, message = await offered(club, day, agrees, price)
    await day.tick()
    (after,) = [one for one in day.messages() if one.id == message.id]
    assert "Accept" in buttons(after)
    assert table.moves == []


async def test_a_company_runs_its_turn_in_one_message(club: Club, day: Day) -> None:
    table = await club.begin(3)
    laid = position("1889", 3).operating("AR", "track").par("AR", 80).cash(AR=500).trains("AR", "2")
    _, s = laid.build()
    table.beginning = s
    table._arrive(0)
    ann = club.members[0]
    before = len(day.messages())
    message = await choose(ann, private_answer(await ann.slash(club.channel, "my programs")), "program|new|operate")
    assert "lays nothing, places no token, runs the best routes, pays out and buys no train" in text(message)
    await ann.click(message, label="Switch it on")
    assert {type(one.action).__name__ for one in table.moves} <= {"Pass", "RunTrains", "Dividend"}
    assert table.position.state.operating != "AR"
    await club.bot.sender.idle()
    assert len(day.messages()) == before + 1


@pytest.mark.core
async def test_the_company_whose_turn_it_is_is_offered_first_and_pays_as_it_last_did(club: Club) -> None:
    table = await club.begin(3)
    laid = position("1889", 3).par("AR", 80).par("IR", 80).shares("AR", president="p1", p1=5)
    _, s = laid.shares("IR", president="p1", p1=5).operating("IR", "track", then=("AR",)).build()
    s.last_run[CorpId("IR")], s.last_paid[CorpId("IR")] = 40, 0
    table.beginning = s
    table._arrive(0)
    ann = club.members[0]
    message = await choose(ann, private_answer(await ann.slash(club.channel, "my programs")), "program|new|operate")
    assert "**IR**" in text(message)
    assert "withholds" in text(message)
    message = await choose(ann, message, "program|set|corp=AR")
    assert "**AR**" in text(message)
    assert "pays out" in text(message)


async def test_tiles_are_listed_in_lines_and_what_the_game_does_not_have_is_refused(club: Club) -> None:
    table = await club.begin(3)
    _, s = position("1889", 3).operating("AR", "track").par("AR", 80).build()
    table.beginning = s
    table._arrive(0)
    ann = club.members[0]
    message = await choose(ann, private_answer(await ann.slash(club.channel, "my programs")), "program|new|operate")
    form = await ann.click(message, label="Tiles and amounts…")
    message = private_answer(await ann.submit_modal(form, {"least": "", "tiles": "k8 8 2\nC4: 9 0"}))
    assert "lays 8 on K8 and 9 on C4 in order" in text(message)
    for wrong in ("C4 8", "Z99 8 0", "C4 999 0", "C4 8 6"):
        form = await ann.click(message, label="Tiles and amounts…")
        answer = private_answer(await ann.submit_modal(form, {"least": "", "tiles": wrong}))
        assert "is not a tile to lay" in text(answer) or "has no tile" in text(answer)
        message = private_answer(await ann.slash(club.channel, "my programs"))
        message = await choose(ann, message, "program|new|operate")
