"""1860: Railways on the Isle of Wight. Data put together with its options."""

from dataclasses import replace

from engine import usual
from engine.board.tile_list import TILES
from engine.errors import BadAction
from engine.flow import break_bank
from engine.ids import CREDITS, HexId, PrivateId, Rank, TileId
from engine.printed import HexDef, Private, TrainType
from engine.rounds.operating import operating_round
from engine.rounds.stock import PASS
from engine.steps.common import END_GAME
from engine.title import Covers, Options, Preset, Round, Title, Verb
from engine.titles.t1860 import operating, printed, rules, run, stock, track, trains
from engine.titles.t1860.auction import AUCTION, right_bids
from engine.titles.t1860.companies import british, floated, sold_to_players
from engine.titles.t1860.map import HEXES, SMALL_HEXES
from engine.titles.t1860.own import Own1860
from engine.titles.t1860.routing import aims, bests, rent, runners, stops_counted
from engine.titles.t1860.ways import Lease, Ways1860
from engine.titles.t1860.wording import wording

NAME = "1860: Railways on the Isle of Wight"
OPTIONS: Options = {
    "original_insolvency": "Leased trains earn half their run and the full halt subsidy (1860-VAR-01)",
    "variable_privates": "Incomes of privates change with play; no sale to the bank, no swaps (1860-VAR-02)",
    "any_company_order": "No layers: companies start in any order (1860-VAR-03)",
    "full_price_unoperated": "Shares of companies that have not operated sell at full price (1860-VAR-04)",
    "destinations": "Bonuses for the first runs to each company's destinations (1860-VAR-05)",
    "accelerated_track": "More track per turn (1860-VAR-06)",
    "no_train_limit": "Any number of trains for each company (1860-VAR-07)",
    "two_sevens": "Two 7+4-trains (1860-VAR-08)",
    "first_edition": "Small map, original insolvency; small stations are never skipped, even with online (1860-VAR-09)",
    "open_treasuries": "Company credits are shown to all (1860-VAR-10)",
    "skip_small_stations": "Trains may pass small stations, but not in the first edition (1860-VAR-11)",
    "reenter_hexes": "A route may come back to a hex over other track (1860-VAR-12)",
    "simplified_insolvency": "Leased trains earn by their first number alone, but not with online (1860-VAR-13)",
    "small_map": "The map for two or three players (1860-VAR-14)",
    "online": "As on 18xx.games: open credits, small stations may be passed, and other differences (1860-VAR-15)",
}
AS_MOST_PLAY = Preset(
    frozenset({"online"}),
    "company credits are open, one run is enough, and small stations may be passed",
    {"first_edition": "company credits are open, and one run is enough"},
)
COVERS: Covers = {
    "online": frozenset({"open_treasuries", "skip_small_stations", "simplified_insolvency"}),
    "first_edition": frozenset({"original_insolvency", "small_map", "skip_small_stations"}),
}
AFTER_RUN = {"destinations": rules.destination_bonus, "variable_privates": rules.yarmouth_income}
"""What follows, with these options, from the places that trains reach."""
PLAYERS = range(2, 5)
"""1860-SET-01"""


def build(players: int, options: frozenset[str]) -> Title:
    """The title for so many players; `options` are names of OPTIONS. BadAction if two exclude each other."""
    if "first_edition" in options:
        options |= {"original_insolvency", "small_map"}
    if {"original_insolvency", "simplified_insolvency"} <= options:
        raise BadAction("The simplified insolvency cannot be combined with the original one.")
    rounds = (AUCTION, _stock_round(options), _operating_round(options))
    online, variable = "online" in options, "variable_privates" in options
    ways = _ways(options)
    exchange = stock.CLOSE_PRIVATE if variable else stock.EXCHANGE_ONLINE if online else stock.EXCHANGE
    return Title(
        id="1860",
        name=NAME,
        currency="£{}",
        options=options,
        players=players,
        bank=printed.BANK_MONEY,
        cash=printed.CASH[players],
        cert_limit=printed.CERT_LIMIT[players],
        layout="flat",
        hexes=_hexes(options),
        tiles=TILES,
        supply=_supply(options),
        corporations=printed.CORPORATIONS,
        privates=_privates(variable),
        trains=_trains(options),
        phases=printed.phases(limited="no_train_limit" not in options),
        market=printed.MARKET,
        rounds={part.name: part for part in rounds},
        opening=rounds[0].name,
        interrupts={step.name: step for step in (track.HOME_TILE_OR_NONE if online else track.HOME_TILE,)},
        anytime=(exchange, END_GAME),
        settle=(break_bank,),
        events={
            "offer fishbourne": rules.offer_fishbourne,
            "lift limits": rules.lift_limits,
            "form southern": rules.form_southern,
            "fishbourne bought": rules.lower_ferries if variable else stock.close_others,
        },
        cites=rules.CITES,
        policy=ways,
        changes=rules.CHANGES,
        turn_rules=rules.TURN_RULES,
        event_rules=rules.EVENT_RULES,
        sea=True,
        wording=wording(ways.lease, table_runs=ways.table_runs_receivership),
        own=Own1860,
    )


