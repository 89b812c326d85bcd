"""Buying and selling shares: what forbids it, what is worth trying, and what happens."""

from collections.abc import Iterator

from engine.actions import Action, BuyShare, ExchangePrivate, Par, SellShares
from engine.facts import ParSet
from engine.flow import possible
from engine.ids import IPO, POOL, CorpId, PlayerId, Source
from engine.market import price, put, zone
from engine.shares import buy, buy_presidency, certificates, over_holding_limit, sell, successor
from engine.state import State
from engine.steps.common import n_shares
from engine.title import Title, Verb, of_seat

# What may be bought


@of_seat
def one_purchase(t: Title, s: State, a: Action) -> str | None:
    """One certificate is bought in a turn."""
    return "You have already bought a certificate this turn." if s.bought else None


@of_seat
def must_sell_first(t: Title, s: State, a: Action) -> str | None:
    """Who is over a limit sells down to it before anything else, as far as sales are legal."""
    excess = excess_of(t, s, a.by)
    sell = t.share_step().by_action[SellShares]
    if excess is None or not any(_serves(t, s, sale) for sale in possible(t, s, sell, a.by)):
        return None
    return f"You must first sell down to the limits: {excess}."


def excess_of(t: Title, s: State, player: PlayerId) -> str | None:
    """What the player has too much of, in words; None if nothing."""
    count = certificates(t, s, player)
    limit = t.policy.holdings.cert_limit(t, s)
    if count > limit:
        return f"you hold {count} certificates and the limit is {limit}"
    for corp, holdings in s.shares.items():
        if player in holdings and over_holding_limit(t, s, player, corp):
            held, allowed = holdings[player], t.policy.holdings.holding_limit
            return f"you hold {t.percent(corp, held)} of {corp} and may hold {t.percent(corp, allowed)}"
    return None


def _serves(t: Title, s: State, sale: Action) -> bool:
    """Whether the sale lessens what the player has too much of."""
    assert isinstance(sale, SellShares)
    if not t.policy.holdings.excess_sold_off or over_holding_limit(t, s, sale.by, sale.corp):
        return True
    return certificates(t, s, sale.by) > t.policy.holdings.cert_limit(t, s) and zone(t, s, sale.corp).counts_certs


def not_sold_before(t: Title, s: State, a: BuyShare | Par | ExchangePrivate) -> str | None:
    """Shares of a company sold in this round cannot be bought back in it."""
    if a.corp in s.sold.get(a.by, ()):
        return f"You sold {a.corp} this stock round and cannot buy it again until the next one."
    return None


def started(t: Title, s: State, a: BuyShare) -> str | None:
    """The first certificate of a company is its president's."""
    if a.corp in s.par:
        return None
    return f"{a.corp} has no par yet: start it by buying its {t.wording.head}'s certificate."


def share_there(t: Title, s: State, a: BuyShare) -> str | None:
    """A share lies where it is bought from."""
    if a.source not in (IPO, POOL):
        return "Shares are bought from the initial offering or from the open market."
    where = "initial offering" if a.source == IPO else "open market"
    return None if s.held(a.corp, a.source) else f"No share of {a.corp} is left in the {where}."


def cost_of(t: Title, s: State, corp: CorpId, source: Source) -> int:
    """Par from the offering, market price from the market."""
    return s.par[corp] if source == IPO else price(t, s, corp)


def share_affordable(t: Title, s: State, a: BuyShare) -> str | None:
    """The buyer pays the full price in cash."""
    cost = cost_of(t, s, a.corp, a.source)
    if cost > s.cash[a.by]:
        return f"A share of {a.corp} costs {t.money(cost)}; you have {t.money(s.cash[a.by])}."
    return None


def within_cert_limit(t: Title, s: State, a: BuyShare | Par) -> str | None:
    """At the certificate limit nothing that counts may be bought."""
    if not zone(t, s, a.corp).counts_certs:
        return None
    count, limit = certificates(t, s, a.by), t.policy.holdings.cert_limit(t, s)
    return None if count < limit else f"You hold {count} certificates; the limit is {limit}."


