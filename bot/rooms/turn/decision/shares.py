"""Cards of stock rounds: what the shares of each company cost and bring, and what starting a company costs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bot.rooms.turn.decision.asked import Asked
from bot.words.consequences import OPERATES
from bot.words.lexicon import listed
from engine import IPO, POOL, CompanyRow, CorpId, PlayerRow, PrivateId, TableView
from engine.actions import Bid, BidToChoose, BuyPrivate, BuyShare, Par, SellShares
from engine.facts import CashMoved, PriceMoved
from engine.steps.shares import liquidity
from engine.views import PrivateRow
from renderer.card import NONE, PERCENT, Card, CardRow, Cell, Column, Detail, Section

PRIVATES = (Column("", "l"), Column("", "l", elastic=True), Column("pays"), Column("price"), Column("bid from"))
MOST_LETTERS = 250
"""As many as the notes of all lots may have together, so that the card stays on one screen."""
LETTERS_OF_COMPANY = 20
"""How many fewer for each company that has its row beside them."""
LETTERS_BESIDE = 40
"""As many letters of what a private does may stand beside its price."""
CERTIFICATES = (Column("", "l"), Column("", "l", elastic=True), Column("pays"), Column("price"))


def opening_card(asked: Asked) -> Card:
    """What stands, the least that can be bid, and everybody's money."""
    for_right = asked.verb(BidToChoose) is not None or asked.verb(Par) is not None
    offers = _bidding(asked) if for_right else _waterfall(asked)
    return card(asked, f"{asked.view.round}: {asked.name(asked.seat)}", (Section(_players(asked), "Money"), *offers))


def _players(asked: Asked) -> tuple[CardRow, ...]:
    """Everybody's money, in one row as long as nobody bids for a right: bids on a lot stand with it."""
    players = asked.view.players
    rows = tuple(_player(asked, row) for row in players)
    bids = any(row.right_bid is not None for row in players)
    return rows if bids else (CardRow(facts=tuple(fact for row in rows for fact in row.facts)),)


def _player(asked: Asked, row: PlayerRow) -> CardRow:
    reserved = sum(amount for _, amount in row.bids)
    known = row.cash is not None and row.free_cash is not None
    free = f"{asked.money(row.free_cash or 0)} free" if known else f"{asked.money(reserved)} in bids"
    cash = "•••" if row.cash is None else asked.money(row.cash)
    beside = free if reserved else "", "priority deal" if row.priority else ""
    facts = [Detail(asked.name(row.id), cash, ", ".join(filter(None, beside)), tone="strong")]
    if row.right_bid is not None:
        facts.append(Detail("bids", asked.money(row.right_bid)) if row.right_bid else Detail("still in"))
    elif any(other.right_bid is not None for other in asked.view.players):
        facts.append(Detail("out"))
    return CardRow(facts=tuple(facts), here=row.up)


def _waterfall(asked: Asked) -> tuple[Section, ...]:
    """The unsold privates in line: the first for sale, the others open to bids."""
    sold_now = {buy.private for buy in asked.candidates(BuyPrivate)}
    least: dict[PrivateId, int] = {}
    for bid in asked.candidates(Bid):
        least[bid.private] = min(bid.amount, least.get(bid.private, bid.amount))
    lots = [row for row in asked.view.privates if row.id in sold_now or row.id in least or row.bids]
    noted = _noted(lots, {*sold_now, *filter(None, [asked.state.contested])})
    rows = tuple(_unsold(asked, row, row.id in sold_now, least.get(row.id), row.id in noted) for row in lots)
    return (Section(rows, "Offered", PRIVATES),)


def _noted(lots: Sequence[PrivateRow], now: set[PrivateId], companies: int = 0) -> set[PrivateId]:
    """Those whose powers the card has room for: all, or what the decision is about; a press away are the others.

    The power of a single one takes no more room than that press.
    """
    most = MOST_LETTERS - LETTERS_OF_COMPANY * companies
    return {row.id for row in lots} if len(lots) == 1 or sum(len(row.note) for row in lots) <= most else now


def tells_all(view: TableView, *, opening: bool) -> bool:
    """Whether there is room to say what everything does that can be bought, or in an opening is still to be sold."""
    most = max((row.free_cash for row in view.players if row.up and row.free_cash is not None), default=None)
    sold = [row for row in view.privates if row.on_sale and (most is None or row.price <= most)]
    lots = [row for row in view.privates if not row.owner] if opening else sold
    return len(_noted(lots, set(), 0 if opening else len(_started(view)))) == len(lots)


