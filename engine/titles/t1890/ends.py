"""What ends a game of 1890 beside bank and last turn, what privates are worth, and the stacks of price tokens."""

from dataclasses import replace

from engine.facts import Announced
from engine.flow import finish
from engine.ids import PrivateId
from engine.market import price
from engine.state import State
from engine.title import Title
from engine.titles.t1890.own import own


def end_if_price_reached(t: Title, s: State) -> None:
    """1890-VAR-09"""
    if price_reached(t, s):
        finish(t, s, "price")


def price_reached(t: Title, s: State) -> bool:
    """Whether a share price ends the game: at once, or after the turn of the company that has brought it there."""
    last = t.policy.milestones.last_price
    return last is not None and any(price(t, s, corp) >= last for corp in s.floated)


def about_price(t: Title, s: State) -> str:
    """That the game ends, and when; else ""."""
    if s.over or not price_reached(t, s):
        return ""
    return f"A share price has reached {t.policy.milestones.last_price}: {t.wording.after_price}."


def stock_ended(t: Title, s: State) -> None:
    """What an earthquake changed is as usual again; a share price may then end the game. {1890-VAR-17a, 1890-VAR-09}"""
    if own(s).quake:
        s.facts.append(Announced("earthquake over"))
    s.own = replace(own(s), quake=False)
    end_if_price_reached(t, s)


def restack(s: State) -> None:
    """At the end of an operating round companies that have not started lie on top of those that have. {1890-MKT-04}"""
    order = sorted(s.cell, key=lambda corp: (corp in s.floated & s.operated, s.arrived[corp]))
    s.arrived = {corp: ticket for ticket, corp in enumerate(order, 1)}
    s.tickets = len(order)


def private_value(t: Title, s: State, private: PrivateId) -> int:
    """Its face, but nothing for a converted Kobe Electric and the OME that brought the Subway.

    {1890-END-04, 1890-MIN-18, 1890-PRV-10}
    """
    return 0 if private in own(s).face_zero else t.privates[private].value
