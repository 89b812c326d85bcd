"""What is in the box: frozen records of hexes, tiles, companies, trains, phases and market cells.

No rule lives here and no drawing coordinate; `title.Title` puts the records of one game together.
Money is in whole currency units, shares are counted, ten to a company unless it says otherwise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal

from engine.frozen import dataclass
from engine.ids import CorpId, HexId, PrivateId, Rank, TileId
from engine.powers import Power

Colour = Literal["white", "yellow", "green", "brown", "gray", "red", "blue"]
StopKind = Literal["city", "town", "halt", "offboard"]
End = int | str
"""One end of a piece of track: a side 0-5, or a stop letter "a", "b", ... in printed order."""

NO_LIMIT = 999
"""Stands for "as many as one likes" where a limit is a number."""

COLOURS: tuple[Colour, ...] = ("yellow", "green", "brown", "gray")
"""Tile colours in the order of upgrading."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A revenue centre. `tiers` (tier name, value) is given for values that change with the phase."""

    kind: StopKind
    revenue: int = 0
    slots: int = 0
    tiers: tuple[tuple[str, int], ...] = ()
    at: str = ""
    """Drawing hint: a side ("3"), the corner after a side ("2.5"), "center", or nothing."""
    group: str = ""
    """Stops of one group are a single place drawn on several hexes."""
    visit_cost: int = 1
    """How much of a train's reach a visit uses."""
    subsidy: int = 0
    """Paid to the treasury for each visit."""
    terminal: bool = False
    """Whether every route ends here, as off the board."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """What a tile on the hex costs, and the kinds of ground there."""

    cost: int
    kinds: frozenset[str]


def terrain(cost: int, *kinds: str) -> Terrain:
    """Ground of these kinds."""
    return Terrain(cost, frozenset(kinds))


def colour_word(colour: str) -> str:
    """The colour as people read it: "grey" for "gray"."""
    return "grey" if colour == "gray" else colour


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """Track and stops as printed on a tile or hex, at rotation 0; `tiles.face` makes one of each, known by identity."""

    colour: Colour
    stops: tuple[Stop, ...] = ()
    track: tuple[tuple[End, End], ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class HexDef:
    """One hex of the map as printed."""

    face: Face
    name: str = ""
    name_local: str = ""
    terrain: Terrain | None = None
    impassable: frozenset[int] = frozenset()
    """Sides that no track crosses, though the neighbour is on the map."""
    icons: tuple[str, ...] = ()
    joined: frozenset[int] = frozenset()
    """Sides drawn open: the hex is one half of an area over two hexes."""


@dataclass(frozen=True, slots=True)
class TileDef:
    """One kind of tile."""

    face: Face
    cost: int = 0
    """Charged for the next upgrade of a hex that shows this tile."""
    fixed_rotation: int | None = None
    printed: str = ""
    """The number on the tile where our key differs."""
    icons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Destination:
    """Where trains of a company bring it more that also call at its home."""

    hex: HexId
    bonus: int
    once: bool = False
    """Whether it gets the bonus once; else each such train earns it."""
    reached: bool = False
    """Whether it has had what it gets once."""
    name: str = ""
    """Of the place, where the hex has others."""


@dataclass(frozen=True, slots=True)
class Corporation:
    """A company with its charter."""

    id: CorpId
    name: str
    homes: tuple[tuple[HexId, int], ...]
    token_costs: tuple[int, ...]
    """Price of each station token in order of use, home included; free ones are for homes."""
    colour: str
    """#rrggbb of the printed charter."""
    float_shares: int = 5
    """How many shares must be sold before it floats."""
    shares: int = 10
    """Into how many shares it is divided."""
    president_shares: int = 2
    """How many of them the president's certificate is."""
    kind: str = "public"
    name_local: str = ""
    certificate: PrivateId | None = None
    """Of a company without shares, a minor: the private whose owner has and runs it."""
    tokens_of: CorpId | None = None
    """The company whose tokens it uses, having none of its own."""
    formed_in: str = ""
    """Of a company that no sale floats: the phase in which it is formed at the latest."""


@dataclass(frozen=True, slots=True)
class Private:
    """A private company."""

    id: PrivateId
    name: str
    value: int
    revenue: int
    powers: tuple[Power, ...] = ()
    note: str = ""
    name_local: str = ""
    later: str = ""
    """When it comes for sale, if that is not from the start: told until then. Such a private never closes."""


