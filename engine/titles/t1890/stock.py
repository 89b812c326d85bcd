"""Regular stock rounds: sales together, one purchase before or after them; what of it is unlike the other titles."""

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import Action, BuyShare, Par, SellShares
from engine.facts import Floated
from engine.ids import BANK, IPO, CorpId, Holder, PlayerId, Source
from engine.market import down
from engine.money import pay
from engine.state import State
from engine.steps import shares
from engine.title import Title
from engine.titles.t1890.companies import formed_by_minors, has_closed, pays_as_it_sells, reached
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import BROWN, JR
from engine.titles.t1890.ways import ways


def jr_par(t: Title, s: State, a: Par) -> str | None:
    """The par of JR is fixed."""
    fixed = ways(t).jr_par
    cell = t.market.cell(a.row, a.col)
    if a.corp != JR or fixed is None or cell is None or cell.price == fixed:
        return None
    return f"The par of {JR} is {t.money(fixed)}."


def pars(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Each par of each company without one."""
    return (par for par in shares.pars(t, s, player) if isinstance(par, Par) and jr_par(t, s, par) is None)


def float_count(t: Title, s: State, corp: CorpId) -> int | None:
    """Tenths sold, with those that came with a private; None for a Kinki of the minors, which is formed.

    {1890-FLT-01, 1890-FLT-02, 1890-COR-07, 1890-VAR-14}
    """
    if pays_as_it_sells(t, s, corp) or formed_by_minors(t, corp):
        return None
    return 10 - s.held(corp, IPO)


def begin_incremental(t: Title, s: State, corp: CorpId) -> None:
    """The company's par is set: before phase 5 it lives on the shares that it sells, if the variant is played.

    Shares that went with a private before are paid by the bank. {1890-VAR-14, 1890-VAR-14a, 1890-VAR-14b}
    """
    if not ways(t).incremental or reached(t, s, "5"):
        return
    s.own = replace(own(s), incremental=(*own(s).incremental, corp))
    if not formed_by_minors(t, corp):
        s.floated |= {corp}
        s.facts.append(Floated(corp, 0))
        pay(s, BANK, corp, s.par[corp] * (10 - s.held(corp, IPO)), "capital")


def payee(t: Title, s: State, corp: CorpId, source: Source) -> Holder:
    """The bank, or the treasury of a company that lives on the shares it sells. {1890-VAR-14a}"""
    if source != IPO or not pays_as_it_sells(t, s, corp):
        return BANK
    return BANK if formed_by_minors(t, corp) and not own(s).formed else corp


def stays_closed(t: Title, s: State, a: Par | BuyShare) -> str | None:
    """A closed company never starts again."""
    return f"{a.corp} has closed for good." if has_closed(s, a.corp) else None


def sells_down(t: Title, s: State, a: SellShares) -> str | None:
    """Who holds too much sells it down to the limit, or its price down to where more may be held."""
    cell = None if t.policy.prices.frozen(s) else t.market.cell(*down(t, s.cell[a.corp], a.count))
    if cell is not None and cell.zone == BROWN:
        return None
    return shares.sells_down(t, s, a)


BUY = replace(shares.BUY, guards=(stays_closed, *shares.BUY.guards))
PAR = replace(shares.PAR, candidates=pars, guards=(stays_closed, *shares.PAR.guards, jr_par))
SELL = shares.SELL.swap(shares.sells_down, sells_down)
