"""Cards of buying and discarding trains: what there is, what it costs, what each purchase begins and rusts."""

from __future__ import annotations

from collections.abc import Iterator

from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.shares import company_views
from bot.words.consequences import Trial
from engine.actions import BuyTrain, DiscardTrain, Pass, SellShares
from engine.facts import CashMoved, TrainBought
from engine.ids import BANK, POOL
from engine.views import CompanyRow, TrainRow
from renderer.card import Card, Cell, Column, Fact, Row, Section, Tone

COLUMNS = (
    Column("train", "l"),
    Column("price"),
    Column("left"),
    Column("phase", "m"),
    Column("rusts", "l", elastic=True),
)
BRIEF = 24
"""As many letters as there is room for beside a train; what is longer goes below it."""


def trains_card(asked: Asked) -> Card:
    """The operating company's trains and money, the depot in order, and who else has trains."""
    row = asked.company
    assert row is not None
    view = asked.view
    sections = [
        Section((Row(facts=tuple(_own(asked, row))),)),
        Section(tuple(_depot_row(asked, train) for train in _to_come(asked)), columns=COLUMNS),
    ]
    if view.train_pool:
        prices = {train.rank: train.price for train in view.depot}
        pool = tuple(Fact(figure=asked.money(prices[rank]), trains=(rank,)) for rank in view.train_pool)
        sections.append(Section((Row(facts=pool),), "Open market"))
    owners = tuple(
        Fact(str(other.company.id), trains=other.trains)
        for other in view.companies
        if other.trains and other.company.id != row.company.id
    )
    if owners:
        sections.append(Section((Row(facts=owners),), "Other companies"))
    sections += _to_raise(asked)
    title = f"{row.company.id}: {'discard a train' if asked.verb(DiscardTrain) is not None else 'trains'}"
    return Card(title, view.phase, tuple(sections), company_views(asked), row.company.id, _notes(asked))


def _own(asked: Asked, row: CompanyRow) -> Iterator[Fact]:
    if row.treasury is not None:
        yield Fact(asked.view.company_money, asked.money(row.treasury), tone="strong")
    limit = asked.title.train_limit(asked.state, row.company.id)
    bounded = bool(asked.view.train_limit)
    over = bounded and len(row.trains) > limit
    owned = f"{len(row.trains)} of {limit}" if bounded else str(len(row.trains))
    if row.trains:
        yield Fact(trains=row.trains)
    yield Fact(figure=owned, behind="trains", tone="alert" if over else "plain")
    if row.president is not None:
        president = asked.view.player(row.president)
        cash = president.cash if president is not None else None
        yield Fact("president", asked.name(row.president) + (f" {asked.money(cash)}" if cash is not None else ""))


def _to_come(asked: Asked) -> list[TrainRow]:
    """The bank's trains that are left, in order."""
    return [train for train in asked.view.depot if train.left != 0]


def _depot_row(asked: Asked, train: TrainRow) -> Row:
    """Its price and number; the phase that its first sale begins and what that rusts, unless it has begun."""
    doomed = [one.rank for one in asked.view.depot if one.rusts_on == train.rank] if train.phase else []
    tone: Tone = "strong" if train.on_sale else "soft"
    rusting = "; ".join(f"{rank}: {', '.join(_whose(asked, rank)) or 'none'}" for rank in doomed)
    brief = len(rusting) <= BRIEF
    cells = (
        Cell(trains=(train.rank,)),
        Cell(asked.money(train.price), tone),
        Cell("any" if train.left is None else str(train.left), "plain" if train.on_sale else "soft"),
        Cell(train.phase, "plain" if train.on_sale else "soft"),
        Cell(rusting if brief else "see below", "plain" if train.on_sale else "soft"),
    )
    facts = [] if brief else [fact for rank in doomed if _whose(asked, rank) for fact in _rusting(asked, rank)]
    facts += _terms(asked, train) if train.on_sale else ()
    return Row(cells, tuple(facts), here=train.on_sale)


def _rusting(asked: Asked, rank: str) -> Iterator[Fact]:
    """The owners of trains that rust, who are too many for a cell."""
    yield Fact("rusts", trains=(rank,))
    yield from (Fact(figure=owner) for owner in _whose(asked, rank))


def _whose(asked: Asked, rank: str) -> list[str]:
    """Whose trains of the rank there are."""
    owners = [str(row.company.id) for row in asked.view.companies if rank in row.trains]
    owners += ["market"] if rank in asked.view.train_pool else []
    return owners


def _terms(asked: Asked, train: TrainRow) -> Iterator[Fact]:
    """What the purchase leaves, who must help, and the price in exchange for an older train."""
    for buy in asked.choices(BuyTrain):
        if buy.rank != train.rank or buy.source != BANK:
            continue
        trial = asked.tried(buy)
        before, after = asked.company, trial.after.company(buy.corp)
        if buy.trade_in:
            yield Fact(f"for a {buy.trade_in}", asked.money(buy.price))
        if before is not None and before.treasury is not None and after is not None and after.treasury is not None:
            yield Fact("leaves", asked.money(before.treasury + _helped(trial) - buy.price))
        if _helped(trial):
            yield Fact(asked.name(asked.seat), asked.money(_helped(trial)), "added", tone="alert")


def _helped(trial: Trial) -> int:
    """What the president adds to a purchase."""
    return sum(fact.contribution for fact in trial.happened(TrainBought))


def _to_raise(asked: Asked) -> list[Section]:
    """What the president can raise by the largest sale of each company's shares, where a train must be paid for."""
    most = {sale.corp: sale for sale in asked.choices(SellShares)}
    facts = []
    for sale in most.values():
        got = sum(one.amount for one in asked.tried(sale).happened(CashMoved) if one.why == "shares sold")
        facts.append(Fact(f"{asked.names.percent(sale.corp, sale.count)} of {sale.corp}", asked.money(got)))
    return [Section((Row(facts=tuple(facts)),), "Shares that can be sold for it")] if facts else []


def _notes(asked: Asked) -> tuple[str, ...]:
    """Why the company may not be done, and why it cannot buy what it must; or why it can buy nothing at all."""
    offers = [offer for offer in asked.candidates(BuyTrain) if offer.source in (BANK, POOL)]
    duty = asked.refusal(Pass(asked.seat)) if asked.verb(Pass) is not None else ""
    if duty:
        cheapest = min(offers, key=lambda offer: offer.price, default=None)
        return tuple(filter(None, (duty, asked.refusal(cheapest) if cheapest is not None else "")))
    return asked.common_refusal(offers)
