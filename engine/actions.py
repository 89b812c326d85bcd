"""One frozen dataclass for each thing that can be done; `action_json.py` writes and reads them.

`by` is the seat that acts. An action names everything it decides and nothing that follows from the
position: the operating company is named because a private's owner may act in its turn too, a
train's price because between companies it is agreed.
"""

from typing import Literal

from engine.frozen import dataclass
from engine.ids import CorpId, HexId, PlayerId, PrivateId, Rank, Source, StopId, TileId


@dataclass(frozen=True, slots=True)
class Action:
    """What a seat does. `by` is the seat, or `NOBODY` for what the program does."""

    by: PlayerId


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Decline what the step offers, or be done with it."""


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """The outcome of dealing the privates: one for each seat, in seat order. Acted by chance."""

    privates: tuple[PrivateId, ...]


@dataclass(frozen=True, slots=True)
class BuyPrivate(Action):
    """Buy the private that is for sale at its present price, from the bank."""

    private: PrivateId


@dataclass(frozen=True, slots=True)
class Bid(Action):
    """A bid for a private."""

    private: PrivateId
    amount: int


@dataclass(frozen=True, slots=True)
class BidToChoose(Action):
    """Bid for the right to choose one of several certificates."""

    amount: int


@dataclass(frozen=True, slots=True)
class SellPrivate(Action):
    """Sell a private to the bank, at the price that the rules set."""

    private: PrivateId


@dataclass(frozen=True, slots=True)
class TradePrivate(Action):
    """Buy a private from the player who owns it, at an agreed price."""

    private: PrivateId
    price: int


@dataclass(frozen=True, slots=True)
class ClosePrivate(Action):
    """Close a private of one's own for good."""

    private: PrivateId


@dataclass(frozen=True, slots=True)
class Par(Action):
    """Buy the president's certificate of an unstarted company and set its par price."""

    corp: CorpId
    row: int
    col: int


@dataclass(frozen=True, slots=True)
class BuyShare(Action):
    """Buy one certificate from the initial offering or the open market."""

    corp: CorpId
    source: Source


@dataclass(frozen=True, slots=True)
class SellShares(Action):
    """Sell `count` shares of a company in one block."""

    corp: CorpId
    count: int


@dataclass(frozen=True, slots=True)
class ExchangePrivate(Action):
    """Give a private for a share; `corp` and `source` say which where the private leaves a choice."""

    private: PrivateId
    corp: CorpId | None = None
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Lay(Action):
    """Which company lays which tile where, however it is turned; `LayTile` is the action."""

    corp: CorpId
    hex: HexId
    tile: TileId


@dataclass(frozen=True, slots=True)
class LayTile(Lay):
    """Lay a yellow tile or upgrade, as the operating company's track action."""

    rotation: int


@dataclass(frozen=True, slots=True)
class LayPowerTile(Action):
    """Lay a tile by a private's power, beside or without any company's track action."""

    private: PrivateId
    hex: HexId
    tile: TileId
    rotation: int


@dataclass(frozen=True, slots=True)
class PlaceToken(Action):
    """Put a station token into a free place of a city, the first free one."""

    corp: CorpId
    stop: StopId


@dataclass(frozen=True, slots=True)
class Route:
    """One train's run: stops, and between them the sides crossed: ("C10.0", 3, 3, "B7.0").

    The number after a stop is the side by which the train leaves that stop's hex; each further one
    is the side by which it leaves the next hex. Two stops in a row are joined inside their hex.
    """

    train: Rank
    path: tuple[StopId | int, ...]
    halts: int | None = None
    """At how many of the halts on the way the train calls; None is at as many as it can. Other stops are called at."""


@dataclass(frozen=True, slots=True)
class RunTrains(Action):
    """Run these routes. `stated` is a revenue that another program's record gives for them instead."""

    corp: CorpId
    routes: tuple[Route, ...]
    stated: int | None = None


@dataclass(frozen=True, slots=True)
class StateRevenue(Action):
    """Take a revenue as stated, with no routes to check: only for early records of other programs."""

    corp: CorpId
    revenue: int


Payout = Literal["pay", "withhold", "half"]
"""What becomes of a run's revenue: paid to the shareholders, kept by the company, or half of each."""


@dataclass(frozen=True, slots=True)
class Dividend(Action):
    """What becomes of the revenue."""

    corp: CorpId
    kind: Payout


@dataclass(frozen=True, slots=True)
class BuyTrain(Action):
    """Buy a train; `source` is "bank", "pool" or the id of the selling company.

    `trade_in` names the train handed over where the purchase is an exchange.
    """

    corp: CorpId
    rank: Rank
    source: str
    price: int
    trade_in: Rank | None = None


@dataclass(frozen=True, slots=True)
class DiscardTrain(Action):
    """A company over its limit gives up a train."""

    corp: CorpId
    rank: Rank


@dataclass(frozen=True, slots=True)
class CompanyBuysPrivate(Action):
    """The operating company buys a private from the player who owns it, at an agreed price."""

    corp: CorpId
    private: PrivateId
    price: int


@dataclass(frozen=True, slots=True)
class BuyPassage(Action):
    """The operating company buys the right to run through another owner's token, in place of a token."""

    corp: CorpId


@dataclass(frozen=True, slots=True)
class RestoreToken(Action):
    """Pay for a token that a disaster put out of use, so that it counts again."""

    corp: CorpId


@dataclass(frozen=True, slots=True)
class RollDie(Action):
    """What a die, or a draw among so many, shows, from 1. Acted by chance."""

    value: int


@dataclass(frozen=True, slots=True)
class GoBankrupt(Action):
    """A player cannot raise the money that the company needs."""

    corp: CorpId


@dataclass(frozen=True, slots=True)
class EndGame(Action):
    """The table has agreed to stop now; the present worth is the result."""


ACTIONS: dict[str, type[Action]] = {
    kind.__name__: kind
    for kind in (
        Pass, Deal, BuyPrivate, Bid, Par, BuyShare, SellShares, ExchangePrivate, LayTile, LayPowerTile, PlaceToken,
        RunTrains, StateRevenue, Dividend, BuyTrain, DiscardTrain, CompanyBuysPrivate, GoBankrupt, EndGame,
        BidToChoose, SellPrivate, ClosePrivate, TradePrivate, BuyPassage, RestoreToken, RollDie,
    )
}  # fmt: skip


PHRASES: dict[type[Action], str] = {
    Pass: "pass",
    Deal: "deal the privates",
    BuyPrivate: "buy a private",
    Bid: "bid",
    Par: "start a company",
    BuyShare: "buy a share",
    SellShares: "sell shares",
    ExchangePrivate: "exchange a private",
    LayTile: "lay a tile",
    LayPowerTile: "lay a private's tile",
    PlaceToken: "place a token",
    RunTrains: "run the trains",
    Dividend: "pay or withhold",
    BuyTrain: "buy a train",
    DiscardTrain: "discard a train",
    CompanyBuysPrivate: "buy a private",
    TradePrivate: "buy a private from another player",
    SellPrivate: "sell a private",
    ClosePrivate: "close a private",
    BidToChoose: "bid",
    BuyPassage: "buy the right of passage",
    RestoreToken: "restore a token",
    RollDie: "roll the die",
    GoBankrupt: "go bankrupt",
}
"""What each action is called in a sentence of the kind "you can ... or ..."."""
