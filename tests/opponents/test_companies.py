"""How a regular starts companies: alone, with others, or with the money of shares that it sells; and what else it sells
shares for."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from drawn import considered, in_need, near_the_limit
from learners import learners, titled
from tables import table

from cli.matches import moves
from engine import BANK, CLOSED, IPO, State, Title, apply, build, decision, start
from engine.actions import Bid, BuyPrivate, BuyShare, CompanyBuysPrivate, ExchangePrivate, Par, Pass, SellShares
from engine.ids import OR, CorpId, PlayerId, PrivateId, Rank
from engine.money import free_cash
from engine.shares import shift
from engine.titles.t1890 import minors
from opponents import LEVELS, Level, Reason, choose, learner, levels, prospects, regular, selling, sketch_operating
from opponents.choice import Why
from opponents.earning import opening
from opponents.forecast import NEVER, Course
from opponents.prospects import COMES, SOON, Valuation
from opponents.question import ask
from opponents.selling import FollowUp
from opponents.sketch import Sketch
from opponents.weights import STANDARD

KINKI = CorpId("Kinki")


def stock_round(title: Title, cash: int) -> State:
    """The first stock round with so much money for everybody; all privates are sold."""
    state = start(title, [f"P{number}" for number in range(title.players)])
    *sold, last = [private for private, owner in state.owner.items() if owner == BANK]
    for index, private in enumerate(sold):
        state.owner[private] = state.players[index % title.players]
    state = apply(title, state, BuyPrivate(PlayerId("p1"), last))
    for seat in state.players:
        state.cash[BANK] += state.cash[seat] - cash
        state.cash[seat] = cash
    return state


@pytest.mark.parametrize(("title_id", "players", "cash"), [("1889", 4, 250), ("1888", 6, 260), ("1889", 3, 230)])
def test_a_company_that_nobody_can_float_alone_is_floated_together(title_id: str, players: int, cash: int) -> None:
    title = build(title_id, players)
    state = stock_round(title, cash)
    while (state.round, state.turn) == ("SR", 1):
        seat = decision(title, state).players[0]
        state = apply(title, state, choose(title, state, seat, "regular", seed=3).action)
    assert state.floated


def test_a_company_that_nobody_could_float_is_not_started() -> None:
    title = build("1889", 3)
    state = stock_round(title, 135)
    seat = decision(title, state).players[0]
    assert not isinstance(considered(title, state, seat).action, Par)


def cell_at(title: Title, price: int) -> tuple[int, int]:
    """A cell of the market with this price."""
    rows = enumerate(title.market.rows)
    return next((row, col) for row, cells in rows for col, cell in enumerate(cells) if cell and cell.price == price)


def owning_shares(title: Title, cash: int, shares: int) -> tuple[State, PlayerId]:
    """A stock round of which the seat to act, with so much money, holds so many shares of another's dear company."""
    state = stock_round(title, cash)
    seat = decision(title, state).players[0]
    head = next(other for other in state.players if other != seat)
    corp = CorpId("AR")
    state.par[corp] = 100
    state.cell[corp] = cell_at(title, 140)
    state.shares[corp] = {"ipo": 5 - shares, head: 5, seat: shares}
    state.president[corp] = head
    state.floated = frozenset({corp})
    state.operated = frozenset({corp})
    state.cash[corp] = 10
    state.cash[BANK] -= 10
    state.turn = 3
    return state, seat


def test_shares_are_sold_for_a_company_of_ones_own() -> None:
    """Without trains the shares pay nothing, and with their money a company can be floated at once."""
    title = build("1889", 3)
    state, seat = owning_shares(title, 120, 4)
    sold = considered(title, state, seat)
    assert isinstance(sold.action, SellShares)
    state = apply(title, state, sold.action)
    par = considered(title, state, seat).action
    assert isinstance(par, Par)
    assert sold.purpose == Reason("starts", title.market.price(par.row, par.col), what=par.corp)


