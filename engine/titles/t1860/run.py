"""Running and paying in 1860: joined routes through the home base, halts' subsidy, leased trains, price moves."""

from collections import Counter
from dataclasses import replace

from engine.actions import Dividend, RunTrains
from engine.facts import TrainsRan
from engine.ids import BANK, CREDITS, NOBODY, CorpId, split_stop
from engine.market import move, price
from engine.money import pay
from engine.router import Best
from engine.state import Cell, State
from engine.steps import run
from engine.steps.common import go_on, operator, own_turn
from engine.title import Step, Title, Verb
from engine.titles.t1860 import companies, routing
from engine.titles.t1860.idle import idle_route
from engine.titles.t1860.own import own
from engine.titles.t1860.ways import ways

# Whether and with what the company runs


def settle_insolvency(t: Title, s: State, corp: CorpId) -> None:
    """Before running: without a director a trainless company leases at once; who can pay a train leases none.
    {1860-EMR-04, -11}
    """
    if s.trains[corp]:
        return
    if companies.can_pay_bank_train(t, s, corp):
        companies.unmark(s, "insolvent", corp)
    elif companies.in_receivership(s, corp) and routing.has_route(t, s, corp):
        companies.mark(s, "insolvent", corp)


def must_run(t: Title, s: State, corp: CorpId) -> bool:
    """The company has a train of its own or leased, and a route."""
    return bool(routing.running_trains(t, s, corp)) and routing.has_route(t, s, corp)


def asks_for_routes(t: Title, s: State) -> bool:
    """The director is asked; without one the program runs for the maximum."""
    corp = operator(s)
    if not ways(t).table_runs_receivership and companies.in_receivership(s, corp):
        return False
    if ways(t).lease == "fixed" and routing.is_leasing(t, s, corp):
        return False
    return must_run(t, s, corp)


def run_by_itself(t: Title, s: State) -> None:
    """A company in receivership runs for the maximum; a fixed lease needs no route. {1860-RTE-16, 1860-VAR-13}"""
    corp = operator(s)
    if not must_run(t, s, corp):
        return
    if ways(t).lease == "fixed" and routing.is_leasing(t, s, corp):
        (rank,) = routing.running_trains(t, s, corp)
        _book(s, corp, 40 + 20 * (t.trains[rank].reach or 0), 0)
        s.facts.append(TrainsRan(corp, (), s.income, leased=True))
        return
    found = sensible(t, s, routing.bests(t, s, corp))
    best = max(found, key=lambda best: (best.total, best.subsidy), default=None)
    if best and best.routes:
        run_trains(t, s, RunTrains(NOBODY, corp, best.routes))


# Guards


def own_or_leased(t: Title, s: State, a: RunTrains) -> str | None:
    """Each train runs at most one route; an insolvent company runs the leased train."""
    trains = routing.running_trains(t, s, a.corp)
    too_many = Counter(route.train for route in a.routes) - Counter(trains)
    if not too_many:
        return None
    return f"{a.corp} has no other {next(iter(too_many))}-train to run; it runs {', '.join(trains) or 'none'}."


def something_runs(t: Title, s: State, a: RunTrains) -> str | None:
    """A company that can run must."""
    if a.routes or (companies.in_receivership(s, a.corp) and companies.british(s)):
        return None
    return f"{a.corp} has a train and a route, so it must run."


def none_idle(t: Title, s: State, a: RunTrains) -> str | None:
    """Each train that can run beside the others must."""
    idle = Counter(routing.running_trains(t, s, a.corp)) - Counter(route.train for route in a.routes)
    for rank in idle if a.routes else ():
        free = idle_route(t, s, a.corp, rank, run.traced(s, a.routes))
        if free is not None:
            ends = f"{split_stop(str(free.path[0]))[0]} and {split_stop(str(free.path[-1]))[0]}"
            return f"The {rank}-train can run too, for instance between {ends}, so it must."
    return None


def ends_at_stations(t: Title, s: State, a: RunTrains) -> str | None:
    """A route begins and ends in large or small stations, never in a halt; each station once."""
    for run_ in run.traced(s, a.routes):
        if len(run_.stops) < 2:
            return "A route has at least two stations."
        if len(set(run_.stops)) < len(run_.stops):
            return "A route passes each station only once."
        for stop in (run_.stops[0], run_.stops[-1]):
            if s.board.stop(*stop).kind == "halt":
                return f"A route cannot end at the halt in {stop[0]}."
        if any(s.board.stop(*stop).kind == "offboard" for stop in run_.stops[1:-1]):
            return "A route ends where it leaves the map."
    return None


