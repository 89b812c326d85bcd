"""A played game with its players' moves made by programs where they fit, as if they had known them before.

At each move that nobody's program makes, its player looks at what is offered there, and switches on what saves most
presses of what they did next, if anything does. Whoever sees that a program would soon do otherwise than they did
switches it off in time. The programs run as at any table; the game must come out the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Literal
from unittest.mock import patch

import engine
from bot.core import outcome as outcomes
from bot.core.moves import Move
from bot.core.orders import Desk, Orders
from bot.core.outcome import following
from bot.rooms.turn.beside import in_message
from engine import CHANCE, State, Title
from engine import actions as a
from engine.actions import Action
from engine.ids import SR
from programs import WAIT, BidFor, BidToPick, Buy, Event, Operate, Program, Stopped, presets, prompt, stops

Costs = Sequence[int]
"""How many presses each move takes by hand."""
HERE, MORE, FORM, OFF = 1, 2, 3, 2
"""Presses that switch on what stands in the message of a turn, what *More…* lists, a form of that list as it opens; and
that switch a program off, or have a turn played by hand. What is changed in a form is a press more each."""
How = Literal["off", "rest", "withhold"]
Plan = Sequence[tuple[int, How]]
"""Before which moves a program is switched off, leaves a company's turn to the player, or is overruled by another."""
FAR = 600
"""How many moves a player looks ahead."""


@dataclass(frozen=True)
class Played:
    """The positions and moves of a game: `states[i]` is where `actions[i]` was taken."""

    title: Title
    states: Sequence[State]
    actions: Sequence[Action]
    alone: Sequence[str | None]
    """By move, the seat that was asked alone and had a choice."""


def played(title: Title, names: Sequence[str], actions: Sequence[Action]) -> Played:
    """The game, up to where it ended or was ended."""
    taken = [one for one in actions if not isinstance(one, a.EndGame)]
    states = [engine.start(title, list(names))]
    for number, one in enumerate(taken):
        taken[number] = _as_offered(title, states[-1], one)
        states.append(engine.apply(title, states[-1], taken[number]))
    return Played(title, states, taken, [_alone(title, one) for one in states])


def _as_offered(t: Title, s: State, action: Action) -> Action:
    """The action; of runs that bring the same, the one that is offered first."""
    if not isinstance(action, a.RunTrains | a.StateRevenue):
        return action
    best = next((one for one in engine.legal(t, s, action.by) if isinstance(one, a.RunTrains)), None)
    if best is None:
        return action
    one, other = engine.apply(t, s, action), engine.apply(t, s, best)
    return best if (one.income, one.cash) == (other.income, other.cash) else action


def _alone(t: Title, s: State) -> str | None:
    asked = () if s.over else engine.decision(t, s).players
    return asked[0] if len(asked) == 1 and asked[0] != CHANCE and not outcomes.must_pass(t, s) else None


@dataclass
class Tally:
    """What programs saved in a game."""

    by_hand: int = 0
    """Presses of the game without programs."""
    saved: int = 0
    """Presses of the moves that programs made."""
    spent: int = 0
    """Presses that switched them on, and off."""
    moves: int = 0
    """How many moves programs made."""
    on: int = 0
    """How many were switched on."""
    visits: int = 0
    """How often a player has something to press without programs: moves in a row count once."""
    spared: int = 0
    """How many of those times programs did it all."""


