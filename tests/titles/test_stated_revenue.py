"""A revenue that a record states: refused in every title, and carried on where a record is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from tables import Table, allows, refuses, stop, table
from tables_1888 import railway

from engine import apply_unjudged
from engine.actions import Dividend, Route, RunTrains

LAID: dict[str, Callable[[], Table]] = {
    "1889": lambda: table("1889").operating("AR", "run").tile("K8", "57", 1).trains("AR", "2"),
    "1888": lambda: (
        railway("JHR", "run", "online").tile("D10", "6", 2).tile("D12", "58", 1).tile("C13", "6", 0).trains("JHR", "4")
    ),
    "1860": lambda: table("1860").operating("C&N", "run").par("C&N", 74).tile("F2", "787").trains("C&N", "2+1"),
    "1890": lambda: (
        table("1890").operating("Hankyu", "run").tile("E12", "15", 0).tile("E10", "6", 4).trains("Hankyu", "2")
    ),
}
RUNS = {
    "1889": RunTrains("p1", "AR", (Route("2", ("K8.0", 4, "L7.0")),)),
    "1888": RunTrains("p1", "JHR", (Route("4", ("C9.1", 5, "D10.0", 4, "D12.0", 3, "C13.0")),)),
    "1860": RunTrains("p1", "C&N", (Route("2+1", ("F2.0", "F2.1")),)),
    "1890": RunTrains("p1", "Hankyu", (Route("2", (stop("E12"), 1, stop("E10"))),)),
}


@pytest.mark.rule("1889-REV-01", "1888-REV-01", "1860-REV-01", "1890-REV-01")
@pytest.mark.parametrize("title", RUNS)
def test_a_run_earns_what_its_routes_are_worth_and_a_stated_revenue_only_in_records(title: str) -> None:
    run = RUNS[title]
    t, s = LAID[title]().build()
    own = allows(t, s, run)
    for revenue in (own.last_run[run.corp], 130):
        refuses(t, s, replace(run, stated=revenue), f"{title}-REV-01")
    after = apply_unjudged(t, s, replace(run, stated=130))
    assert after.last_run[run.corp] == after.income == 130
    assert after.routes == own.routes
    assert allows(t, after, Dividend("p1", run.corp, "withhold")).cash[run.corp] == s.cash[run.corp] + 130
