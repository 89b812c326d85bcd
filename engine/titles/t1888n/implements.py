"""The code of each rule of 1888-N that no guard cites, and of those that take more than the guard.

A name in quotes is a field, for rules that are a number. `engine/ledgers/README.md` says how it is checked.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import flow, market, usual
from engine.board.board import Board
from engine.board.routes import objection, trace
from engine.depot import ask_discards, bank_trains, export, rust, take_from_bank
from engine.rounds import operating, stock, waterfall
from engine.setup import start
from engine.shares import buy, certificates, float_if_due, sell, settle_presidency, successor
from engine.state import State
from engine.steps import duty, emergency, power_lay, privates, run, shares, track, trains
from engine.titles.t1888n import exchange, printed, rules, tiles
from engine.titles.t1888n import map as hexes
from engine.titles.t1888n import title as built
from engine.viewing import table_view

IMPLEMENTS: Mapping[str, object] = {
    # Setup
    "1888-SET-01": (built.PLAYERS, built.build),
    "1888-SET-02": (start, "Title.bank"),
    "1888-SET-03": printed.CASH,
    "1888-SET-04": printed.privates,
    "1888-SET-05": printed.TRAINS,
    "1888-SET-06": printed.TRAINS,
    "1888-SET-07": (start, certificates),
    "1888-SET-08": printed.CORPORATIONS,
    "1888-SET-09": (start, State.after),
    "1888-SET-10": (hexes.HEXES, track.leads_somewhere),
    "1888-SET-11": (track.SOLID, track.next_colour, printed.PIECES),
    # Auction of the privates
    "1888-AUC-01": printed.privates,
    "1888-AUC-03": waterfall.let_pass,
    "1888-AUC-06": waterfall.place_bid,
    "1888-AUC-07": waterfall.buy_private,
    "1888-AUC-08": (usual.lowest_then_clockwise, usual.lowest_bidder),
    "1888-AUC-09": (waterfall.buy_private, waterfall.drop_out),
    "1888-AUC-10": waterfall.buy_private,
    "1888-AUC-11": (waterfall.let_pass, operating.pay_privates),
    "1888-AUC-12": (waterfall.let_pass, waterfall.price_of),
    "1888-AUC-13": waterfall.let_pass,
    "1888-AUC-14": (waterfall.let_pass, "Auctions.every_stall_ends_set"),
    "1888-AUC-15": (waterfall.let_pass, rules.export_train),
    "1888-AUC-16": waterfall.proceed,
    "1888-AUC-17": waterfall.let_pass,
    # Stock round
    "1888-SR-02": (stock.end_turn, stock.proceed),
    "1888-SR-03": (stock.begin, stock.stock_round),
    "1888-SR-05": shares.share_there,
    "1888-SR-06": printed.CERT_LIMIT,
    "1888-SR-07": certificates,
    "1888-SR-08": (printed.MARKET, certificates),
    "1888-SR-09": shares.excess_of,
    "1888-SR-10": (printed.MARKET, "Holdings.holding_limit"),
    "1888-SR-12": sell,
    "1888-SR-13": built.SELL,
    "1888-SR-15": settle_presidency,
    "1888-SR-16": (shares.cost_of, buy),
    "1888-SR-18": printed.MARKET,
    "1888-SR-19": settle_presidency,
    "1888-SR-20": successor,
    "1888-SR-21": settle_presidency,
    "1888-SR-22": (stock.stock_round, market.in_order, market.up),
    # Market
    "1888-MKT-01": market.right,
    "1888-MKT-02": market.left,
    "1888-MKT-03": market.down,
    "1888-MKT-04": market.up,
    "1888-MKT-05": market.put,
    "1888-MKT-06": market.in_order,
    "1888-MKT-07": (operating.proceed, market.in_order),
    "1888-MKT-08": (shares.start_company, market.put),
    # Floating
    "1888-FLT-01": (printed.CORPORATIONS, float_if_due, usual.sold_from_offering),
    "1888-FLT-02": float_if_due,
    "1888-FLT-03": (operating.begin, float_if_due),
    # Order of play
    "1888-OR-01": operating.pay_privates,
    "1888-OR-02": (operating.begin, operating.proceed),
    "1888-OR-03": built.build,
    "1888-OR-04": (built.build, tiles.last_chance),
    "1888-OR-05": (printed.phases, stock.stock_round),
    "1888-OR-06": operating.actors,
    # Track
    "1888-TRK-02": tiles.PASS_TRACK,
    "1888-TRK-05": track.reachable,
    "1888-TRK-06": (track.lay_cost, hexes.HEXES),
    "1888-TRK-07": track.lay_cost,
    "1888-TRK-09": track.leads_somewhere,
    "1888-TRK-10": printed.phases,
    "1888-TRK-13": track.same_places_or_label,
    "1888-TRK-14": track.put_tile,
    "1888-TRK-15": hexes.HEXES,
    "1888-TRK-16": (track.same_places_or_label, Board.with_tile),
    "1888-TRK-17": Board.blocks,
    "1888-TRK-18": (printed.privates, usual.blocks_for_player, track.lay_cost),
    # Tokens
    "1888-TOK-01": operating.place_home_tokens,
    "1888-TOK-03": (printed.TOKEN_COSTS, printed.ONLINE_TOKEN_COSTS),
    "1888-TOK-06": usual.homes_to_come,
    "1888-TOK-07": (printed.CORPORATIONS, Board.printed_stop, usual.homes_to_come),
    # Routes
    "1888-RTE-01": objection,
    "1888-RTE-04": trace,
    "1888-RTE-05": (objection, Board.ends_trails),
    "1888-RTE-06": (objection, Board.blocks),
    "1888-RTE-07": objection,
    "1888-RTE-08": (hexes.HEXES, objection),
    "1888-RTE-10": (hexes.HEXES, run.train_long_enough),
    "1888-RTE-11": (objection, run.train_long_enough),
    "1888-RTE-12": run.train_long_enough,
    "1888-RTE-13": run.tracks_apart,
    "1888-RTE-14": (hexes.HEXES, objection),
    "1888-RTE-15": (run.RUN_STEP, run.highest_total),
    # Revenue
    "1888-REV-01": (rules.run_value, run.run),
    "1888-REV-02": (usual.stop_value, printed.phases),
    "1888-REV-03": (printed.DESTINATIONS, rules.bonuses),
    "1888-REV-04": run.measure,
    "1888-REV-05": rules.bonuses,
    "1888-REV-06": rules.run_value,
    "1888-REV-07": run.pay_subsidies,
    "1888-REV-08": (rules.aims, rules.sensible),
    # Dividends
    "1888-DIV-01": run.decide_dividend,
    "1888-DIV-02": run.pay_dividend,
    "1888-DIV-03": (run.pay_dividend, run.withhold, run.no_income),
    "1888-DIV-04": (run.pay_subsidies, rules.run_value),
    # Trains
    "1888-TRN-01": built.build,
    "1888-TRN-02": (printed.TRAINS, bank_trains),
    "1888-TRN-03": (usual.train_duty_always, duty.must_buy),
    "1888-TRN-04": (printed.TRAINS, trains.list_price, trains.buy_train),
    "1888-TRN-05": trains.room_for_train,
    "1888-TRN-06": printed.phases,
    "1888-TRN-08": ask_discards,
    "1888-TRN-09": (printed.phases, flow.consent),
    "1888-TRN-10": trains.DISCARD,
    "1888-TRN-11": (printed.TRAINS, rust),
    "1888-TRN-12": take_from_bank,
    "1888-TRN-13": trains.list_price,
    "1888-TRN-14": built.build,
    "1888-TRN-15": (trains.train_on_sale, duty.must_buy),
    "1888-TRN-16": flow.consent,
    "1888-TRN-17": (rules.export_train, export, operating.end),
    "1888-TRN-18": (export, take_from_bank),
    "1888-TRN-19": printed.EXPORTED,
    "1888-TRN-20": (operating.end, ask_discards),
    # Emergencies
    "1888-EMR-01": (trains.train_affordable, emergency.sell_for_train),
    "1888-EMR-02": duty.forced_price,
    "1888-EMR-03": trains.buy_train,
    "1888-EMR-04": trains.train_affordable,
    "1888-EMR-05": (shares.pool_room, emergency.sell_for_train, sell),
    "1888-EMR-08": (emergency.go_bankrupt, emergency.way_out),
    # Privates
    "1888-PRV-01": (printed.privates, operating.pay_privates),
    "1888-PRV-02": (privates.price_range, "Privates.company_price"),
    "1888-PRV-04": rules.close_privates,
    "1888-PRV-05": printed.privates,
    "1888-PRV-06": (printed.privates, tiles.COMPANY_LAY, tiles.lay_power_tile),
    "1888-PRV-07": (power_lay.company_may_lay, rules.close_privates),
    "1888-PRV-08": (printed.privates, tiles.COMPANY_LAY),
    "1888-PRV-09": run.pay_subsidies,
    "1888-PRV-10": (printed.privates, tiles.COMPANY_LAY, tiles.lay_power_tile),
    "1888-PRV-11": (printed.YELLOW, tiles.lay_power_tile),
    "1888-PRV-12": (printed.FERRY, tiles.lay_power_tile),
    "1888-PRV-13": (exchange.EXCHANGE, exchange.exchange),
    "1888-PRV-14": exchange.exchange,
    "1888-PRV-16": exchange.own_private_exchanged,
    "1888-PRV-17": tiles.lay_power_tile,
    # Companies
    "1888-COR-01": (printed.CORPORATIONS, printed.DESTINATIONS),
    # Phases
    "1888-PHS-01": printed.phases,
    "1888-PHS-02": printed.phases,
    "1888-PHS-03": (printed.phases, printed.TRAINS),
    "1888-PHS-04": (printed.phases, rules.close_privates),
    "1888-PHS-05": (printed.phases, printed.TRAINS),
    # End of the game
    "1888-END-01": (emergency.go_bankrupt, usual.worth),
    "1888-END-02": operating.end,
    "1888-END-03": operating.end,
    "1888-END-04": flow.break_bank,
    "1888-END-05": usual.broken_below_zero,
    "1888-END-06": usual.worth,
    # Information
    "1888-SEC-01": table_view,
    # Options
    "1888-VAR-01": built.build,
    "1888-VAR-03": "Auctions.every_stall_ends_set",
    "1888-VAR-02": (printed.PROTOTYPE_SUPPLY, exchange.exchange_for_free, built.build),
}

WITHOUT_CODE: Mapping[str, str] = {
    "1888-SET-12": "Agreements are the players' own; nothing enforces them.",
    "1888-END-07": "What has no effect needs no code.",
}
