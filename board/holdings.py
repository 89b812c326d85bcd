"""Everything that lies open beside the map, as far as the viewer may know: market, companies, players, trains."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from board.markup import Child, Html, el, text
from bot.core.position import Position
from bot.words.lexicon import Lexicon
from engine import CompanyRow, CompanyView, CorpId, MarketView, PlayerRow, TableView
from engine.views import PriceCellView, PrivateRow, TrainRow
from renderer import vector
from renderer.card import CardRow
from renderer.market import signs, zone_mark
from renderer.theme import ZONE_BY_NAME, ZONE_TINTS

SECRET = "•••"
Placed = tuple[str, PriceCellView | None]
"""A cell of the market with its row and column, as the page calls it."""
BAND = 8
"""How many prices of two tiers stand in a line: as many as fit a phone."""


def token(company: CompanyView) -> Html:
    """The company's token, beside its letters: it says nothing of its own."""
    return el("svg", el("use", href=f"#{vector.symbol_id(company)}"), cls="token", aria_hidden="true")


def tokens_of(table: TableView) -> dict[str, Html]:
    """The tokens of all companies by their letters."""
    return {str(row.company.id): token(row.company) for row in table.companies}


def money(names: Lexicon, amount: int | None) -> Child:
    """An amount, or what stands for one that the viewer may not know, with the word for whoever listens."""
    secret = [el("span", SECRET, aria_hidden="true"), el("span", "secret", cls="said")]
    return secret if amount is None else names.money(amount)


def fact(label: str, value: Child, *, cls: str = "") -> Html:
    """A figure under its label."""
    return el("div", el("dt", label), el("dd", value), cls=f"fact {cls}".rstrip())


def wide(what: Html, label: str) -> Html:
    """What may be wider than the page, and is then moved within its own frame."""
    return el("div", what, cls="wide", tabindex=0, role="region", aria_label=label)


# Market


def market(view: MarketView, names: Lexicon, pars: Collection[str] = ()) -> Html:
    """The chart of prices with the tokens on it, and what its signs mean; at `pars` a company may be started."""
    known = {company.id: company for company in view.companies}
    moved = {corp for corp, _ in view.moved}
    cells = [[(f"{y}-{x}", cell) for x, cell in enumerate(row)] for y, row in enumerate(view.rows)]
    lines = tiers(cells[0]) if view.tiers else cells
    rows = [
        el(
            "tr",
            [_cell(view, cell, known, moved, place if place in pars else None) for place, cell in line],
            cls="lower" if view.tiers and n % 2 else None,
        )
        for n, line in enumerate(lines)
    ]
    chart = wide(el("table", el("tbody", rows), cls="market" + (" tiers" if view.tiers else "")), "Share prices")
    order = [known[corp] for corp in view.order if corp in known]
    prices = {corp: cell.price for row in view.rows for cell in row if cell for corp in cell.tokens}
    listed = [
        el("li", token(one), el("b", one.id), " ", names.money(prices[one.id])) for one in order if one.id in prices
    ]
    return text(
        [
            chart,
            el("h2", "In operating order") if listed else None,
            el("ol", listed, cls="order") if listed else None,
            el("ul", [_sign(view, sign, meaning) for sign, meaning in signs(view)], cls="legend"),
        ]
    )


def tiers(cells: Sequence[Placed]) -> list[list[Placed]]:
    """The one row as two tiers of brickwork, in lines that fit."""
    lines: list[list[Placed]] = []
    for start in range(0, len(cells), 2 * BAND):
        part = cells[start : start + 2 * BAND]
        lines += [list(part[0::2]), list(part[1::2])]
    return lines


def _cell(
    view: MarketView,
    cell: PriceCellView | None,
    known: dict[CorpId, CompanyView],
    moved: Collection[CorpId],
    par: str | None,
) -> Html:
    """A price; `par` names the cell if a company may be started there."""
    if cell is None:
        return el("td", cls="none")
    stack = [
        el("span", token(known[corp]), el("span", corp, cls="said"), cls="moved" if corp in moved else None)
        for corp in cell.tokens
    ]
    arrow = {"up": "↑", "down": "↓"}.get(cell.arrow, cell.arrow)
    cls = " ".join(filter(None, [zone_class(view, cell.zone), "par" if cell.par else ""]))
    pointer = el("span", arrow, cls="arrow", aria_hidden="true") if arrow else None
    zone = el("span", f", {dict(view.zones)[cell.zone]}", cls="said") if stack and cell.zone != "normal" else None
    piled = el("span", stack, zone, cls="stack") if stack else None
    said = f"Start a company at {view.currency.format(cell.price)}"
    price = (
        el("span", cell.price, cls="price")
        if par is None
        else el("button", cell.price, type="button", cls="price", data_at=par, aria_label=said)
    )
    return el("td", price, pointer, piled, cls=cls or None)


