"""1888-N: North China. Data put together with its options; the rules are in `steps/`, `rounds/` and here."""

from dataclasses import replace

from engine import usual
from engine.board.tile_list import TILES
from engine.errors import BadAction
from engine.flow import break_bank
from engine.printed import Corporation
from engine.rounds import stock
from engine.rounds.operating import operating_round
from engine.rounds.waterfall import WATERFALL
from engine.steps import emergency, shares, track, trains
from engine.steps.common import END_GAME, PASS_STEP
from engine.steps.privates import BUY_PRIVATE, LAST_PRIVATES
from engine.steps.run import DIVIDEND, RUN_STEP
from engine.steps.token import TOKEN
from engine.steps.trains import DISCARD, TRAINS
from engine.title import Covers, Options, Policy, Preset, Step, Title, Verb
from engine.titles.t1888n import exchange, printed, rules, tiles
from engine.titles.t1888n.cites import CHANGES, CITES, EVENT_RULES, TURN_RULES
from engine.titles.t1888n.map import HEXES
from engine.titles.t1888n.own import Own1888

OPTIONS: Options = {
    "no_stalled_exports": "A stalled auction exports no train while Kaiping is unsold (1888-VAR-03)",
    "online": "As on 18xx.games where it differs from the rule book; for two only with prototype (1888-VAR-01)",
    "prototype": "Bank of ¥10,000, floating at 50 %, other tile counts (1888-VAR-02)",
}
AS_MOST_PLAY = Preset(
    frozenset({"online"}),
    "any legal run will do, stalled auctions export no train, and tokens cost 40, 60 and 80",
)
COVERS: Covers = {"online": frozenset({"no_stalled_exports"})}
PLAYERS = range(2, 7)
"""1888-SET-01"""

LAY = (
    track.LAY.swap(track.same_places, track.same_places_or_label)
    .swap(track.upgrade_of_use, track.upgrade_joined)
    .plus(tiles.piece_by_private_only)
)
SELL = shares.SELL.without(shares.buys_between_no_sales, shares.one_block).plus(shares.sales_before_purchase)


def build(players: int, options: frozenset[str]) -> Title:
    """The title for so many players; `options` are names of OPTIONS. BadAction for two online without the prototype."""
    online, prototype = "online" in options, "prototype" in options
    if online and players < 3 and not prototype:
        raise BadAction("18xx.games plays 1888-N with 3 to 6 players, and with 2 only the prototype (1888-VAR-01).")
    forbidden_city = _exchange(online, prototype)
    lay = tiles.PIECE_LAY if online else tiles.COMPANY_LAY
    rounds = (
        WATERFALL,
        stock.stock_round(shares.BUY, shares.PAR, SELL, *(() if online else (forbidden_city,)), stock.PASS),
        operating_round(
            *(step.plus(BUY_PRIVATE) for step in _turn(online)),  # 1888-OR-04
            replace(LAST_PRIVATES, asks=tiles.last_chance),
            close=tiles.close_turn,
        ),
    )
    return Title(
        id="1888",
        name="1888-N",
        changes=CHANGES,
        currency="¥{}",
        options=options,
        players=players,
        bank=printed.PROTOTYPE_BANK if prototype else printed.BANK_MONEY,
        cash=printed.CASH[players],
        cert_limit=(printed.CERT_LIMIT_ONLINE if online else printed.CERT_LIMIT)[players],
        layout="pointy",
        hexes=HEXES,
        tiles=TILES,
        supply=printed.PROTOTYPE_SUPPLY if prototype else printed.SUPPLY,
        corporations={corp.id: _corporation(corp, online, prototype) for corp in printed.CORPORATIONS.values()},
        privates=printed.privates(prototype, online),
        trains=printed.TRAINS,
        phases=printed.phases(early_trade=online),
        market=printed.MARKET,
        rounds={part.name: part for part in rounds},
        opening=WATERFALL.name,
        interrupts={part.name: part for part in (DISCARD, tiles.SECOND_TILE)},
        anytime=(lay, forbidden_city, END_GAME) if online else (lay, END_GAME),
        settle=(break_bank,),
        events={"close privates": rules.close_privates},
        cites=CITES,
        policy=_policy(options),
        turn_rules=TURN_RULES,
        event_rules=EVENT_RULES,
        wording=rules.WORDING,
        own=Own1888,
    )


def _policy(options: frozenset[str]) -> Policy:
    online = "online" in options
    return replace(
        usual.POLICY,
        auctions=replace(
            usual.AUCTIONS,
            next_bidder=usual.lowest_bidder if online else usual.lowest_then_clockwise,  # 1888-AUC-08
            every_stall_ends_set=not options & {"online", "no_stalled_exports"},  # 1888-AUC-14
        ),
        privates=replace(usual.PRIVATES, company_price=((1, 2), (3, 2))),  # 1888-PRV-02
        companies=replace(usual.COMPANIES, homes="turn"),  # 1888-TOK-01
        trains=replace(
            usual.TRAINS,
            duty=usual.train_duty_always,  # 1888-TRN-03
            discards_in_order=not online,  # 1888-TRN-08
            exported=printed.EXPORTED,
        ),
        routes=replace(
            usual.ROUTES,
            income=rules.route_income,
            destinations=rules.destinations,
            aims=rules.aims,
            sensible=rules.sensible,
            best_required=not online,  # 1888-REV-08
        ),
        milestones=replace(
            usual.MILESTONES,
            bank_broken=usual.broken_below_zero,  # 1888-END-05
        ),
    )


def _turn(online: bool) -> tuple[Step, ...]:
    """1888-OR-03"""
    pass_track = PASS_STEP if online else tiles.PASS_TRACK  # 1888-TRK-02
    buy, sell, bankrupt = trains.BUY_TRAIN.plus(trains.trade_open), emergency.SELL_FOR_TRAIN, emergency.BANKRUPT
    if online:  # 1888-EMR-02, 1888-EMR-06, 1888-EMR-07, 1888-EMR-08
        buy = buy.without(trains.not_after_sale)
        sell = sell.swap(emergency.no_president_changed, emergency.operator_keeps_president)
        sell = sell.swap(emergency.no_more_than_needed, emergency.no_more_papers_than_needed)
        sell, bankrupt = sell.without(emergency.leaves_a_way), bankrupt.without(emergency.no_other_way)
    else:
        bankrupt = replace(bankrupt, perform=emergency.go_bankrupt)  # 1888-END-01
    step = TRAINS.swap(trains.BUY_TRAIN, buy).swap(emergency.SELL_FOR_TRAIN, sell).swap(emergency.BANKRUPT, bankrupt)
    return (track.TRACK.swap(track.LAY, LAY).swap(PASS_STEP, pass_track), TOKEN, RUN_STEP, DIVIDEND, step)


def _exchange(online: bool, prototype: bool) -> Verb:
    verb = exchange.EXCHANGE
    if online:  # 1888-PRV-15
        verb = replace(verb.without(shares.not_sold_before), perform=exchange.exchange_unnoted)
    if prototype:  # 1888-VAR-02
        verb = replace(verb.without(exchange.exchange_is_purchase), perform=exchange.exchange_for_free, anybody=online)
    return verb


def _corporation(corp: Corporation, online: bool, prototype: bool) -> Corporation:
    if online:  # 1888-TOK-03
        corp = replace(corp, token_costs=printed.ONLINE_TOKEN_COSTS[: len(corp.token_costs)])
    return replace(corp, float_shares=5) if prototype else corp
