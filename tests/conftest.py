"""Lets every test import `tables`, the builder of positions, and gives those who ask a PostgreSQL server."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

from postgres_server import PostgresServer, missing

# The same examples everywhere, and no limits of time: what passes here passes on a slow machine.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A real server, one for each process that runs tests."""
    if why := missing():
        if os.environ.get("POSTGRES") == "required":
            pytest.fail(why)
        pytest.skip(why)
    server = PostgresServer()
    yield server
    server.remove()
