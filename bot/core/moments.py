"""The moves of a game one by one, with the positions around them: those in force, and those that were taken back."""

from collections.abc import Sequence
from dataclasses import dataclass

import engine
from bot.core.log import action_of
from bot.core.moves import Move, company_of, read_note, tell
from bot.core.table import Table
from engine.errors import EngineError
from engine.log import Entry, branches
from engine.state import State
from engine.stored import ODD
from engine.title import Title
from storage import LogRow


@dataclass(frozen=True, slots=True)
class Moment:
    """One move, the position before it, and whether it was taken back."""

    move: Move
    before: State
    undone: bool = False

    def told(self, table: Table) -> list[str]:
        """The move in lines, with the name of whoever sat there then."""
        return tell(self.move, table.lexicon_at(self.move.seq))


def in_force(table: Table) -> list[Moment]:
    """The moves that count, in order, since the rules last changed under the game."""
    before = [table.beginning, *(one.state for one in table.moves)]
    return [Moment(one, state) for one, state in zip(table.moves, before, strict=False)]


async def all_of(table: Table) -> list[Moment]:
    """Those that were taken back too, each where it was made."""
    rows = await table.store.log(table.game.id)
    return await table.work.do(_all, table.title, table.beginning, tuple(table.entries), tuple(table.moves), rows)


def _all(
    title: Title, beginning: State, entries: Sequence[Entry], moves: Sequence[Move], rows: Sequence[LogRow]
) -> list[Moment]:
    """Only what was undone is played again, each move on the position on which it was made."""
    live, by_seq = {one.seq: one for one in moves}, {row.seq: row for row in rows}
    states: dict[int, State] = {0: beginning}
    found: list[Moment] = []
    for entry, parent in branches(entries):
        before = states.get(parent)
        if before is None or entry.seq not in by_seq:
            continue  # it followed a move that can no longer be played
        move = live.get(entry.seq) or _again(title, before, by_seq[entry.seq])
        if move is not None:
            states[entry.seq] = move.state
            found.append(Moment(move, before, entry.seq not in live))
    return found


def _again(title: Title, before: State, row: LogRow) -> Move | None:
    """A move that was undone, played once more; None where the rules no longer allow it."""
    action = action_of(row)
    if action is None:
        return None
    try:
        state = engine.apply(title, before, action)
    except (EngineError, *ODD):
        return None
    return Move(row.seq, action, row.by_user, read_note(row.note), state, company_of(before))
