"""`tetsudo routes`: compare every run in a record with the best one."""

import argparse
import time
from pathlib import Path
from typing import Any

from cli.files import played_from
from engine import State, Title, start
from engine import apply as apply_action
from engine.actions import RunTrains, StateRevenue
from engine.best_routes import best_by_aims
from engine.facts import TrainsRan
from engine.router import Best
from engine.steps.run import bests_of, meant_for, measure_turn, traced

MOST_EFFORT = 8
"""More would take months."""


def add_commands(command: Any) -> None:
    routes = command("routes", _run, help="compare every run of a game file with the best routes")
    routes.add_argument("file", type=Path)
    routes.add_argument(
        "--effort",
        type=int,
        choices=range(MOST_EFFORT + 1),
        default=0,
        metavar="N",
        help="if the best is not proved, search on N times, each with four times the steps",
    )


def _run(args: argparse.Namespace) -> int:
    played = played_from(args.file)
    title, state = played.title, start(played.title, played.names)
    counts = {"equal": 0, "better": 0, "worse": 0, "stated": 0, "not proved": 0}
    times: list[float] = []
    for number, action in enumerate(played.actions, start=1):
        before, state = state, apply_action(title, state, action)
        if not isinstance(action, RunTrains | StateRevenue):
            continue
        began = time.perf_counter()
        bests = bests_of(title, before, action.corp, args.effort)
        times.append((time.perf_counter() - began) * 1000)
        both = _compared(title, before, state, action, bests)
        if isinstance(action, StateRevenue):
            verdict = "stated"  # an early record's revenue that no route was checked for
        elif any(earned > best for earned, best in both):
            verdict = "worse"
        else:
            verdict = "equal" if any(earned == best for earned, best in both) else "better"
        counts[verdict] += 1
        counts["not proved"] += not all(best.proved for best in bests)
        trains = ",".join(train.rank for train in title.policy.routes.runners(title, before, action.corp))
        ran = f"ran {both[0][0]:4} best {both[0][1]:4}"
        print(f"{number:5} {action.corp:5} {trains:12} {ran} {times[-1]:8.2f} ms {verdict}")
    times.sort()
    middle, high = (times[len(times) * part // 100] if times else 0.0 for part in (50, 99))
    slowest = times[-1] if times else 0.0
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    if counts["not proved"]:
        further = args.effort < MOST_EFFORT
        print(f"search on with --effort {args.effort + 1}" if further else "not proved even at this effort level")
    print(f"median {middle:.2f} ms, 99 of 100 within {high:.2f} ms, slowest {slowest:.2f} ms")
    return 1 if counts["worse"] else 0


def _compared(
    title: Title, before: State, after: State, action: RunTrains | StateRevenue, bests: tuple[Best, ...]
) -> list[tuple[int, int]]:
    """What was earned and what could have been, for each aim the run may have had."""
    ran = next(fact.revenue for fact in after.facts if isinstance(fact, TrainsRan))
    if isinstance(action, StateRevenue) or title.policy.routes.bests is not best_by_aims:
        return [(ran, bests[0].total if bests else 0)]
    runs = traced(before, action.routes)
    return [
        (measure_turn(title, rules, runs), best.total)
        for rules, best in zip(title.policy.routes.aims(title, before, action.corp), bests, strict=True)
        if meant_for(rules, runs)
    ]
