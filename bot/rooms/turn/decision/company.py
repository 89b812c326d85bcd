"""Cards of building, of buying privates and of mergers: what the company has, and what each choice costs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.shares import company_views, equipment
from bot.words.consequences import Trial
from bot.words.lexicon import listed
from engine.actions import Action, CompanyBuysPrivate, ExchangePrivate, LayPowerTile, LayTile, PlaceToken
from engine.board.tile_list import TILES
from engine.facts import CashMoved, SharesMoved, TileLaid
from engine.ids import HexId, split_stop
from engine.steps.privates import price_range
from engine.views import CompanyRow, PrivateRow
from renderer.card import Card, Cell, Column, Fact, Row, Section

Lay = LayTile | LayPowerTile
PRIVATES = (Column("", "l", elastic=True), Column("owner", "l", elastic=True), Column("pays"), Column("price"))


def building_card(asked: Asked) -> Card:
    """What a company has for track and tokens, and what those cost that it can place now."""
    row = asked.company
    view = asked.view
    facts: tuple[Fact, ...] = ()
    doing = "a tile"
    if row is not None:
        facts = (*equipment(asked, row), *_tokens(asked, row))
        doing = "token" if asked.verb(PlaceToken) is not None else "track"
    sections = [Section((Row(facts=facts),))] if facts else []
    lays: list[Lay] = [*asked.choices(LayTile), *asked.choices(LayPowerTile)]
    sections += [*_costs(asked, lays), *_tiles_left(asked, lays)]
    title = f"{row.company.id}: {doing}" if row is not None else f"{asked.name(asked.seat)}: {doing}"
    return Card(title, view.phase, tuple(sections), company_views(asked), row.company.id if row else None)


def _tokens(asked: Asked, row: CompanyRow) -> Iterator[Fact]:
    yield Fact(figure=str(row.tokens_left), behind="token left" if row.tokens_left == 1 else "tokens left")
    if row.next_token is not None:
        yield Fact("next", asked.money(row.next_token) if row.next_token else "free")
    if row.privates:
        yield Fact("owns", listed(row.privates))
    if asked.state.lays:
        yield Fact("laid", ", ".join(asked.state.lays))


def _costs(asked: Asked, lays: Sequence[Lay]) -> list[Section]:
    """What tiles cost where they cost anything, or where the token can go and for how much."""
    facts = list(_token_costs(asked)) if asked.verb(PlaceToken) is not None else list(_lay_costs(asked, lays))
    title = "Tokens" if asked.verb(PlaceToken) is not None else "Tiles that cost"
    return [Section((Row(facts=tuple(facts)),), title)] if facts else []


def _token_costs(asked: Asked) -> Iterator[Fact]:
    for action in asked.choices(PlaceToken):
        place = asked.names.hex(split_stop(action.stop)[0])
        yield Fact(place, _cost(asked, asked.tried(action)), tone="strong")


def _lay_costs(asked: Asked, lays: Sequence[Lay]) -> Iterator[Fact]:
    """One lay is tried in each hex where the map asks for money."""
    dear = {cell.id for cell in asked.board.hexes if cell.cost}
    tried: set[HexId] = set()
    for action in lays:
        if action.hex in dear and action.hex not in tried:
            tried.add(action.hex)
            trial = asked.tried(action)
            if any(fact.cost for fact in trial.happened(TileLaid)):
                yield Fact(asked.names.hex(action.hex), _cost(asked, trial), tone="strong")


def _tiles_left(asked: Asked, lays: Sequence[Lay]) -> list[Section]:
    """How many are left of each tile that could be laid now."""
    useful = {action.tile for action in lays}
    printed = {tile: TILES[tile].printed or tile for tile in useful if tile in TILES}
    facts = [Fact(figure=f"{printed[tile]} ×{count}") for tile, count in asked.board.supply if tile in printed]
    return [Section((Row(facts=tuple(facts)),), "Tiles left, of those that fit")] if facts else []


def _cost(asked: Asked, trial: Trial) -> str:
    """What the company pays, and what that leaves if the reader may know it."""
    row = asked.company
    payer = row.company.id if row is not None else trial.action.by
    paid = sum(fact.amount for fact in trial.happened(CashMoved) if fact.source == payer)
    known = row.treasury if row is not None else None
    return asked.money(paid) + (f", leaves {asked.money(known - paid)}" if known is not None and paid else "")


def privates_card(asked: Asked) -> Card:
    """Which privates the company can buy, from whom and between what prices."""
    row, view = asked.company, asked.view
    assert row is not None
    rows = tuple(_private(asked, one) for one in view.privates if _for_sale(asked, one))
    sections = [Section((Row(facts=tuple(equipment(asked, row))),))]
    sections += [Section(rows, "Privates", PRIVATES)] if rows else []
    return Card(f"{row.company.id}: privates", view.phase, tuple(sections), company_views(asked), row.company.id)


def _for_sale(asked: Asked, row: PrivateRow) -> bool:
    offers: Sequence[Action] = asked.choices(CompanyBuysPrivate)
    return any(isinstance(one, CompanyBuysPrivate) and one.private == row.id for one in offers)


def _private(asked: Asked, row: PrivateRow) -> Row:
    low, high = price_range(asked.title, row.id)
    prices = f"{asked.money(low)}–{high}"
    name = row.id if row.name == row.id else f"{row.id} {row.name}"
    return Row((Cell(name), Cell(asked.name(row.owner)), Cell(asked.money(row.revenue)), Cell(prices, "strong")))


def exchange_card(asked: Asked) -> Card:
    """What the company has that its owner may exchange, and what he gets for it of which company."""
    row, view = asked.company, asked.view
    sections = [Section((Row(facts=tuple(equipment(asked, row))),))] if row is not None else []
    for choice in asked.choices(ExchangePrivate):
        trial = asked.tried(choice)
        for moved in trial.happened(SharesMoved):
            after = trial.after.company(moved.corp)
            if moved.target == asked.seat and after is not None:
                facts = (
                    Fact("you get", asked.names.percent(moved.corp, moved.count), tone="strong"),
                    *_worth(asked, after),
                )
                sections.append(Section((Row(facts=facts, token=moved.corp),), f"{moved.corp} after it"))
    title = f"{row.company.id if row is not None else asked.name(asked.seat)}: exchange"
    return Card(title, view.phase, tuple(sections), company_views(asked), row.company.id if row is not None else None)


def _worth(asked: Asked, row: CompanyRow) -> Iterator[Fact]:
    """What a share of the company is worth, and what it runs with."""
    if row.price is not None:
        yield Fact("price", asked.money(row.price))
    if row.trains:
        yield Fact("trains", trains=row.trains)
    if row.president is not None:
        yield Fact("president", asked.name(row.president))
