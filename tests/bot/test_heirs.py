"""What a process that died had not said or taken back yet, whoever goes on does at once: channel and log agree."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import AsyncMock

import pytest
from club import Club, buttons, text
from player import passes

from bot.chat.messages import Retirer
from bot.core.errors import TableError
from bot.core.table import Table
from bot.core.undoing import turnback
from bot.rooms.turn import asking, deals, screen
from engine.actions import Bid, EndGame
from engine.ids import PlayerId, PrivateId
from storage import Unavailable

OFFER, OTHER = (Bid(PlayerId("p1"), PrivateId("B"), price) for price in (35, 40))


async def offered(table: Table, action: Bid = OFFER, number: int = 900) -> Any:
    return await deals.make(table, action, PlayerId("p2"), seen=None, interaction=number)


def positions(club: Club) -> list[int]:
    """The positions of the controls in the channel, message by message; none where these are of no position."""
    found = [list(buttons(one).values()) for one in club.channel.history()]
    return [int(ids[0].split(":")[2]) for ids in found if ids]


@pytest.fixture
def dies(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Until it is called, the bot dies before old messages are reduced."""
    add = Retirer.add
    monkeypatch.setattr(Retirer, "add", lambda *_: None)
    return lambda: monkeypatch.setattr(Retirer, "add", add)


