"""How a regular gets going where all depends on the start: money for a company, track that leads on, little haste."""

from __future__ import annotations

from collections import Counter
from itertools import islice, takewhile
from random import Random

import pytest
from drawn import considered
from tables import table

from cli.matches import moves
from engine import State, Title, apply, build, decision, start
from engine.actions import Bid, BuyPrivate, LayTile, Par, Pass
from engine.ids import SR, CorpId, PlayerId, PrivateId
from engine.money import free_cash
from engine.powers import GivesShare
from opponents import Choice, auction, choose, earning, levels, strong, track
from opponents.auction import owning, reserve
from opponents.choice import SENSELESS, best_first
from opponents.facts import facts_of
from opponents.forecast import NEVER, Course
from opponents.levels import CAREFUL, EARLY_HASTE
from opponents.prospects import TRAINLESS, Valuation
from opponents.question import Question, ask
from opponents.regular import rate
from opponents.sketch import Sketch
from opponents.sketch_stock import trade
from opponents.trying import cost_to_float, to_float

FEW = 5
"""Seeds with which each decision is asked for."""
SUBWAY, OME = CorpId("Subway"), PrivateId("F")
HANSHIN, TRAMWAY = CorpId("Hanshin"), PrivateId("D")


def course(title: Title, phase: int = 1) -> Course:
    """Twelve operating rounds in which nothing changes."""
    return Course(12, (0,) * 12, (phase,) * 12, (NEVER,) * len(title.trains))


@pytest.mark.parametrize("scenario", ["scenario_a", "scenario_b"])
def test_the_money_to_float_a_company_alone_is_not_spent_on_privates(scenario: str) -> None:
    players = 4
    title, spent = build("1890", players, [scenario]), 0
    for _, state in moves(title, ("random",) * players, seed=3):
        if state.round != title.opening or state.turn > 1:
            break
        seat = decision(title, state).players[0]
        action = considered(title, state, seat).action
        if isinstance(action, Bid | BuyPrivate):
            cost = action.amount if isinstance(action, Bid) else title.privates[action.private].value
            spent += 1
            given = title.power(action.private, GivesShare) is not None
            assert facts_of(title).alone == 5 * 65
            assert free_cash(state, seat) - cost >= (4 if given else 5) * 65
    assert spent


def bought(*privates: str) -> tuple[Title, State]:
    """The sale in scenario A of 1890 for four when all passed once after p1, p2, ... bought these."""
    title = build("1890", 4, ["scenario_a"])
    state = start(title, ["P1", "P2", "P3", "P4"])
    for number, private in enumerate(privates, 1):
        state = apply(title, state, BuyPrivate(PlayerId(f"p{number}"), PrivateId(private)))
    while state.turn == 1:
        state = apply(title, state, Pass(decision(title, state).players[0]))
    return title, state


@pytest.mark.rule("1890-FLT-02")
def test_a_share_that_comes_with_a_private_leaves_one_less_to_buy() -> None:
    """Whoever owns the Hanshin Tramway floats Hanshin with four shares: 375 is enough for both."""
    title = build("1890", 4, ["scenario_a"])
    state = start(title, ["P1", "P2", "P3", "P4"])
    bid = considered(title, state, PlayerId("p1")).action
    assert bid == Bid(PlayerId("p1"), TRAMWAY, 115)
    assert owning(ask(title, state, PlayerId("p1")), TRAMWAY, 115).held(HANSHIN, PlayerId("p1")) == 1
    title, state = bought("A", "B", "E", "D")
    assert to_float(title, state, HANSHIN) == 4
    sketch = Sketch(title, state)
    trade(sketch)
    assert any(firm.corp == HANSHIN and firm.floated for firm in sketch.firms)


def test_who_is_paid_more_than_another_while_all_pass_leaves_the_next_private_to_that_one() -> None:
    """Whoever is paid least loses most by waiting; the others keep the money to float a company."""
    title, state = bought("A", "B", "E", "D")
    first, second = PlayerId("p1"), PlayerId("p2")
    assert considered(title, state, first).action == BuyPrivate(first, PrivateId("F"))
    state = apply(title, state, Pass(first))
    assert considered(title, state, second).action == Pass(second)


def test_who_is_paid_while_others_pass_ends_no_sale_that_leaves_it_too_little_to_float_a_company() -> None:
    """Four begin 1889: with 425 and the cheapest private nobody buys the last for 150, but with 475."""
    title, first = build("1889", 4), PlayerId("p1")
    state = start(title, ["P1", "P2", "P3", "P4"])
    state.owner |= dict(zip(list(title.privates)[:-1], ("p1", "p2", "p2", "p3", "p3", "p4"), strict=True))
    for cash, action in ((425, Pass(first)), (475, BuyPrivate(first, PrivateId("G")))):
        state.cash[first] = cash
        assert considered(title, state, first).action == action


