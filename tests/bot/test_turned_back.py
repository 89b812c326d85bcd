"""Programs and what is taken back or brought back: what they were made for may be gone, or be there again."""

from __future__ import annotations

from club import Club, buttons, text
from days import Day
from player import begin_at, private_answer, tool
from tables import table as position

import engine
from bot.core import desks
from bot.core.hours import HOUR
from bot.core.table import Table
from engine.actions import Action, Pass, SellShares
from engine.ids import CorpId, PlayerId
from programs import AnswerOffers, Follow, PassAhead

P1, P2, P3 = (PlayerId(f"p{number}") for number in (1, 2, 3))


async def stock_round(club: Club) -> Table:
    """A stock round in which p2 presides over the only company, and p1 is up."""
    table = await club.begin(3)
    laid = position("1889", 3).par("AR", 80).shares("AR", president="p2", p2=4, p1=2).phase("2").set(turn=2)
    begin_at(table, *laid.cash(p1=500, p2=500, p3=500).build())
    return table


async def move(table: Table, *actions: Action) -> None:
    for one in actions:
        await table.submit(one, user=table.seats[one.by].user_id)


def kept(table: Table, seat: PlayerId) -> list[str]:
    return [one.program.kind for one in table.orders.desk(seat).kept]


async def test_a_round_that_is_over_again_ends_what_passes_till_its_end(club: Club) -> None:
    """Or it would pass in the whole next one."""
    table = await stock_round(club)
    await move(table, Pass(P1), Pass(P2), Pass(P3))
    await table.undo(user=table.seats[P3].user_id)
    await desks.enable(table, P1, PassAhead(span="round"))
    await table.redo(user=table.seats[P3].user_id)
    assert table.position.state.round == "OR"
    assert kept(table, P1) == []


async def test_a_sale_that_is_brought_back_stops_a_program_like_any(club: Club) -> None:
    table = await stock_round(club)
    await move(table, SellShares(P1, CorpId("AR"), 1))
    await table.undo(user=table.seats[P1].user_id)
    await desks.enable(table, P2, PassAhead())
    await table.redo(user=table.seats[P1].user_id)
    await move(table, Pass(P1))
    assert table.position.up == (P2,)
    assert [one.cause.why for one in table.orders.desk(P2).told] == ["sale"]


async def test_a_line_goes_on_where_its_move_is_brought_back(club: Club, day: Day) -> None:
    table = await stock_round(club)
    await move(table, Pass(P1))
    await table.undo(user=table.seats[P1].user_id)
    await desks.enable(table, P2, Follow(name="Line 1", moves=(Pass(P1), Pass(P2))))
    await table.redo(user=table.seats[P1].user_id)
    await day.tick()
    assert [one.action for one in table.moves] == [Pass(P1), Pass(P2)]


async def test_a_round_that_is_taken_back_takes_what_was_switched_on_in_it(club: Club) -> None:
    """Or what passed the rest of it would pass all of it."""
    table = await stock_round(club)
    await move(table, Pass(P1), Pass(P2), Pass(P3))
    while table.position.state.round == "OR":
        (seat,) = table.position.up
        passes = engine.judge(table.title, table.position.state, Pass(seat)) is None
        await move(table, Pass(seat) if passes else (await table.position.actions(seat))[0])
    last = next(one for one in reversed(table.moves) if not one.automatic)
    other = next(seat for seat in (P1, P2, P3) if seat not in table.position.up)
    await desks.enable(table, other, PassAhead(span="round"))
    await table.undo(user=table.seats[last.action.by].user_id, seq=last.seq, agreed=(P1, P2, P3))
    assert table.position.state.round == "OR"
    assert [one.cause.why for one in table.orders.desk(other).told] == ["undone"]
    member = club.who(other, table)
    await club.announces(table)
    assert "followed were taken back" in text(private_answer(await tool(member, club.packet(), "My hand")))


async def test_what_was_switched_on_in_a_round_that_goes_on_stays_on(club: Club) -> None:
    table = await stock_round(club)
    await move(table, Pass(P1))
    await desks.enable(table, P3, PassAhead(span="round"))
    await table.undo(user=table.seats[P1].user_id)
    assert kept(table, P3) == ["pass"]


# Offers that wait for a program's answer


async def offer(club: Club, *sellers: str) -> Table:
    """Ann offers to buy trains; whoever sells declines by a program, p3 after ten minutes."""
    table = await club.begin(3)
    laid = position("1889", 3).operating("AR", "trains").par("AR", 80).cash(AR=500).phase("3").trains("AR", "2")
    laid = laid.par("SR", 90).shares("SR", {"p3": 5}).trains("SR", "3", "3")
    begin_at(table, *laid.par("IR", 90).shares("IR", {"p2": 5}).trains("IR", "3", "3").build())
    for seat in (P2, P3):
        await desks.enable(table, seat, AnswerOffers(deal="train", agrees=False, price=200))
    await desks.change(table, P3, lambda desk: desk.delayed(10, 10))
    for other in sellers:
        await club.aiko.slash(club.channel, "train buy", train=f"BuyTrain|AR|3|{other}|150|", price=150)
        await club.bot.sender.idle()
    return table


async def test_an_answer_that_waits_outlasts_another_program_that_is_done(club: Club, day: Day) -> None:
    table = await offer(club, "SR", "IR")
    await day.tick()
    assert [one.to_seat for one in await table.store.offers.open(table.game.id)] == ["p3"]
    await day.passes(HOUR)
    assert await table.store.offers.open(table.game.id) == []


async def test_an_answer_that_waits_outlasts_another_program_that_is_switched_on(club: Club, day: Day) -> None:
    table = await offer(club, "SR")
    await table.read_on()
    await desks.enable(table, P3, PassAhead())
    await day.passes(HOUR)
    assert [one for one in day.messages() if "Accept" in buttons(one)] == []
