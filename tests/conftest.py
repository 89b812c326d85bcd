"""Lets every test import `tables`, the builder of positions, and gives those who ask a PostgreSQL server."""

import asyncio
import gc
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

from browsing import browser
from postgres_server import PostgresServer, missing

from storage import Store

MEMORY = Path("/dev/shm")
ROOM = 2**31
"""Bytes that the files of tests may need."""
COLLECTED_AFTER = 100_000
"""New objects after which garbage is looked for; Python's 700 is for programs with a tenth of these modules."""
gc.set_threshold(COLLECTED_AFTER)  # here, so that collecting is spared, too


ONE_OF = 12
"""Of the cases of a long test, so many go by for one that is in the first lap. The second has the very first, too."""
WAITING = 0.65
"""How far into a process's part there are tests that wait."""


def keep_files_in_memory() -> None:
    """A database waits for the disk at every write; what a cut of the power leaves is tried without a disk, too."""
    if "TMPDIR" not in os.environ and MEMORY.is_dir() and has_room():
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def has_room() -> bool:
    """Whether files may be kept, and programs run, in memory: PostgreSQL is copied there if need be."""
    return shutil.disk_usage(MEMORY).free >= ROOM and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC


keep_files_in_memory()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process per core, and others for as long as tests on the wire wait, of which the second lap has few."""
    cores, lap = os.cpu_count() or 1, config.option.markexpr
    if lap == "quick":
        return cores
    return cores + 1 if "not broad" in lap else cores * 2


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The first lap does not even read those tests that are not in it for where they stand."""
    return True if config.option.markexpr == "quick" and all_afar(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is in the first lap: `core`, and all that is quickly done and does without a bot and other programs.

    And what waits for the third: more cases of long tests, as which all of a folder count that are with other programs.
    """
    seen = Counter[str | Path]()
    for item in items:
        if item.get_closest_marker("slow"):
            continue
        afar = is_afar(item)
        alike = item.path.parent if afar else item.nodeid.partition("[")[0]
        seen[alike] += 1
        case = seen[alike] % ONE_OF if afar or item.get_closest_marker("long") else 0
        if item.get_closest_marker("core"):
            item.add_marker(pytest.mark.quick)
        elif case > 1:
            item.add_marker(pytest.mark.broad)
        elif not (case or afar or takes(item, "simcord_env") or marked(item, "second", "broad")):
            item.add_marker(pytest.mark.quick)
    spread(items)


def spread(items: list[pytest.Item]) -> None:
    """Tests on the wire wait most of their time: one by one among the others, they cost next to none of it.

    A process begins with a part of all tests, from the first to the last of it; at its end there are none that wait, so
    that all processes end together. Those that take a browser come first and together, so that seldom more than one
    process starts one.
    """
    wire, others = ([item for item in items if all_afar(item.path) == on_the_wire] for on_the_wire in (True, False))
    place = {item: number / len(others) for number, item in enumerate(others)}
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    for number, item in enumerate(wire):
        part, within = divmod(number * processes / len(wire), 1)
        place[item] = (part + WAITING * within) / processes
    place |= {item: -1.0 for item in items if takes(item, "chromium")}
    items.sort(key=place.__getitem__)


def is_afar(item: pytest.Item) -> bool:
    """Whether another program takes part, by way of the network: a stand-in for Discord, a browser, PostgreSQL."""
    engine = item.callspec.params.get("engine") if hasattr(item, "callspec") else None
    return all_afar(item.path) or engine == "postgres" or takes(item, "postgres", "server", "chromium")


def marked(item: pytest.Item, *marks: str) -> bool:
    return any(item.get_closest_marker(mark) for mark in marks)


def takes(item: pytest.Item, *fixtures: str) -> bool:
    return not set(fixtures).isdisjoint(getattr(item, "fixturenames", ()))


def all_afar(path: Path) -> bool:
    """Whether this holds for all tests of a file or folder."""
    return "wire" in (path.name, path.parent.name) or path.name.startswith("test_postgres")


def pytest_collection_finish() -> None:
    """What was imported and collected stays, so that no search for garbage looks through it again."""
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """What is left goes now; pytest and Python would look for garbage several times more as they end."""
    gc.collect()
    gc.freeze()


# The same examples everywhere, and no limits of time: what passes here passes on a slow machine.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A real server, one for each process that runs tests."""
    if why := missing():
        if os.environ.get("POSTGRES") == "required":
            pytest.fail(why)
        pytest.skip(why)
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture
def address(postgres: PostgresServer) -> Iterator[str]:
    """A database of the test's own, without any table."""
    made = postgres.new_database()
    yield made
    postgres.drop(made)


@pytest.fixture(scope="session")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database of the present version, one for each process: copied, since each migration takes its time."""
    path = tmp_path_factory.mktemp("new") / "games.sqlite3"

    async def make() -> None:
        async with Store.open(path):
            pass

    with ThreadPoolExecutor(1) as other:  # this thread's event loop is pytest's
        other.submit(asyncio.run, make()).result()
    return path


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def one_browser() -> AsyncIterator[Any]:
    """One for each process: to start it takes longer than most that is done in it."""
    async with browser() as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def chromium(one_browser: Any) -> AsyncIterator[Any]:
    """A browser without pages. Who takes it is marked `IN_ONE_LOOP`."""
    yield one_browser
    for context in one_browser.contexts:
        await context.close()
