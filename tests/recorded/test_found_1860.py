"""Records of 1860 that once could not be read: played to their end, written again, and read once more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import worth
from engine.actions import Action
from engine.facts import TrainsRan
from records.export_18xx import export
from records.json_18xx import Header, RecordPlayer, effective, header

FOUND = Path(__file__).parents[2].parent / "shared" / "games" / "found"
pytestmark = pytest.mark.skipif(not FOUND.exists(), reason="no recorded games beside this repository (../shared/games)")


def played(record: dict[str, Any]) -> tuple[Header, RecordPlayer, list[Action]]:
    head = header(record)
    reader = RecordPlayer(head)
    return head, reader, [done for action in effective(record) for done in reader.play(action)]


@pytest.mark.rule("1860-VAR-15", "1860-FLT-04")
@pytest.mark.long
def test_a_company_without_a_home_tile_left() -> None:
    record = json.loads((FOUND / "1860-no-home-tile.json").read_text())
    head, reader, actions = played(record)
    assert {
        str(head.ids[player]): worth(head.title, reader.state, player) for player in reader.state.players
    } == record["result"]
    written = export(head.title, head.names, actions)
    passes = [action for action in written["actions"] if action["type"] == "pass" and action["entity"] == "VYSC"]
    assert passes[0]["entity_type"] == "corporation"
    assert played(written)[1].state.cash == reader.state.cash


@pytest.mark.long
@pytest.mark.rule("1860-VAR-15", "1860-VAR-13")
def test_a_leased_run_of_a_fixed_amount() -> None:
    record = json.loads((FOUND / "1860-simplified-lease.json").read_text())
    head, reader, actions = played(record)
    last = list(effective(record))[-1]
    (ran,) = (fact for fact in reader.state.facts if isinstance(fact, TrainsRan))
    assert (ran.corp, ran.revenue) == (last["entity"], last["routes"][0]["revenue"])
    written = export(head.title, head.names, actions)
    assert written["actions"][-1]["type"] == "run_routes"
    assert written["actions"][-1]["routes"][0]["revenue"] == ran.revenue
    assert played(written)[1].state.cash == reader.state.cash
