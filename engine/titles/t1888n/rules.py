"""Running trains, the ends of sets and phases, and the words of 1888-N."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.board.router import Bonus, RunRules, Train
from engine.board.routes import Run, StopRef
from engine.depot import export
from engine.ids import BANK, CorpId, HexId
from engine.state import CLOSED, State
from engine.steps import privates
from engine.steps.run import measure
from engine.titles.t1888n.printed import DESTINATIONS, EXPORTED
from engine.wording import Wording

if TYPE_CHECKING:
    from engine.title import Title


def bonuses(s: State, t: Title, corp: CorpId) -> tuple[Bonus, ...]:
    """What a train adds that calls at the company's home and destination, in whichever city there. 1888-REV-03, -05."""
    goal, amount = DESTINATIONS[corp]
    home = t.corporations[corp].homes[0][0]
    return (Bonus(_stops(s, home), _stops(s, goal), amount),)


def _stops(s: State, hex_id: HexId) -> frozenset[StopRef]:
    return frozenset((hex_id, index) for index in range(len(s.board.face(hex_id).face.stops)))


def run_value(t: Title, s: State, corp: CorpId, run: Run) -> int:
    """The stops of a run and the bonus; the mountain pays the treasury apart. 1888-REV-01, 1888-REV-07"""

    def value(stop: StopRef, train: Train) -> int:
        return t.policy.stop_value(t, s, stop, train.rank)

    return measure(t, RunRules(value, bonuses=bonuses(s, t, corp)), run)


def aims(t: Title, s: State, corp: CorpId) -> tuple[RunRules, ...]:
    """The highest income with the mountain, or the highest revenue without it. 1888-REV-08"""
    added = bonuses(s, t, corp)
    mountain = frozenset(
        (hex_id, index)
        for hex_id in s.board.placed
        for index, stop in enumerate(s.board.face(hex_id).face.stops)
        if stop.subsidy
    )

    def revenue(stop: StopRef, train: Train) -> int:
        return t.policy.stop_value(t, s, stop, train.rank)

    def income(stop: StopRef, train: Train) -> int:
        return revenue(stop, train) + s.board.stop(*stop).subsidy

    with_mountain = RunRules(income, bonuses=added)
    return (with_mountain, RunRules(revenue, closed=mountain, bonuses=added)) if mountain else (with_mountain,)


def export_train(t: Title, s: State) -> None:
    """After each set of operating rounds the next 2, 3 or 4 leaves the game. 1888-TRN-17, 1888-TRN-19"""
    export(t, s, EXPORTED)


def close_privates(t: Title, s: State) -> None:
    """The first 5-train closes all privates. 1888-PRV-04"""
    for private, owner in s.owner.items():
        if owner not in (BANK, CLOSED):
            privates.close(s, private)


WORDING = Wording(
    tasks={"second tile": "lay the tile that joins the first, or be done"},
    passes={"second tile": "No second tile"},
    skips={"second tile": "lays no second tile"},
)
