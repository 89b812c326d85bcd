"""Actions into short labels for buttons and lists, with a note where one helps. Plain text, no formatting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from bot.lexicon import SHARE_SOURCES, Lexicon
from engine import actions as a
from engine.actions import Action
from engine.board.router import Best
from engine.ids import BANK, IPO, split_stop
from engine.views import CompanyRow, MarketView, PrivateRow, RouteView, TableView

PASS_LABELS = {
    "auction": "Drop out",
    "bonus tile": "Lay no tile",
    "track": "No track",
    "token": "No token",
    "run": "Run nothing",
    "trains": "Done with trains",
    "privates": "Done",
}


@dataclass(frozen=True, slots=True)
class Labels:
    """Knows names and prices of one position, as far as the reader may."""

    names: Lexicon
    table: TableView
    market: MarketView
    step: str
    acted: bool = False
    """Whether the player has done something in this turn, so that passing means being done."""
    runs: Mapping[Action, Sequence[RouteView]] = field(default_factory=dict)
    """The sets of routes that are proposed, traced."""
    doubts: Mapping[Action, str] = field(default_factory=dict)
    """What is said of those of them that are not proved best."""
    outlooks: Mapping[Action, tuple[int, int]] = field(default_factory=dict)
    """What each dividend pays a share, and the company's price after it."""

    def company(self, corp: str | None) -> CompanyRow | None:
        return next((row for row in self.table.companies if row.company.id == corp), None)

    def private(self, private: str) -> PrivateRow | None:
        return next((row for row in self.table.privates if row.id == private), None)

    def of(self, action: Action) -> str:
        """What the button says."""
        maker = LABELS.get(type(action))
        return maker(self, action) if maker else fallback(action)

    def note(self, action: Action) -> str:
        """A second line for a list; may be empty."""
        maker = NOTES.get(type(action))
        return maker(self, action) if maker else ""

    def par_price(self, action: a.Par) -> int:
        cell = self.market.rows[action.row][action.col]
        return cell.price if cell else 0

    def share_price(self, action: a.BuyShare) -> int | None:
        row = self.company(action.corp)
        return None if row is None else row.par if action.source == IPO else row.price

    def token_cost(self, action: a.PlaceToken) -> int | None:
        row = self.company(action.corp)
        return row.next_token if row else None


def fallback(action: Action) -> str:
    """A kind of action that has no words of its own yet."""
    values = [str(getattr(action, field.name)) for field in fields(action) if field.name != "by"]
    return " ".join([type(action).__name__, *values])


def _pass(n: Labels, action: a.Pass) -> str:
    return n.names.own.passes.get(n.step) or PASS_LABELS.get(n.step) or ("End turn" if n.acted else "Pass")


def _buy_private(n: Labels, action: a.BuyPrivate) -> str:
    row = n.private(action.private)
    price = f" for {n.names.money(row.price)}" if row else ""
    return f"Buy {n.names.private(action.private)}{price}"


def _private_note(n: Labels, action: a.BuyPrivate | a.Bid) -> str:
    row = n.private(action.private)
    return f"pays {n.names.money(row.revenue)} · {row.note}".removesuffix(" · ") if row else ""


def _sell_private(n: Labels, action: a.SellPrivate) -> str:
    row = n.private(action.private)
    price = f" for {n.names.money(row.sells_for)}" if row else ""
    return f"Sell {n.names.private(action.private)} to the bank{price}"


def _exchange(n: Labels, action: a.ExchangePrivate) -> str:
    what = n.names.private(action.private)
    if action.private in n.names.own.exchanges:
        return n.names.own.exchanges[action.private]
    if action.corp is None:
        return f"Exchange {what} for its share"
    where = f" from {SHARE_SOURCES.get(action.source, action.source)}" if action.source else ""
    return f"Exchange {what} for a share of {action.corp}{where}"


def _share(n: Labels, action: a.BuyShare) -> str:
    price = n.share_price(action)
    return f"{action.corp} for {n.names.money(price)}" if price is not None else str(action.corp)


def _share_note(n: Labels, action: a.BuyShare) -> str:
    row = n.company(action.corp)
    if row is None:
        return ""
    left = row.ipo if action.source == IPO else row.pool
    where = "initial offering" if action.source == IPO else "open market"
    return f"{row.company.name} · {left}0 % left in the {where}"


def _sale(n: Labels, action: a.SellShares) -> str:
    row = n.company(action.corp)
    gain = f" for {n.names.money(row.sells_for * action.count)}" if row and row.sells_for is not None else ""
    return f"{action.count}0 % of {action.corp}{gain}"


def _sale_note(n: Labels, action: a.SellShares) -> str:
    row = n.company(action.corp)
    return f"{row.company.name} · {n.names.money(row.sells_for)} a share" if row and row.sells_for is not None else ""


def _tile(n: Labels, action: a.LayTile | a.LayPowerTile) -> str:
    return f"Tile {action.tile} on {n.names.hex(action.hex)}"


