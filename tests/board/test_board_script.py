"""The script of the page: small, and typed where a type checker for JavaScript is at hand."""

from __future__ import annotations

import shutil
import subprocess
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from board.assets import ASSETS

STATIC = Path(__file__).parents[2] / "board" / "static"
MOST_BYTES = 80_000
STRICT = (
    *("--allowJs", "--checkJs", "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "es2022"),
    *("--lib", "es2022,dom,dom.iterable"),
)


def test_all_that_a_page_loads_is_small() -> None:
    assert sum(map(len, ASSETS.packed.values())) < MOST_BYTES


def test_its_modules_are_short_import_one_way_and_are_all_known_to_the_page_at_once() -> None:
    imports = {name: ASSETS.imports(name) for name in ASSETS.files if name.endswith(".js")}
    modules = list(TopologicalSorter(imports).static_order())  # which refuses a circle
    assert max(ASSETS.files[name].count(b"\n") for name in modules) < 400
    assert {further for name in imports["board.js"] for further in imports[name]} <= set(imports["board.js"])


@pytest.mark.long
@pytest.mark.skipif(
    shutil.which("tsc") is None, reason="no TypeScript on this machine (npm install --global typescript)"
)
def test_the_script_has_right_types() -> None:
    checked = subprocess.run(
        ["tsc", *STRICT, *map(str, STATIC.glob("*.js"))], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
