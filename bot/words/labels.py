"""Short labels for actions, on buttons and in lists, with a note where one helps. Plain text, no formatting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.words.lexicon import SHARE_SOURCES, Lexicon, beside, joins, sign_of_company, sign_of_tile, sign_of_train
from bot.words.narration import tour
from engine import BANK, IPO, POOL, Action, BoardView, MarketView, RouteView, TableView, TileId, a_rank
from engine import actions as a
from engine.board.tiles import turned
from engine.printed import TileDef
from engine.router import Best

DROP_OUT = "Drop out"
PASS_LABELS = {
    "auction": DROP_OUT,
    "bonus tile": "Lay no tile",
    "track": "No track",
    "token": "No token",
    "run": "Run nothing",
    "trains": "Done with trains",
    "privates": "Done",
}


@dataclass(frozen=True, slots=True)
class Payout:
    """Routes and the dividend paid from them, in one press."""

    run: a.RunTrains
    dividend: a.Dividend
    label: str
    note: str
    """What it leads to, in a few words."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels for actions at one position, with the names and prices that the reader may know."""

    names: Lexicon
    table: TableView
    market: MarketView
    step: str
    board: BoardView | None = None
    """What is on the map, for what a list of hexes says of them."""
    costs: Mapping[str, int] = field(default_factory=dict)
    """What the company whose turn it is pays for the terrain of hexes."""
    tiles: Mapping[TileId, TileDef] = field(default_factory=dict)
    """The title's tiles, for what they join where they are laid."""
    acted: bool = False
    """Whether the player, or the company in its track step, has acted this turn, so that passing means being done."""
    runs: Mapping[Action, Sequence[RouteView]] = field(default_factory=dict)
    """The proposed sets of routes, traced on the map."""
    doubts: Mapping[Action, str] = field(default_factory=dict)
    """What to say about proposals not proved best."""
    outlooks: Mapping[Action, tuple[int, int]] = field(default_factory=dict)
    """What each dividend pays per share, and the company's price afterwards."""
    foreseen: Mapping[Action, str] = field(default_factory=dict)
    """What actions lead to, in a few words."""
    payouts: Sequence[Payout] = ()
    """The best routes together with each dividend, where one press can do both."""
    effort: int = 0
    """How many times the search for the best routes was extended."""
    ends_turn: bool = False
    """Whether passing declines the rest of the company's turn too."""
    unseen: Collection[str] = ()
    """Hexes for a tile or token that the map in the message does not show whole."""

    def sign(self, action: Action) -> str:
        """What is drawn before the label: a train, a tile's colour, or whose shares they are; "" if nothing is."""
        if isinstance(action, a.BuyTrain | a.DiscardTrain):
            return sign_of_train(action.rank)
        if isinstance(action, a.LayTile | a.LayPowerTile) and action.tile in self.tiles:
            return sign_of_tile(self.tiles[action.tile].face.colour)
        if isinstance(action, a.Par | a.BuyShare | a.SellShares):
            return sign_of_company(self.table.company(action.corp).company)
        return ""

    def place(self, hex_id: str, lays: Iterable[a.LayTile | a.LayPowerTile]) -> str:
        """What lies on a hex, what the terrain costs, and which tiles can come: "no tile yet · can take 7, 8".

        A private's tile is free.
        """
        cells = self.board.hexes if self.board is not None else ()
        here = next((cell for cell in cells if cell.id == hex_id), None)
        some = [one for one in lays if one.hex == hex_id]
        tiles = sorted({self.names.tile(one.tile) for one in some}, key=lambda tile: (len(tile), tile))
        printed = "printed track" if here is not None and here.track else "no tile yet"
        now = [] if here is None else [f"tile {self.names.tile(here.tile)} now" if here.tile else printed]
        paid = self.costs.get(hex_id) if any(isinstance(one, a.LayTile) for one in some) else 0
        cost = [f"terrain {self.names.money(paid)}"] if paid else []
        return " · ".join([*now, *cost, f"can take {', '.join(tiles)}"])

    def joins(self, action: a.LayTile | a.LayPowerTile) -> str:
        """What the tile's track joins as it is turned; "" where the tiles are not known."""
        if self.board is None or action.tile not in self.tiles:
            return ""
        return joins(self.board.layout, action.hex, turned(self.tiles[action.tile].face, action.rotation))

    def city(self, stop: str) -> str:
        """The hex of the city, and which of its cities it is where there are several."""
        which = beside(self.board, stop) if self.board is not None else ""
        return self.names.stop(stop) + (f", the city joining {which}" if which else "")

    def for_nothing(self, action: Action) -> bool:
        """Whether it sells a private to the bank for nothing, which is legal but not to be suggested."""
        return isinstance(action, a.SellPrivate) and self.table.private(action.private).sells_for <= 0

    def of(self, action: Action) -> str:
        return self.said(CONTROLS[type(action)].label, action)

    def said(self, how: Said, action: Action) -> str:
        return self.names.filled(how, action) if isinstance(how, str) else how(self, action)

    def note(self, action: Action) -> str:
        """A second line for a list; may be empty."""
        return " · ".join(filter(None, [self.foreseen.get(action), self.said(CONTROLS[type(action)].note, action)]))

    def par_price(self, action: a.Par) -> int:
        """The price in the market cell that the action names."""
        cell = self.market.rows[action.row][action.col]
        return cell.price if cell else 0

    def token_cost(self, action: a.PlaceToken) -> int | None:
        """What the company's next token costs, without terrain; None if it has no token left."""
        return self.table.company(action.corp).next_token


