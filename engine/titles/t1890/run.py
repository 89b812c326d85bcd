"""Running trains and dividends: 2+2 and 3+3 trains, passages, half pay of minors and JR, Hanshin's Tigers and a die."""

from collections.abc import Sequence

from engine.actions import Action, RollDie, Route, RunTrains
from engine.board.routes import Run, StopRef
from engine.facts import DieRolled, TrainsRan
from engine.ids import BANK, CHANCE, CorpId, PlayerId, Rank
from engine.money import pay
from engine.router import RunRules
from engine.state import Pending, State
from engine.steps import run
from engine.steps.common import go_on, operator, own_turn
from engine.title import Step, Title, Verb
from engine.titles.t1890.companies import is_minor, reached
from engine.titles.t1890.late import passage
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import HANKYU, HANSHIN, JR, NISHINOMIYA, OSAKA, SANYO, SUBWAY
from engine.titles.t1890.ways import ways
from engine.usual import each_by_itself, train_values

TIGERS = 10
"""1890-COR-16"""
STADIUM: StopRef = (NISHINOMIYA, 0)


# Routes


def passed(t: Title, s: State, corp: CorpId) -> frozenset[StopRef]:
    """Full cities that the company's trains pass all the same. {1890-COR-14, 1890-PRV-17}"""
    bought = passage(s, corp)
    if corp != SUBWAY or not reached(t, s, "4"):
        return bought
    brown = [hex_id for hex_id in OSAKA if s.board.face(hex_id).face.colour == "brown"]
    return bought | {(hex_id, index) for hex_id in brown for index in range(len(s.board.face(hex_id).face.stops))}


def aims(t: Title, s: State, corp: CorpId) -> tuple[RunRules, ...]:
    """What is proposed to a president: the highest sum, with the passages that the company has and the Tigers."""
    once = (STADIUM, TIGERS) if plays_at_home(t, s, corp) else None
    return (RunRules(value=train_values(t, s), through=passed(t, s, corp), once=once),)


def something_runs(t: Title, s: State, a: RunTrains) -> str | None:
    """Where a route exists at least one train runs."""
    return None if a.routes else f"{a.corp} has a route, so at least one of its trains must run."


def train_long_enough(t: Title, s: State, a: RunTrains) -> str | None:
    """So many cities as the train's number; an m+n train m large or red ones, and n small ones, no more of either."""
    for each in run.traced(s, a.routes):
        train = t.trains[Rank(each.train)]
        if train.reach is None:
            continue
        large = sum(1 for stop in each.stops if s.board.stop(*stop).kind != "town")
        if large > train.reach:
            return f"A {each.train}-train visits at most {train.reach} large cities and red areas, not {large}."
        small = len(each.stops) - large
        if train.apart and small > train.small:
            return f"A {each.train}-train visits at most {train.small} small cities, not {small}."
        if len(each.stops) > train.reach + train.small:
            return f"A {each.train}-train visits at most {train.reach + train.small} cities, not {len(each.stops)}."
    return None


def brown_nishinomiya(s: State, corp: CorpId, runs: list[Run]) -> int:
    """How many of Hanshin's routes count brown Nishinomiya."""
    if corp != HANSHIN or s.board.face(NISHINOMIYA).face.colour != "brown":
        return 0
    return sum(1 for each in runs if STADIUM in each.stops)


def plays_at_home(t: Title, s: State, corp: CorpId) -> bool:
    """Whether a route through Nishinomiya brings the company more. {1890-COR-16}"""
    return ways(t).tigers and corp == HANSHIN and s.board.face(NISHINOMIYA).face.colour == "brown"


def with_tigers(t: Title, s: State, corp: CorpId, ran: Sequence[tuple[Route, Run]]) -> list[tuple[int, int]]:
    """The first of the turn's routes through brown Nishinomiya brings Hanshin more."""
    incomes = each_by_itself(t, s, corp, ran)
    first = next((number for number, (_, each) in enumerate(ran) if STADIUM in each.stops), None)
    if first is not None and plays_at_home(t, s, corp):
        incomes[first] = incomes[first][0] + TIGERS, incomes[first][1]
    return incomes


def after_quake(s: State, corp: CorpId, revenue: int) -> int:
    """Until the stock round after the earthquake ends Hanshin earns nothing, its neighbours half. {1890-VAR-17a}"""
    if not own(s).quake:
        return revenue
    if corp == HANSHIN:
        return 0
    return revenue // 2 if corp in (HANKYU, JR, SANYO) else revenue


