"""Plain frozen pictures of a position for people: what renderer and bot show, no rules to ask.

`viewing` makes them. Names are ready to print; money is in whole units, shares are counted, sides 0-5 as in
`board/hexes.py`. What a viewer may not know is None.
"""

from engine.board.hexes import Layout
from engine.frozen import dataclass
from engine.ids import CorpId, HexId, PlayerId, PrivateId, Rank, StopId, TileId
from engine.printed import Colour, Destination, StopKind


@dataclass(frozen=True, slots=True)
class CompanyView:
    """How a company is told apart: its letters, full name, printed colour, and place in the title's order."""

    id: CorpId
    name: str
    colour: str
    index: int
    """Position among the title's companies; a token's pattern is chosen by it."""
    shares: int = 10
    """Into how many shares it is divided."""


@dataclass(frozen=True, slots=True)
class StopView:
    """One stop of a hex."""

    kind: StopKind
    value: int
    """What an ordinary train counts now."""
    tiers: tuple[tuple[str, int], ...] = ()
    """(tier, value) where the value changes with the phase; empty otherwise."""
    tier: str = ""
    """The tier that counts now."""
    slots: tuple[CorpId | None, ...] = ()
    """Tokens in the places of a city, None where free."""
    reserved: tuple[CorpId, ...] = ()
    """Companies that keep a place here for their home token."""
    at: str = ""
    """Drawing hint at rotation 0: side, "n.5" corner after side n, "center" or nothing."""
    group: str = ""
    subsidy: int = 0
    """What a call brings the company itself."""


@dataclass(frozen=True, slots=True)
class HexView:
    """One hex with what lies there."""

    id: HexId
    x: int
    y: int
    """Position in half steps, see `board/hexes.position`."""
    colour: Colour
    stops: tuple[StopView, ...]
    track: tuple[tuple[int, int], ...]
    """Pairs of ends: a side 0-5 (already turned) or 6 + index of a stop."""
    rotation: int
    tile: TileId | None
    """None while the hex shows its printed face."""
    printed_number: str = ""
    label: str = ""
    name: str = ""
    name_local: str = ""
    cost: int = 0
    """Terrain cost still to be paid for the next tile here; 0 if none."""
    terrain: tuple[str, ...] = ()
    """Kinds of terrain ("mountain", "water", "wall", "urban") while the printed face shows."""
    impassable: tuple[int, ...] = ()
    joined: tuple[int, ...] = ()
    icons: tuple[str, ...] = ()
    """Signs: of the tile or of the printed face ("port"), of the place whatever lies there ("destination:JZR"), and of
    what waits beside it ("token:KC")."""
    blocked_by: tuple[PrivateId, ...] = ()


@dataclass(frozen=True, slots=True)
class RouteView:
    """One train's run: its stops with what each counts, and the pieces of track it uses."""

    train: Rank
    stops: tuple[tuple[StopId, int], ...]
    segments: tuple[tuple[HexId, int, int], ...]
    """(hex, end, end) in travelling order, ends as in `HexView.track`."""
    value: int
    subsidy: int = 0
    """What the run brings the company itself, besides."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """The map."""

    title: str
    layout: Layout
    hexes: tuple[HexView, ...]
    companies: tuple[CompanyView, ...]
    phase: str
    round: str
    """For people: "Stock round 3", "Operating round 2.1 (of 2)"."""
    currency: str
    """A format such as "¥{}"."""
    changed: tuple[HexId, ...] = ()
    """Hexes changed by the last turn."""
    supply: tuple[tuple[TileId, int], ...] = ()
    """Tiles left, in the title's order, sold-out kinds included as 0."""
    sea: bool = False
    """Whether there is sea around the map."""


@dataclass(frozen=True, slots=True)
class PriceCellView:
    """One price with the tokens on it."""

    price: int
    zone: str
    """"normal" or the title's own zone name, see `MarketView.zones`."""
    par: bool
    arrow: str
    tokens: tuple[CorpId, ...] = ()
    """Top of the stack (operates first) first."""
    pars: tuple[CorpId, ...] = ()
    """Companies whose par was set at this price."""


@dataclass(frozen=True, slots=True)
class MarketView:
    title: str
    rows: tuple[tuple[PriceCellView | None, ...], ...]
    zones: tuple[tuple[str, str], ...]
    """(zone name, what it means in a few words), normal left out."""
    companies: tuple[CompanyView, ...]
    currency: str
    moved: tuple[tuple[CorpId, tuple[int, int]], ...] = ()
    """Companies moved by the last turn, with the (row, column) they came from."""
    order: tuple[CorpId, ...] = ()
    """Companies with a price, the first to operate first."""
    tiers: bool = False
    """True where the one row is printed as two tiers of brickwork, every second price on the lower one."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player on the table card."""

    id: PlayerId
    name: str
    cash: int | None
    free_cash: int | None
    """Cash less the money set aside for bids."""
    certs: int
    worth: int | None
    shares: tuple[tuple[CorpId, int], ...]
    president_of: tuple[CorpId, ...]
    privates: tuple[PrivateId, ...]
    priority: bool
    up: bool
    """True for those who must decide now."""
    bankrupt: bool = False
    bids: tuple[tuple[PrivateId, int], ...] = ()
    right_bid: int | None = None
    """What is bid for the right to choose, 0 if nothing yet; None for who is out, or where there is no such auction."""


