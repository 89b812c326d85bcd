"""The audit of what is installed says what it knows, and no more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

AUDIT = Path(__file__).parents[2] / ".ci" / "audit"
WHOLE = {"name": "whole", "version": "1", "vulns": []}
HOLED = {"name": "holed", "version": "2", "vulns": [{"id": "CVE-1"}]}
UNKNOWN = {"name": "unknown", "skip_reason": "not found"}


def audit(folder: Path, said: str | None) -> subprocess.CompletedProcess[str]:
    """Run the audit with a pip-audit that says this, or without one."""
    if said is not None:
        (folder / "said").write_text(said)
        (folder / "pip-audit").write_text(f"#!/bin/sh\ncat {folder}/said\n")
        (folder / "pip-audit").chmod(0o755)
    path = f"{folder}:/usr/bin:/bin" if said is not None else str(folder)
    return subprocess.run(
        [sys.executable, AUDIT, "x"], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("dependencies", "code", "words"),
    [
        ([WHOLE], 0, "1 packages, no known holes"),
        ([WHOLE, HOLED, UNKNOWN], 1, "holed 2: CVE-1"),
        ([WHOLE, UNKNOWN], 3, "NOT AUDITED: 1 of 2"),
        ([UNKNOWN], 3, "NOT AUDITED: 1 of 1"),
        ([], 3, "NOT AUDITED: 0 of 0"),
        ([WHOLE, {"name": "tetsudo", "skip_reason": "ours"}], 0, "1 packages"),
    ],
)
def test_only_a_whole_audit_passes(tmp_path: Path, dependencies: list[Any], code: int, words: str) -> None:
    done = audit(tmp_path, json.dumps({"dependencies": dependencies, "fixes": []}))
    assert done.returncode == code
    assert words in done.stdout + done.stderr


@pytest.mark.parametrize("said", [None, "", "no network"])
def test_an_audit_that_could_not_be_made_says_so(tmp_path: Path, said: str | None) -> None:
    done = audit(tmp_path, said)
    assert done.returncode == 3
    assert "NOT AUDITED" in done.stderr
