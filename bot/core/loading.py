"""A stored game, read under the present rules, and how it goes on where these make something else of its log.

The position that was kept with its last row is what the table has before it, so from there it goes on. Where none is
kept (games of early releases), the moves are done once more as they were played, though some are refused now. Where
even that cannot be, moves would be lost: then the game waits for the host of the bot.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

import engine
from bot.core.log import Misfit, Reading, action_of, border_row, read, said_of, stored_position, told_instead
from bot.core.moves import Move, company_of, turn_key
from bot.core.notices import say_notice, turn_notice
from bot.core.orders import Orders
from bot.core.position import Position
from bot.core.seated import Played
from bot.words.lexicon import Lexicon
from bot.words.rule_changes import Changed, Kind, Way
from engine import BadAction, EngineError, Refused, State, Title
from engine.actions import Pass
from engine.stored import FORMAT, ODD, comparable, differences, fingerprint, pack, playable
from storage import LogRow, Row, Snapshot, Stale


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What changed rules mean for one game."""

    facts: Changed
    state: State
    """Where the game goes on; with the way "none", where it can be looked at."""
    sentence: str
    """For the channel."""

    @property
    def safe(self) -> bool:
        """Whether nothing that was played is lost, so that nobody need be asked."""
        return self.facts.way in ("stored", "as played")


def change_of(title: Title, reading: Reading, rows: Sequence[LogRow], snapshot: Snapshot | None) -> RuleChange:
    """How the game can go on. `reading` has a misfit."""
    assert reading.misfit is not None
    stored = stored_position(title, reading.beginning, rows[-1], snapshot)
    played, lost = _as_played(title, reading)
    state = played[-1].state if played else reading.beginning
    differs = stored is not None and reading.misfit.why is None
    fields = tuple(differences(state, stored)) if stored is not None and differs else ()
    if stored is not None and playable(title, stored):
        way: Way = "stored"
        state, lost = stored, 0
    elif playable(title, state):
        way = "cut" if lost else "as played" if stored is None else "elsewhere"
    else:
        way, state = "none", reading.state
    row = next(row for row in rows if row.seq == reading.misfit.seq)
    since = sum(1 for entry in engine.live_actions(reading.entries) if entry.seq <= row.seq)
    misfit, rule = _what_it_is(row, reading.misfit)
    facts = Changed(
        seq=row.seq,
        move=sum(1 for one in reading.past if one.by) + since,
        misfit=misfit,
        rule=rule,
        fields=fields,
        since=row.rules or 1,  # rows that name no revision are of the first
        until=title.revision,
        way=way,
        lost=lost,
        anew=way == "as played" and not _leads_there(title, rows[-1], state),
    )
    return RuleChange(facts, state, said_of(title, state.names, rows, facts))


def row_of_change(
    title: Title,
    change: RuleChange,
    reading: Reading,
    rows: Sequence[LogRow],
    snapshot: Snapshot | None,
    names: Lexicon,
) -> Row:
    """The row at which the game goes on."""
    if snapshot is not None and snapshot.told is not None:
        instead = json.loads(snapshot.told)
    else:
        instead = told_instead(_as_played(title, reading)[0], rows, names)
    return border_row(title, change.state, {"changed": asdict(change.facts)}, instead)


def _as_played(title: Title, reading: Reading) -> tuple[list[Move], int]:
    """All moves in force done once more, also those that are refused now; and how many cannot be done at all."""
    moves = list(reading.moves)
    state = reading.state
    rest = engine.live_actions(reading.entries)[len(moves) :]
    for done, entry in enumerate(rest):
        if entry.action is None:
            return moves, len(rest) - done
        company = company_of(state)
        try:
            state = _done(title, state, entry.action)
        except (EngineError, *ODD):
            return moves, len(rest) - done
        moves.append(Move(entry.seq, entry.action, None, None, state, company))
    return moves, 0


def _done(title: Title, state: State, action: engine.actions.Action) -> State:
    state = _passed_over(title, state)
    try:
        return engine.apply(title, state, action)
    except Refused:
        return engine.flow.apply_unjudged(title, state, action)