def run_trains(t: Title, s: State, a: RunTrains) -> None:
    """Book what the routes earn, the Tigers' bonus, and what else follows from the run. {1890-REV-01, 1890-COR-16}"""
    runs = run.traced(s, a.routes)
    values = [revenue for revenue, _ in run.incomes(t, s, a.corp, a.routes)]
    s.routes = a.routes
    if plays_at_home(t, s, a.corp) and any(STADIUM in each.stops for each in runs):
        pay(s, BANK, a.corp, after_quake(s, a.corp, TIGERS), "bonus")
    s.income = run.revenue_of(a, after_quake(s, a.corp, sum(values)))
    s.last_run[a.corp] = s.income
    s.facts.append(TrainsRan(a.corp, tuple(zip(a.routes, values, strict=True)), s.income))
    for effect in ways(t).after_run:
        effect(t, s, a.corp, runs)
    go_on(t, s)


RUN = Verb(
    RunTrains,
    run.best_routes,
    (
        own_turn, run.nothing_stated, run.own_trains, something_runs, run.track_lies, run.routes_allowed,
        train_long_enough, run.tracks_apart,
    ),
    run_trains,
    open_ended=True,
)  # fmt: skip
RUN_STEP = Step(run.RUN_STEP.name, (RUN,), run.can_run)


# The die that gives the value of Nishinomiya for the Tigers {1890-VAR-16}

BY_DIE = {1: 100, 2: 60, 3: 50, 4: 40, 5: 40, 6: 40}
"""What brown Nishinomiya counts for Hanshin by the die. {1890-VAR-16}"""
PRINTED = 40


def throw_for_tigers(t: Title, s: State, corp: CorpId, runs: list[Run]) -> None:
    """The die is thrown once the routes are fixed."""
    if brown_nishinomiya(s, corp, runs):
        s.pending += (Pending(TIGERS_DIE.name, CHANCE, corp),)


def one_to_six(t: Title, s: State, a: RollDie) -> str | None:
    """The die has six sides."""
    return None if a.value in BY_DIE else f"A die shows 1 to 6, not {a.value}."


def six_sides(t: Title, s: State, player: PlayerId) -> list[Action]:
    """Each side of the die."""
    return [RollDie(player, value) for value in BY_DIE]


def count_tigers(t: Title, s: State, a: RollDie) -> None:
    """Every route that counts brown Nishinomiya counts it by the die."""
    corp = CorpId(s.pending[-1].subject)
    s.pending = s.pending[:-1]
    runs = run.traced(s, s.routes)
    value = sum(revenue for revenue, _ in run.incomes(t, s, corp, s.routes))
    value += brown_nishinomiya(s, corp, runs) * (BY_DIE[a.value] - PRINTED)
    s.income = s.last_run[corp] = after_quake(s, corp, value)
    s.facts.append(DieRolled(a.value, "tigers", corp, s.income))


TIGERS_DIE = Step("tigers", (Verb(RollDie, six_sides, (one_to_six,), count_tigers),))


# Dividends


def pays_half(t: Title, s: State, corp: CorpId) -> bool:
    """1890-DIV-06, 1890-VAR-15"""
    full = ways(t).jr_full_in
    return corp == JR and ways(t).jr_pays_half and not (full and reached(t, s, full))


def per_share(t: Title, s: State, corp: CorpId, revenue: int) -> int:
    """What one tenth gets of a revenue that is paid out."""
    return revenue // (20 if pays_half(t, s, corp) else 10)


def in_special_turn(t: Title, s: State, corp: CorpId) -> bool:
    """The price does not fall in Kinki's special turn. {1890-COR-11}"""
    return own(s).special_turn


def settle_without_choice(t: Title, s: State) -> None:
    """Minors pay half to the owner and keep half; who ran nothing pays nothing. {1890-DIV-03, 1890-DIV-04}"""
    corp = operator(s)
    if not is_minor(t, corp):
        run.withhold(t, s, corp, 0)
        return
    half = s.income // 2
    owner = s.president_of(corp)
    assert owner is not None
    pay(s, BANK, owner, half, "dividend")
    pay(s, BANK, corp, s.income - half, "withheld")
    run.close_books(s, corp, "half", s.income, 0)


def may_choose(t: Title, s: State) -> bool:
    """The president of a public company that earned something chooses. {1890-DIV-03, 1890-DIV-04}"""
    return s.income > 0 and not is_minor(t, operator(s))


DIVIDEND = Step(run.DIVIDEND.name, (run.DECIDE,), may_choose, skipped=settle_without_choice)