@pytest.mark.broad
def test_no_shares_are_sold_for_a_company_that_is_not_started_while_another_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The owner of the Subway that no money is left to float bought a share and sold it, turn after turn."""
    monkeypatch.setattr(levels, "_weights", lambda t, level, weights: weights)
    monkeypatch.setattr(levels, "TIMED_HASTE", levels.EARLY_HASTE)
    title = build("1890", 2, ["scenario_d"])
    bought = 0
    for action, state in moves(title, ("regular",) * 2, seed=3000):
        bought += isinstance(action, BuyShare)
        assert not isinstance(action, SellShares)
        if state.round == OR:
            break
    assert bought > 5
    assert CorpId("Subway") in state.par.keys() - state.floated


def test_at_the_limit_of_certificates_a_share_is_sold_for_a_better_one() -> None:
    title, state = near_the_limit(0)
    seat = PlayerId("p1")
    sold = considered(title, state, seat)
    assert isinstance(sold.action, SellShares)
    assert considered(title, apply(title, state, sold.action), seat).action == BuyShare(seat, CorpId("AR"), IPO)
    assert sold.purpose == Reason("buys", 70, what="AR")
    without = regular.rate(ask(title, state, seat, replace(STANDARD, follow_ups=False)), Random(0))
    assert {choice.purpose for choice in without} == {None}


@pytest.mark.rule("1890-SR-26", "1890-END-04")
def test_at_the_limit_of_certificates_a_share_is_sold_for_a_late_private() -> None:
    """In the last stock round: no company has a train, so shares pay nothing, and the private pays three times."""
    found = table("1890", 4).phase("4").stock(turn=10).cash(p1=400)
    for corp in ("Keihan", "Nankai", "Sanyo", "Hanshin", "Hankyu"):
        found.par(corp, 65).shares(corp, {"p1": 3, "p2": 5, "p3": 2})
    title, state = found.private(K1="p2", K2="p2", K3="p3", K4="reserved").build()
    sold = considered(title, state, PlayerId("p1"))
    assert isinstance(sold.action, SellShares)
    assert sold.purpose == Reason("gets", 320, what="K4")


def test_whoever_has_sold_in_a_stock_round_changes_no_more_shares_for_little() -> None:
    title, state = near_the_limit(0)
    seat = PlayerId("p1")
    assert considered(title, state, seat).purpose == Reason("buys", 70, what="AR")
    state.sold = {seat: frozenset({CorpId("TR")})}
    assert isinstance(considered(title, state, seat).action, Pass)


def test_whoever_has_sold_of_two_companies_in_a_stock_round_sells_only_to_start_one_or_if_it_must() -> None:
    title, state = near_the_limit(0)
    seat = PlayerId("p1")

    def purposes(*companies: str) -> set[Why | None]:
        state.sold = {seat: frozenset(CorpId(name) for name in companies)}
        sales = [one for one in regular.rate(ask(title, state, seat), Random(0)) if isinstance(one.action, SellShares)]
        return {one.purpose.why if one.purpose else None for one in sales}

    assert purposes("TR") == {"buys", "starts"}
    assert purposes("TR", "KU") == {"starts"}
    q = ask(title, state, seat, replace(STANDARD, follow_ups=False))
    assert {type(one.action) for one in regular.rate(q, Random(0))} & {Pass, SellShares} == {Pass}
    forced = replace(q, options=tuple(one for one in q.options if isinstance(one, SellShares)))
    assert regular.rate(forced, Random(0))


def test_below_the_limit_of_certificates_the_better_share_is_bought_without_a_sale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    title, state = near_the_limit(1)
    seat = PlayerId("p1")
    assert considered(title, state, seat).action == BuyShare(seat, CorpId("AR"), IPO)
    q = ask(title, state, seat)
    assert {one.purpose and one.purpose.why for one in regular.rate(q, Random(0))} == {"starts", None}
    monkeypatch.setattr(selling, "_startable", lambda *given: [])
    assert {one.purpose for one in regular.rate(q, Random(0))} == {None}


def test_a_sale_that_is_worth_more_by_itself_is_for_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    title, state = near_the_limit(0)
    seat, purpose = PlayerId("p1"), Reason("starts", 100, what="TR")
    sales = {}
    for worth in (-1e5, 1e5):
        follow_up = FollowUp(worth, None, purpose)
        monkeypatch.setattr(regular, "followed", lambda *given, follow_up=follow_up: follow_up)
        choices = regular.rate(ask(title, state, seat), Random(0))
        sales[worth] = [choice for choice in choices if isinstance(choice.action, SellShares)]
    assert all(choice.purpose is None and choice.score < 1e5 for choice in sales[-1e5])
    assert all(choice.purpose == purpose and choice.score == 1e5 for choice in sales[1e5])
    assert len(sales[1e5]) == len(sales[-1e5]) > 0


def test_only_a_sale_for_nothing_in_particular_must_be_better_by_a_part_of_what_it_brings() -> None:
    seat = PlayerId("p1")
    for (title, state), purposes in ((near_the_limit(0), {True}), (in_need(), {False})):
        free, kept = (
            {choice.action: choice for choice in regular.rate(ask(title, state, seat, weights), Random(0))}
            for weights in (replace(STANDARD, kept=0.0), replace(STANDARD, kept=0.5))
        )
        sales = [action for action in free if isinstance(action, SellShares)]
        assert {kept[sale].purpose is not None for sale in sales} == purposes
        for action, choice in free.items():
            brings = apply(title, state, action).cash[seat] - state.cash[seat]
            less = 0.5 * brings if action in sales and kept[action].purpose is None else 0.0
            assert choice.score - kept[action].score == pytest.approx(less)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.long
def test_nobody_passes_while_a_sale_of_privates_goes_on_into_another_turn(level: Level) -> None:
    title = build("1890", 5)
    state = start(title, [f"P{number}" for number in range(5)])
    *sold, last = [private for private, owner in state.owner.items() if owner == BANK]
    state.owner |= dict.fromkeys(sold, "p2")
    state.turn = 2
    assert last == "M5"
    assert not [
        seed for seed in range(10) if isinstance(choose(title, state, PlayerId("p1"), level, seed).action, Pass)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 5, 7])
def test_1890_is_under_way_by_its_third_turn(players: int) -> None:
    title = build("1890", players)
    for _, state in moves(title, ("regular",) * players, seed=8):
        if state.turn == 3:
            assert any(title.corporations[corp].certificate is None for corp in state.floated)
            return


def test_a_train_that_is_due_soon_is_feared_by_a_president_without_money() -> None:
    """The same train due in the next round or much later: the sooner, the less the president is worth, and by more than
    the price of the train."""
    title = build("1889", 3)
    state, seat = owning_shares(title, 10, 4)
    corp = CorpId("AR")
    state.president[corp] = seat
    state.trains[corp] = (Rank("2"),)
    other = replace_cash(state, seat, 600)
    soon, late = (
        Course(12, (4,) * 12, (4,) * 12, (rust, *([NEVER] * (len(title.trains) - 1)))) for rust in (1, SOON + 2)
    )
    poor, rich = (
        [Valuation(title, s, course).outcome().worth[s.players.index(seat)] for course in (soon, late)]
        for s in (state, other)
    )
    assert rich[1] - rich[0] < 600
    assert poor[1] - poor[0] > rich[1] - rich[0] + 600


def replace_cash(state: State, seat: PlayerId, cash: int) -> State:
    other = state.copy()
    other.cash[BANK] -= cash - other.cash[seat]
    other.cash[seat] = cash
    return other


@pytest.mark.parametrize(
    ("cash", "presidents_pay", "paid", "owed"),
    [(630, True, 5, 0), (530, True, 4, 0), (450, True, 3, 0), (0, True, 2, 330), (450, False, 5, 0)],
)
def test_a_company_is_thought_to_save_for_the_train_that_it_will_need(
    monkeypatch: pytest.MonkeyPatch, cash: int, *, presidents_pay: bool, paid: int, owed: int
) -> None:
    """Its 2-train earns 100 in each of five rounds and rusts in the last, when a train costs 630."""
    title = build("1889", 3)
    state, _ = owning_shares(title, 100, 4)
    corp = CorpId("AR")
    state.trains[corp], state.cash[corp] = (Rank("2"),), cash
    monkeypatch.setattr("opponents.sketch.grown", lambda *_: 100.0)
    course = Course(5, (4,) * 5, (3,) * 5, (4, *([NEVER] * (len(title.trains) - 1))))
    valuation = Valuation(title, state, course, replace(STANDARD, cash_growth=0.0))
    valuation.facts = replace(valuation.facts, presidents_pay=presidents_pay)
    prospect = valuation.prospect(corp)
    assert prospect is not None
    assert (prospect.paid, prospect.owed) == (10 * paid, owed)


@pytest.mark.rule("1889-TRN-12")
def test_trains_beyond_the_limit_of_a_later_phase_are_not_counted_on() -> None:
    title = build("1889", 4)
    state, _ = owning_shares(title, 250, 3)
    corp = next(iter(state.floated))
    state.cash[corp] = 0

    def paid(trains: int, phase: int) -> float:
        state.trains[corp] = (Rank("3"),) * trains
        course = Course(12, (3,) * 12, (phase,) * 12, (NEVER,) * len(title.trains))
        prospect = Valuation(title, state, course).prospect(corp)
        assert prospect is not None
        return prospect.paid

    limits = [phase.train_limit[title.kind(corp)] for phase in title.phases[:4]]
    assert limits == [4, 4, 3, 2]
    assert paid(4, phase=3) == paid(3, phase=3) == paid(2, phase=3)
    assert paid(4, phase=2) == paid(3, phase=2) > paid(2, phase=2)
    assert paid(4, phase=1) > paid(3, phase=1)


def test_weights_other_than_the_standard_ones_change_what_is_thought() -> None:
    """`benchmarks/tune.py` lets each player weigh things in a way of its own."""
    title = build("1889", 3)
    state = stock_round(title, 420)
    seat = decision(title, state).players[0]
    timid = replace(STANDARD, control=-5000.0)
    assert isinstance(considered(title, state, seat).action, Par)
    assert not isinstance(considered(title, state, seat, timid).action, Par)


def test_a_company_that_others_would_take_over_is_not_started() -> None:
    """Who can pay for fewer shares than a rival would start it for him."""
    title = build("1889", 3)
    state = stock_round(title, 440)
    seat = decision(title, state).players[0]
    poor = replace_cash(state, seat, 264)
    assert not isinstance(considered(title, poor, seat).action, Par)
    for other in state.players:
        poor = replace_cash(poor, other, 264)
    assert isinstance(considered(title, poor, seat).action, Par)


@pytest.mark.parametrize("title_id", ["1889", pytest.param("1888", marks=pytest.mark.slow)])
@pytest.mark.broad
def test_a_company_pays_for_a_private_as_much_as_it_may_and_can(title_id: str) -> None:
    """Learners leave it the price of the next train."""
    title, sold = titled(title_id, 3), {"regular": 0, "learner": 0}
    for state in learners(title):
        if state.over or decision(title, state).step not in ("trains", "privates"):
            continue
        seat = decision(title, state).players[0]
        prices: dict[str, list[int]] = {}
        for option in ask(title, state, seat).options:
            if isinstance(option, CompanyBuysPrivate):
                prices.setdefault(option.private, []).append(option.price)
        if not any(len(offered) > 1 for offered in prices.values()):
            continue
        action = considered(title, state, seat).action
        if isinstance(action, CompanyBuysPrivate):
            sold["regular"] += 1
            assert action.price == max(prices[action.private])
        action = choose(title, state, seat, "learner").action
        if isinstance(action, CompanyBuysPrivate):
            sold["learner"] += 1
            train = min(title.trains[rank].price for rank in title.trains if state.depot.get(rank, 1) > 0)
            spare = state.cash[action.corp] - train
            assert action.price == max(price for price in prices[action.private] if price <= spare)
    assert all(sold.values())


@pytest.mark.parametrize(("title_id", "players"), [("1890", 5), ("1890", 7), ("1889", 4)])
def test_a_learner_does_not_tie_up_all_its_money_in_bids(title_id: str, players: int) -> None:
    """The money of bids is gone until what stands before is sold, for which somebody must have money left."""
    title, bids = build(title_id, players), 0
    for seed in range(3):
        for action, state in moves(title, ("learner",) * players, seed):
            if state.round != title.opening:
                break
            if isinstance(action, Bid):
                bids += 1
                assert free_cash(state, action.by) >= 0.35 * title.cash
    assert bids


def test_a_company_earns_nothing_before_the_colour_that_all_around_its_home_waits_for() -> None:
    title = build("1890", 3, ["plain_kinki"])
    state = start(title, ["Ann", "Ben", "Cho"])
    green = next(index for index, phase in enumerate(title.phases) if "green" in phase.colours)
    assert {corp: phase for corp in title.corporations if (phase := opening(title, state, corp))} == {"Subway": green}
    sketch = Sketch(title, state)
    sketch.clock = 3
    firms = [firm for firm in sketch.firms if firm.corp in ("Subway", "Keihan")]
    for firm in firms:
        firm.trains = [0]
        firm.trains_changed()
    assert [sketch.income(firm) > 0 for firm in firms] == [firm.corp == "Keihan" for firm in firms]
    sketch.phase = green
    assert all(sketch.income(firm) > 0 for firm in firms)


@pytest.mark.parametrize("corp", [CorpId("Subway"), CorpId("Keihan")])
def test_what_a_company_promises_counts_from_that_colour_on(corp: CorpId) -> None:
    title = build("1890", 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    green = next(index for index, phase in enumerate(title.phases) if "green" in phase.colours)
    state.par[corp], state.floated, state.trains[corp] = 65, frozenset({corp}), (Rank("2"),)
    state.cell[corp] = cell_at(title, 65)
    never = (NEVER,) * len(title.trains)
    paid = []
    for phase in (0, green):
        prospect = Valuation(title, state, Course(12, (4,) * 12, (phase,) * 12, never)).prospect(corp)
        assert prospect is not None
        paid.append(prospect.paid)
    assert [amount > 0 for amount in paid] == [corp == "Keihan", True]


def test_learners_buy_no_shares_of_a_company_that_can_build_nothing_yet() -> None:
    title = build("1890", 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    state.par[CorpId("Subway")] = state.par[CorpId("Keihan")] = 65
    q = ask(title, state, PlayerId("p1"))
    subway, keihan = (learner.share(q, BuyShare(q.seat, CorpId(corp), IPO)) for corp in ("Subway", "Keihan"))
    assert subway < 0 < keihan


def trading_kinki(options: list[str] | None = None) -> tuple[Title, State]:
    """Four players in scenario C, with a par of 80 set for Kinki, that minors will form without `options`."""
    title = build("1890", 4, options or [])
    state = start(title, ["Ann", "Ben", "Cho", "Dan"])
    state.par[KINKI], state.cell[KINKI] = 80, cell_at(title, 80)
    return title, state


@pytest.mark.rule("1890-COR-07")
def test_shares_of_a_company_that_is_still_to_be_formed_pay_from_then_on() -> None:
    title, state = trading_kinki()
    formed = [phase.name for phase in title.phases].index("2½")
    assert opening(title, state, KINKI) == formed
    never = (NEVER,) * len(title.trains)
    dearest = len(title.trains) - 1
    before = Valuation(title, state, Course(12, (dearest,) * 12, (formed - 1,) * 12, never)).prospect(KINKI)
    later = Valuation(title, state, Course(12, (0,) * 12, (0,) * 6 + (formed,) * 6, never)).prospect(KINKI)
    assert before is not None
    assert later is not None
    assert (before.paid, before.owed, before.due) == (0, 0, NEVER)
    assert later.paid > 0
    state.floated |= {KINKI}
    assert opening(title, state, KINKI) == 0


@pytest.mark.rule("1890-COR-09")
def test_a_company_that_is_still_to_be_formed_has_the_money_of_the_shares_for_sale() -> None:
    title, state = trading_kinki()
    without = Course(12, (-1,) * 12, (0,) * 12, (NEVER,) * len(title.trains))
    prospect = Valuation(title, state, without).prospect(KINKI)
    assert prospect is not None
    assert prospect.left == int(4 * 80 * COMES * 0.8)


@pytest.mark.rule("1890-COR-07", "1890-VAR-11")
@pytest.mark.parametrize("options", [[], ["plain_kinki"]])
def test_learners_buy_no_shares_of_a_company_that_is_still_to_be_formed(options: list[str]) -> None:
    title, state = trading_kinki(options)
    q = ask(title, state, PlayerId("p1"))
    assert (learner.share(q, BuyShare(q.seat, KINKI, IPO)) > 0) == bool(options)


@pytest.mark.rule("1890-PRV-25", "1890-END-04")
def test_a_late_private_pays_until_the_end_and_counts_then() -> None:
    title = build("1890", 4)
    state = start(title, ["Ann", "Ben", "Cho", "Dan"])
    keifuku, last = PrivateId("K1"), len(title.phases) - 1
    state.owner[keifuku], state.phase = PlayerId("p1"), last
    course = Course(6, (-1,) * 6, (last,) * 6, (NEVER,) * len(title.trains))
    assert Valuation(title, state, course).private(keifuku) >= 200 + 6 * 40
    sketch = Sketch(title, state)
    sketch_operating._close_privates(sketch)
    assert [keifuku, "p1", 40] in sketch.privates


@pytest.mark.rule("1890-MIN-18")
def test_a_minor_that_became_a_late_private_is_worth_nothing() -> None:
    title = build("1890", 4, ["scenario_a"])
    state = start(title, ["Ann", "Ben", "Cho", "Dan"])
    owner, electric = PlayerId("p1"), PrivateId("M5")
    state.owner[electric], state.round = owner, OR
    minors.found_minor(title, state, CorpId(electric), owner)
    state.trains[CorpId(electric)] = (Rank("2"),)
    course = Course(6, (-1,) * 6, (0,) * 6, (NEVER,) * len(title.trains))
    assert Valuation(title, state, course).private(electric) == 100
    minors.become_late(title, state)
    assert Valuation(title, state, course).private(electric) == 0


@pytest.mark.rule("1890-EMR-04", "1890-MIN-18", "1890-TRN-11")
@pytest.mark.parametrize("begun", [False, True])
def test_a_minor_is_given_up_when_its_trains_rust(begun: bool) -> None:
    """Or else its owner pays for its next train: neither is worth its face."""
    title = build("1890", 4, ["scenario_a"])
    state = start(title, ["Ann", "Ben", "Cho", "Dan"])
    owner, electric = PlayerId("p1"), CorpId("M5")
    if begun:
        state.owner[PrivateId(electric)], state.round = owner, OR
        minors.found_minor(title, state, electric, owner)
        state.trains[electric] = (Rank("2"),)
    lasting = Course(8, (0,) * 8, (0,) * 8, (NEVER,) * len(title.trains))
    rusting = replace(lasting, sale=(0, 1, 1, 1, *(2,) * 4), rust=(3, *lasting.rust[1:]))
    worth = [Valuation(title, state, course).private(PrivateId(electric)) for course in (lasting, rusting)]
    assert worth[0] - worth[1] >= (100 if begun else 150)
    if begun:
        ended = Sketch(title, state)
        assert ended.worth()[0] == state.cash[owner] + 100
        for firm in ended.firms:
            firm.trains = []
        assert ended.worth()[0] == state.cash[owner]


@pytest.mark.rule("1890-MIN-06", "1890-MIN-17")
def test_a_change_of_a_minor_is_judged_by_what_it_brings_when_the_turn_ends() -> None:
    layout = table("1890").phase("2").par("Sanyo").shares("Sanyo", p1=6).trains("Sanyo", "2").private(M5="p1")
    title, state = layout.cash(M5=70).operating("Sanyo", "trains").build()
    state.floated |= {CorpId("M5")}
    declared = ExchangePrivate(PlayerId("p1"), PrivateId("M5"))
    after = ask(title, state, declared.by).after(declared)
    assert after is not None
    assert after.president["M5"] == CLOSED
    choice = choose(title, state, declared.by, "strong", seed=1)
    assert choice.action != declared


@pytest.mark.rule("1890-AUC-06", "1890-AUC-19", "1890-FLT-02")
def test_money_that_is_bid_does_not_count_for_floating_the_company_that_comes_with_a_private() -> None:
    title = build("1890", 4, ["scenario_d"])
    state = start(title, ["Ann", "Ben", "Cho", "Dan"])
    subway, owner = CorpId("Subway"), PlayerId("p1")
    state.par[subway], state.president[subway], state.turn = 80, owner, 2
    shift(state, subway, IPO, owner, 2, 0)
    state.cash.update(p1=250, p2=0, p3=0, p4=0)
    course = Course(8, (-1,) * 8, (0,) * 8, (NEVER,) * len(title.trains))
    assert Valuation(title, state, course)._floats(subway) == 1
    state.bids[PrivateId("M5")] = {owner: 105}
    assert Valuation(title, state, course)._floats(subway) < 1


@pytest.mark.rule("1890-DIV-04", "1890-MIN-17")
@pytest.mark.parametrize("seed", range(3))
def test_a_minor_runs_for_the_most_also_where_its_turn_ends_with_that(seed: int) -> None:
    """It pays half by itself, and has no room for a second train: chance must not decide between that and its end."""
    layout = table("1890").phase("3").private(M5="p1").trains("M5", "3").tile("E4", "8", 3)
    layout = layout.par("Sanyo").shares("Sanyo", p2=6)
    title, state = layout.cash(M5=70).operating("M5", "run", then=("Sanyo",)).build()
    state.floated |= {CorpId("M5")}
    chosen = choose(title, state, PlayerId("p1"), "strong", seed=seed)
    assert apply(title, state, chosen.action).last_run["M5"] == 50


@pytest.mark.parametrize("corp", [CorpId("Subway"), CorpId("Keihan")])
def test_that_a_colour_comes_as_soon_as_thought_is_not_certain(corp: CorpId, monkeypatch: pytest.MonkeyPatch) -> None:
    title = build("1890", 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    green = next(index for index, phase in enumerate(title.phases) if "green" in phase.colours)
    state.par[corp], state.floated, state.cell[corp] = 65, frozenset({corp}), cell_at(title, 65)
    course = Course(12, (4,) * 12, (0,) * 6 + (green,) * 6, (NEVER,) * len(title.trains))
    paid = []
    for comes in (prospects.COMES, 1.0):
        monkeypatch.setattr(prospects, "COMES", comes)
        prospect = Valuation(title, state, course).prospect(corp)
        assert prospect is not None
        paid.append(prospect.paid)
    assert 0 < paid[0] == pytest.approx(paid[1] * (0.4 if corp == "Subway" else 1))
