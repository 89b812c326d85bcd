"""Counsel for people: what the strong would do, how the game may end then, and what it expects to follow."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from engine import CHANCE, BadAction, Refused, State, Title, apply, decision
from engine.actions import Action
from engine.ids import PlayerId
from opponents.choice import Choice, Reason
from opponents.coach import led_to
from opponents.estimate import Estimate
from opponents.levels import PEOPLE, Levels, advise, choose
from opponents.question import Question, ask

FOLLOWING = 4
"""How many moves are expected to follow, at most until it is the same seat's turn again."""


@dataclass(frozen=True, slots=True)
class Counsel:
    """What is told to whoever asks."""

    choices: list[Choice]
    """The best first."""
    follows: list[Action]
    """What is expected after the first."""
    end: tuple[Reason, ...] = ()
    """How the game may end after the first: the chance to come first, and the range."""


def counsel(t: Title, s: State, seat: PlayerId, seed: int = 0, levels: Levels = PEOPLE) -> Counsel:
    """What the strong would do in the seat's place. Raises ValueError if it is not asked."""
    choices, q = advise(t, s, seat, "strong", seed), ask(t, s, seat, seed=seed)
    if q.is_auction() or len(q.options) < 2:
        return Counsel(choices, [])
    best = choices[0]
    ends = led_to(q, [best.action], levels) if best.sensible else None
    return Counsel(choices, _follows(q, best.action, seed), () if ends is None else _foretold(q, ends[0]))


def _foretold(q: Question, end: Estimate) -> tuple[Reason, ...]:
    """The chance to end first, and between which worths half of all games end.

    It is told of the best choice alone: ranked by it, a strong plays worse (docs/opponents-lab.md).
    """
    mine = q.s.players.index(q.seat)
    low, high = end.range(mine)
    return Reason("firsts", end.firsts()[mine]), Reason("range", round(high), before=round(low))


def _follows(q: Question, action: Action, seed: int) -> list[Action]:
    """What regulars do after the action, as far as its seat can see and each is possible at once."""
    found: list[Action] = []
    with suppress(Refused, BadAction):  # by who takes the hidden money for more
        state = apply(q.t, q.s, action)
        while not state.over and len(found) < FOLLOWING:
            asked = decision(q.t, state)
            up = asked.players[0]
            if up == CHANCE or (up == q.seat and asked.subject is None):
                break
            expected = choose(q.t, state, up, "regular", seed + len(found)).action
            state = apply(q.t, state, expected)
            found.append(expected)
    return found
