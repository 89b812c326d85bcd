"""Private companies in play: their sale to companies, and the verbs that their powers open."""

from collections.abc import Iterator

from engine.actions import Action, BuyPrivate, CompanyBuysPrivate, ExchangePrivate, LayPowerTile, Pass
from engine.board.board import rotations
from engine.facts import Passed, PrivateClosed, TileLaid
from engine.flow import can
from engine.ids import BANK, IPO, PlayerId, PrivateId
from engine.money import sell_private
from engine.powers import CompanyLay, Exchange, ExtraLay, TileLay
from engine.shares import buy, certificates, over_holding_limit
from engine.state import CLOSED, Pending, State
from engine.steps.common import PASS_STEP, just_pass, operator, own_turn
from engine.steps.track import (
    colour_open,
    in_supply,
    keeps_old_track,
    leads_somewhere,
    next_colour,
    put_tile,
    right_colour,
    same_label,
)
from engine.steps.trains import sensible_prices
from engine.title import Step, Title, Verb, of_seat

# Sale to a company


@of_seat
def phase_allows(t: Title, s: State, a: Action) -> str | None:
    """Companies buy privates in some phases only."""
    if t.phase(s).buys_privates:
        return None
    return f"Companies cannot buy privates in phase {t.phase(s).name}."


def owned_by_player(t: Title, s: State, a: CompanyBuysPrivate) -> str | None:
    """A private is bought from the player who owns it."""
    return None if s.owner[a.private] in s.names else f"No player owns {a.private}."


