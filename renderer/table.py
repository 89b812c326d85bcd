"""The table card: who has what. Players and their shares, companies, private companies, trains and the bank."""

from collections.abc import Sequence

from engine.views import CompanyRow, CompanyView, PlayerRow, PrivateRow, TableView, TrainRow
from renderer import text
from renderer.card import HIDDEN, Card, CardRow, Cell, Column, Detail, Section, Tone, card_picture
from renderer.png import Picture
from renderer.strips import short
from renderer.tokens import short_letters

PLAYERS = (Column("", "l", elastic=True), Column("cash"), Column("worth"), Column("certs"))
PRIVATES = (
    Column("", "l"), Column("", "l", elastic=True), Column("value"), Column("pays"), Column("owner", "l", elastic=True),
)  # fmt: skip


def table_picture(view: TableView) -> Picture:
    """The table card, 1,000 pixels wide and as tall as its rows need."""
    return card_picture(table_card(view))


def table_card(view: TableView) -> Card:
    """Everything that the view tells, for `renderer.card` to lay out."""
    sections = [
        *([Section(tuple(_player(view, row) for row in view.players), "Players", PLAYERS)] if view.players else []),
        *_companies(view),
        *_privates(view),
        Section((CardRow(facts=tuple(_train(view, row) for row in view.depot)),), "Trains"),
        Section((CardRow(facts=_bank(view)),)),
        Section((CardRow(facts=tuple(Detail(behind=words, said="") for words in _signs(view))),)),
    ]
    title = f"{short(view.title)}: {'game over' if view.finished else view.round}"
    return Card(title, view.phase, tuple(sections), tuple(row.company for row in view.companies))


def _money(view: TableView, amount: int | None) -> str:
    if amount is None:
        return HIDDEN
    return ("-" if amount < 0 else "") + view.currency.format(f"{abs(amount):,}")


def _who(view: TableView, holder: str) -> str:
    return next((row.name for row in view.players if row.id == holder), holder)


# Players


def _player(view: TableView, row: PlayerRow) -> CardRow:
    limit = view.cert_limit
    full = limit is not None and row.certs >= limit
    cells = (
        Cell(row.name + (" (bankrupt)" if row.bankrupt else ""), "soft" if row.bankrupt else "strong"),
        Cell(_money(view, row.cash)),
        Cell(_money(view, row.worth), "strong"),
        Cell(f"{row.certs}" + (f" of {limit}" if limit else ""), "alert" if full else "plain"),
    )
    facts = [Detail("free", _money(view, row.free_cash))] if row.free_cash != row.cash else []
    others = [one.company for one in view.companies]
    for one in view.companies:
        held = dict(row.shares).get(one.company.id)
        if held and one.has_shares:
            tone: Tone = "strong" if one.company.id in row.president_of else "plain"
            part = _part(one.company, held)
            letters = short_letters(one.company, others)
            facts.append(Detail(letters, part, tone=tone, said=f"{one.company.id} {part} %"))
    owned = [str(private) for private in row.privates]
    owned += [str(one.company.id) for one in view.companies if not one.has_shares and one.president == row.id]
    facts += [Detail("owns", " ".join(dict.fromkeys(owned)))] if owned else []
    facts += [Detail(behind="priority deal")] if row.priority and not view.finished else []
    return CardRow(cells, tuple(facts), here=row.up and not view.finished)


# Companies


def _companies(view: TableView) -> list[Section]:
    """The companies in play; then, on one line, those that nobody has started or that are gone."""
    playing = [row for row in view.companies if _begun(row) and not _is_out(row)]
    columns = (Column(view.head, "l", elastic=True), Column("price"), Column(view.company_money), Column("trains", "l"))
    made = [Section(tuple(_company(view, row) for row in playing), "Companies", columns)] if playing else []
    others: dict[str, list[CompanyView]] = {}
    for row in view.companies:
        if row not in playing and (row.status or row.has_shares):
            others.setdefault(row.status or "not started", []).append(row.company)
    facts = (
        Detail(
            what,
            " ".join(short_letters(company, some) for company in some),
            said=f"{what}: {', '.join(company.id for company in some)}",
        )
        for what, some in others.items()
    )
    return [*made, *([Section((CardRow(facts=tuple(facts)),))] if others else [])]


def _is_out(row: CompanyRow) -> bool:
    """Whether nothing is left of it that could be told."""
    return bool(row.status) and row.president is None and row.price is None and not row.trains


def _part(company: CompanyView, shares: int) -> str:
    """So many shares in per cent."""
    return f"{shares * 100 // company.shares}"


def _begun(row: CompanyRow) -> bool:
    return row.par is not None or row.price is not None or row.floated or bool(row.status or row.trains)


