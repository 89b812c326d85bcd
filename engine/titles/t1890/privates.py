"""Privates: what comes with them, what they close, what they pay and are worth, and who may buy them. {1890-PRV}"""

from collections.abc import Iterator
from dataclasses import replace

from engine.actions import Action, BuyTrain, CompanyBuysPrivate, LayPowerTile, Pass, TradePrivate
from engine.board.board import rotations
from engine.facts import PrivatePays
from engine.flow import can
from engine.ids import IPO, OR, RESERVED, CorpId, PlayerId, PrivateId
from engine.money import sell_private
from engine.powers import CompanyLay, GivesShare, SetsPar, Survives
from engine.secrets import publicly
from engine.shares import shift
from engine.state import CLOSED, Pending, State
from engine.steps import privates as shared
from engine.steps import shares
from engine.steps.common import just_pass, name, operator
from engine.steps.track import in_supply, leads_somewhere
from engine.steps.trains import sensible_prices
from engine.title import Step, Title, Verb, of_seat
from engine.titles.t1890.companies import has_closed, is_public
from engine.titles.t1890.minors import found_minor
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import CAPITAL, LATE, PRIVATES_CLOSED
from engine.titles.t1890.track import gain_land


def brings_company(t: Title, private: PrivateId) -> CorpId | None:
    """The company that comes with the private, if it is one of those whose buyer sets a par."""
    power = t.power(private, SetsPar)
    return None if power is None else power.corp


def is_plain(t: Title, private: PrivateId) -> bool:
    """Whether it is a private in the narrow sense: no minor, no late private."""
    return CorpId(private) not in CAPITAL and private not in LATE


def note(t: Title, s: State, private: PrivateId) -> str:
    """What is printed, but for a Kobe Electric that is no minor any more. {1890-MIN-18}"""
    late = "A late private: it is worth nothing, pays nothing and does not count as a certificate."
    return late if private in own(s).uncounted else t.privates[private].note


def value(t: Title, s: State, private: PrivateId) -> int:
    """Its face, but nothing for a converted Kobe Electric and the OME that brought the Subway.

    {1890-END-04, 1890-MIN-18, 1890-PRV-10}
    """
    return 0 if private in own(s).face_zero else t.privates[private].value


def bought(t: Title, s: State, private: PrivateId, player: PlayerId) -> None:
    """What the buyer of a private or minor gets with it at once. {1890-AUC-19 to -22, 1890-MIN-01, 1890-PRV-10}"""
    for power in t.privates[private].powers:
        if isinstance(power, GivesShare):
            shift(s, power.corp, IPO, player, 1, 0)
        elif isinstance(power, SetsPar):
            s.pending += (Pending("set par", player, private),)
            if power.president:
                s.own = replace(own(s), face_zero=(*own(s).face_zero, private))
    if CorpId(private) in CAPITAL:
        found_minor(t, s, CorpId(private), player)


def set_late_aside(t: Title, s: State) -> None:
    """Late privates are not for sale before the second game turn. {1890-SR-25}"""
    for private in t.privates:
        if private in LATE:
            s.owner[private] = RESERVED


def still_blocks(t: Title, s: State, private: PrivateId) -> bool:
    """Whether the hexes with the private's track are closed now, sold or not.

    Phase 4 opens them, but not those of a private that brings a company, which wait for its first turn.
    {1890-TRK-10, 1890-PRV-11}
    """
    if s.owner[private] in (CLOSED, *t.corporations):
        return False
    company = brings_company(t, private)
    if company is None:
        return t.phase(s).name not in PRIVATES_CLOSED
    return not (company == s.operating or company in s.operated or has_closed(s, company))


def close_privates(t: Title, s: State) -> None:
    """The first 5-train closes the privates, but neither Hankai, which pays less, nor the OME that brought the Subway.

    {1890-PRV-04, 1890-PRV-07, 1890-PRV-12}
    """
    for private, owner in s.owner.items():
        survives = t.power(private, Survives)
        if survives:
            s.revenue[private] = survives.revenue
            s.facts += [PrivatePays(private, survives.revenue)] if owner != CLOSED else []
        elif owner != CLOSED and is_plain(t, private) and brings_company(t, private) is None:
            shared.close(s, private)


def close_with_train(t: Title, s: State, a: BuyTrain) -> None:
    """The private that brought a company closes when that company buys a train. {1890-PRV-12}"""
    for private, owner in s.owner.items():
        if owner != CLOSED and is_plain(t, private) and brings_company(t, private) == a.corp:
            shared.close(s, private)


# Sale to a company


def public_buyer(t: Title, s: State, a: CompanyBuysPrivate) -> str | None:
    """Only public companies buy privates."""
    return None if is_public(t, a.corp) else f"{a.corp} is not a public company, so it cannot buy privates."


def never_sold(t: Title, s: State, a: CompanyBuysPrivate) -> str | None:
    """A minor is never sold."""
    return f"{a.private} is never sold again." if CorpId(a.private) in CAPITAL else None


