"""18HS, put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine import usual
from engine.actions import Action, BuyTrain, Lay
from engine.board.tile_list import TILES
from engine.flow import break_bank
from engine.ids import PlayerId
from engine.rounds import stock
from engine.rounds.operating import operating_round
from engine.rounds.stock import stock_round
from engine.state import State
from engine.steps import emergency, run, shares, token, track, trains
from engine.steps.common import END_GAME, own_turn
from engine.steps.run import DIVIDEND, RUN_STEP
from engine.steps.token import TOKEN
from engine.steps.track import LAY, TRACK
from engine.steps.trains import DISCARD, TRAINS
from engine.title import Cited, Options, Preset, Title, cites, of_tile
from engine.titles import Recipe
from half_shares import printed
from half_shares.map import HEXES

PLAYERS = range(2, 5)
OPTIONS: Options = {
    "one_lay": "One lay a turn instead of two (18HS-VAR-01)",
    "hidden_cash": "Players hide their money (18HS-VAR-02)",
}


@of_tile
def two_lays(t: Title, s: State, a: Lay) -> str | None:
    """Two lays in a turn, yellow tiles or upgrades."""
    return f"{a.corp} has already laid two tiles this turn." if len(s.lays) >= 2 else None


def may_lay_on(t: Title, s: State) -> bool:
    """The step is asked until both lays are used."""
    return len(s.lays) < 2


_RULES: Mapping[str, tuple[Cited, ...]] = {
    "18HS-SR-01": (shares.one_purchase, shares.buys_between_no_sales),
    "18HS-SR-02": (shares.started, shares.not_started, shares.par_cell, shares.par_affordable),
    "18HS-SR-03": (shares.share_there, shares.share_affordable, shares.not_sold_before),
    "18HS-SR-04": (shares.sales_open, shares.has_shares, shares.has_price, shares.one_block, shares.pool_room),
    "18HS-SR-05": (shares.within_cert_limit, shares.within_holding_limit, shares.must_sell_first, shares.sells_down),
    "18HS-SR-06": (shares.heir_for_presidency,),
    "18HS-OR-01": (own_turn,),
    "18HS-TRK-01": (two_lays,),
    "18HS-VAR-01": (track.one_lay,),
    "18HS-TRK-02": (track.right_colour, track.colour_open, track.same_places, track.same_label, track.fixed_rotation),
    "18HS-TRK-03": (track.keeps_old_track, track.leads_somewhere, track.upgrade_of_use, track.reachable),
    "18HS-TRK-04": (track.terrain_affordable,),
    "18HS-TRK-05": (track.in_supply,),
    "18HS-TOK-01": (
        token.one_token, token.token_left, token.a_city, token.one_in_hex, token.place_free, token.not_reserved,
        token.token_affordable, token.joined_to_token,
    ),
    "18HS-RTE-01": (
        run.nothing_stated, run.own_trains, run.track_lies, run.routes_allowed, run.train_long_enough,
        run.tracks_apart, run.highest_total,
    ),
    "18HS-DIV-01": (run.earned,),
    "18HS-TRN-01": (
        (BuyTrain, own_turn), trains.train_on_sale, trains.right_price, trains.trade_in_accepted, trains.room_for_train,
    ),
    "18HS-TRN-02": (trains.asked_to_discard, trains.train_owned),
    "18HS-TRN-03": (trains.not_after_sale, trains.train_affordable, trains.duty_met),
    "18HS-EMR-01": (
        emergency.money_needed, emergency.no_president_changed, emergency.no_more_than_needed, emergency.leaves_a_way,
        emergency.money_missing, emergency.nothing_left_to_sell, emergency.no_other_way,
    ),
}  # fmt: skip
CITES = cites(_RULES)


def build(players: int, options: frozenset[str]) -> Title:
    lay = LAY.without(track.not_blocked_by_private)
    if "one_lay" not in options:
        lay = replace(lay.swap(track.one_lay, two_lays), candidates=lays)
    step = TRACK.swap(LAY, lay)
    if "one_lay" not in options:
        step = replace(step, asks=may_lay_on)
    rounds = (
        stock_round(shares.BUY, shares.PAR, shares.SELL, stock.PASS),
        operating_round(step, TOKEN, RUN_STEP, DIVIDEND, TRAINS),
    )
    return Title(
        id="18HS",
        name="18HS: Half-Shares",
        currency="£{}",
        options=options,
        players=players,
        bank=4000,  # 18HS-SET-02
        cash=printed.CASH[players],
        cert_limit=printed.CERT_LIMIT[players],
        layout="flat",
        hexes=HEXES,
        tiles=TILES,
        supply=printed.SUPPLY,
        corporations=printed.CORPORATIONS,
        privates={},
        trains=printed.TRAINS,
        phases=printed.PHASES,
        market=printed.MARKET,
        rounds={part.name: part for part in rounds},
        opening=rounds[0].name,
        interrupts={DISCARD.name: DISCARD},
        anytime=(END_GAME,),
        settle=(break_bank,),
        events={},
        cites=CITES,
        policy=replace(
            usual.POLICY,
            holdings=replace(usual.HOLDINGS, holding_limit=12, pool_limit=10),  # 18HS-SR-05, 18HS-SR-04
            secrecy=replace(usual.SECRECY, open_cash="hidden_cash" not in options),  # 18HS-VAR-02
        ),
        turn_rules={"SR": "18HS-SR-01", "OR": "18HS-OR-01"},
        event_rules={"rust": "18HS-TRN-01", "bankruptcy": "18HS-EMR-01", "bank": "18HS-END-01"},
    )


def lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """Every lay while one is left."""
    if may_lay_on(t, s):
        yield from track.every_lay(t, s, player)


RECIPE = Recipe("18HS", "18HS: Half-Shares", PLAYERS, OPTIONS, build, Preset(frozenset(), "nothing"))
