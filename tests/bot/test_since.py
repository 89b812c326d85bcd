"""What happened? and /game since: what changed for whoever was away."""

from __future__ import annotations

import json
import random
import re
from typing import Any, Literal

import pytest
from club import Club, buttons, text
from player import answer, begin_at, passes, played, private_answer, tool
from tables import table as laid

import engine
from board.turn import header
from bot.core.moves import began
from bot.rooms.past.since import Since, _sections, last_own, next_to_rust, rivals, since_own_screen, since_round
from bot.rooms.turn.screen import turn_screen
from bot.words.lexicon import lexicon
from engine.action_json import to_json
from engine.actions import Bid, BuyShare, BuyTrain, ExchangePrivate, Par, Pass, SellShares, TradePrivate
from engine.facts import TrainDiscarded, TrainExported, TrainsRusted
from engine.flow import finish
from engine.ids import BANK, IPO, POOL, CorpId, PlayerId, PrivateId, Rank
from engine.past import rounds_of
from engine.state import State
from engine.title import Title
from engine.viewing import table_view
from records.simulate import choose
from storage import SeatChange


@pytest.mark.core
async def test_the_button_tells_what_others_did_since_ones_own_last_move(club: Club) -> None:
    table = await club.begin(3)
    people = club.members
    for member, seat, action in zip(
        people, ("p1", "p2", "p3"), (Pass(PlayerId("p1")), Bid(PlayerId("p2"), PrivateId("B"), 35), None), strict=False
    ):
        await table.submit(action or Pass(PlayerId(seat)), user=member.id)
    assert [last_own(table, PlayerId(seat)) for seat in ("p1", "p2", "p3")] == [1, 2, 3]
    told = text(private_answer(await tool(people[0], club.packet(), "What happened?")))
    assert told.startswith("### What happened since your last move")
    assert "2 moves" in told
    assert "Nothing has happened yet." in await answer(tool(people[2], club.packet(), "What happened?"))


@pytest.mark.parametrize("how", ["pass", "bot"])
async def test_what_the_bot_or_the_others_did_for_somebody_is_no_move_of_theirs(
    club: Club, how: Literal["pass", "bot"]
) -> None:
    table = await club.begin(3)
    await passes(table, "p1", "p2", "p3")
    await table.act_for(PlayerId("p1"), how, said="")
    assert [last_own(table, PlayerId(seat)) for seat in ("p1", "p2", "p3")] == [1, 2, 3]


async def test_whoever_plays_in_a_seat_again_is_told_what_their_substitute_did(club: Club) -> None:
    table = await club.begin(3)
    seat = table.seats["p1"]
    for change in (SeatChange("p1", "lent", club.aiko.id, club.daichi.id, "Daichi", ends_at=1 << 40), None):
        await passes(table, "p1", "p2", "p3")
        change = change or SeatChange("p1", "returned", club.daichi.id, club.aiko.id, seat.name)
        await table.store.tenures.hand_over(table.game.id, change)
        table = await club.table()
        if change.how == "lent":
            assert (await since_own_screen(table, PlayerId("p1"))).text.startswith("### What happened so far\n-# 3 ")
    assert last_own(table, PlayerId("p1")) == 1
    assert [aside.text for aside in (await turn_screen(table)).asides if aside.button.label == "What happened?"] == [
        "-# 5 new moves."
    ]


@pytest.mark.long
@pytest.mark.parametrize("moves", [11, 24, 60])
async def test_the_turn_s_message_and_what_happened_count_the_same_moves(club: Club, moves: int) -> None:
    table = await played(club, moves, 4)
    while not (said := [one for one in (await turn_screen(table)).asides if one.button.label == "What happened?"]):
        await table.submit(
            choose(table.title, table.position.state, random.Random(1)), user=club.who(table.position.up[0], table).id
        )
    told = (await since_own_screen(table, table.position.up[0])).text
    counted = re.fullmatch(r"-# (\d+) (?:new moves?|moves so far)\.", said[0].text)
    assert counted is not None, f"more words take a second line beside the button: {said[0].text}"
    assert counted[1] == re.search(r"(\d+) moves?", told)[1]  # type: ignore[index]


