"""A played game with its players' moves made by programs where they fit, as if they had known them before.

At each move that nobody's program makes, its player looks at what they did next and switches on the program that saves
them most presses, if any does. The programs then run as at any table; the game must come out the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from types import SimpleNamespace
from unittest.mock import patch

import engine
from bot.core import outcome as outcomes
from bot.core.moves import Move
from bot.core.orders import Orders
from bot.core.outcome import following, outcome
from engine import CHANCE, State, Title
from engine import actions as a
from engine.actions import Action
from engine.ids import SR
from programs import BidFor, BidToPick, Buy, Event, Operate, PassAhead, Program, Stopped, question, stops
from programs.operating import offered

Costs = Sequence[int]
"""How many presses each move takes by hand."""
OPENING = 4
"""Presses that switch on a program as it is offered: *My hand*, *Programs…*, its kind, *Switch it on*."""
PASSING = 2
"""Presses that have a player pass ahead: *My hand*, and for how long."""
FAR = 150
"""How many moves a player looks ahead."""


@dataclass(frozen=True)
class Played:
    """The positions and moves of a game: `states[i]` is where `actions[i]` was taken."""

    title: Title
    states: Sequence[State]
    actions: Sequence[Action]


def played(title: Title, names: Sequence[str], actions: Sequence[Action]) -> Played:
    """The game, up to where it ended or was ended."""
    taken = [one for one in actions if not isinstance(one, a.EndGame)]
    states = [engine.start(title, list(names))]
    for one in taken:
        states.append(engine.apply(title, states[-1], one))
    return Played(title, states, taken)


@dataclass
class Tally:
    """What programs saved in a game."""

    by_hand: int = 0
    """Presses of the game without programs."""
    saved: int = 0
    """Presses of the moves that programs made."""
    spent: int = 0
    """Presses that switched them on."""
    moves: int = 0
    """How many moves programs made."""
    on: int = 0
    """How many were switched on."""
    visits: int = 0
    """How often a player has something to press without programs: moves in a row count once."""
    spared: int = 0
    """How many of those times programs did it all."""


def replayed(game: Played, costs: Costs, coming: int = 0) -> tuple[list[Move], Tally]:
    """The game played again with programs, and what they saved; `coming` is how many presses a visit is worth."""
    draws = iter([one for one in game.actions if one.by == CHANCE])
    with patch.object(outcomes, "RANDOM", SimpleNamespace(choice=lambda offered: next(draws))):
        return _replayed(game, costs, coming)


def _replayed(game: Played, costs: Costs, coming: int) -> tuple[list[Move], Tally]:
    t, tally = game.title, Tally()
    worth = [cost + coming * first for cost, first in zip(costs, _visits(game), strict=True)]
    manual = set[int]()
    orders = Orders({}, {f"p{number}": 100 + number for number in range(1, 9)})
    moves = list(following(t, game.states[0], 1, orders))
    while len(moves) < len(game.actions):
        at = len(moves)
        action, state = game.actions[at], moves[-1].state if moves else game.states[0]
        best = _best(game, at, worth) if not orders.desk(action.by).kept else None
        if best is not None:
            program, spent = best
            orders.desks[action.by] = orders.desk(action.by).having(program)
            tally.spent += spent
            tally.on += 1
            made = list(following(t, state, at + 1, orders))
        else:
            made = outcome(t, state, action, 1, None, at + 1, orders)
        for number, one in enumerate(made, start=at):
            assert one.action == game.actions[number], f"{one.action} instead of {game.actions[number]}, move {number}"
            by_hand = 0 if one.note is not None else costs[number]
            tally.by_hand += by_hand
            if one.user is not None and one.user > 99:
                tally.saved += by_hand
                tally.moves += 1
            elif one.note is None:
                manual.add(number)
        moves += made
        if best is not None:
            manual.add(at)  # its owner came to switch it on
    visit, came = 0, set[int]()
    for number, (first, one) in enumerate(zip(_visits(game), moves, strict=True)):
        visit += first
        tally.visits += first
        if number in manual and one.note is None:
            came.add(visit)
    tally.spared = tally.visits - len(came)
    return moves, tally


def _visits(game: Played) -> list[bool]:
    """Of each move, whether its player came for it, and had not made the one before."""
    by = [one.by for one in game.actions]
    return [seat != CHANCE and (not number or by[number - 1] != seat) for number, seat in enumerate(by)]


def _best(game: Played, at: int, costs: Costs) -> tuple[Program, int] | None:
    """The program that saves the player of this move most, switched on before it, and what it costs to do so."""
    seat, best, most = game.actions[at].by, None, 0
    if seat == CHANCE:
        return None
    for program, spent in _candidates(game, at, seat):
        saves = _saves(game, at, seat, program, costs) - spent
        if saves > most:
            best, most = (program, spent), saves
    return best


def _saves(game: Played, at: int, seat: str, program: Program, costs: Costs) -> int:
    """The presses that the program saves from this move on; nothing if it ever does what the player did not do."""
    t, saved, left = game.title, 0, game.actions[at : at + FAR]
    for number, action in enumerate(left, start=at):
        s, after = game.states[number], game.states[number + 1]
        asked = engine.decision(t, s).players
        if asked == (seat,) and not outcomes.must_pass(t, s):
            answer = program.move(question(t, s, seat))
            if isinstance(answer, Stopped):
                return saved
            if isinstance(answer, Action):
                if answer != action:
                    return 0
                saved += costs[number]
            elif number == at:
                return 0
        event = Event(t, seat, s, action, after)
        found = stops(program, event) or program.after(event)
        if isinstance(found, Stopped):
            return saved
        program = found
    return saved


def _candidates(game: Played, at: int, seat: str) -> Iterator[tuple[Program, int]]:
    """Programs that might do what the player did next, with the presses that switch each on."""
    s, action = game.states[at], game.actions[at]
    mine = [one for one in game.actions[at : at + FAR] if one.by == seat]
    if s.operating is not None and not s.pending:
        yield from _operating(game, at, seat)
    elif s.round == SR:
        yield PassAhead(off=PassAhead.quiet), PASSING
        yield PassAhead(off=PassAhead.watches), OPENING + len(PassAhead.watches)
        if isinstance(action, a.BuyShare):
            yield from _buying(game, at, seat, action)
    elif s.round == game.title.opening:
        yield PassAhead(off=PassAhead.quiet), PASSING
        for bid in mine:
            if isinstance(bid, a.Bid):
                most = max(one.amount for one in mine if isinstance(one, a.Bid) and one.private == bid.private)
                yield BidFor(private=bid.private, most=most, off=BidFor.quiet), OPENING + 3
                yield BidFor(private=bid.private, most=most, off=(*BidFor.quiet, "price")), OPENING + 4
                break
        rights = [one.amount for one in mine if isinstance(one, a.BidToChoose)]
        if rights:
            for off in ((), ("price",)):
                yield BidToPick(most=rights[0], off=off), OPENING + 2 + len(off)


def _buying(game: Played, at: int, seat: str, action: a.BuyShare) -> Iterator[tuple[Program, int]]:
    """Buying on in this round, as far as the player did."""
    bought, last, dearest = 0, at, 0
    for number in range(at, len(game.actions)):
        if game.states[number].round != SR:
            break
        one = game.actions[number]
        if isinstance(one, a.BuyShare) and (one.by, one.corp) == (seat, action.corp):
            facts = [fact for fact in game.states[number + 1].facts if getattr(fact, "target", None) == seat]
            dearest = max([dearest, *(int(getattr(fact, "price", 0)) for fact in facts)])
            bought, last = bought + 1, number
    held = game.states[last + 1].held(action.corp, seat)
    for off in (Buy.quiet, Buy.watches):
        extra = len(Buy.watches) - 1 if off == Buy.watches else 0
        for source in ("any", "ipo", "pool"):
            program = Buy(corp=action.corp, shares=held, source=source, most=dearest, off=off)
            yield program, OPENING + 2 + 2 + (source != "any") + extra


def _operating(game: Played, at: int, seat: str) -> Iterator[tuple[Program, int]]:
    """Running the company as the player did, for one turn and for more."""
    corp = game.states[at].operating
    assert corp is not None
    turns = list(_turns(game, at, corp, seat))
    for count in range(1, min(len(turns), 4) + 1):
        taken = [one for turn in turns[:count] for one in turn]
        lays = [one for one in taken if isinstance(one, a.LayTile)]
        bought = any(isinstance(one, a.BuyTrain) for one in taken)
        placed = [one for one in taken if isinstance(one, a.PlaceToken)]
        pays = {one.kind for one in taken if isinstance(one, a.Dividend)}
        base = Operate(corp=corp, rounds=count, off=Operate.quiet)
        tracks = [replace(base, track="plan", tiles=tuple(lays))] if lays else [base]
        tracks.append(replace(base, track="ask"))
        for one in tracks:
            for token in _tokens(one, placed):
                for pay in (list(pays) if len(pays) == 1 else []) + ["ask"]:
                    for trains in ("next" if bought else "none", "ask"):
                        program = replace(token, pays=pay, trains=trains)  # type: ignore[arg-type]
                        yield program, _cost(game.states[at], program)


def _tokens(base: Operate, placed: Sequence[a.PlaceToken]) -> Iterator[Operate]:
    if placed:
        yield replace(base, token="place", place=placed[0].stop)
    else:
        yield base
    yield replace(base, token="ask")


def _cost(s: State, program: Operate) -> int:
    """The presses that change what is offered into this program; it is offered for the company whose turn it is."""
    begun = replace(offered(s, program.corp), off=program.off)
    changed = [one.name for one in fields(program) if getattr(program, one.name) != getattr(begun, one.name)]
    spent = OPENING + sum(name not in ("tiles", "place") for name in changed)
    return spent + (2 - 1 if program.tiles else 0)  # the form sets the track, too


def _turns(game: Played, at: int, corp: str, seat: str) -> Iterator[list[Action]]:
    """What was done in the company's turns from this move on, turn by turn, as long as the player runs it."""
    turn: list[Action] = []
    inside = False
    for number in range(at, min(len(game.actions), at + 6 * FAR)):
        s = game.states[number]
        if s.president_of(corp) != seat:
            break
        if s.operating == corp:
            inside = True
            turn.append(game.actions[number])
        elif inside:
            yield turn
            turn, inside = [], False
    if inside and turn:
        yield turn
