"""The only place where shares move; presidencies, limits and worth that follow from holdings."""

from dataclasses import replace

from engine.depot import TO_DISCARD
from engine.facts import Floated, PresidentChanged, SharesMoved
from engine.ids import BANK, IPO, POOL, CorpId, Holder, PlayerId, Source
from engine.market import down, move, price, zone
from engine.money import pay
from engine.state import State
from engine.title import Title


def shift(s: State, corp: CorpId, source: Holder, target: Holder, count: int, paid: int) -> None:
    """Move `count` shares; `paid` is the whole sum, for the record."""
    held = s.shares[corp]
    held[source] -= count
    if not held[source]:
        del held[source]
    held[target] = held.get(target, 0) + count
    s.facts.append(SharesMoved(corp, source, target, count, paid))


def buy(t: Title, s: State, player: PlayerId, corp: CorpId, source: Source, cost: int, count: int = 1) -> None:
    """One certificate from the offering or the market, for nothing in an exchange, with what follows."""
    pay(s, player, t.policy.companies.payee(t, s, corp, source), cost, "share")
    shift(s, corp, source, player, count, cost)
    settle_presidency(t, s, corp)
    float_if_due(t, s, corp)


def buy_presidency(t: Title, s: State, player: PlayerId, corp: CorpId, cost: int) -> None:
    """The president's certificate from the offering."""
    s.president[corp] = player
    buy(t, s, player, corp, IPO, cost, t.corporations[corp].president_shares)


def sell(t: Title, s: State, player: PlayerId, corp: CorpId, count: int, *, falls: int) -> None:
    """A block to the open market at the price before the sale; the token then falls `falls` spaces."""
    proceeds = count * price(t, s, corp)
    pay(s, BANK, player, proceeds, "shares sold")
    shift(s, corp, player, POOL, count, proceeds)
    settle_presidency(t, s, corp)
    move(t, s, corp, down(t, s.cell[corp], falls), "sold")


def successor(t: Title, s: State, corp: CorpId, president: PlayerId, left: int) -> PlayerId | None:
    """Who would be president if the present one had only `left` shares; None if nobody else.

    Whoever has most, of those with as many as the president's certificate is; the nearest left where they have as many.
    """
    least = t.corporations[corp].president_shares
    others = [player for player in s.after(president) if player != president and s.held(corp, player) >= least]
    best = max((s.held(corp, player) for player in others), default=0)
    return next((player for player in others if s.held(corp, player) == best), None) if best > left else None


def settle_presidency(t: Title, s: State, corp: CorpId) -> None:
    """Pass the president's certificate to whoever now holds more; from the market to the first with enough for it."""
    president = s.president_of(corp)
    if president is not None:
        heir = successor(t, s, corp, president, s.held(corp, president))
    elif s.president[corp] == POOL:
        least = t.corporations[corp].president_shares
        heir = next((player for player in s.players if s.held(corp, player) >= least), None)
    else:
        return
    if heir is not None:
        holder, s.president[corp] = s.president[corp], heir
        s.facts.append(PresidentChanged(corp, holder, heir))
        _take_over(s, corp, heir)


def _take_over(s: State, corp: CorpId, heir: PlayerId) -> None:
    """What the company is asked for goes to its new president, who has sold nothing for its train."""
    s.pending = tuple(
        replace(item, player=heir) if item.step == TO_DISCARD and item.subject == corp else item for item in s.pending
    )
    if corp == s.operating:
        s.sold_now = ()


def to_float(t: Title, s: State, corp: CorpId) -> int | None:
    """Shares still to be sold before the company floats; None if it has no par, has floated, or no sale floats it."""
    sold = t.policy.companies.float_count(t, s, corp)
    if corp in s.floated or corp not in s.par or sold is None:
        return None
    return max(0, t.corporations[corp].float_shares - sold)


def capital_of(t: Title, s: State, corp: CorpId) -> int:
    """What the bank pays the company when it floats: par for each of its shares."""
    return t.corporations[corp].shares * s.par[corp]


def float_if_due(t: Title, s: State, corp: CorpId) -> None:
    """Float the company once enough of its shares are sold."""
    if to_float(t, s, corp) != 0:
        return
    s.floated |= {corp}
    capital = capital_of(t, s, corp)
    s.facts.append(Floated(corp, capital))
    pay(s, t.policy.companies.bank, corp, capital, "capital")
    t.policy.companies.after_float(t, s, corp)


def certificates(t: Title, s: State, player: PlayerId) -> int:
    """Certificates of the player that count to the limit; the president's is one."""
    count = sum(
        1 for private, owner in s.owner.items() if owner == player and t.policy.holdings.counts_private(t, s, private)
    )
    for corp, held in s.shares.items():
        if player in held and zone(t, s, corp).counts_certs:
            count += held[player]
            if s.president[corp] == player:
                count -= t.corporations[corp].president_shares - 1
    return count


def over_holding_limit(t: Title, s: State, player: PlayerId, corp: CorpId, extra: int = 0) -> bool:
    """Whether the player would hold more of the company than allowed with `extra` more shares."""
    held = s.held(corp, player) + extra
    return held > t.policy.holdings.holding_limit and zone(t, s, corp).holding_limit


def worth(t: Title, s: State, player: PlayerId) -> int:
    """What the player's money and papers are worth at the end."""
    return t.policy.holdings.worth(t, s, player)


def scores(t: Title, s: State) -> tuple[tuple[PlayerId, int], ...]:
    """Everybody's worth, highest first, seats in order where equal."""
    return tuple(sorted(((player, worth(t, s, player)) for player in s.players), key=lambda item: -item[1]))
