"""What one may not know is not shown: money of companies, in turns, lists and cards."""

from __future__ import annotations

import random
from typing import Any

import pytest
from club import Club, buttons, selects, text
from player import private_answer

from bot.core.table import Table
from bot.words.labels import telling
from engine import legal
from engine.actions import BuyTrain
from engine.ids import CorpId
from records.simulate import choose

pytestmark = pytest.mark.usefixtures("plain_pictures")


FROM_OTHERS = "From another company…"


async def until_spending(club: Club, title: str) -> Table:
    """Play until a company may buy trains, by its president, and show that turn."""
    table = await club.begin(4, title)
    chance = random.Random(3)
    for _ in range(600):
        state = table.position.state
        president = table.position.up[0]
        if any(isinstance(action, BuyTrain) for action in legal(table.title, state, president)):
            await club.bot.sender.announce(table.game.id)
            await club.bot.sender.idle()
            if FROM_OTHERS in buttons(club.packet()):
                return table
        action = choose(table.title, state, chance)
        await table.submit(action, user=table.seats[action.by].user_id)
    raise AssertionError("no company came to buy a train")


def controls(message: Any) -> str:
    """What is to be read on the buttons and in the lists."""
    return " ".join([*buttons(message), *(str(options) for options in selects(message).values())])


@pytest.mark.rule("1889-SEC-03", "1860-SEC-02")
@pytest.mark.parametrize("title", ["1889", "1860"])
async def test_the_message_of_a_turn_tells_no_hidden_money(club: Club, title: str) -> None:
    table = await until_spending(club, title)
    corp = CorpId(str(table.position.decision.subject))
    money = table.position.lexicon().money(table.position.state.cash[corp])
    assert money not in controls(club.packet())
    assert not any(
        kind.__name__ in custom_id for kind in telling("company", "sale") for custom_id in selects(club.packet())
    )
    president = table.position.up[0]
    answer = private_answer(await club.who(president, table).click(club.packet(), label=FROM_OTHERS))
    assert money in text(answer)
    for seat in table.seats:
        if seat == president:
            continue
        refused = private_answer(await club.who(seat, table).click(club.packet(), label=FROM_OTHERS))
        assert money not in text(refused) + controls(refused)
        assert "not your turn" in text(refused)


@pytest.mark.rule("1860-SEC-02")
async def test_credits_are_shown_to_shareholders_alone(club: Club) -> None:
    table = await until_spending(club, "1860")
    corp = CorpId(str(table.position.decision.subject))
    told = {}
    for seat in table.seats:
        card = private_answer(await club.who(seat, table).slash(club.channel, "show company", company=corp))
        told[seat] = "credits" in text(card)
    assert told == {seat: table.position.state.held(corp, seat) > 0 for seat in table.seats}
    assert True in told.values()
    row = next(row for row in table.position.table().companies if row.company.id == corp)
    assert row.treasury is None
