"""Where the tests of a board keep their game, and in which thread it is played."""

from pathlib import Path
from shutil import copy

import pytest
from one_thread import in_one_thread as in_one_thread


@pytest.fixture
def tmp_path(tmp_path: Path, new_file: Path) -> Path:
    """With an empty database of the present version: to bring one there takes as long as half a short test."""
    copy(new_file, tmp_path / "games.sqlite3")
    return tmp_path
