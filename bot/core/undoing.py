"""Who may take back what: freely what only they have done, and anything else if those concerned agree.

A player takes back their own decisions as long as nobody else has acted since and nothing was drawn. Beyond that
they ask: those who acted since and whoever is next must agree, and after a draw or the end of the game everybody.
What was taken back comes back only by whoever took it back, or by whose move it was.
The host has no right that the other players do not have. Opponents agree at once. `rooms/turn/asking` asks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import engine
from bot.core.constitution import may, must_play, roles_of
from bot.core.errors import TableError
from bot.core.moves import Move
from bot.core.seated import Played
from bot.words.lexicon import listed
from engine import CHANCE, PlayerId
from engine.actions import EndGame
from storage import LogRow

NOTHING = "There is nothing to undo{}."
NOT_FREE = "The others must agree to that: press **Undo** and ask them."
NOT_THEIRS = "Only {} can bring that back: whoever took it back, or whose move it was."
TURNED = {"undo": "↩ {who} took back {whose}:", "redo": "↪ {who} brought back {whose}:"}
"""What the channel is told of an undo or redo, before the moves."""
MOST_TOLD = 12
"""How many lines of what was undone the channel is told."""


@dataclass(frozen=True, slots=True)
class Turnback:
    """What is taken back, and whose agreement that needs."""

    kept: int
    """How many moves stay."""
    taken: tuple[Move, ...]
    asked: tuple[PlayerId, ...] = ()
    """Seats that must agree; none where it is free."""

    @property
    def seq(self) -> int:
        """The row of the first move that is taken back: it names the request."""
        return self.taken[0].seq


def may_ask(table: Played, user: int) -> bool:
    return bool(decisions(table)) and may("undo", table.game, roles_of(user, table.game, table))


def turnback(table: Played, user: int, seq: int | None = None) -> Turnback:
    """Taking back the decision in row `seq` and all that followed; without one, what the person's own last press did.

    Where they have made none, that is the last press of all. Raises TableError.
    """
    must_play("undo", table, user)
    mine = table.seats_of(user)
    made = [number for number in decisions(table) if seq is None or table.moves[number].seq <= seq]
    if not made:
        raise TableError(NOTHING.format(" since the rules of the game changed" if table.past else ""))
    own = [number for number in made if _is_own(table.moves[number], user, mine)]
    kept = made[-1] if seq is not None else pressed(table, (own or made)[-1])
    taken = table.moves[kept:]
    return Turnback(kept, tuple(taken), _must_agree(table, user, mine, taken))


def slip(table: Played, user: int) -> int | None:
    """The row from which the person's last press is taken back, if no other person has decided since and it is free.

    What others did for their seat (a voted pass, a substitute, an imported file) is no press of theirs.
    """
    mine = table.seats_of(user)
    own = [table.moves[number] for number in decisions(table) if _is_own(table.moves[number], user, mine)]
    if not own or own[-1].user != user:
        return None
    back = turnback(table, user)
    people = {one.action.by for one in back.taken if not one.automatic and table.opponent(one.action.by) is None}
    return back.seq if not back.asked and people <= set(mine) else None


def last(table: Played, user: int) -> Turnback:
    """Taking back what the last press did, whosever it was. Raises TableError."""
    made = decisions(table)
    return turnback(table, user, table.moves[pressed(table, made[-1])].seq if made else None)


def pressed(table: Played, number: int) -> int:
    """How many moves came before what one press did, of which the decision after `number` moves is one."""
    seat = table.moves[number].action.by
    mine = [one for one in decisions(table) if one <= number and table.moves[one].action.by == seat]
    while len(mine) > 1 and table.moves[mine[-1]].joined:
        mine.pop()
    return mine[-1]


def decisions(table: Played) -> list[int]:
    """How many moves came before each that somebody decided: what can be taken back."""
    return [number for number, one in enumerate(table.moves) if not one.automatic]


def _is_own(move: Move, user: int, mine: Sequence[str]) -> bool:
    """Whether the person decided it for a seat of theirs, or as the host for another; who left a seat has no say."""
    as_host = move.user == user and move.note is not None and move.note.how == "host"
    return not isinstance(move.action, EndGame) and (move.action.by in mine or as_host)


def _must_agree(table: Played, user: int, mine: Sequence[PlayerId], taken: Sequence[Move]) -> tuple[PlayerId, ...]:
    decided = [one for one in taken if not one.automatic]
    revealed = any(one.action.by == CHANCE or isinstance(one.action, EndGame) for one in taken)
    wanted: set[str] = set(table.seats) if revealed else set()
    agree_at_once = {seat for seat in table.seats if table.opponent(seat) is not None}
    for one in decided:
        if not _is_own(one, user, mine):
            wanted.add(one.action.by)
        if one.note is not None and one.note.how == "offer" and one.user is not None:
            wanted.update(table.seats_of(one.user))
            wanted.update(_agreed(table, one))
    anybody = table.settings.undo == "anyone" and sum(not one.joined for one in decided) == 1 and not revealed
    if anybody or not wanted - set(mine) - agree_at_once:
        return ()
    wanted.update(table.position.up)
    return tuple(
        PlayerId(seat) for seat in table.seats if seat in wanted and seat not in mine and table.has_person(seat)
    )


def _agreed(table: Played, deal: Move) -> Sequence[PlayerId]:
    """The seat that agreed to a deal, whoever sits there by now."""
    before = next(one.before for one in table.moments() if one.move.seq == deal.seq)
    other = engine.consent(table.title, before, deal.action)
    return () if other is None else (other,)


def must_bring_back(table: Played, user: int, turned: Sequence[Move], undo: LogRow) -> None:
    """Raise TableError unless the moves are the person's to bring back: they took them back, or had made them all."""
    if not table.seats_of(user) and not table.hosts(user):
        raise table.not_seated(user)
    if any(isinstance(one.action, EndGame) for one in turned):
        raise TableError("The end of the game cannot be redone: `/game end` asks everybody again.")
    took = [] if undo.by_seat is None else [PlayerId(undo.by_seat)]
    made = {one.action.by for one in turned if not one.automatic and table.opponent(one.action.by) is None}
    may = [*took, *(made if len(made) == 1 else ())]
    if user != undo.by_user and not any(table.may_act(user, seat) for seat in may):
        names = table.position.lexicon()
        raise TableError(NOT_THEIRS.format(listed(names.player(seat) for seat in table.seats if seat in may)))


def told(table: Played, kind: str, turned: list[Move], user: int, agreed: Sequence[PlayerId]) -> str:
    """Who undid or redid whose move, and what it was."""
    first, mine, names = turned[0], table.seats_of(user), table.position.lexicon()
    decided = [one for one in turned if not one.automatic]
    who = names.player(mine[0]) if mine else f"<@{user}>"
    whose = "their own last move" if first.action.by in mine else f"{names.player(first.action.by)}'s last move"
    if isinstance(first.action, EndGame):
        whose = "the end of the game"
    elif len(decided) > 1:
        whose = f"{len(decided)} moves"
    if agreed:
        whose += f", as {listed(names.player(seat) for seat in agreed)} agreed"
    head = TURNED[kind].format(who=who, whose=whose)
    lines = table.account(turned)
    hidden = len(lines) - MOST_TOLD
    more = [f"- … and {hidden} more"] if hidden > 0 else []
    return "\n".join([head, *(f"- {line}" for line in lines[:MOST_TOLD]), *more])
