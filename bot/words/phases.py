"""What a phase brings, in words: "green tiles; companies may buy privates; 2 operating rounds from the next set"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.printed import colour_word
from engine.views import PhaseRow


def brought(rows: Sequence[PhaseRow]) -> dict[str, str]:
    """For each phase but the first, by name, how it differs from the phase before; "" where it does not.

    Trains that rust are left out: they are told where it happens, with their owners.
    """
    return {now.name: "; ".join(_news(before, now)) for before, now in pairwise(rows)}


def _news(before: PhaseRow, now: PhaseRow) -> Iterator[str]:
    colours = [colour for colour in now.colours if colour not in before.colours]
    if colours:
        yield f"{' and '.join(map(colour_word, colours))} tiles"
    if now.train_limit != before.train_limit:
        yield f"train limit {now.train_limit}"
    yield from now.news
    if now.operating_rounds != before.operating_rounds:
        yield f"{now.operating_rounds} operating rounds from the next set"