def _pass(n: Labels, action: a.Pass) -> str:
    if n.step == "track" and n.acted:
        return "No more track"
    return n.names.own.passes.get(n.step) or PASS_LABELS.get(n.step) or ("End turn" if n.acted else "Pass")


def drops_out(n: Labels, action: a.Pass) -> bool:
    """Whether who passes now is out of the auction."""
    return _pass(n, action) == DROP_OUT


def _dropping_out(n: Labels, action: a.Pass) -> str:
    return "You cannot come back into this auction." if drops_out(n, action) else ""


def _buy_private(n: Labels, action: a.BuyPrivate) -> str:
    price = n.names.money(n.table.private(action.private).price)
    return f"Buy {n.names.private(action.private)} for {price}"


def _private_note(n: Labels, action: a.BuyPrivate | a.Bid) -> str:
    row = n.table.private(action.private)
    return " · ".join(filter(None, [f"pays {n.names.money(row.revenue)}" if row.revenue else "", row.note]))


def _sell_private(n: Labels, action: a.SellPrivate) -> str:
    return f"Sell {action.private} for {n.names.money(n.table.private(action.private).sells_for)}"


def _lost(n: Labels, action: a.SellPrivate | a.ExchangePrivate) -> str:
    known = action.private in n.names.privates  # not so if it was typed, which the rules then refuse
    if known and (revenue := n.table.private(action.private).revenue):
        return f"You lose it and the {n.names.money(revenue)} it pays."
    return " ".join(filter(None, [_exchanged(n, action), FINAL]))


def _closed(n: Labels, action: a.ClosePrivate) -> str:
    if action.private not in n.names.privates:  # as above
        return FINAL
    row, money = n.table.private(action.private), n.names.money
    return f"It no longer pays its {money(row.revenue)}, but its {money(row.value)} still counts at the end."


def _exchanged(n: Labels, action: a.SellPrivate | a.ExchangePrivate) -> str:
    return n.names.own.exchanged.get(action.private, "") if isinstance(action, a.ExchangePrivate) else ""


def _exchange(n: Labels, action: a.ExchangePrivate) -> str:
    if action.private in n.names.own.exchanges:
        return n.names.own.exchanges[action.private]
    corp = action.corp or n.table.private(action.private).exchange
    assert corp is not None
    row = n.table.company(corp)
    either = row.ipo and row.pool  # else there is no choice of where it comes from
    where = f" from {SHARE_SOURCES.get(action.source, action.source)}" if action.source and either else ""
    return f"Exchange {action.private} for a share of {corp}{where}"


def _share(n: Labels, action: a.BuyShare) -> str:
    row = n.table.company(action.corp)
    price = row.par if action.source == IPO else row.price
    where = f" from {SHARE_SOURCES[POOL]}" if action.source == POOL else ""
    return (f"{action.corp} for {n.names.money(price)}" if price is not None else str(action.corp)) + where


def _share_note(n: Labels, action: a.BuyShare) -> str:
    row = n.table.company(action.corp)
    there = row.ipo if action.source == IPO else row.pool
    where = "initial offering" if action.source == IPO else "open market"
    return f"{row.company.name} · {n.names.percent(action.corp, there)} in the {where}"


def _sale(n: Labels, action: a.SellShares) -> str:
    row = n.table.company(action.corp)
    gain = f" for {n.names.money(row.sells_for * action.count)}" if row.sells_for is not None else ""
    return f"{n.names.percent(action.corp, action.count)} of {action.corp}{gain}"


def _sale_note(n: Labels, action: a.SellShares) -> str:
    row = n.table.company(action.corp)
    if row.sells_for is None:
        return ""
    half = ", half its price" if row.sells_for < (row.price or 0) else ""
    return f"{n.names.money(row.sells_for)} a share{half} · {row.company.name}"