async def test_an_offer_that_got_through_and_has_lapsed_is_found_and_loses_its_buttons(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was posted, the bot died before it noted that, and the game has moved on."""
    table = await club.begin(3)
    await club.bot.sender.idle()
    done = table.store.outbox.done
    monkeypatch.setattr(table.store.outbox, "done", AsyncMock(side_effect=Unavailable("The bot dies.")))
    await offered(table)
    await club.says()
    assert "Accept" in buttons(club.packet())
    at = int(club.packet().created_at.timestamp())  # the stand-in has a clock of its own
    await table.store._db.write(lambda tx: tx.run("UPDATE outbox SET unsure_since = ? WHERE done_at IS NULL", at))
    await passes(table, "p1")
    monkeypatch.setattr(table.store.outbox, "done", done)
    await club.says()
    assert positions(club) == [1]
    assert any("This offer has lapsed" in text(one) for one in club.channel.history())


async def test_an_answered_offer_loses_its_buttons_at_the_next_start(club: Club, dies: Callable[[], None]) -> None:
    """The answer was stored and the turn shown; the bot died before it edited the offer's message."""
    table = await club.begin(3)
    await club.bot.sender.idle()
    offer = await offered(table)
    await club.says()
    await deals.answer(table, offer.id, user=table.seats["p2"].user_id, accept=True, interaction=901)
    await club.says()
    assert positions(club) == [0, 0, 1]
    dies()
    await club.restart()
    await club.env.settle()
    await club.bot.compare()
    await club.says()
    assert positions(club) == [1]
    before = len(club.env.http_requests)
    assert await club.bot.present.compare(None) == 0
    await club.says()
    assert len(club.env.http_requests) == before


@pytest.mark.parametrize("accept", [True, False])
async def test_an_offer_that_is_answered_elsewhere_says_so(club: Club, accept: bool) -> None:
    """As on the page, by a death, or where the next turn is shown before the answer to the press."""
    table = await club.begin(3)
    offer = await offered(table)
    await offered(table, OTHER, 901)
    await club.says()
    (other,) = [one for one in await table.store.offers.open(table.game.id) if one.id != offer.id]
    answers = partial(deals.answer, table, user=table.seats["p2"].user_id, accept=accept)
    await answers(offer.id, interaction=902)
    with pytest.raises(TableError, match="has already been accepted" if accept else "has already been declined"):
        await answers(offer.id, interaction=903)
    await passes(table, table.position.up[0])
    with pytest.raises(TableError, match="This offer has lapsed: the game has moved on"):
        await answers(other.id, interaction=904)
    await club.says()
    shown = [text(one) for one in club.channel.history() if "proposes" in text(one) or "lapsed" in text(one)]
    answer = "*Accepted.*" if accept else "*Declined.*"
    assert sum("¥35" in one and answer in one for one in shown) == 1, shown
    assert sum(one == "*This offer has lapsed.*" for one in shown) == 1


@pytest.mark.parametrize("agreed", [True, False])
async def test_a_request_to_undo_that_is_answered_elsewhere_says_so(club: Club, agreed: bool) -> None:
    table = await club.begin(2)
    users = [table.seats[seat].user_id for seat in ("p1", "p2")]
    await passes(table, "p1", "p2")
    await asking.ask(table, users[0], 1, 900)
    await club.says()
    if agreed:
        await asking.agree(table, users[1], 1, 901)
    else:
        await passes(table, "p1")
    await club.says()
    assert sum(asking.AGREED in text(one) for one in club.channel.history()) == agreed
    assert sum("*This request has lapsed.*" in text(one) for one in club.channel.history()) == (not agreed)


@pytest.mark.parametrize("seat", ["p1", "p2"])
async def test_a_request_to_undo_that_is_declined_or_withdrawn_elsewhere_says_so(club: Club, seat: str) -> None:
    """It kept its buttons until somebody moved."""
    table = await club.begin(2)
    users = {seat: row.user_id for seat, row in table.seats.items()}
    await passes(table, "p1", "p2")
    await asking.ask(table, users["p1"], 1, 900)
    await club.says()
    pinged = club.pinged()
    await asking.refuse(table, users[seat], 1)
    await club.says()
    (left,) = (one for one in club.channel.history() if asking.DECLINED in text(one))
    assert not buttons(left)
    assert "Pass" in buttons(club.packet()), "the turn is as it was"
    assert club.pinged() == pinged


async def test_the_last_turn_of_a_game_loses_its_buttons_at_the_next_start(
    club: Club, dies: Callable[[], None]
) -> None:
    table = await club.begin(2)
    await club.bot.sender.idle()
    await table.end_here(moderator=1)
    await club.says()
    assert positions(club) == [0, 1]
    dies()
    await club.bot.compare()
    await club.says()
    assert positions(club) == [1]


async def test_an_open_offer_keeps_its_buttons_when_the_turn_is_shown_anew(club: Club) -> None:
    """As when another one is declined, a seat is lent, or the table changes its settings."""
    table = await club.begin(3)
    await offered(table)
    declined = await offered(table, OTHER, 901)
    await club.says()
    await deals.answer(table, declined.id, user=table.seats["p2"].user_id, accept=False, interaction=902)
    await club.says()
    shown = [text(one) for one in club.channel.history() if "Accept" in buttons(one)]
    assert len(shown) == 1
    assert "¥35" in shown[0]
    await passes(table, "p1")
    await club.says()
    assert positions(club) == [1]


async def test_an_open_request_to_undo_keeps_its_buttons_when_the_turn_is_shown_anew(club: Club) -> None:
    table = await club.begin(3)
    await passes(table, "p1", "p2")
    user = table.seats["p1"].user_id
    request = await asking.ask(table, user, turnback(table, user, 1).seq, 900)
    await club.says()
    await club.announces(table)
    assert sum("Agree" in buttons(one) for one in club.channel.history()) == 1
    await asking.refuse(table, user, request.back.seq)
    await club.announces(table)
    assert sum("Agree" in buttons(one) for one in club.channel.history()) == 0


async def test_a_turn_that_passes_while_it_is_drawn_is_not_posted(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody moves on the board meanwhile: the message would name, and ping, whoever is next."""
    table = await club.begin(3)
    await club.bot.sender.idle()
    before, lines = len(club.pinged()), screen.clock_lines

    async def meanwhile(shown: Table) -> list[str]:
        if shown.position.seq == 1:
            await passes(table, "p2")
        return await lines(shown)

    monkeypatch.setattr(screen, "clock_lines", meanwhile)
    await passes(table, "p1")
    await club.says()
    assert positions(club) == [2]
    assert club.pinged()[before:] == [table.seats["p3"].user_id]


async def test_a_game_that_ends_while_its_last_turn_is_drawn_is_shown_as_over_at_once(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = await club.begin(2)
    await club.bot.sender.idle()
    lines = screen.clock_lines

    async def meanwhile(shown: Table) -> list[str]:
        if shown.position.seq == 1:
            await table.submit(EndGame(PlayerId("p2")), user=table.seats["p2"].user_id)
        return await lines(shown)

    monkeypatch.setattr(screen, "clock_lines", meanwhile)
    await passes(table, "p1")
    await club.says()
    assert table.position.over
    assert "The game is over" in text(club.packet())
    assert "a notice waits" not in caplog.text


async def test_nobody_reads_the_position_before_the_last_while_the_end_is_noted(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sender would show it, and the end would never be shown."""
    table = await club.begin(2)
    await club.bot.sender.idle()
    game, read = table.store.game, list[int]()

    async def slowly(number: str) -> Any:
        reading = asyncio.create_task(club.bot.tables.get(table.game.id))
        reading.add_done_callback(lambda one: read.append(one.result().position.seq))
        await asyncio.sleep(0.1)
        return await game(number)

    monkeypatch.setattr(table.store, "game", slowly)
    await table.submit(EndGame(PlayerId("p1")), user=table.seats["p1"].user_id)
    await asyncio.sleep(0.1)
    assert read == [1]
