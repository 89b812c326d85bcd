"""Views of a position (`views`) made from it: `board_view`, `market_view`, `table_view` and their parts."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine import views as v
from engine.actions import BuyPrivate, CompanyBuysPrivate, Route
from engine.board.hexes import position
from engine.board.routes import trace
from engine.depot import bank_trains
from engine.errors import BadAction
from engine.flow import decision, judge, present_step
from engine.frozen import dataclass
from engine.ids import BANK, IPO, POOL, RESERVED, CorpId, HexId, PlayerId, PrivateId, TileId, stop_id
from engine.market import in_order, price
from engine.money import free_cash
from engine.powers import Blocks, Exchange
from engine.printed import NO_LIMIT, Phase, Zone
from engine.secrets import cash_visible, treasury_visible, with_purses
from engine.shares import capital_of, certificates, to_float, worth
from engine.state import CLOSED, State
from engine.title import Title

REMEMBERED = 2000
"""Hexes of a map that are remembered as they were seen: those of some hundred games. Then all are looked at anew."""


def companies(t: Title) -> tuple[v.CompanyView, ...]:
    """The title's companies in its order."""
    return tuple(
        v.CompanyView(corp.id, corp.name, corp.colour, index, corp.shares)
        for index, corp in enumerate(t.corporations.values())
    )


def board_view(t: Title, s: State, changed: tuple[HexId, ...] = ()) -> v.BoardView:
    """The map now; `changed` are the hexes to mark."""
    blocked = blocking(t, s)
    return v.BoardView(
        title=t.name,
        layout=t.layout,
        hexes=tuple(hex_view(t, s, name, blocked) for name in t.hexes),
        companies=companies(t),
        phase=t.phase(s).name,
        round=round_label(t, s),
        currency=t.currency,
        changed=changed,
        supply=tuple((tile, s.supply[tile]) for tile in t.supply),
        sea=t.sea,
    )


def round_label(t: Title, s: State) -> str:
    """The round for people, or the end of the game."""
    return "The game is over" if s.over else t.rounds[s.round].label(t, s)


def blocking(t: Title, s: State) -> dict[HexId, tuple[PrivateId, ...]]:
    """The privates that keep tiles off a hex now, by hex."""
    found: dict[HexId, tuple[PrivateId, ...]] = {}
    for private, printed in t.privates.items():
        hexes = [name for power in printed.powers if isinstance(power, Blocks) for name in power.hexes]
        for name in hexes if hexes and t.policy.privates.blocks(t, s, private) else ():
            found[name] = (*found.get(name, ()), private)
    return found


def hex_view(t: Title, s: State, name: HexId, blocked: Mapping[HexId, tuple[PrivateId, ...]]) -> v.HexView:
    """What people see of one hex; `blocked` as `blocking` tells it."""
    stops = range(len(s.board.face(name).face.stops))
    places = tuple(s.board.places(name, index) for index in stops)
    reserved = tuple(tuple(t.policy.companies.waiting_homes(t, s, name, index)) for index in stops)
    blocked_by = blocked.get(name, ())
    beside = t.policy.companies.beside(t, s, name)
    signs = tuple(icon for icon in t.hexes[name].icons if not _has_served(t, s, name, icon))
    key = (name, s.board.placed.get(name), places, reserved, t.phase(s).tier, blocked_by, beside, signs)
    known: v.HexView | None = t.grid.memo.get(key)
    if known is None:
        if len(t.grid.memo) >= REMEMBERED:
            t.grid.memo.clear()
        known = t.grid.memo[key] = _hex_view(t, s, name, reserved, blocked_by, beside, signs)
    return known


def _has_served(t: Title, s: State, name: HexId, icon: str) -> bool:
    """Whether the sign is that of a destination which brings its company nothing more."""
    kind, _, corp = icon.partition(":")
    goals = t.policy.routes.destinations(t, s, CorpId(corp)) if kind == "destination" else ()
    return any(one.hex == name and one.reached for one in goals)


def laid_stops(t: Title, s: State, name: HexId, tile: TileId, rotation: int) -> tuple[v.StopView, ...]:
    """The stops of the hex once the tile lies there, with the tokens where they come to stand."""
    after = s.copy()
    after.board = s.board.with_tile(name, tile, rotation)
    return hex_view(t, after, name, {}).stops


