"""Who may take back what: freely what only they have done, and anything else if those concerned agree.

A player takes back their own decisions as long as nobody else has acted since and nothing was drawn. Beyond that
they ask: those who acted since and whoever is next must agree, and after a draw or the end of the game everybody.
What was taken back comes back only by whoever took it back, or by whose move it was.
The host has no right that the other players do not have. A request is votes for the position at which it was made,
so it lapses when the game moves on, and once those asked had a day for it. Opponents agree at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.core import clockwork
from bot.core.constitution import must_play
from bot.core.errors import NotYourTurn, TableError
from bot.core.notices import say_notice, undo_notice
from bot.core.presence import over_at
from bot.core.turns import Move
from bot.words.lexicon import listed
from engine.actions import EndGame
from engine.ids import CHANCE, PlayerId
from storage import VACANT, LogRow, Vote

if TYPE_CHECKING:
    from bot.core.table import Table

LASTS = 24 * 3600
"""Seconds that those who are asked have for their answer."""
SINCE_CHANGE = " since the rules of the game changed"
NOTHING = "There is nothing to undo{}."
NOT_FREE = "The others must agree to that: press **Undo** and ask them."
GONE = "This request no longer stands: the game has moved on, it was declined, or it is older than a day. Ask again."
NOT_ASKED = "Only those who were asked can answer this request."
NOT_THEIRS = "Only {} can bring that back: whoever took it back, or whose move it was."
ENDED_ANEW = "The end of the game is not brought back: `/game end` asks everybody anew."
ASKS, AGREES = "ask", "yes"
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


def turnback(table: Table, user: int, seq: int | None = None) -> Turnback:
    """Taking back the decision in row `seq` and all that followed; without one, the person's own last.

    Where they have made none, that is the last decision there is. Raises TableError.
    """
    must_play("undo", table, user)
    mine = table.seats_of(user)
    made = [number for number in decisions(table) if seq is None or table.moves[number].seq <= seq]
    if not made:
        raise TableError(NOTHING.format(SINCE_CHANGE if table.past else ""))
    own = [number for number in made if _is_own(table.moves[number], user, mine)]
    kept = made[-1] if seq is not None or not own else own[-1]
    taken = table.moves[kept:]
    return Turnback(kept, tuple(taken), _must_agree(table, user, mine, taken))


def last(table: Table, user: int) -> Turnback:
    """Taking back the last decision, whosever it was. Raises TableError."""
    return turnback(table, user, table.position.seq)


def decisions(table: Table) -> list[int]:
    """How many moves came before each that somebody decided: what can be taken back."""
    return [number for number, one in enumerate(table.moves) if not one.automatic]


def _is_own(move: Move, user: int, mine: Sequence[str]) -> bool:
    """Whether the person decided it for a seat of theirs, or as the host for another; who left a seat has no say."""
    as_host = move.user == user and move.note is not None and move.note.how == "by the host"
    return not isinstance(move.action, EndGame) and (move.action.by in mine or as_host)


def _must_agree(table: Table, user: int, mine: Sequence[PlayerId], taken: Sequence[Move]) -> tuple[PlayerId, ...]:
    decided = [one for one in taken if not one.automatic]
    revealed = any(one.action.by == CHANCE or isinstance(one.action, EndGame) for one in taken)
    wanted: set[str] = set(table.seats) if revealed else set()
    agree_at_once = {seat for seat in table.seats if table.opponent(seat) is not None}
    for one in decided:
        if not _is_own(one, user, mine):
            wanted.add(one.action.by)
        if one.note is not None and one.note.how == "offer" and one.user is not None:
            wanted.update(table.seats_of(one.user))
    anybody = table.settings.undo == "anyone" and len(decided) == 1 and not revealed
    if anybody or not wanted - set(mine) - agree_at_once:
        return ()
    wanted.update(table.position.up)
    return tuple(
        PlayerId(seat) for seat in table.seats if seat in wanted and seat not in mine and table.has_person(seat)
    )


def must_bring_back(table: Table, user: int, turned: Sequence[Move], undo: LogRow) -> None:
    """Raise TableError unless the moves are the person's to bring back: they took them back, or had made them all."""
    if not table.seats_of(user) and not table.hosts(user):
        raise table.not_seated(user)
    if any(isinstance(one.action, EndGame) for one in turned):
        raise TableError(ENDED_ANEW)
    took = [] if undo.by_seat is None else [PlayerId(undo.by_seat)]
    made = {one.action.by for one in turned if not one.automatic and table.opponent(one.action.by) is None}
    may = [*took, *(made if len(made) == 1 else ())]
    if user != undo.by_user and not any(table.may_act(user, seat) for seat in may):
        names = table.position.lexicon()
        raise TableError(NOT_THEIRS.format(listed(names.player(seat) for seat in table.seats if seat in may)))


