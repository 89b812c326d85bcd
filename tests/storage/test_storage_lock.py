"""A file has one bot, whatever name the second one knows it by."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from storage import Store, Unavailable, sole_user
from storage.sqlite.backup import copy_to

Start = Callable[..., "subprocess.Popen[str]"]
linux = pytest.mark.skipif(sys.platform != "linux", reason="told in docs/storage.md")


@pytest.fixture
def first(path: Path, start_child: Start) -> subprocess.Popen[str]:
    """Another process that serves the file, which it has made."""
    child = start_child("serves", path)
    assert child.stdout is not None
    assert child.stdout.readline() == "serving\n"
    return child


def refused(path: Path, words: str = "") -> bool:
    with pytest.raises(Unavailable, match=f"Another process{words}.* plays the games"), sole_user(path, 0):
        pass
    return True


def link(path: Path, how: Callable[[Path, Path], None]) -> Path:
    folder = path.parent / "elsewhere"
    folder.mkdir()
    how(path, folder / "other.sqlite")
    return folder / "other.sqlite"


@pytest.mark.long
def test_a_second_process_is_refused_and_told_of_the_first(path: Path, first: subprocess.Popen[str]) -> None:
    assert refused(path, f" .number {first.pid}.")
    first.communicate("")


@pytest.mark.long
def test_a_second_process_is_refused_through_a_symbolic_link(path: Path, first: subprocess.Popen[str]) -> None:
    assert refused(link(path, lambda a, b: b.symlink_to(a)), f" .number {first.pid}.")
    first.communicate("")


@linux
@pytest.mark.long
def test_a_second_process_is_refused_through_a_hard_link(path: Path, first: subprocess.Popen[str]) -> None:
    assert refused(link(path, os.link))
    first.communicate("")


@linux
@pytest.mark.long
def test_a_second_process_is_refused_when_the_lock_beside_the_file_is_gone(
    path: Path, first: subprocess.Popen[str]
) -> None:
    path.with_name(f"{path.name}.lock").unlink()
    assert refused(path)
    first.communicate("")


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.long
def test_the_locks_go_with_the_process(path: Path, first: subprocess.Popen[str], end: signal.Signals) -> None:
    first.send_signal(end)
    first.communicate()
    with sole_user(path, 0):
        pass


@pytest.mark.long
async def test_the_locks_stay_while_the_file_is_opened_and_closed(path: Path, start_child: Start) -> None:
    with sole_user(path, create=True):
        for _ in range(2):
            async with Store.open(path) as store:
                await store.create_game(channel_id=len(await store.games()), host_id=1, title="1889")
                await copy_to(path, path.with_name(f"copy{len(await store.games())}"))
        out, _ = start_child("serves", path, 0).communicate("")
    assert f"number {os.getpid()}" in out


def test_the_lock_of_an_earlier_release_is_taken_over(path: Path) -> None:
    path.with_name(f"{path.name}.lock").write_text("12345")
    with sole_user(path, 0):
        assert refused(path, f" .number {os.getpid()}.")


def test_a_lock_that_cannot_be_had_makes_no_file(path: Path) -> None:
    with sole_user(path, 0):
        assert not path.exists()