def _hex_view(
    t: Title,
    s: State,
    name: HexId,
    reserved: Sequence[tuple[CorpId, ...]],
    blocked_by: tuple[PrivateId, ...],
    beside: Sequence[CorpId],
    signs: tuple[str, ...],
) -> v.HexView:
    printed = t.hexes[name]
    face = s.board.face(name)
    tile, _ = s.board.placed.get(name, (None, 0))
    x, y = position(t.layout, name)
    terrain = printed.terrain
    first_cost = terrain.cost if terrain else 0
    icons = (*t.tiles[tile].icons, *(icon for icon in signs if ":" in icon)) if tile else signs
    return v.HexView(
        id=name,
        x=x,
        y=y,
        colour=face.face.colour,
        stops=tuple(_stop_view(t, s, name, index, homes) for index, homes in enumerate(reserved)),
        track=tuple(sorted(face.segments)),
        rotation=face.rotation,
        tile=tile,
        printed_number=t.number(tile) if tile else "",
        label=face.face.label,
        name=printed.name,
        name_local=printed.name_local,
        cost=t.tiles[tile].cost if tile else first_cost,
        terrain=tuple(sorted(terrain.kinds)) if terrain and tile is None else (),
        impassable=tuple(sorted(printed.impassable)),
        joined=tuple(sorted(printed.joined)),
        icons=(*icons, *(f"token:{corp}" for corp in beside)),
        blocked_by=blocked_by,
    )


def _stop_view(t: Title, s: State, name: HexId, index: int, reserved: tuple[CorpId, ...]) -> v.StopView:
    stop = s.board.stop(name, index)
    tier = t.phase(s).tier if stop.tiers else ""
    return v.StopView(
        kind=stop.kind,
        value=dict(stop.tiers)[tier] if stop.tiers else stop.revenue,
        tiers=stop.tiers,
        tier=tier,
        slots=s.board.places(name, index),
        reserved=reserved,
        at=stop.at,
        group=stop.group,
        subsidy=stop.subsidy,
    )


def route_views(t: Title, s: State, corp: CorpId, routes: Sequence[Route]) -> tuple[v.RouteView, ...]:
    """Routes of the company on the present board, to be drawn; BadAction for one that cannot be traced."""
    ran = []
    for route in routes:
        run = trace(s.board, route)
        if isinstance(run, str):
            raise BadAction(run)
        ran.append((route, run))
    views = []
    for (route, run), income in zip(ran, t.policy.routes.turn_incomes(t, s, corp, ran), strict=True):
        counted = t.policy.routes.stops_counted(t, s, corp, route, run)
        stops = tuple((stop_id(*stop), counts) for stop, counts in zip(run.stops, counted, strict=True))
        views.append(v.RouteView(route.train, stops, run.segments, *income))
    return tuple(views)


def market_view(t: Title, s: State, moved: tuple[tuple[CorpId, tuple[int, int]], ...] = ()) -> v.MarketView:
    """The price chart now; `moved` are companies with the cell they came from."""
    tokens: dict[tuple[int, int], list[CorpId]] = {}
    order = in_order(t, s, s.cell)
    for corp in order:
        tokens.setdefault(s.cell[corp], []).append(corp)
    for stack in tokens.values():
        stack.sort(key=lambda corp: s.arrived[corp])
    rows = tuple(
        tuple(
            v.PriceCellView(
                price=cell.price,
                zone=cell.zone,
                par=cell.par,
                arrow=cell.arrow,
                tokens=tuple(tokens.get((row, col), ())),
                # A company that starts anew has its par at any price; of a single row each stands there once.
                pars=tuple(corp for corp, at in s.par.items() if at == cell.price and (cell.par or t.market.tiers)),
            )
            if cell
            else None
            for col, cell in enumerate(cells)
        )
        for row, cells in enumerate(t.market.rows)
    )
    return v.MarketView(
        title=t.name,
        rows=rows,
        zones=tuple((name, _zone_words(zone)) for name, zone in t.market.zones.items()),
        companies=companies(t),
        currency=t.currency,
        moved=moved,
        order=tuple(order),
        tiers=t.market.tiers,
    )


def _zone_words(zone: Zone) -> str:
    words = [zone.meaning] if zone.meaning else []
    if not zone.counts_certs:
        words.append("certificates do not count")
    if not zone.holding_limit:
        words.append("any holding is allowed")
    return ", ".join(words)