def _token(n: Labels, action: a.PlaceToken) -> str:
    cost = n.token_cost(action)
    return f"{n.names.stop(action.stop)}" + (f" for {n.names.money(cost)}" if cost else "")


def _run(n: Labels, action: a.RunTrains) -> str:
    if not action.routes:
        return "Run nothing"
    routes = n.runs.get(action)
    return "Run these routes" if routes is None else f"Run these routes for {together(n.names, routes)}"


def _run_note(n: Labels, action: a.RunTrains) -> str:
    ways = (
        f"{view.train}: {'-'.join(split_stop(stop)[0] for stop, _ in view.stops)}" for view in n.runs.get(action, ())
    )
    return "; ".join([*filter(None, [n.doubts.get(action)]), *ways])


def together(names: Lexicon, routes: Sequence[RouteView]) -> str:
    """What all the routes bring."""
    return earnings(names, sum(view.value for view in routes), sum(view.subsidy for view in routes))


def earnings(names: Lexicon, revenue: int, subsidy: int) -> str:
    """What routes bring: "£120", or "£120 and £30 subsidy"."""
    return names.money(revenue) + (f" and {names.money(subsidy)} subsidy" if subsidy else "")


def doubt(names: Lexicon, routes: Sequence[RouteView], best: Best) -> str:
    """What is said of routes that are not proved best: "not proved best, at most £130"."""
    if best.bound == best.total:
        return "not proved best, there may be more subsidy"
    counted = "" if best.total == sum(view.value for view in routes) else " in all"
    return f"not proved best, at most {names.money(best.bound)}{counted}"


def so_far(names: Lexicon, routes: Sequence[RouteView], best: Best) -> str:
    """What a search without proof has come to: £120 found; not proved best, at most £130."""
    what = f"{together(names, routes)} found" if routes else "No routes found yet"
    return f"{what}; {doubt(names, routes, best)}."


def _dividend(n: Labels, action: a.Dividend) -> str:
    label = {"pay": "Pay out", "withhold": "Withhold", "half": "Pay half"}.get(action.kind, action.kind.capitalize())
    row, outlook = n.company(action.corp), n.outlooks.get(action)
    if outlook is not None and outlook[0]:
        label += f" {n.names.money(outlook[0])} a share"
    elif outlook is not None and row is not None and row.last_run:
        label += f" {n.names.money(row.last_run)}"
    return label if outlook is None else f"{label}: price {n.names.money(outlook[1])}"


def _train(n: Labels, action: a.BuyTrain) -> str:
    traded = f" for a {action.trade_in}" if action.trade_in else ""
    source = {BANK: "", "pool": " from the market"}.get(action.source, f" from {action.source}")
    return f"Buy a {action.rank}-train{source}{traded}: {n.names.money(action.price)}"


def _company_private(n: Labels, action: a.CompanyBuysPrivate | a.TradePrivate) -> str:
    return f"{n.names.private(action.private)} for {n.names.money(action.price)}"


def _owner_note(n: Labels, action: a.CompanyBuysPrivate | a.TradePrivate) -> str:
    row = n.private(action.private)
    return f"from {n.names.plain_player(row.owner)}" if row else ""


LABELS: Mapping[type[Action], Callable[[Labels, Any], str]] = {
    a.Pass: _pass,
    a.BuyPrivate: _buy_private,
    a.Bid: lambda n, x: f"{n.names.money(x.amount)} on {n.names.private(x.private)}",
    a.Par: lambda n, x: n.names.money(n.par_price(x)),
    a.BuyShare: _share,
    a.SellShares: _sale,
    a.BidToChoose: lambda n, x: f"Bid {n.names.money(x.amount)}",
    a.SellPrivate: _sell_private,
    a.ClosePrivate: lambda n, x: f"Close {n.names.private(x.private)} for good",
    a.ExchangePrivate: _exchange,
    a.LayTile: _tile,
    a.LayPowerTile: _tile,
    a.PlaceToken: _token,
    a.RunTrains: _run,
    a.Dividend: _dividend,
    a.BuyTrain: _train,
    a.DiscardTrain: lambda n, x: f"Discard a {x.rank}-train",
    a.CompanyBuysPrivate: _company_private,
    a.TradePrivate: _company_private,
    a.BuyPassage: lambda n, x: "Buy the right of passage",
    a.RestoreToken: lambda n, x: f"Restore the token of {x.corp}",
    a.RollDie: lambda n, x: f"The die shows {x.value}",
    a.GoBankrupt: lambda n, x: "Declare bankruptcy",
    a.EndGame: lambda n, x: "End the game",
}
NOTES: Mapping[type[Action], Callable[[Labels, Any], str]] = {
    a.BuyShare: _share_note,
    a.SellShares: _sale_note,
    a.RunTrains: _run_note,
    a.BuyPrivate: _private_note,
    a.Bid: _private_note,
    a.CompanyBuysPrivate: _owner_note,
    a.TradePrivate: _owner_note,
}