def within_holding_limit(t: Title, s: State, a: BuyShare) -> str | None:
    """A holding stays within the limit unless the token's zone lifts it."""
    if over_holding_limit(t, s, a.by, a.corp, 1):
        held, limit = s.held(a.corp, a.by), t.policy.holdings.holding_limit
        return f"You hold {t.percent(a.corp, held)} of {a.corp}; the limit is {t.percent(a.corp, limit)}."
    return None


def not_started(t: Title, s: State, a: Par) -> str | None:
    """A par is set once, and a company without shares has none."""
    if t.corporations[a.corp].certificate is not None:
        return f"{a.corp} has no shares: it belongs to whoever has its certificate."
    return f"{a.corp} already has a par." if a.corp in s.par else None


def par_cell(t: Title, s: State, a: Par) -> str | None:
    """Par is one of the marked prices."""
    cell = t.market.cell(a.row, a.col)
    if cell is not None and cell.par:
        return None
    return f"Par must be one of {', '.join(t.money(value) for value, _, _ in t.market.pars())}."


def par_affordable(t: Title, s: State, a: Par) -> str | None:
    """The president's certificate costs par for each of its shares, in cash."""
    cell = t.market.cell(a.row, a.col)
    cost = t.corporations[a.corp].president_shares * cell.price if cell else 0
    if cost > s.cash[a.by]:
        return f"The {t.wording.head}'s certificate would cost {t.money(cost)}; you have {t.money(s.cash[a.by])}."
    return None


