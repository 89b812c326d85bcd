"""The stored log into moves, and moves into rows; and where it no longer leads to the positions it led to.

A row says by which revision of the rules it was accepted, the fingerprint of the position it led to, and what was told
of it. Where the rules changed under a game, a row of the kind "position" holds the position from which it goes on:
replay begins there, and of the moves before it stays what was told.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import engine
from bot.core.moves import Move, ToldBefore, company_of, follow, joins, read_note, tell
from bot.words.lexicon import Lexicon
from bot.words.narration import Sentence
from bot.words.rule_changes import Changed, changed, ended
from engine import Action, BadAction, EngineError, Entry, LogMismatch, PlayerId, State, Title, from_json, to_json
from engine.actions import BuyPassage, LayPowerTile, LayTile, PlaceToken, RestoreToken
from engine.errors import BadPosition
from engine.stored import FORMAT, ODD, Fingerprints, agrees, body_of, comparable, fingerprint, state_of, unpack
from storage import LogRow, Row, Snapshot

POSITION = "position"
"""The kind of the row at which the rules changed."""
OF_TRACK = (LayTile, LayPowerTile, PlaceToken, RestoreToken, BuyPassage)
"""What is done with tiles and tokens."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """The first row in force that no longer leads where it led."""

    seq: int
    why: Exception | None
    """Why its action is refused now; None where it is allowed and leads elsewhere."""


@dataclass(slots=True)
class Reading:
    """What a log gives under the present rules."""

    beginning: State
    """The start of the game, or where it went on after the last change of the rules."""
    past: list[ToldBefore] = field(default_factory=list)
    """Everything before `beginning`."""
    entries: list[Entry] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    """The moves in force since `beginning`, as far as they lead where they led."""
    misfit: Misfit | None = None

    @property
    def state(self) -> State:
        """The position after the last move that was read."""
        return self.moves[-1].state if self.moves else self.beginning


def read(title: Title, start: State, rows: Sequence[LogRow], snapshot: Snapshot | None = None) -> Reading:
    """Replay a whole log that began at `start`. Raises LogMismatch if not even its last border can be read."""
    border = max((number for number, row in enumerate(rows) if row.kind == POSITION), default=None)
    if border is None:
        reading = Reading(start)
    else:
        row, body = rows[border], json.loads(rows[border].body)
        try:
            state = state_of(title, start.names, body["state"], body["format"])
        except BadPosition as error:
            raise LogMismatch(row.seq, error) from error
        reading = Reading(state, _told_before(title, start.names, rows[: border + 1]))
        rows = rows[border + 1 :]
    _replay(title, reading, rows)
    if reading.misfit is None and rows:
        _compare_end(title, reading, rows[-1], snapshot)
    return reading


def replayed(title: Title, beginning: State, entries: Sequence[Entry], rows: Sequence[LogRow]) -> list[Move]:
    """The moves in force after these entries since the beginning. Raises LogMismatch where they lead elsewhere."""
    reading = Reading(beginning, entries=list(entries))
    _play(title, reading, {row.seq: row for row in rows}, {})
    if reading.misfit is not None:
        why = reading.misfit.why
        raise LogMismatch(
            reading.misfit.seq, why if isinstance(why, EngineError) else BadPosition("it now leads elsewhere")
        )
    return reading.moves


def _replay(title: Title, reading: Reading, rows: Sequence[LogRow]) -> None:
    unknown: dict[int, BadAction] = {}
    for row in rows:
        try:
            reading.entries.append(entry_of(row))
        except BadAction as error:  # a misfit only if it is in force
            unknown[row.seq] = error
            reading.entries.append(Entry(row.seq, "action"))
    _play(title, reading, {row.seq: row for row in rows}, unknown)


def _play(title: Title, reading: Reading, by_seq: dict[int, LogRow], unknown: dict[int, BadAction]) -> None:
    """The moves of the entries in force, up to the first that is refused or leads elsewhere."""
    prints = Fingerprints()
    state = reading.beginning
    for entry in engine.live_actions(reading.entries):
        row = by_seq[entry.seq]
        if entry.action is None:
            reading.misfit = Misfit(entry.seq, unknown.get(entry.seq, BadAction("The action is unknown.")))
            return
        company, before = company_of(state), state
        try:
            state = engine.apply(title, state, entry.action)
        except (EngineError, *ODD) as error:
            reading.misfit = Misfit(entry.seq, error)
            return
        follow(before, state)  # first: what it shares need not be written anew
        if comparable(row.position, title) and row.position != prints.of(state):
            reading.misfit = Misfit(entry.seq, None)
            return
        note, joined = read_note(row.note), joins(row.note)
        reading.moves.append(Move(entry.seq, entry.action, row.by_user, note, state, company, joined))


def _compare_end(title: Title, reading: Reading, last: LogRow, snapshot: Snapshot | None) -> None:
    """Note a misfit where the last position is not the stored one: rows of other releases may have no fingerprint."""
    if snapshot is None or stored_position(title, reading.beginning, last, snapshot) is None:
        return
    if not agrees(reading.state, snapshot.blob, snapshot.format):
        reading.misfit = Misfit(reading.moves[-1].seq if reading.moves else last.seq, None)


def stored_position(title: Title, of: State, last: LogRow, snapshot: Snapshot | None) -> State | None:
    """The position kept with the last row, with the names of `of`; None if there is none, or none that is sound."""
    if snapshot is None or snapshot.seq != last.seq:
        return None
    try:
        state = unpack(title, of.names, snapshot.blob, snapshot.format)
    except BadPosition:
        return None
    if comparable(last.position, title) and fingerprint(state) != last.position:
        return None
    return state


def _told_before(title: Title, names: Mapping[PlayerId, str], rows: Sequence[LogRow]) -> list[ToldBefore]:
    """What was told of the moves in force at each change of the rules, and of the changes, in order."""
    past: list[ToldBefore] = []
    segment: list[LogRow] = []
    for row in rows:
        if row.kind != POSITION:
            segment.append(row)
            continue
        body = json.loads(row.body)
        past += _told_of(segment, body.get("told", {}))
        said = _said_at(title, names, segment, body) if row.told is None else row.told  # as earlier releases kept it
        past.append(ToldBefore(row.seq, "", (Sentence(said),)))
        segment = []
    return past


def _said_at(title: Title, names: Mapping[PlayerId, str], before: Sequence[LogRow], body: Mapping[str, Any]) -> str:
    """What a row of the kind "position" says: how the rules changed, or that the game was ended."""
    if "changed" not in body:
        return ended(body["ended"])
    return said_of(title, names, before, Changed(**body["changed"]))


def said_of(title: Title, names: Mapping[PlayerId, str], rows: Sequence[LogRow], one: Changed) -> str:
    """What a change of the rules means, told with the row that no longer leads where it led."""
    row = next(row for row in rows if row.seq == one.seq)
    seat = PlayerId(row.by_seat or "")
    return changed(one, title, names.get(seat, seat), (row.told or "").partition("\n")[0])


def _told_of(rows: Sequence[LogRow], instead: dict[str, list[str]]) -> list[ToldBefore]:
    """`instead` is what to say of rows of which nothing was noted at the time."""
    by_seq = {row.seq: row for row in rows}
    moves = []
    for entry in engine.live_actions(bare(rows)):
        row = by_seq[entry.seq]
        lines = instead.get(str(row.seq), []) if row.told is None else row.told.splitlines()
        moves.append(ToldBefore(row.seq, row.by_seat or "", tuple(_lines(row, lines))))
    return moves


def _lines(row: LogRow, texts: Sequence[str]) -> Iterator[Sentence]:
    """What was told of a move whose facts are gone: the first line tells of its action."""
    track = isinstance(action_of(row), OF_TRACK)
    for number, text in enumerate(texts):
        yield Sentence(text, track=track and number == 0)


def bare(rows: Iterable[LogRow]) -> list[Entry]:
    """The entries without their actions: enough to know which are in force."""
    return [
        Entry(row.seq, row.kind, None, json.loads(row.body).get("to") if row.kind == "undo" else None) for row in rows
    ]


def entry_of(row: LogRow) -> Entry:
    """The engine's entry for a stored row. Raises BadAction for an unknown action."""
    body = json.loads(row.body)
    if row.kind == "action":
        return Entry(row.seq, "action", from_json(body))
    return Entry(row.seq, row.kind, None, body.get("to"))


