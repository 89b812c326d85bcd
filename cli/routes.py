"""`tetsudo routes`: every run of a record beside the best one, and the best runs of a stored position."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from cli import brute, brute_linked, positions
from cli.files import Failure, read
from engine import Refused, State, Title, start
from engine import apply as apply_action
from engine.actions import RunTrains, StateRevenue
from engine.board.router import Best
from engine.facts import TrainsRan
from engine.policy import ask_router
from engine.steps.run import bests_of
from records.errors import BadRecord
from records.files import play


def add_commands(commands: Any) -> None:
    routes = commands.add_parser("routes", help="compare every run of a game file with the best routes")
    routes.add_argument("file", type=Path)
    routes.add_argument("--board", action="store_true", help="the file is a stored position: print its best routes")
    routes.add_argument("--verify", action="store_true", help="with --board: compare with trying everything")
    routes.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    return _position(args.file, verify=args.verify) if args.board else _record(args.file)


def _record(path: Path) -> int:
    try:
        played = play(read(path))
    except BadRecord as error:
        raise Failure(f"{path}: {error}") from error
    title, state = played.title, start(played.title, played.names)
    counts = {"equal": 0, "better": 0, "worse": 0, "stated": 0, "not proved": 0}
    times: list[float] = []
    for number, action in enumerate(played.actions, start=1):
        before, state = state, apply_action(title, state, action)
        if not isinstance(action, RunTrains | StateRevenue):
            continue
        earned = _earned(state)
        began = time.perf_counter()
        bests = bests_of(title, before, action.corp)
        times.append((time.perf_counter() - began) * 1000)
        offered = [_revenue(title, before, action, best) for best in bests] or [0]
        if isinstance(action, StateRevenue):
            verdict = "stated"  # an early record's revenue that no route was checked for
        else:
            verdict = "equal" if earned in offered else "better" if max(offered) > earned else "worse"
        counts[verdict] += 1
        counts["not proved"] += not all(best.proved for best in bests)
        trains = ",".join(train.rank for train in title.policy.runners(title, before, action.corp))
        text = (
            f"{number:5} {action.corp:5} {trains:12} ran {earned:4} best {max(offered):4} {times[-1]:8.2f} ms {verdict}"
        )
        print(text)
    times.sort()
    middle, high = (times[len(times) * part // 100] if times else 0.0 for part in (50, 99))
    slowest = times[-1] if times else 0.0
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    print(f"median {middle:.2f} ms, 99 of 100 within {high:.2f} ms, slowest {slowest:.2f} ms")
    return 1 if counts["worse"] else 0


def _earned(state: State) -> int:
    return next(fact.revenue for fact in state.facts if isinstance(fact, TrainsRan))


def _revenue(title: Title, before: State, action: RunTrains | StateRevenue, best: Best) -> int:
    """What running the proposed routes pays."""
    if not best.routes or isinstance(action, StateRevenue):
        return best.total
    try:
        return _earned(apply_action(title, before, RunTrains(action.by, action.corp, best.routes)))
    except Refused as refused:
        raise Failure(f"the best routes are refused: {refused}") from refused


def _position(path: Path, *, verify: bool) -> int:
    wrong = 0
    try:
        for asked in positions.questions(positions.read(path)):
            began = time.perf_counter()
            bests = bests_of(asked.title, asked.state, asked.corp)
            took = (time.perf_counter() - began) * 1000
            print(f"{asked.corp} with {', '.join(asked.ranks)}: {took:.1f} ms")
            for best in bests:
                print(f"  {_told(asked.title, best)}")
                for route in best.routes:
                    print(f"    {route.train}: {' '.join(str(part) for part in route.path)}")
            if verify:
                text = _verified(asked)
                wrong += text.startswith("different")
                print(f"  {text}")
    except positions.BadPosition as error:
        raise Failure(f"{path}: {error}") from error
    return 1 if wrong else 0


def _told(title: Title, best: Best) -> str:
    more = f" and {best.subsidy} of subsidy" if best.subsidy else ""
    known = "proved best" if best.proved else f"not proved, {title.money(best.bound)} at most"
    return f"{title.money(best.total)}{more}, {known}, {best.work} steps"


def _verified(asked: positions.Asked) -> str:
    """What trying everything says to the router's answers."""
    t, s, corp = asked.title, asked.state, asked.corp
    trains, wanted = t.policy.runners(t, s, corp), list[tuple[int, int]]()
    try:
        for rules in t.policy.aims(t, s, corp):
            wanted += brute_linked.pairs(s.board, corp, trains, rules)
            if rules.subsidy is None:
                wanted[-1] = wanted[-1][0], 0
    except brute.TooMany:
        return "not verified: there are too many routes to try everything"
    got = [(best.total, best.subsidy) for best in ask_router(t, s, corp)]
    return "verified by trying everything" if got == wanted else f"different from trying everything: {wanted}"
