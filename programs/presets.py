"""What a player is likely to want done from here on, to be switched on as it stands.

They follow from what everybody sees, so that offering one to all tells nothing.
"""

from collections.abc import Mapping

import engine
from engine import IPO, POOL, CorpId, PlayerId, State, Title
from engine.actions import BuyPrivate, BuyShare, LayTile, Pass, SellShares
from engine.market import price
from engine.secrets import PLENTY, hidden_purses, with_purses
from engine.steps.shares import sales_open
from programs.operating import Operate
from programs.program import WAIT, Program, Prompt, Stopped
from programs.stock import Buy, PassAhead

DANGER = ("presidency", "standing", "outbid")
NEVER = tuple(one for one in PassAhead.watches if one not in ("sale", *DANGER))
LIMITS = tuple(one for one in Buy.watches if one not in ("price", "blocked"))
SEES, LETS = tuple(Operate.watches[:-1]), tuple(one for one in Operate.watches if one not in ("rust", "blocked"))
"""What does not stop companies whose president is asked every turn, and those that run by themselves."""


def presets(
    t: Title, s: State, seat: PlayerId, last: CorpId | None = None, *, fresh: bool = False
) -> Mapping[str, Program]:
    """What fits the seat now by its name, the likeliest first.

    `last` is the company whose share it bought last; `fresh` says that its first turn of the round is yet to come.
    """
    found: dict[str, Program] = {}
    step = engine.present_step(t, s).by_action
    turns = BuyShare in step or BuyPrivate in step  # elsewhere whoever passes drops out
    if s.operating is None and Pass in step and turns:
        if BuyShare in step:
            found["idle"] = PassAhead(span="idle", off=("sale", *NEVER), fresh=fresh)
        if _sale_concerns(t, s, seat):
            found["sale"] = PassAhead(off=NEVER)
        found["round"] = PassAhead(off=("sale", *NEVER))
    if BuyShare in step and not s.bought:
        for corp, par in s.par.items():
            if corp not in s.floated and s.held(corp, seat) and s.held(corp, IPO):
                found[f"float|{corp}"] = Buy(corp=corp, until="float", source="ipo", most=par, off=Buy.watches)
        if last in s.par and (s.held(last, IPO) or s.held(last, POOL)):
            most = max(s.par[last], price(t, s, last))
            found[f"again|{last}"] = Buy(corp=last, shares=t.corporations[last].shares, most=most, off=LIMITS)
    ours, ends = s.operating, t.policy.milestones.last_round(t, s)
    if ours in s.floated and s.president_of(ours) == seat and not (ends or t.policy.companies.status(t, s, ours)):
        runs = Operate(corp=ours, rounds=0, track="ask", token="new", trains="can", off=SEES)
        found[f"run|{ours}"] = runs
        if LayTile in step and s.trains[ours]:
            found[f"withhold|{ours}"] = runs.withholding()
    if any(one in s.floated and s.president_of(one) == seat for one in t.corporations):
        found["rest"] = Operate(rounds=0, off=LETS)
    return {name: one for name, one in found.items() if _begins(t, s, seat, one)}


def _sale_concerns(t: Title, s: State, seat: PlayerId) -> bool:
    """Whether others may sell shares in this round, and the seat has some."""
    sell = engine.present_step(t, s).by_action.get(SellShares)
    barred = sell is None or (sales_open in sell.guards and s.turn < t.policy.holdings.first_sales)
    return not barred and any(s.held(corp, seat) for corp in t.corporations)


def _begins(t: Title, s: State, seat: PlayerId, program: Program) -> bool:
    """Whether a program of the seat that is asked would now do what it is for: not stop, nor pass instead of buying.

    What it leaves to the seat can be declined: that is no forced purchase, and no bankruptcy. None of this depends on
    money that is secret, as it is offered to all: a player is taken to be rich, and a company poor.
    """
    asked = engine.decision(t, s)
    if asked.players != (seat,):
        return True
    known = with_purses(s, hidden_purses(t, s, None), 0 if isinstance(program, Operate) else PLENTY)
    p = Prompt(t, known, seat, asked, known)
    moves = program.move(p)
    if isinstance(program, Buy | PassAhead):
        return isinstance(moves, BuyShare if isinstance(program, Buy) else Pass)
    return p.allows(Pass(seat)) if moves is WAIT else not isinstance(moves, Stopped)
