"""The sketch of the rest of a game: it starts from what is on the table, and luck changes only what companies earn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from learners import learners, titled
from tables import table

from engine import BANK, State, Title, build, decision, scores, start
from engine.actions import Action, BuyShare, Pass, SellShares
from engine.ids import SR, CorpId, PlayerId, Rank
from engine.market import in_order
from opponents import earning, forecast, regular, sketch_operating, strong
from opponents.earning import HOME_LEAST, outlook, standing, stop_values, surroundings
from opponents.forecast import NEVER, Course, course_of, sketched, sketched_ends
from opponents.growth import PLAIN
from opponents.prospects import Valuation
from opponents.question import ask
from opponents.sketch import Firm, Sketch
from opponents.sketch_operating import buy_trains, operate, sell_one
from opponents.sketch_stock import trade
from opponents.strong import end_of
from opponents.weights import STANDARD


def stock_rounds(title: Title, count: int) -> list[State]:
    """The first positions of the first so many stock rounds of a game among learners."""
    found: dict[int, State] = {}
    for state in learners(title):
        if state.round == SR and not state.over:
            found.setdefault(state.turn, state)
        if len(found) == count:
            break
    return list(found.values())


@pytest.mark.long
@pytest.mark.parametrize("title_id", ["1889", "1888", "1860"])
def test_before_anything_is_played_seats_are_worth_what_the_rules_say(title_id: str) -> None:
    title = titled(title_id, 3)
    for state in stock_rounds(title, 4):
        known = dict(scores(title, state))
        assert Sketch(title, state).worth() == [known[seat] for seat in state.players]


@pytest.mark.second
@pytest.mark.parametrize("title_id", ["1889", "1860"])
def test_a_scene_with_other_luck_leaves_the_first_as_it_was(title_id: str) -> None:
    title = titled(title_id, 3)
    state = stock_rounds(title, 3)[-1]
    table = Sketch(title, state)
    before = table.worth()
    random = Random(1)
    courses = []
    for spread in (0.0, 0.25):
        sketch = table.another({corp: random.uniform(1 - spread, 1 + spread) for corp in title.corporations})
        courses.append((sketched(sketch), sketch.worth()))
        assert table.worth() == before
    plain = Sketch(title, state)
    assert courses[0] == (sketched(plain), plain.worth())
    assert courses[1] != courses[0]


@pytest.mark.long
def test_who_owns_more_ends_better() -> None:
    """The last stock round, but with money that was a rival's."""
    title = titled("1889", 3)
    state = stock_rounds(title, 99)[-1]
    seat, rival, _ = state.players
    richer = state.copy()
    moved = min(200, state.cash[rival])
    assert moved
    richer.cash[seat] += moved
    richer.cash[rival] -= moved
    luck = [dict.fromkeys(title.corporations, 1.0)]
    assert end_of(title, richer, seat, luck, STANDARD) > end_of(title, state, seat, luck, STANDARD)