@dataclass
class _Replay:
    """The game as it is played again."""

    game: Played
    costs: Costs
    worth: Costs
    """The same with what it is worth not to have to come."""
    orders: Orders = field(default_factory=lambda: Orders({}, {f"p{number}": 100 + number for number in range(1, 9)}))
    moves: list[Move] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    plans: dict[tuple[str, int], list[tuple[int, How]]] = field(default_factory=dict)
    """What is yet to come of each program's plan, by seat and its number."""
    manual: set[int] = field(default_factory=set)
    """The moves for which their player came."""

    @property
    def state(self) -> State:
        return self.moves[-1].state if self.moves else self.game.states[0]

    def follow(self) -> None:
        """Let programs, chance and forced passes go on, and keep in time from going astray."""
        going = True
        while going:
            self._keep_plans()
            going = False
            for one in following(self.game.title, self.state, len(self.moves) + 1, self.orders):
                self._take(one)
                if any(plan and plan[0][0] <= len(self.moves) for plan in self.plans.values()):
                    going = True
                    break

    def _keep_plans(self) -> None:
        for (seat, number), plan in self.plans.items():
            while plan and plan[0][0] <= len(self.moves):
                _, how = plan.pop(0)
                desk = self.orders.desk(seat)
                if any(one.number == number for one in desk.kept):
                    self.orders.desks[seat] = self._changed(desk, seat, number, how)
                    self.tally.spent += HERE if how == "withhold" else OFF

    def _changed(self, desk: Desk, seat: str, number: int, how: How) -> Desk:
        """The programs as the plan of one of them has it."""
        if how == "rest":
            return _resting(desk, number, self.state)
        (runs,) = [one.program for one in desk.kept if one.number == number]
        if how == "withhold" and isinstance(runs, Operate):
            return desk.having(runs.withholding())
        return desk.without(number, *(one.number for one in desk.kept if _is_once(one.program, runs)))

    def _take(self, one: Move) -> None:
        number = len(self.moves)
        assert one.action == self.game.actions[number], f"{one.action} instead of {self.game.actions[number]}, {number}"
        by_hand = 0 if one.note is not None else self.costs[number]
        self.tally.by_hand += by_hand
        if one.user is not None and one.user > 99:
            self.tally.saved += by_hand
            self.tally.moves += 1
        elif one.note is None:
            self.manual.add(number)
        self.moves.append(one)

    def by_hand(self) -> None:
        """The next move, by its player, or by what they switch on for it."""
        at, t, state = len(self.moves), self.game.title, self.state
        action = self.game.actions[at]
        best = _best(self.game, at, self.worth, self.orders)
        if best is not None:
            program, spent, plan = best
            desk = self.orders.desk(action.by)
            same = [one.number for one in desk.kept if _about(one.program) == _about(program)]
            desk = self.orders.desks[action.by] = desk.without(*same).having(program)
            self.plans[action.by, desk.made] = list(plan)
            self.tally.spent += spent
            self.tally.on += 1
            self.manual.add(at)
            self.follow()
        if len(self.moves) == at:
            after = engine.apply(t, state, action)
            self.orders.overruled(t, state, action)
            self.orders.moved(t, state, action, after, at + 1)
            self._take(Move(at + 1, action, 1, None, after, ""))
            self.follow()


def _resting(desk: Desk, number: int, s: State) -> Desk:
    """The programs, of which one leaves the present company's turn to the player."""
    kept = tuple(
        replace(one, program=replace(one.program, rests=s.operating)) if one.number == number else one  # type: ignore
        for one in desk.kept
    )
    return replace(desk, kept=kept)


def _is_once(one: Program, runs: Program) -> bool:
    """Whether the one is of the same company for one turn."""
    return isinstance(one, Operate) and isinstance(runs, Operate) and one.corp == runs.corp and one.rounds == 1


def _withholding(t: Title, s: State, seat: str, program: Program) -> Program | None:
    """What has the company whose turn it is withhold this once, if it is offered, and else act as the program does."""
    offered = f"withhold|{s.operating}" in presets(t, s, seat)
    return program.withholding() if offered and isinstance(program, Operate) else None


