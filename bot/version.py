"""Which version of the program runs, of which commit, and with which rules."""

import hashlib
import os
import subprocess
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).parents[1]


@cache
def version() -> str:
    """The version: in a checkout that of its project file, since what is installed may be older."""
    project = HERE / "pyproject.toml"
    if project.exists():
        return str(tomllib.loads(project.read_text("utf-8"))["project"]["version"])
    return metadata.version("tetsudo")


@cache
def commit() -> str:
    """The first digits of the commit, with a + where files were changed since; "" where it is not known.

    An image is told when it is built (`TETSUDO_COMMIT`); a checkout is asked.
    """
    if told := os.environ.get("TETSUDO_COMMIT", ""):
        return told[:9]
    if not (HERE / ".git").exists():
        return ""
    ask = ("git", "-C", str(HERE), "describe", "--always", "--exclude=*", "--abbrev=9", "--dirty=+")
    try:
        return subprocess.run(ask, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


@cache
def rules() -> str:
    """What the rules are called here: another name after any change of the engine, whether it matters or not."""
    folder, content = HERE / "engine", hashlib.sha256()
    for place in sorted(folder.rglob("*.py")):
        content.update(f"{place.relative_to(folder).as_posix()}\n".encode() + place.read_bytes())
    return content.hexdigest()[:16]


def full_version() -> str:
    """Both, as in "1.2.0 (3f2a1c9d0)"."""
    return f"{version()} ({commit()})" if commit() else version()
