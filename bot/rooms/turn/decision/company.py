"""Cards of what companies decide: to run, pay, buy trains, build, buy privates, exchange."""

from collections.abc import Iterator, Sequence

import engine
from bot.rooms.turn.decision.asked import Asked
from bot.rooms.turn.decision.shares import card, destination, of_facts
from bot.words.consequences import Trial, earned_by, ends_by_price, lost_power, subsidy_of
from bot.words.labels import earnings, together
from bot.words.lexicon import listed, reading_order, sentence
from engine import BANK, CHANCE, POOL, Action, CompanyRow, State, a_rank
from engine import actions as a
from engine.board.tile_list import EVERY_TILE
from engine.depot import cheapest
from engine.facts import CashMoved, CompanyChanged, PriceMoved, SharesMoved, TileLaid, TrainBought
from engine.ids import split_stop
from engine.printed import colour_word
from engine.steps.emergency import most_to_raise, must_buy
from engine.steps.privates import price_range
from engine.views import PrivateRow, TrainRow
from opponents.earning import EFFORT, revenue
from renderer.card import NONE, Card, CardRow, Cell, Column, Detail, Section, Tone

WAYS = {"pay": "pay out", "half": "half", "withhold": "withhold"}


def run_card(asked: Asked) -> Card:
    """What may become of the revenue of the best routes, which are on the map beside it."""
    row = _operating(asked)
    title = f"{row.company.id}: run"
    if asked.run is None:
        sections = of_facts(_equipment(asked, row))
    else:
        title += f" for {together(asked.names, asked.routes)}"
        leased = tuple(view.train for view in asked.routes if view.train not in row.trains)
        sections = of_facts([Detail("runs a leased", trains=leased)] if leased else [])
        sections += _then(asked, row)
    return card(asked, title, sections, row.company.id)


def run_notes(asked: Asked) -> Iterator[str]:
    """What the company is in, what it gets besides for destinations, and what is thrown for once it has run."""
    yield from condition(asked)
    row = _operating(asked)
    ahead = [one for one in row.destinations if one.once and not one.reached]
    bonuses = [
        f"{asked.money(one.bonus)} for {'one' if number else 'its first run from home'} to {asked.names.place(one)}"
        for number, one in enumerate(ahead)
    ]
    trial = None if asked.run is None else asked.tried(asked.run)
    if bonuses:
        gained = sum(one.amount for one in trial.happened(CashMoved) if one.why == "destination") if trial else 0
        here = f"; these routes bring {asked.money(gained)}" if gained else ""
        yield f"{row.company.id} also gets {listed(bonuses)}{here}."
    then = None if trial is None else engine.decision(asked.title, trial.after.state)
    if then is not None and then.players == (CHANCE,):
        yield f"Then {asked.names.own.tasks.get(then.step, then.step)}."


def dividend_card(asked: Asked) -> Card:
    """The revenue, and what each way of paying it gives to whom."""
    row = _operating(asked)
    aid = next((subsidy_of(asked.tried(action)) for action in asked.choices(a.Dividend)), 0)
    title = f"{row.company.id}: revenue {earnings(asked.names, row.last_run or 0, aid)}"
    return card(asked, title, [*of_facts(_equipment(asked, row)), *_ways(asked, row)], row.company.id)


def _operating(asked: Asked) -> CompanyRow:
    row = asked.company
    assert row is not None
    return row


def _equipment(asked: Asked, row: CompanyRow) -> Iterator[Detail]:
    """The money, as far as the reader may know it, the trains of a company that operates, and what it is in."""
    if row.floated and row.treasury is not None:
        yield Detail(asked.view.company_money, asked.money(row.treasury))
    if row.floated and not row.trains:
        yield Detail("no trains")
    elif row.trains:
        yield Detail("trains", trains=row.trains)
    if row.status:
        yield Detail(figure=row.status, tone="alert")