def pars(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Each par of each company without one."""
    cells = t.market.pars()
    for corp, printed in t.corporations.items():
        if corp not in s.par and printed.certificate is None:
            for _, row, col in cells:
                yield Par(player, corp, row, col)


def shares_on_offer(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """A share of each company, from wherever there is one."""
    for corp in t.corporations:
        for source in (IPO, POOL):
            if s.held(corp, source):
                yield BuyShare(player, corp, source)


# What may be sold


@of_seat
def sales_open(t: Title, s: State, a: Action) -> str | None:
    """No sales in the first stock round."""
    return "No shares may be sold in the first stock round." if s.turn < t.policy.holdings.first_sales else None


@of_seat
def buys_between_no_sales(t: Title, s: State, a: Action) -> str | None:
    """Sell then buy, or buy then sell; not sell, buy, sell."""
    if s.bought and s.sold_first:
        return "You sold before you bought, so you cannot sell again this turn."
    return None


@of_seat
def sales_before_purchase(t: Title, s: State, a: Action) -> str | None:
    """All sales of a turn come before its purchase."""
    return "You have already bought a certificate this turn; sales come first." if s.bought else None


def has_shares(t: Title, s: State, a: SellShares) -> str | None:
    """Only shares that the seller has, at least one."""
    held = s.held(a.corp, a.by)
    if 1 <= a.count <= held:
        return None
    return f"You have {n_shares(held)} of {a.corp}, so you cannot sell {a.count}."


def has_price(t: Title, s: State, a: SellShares) -> str | None:
    """Without a par there is no price to sell at."""
    return None if a.corp in s.cell else f"{a.corp} has no price yet, so its shares cannot be sold."


def one_block(t: Title, s: State, a: SellShares) -> str | None:
    """All shares of a company sold in a turn are sold in one block."""
    return f"You already sold {a.corp} this turn; all of it must go in one block." if a.corp in s.sold_now else None


def pool_room(t: Title, s: State, a: SellShares) -> str | None:
    """The open market takes a limited share of each company."""
    room = t.policy.holdings.pool_limit - s.held(a.corp, POOL)
    if a.count <= room:
        return None
    most = f"has room for {n_shares(room)} of {a.corp}, not {a.count}" if room > 0 else f"takes no more of {a.corp}"
    return f"The open market {most}."


def heir_for_presidency(t: Title, s: State, a: SellShares) -> str | None:
    """The president's certificate goes only to another player with as many shares."""
    left = s.held(a.corp, a.by) - a.count
    least = t.corporations[a.corp].president_shares
    if s.president[a.corp] != a.by or left >= least or successor(t, s, a.corp, a.by, left):
        return None
    return (
        f"Nobody else has {t.percent(a.corp, least)} of {a.corp}, so you must keep the {t.wording.head}'s certificate."
    )


def least_block(t: Title, s: State, player: PlayerId, corp: CorpId) -> int:
    """The smallest block that may be sold: one share, but a holding above its limit comes down to it at once.

    The market has room for that: it takes no fewer shares than the limit leaves to all others.
    """
    if not t.policy.holdings.excess_sold_off or not over_holding_limit(t, s, player, corp):
        return 1
    return s.held(corp, player) - t.policy.holdings.holding_limit


def sells_down(t: Title, s: State, a: SellShares) -> str | None:
    """Who holds too much of a company sells it down to the limit."""
    least = least_block(t, s, a.by, a.corp)
    if a.count >= least:
        return None
    limit = t.percent(a.corp, t.policy.holdings.holding_limit)
    return f"You hold more than {limit} of {a.corp}: sell at least {n_shares(least)} of it, or none."


def blocks_of_shares(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Every number of shares of each company."""
    for corp in t.corporations:
        for count in range(1, s.held(corp, player) + 1):
            yield SellShares(player, corp, count)


# What happens


def buy_share(t: Title, s: State, a: BuyShare) -> None:
    """Buy one certificate as the turn's purchase."""
    buy(t, s, a.by, a.corp, a.source, cost_of(t, s, a.corp, a.source))
    note_purchase(s, a.by)


def start_company(t: Title, s: State, a: Par) -> None:
    """Set the par and buy the president's certificate."""
    set_par(t, s, a)
    t.policy.companies.par_set(t, s, a.corp)
    buy_presidency(t, s, a.by, a.corp, t.corporations[a.corp].president_shares * s.par[a.corp])
    note_purchase(s, a.by)


def set_par(t: Title, s: State, a: Par) -> None:
    """Note the company's par and lay its token on that price."""
    s.par[a.corp] = t.market.price(a.row, a.col)
    put(s, a.corp, (a.row, a.col))
    s.facts.append(ParSet(a.corp, a.by, s.par[a.corp]))


def sell_block(t: Title, s: State, a: SellShares) -> None:
    """Sell to the open market; the price falls."""
    sell(t, s, a.by, a.corp, a.count, falls=a.count)
    note_sale(s, a.by, a.corp)


def note_sale(s: State, player: PlayerId, sold: CorpId) -> None:
    """The player has sold shares of a company in this turn."""
    s.sold_now += (sold,)
    s.sold[player] = s.sold.get(player, frozenset()) | {sold}
    s.sold_first = s.sold_first or not s.bought
    s.last_actor = player
    s.passes = 0


def note_purchase(s: State, player: PlayerId) -> None:
    """The player has made this turn's purchase."""
    s.bought = True
    s.last_actor = player
    s.passes = 0


BUY = Verb(
    BuyShare,
    shares_on_offer,
    (
        one_purchase, must_sell_first, not_sold_before, share_there, started, share_affordable,
        within_cert_limit, within_holding_limit,
    ),
    buy_share,
)  # fmt: skip
PAR = Verb(
    Par,
    pars,
    (one_purchase, must_sell_first, not_sold_before, not_started, par_cell, par_affordable, within_cert_limit),
    start_company,
)
SELL = Verb(
    SellShares,
    blocks_of_shares,
    (sales_open, has_shares, has_price, buys_between_no_sales, one_block, pool_room, heir_for_presidency, sells_down),
    sell_block,
)


def liquidity(t: Title, s: State, player: PlayerId) -> int:
    """What the largest legal sales of each company's shares in a stock round would bring the player, each by itself."""
    if player != s.up:  # what has been done in another's turn binds only them
        s = s.copy()
        s.bought, s.sold_first, s.sold_now = False, False, ()
    most: dict[CorpId, int] = {}
    for sale in possible(t, s, t.share_step().by_action[SellShares], player):
        assert isinstance(sale, SellShares)
        most[sale.corp] = max(sale.count, most.get(sale.corp, 0))
    return sum(count * t.policy.holdings.sale_price(t, s, corp) for corp, count in most.items())