def _started(view: TableView) -> list[CompanyRow]:
    """The companies that have a row on the card of a stock round."""
    return [row for row in view.companies if row.has_shares and row.par is not None]


def _unsold(asked: Asked, row: PrivateRow, sold_now: bool, least: int | None, noted: bool) -> CardRow:
    cells = (
        Cell(str(row.id), "strong"),
        Cell(row.name if row.name != row.id else "", "soft"),
        Cell(asked.money(row.revenue) if row.revenue else NONE),
        Cell(asked.money(row.price), "strong" if sold_now else "soft"),
        Cell("" if least is None else asked.money(least)),
    )
    bids = sorted(row.bids, key=lambda bid: -bid[1])
    facts = tuple(Detail(asked.name(who), asked.money(amount), tone="alert") for who, amount in bids)
    here = sold_now or row.id == asked.state.contested
    return CardRow(cells, (Detail("bids"), *facts) if facts else (), here=here, note=row.note if noted else "")


def _bidding(asked: Asked) -> tuple[Section, ...]:
    """What the right to choose is bid for, and what may be chosen with it."""
    least = min((bid.amount for bid in asked.candidates(BidToChoose)), default=None)
    bid = [] if least is None else [Detail("next bid from", asked.money(least), tone="strong")]
    return *of_facts(bid), Section(to_choose(asked), "To choose from", CERTIFICATES)


def to_choose(asked: Asked) -> tuple[CardRow, ...]:
    """The certificates that can be chosen, now or once the right is won."""
    return *_privates_to_choose(asked), *_companies_to_choose(asked)


def _privates_to_choose(asked: Asked) -> list[CardRow]:
    step = asked.title.rounds[asked.state.round].by_name["choose"]
    some = step.by_action[BuyPrivate].candidates(asked.title, asked.state, asked.seat)
    offered = {action.private for action in some if isinstance(action, BuyPrivate)}
    lots = [row for row in asked.view.privates if not row.owner and row.id in offered]
    noted = _noted(lots, set())
    return [
        CardRow(
            (
                Cell(row.id, "strong"),
                Cell(row.name, "soft"),
                Cell(asked.money(row.revenue)),
                Cell(asked.money(row.price)),
            ),
            note=row.note if row.id in noted else "",
        )
        for row in lots
    ]


def _companies_to_choose(asked: Asked) -> list[CardRow]:
    """The presidents' certificates, each from its lowest to its highest price."""
    step = asked.title.rounds[asked.state.round].by_name["choose"]
    prices: dict[CorpId, list[int]] = {}
    for action in step.by_action[Par].candidates(asked.title, asked.state, asked.seat):
        assert isinstance(action, Par)
        cell = asked.title.market.cell(action.row, action.col)
        prices.setdefault(action.corp, []).append(cell.price if cell else 0)
    return [
        CardRow(
            (Cell(), Cell(asked.names.companies[corp], "soft"), Cell(), Cell(f"2 × {min(some)}–{max(some)}")),
            token=corp,
        )
        for corp, some in prices.items()
    ]


FEW = 5
"""As many companies leave room for percent signs behind names and, where treasuries are secret, for what each will get
that has not floated yet."""
UNSAID = Cell(NONE, "soft", said="")
COLUMNS = ("price", "falls to", "offer", "market", "you", "worth")
PAR_COLUMNS = tuple(map(Column, ("par", "costs", "leaves", "to float", "capital")))


def shares_card(asked: Asked) -> Card:
    """What whoever is up in a stock round has, what the shares do, and what can be started."""
    view = asked.view
    raised = Detail("by selling", asked.money(liquidity(asked.title, asked.state, asked.seat)))
    sections = of_facts((*purse(asked, asked.player), raised))
    started = _started(view)
    buys, falls = set(asked.choices(BuyShare)), _falls(asked)
    if started:
        few = len(started) <= FEW
        money = any(_knows_money(row) or (few and row.to_float is not None) for row in started)
        rows = [
            replace(_company(asked, row, buys, falls), second=_standing(asked, row, money=money, few=few))
            for row in started
        ]
        columns = tuple(Column("held" if one == "you" and not asked.is_you else one) for one in COLUMNS)
        sections.append(Section(tuple(rows), columns=columns, second=_second(asked, money=money, few=few)))
    sections += _besides(asked, started) + ([] if started else _pars(asked, None))
    others = (_other(asked, row) for row in view.players if row.id != asked.seat)
    sections += of_facts(others, "The others: cash, and what selling would bring")
    return card(asked, f"{view.round}: {asked.name(asked.seat)}", sections)