def _then(asked: Asked, row: CompanyRow) -> list[Section]:
    """What follows the run: a choice of ways to pay, or the only one there is."""
    assert asked.run is not None
    after = asked.after(asked.run)
    if engine.decision(after.title, after.state).players == (CHANCE,):
        return []  # `run_notes` tells what is thrown for
    if after.corp == row.company.id and after.verb(a.Dividend) is not None:
        return _ways(after, row)
    return _table(asked, row, [("then", asked.run)])


def _ways(asked: Asked, row: CompanyRow) -> list[Section]:
    return _table(asked, row, [(WAYS[action.kind], action) for action in asked.choices(a.Dividend)])


OTHERS = 3
"""As many players beside whoever decides have a row of their own; more, whom one way alone pays, share one."""


def _table(asked: Asked, row: CompanyRow, ways: Sequence[tuple[str, Action]]) -> list[Section]:
    """A column for each action: what a share, each player and the company get of it, and where the price goes."""
    trials = [asked.tried(action) for _, action in ways]
    if not trials:
        return []
    corp = row.company.id
    got = [earned_by(trial) for trial in trials]
    rows = []
    held = dict(row.holders)
    paid = [player.id for player in asked.view.players if any(each.get(player.id) for each in got)]
    others = [one for one in paid if one != asked.seat]
    brings = [number for number, each in enumerate(got) if any(map(each.get, others))]
    together = others if len(others) > OTHERS and len(brings) == 1 else []
    for player in paid:
        if player not in together:
            share = asked.names.percent(corp, held[player]) if player in held and row.has_shares else ""
            rows.append(_line(asked.name(player), [_sum(asked, each.get(player, 0)) for each in got], share))
    for number in brings if together else ():
        sums = [(asked.name(one), asked.money(got[number][one])) for one in together]
        rows.append(CardRow(facts=(Detail(f"{ways[number][0]}:"), *(Detail(*one) for one in sums))))
    rows.append(_line(f"{corp} keeps", [_sum(asked, each.get(corp, 0)) for each in got]))
    if row.price is not None:
        rows.append(_line("price", [_way(row.price, _price(trial, row)) for trial in trials], tone="strong"))
    for (way, _), trial in zip(ways, trials, strict=True):
        if ends_by_price(trial, corp):
            rows.append(CardRow(facts=(Detail(f"{way}:", asked.names.own.after_price, tone="alert"),)))
    columns = (Column("", "l", elastic=True), Column(), *(Column(name) for name, _ in ways))
    return [Section(tuple(rows), "who gets what", columns)]


def _line(label: str, cells: Sequence[str], share: str = "", tone: Tone = "plain") -> CardRow:
    return CardRow((Cell(label, "soft"), Cell(share, "soft"), *(Cell(text, tone) for text in cells)))


def _sum(asked: Asked, amount: int) -> str:
    return asked.money(amount) if amount else NONE


def _price(trial: Trial, row: CompanyRow) -> int:
    moves = [fact.price for fact in trial.happened(PriceMoved) if fact.corp == row.company.id]
    return moves[-1] if moves else row.price or 0


def _way(before: int, after: int) -> str:
    return f"{before} → {after}" if before != after else f"stays {before}"


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
    row, view = _operating(asked), asked.view
    depot = tuple(_depot_row(asked, train) for train in view.depot if train.left != 0)
    sections = [*of_facts(_own(asked, row)), Section(depot, columns=COLUMNS)]
    costs = {train.rank: asked.money(train.price) for train in view.depot}
    pool = (Detail(figure=costs[rank], trains=(rank,), said=f"train {rank} {costs[rank]}") for rank in view.train_pool)
    owners = (
        Detail(str(other.company.id), trains=other.trains)
        for other in view.companies
        if other.trains and other.company.id != row.company.id
    )
    sections += [*of_facts(pool, "Open market"), *of_facts(owners, "Other companies"), *_to_raise(asked)]
    title = f"{row.company.id}: {'discard a train' if asked.verb(a.DiscardTrain) is not None else 'trains'}"
    return card(asked, title, sections, row.company.id)


