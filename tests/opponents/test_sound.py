"""What once went plainly wrong: positions, and what is chosen there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from drawn import considered, in_need
from tables import Table, table

from cli.matches import moves
from engine import BANK, POOL, TITLES, State, Title, apply, build, legal, start
from engine.actions import (
    Action,
    Bid,
    BidToChoose,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    CompanyBuysPrivate,
    LayTile,
    Par,
    Pass,
    SellShares,
)
from engine.ids import SR, CorpId, PlayerId, PrivateId, Rank
from opponents import choose, regular, strong
from opponents.auction import auction, worth_of_right
from opponents.choice import Reason, best_first
from opponents.facts import facts_of
from opponents.forecast import NEVER, Course, course_of
from opponents.prospects import Valuation
from opponents.question import LEFT, Question, ask
from opponents.selling import before_sale
from opponents.track import likely_trains, rate_lays
from opponents.trying import worth_trying
from opponents.weights import STANDARD

P1, P2, P3 = (PlayerId(f"p{number}") for number in (1, 2, 3))


def bid_for_the_right(amount: int, left: int = 6) -> tuple[Title, State]:
    """1860 for three: p2 has bid so much for the right to choose one of what is left."""
    title = build("1860", 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    for private in list(state.owner)[: 6 - left]:
        state.owner[private] = P3
    state = apply(title, state, Pass(P1))
    return title, apply(title, state, BidToChoose(P2, amount))


def test_a_bid_of_thirty_does_not_take_the_best_of_all() -> None:
    title, state = bid_for_the_right(30)
    assert isinstance(considered(title, state, P3).action, BidToChoose)


def test_nor_where_the_next_best_gains_nearly_as_much_as_that_will_have_its_price_too() -> None:
    title = build("1860", 2)
    state = apply(title, start(title, ["Ann", "Ben"]), BidToChoose(P1, 30))
    assert isinstance(considered(title, state, P2).action, BidToChoose)


def test_a_company_whose_shares_all_can_buy_is_worth_no_fortune_before() -> None:
    """As soon as IOW was gone, C&N went for 205."""
    title = build("1860", 2)
    state = apply(title, start(title, ["Ann", "Ben"]), BidToChoose(P1, 25))
    state = apply(title, state, Pass(P2))
    state = apply(title, state, Par(P1, CorpId("IOW"), *title.market.pars()[-1][1:]))
    q = ask(title, state, P2)
    assert 0 < worth_of_right(q, course_of(title, q.s)) < 110


def test_a_right_to_choose_has_its_price() -> None:
    title, state = bid_for_the_right(150)
    assert isinstance(considered(title, state, P3).action, Pass)


def test_what_the_right_to_choose_is_worth_depends_on_what_is_left() -> None:
    """Where what is left is nearly alike, to be first is worth little."""
    found = []
    for missing in ((), ("RPSC", "CMH", "YHC")):
        title, state = bid_for_the_right(5)
        state.owner |= dict.fromkeys(map(PrivateId, missing), P1)
        q = ask(title, state, P3)
        found.append(worth_of_right(q, course_of(title, q.s)))
    assert found[0] > found[1] > 0


def test_the_right_to_choose_is_told_as_it_is_worth() -> None:
    title, state = bid_for_the_right(5)
    q = ask(title, state, P3)
    told = {
        reason.amount
        for choice in auction(q)
        for reason in choice.reasons
        if isinstance(choice.action, BidToChoose) and reason.why == "value"
    }
    assert told == {round(worth_of_right(q, course_of(title, q.s)))}


def test_who_must_choose_is_told_what_each_gains_though_no_money_is_left_for_a_company() -> None:
    title, state = bid_for_the_right(5)
    state.cash[P2] = 205
    state = apply(title, state, Pass(P3))
    q = ask(title, state, P2)
    privates = {one.action.private: one for one in auction(q) if isinstance(one.action, BuyPrivate)}
    gains = {private: one.reasons[0].amount for private, one in privates.items()}
    assert all(one.sensible for one in privates.values())
    assert all(amount > 0 for amount in gains.values())
    assert len(set(gains.values())) == len(gains)


def test_the_money_to_start_a_company_is_kept_however_often_all_pass() -> None:
    """Who buys what is left instead, since its owner is paid each time, falls behind those who start companies."""
    title = build("1889", 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    for action in (
        Bid(P1, PrivateId("F"), 110), Bid(P2, PrivateId("F"), 115), Bid(P3, PrivateId("E"), 110), Pass(P1), Pass(P2),
        BuyPrivate(P3, PrivateId("A")),
    ):  # fmt: skip
        state = apply(title, state, action)
    for seat in (P1, P2, P3, P1):
        assert isinstance(considered(title, state, seat).action, Pass)
        state = apply(title, state, Pass(seat))


def leasing(cash: int, *, insolvent: bool) -> tuple[Title, State]:
    """1860: C&N has no train, and builds."""
    layout = table("1860", 3).phase("4").operating("C&N").shares("C&N", p1=5, p2=5).cash(**{"C&N": cash})
    if insolvent:
        layout.own(insolvent=(CorpId("C&N"),))
    return layout.build()


def test_what_a_company_is_told_to_run_for_is_what_its_lease_earns() -> None:
    """Not what the next train of the bank would, which it cannot pay for."""
    title, state = leasing(0, insolvent=True)
    q = ask(title, state, P1)
    assert q.corp is not None
    assert likely_trains(title, state, q.corp) == ()
    lays = [choice for choice in rate_lays(q) if isinstance(choice.action, LayTile)]
    assert lays
    for choice in lays:
        after = apply(title, state, choice.action)
        best = max((best.total for best in title.policy.routes.bests(title, after, q.corp, 0)), default=0)
        (runs,) = [reason for reason in choice.reasons if reason.why == "runs"]
        assert runs.amount == best
    assert any(reason.amount for choice in lays for reason in choice.reasons if reason.why == "runs")


def laying(corp: str, bank: int = 5000) -> Question:
    """1889: the company lays its first tile, in the last round if the bank is broken."""
    found = table("1889", 3).operating(corp).trains(corp, "2", "2").cash(**{corp: 500}).rounds(5, 3, 3)
    title, state = found.tile("G10", "3", 2).bank(bank).build()
    return ask(title, state, P1)


def test_a_straight_that_looks_the_same_turned_by_half_is_one_choice() -> None:
    q = laying("UR")

    def straights(actions: Iterable[Action]) -> int:
        return sum(isinstance(one, LayTile) and (one.hex, one.tile) == ("B5", "9") for one in actions)

    assert (straights(q.options), straights(one.action for one in rate_lays(q, tried_closely=99))) == (2, 1)


@pytest.mark.parametrize(("bank", "lays"), [(5000, True), (-1000, False)])
def test_a_lay_that_brings_nothing_any_more_is_none(bank: int, lays: bool) -> None:
    """None of what the company can lay in the last round is run over, and what it promises comes too late."""
    considered = regular.rate(laying("KU", bank), Random(0))
    assert any(isinstance(one.action, LayTile) for one in considered) == lays


def test_track_that_makes_a_second_run_possible_is_seen_though_it_promises_nothing() -> None:
    """It joins Kouchi and Nangoku for the second train, too."""
    best = best_first(rate_lays(laying("TR")))[0]
    assert isinstance(best.action, LayTile)
    assert best.action.hex == "G8"
    assert Reason("runs", 80, 40, "TR") in best.reasons


@pytest.mark.parametrize(("cash", "buys"), [(0, False), (2000, True)])
def test_a_train_is_counted_on_only_where_it_can_be_paid_for(cash: int, buys: bool) -> None:
    title, state = leasing(cash, insolvent=False)
    assert bool(likely_trains(title, state, CorpId("C&N"))) == buys


def test_a_president_pays_for_the_train_that_is_counted_on() -> None:
    title, state = table("1889", 3).operating("AR").cash(AR=0).build()
    assert likely_trains(title, state, CorpId("AR")) == ("2",)


def test_nothing_is_sold_in_a_turn_in_which_something_was_bought() -> None:
    """What is to be sold is sold before; a share just bought is kept."""
    layout = table("1889", 3).phase("5").par("AR", 70, at=(0, 8)).trains("AR", "5").shares("AR", p2=5, pool=2)
    title, state = layout.par("IR", 65, at=(0, 5)).shares("IR", p3=5, p1=4).stock("p1", 4).cash(p1=400).build()
    bought = apply(title, state, BuyShare(P1, CorpId("AR"), POOL))
    assert any(isinstance(action, SellShares) for action in legal(title, bought, P1))
    assert worth_trying(ask(title, bought, P1), Pass(P1)) == [Pass(P1)]
    assert any(isinstance(action, SellShares) for action in worth_trying(ask(title, state, P1), Pass(P1)))


def test_shares_are_not_sold_for_a_train_before_it_is_due() -> None:
    """They bring the money then, too; whoever sells ahead of it drags the table's prices down, and others follow."""
    title, state = in_need()
    strongs = replace(STANDARD, raised=strong.RAISED)
    assert isinstance(considered(title, state, P1).action, SellShares)
    assert not isinstance(considered(title, state, P1, strongs).action, SellShares)


