"""Regular stock rounds: sales together, one purchase before or after them; what of it is unlike the other titles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.actions import BuyShare, Par
from engine.facts import Floated, ParSet
from engine.ids import BANK, IPO, CorpId, Holder
from engine.market import put
from engine.money import pay
from engine.shares import float_if_due, settle_presidency, shift
from engine.state import State
from engine.steps import shares
from engine.titles.t1890.companies import has_closed, pays_as_it_sells, reached
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import JR, KINKI
from engine.titles.t1890.ways import ways
from engine.verbs import Cites, Verb

if TYPE_CHECKING:
    from engine.title import Title


def jr_par(t: Title, s: State, a: Par) -> str | None:
    """The par of JR is fixed."""
    fixed = ways(t).jr_par
    cell = t.market.cell(a.row, a.col)
    if a.corp != JR or fixed is None or cell is None or cell.price == fixed:
        return None
    return f"The par of {JR} is {t.money(fixed)}."


def float_count(t: Title, s: State, corp: CorpId) -> int:
    """Tenths sold, with those that came with a private; a Kinki of the minors is formed, not floated.

    {1890-FLT-01, 1890-FLT-02, 1890-COR-07, 1890-VAR-14}
    """
    if pays_as_it_sells(t, s, corp) or (corp == KINKI and ways(t).scenario.forms_kinki):
        return 0
    return 10 - s.held(corp, IPO)


def start_company(t: Title, s: State, a: Par) -> None:
    cell = t.market.cell(a.row, a.col)
    assert cell is not None
    s.par[a.corp] = cell.price
    put(s, a.corp, (a.row, a.col))
    s.facts.append(ParSet(a.corp, a.by, cell.price))
    begin_incremental(t, s, a.corp)
    pay(s, a.by, seller(t, s, a.corp, IPO), 2 * cell.price, "share")
    shift(s, a.corp, IPO, a.by, 2, 2 * cell.price)
    s.president[a.corp] = a.by
    settle_presidency(s, a.corp)
    float_if_due(t, s, a.corp)
    _bought(s, a)


def begin_incremental(t: Title, s: State, corp: CorpId) -> None:
    """The company's par is set: before phase 5 it lives on the shares that it sells, if the variant is played.

    Shares that went with a private before are paid by the bank. {1890-VAR-14, 1890-VAR-14a, 1890-VAR-14b}
    """
    if not ways(t).incremental or reached(t, s, "5"):
        return
    s.own = replace(own(s), incremental=(*own(s).incremental, corp))
    if corp != KINKI:
        s.floated |= {corp}
        s.facts.append(Floated(corp, 0))
        pay(s, BANK, corp, s.par[corp] * (10 - s.held(corp, IPO)), "capital")


def seller(t: Title, s: State, corp: CorpId, source: Holder) -> Holder:
    """Who gets the money for a share: the bank, or the treasury of a company that floats share by share."""
    if source != IPO or not pays_as_it_sells(t, s, corp):
        return BANK
    return BANK if corp == KINKI and not own(s).formed else corp


def buy_share(t: Title, s: State, a: BuyShare) -> None:
    cost = shares.cost_of(t, s, a.corp, a.source)
    target = seller(t, s, a.corp, a.source)
    pay(s, a.by, target, cost, "share")
    if target == BANK and a.source == IPO and pays_as_it_sells(t, s, a.corp):  # 1890-VAR-14d
        s.own = replace(own(s), kinki_money=own(s).kinki_money + cost)
    shift(s, a.corp, a.source, a.by, 1, cost)
    settle_presidency(s, a.corp)
    float_if_due(t, s, a.corp)
    _bought(s, a)


def _bought(s: State, a: BuyShare | Par) -> None:
    s.bought = True
    s.last_actor = a.by
    s.passes = 0


def stays_closed(t: Title, s: State, a: Par | BuyShare) -> str | None:
    """A closed company never starts again."""
    return f"{a.corp} has closed for good." if has_closed(s, a.corp) else None


BUY = Verb(BuyShare, shares.BUY.candidates, (stays_closed, *shares.BUY.guards), buy_share)
PAR = Verb(Par, shares.PAR.candidates, (stays_closed, *shares.PAR.guards, jr_par), start_company)
SELL = shares.SELL

CITES: Cites = {jr_par: "1890-COR-02", stays_closed: "1890-FLT-07"}
