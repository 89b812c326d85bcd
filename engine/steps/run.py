"""Running trains and deciding what becomes of the revenue."""

from collections import Counter
from collections.abc import Iterator

from engine.actions import Action, Dividend, Payout, Route, RunTrains, StateRevenue
from engine.best_routes import best_by_aim
from engine.board.reach import reaches
from engine.board.routes import Run, follow, objection
from engine.facts import DividendDecided, TrainsRan
from engine.ids import BANK, POOL, CorpId, PlayerId, Rank
from engine.market import move
from engine.money import pay
from engine.router import Best, RunRules
from engine.state import State
from engine.steps.common import go_on, never_offered, operator, own_turn
from engine.title import Step, Title, Verb
from engine.usual import train_of


def own_trains(t: Title, s: State, a: RunTrains) -> str | None:
    """Each train of the company runs at most one route."""
    too_many = Counter(route.train for route in a.routes) - Counter(s.trains[a.corp])
    if not too_many:
        return None
    return f"{a.corp} has no other {next(iter(too_many))}-train to run; it owns {', '.join(s.trains[a.corp])}."


def track_lies(t: Title, s: State, a: RunTrains) -> str | None:
    """A route follows track that lies on the map, none of it twice."""
    for route in a.routes:
        run = follow(s.board, route)
        if isinstance(run, str):
            return run
    return None


def routes_allowed(t: Title, s: State, a: RunTrains) -> str | None:
    """A route has two stops or more, each once, with an own token; off-board areas end it, and cities blocked to it."""
    through = t.policy.routes.aims(t, s, a.corp)[0].through
    for run in traced(s, a.routes):
        text = objection(s.board, a.corp, run, through=through)
        if text is not None:
            return text
    return None


def train_long_enough(t: Title, s: State, a: RunTrains) -> str | None:
    """A train visits at most as many stops as its number."""
    for run in traced(s, a.routes):
        longest = t.trains[Rank(run.train)].reach
        calls = sum(s.board.stop(*stop).visit_cost for stop in run.stops)
        if longest is not None and calls > longest:
            return f"A {run.train}-train visits at most {longest} stops, not {calls}."
    return None


def tracks_apart(t: Title, s: State, a: RunTrains) -> str | None:
    """Two trains of a company use no track together."""
    used = 0
    for run in traced(s, a.routes):
        if used & run.track:
            return f"The {run.train}-train would use track that another train of {a.corp} uses."
        used |= run.track
    return None


def highest_total(t: Title, s: State, a: RunTrains) -> str | None:
    """Where the title asks for it, the routes earn the highest total possible."""
    if not t.policy.routes.best_required:
        return None
    runs = traced(s, a.routes)
    for number, rules in enumerate(t.policy.routes.aims(t, s, a.corp)):
        if meant_for(rules, runs):
            total, (best,) = measure_turn(t, rules, runs), best_by_aim(t, s, a.corp, number)
            if total >= best.total:
                return None
            text = f"These routes earn {t.money(total)}; {a.corp} must run for the highest total, {t.money(best.total)}"
            return text + (f", with the same trains to {rules.goal[0]}." if rules.goal else ".")
    return f"{a.corp} cannot run these routes."


def nothing_stated(t: Title, s: State, a: RunTrains) -> str | None:
    """Routes earn what their stops are worth, whatever a record says."""
    return (
        None if a.stated is None else f"A revenue of {t.money(a.stated)} cannot be stated: it is what the routes earn."
    )


def revenue_of(a: RunTrains, earned: int) -> int:
    """What the run counts for: what its routes earn, or what a record states."""
    return earned if a.stated is None else a.stated


def meant_for(rules: RunRules, runs: list[Run]) -> bool:
    """Whether these are the rules for such routes: the trains that should call at the goal, and no others, do."""
    if rules.goal is None or rules.trains is None:
        return True
    calling = Counter(run.train for run in runs if rules.goal in run.stops)
    return calling == Counter(train.rank for train in rules.trains if not train.away)


def measure_turn(t: Title, rules: RunRules, runs: list[Run]) -> int:
    """What the runs of one turn are worth by these rules."""
    total = sum(measure(t, rules, run) for run in runs)
    if rules.once and any(rules.once[0] in run.stops for run in runs):
        total += rules.once[1]
    return total


def measure(t: Title, rules: RunRules, run: Run) -> int:
    """What one run is worth by these rules, without what is added once for all."""
    train, met = train_of(t, Rank(run.train)), set(run.stops)
    bonuses = sum(bonus.amount for bonus in rules.bonuses if bonus.one & met and bonus.other & met)
    return sum(rules.value(stop, train) for stop in run.stops) + bonuses


def traced(s: State, routes: tuple[Route, ...]) -> list[Run]:
    """The runs of those routes whose track lies on the map: of all that `track_lies` accepted."""
    return [run for route in routes if isinstance(run := follow(s.board, route), Run)]


def incomes(t: Title, s: State, corp: CorpId, routes: tuple[Route, ...]) -> list[tuple[int, int]]:
    """Revenue and subsidy of each of these routes, whose track lies on the map, run in one turn."""
    return t.policy.routes.turn_incomes(t, s, corp, list(zip(routes, traced(s, routes), strict=True)))


def bests_of(t: Title, s: State, corp: CorpId, effort: int = 0) -> tuple[Best, ...]:
    """The best sets of routes for the company's trains; the answers are kept with the board.

    What the rules ask for is the answer without further effort: going on never makes routes illegal.
    """
    return t.policy.routes.bests(t, s, corp, effort)