def replayed(game: Played, costs: Costs, coming: int = 0) -> tuple[list[Move], Tally]:
    """The game played again with programs, and what they saved; `coming` is how many presses a visit is worth."""
    draws = iter([one for one in game.actions if one.by == CHANCE])
    first = _visits(game)
    worth = [cost + coming * new for cost, new in zip(costs, first, strict=True)]
    with patch.object(outcomes, "RANDOM", SimpleNamespace(choice=lambda offered: next(draws))):
        run = _Replay(game, costs, worth)
        run.follow()
        while len(run.moves) < len(game.actions):
            run.by_hand()
    visit, came = 0, set[int]()
    for number, new in enumerate(first):
        visit += new
        run.tally.visits += new
        if number in run.manual and run.moves[number].note is None:
            came.add(visit)
    run.tally.spared = run.tally.visits - len(came)
    return run.moves, run.tally


def _visits(game: Played) -> list[bool]:
    """Of each move, whether its player came for it, and had not made the one before."""
    by = [one.by for one in game.actions]
    return [seat != CHANCE and (not number or by[number - 1] != seat) for number, seat in enumerate(by)]


def _best(game: Played, at: int, costs: Costs, orders: Orders) -> tuple[Program, int, Plan] | None:
    """What saves the player of this move most, switched on before it, with its presses and the plan for it."""
    seat, best, most = game.actions[at].by, None, 0
    if game.alone[at] != seat:
        return None
    has = {_about(one.program) for one in orders.desk(seat).kept}
    for quieter, saves, plan in _quieter(game, at, seat, costs, orders):
        if saves - MORE > most:
            best, most = (quieter, MORE, plan), saves - MORE
    for program, spent in _candidates(game, at, seat):
        if _about(program) in has:
            continue
        saves, plan = _saves(game, at, seat, program, costs)
        if saves - spent > most:
            best, most = (program, spent, plan), saves - spent
    return best


def _quieter(game: Played, at: int, seat: str, costs: Costs, orders: Orders) -> Iterator[tuple[Program, int, Plan]]:
    """Programs that are on, asking no more about this step; what that saves beside them, and the plan for it."""
    kinds = engine.present_step(game.title, game.states[at]).by_action
    for one in orders.desk(seat).kept:
        if isinstance(one.program, Operate) and one.program.rests is None and one.program.unasked(kinds) != one.program:
            quieter = one.program.unasked(kinds)
            saves, plan = _saves(game, at, seat, quieter, costs)
            yield quieter, saves - _saves(game, at, seat, one.program, costs)[0], plan


def _about(program: Program) -> tuple[str, str, str]:
    return program.kind, getattr(program, "corp", None) or "", getattr(program, "span", "")


def _saves(game: Played, at: int, seat: str, program: Program, costs: Costs) -> tuple[int, Plan]:
    """The presses that the program saves at best from this move on, and the plan with which it does."""
    t, saved, last = game.title, 0, min(len(game.actions), at + FAR)
    plan, best, most = list[tuple[int, How]](), (0, list[tuple[int, How]]()), 0
    asked: tuple[int, int, Program] | None = None
    over: Program | None = None
    number = at
    while number < last:
        s, after, action = game.states[number], game.states[number + 1], game.actions[number]
        if game.alone[number] == seat:
            asks = prompt(t, s, seat)
            answer = WAIT if over is None else over.move(asks)
            answer = program.move(asks) if answer is WAIT else answer
            if isinstance(answer, Stopped):
                break
            if isinstance(answer, Action) and answer != action:
                if saved - OFF > most:
                    best, most = (saved - OFF, [*plan, (number, "off")]), saved - OFF
                if asked is None or game.states[asked[0]].operating != s.operating or s.operating is None:
                    return best
                if over is not None:
                    plan.pop()
                withholds = over is None and isinstance(action, a.Dividend) and action.kind == "withhold"
                number, saved, program = asked
                over = _withholding(t, game.states[number], seat, program) if withholds else None
                if over is not None:
                    plan.append((number, "withhold"))
                    saved -= HERE
                else:
                    plan.append((number, "rest"))
                    saved -= OFF
                    program, asked = replace(program, rests=s.operating), None  # type: ignore[call-arg]
                continue
            if isinstance(answer, Action):
                saved += costs[number]
            elif isinstance(program, Operate) and s.operating and program.rests is None and asked is None:
                asked = number, saved, program
        event = Event(t, seat, s, action, after)
        found = stops(program, event) or program.after(event)
        if isinstance(found, Stopped):
            break
        program, number = found, number + 1
        if after.operating != s.operating:
            asked = over = None
    return (saved, plan) if saved > most else best