def nothing_to_buy(asked: Asked) -> tuple[str, ...]:
    """Why no share can be bought, if there is one reason for all."""
    if asked.choices(BuyShare):
        return ()
    return asked.common_refusal([*asked.candidates(BuyShare), *asked.candidates(Par)])


def par_card(asked: Asked, corp: CorpId) -> Card:
    """What starting this company costs at each par, and where it begins."""
    sections = (*of_facts((*purse(asked, asked.player), *places(asked, corp))), *_pars(asked, corp))
    return card(asked, f"Start {asked.names.company(corp)}", sections, corp)


def places(asked: Asked, corp: CorpId) -> Iterator[Detail]:
    """Where the company begins, and its destination."""
    homes = [asked.names.hex(home) for home, _ in asked.title.corporations[corp].homes if home in asked.title.hexes]
    if homes:
        yield Detail("home", listed(homes))
    yield from destination(asked, corp)


def destination(asked: Asked, corp: CorpId) -> Iterator[Detail]:
    """Where a train of the company earns more if it calls at home, too, and how much."""
    for one in asked.view.company(corp).destinations:
        yield Detail("destination", *asked.names.destination(one))


def card(asked: Asked, title: str, sections: Iterable[Section], corp: CorpId | None = None) -> Card:
    """A card, with the company's token."""
    companies = tuple(row.company for row in asked.view.companies)
    return Card(title, asked.view.phase, tuple(sections), companies, corp)


def of_facts(facts: Iterable[Detail], title: str = "") -> list[Section]:
    """A section of facts alone; none without any."""
    row = CardRow(facts=tuple(facts))
    return [Section((row,), title)] if row.facts else []


def purse(asked: Asked, row: PlayerRow) -> tuple[Detail, ...]:
    """A player's money, as far as the reader may know it, and certificates."""
    facts = [Detail("cash", asked.money(row.cash), tone="strong")] if row.cash is not None else []
    if row.free_cash is not None and row.free_cash != row.cash:
        facts.append(Detail("free", asked.money(row.free_cash), tone="strong"))
    limit = asked.view.cert_limit
    full = limit is not None and row.certs >= limit
    facts.append(
        Detail("certificates", str(row.certs) + (f" of {limit}" if limit else ""), tone="alert" if full else "plain")
    )
    if row.priority:
        facts.append(Detail("priority"))
    return tuple(facts)


def train_clock(asked: Asked) -> Iterator[Detail]:
    """What the bank sells and how many are left of it, and which of the companies' trains rust with which others."""
    for train in asked.view.depot:
        if train.on_sale and train.left != 0:
            left = "any number left" if train.left is None else f"{train.left} left"
            price = asked.money(train.price)
            yield Detail(figure=price, behind=left, trains=(train.rank,), said=f"{train.rank}-trains {price}, {left}")
    owned = {rank for row in asked.view.companies for rank in row.trains}
    rusting = [train for train in asked.view.depot if train.rusts_on and train.rank in owned]
    for number, train in enumerate(rusting):
        behind, said = f"{'with' if number else 'rust with'} {train.rusts_on}", f"{train.rank}-trains rust"
        yield Detail(behind=behind, trains=(train.rank,), said=f"{said} with the first {train.rusts_on}")


def _other(asked: Asked, row: PlayerRow) -> Detail:
    cash = "•••" if row.cash is None else asked.money(row.cash)
    return Detail(asked.name(row.id), f"{cash} + {asked.money(liquidity(asked.title, asked.state, row.id))}")


def _falls(asked: Asked) -> dict[CorpId, int]:
    """Where the price of each company goes if the player sells as little of it as possible; nothing if all stay."""
    least: dict[CorpId, SellShares] = {}
    for sale in asked.choices(SellShares):
        least.setdefault(sale.corp, sale)
    now = {row.company.id: row.price or 0 for row in asked.view.companies}
    falls = {}
    for corp, sale in least.items():
        moves = [fact.price for fact in asked.tried(sale).happened(PriceMoved) if fact.corp == corp]
        falls[corp] = moves[-1] if moves else now[corp]
    return falls if any(price != now[corp] for corp, price in falls.items()) else {}