def proposals(t: Title, s: State, player: PlayerId, effort: int = 0) -> Iterator[tuple[RunTrains, Best]]:
    """The sets of routes to propose, each once, with what is known of it after so much effort.

    More effort is made where the search was cut short before it found any: to run nothing may be refused.
    """
    corp = operator(s)
    bests = t.policy.routes.sensible(t, s, bests_of(t, s, corp, effort))
    while bests and not any(best.routes or best.proved for best in bests):
        effort += 1
        bests = t.policy.routes.sensible(t, s, bests_of(t, s, corp, effort))
    known: dict[tuple[Route, ...], Best] = {}
    for best in bests:
        known.setdefault(best.routes, best)
    for routes, best in known.items():
        yield RunTrains(player, corp, routes), best


def best_routes(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """The routes worth proposing."""
    for action, _ in proposals(t, s, player):
        yield action


def run(t: Title, s: State, a: RunTrains) -> None:
    """Note routes and revenue."""
    values = [revenue for revenue, _ in incomes(t, s, a.corp, a.routes)]
    s.routes = a.routes
    s.income = revenue_of(a, sum(values))
    s.last_run[a.corp] = s.income
    s.facts.append(TrainsRan(a.corp, tuple(zip(a.routes, values, strict=True)), s.income))
    go_on(t, s)


RUN = Verb(
    RunTrains,
    candidates=best_routes,
    guards=(
        own_turn, nothing_stated, own_trains, track_lies, routes_allowed, train_long_enough, tracks_apart,
        highest_total,
    ),
    perform=run,
    open_ended=True,
)  # fmt: skip


def whole_tens(t: Title, s: State, a: StateRevenue) -> str | None:
    """Revenues are multiples of ten."""
    return None if a.revenue > 0 and a.revenue % 10 == 0 else f"{t.money(a.revenue)} cannot be the revenue of a run."


def take_stated(t: Title, s: State, a: StateRevenue) -> None:
    """Note the revenue that the record states."""
    s.income = a.revenue
    s.last_run[a.corp] = a.revenue
    s.facts.append(TrainsRan(a.corp, (), a.revenue))
    go_on(t, s)


STATED = Verb(StateRevenue, never_offered, (own_turn, whole_tens), take_stated, open_ended=True)


def can_run(t: Title, s: State) -> bool:
    """The step is asked of a company with a train and a route."""
    corp = operator(s)
    return bool(s.trains[corp]) and reaches(s.board, corp, lambda reached: reached.joined)


def earned(t: Title, s: State, a: Dividend) -> str | None:
    """The revenue is paid out or withheld as a whole."""
    return None if a.kind in ("pay", "withhold") else "The revenue is either paid out or withheld."


def dividend_kinds(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """To pay out or to withhold."""
    for kind in ("pay", "withhold"):
        yield Dividend(player, operator(s), kind)


def decide_dividend(t: Title, s: State, a: Dividend) -> None:
    """Pay out or withhold; stops pay the treasury their subsidy."""
    if a.kind == "pay":
        pay_dividend(t, s, a.corp, s.income)
    else:
        withhold(t, s, a.corp, s.income)
    pay_subsidies(t, s, a.corp)
    go_on(t, s)


def pay_dividend(t: Title, s: State, corp: CorpId, revenue: int) -> None:
    """So much for each share of players; the market's and what is not divided go to the treasury."""
    each = t.policy.dividends.per_share(t, s, corp, revenue)
    for player in s.players:
        pay(s, BANK, player, each * s.held(corp, player), "dividend")
    pay(s, BANK, corp, each * s.held(corp, POOL), "dividend")
    pay(s, BANK, corp, revenue - t.corporations[corp].shares * each, "withheld")
    close_books(s, corp, "pay", revenue, each)
    if each:
        move(t, s, corp, t.policy.prices.paid(t, s.cell[corp], revenue), "dividend")
    else:
        no_dividend(t, s, corp)


def pay_subsidies(t: Title, s: State, corp: CorpId) -> None:
    """What the stops on the routes bring the treasury itself, whatever becomes of the revenue."""
    amount = sum(s.board.stop(*stop).subsidy for run in traced(s, s.routes) for stop in run.stops)
    pay(s, BANK, corp, amount, "subsidy")


def withhold(t: Title, s: State, corp: CorpId, revenue: int) -> None:
    """All of it to the treasury; the price falls."""
    pay(s, BANK, corp, revenue, "withheld")
    close_books(s, corp, "withhold", revenue, 0)
    no_dividend(t, s, corp)


def no_dividend(t: Title, s: State, corp: CorpId) -> None:
    """The price falls to the left, unless the title spares it."""
    if not t.policy.dividends.price_spared(t, s, corp):
        move(t, s, corp, t.policy.prices.unpaid(t, s.cell[corp]), "no dividend")


def close_books(s: State, corp: CorpId, kind: Payout, revenue: int, each: int) -> None:
    """Note that the company has operated, what it ran for and what each share was paid."""
    s.operated |= {corp}
    s.last_run[corp] = revenue
    s.last_paid[corp] = each
    s.facts.append(DividendDecided(corp, kind, revenue, each))


def no_income(t: Title, s: State) -> None:
    """A company that ran nothing withholds nothing, which moves its price as withholding does."""
    withhold(t, s, operator(s), 0)


def has_income(t: Title, s: State) -> bool:
    """Whether there is a revenue to decide on."""
    return s.income > 0


DECIDE = Verb(Dividend, dividend_kinds, (own_turn, earned), decide_dividend)

RUN_STEP = Step("run", (RUN,), can_run)
DIVIDEND = Step("dividend", (DECIDE,), has_income, skipped=no_income)
