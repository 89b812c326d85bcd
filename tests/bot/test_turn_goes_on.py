"""A turn that goes on after somebody else's decision still tells all that was done in it, and by whom."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from club import Club, text
from test_few_presses import operating, put

from bot.core import clockwork
from bot.core.hours import HOUR
from bot.core.pace import PACES
from bot.core.table import Table
from bot.rooms.turn import screen as turn
from bot.rooms.turn.screen import somebody_pressed
from engine import actions as a
from engine.ids import PlayerId


@pytest.mark.core
async def test_an_offer_that_is_declined_is_told_in_the_turn_that_goes_on(club: Club) -> None:
    here = await put(club, *operating("track", "open_treasuries").private(A="p2").build())
    lay = next(one for one in await here.position.actions("p1") if isinstance(one, a.LayTile))
    await here.submit(lay, user=club.aiko.id)
    await club.announces(here)
    await club.aiko.slash(club.channel, "private acquire", private="A", price=20)
    await club.ben.click(club.packet(), label="Decline")
    told = text(await newest_turn(club, here))
    assert "**Ben** declines the offer: **Aiko** wants **AR** to buy A" in told
    run = next(one for one in await here.position.actions("p1") if isinstance(one, a.RunTrains))
    await here.submit(run, user=club.aiko.id)
    told = "\n".join(await turn.news(here))
    assert told.index("lays tile") < told.index("declines the offer") < told.index("runs for")


async def newest_turn(club: Club, here: Table) -> object:
    """The message of the present turn."""
    (live,) = [one for one in await here.store.messages.live(here.game.id) if one.kind.startswith("turn:")]
    return next(one for one in club.channel.history() if one.id == live.message_id)


async def test_a_tile_that_the_seller_lays_in_between_keeps_the_turn_together(club: Club) -> None:
    laid = operating("track", "open_treasuries").private(C="p2")
    here = await put(club, *laid.build())
    one, two = (club.members[number].id for number in (0, 1))
    await here.submit(next(x for x in await here.position.actions("p1") if isinstance(x, a.LayTile)), user=one)
    sold = next(x for x in await here.position.actions("p1") if isinstance(x, a.CompanyBuysPrivate))
    await here.submit(sold, user=one)
    assert here.position.decision.step == "bonus tile"
    await here.submit(a.Pass("p2"), user=two)
    assert here.position.decision.subject == "AR"
    told = "\n".join(await turn.news(here))
    this_turn = told.partition("**This turn**")[2]
    assert "lays tile" in this_turn
    assert "buys C" in this_turn
    assert "**Ben** lays no tile" in this_turn
    assert this_turn.index("lays tile") < this_turn.index("buys C") < this_turn.index("**Ben** lays no tile")


@pytest.mark.parametrize("seller", ["p2", "p1"])
async def test_a_turn_that_somebody_interrupts_brings_its_time_once(club: Club, seller: str) -> None:
    """It came as the seller was asked, and again as the turn was over."""
    laid = operating("trains", "open_treasuries").private(C=seller)
    here = await put(club, *laid.build(), pace="steady")
    one, steady = club.aiko.id, PACES["steady"]
    sold = next(x for x in await here.position.actions("p1") if isinstance(x, a.CompanyBuysPrivate))
    await here.submit(sold, user=one)
    if here.position.decision.step == "bonus tile":
        await here.submit(a.Pass(PlayerId(seller)), user=here.seats[seller].user_id)
    while here.position.decision.subject == "AR":
        await here.submit(a.Pass(PlayerId("p1")), user=one)
    clock = await clockwork.clock_of(here.store, here.game.id)
    assert round(clock.accounts["p1"].bank / HOUR) == steady.bank + steady.increment


async def test_the_next_companys_turn_does_not_begin_with_the_interrupt_of_the_one_before(club: Club) -> None:
    t, s = operating("trains", "open_treasuries").private(C="p2").build()
    here = await put(club, t, s)
    sold = next(x for x in await here.position.actions("p1") if isinstance(x, a.CompanyBuysPrivate))
    await here.submit(sold, user=club.aiko.id)
    await here.submit(a.Pass("p2"), user=club.ben.id)
    while here.position.decision.subject == "AR":
        await here.submit(a.Pass("p1"), user=club.aiko.id)
    assert here.position.decision.subject == "IR"
    assert "**This turn**" not in "\n".join(await turn.news(here))


async def test_undo_stands_beside_what_it_takes_back_and_what_came_of_it(club: Club) -> None:
    here = await put(club, *operating("run", "open_treasuries").build())
    await club.who("p1", here).click(club.packet(), label="Withhold")
    said = text(club.packet())
    assert "**AR** withholds" in said
    assert "**AR** falls to" in said


PRESSED, BY_BOT = SimpleNamespace(automatic=False, user=5), SimpleNamespace(automatic=False, user=None)
AUTOMATIC = SimpleNamespace(automatic=True, user=None)


@pytest.mark.parametrize(
    ("moves", "start", "pressed"),
    [
        ([PRESSED], 0, True),
        ([PRESSED, AUTOMATIC], 0, True),
        ([BY_BOT], 0, False),
        ([PRESSED, BY_BOT], 0, False),
        ([PRESSED, AUTOMATIC], 1, False),  # somebody else's decision, before a turn that began by itself
        ([AUTOMATIC], 0, False),
    ],
)
def test_what_a_turn_began_with_by_itself_is_nobodys_press(moves: list[Any], start: int, pressed: bool) -> None:
    table: Any = SimpleNamespace(moves=moves)
    assert somebody_pressed(table, start) is pressed