def test_a_company_without_track_is_judged_by_what_is_near_its_home() -> None:
    """In 1889, IR begins next to a rich edge of the map; UR has a printed city, but nothing next to it."""
    title = build("1889", 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    rich, poor = CorpId("IR"), CorpId("UR")
    assert stop_values(title, state, poor) > stop_values(title, state, rich)
    assert standing(title, state, poor) == ((), PLAIN * surroundings(title, poor))
    assert surroundings(title, rich) > 1 > surroundings(title, poor)
    assert min(surroundings(title, corp) for corp in title.corporations) >= HOME_LEAST


def test_a_city_that_a_company_reaches_is_not_promised_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """In 1889 UR has a printed city of 40, and nothing next to its track."""
    monkeypatch.setattr(earning, "NEAR", (1.0,))
    title = build("1889", 3)
    assert outlook(title, start(title, ["Ann", "Ben", "Cho"]), CorpId("UR")) == 40


def test_a_hurried_course_has_all_a_round_earlier() -> None:
    course = Course(3, (1, 2, 3), (1, 1, 2), (-1, 0, 2, NEVER))
    assert course.hurried() == Course(3, (2, 3, 3), (1, 2, 2), (-1, -1, 1, NEVER))


def test_who_can_float_another_company_alone_starts_it() -> None:
    """Even where shares of others promise more: people do, and the new companies' money buys the next trains."""
    title = titled("1889", 3)
    state = stock_rounds(title, 3)[-1]
    head = next(player for player in state.players if player in state.president.values())
    for cash, more in ((259, False), (260, True)):  # a private went for a share of IR: four more are enough
        rich = state.copy()
        rich.cash[BANK] -= cash - rich.cash[head]
        rich.cash[head] = cash
        sketch = Sketch(title, rich)
        seat = sketch.seats.index(head)
        before = sum(firm.head == seat for firm in sketch.firms)
        trade(sketch, first=True)
        assert (sum(firm.head == seat for firm in sketch.firms) > before) == more


@pytest.mark.parametrize(("cash", "prices"), [(839, (95,)), (840, (70, 70)), (1000, (70, 95))])
def test_who_has_the_money_for_two_companies_floats_both_in_one_stock_round(
    cash: float, prices: tuple[int, ...]
) -> None:
    """The first at no more than leaves money for the second, and however many turns that takes."""
    title = titled("1888", 2)
    sketch = Sketch(title, start(title, ["p1", "p2"]))
    sketch.cash = [cash, 0.0]
    trade(sketch)
    assert sorted(firm.par for firm in sketch.firms if firm.head == 0 and firm.floated) == list(prices)


def test_who_has_passed_trades_no_more_in_the_stock_round_under_way() -> None:
    title = titled("1889", 3)
    state = stock_rounds(title, 3)[-1]
    for seat in range(3):
        sketch = Sketch(title, state)
        before = sketch.cash.copy()
        sketch.passed = seat
        trade(sketch, first=True)
        assert [cash == known for cash, known in zip(sketch.cash, before, strict=True)] == [
            other == seat for other in range(3)
        ]
        trade(sketch)
        assert sketch.cash[seat] < before[seat]


def test_what_a_seat_has_sold_it_buys_back_only_in_the_next_stock_round() -> None:
    title = titled("1889", 3)
    state = stock_rounds(title, 3)[-1]
    state.sold = dict.fromkeys(state.players, frozenset(title.corporations))
    sketch = Sketch(title, state)
    others = [(firm, seat) for firm in sketch.firms for seat in range(3) if firm.par and firm.head != seat]
    before = [firm.held[seat] for firm, seat in others]
    trade(sketch, first=True)
    assert [firm.held[seat] for firm, seat in others] == before
    trade(sketch)
    assert [firm.held[seat] for firm, seat in others] != before


def test_nor_what_it_sells_for_room_there_or_a_stock_round_would_never_end() -> None:
    """It sold for a company that it could not start after all, bought that back, and so on."""
    title = titled("1889", 3)
    state = stock_rounds(title, 3)[-1]
    sketch, bought = Sketch(title, state), []
    while sell_one(sketch, 0):
        pass
    sold = [firm for firm in sketch.firms if firm.corp in sketch.barred[0]]
    for firm in sketch.firms:
        if firm not in sold:
            firm.ipo = firm.pool = 0
    for first in (True, False):
        sketch.cash, before = [900.0, 0.0, 0.0], sum(firm.held[0] for firm in sold)
        trade(sketch, first=first)
        bought.append(sum(firm.held[0] for firm in sold) > before)
    assert bought == [False, True]


@pytest.mark.broad
@pytest.mark.parametrize("last", [190, pytest.param(400, marks=pytest.mark.slow)])
def test_who_passes_or_sells_again_for_nothing_buys_no_more_as_the_strong_sees_it(
    monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    """Otherwise it sells a share, turn after turn, only to keep the round open."""
    title = titled("1889", 3)
    passed: list[int | None] = []

    def looked(t: Title, s: State, lucks: list[dict[CorpId, float]], known: int | None) -> Iterator[list[float]]:
        passed.append(known)
        return sketched_ends(t, s, lucks, known)

    monkeypatch.setattr(strong, "sketched_ends", looked)
    counts = Counter[tuple[type[Action], bool, bool]]()
    for state in islice(learners(title), 30, last):
        if state.over or decision(title, state).step not in strong.STEPS:
            continue
        seat = decision(title, state).players[0]
        sold = bool(state.sold.get(seat))
        for other in (state, *([] if sold else [having_sold(state, seat)])):
            passed.clear()
            choices = strong.rate(ask(title, other, seat), Random(1))
            best = [choice for choice in choices if any(reason.why == "looked" for reason in choice.reasons)]
            again = bool(other.sold.get(seat))
            for choice, known in zip(best, passed, strict=True):
                sells = isinstance(choice.action, SellShares) and choice.purpose is None and again
                ends = (sells or isinstance(choice.action, Pass)) and other.round == SR and not other.bought
                assert known == (other.players.index(seat) if ends else None)
                counts[type(choice.action), again, ends] += 1
    kinds = [(Pass, False, True), (Pass, False, False), (SellShares, False, False), (SellShares, True, True)]
    assert min(counts[kind] for kind in (*kinds, (BuyShare, False, False))) > 3


def having_sold(state: State, seat: PlayerId) -> State:
    """The same position after a sale in the same round."""
    after = state.copy()
    after.sold[seat] = frozenset({CorpId("none")})
    return after


def president_in_need(*, raises: bool) -> tuple[Sketch, Firm, Firm, Firm]:
    """A president without money whose company must buy a train, that company, another of his, and a rival's."""
    title = titled("1889", 2)
    state = stock_rounds(title, 3)[-1]
    sketch = Sketch(title, state)
    own, other, rivals, *rest = sketch.firms
    for firm in rest:
        firm.held = [0, 0]
    for firm, held, head in ((own, [6, 0], 0), (other, [5, 3], 0), (rivals, [3, 5], 1)):
        firm.held, firm.head, firm.floated, firm.par, firm.price = held, head, True, 100, 100
        firm.at, firm.pool, firm.ipo, firm.trains, firm.cash = (0, 3), 0, 10 - sum(held), [], 0
    sketch.cash, sketch.raises = [10.0, 10.0], raises
    return sketch, own, other, rivals


def test_a_president_sells_shares_for_a_train_as_far_as_he_must() -> None:
    sketch, own, other, rivals = president_in_need(raises=True)
    bank, certs = sketch.bank, sketch.certs.copy()
    buy_trains(sketch, own)
    price = sketch.facts.trains[own.trains[0]].price
    assert sketch.cash[0] >= 0
    assert rivals.held == [2, 5]
    assert (rivals.pool, rivals.price < 100) == (1, True)
    assert (own.held, other.held) == ([6, 0], [5, 3])
    assert sketch.bank == bank - 100 + price
    assert sketch.certs == [certs[0] - 1, certs[1]]


def test_a_president_sells_no_more_than_leaves_him_his_companies() -> None:
    sketch, own, other, rivals = president_in_need(raises=True)
    sketch.depot = [0] * (len(sketch.depot) - 1) + [1]
    buy_trains(sketch, own)
    assert sketch.cash[0] < 0
    assert [firm.held[0] for firm in (own, other, rivals)] == [2, 3, 0]
    assert [firm.head for firm in (own, other, rivals)] == [0, 0, 1]


@pytest.mark.parametrize(("pool", "price"), [(5, 100), (0, 0)])
def test_a_president_sells_no_share_that_the_market_does_not_take_or_pay_for(pool: int, price: int) -> None:
    sketch, own, other, rivals = president_in_need(raises=True)
    rivals.pool, rivals.price = pool, price
    buy_trains(sketch, own)
    assert (rivals.held, own.held, other.held) == ([3, 5], [5, 0], [5, 3])


def test_for_the_course_a_president_goes_into_debt() -> None:
    sketch, own, other, rivals = president_in_need(raises=False)
    buy_trains(sketch, own)
    assert sketch.cash[0] < 0
    assert [firm.held[0] for firm in (own, other, rivals)] == [6, 5, 3]


def test_a_company_with_money_buys_a_train_that_lasts() -> None:
    """A used 2-train is cheaper, but the next new train makes it rust."""
    title = titled("1889", 3)
    sketch = Sketch(title, stock_rounds(title, 3)[-1])
    firm = next(firm for firm in sketch.firms if firm.floated)
    sketch.depot = [0, 0, 1, *sketch.depot[3:]]
    sketch.pool = [0]
    for cash, bought in ((title.trains[Rank("4")].price, 2), (title.trains[Rank("2")].price, 0)):
        sketch.pool, firm.trains, firm.cash = [0], [], cash
        buy_trains(sketch, firm)
        assert firm.trains == [bought]


def without_a_train(cash: int) -> tuple[Title, State]:
    """1860: FYN has no train and so much money, IOW a 4+2, the bank 7+4-trains for 600 and those after them."""
    laid = table("1860").operating("FYN").phase("6", **{"left_6+3": 0}).shares("FYN", p1=5).cash(FYN=cash)
    return laid.par("IOW", 74).shares("IOW", p2=5).trains("IOW", "4+2").build()


@pytest.mark.rule("1860-EMR-06", "1860-TRN-08")
@pytest.mark.parametrize(("cash", "left"), [(499, 599), (500, 0)])
def test_a_company_without_a_train_leases_one_until_it_can_pay_for_its_own(cash: int, left: int) -> None:
    title, state = without_a_train(cash)
    sketch = Sketch(title, state)
    leasing, running = sorted((firm for firm in sketch.firms if firm.floated), key=lambda firm: firm.corp)
    leasing.sums = [0, 20, 40, 60]
    operate(sketch)
    assert leasing.cash == left
    assert bool(leasing.trains) == (not left)
    assert bool(running.trains) == bool(left), "a 7+4 makes the 4+2 rust"


@pytest.mark.rule("1860-EMR-06")
@pytest.mark.parametrize(("cash", "pays"), [(0, False), (550, True)])
def test_a_company_that_leases_is_thought_to_pay_once_it_has_its_own_train(
    monkeypatch: pytest.MonkeyPatch, cash: int, *, pays: bool
) -> None:
    """In two operating rounds a lease brings the last 50 of the 600, and not 600."""
    title, state = without_a_train(cash)
    monkeypatch.setattr("opponents.sketch.standing", lambda t, s, corp: ((20, 20, 20), 20.0))
    course = Course(2, (5, 5), (4, 4), (NEVER,) * len(title.trains))
    prospect = Valuation(title, state, course).prospect(CorpId("FYN"))
    assert prospect is not None
    assert (prospect.paid > 0) == pays


@pytest.mark.rule("1860-END-05")
def test_a_share_counts_half_whose_company_ends_without_a_train() -> None:
    title, state = without_a_train(0)
    ends = []
    for rusts in (NEVER, 1):
        course = Course(2, (5, 5), (4, 4), tuple(rusts if rank == "4+2" else NEVER for rank in title.trains))
        prospect = Valuation(title, state, course).prospect(CorpId("IOW"))
        assert prospect is not None
        ends.append(prospect.price)
    assert ends[1] == ends[0] / 2 > 0


@pytest.mark.rule("1860-SR-06")
@pytest.mark.parametrize("rusts", [0, NEVER])
def test_a_sale_needs_no_further_reason_where_the_share_soon_brings_half(
    rusts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    title, state = without_a_train(0)
    state.round, state.step, state.operating, state.up = SR, "shares", None, PlayerId("p2")
    course = Course(6, (5,) * 6, (4,) * 6, tuple(rusts if rank == "4+2" else NEVER for rank in title.trains))
    monkeypatch.setattr(regular, "course_of", lambda t, s: course)
    scores = []
    for kept in (0.0, 0.5):
        q = ask(title, state, PlayerId("p2"), replace(STANDARD, kept=kept, follow_ups=False))
        scores.append(max(c.score for c in regular.tried(q) if isinstance(c.action, SellShares)))
    assert (scores[0] == scores[1]) == (rusts == 0)


@pytest.mark.rule("1860-END-11", "1860-END-17", "1860-END-19")
def test_british_rail_goes_on_without_money_in_the_bank_until_it_has_taken_over_all() -> None:
    laid = table("1860").operating("BHI&R", "trains").phase("9").own(layer=4, british=True, southern="over").bank(-500)
    for earns, corp in enumerate(("C&N", "IOW", "IWNJ", "FYN", "BHI&R"), 1):
        laid = laid.par(corp, 74).shares(corp, p1=5)
        laid.state.last_run[CorpId(corp)] = 10 * earns
    title, state = laid.rounds(9, 3, 2).build()
    course = course_of(title, state)
    assert course.rounds == 2, "two close, and the rest pay alike"
    assert [course.runs(CorpId(corp)) for corp in ("C&N", "IOW", "IWNJ", "FYN", "BHI&R")] == [1, 1, 2, 2, 2]


def test_companies_operate_in_share_price_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those at one price the furthest right, and of those in one cell the first that came there."""
    layout = table("1888").phase("2").stock()
    for corp, at in (("ZDR", (2, 3)), ("CDL", (2, 3)), ("JHR", (1, 2)), ("SSL", (1, 3))):
        layout.par(corp, 90, at).shares(corp, p1=6)
    title, state = layout.build()
    seen: list[str] = []
    monkeypatch.setattr(sketch_operating, "buy_trains", lambda sketch, firm: seen.append(firm.corp))
    sketch = Sketch(title, state)
    operate(sketch)
    assert seen == in_order(title, state, state.floated) == ["SSL", "ZDR", "CDL", "JHR"]
    by_corp = {firm.corp: firm for firm in sketch.firms}
    for corp in ("ZDR", "CDL", "SSL", "JHR"):
        sketch.move(by_corp[CorpId(corp)], (3, 3))
    seen.clear()
    operate(sketch)
    assert seen == ["ZDR", "CDL", "SSL", "JHR"]


@pytest.mark.rule("1888-TRN-17")
def test_after_each_set_a_train_leaves_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "trade", lambda sketch, first=False: None)
    title = titled("1888", 4)
    sketch = Sketch(title, start(title, ["A", "B", "C", "D"]))
    course = sketched(sketch)
    assert sketch.depot[:4] == [0, 0, 0, 3], "Nobody buys, so 2s, 3s and 4s have left, and no 5"
    assert course.phases[7:9] == (1, 2), "The first 3 is the eighth train"
    assert course.rust[0] == 19, "The first 4 is the fourteenth, and sets have two rounds from the ninth on"


@pytest.mark.broad
def test_certificates_are_counted_as_privates_and_presidencies_change_hands() -> None:
    title = titled("1888", 4)
    for state in stock_rounds(title, 6):
        sketch = Sketch(title, state)
        sketched(sketch)
        assert sketch.certs == [counted(sketch, seat) for seat in range(4)]


def counted(sketch: Sketch, seat: int) -> int:
    """The certificates that the seat has in a sketch."""
    shares = sum(firm.held[seat] - (firm.lead - 1 if firm.head == seat else 0) for firm in sketch.firms)
    return shares + sum(owner == sketch.seats[seat] for _, owner, _ in sketch.privates)


@pytest.mark.parametrize(("cash", "left"), [(324.0, 3), (325.0, 0)])
def test_at_the_limit_of_certificates_shares_are_sold_to_start_a_company(cash: float, left: int) -> None:
    """Those of a rival that earn nothing, and one of its own."""
    sketch, own, _, rivals = president_in_need(raises=False)
    another = sketch.firms[3]
    another.head, another.par, another.price, another.floated, another.ipo, another.needed = -1, 0, 0, False, 10, 5
    sketch.firms = sketch.firms[:4]
    sketch.cert_limit, sketch.cash[0] = sketch.certs[0], cash
    trade(sketch, first=True)
    assert (rivals.held[0], another.head) == (left, -1 if left else 0)
    assert own.held[0] == (6 if left else 5)
    assert sketch.certs[0] == sketch.cert_limit


@pytest.mark.parametrize(("cash", "floats"), [(99.0, False), (100.0, True)])
def test_at_the_limit_of_certificates_a_share_is_sold_to_float_a_company_that_has_been_started(
    cash: float, floats: bool
) -> None:
    sketch, *_ = president_in_need(raises=False)
    begun = sketch.firms[3]
    begun.head, begun.par, begun.price, begun.floated, begun.ipo, begun.needed = 0, 100, 100, False, 6, 1
    begun.held = [4, *[0] * (len(sketch.seats) - 1)]
    sketch.firms = sketch.firms[:4]
    sketch.cash = [cash, *[0.0] * (len(sketch.seats) - 1)]
    sketch.certs[0] = sketch.cert_limit = counted(sketch, 0)
    trade(sketch, first=True)
    assert begun.floated == floats
    assert sketch.certs[0] == sketch.cert_limit
