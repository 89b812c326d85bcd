"""Which rule each guard shared with other titles implements in 1890; those of its own modules add theirs."""

from __future__ import annotations

from engine.actions import CompanyBuysPrivate
from engine.steps import emergency, privates, run, shares, token, track, trains
from engine.steps.common import own_turn
from engine.title import Cites
from engine.titles.t1890 import auction, chance, late, minors, quake, raids, tokens, variants
from engine.titles.t1890 import privates as own_privates
from engine.titles.t1890 import run as own_run
from engine.titles.t1890 import stock as own_stock
from engine.titles.t1890 import track as own_track
from engine.titles.t1890 import trains as own_trains

CITES: Cites = {
    **auction.CITES,
    **chance.CITES,
    **late.CITES,
    **quake.CITES,
    **raids.CITES,
    **variants.CITES,
    **minors.CITES,
    **own_privates.CITES,
    **own_run.CITES,
    **own_stock.CITES,
    **own_track.CITES,
    **own_trains.CITES,
    **tokens.CITES,
    shares.one_purchase: "1890-SR-12",
    shares.must_sell_first: "1890-SR-18",
    shares.not_sold_before: "1890-SR-14",
    shares.started: "1890-SR-19",
    shares.share_there: "1890-SR-12",
    shares.share_affordable: "1890-SR-12",
    shares.within_cert_limit: "1890-SR-15",
    shares.within_holding_limit: "1890-SR-15",
    shares.not_started: "1890-SR-19",
    shares.par_cell: "1890-SR-19",
    shares.par_affordable: "1890-SR-19",
    shares.sales_open: "1890-SR-11",
    shares.buys_between_no_sales: "1890-SR-03",
    shares.has_shares: "1890-SR-07",
    shares.has_price: "1890-SR-20",
    shares.one_block: "1890-SR-07",
    shares.pool_room: "1890-SR-09",
    shares.heir_for_presidency: "1890-SR-10",
    shares.sells_down: "1890-SR-18",
    own_turn: "1890-OR-03",
    (CompanyBuysPrivate, own_turn): "1890-OR-04",
    track.right_colour: "1890-TRK-05",
    track.colour_open: "1890-TRK-05",
    track.in_supply: "1890-TRK-14",
    track.not_blocked_by_private: "1890-TRK-10",
    track.keeps_old_track: "1890-TRK-14",
    track.leads_somewhere: "1890-TRK-07",
    track.reachable: "1890-TRK-03",
    token.one_token: "1890-TOK-02",
    token.a_city: "1890-TOK-04",
    token.one_in_hex: "1890-TOK-05",
    token.place_free: "1890-TOK-04",
    token.joined_to_token: "1890-TOK-04",
    run.nothing_stated: "1890-REV-01",
    run.own_trains: "1890-RTE-08",
    run.track_lies: "1890-RTE-05",
    run.tracks_apart: "1890-RTE-08",
    run.earned: "1890-DIV-01",
    trains.train_on_sale: "1890-TRN-01",
    trains.room_for_train: "1890-TRN-05",
    trains.trade_in_accepted: "1890-TRN-03",
    trains.right_price: "1890-TRN-04",
    trains.not_after_sale: "1890-EMR-01",
    trains.train_affordable: "1890-EMR-02",
    trains.duty_met: "1890-TRN-09",
    emergency.money_needed: "1890-EMR-06",
    emergency.no_more_than_needed: "1890-EMR-06",
    emergency.leaves_a_way: "1890-EMR-11",
    emergency.money_missing: "1890-EMR-11",
    emergency.nothing_left_to_sell: "1890-EMR-11",
    emergency.no_other_way: "1890-EMR-11",
    trains.asked_to_discard: "1890-TRN-06",
    trains.train_owned: "1890-TRN-06",
    privates.phase_allows: "1890-OR-04",
    privates.owned_by_player: "1890-PRV-02",
    privates.price_in_range: "1890-PRV-02",
    privates.treasury_pays: "1890-PRV-02",
}
