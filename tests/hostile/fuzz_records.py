"""Game files that nobody should import: valid records that were damaged, and garbage of every size.

python tests/hostile/fuzz_records.py 10000 [SEED]
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent.parent.parent)]

# ruff: noqa: E402 (the folder above must be known first)

from bot.core.errors import TableError
from bot.rooms.seats.game_files import replay
from engine import TITLES, BadAction, build, start
from engine.flow import apply
from records import native
from records.errors import BadRecord
from records.export_18xx import export
from records.files import LARGEST
from records.simulate import steps

SECONDS = 10.0
"""The longest that one file may take."""
ACTIONS = 60
NAMES = ("Ann", "Ben", "Cho")
WRONG: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, 10**18, -(10**300), "", "x", "x" * 5000, "\u202e"),
    *([], {}, [[]], {"a": {}}, [None], "p1", "1889"),
)


@dataclass
class Report:
    tried: int = 0
    imported: int = 0
    slowest: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)


def valid(seed: int) -> list[dict[str, Any]]:
    """Records of the openings of random games, in both forms where both exist."""
    found: list[dict[str, Any]] = []
    for title_id, recipe in TITLES.items():
        title = build(title_id, max(recipe.players[0], 3))
        names = NAMES[: title.players] + ("Dan", "Eve")[: max(0, title.players - 3)]
        actions, state = [], start(title, names)
        for action, _ in steps(title, names, seed):
            actions.append(action)
            state = apply(title, state, action)
            if len(actions) == ACTIONS:
                break
        found.append(native.written(title, actions, state))
        try:
            found.append(export(title, names, actions))
        except (BadRecord, BadAction):
            continue
    return found


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) of a JSON value."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in list(items):
        yield node, key
        yield from places(value)


def damaged(record: dict[str, Any], chance: random.Random) -> bytes:
    """The file of a record with something wrong in it, now and then in its bytes."""
    body = deepcopy(record)
    for _ in range(chance.choice((1, 1, 2, 5))):
        found = list(places(body))
        if not found:
            break
        where, key = chance.choice(found)
        kind = chance.random()
        if kind < 0.5:
            where[key] = deepcopy(chance.choice(WRONG))
        elif kind < 0.7:
            del where[key]
        elif kind < 0.85:
            other, name = chance.choice(found)
            where[key] = deepcopy(other[name]) if other is not where and size(other[name]) < 2000 else None
        elif isinstance(where, list):
            where.insert(chance.randrange(len(where) + 1), deepcopy(where[key]))
    data = bytearray(json.dumps(body, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass"))
    if chance.random() < 0.15:
        for _ in range(chance.choice((1, 3, 50))):
            data[chance.randrange(len(data))] = chance.randrange(256)
    if chance.random() < 0.05:
        del data[chance.randrange(len(data)) :]
    return bytes(data)


def size(node: Any) -> int:
    return sum(1 for _ in places(node))


def garbage() -> Iterator[bytes]:
    """Large and odd files, one at a time."""
    yield b"\0" * LARGEST
    yield b"[" * LARGEST
    yield b'{"a":' * (LARGEST // 5)
    yield b'{"title":"1889","players":[' + b"{}," * (LARGEST // 3 - 20) + b"{}]}"
    yield b'{"title":"1889","actions":' + b"9" * 1_000_000 + b"}"
    yield b'{"title":"1889","players":' + b"1e999999}"
    yield b'{"title":"1889","players":"' + b"x" * (LARGEST - 40) + b'"}'
    yield json.dumps({"title": "1889"}).encode("utf-16")
    yield json.dumps({"title": "1889"}).encode("utf-32")
    yield "\ufeff{}".encode()
    yield b'{"tetsudo": 1, "title": "1889", "log": ' + b"[" * 900 + b"]" * 900 + b"}"
    yield b"x" * 100_000_000
    players = [{"id": number, "name": name} for number, name in enumerate(NAMES)]
    many = [{"type": "pass", "id": 1}] * 40_000 + [{"type": "undo", "action_id": 9}] * 40_000
    yield json.dumps({"title": "1889", "players": players, "actions": many}).encode()
    rows = [{"kind": "action", "action": {"do": "Pass", "by": "p1"}}] * 20_000 + [
        {"kind": "undo", "target": 1}
    ] * 40_000
    yield json.dumps({**valid(1)[0], "log": rows}).encode()


def attempt(data: bytes, report: Report) -> None:
    """Import the file. Raises whatever is not a clear refusal, and AssertionError where it takes too long."""
    began = time.thread_time()
    report.tried += 1
    try:
        replay(data)
    except TableError as error:
        if not 20 < len(str(error)) < 3000:
            raise AssertionError(str(error)[:300]) from error
        report.reasons[str(error)[:60]] += 1
    else:
        report.imported += 1
    spent = time.thread_time() - began
    report.slowest = max(report.slowest, spent)
    assert spent < SECONDS, data[:300]


def run(count: int, seed: int) -> Report:
    chance, report = random.Random(seed), Report()
    records = [one for number in range(3) for one in valid(seed + number)]
    while report.tried < count:
        data = damaged(chance.choice(records), chance)
        try:
            attempt(data, report)
        except Exception as error:
            Path("/tmp/tetsudo-bad-record.json").write_bytes(data)
            raise AssertionError(f"file {report.tried} of seed {seed}: {error!r}") from error
    return report


if __name__ == "__main__":
    limit = 1_500_000_000
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    began = time.monotonic()
    done = run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1889)
    for one in garbage():
        attempt(one, done)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{done.tried:,} files in {time.monotonic() - began:.0f} s: {done.imported:,} could be imported,")
    print(f"the slowest took {done.slowest:.1f} s, at most {most} MB of memory; {len(done.reasons)} different reasons")
