"""What cannot be meant lightly asks once more, and says what would be lost."""

from __future__ import annotations

import pytest
from club import Club, buttons, text
from player import begin_at, private_answer
from tables import Table as Box
from tables import table as box

from bot.core.errors import STALE
from bot.core.table import Table
from bot.rooms.turn.deals import asked_again
from bot.words.labels import CONTROLS
from engine import BadAction, PlayerId, PrivateId
from engine.actions import GoBankrupt, Pass, SellPrivate


async def seated(club: Club, given: Box, title: str, options: str = "") -> Table:
    """A game whose first position is this one, with its message."""
    t, s = given.build()
    table = await club.begin(len(s.names), title, options=options)
    begin_at(table, t, s)
    await club.announces(table)
    return table


async def auction(club: Club) -> Table:
    """Aiko and Ben bid for the second private; it is Aiko who must raise or drop out."""
    table = await club.begin(2)
    await club.aiko.slash(club.channel, "bid", amount=35, private="B")
    await club.ben.slash(club.channel, "bid", amount=40, private="B")
    await club.aiko.slash(club.channel, "private buy", private="A")
    assert (table.position.decision.step, table.position.up) == ("auction", ("p1",))
    return table


@pytest.mark.core
@pytest.mark.long
async def test_dropping_out_asks_and_says_who_gets_the_private(club: Club) -> None:
    table = await auction(club)
    seq = table.position.seq
    question = private_answer(await club.aiko.click(club.packet(), label="Drop out"))
    assert question.ephemeral
    assert table.position.seq == seq
    assert "You cannot come back into this auction." in text(question)
    assert "Ben gets B for ¥40" in text(question)
    await club.aiko.click(question, label="Drop out")
    assert table.position.seq > seq


async def test_typed_commands_ask_as_well(club: Club) -> None:
    table = await auction(club)
    seq = table.position.seq
    for name, options in (("pass", {}), ("do", {"move": "drop"})):
        question = private_answer(await club.aiko.slash(club.channel, name, **options))
        assert "You cannot come back" in text(question)
        assert table.position.seq == seq
    await club.aiko.click(question, label="Drop out")
    assert table.position.seq > seq


async def test_what_was_asked_before_another_move_is_not_done_after_it(club: Club) -> None:
    table = await auction(club)
    question = private_answer(await club.aiko.click(club.packet(), label="Drop out"))
    await club.aiko.slash(club.channel, "bid", amount=45, private="B")
    seq = table.position.seq
    assert text(private_answer(await club.aiko.click(question, label="Drop out"))) == STALE
    assert table.position.seq == seq


async def test_what_is_not_allowed_is_refused_without_asking(club: Club) -> None:
    table = await auction(club)
    answer = private_answer(await club.ben.slash(club.channel, "pass"))
    assert "not your" in text(answer)
    assert not buttons(answer)
    answer = private_answer(await club.aiko.slash(club.channel, "train bankrupt"))
    assert not buttons(answer)
    assert table.position.decision.step == "auction"


async def test_an_ordinary_pass_is_one_press(club: Club) -> None:
    table = await club.begin(2)
    await club.aiko.click(club.packet(), label="Pass")
    assert isinstance(table.moves[-1].action, Pass)


async def test_a_private_is_sold_to_the_bank_only_after_saying_what_it_pays(club: Club) -> None:
    table = await seated(club, box("1860", 3).phase("2").stock(turn=2).private(CMH="p1"), "1860")
    packet = club.packet()
    label = next(one for one in buttons(packet) if one.startswith("Sell "))
    assert list(buttons(packet)).index("Pass") < list(buttons(packet)).index(label)
    question = private_answer(await club.aiko.click(packet, label=label))
    assert table.position.seq == 0
    assert "Sell CMH for £60?" in text(question)
    assert "You lose it and the £20 it pays." in text(question)
    await club.aiko.click(question, label=label)
    assert isinstance(table.moves[-1].action, SellPrivate)


async def test_a_private_that_is_closed_is_said_to_keep_its_value(club: Club) -> None:
    """It was said to be lost with what it pays."""
    given = box("1860", 3, "variable_privates").phase("2").par("IOW", 74).shares("IOW", p1=2)
    await seated(club, given.stock(turn=2).private(CMH="p1"), "1860", "variable_privates")
    closing = private_answer(await club.aiko.click(club.packet(), label="Close a private…"))
    question = private_answer(await club.aiko.click(closing, label="Close CMH Cowes Marina & Ferry Company for good"))
    assert "It no longer pays its £20, but its £90 still counts at the end." in text(question)


async def test_bankruptcy_is_offered_privately_where_money_is_hidden_and_says_what_it_ends(club: Club) -> None:
    given = box("1889", 3).par("AR", 100, (0, 3)).shares("AR", p1=5).phase("6").operating("AR", "trains")
    table = await seated(club, given.tile("K8", "57", 1).par("IR", 90).cash(AR=10, p1=0), "1889")
    assert "Declare bankruptcy" not in buttons(club.packet())
    sales = private_answer(await club.aiko.click(club.packet(), label="Sell shares…"))
    question = private_answer(await club.aiko.click(sales, label="Declare bankruptcy"))
    assert not table.position.over
    assert text(question).endswith("What follows: AR falls to ¥75; IR falls to ¥70; the game ends.")
    await club.aiko.click(question, label="Declare bankruptcy")
    assert isinstance(table.moves[-1].action, GoBankrupt)
    assert table.position.over


async def test_leaving_asks_first(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    await club.ben.click(club.packet(), label="Join")
    lobby = club.packet()
    for ask in (club.ben.click(lobby, label="Leave"), club.ben.slash(club.channel, "game leave")):
        question = private_answer(await ask)
        assert "Leave this game?" in text(question)
        assert "Ben" in text(club.packet())
    await club.ben.click(question, label="Leave the game")
    assert "Ben" not in text(club.packet())


def test_what_asks_comes_after_pass() -> None:
    order = list(CONTROLS)
    asks = [kind for kind, control in CONTROLS.items() if control.warning]
    assert len(asks) > 3
    assert all(order.index(kind) >= order.index(Pass) for kind in asks)


async def test_a_private_that_the_title_does_not_have_is_refused_before_it_is_asked_about(club: Club) -> None:
    table = await seated(club, box("1860", 3).phase("2").stock(turn=2).private(CMH="p1"), "1860")
    with pytest.raises(BadAction, match="XYZ"):
        await asked_again(table, SellPrivate(PlayerId("p1"), PrivateId("XYZ")), None)
