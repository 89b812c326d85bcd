"""Who sits at a game, for which seats each person may act, and what was played there, move by move."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import engine
from bot.core.errors import NO_RESULT, NotSeated
from bot.core.log import action_of
from bot.core.moves import Move, ToldBefore, company_of, read_note, tell
from bot.core.opponents import is_person, level_of
from bot.core.position import Position
from bot.core.table_settings import TableSettings
from bot.core.work import Work
from bot.words.lexicon import Lexicon, clean_name
from bot.words.narration import gathered
from engine import EngineError, Entry, PlayerId, State, Title
from engine.log import branches
from engine.stored import ODD
from opponents import Level
from opponents.levels import Levels
from storage import VACANT, Game, Handover, LogRow, Seat, Store, Tenures


class Played:
    """The seats of a game, by "p1", "p2" and so on, and whose they are; the moves in force; the position after them."""

    def __init__(self, store: Store, work: Work, game: Game, seats: Sequence[Seat]) -> None:
        self.store, self.work, self.game = store, work, game
        self.settings = TableSettings.read(game.settings)
        self.tenures = Tenures()
        self.seats: dict[str, Seat] = {}
        self.sit(seats)
        self.title: Title = engine.build(game.title, len(self.seats), json.loads(game.options or "[]"))
        self.past: list[ToldBefore] = []
        """What was played before the rules last changed under the game; `beginning` is the position after it."""
        self.moves: list[Move] = []
        self.entries: list[Entry] = []
        """The rows of the log since then, with those that were taken back."""
        self.beginning: State = engine.start(self.title, [seat.name for seat in self.seats.values()])
        self.position = Position(self.title, self.beginning, 0, self.names, work)

    def sit(self, seats: Sequence[Seat]) -> None:
        """Replace who sits here; their names are made harmless."""
        self.seats = {f"p{seat.seat}": replace(seat, name=clean_name(seat.name)) for seat in seats}

    @property
    def names(self) -> dict[str, str]:
        """The players' names by seat; a seat that somebody has left keeps their name until another takes it."""
        return {seat: row.name for seat, row in self.seats.items()}

    @property
    def people(self) -> list[int]:
        """The people who sit here, each once, in seat order; neither an empty seat nor an opponent's is one's."""
        return list(dict.fromkeys(row.user_id for row in self.seats.values() if is_person(row.user_id)))

    def has_person(self, seat: str) -> bool:
        """Whether a person sits there, rather than an opponent or nobody."""
        return seat in self.seats and is_person(self.seats[seat].user_id)

    def opponent(self, seat: str) -> Level | None:
        return level_of(self.seats[seat].user_id) if seat in self.seats else None

    def is_open(self, seat: str) -> bool:
        """Whether the game waits there for whoever takes the seat: no opponent plays on in it meanwhile."""
        return self.tenures.opening(seat) is not None and self.opponent(seat) is None

    def whose(self, seat: str, *, plain: bool = False) -> str:
        """For whom one waits there, in words: the player, or an open seat, in which there may be nobody."""
        names = self.position.lexicon()
        who = names.plain_player(seat) if plain else names.player(seat)
        return f"{who}'s open seat" if self.is_open(seat) else who

    @property
    def levels(self) -> Levels:
        return {PlayerId(seat): level for seat in self.seats if (level := self.opponent(seat)) is not None}

    def seats_of(self, user: int) -> list[PlayerId]:
        """Those whose player the user is; of a seat that was left nobody is, also whoever watches without a name."""
        return [PlayerId(seat) for seat, row in self.seats.items() if row.user_id == user != VACANT]

    def not_seated(self, user: int, never: str = "") -> NotSeated:
        """That the person has no seat, in these words if they `never` had one; or that nobody plays any more.

        If they had, it says who plays there now, and what returns it while the game runs.
        """
        if self.game.status == "abandoned":
            return NotSeated(NO_RESULT)
        left = [one for one in reversed(self.tenures.handovers) if one.from_id == user]
        if not left:
            return NotSeated(never)
        had = next((one for one in left if one.how != "returned"), left[0])  # their own before one that was lent
        seat, empty = had.seat, self.seats[had.seat].user_id == VACANT
        who, where = "Nobody" if empty else self.names[seat], "in your seat now"
        if had.how == "returned":
            where = "in the seat that you had"
        said = "You have left this game." if empty and had.how == "left" else f"{who} plays {where}."
        if self.game.status != "running":
            return NotSeated(said)
        loan = self.tenures.loan(seat)
        if loan is not None and loan.owner_id == user:
            return NotSeated(f"{said} `/seat take` takes it back.")
        is_open = self.tenures.opening(seat) is not None
        if had in lost(self.tenures, seat) and not (is_open and self.settings.newcomers != "vote"):
            said += " For a week in which you are not away, `/seat take` claims it back."
        if is_open:
            said += f" {self.way_back}"
        return NotSeated(said)

    @property
    def way_back(self) -> str:
        """How whoever has left comes back."""
        way = "ask the players for it" if self.settings.newcomers == "vote" else "take it again"
        return f"As long as the seat is open, you can {way}."

    def hosts(self, user: int) -> bool:
        """Whether the person may act for other seats: the host may, if the table allows it."""
        return self.settings.host_acts and user == self.game.host_id

    def may_act(self, user: int, seat: str) -> bool:
        """Whether the person may act for the seat, as its player or as the host; an opponent acts for itself."""
        if seat not in self.seats or self.opponent(seat) is not None:
            return False
        return seat in self.seats_of(user) or self.hosts(user)

    def seat_for(self, user: int) -> PlayerId:
        """The seat the person acts for: their own of those asked, one they host, or any of their own.

        Raises NotSeated.
        """
        mine, asked = self.viewer_for(user), self.position.up
        hosted = self.hosts(user) and asked and asked[0] in self.seats and self.opponent(asked[0]) is None
        if hosted and mine not in asked:
            return PlayerId(asked[0])
        if mine is None:
            raise self.not_seated(user)
        return mine

    def viewer_for(self, user: int) -> PlayerId | None:
        """The person's own seat, of several one that must decide: what is offered there is meant for it."""
        mine = self.seats_of(user)
        return next((seat for seat in mine if seat in self.position.up), next(iter(mine), None))

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

    def moments(self) -> "list[Moment]":
        """The moves that count, each with the position before it."""
        return [Moment(one, state) for one, state in zip(self.moves, self.states(), strict=False)]

    async def all_moments(self) -> "list[Moment]":
        """Those that were taken back too, each where it was made."""
        rows = await self.store.log(self.game.id)
        return await self.work.do(_all, self.title, self.beginning, tuple(self.entries), tuple(self.moves), rows)

    def seq_of(self, number: int) -> int:
        """The row of the move of this number, counted from 1: of the last one for a higher number, 0 without any."""
        return self.moves[min(max(number, 1), len(self.moves)) - 1].seq if self.moves else 0

    def _end_of(self, moves: list[Move]) -> State:
        return moves[-1].state if moves else self.beginning

    def account(self, moves: Sequence[Move]) -> list[str]:
        """What players are told of the moves, which are the last or were; at least what the first one was."""
        if told := gathered(self.tell(moves)):
            return told
        state = self._end_of([one for one in self.moves if one.seq < moves[0].seq])
        return [Position(self.title, state, 0, self.names, self.work).labels().of(moves[0].action)]


def lost(tenures: Tenures, seat: str) -> list[Handover]:
    """Who lost the seat to others, by the handover in which they did: the one whose it was first, first.

    Whoever has it again has lost nothing, nor has anybody who sat there only because they had lost it.
    """
    found: list[Handover] = []
    for one in (one for one in tenures.handovers if one.seat == seat):
        again = next((place for place, before in enumerate(found) if before.from_id == one.to_id), None)
        if again is not None and one.how != "lent":
            found = found[:again]
        elif one.how == "taken" and is_person(one.from_id):
            found.append(one)
    return found


@dataclass(frozen=True, slots=True)
class Moment:
    """One move, the position before it, and whether it was taken back."""

    move: Move
    before: State
    undone: bool = False

    def told(self, table: Played) -> list[str]:
        """The move in lines, with the name of whoever sat there then."""
        return tell(self.move, table.lexicon_at(self.move.seq))


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
