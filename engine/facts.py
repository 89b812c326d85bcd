"""What happened in an action: typed, no prose. `state.facts` lists them in order.

Holders are seats, companies or one of BANK, IPO, POOL, RESERVED (`ids`). Money is in whole units, shares are counted.
"""

from typing import Literal

from engine.actions import Payout, Route
from engine.frozen import dataclass
from engine.ids import POOL, CorpId, HexId, Holder, PlayerId, PrivateId, Rank, StopId, TileId


@dataclass(frozen=True, slots=True)
class Fact:
    """Base of all facts."""


@dataclass(frozen=True, slots=True)
class Passed(Fact):
    """A seat declined what the step offered."""

    player: PlayerId
    step: str
    forced: bool = False
    """Whether all may know that the seat could do nothing else, and was passed over."""
    more: bool = False
    """Whether it had laid track before, in the same turn."""


Payment = Literal[
    "setup", "bid", "private", "private income", "share", "shares sold", "capital", "terrain", "token", "passage",
    "land", "bonus", "destination", "dividend", "subsidy", "withheld", "train", "contribution", "merger", "half",
    "damages", "bankruptcy", "closed",
]  # fmt: skip
"""What money is paid for, or with."""


@dataclass(frozen=True, slots=True)
class CashMoved(Fact):
    """Money changed hands."""

    source: Holder
    target: Holder
    amount: int
    why: Payment


@dataclass(frozen=True, slots=True)
class BidMade(Fact):
    player: PlayerId
    private: PrivateId
    amount: int


@dataclass(frozen=True, slots=True)
class RightBid(Fact):
    """A bid for the right to choose."""

    player: PlayerId
    amount: int


@dataclass(frozen=True, slots=True)
class AuctionBegan(Fact):
    """Several bids meet: the bidders raise or drop out."""

    private: PrivateId
    bidders: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class PriceLowered(Fact):
    """Nobody bought a private, so it costs less now."""

    private: PrivateId
    price: int


@dataclass(frozen=True, slots=True)
class PrivateSold(Fact):
    """A private changed hands, for this price."""

    private: PrivateId
    source: Holder
    target: Holder
    price: int


@dataclass(frozen=True, slots=True)
class PrivateClosed(Fact):
    """A private left the game."""

    private: PrivateId


@dataclass(frozen=True, slots=True)
class PrivatePays(Fact):
    """From now on the private's income is this."""

    private: PrivateId
    revenue: int


@dataclass(frozen=True, slots=True)
class ParSet(Fact):
    """A company's par was chosen."""

    corp: CorpId
    player: PlayerId
    price: int


@dataclass(frozen=True, slots=True)
class SharesMoved(Fact):
    """Tenths of a company changed hands."""

    corp: CorpId
    source: Holder
    target: Holder
    count: int
    price: int
    """The whole sum; 0 in an exchange."""


@dataclass(frozen=True, slots=True)
class PresidentChanged(Fact):
    """The president's certificate changed hands."""

    corp: CorpId
    source: Holder
    target: Holder


@dataclass(frozen=True, slots=True)
class Floated(Fact):
    """A company may operate, with this capital."""

    corp: CorpId
    capital: int


@dataclass(frozen=True, slots=True)
class CompanyChanged(Fact):
    """The company is from now on, or no longer, what `state` says."""

    corp: CorpId
    state: Literal["insolvent", "bankrupt", "closed", "a late private"]
    now: bool


@dataclass(frozen=True, slots=True)
class Announced(Fact):
    """Something happened to the whole game: "southern", "southern over", "british", "layer 2"."""

    what: str


Move = Literal["sold", "sold out", "dividend", "no dividend"]
"""Why a price moves."""


@dataclass(frozen=True, slots=True)
class PriceMoved(Fact):
    """A price token came to another cell."""

    corp: CorpId
    source: tuple[int, int]
    target: tuple[int, int]
    price: int
    why: Move


@dataclass(frozen=True, slots=True)
class TileLaid(Fact):
    by: Holder
    """The company, or the owner of the private whose power was used."""
    hex: HexId
    tile: TileId
    rotation: int
    cost: int
    private: PrivateId | None = None


