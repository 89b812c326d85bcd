"""Windows and macOS: nothing in the program needs what only other systems have."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.settings import SettingsError, read_file

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "records", "renderer", "storage", "bot", "playground", "cli")
ONLY_POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}
ONLY_POSIX_NAMES = {
    "os": {
        "O_CLOEXEC", "O_DIRECTORY", "O_NONBLOCK", "O_NOFOLLOW", "O_SYNC", "chown", "fchdir", "fchmod", "fchown",
        "fork", "getegid", "geteuid", "getgid", "getloadavg", "getpgid", "getuid", "initgroups", "killpg", "lchown",
        "lockf", "mkfifo", "mknod", "nice", "pathconf", "pread", "pwrite", "sched_getaffinity", "sched_setaffinity",
        "setsid", "setuid", "statvfs", "sync", "sysconf", "uname", "wait", "waitid",
    },
    "signal": {
        "SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGUSR1", "SIGUSR2",
        "alarm", "pause", "pthread_sigmask", "setitimer", "sigwait",
    },
    "time": {"clock_settime", "pthread_getcpuclockid", "tzset"},
}  # fmt: skip
"""What the standard library lacks on Windows."""


def used(node: ast.AST) -> Iterator[str]:
    """What a program names of other systems, apart from where it asks for the platform first."""
    if isinstance(node, ast.If) and "sys.platform" in ast.unparse(node.test):
        for other in node.orelse:
            yield from used(other)
        return
    if isinstance(node, ast.Import):
        yield from (one.name for one in node.names if one.name in ONLY_POSIX)
    if isinstance(node, ast.ImportFrom) and node.module:
        yield from [node.module] if node.module in ONLY_POSIX else []
        yield from (one.name for one in node.names if one.name in ONLY_POSIX_NAMES.get(node.module, ()))
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield from [node.attr] if node.attr in ONLY_POSIX_NAMES.get(node.value.id, ()) else []
    for child in ast.iter_child_nodes(node):
        yield from used(child)


@pytest.mark.broad
def test_no_module_names_what_other_systems_lack() -> None:
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    assert len(files) > 200
    suspects = re.compile(rf"\b({'|'.join(ONLY_POSIX.union(*ONLY_POSIX_NAMES.values()))})\b")
    texts = {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in files}
    found = {name: list(used(ast.parse(text))) for name, text in texts.items() if suspects.search(text)}
    assert "storage/sqlite/lock.py" in found  # it asks for the platform first
    assert {name: names for name, names in found.items() if names} == {}


def test_the_search_finds_what_it_looks_for() -> None:
    program = "import sys, fcntl\nfrom os import fork\nif sys.platform == 'linux':\n  import pwd\nelse:\n  os.getuid()"
    assert list(used(ast.parse(program))) == ["fcntl", "fork", "getuid"]


@pytest.mark.broad
@pytest.mark.parametrize(
    "part",
    [
        pytest.param("program", id="bot and backups", marks=pytest.mark.long),
        pytest.param("playground", id="the playground", marks=pytest.mark.slow),
    ],
)
def test_what_windows_lacks_is_not_needed(part: str) -> None:
    """No text is read or written in the system's own encoding either, which is not UTF-8 there."""
    command = [sys.executable, "-X", "warn_default_encoding", str(Path(__file__).with_name("without_posix.py")), part]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert "well" in done.stdout


def test_settings_are_read_from_a_file_as_people_write_it(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    assert read_file(file) == {}
    lines = ["# mine", "DISCORD_TOKEN=a.b.c", "", r'export TETSUDO_DB="C:\games x.sqlite3"', "TETSUDO_WORKERS = 3"]
    file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    settings = {"DISCORD_TOKEN": "a.b.c", "TETSUDO_DB": r"C:\games x.sqlite3", "TETSUDO_WORKERS": "3"}
    assert read_file(file) == settings


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("DISCORD_TOKEN=ä".encode("utf-16"), "is not UTF-8 text"),
        (b"A=1\nsecret.token.alone\n", "Line 2 of .* is not NAME=value"),
    ],
)
def test_a_file_of_settings_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / ".env"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=words) as refused:
        read_file(file)
    assert "secret" not in str(refused.value)
