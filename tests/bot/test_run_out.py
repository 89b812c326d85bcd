"""Running a game out together: agreed by one press each, paused before each round, stopped by anybody."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from club import Club, buttons, text
from days import Day
from player import answer, begin_at, more, move_ahead, private_answer, skip_ahead
from tables import table as position
from test_opponents import begin as begin_with_opponents

from bot.core import clockwork, desks
from bot.core.errors import TableError
from bot.core.table import Table
from engine.actions import BuyShare, LayTile, Pass
from engine.ids import IPO, PlayerId
from programs import near_end

pytestmark = pytest.mark.usefixtures("new_messages")


P1, P2 = PlayerId("p1"), PlayerId("p2")
AGREE = "Run it out"


def lay_out(table: Table, *, cash: int = 0, bank: int = 100) -> None:
    """AR of p1 ran for 60; the bank is low, and it is p1's turn in a stock round."""
    laid = position("1889", len(table.seats)).par("AR", 80).shares("AR", p1=4, p2=3, president="p1")
    laid = laid.trains("AR", "6").tile("K8", "57", 1).cash(AR=cash, p1=100, p2=100).phase("6", **{"6": 1})
    begin_at(table, *laid.set(last_run={"AR": 60}).bank(bank).build())


async def near_the_end(club: Club, players: int = 3, **given: Any) -> Table:
    table = await club.begin(players, **given)
    lay_out(table)
    await club.announces(table)
    return table


async def propose(club: Club, member: Any) -> str:
    return text(private_answer(await member.click(await more(member, club.packet()), label=AGREE)))


async def agreed(club: Club, players: int = 2, **given: Any) -> Table:
    """A table that has agreed, and pauses."""
    table = await near_the_end(club, players, **given)
    await propose(club, club.aiko)
    for member in club.members[1:players]:
        await member.click(club.packet(), label=AGREE)
    assert table.orders.pauses
    return table


async def test_one_press_each_and_it_goes_on_a_minute_later_round_by_round(club: Club, day: Day) -> None:
    table = await near_the_end(club)
    aiko, ben, chloe = club.members[:3]
    assert await propose(club, aiko) == "✓ You propose to run it out. Still to agree: Ben, Chloe."
    asked = club.packet()
    assert "proposes to run the game out" in text(asked)
    assert "You agree to run it out" in text(private_answer(await ben.click(asked, label=AGREE)))
    assert not table.orders.together
    assert "Everybody agreed" in text(private_answer(await chloe.click(asked, label=AGREE)))
    assert text(club.packet()).startswith("### The table runs the game out")
    assert list(buttons(club.packet())) == ["Stop", "More…"]
    assert table.moves == []
    assert "*The table runs the game out.*" in day.said(), "what is left of the turn that was asked for"
    await day.passes(61)
    assert [one.action for one in table.moves] == [Pass(P1), Pass(P2), Pass(PlayerId("p3"))]
    assert [(one.user, one.note) for one in table.moves] == [(one.id, None) for one in (aiko, ben, chloe)]
    assert "OR" in table.position.state.round
    assert "**Aiko** passes." in text(club.packet())
    await day.passes(61)
    kinds = [type(one.action).__name__ for one in table.moves[3:]]
    assert [one for one in kinds if one != "Pass"][:2] == ["RunTrains", "Dividend"]


async def test_it_comes_to_the_end_of_the_game(club: Club, day: Day) -> None:
    table = await agreed(club)
    await day.passes(20 * 61)
    assert table.position.state.over == "bank"
    assert not any(desk.kept for desk in table.orders.desks.values())
    assert "The game is over" in text(club.packet())


async def test_nobody_is_asked_reminded_or_timed_while_it_pauses(club: Club, day: Day) -> None:
    table = await agreed(club, pace="steady")
    clock = await clockwork.clock_of(club.bot.store, table.game.id)
    assert (clock.runs, clock.thinks) == ((), False)
    assert f"<@{club.aiko.id}>" not in text(club.packet())
    before = len(club.pinged())
    await day.passes(61)
    assert len(club.pinged()) == before
    assert table.moves
    await club.ben.click(club.packet(), label="Stop")
    clock = await clockwork.clock_of(club.bot.store, table.game.id)
    assert [one.seat for one in clock.runs] == list(table.position.up)