def _candidates(game: Played, at: int, seat: str) -> Iterator[tuple[Program, int]]:
    """Programs that might do what the player did next, with the presses that switch each on."""
    t, s, action = game.title, game.states[at], game.actions[at]
    found = presets(t, s, seat, _bought_last(game, at, seat))
    here = in_message(t, s, found)
    for name, one in found.items():
        yield one, HERE if name in here else MORE
    if s.operating is not None and not s.pending:
        yield from _operating(game, at, seat)
    elif s.round == SR:
        if isinstance(action, a.BuyShare):
            yield from _buying(game, at, seat, action)
    elif s.round == t.opening:
        yield from _bidding([one for one in game.actions[at : at + 100] if one.by == seat])


def _bought_last(game: Played, at: int, seat: str) -> str | None:
    """The company whose share the player bought last in the present round."""
    for number in range(at - 1, -1, -1):
        one = game.actions[number]
        if game.states[number].round != game.states[at].round:
            return None
        if one.by == seat and isinstance(one, a.BuyShare | a.Par):
            return one.corp
    return None


def _bidding(mine: Sequence[Action]) -> Iterator[tuple[Program, int]]:
    """Bidding as far as the player did."""
    bids = [one for one in mine if isinstance(one, a.Bid)]
    for bid in bids[:1]:
        most = max(one.amount for one in bids if one.private == bid.private)
        yield BidFor(private=bid.private, most=most, off=BidFor.quiet), FORM + 2
        yield BidFor(private=bid.private, most=most, off=(*BidFor.quiet, "price")), FORM + 3
    rights = [one.amount for one in mine if isinstance(one, a.BidToChoose)]
    for off in ((), ("price",)) if rights else ():
        yield BidToPick(most=rights[0], off=off), FORM + 1 + len(off)


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
    for source in ("any", "ipo", "pool"):
        program = Buy(corp=action.corp, shares=held, source=source, most=dearest, off=Buy.quiet)
        yield program, FORM + 3 + (source != "any")


def _operating(game: Played, at: int, seat: str) -> Iterator[tuple[Program, int]]:
    """Running the company as the player did next, by the form."""
    corp = game.states[at].operating
    assert corp is not None
    turn = _turn(game, at, corp)
    laying = a.LayTile in engine.present_step(game.title, game.states[at]).by_action
    lays = tuple(one for one in turn if isinstance(one, a.LayTile))
    placed = [one.stop for one in turn if isinstance(one, a.PlaceToken)]
    pays: a.Payout = next((one.kind for one in turn if isinstance(one, a.Dividend)), "pay")
    bought = any(isinstance(one, a.BuyTrain) for one in turn)
    for rounds in (0, 1):
        base = Operate(corp=corp, rounds=rounds, pays=pays, trains="next" if bought else "can", off=Operate.quiet)
        once = FORM + (rounds == 1) + (pays != "pay") + bought
        if not laying:
            yield replace(base, track="ask"), once
            yield replace(base, track="ask", token="ask"), once + 1
            yield replace(base, track="ask", trains="ask"), once + 1
        if lays or placed:
            token = {"token": "place", "place": placed[0]} if placed else {}
            track = {"track": "plan", "tiles": lays} if lays else {"track": "none"}
            yield replace(base, **token, **track), once + 1 + len(lays) + bool(placed)  # type: ignore[arg-type]


def _turn(game: Played, at: int, corp: str) -> list[Action]:
    """What was done in the rest of the company's turn."""
    taken: list[Action] = []
    while at < len(game.actions) and game.states[at].operating == corp:
        taken.append(game.actions[at])
        at += 1
    return taken