def table_view(t: Title, s: State, viewer: PlayerId | None = None) -> v.TableView:
    """Players, companies, privates and trains, as far as `viewer` may know (None: what is public)."""
    on_sale = privates_on_sale(t, s)
    return v.TableView(
        title=t.name,
        round=round_label(t, s),
        phase=t.phase(s).name,
        currency=t.currency,
        bank=s.cash[BANK],
        cert_limit=_limit(t.policy.holdings.cert_limit(t, s)),
        players=tuple(_player_row(t, s, player, viewer) for player in s.players),
        companies=tuple(_company_row(t, s, company, viewer) for company in companies(t)),
        privates=tuple(_private_row(t, s, private, private in on_sale) for private in t.privates),
        depot=_depot(t, s),
        train_pool=s.train_pool,
        train_limit=_train_limit(t, t.phase(s)),
        finished=bool(s.over),
        company_money=t.wording.company_money,
        head=t.wording.head,
        endless=t.policy.milestones.endless(s),
    )


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of the table view, each made when it is asked for: of a position of which little is told."""

    title: Title
    state: State
    viewer: PlayerId | None

    def player(self, seat: str) -> v.PlayerRow:
        return _player_row(self.title, self.state, PlayerId(seat), self.viewer)

    def company(self, corp: str) -> v.CompanyRow:
        found = {str(one.id): one for one in companies(self.title)}[corp]
        return _company_row(self.title, self.state, found, self.viewer)


def phases_view(t: Title, s: State) -> v.PhasesView:
    """The chart of phases and trains, with the present phase and what is left of the trains."""
    return v.PhasesView(t.name, t.phase(s).name, phase_rows(t), _depot(t, s), t.currency)


def phase_rows(t: Title) -> tuple[v.PhaseRow, ...]:
    """All phases of the title, in order."""
    later = {phase.starts_on for phase in t.phases[1:]}
    return tuple(
        v.PhaseRow(
            name=phase.name,
            colours=phase.colours,
            train_limit=_train_limit(t, phase),
            operating_rounds=phase.operating_rounds,
            rusts=tuple(
                rank for rank, train in t.trains.items() if train.rusts_on and train.rusts_on == phase.starts_on
            ),
            news=tuple(news),
            trains=tuple(
                rank for rank in t.trains if rank == phase.starts_on or (phase is t.phases[0] and rank not in later)
            ),
        )
        for phase, news in zip(t.phases, ([], *_phase_news(t)), strict=True)
    )


def _phase_news(t: Title) -> list[list[str]]:
    """What begins with each phase but the first, beside tiles, limits, rounds and rust."""
    for_companies = any(verb.action is CompanyBuysPrivate for verb in t.every_verb())
    values = [dict(tiers) for tiers in {stop.tiers for printed in t.hexes.values() for stop in printed.face.stops}]
    news = []
    for before, now in pairwise(t.phases):
        clauses = {
            "companies may buy privates": for_companies and now.buys_privates and not before.buys_privates,
            "companies may buy trains from one another": now.trades_trains and not before.trades_trains,
            now.note: bool(now.note),
            "new off-board values": any(one and one[before.tier] != one[now.tier] for one in values),
        }
        sold = [rank for rank, train in t.trains.items() if train.on_sale_with and train.on_sale_with == now.starts_on]
        clauses |= {f"{rank}-trains are on sale too": True for rank in sold}
        news.append([clause for clause, begins in clauses.items() if begins])
    return news


def _train_limit(t: Title, phase: Phase) -> str:
    limits = phase.train_limit
    usual = _limit(limits["public"])
    if usual is None:
        return ""
    in_play = {t.kind(corp) for corp in t.corporations}
    others = ", ".join(f"{words} {limits[kind]}" for kind, words in t.wording.company_kinds.items() if kind in in_play)
    return f"{usual} ({others})" if others else str(usual)


def _limit(number: int) -> int | None:
    return number if number < NO_LIMIT else None


def _player_row(t: Title, s: State, player: PlayerId, viewer: PlayerId | None) -> v.PlayerRow:
    known = cash_visible(t, s, player, viewer)
    return v.PlayerRow(
        id=player,
        name=s.names[player],
        cash=s.cash[player] if known else None,
        free_cash=free_cash(s, player) if known else None,
        certs=certificates(t, s, player),
        worth=worth(t, s, player) if known else None,
        shares=tuple((corp, held[player]) for corp, held in s.shares.items() if player in held),
        president_of=tuple(corp for corp in t.corporations if _president(t, s, corp) == player),
        privates=tuple(private for private, owner in s.owner.items() if owner == player),
        priority=player == s.priority and (t.policy.auctions.priority_held or s.round != t.opening),
        up=player in decision(t, s).players,
        bankrupt=player in s.bankrupt,
        bids=tuple((private, bids[player]) for private, bids in s.bids.items() if player in bids),
        right_bid=t.policy.auctions.right_bids(t, s).get(player),
    )


def _company_row(t: Title, s: State, company: v.CompanyView, viewer: PlayerId | None) -> v.CompanyRow:
    corp = company.id
    missing = to_float(t, s, corp)
    return v.CompanyRow(
        company=company,
        president=_president(t, s, corp),
        par=s.par.get(corp),
        price=price(t, s, corp) if corp in s.cell else None,
        sells_for=t.policy.holdings.sale_price(t, s, corp) if corp in s.cell else None,
        treasury=s.cash[corp] if treasury_visible(t, s, corp, viewer) else None,
        trains=s.trains[corp],
        tokens_left=len(s.tokens[corp]),
        next_token=s.tokens[corp][0] if s.tokens[corp] else None,
        ipo=s.held(corp, IPO),
        pool=s.held(corp, POOL),
        holders=tuple((player, s.held(corp, player)) for player in s.players if s.held(corp, player)),
        privates=tuple(private for private, owner in s.owner.items() if owner == corp),
        floated=corp in s.floated,
        operating=corp == s.operating,
        last_run=s.last_run.get(corp),
        last_paid=s.last_paid.get(corp),
        states=t.policy.companies.status(t, s, corp),
        has_shares=t.corporations[corp].certificate is None and not s.held(corp, CLOSED),
        reserved=s.held(corp, RESERVED),
        to_float=missing,
        capital=None if missing is None else capital_of(t, s, corp),
        buyable=max(0, s.held(corp, IPO) - t.policy.holdings.kept(t, s, corp)) + s.held(corp, POOL),
        destinations=t.policy.routes.destinations(t, s, corp),
    )


def _president(t: Title, s: State, corp: CorpId) -> PlayerId | None:
    """Who presides over the company; nobody once the certificate that it is has closed."""
    certificate = t.corporations[corp].certificate
    return None if certificate and s.owner[certificate] == CLOSED else s.president_of(corp)


def privates_on_sale(t: Title, s: State) -> frozenset[PrivateId]:
    """The privates of the bank that whoever must decide now may buy, whatever money they have."""
    players = decision(t, s).players
    verb = present_step(t, s).by_action.get(BuyPrivate) if players else None
    if verb is None:
        return frozenset()
    rich = with_purses(s, players)
    tried = (action for player in players for action in verb.candidates(t, rich, player))
    buys = [action for action in tried if isinstance(action, BuyPrivate)]
    return frozenset(
        buy.private for buy in buys if s.owner[buy.private] in (BANK, RESERVED) and judge(t, rich, buy) is None
    )


def _private_row(t: Title, s: State, private: PrivateId, on_sale: bool) -> v.PrivateRow:
    printed = t.privates[private]
    owner = s.owner[private]
    note = t.policy.privates.note(t, s, private)
    return v.PrivateRow(
        id=private,
        name=printed.name,
        value=t.policy.privates.value(t, s, private),
        revenue=s.revenue.get(private, printed.revenue),
        owner="" if owner in (BANK, RESERVED) else owner,
        price=printed.value - s.discount.get(private, 0),
        sells_for=printed.value - t.policy.privates.sale_fee,
        note=f"{note} {printed.later}".strip() if owner == RESERVED and not on_sale else note,
        bids=tuple(s.bids.get(private, {}).items()),
        on_sale=on_sale,
        exchange=next((one.corp for one in printed.powers if isinstance(one, Exchange)), None),
    )


def _depot(t: Title, s: State) -> tuple[v.TrainRow, ...]:
    on_sale = bank_trains(t, s)
    to_begin = {phase.starts_on: phase.name for phase in t.phases[s.phase + 1 :]}
    return tuple(
        v.TrainRow(
            rank=rank,
            price=train.price,
            left=s.depot.get(rank),
            rusts_on=train.rusts_on,
            on_sale=rank in on_sale,
            phase=to_begin.get(rank, ""),
            beside=train.on_sale_with,
        )
        for rank, train in t.trains.items()
    )
