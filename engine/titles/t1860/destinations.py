"""Options that watch where trains run: destination bonuses and the income of Yarmouth. {1860-VAR-02a, -05}"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.board.routes import StopRef
from engine.facts import PrivatePays
from engine.ids import CREDITS, CorpId, HexId, PrivateId
from engine.money import pay
from engine.state import State
from engine.title import Title
from engine.titles.t1860.companies import home_stop
from engine.titles.t1860.own import own
from engine.titles.t1860.printed import DESTINATIONS

YARMOUTH, NEWPORT = (HexId("B4"), 0), (HexId("G5"), 0)


def destination_bonus(t: Title, s: State, corp: CorpId, routes: Sequence[set[StopRef]]) -> None:
    """The first run between home and a destination, on one route or over joined ones, brings its bonus in credits."""
    visited = set[StopRef]().union(*routes)
    if home_stop(t, s, corp) not in visited:
        return
    done = list(own(s).destinations)
    for hex_id, stop, bonus in DESTINATIONS[corp]:
        key = f"{corp} {hex_id}"
        reached = any(here == hex_id and stop in (-1, index) for here, index in visited)
        if reached and key not in done:
            done.append(key)
            pay(s, CREDITS, corp, bonus, "destination")
    s.own = replace(own(s), destinations=tuple(done))


def yarmouth_income(t: Title, s: State, corp: CorpId, routes: Sequence[set[StopRef]]) -> None:
    """Yarmouth pays 5 more once FYN has run one train from Yarmouth to Newport; Shide is not Newport."""
    private = PrivateId("YHC")
    if corp == "FYN" and private not in s.revenue and any({YARMOUTH, NEWPORT} <= stops for stops in routes):
        s.revenue[private] = t.privates[private].revenue + 5
        s.facts.append(PrivatePays(private, s.revenue[private]))