def own_base(t: Title, s: State, a: RunTrains) -> str | None:
    """Every route has a large station with an own base."""
    for run_ in run.traced(s, a.routes):
        if not any(a.corp in s.board.places(*stop) for stop in run_.stops):
            return f"The {run_.train}-train's route has no station with a base of {a.corp}."
    return None


def no_hex_twice(t: Title, s: State, a: RunTrains) -> str | None:
    """A route does not come back to a hex."""
    for run_ in run.traced(s, a.routes):
        order = [hex_id for hex_id, _, _ in run_.segments]
        visits = [hex_id for index, hex_id in enumerate(order) if not index or order[index - 1] != hex_id]
        twice = [hex_id for hex_id, count in Counter(visits).items() if count > 1]
        if twice:
            return f"The {run_.train}-train's route would enter {twice[0]} twice."
    return None


def train_long_enough(t: Title, s: State, a: RunTrains) -> str | None:
    """An a+b train calls at a large stations; spare large calls serve small ones and halts beside its b small calls."""
    for route, run_ in zip(a.routes, run.traced(s, a.routes), strict=True):
        earned = routing.earnings(t, s, a.corp, route, run_)
        if isinstance(earned, str):
            return f"The {route.train}-train is too short: {earned}."
    return None


def one_tokened_out(t: Title, s: State, a: RunTrains) -> str | None:
    """One train in a turn passes one tokened-out station."""
    passed = sum(routing.passes_tokened_out(s, a.corp, run_.stops) for run_ in run.traced(s, a.routes))
    if passed <= 1:
        return None
    return f"These routes pass {passed} stations full of others' bases; only one is allowed each turn."


def home_included(t: Title, s: State, a: RunTrains) -> str | None:
    """At least one route includes the home base."""
    home = companies.home_stop(t, s, a.corp)
    if not a.routes or any(home in run_.stops for run_ in run.traced(s, a.routes)):
        return None
    return f"One of the routes must include the home base of {a.corp}."


def routes_joined(t: Title, s: State, a: RunTrains) -> str | None:
    """Every further route meets an earlier one."""
    if routing.joined([set(run_.stops) for run_ in run.traced(s, a.routes)]):
        return None
    return "All routes of a turn must meet at stations or halts."


def claims_maximum(t: Title, s: State, a: RunTrains) -> str | None:
    """After British Rail has formed each director claims the maximum."""
    if not companies.british(s):
        return None
    runs = zip(a.routes, run.traced(s, a.routes), strict=True)
    earned = [routing.earnings(t, s, a.corp, route, run_) for route, run_ in runs]
    revenue = sum(item.revenue for item in earned if isinstance(item, routing.Earned))
    best = max((best.total for best in routing.bests(t, s, a.corp)), default=0)
    if revenue >= best:
        return None
    return f"These routes earn {t.money(revenue)}; British Rail asks for the maximum, {t.money(best)}."


# What is proposed


def sensible(t: Title, s: State, found: tuple[Best, ...]) -> tuple[Best, ...]:
    """The sets found; where the search was cut short, with every train that can still run beside it. {1860-RTE-01}"""
    return tuple(best if best.proved else _all_run(t, s, best) for best in found)


def _all_run(t: Title, s: State, best: Best) -> Best:
    corp = operator(s)
    trains = routing.running_trains(t, s, corp)
    if not best.routes and len(trains) > 1:  # too many to find anything for
        fewer = s.copy()
        fewer.trains[corp] = trains[1:]
        found = sensible(t, fewer, routing.bests(t, fewer, corp))
        best = replace(found[0], proved=False, bound=best.bound) if found else best
    while True:
        runs = run.traced(s, best.routes)
        idle = Counter(trains) - Counter(route.train for route in best.routes)
        route = next(filter(None, (idle_route(t, s, corp, rank, runs) for rank in idle)), None)
        if route is None:
            return best
        (added,) = run.traced(s, (route,))
        earned = routing.earnings(t, s, corp, route, added)
        assert isinstance(earned, routing.Earned), earned
        total = best.total + earned.revenue
        subsidy = best.subsidy + earned.subsidy
        best = replace(best, routes=(*best.routes, route), total=total, subsidy=subsidy, bound=max(best.bound, total))


# What happens


def run_trains(t: Title, s: State, a: RunTrains) -> None:
    """Book what the routes earn, and what follows from the places that they reached. {1860-REV-01, 1860-REV-02}"""
    runs = run.traced(s, a.routes)
    earned = [routing.earnings(t, s, a.corp, route, run_) for route, run_ in zip(a.routes, runs, strict=True)]
    values = [item for item in earned if isinstance(item, routing.Earned)]
    s.routes = a.routes
    revenue = run.revenue_of(a, sum(item.revenue for item in values))
    ran = tuple((route, item.revenue) for route, item in zip(a.routes, values, strict=True))
    s.facts.append(TrainsRan(a.corp, ran, revenue, leased=routing.is_leasing(t, s, a.corp)))
    _book(s, a.corp, revenue, sum(item.subsidy for item in values))
    for effect in ways(t).after_run:
        effect(t, s, a.corp, [set(run_.stops) for run_ in runs])
    go_on(t, s)