@pytest.mark.parametrize("ahead", [False, True])
async def test_within_a_turn_undo_stands_beside_what_was_pressed_alone(club: Club, ahead: bool) -> None:
    table, chance, begun = await played(club, 40), random.Random(1), False
    while not begun:
        seat, seq = table.position.up[0], table.position.seq
        action = choose(table.title, table.position.state, chance)
        if ahead:
            await table.play_ahead(action, seen=seq)
        else:
            await table.submit(action, user=club.who(action.by, table).id)
        begun = table.position.up == (seat,) and began(table.title, table.moves, table.beginning) < len(table.moves)
    screen = await turn_screen(table)
    offered = [aside.button.label for aside in screen.asides]
    assert ("Undo" in offered) == (not ahead)


async def test_who_has_just_bought_a_share_is_not_told_where_it_came_from(club: Club) -> None:
    table, chance, told = await played(club, 40), random.Random(1), ""
    while "buys 10 %" not in told:
        seat = table.position.up[0]
        buys = [one for one in await table.position.actions(seat) if isinstance(one, BuyShare)]
        action = buys[0] if buys else choose(table.title, table.position.state, chance)
        await table.submit(action, user=club.who(action.by, table).id)
        told = "".join(aside.text for aside in (await turn_screen(table)).asides)
    assert re.search(r"buys 10 % of \*\*\w+\*\* for ¥\d+\.", told)


async def test_the_air_raids_that_a_train_brings_are_told_beside_it_and_first_above_the_board(club: Club) -> None:
    table = await club.begin(3, title="1890", options="air_raids")
    railway = laid("1890", 3, "air_raids").phase("2½", left_3=0).par("Hankyu", 80).operating("Hankyu", "trains")
    t, s = railway.cash(Hankyu=900).private(A="p2").tile("F5", "820").tile("E10", "15", 2).build()
    s.depot[Rank("3+3")] = 1
    begin_at(table, t, s)
    await table.submit(
        BuyTrain(PlayerId("p1"), CorpId("Hankyu"), Rank("3+3"), BANK, 230), user=table.seats["p1"].user_id
    )
    (aside,) = (await turn_screen(table)).asides
    bought, raids = aside.text.splitlines()
    assert "buys a 3+3-train" in bought
    assert "Air raids" in raids
    assert ">Air raids" in str(header(table, 0)).partition("last")[2]


@pytest.mark.broad
async def test_an_insolvency_that_another_s_pass_brings_is_told_at_once_and_above_the_board(club: Club) -> None:
    table = await club.begin(3, title="1860", options="open_treasuries")
    railway = laid("1860", 3, "open_treasuries").par("IOW", 74, (0, 20)).shares("IOW", p1=5).par("C&N", 82, (0, 22))
    railway.shares("C&N", p2=5).trains("C&N", "2+1").operating("IOW", "track", then=("C&N",)).cash(IOW=40)
    begin_at(table, *railway.tile("J4", "6", 0).own(layer=1, paid={}).build())
    while table.position.up == ("p1",):
        await passes(table, "p1")
    (aside,) = (await turn_screen(table)).asides
    count, event = aside.text.splitlines()
    assert "so far" in count
    assert event.startswith("-# **IOW** is now insolvent: it keeps what a leased train earns")
    assert "><b>IOW</b> is now insolvent" in str(header(table, 0)).partition("last")[2]


