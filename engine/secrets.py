"""Whose money is secret to whom, and positions in which it decides nothing."""

from collections.abc import Sequence
from dataclasses import replace

from engine.ids import CorpId, Holder, PlayerId
from engine.state import State
from engine.title import Title


def treasury_visible(t: Title, s: State, corp: CorpId, viewer: PlayerId | None) -> bool:
    """Whether the viewer may know the company's money: all where treasuries are open, else whom the title tells it."""
    if t.policy.secrecy.open_treasuries or s.over:
        return True
    return t.policy.secrecy.sees_treasury(t, s, corp, viewer)


def cash_visible(t: Title, s: State, player: PlayerId, viewer: PlayerId | None) -> bool:
    """Whether the viewer may know the player's money: his own, and everybody's where cash is open or the game over."""
    return t.policy.secrecy.open_cash or bool(s.over) or viewer == player


def revealed(t: Title) -> Title:
    """The title with everybody's money open, to look back with once the game is over."""
    secrecy = replace(t.policy.secrecy, open_cash=True, open_treasuries=True)
    return replace(t, policy=replace(t.policy, secrecy=secrecy))


PLENTY = 1_000_000
"""More than anything costs."""


def hidden_purses(t: Title, s: State, viewer: PlayerId | None) -> list[Holder]:
    """Players and companies whose money the viewer may not know."""
    players: list[Holder] = [player for player in s.players if not cash_visible(t, s, player, viewer)]
    return players + [corp for corp in t.corporations if not treasury_visible(t, s, corp, viewer)]


def with_purses(s: State, purses: Sequence[Holder], amount: int = PLENTY) -> State:
    """The position with so much in these purses, so that what is tried in it tells nothing of what they hold."""
    if not purses:
        return s
    filled = s.copy()
    filled.cash |= dict.fromkeys(purses, amount)
    return filled


def publicly(t: Title, s: State, purse: Holder | None) -> State:
    """The position as it decides who is asked: with plenty in a purse whose money is secret to the public.

    Whoever is passed over because they can do nothing is passed over for all to see.
    """
    if purse is None:
        return s
    if purse in s.names:
        known = cash_visible(t, s, PlayerId(purse), None)
    else:
        known = treasury_visible(t, s, CorpId(purse), None)
    return s if known else with_purses(s, [purse])