def test_who_alone_is_paid_while_others_pass_waits_until_it_can_pay_from_that() -> None:
    title, first = build("1889", 6), PlayerId("p1")
    state = start(title, [f"P{number}" for number in range(6)])
    state.owner[PrivateId("A")] = first
    assert considered(title, state, first).action == Pass(first)
    state.cash[first] += 5
    assert considered(title, state, first).action == BuyPrivate(first, PrivateId("B"))


@pytest.mark.long
def test_a_strong_starts_a_company_at_a_price_at_which_it_operates_after_the_others() -> None:
    """The first trains rust before long; the next are left for who comes last, who can sell it privates, too."""
    title = build("1889", 4)
    state = next(state for _, state in moves(title, ["strong"] * 4, 3) if state.round == SR)
    seat = decision(title, state).players[0]
    begun = choose(title, state, seat, "strong", seed=3).action
    assert isinstance(begun, Par)
    price = title.market.price(begun.row, begun.col)
    dearer = [par for par, _, _ in facts_of(title).pars if price < par <= state.cash[seat] / 5]
    assert len(dearer) >= 2


def test_other_prices_are_those_at_which_the_seat_floats_that_company_alone() -> None:
    title = build("1889", 4)
    state = start(title, ["P1", "P2", "P3", "P4"])
    state.round, state.step = SR, "shares"
    q = ask(title, state, decision(title, state).players[0])
    pars = [action for action in q.options if isinstance(action, Par)]
    known = [Choice(pars[0], 0.0)]
    found = {choice.action for choice in strong._other_prices(q, known, known)}
    alone = {par for par in pars[1:] if par.corp == pars[0].corp and cost_to_float(title, state, par) <= 420}
    assert found == alone
    assert any(cost_to_float(title, state, par) > 420 for par in pars)