@pytest.mark.parametrize(("last", "passes", "sells"), [(P1, 2, False), (P1, 1, True), (P2, 2, True), (None, 0, True)])
def test_what_could_have_been_sold_in_the_last_turn_is_not_sold_once_all_others_have_passed(
    last: PlayerId | None, passes: int, sells: bool
) -> None:
    """Otherwise a player sells one share a turn, and the round goes on and on."""
    title, state = in_need()
    state.last_actor, state.passes = last, passes
    assert isinstance(considered(title, state, P1).action, SellShares if sells else Pass)


@pytest.mark.long
def test_games_do_not_begin_with_the_same_company_at_the_same_par() -> None:
    title = build("1889", 4)
    state = next(state for _, state in moves(title, ("learner",) * 4, 1) if state.round == SR)
    first = {choose(title, state, state.up, "strong", seed).action for seed in range(12)}
    assert len([action for action in first if isinstance(action, Par)]) > 1


LASTING = Course(12, (4,) * 12, (4,) * 12, (NEVER,) * 6)
"""A course in which no train rusts, and the 6s are on sale."""


def two_companies(*trains: str, cash: int = 5, head: str = "p1") -> Table:
    """AR, p1's, has no train and so much money; KO, of the `head`, has these trains."""
    layout = table("1889", 3).phase("5").par("AR", 80, at=(2, 3)).par("KO", 80, at=(2, 3))
    layout.shares("AR", p1=6, p2=4).shares("KO", {head: 6, "p3": 4}).trains("KO", *trains)
    return layout.cash(p1=300, p2=300, p3=300, AR=cash, KO=100)


