"""What was played at a table so far, and how it is told."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

import engine
from bot.core.position import Position
from bot.core.seated import Seated
from bot.core.telling import ToldBefore, tell
from bot.core.turns import Move
from bot.core.work import Work
from bot.words.lexicon import Lexicon
from bot.words.names import clean_name
from bot.words.narration import gathered
from engine.state import State
from engine.title import Title
from storage import Game, Seat


class Played(Seated):
    """The moves in force, and the position after them."""

    def __init__(self, game: Game, seats: Sequence[Seat], work: Work) -> None:
        super().__init__(game, seats)
        self.work = work
        self.title: Title = engine.build(game.title, len(self.seats), json.loads(game.options or "[]"))
        self.past: list[ToldBefore] = []
        """What was played before the rules last changed under the game; `beginning` is the position after it."""
        self.moves: list[Move] = []
        self.beginning: State = engine.start(self.title, [seat.name for seat in self.seats.values()])
        self.position = Position(self.title, self.beginning, 0, self.names, work)

    def lexicon_at(self, seq: int) -> Lexicon:
        """The names of things, with the people who sat here when row `seq` of the log was written."""
        now = self.position.lexicon()
        then = {one.seat: clean_name(one.from_name) for one in reversed(self.tenures.handovers) if one.seq >= seq}
        return replace(now, names={**now.names, **then}) if then else now

    def tell(self, moves: Iterable[Move]) -> list[str]:
        """The moves in lines, in order, each by whoever sat in its seat."""
        return [line for one in moves for line in tell(one, self.lexicon_at(one.seq))]

    def states(self) -> list[State]:
        """The beginning, and the position after each move in force."""
        return [self.beginning, *(one.state for one in self.moves)]

    def seq_of(self, number: int) -> int:
        """The row of the move of this number, counted from 1: of the last one for a higher number, 0 without any."""
        return self.moves[min(max(number, 1), len(self.moves)) - 1].seq if self.moves else 0

    def _end_of(self, moves: list[Move]) -> State:
        return moves[-1].state if moves else self.beginning

    def account(self, moves: Sequence[Move]) -> list[str]:
        """What players are told of the moves; at least what the first one was."""
        return gathered(self.tell(moves)) or [self.position.labels().of(moves[0].action)]
