"""The tests of the wire run on slow and busy machines too."""

from __future__ import annotations

import pytest
from wire_world import World

PATIENT = 20.0
"""Seconds in which to acknowledge, where a test is about something else. Discord gives 3."""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the stand-in wait longer than Discord does; a test of lateness sets its own limit."""
    begin = World.__init__

    def lenient(world: World) -> None:
        begin(world)
        world.ack_seconds = PATIENT

    monkeypatch.setattr(World, "__init__", lenient)
