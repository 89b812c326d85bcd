"""What companies would run for if they ran now: the best routes of their trains, as far as they are found soon."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.ids import CorpId
from engine.state import State
from engine.steps.run import bests_of
from engine.title import Title

SECONDS = 1.5
"""After which no further company is looked at."""


@dataclass(frozen=True, slots=True)
class CouldRun:
    """The revenue of a company's best routes; at least that where it is not proved best."""

    revenue: int
    proved: bool


Runs = Mapping[CorpId, CouldRun]


def could_run(
    title: Title, states: Sequence[State], first: Iterable[CorpId] = (), seconds: float | None = None
) -> list[Runs]:
    """For each position what companies with trains could run for in it, those named in `first` before the others.

    A company is in all the answers or in none: none if the time was up before, or in positions where it has no train.
    """
    until = time.monotonic() + (SECONDS if seconds is None else seconds)
    found: list[dict[CorpId, CouldRun]] = [{} for _ in states]
    for corp in dict.fromkeys((*first, *title.corporations)):
        if time.monotonic() >= until:
            break
        for state, runs in zip(states, found, strict=True):
            best = _best(title, state, corp)
            if best is not None:
                runs[corp] = best
    return list(found)


def _best(title: Title, state: State, corp: CorpId) -> CouldRun | None:
    """The highest revenue among what the router finds; None for a company without a train, owned or leased."""
    if corp not in state.floated:
        return None
    top = max(bests_of(title, state, corp), key=lambda one: one.total, default=None)
    if top is not None and top.total:
        return CouldRun(top.total, top.proved)
    return CouldRun(0, True) if state.trains[corp] else None
