"""Commands that look at positions: the pictures of a game, and the best routes of its runs."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from cli.files import Failure, read
from engine import State, Title, start
from engine import apply as apply_action
from engine.actions import RunTrains, StateRevenue
from engine.facts import TrainsRan
from engine.steps.run import best_of
from engine.views import board_view, market_view, table_view
from records.errors import BadRecord
from records.files import Played, play


def add_commands(commands: Any) -> None:
    render = commands.add_parser("render", help="draw the map, the market and the table of a game file as PNG")
    render.add_argument("file", type=Path)
    render.add_argument("--at", type=int, metavar="N", help="after N actions instead of at the end")
    render.add_argument("--out", type=Path, default=Path(), metavar="FOLDER")
    render.set_defaults(run=_render)

    routes = commands.add_parser("routes", help="compare every run of a game file with the best routes")
    routes.add_argument("file", type=Path)
    routes.set_defaults(run=_routes)


def _played(path: Path) -> Played:
    try:
        return play(read(path))
    except BadRecord as error:
        raise Failure(f"{path}: {error}") from error


def _position(played: Played, after: int | None) -> State:
    if after is None:
        return played.state
    state = start(played.title, played.names)
    for action in played.actions[: max(after, 0)]:
        state = apply_action(played.title, state, action)
    return state


def _render(args: argparse.Namespace) -> int:
    from renderer import map_picture, market_picture, table_picture

    played = _played(args.file)
    title, state = played.title, _position(played, args.at)
    pictures = {
        "map": map_picture(board_view(title, state)),
        "market": market_picture(market_view(title, state)),
        "table": table_picture(table_view(title, state)),
    }
    for name, picture in pictures.items():
        path = args.out / f"{args.file.stem}-{name}.png"
        try:
            args.out.mkdir(parents=True, exist_ok=True)
            path.write_bytes(picture.png)
        except OSError as error:
            raise Failure(f"{path} cannot be written: {error.strerror}") from error
        print(path)
    return 0


def _routes(args: argparse.Namespace) -> int:
    played = _played(args.file)
    title, state = played.title, start(played.title, played.names)
    counts = {"equal": 0, "better": 0, "worse": 0, "stated": 0}
    slowest = 0.0
    for number, action in enumerate(played.actions, start=1):
        before, state = state, apply_action(title, state, action)
        if not isinstance(action, RunTrains | StateRevenue):
            continue
        earned = next(fact.revenue for fact in state.facts if isinstance(fact, TrainsRan))
        milliseconds, best = _timed_best(title, before, action)
        if isinstance(action, StateRevenue):
            verdict = "stated"  # an early record's revenue that no route was checked for
        else:
            verdict = "equal" if best == earned else "better" if best > earned else "worse"
        counts[verdict] += 1
        slowest = max(slowest, milliseconds)
        trains = ",".join(before.trains[action.corp])
        print(f"{number:5} {action.corp:4} {trains:12} ran {earned:4} best {best:4} {milliseconds:8.2f} ms {verdict}")
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()), f"slowest {slowest:.2f} ms")
    return 1 if counts["worse"] else 0


def _timed_best(title: Title, state: State, action: RunTrains | StateRevenue) -> tuple[float, int]:
    began = time.perf_counter()
    best = best_of(title, state, action.corp).total
    return (time.perf_counter() - began) * 1000, best
