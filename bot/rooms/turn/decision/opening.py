"""Cards of the opening: what is offered and bid, the least bid, and what everybody can still spend."""

from __future__ import annotations

from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.shares import company_views
from engine.actions import Bid, BidToChoose, BuyPrivate, Par
from engine.ids import CorpId, PrivateId
from engine.views import PlayerRow, PrivateRow
from renderer.card import Card, Cell, Column, Fact, Row, Section

PRIVATES = (Column("", "l"), Column("", "l", elastic=True), Column("pays"), Column("price"), Column("bid from"))
CERTIFICATES = (Column("", "l"), Column("", "l", elastic=True), Column("pays"), Column("price"))


def opening_card(asked: Asked) -> Card:
    """What stands, the least that can be bid, and everybody's money."""
    view = asked.view
    players = tuple(_player(asked, row) for row in view.players)
    offers = (
        _bidding(asked) if asked.verb(BidToChoose) is not None or asked.verb(Par) is not None else _waterfall(asked)
    )
    sections = (Section(players, "Money"), *offers)
    title = f"{view.round}: {asked.name(asked.seat)}"
    return Card(title, view.phase, sections, company_views(asked))


def _player(asked: Asked, row: PlayerRow) -> Row:
    facts = [Fact(row.name, "•••" if row.cash is None else asked.money(row.cash), tone="strong")]
    reserved = sum(amount for _, amount in row.bids)
    if reserved:
        facts.append(Fact("in bids", asked.money(reserved)))
        facts += [Fact("free", asked.money(row.free_cash))] if row.free_cash is not None else []
    if row.right_bid is not None:
        facts.append(Fact("bids", asked.money(row.right_bid)) if row.right_bid else Fact("still in"))
    elif any(other.right_bid is not None for other in asked.view.players):
        facts.append(Fact("out"))
    if row.priority:
        facts.append(Fact("priority deal"))
    return Row(facts=tuple(facts), here=row.up)


def _waterfall(asked: Asked) -> tuple[Section, ...]:
    """The unsold privates in line: the first for sale, the others open to bids."""
    sold_now = {buy.private for buy in asked.candidates(BuyPrivate)}
    least: dict[PrivateId, int] = {}
    for bid in asked.candidates(Bid):
        least[bid.private] = min(bid.amount, least.get(bid.private, bid.amount))
    rows = tuple(
        _unsold(asked, row, row.id in sold_now, least.get(row.id))
        for row in asked.view.privates
        if row.id in sold_now or row.id in least or row.bids
    )
    return (Section(rows, "Offered", PRIVATES),)


def _unsold(asked: Asked, row: PrivateRow, sold_now: bool, least: int | None) -> Row:
    cells = (
        Cell(str(row.id), "strong"),
        Cell(row.name if row.name != row.id else "", "soft"),
        Cell(asked.money(row.revenue)),
        Cell(asked.money(row.price), "strong" if sold_now else "soft"),
        Cell("" if least is None else asked.money(least)),
    )
    bids = sorted(row.bids, key=lambda bid: -bid[1])
    facts = tuple(Fact(asked.name(who), asked.money(amount), tone="alert") for who, amount in bids)
    return Row(cells, (Fact("bids"), *facts) if facts else (), here=sold_now or row.id == asked.state.contested)


def _bidding(asked: Asked) -> tuple[Section, ...]:
    """What the right to choose is bid for, and what may be chosen with it."""
    least = min((bid.amount for bid in asked.candidates(BidToChoose)), default=None)
    sections = []
    if least is not None:
        sections.append(Section((Row(facts=(Fact("next bid from", asked.money(least), tone="strong"),)),)))
    sections.append(
        Section((*_privates_to_choose(asked), *_companies_to_choose(asked)), "To choose from", CERTIFICATES)
    )
    return tuple(sections)


def _privates_to_choose(asked: Asked) -> list[Row]:
    return [
        Row(
            (
                Cell(row.id, "strong"),
                Cell(row.name, "soft"),
                Cell(asked.money(row.revenue)),
                Cell(asked.money(row.price)),
            )
        )
        for row in asked.view.privates
        if not row.owner and row.id in offered_privates(asked)
    ]


def offered_privates(asked: Asked) -> set[PrivateId]:
    """The privates among the certificates that can be chosen, now or once the right is won."""
    step = asked.title.rounds[asked.state.round].by_name["choose"]
    some = step.by_action[BuyPrivate].candidates(asked.title, asked.state, asked.seat)
    return {action.private for action in some if isinstance(action, BuyPrivate)}


def _companies_to_choose(asked: Asked) -> list[Row]:
    """The presidents' certificates, each from its lowest to its highest price."""
    step = asked.title.rounds[asked.state.round].by_name["choose"]
    prices: dict[CorpId, list[int]] = {}
    for action in step.by_action[Par].candidates(asked.title, asked.state, asked.seat):
        assert isinstance(action, Par)
        cell = asked.title.market.cell(action.row, action.col)
        prices.setdefault(action.corp, []).append(cell.price if cell else 0)
    return [
        Row(
            (Cell(), Cell(asked.names.companies[corp], "soft"), Cell(), Cell(f"2 × {min(some)}–{max(some)}")),
            token=corp,
        )
        for corp, some in prices.items()
    ]