def _tile(n: Labels, action: a.LayTile | a.LayPowerTile) -> str:
    joins = n.joins(action)
    return f"Tile {n.names.tile(action.tile)} on {n.names.hex(action.hex)}" + (f", joining {joins}" if joins else "")


def _token(n: Labels, action: a.PlaceToken) -> str:
    cost = n.token_cost(action)
    return n.city(action.stop) + (f" for {n.names.money(cost)}" if cost else "")


def _run(n: Labels, action: a.RunTrains) -> str:
    if not action.routes:
        return "Run nothing"
    routes = n.runs.get(action)
    return "Run these routes" if routes is None else f"Run for {together(n.names, routes)}"


def _run_note(n: Labels, action: a.RunTrains) -> str:
    ways = (
        f"{view.train}: {tour((stop for stop, _ in view.stops), n.names)} {n.names.money(view.value)}"
        for view in n.runs.get(action, ())
    )
    return "; ".join([*filter(None, [n.doubts.get(action)]), *ways])


def together(names: Lexicon, routes: Sequence[RouteView]) -> str:
    return earnings(names, sum(view.value for view in routes), sum(view.subsidy for view in routes))


def earnings(names: Lexicon, revenue: int, subsidy: int) -> str:
    """What routes earn: "£120", or "£120 and £30 subsidy"."""
    return names.money(revenue) + (f" and {names.money(subsidy)} subsidy" if subsidy else "")


def doubt(names: Lexicon, routes: Sequence[RouteView], best: Best) -> str:
    """What to say about routes not proved best: "not proved best, at most £130"."""
    if best.bound == best.total:
        return "not proved best, there may be more subsidy"
    counted = "" if best.total == sum(view.value for view in routes) else " in all"
    return f"not proved best, at most {names.money(best.bound)}{counted}"


def so_far(names: Lexicon, routes: Sequence[RouteView], best: Best) -> str:
    """The result of a search without proof: "£120 found; not proved best, at most £130."."""
    what = f"{together(names, routes)} found" if routes else "No routes found yet"
    return f"{what}; {doubt(names, routes, best)}."


def _dividend(n: Labels, action: a.Dividend) -> str:
    """The dividend and the price it leads to; the whole revenue where none of it is paid by share."""
    label = {"pay": "Pay out", "withhold": "Withhold", "half": "Pay half"}.get(action.kind, action.kind.capitalize())
    if action not in n.outlooks:
        return label
    (each, price), row = n.outlooks[action], n.table.company(action.corp)
    whole = f" {n.names.money(row.last_run)}" if row.last_run else ""
    return f"{label}{f' {n.names.money(each)} a share' if each else whole}: price {n.names.money(price)}"


def paid_run(n: Labels, action: a.Dividend, *, declined: bool) -> str:
    """The best routes with this dividend, which a card explains; `declined` where a token is given up for it."""
    what = {"pay": "pay", "half": "pay half", "withhold": "withhold"}.get(action.kind, action.kind)
    outlook = n.outlooks.get(action)
    if outlook is not None and outlook[0]:
        what += f" {n.names.money(outlook[0])} a share"
    if declined:
        return f"No token: run, {what}"
    return "Withhold" if action.kind == "withhold" else f"Run, {what}"


def _train(n: Labels, action: a.BuyTrain) -> str:
    traded = f" for {a_rank(action.trade_in)}" if action.trade_in else ""
    source = {BANK: "", "pool": " from the market"}.get(action.source, f" from {action.source}")
    return f"Buy {a_rank(action.rank)}-train{source}{traded}: {n.names.money(action.price)}"


def _owner_note(n: Labels, action: a.CompanyBuysPrivate | a.TradePrivate) -> str:
    return f"from {n.names.plain_player(n.table.private(action.private).owner)}"


def _par(n: Labels, action: a.Par) -> str:
    return n.names.money(n.par_price(action))


Style = Literal["primary", "secondary", "success", "danger"]
Purse = Literal["player", "company", "sale"]
"""Whose money a choice reveals: what a player or company can pay, or how much selling shares must raise."""
Shape = Literal[
    "buttons", "list", "list by company", "purchase", "bids", "rights", "lays", "power lays", "runs", "dividends",
    "trains", "opener", "owned",
]  # fmt: skip
"""How a turn's message offers the choices of a kind; `bot/rooms/turn/controls.py` draws each."""
FINAL = "This is final."
Said = str | Callable[[Labels, Any], str]
"""A sentence with fields of the action, or what makes one."""