def zone_class(view: MarketView, zone: str) -> str:
    """The class of cells in a zone, with the tint and the pattern that pictures give it."""
    if zone == "normal":
        return ""
    named = zone in ZONE_BY_NAME
    place = [name for name, _ in view.zones].index(zone) % len(ZONE_TINTS) if not named else 0
    tint = f"z-{zone.replace(' ', '-').replace('_', '-')}" if named else f"t{place}"
    return f"zone {tint} m{zone_mark(view, zone)}"


def _sign(view: MarketView, sign: str, meaning: str) -> Html | None:
    kinds = {"+par": "par", "+moved": "moved"}
    if sign.startswith("+") and sign not in kinds:
        return None
    cls = kinds.get(sign) or zone_class(view, sign)
    return el("li", el("span", cls=f"sample {cls}"), meaning)


# Companies


def companies(table: TableView, names: Lexicon) -> Html:
    """A card for each company, which the page sorts."""
    started = [row for row in table.companies if row.par is not None or row.floated or row.president]
    rest = [row for row in table.companies if row not in started]
    cards = [_company(row, table, names, number) for number, row in enumerate(started)]
    idle = [el("li", token(row.company), el("b", row.company.id), " ", row.company.name) for row in rest]
    return text(
        [
            _sorter("companies", {"": "as printed", "price": "price", "cash": table.company_money, "run": "last run"}),
            el("ul", cards, cls="cards", id="companies-list"),
            el("h2", "Not started") if idle else None,
            el("ul", idle, cls="idle") if idle else None,
        ]
    )


def _sorter(what: str, ways: dict[str, str]) -> Html:
    options = [el("option", label, value=value) for value, label in ways.items()]
    return el("label", "Sort by ", el("select", options, data_sort=f"{what}-list"), cls="sorter")


def _company(row: CompanyRow, table: TableView, names: Lexicon, number: int) -> Html:
    price = names.money(row.price) if row.price is not None else "–"
    head = el(
        "header",
        token(row.company),
        el("b", row.company.id, cls="letters"),
        el("span", row.company.name, cls="name"),
        el("span", price, cls="big"),
    )
    run = "–" if row.last_run is None else names.money(row.last_run)
    paid = f", {names.money(row.last_paid)} a share" if row.last_paid else ""
    facts: list[Html | None] = [
        fact(table.head.capitalize(), names.plain_player(row.president) if row.president else "–"),
        fact(table.company_money.capitalize(), money(names, row.treasury)) if row.floated or row.treasury else None,
        fact("Trains", trains(row.trains) if row.trains else "none", cls="trains") if row.floated else None,
        fact("Last run", run + paid) if row.floated else None,
        fact("Par", names.money(row.par)) if row.par is not None else None,
        fact("Offering", _left(names, row, row.ipo)) if row.has_shares else None,
        fact("Market", _left(names, row, row.pool)) if row.has_shares else None,
        fact("Tokens", _tokens_left(names, row)) if row.floated else None,
        *(fact("Destination", " ".join(names.destination(one))) for one in row.destinations),
        fact("To float", _left(names, row, row.to_float)) if row.to_float else None,
        fact("Privates", ", ".join(row.privates)) if row.privates else None,
    ]
    held = [
        el("li", names.plain_player(who), " ", el("b", names.percent(row.company.id, count)))
        for who, count in row.holders
    ]
    return el(
        "li", head, el("p", row.status, cls="status") if row.status else None, el("dl", facts, cls="facts"),
        el("ul", held, cls="held") if held and row.has_shares else None,
        cls="card" + (" now" if row.operating else ""), data_order=number, data_price=row.price or 0,
        data_cash=row.treasury or 0, data_run=row.last_run or 0, id=f"company-{row.company.id}",
    )  # fmt: skip


def _left(names: Lexicon, row: CompanyRow, count: int) -> str:
    return names.percent(row.company.id, count) if count else "–"


def _tokens_left(names: Lexicon, row: CompanyRow) -> str:
    return f"{row.tokens_left}, next {names.money(row.next_token)}" if row.next_token is not None else "all placed"


def trains(ranks: Iterable[str]) -> Html:
    """Trains as little cards."""
    return text([el("span", rank, cls="train") for rank in ranks])


# Players


def players(table: TableView, names: Lexicon, me: str | None) -> Html:
    """A card for each player, and who holds how much of what."""
    cards = [_player(row, table, names, number, row.id == me) for number, row in enumerate(table.players)]
    sort = {"": "seat", "cash": "cash", "worth": "worth"}
    return text([_sorter("players", sort), el("ul", cards, cls="cards", id="players-list"), _matrix(table, names)])


