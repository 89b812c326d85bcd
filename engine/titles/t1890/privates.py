"""Privates: what comes with them, what they close, what they pay and are worth. {1890-PRV}"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.facts import Floated, PrivatePays
from engine.ids import BANK, IPO, RESERVED, CorpId, PlayerId, PrivateId
from engine.money import pay
from engine.powers import GivesShare, SetsPar, Survives
from engine.shares import shift
from engine.state import CLOSED, Pending, State
from engine.steps.privates import close
from engine.titles.t1890.printed import CAPITAL, LATE, PRIVATES_CLOSED

if TYPE_CHECKING:
    from engine.title import Title


def bought(t: Title, s: State, private: PrivateId, player: PlayerId) -> None:
    """What the buyer of a private or minor gets with it at once. {1890-AUC-19 to -22, 1890-MIN-01}"""
    for power in t.privates[private].powers:
        if isinstance(power, GivesShare):
            shift(s, power.corp, IPO, player, 1, 0)
        elif isinstance(power, SetsPar):
            s.pending += (Pending("set par", player, private),)
    minor = CorpId(private)
    if minor in CAPITAL:
        s.president[minor] = player
        s.floated |= {minor}
        s.facts.append(Floated(minor, CAPITAL[minor]))
        pay(s, BANK, minor, CAPITAL[minor], "capital")


def set_late_aside(t: Title, s: State) -> None:
    """Late privates are not for sale before the second game turn. {1890-SR-25}"""
    for private in t.privates:
        if private in LATE:
            s.owner[private] = RESERVED


def still_blocks(t: Title, s: State, private: PrivateId) -> bool:
    """Whether the hexes with the private's track are closed now, sold or not. {1890-TRK-10, 1890-PRV-11}"""
    if t.phase(s).name in PRIVATES_CLOSED or s.owner[private] in (CLOSED, *t.corporations):
        return False
    company = next((power.corp for power in t.privates[private].powers if isinstance(power, SetsPar)), None)
    return company is None or not (company == s.operating or company in s.operated)


def close_privates(t: Title, s: State) -> None:
    """The first 5-train closes the privates, but neither Hankai, which pays less, nor the OME that brought the Subway.

    {1890-PRV-04, 1890-PRV-07, 1890-PRV-12}
    """
    for private, owner in s.owner.items():
        powers = t.privates[private].powers
        survives = next((power for power in powers if isinstance(power, Survives)), None)
        if survives:
            s.revenue[private] = survives.revenue
            s.facts.append(PrivatePays(private, survives.revenue))
        elif owner not in (CLOSED, RESERVED) and not _stays(t, private):
            close(s, private)


def _stays(t: Title, private: PrivateId) -> bool:
    brings_company = any(isinstance(power, SetsPar) for power in t.privates[private].powers)
    return private in LATE or CorpId(private) in CAPITAL or brings_company