def _passed_over(title: Title, state: State) -> State:
    """The position after the steps at which a company was not asked while its money decided about that."""
    while state.operating is not None and not state.over and not state.pending:
        asked = engine.decision(title, state).players
        if not asked or engine.present_step(title, state).asks(title, state):
            break
        state = engine.apply(title, state, Pass(asked[0]))
    return state


def _leads_there(title: Title, last: LogRow, state: State) -> bool:
    """Whether it was noted at the time that the last row led to this very position."""
    return comparable(last.position, title) and fingerprint(state) == last.position


def _what_it_is(row: LogRow, misfit: Misfit) -> tuple[Kind, str]:
    """Why the row no longer leads where it led, and the ID of the rule that refuses it now."""
    why = misfit.why
    if why is None:
        return "differs", ""
    if isinstance(why, Refused) and why.rule:
        return "refused", why.rule
    return ("gone" if action_of(row) is None or isinstance(why, BadAction) else "impossible"), ""


GoOn = Literal["safe", "never", "always"]
"""Where moves may go on from changed rules by themselves: where nothing is lost, nowhere, or everywhere."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a game's table is made of."""

    reading: Reading
    seq: int
    """The last row of the log; 0 before the first."""
    version: int
    """The game's version, counting what loading it has written."""
    orders: Orders
    waits: RuleChange | None = None
    """What changed rules mean for the game, where it waits for the host of the bot to decide."""
    change: RuleChange | None = None
    """The same, also where the game went on by itself."""


def snapshot_of(seq: int, state: State) -> Snapshot:
    return Snapshot(seq, FORMAT, pack(state))


async def load(of: Played, go_on: GoOn = "safe") -> Loaded:
    """Read the game from its log.

    Where that no longer leads where it led, the game goes on as `change_of` says, if it is to: "safe" does not where
    moves would be lost. Raises LogMismatch if the log cannot be read at all, BrokenLog if it was altered.
    """
    store, game, title = of.store, of.game, of.title
    start = engine.start(title, list(of.names.values()))
    rows = await store.log(game.id)
    snapshot = await store.snapshots.last(game.id)
    orders = Orders.read(await store.orders.of_game(game.id), title, game.id)
    reading = await of.work.do(read, title, start, rows, snapshot)
    loaded = Loaded(reading, rows[-1].seq if rows else 0, game.version, orders)
    names = Position(title, reading.state, loaded.seq, of.names, of.work).lexicon()
    if reading.misfit is None:
        if rows and snapshot is None and go_on != "never":  # played with a release that kept none
            await store.snapshots.save(game.id, await of.work.do(_first_snapshot, reading, rows, names))
        return loaded
    await store.verify(game.id)  # a log that was altered is damaged: no rule has changed
    change = await of.work.do(change_of, title, reading, rows, snapshot)
    if change.facts.way == "none" or go_on == "never" or not (change.safe or go_on == "always"):
        return replace(loaded, waits=change, change=change)
    version = await _go_on(of, change, reading, rows, snapshot, names)
    return replace(await load(of, "never"), version=version, change=change)


def _first_snapshot(reading: Reading, rows: Sequence[LogRow], names: Lexicon) -> Snapshot:
    """The position of a game that has none stored, with what is to be told of its moves."""
    noted = json.dumps(told_instead(reading.moves, rows, names))
    return replace(snapshot_of(rows[-1].seq, reading.state), told=noted)


async def _go_on(
    of: Played, change: RuleChange, reading: Reading, rows: Sequence[LogRow], snapshot: Snapshot | None, names: Lexicon
) -> int:
    """Go on from the position of a change of the rules, and tell the channel; the game's version after that."""
    game, title = of.game, of.title
    row = await of.work.do(row_of_change, title, change, reading, rows, snapshot, names)
    before = len(reading.past) + len(await of.work.do(engine.live_actions, reading.entries)) + 1
    now = turn_notice(turn_key(title, [], change.state, before))
    seq = rows[-1].seq
    try:
        await of.store.append(
            game.id,
            seq,
            [row],
            expected_version=game.version,
            notices=[say_notice(change.sentence), now],
            snapshot=snapshot_of(seq + 1, change.state),
        )
    except Stale:  # another process was first
        return game.version
    return game.version + 1
