"""The directions in docs/architecture.md, read off the imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

pytestmark = pytest.mark.second
ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "opponents", "programs", "records", "renderer", "storage", "bot", "board", "playground", "cli")
MAY_IMPORT = {
    "engine": set(),
    "opponents": {"engine"},
    "programs": {"engine"},
    "records": {"engine"},
    "renderer": {"engine"},
    "storage": set(),
    "bot": {"engine", "opponents", "programs", "records", "renderer", "storage"},
    "board": {"bot", "engine", "renderer", "storage"},
    "playground": {"board", "bot", "engine", "opponents", "records", "renderer", "storage"},
    "cli": set(PACKAGES),
}
RENDERER_SEES = {
    "engine.views", "engine.ids", "engine.printed", "engine.board.hexes", "engine.board.tiles",
    "engine.board.tile_list",
}  # fmt: skip
IMPURE = {
    "asyncio", "concurrent", "datetime", "glob", "io", "locale", "logging", "multiprocessing", "os", "pathlib",
    "pickle", "random", "secrets", "shelve", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading",
    "time", "urllib", "uuid",
}  # fmt: skip
"""Files, clocks, chance, threads and networks: none of the rules' business."""


HOUSE = (ROOT / "bot" / "house.py").read_text("utf-8")
ROOMS = HOUSE.partition("\nROOMS = (\n    GROUPS,")[2].partition("\n)")[0].lower().replace(",", "").split()
"""The bot's rooms, as the house lists them: each may use those before it."""
LAYERS = ("bot.words", "bot.core", "bot.chat", *(f"bot.rooms.{room}" for room in ROOMS), "bot.house")
"""What a module of the bot uses is its own or comes before."""


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    """What a module says; most are looked at by several tests."""
    return ast.parse(path.read_text("utf-8"))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements, in functions and branches too, without their expressions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            yield node
            yield from statements(node)


@cache
def imports(path: Path) -> set[str]:
    """Full names of the modules that a file imports, in functions and for type checking too."""
    found: set[str] = set()
    for node in statements(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module
            for alias in node.names:
                submodule = _is_module(node.module, alias.name)
                found.add(f"{node.module}.{alias.name}" if submodule else node.module)
    return found


def _is_module(package: str, name: str) -> bool:
    place = ROOT.joinpath(*package.split("."), name)
    return place.is_dir() or place.with_suffix(".py").exists()


def _name(path: Path) -> str:
    """The module's full name; that of a package for its `__init__`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def top(name: str) -> str:
    return name.partition(".")[0]


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_in_one_direction(package: str) -> None:
    for path in modules(package):
        ours = {top(name) for name in imports(path)} & set(PACKAGES) - {package}
        assert ours <= MAY_IMPORT[package], f"{path.relative_to(ROOT)} imports {sorted(ours - MAY_IMPORT[package])}"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_leads_back_to_itself(package: str) -> None:
    """Not by what is imported for the type checker or in functions either."""
    graph = {_name(path): imports(path) for path in modules(package)}
    within = {name: {other for other in used if other in graph} - {name} for name, used in graph.items()}
    try:
        TopologicalSorter(within).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def layer(name: str) -> int | None:
    """Where a module of the bot stands; None for those of the program itself, as `bot.settings`."""
    return next((i for i, one in enumerate(LAYERS) if name == one or name.startswith(f"{one}.")), None)


@pytest.mark.parametrize("room", LAYERS)
def test_no_room_of_the_bot_uses_a_later_one(room: str) -> None:
    for path in modules("bot"):
        if layer(_name(path)) != LAYERS.index(room):
            continue
        later = {name for name in imports(path) if (layer(name) or 0) > LAYERS.index(room)}
        assert not later, f"{path.relative_to(ROOT)} imports {sorted(later)}"


def test_every_room_has_its_place_in_the_order() -> None:
    assert sorted(ROOMS) == sorted(one.name for one in (ROOT / "bot" / "rooms").iterdir() if (one / "room.py").exists())


def test_the_engine_is_the_standard_library_alone_and_pure() -> None:
    for path in modules("engine"):
        tops = {top(name) for name in imports(path)} - {"engine"}
        assert tops <= sys.stdlib_module_names, f"{path.relative_to(ROOT)} imports {tops - sys.stdlib_module_names}"
        assert not tops & IMPURE, f"{path.relative_to(ROOT)} imports {tops & IMPURE}"


def test_opponents_are_pure_but_for_seeded_chance() -> None:
    for path in modules("opponents"):
        tops = {top(name) for name in imports(path)} - {"engine", "opponents"}
        assert tops <= sys.stdlib_module_names, f"{path.relative_to(ROOT)} imports {tops - sys.stdlib_module_names}"
        assert not tops & (IMPURE - {"random"}), f"{path.relative_to(ROOT)} imports {tops & IMPURE}"


def test_opponents_know_no_title() -> None:
    """What a title says of itself is read from its data."""
    for path in modules("opponents"):
        assert not {name for name in imports(path) if name.startswith("engine.titles")}, path.relative_to(ROOT)


def test_the_engine_neither_prints_nor_opens() -> None:
    for path in modules("engine"):
        called = {
            node.func.id
            for node in ast.walk(parsed(path))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"print", "open", "input", "eval", "exec", "hash", "id"}, path.relative_to(ROOT)


def test_the_renderer_sees_views_and_printed_things_alone() -> None:
    for path in modules("renderer"):
        engine = {name for name in imports(path) if top(name) == "engine"}
        packages = {"engine", "engine.board"}
        assert engine <= RENDERER_SEES | packages, f"{path.relative_to(ROOT)}: {sorted(engine - RENDERER_SEES)}"


def test_steps_know_nothing_of_rounds() -> None:
    """What may be done in a turn stands in `steps`; the order of play in `rounds`, which use it."""
    for path in modules("engine/steps"):
        assert not [name for name in imports(path) if name.startswith("engine.rounds")], path.name


@pytest.mark.parametrize("package", ["engine", "opponents", "programs", "renderer", "storage", "cli"])
def test_shared_code_names_no_title(package: str) -> None:
    """Titles are known to `engine/titles/` alone; elsewhere their ids appear in no code, comments and docstrings apart.

    Records know what 18xx.games does otherwise in a title, and the bot's help what is special in it.
    """
    titles = {
        path.name.removeprefix("t") for path in (ROOT / "engine" / "titles").iterdir() if path.name.startswith("t1")
    }
    for path in modules(package):
        if "titles" in path.relative_to(ROOT / package).parts:
            continue
        tree = parsed(path)
        assert not {name for name in imports(path) if name.startswith("engine.titles.")}, path.relative_to(ROOT)
        documents = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
                assert not any(title in node.value for title in titles), f"{path.name}: {node.value!r}"


def test_nobody_asks_a_title_for_its_id_or_options_in_the_rules() -> None:
    for path in modules("engine"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Compare):
                text = ast.unparse(node)
                assert "t.id" not in text.split(), f"{path.name}: {text}"
                assert "t.options" not in text, f"{path.name}: {text}"


def test_the_bot_asks_its_stores_clock_alone_what_time_it_is() -> None:
    """So that tests run weeks in seconds. What `connection` shares with other programs is this machine's time."""
    asks = {
        str(path.relative_to(ROOT))
        for package in ("bot", "storage")
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("time.time", "datetime.now", "datetime.utcnow")
    }
    assert asks == {"storage/store.py", "bot/chat/connection.py"}