async def test_it_says_the_money_shares_and_prices_before_and_after(club: Club) -> None:
    table = await played(club, 60)
    first, _ = since_round(table, "opening")
    assert first == 0
    answer = private_answer(await club.aiko.slash(club.channel, "game since", round="opening"))
    told, now = text(answer), table.position.table()
    for row in now.players:
        assert re.search(
            rf"\*\*{row.name}\*\* is worth ¥{row.worth:,} \([+‑]¥{abs(row.worth - 420):,}\), cash ¥{row.cash:,}", told
        )
        for corp, held in row.shares:
            assert f"**{corp}** 0 % → {held * 10} %" in told
    for private in now.privates:
        if private.owner in table.seats:
            assert re.search(
                rf"{table.names[PlayerId(private.owner)]}.*: .*({re.escape(private.name)}|\b{private.id}\b)", told
            )
    for company in now.companies:
        if company.price is not None:
            assert re.search(rf"\*\*{company.company.id}\*\* new at ¥{company.price}", told)
    assert {"Move by move", "As text"} <= set(buttons(answer))
    shown = private_answer(await club.aiko.click(answer, label="Move by move"))
    assert text(shown).startswith("### Move 1 of 60")


async def test_a_round_that_was_not_played_is_refused_with_those_that_were(club: Club) -> None:
    table = await played(club, 40)
    refused = text(private_answer(await club.aiko.slash(club.channel, "game since", round="77.7")))
    assert "no round “77.7”" in refused
    assert rounds_of(table.states())[-1].name in refused


async def test_what_happened_since_the_opening_is_said_so(club: Club) -> None:
    """It read “What happened since opening”."""
    await club.begin(2)
    said = await answer(club.aiko.slash(club.channel, "game since", round=" Opening "))
    assert said.startswith("### What happened since the opening began\n")


async def test_an_offer_that_waits_is_told_to_whom_it_waits_for(club: Club) -> None:
    table = await played(club, 12)
    offered = TradePrivate(PlayerId("p1"), PrivateId("A"), 25)
    body = json.dumps(to_json(offered))
    made: dict[str, Any] = {"from_seat": "p1", "to_seat": "p2"}
    await table.store.offers.make(table.game.id, table.position.seq, body, **made)
    told = [
        text(private_answer(await one.slash(club.channel, "game since", round="opening"))) for one in club.members[:2]
    ]
    assert "It is waiting for your answer." not in told[0]
    assert "**Aiko** wants to buy A Takamatsu E-Railroad for **¥25**. It is waiting for your answer." in told[1]


@pytest.mark.parametrize(
    ("held", "found"),
    [
        pytest.param((4, 3, 0), {3: ["p2"]}, id="one who holds nearly as much"),
        pytest.param((4, 3, 3), {}, id="too few are left to buy"),
        pytest.param((3, 2, 2), {2: ["p2", "p3"]}, id="two who hold as much"),
        pytest.param((6, 3, 0), {}, id="nobody may hold seven"),
    ],
)
def test_a_rival_is_whoever_could_buy_more_than_the_president_has(
    held: tuple[int, ...], found: dict[int, list[str]]
) -> None:
    shares = dict(zip(("p1", "p2", "p3"), held, strict=True))
    row = table_view(*laid("1889", 3).par("AR", 80).shares("AR", shares).build()).company("AR")
    assert rivals(row, 6) == found


def test_what_rusts_next_is_told_with_its_owners_and_what_is_sold_before() -> None:
    t, s = laid("1889", 3).par("AR", 80).shares("AR", president="p1", p1=4).trains("AR", "2").phase("3").build()
    left = s.depot.get(Rank("2"), 0) + s.depot.get(Rank("3"), 0)
    assert list(next_to_rust(table_view(t, s))) == [
        f"2-trains (**AR**) rust next: with the first 4-train, after {left} more trains"
    ]
    s.depot |= {Rank("2"): 0, Rank("3"): 0}
    (line,) = next_to_rust(table_view(t, s))
    assert line.endswith("with the first 4-train, on sale now")
    s.depot[Rank("3")] = 1
    (line,) = next_to_rust(table_view(t, s))
    assert line.endswith("with the first 4-train, after one more train")


