"""A line of moves that one person tries out from a position of a game, as a plain record.

It begins at a position as its owner's seat may know it: in purses that the seat may not look into is what its owner
assumes. `happened` compares it with the moves of the game since, by what the seat may know of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import engine
from bot.core.moves import Move, Note, company_of, read_note, state_after
from bot.core.outcome import must_pass
from engine import BANK, Action, EngineError, PlayerId, State, Title, from_json, to_json
from engine.actions import Pass
from engine.money import set_aside
from engine.secrets import hidden_purses
from engine.stored import ODD, comparable, fingerprint
from opponents.sight import seen
from programs.following import told

MOST_STEPS = 60
"""As many moves as a line has ahead: more than two rounds of a large game."""
MOST_BEHIND = 20
"""As many of its moves as it keeps once the game has made them, since the game may take them back."""
FORCED = Note("forced")
"""On a pass that nobody chose."""
DRAWN = Note("drawn")

Parting = Literal["taken back", "otherwise", "known", "past", "rules"]
"""How a game and a line part: the position it began at was taken back; another move was made; the same moves led to
something else, as the owner now knows; the game went on past its end; the rules changed."""


@dataclass(frozen=True, slots=True)
class LineMove:
    """One move of a line, and how it came about if nobody chose it."""

    action: Action
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """Moves from a position of a game on."""

    name: str
    viewer: PlayerId | None
    """The seat whose knowledge it is made with; None for a spectator's."""
    start: int
    """How many moves of the game in force came before it."""
    mark: str
    """Tells whether the game's position there is still the one it began at, as the seat may know it."""
    assumed: Mapping[str, int]
    """What is taken to be in the purses that the seat could not look into."""
    steps: tuple[LineMove, ...] = ()
    relives: bool = False
    """Whether it goes back into a game that is over: that the game went on otherwise does not matter then."""


@dataclass(frozen=True, slots=True)
class Parted:
    """The move of a line, counted from 0, at which the game did something else."""

    how: Parting
    at: int = 0


def begin(title: Title, state: State, viewer: PlayerId | None, start: int, name: str) -> Line:
    """A line without moves from this position of the game."""
    return Line(name, viewer, start, mark(title, state, viewer), assumptions(title, state, viewer))


def relived(title: Title, state: State, start: int, name: str) -> Line:
    """A line without moves from an earlier position of a game that is over, in which nothing is hidden any more."""
    return Line(name, None, start, mark(title, state, None), {}, relives=True)


def mark(title: Title, state: State, viewer: PlayerId | None) -> str:
    """The same text for positions that are the same as far as the viewer may know."""
    return fingerprint(_estimated(title, state, viewer))


def assumptions(title: Title, state: State, viewer: PlayerId | None) -> dict[str, int]:
    """What the viewer would guess to be in each purse that is hidden from them."""
    guessed = _estimated(title, state, viewer)
    return {str(holder): guessed.cash[holder] for holder in hidden_purses(title, state, viewer)}


def together(title: Title, state: State, viewer: PlayerId | None) -> int | None:
    """What the hidden purses hold together, where it can be told from what the bank has; None elsewhere."""
    hidden = hidden_purses(title, state, viewer)
    known = hidden and title.policy.companies.bank == BANK
    return sum(state.cash[holder] for holder in hidden) if known else None


def least(state: State, holder: str) -> int:
    """What a purse holds at any rate: a player's the money of their bids."""
    return set_aside(state, PlayerId(holder)) if holder in state.names else 0


def _estimated(title: Title, state: State, viewer: PlayerId | None) -> State:
    """The position with estimates in the hidden purses, which together are what is known of them."""
    guessed = seen(title, state, viewer or PlayerId(""))
    total = together(title, state, viewer)
    if total is not None:
        hidden = hidden_purses(title, state, viewer)
        guessed.cash[hidden[0]] += total - sum(guessed.cash[holder] for holder in hidden)
    return guessed


def opened(title: Title) -> Title:
    """The title as a line is looked at: whoever tries something out knows or assumes all that there is."""
    secrecy = replace(title.policy.secrecy, open_cash=True, open_treasuries=True, open_train_prices=True)
    return replace(title, policy=replace(title.policy, secrecy=secrecy))


