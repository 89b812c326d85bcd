"""Small things that several steps share, and what the whole table decides."""

from typing import Protocol

from engine.actions import Action, EndGame, Pass
from engine.facts import Passed
from engine.flow import finish
from engine.ids import CorpId, Holder, PlayerId
from engine.state import TURN_OVER, State
from engine.title import Title, Verb, of_tile


def just_pass(t: Title, s: State, player: PlayerId) -> list[Action]:
    return [Pass(player)]


class OfCompany(Protocol):
    """An action of a company."""

    @property
    def corp(self) -> CorpId: ...


@of_tile
def own_turn(t: Title, s: State, a: OfCompany) -> str | None:
    """Only the company whose turn it is acts."""
    return None if a.corp == s.operating else f"It is {s.operating}'s turn, not {a.corp}'s."


def name(s: State, holder: Holder) -> str:
    """The holder's name for a sentence."""
    return s.names.get(PlayerId(holder), holder)


def n_shares(count: int) -> str:
    """So many shares, for a sentence."""
    return "1 share" if count == 1 else f"{count} shares"


def operator(s: State) -> CorpId:
    """The company whose turn it is."""
    assert s.operating is not None
    return s.operating


def go_on(t: Title, s: State) -> None:
    """Be done with the present step of the turn, unless what was done in it ended the turn.

    `proceed` finds the next step that asks.
    """
    if s.step == TURN_OVER:
        return
    steps = list(t.rounds[s.round].by_name)
    index = steps.index(s.step) + 1
    s.step = steps[index] if index < len(steps) else TURN_OVER


def pass_step(t: Title, s: State, a: Pass) -> None:
    """Decline the step."""
    s.facts.append(Passed(a.by, s.step, more=s.step == "track" and bool(s.lays)))
    go_on(t, s)


PASS_STEP = Verb(Pass, candidates=just_pass, guards=(), perform=pass_step)
"""Decline the step of a company's turn, or be done with it."""


def never_offered(t: Title, s: State, player: PlayerId) -> list[Action]:
    """What is read from a record, or what the votes of the table decide, is no move to choose."""
    return []


def end_by_agreement(t: Title, s: State, a: EndGame) -> None:
    """The players end the game as it stands."""
    finish(t, s, "agreed")


END_GAME = Verb(EndGame, never_offered, (), end_by_agreement, open_ended=True, anybody=True)