@pytest.mark.parametrize(
    ("trains", "cash", "head", "spared"),
    [
        (("5", "5"), 5, "p1", True),
        (("5",), 5, "p1", False),
        (("4", "5"), 5, "p1", True),
        (("5", "5"), 0, "p1", False),
        (("5", "5"), 5, "p2", False),
    ],
)
def test_a_president_adds_nothing_for_a_train_that_another_of_his_companies_has_to_spare(
    trains: tuple[str, ...], cash: int, head: str, spared: bool
) -> None:
    title, state = two_companies(*trains, cash=cash, head=head).stock("p1", 4).build()
    outcome = Valuation(title, state, LASTING, STANDARD).outcome()
    assert (outcome.owed[0] == 0) == spared


def test_a_train_that_rusts_at_once_is_none_to_spare() -> None:
    title, state = two_companies("4", "5").stock("p1", 4).build()
    rusts = replace(LASTING, rust=tuple(0 if rank == "4" else NEVER for rank in title.trains))
    assert Valuation(title, state, rusts, STANDARD).outcome().owed[0] > 0


def test_a_train_is_bought_for_next_to_nothing_of_another_of_ones_companies() -> None:
    title, state = two_companies("5", "5").operating("AR", "trains", then=("KO",)).build()
    choice = choose(title, state, P1, "strong", 3)
    assert isinstance(choice.action, BuyTrain)
    assert (choice.action.source, choice.action.price) in [("KO", 1), ("KO", 5 - LEFT)]
    assert all(reason.why != "contribution" for reason in choice.reasons)


