"""1890: Osaka, in four scenarios. Data put together with its options."""

from __future__ import annotations

from dataclasses import replace

from engine.board.tile_list import TILES
from engine.errors import BadAction
from engine.flow import break_bank
from engine.ids import IPO, RESERVED
from engine.policy import broken_below_zero
from engine.rounds.stock import PASS, stock_round
from engine.state import State
from engine.steps.privates import BUY_PRIVATE, LAST_PRIVATES
from engine.steps.table import END_GAME
from engine.steps.trains import DISCARD
from engine.title import Options, Title
from engine.titles.t1890 import auction, companies, ends, minors, printed, privates, run, scenarios, stock
from engine.titles.t1890.cites import CITES
from engine.titles.t1890.operating import operating_round
from engine.titles.t1890.scenarios import C, Scenario
from engine.titles.t1890.tokens import TOKEN
from engine.titles.t1890.track import TRACK
from engine.titles.t1890.trains import TRAINS
from engine.titles.t1890.ways import Ways, ways
from engine.verbs import Round, Step

OPTIONS: Options = {
    "scenario_a": "Scenario A, Hanshin Railways: the west of the map, 2 to 4 players (1890-SET-02)",
    "scenario_b": "Scenario B, Keihanshin Railways: both banks of the Yodo, 2 to 4 players (1890-SET-02)",
    "scenario_d": "Scenario D, 1890 Simplified: the whole map without minors 1 to 4 and late privates (1890-SET-16)",
    "plain_kinki": "Kinki is an ordinary company; no minors 1 to 4 (1890-VAR-11)",
}
PLAYERS = range(2, 8)
"""1890-SET-02"""


def build(players: int, options: frozenset[str]) -> Title:
    """The title for so many players; `options` are names of OPTIONS. BadAction if they exclude each other."""
    scenario = _scenario(options)
    if players not in scenario.cash:
        raise BadAction(f"{scenario.name} is for 2 to {max(scenario.cash)} players, not {players} (1890-SET-02).")
    trains = printed.trains(scenario.trains)
    rounds = (auction.ISR, stock_round(stock.BUY, stock.PAR, stock.SELL, PASS), _operating_round())
    return Title(
        id="1890",
        name="1890: Osaka" if scenario is C else f"1890: {scenario.name}",
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
        corporations=scenarios.corporations(scenario),
        privates=scenarios.privates(scenario),
        trains=trains,
        phases=printed.phases(trains),
        market=printed.MARKET,
        rounds={part.name: part for part in rounds},
        opening=auction.ISR.name,
        interrupts={part.name: part for part in (DISCARD, auction.SET_PAR, minors.JOIN)},
        anytime=(minors.DECLARE, END_GAME),
        settle=(break_bank,),
        events={
            "close privates": privates.close_privates,
            "first six": _nothing,
        },
        cites=CITES,
        policy=Ways(
            bank_broken=broken_below_zero,  # 1890-END-02
            homes="turn",  # 1890-TOK-01
            best_routes_required=False,  # 1890-RTE-10
            open_treasuries=False,  # 1890-SEC-02
            set_up=_set_up,
            private_blocks=privates.still_blocks,
            scenario=scenario,
            operating_order=companies.operating_order,
            price_moved=companies.price_moved,
            counts_private=companies.counts_private,
            float_count=stock.float_count,
            stock_ended=ends.stock_ended,
            worth=ends.worth,
            aims=run.aims,
            subway_rules=printed.SUBWAY in scenario.public,  # 1890-COR-20
            tigers="bonus" if scenario.company_rules else "",
            takarazuka=scenario.company_rules,
            hankyu_land=scenario.company_rules,
        ),
        turn_rule="1890-OR-03",
    )


def _scenario(options: frozenset[str]) -> Scenario:
    scenario = scenarios.chosen(options)
    if "plain_kinki" in options:
        if not scenario.forms_kinki:
            raise BadAction("Only scenario C forms Kinki out of minors, so only there plain_kinki changes anything.")
        scenario = scenarios.without_minors(scenario)
    return scenario


def _set_up(t: Title, s: State) -> None:
    privates.set_late_aside(t, s)
    if ways(t).scenario.forms_kinki:
        s.shares[printed.KINKI] = {IPO: 4, RESERVED: 6}  # 1890-COR-06
        s.president[printed.KINKI] = RESERVED


def _nothing(t: Title, s: State) -> None:
    """Nothing follows."""


def _operating_round() -> Round:
    """1890-OR-03"""
    steps = (_with_privates(step) for step in (TRACK, TOKEN, run.RUN_STEP, run.DIVIDEND, TRAINS))
    return operating_round(*steps, LAST_PRIVATES)


def _with_privates(step: Step) -> Step:
    """The operating company may buy privates beside every step. {1890-OR-04}"""
    return replace(step, verbs=(*step.verbs, BUY_PRIVATE))
