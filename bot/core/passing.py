"""Passes: several in one press, and what follows from them, tried in the engine.

Each pass stays an action of its own, judged by the engine and a row of the log; only the pressing is spared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

import engine
from engine import Action, CorpId, Fact, PlayerId, State, Title
from engine.actions import Pass, PlaceToken, RunTrains
from engine.facts import Passed, RoundBegan, TurnBegan
from engine.secrets import hidden_purses, with_purses


def ends_turn(t: Title, s: State) -> bool:
    """Whether declining the present step may decline the rest of the company's turn too.

    That is so where no later step offers what this one does not. It follows from the title alone, and tells nothing of
    what the company could pay for.
    """
    step = engine.present_step(t, s)
    if s.operating is None or s.pending or Pass not in step.by_action:
        return False
    steps = t.rounds[s.round].steps
    later = [verb for one in steps[steps.index(step) + 1 :] for verb in one.verbs if verb.action is not Pass]
    return bool(later) and all(verb in step.verbs for verb in later)


def to_end_of_turn(t: Title, s: State, seat: PlayerId) -> list[Action]:
    """The passes that decline the present step and the rest of the company's turn, which may have the next, too.

    Raises Refused.
    """
    passes: list[Action] = []
    company = s.operating
    while not s.over and s.operating == company and seat in engine.decision(t, s).players and not s.pending:
        passes.append(Pass(seat))
        s = engine.apply(t, s, passes[-1])
        if _turn_begun(s.facts) is not None:
            break
    return passes


def to_run(t: Title, s: State, seat: PlayerId) -> list[Action] | None:
    """What leads from here to running: nothing if that is asked now, the pass if it comes next after a token.

    None elsewhere.
    """
    verbs = engine.present_step(t, s).by_action
    if RunTrains in verbs:
        return []
    if PlaceToken not in verbs or Pass not in verbs or s.pending:
        return None
    declined = Pass(seat)
    if engine.judge(t, s, declined) is not None:
        return None
    after = engine.apply(t, s, declined)
    goes_on = after.operating == s.operating and not after.pending and not after.over
    return [declined] if goes_on and RunTrains in engine.present_step(t, after).by_action else None


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
    passes = to_end_of_turn(title, after, seat) if ends_turn(title, after) else [Pass(seat)]
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