def train_notes(asked: Asked) -> Iterator[str]:
    if asked.verb(a.DiscardTrain) is not None:
        row = _operating(asked)
        yield f"{row.company.id} has {len(row.trains)} trains and may keep {_limit(asked, row)}."
    yield from _held_up(asked)
    yield from condition(asked)


def _limit(asked: Asked, row: CompanyRow) -> int:
    return asked.title.train_limit(asked.state, row.company.id)


def condition(asked: Asked) -> Iterator[str]:
    """What it means that the company is in what it is in, where its title says so."""
    row = asked.company
    if row is None:
        return
    for what in row.states:
        means = asked.names.own.states.get(what)
        if means:
            yield f"{row.company.id} is {what}: {means}."


def _own(asked: Asked, row: CompanyRow) -> Iterator[Detail]:
    if row.treasury is not None:
        yield Detail(asked.view.company_money, asked.money(row.treasury), tone="strong")
    limit = _limit(asked, row)
    bounded = bool(asked.view.train_limit)
    over = bounded and len(row.trains) > limit
    owned = f"{len(row.trains)} of {limit}" if bounded else str(len(row.trains))
    if row.trains:
        yield Detail(trains=row.trains, said=f"trains {' '.join(row.trains)}")
    yield Detail(figure=owned, behind="train" if owned == "1" else "trains", tone="alert" if over else "plain")
    if row.president is not None:
        cash = asked.view.player(row.president).cash
        yield Detail(
            asked.names.own.head, asked.name(row.president) + (f" {asked.money(cash)}" if cash is not None else "")
        )
    if _may_need_help(asked, row):
        yield Detail("by selling", asked.money(most_to_raise(asked.title, asked.state, asked.seat)))


def _may_need_help(asked: Asked, row: CompanyRow) -> bool:
    """Whether its president sells shares if he must, as far as the reader may know what the company has."""
    rank = cheapest(asked.title, asked.state)
    if rank is None or asked.verb(a.SellShares) is None or not must_buy(asked.title, asked.state, row.company.id):
        return False
    return row.treasury is None or row.treasury < asked.title.trains[rank].price


def _depot_row(asked: Asked, train: TrainRow) -> CardRow:
    """Its price and number; the phase that its first sale begins and what that rusts, unless it has begun."""
    doomed = [one.rank for one in asked.view.depot if one.rusts_on == train.rank] if train.phase else []
    tone: Tone = "strong" if train.on_sale else "soft"
    rest: Tone = "plain" if train.on_sale else "soft"
    rusting = "; ".join(f"{rank}: {', '.join(_whose(asked, rank)) or 'none'}" for rank in doomed)
    brief = len(rusting) <= BRIEF
    cells = (
        Cell(trains=(train.rank,)),
        Cell(asked.money(train.price), tone),
        Cell("any", rest, said="any number left") if train.left is None else Cell(str(train.left), rest),
        Cell(train.phase, rest),
        Cell(rusting, rest) if brief else Cell("see below", rest, said=""),
    )
    facts: list[Detail] = []
    for rank in () if brief else doomed:
        if owners := _whose(asked, rank):
            facts += [Detail("rusts", trains=(rank,)), *(Detail(figure=owner) for owner in owners)]
    facts += _terms(asked, train) if train.on_sale else ()
    return CardRow(cells, tuple(facts), here=train.on_sale and asked.verb(a.BuyTrain) is not None)


def _whose(asked: Asked, rank: str) -> list[str]:
    owners = [str(row.company.id) for row in asked.view.companies if rank in row.trains]
    owners += ["market"] if rank in asked.view.train_pool else []
    return owners


def _terms(asked: Asked, train: TrainRow) -> Iterator[Detail]:
    """What the purchase leaves, who must help, and the price in exchange for an older train."""
    for buy in asked.choices(a.BuyTrain):
        if buy.rank != train.rank or buy.source != BANK:
            continue
        trial = asked.tried(buy)
        before, after = asked.company, trial.after.company(buy.corp)
        if buy.trade_in:
            yield Detail(f"for {a_rank(buy.trade_in)}", asked.money(buy.price))
        if before is not None and before.treasury is not None and after.treasury is not None:
            yield Detail("leaves", asked.money(before.treasury + _helped(trial) - buy.price))
        if _helped(trial):
            yield Detail(asked.name(asked.seat), asked.money(_helped(trial)), "added", tone="alert")