def _company(view: TableView, row: CompanyRow) -> CardRow:
    status = row.status or ""
    cells = (
        Cell(_who(view, row.president)) if row.president else Cell(status, "alert", said=status),
        Cell("" if row.price is None else _money(view, row.price), "strong"),
        Cell(_money(view, row.treasury)),
        Cell(trains=tuple(row.trains)),
    )
    here = row.operating and not view.finished
    return CardRow(cells, tuple(_company_facts(view, row)), token=row.company.id, here=here)


def _company_facts(view: TableView, row: CompanyRow) -> list[Detail]:
    facts = [Detail(figure=row.status, tone="alert")] if row.status and row.president else []
    facts += [Detail("not floated")] if row.par is not None and not row.floated and not row.status else []
    facts += [Detail("par", _money(view, row.par))] if row.par is not None else []
    for label, amount in (("offer", row.ipo), ("market", row.pool), ("set aside", row.reserved)):
        part = _part(row.company, amount) if amount and row.has_shares else ""
        facts += [Detail(label, part, said=f"{label} {part} %")] if part else []
    if row.tokens_left:
        price = "" if row.next_token is None else f", {_money(view, row.next_token)}"
        facts.append(Detail("tokens", f"{row.tokens_left}{price}"))
    if row.last_run is not None:
        ran, paid = _money(view, row.last_run), _paid(view, row)
        facts.append(Detail("ran for", f"{ran}," if paid else ran, paid))
    facts += [Detail("owns", " ".join(row.privates))] if row.privates else []
    return facts


def _paid(view: TableView, row: CompanyRow) -> str:
    """What became of the last run; nothing where it brought nothing or that is not decided yet."""
    if not row.last_run or (row.has_shares and row.last_paid is None):
        return ""
    if not row.has_shares:
        return "half"
    return "kept" if row.last_paid == 0 else f"{_money(view, row.last_paid)} a share"


# Privates, trains and the bank


def _privates(view: TableView) -> list[Section]:
    rows = tuple(_private(view, row) for row in view.privates if row.owner != "closed")
    return [Section(rows, "Private companies", PRIVATES)] if rows else []


def _private(view: TableView, row: PrivateRow) -> CardRow:
    if row.owner:
        state = Cell(_who(view, row.owner), "strong" if row.on_sale else "plain")
    elif row.on_sale:
        price = _money(view, row.price)
        state = Cell(f"for {price}", "strong", said=f"for sale for {price}")
    else:
        state = Cell("unsold", "soft", said="unsold")
    whole = text.clean(row.name) == text.clean(row.id)
    cells = (
        Cell(str(row.id), "strong"),
        Cell("" if whole else row.name),
        Cell(_money(view, row.value)),
        Cell(_money(view, row.revenue) if row.revenue else ""),
        state,
    )
    high = sorted(row.bids, key=lambda bid: -bid[1])
    bids = tuple(Detail("bid", f"{_money(view, amount)} {_who(view, who)}", tone="alert") for who, amount in high)
    return CardRow(cells, bids, here=row.on_sale)


def _train(view: TableView, row: TrainRow) -> Detail:
    if _is_gone(view, row):
        return Detail(figure=f"{row.rank} gone", tone="soft")
    rusts = f"till {row.rusts_on}" if row.rusts_on else ""
    if row.left == 0:
        return Detail(figure=", ".join(filter(None, (f"{row.rank} sold out", rusts))), tone="soft")
    left = "" if row.left is None else f" ×{row.left}"
    return Detail(
        figure=f"{row.rank}{left} {_money(view, row.price)}", behind=rusts, tone="strong" if row.on_sale else "plain"
    )


def _is_gone(view: TableView, row: TrainRow) -> bool:
    return row.left == 0 and row.rank not in (
        *view.train_pool,
        *(rank for one in view.companies for rank in one.trains),
    )


def _bank(view: TableView) -> tuple[Detail, ...]:
    facts = [Detail("bank", view.bank_left, tone="strong")]
    facts += [Detail("train limit", view.train_limit)] if view.train_limit else []
    facts += [Detail("used trains", trains=tuple(view.train_pool))] if view.train_pool else []
    return tuple(facts)


def _signs(view: TableView) -> Sequence[str]:
    """What the signs mean."""
    signs = ["coloured row, bold train: now", f"shares in per cent, bold: {view.head}"]
    signs += ["till: rusts with"] if any(row.rusts_on and not _is_gone(view, row) for row in view.depot) else []
    if any(None in (row.cash, row.worth) for row in view.players) or any(
        row.treasury is None for row in view.companies if _begun(row)
    ):
        signs.append(f"{HIDDEN} hidden")
    return signs
