"""What the router tells in play, for every title: equal to trying everything, legal, and beaten by nothing legal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

import brute
import brute_linked as linked
import pytest
from every_title import Question, random_games, recorded_games, strewn

from engine import apply
from engine.actions import Route, RunTrains
from engine.best_routes import ask_router
from engine.board.routes import Run, StopRef, trace
from engine.facts import TrainsRan
from engine.ids import PlayerId, Rank
from engine.router import Best, RunRules, Train, best_runs
from engine.steps.run import bests_of, highest_total
from engine.title import Guard, Verb
from engine.titles import TITLES
from engine.titles.t1860.run import claims_maximum, home_included, routes_joined

ASKS_THE_ROUTER: tuple[Guard, ...] = (highest_total, claims_maximum)
ABOUT_ALL_ROUTES: tuple[Guard, ...] = (*ASKS_THE_ROUTER, home_included, routes_joined)
"""Guards that can refuse a route alone and accept it with others."""
FEW = 2_000
"""Ways of running a train up to which every legal set of routes is looked for by the title's own guards."""
SETS = 10_000
"""How many sets that may be better are looked at then."""
FIRST = {"1860": 71}
"""Seeds from which on strewn positions are small enough for both ways of trying everything; 0 for the others."""


def seen(question: Question) -> Counter[str]:
    """Check one question; returns what it had in it. TooMany if it is too large for trying everything."""
    t, s, corp = question.title, question.state, question.corp
    trains, aims = t.policy.routes.runners(t, s, corp), t.policy.routes.aims(t, s, corp)
    wanted = [pair for rules in aims for pair in tried_all(question, rules.trains or tuple(trains), rules)]
    raw = ask_router(t, s, corp, ("compared", corp, s.trains[corp], s.phase))
    assert [(best.total, best.subsidy) for best in raw] == wanted
    assert all(best.proved and best.bound == best.total for best in raw)
    told = bests_of(t, s, corp)
    for number, best in enumerate(told):
        check_told(question, best, first=not number, subsidies=any(rules.subsidy for rules in aims))
    found = what_it_had(question, trains, aims[0], raw) if aims else Counter[str]()
    found["compared by the guards"] = int(no_legal_set_is_better(question, told))
    return found


def tried_all(question: Question, trains: tuple[Train, ...], rules: RunRules) -> list[linked.Pair]:
    board, corp = question.state.board, question.corp
    tied = rules.bypass or rules.no_end or rules.home or rules.joined or rules.single_pass or not rules.reenter
    if not trains or tied or rules.subsidy:
        pairs = linked.pairs(board, corp, trains, rules)
        return pairs if rules.subsidy else [(pairs[0][0], 0)]
    total, count = brute.best_total(board, corp, trains, rules)
    assert len(best_runs(board, corp, trains, rules).routes) == count
    return [(total, 0)]


def verb_of(question: Question) -> Verb:
    """How the title judges routes."""
    steps = (step for part in question.title.rounds.values() for step in part.steps)
    return next(step.by_action[RunTrains] for step in steps if RunTrains in step.by_action)


def run_with(question: Question, routes: tuple[Route, ...]) -> RunTrains:
    return RunTrains(question.seat or PlayerId(""), question.corp, routes)


def income(question: Question, routes: tuple[Route, ...]) -> tuple[int, int]:
    """Revenue and subsidy of the routes as the title counts them."""
    t, s, corp = question.title, question.state, question.corp
    each = t.policy.routes.turn_incomes(t, s, corp, [(route, traced(question, route)) for route in routes])
    return sum(revenue for revenue, _ in each), sum(subsidy for _, subsidy in each)


def traced(question: Question, route: Route) -> Run:
    run = trace(question.state.board, route)
    assert isinstance(run, Run), run
    return run