def tried(title: Title) -> Title:
    """The title as a line is played: whoever is asked in the game is asked, too, if a company is secretly too poor."""
    secrecy = replace(title.policy.secrecy, open_train_prices=True)
    return replace(title, policy=replace(title.policy, secrecy=secrecy))


def first_state(line: Line, state: State) -> State:
    """The position that the line begins at, of the game's position there."""
    first = state.copy()
    first.cash |= line.assumed
    return first


def played(title: Title, first: State, steps: Sequence[LineMove]) -> list[Move]:
    """The moves of the steps. Raises what `engine.apply` raises where one cannot be made."""
    moves: list[Move] = []
    state = first
    for number, step in enumerate(steps, 1):
        company = company_of(state)
        after = engine.apply(title, state, step.action)
        after.share(state)
        if state.board not in (after.board, first.board):  # the first is the game's own
            state.board.forget()
        state = after
        moves.append(Move(number, step.action, None, step.note, state, company))
    return moves


def grown(title: Title, state: State, actions: Sequence[Action], note: Note | None = None) -> list[LineMove]:
    """The actions as steps, each with the passes that follow since nothing else can be done; chance is asked for.

    Raises what `engine.apply` raises.
    """
    steps: list[LineMove] = []
    for action in actions:
        steps.append(LineMove(action, note))
        state = engine.apply(title, state, action)
        while not state.over and must_pass(title, state):
            steps.append(LineMove(Pass(engine.decision(title, state).players[0]), FORCED))
            state = engine.apply(title, state, steps[-1].action)
    return steps


def back(steps: Sequence[LineMove]) -> tuple[LineMove, ...]:
    """Without the last decision, and what followed from it."""
    kept = list(steps)
    while kept and kept[-1].note == FORCED:
        kept.pop()
    return tuple(kept[:-1])


def happened(title: Title, line: Line, mine: Sequence[Move], beginning: State, theirs: Sequence[Move]) -> int | Parted:
    """How many of the line's moves (`mine`) the game has made, of the moves in force in it; or how they part."""
    if not comparable(line.mark, title):
        return Parted("rules")
    if line.start > len(theirs) or mark(title, state_after(theirs, line.start, beginning), line.viewer) != line.mark:
        return Parted("taken back")
    if line.relives:
        return 0
    since = theirs[line.start :]
    count = 0
    for one, other in zip(mine, since, strict=False):
        if told(title, one.action) != told(title, other.action):
            return Parted("otherwise", count)
        count += 1
    if count and mark(title, mine[count - 1].state, line.viewer) != mark(title, since[count - 1].state, line.viewer):
        return Parted("known", count - 1)
    return Parted("past", count) if len(since) > len(mine) else count


def shortened(title: Title, line: Line, mine: Sequence[Move], there: State, count: int) -> Line:
    """The line without its first `count` moves, which the game has made; `there` is the game's position after them."""
    reached = mine[count - 1].state
    assumed = {str(holder): reached.cash[holder] for holder in hidden_purses(title, there, line.viewer)}
    begun = replace(line, start=line.start + count, mark=mark(title, there, line.viewer), assumed=assumed)
    return replace(begun, steps=line.steps[count:])


# As text


def written(line: Line) -> str:
    body = {
        "name": line.name,
        "seat": line.viewer or "",
        "start": line.start,
        "mark": line.mark,
        "assumed": dict(line.assumed),
        "steps": [[to_json(one.action), str(one.note or "")] for one in line.steps],
        **({"relives": True} if line.relives else {}),
    }
    return json.dumps(body, separators=(",", ":"))


def read(text: str) -> Line | None:
    """What `written` wrote; None for what this version cannot read."""
    try:
        body: dict[str, Any] = json.loads(text)
        steps = tuple(LineMove(from_json(action), read_note(note)) for action, note in body["steps"])
        assumed = {str(holder): int(amount) for holder, amount in body["assumed"].items()}
        viewer = PlayerId(str(body["seat"])) if body["seat"] else None
        name, start, relives = str(body["name"]), int(body["start"]), bool(body.get("relives"))
        return Line(name, viewer, start, str(body["mark"]), assumed, steps, relives)
    except (EngineError, *ODD):
        return None