def test_a_company_does_not_spend_its_last_coin_on_a_train_of_another_of_its_presidents() -> None:
    title, state = two_companies("5", "5", cash=700).operating("AR", "trains").build()
    prices = {one.price for one in ask(title, state, P1).options if isinstance(one, BuyTrain) and one.source == "KO"}
    assert max(prices) == 700 - LEFT
    assert 1 in prices


def test_nor_on_a_private_of_its_president() -> None:
    layout = two_companies("5", "5", cash=60).phase("4").private(B="p1").operating("AR", "trains")
    title, state = layout.trains("AR", "4").build()
    prices = {one.price for one in ask(title, state, P1).options if isinstance(one, CompanyBuysPrivate)}
    assert max(prices) == 60 - LEFT


def owner_of_the_great_wall(cash: int) -> tuple[Question, BuyTrain]:
    """ZDR has bought the first 3 of 1888-N, and its president owns a private that it may pay 150 for; each company has
    shares for sale."""
    layout = table("1888", 4).phase("3", left_3=5).private(CW="p1").cash(p1=80, p2=80, p3=80, p4=80)
    for corp, head in (("ZDR", "p1"), ("SSL", "p2"), ("HJR", "p3"), ("CDL", "p4")):
        layout.par(corp, 70, at=(6, 3)).shares(corp, {head: 6}).trains(corp, "2", "2").cash(**{corp: 530})
    layout.trains("ZDR", "2", "3").cash(ZDR=cash)
    title, state = layout.operating("ZDR", "trains").rounds(1, 1, 1).build()
    train = BuyTrain(P1, CorpId("ZDR"), Rank("3"), BANK, 180)
    return ask(title, state, P1), train


def test_where_trains_leave_a_private_is_sold_in_full_before_a_further_train_takes_the_money() -> None:
    """Its money buys shares in the next stock round; the next phase but one may close it unsold."""
    q, _ = owner_of_the_great_wall(300)
    action = considered(q.t, q.s, P1).action
    assert isinstance(action, CompanyBuysPrivate)
    assert action.price == 150


@pytest.mark.parametrize(("cash", "first"), [(149, False), (150, True), (300, True), (330, False)])
def test_a_further_train_waits_only_for_a_private_that_it_would_take_the_money_for(cash: int, first: bool) -> None:
    q, train = owner_of_the_great_wall(cash)
    course = course_of(q.t, q.s)
    assert before_sale(q, train, course) == first
    q.s.trains[train.corp] = ()
    assert not before_sale(q, train, course)


def last_round(*, broken: bool = True, cash: int = 5) -> tuple[Title, State]:
    """AR, without a train, operates last in the last operating round; KO, of the same president, has run its only
    one."""
    layout = two_companies("5", cash=cash).operating("AR", "trains").rounds(6, 3, 3).cash(p1=900)
    return layout.set(operated=frozenset({"AR", "KO"}), broken=broken).build()


def test_a_company_that_has_run_for_the_last_time_lends_its_train() -> None:
    title, state = last_round()
    action = choose(title, state, P1, "strong", 3).action
    assert isinstance(action, BuyTrain)
    assert (action.source, action.price < 5) == ("KO", True)


@pytest.mark.parametrize(("broken", "cash", "lent"), [(True, 5, True), (True, 0, False), (False, 5, False)])
def test_nothing_is_added_in_the_last_round_for_a_train_that_can_be_lent(broken: bool, cash: int, lent: bool) -> None:
    title, state = last_round(broken=broken, cash=cash)
    course = replace(LASTING, rounds=1, sale=(4,), phases=(4,))
    assert (Valuation(title, state, course, STANDARD).outcome().owed[0] == 0) == lent


def further_train(*trains: str, left: int = 6, cash: int = 500) -> tuple[Question, BuyTrain]:
    """AR has no track, these trains and the money for another 2 of those that the bank has left."""
    layout = table("1889", 3).operating("AR", "trains").phase("2", left_2=left)
    title, state = layout.trains("AR", *trains).cash(AR=cash).build()
    q = ask(title, state, P1)
    return q, next(one for one in q.options if isinstance(one, BuyTrain) and (one.rank, one.source) == ("2", BANK))