def check_told(question: Question, best: Best, *, first: bool, subsidies: bool) -> None:
    """The routes told earn what is told, and the rules accept them; British Rail only the first of them."""
    t, s = question.title, question.state
    revenue, subsidy = income(question, best.routes)
    assert (revenue, subsidy) == (best.total, best.subsidy) if subsidies else revenue + subsidy == best.total
    if not best.routes:
        return
    action = run_with(question, best.routes)
    refused = {guard: text for guard in verb_of(question).guards if (text := guard(t, s, action)) is not None}
    assert not refused if first else set(refused) <= {claims_maximum}, refused
    if question.seat and first:
        after = apply(t, s, action)
        ran = next(fact for fact in after.facts if isinstance(fact, TrainsRan))
        assert sum(value for _, value in ran.routes) == revenue


def no_legal_set_is_better(question: Question, told: tuple[Best, ...]) -> bool:
    """Look through all sets of routes that the title's own guards accept; False if there are too many."""
    t, s = question.title, question.state
    incomes = [income(question, best.routes) for best in told] or [(0, 0)]
    once = max((rules.once[1] for rules in t.policy.routes.aims(t, s, question.corp) if rules.once), default=0)

    def better(revenue: int, subsidy: int) -> bool:
        """Than all that is told."""
        return not linked.beaten(incomes, revenue, subsidy)

    try:
        ranks = [train.rank for train in t.policy.routes.runners(t, s, question.corp)]
        ways = {rank: legal_routes(question, rank) for rank in dict.fromkeys(ranks)}
        lists = [ways[rank] for rank in ranks]
    except brute.TooMany:
        return False
    tops = [[max((way[0][part] for way in ways), default=0) for ways in lists] for part in (0, 1)]
    guards = [guard for guard in verb_of(question).guards if guard not in ASKS_THE_ROUTER]
    tried = 0

    def look(number: int, chosen: tuple[Route, ...], revenue: int, subsidy: int, track: int) -> None:
        nonlocal tried
        tried += 1
        if tried > SETS:
            raise brute.TooMany
        if number == len(lists):
            if better(*income(question, chosen)):
                action = run_with(question, chosen)
                assert any(guard(t, s, action) for guard in guards), f"{chosen} is legal and earns more"
            return
        if not better(revenue + once + sum(tops[0][number:]), subsidy + sum(tops[1][number:])):
            return
        look(number + 1, chosen, revenue, subsidy, track)
        for (more, beside), route, used in lists[number]:
            if not used & track:
                look(number + 1, (*chosen, route), revenue + more, subsidy + beside, track | used)

    try:
        look(0, (), 0, 0, 0)
    except brute.TooMany:
        return False
    return True


Way = tuple[tuple[int, int], Route, int]
"""Income, route, track."""


def legal_routes(question: Question, rank: Rank) -> list[Way]:
    """All that one train may do by the title's guards, except those that are about all routes together."""
    t, s, corp = question.title, question.state, question.corp
    guards = [guard for guard in verb_of(question).guards if guard not in ABOUT_ALL_ROUTES]
    loose = RunRules(lambda stop, train: 0, bypass=frozenset({"town", "halt"}), single_pass=True)
    train = t.trains[rank]
    longest = brute.longest_of([Train(rank, train.reach, train.small)])
    tokens, tried = {f"{name}.{index}" for name, index in s.board.token_stops(corp)}, 0
    ways: dict[tuple[int, frozenset[StopRef], int, int], Way] = {}
    for path in list(brute.walks(s.board, corp, loose, longest)):
        if str(path[0]) > str(path[-1]) or tokens.isdisjoint(path):
            continue
        run = traced(question, Route(rank, path))
        halts = [s.board.stop(*stop).kind for stop in run.stops].count("halt")
        for wanted in (None, *range(halts + 1)) if halts else (None,):
            tried += 1
            if tried > FEW:
                raise brute.TooMany
            route = Route(rank, path, wanted)
            if all(guard(t, s, run_with(question, (route,))) is None for guard in guards):
                earned = t.policy.routes.income(t, s, corp, route, run)
                ways[run.track, frozenset(run.stops), *earned] = earned, route, run.track
    return sorted(ways.values(), key=lambda way: -sum(way[0]))


