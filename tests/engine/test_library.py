"""The rules are a library of their own: the examples of docs/engine.md run without the rest of the program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OTHERS = (
    "bot", "cli", "opponents", "playground", "programs", "records", "renderer", "storage",
    "PIL", "aiosqlite", "asyncpg", "discord", "isal", "simcord", "sqlite3",
)  # fmt: skip


@pytest.mark.second
def test_the_examples_of_the_page_run_with_the_engine_alone() -> None:
    ran = _alone(
        "import doctest",
        "failed, tried = doctest.testfile('docs/engine.md', module_relative=False, encoding='utf-8')",
        "sys.exit(failed or tried < 20)",
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_what_the_engine_does_without_cannot_be_imported_there() -> None:
    """Or else the test above shows nothing."""
    ran = _alone("import storage")
    assert "import of storage halted" in ran.stderr


def _alone(*lines: str) -> subprocess.CompletedProcess[str]:
    code = "\n".join((f"import sys; sys.modules.update(dict.fromkeys({OTHERS}))", *lines))
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