def _company(asked: Asked, row: CompanyRow, buys: set[BuyShare], falls: dict[CorpId, int]) -> CardRow:
    corp = row.company.id
    held = dict(asked.player.shares).get(corp, 0)

    def on_sale(source: str, count: int, price: int | None = None) -> Cell:
        open_now = any(buy.corp == corp and buy.source == source for buy in buys)
        at = f" at {asked.money(price)}" if price not in (None, row.price) else ""
        sold = f"{asked.names.percent(corp, count)}{at}"
        return Cell(sold, "strong" if open_now else "soft") if count else UNSAID

    cells = (
        Cell(asked.money(row.price or 0), "strong"),
        Cell(asked.money(falls[corp])) if corp in falls else UNSAID if falls else Cell(),
        on_sale(IPO, row.ipo, row.par),
        on_sale(POOL, row.pool),
        Cell(asked.names.percent(corp, held)) if held else UNSAID,
        Cell(asked.money(held * (row.sells_for or 0))) if held else UNSAID,
    )
    told = row.status and row.president and (row.trains or not row.floated)  # else it stands elsewhere
    return CardRow(cells, (Detail(figure=row.status, tone="alert"),) if told else (), token=corp)


def _second(asked: Asked, *, money: bool, few: bool) -> tuple[Column, ...]:
    """The columns of what `_standing` tells; of money only if the reader may know any."""
    percent = "" if few else PERCENT
    owners = Column(asked.names.own.head + percent, "l", elastic=True), Column(f"next{percent}", "l", elastic=True)
    treasury = [Column(asked.view.company_money)] if money else []
    return (*owners, *treasury, Column("trains", "l"), Column("paid"))


def _knows_money(row: CompanyRow) -> bool:
    return row.floated and row.treasury is not None


def _standing(asked: Asked, row: CompanyRow, *, money: bool, few: bool) -> tuple[Cell, ...]:
    """Who presides, or what the company is in without, who comes next and by how much; what it has and paid last."""
    held = sorted(row.holders, key=lambda one: (one[0] != row.president, -one[1]))
    share = asked.names.percent if few else asked.names.share
    owners = [f"{asked.name(who)} {share(row.company.id, count)}" for who, count in held[:2]]
    bare = not (row.president or row.trains)  # then what the company is in stands on both sides
    leaderless, insolvent, *_ = (*row.states, "", "") if bare else (row.status, "")
    first, second, *_ = (*([] if row.president else [leaderless]), *owners, "", "")
    kept = row.last_run and row.last_paid == 0
    paid = Cell("kept", said="paid nothing") if kept else Cell(asked.money(row.last_paid) if row.last_paid else "")
    missing, capital = _to_float(asked, row)
    known = Cell(asked.money(row.treasury or 0)) if _knows_money(row) else Cell(capital, "soft")
    without = ((row.president and row.status) or insolvent or "none") if row.floated else missing
    owned = tuple(sorted(row.trains, key=list(asked.title.trains).index))
    trains = Cell(trains=owned) if owned else Cell(without, "alert", said={"none": "no trains"}.get(without, without))
    return (
        Cell(first) if row.president else Cell(first, "alert", said=first),
        Cell(second, "soft"),
        *([known] if money else []),
        trains,
        paid,
    )


def _to_float(asked: Asked, row: CompanyRow) -> tuple[str, str]:
    """What the company needs to float, and what it then gets; a minor forms one without."""
    if row.to_float is None or row.capital is None:
        return "not formed yet", ""
    return f"{asked.names.percent(row.company.id, row.to_float)} to float", asked.money(row.capital)


def _sold(asked: Asked) -> Iterator[Detail]:
    """Which companies were sold in this round by whom, who cannot buy them in it."""
    for seat, corps in asked.state.sold.items():
        mine = seat == asked.seat
        did, what = "cannot buy back" if mine else "sold", listed(sorted(corps))
        # A long name may lose its end as a label, so what is said of it stands with the companies.
        label, figure = (f"you {did}", what) if mine and asked.is_you else (asked.name(seat), f"{did} {what}")
        yield Detail(label, figure, "this round" if mine else "", tone="alert" if mine else "plain")