def _player(row: PlayerRow, table: TableView, names: Lexicon, number: int, mine: bool) -> Html:
    badges = [el("span", "priority deal", cls="badge")] if row.priority else []
    badges += [el("span", "to move", cls="badge hot")] if row.up else []
    badges += [el("span", "bankrupt", cls="badge")] if row.bankrupt else []
    limit = f"{row.certs}/{table.cert_limit}" if table.cert_limit is not None else str(row.certs)
    bids = [f"{private} {names.money(amount)}" for private, amount in row.bids]
    if row.right_bid:
        bids.append(names.money(row.right_bid))
    free = row.free_cash if row.free_cash != row.cash else None
    known = {str(one.company.id): one.company for one in table.companies}
    shares = [
        el(
            "li",
            token(known[corp]),
            names.percent(corp, count),
            el("abbr", table.head[0].upper(), title=table.head) if corp in row.president_of else None,
        )
        for corp, count in row.shares
        if corp in known
    ]
    facts = [
        fact("Cash", money(names, row.cash)),
        fact("Free", names.money(free)) if free is not None else None,
        fact("Worth", money(names, row.worth)),
        fact("Certificates", limit),
        fact("Bids", ", ".join(bids)) if bids else None,
        fact("Privates", ", ".join(names.private(one) for one in row.privates)) if row.privates else None,
    ]
    you = el("span", "you", cls="badge") if mine else None
    return el(
        "li", el("header", el("b", row.name, cls="letters"), you, *badges), el("dl", facts, cls="facts"),
        el("ul", shares, cls="held") if shares else None, cls="card" + (" now" if row.up else ""),
        data_order=number, data_cash=row.cash or 0, data_worth=row.worth or 0,
    )  # fmt: skip


def _matrix(table: TableView, names: Lexicon) -> Html | None:
    rows = [row for row in table.companies if row.has_shares and (row.holders or row.pool)]
    if not rows:
        return None
    head = [el("th", row.name, scope="col") for row in table.players]
    lines = []
    for row in rows:
        held = dict(row.holders)
        cells = [
            el("td", names.percent(row.company.id, held[one.id]) if one.id in held else "",
               cls="boss" if one.id == row.president else None)
            for one in table.players
        ]  # fmt: skip
        ends = [el("td", _left(names, row, row.pool)), el("td", _left(names, row, row.ipo))]
        lines.append(el("tr", el("th", token(row.company), row.company.id, scope="row"), cells, ends))
    top = el("tr", el("td"), head, el("th", "Market", scope="col"), el("th", "Offering", scope="col"))
    grid = el("table", el("thead", top), el("tbody", lines), cls="matrix")
    return text([el("h2", "Who holds what"), wide(grid, "Who holds what")])


# Trains, privates, tiles


def bank(position: Position, table: TableView, names: Lexicon) -> Html:
    """The bank's money, trains with their phases, privates, and the tiles that are left."""
    limit, supply = table.train_limit, position.board().supply
    head = [fact("Bank", table.bank_left), fact("Phase", table.phase)]
    head += [fact("Train limit", limit)] if limit else []
    owned = [row for row in table.privates if row.owner != "closed"]
    return text(
        [
            el("dl", head, cls="facts"),
            el("h2", "Trains"),
            el("ul", [_train(row, names) for row in table.depot], cls="rows"),
            [el("p", "In the open market: ", trains(table.train_pool))] if table.train_pool else None,
            el("h2", "Privates") if owned else None,
            el("ul", [_private(row, names) for row in owned], cls="rows"),
            el("h2", "Tiles left"),
            el(
                "ul",
                [el("li", tile, " ", el("b", f"× {left}"), cls=None if left else "gone") for tile, left in supply],
                cls="tiles",
            ),
        ]
    )


def _train(row: TrainRow, names: Lexicon) -> Html:
    left = "∞" if row.left is None else f"{row.left} left"
    notes = [names.money(row.price), left]
    notes += ["on sale"] if row.on_sale else []
    notes += [f"rusts with the first {row.rusts_on}"] if row.rusts_on else []
    notes += [f"begins phase {row.phase}"] if row.phase else []
    look = "now" if row.on_sale else "gone" if row.left == 0 else None
    return el("li", el("span", row.rank, cls="train"), " · ".join(notes), cls=look)


def _private(row: PrivateRow, names: Lexicon) -> Html:
    owner = names.names.get(row.owner) or row.owner or "the bank"
    pays = f", pays {names.money(row.revenue)}" if row.revenue else ""
    notes = [names.money(row.price if not row.owner else row.value) + pays, owner]
    notes += ["on sale"] if row.on_sale else []
    notes += standing(row.bids, names)
    told = el("span", " · ".join(notes), cls="notes"), el("small", row.note) if row.note else None
    return el("li", el("b", row.id), " ", row.name, told, cls="now" if row.on_sale else None)


def standing(bids: Iterable[tuple[str, int]], names: Lexicon) -> list[str]:
    return [f"{names.plain_player(who)} bids {names.money(amount)}" for who, amount in bids]


def certificate(row: CardRow, tokens: Mapping[str, Html]) -> Html:
    """What the right to choose can be used for."""
    sign, name, pays, price = (cell.text for cell in row.cells)
    told = f"{price}, pays {pays}" if pays else price
    notes = el("span", told, cls="notes"), el("small", row.note) if row.note else None
    return el("li", tokens.get(str(row.token)), el("b", sign), " ", name, notes)


def log(lines: Sequence[Html]) -> Html:
    """What happened, the latest first."""
    return el("ol", [el("li", one) for one in reversed(lines)], cls="log")
