"""1890: Osaka, in four scenarios. Data put together with its options."""

from engine.board.tile_list import TILES
from engine.errors import BadAction
from engine.flow import break_bank
from engine.rounds.stock import PASS, stock_round
from engine.title import Round, Title
from engine.titles.t1890 import auction, late, printed, privates, raids, run, stock, variants
from engine.titles.t1890.cites import CHANGES, CITES, EVENT_RULES, TURN_RULES
from engine.titles.t1890.operating import TRAINS, operating_round
from engine.titles.t1890.own import Own1890
from engine.titles.t1890.scenarios import Scenario
from engine.titles.t1890.variants import AS_MOST_PLAY, COVERS, OPTIONS
from engine.titles.t1890.wording import WORDING

PLAYERS = range(2, 8)
"""1890-SET-02"""
__all__ = ["AS_MOST_PLAY", "COVERS", "OPTIONS", "PLAYERS", "build"]


def build(players: int, options: frozenset[str]) -> Title:
    """The title for so many players; `options` are names of OPTIONS. BadAction if they exclude each other."""
    scenario = variants.scenario_of(options)
    if players not in scenario.cash:
        raise BadAction(f"1890: {scenario.name} is for 2 to {max(scenario.cash)} players, not {players} (1890-SET-02).")
    trains = printed.trains(
        scenario.trains, longest=8 if "eight_trains" in options else None, apart="shared_calls" not in options
    )
    rounds = (auction.ISR, _stock_round(scenario), _operating_round(scenario, options))
    return Title(
        id="1890",
        changes=CHANGES,
        name=f"1890: {scenario.name}",
        currency="¥{}",
        options=options,
        players=players,
        bank=scenario.bank,
        cash=scenario.cash[players],
        cert_limit=scenario.cert_limit[players],
        layout="pointy",
        hexes=scenario.hexes,
        tiles=TILES,
        supply=printed.SUPPLY,
        corporations=variants.corporations(scenario, options),
        privates=variants.private_companies(scenario, options),
        trains=trains,
        phases=printed.phases(trains, variants.phase_notes(scenario, options)),
        market=printed.MARKET_WITH_END if "end_at_400" in options else printed.MARKET,
        rounds={part.name: part for part in rounds},
        opening=auction.ISR.name,
        interrupts={part.name: part for part in variants.interrupts(scenario, options)},
        anytime=variants.anytime(options),
        settle=(raids.settle, break_bank),
        events={"close privates": privates.close_privates, "first six": late.promise_expo},
        cites=CITES,
        policy=variants.ways_of(scenario, options),
        turn_rules=TURN_RULES,
        event_rules=EVENT_RULES,
        wording=WORDING,
        own=Own1890,
    )


def _stock_round(scenario: Scenario) -> Round:
    late_sale = (late.BUY_LATE,) if scenario.late else ()
    return stock_round(stock.BUY, stock.PAR, stock.SELL, *late_sale, privates.TRADE, PASS)


def _operating_round(scenario: Scenario, options: frozenset[str]) -> Round:
    """1890-OR-03, 1890-OR-04"""
    steps = (variants.track_step(options), variants.token_step(scenario, options), run.RUN_STEP, run.DIVIDEND, TRAINS)
    return operating_round(*(step.plus(privates.BUY_PRIVATE) for step in steps), privates.LAST_CHANCE)