def _helped(trial: Trial) -> int:
    return sum(fact.contribution for fact in trial.happened(TrainBought))


PAID = "shares sold", BANK
"""Not what the bank takes back where the sale closes the company that needs the train."""


def _to_raise(asked: Asked) -> list[Section]:
    """What the president can raise by the largest sale of each company's shares, where a train must be paid for."""
    most = {sale.corp: sale for sale in asked.choices(a.SellShares)}
    facts = []
    for sale in most.values():
        got = sum(one.amount for one in asked.tried(sale).happened(CashMoved) if (one.why, one.source) == PAID)
        facts.append(Detail(f"{asked.names.percent(sale.corp, sale.count)} of {sale.corp}", asked.money(got)))
    return of_facts(facts, "Shares that can be sold for it")


def _held_up(asked: Asked) -> tuple[str, ...]:
    """Why the company may not be done, and why it cannot buy what it must; or why it can buy nothing at all."""
    offers = [offer for offer in asked.candidates(a.BuyTrain) if offer.source in (BANK, POOL)]
    asks = asked.verb(a.Pass) is not None
    duty = asked.refusal(a.Pass(asked.seat)) if asks else ""
    if duty:
        cheapest = min(offers, key=lambda offer: offer.price, default=None)
        missing = asked.refusal(cheapest) if cheapest is not None else ""
        return (f"{asked.corp} must own a train.", missing, *_ruin(asked)) if missing else (duty,)
    if asks and asked.money_decides(a.Pass(asked.seat)):
        return (f"{asked.corp} has no train, so it must buy one if it can pay for the cheapest.",)
    reason = asked.common_refusal(offers)
    return (*reason, *_without_train(asked)) if reason and asks else reason


def _without_train(asked: Asked) -> Iterator[str]:
    """What becomes of the company if it goes on like that."""
    for one in asked.tried(a.Pass(asked.seat)).happened(CompanyChanged):
        means = asked.names.own.states.get(one.state)
        if one.corp == asked.corp and one.now and means:
            yield f"Without a train it is then {one.state}: {means}."


def _ruin(asked: Asked) -> Iterator[str]:
    """That nothing pays for the train any more, and what then happens."""
    if asked.choices(a.GoBankrupt):
        raised = most_to_raise(asked.title, asked.state, asked.seat)
        brings = f"Sales bring {asked.money(raised)} at most" if raised else "Nothing is left to sell"
        yield f"{brings}, so it cannot be paid. Bankruptcy ends the game."


Lay = a.LayTile | a.LayPowerTile
MANY_TILES = 18
"""More tiles than these are too many to count on a card: only the last of their kind are named."""
PRIVATES = (Column("", "l", elastic=True), Column("owner", "l", elastic=True), Column("pays"), Column("price"))


def building_card(asked: Asked) -> Card:
    """What a company has for track and tokens, and what those cost that it can place now."""
    row = asked.company
    sections: list[Section] = []
    doing = "a tile"
    if row is not None:
        sections = of_facts((*_equipment(asked, row), *_tokens(asked, row), *destination(asked, row.company.id)))
        doing = "token" if asked.verb(a.PlaceToken) is not None else "track"
    lays: list[Lay] = [*asked.choices(a.LayTile), *asked.choices(a.LayPowerTile)]
    sections += [*_costs(asked, lays), *_tiles_left(asked, lays), *_powers(asked)]
    title = f"{row.company.id}: {doing}" if row is not None else f"{asked.name(asked.seat)}: {doing}"
    return card(asked, title, sections, row.company.id if row else None)