def late_never_sold(t: Title, s: State, a: CompanyBuysPrivate) -> str | None:
    """A late private is never sold."""
    return f"{a.private} is never sold again." if a.private in LATE else None


def for_companies(t: Title, s: State, a: CompanyBuysPrivate) -> str | None:
    """The private that brought a company is not sold to companies."""
    return f"Companies cannot buy {a.private}." if brings_company(t, a.private) else None


def buy_private(t: Title, s: State, a: CompanyBuysPrivate) -> None:
    """As everywhere; where nothing else is asked in the turn, the private's tile is. {1890-PRV-05}"""
    shared.company_buys(t, s, a)
    if t.power(a.private, CompanyLay) and can(t, s, COMPANY_LAY, a.by) and not _asked_again(t, s, a.corp):
        s.pending += (Pending(LAST_TILE.name, a.by, a.private),)


def _asked_again(t: Title, s: State, corp: CorpId) -> bool:
    steps = t.rounds[OR].steps
    present = next(number for number, step in enumerate(steps) if step.name == s.step)
    return any(step.asks(t, publicly(t, s, corp)) for step in steps[present:])


_MONEY = shared.price_in_range, shared.treasury_pays
BUY_PRIVATE = replace(
    shared.BUY_PRIVATE.without(*_MONEY).plus(public_buyer, never_sold, late_never_sold, for_companies, *_MONEY),
    perform=buy_private,
)
"""What no price can buy is refused for that, not for the price."""


def private_in_reach(t: Title, s: State) -> bool:
    """The last step of the turn is asked while the company could buy some private."""
    president = s.president_of(operator(s))
    return president is not None and can(t, s, BUY_PRIVATE, president)


LAST_CHANCE = replace(shared.LAST_PRIVATES.swap(shared.BUY_PRIVATE, BUY_PRIVATE), asks=private_in_reach)


# Arima's tile


def hex_untouched(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Such a tile comes only where none lies yet and the printed track stays."""
    if a.hex in s.board.placed:
        return f"There is already a tile on {a.hex}."
    if a.rotation in rotations(s.board.face(a.hex), t.tiles[a.tile].face):
        return None
    return f"Tile {t.number(a.tile)} with rotation {a.rotation} does not fit {a.hex}."


def lay_beside(t: Title, s: State, a: LayPowerTile) -> None:
    """Lay Arima's tile beside the track actions; it brings land money as others do. {1890-PRV-05, 1890-COR-18}"""
    shared.lay_power_tile(t, s, a)
    gain_land(t, s, operator(s), t.tiles[a.tile].face.colour)


def lay_at_last(t: Title, s: State, a: LayPowerTile) -> None:
    """Lay the tile that is asked for."""
    s.pending = s.pending[:-1]
    lay_beside(t, s, a)


_FITTING = (shared.power_fits, hex_untouched, in_supply, leads_somewhere)
COMPANY_LAY = Verb(LayPowerTile, shared.company_lays, (shared.company_may_lay, *_FITTING), lay_beside)
LAST_LAY = Verb(LayPowerTile, shared.company_lays, _FITTING, lay_at_last)
LAST_TILE = Step("last tile", (LAST_LAY, Verb(Pass, just_pass, (), shared.decline_bonus)))


# Between players


@of_seat
def trades_open(t: Title, s: State, a: Action) -> str | None:
    """As nothing else, privates are not sold in the first stock round."""
    return "No privates change hands in the first stock round." if s.turn < t.policy.holdings.first_sales else None


def only_privates_traded(t: Title, s: State, a: TradePrivate) -> str | None:
    """Nothing but privates passes between players."""
    return None if is_plain(t, a.private) else f"{a.private} is never sold again."


def owned_by_another(t: Title, s: State, a: TradePrivate) -> str | None:
    """The private belongs to another player, who must agree."""
    owner = s.owner[a.private]
    if owner in s.names and owner != a.by:
        return None
    return f"{a.private} belongs to {name(s, owner)}." if owner in s.names else f"No player owns {a.private}."


def price_agreed(t: Title, s: State, a: TradePrivate) -> str | None:
    """Any price that the buyer can pay."""
    if 0 <= a.price <= s.cash[a.by]:
        return None
    return f"The price must be between {t.money(0)} and your {t.money(s.cash[a.by])}, not {t.money(a.price)}."


def trades(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Each private of another player, at a few prices."""
    for private, owner in s.owner.items():
        if owner in s.names and owner != player:
            for amount in sensible_prices(s.cash[player], t.privates[private].value):
                yield TradePrivate(player, private, amount)


def trade(t: Title, s: State, a: TradePrivate) -> None:
    """1890-SR-13"""
    sell_private(s, a.private, s.owner[a.private], a.by, a.price)
    shares.note_purchase(s, a.by)


TRADE = Verb(
    TradePrivate,
    trades,
    (
        shares.one_purchase, shares.must_sell_first, trades_open, only_privates_traded, owned_by_another,
        price_agreed, shared.room_for_private,
    ),
    trade,
    open_ended=True,
)  # fmt: skip