@pytest.mark.rule("1889-TRN-02")
def test_trains_that_go_on_sale_beside_others_do_not_wait_for_all_of_them() -> None:
    t, s = laid("1889", 3).par("AR", 80).shares("AR", president="p1", p1=4).trains("AR", "4").phase("5").build()
    (line,) = next_to_rust(table_view(t, s))
    assert line == f"4-trains (**AR**) rust next: with the first D-train, after {s.depot[Rank('5')] + 1} more trains"
    t, s = laid("1889", 3).par("AR", 80).shares("AR", president="p1", p1=4).trains("AR", "4").phase("6").build()
    (line,) = next_to_rust(table_view(t, s))
    assert s.depot[Rank("6")]
    assert line.endswith("with the first D-train, on sale now")


@pytest.mark.rule("1890-COR-05")
def test_companies_that_floated_or_closed_are_told_with_the_shares_that_went() -> None:
    t, s = laid("1890", 3).par("Hankyu", 65, (8, 0)).shares("Hankyu", president="p1", p1=3, p2=2).build()
    after = engine.apply(t, s, SellShares(PlayerId("p1"), CorpId("Hankyu"), 1))
    assert sections(t, s, after)[2:] == [
        "**Companies:** closed: **Hankyu**",
        "**Shares**",
        "- **Ann**: **Hankyu** 30 % → 0 %",
        "- **Ben**: **Hankyu** 20 % → 0 %",
        "**Prices:** **Hankyu** ¥30 → ¥0 (sold)",
    ]
    t, s = laid("1890", 3).private(M1="p1").build()
    after = laid("1890", 3).private(M1="closed").own(closed=("M1",)).build()[1]
    told = sections(t, s, after)
    assert [line for line in told if "closed" in line] == ["**Companies:** closed: **M1**"]
    t, s = laid("1889", 3).par("AR", 80).shares("AR", president="p1", p1=4).build()
    after = engine.apply(t, s, BuyShare(PlayerId("p1"), CorpId("AR"), IPO))
    s.floated -= {"AR"}
    assert "**Companies:** floated: **AR**" in sections(t, s, after)


@pytest.mark.rule("1890-VAR-14")
def test_a_company_that_sells_too_little_to_operate_is_not_said_to_have_floated() -> None:
    """“floated: **JR**” and “needs 50 % sold: **JR**” stood below each other."""
    t, s = laid("1890", 3, "incremental_float").phase("1").stock().cash(p1=1000).build()
    par = next(one for one in engine.legal(t, s, PlayerId("p1")) if isinstance(one, Par) and one.corp == "JR")
    assert "**Companies:** needs 50 % sold: **JR**" in sections(t, s, engine.apply(t, s, par))
    par = next(one for one in engine.legal(t, s, PlayerId("p1")) if isinstance(one, Par) and one.corp == "Sanyo")
    assert "**Companies:** can operate: **Sanyo**" in sections(t, s, engine.apply(t, s, par))


def test_a_company_is_in_receivership_or_no_longer_in_it_and_a_bankrupt_one_is_nothing_else() -> None:
    """“no longer receivership: **IOW**”, of one that had gone bankrupt."""
    t, s = laid("1860").par("IOW", 74).shares("IOW", p1=6).build()
    t, kept = laid("1860").par("IOW", 74).shares("IOW", president=POOL, pool=6).build()
    bankrupt = laid("1860").par("IOW", 74).shares("IOW", p1=6).own(bankrupt=("IOW",)).build()[1]
    assert "**Companies:** in receivership: **IOW**" in sections(t, s, kept)
    assert "**Companies:** no longer in receivership: **IOW**" in sections(t, kept, s)
    assert "**Companies:** bankrupt: **IOW**" in sections(t, kept, bankrupt)
    before, sold = s.copy(), kept.copy()
    before.floated = sold.floated = frozenset()
    assert "**Companies:** without a director: **IOW**" in sections(t, before, sold)
    assert "**Companies:** no longer without a director: **IOW**" in sections(t, sold, before)
    assert "no longer" not in "\n".join(sections(t, sold, kept)), "it operates without one"