async def test_anybody_who_plays_stops_it_and_nobody_else(club: Club, day: Day) -> None:
    table = await agreed(club, 3)
    assert "seat" in await answer(club.fumi.click(club.packet(), label="Stop"))
    assert table.orders.pauses
    await club.chloe.click(club.packet(), label="Stop")
    assert not table.orders.together
    assert any(f"<@{club.chloe.id}> has stopped it" in one for one in day.said())
    assert text(club.packet()).startswith(f"### <@{club.aiko.id}>, your turn")
    await day.passes(200)
    assert table.moves == []
    with pytest.raises(TableError, match="no longer runs the game out"):
        await desks.stop(table, club.ben.id)


async def test_a_stop_in_a_round_under_way_counts_from_the_next_company(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one company does is stored at once; nobody is asked, and nothing posted, between two of them."""
    table = await club.begin(2)
    laid = position("1889", 2).par("AR", 80).shares("AR", p1=5, president="p1").trains("AR", "6").tile("K8", "57", 1)
    laid = laid.par("IR", 70).shares("IR", p2=5, president="p2").phase("6", **{"6": 1}).set(last_run={"AR": 60})
    begin_at(table, *laid.cash(AR=0, IR=0, p1=100, p2=100).bank(100).build())
    await propose(club, club.aiko)
    await club.ben.click(club.packet(), label=AGREE)
    await day.passes(61)
    assert [type(one.action) for one in table.moves] == [Pass, Pass]
    append, stops, posted = table._append, list[Any](), len(club.channel.history())

    async def appended(*given: Any) -> None:
        if not stops:
            stops.append(asyncio.create_task(desks.stop(table, club.ben.id)))
            await asyncio.sleep(0)  # it waits for the lock by now
        await append(*given)

    monkeypatch.setattr(table, "_append", appended)
    await day.passes(61)
    await stops[0]
    await club.says()
    assert {one.company for one in table.moves[2:]} == {"AR"}
    assert (table.position.state.operating, table.position.up) == ("IR", (P2,))
    assert not table.orders.together
    assert [text(one)[:60] for one in club.channel.history()[posted:] if "has stopped it" not in text(one)] == [
        text(club.packet())[:60]
    ]
    assert text(club.packet()).startswith(f"### <@{club.ben.id}>, your turn")


async def test_it_takes_new_agreement_once_it_was_stopped(club: Club) -> None:
    table = await agreed(club)
    await club.aiko.click(club.packet(), label="Stop")
    assert "Still to agree: Ben" in await propose(club, club.aiko)
    assert "proposes to run the game out" in text(club.packet())
    assert not table.orders.together


async def test_whoever_moves_otherwise_stops_it_and_all_are_told(club: Club, day: Day) -> None:
    table = await agreed(club)
    await table.submit(BuyShare(P1, "AR", IPO), user=club.aiko.id)
    assert not table.orders.together
    await club.says()
    assert any("no longer runs the game out: **Aiko** has moved by hand" in one for one in day.said())


async def test_whoever_does_what_it_would_do_lets_it_go_on(club: Club, day: Day) -> None:
    table = await agreed(club)
    await table.submit(Pass(P1), user=club.aiko.id)
    assert [one.action for one in table.moves] == [Pass(P1)]
    await day.passes(61)
    assert len(table.moves) > 1


async def test_taking_back_stops_it(club: Club, day: Day) -> None:
    table = await agreed(club)
    await day.passes(61)
    last = table.moves[-1]
    await table.undo(user=last.user or 0, seq=last.seq, agreed=list(table.seats))
    assert not table.orders.together
    assert not table.orders.pauses
    await club.says()
    assert any("a move was taken back" in one for one in day.said())
    moves = len(table.moves)
    await day.passes(200)
    assert len(table.moves) == moves


async def test_a_decision_is_left_to_its_owner_and_then_it_goes_on(club: Club, day: Day) -> None:
    """AR has lost its train and must have one: which, its president chooses."""
    table = await near_the_end(club, 2)
    laid = position("1889", 2).par("AR", 80).shares("AR", p1=4, p2=3, president="p1").tile("K8", "57", 1)
    laid = laid.par("IR", 90).shares("IR", p2=5, president="p2").trains("IR", "6", "6").phase("6", **{"6": 1})
    laid = laid.operating("AR", "track", then=("IR",)).cash(AR=700, IR=500, p1=50, p2=50).set(last_run={"AR": 300})
    begin_at(table, *laid.bank(900).build())
    await club.announces(table)
    await propose(club, club.aiko)
    await club.ben.click(club.packet(), label=AGREE)
    await day.passes(61)
    assert table.position.decision.step == "trains"
    assert text(club.packet()).startswith(f"### <@{club.aiko.id}>, your turn")
    assert "this decision is yours" in text(club.packet())
    assert "Stop" in buttons(club.packet())
    moves = len(table.moves)
    await day.passes(600)
    assert len(table.moves) == moves
    train = next(one for one in await table.position.actions(P1) if type(one).__name__ == "BuyTrain")
    await table.submit(train, user=club.aiko.id)
    assert table.orders.together
    assert len(table.moves) > moves + 1, "at once, to the end of the round"


async def test_opponents_have_no_vote_and_do_not_think_meanwhile(club: Club, day: Day) -> None:
    table = await begin_with_opponents(club, people=1, opponents=2)
    lay_out(table)
    await club.announces(table)
    await propose(club, club.aiko)
    assert table.orders.pauses
    status = private_answer(await club.aiko.slash(club.channel, "game status"))
    assert "waiting for its next round, as the table runs the game out" in text(status)
    await day.passes(61)
    assert [one.action for one in table.moves[:3]] == [Pass(PlayerId(seat)) for seat in table.seats]
    assert table.thinking is None
    await day.passes(20 * 61)
    assert table.position.state.over == "bank"
    assert not any(isinstance(one.action, LayTile | BuyShare) for one in table.moves)


async def test_an_opponent_goes_on_by_itself_once_it_is_stopped(club: Club, day: Day) -> None:
    table = await begin_with_opponents(club, people=1, opponents=1)
    laid = position("1889", 2).par("AR", 80).shares("AR", p1=3, p2=4, president="p2").stock("p2")
    begin_at(table, *laid.set(last_run={"AR": 300}).bank(900).build())
    await club.aiko.click(await more(club.aiko, club.packet()), label=AGREE)
    assert (table.thinking, table.moves) == (None, [])
    await club.aiko.click(club.packet(), label="Stop")
    await club.bot.opponents.idle()
    assert table.moves
    assert table.moves[0].action.by == P2


async def test_it_is_offered_only_near_the_end_and_only_to_who_plays(club: Club) -> None:
    table = await club.begin(2)
    early = await more(club.aiko, club.packet())
    assert AGREE not in buttons(early)
    lay_out(table, bank=250)
    assert AGREE not in buttons(await more(club.aiko, club.packet()))
    lay_out(table)
    assert AGREE in buttons(await more(club.aiko, club.packet()))
    assert AGREE not in buttons(await more(club.fumi, club.packet()))


@pytest.mark.broad
async def test_it_goes_on_after_a_restart(club: Club, day: Day) -> None:
    table = await club.begin(2, title="1890")
    random = Random(2)
    while not near_end(table.title, table.position.state):
        await move_ahead(club, table.position.seq + 1, random)
    await skip_ahead(club, table.position.seq, random)
    assert not table.position.over
    await propose(club, club.aiko)
    await club.ben.click(club.packet(), label=AGREE)
    assert table.orders.pauses
    moves = len(table.moves)
    await club.restart()
    table = await club.table()
    assert table.orders.pauses
    assert len(table.moves) == moves
    day.club.bot.sweep.cancel()
    await day.passes(61)
    assert len((await club.table()).moves) > moves
