"""What follows if a seat passes, tried in the engine: at once, and if everybody else passes, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import engine
from bot.core import shortcuts
from engine.actions import Pass
from engine.facts import Fact, Passed, RoundBegan, TurnBegan
from engine.ids import CorpId, PlayerId
from engine.secrets import hidden_purses, with_purses
from engine.state import State
from engine.title import Title


@dataclass(frozen=True, slots=True)
class IfPassed:
    """What passing leads to, as far as whoever passes may know it."""

    facts: tuple[Fact, ...]
    """What happens besides the passing, until the next company's turn begins."""
    state: State
    company: CorpId | None
    """Whose turn begins; None if it is a player's, or no other begins. What it can do may be secret."""
    of_players: bool
    """Whether it was a player's turn, as in a stock round, and no company's."""
    others: tuple[PlayerId, ...] = ()
    """Who passed, too."""

    @property
    def round_ends(self) -> bool:
        """Whether another round begins, or the game is over."""
        return bool(self.state.over) or any(isinstance(fact, RoundBegan) for fact in self.facts)


def if_passed(title: Title, state: State, seat: PlayerId) -> IfPassed:
    """What the seat's own pass leads to, as the turn's button does it. Raises Refused if it cannot pass.

    Purses that it cannot look into are taken to be full, so that nothing follows from what is in them.
    """
    after = with_purses(state, hidden_purses(title, state, seat))
    of_players = engine.decision(title, state).subject is None
    passes = shortcuts.to_end_of_turn(title, after, seat) if shortcuts.ends_turn(title, after) else [Pass(seat)]
    facts: list[Fact] = []
    for action in passes:
        after = engine.apply(title, after, action)
        facts += after.facts
    return IfPassed(_told(facts), after, _turn_begun(facts), of_players)


def if_all_passed(title: Title, prospect: IfPassed, seat: PlayerId) -> IfPassed | None:
    """What follows if all the others pass, too, until the round ends or the seat is asked again.

    None if that is no story of its own: in a company's turn, at the end of a round, where somebody cannot pass.
    """
    state, facts = prospect.state, list(prospect.facts)
    others: list[PlayerId] = []
    if prospect.round_ends or not prospect.of_players:
        return None
    while len(others) <= len(state.players):
        asked = engine.decision(title, state)
        player = asked.players[0]
        if player == seat and others:
            return IfPassed(tuple(facts), state, None, True, tuple(others))
        if asked.subject is not None or len(asked.players) != 1 or player == seat:
            return None
        if engine.judge(title, state, Pass(player)) is not None:
            return None
        state = engine.apply(title, state, Pass(player))
        facts += _told(state.facts)
        others.append(player)
        found = IfPassed(tuple(facts), state, _turn_begun(state.facts), True, tuple(others))
        if found.round_ends:
            return found
    return None


def _told(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Without the passing itself."""
    told = takewhile(lambda fact: not isinstance(fact, TurnBegan), facts)
    return tuple(fact for fact in told if not isinstance(fact, Passed))


def _turn_begun(facts: Sequence[Fact]) -> CorpId | None:
    return next((fact.corp for fact in facts if isinstance(fact, TurnBegan)), None)
