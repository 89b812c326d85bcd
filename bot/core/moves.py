"""The moves in force: how each came about and is told, which turn it belongs to, and what followers hear of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import engine
from bot.core.opponents import level_of
from bot.words.lexicon import Lexicon, bold
from bot.words.narration import HOW, Sentence, lines_of
from engine import CHANCE, Action, Decision, Fact, HexId, State, Title
from engine import facts as f
from engine.actions import Pass
from engine.past import changed_hexes
from storage import Handover

How = Literal[
    "host", "moderator", "cautious", "ahead", "voted", "agreed", "imported", "offer", "suggested", "drawn", "standing",
    "forced",
]  # fmt: skip
STORED: dict[How, str] = {
    "host": "by the host",
    "moderator": "by a moderator",
    "cautious": "by the bot, cautiously",
    "ahead": "by the bot, before the game begins here",
    "voted": "passed by the others",
    "agreed": "agreed by all",
    "imported": "imported",
    "suggested": "after a suggestion",
    "drawn": "auto: drawn by chance",
    "standing": "auto: standing pass",
    "forced": "auto: nothing else to do",
}
"""What rows of the log have for it, whatever people read (`narration.HOW`)."""
TABLE = "table"
"""Stands in for seats where what all agreed to is done for every one of them."""
JOINED = "with the move before"
"""What a row of the log has, after its note, of a move made by the press that made the move before."""
_READ = {text: how for how, text in STORED.items()}
_OFFER = re.compile(r"offer (\d+) accepted")


@dataclass(frozen=True, slots=True)
class Note:
    """How a row of the log came about, where a player did not simply act for their own seat."""

    how: How
    offer: int = 0
    """The id of the accepted offer."""

    @property
    def automatic(self) -> bool:
        """Whether the bot made the move on its own."""
        return self.how in ("drawn", "standing", "forced")

    def __str__(self) -> str:
        """As stored in the log."""
        return f"offer {self.offer} accepted" if self.how == "offer" else STORED[self.how]


def read_note(text: str | None) -> Note | None:
    """The note on a row; None if there is none, or none that this version understands."""
    text = (text or "").removesuffix(JOINED).removesuffix("; ")
    if match := _OFFER.fullmatch(text):
        return Note("offer", int(match[1]))
    how = _READ.get(text)
    return None if how is None else Note(how)


def joins(text: str | None) -> bool:
    """Whether the note on a row says that the press that made the move before made this one, too."""
    return (text or "").endswith(JOINED)


@dataclass(frozen=True, slots=True)
class Move:
    """One action in force, who made it, and the position it led to."""

    seq: int
    action: Action
    user: int | None
    note: Note | None
    state: State
    company: str = ""
    """The company whose decision it was; none where that was a player's own."""
    joined: bool = False
    """Whether the press that made the seat's decision before made this one, too."""

    @property
    def stored_note(self) -> str | None:
        """What its row of the log says of how it came about."""
        parts = [str(self.note)] if self.note is not None else []
        return "; ".join([*parts, JOINED] if self.joined else parts) or None

    @property
    def automatic(self) -> bool:
        """Whether the bot made it: a chance draw, a forced pass, or a standing pass of an earlier version."""
        return self.action.by == CHANCE or (self.note is not None and self.note.automatic)


@dataclass(frozen=True, slots=True)
class TurnKey:
    """Identifies a turn: who decides, in which round, for which company or private, after how many moves."""

    players: tuple[str, ...]
    round: str
    subject: str
    start: int
    began: int
    """The same of a turn that has only gone on since others decided something: of all of it."""

    def __str__(self) -> str:
        return f"{'+'.join(self.players) or 'over'}:{self.round}:{self.subject}:{self.start}"


def follow(before: State, after: State) -> None:
    """Keep a position small that follows another: it shares what is the same, and answers about the old map go."""
    after.share(before)
    if after.board is not before.board:
        before.board.forget()


def turn_key(title: Title, moves: Sequence[Move], beginning: State, before: int = 0) -> TurnKey:
    """The turn of the latest position; `before` moves preceded the beginning."""
    asked = engine.decision(title, state_after(moves, len(moves), beginning))
    start, first = turn_start(title, moves, beginning), _began_at(title, moves, beginning, asked)
    return TurnKey(asked.players, asked.round, asked.subject or "", before + start, before + first)


def _began_at(title: Title, moves: Sequence[Move], beginning: State, asked: Decision) -> int:
    """As `began`; what interrupts the turn of whoever is asked belongs to that turn."""
    own = len(moves)
    while own and state_after(moves, own, beginning).pending:
        own -= 1
    same = engine.decision(title, state_after(moves, own, beginning)).players == asked.players
    return began(title, moves[:own] if same else moves, beginning)