def _hexes(options: frozenset[str]) -> dict[HexId, HexDef]:
    hexes = dict(SMALL_HEXES if "small_map" in options else HEXES)
    for corp, goals in printed.DESTINATIONS.items() if "destinations" in options else ():
        for name, _, _ in goals:
            hexes[name] = replace(hexes[name], icons=(*hexes[name].icons, f"destination:{corp}"))
    return hexes


def _privates(variable: bool) -> dict[PrivateId, Private]:
    notes = printed.VARIABLE_NOTES if variable else {}  # 1860-VAR-02
    return {sym: replace(one, note=notes.get(sym, one.note)) for sym, one in printed.PRIVATES.items()}


def _ways(options: frozenset[str]) -> Ways1860:
    online = "online" in options
    lease: Lease = "stations"
    if "original_insolvency" in options:
        lease = "exact half" if online else "half"
    elif "simplified_insolvency" in options and not online:
        lease = "fixed"
    full = "full_price_unoperated" in options
    return Ways1860(
        auctions=replace(usual.AUCTIONS, right_bids=right_bids, priority_held=False),
        holdings=replace(
            usual.HOLDINGS,
            cert_limit=rules.cert_limit,
            holding_limit=10,  # 1860-SR-13
            pool_limit=10,
            kept=stock.reserved,
            sale_price=stock.share_price_unoperated_full if full else stock.share_price,
            worth=rules.worth_online if online else rules.worth,
        ),
        privates=replace(usual.PRIVATES, sale_fee=printed.SALE_FEE),
        companies=replace(
            usual.COMPANIES,
            bank=CREDITS,
            float_count=sold_to_players,
            after_float=rules.raise_brading if "variable_privates" in options else floated,
            homes="float",
            status=rules.status,
        ),
        trains=replace(usual.TRAINS, discards_at_once=False, rent=rent),
        routes=replace(
            usual.ROUTES,
            stops_counted=stops_counted,
            income=rules.route_income,
            destinations=rules.destinations if "destinations" in options else usual.ROUTES.destinations,
            aims=aims,
            runners=runners,
            bests=bests,
            sensible=run.sensible,
            best_required=False,  # 1860-RTE-15
        ),
        dividends=usual.DIVIDENDS,
        prices=replace(usual.PRICES, paid=run.price_paid, unpaid=run.price_unpaid),
        secrecy=replace(
            usual.SECRECY, open_treasuries=online or "open_treasuries" in options, sees_treasury=rules.sees_treasury
        ),
        milestones=replace(
            usual.MILESTONES,
            bank_broken=operating.bank_broken,
            endless=british,
            foreseeable=operating.foreseeable,
            ending=operating.ending,
            last_round=operating.last_round,
            last_price=printed.MARKET.price(*operating.TOP),  # 1860-END-01
            running_on=operating.running_on,
            reminder=operating.reminder,
        ),
        skips_small=bool(options & {"skip_small_stations", "online"}) and "first_edition" not in options,
        counts_calls_apart=online and "first_edition" in options,
        upgrades_raise=not online,
        in_layers="any_company_order" not in options,
        reenters_hexes="reenter_hexes" in options,
        reaches_once=not options & {"online", "reenter_hexes"},
        lease=lease,
        table_runs_receivership=online,
        british_ends_building=not online,
        bankrupt_paid_least=not online,
        restarts_at_par=not online,
        still_dividend_goes_under=not online,
        buys_at_price=not online,
        after_run=tuple(follows for option, follows in AFTER_RUN.items() if option in options),
    )


def _stock_round(options: frozenset[str]) -> Round:
    online, variable = "online" in options, "variable_privates" in options
    buy, par = stock.BUY, stock.PAR
    if online:
        buy = buy.swap(stock.not_the_directors, stock.not_the_directors_unless_swapped)
    if "any_company_order" in options:
        par = par.swap(stock.layer_open, stock.others_under_way)
    privates: tuple[Verb, ...] = (stock.BUY_PRIVATE,) if variable else (stock.BUY_PRIVATE, stock.SELL_PRIVATE)
    asks = stock.something_to_do_online if online else stock.something_to_do
    return stock.stock_round(buy, par, stock.SELL, *privates, PASS, asks=asks)


def _operating_round(options: frozenset[str]) -> Round:
    verb = run.RUN.without(run.no_hex_twice) if "reenter_hexes" in options else run.RUN
    verb = verb.without(run.none_idle, run.claims_maximum) if "online" in options else verb
    return operating_round(
        trains.EXCESS,
        track.track_step(accelerated="accelerated_track" in options),
        operating.TOKEN,
        run.SOLVENCY,
        run.run_step(verb),
        run.DIVIDEND,
        trains.TRAINS,
        begin=operating.begin,
        close=operating.close_turn,
        end=operating.end,
        actors=operating.actors,
    )


def _supply(options: frozenset[str]) -> dict[TileId, int]:
    lacks = printed.SMALL_MAP_LACKS if "small_map" in options else {}
    return {tile: count - lacks.get(tile, 0) for tile, count in printed.SUPPLY.items()}


def _trains(options: frozenset[str]) -> dict[Rank, TrainType]:
    trains = dict(printed.TRAINS)
    if "two_sevens" in options:
        trains[Rank("7+4")] = replace(trains[Rank("7+4")], count=2)
    return trains
