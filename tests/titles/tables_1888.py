"""A railway of 1888-N in its turn, for the tests of that title."""

from __future__ import annotations

from tables import Table, table


def railway(
    corp: str = "JHR",
    step: str = "track",
    *options: str,
    players: int = 3,
    phase: str = "3",
    cash: int = 900,
    held: dict[str, int] | None = None,
) -> Table:
    """The turn of a company at a par of 85, run by p1 with six shares unless `held` says more."""
    found = table("1888", players, *options).phase(phase).par(corp, 85).shares(corp, held or {"p1": 6})
    return found.operating(corp, step).cash(**{corp: cash})