def _besides(asked: Asked, started: Sequence[CompanyRow]) -> list[Section]:
    """Who cannot buy what, what can be started and the only private for sale, in one row; or several privates."""
    lots = [row for row in asked.view.privates if row.id in {buy.private for buy in asked.choices(BuyPrivate)}]
    facts = (*_sold(asked), *_to_start(asked)) if started else ()
    alone = _alone(asked, lots[0]) if len(lots) == 1 else CardRow()
    row = replace(alone, facts=(*facts, *alone.facts))
    return [*([Section((row,))] if row.facts else []), *(_privates(asked, lots) if len(lots) > 1 else [])]


def _alone(asked: Asked, row: PrivateRow) -> CardRow:
    """The only private for sale; what it does stands beside its price if that is short."""
    priced = replace(_priced(asked, row), label=f"private {row.id}")
    if row.note and len(row.note) <= LETTERS_BESIDE:
        return CardRow(facts=(priced, Detail(behind=row.note)))
    return CardRow(facts=(priced,), note=row.note)


def _privates(asked: Asked, lots: Sequence[PrivateRow]) -> list[Section]:
    """The privates that the bank sells now; what it pays for one stands where it is sold."""
    noted = _noted(lots, set(), len(_started(asked.view)))
    rows = [CardRow(facts=tuple(_priced(asked, row) for row in lots if row.id not in noted))]
    rows += [CardRow(facts=(_priced(asked, row),), note=row.note) for row in lots if row.id in noted]
    return [Section(tuple(row for row in rows if row.facts), "Privates")]


def _priced(asked: Asked, row: PrivateRow) -> Detail:
    income = f", yields {asked.money(row.revenue)}" if row.revenue else ""
    return Detail(f"{row.id} costs", asked.money(row.price) + income)


# Starting a company


def _to_start(asked: Asked) -> Iterator[Detail]:
    """Which companies can be started, from the lowest to the highest par."""
    for corps, pars in _by_pars(asked, None).items():
        prices = sorted(cell.price for at in pars if (cell := asked.title.market.cell(*at)) is not None)
        span = asked.money(prices[0]) + (f" to {prices[-1]}" if len(prices) > 1 else "")
        yield Detail(f"start {listed(corps, 'or')} at", span)


def _by_pars(asked: Asked, only: CorpId | None) -> dict[tuple[CorpId, ...], list[tuple[int, int]]]:
    """The companies that can be started, those that have the same pars together, with the cells of these."""
    by_corp: dict[CorpId, list[tuple[int, int]]] = {}
    for par in asked.choices(Par):
        if only in (None, par.corp):
            by_corp.setdefault(par.corp, []).append((par.row, par.col))
    return {tuple(one for one in by_corp if by_corp[one] == cells): cells for cells in by_corp.values()}


def _pars(asked: Asked, only: CorpId | None) -> list[Section]:
    """What each par leads to, once for all companies that have the same ones."""
    sections = []
    for corps, cells in _by_pars(asked, only).items():
        rows = [_par(asked, Par(asked.seat, corps[0], *cell)) for cell in cells]
        rows += _first_trains(asked) if only is not None else []
        sections.append(Section(tuple(rows), f"Start {listed(corps, 'or')}" if only is None else "", PAR_COLUMNS))
    return sections


def _par(asked: Asked, par: Par) -> CardRow:
    """The par, what its president's certificate costs and leaves, and what the company needs and then gets."""
    trial = asked.tried(par)
    row = trial.after.company(par.corp)
    paid = sum(fact.amount for fact in trial.happened(CashMoved) if fact.source == asked.seat and fact.why == "share")
    left = trial.after.player(asked.seat).free_cash
    gets = sum(fact.amount for fact in trial.happened(CashMoved) if fact.target == par.corp)
    capital = gets if row.capital is None else row.capital
    formed = row.to_float is None and not row.floated
    missing = "when formed" if formed else asked.names.percent(par.corp, row.to_float or 0)
    floats = (row.status or OPERATES) if row.floated else missing
    return CardRow(
        (
            Cell(asked.money(row.par or 0), "strong"),
            Cell(asked.money(paid) if paid else NONE),
            Cell("•••" if left is None else asked.money(left), "soft" if left is None else "plain"),
            Cell(floats, said=floats if row.floated else None),
            replace(UNSAID, tone="plain") if formed else Cell(asked.money(capital)),
        )
    )


def _first_trains(asked: Asked) -> list[CardRow]:
    """What the bank's trains cost that the company would buy first."""
    on_sale = [train for train in asked.view.depot if train.on_sale]
    facts = tuple(Detail("train", asked.money(train.price), trains=(train.rank,)) for train in on_sale)
    return [CardRow(facts=facts)] if facts else []