def test_what_has_become_a_late_private_is_told_as_that() -> None:
    """It read “Companies: a late private: M5”."""
    t, s = laid("1890", 3).phase("1").private(M5="p1").operating("M5", "trains").rounds(2, 1, 1).build()
    after = engine.apply(t, s, ExchangePrivate(PlayerId("p1"), PrivateId("M5")))
    assert "**Companies:** now a late private: **M5**" in sections(t, s, after)


def test_a_train_of_another_company_is_told_with_its_seller() -> None:
    box = laid("1889", 3).par("AR", 80).shares("AR", president="p1", p1=5).par("IR", 80)
    box = box.shares("IR", president="p1", p1=5).trains("IR", "5").phase("5").cash(AR=100)
    t, s = box.operating("AR", "trains").build()
    after = engine.apply(t, s, BuyTrain(PlayerId("p1"), CorpId("AR"), Rank("5"), CorpId("IR"), 1))
    assert "**Trains:** bought: **AR** 5 from **IR**" in sections(t, s, after)


def test_trains_that_were_given_up_exported_and_rusted_are_told() -> None:
    t, s = laid("1889", 3).par("AR", 80).shares("AR", p1=5).build()
    told = (TrainsRusted(Rank("2"), (CorpId("AR"),)), TrainDiscarded(CorpId("AR"), Rank("3")), TrainExported(Rank("4")))
    after = s.copy()
    after.facts = list(told)
    (line,) = [one for one in sections(t, s, after) if one.startswith("**Trains:**")]
    assert line.startswith(
        "**Trains:** rusted: the 2-trains (**AR**); discarded: a 3-train of **AR**; exported: a 4-train"
    )


def test_trains_that_went_in_the_same_way_are_told_together() -> None:
    """It read “rusted: the 2-trains (**AR**); rusted: the 3-trains; discarded: …; discarded: …”."""
    t, s = laid("1889", 3).par("AR", 80).shares("AR", president="p1", p1=5).build()
    after = s.copy()
    after.facts = [
        TrainsRusted(Rank("2"), (CorpId("AR"),)),
        TrainDiscarded(CorpId("IR"), Rank("3")),
        TrainDiscarded(CorpId("KU"), Rank("3")),
        TrainsRusted(Rank("3"), ()),
    ]
    told = "rusted: the 2-trains (**AR**) and the 3-trains; discarded: a 3-train of **IR** and a 3-train of **KU**"
    assert f"**Trains:** {told}" in sections(t, s, after)


def sections(t: Title, s: State, after: State) -> list[str]:
    """What changed from one position to the next, as everybody is told."""
    return _sections(
        t, Since(lexicon(after.names, t), table_view(t, s), table_view(t, after), tuple(after.facts), None)
    )


@pytest.mark.rule("1860-PRV-09")
def test_a_share_that_is_kept_for_a_private_is_no_threat() -> None:
    box = laid("1860", 3).par("C&N").shares("C&N", president="p1", p1=5, p2=4).private(CMH="p3")
    row = table_view(*box.build()).company("C&N")
    assert (row.ipo, row.buyable, rivals(row, 10)) == (1, 0, {})
    row = table_view(*box.shares("C&N", president="p1", p1=4, p2=4).build()).company("C&N")
    assert rivals(row, 10) == {4: ["p2"]}


def test_once_the_game_is_over_nobody_could_take_a_presidency() -> None:
    t, s = laid("1889", 3).par("AR", 80).shares("AR", president="p1", p1=4, p2=4).build()
    over = s.copy()
    finish(t, over, "agreed")
    views = [table_view(t, one) for one in (s, over)]
    told = [_sections(t, Since(lexicon(s.names, t), one, one, (), PlayerId("p1"))) for one in views]
    assert ["more would take it" in "".join(one) for one in told] == [True, False]