@dataclass(frozen=True, slots=True)
class Control:
    """How one kind of action is labelled and offered."""

    label: Said
    note: Said = ""
    shape: Shape = "buttons"
    style: Style = "secondary"
    hint: str = "Choose"
    """The list's placeholder."""
    request: str = "{label}"
    """The choice where no list around it says what it is about, made of what the function `request` puts in."""
    opener: str = ""
    """The label of the button that opens the choices in a private message."""
    few: bool = False
    """Whether a private message shows them as buttons, since there are never many."""
    tells: Purse | None = None
    explained: bool = True
    """Whether the bot says what each choice leads to, and why there is none."""
    warning: Said = ""
    """What is final about a choice that asks once more, since one press of it cannot be meant lightly; else ""."""


CONTROLS: Mapping[type[Action], Control] = {
    a.BuyPrivate: Control(
        _buy_private, _private_note, "purchase", "primary", "Choose a private…", opener="Buy a private…",
        tells="player",
    ),
    a.Bid: Control(
        "{amount} on {private}", _private_note, "bids", hint="Bid…", request="Bid {label}", opener="Bid…",
        tells="player",
    ),
    a.BidToChoose: Control("Bid {amount}", "", "rights", "primary", opener="Bid…", tells="player"),
    a.BuyShare: Control(
        _share, _share_note, "list", hint="Buy a share…", request="Buy a share of {label}",
        opener="Buy a share…", tells="player",
    ),
    a.Par: Control(
        _par, "", "list by company", "primary", "Start a company…", request="Start {corp} at a par of {label}",
        opener="Start a company…", few=True, tells="player",
    ),
    a.SellShares: Control(
        _sale, _sale_note, "list", hint="Sell shares…", request="Sell {label}", opener="Sell shares…", tells="sale"
    ),
    a.RunTrains: Control(_run, _run_note, "runs", hint="Run for…", explained=False),
    a.Dividend: Control(_dividend, "", "dividends"),
    a.LayTile: Control(_tile, "", "lays", hint="Lay a tile on…", request="Lay {inner}", explained=False),
    a.LayPowerTile: Control(_tile, "", "power lays", request="{private}: lay {inner}", explained=False),
    a.PlaceToken: Control(
        _token, "", "list", hint="Place a token on…", request="Place a token on {label}", opener="Place a token…",
        tells="company",
    ),
    a.BuyPassage: Control("Buy the right of passage", opener="Right of passage…", few=True, tells="company"),
    a.RestoreToken: Control("Restore the token of {corp}", opener="Restore a token…", few=True, tells="company"),
    a.BuyTrain: Control(
        _train, "", "trains", "primary", "Buy a train…", opener="Buy a train…", tells="company"
    ),
    a.DiscardTrain: Control("Discard {corp}'s {rank}-train", style="danger", few=True),
    a.CompanyBuysPrivate: Control(
        "{private} for {price}", _owner_note, "opener", hint="Buy a private…", request="Buy {label}",
        opener="Buy a private…", tells="company",
    ),
    a.TradePrivate: Control(
        "{private} for {price}", _owner_note, "opener", hint="Buy a private from another player…",
        request="Buy {label}", opener="Buy from a player…", tells="player",
    ),
    a.RollDie: Control("The die shows {value}", explained=False),
    a.EndGame: Control("End the game", explained=False),
    a.Pass: Control(_pass, warning=_dropping_out),
    a.ExchangePrivate: Control(_exchange, _exchanged, "owned", hint="Exchange…", warning=_lost),
    a.SellPrivate: Control(_sell_private, "", "owned", hint="Sell a private to the bank…", warning=_lost),
    a.ClosePrivate: Control(
        "Close {private} for good", "", "opener", "danger", opener="Close a private…", few=True, warning=_closed
    ),
    a.GoBankrupt: Control("Declare bankruptcy", style="danger", explained=False, warning=FINAL),
}  # fmt: skip
"""One record per kind of action, in display order. What is seldom meant and never lightly comes after Pass."""
UNEXPLAINED = frozenset(kind for kind, control in CONTROLS.items() if not control.explained)
EXPLAINED = frozenset(CONTROLS) - UNEXPLAINED


def telling(*purses: Purse) -> frozenset[type[Action]]:
    """The kinds whose choices reveal how much money there is."""
    return frozenset(kind for kind, control in CONTROLS.items() if control.tells in purses)


def request(labels: Labels, action: Action) -> str:
    """The choice where no list or button around it says what it is about: "Buy a share of AR for ¥80"."""
    label, private = labels.of(action), getattr(action, "private", None)
    return CONTROLS[type(action)].request.format(
        label=label,
        inner=label[0].lower() + label[1:],
        corp=getattr(action, "corp", ""),
        private=labels.names.private(private) if private else "",
    )


def in_full(labels: Labels, action: Action) -> str:
    """The choice with whose it is, where it is a company's: "AR: Buy a 2-train: ¥80"."""
    said, corp = request(labels, action), str(getattr(action, "corp", None) or "")
    return f"{corp}: {said}" if corp and corp not in said else said
