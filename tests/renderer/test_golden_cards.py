"""Golden decision cards: each title's steps, in positions laid out by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import drawn_boards as boards
import pytest
from comparing import Golden
from decisions import asked, card_of
from tables import Table, table

import engine
from bot.rooms.turn.decision.shares import par_card
from engine import State, Title, apply, start
from engine import actions as a
from engine.ids import CorpId, PlayerId, PrivateId
from engine.state import Pending
from renderer import Picture, card_picture

Built = tuple[Title, State]
NAMES = ("Ann", "Ben", "Cho", "Dan")
LATE: dict[str, Callable[[], Built]] = {"1860": boards.wight, "1888": boards.china, "1890": boards.osaka}
INCOME = {"1860": 240, "1888": 180, "1890": 120}


def opening(title: str, *done: a.Action) -> Built:
    t = engine.build(title, 4)
    s = start(t, NAMES)
    for action in done:
        s = apply(t, s, action)
    return t, s


def bids(title: str, **amounts: int) -> Built:
    """The players bid in turn, each on another private; then the first outbids the second."""
    done = [a.Bid(PlayerId(f"p{number}"), PrivateId(one), bid) for number, (one, bid) in enumerate(amounts.items(), 1)]
    again = a.Bid(PlayerId("p4"), done[1].private, done[1].amount + 10)
    return opening(title, *done, again)


def late(title: str, step: str) -> Built:
    """The late board of the title, at this step of the company's turn."""
    t, s = LATE[title]()
    assert s.operating is not None
    s.step, s.income, s.last_run[s.operating] = step, INCOME[title], INCOME[title]
    return t, s


def late_shares(title: str) -> Built:
    t, s = LATE[title]()
    s.round, s.step, s.operating, s.up, s.turn = "SR", "shares", None, PlayerId("p1"), 5
    return t, s


def shikoku() -> Table:
    """1889 in the middle: AR presided over by Ann with Ben close behind, IR not floated, TR sold by Ann."""
    box = (
        table("1889", 4, "open_treasuries").par("AR", 100, (0, 3)).shares("AR", p1=4, p2=3, pool=2).phase("3", left_3=2)
    )
    box = box.par("IR", 80, (2, 3)).shares("IR", p2=3).par("TR", 70, (4, 3)).shares("TR", p3=5, p1=2, pool=1)
    box = box.trains("AR", "2", "3").trains("TR", "2", "2").private(G="p1", D="p2", E="p3")
    return box.cash(p1=512, p2=84, p3=1230, p4=40, AR=310, TR=45).tile("K8", "6", 2).tile("K6", "9", 0)


def turn(step: str) -> Built:
    box = shikoku().operating("AR", step, then=("TR",)).set(income=80, last_run={"AR": 80, "TR": 40})
    return box.set(last_paid={"AR": 4, "TR": 0}).build()


def emergency() -> Built:
    """AR must buy the 4-train that rusts TR's trains, and Ann cannot pay for it."""
    box = shikoku().operating("AR", "trains", then=("TR",)).trains("AR").phase("3", left_3=0)
    return box.cash(AR=60, p1=90).build()


def merger() -> Built:
    """The owner of M1 is asked whether it joins Kinki, which M2 has just become."""
    t, s = boards.osaka()
    s.own = replace(s.own, formed=True, declared=())  # type: ignore[call-arg]
    s.pending = (Pending("join", PlayerId("p1"), "M1"),)
    return t, s


def hidden_cash() -> Built:
    """The public card where players' cash is secret, too."""
    box = table("1890", 3, "hidden_cash").par("Hanshin", 90, (2, 8)).shares("Hanshin", p1=4, p2=3).cash(p1=321, p2=99)
    return (
        box.par("JR", 100, (0, 9)).shares("JR", p3=2).set(floated=frozenset({"Hanshin"})).trains("Hanshin", "2").build()
    )


CARDS: dict[str, Callable[[], Built]] = {
    "1889-opening": lambda: bids("1889", C=45, D=55, G=160),
    "1889-shares": lambda: shikoku().set(sold={"p1": frozenset({"TR"})}).build(),
    "1889-track": lambda: turn("track"),
    "1889-run": lambda: turn("run"),
    "1889-dividend": lambda: turn("dividend"),
    "1889-trains": lambda: turn("trains"),
    "1889-emergency": emergency,
    "1889-privates": lambda: turn("privates"),
    "1860-opening": lambda: opening("1860", a.BidToChoose(PlayerId("p1"), 45), a.Pass(PlayerId("p2"))),
    "1888-opening": lambda: bids("1888", TA=60, FC=155, HS=140),
    "1890-join": merger,
    "1890-hidden": hidden_cash,
    "1890-opening": lambda: bids("1890", B=45, M2=210, F=225),
    **{
        f"{title}-{step}": (lambda title=title, step=step: late(title, step))  # type: ignore[misc]
        for title in LATE
        for step in ("track", "dividend", "trains")
    },
    **{f"{title}-shares": (lambda title=title: late_shares(title)) for title in LATE},  # type: ignore[misc]
}


def drawn(name: str) -> Picture:
    t, s = CARDS[name]()
    card = card_of(t, s)
    return card_picture(card)


@pytest.mark.parametrize("name", CARDS)
@pytest.mark.long
def test_card_looks_as_it_did(name: str, golden: Golden) -> None:
    picture = drawn(name)
    golden(f"card-{name}", picture)
    assert picture.height > 150
    assert len(picture.png) < 130 * 1024


def test_the_card_of_one_company_looks_as_it_did(golden: Golden) -> None:
    t, s = shikoku().build()
    golden("card-1889-start", card_picture(par_card(asked(t, s, "p1"), CorpId("SR"))))
