"""A release is prepared whole, or nothing is changed."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

RELEASE = Path(__file__).parents[2] / ".ci" / "release"
CHANGES = """# Changelog

## [Unreleased]

### Added

- A thing.

## [1.1.0] - 2025-01-01

- Older.
"""
FILES = {
    "pyproject.toml": '[project]\nname = "tetsudo"\nversion = "1.1.0"\ndependencies = ["x>=1.1.0"]\n',
    "CHANGELOG.md": CHANGES,
    "deploy/kubernetes.yaml": "          image: tetsudo:1.1.0\n",
    "tests/changed_rules/corpus.py": "open('tests/changed_rules/made', 'w').write(open('pyproject.toml').read())\n",
}


def git(folder: Path, *words: str) -> str:
    return subprocess.run(("git", *words), cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ann@example.org")
    for name, text in FILES.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "--message", "begin")
    return tmp_path


def release(tree: Path, version: str) -> tuple[int, str]:
    env = os.environ | {"PYTHON": sys.executable}
    done = subprocess.run(
        (sys.executable, RELEASE, version, "--unchecked"), cwd=tree, env=env, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.long
def test_a_release_dates_the_changes_and_is_tagged_with_them(tree: Path) -> None:
    assert release(tree, "1.2.0")[0] == 0
    changes = (tree / "CHANGELOG.md").read_text()
    assert f"## [Unreleased]\n\n## [1.2.0] - {datetime.now(UTC):%Y-%m-%d}\n\n### Added" in changes
    project = (tree / "pyproject.toml").read_text()
    assert 'version = "1.2.0"' in project
    assert '"x>=1.1.0"' in project
    assert "image: tetsudo:1.2.0" in (tree / "deploy" / "kubernetes.yaml").read_text()
    assert (tree / "tests" / "changed_rules" / "made").read_text() == project, "games are of the new version"
    assert git(tree, "status", "--porcelain") == ""
    told = git(tree, "tag", "--list", "-n9", "v1.2.0")
    assert "Tetsudo 1.2.0" in told
    assert "- A thing." in told
    assert "Older" not in told
    assert git(tree, "rev-parse", "v1.2.0^{commit}") == git(tree, "rev-parse", "HEAD")


@pytest.mark.long
@pytest.mark.parametrize(
    ("version", "why"),
    [("1.1.0", "not newer than 1.1.0"), ("1.0.9", "not newer"), ("v2", "no version"), ("2.0", "no version")],
)
def test_a_version_that_is_not_newer_is_refused(tree: Path, version: str, why: str) -> None:
    code, said = release(tree, version)
    assert (code, why in said) == (1, True)
    assert git(tree, "status", "--porcelain") == ""


@pytest.mark.second
def test_a_tree_with_changes_is_refused(tree: Path) -> None:
    (tree / "notes.txt").write_text("x")
    code, said = release(tree, "1.2.0")
    assert (code, "not committed" in said) == (1, True)


@pytest.mark.long
def test_nothing_to_tell_is_no_release(tree: Path) -> None:
    assert release(tree, "1.2.0")[0] == 0
    code, said = release(tree, "1.3.0")
    assert (code, "Nothing stands under Unreleased" in said) == (1, True)
    assert git(tree, "status", "--porcelain") == ""


@pytest.mark.long
def test_a_release_whose_games_cannot_be_made_leaves_nothing(tree: Path) -> None:
    (tree / "tests" / "changed_rules" / "corpus.py").write_text("raise SystemExit(1)\n")
    git(tree, "commit", "--all", "--quiet", "--message", "break")
    assert release(tree, "1.2.0")[0] != 0
    assert git(tree, "status", "--porcelain") == git(tree, "tag") == ""