def rows_of(title: Title, moves: Sequence[Move], names: Lexicon) -> list[Row]:
    prints = Fingerprints()
    return [
        Row(
            "action",
            json.dumps(to_json(one.action)),
            by_seat=one.action.by,
            by_user=one.user,
            note=one.stored_note,
            rules=title.revision,
            position=prints.of(one.state),
            told="\n".join(tell(one, names)),
        )
        for one in moves
    ]


def turning_row(title: Title, kind: str, body: dict[str, Any], state: State, seat: str | None, user: int) -> Row:
    """What is stored of an undo or redo that leads to this position."""
    position = fingerprint(state)
    return Row(kind, json.dumps(body), by_seat=seat, by_user=user, rules=title.revision, position=position)


def border_row(title: Title, state: State, why: Mapping[str, Any], instead: dict[str, list[str]]) -> Row:
    """The row at which a game goes on from a position although its log no longer leads there.

    `why` holds what "changed", as `Changed` has it, or the moderator by whom the game was "ended". `instead` says what
    to tell of earlier rows of which nothing was noted, by their seqs.
    """
    body = {"format": FORMAT, "state": body_of(state), "told": instead, **why}
    return Row(POSITION, json.dumps(body), rules=title.revision, position=fingerprint(state))


def told_instead(moves: Sequence[Move], rows: Sequence[LogRow], names: Lexicon) -> dict[str, list[str]]:
    """What to tell of the moves whose rows do not say it themselves, by their seqs."""
    silent = {row.seq for row in rows if row.told is None}
    return {str(one.seq): tell(one, names) for one in moves if one.seq in silent}


def action_of(row: LogRow) -> Action | None:
    """The action of a row; None if it is none, or none that is known."""
    try:
        return entry_of(row).action
    except BadAction:
        return None
