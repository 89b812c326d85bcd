"""Games among learners without options, each played once, as far as somebody looks, and kept.

Who has learners think otherwise looks before that.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from cli.matches import moves
from engine import State, Title, build

titled = cache(build)


class _Game:
    """A game that is played on as far as somebody looks."""

    def __init__(self, title: Title, seed: int) -> None:
        self._rest, self._played = moves(title, ("learner",) * title.players, seed), list[State]()

    def positions(self) -> Iterator[State]:
        number = 0
        while True:
            if number == len(self._played):
                move = next(self._rest, None)
                if move is None:
                    return
                self._played.append(move[1])
            yield self._played[number].copy()
            number += 1


@cache
def _kept(title_id: str, players: int, seed: int) -> _Game:
    return _Game(titled(title_id, players), seed)


def learners(title: Title, seed: int = 2) -> Iterator[State]:
    """The positions after each move of a game of this title, which `titled` made; they may be changed."""
    assert title is titled(title.id, title.players)
    return _kept(title.id, title.players, seed).positions()
