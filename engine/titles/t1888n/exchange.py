"""The Forbidden City: a private that is exchanged for a share. {1888-PRV-13, 1888-PRV-14, 1888-PRV-15}"""

from collections.abc import Iterator

from engine.actions import Action, ExchangePrivate
from engine.ids import SR, PlayerId
from engine.powers import TokenExchange
from engine.shares import buy
from engine.state import State
from engine.steps import privates, shares
from engine.title import Title, Verb, of_seat


def own_private_exchanged(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The player who owns the private exchanges it in his turn of a stock round; as its power says, in anybody's."""
    power = t.power(a.private, TokenExchange)
    if power is None:
        return f"{a.private} cannot be exchanged."
    if s.owner[a.private] != a.by:
        return f"Only a player who owns {a.private} can exchange it."
    if s.round != SR or s.pending or not (s.up == a.by or power.out_of_turn):
        when = "a stock round" if power.out_of_turn else "the owner's turn of a stock round"
        return f"{a.private} is exchanged in {when}."
    return None


def token_in_beijing(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The company has a token in Beijing at that moment."""
    power = t.power(a.private, TokenExchange)
    assert power is not None
    if a.corp is None:
        return f"Say which company's share you want for {a.private}."
    if s.board.in_hex(power.hex, a.corp):
        return None
    return f"{a.corp} has no token in {t.hexes[power.hex].name} ({power.hex})."


def exchange_source(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The share lies in the initial offering or the open market."""
    power = t.power(a.private, TokenExchange)
    assert power is not None
    assert a.corp is not None
    if a.source in power.sources and s.held(a.corp, a.source):
        return None
    return f"No share of {a.corp} can be taken from there."


@of_seat
def exchange_is_purchase(t: Title, s: State, a: Action) -> str | None:
    """The exchange is the purchase of a turn in which nothing is sold."""
    if s.bought:
        return "You have already bought a certificate this turn."
    return "You have sold shares this turn, so you cannot exchange anything." if s.sold_now else None


def token_exchanges(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Each share of each company, for each private of the player that can be exchanged."""
    for private, owner in s.owner.items():
        power = t.power(private, TokenExchange)
        if power is not None and owner == player:
            for corp in t.corporations:
                for source in power.sources:
                    yield ExchangePrivate(player, private, corp, source)


def exchange_for_free(t: Title, s: State, a: ExchangePrivate) -> None:
    """Option `prototype`: the exchange is no purchase."""
    assert a.corp is not None
    assert a.source is not None
    privates.close(s, a.private)
    buy(t, s, a.by, a.corp, a.source, 0)


def exchange_unnoted(t: Title, s: State, a: ExchangePrivate) -> None:
    """Option `online`: priority as foreseen leaves the exchange out; at the round's end it counts all the same."""
    exchange_for_free(t, s, a)
    s.bought = True
    s.passes = 0


def exchange(t: Title, s: State, a: ExchangePrivate) -> None:
    """The exchange is the purchase of the turn, and counts for the priority deal. {1888-PRV-14}"""
    exchange_unnoted(t, s, a)
    s.last_actor = a.by


EXCHANGE = Verb(
    ExchangePrivate,
    token_exchanges,
    (
        own_private_exchanged, shares.must_sell_first, exchange_is_purchase, token_in_beijing, exchange_source,
        shares.not_sold_before, privates.exchange_within_holding,
    ),
    exchange,
)  # fmt: skip