def kind_of(seq: int) -> str:
    """The kind of the votes on taking back the decision in this row and what followed."""
    return f"undo {seq}"


@dataclass(frozen=True, slots=True)
class Request:
    """A request that stands: who asks, what for, and who has agreed."""

    by: PlayerId
    back: Turnback
    agreed: frozenset[str]
    until: int | None
    """When it lapses; None for not before the game moves on."""

    @property
    def missing(self) -> tuple[PlayerId, ...]:
        """Who has not agreed yet."""
        return tuple(seat for seat in self.back.asked if seat not in self.agreed)


async def ask(table: Table, user: int, seq: int, interaction: int) -> Request:
    """Ask those concerned, in the channel. Raises TableError, Outdated, Stale, Duplicate."""
    back = turnback(table, user, seq)
    if not back.asked:
        raise TableError("Nobody needs to agree to that: press **Undo** again.")
    seat, store, game = table.seats_of(user)[0], table.store, table.game.id
    pings = list(dict.fromkeys(table.seats[one].user_id for one in back.asked))

    async def write() -> None:
        await store.votes.clear(game, kind_of(back.seq))
        await store.votes.cast(
            game, kind_of(back.seq), seat, ASKS, expected_seq=table.position.seq, interaction_id=interaction
        )
        await store.outbox.post(game, [undo_notice(back.seq, pings)])

    await store.together(write)
    return await request(table, back.seq)


async def request(table: Table, seq: int) -> Request:
    """The request about this row that stands now. Raises TableError if none does."""
    votes = [
        one
        for one in await table.store.votes.of_game(table.game.id, kind_of(seq))
        if one.seq == table.position.seq and one.seat in table.seats
    ]
    asker = next((one for one in votes if one.choice == ASKS), None)
    if asker is None or table.seats[asker.seat].user_id == VACANT:
        raise TableError(GONE)
    back = turnback(table, table.seats[asker.seat].user_id, seq)
    until = await _stands_until(table, back.asked, asker.at)
    if until is not None and until <= table.store.clock():
        raise TableError(GONE)
    return Request(PlayerId(asker.seat), back, frozenset(_agreed(votes)), until)


async def _stands_until(table: Table, asked: Sequence[PlayerId], since: int) -> int | None:
    """When all who were asked have had a day for their answer; None if somebody is away until they are back."""
    store, users = table.store, [table.seats[one].user_id for one in asked]
    people, breaks = await clockwork.people_of(store, users), await store.clocks.breaks()
    ends = [over_at(people[one], since, LASTS, store.clock(), breaks) for one in users]
    return None if None in ends else max((one for one in ends if one is not None), default=since + LASTS)


def _agreed(votes: Sequence[Vote]) -> list[str]:
    return [one.seat for one in votes if one.choice == AGREES]


async def agree(table: Table, user: int, seq: int, interaction: int) -> Request:
    """Agree for one's seats; the last agreement takes it back. Raises TableError, Stale, Duplicate."""
    asked = await request(table, seq)
    mine = [seat for seat in table.seats_of(user) if seat in asked.back.asked]
    if not mine:
        raise NotYourTurn(NOT_ASKED)
    for seat in mine:  # voting again changes nothing; only the undo itself must happen once
        await table.store.votes.cast(table.game.id, kind_of(seq), seat, AGREES, expected_seq=table.position.seq)
    asked = await request(table, seq)
    if not asked.missing:
        await table.undo(user=table.seats[asked.by].user_id, seq=seq, agreed=asked.agreed, interaction=interaction)
        await table.store.votes.clear(table.game.id, kind_of(seq))
    return asked


async def refuse(table: Table, user: int, seq: int) -> Request:
    """Decline, or withdraw one's own request: it no longer stands, and the channel is told. Raises TableError."""
    asked = await request(table, seq)
    mine = table.seats_of(user)
    names = table.position.lexicon()
    if asked.by in mine:
        said = f"{names.player(asked.by)} no longer asks to take anything back."
    elif set(mine) & set(asked.back.asked):
        asker = table.seats[asked.by].user_id
        said = f"<@{asker}>: {names.player(mine[0])} does not agree to take that back."
    else:
        raise NotYourTurn(NOT_ASKED)

    async def write() -> None:
        await table.store.votes.clear(table.game.id, kind_of(seq))
        await table.store.outbox.post(table.game.id, [say_notice(said)])

    await table.store.together(write)
    return asked


def told(table: Table, kind: str, turned: list[Move], user: int, agreed: Sequence[PlayerId]) -> str:
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