def price_range(t: Title, private: PrivateId) -> tuple[int, int]:
    """Lowest and highest price of the private for a company."""
    value = t.privates[private].value
    (low, low_part), (high, high_part) = t.policy.privates.company_price
    return -(-value * low // low_part), value * high // high_part


def price_in_range(t: Title, s: State, a: CompanyBuysPrivate) -> str | None:
    """The price lies between fixed shares of the face value."""
    low, high = price_range(t, a.private)
    if low <= a.price <= high:
        return None
    return f"{a.private} costs between {t.money(low)} and {t.money(high)}, not {t.money(a.price)}."


def treasury_pays(t: Title, s: State, a: CompanyBuysPrivate) -> str | None:
    """The treasury pays the whole price."""
    if a.price <= s.cash[a.corp]:
        return None
    return f"{a.corp} has {t.money(s.cash[a.corp])} and cannot pay {t.money(a.price)}."


def privates_for_company(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Players' privates, at sensible prices."""
    corp = operator(s)
    if not t.phase(s).buys_privates:
        return
    for private, owner in s.owner.items():
        if owner in s.names:
            low, high = price_range(t, private)
            value = t.privates[private].value
            most = min(high, s.cash[corp])
            amounts = {amount for amount in (low, *sensible_prices(most, value)) if low <= amount <= most}
            for amount in sorted(amounts):
                yield CompanyBuysPrivate(player, corp, private, amount)


def company_buys(t: Title, s: State, a: CompanyBuysPrivate) -> None:
    """The treasury pays the owner; a power that goes with the sale is asked for."""
    seller = PlayerId(s.owner[a.private])
    sell_private(s, a.private, seller, a.corp, a.price)
    for power in t.privates[a.private].powers:
        if isinstance(power, ExtraLay) and power.when == "sale" and a.private not in s.used:
            s.pending += (Pending(BONUS_TILE.name, seller, a.private),)
            s.used |= {a.private}
            if not can(t, s, BONUS_LAY, seller):
                s.pending = s.pending[:-1]


BUY_PRIVATE = Verb(
    CompanyBuysPrivate,
    privates_for_company,
    (own_turn, phase_allows, owned_by_player, price_in_range, treasury_pays),
    company_buys,
    open_ended=True,
)


def face_value_affordable(t: Title, s: State, a: BuyPrivate) -> str | None:
    """A private costs its face value."""
    value = t.privates[a.private].value
    return None if value <= s.cash[a.by] else f"{a.private} costs {t.money(value)}; you have {t.money(s.cash[a.by])}."


@of_seat
def room_for_private(t: Title, s: State, a: Action) -> str | None:
    """A private counts to the certificate limit."""
    count, limit = certificates(t, s, a.by), t.policy.holdings.cert_limit(t, s)
    return None if count < limit else f"You hold {count} certificates; the limit is {limit}."


def private_in_reach(t: Title, s: State) -> bool:
    """The last step of the turn is asked while the company could buy some private."""
    corp = operator(s)
    if not t.phase(s).buys_privates:
        return False
    return any(price_range(t, private)[0] <= s.cash[corp] for private, owner in s.owner.items() if owner in s.names)


LAST_PRIVATES = Step("privates", (BUY_PRIVATE, PASS_STEP), private_in_reach)


# Tiles laid by a power


def owner_may_lay(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The power is used once, by the player who owns the private, not while a rival's company operates."""
    power = t.power(a.private, ExtraLay)
    if power is None or power.when != "owner":
        return f"{a.private} has no such power."
    if s.owner[a.private] != a.by:
        return f"Only a player who owns {a.private} can lay its tile."
    if a.private in s.used:
        return f"The power of {a.private} has been used."
    if s.operating is not None and s.begun and s.president_of(s.operating) != a.by:
        return f"{a.private}'s tile cannot be laid during the turn of {s.operating}, which another player runs."
    return None


def for_sold_private(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The seller lays at once, by the power of the private just sold."""
    subject = s.pending[-1].subject
    return None if a.private == subject else f"Only the tile of {subject} can be laid now."


def power_fits(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The power names its hexes and tiles."""
    power = t.power(a.private, TileLay)
    if power is None or a.hex not in power.hexes:
        return f"{a.private} does not lay a tile on {a.hex}."
    if a.tile not in power.tiles:
        return f"{a.private} lays only tile {' or '.join(map(t.number, power.tiles))}."
    return None


def power_lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """The tiles of all privates that the player may lay by."""
    subject = s.pending[-1].subject if s.pending and s.pending[-1].step == BONUS_TILE.name else None
    for private, owner in s.owner.items():
        may_lay = private == subject or (owner == player and private not in s.used)
        if may_lay and t.power(private, ExtraLay) is not None:
            for lay in lays_of(t, s, player, private):
                if t.tiles[lay.tile].face.colour == next_colour(s.board, lay.hex):
                    yield lay


def lays_of(t: Title, s: State, player: PlayerId, private: PrivateId) -> Iterator[LayPowerTile]:
    """Each tile of the private's power on each bare hex, turned as the hex allows."""
    power = t.power(private, TileLay)
    for hex_id in power.hexes if power else ():
        for tile in power.tiles if power and hex_id not in s.board.placed else ():
            for rotation in rotations(s.board.face(hex_id), t.tiles[tile].face):
                yield LayPowerTile(player, private, hex_id, tile, rotation)


def lay_power_tile(t: Title, s: State, a: LayPowerTile) -> None:
    """Lay the private's tile, free: a player does, or the company whose turn it is, beside its own tiles."""
    put_tile(t, s, a.hex, a.tile, a.rotation)
    s.used |= {a.private}
    by = a.by if t.power(a.private, ExtraLay) else operator(s)
    s.facts.append(TileLaid(by, a.hex, a.tile, a.rotation, 0, a.private))


def lay_bonus_tile(t: Title, s: State, a: LayPowerTile) -> None:
    """Lay the tile that the seller is asked for."""
    s.pending = s.pending[:-1]
    lay_power_tile(t, s, a)


def decline_bonus(t: Title, s: State, a: Pass) -> None:
    """Lay none."""
    s.facts.append(Passed(a.by, s.pending[-1].step))
    s.pending = s.pending[:-1]


_FITTING = (power_fits, right_colour, in_supply, same_label, keeps_old_track, leads_somewhere)
OWNER_LAY = Verb(LayPowerTile, power_lays, (owner_may_lay, *_FITTING), lay_power_tile, anybody=True)
BONUS_LAY = Verb(LayPowerTile, power_lays, (for_sold_private, colour_open, *_FITTING), lay_bonus_tile)
BONUS_TILE = Step("bonus tile", (BONUS_LAY, Verb(Pass, just_pass, (), decline_bonus)))


# Tiles laid by the company that owns a private


def company_may_lay(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The company that owns the private lays in its own turn, once."""
    return unused(t, s, a) or ("Another decision comes first." if s.pending else None)


def unused(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The private is the operating company's, and its power has not been used."""
    if t.power(a.private, CompanyLay) is None:
        return f"{a.private} has no such power."
    if s.operating is None or s.owner[a.private] != s.operating:
        return f"Only a company that owns {a.private} lays its tiles, in its own turn."
    return f"The power of {a.private} has been used." if a.private in s.used else None


def company_lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Whatever fits of each private of the operating company that has not been used."""
    for private, owner in s.owner.items():
        if owner == s.operating and private not in s.used:
            yield from lays_of(t, s, player, private)


# Exchange for a share


def owner_may_exchange(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The player who owns the private exchanges it, once no private is unsold any more."""
    if t.power(a.private, Exchange) is None:
        return f"{a.private} cannot be exchanged."
    if s.owner[a.private] != a.by:
        return f"Only a player who owns {a.private} can exchange it."
    if (a.corp, a.source) != (None, None):
        return f"The share that {a.private} brings is fixed; you cannot choose it."
    if BANK in s.owner.values():
        return "Nothing can be exchanged while a private is unsold."
    return None


def exchange_share_left(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The share comes from the initial offering; its last ones may be the president's certificate."""
    power = t.power(a.private, Exchange)
    assert power is not None
    kept = t.corporations[power.corp].president_shares if s.president[power.corp] == IPO else 0
    return None if s.held(power.corp, IPO) > kept else f"No share of {power.corp} is left in the initial offering."


def exchange_within_holding(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The holding limit binds here too."""
    power = t.power(a.private, Exchange)
    corp = power.corp if power else a.corp
    assert corp is not None
    if over_holding_limit(t, s, a.by, corp, 1):
        return f"You hold {t.percent(corp, s.held(corp, a.by))} of {corp} and may not hold more."
    return None


def exchanges(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """All exchanges of privates that the player owns."""
    for private, owner in s.owner.items():
        if owner == player and t.power(private, Exchange) is not None:
            yield ExchangePrivate(player, private)


def exchange(t: Title, s: State, a: ExchangePrivate) -> None:
    """The private closes; its share comes from the offering."""
    power = t.power(a.private, Exchange)
    assert power is not None
    close(s, a.private)
    buy(t, s, a.by, power.corp, IPO, 0)


def close(s: State, private: PrivateId) -> None:
    """Take the private out of the game."""
    s.owner[private] = CLOSED
    s.facts.append(PrivateClosed(private))


EXCHANGE = Verb(
    ExchangePrivate,
    exchanges,
    (owner_may_exchange, exchange_share_left, exchange_within_holding),
    exchange,
    anybody=True,
)