@pytest.mark.parametrize(
    ("title_id", "players", "early"), [("1888", 4, True), ("1889", 2, True), ("1888", 2, False), ("1890", 4, False)]
)
def test_before_the_first_shares_money_counts_for_more_unless_all_have_enough_for_two_companies(
    title_id: str, players: int, early: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = build(title_id, players)
    q = ask(title, start(title, [f"P{number}" for number in range(players)]), PlayerId("p1"))
    now = {choice.action: choice.score for choice in auction.auction(q)}
    monkeypatch.setattr(auction, "EARLY", 0.0)
    bids = [choice for choice in auction.auction(q) if isinstance(choice.action, Bid) and choice.score > SENSELESS]
    assert bids
    assert {now[bid.action] < bid.score for bid in bids} == {early}


@pytest.mark.broad
def test_nobody_is_left_all_privates_by_players_who_can_spare_the_money_for_one() -> None:
    """Six begin 1889 with hardly more than a company takes; who alone has been paid while all passed can buy on."""
    played = [
        state for _, state in takewhile(lambda move: move[1].round == "ISR", moves(build("1889", 6), ["strong"] * 6, 3))
    ]
    owned = Counter(owner for owner in played[-1].owner.values() if owner in played[-1].names)
    assert len(owned) > 3
    assert len(played) < 100


@pytest.mark.long
def test_who_could_float_no_company_alone_does_not_keep_its_money_while_others_are_paid() -> None:
    """Six begin 1888-N with less than a company takes."""
    played = [
        state for _, state in takewhile(lambda move: move[1].round == "ISR", moves(build("1888", 6), ["strong"] * 6, 3))
    ]
    last = played[-1]
    assert len(played) < 40
    owner = next(seat for seat in last.owner.values() if seat in last.names)
    late = next(state for state in played if owner in state.owner.values())
    poor = [seat for seat in late.players if seat not in late.owner.values()]
    title = build("1888", 6)
    assert not auction._keeps_in_vain(ask(title, late, PlayerId(owner)))
    assert poor
    assert all(auction._keeps_in_vain(ask(title, late, seat)) for seat in poor)


def test_a_private_is_bought_that_pays_back_what_a_company_takes_before_the_sale_ends() -> None:
    """Nobody of five can spare the money for the last one, so all are paid six times; for the last itself none are."""
    title = build("1888", 5)
    state = start(title, [f"P{number}" for number in range(1, 6)])
    p1, p2, p3, p4, p5 = state.players
    for action in (
        Bid(p1, PrivateId("CW"), 105), Bid(p2, PrivateId("HS"), 80), BuyPrivate(p3, PrivateId("KT")),
        BuyPrivate(p4, PrivateId("TA")),
    ):  # fmt: skip
        state = apply(title, state, action)
    ferry = BuyPrivate(p5, PrivateId("YRF"))
    assert considered(title, state, p5).action == ferry
    state = apply(title, state, ferry)
    assert considered(title, state, p1).action == Pass(p1)


def test_nothing_is_paid_back_while_others_can_spare_the_money_for_the_next_private() -> None:
    title, first = build("1888", 5), PlayerId("p1")
    state = start(title, [f"P{number}" for number in range(1, 6)])
    state.cash[first] = 400
    assert not auction._comes_back(ask(title, state, first), PrivateId("KT"), 25)


@pytest.mark.parametrize(("players", "options", "tight"), [(4, ["scenario_a"], True), (4, [], False), (7, [], False)])
def test_where_money_is_tight_what_will_be_left_of_it_is_not_counted_on(
    players: int, options: list[str], tight: bool
) -> None:
    title = build("1890", players, options)
    kept = reserve(title, start(title, [f"P{number}" for number in range(players)]))
    assert (kept == facts_of(title).alone) == tight
    assert kept <= facts_of(title).alone


@pytest.mark.long
@pytest.mark.parametrize(("players", "seed", "played"), [(2, 6, 59), (3, 8, 276), (4, 0, 128), (5, 5, 135)])
def test_track_that_earns_nothing_yet_leads_to_where_more_track_does(players: int, seed: int, played: int) -> None:
    """Between private companies and the tiles of others, what looks best may have no way on."""
    title = build("1890", players, ["open_treasuries"])
    _, state = next(islice(moves(title, ("random",) * players, seed), played, None))
    q = ask(title, state, decision(title, state).players[0])
    assert q.corp is not None
    trains = track.likely_trains(title, state, q.corp)

    def earns(choice: Choice) -> tuple[int, int]:
        """At once, and after another lay."""
        assert q.corp is not None
        assert isinstance(choice.action, LayTile)
        after = state.copy()
        after.board = state.board.with_tile(choice.action.hex, choice.action.tile, choice.action.rotation)
        return earning.revenue(title, after, q.corp, trains), track._after_another(q, after, trains)

    assert earns(best_first(track.rate_lays(q))[0]) == (0, 0)
    told = {any(one.why == "trainless" for one in choice.reasons) for choice in track.rate_lays(q)}
    assert told == {not state.trains[q.corp]}
    found = best_first([choice for choice in rate(q, Random(0)) if isinstance(choice.action, LayTile)])[0]
    assert (earns(found)[1] > 0) == facts_of(title).careful


def costs(choices: list[Choice]) -> set[float]:
    """What an opponent thinks that these cost."""
    return {one.amount for choice in choices for one in choice.reasons if one.why == "costs"}


@pytest.mark.rule("1890-COR-15")
@pytest.mark.parametrize("cash", [0, 500])
def test_the_subways_free_tile_costs_nothing_in_the_eyes_of_an_opponent(cash: int) -> None:
    found = table("1890", 3, "open_treasuries").phase("2").par("Subway", 80).shares("Subway", {"p1": 6})
    title, state = found.operating("Subway").cash(Subway=cash).build()
    assert costs(track.rate_lays(ask(title, state, PlayerId("p1")))) == {0}
    state.operated |= {SUBWAY}
    assert costs(track.rate_lays(ask(title, state, PlayerId("p1")))) <= {80}


def test_a_private_that_closes_with_its_companys_first_train_pays_until_then() -> None:
    title = build("1890", 4)
    state = start(title, ["Ann", "Ben", "Cho", "Dan"])
    assert facts_of(title).brings == {OME: SUBWAY}
    without = Valuation(title, state, course(title)).outcome().worth
    state.owner[OME] = PlayerId("p1")
    owner, *others = Valuation(title, state, course(title)).outcome().worth
    assert others == without[1:]
    assert owner - without[0] == TRAINLESS * 40 + 2 * 65


BEGINNINGS = [
    ("1890", 4, True),
    ("1890", 5, False),
    pytest.param("1890", 2, False, marks=pytest.mark.slow),
    pytest.param("1889", 4, False, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("title_id", "players", "careful"), BEGINNINGS)
@pytest.mark.broad
def test_where_all_depends_on_the_start_a_regular_is_seldom_in_haste_before_a_company_has_run(
    title_id: str, players: int, careful: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def by_rules(q: Question, random: Random) -> list[Choice]:
        asked.append(q.step)
        return []

    monkeypatch.setitem(levels.RATERS, "learner", by_rules)
    monkeypatch.setitem(levels.RATERS, "regular", lambda q, random: [])
    title, hasty, decided = build(title_id, players, ["open_treasuries"]), [0, 0], [0, 0]
    for _, state in islice(moves(title, ("random",) * players, seed=4), 0, 400, 3):
        seat = decision(title, state).players[0]
        q = ask(title, state, seat)
        if len(q.options) == 1 or q.step in CAREFUL:
            continue
        asked.clear()
        for seed in range(FEW):
            choose(title, state, seat, "regular", seed)
        begun = any(state.last_run.get(corp) for corp, head in state.president.items() if head == seat)
        decided[begun] += FEW
        hasty[begun] += len(asked)
    assert min(decided) > 20
    assert hasty[True] > 0
    assert hasty[False] > 0
    assert (hasty[False] < 2 * EARLY_HASTE * decided[False]) == careful
