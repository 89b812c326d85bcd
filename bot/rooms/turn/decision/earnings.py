"""Cards of running and paying: the best routes, and what each way of paying gives to whom."""

from __future__ import annotations

from collections.abc import Sequence

import engine
from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.shares import company_views, equipment
from bot.words.consequences import Trial, earned_by
from engine.actions import Action, Dividend
from engine.facts import DividendDecided, PriceMoved
from engine.ids import CHANCE, CorpId, split_stop
from engine.views import CompanyRow, RouteView
from renderer.card import Card, Cell, Column, Row, Section, Tone

WAYS = {"pay": "pay out", "half": "half", "withhold": "withhold"}
ROUTES = (Column("", "l"), Column("", "l", elastic=True), Column())


def run_card(asked: Asked) -> Card:
    """The best routes, and what may become of their revenue."""
    row = _operating(asked)
    title = f"{row.company.id}: run"
    if asked.run is None:
        sections = [Section((Row(facts=tuple(equipment(asked, row))),))]
    else:
        title += f" for {asked.money(sum(view.value for view in asked.routes))}"
        routes = tuple(_route(asked, view) for view in asked.routes)
        sections = [Section(routes, columns=ROUTES), *_then(asked, row)]
    return Card(title, asked.view.phase, tuple(sections), company_views(asked), row.company.id)


def dividend_card(asked: Asked) -> Card:
    """The revenue, and what each way of paying it gives to whom."""
    row = _operating(asked)
    title = f"{row.company.id}: revenue {asked.money(row.last_run or 0)}"
    sections = (Section((Row(facts=tuple(equipment(asked, row))),)), *_ways(asked, row))
    return Card(title, asked.view.phase, sections, company_views(asked), row.company.id)


def _operating(asked: Asked) -> CompanyRow:
    row = asked.company
    assert row is not None
    return row


def _route(asked: Asked, view: RouteView) -> Row:
    stops = " ".join(split_stop(stop)[0] for stop, _ in view.stops)
    worth = asked.money(view.value) + (f" + {asked.money(view.subsidy)}" if view.subsidy else "")
    return Row((Cell(trains=(view.train,)), Cell(stops, "soft"), Cell(worth, "strong")))


def _then(asked: Asked, row: CompanyRow) -> list[Section]:
    """What follows the run: a choice of ways to pay, or the only one there is."""
    assert asked.run is not None
    after = asked.after(asked.run)
    if engine.decision(after.title, after.state).players == (CHANCE,):
        return []
    if after.corp == row.company.id and after.verb(Dividend) is not None:
        return _ways(after, row)
    return _table(asked, row, [("then", asked.run)])


def _ways(asked: Asked, row: CompanyRow) -> list[Section]:
    return _table(asked, row, [(WAYS[action.kind], action) for action in asked.choices(Dividend)])


def _table(asked: Asked, row: CompanyRow, ways: Sequence[tuple[str, Action]]) -> list[Section]:
    """A column for each action: what a share, each player and the company get of it, and where the price goes."""
    trials = [asked.tried(action) for _, action in ways]
    if not trials:
        return []
    corp = row.company.id
    got = [earned_by(trial) for trial in trials]
    rows = []
    if row.has_shares:
        rows.append(_line("a share", [_sum(asked, _per_share(trial, corp)) for trial in trials]))
    held = dict(row.holders)
    for player in asked.view.players:
        if any(each.get(player.id) for each in got):
            share = asked.names.percent(corp, held[player.id]) if player.id in held and row.has_shares else ""
            rows.append(_line(player.name, [_sum(asked, each.get(player.id, 0)) for each in got], share))
    rows.append(_line(f"{corp} keeps", [_sum(asked, each.get(corp, 0)) for each in got]))
    if row.price is not None:
        rows.append(_line("price", [_way(row.price, _price(trial, row)) for trial in trials], tone="strong"))
    columns = (Column("", "l", elastic=True), Column(), *(Column(name) for name, _ in ways))
    return [Section(tuple(rows), "who gets what", columns)]


def _line(label: str, cells: Sequence[str], share: str = "", tone: Tone = "plain") -> Row:
    return Row((Cell(label, "soft"), Cell(share, "soft"), *(Cell(text, tone) for text in cells)))


def _sum(asked: Asked, amount: int) -> str:
    return asked.money(amount) if amount else "–"


def _per_share(trial: Trial, corp: CorpId) -> int:
    return next((fact.per_share for fact in trial.happened(DividendDecided) if fact.corp == corp), 0)


def _price(trial: Trial, row: CompanyRow) -> int:
    moves = [fact.price for fact in trial.happened(PriceMoved) if fact.corp == row.company.id]
    return moves[-1] if moves else row.price or 0


def _way(before: int, after: int) -> str:
    """The old price and the new one."""
    return f"{before} → {after}" if before != after else f"stays {before}"