def test_a_further_train_that_adds_nothing_and_rusts_before_long_is_not_bought() -> None:
    q, _ = further_train("2")
    assert course_of(q.t, q.s).rust[0] <= regular.SHORT
    tried = [choice.action for choice in regular.rate(q, Random(0))]
    assert not [action for action in tried if isinstance(action, BuyTrain)]
    q, buy = further_train()
    assert buy in [choice.action for choice in regular.rate(q, Random(0))]


@pytest.mark.parametrize(
    ("trains", "rust", "each", "idle"),
    [
        (("2",), 3, 0, True),
        (("2",), 3, 10, False),
        (("2",), NEVER, 0, False),
        ((), 3, 0, False),
    ],
)
def test_a_train_is_idle_that_adds_nothing_before_it_rusts(
    trains: tuple[str, ...], rust: int, each: int, idle: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regular, "revenue", lambda t, s, corp, trains: each * len(trains))
    q, buy = further_train(*trains)
    assert regular.idle(q, buy, replace(LASTING, rust=(rust, *LASTING.rust[1:]))) == idle


@pytest.mark.parametrize(
    ("left", "cash", "idle"), [(1, 260, False), (1, 259, True), (2, 340, False), (2, 339, True), (3, 500, True)]
)
def test_a_train_is_not_idle_that_leads_to_one_of_the_next_rank(left: int, cash: int, idle: bool) -> None:
    q, buy = further_train("2", left=left, cash=cash)
    assert regular.idle(q, buy, replace(LASTING, rust=(3, *LASTING.rust[1:]))) == idle


@pytest.mark.parametrize("unlike", [{"leaving": True}, {"timed": True}, {"presidents_pay": False}])
def test_no_train_is_idle_where_it_is_worth_something_that_others_rust(
    unlike: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    q, buy = further_train("2")
    course = replace(LASTING, rust=(3, *LASTING.rust[1:]))
    assert regular.idle(q, buy, course)
    monkeypatch.setattr(regular, "facts_of", lambda t: replace(facts_of(t), **unlike))
    assert not regular.idle(q, buy, course)


@pytest.mark.parametrize(("cash", "prices"), [(790, [10, 20]), (780, [20]), (770, [])])
def test_a_company_gives_up_its_only_train_where_that_pays_for_another(cash: int, prices: list[int]) -> None:
    """1860: VYSC has 20 and no train, IOW of the same president has run its only one; another costs 800."""
    layout = table("1860").operating("VYSC", "trains").phase("9").par("IOW", 74).cash(VYSC=20, IOW=cash)
    layout.shares("VYSC", p1=6).shares("IOW", p1=6).trains("IOW", "9+5")
    title, state = layout.set(operated=frozenset({"IOW", "VYSC"})).build()
    tried = worth_trying(ask(title, state, P1), Pass(P1))
    assert sorted(one.price for one in tried if isinstance(one, BuyTrain)) == prices


@pytest.mark.parametrize(
    ("trains", "rust", "each", "idle"),
    [(("3", "3"), 4, 0, True), (("3", "3"), 4, 10, False), (("3", "3"), 3, 0, False), (("3",), 4, 0, False)],
)
@pytest.mark.parametrize("unlike", [{}, {"leaving": True}, {"timed": True}, {"presidents_pay": False}])
def test_beside_two_that_last_as_long_a_train_that_adds_nothing_is_idle_in_every_title(
    trains: tuple[str, ...],
    rust: int,
    each: int,
    idle: bool,
    unlike: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The further train, a 2, rusts after four rounds."""
    monkeypatch.setattr(regular, "revenue", lambda t, s, corp, trains: each * len(trains))
    q, buy = further_train(*trains)
    monkeypatch.setattr(regular, "facts_of", lambda t: replace(facts_of(t), **unlike))
    assert regular.idle(q, buy, replace(LASTING, rust=(4, rust, *LASTING.rust[2:]))) == idle


def test_trains_leave_by_themselves_in_one_title() -> None:
    assert [name for name in TITLES if facts_of(build(name, 3)).leaving] == ["1888"]
