"""The coach: which decisions of a game cost each player most, and how the chances stood as it went on.

Every decision is judged by what its seat could know then. Two judges have to agree that another choice was better: what
the strong thinks, and the learnt estimate of where both choices lead. The smaller of their two figures is what it cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from engine import CHANCE, State, Title, decision
from engine import actions as act
from engine.actions import Action
from engine.ids import SR, PlayerId
from engine.past import rounds_of
from opponents import strong
from opponents.choice import Choice
from opponents.estimate import Estimate, estimate
from opponents.facts import facts_of
from opponents.levels import PEOPLE, Levels, advise
from opponents.question import Question, ask
from opponents.quick import Playouts, beliefs

MOST = 5
"""How many decisions of each player are told at most."""
CLEAR = 0.015
"""What a decision must have cost at least to be told, as part of the table's mean."""
CHECKED = 8
"""How many decisions of each player the estimate looks at, those that cost most by what the strong thinks."""
DRAWS = 4
"""In how many ways a stock round is played on to its end."""
UNSURE = (act.LayTile, act.LayPowerTile, act.PlaceToken)
"""What is judged only where the strong has thought of it: the estimate does not see what track promises."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A decision, and a better one."""

    at: int
    """How many moves came before it."""
    seat: PlayerId
    made: Choice
    better: Choice
    cost: float
    """By what part of the table's mean the seat ends lower."""
    worth: int
    """The same in money, about."""
    firsts: tuple[int, int]
    """In how many of a hundred ways it ends first: after the better one, and after what was done."""


@dataclass(frozen=True, slots=True)
class Review:
    """A game looked back on."""

    chances: tuple[tuple[int, ...], ...]
    """At the start and at the end of each round: by seat, in how many of a hundred ways it ends first."""
    slips: tuple[tuple[Slip, ...], ...]
    """By seat, those that cost most, the dearest first."""


def review(
    t: Title, states: Sequence[State], actions: Sequence[Action], seed: int = 0, levels: Levels = PEOPLE
) -> Review:
    """Look back on a game; `states` are its beginning and the position after each action."""
    slips = []
    for seat in states[0].players:
        doubts = sorted(_doubts(t, states, actions, seat, seed), key=lambda doubt: -doubt.gap)[:CHECKED]
        found = [slip for doubt in doubts if (slip := _slip(doubt, levels)) is not None]
        slips.append(tuple(_dearest(states, found)))
    return Review(chances(t, states, levels), tuple(slips))


def chances(t: Title, states: Sequence[State], levels: Levels = PEOPLE) -> tuple[tuple[int, ...], ...]:
    """At the start and at the end of each round: by seat, in how many of a hundred ways it ends first."""
    return tuple(estimate(t, states[at], levels).firsts() for at in (0, *(one.end for one in rounds_of(states))))


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A decision in which the strong would have done something else."""

    q: Question
    at: int
    made: Choice
    better: Choice
    gap: float
    """By how much the strong thinks that better, in money; without limit where it has not thought of what was done."""


def _doubts(
    t: Title, states: Sequence[State], actions: Sequence[Action], seat: PlayerId, seed: int
) -> Iterator[_Doubt]:
    for at, (s, action) in enumerate(zip(states, actions, strict=False)):
        if action.by != seat or s.over or decision(t, s).players[0] in (CHANCE, *(set(s.players) - {seat})):
            continue
        q = ask(t, s, seat, seed=seed)
        if len(q.options) < 2 or q.is_auction() or isinstance(action, act.EndGame):
            continue
        choices = advise(t, s, seat, "strong", seed)
        made = next((one for one in choices if one.action == action), None)
        if choices[0] is made or not choices[0].sensible or (made is None and isinstance(action, UNSURE)):
            continue
        gap = choices[0].score - made.score if made is not None and made.sensible else float("inf")
        yield _Doubt(q, at, made or Choice(action, 0.0), choices[0], gap)


def _slip(doubt: _Doubt, levels: Levels) -> Slip | None:
    """The decision, if the estimate thinks so too and it was dear."""
    q, seat = doubt.q, doubt.q.s.players.index(doubt.q.seat)
    after = led_to(q, [doubt.better.action, doubt.made.action], levels)
    if after is None:
        return None
    better, made = after
    each = max(made.together / len(made.leads), 1.0)
    cost = min(better.leads[seat] - made.leads[seat], doubt.gap / each)
    if cost < CLEAR:
        return None
    firsts = made.moved(seat, cost).firsts()[seat], made.firsts()[seat]
    return Slip(doubt.at, q.seat, doubt.made, doubt.better, cost, round(cost * each), firsts)


def led_to(q: Question, actions: Sequence[Action], levels: Levels = PEOPLE) -> list[Estimate] | None:
    """How the game is thought to end after each of these actions; None where one cannot be tried.

    A stock round is played on to its end first, in the same ways after each of them.
    """
    q = replace(q, w=replace(q.w, rival=strong.RIVAL, rivals=strong.RIVALS, raised=strong.RAISED))
    after = [state for action in actions if (state := q.after(action)) is not None]
    if len(after) < len(actions):
        return None
    if q.s.round != SR or not facts_of(q.t).presidents_pay or q.s.pending:
        return [estimate(q.t, state, levels) for state in after]
    playouts = Playouts(q, beliefs(q))
    draws = [playouts.draw(number) for number in range(DRAWS)]
    return [
        _mean(
            [
                estimate(
                    q.t, playouts.played(state, draw, done=isinstance(action, act.Pass) and not q.s.bought), levels
                )
                for draw in draws
            ]
        )
        for action, state in zip(actions, after, strict=True)
    ]


def _mean(found: Sequence[Estimate]) -> Estimate:
    leads = tuple(mean(column) for column in zip(*(one.leads for one in found), strict=True))
    figures = ((one.spread, one.together, one.off) for one in found)
    return Estimate(leads, *map(mean, zip(*figures, strict=True)))


def _dearest(states: Sequence[State], slips: list[Slip]) -> Iterator[Slip]:
    """Those that cost most; of several of a kind in one round only the dearest."""
    seen: set[tuple[object, ...]] = set()
    for slip in sorted(slips, key=lambda one: -one.worth):
        s = states[slip.at]
        key = (s.round, s.turn, s.or_number, s.operating, type(slip.better.action))
        if key not in seen and len(seen) < MOST:
            seen.add(key)
            yield slip