@dataclass(frozen=True, slots=True)
class CompanyRow:
    """One company on the table card."""

    company: CompanyView
    president: PlayerId | None
    par: int | None
    price: int | None
    treasury: int | None
    trains: tuple[Rank, ...]
    tokens_left: int
    next_token: int | None
    """What the next station token costs, None when all are placed."""
    ipo: int
    pool: int
    holders: tuple[tuple[PlayerId, int], ...]
    privates: tuple[PrivateId, ...]
    floated: bool
    operating: bool
    """True while it is the company's turn."""
    last_run: int | None
    """Revenue of its latest run, None before the first."""
    last_paid: int | None
    """What that paid per share; 0 when it was withheld."""
    states: tuple[str, ...] = ()
    """What is unusual about it: "insolvent", "receivership", "no director", "bankrupt", "closed"."""
    sells_for: int | None = None
    """What a share brings that is sold now."""
    has_shares: bool = True
    """False for minors, which are owned by their one certificate, and for companies that have closed."""
    reserved: int = 0
    """Shares that are set aside for a merger."""
    to_float: int | None = None
    """Shares still to be sold before it floats; None if it has no par, has floated, or no sale floats it."""
    capital: int | None = None
    """What it gets when it floats; None where `to_float` is None."""
    buyable: int = 0
    """Shares that may be bought of the offering and the market."""
    destinations: tuple[Destination, ...] = ()

    @property
    def status(self) -> str:
        """What is unusual about it, in a word or two; else ""."""
        return ", ".join(self.states)


@dataclass(frozen=True, slots=True)
class PrivateRow:
    """One private on the table card."""

    id: PrivateId
    name: str
    value: int
    revenue: int
    owner: str
    """A seat, a corporation, "" while unsold, "closed" for good."""
    price: int
    """What it costs now while unsold."""
    note: str = ""
    bids: tuple[tuple[PlayerId, int], ...] = ()
    sells_for: int = 0
    """What the bank pays for it, where it takes privates back."""
    on_sale: bool = False
    """Whether whoever must decide now may buy it of the bank, given the money."""
    exchange: CorpId | None = None
    """The company for a share of which its owner may exchange it, if that is always the same."""


@dataclass(frozen=True, slots=True)
class TrainRow:
    """One rank of trains on the table card."""

    rank: Rank
    price: int
    left: int | None
    """None for an unlimited number."""
    rusts_on: Rank | None
    on_sale: bool
    phase: str = ""
    """The phase that its first sale will begin; empty once that has begun."""
    beside: Rank | None = None
    """The train whose first sale puts it on sale beside earlier ones."""


@dataclass(frozen=True, slots=True)
class TableView:
    """Everybody's holdings."""

    title: str
    round: str
    phase: str
    currency: str
    bank: int
    cert_limit: int | None
    """None where there is none."""
    players: tuple[PlayerRow, ...]
    companies: tuple[CompanyRow, ...]
    privates: tuple[PrivateRow, ...]
    depot: tuple[TrainRow, ...]
    train_pool: tuple[Rank, ...]
    train_limit: str
    """In words, with the kinds of companies that have another: "3 (minors 1, JR 4)"; empty where there is none."""
    finished: bool = False
    company_money: str = "treasury"
    """What a company's money is called."""
    head: str = "president"
    """What whoever runs a company is called."""
    endless: bool = False
    """Whether the bank never runs out."""

    @property
    def bank_left(self) -> str:
        """What is left of the bank, in a few words."""
        if self.endless:
            return "never runs out"
        return self.currency.format(f"{self.bank:,}") if self.bank > 0 else "broken"

    # Every seat, company and private of the game has its row, whatever has become of it.

    def player(self, seat: str) -> PlayerRow:
        return {str(row.id): row for row in self.players}[seat]

    def company(self, corp: str) -> CompanyRow:
        return {str(row.company.id): row for row in self.companies}[corp]

    def private(self, private: str) -> PrivateRow:
        return {str(row.id): row for row in self.privates}[private]


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """One phase: what holds in it, and what its first train sets off."""

    name: str
    colours: tuple[Colour, ...]
    train_limit: str
    """In words, as `TableView.train_limit`."""
    operating_rounds: int
    """In a set that begins in it."""
    rusts: tuple[Rank, ...]
    news: tuple[str, ...]
    """What else begins with it, a clause each: "privates close"."""
    trains: tuple[Rank, ...]
    """Those that are first sold in it."""


@dataclass(frozen=True, slots=True)
class PhasesView:
    """The chart of phases and trains."""

    title: str
    phase: str
    """Name of the present one."""
    rows: tuple[PhaseRow, ...]
    depot: tuple[TrainRow, ...]
    currency: str


@dataclass(frozen=True, slots=True)
class CurveView:
    """How one figure went on, for a player or a company."""

    name: str
    """The player's name, or the company's letters."""
    company: CorpId | None
    values: tuple[int | None, ...]
    """At each of `CurvesView.stops`; None where there was none."""


@dataclass(frozen=True, slots=True)
class CurvesView:
    """A figure of several players or companies, round by round."""

    title: str
    about: str
    """What the figures are, for people: "Share prices"."""
    currency: str
    stops: tuple[str, ...]
    """The rounds at whose ends the figures are taken, in short: "SR 1", "1.1"; the first is the start."""
    curves: tuple[CurveView, ...]
    companies: tuple[CompanyView, ...]
    hidden: tuple[str, ...] = ()
    """Players whose figures are secret until the game is over."""


@dataclass(frozen=True, slots=True)
class SourcesView:
    """What players' worth is made up of, or where it came from."""

    title: str
    about: str
    currency: str
    parts: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    """A player's name, and the amount of each part, which may be negative; together they are the worth."""
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CountsView:
    """How many there were of each kind, round by round."""

    title: str
    about: str
    stops: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    """A kind, and its number at each stop."""


ChartView = CurvesView | SourcesView | CountsView


@dataclass(frozen=True, slots=True)
class StillView:
    """One picture of a film: the map and the market, with what changed last, and what that was."""

    board: BoardView
    market: MarketView
    caption: str