def turn_start(title: Title, moves: Sequence[Move], beginning: State, *, interrupted: bool = False) -> int:
    """How many moves came before the current turn; it may have been `interrupted` by what others decided."""
    index = len(moves)
    asked = engine.decision(title, state_after(moves, index, beginning))
    while index > 0:
        before = state_after(moves, index - 1, beginning)
        if not (interrupted and before.pending):
            passed = asked.subject is None and isinstance(moves[index - 1].action, Pass)
            if passed or not same_turn(asked, engine.decision(title, before)):
                break
        index -= 1
    return index


def lately(title: Title, moves: Sequence[Move], beginning: State) -> tuple[list[Fact], tuple[HexId, ...]]:
    """What happened in the last turn and this one, which pictures mark; and where this one built."""
    start = turn_start(title, moves, beginning)
    before = turn_start(title, moves[:start], beginning)
    latest = [fact for one in moves[before:] for fact in one.state.facts]
    return latest, changed_hexes(fact for one in moves[start:] for fact in one.state.facts)


def state_after(moves: Sequence[Move], count: int, beginning: State) -> State:
    return moves[count - 1].state if count else beginning


def began(title: Title, moves: Sequence[Move], beginning: State) -> int:
    """How many moves came before the present turn, also if others decided something in between, as a seller's tile."""
    if state_after(moves, len(moves), beginning).pending:
        return turn_start(title, moves, beginning)
    start = turn_start(title, moves, beginning, interrupted=True)
    while state_after(moves, start, beginning).pending:  # an interrupt of the turn before
        start += 1
    return start


def company_of(state: State) -> str:
    """The company that decides in this position; none where a player decides something of their own."""
    return "" if state.pending or state.operating is None else str(state.operating)


def same_turn(one: Decision, other: Decision) -> bool:
    """Whether two decisions belong to the same people, round, and company or private."""
    return (one.players, one.round, one.subject) == (other.players, other.round, other.subject)


def final_scores(title: Title, state: State) -> dict[str, int] | None:
    """Final worth by seat, best first; None until the game is over."""
    if not state.over:
        return None
    ends = [fact for fact in state.facts if isinstance(fact, f.GameEnded)]
    return dict(ends[-1].scores if ends else engine.scores(title, state))


@dataclass(frozen=True, slots=True)
class ToldBefore:
    """A move before the rules changed: its position is gone, what was told of it stays."""

    seq: int
    by: str
    """The seat; empty for the change itself."""
    told: tuple[Sentence, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(one.text for one in self.told)


def tell(move: Move, names: Lexicon) -> list[str]:
    """The move in lines, marked where somebody else than the player acted."""
    return [one.text for one in told_lines(move, names)]


def told_lines(move: Move, names: Lexicon, *, chosen: bool = False) -> list[Sentence]:
    """As `tell`, with what each line is about; `chosen`: as whoever has just chosen it is told."""
    lines = lines_of(move.state.facts, names, move.company, chosen=chosen)
    if lines and move.note is not None and move.note.how != "offer":
        lines[0] = lines[0].noted(HOW[move.note.how])
    return lines


def tell_handover(one: Handover) -> str:
    old, new = bold(one.from_name), bold(one.to_name)
    match one.how:
        case "given":
            return f"{new} takes over the seat of {old}."
        case "lent" if level_of(one.to_id) is not None:
            return f"{new} plays for {old} until they are back."
        case "lent":
            return f"{new} plays for {old}, who has lent the seat."
        case "returned":
            return f"{new} plays again, after {old}."
        case "left":
            return f"{old} leaves the game, and the seat is open."
        case "taken" if level_of(one.to_id) is not None:
            return f"{new} plays on in the seat of {old}."
        case "taken":
            return f"{new} takes the open seat of {old}."


EVENTS = {
    "turn": "every turn",
    "round": "a round ends",
    "company": "a company starts or dies",
    "train": "a train rusts",
    "bankrupt": "somebody goes bankrupt",
    "end": "the game ends",
}
"""What can be followed, as it is called."""
_KINDS: tuple[tuple[type[f.Fact], str], ...] = (
    (f.RoundBegan, "round"),
    (f.ParSet, "company"),
    (f.Floated, "company"),
    (f.CompanyChanged, "company"),
    (f.TrainsRusted, "train"),
    (f.TrainExported, "train"),
    (f.WentBankrupt, "bankrupt"),
    (f.GameEnded, "end"),
)


def events_of(move: Move) -> set[str]:
    """What a move means to those who follow the game."""
    return {"turn"} | {name for fact in move.state.facts for kind, name in _KINDS if isinstance(fact, kind)}