@dataclass(frozen=True, slots=True)
class TradeIn:
    """Which trains are taken in part payment, and for how much."""

    accepts: tuple[Rank, ...]
    discount: int


@dataclass(frozen=True, slots=True)
class TrainType:
    """All trains of one rank."""

    rank: Rank
    price: int
    count: int | None
    """How many there are; None means as many as asked for."""
    reach: int | None
    """How many stops it visits; None is any number. For m+n trains the number of large stops."""
    small: int = 0
    """Further stops of the small kinds that an m+n train visits."""
    apart: bool = False
    """Whether what an m+n train leaves of its large stops serves for no small ones."""
    rusts_on: Rank | None = None
    on_sale_with: Rank | None = None
    """On sale from the first purchase of this rank, beside what is left of it."""
    trade_in: TradeIn | None = None
    tier: str = ""
    """A tier of off-board values that only this train counts."""


@dataclass(frozen=True, slots=True)
class Phase:
    """What holds from the first train of a rank on."""

    name: str
    starts_on: Rank | None
    colours: tuple[Colour, ...]
    train_limit: Mapping[str, int]
    """By kind of corporation."""
    operating_rounds: int
    tier: str
    """Which off-board value counts."""
    buys_privates: bool = False
    events: tuple[str, ...] = ()
    trades_trains: bool = True
    """Whether companies may buy trains from one another."""
    note: str = ""
    """What else begins with it, for people: a clause such as "privates close"."""
    rule: str = ""
    """The rule that describes it."""


@dataclass(frozen=True, slots=True)
class PriceCell:
    """One price of the market."""

    price: int
    zone: str = "normal"
    par: bool = False
    arrow: str = ""
    """What a sideways step becomes where the row ends: "up" or "down"."""


@dataclass(frozen=True, slots=True)
class Zone:
    """What an area of the market exempts: certificates from the limit, holdings from their limit."""

    name: str
    counts_certs: bool = True
    holding_limit: bool = True
    meaning: str = ""
    """In a few words, what else is so in this area."""


@dataclass(frozen=True, slots=True)
class Market:
    """All prices, row by row from the top."""

    rows: tuple[tuple[PriceCell | None, ...], ...]
    zones: Mapping[str, Zone] = field(default_factory=dict)
    tiers: bool = False
    """Whether the one row is printed as two tiers of brickwork: every second price on the lower one."""

    def cell(self, row: int, col: int) -> PriceCell | None:
        """The cell, or None off the chart."""
        if row < 0 or col < 0 or row >= len(self.rows) or col >= len(self.rows[row]):
            return None
        return self.rows[row][col]

    def pars(self) -> list[tuple[int, int, int]]:
        """Price, row and column of the par cells, the cheapest first."""
        return sorted(
            (cell.price, row, col)
            for row, cells in enumerate(self.rows)
            for col, cell in enumerate(cells)
            if cell and cell.par
        )

    def price(self, row: int, col: int) -> int:
        """The price of a cell that is on the chart."""
        cell = self.cell(row, col)
        assert cell is not None
        return cell.price


def tile_counts(text: str) -> dict[TileId, int]:
    """How many there are of each tile: "57x4 6x2"."""
    return {TileId(number): int(count) for number, _, count in (entry.rpartition("x") for entry in text.split())}


def by_rank(*trains: TrainType) -> dict[Rank, TrainType]:
    """The trains in the order in which they are sold."""
    return {train.rank: train for train in trains}


def market_of(rows: Sequence[str], zones: Mapping[str, Zone], stuck: str = "") -> Market:
    """A market from rows such as ". 95 100* 40y": "." is no cell, * a par cell, a letter the zone that it stands for.

    Where a row ends, the price falls to the row below or rises to the one above; cells of the zone `stuck` stay.
    """

    def cell(text: str, arrow: str) -> PriceCell:
        zone = zones.get(text[-1])
        name = zone.name if zone else "normal"
        return PriceCell(
            int(text.rstrip("*" + "".join(zones))), name, text.endswith("*"), "" if name == stuck else arrow
        )

    made: list[tuple[PriceCell | None, ...]] = []
    for number, row in enumerate(rows):
        cells = row.split()
        ends = {cells.count("."): "" if number == len(rows) - 1 else "down", len(cells) - 1: "up" if number else ""}
        made.append(tuple(None if one == "." else cell(one, ends.get(at, "")) for at, one in enumerate(cells)))
    return Market(tuple(made), {zone.name: zone for zone in zones.values()})
