"""What becomes of a decision, wherever it was made: done, offered to whoever must agree, or asked about once more.

Buttons, forms, commands and the board all come through here, so nothing that needs somebody's agreement is done
without it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.core.errors import NotYourTurn, TableError, UnknownControl
from bot.core.moves import Move
from bot.core.table import Table
from bot.core.thinking import Thought
from bot.rooms.turn import deals
from bot.words.labels import CONTROLS
from engine.actions import Action, Dividend, EndGame, Pass, RunTrains
from engine.ids import PlayerId

Agrees = Callable[[Thought, Action], Awaitable[bool]]
"""Asks an opponent whether it agrees to a deal."""
ENDS = "The game only ends early if everybody agrees: use `/game end`."
_TOGETHER = (Pass, RunTrains, Dividend)
"""What may follow in one press: nobody else has to agree to any of it."""


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """A decision of weight, which is asked about once more."""

    label: str
    warning: str
    """What is final about it."""
    follows: str
    """What it leads to, in a few words; may be empty."""


@dataclass(frozen=True, slots=True)
class Done:
    """It is stored, with these moves."""

    moves: tuple[Move, ...]
    label: str
    """What was chosen, if there is nothing to tell of the moves."""


@dataclass(frozen=True, slots=True)
class Offered:
    """Somebody was asked to agree."""

    to: PlayerId


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """An opponent does not agree."""

    by: PlayerId


Outcome = Done | AskedAgain | Offered | TurnedDown


async def asked_again(table: Table, action: Action, seen: int | None) -> AskedAgain | None:
    """Asks whether the action is meant; None where its first press counts. Raises what `Table.submit` does."""
    labels = table.position.labels(action.by)
    warning = labels.said(CONTROLS[type(action)].warning, action)
    if not warning:
        return None
    table.check_seen(seen)
    table.must_be_asked(action)
    return AskedAgain(labels.of(action), warning, await table.position.outcome_of(action))


@dataclass(frozen=True, slots=True)
class Submission:
    """Whose decision it is, and what of the game they saw when they made it."""

    user: int
    seen: int | None
    id: int
    """Of the interaction or the request, so that nothing is done twice."""
    sure: bool = False
    """Whether they have been asked whether they mean it."""


async def do(table: Table, *actions: Action, press: Submission, agrees: Agrees) -> Outcome:
    """Submit the actions of one press, or offer the deal to the other side of it.

    Raises what `Table.submit` does, and TableError.
    """
    action, *then = actions
    if isinstance(action, EndGame):
        raise TableError(ENDS)
    if type(action) not in CONTROLS or any(type(one) not in _TOGETHER or one.by != action.by for one in then):
        raise UnknownControl()
    if not table.may_act(press.user, action.by):
        raise NotYourTurn("That is not your decision to make.")
    asked = None if press.sure else await asked_again(table, action, press.seen)
    if asked is not None:
        return asked
    other, before, seen = deals.needs_consent(table, action), table.position, press.seen
    level = None if other is None else table.opponent(other)
    if other is not None and level is None:
        await deals.make(table, action, other, seen=seen, interaction=press.id)
        return Offered(other)
    if other is not None and level is not None:
        await deals.must_be_possible(table, action, seen)
        if not await agrees(table.asks(other, level), action):
            return TurnedDown(other)
        seen = before.seq
    await table.submit(*actions, user=press.user, seen=seen, interaction=press.id)
    moves = tuple(one for one in table.moves if one.seq > before.seq)
    return Done(moves, before.labels().of(action))
