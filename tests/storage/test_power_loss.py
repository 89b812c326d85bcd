"""A power cut leaves every move that was told, however the disk reorders and tears what was not yet flushed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from power_loss import Deed, losses, record

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("gcc") is None, reason="records below SQLite with gcc on Linux"
)
CUTS = 25


@pytest.fixture(scope="module")
def deeds(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Deed]:
    return record(tmp_path_factory.mktemp("power"), 40)


@pytest.mark.broad
async def test_a_power_cut_loses_nothing_that_was_told(deeds: Sequence[Deed], tmp_path: Path) -> None:
    written = {(deed.path, deed.kind) for deed in deeds}
    assert {("games.sqlite", "w"), ("games.sqlite-wal", "w"), ("games.sqlite-wal", "s"), ("told", "a")} <= written
    assert await losses(deeds, CUTS, tmp_path) == []


@pytest.mark.broad
async def test_without_flushing_a_power_cut_loses_moves(deeds: Sequence[Deed], tmp_path: Path) -> None:
    """So the cuts are hard enough to notice."""
    assert await losses(deeds, CUTS, tmp_path, flushes=False) != []
