"""Time to draw the pictures of 1889 on one core, cold (nothing kept) and warm (a new position, hexes kept).

python -m benchmarks.render
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "renderer"))

import samples

import renderer
from renderer import tiles, tokens

ROUNDS = 15


def forget() -> None:
    for kept in (tiles._OPEN, tiles.DRAWN, tokens._TOKENS):
        kept.clear()


def timed(draw: Callable[[int], renderer.Picture]) -> tuple[float, renderer.Picture]:
    """(milliseconds, picture); the number given to `draw` makes each picture a new one."""
    before = time.perf_counter()
    picture = draw(time.perf_counter_ns())
    return (time.perf_counter() - before) * 1000, picture


def main() -> None:
    middle, (route_board, routes) = samples.middle(), samples.routes()
    market, table = samples.market_crowd(), samples.table()
    choices = [("E2", tile, rotation) for tile in ("448", "611", "15", "206") for rotation in range(6)]
    jobs: dict[str, tuple[Callable[[int], renderer.Picture], float | None]] = {
        "map": (lambda n: renderer.map_picture(replace(middle, round=f"Operating round {n}")), 150),
        "map, crop": (lambda n: renderer.map_picture(replace(middle, round=str(n)), focus=middle.changed), None),
        "map, routes": (lambda n: renderer.map_picture(replace(route_board, round=str(n)), routes=routes), None),
        "market": (lambda n: renderer.market_picture(replace(market, title=str(n))), 60),
        "table": (lambda n: renderer.table_picture(replace(table, round=str(n))), None),
        "tile choices": (lambda n: renderer.tile_choices_picture(replace(middle, phase=str(n)), choices), None),
        "tiles left": (lambda n: renderer.tiles_left_picture(replace(middle, phase=str(n))), None),
    }
    print(f"{'picture':14}{'cold ms':>9}{'warm ms':>9}{'worst':>8}{'KiB':>6}  size")
    for name, (draw, limit) in jobs.items():
        forget()
        cold, picture = timed(draw)
        warm = [timed(draw)[0] for _ in range(ROUNDS)]
        middle_time = statistics.median(warm)
        note = "" if limit is None else f"  wanted under {limit:.0f}: {'yes' if middle_time < limit else 'NO'}"
        size = f"{picture.width} x {picture.height}"
        print(f"{name:14}{cold:9.0f}{middle_time:9.0f}{max(warm):8.0f}{len(picture.png) // 1024:6}  {size}{note}")


if __name__ == "__main__":
    main()
