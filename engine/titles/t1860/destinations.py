"""Options that watch where trains run: destination bonuses and the income of Yarmouth. {1860-VAR-02a, -05}"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.board.routes import StopRef
from engine.facts import PrivatePays
from engine.ids import CREDITS, CorpId, PrivateId
from engine.money import pay
from engine.state import State
from engine.titles.t1860.companies import home_stop
from engine.titles.t1860.printed import DESTINATIONS
from engine.titles.t1860.ways import ways

if TYPE_CHECKING:
    from engine.title import Title


def pay_bonuses(t: Title, s: State, corp: CorpId, routes: Sequence[set[StopRef]]) -> None:
    """What the title pays for the places that this turn's joined routes reached."""
    visited = set[StopRef]().union(*routes)
    ways(t).places_run(t, s, corp, visited)


def destination_bonus(t: Title, s: State, corp: CorpId, visited: set[StopRef]) -> None:
    """The first run between home and a destination brings its bonus in credits."""
    if home_stop(t, s, corp) not in visited:
        return
    done = list(s.own.get("destinations", ()))
    for hex_id, stop, bonus in DESTINATIONS[corp]:
        key = f"{corp} {hex_id}"
        reached = any(here == hex_id and stop in (-1, index) for here, index in visited)
        if reached and key not in done:
            done.append(key)
            pay(s, CREDITS, corp, bonus, "destination")
    s.own["destinations"] = done


def yarmouth_income(t: Title, s: State, corp: CorpId, visited: set[StopRef]) -> None:
    """Yarmouth pays 5 more once FYN has run from Yarmouth to Newport."""
    private = PrivateId("YHC")
    if corp == "FYN" and private not in s.revenue and {"B4", "G5"} <= {hex_id for hex_id, _ in visited}:
        s.revenue[private] = t.privates[private].revenue + 5
        s.facts.append(PrivatePays(private, s.revenue[private]))