@dataclass(frozen=True, slots=True)
class TileRemoved(Fact):
    """The tile went back to the supply and `left` lies there now, None where the map shows again."""

    hex: HexId
    tile: TileId
    left: TileId | None


@dataclass(frozen=True, slots=True)
class TokenReturned(Fact):
    """The company's token went from the hex back to its charter."""

    corp: CorpId
    hex: HexId


@dataclass(frozen=True, slots=True)
class TokenGone(Fact):
    """The company's token left the hex with the company, lies face down there, or is another company's now."""

    corp: CorpId
    hex: HexId


@dataclass(frozen=True, slots=True)
class TokenPlaced(Fact):
    """A station token was placed, or put `back` where it had lain."""

    corp: CorpId
    stop: StopId
    cost: int
    home: bool = False
    back: bool = False


@dataclass(frozen=True, slots=True)
class PassageGained(Fact):
    """The company's trains may from now on pass the token of `private`'s company."""

    corp: CorpId
    private: PrivateId
    cost: int


@dataclass(frozen=True, slots=True)
class TrainsRan(Fact):
    """A company ran these routes, each for its revenue."""

    corp: CorpId
    routes: tuple[tuple[Route, int], ...]
    """Each route with its value."""
    revenue: int
    leased: bool = False
    """Whether the train was not the company's own."""


@dataclass(frozen=True, slots=True)
class DieRolled(Fact):
    """A die, or a draw, showed `value`; `why` is "tigers" or "quake". `revenue` is what the company's run earns now."""

    value: int
    why: str
    corp: CorpId | None = None
    revenue: int = 0


@dataclass(frozen=True, slots=True)
class DividendDecided(Fact):
    """A revenue was paid out or withheld."""

    corp: CorpId
    kind: Payout
    revenue: int
    per_share: int


@dataclass(frozen=True, slots=True)
class TrainBought(Fact):
    corp: CorpId
    rank: Rank
    source: str
    price: int
    contribution: int = 0
    """What the president paid of it."""
    trade_in: Rank | None = None
    secret: bool = False
    """Whether only buyer and seller know the price."""


@dataclass(frozen=True, slots=True)
class TrainDiscarded(Fact):
    """A company gave up a train."""

    corp: CorpId
    rank: Rank


@dataclass(frozen=True, slots=True)
class TrainExported(Fact):
    """The bank's next train left the game."""

    rank: Rank


@dataclass(frozen=True, slots=True)
class TrainsRusted(Fact):
    """All trains of this rank are gone."""

    rank: Rank
    owners: tuple[Holder, ...]


@dataclass(frozen=True, slots=True)
class PhaseBegan(Fact):
    phase: str


@dataclass(frozen=True, slots=True)
class RoundBegan(Fact):
    round: str
    turn: int
    number: int
    """Of the operating round in its set, 1 otherwise."""


@dataclass(frozen=True, slots=True)
class TurnBegan(Fact):
    """A company's turn in an operating round begins."""

    corp: CorpId


@dataclass(frozen=True, slots=True)
class Dealt(Fact):
    """The privates were dealt."""

    privates: tuple[PrivateId, ...]


@dataclass(frozen=True, slots=True)
class BankBroke(Fact):
    """The bank is broken; payments go on without limit."""


@dataclass(frozen=True, slots=True)
class WentBankrupt(Fact):
    player: PlayerId


@dataclass(frozen=True, slots=True)
class GameEnded(Fact):
    """The game is over."""

    reason: str
    """"bank", "bankrupt", "agreed", "stuck" (nothing can happen any more), or a reason of the title."""
    scores: tuple[tuple[PlayerId, int], ...]
    """Highest first."""


def event(fact: Fact) -> str:
    """What an event is called in `Title.event_rules`: "rust", or by its own word: "insolvent", "british"."""
    match fact:
        case TrainsRusted():
            return "rust"
        case TrainExported():
            return "export"
        case BankBroke():
            return "bank"
        case WentBankrupt():
            return "bankruptcy"
        case PriceLowered():
            return "price lowered"
        case PresidentChanged(target=target) if target == POOL:
            return "leaderless"
        case CompanyChanged(state=state, now=True):
            return state
        case Announced(what=what):
            return what
    return ""