def what_it_had(question: Question, trains: list[Train], rules: RunRules, told: tuple[Best, ...]) -> Counter[str]:
    board, corp = question.state.board, question.corp
    top, rules = max(told, key=lambda best: best.total), replace(rules, goal=None)
    runs = [traced(question, route) for route in top.routes]
    stops = {(name, index) for name, face in board.faces.items() for index in range(len(face.face.stops))}
    passed = [stop for run in runs for stop in run.stops[1:-1] if board.blocks(*stop, corp)]
    alone = sum(best_runs(board, corp, [train], rules).total for train in trains)
    bonus = any(bonus.one & set(run.stops) and bonus.other & set(run.stops) for run in runs for bonus in rules.bonuses)
    return Counter({
        "compared": 1,
        "earning": int(top.total > 0),
        "two trains or more running": int(len(runs) > 1),
        "equal trains": int(len({train.rank for train in trains}) < len(trains)),
        "full cities": int(any(board.blocks(*stop, corp) for stop in stops)),
        "a full city passed": int(any(stop not in rules.through for stop in passed)),
        "one passed by right": int(any(stop in rules.through for stop in passed)),
        "bonus": int(bonus),
        "something added once": int(rules.once is not None and any(rules.once[0] in run.stops for run in runs)),
        "several pairs": int(rules.subsidy is not None and len(told) > 1),
        "subsidy": int(any(board.stop(*stop).subsidy for run in runs for stop in run.stops) or told[-1].subsidy > 0),
        "trains in one another's way": int(alone > top.total),
    })  # fmt: skip


def compare(questions: Iterator[Question], wanted: int) -> Counter[str]:
    """Check different questions until so many were small enough."""
    found: Counter[str] = Counter()
    known = set()
    for question in questions:
        s, corp = question.state, question.corp
        placed, tokens = frozenset(s.board.placed.items()), frozenset(s.board.tokens.items())
        key = corp, s.trains[corp], s.phase, placed, tokens
        if key in known:
            continue
        known.add(key)
        try:
            found += seen(question)
        except brute.TooMany:
            found["too large"] += 1
        except AssertionError as error:
            error.add_note(f"{question.name}: {corp} with {', '.join(s.trains[corp])}")
            raise
        if found["compared"] >= wanted:
            break
    print("\n" + ", ".join(f"{count} {what}" for what, count in found.items()))
    return found


def strewn_from(title: str, seed: int) -> Iterator[Question]:
    while True:
        yield strewn(title, seed)
        seed += 1


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.long
def test_answers_equal_trying_everything(title: str) -> None:
    """A few positions from a random game and some strewn ones."""
    assert compare(random_games(title, 1), 4)["compared"] == 4
    found = compare(strewn_from(title, FIRST.get(title, 0)), 9)
    assert found["earning"] >= 5
    assert found["two trains or more running"] >= 2


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize("title", TITLES)
def test_strewn_positions_equal_trying_everything(title: str, block: int) -> None:
    found = compare(strewn_from(title, 1_000 * (block + 1)), 100)
    assert found["two trains or more running"] >= 30
    assert found["trains in one another's way"] >= 20


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_positions_of_random_games_equal_trying_everything(title: str) -> None:
    assert compare(islice(random_games(title, 10), 0, None, 3), 120)["compared"] == 120


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES)
def test_positions_of_recorded_games_equal_trying_everything(title: str) -> None:
    questions = islice(recorded_games(title), 0, None, 7)
    first = next(questions, None)
    if first is None:
        pytest.skip("no recorded games of this title at hand (../shared/games)")
    assert compare(chain([first], questions), 60)["compared"] == 60
