"""The initial stock round, in which privates and minors are sold. {1890-AUC}

Bids and the money set aside for them stay over game turns; where everybody passes, operating rounds follow and the
next game turn goes on with the sale.
"""

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import Action, Bid, BuyPrivate, Par, Pass
from engine.facts import Passed, PriceLowered, RoundBegan
from engine.flow import enter
from engine.ids import BANK, IPO, OR, PlayerId, PrivateId
from engine.powers import SetsPar
from engine.rounds import waterfall
from engine.shares import float_if_due, shift
from engine.state import State
from engine.steps import shares
from engine.steps.common import just_pass
from engine.title import Round, Step, Title, Verb
from engine.titles.t1890.printed import ARIMA
from engine.titles.t1890.stock import begin_incremental


def buy_private(t: Title, s: State, a: BuyPrivate) -> None:
    """Sell the first private in line at its price, and end the turn. {1890-AUC-04, 1890-AUC-12}"""
    _turn_done(s, a.by)
    waterfall.hand_over(t, s, a.private, a.by, waterfall.price_of(t, s, a.private))


def place_bid(t: Title, s: State, a: Bid) -> None:
    """Set the money of the bid aside, and end the turn. {1890-AUC-04, 1890-AUC-07}"""
    waterfall.place_bid(t, s, a)
    _turn_done(s, a.by)


def let_pass(t: Title, s: State, a: Pass) -> None:
    """Pass; the priority card moves on all the same. {1890-AUC-04, 1890-AUC-13}"""
    s.facts.append(Passed(a.by, s.step))
    s.passes += 1
    s.up = s.priority = s.after(a.by)[0]


def _turn_done(s: State, player: PlayerId) -> None:
    """The priority card moves on after every turn. {1890-AUC-04}"""
    s.passes = 0
    s.up = s.priority = s.after(player)[0]


# The par that comes with a private


def for_bought_private(t: Title, s: State, a: Par) -> str | None:
    """The buyer sets the par of the company that the private names, before anything else."""
    subject = PrivateId(s.pending[-1].subject)
    power = t.power(subject, SetsPar)
    if power is not None and a.corp == power.corp:
        return None
    return f"The par of {power.corp if power else subject} must be set first."


def pars_of_bought(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Each par of the company that comes with the private. {1890-AUC-21}"""
    power = t.power(PrivateId(s.pending[-1].subject), SetsPar)
    return (par for par in shares.pars(t, s, player) if isinstance(par, Par) and power and par.corp == power.corp)


def set_par(t: Title, s: State, a: Par) -> None:
    """1890-AUC-19, 1890-AUC-20"""
    power = t.power(PrivateId(s.pending[-1].subject), SetsPar)
    assert power is not None
    s.pending = s.pending[:-1]
    shares.set_par(t, s, a)
    if power.president:
        shift(s, a.corp, IPO, a.by, 2, 0)
        s.president[a.corp] = a.by
    begin_incremental(t, s, a.corp)
    float_if_due(t, s, a.corp)


# The round


def begin(t: Title, s: State) -> None:
    """Begin with the holder of the priority card, who must take what has become free. {1890-AUC-17}"""
    s.facts.append(RoundBegan("ISR", s.turn, 1))
    waterfall.begin(t, s)
    s.operating = None
    s.or_number = 1
    first = waterfall.unsold(s)[0]
    if waterfall.price_of(t, s, first) <= 0:  # nobody may refuse a gift {1890-AUC-17}
        taker = s.up
        _turn_done(s, taker)
        waterfall.hand_over(t, s, first, taker, 0)


def proceed(t: Title, s: State) -> None:
    """Go on to operating rounds where everybody has passed, or with the sale. {1890-AUC-13}"""
    if s.passes < len(s.players):
        waterfall.proceed(t, s)
        return
    s.passes = 0
    s.or_count = t.phase(s).operating_rounds
    enter(t, s, OR)


def lower_price(t: Title, s: State) -> None:
    """Arima gets cheaper with every game turn that ends without a buyer. {1890-AUC-15}"""
    if s.owner[ARIMA] == BANK:
        s.discount[ARIMA] = s.discount.get(ARIMA, 0) + 5
        s.facts.append(PriceLowered(ARIMA, waterfall.price_of(t, s, ARIMA)))


BUY = replace(waterfall.BUY, perform=buy_private)
BID = replace(waterfall.BID, perform=place_bid)
ISR = Round(
    "ISR",
    steps=(
        Step("offer", (BUY, BID, Verb(Pass, just_pass, (), let_pass))),
        Step("auction", (waterfall.RAISE, waterfall.DROP_OUT)),
    ),
    begin=begin,
    proceed=proceed,
    actors=waterfall.actors,
    called="Initial stock round",
    number=lambda t, s: str(s.turn),
)
SET_PAR = Step("set par", (Verb(Par, pars_of_bought, (for_bought_private, shares.par_cell), set_par),))
