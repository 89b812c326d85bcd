"""Where the tests of a board keep their game, and in which thread it is played."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import one_thread
import pytest


@pytest.fixture
def tmp_path(tmp_path: Path, new_file: Path) -> Path:
    """With an empty database of the present version: to bring one there takes as long as half a short test."""
    copy(new_file, tmp_path / "games.sqlite3")
    return tmp_path


@pytest.fixture(autouse=True)
def in_one_thread(request: pytest.FixtureRequest) -> Iterator[None]:
    """Unless the test is about what people do at the same time."""
    with pytest.MonkeyPatch.context() as patched:
        if request.node.get_closest_marker("threads") is None:
            one_thread.use(patched)
        yield
