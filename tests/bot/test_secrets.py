"""What one may not know is not shown: money of companies, in turns, lists and cards."""

from __future__ import annotations

import random
from typing import Any

import pytest
from club import Club, buttons, selects, text
from player import answer, private_answer

from bot.core.secrecy import treasury_hidden, unpaid
from bot.core.table import Table
from bot.words.labels import telling
from engine import State, Title, legal
from engine.actions import BuyTrain, PlaceToken
from engine.ids import CorpId
from records.simulate import choose

FROM_OTHERS = "From another company…"


async def until_spending(club: Club, title: str) -> Table:
    """Play until a company may buy trains, by its president, and show that turn."""
    table = await club.begin(4, title)
    chance = random.Random(3)
    for _ in range(600):
        state = table.position.state
        president = table.position.up[0]
        if any(isinstance(action, BuyTrain) for action in legal(table.title, state, president)):
            await club.announces(table)
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
    assert money in await answer(club.who(president, table).click(club.packet(), label=FROM_OTHERS))
    for seat in table.seats:
        if seat == president:
            continue
        refused = private_answer(await club.who(seat, table).click(club.packet(), label=FROM_OTHERS))
        assert money not in text(refused) + controls(refused)
        assert "not your turn" in text(refused)


@pytest.mark.rule("1860-SEC-02")
async def test_who_opens_the_tokens_of_a_company_that_cannot_pay_for_one_reads_what_it_costs(club: Club) -> None:
    table = await club.begin(3, "1860")
    chance = random.Random(1)
    for _ in range(200):
        t, s = table.title, table.position.state
        if s.step == "token" and treasury_hidden(table.position) and unpaid(t, s, PlaceToken) and not may_place(t, s):
            break
        action = choose(t, s, chance)
        await table.submit(action, user=table.seats[action.by].user_id)
    await club.announces(table)
    answer = private_answer(await club.who(table.position.up[0], table).click(club.packet(), label="Place a token…"))
    assert "costs £100; the treasury has £0." in text(answer)
    assert "What you can do:" in text(answer)
    assert "No token" in buttons(answer)


def may_place(t: Title, s: State) -> bool:
    return any(isinstance(one, PlaceToken) for one in legal(t, s, s.president[CorpId(str(s.operating))]))


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
