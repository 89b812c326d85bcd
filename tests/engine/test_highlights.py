"""Records of a game: what was paid, and how far trains ran."""

from __future__ import annotations

import pytest
from tables import table

import engine
from engine.actions import Dividend, Pass, Route
from engine.facts import TrainsRan
from engine.highlights import largest_dividend, largest_run, longest_route
from engine.ids import POOL, CorpId, PlayerId, Rank


@pytest.mark.rule("1890-DIV-06")
def test_the_largest_dividend_is_what_was_paid_of_a_run() -> None:
    t, s = table("1890", 3).par("JR").shares("JR", p1=4).operating("JR", "dividend").set(income=240).build()
    after = engine.apply(t, s, Dividend(PlayerId("p1"), CorpId("JR"), "pay"))
    found = largest_dividend(t, [s, after])
    assert found is not None
    assert found.amount == 120


def test_the_longest_route_is_the_one_that_is_told_with_most_places() -> None:
    """Two stops in a row in one hex are two places."""
    _, s = table("1860").build()
    near = Route(Rank("6+3"), ("J2.0", "J2.1", "J2.2", "I3.0"))
    far = Route(Rank("6+3"), ("F2.0", "G3.0", "G5.0"))
    s.facts = [TrainsRan(CorpId("C&N"), ((near, 10), (far, 10)), 20)]
    found = longest_route([s])
    assert found is not None
    assert (found.route, found.amount) == (near, 4)


@pytest.mark.rule("1860-RTE-16")
def test_what_runs_by_itself_as_a_round_begins_ran_in_that_round() -> None:
    """“Largest run: £130 by IOW, SR 15.”"""
    railway = table("1860", 2).stock().par("IOW", 74).shares("IOW", p1=1, pool=4).trains("IOW", "2+1")
    t, s = railway.tile("J4", "6", 0).tile("J6", "746", 0).own(layer=1, paid={}).build()
    s.president["IOW"] = POOL
    passed = engine.apply(t, s, Pass(PlayerId("p1")))
    states = [s, passed, engine.apply(t, passed, Pass(PlayerId("p2")))]
    found = [largest_run(states), longest_route(states)]
    assert [one.round for one in found if one is not None] == ["2.1", "2.1"]
