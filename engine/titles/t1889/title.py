"""1889: Shikoku. Data put together with its options; the rules themselves are in `steps/`, `rounds/`, `rules.py`."""

from dataclasses import replace

from engine import usual
from engine.board.tile_list import EVERY_TILE, TILES
from engine.flow import break_bank
from engine.ids import PrivateId, TileId
from engine.printed import Private
from engine.rounds import stock
from engine.rounds.deal import DEAL
from engine.rounds.operating import operating_round
from engine.rounds.waterfall import WATERFALL
from engine.steps import emergency, shares
from engine.steps.common import END_GAME
from engine.steps.privates import BONUS_TILE, BUY_PRIVATE, EXCHANGE, LAST_PRIVATES, OWNER_LAY
from engine.steps.run import DIVIDEND, RUN_STEP, STATED
from engine.steps.token import TOKEN
from engine.steps.track import LAY, TRACK, hex_reached, reachable
from engine.steps.trains import DISCARD, TRAINS
from engine.title import Covers, Options, Preset, Step, Title
from engine.titles.t1889 import printed, rules
from engine.titles.t1889.map import HEXES

OPTIONS: Options = {
    "beginner": "The rule book's beginner game: privates dealt, no powers, extra tiles (1889-VAR-01)",
    "manual_setup": "More starting cash: 1500/1200/1000/900/800 (1889-VAR-02)",
    "manual_train_limit": "Three trains in phase 5 instead of two (1889-VAR-03)",
    "eight_diesels": "Only eight D-trains exist (1889-VAR-04)",
    "open_treasuries": "Company money is shown to all (1889-VAR-06)",
    "loose_tiles": "A yellow tile need only be in reach, joined or not, as the rule book literally says (1889-VAR-07)",
    "online": "As on 18xx.games where it differs from the rule book (1889-VAR-05)",
}
ONLINE = replace(
    usual.POLICY,
    auctions=replace(usual.AUCTIONS, next_bidder=usual.lowest_bidder),  # 1889-AUC-10
    holdings=replace(usual.HOLDINGS, excess_sold_off=False),  # any sale serves who holds too much of one company
    trains=replace(usual.TRAINS, discards_in_order=False),  # any company over its limit may discard first
    routes=replace(usual.ROUTES, best_required=False),  # 1889-REV-03
    secrecy=replace(usual.SECRECY, open_treasuries=True),  # 1889-SEC-03
    milestones=replace(usual.MILESTONES, bank_broken=usual.broken_below_zero),  # 1889-END-02
)
"""The policies of option `online`. 1889-VAR-05"""
AS_MOST_PLAY = Preset(
    frozenset({"online"}),
    "company money is open, any legal run will do, forced sales go in blocks, and an auction asks the lowest bidder",
)
COVERS: Covers = {"online": frozenset({"open_treasuries"})}
PLAYERS = range(2, 7)
"""1889-SET-01"""


def build(players: int, options: frozenset[str]) -> Title:
    """The title for so many players; `options` are names of OPTIONS."""
    beginner, online = "beginner" in options, "online" in options
    asks = stock.something_to_do if online else rules.something_to_do  # 1889-PRV-09
    rounds = (
        DEAL if beginner else WATERFALL,
        stock.stock_round(shares.BUY, shares.PAR, shares.SELL, stock.PASS, asks=asks),
        operating_round(*_turn(options), *(() if beginner else (LAST_PRIVATES,))),
    )
    owner_lay = OWNER_LAY.plus(rules.ferry_in_time) if online else OWNER_LAY
    privates = _privates(players, beginner, online)
    secrecy = replace(usual.SECRECY, open_treasuries="open_treasuries" in options)  # 1889-SEC-03
    trains = dict(printed.TRAINS)
    if "eight_diesels" in options:
        trains = {rank: replace(train, count=train.count or 8) for rank, train in trains.items()}
    return Title(
        id="1889",
        name="Shikoku 1889",
        currency="¥{}",
        options=options,
        players=players,
        bank=7000,  # 1889-SET-02
        cash=(printed.MANUAL_CASH if "manual_setup" in options else printed.CASH)[players],
        cert_limit=printed.CERT_LIMIT[players],
        layout="flat",
        hexes=HEXES,
        tiles=EVERY_TILE if beginner and online else TILES,
        supply=_supply(beginner, online),
        corporations=printed.CORPORATIONS,
        privates=privates,
        trains=trains,
        phases=printed.phases(3 if "manual_train_limit" in options else 2, ferry="G" in privates),
        market=printed.MARKET,
        rounds={part.name: part for part in rounds},
        opening=rounds[0].name,
        interrupts={part.name: part for part in ((DISCARD,) if beginner else (DISCARD, BONUS_TILE))},
        anytime=(END_GAME,) if beginner else (owner_lay, EXCHANGE, END_GAME),
        settle=(break_bank,),
        events={"close privates": rules.close_privates},
        cites=rules.CITES,
        policy=ONLINE if online else replace(usual.POLICY, secrecy=secrecy),
        changes=rules.CHANGES,
        turn_rules=rules.TURN_RULES,
        event_rules=rules.EVENT_RULES,
        sea=True,
    )


def _turn(options: frozenset[str]) -> tuple[Step, ...]:
    lay, run, trains = LAY.plus(rules.port_only_by_ferry), RUN_STEP, TRAINS
    if "loose_tiles" in options:
        lay = lay.swap(reachable, hex_reached)
    track = TRACK.swap(LAY, lay)
    if "online" in options:
        track = replace(track, asks=rules.lay_or_ferry)
        run = run.plus(STATED)
        sell = emergency.SELL_FOR_TRAIN.without(emergency.leaves_a_way).plus(shares.one_block)  # 1889-EMR-06
        bankrupt = emergency.BANKRUPT.without(emergency.no_other_way)  # 1889-EMR-11
        trains = trains.swap(emergency.SELL_FOR_TRAIN, sell).swap(emergency.BANKRUPT, bankrupt)
    steps = (track, TOKEN, run, DIVIDEND, trains)
    return steps if "beginner" in options else tuple(step.plus(BUY_PRIVATE) for step in steps)  # 1889-OR-05


def _supply(beginner: bool, online: bool) -> dict[TileId, int]:
    supply = dict(printed.SUPPLY)
    for tile, count in printed.BEGINNER_EXTRA.items() if beginner else ():
        if not online:
            supply[tile] += count
        elif tile != "57":  # 1889-VAR-01f
            supply[TileId(f"Beg{tile}")] = count
    return supply


def _privates(players: int, beginner: bool, online: bool) -> dict[PrivateId, Private]:
    if not beginner:
        fewest = printed.FEWEST_PLAYERS
        chosen = {sym: private for sym, private in printed.PRIVATES.items() if players >= fewest.get(sym, 2)}
        if online:
            chosen[PrivateId("B")] = replace(chosen[PrivateId("B")], note=printed.ONLINE_FERRY)
        return chosen
    wanted = "ACDEF" if online and players == 5 else printed.BEGINNER_SETS[players]  # 1889-VAR-01b
    return {sym: private for sym, private in printed.BEGINNER_PRIVATES.items() if sym in wanted}
