"""Which rule each guard implements in 1888-N."""

from engine.actions import BuyTrain, CompanyBuysPrivate, ExchangePrivate
from engine.rounds import waterfall
from engine.steps import emergency, privates, run, shares, token, track, trains
from engine.steps.common import own_turn
from engine.title import cites
from engine.titles.t1888n import exchange, tiles

CITES = cites(
    {
        "1888-AUC-02": (waterfall.cheapest_only, waterfall.open_to_bids),
        "1888-AUC-05": (waterfall.price_affordable, waterfall.bid_affordable),
        "1888-AUC-04": (waterfall.bid_high_enough,),
        "1888-SR-01": (shares.one_purchase, shares.sales_before_purchase),
        "1888-SR-09": (shares.must_sell_first,),
        "1888-SR-10": (shares.sells_down, shares.within_holding_limit),
        "1888-SR-14": (shares.not_sold_before,),
        "1888-SR-17": (shares.started, shares.not_started, shares.par_affordable),
        "1888-SR-05": (shares.share_there, shares.has_shares),
        "1888-SR-16": (shares.share_affordable,),
        "1888-SR-06": (shares.within_cert_limit,),
        "1888-SR-18": (shares.par_cell,),
        "1888-SR-04": (shares.sales_open,),
        "1888-SR-12": (shares.has_price,),
        "1888-SR-11": (shares.pool_room,),
        "1888-SR-20": (shares.heir_for_presidency,),
        "1888-PRV-13": (exchange.own_private_exchanged, exchange.token_in_beijing, exchange.exchange_source),
        "1888-PRV-14": (exchange.exchange_is_purchase,),
        "1888-PRV-15": ((ExchangePrivate, shares.not_sold_before), privates.exchange_within_holding),
        "1888-OR-02": (own_turn,),
        "1888-TRN-01": ((BuyTrain, own_turn),),
        "1888-OR-04": ((CompanyBuysPrivate, own_turn),),
        "1888-TRK-01": (track.one_lay,),
        "1888-TRK-10": (track.right_colour, track.colour_open),
        "1888-TRK-14": (track.in_supply,),
        "1888-TRK-04": (track.same_places_or_label,),
        "1888-TRK-15": (track.same_label,),
        "1888-TRK-18": (track.not_blocked_by_private,),
        "1888-PRV-12": (track.fixed_rotation, tiles.pieces_stay_together),
        "1888-TRK-12": (track.keeps_old_track,),
        "1888-TRK-08": (track.leads_somewhere,),
        "1888-TRK-06": (track.terrain_affordable,),
        "1888-TRK-03": (track.reachable,),
        "1888-TRK-11": (track.upgrade_joined,),
        "1888-TRK-02": (tiles.home_tile_laid,),
        "1888-SET-11": (tiles.piece_by_private_only,),
        "1888-PRV-17": (privates.company_may_lay, tiles.first_or_second, tiles.asked_or_unused),
        "1888-PRV-10": (tiles.second_or_another, privates.power_fits, tiles.joined_to_first),
        "1888-PRV-08": (tiles.hex_untouched,),
        "1888-PRV-11": (tiles.power_tile_fits, tiles.power_leads_somewhere),
        "1888-TOK-02": (token.one_token,),
        "1888-SET-08": (token.token_left,),
        "1888-TOK-05": (token.a_city, token.place_free, token.joined_to_token),
        "1888-TOK-04": (token.one_in_hex,),
        "1888-TOK-06": (token.not_reserved,),
        "1888-TOK-03": (token.token_affordable,),
        "1888-REV-01": (run.nothing_stated,),
        "1888-RTE-01": (run.own_trains, run.routes_allowed),
        "1888-RTE-03": (run.track_lies,),
        "1888-RTE-02": (run.train_long_enough,),
        "1888-RTE-09": (run.tracks_apart,),
        "1888-REV-08": (run.highest_total,),
        "1888-DIV-01": (run.earned,),
        "1888-TRN-02": (trains.train_on_sale,),
        "1888-TRN-07": (trains.room_for_train,),
        "1888-TRN-09": (trains.trade_open,),
        "1888-TRN-04": (trains.trade_in_accepted,),
        "1888-TRN-13": (trains.right_price,),
        "1888-EMR-02": (trains.not_after_sale, trains.train_affordable),
        "1888-TRN-03": (trains.duty_met,),
        "1888-EMR-01": (emergency.money_needed,),
        "1888-EMR-06": (emergency.no_president_changed, emergency.operator_keeps_president),
        "1888-EMR-07": (emergency.no_more_than_needed, emergency.no_more_papers_than_needed),
        "1888-EMR-08": (
            emergency.leaves_a_way, emergency.money_missing, emergency.nothing_left_to_sell, emergency.no_other_way,
        ),
        "1888-TRN-08": (trains.asked_to_discard, trains.train_owned),
        "1888-PRV-02": (privates.phase_allows, privates.price_in_range, privates.treasury_pays),
        "1888-PRV-03": (privates.owned_by_player,),
    }
)  # fmt: skip

TURN_RULES = {"ISR": "1888-AUC-02", "SR": "1888-SR-01", "OR": "1888-OR-06"}
EVENT_RULES = {
    "price lowered": "1888-AUC-12",
    "rust": "1888-TRN-11",
    "export": "1888-TRN-17",
    "bankruptcy": "1888-EMR-08",
    "bank": "1888-END-02",
}
CHANGES = (
    "every stalled auction exports a train, the director chooses which trains visit Heng Shan, whoever sold "
    "shares for a train cannot buy one from another company, bankruptcy waits until nothing else would pay for "
    "it, and a bankrupt keeps what he has [1888-AUC-14, 1888-REV-08, 1888-EMR-02, 1888-EMR-08, 1888-END-01]",
    "the second tile of the Great Wall may come at any time in the turn of the first, and online Forbidden "
    "City of the prototype is exchanged out of turn too [1888-PRV-10, 1888-VAR-01]",
)
"""What each version of the rules changed, the first one first (`Title.changes`)."""