def _powers(asked: Asked) -> list[Section]:
    """What the privates do whose tiles are all that can be laid."""
    if asked.verb(a.PlaceToken) is not None or asked.choices(a.LayTile):
        return []
    verbs = [one for one in engine.present_verbs(asked.title, asked.state) if one.action is a.LayPowerTile]
    lays = [lay for verb in verbs for lay in engine.possible(asked.title, asked.state, verb, asked.seat)]
    asking = {one.private for one in lays if isinstance(one, a.LayPowerTile)}
    title = "" if asked.state.pending else "No other tile can be laid"
    return _what_they_do([one for one in asked.view.privates if one.id in asking], title)


def _what_they_do(privates: Sequence[PrivateRow], title: str = "") -> list[Section]:
    rows = tuple(CardRow((Cell(f"{one.id} {one.name}"),), note=one.note) for one in privates)
    return [Section(rows, title, (Column("", "l", elastic=True),))] if rows else []


def _tokens(asked: Asked, row: CompanyRow) -> Iterator[Detail]:
    yield Detail(figure=str(row.tokens_left), behind="token left" if row.tokens_left == 1 else "tokens left")
    if row.next_token is not None:
        yield Detail("next", asked.money(row.next_token) if row.next_token else "free")
    if row.privates:
        yield Detail("owns", listed(row.privates))
    if asked.state.lays and asked.state.operating == row.company.id:
        yield Detail("laid", ", ".join(map(colour_word, asked.state.lays)))


def _costs(asked: Asked, lays: Sequence[Lay]) -> list[Section]:
    """What tiles cost where they cost anything, or where the token can go and for how much."""
    if asked.verb(a.PlaceToken) is not None:
        return _tokens_to_place(asked)
    return of_facts(_lay_costs(asked, lays), "Tiles that cost")


def _tokens_to_place(asked: Asked) -> list[Section]:
    """Where a token can go: together what costs the same and lets the company earn as much, the most first."""
    actions = asked.choices(a.PlaceToken)
    now, *runs = _runs(asked, [asked.state, *(engine.apply(asked.title, asked.state, one) for one in actions)])
    places: dict[tuple[str, str], int] = {}
    for action, run in zip(actions, runs, strict=True):
        key = _cost(asked, asked.tried(action)), asked.names.hex(split_stop(action.stop)[0])
        places[key] = max(run, now, places.get(key, now))
    more = max(places.values(), default=now) > now
    groups: dict[tuple[str, int], list[str]] = {}
    for (cost, place), run in sorted(places.items(), key=lambda one: -one[1]):
        groups.setdefault((cost, run), []).append(place)
    facts: list[Detail] = []
    for (cost, run), some in groups.items():
        earns = f", earns {asked.money(run)}" if run > now else ", earns as before" if more else ""
        facts += [Detail(figure=f"{cost}{earns}:", tone="strong"), *(Detail(behind=place) for place in some)]
    title = f"Tokens; without one it earns {asked.money(now)}" if more else "Tokens"
    return of_facts(facts, title)


