"""Trains that a president cannot pay for: who is thought to go bankrupt, and what is done against it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from learners import learners, titled
from test_companies import owning_shares, replace_cash

from engine import BANK, POOL, State, Title, build, decision, start
from engine.actions import BuyTrain, Dividend, Pass
from engine.ids import OR, CorpId, PlayerId, Rank
from opponents import choose, levels, prospects, ruin
from opponents.choice import Choice
from opponents.forecast import NEVER, Course, Prospect
from opponents.prospects import HURRIED, SOON, Valuation
from opponents.question import ask
from opponents.regular import lacking, shifted, small, usual
from opponents.track import next_price, rate_lays, rate_tokens
from opponents.weights import STANDARD

CORP = CorpId("AR")


def soon(title: Title, rust: int = 1) -> Course:
    """A course in which the 2-trains rust in that round, and dear ones are on sale from now on."""
    return Course(12, (4,) * 12, (4,) * 12, (rust, *([NEVER] * (len(title.trains) - 1))))


def in_need(title: Title, cash: int, shares: int = 4) -> tuple[State, PlayerId]:
    """A president with so much money, whose company has an old train and no money."""
    state, seat = owning_shares(title, cash, shares)
    others = [other for other in state.players if other != seat]
    state.president[CORP] = seat
    state.shares[CORP] = {"ipo": 5 - shares, seat: 5, others[0]: shares}
    state.trains[CORP] = (Rank("2"),)
    return state, seat


def test_a_president_who_can_neither_pay_nor_sell_is_seen_to_go_bankrupt() -> None:
    title = build("1889", 3)
    state, seat = in_need(title, 10, shares=1)
    firms = Valuation(title, state, soon(title)).outcome().firms
    chances = {
        player: chance for player, (_, chance) in zip(state.players, ruin.dangers(title, state, firms), strict=True)
    }
    assert 0 < chances.pop(seat) <= ruin.MOST
    assert set(chances.values()) == {0.0}
    rich = replace_cash(state, seat, 900)
    assert {chance for _, chance in ruin.dangers(title, rich, firms)} == {0.0}


def test_in_a_need_only_as_many_shares_bring_money_as_the_market_takes() -> None:
    title = build("1889", 3)
    state, seat = in_need(title, 10)
    state.president[CORP] = PlayerId(next(one for one in state.players if one != seat))  # a president keeps some
    free = ruin.to_raise(title, state, seat)
    state.shares[CORP] |= {POOL: title.policy.holdings.pool_limit - 1}
    assert ruin.to_raise(title, state, seat) == free / 5
    state.shares[CORP] |= {POOL: title.policy.holdings.pool_limit}
    assert ruin.to_raise(title, state, seat) == 0 < free


@pytest.mark.parametrize(("title_id", "feared"), [("1890", True), ("1889", False)])
def test_who_has_hardly_more_than_what_is_due_is_in_danger_where_companies_start_poor(
    title_id: str, feared: bool
) -> None:
    title = build(title_id, 3)
    state = start(title, ["Ann", "Ben", "Cho"])
    corp, seat = next(iter(title.corporations)), PlayerId("p1")
    state.president[corp], state.cash[seat] = seat, 500

    def chance(due: float) -> float:
        """How likely the president goes bankrupt who must pay so much in the next round but one."""
        return ruin.dangers(title, state, {corp: Prospect(0, 65, due, due, 1, 0, 0)})[0][1]

    assert (chance(500 - ruin.MARGIN / 2) > 0) == feared
    assert chance(500 - ruin.MARGIN) == 0
    assert chance(550) > 0


def test_a_bankruptcy_is_feared_that_comes_if_all_goes_faster_than_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    title = build("1889", 3)
    state, seat = in_need(title, 10, shares=1)
    mine = state.players.index(seat)

    def feared(rust: int) -> tuple[ruin.Danger, ruin.Danger]:
        """The danger as the course is, and all that is feared."""
        valuation = Valuation(title, state, soon(title, rust))
        firms = valuation.outcome().firms
        return ruin.dangers(title, state, firms)[mine], valuation.dangers(firms)[mine]

    late, early = feared(ruin.AHEAD), feared(ruin.AHEAD - 1)
    assert late == ((0, 0.0), (ruin.AHEAD - 1, HURRIED * early[0][1]))
    assert early[0][1] > 0
    assert feared(ruin.AHEAD + 1) == ((0, 0.0), (0, 0.0))
    worth = Valuation(title, state, soon(title, ruin.AHEAD)).outcome().worth[mine]
    monkeypatch.setattr(prospects, "HURRIED", 0.0)
    assert worth < Valuation(title, state, soon(title, ruin.AHEAD)).outcome().worth[mine]


@pytest.mark.parametrize(("cash", "hasty"), [(10, False), (900, True)])
def test_nobody_is_in_haste_with_his_own_bankruptcy_to_fear(
    monkeypatch: pytest.MonkeyPatch, cash: int, *, hasty: bool
) -> None:
    monkeypatch.setattr(levels, "HASTE", 1.0)
    monkeypatch.setitem(levels.RATERS, "learner", lambda q, random: [Choice(Pass(q.seat), 0.0)])
    monkeypatch.setitem(levels.RATERS, "regular", lambda q, random: [Choice(q.options[0], 0.0)])
    title = build("1889", 3)
    state, seat = in_need(title, cash)
    state.trains[CORP] = ()
    state.depot |= dict.fromkeys((Rank(name) for name in "2345"), 0)
    assert isinstance(choose(title, state, seat, "regular").action, Pass) == hasty


def test_in_1860_nobody_goes_bankrupt() -> None:
    title = build("1860", 3)
    state, _ = owning_shares(build("1889", 3), 10, 4)
    firms = Valuation(build("1889", 3), state, soon(build("1889", 3))).outcome().firms
    assert {chance for _, chance in ruin.dangers(title, state, firms)} == {0.0}


def test_what_others_may_win_counts_less_where_a_bankruptcy_ends_the_game() -> None:
    title = build("1889", 3)
    state, seat = in_need(title, 10, shares=1)
    other = next(index for index, player in enumerate(state.players) if player != seat)
    mine = state.players.index(seat)
    doomed = Valuation(title, state, soon(title)).outcome()
    saved = Valuation(title, replace_cash(state, seat, 900), soon(title)).outcome()
    assert doomed.worth[other] < saved.worth[other]
    assert doomed.worth[mine] < saved.worth[mine] - 900


def test_shares_of_a_company_without_a_train_may_bring_its_presidency() -> None:
    """In a stock round the president may sell and leave his duties to whoever holds two shares."""
    title = build("1889", 3)
    state, seat = in_need(title, 10)
    heir = next(index for index, player in enumerate(state.players) if state.held(CORP, player) == 4)
    mine = state.players.index(seat)
    owed = Valuation(title, state, soon(title)).outcome().owed
    assert owed[heir] == pytest.approx(STANDARD.left_to / (1 - STANDARD.left_to) * owed[mine])
    alone, _ = in_need(title, 10, shares=1)
    assert Valuation(title, alone, soon(title)).outcome().owed[heir] == 0
    state.round = OR
    assert Valuation(title, state, soon(title)).outcome().owed[heir] == 0


def test_a_pool_without_room_keeps_a_president_from_leaving() -> None:
    title = build("1889", 3)
    state, _ = in_need(title, 10)
    state.shares[CORP] = {"pool": 4} | {
        holder: count for holder, count in state.shares[CORP].items() if holder != "ipo"
    }
    owed = Valuation(title, state, soon(title)).outcome().owed
    assert sum(amount > 0 for amount in owed) == 1


@pytest.mark.parametrize(("cash", "counts"), [(10, False), (900, True)])
def test_to_pay_is_usual_only_while_the_president_could_pay_for_the_next_train(cash: int, *, counts: bool) -> None:
    title = build("1889", 3)
    state, seat = in_need(title, cash)
    q, pay = replace(ask(title, state, seat), corp=CORP), Dividend(seat, CORP, "pay")
    assert (usual(q, pay, pay, soon(title, rust=3)) > 0) == counts
    assert usual(q, pay, pay, soon(title)) == 0
    assert usual(q, pay, pay, soon(title, rust=SOON + 1)) > 0


def test_money_is_kept_for_a_train_that_is_due_soon() -> None:
    title = build("1889", 3)
    state, seat = in_need(title, 10)
    q = replace(ask(title, state, seat), corp=CORP)
    lacks = title.trains[list(title.trains)[4]].price - state.cash[CORP]
    assert lacking(q, soon(title)) == lacks
    assert lacking(q, soon(title, rust=3)) == 0
    assert lacking(q, soon(title, rust=3), due=4) == lacks
    q.s.cash[CORP] += lacks
    assert lacking(q, soon(title)) == 0


def test_after_the_last_train_of_a_rank_the_next_is_on_sale_at_once() -> None:
    """In 1889 the first 6-train rusts the 3-trains; whose company has one then pays for what is left."""
    title = build("1889", 3)
    before, _ = in_need(title, 10)
    ranks = [Rank(name) for name in "23456"]
    before.depot |= dict.fromkeys(ranks[:4], 0) | {ranks[4]: 2}
    before.phase, course = 3, Course(3, (4, 4, 5), (3, 4, 5), (-1, 1, 2, NEVER, NEVER, NEVER))
    first, last = before.copy(), before.copy()
    first.depot, first.phase = before.depot | {ranks[4]: 1}, 4
    last.depot, last.phase = before.depot | {ranks[4]: 0}, 4
    assert shifted(title, before, before, course) == course
    assert shifted(title, before, first, course) == replace(
        course, phases=(4, 4, 5), rust=(-1, -1, 2, NEVER, NEVER, NEVER)
    )
    assert shifted(title, before, last, course).sale == (5, 5, 5)


@pytest.mark.parametrize(("title_id", "needed"), [("1889", True), ("1860", False)])
def test_a_first_train_that_presidents_pay_for_is_as_welcome_from_another_company(
    title_id: str, *, needed: bool
) -> None:
    """A president bought the first D of the bank and rusted all his 4-trains, with two of them in one company."""
    title = build(title_id, 2)
    state = start(title, ["Ann", "Ben"])
    corp, other, *_ = title.corporations
    seat = PlayerId("p1")
    q = replace(ask(title, state, seat), corp=corp)
    for owned, same in (((), needed), ((Rank("4"),), False)):
        q.s.trains[corp] = owned
        bank = small(q, BuyTrain(seat, corp, Rank("4"), BANK, 300))
        assert bank > 0
        assert small(q, BuyTrain(seat, corp, Rank("4"), other, 1)) == (bank if same else 0)


def test_track_leaves_the_first_train_within_the_presidents_means() -> None:
    title = titled("1889", 3)
    for state in learners(title):
        corp = state.operating
        if corp is None or state.trains[corp] or decision(title, state).step != "track":
            continue
        seat = decision(title, state).players[0]
        price = title.trains[Rank("2")].price
        state.cash[corp] = price + 40
        rich, poor = replace_cash(state, seat, price), replace_cash(state, seat, 0)
        spent = [
            {costs(choice) for choice in rate_lays(ask(title, position, seat), tried_closely=99)}
            for position in (rich, poor)
        ]
        if max(spent[0]) > 40:
            assert spent[1] == {amount for amount in spent[0] if amount <= 40}
            break
    else:
        raise AssertionError("no dear track")


def test_track_that_costs_nothing_is_laid_without_the_money_for_a_train() -> None:
    title = titled("1889", 3)
    for state in learners(title):
        corp = state.operating
        if corp is not None and not state.trains[corp] and decision(title, state).step == "track":
            seat = decision(title, state).players[0]
            state.cash[corp] = 0
            choices = rate_lays(ask(title, replace_cash(state, seat, 0), seat), tried_closely=99)
            assert {costs(choice) for choice in choices} == {0}
            return
    raise AssertionError("nobody without a train")


@pytest.mark.second
def test_tokens_leave_the_first_train_within_the_presidents_means() -> None:
    title = titled("1889", 3)
    for state in learners(title):
        corp = state.operating
        if corp is None or decision(title, state).step != "token":
            continue
        seat = decision(title, state).players[0]
        state.trains[corp], state.cash[corp] = (), next_price(title, state)
        rich, poor = replace_cash(state, seat, 200), replace_cash(state, seat, 0)
        found = [
            {costs(choice) for choice in rate_tokens(ask(title, position, seat), 6.0)} for position in (rich, poor)
        ]
        if found[0] - {0}:
            assert found[1] == found[0] & {0}
            return
    raise AssertionError("no dear token")


def costs(choice: Choice) -> float:
    return next(reason.amount for reason in choice.reasons if reason.why == "costs")