def _book(s: State, corp: CorpId, revenue: int, subsidy: int) -> None:
    s.income = revenue
    s.last_run[corp] = revenue
    s.own = replace(own(s), subsidy=subsidy, ran=True)


RUN = Verb(
    RunTrains,
    run.best_routes,
    (
        own_turn, run.nothing_stated, own_or_leased, something_runs, run.track_lies, ends_at_stations, own_base,
        no_hex_twice, train_long_enough, run.tracks_apart, one_tokened_out, home_included, routes_joined, none_idle,
        claims_maximum,
    ),
    run_trains,
    open_ended=True,
)  # fmt: skip


SOLVENCY = Step("solvency", (), lambda t, s: False, skipped=lambda t, s: settle_insolvency(t, s, operator(s)))
"""Asks nothing: before running it settles whether the company leases."""


def run_step(verb: Verb) -> Step:
    """The step that asks for routes by this verb; where it asks nobody, the company runs by itself."""
    return Step(run.RUN_STEP.name, (verb,), asks_for_routes, skipped=run_by_itself)


# Dividend


def may_choose(t: Title, s: State) -> bool:
    """The director chooses, unless the company is insolvent or British Rail has formed. {1860-DIV-05, 1860-END-12}"""
    corp = operator(s)
    if companies.in_receivership(s, corp) or companies.has(s, "insolvent", corp) or companies.british(s):
        return False
    return own(s).ran


def forced_dividend(t: Title, s: State) -> None:
    """Everything is paid once British Rail has formed, otherwise retained."""
    corp = operator(s)
    if (
        companies.british(s)
        and own(s).ran
        and not companies.in_receivership(s, corp)
        and not companies.has(s, "insolvent", corp)
    ):
        pay_out(t, s, corp)
    else:
        retain(t, s, corp)


def decide(t: Title, s: State, a: Dividend) -> None:
    """Pay out all of the revenue, or retain it. {1860-DIV-01}"""
    if a.kind == "pay":
        pay_out(t, s, a.corp)
    else:
        retain(t, s, a.corp)
    go_on(t, s)


def pay_out(t: Title, s: State, corp: CorpId) -> None:
    """A tenth for each tenth with players; nothing for offering and pool; the halts' subsidy to the treasury."""
    each = s.income // 10
    for player in s.players:
        pay(s, BANK, player, each * s.held(corp, player), "dividend")
    run.close_books(s, corp, "pay", s.income, each)
    pay(s, CREDITS, corp, own(s).subsidy, "subsidy")
    if spaces_risen(s.income, price(t, s, corp)):
        move(t, s, corp, t.policy.prices.paid(t, s.cell[corp], s.income), "dividend")
    elif each and ways(t).still_dividend_goes_under:
        companies.go_under(t, s, corp)
    elif not each:
        move(t, s, corp, t.policy.prices.unpaid(t, s.cell[corp]), "no dividend")


def spaces_risen(revenue: int, price: int) -> int:
    """One space for each time that the dividend covers the price, four at most. {1860-MKT-06}"""
    return min(revenue // price, 4)


def price_paid(t: Title, at: Cell, revenue: int) -> Cell:
    """Two places for each space that the dividend moves the price. {1860-MKT-06}"""
    return companies.moved(t, at, 2 * spaces_risen(revenue, t.market.price(*at)))


def price_unpaid(t: Title, at: Cell) -> Cell:
    """One space left. {1860-MKT-04}"""
    return companies.moved(t, at, -2)


def retain(t: Title, s: State, corp: CorpId) -> None:
    """All of it to the treasury; one space left, perhaps into bankruptcy. {1860-MKT-04, -05}"""
    pay(s, CREDITS, corp, s.income, "withheld")
    run.close_books(s, corp, "withhold", s.income, 0)
    pay(s, CREDITS, corp, own(s).subsidy, "subsidy")
    move(t, s, corp, t.policy.prices.unpaid(t, s.cell[corp]), "no dividend")
    companies.check_bankruptcy(t, s, corp)


DIVIDEND = Step(
    run.DIVIDEND.name,
    (Verb(Dividend, run.dividend_kinds, (own_turn, run.earned), decide),),
    may_choose,
    skipped=forced_dividend,
)