def _runs(asked: Asked, states: Sequence[State]) -> list[int]:
    """What the company could earn (subsidies included) in each position, as far as a search finds that they share."""
    corp = asked.corp
    trains = tuple(sorted(asked.state.trains[corp])) if corp is not None else ()
    if corp is None or not trains:
        return [0] * len(states)
    return [revenue(asked.title, one, corp, trains, EFFORT // len(states)) for one in states]


def _lay_costs(asked: Asked, lays: Sequence[Lay]) -> Iterator[Detail]:
    """One lay is tried in each hex where the map asks for money; hexes that cost the same stand together."""
    dear = {cell.id for cell in asked.board.hexes if cell.cost}
    costs: dict[str, list[str]] = {}
    for hex_id, action in {lay.hex: lay for lay in reversed(lays) if lay.hex in dear}.items():
        trial = asked.tried(action)
        if any(fact.cost for fact in trial.happened(TileLaid)):
            costs.setdefault(_cost(asked, trial), []).append(hex_id)
    for cost, hexes in costs.items():
        yield Detail(figure=f"{cost}:", tone="strong")
        yield from (Detail(behind=asked.names.hex(one)) for one in sorted(hexes, key=reading_order))


def _tiles_left(asked: Asked, lays: Sequence[Lay]) -> list[Section]:
    """How many are left of each tile that could be laid now."""
    useful = {action.tile for action in lays}
    printed = {tile: EVERY_TILE[tile].printed or tile for tile in useful if tile in EVERY_TILE}
    left = [(tile, count) for tile, count in asked.board.supply if tile in printed]
    many = len(left) > MANY_TILES
    if many:
        last = [Detail(figure=printed[tile]) for tile, count in left if count == 1]
        return of_facts(last, "Tiles that fit, one of each left")
    facts = [Detail(figure=f"{printed[tile]} ×{count}") for tile, count in left]
    return of_facts(facts, "Tiles left, of those that fit")


def _cost(asked: Asked, trial: Trial) -> str:
    """What the company pays, and what that leaves if the reader may know it."""
    row = asked.company
    payer = row.company.id if row is not None else trial.action.by
    paid = sum(fact.amount for fact in trial.happened(CashMoved) if fact.source == payer)
    known = row.treasury if row is not None else None
    return asked.money(paid) + (f", leaves {asked.money(known - paid)}" if known is not None and paid else "")


def privates_card(asked: Asked) -> Card:
    """Which privates the company can buy, from whom and between what prices; else what its own do."""
    row, view = _operating(asked), asked.view
    for_sale = {one.private for one in asked.choices(a.CompanyBuysPrivate)}
    rows = tuple(_private(asked, one) for one in view.privates if one.id in for_sale)
    sections = of_facts(_equipment(asked, row))
    sections += [Section(rows, "Privates", PRIVATES)] if rows else []
    own = [one for one in view.privates if one.id in row.privates and not rows]  # then they alone are asked about
    sections += _what_they_do(own)
    return card(asked, f"{row.company.id}: privates", sections, row.company.id)


def _private(asked: Asked, row: PrivateRow) -> CardRow:
    low, high = price_range(asked.title, row.id)
    prices = f"{asked.money(low)}–{high}"
    name = row.id if row.name == row.id else f"{row.id} {row.name}"
    cells = (Cell(name), Cell(asked.name(row.owner)), Cell(asked.money(row.revenue)), Cell(prices, "strong"))
    return CardRow(cells, note=sentence(lost_power(asked.title, asked.state, row.id)))


def exchange_card(asked: Asked) -> Card:
    """What the company has that its owner may exchange, and what he gets for it of which company."""
    row = asked.company
    sections = of_facts(_equipment(asked, row)) if row is not None else []
    for choice in asked.choices(a.ExchangePrivate):
        trial = asked.tried(choice)
        for moved in trial.happened(SharesMoved):
            after = trial.after.company(moved.corp)
            if moved.target == asked.seat:
                gets = "you get" if asked.is_you else f"{asked.name(asked.seat)} gets"
                got = Detail(gets, asked.names.percent(moved.corp, moved.count), tone="strong")
                facts = (got, *_worth(asked, after))
                sections.append(Section((CardRow(facts=facts, token=moved.corp),), f"{moved.corp} after it"))
    title = f"{row.company.id if row is not None else asked.name(asked.seat)}: exchange"
    return card(asked, title, sections, row.company.id if row is not None else None)


def exchange_notes(asked: Asked) -> Iterator[str]:
    """What does what can be exchanged."""
    for choice in asked.choices(a.ExchangePrivate):
        yield asked.view.private(choice.private).note


def _worth(asked: Asked, row: CompanyRow) -> Iterator[Detail]:
    """What a share of the company is worth, and what it runs with."""
    if row.price is not None:
        yield Detail("price", asked.money(row.price))
    if row.trains:
        yield Detail("trains", trains=row.trains)
    if row.president is not None:
        yield Detail(asked.names.own.head, asked.name(row.president))
