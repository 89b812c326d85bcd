"""Which rule each guard implements in 1890."""

from engine.actions import BuyPassage, CompanyBuysPrivate
from engine.rounds import waterfall
from engine.steps import emergency, privates, run, shares, token, track, trains
from engine.steps.common import own_turn
from engine.title import cites
from engine.titles.t1890 import auction, late, minors, operating, printed, quake, raids, stock, variants
from engine.titles.t1890 import privates as own_privates
from engine.titles.t1890 import run as own_run
from engine.titles.t1890 import track as own_track

CITES = cites(
    {
        "1890-AUC-02": (waterfall.cheapest_only, waterfall.open_to_bids),
        "1890-AUC-06": (waterfall.price_affordable, waterfall.bid_affordable),
        "1890-AUC-05": (waterfall.bid_high_enough,),
        "1890-AUC-21": (auction.for_bought_private,),
        "1890-VAR-16": (own_run.one_to_six,),
        "1890-VAR-17": (quake.among_those_left,),
        "1890-SR-25": (late.late_turn, late.late_unsold),
        "1890-SR-26": (privates.face_value_affordable, own_privates.late_never_sold),
        "1890-PRV-21": (late.kobe_has_room,),
        "1890-PRV-18": ((BuyPassage, token.one_token), late.transit_in_kobe, late.passage_affordable, late.kobe_joined),
        "1890-PRV-19": (late.may_need_passage,),
        "1890-VAR-17e": (quake.no_more_than_missing,),
        "1890-VAR-17d": (quake.own_turn, quake.lies_face_down, quake.restoring_affordable, quake.kept_in_itami),
        "1890-TRK-03": (raids.reachable, track.reachable),
        "1890-TRK-04": (raids.upgrade_joined, track.upgrade_joined),
        "1890-VAR-13": (variants.place_for_78,),
        "1890-MIN-02": (own_privates.never_sold,),
        "1890-MIN-06": (minors.own_minor, minors.in_operating_round, minors.nothing_to_choose),
        "1890-MIN-08": (minors.phase_come,),
        "1890-MIN-13": (minors.nara_phase_come,),
        "1890-MIN-11": (minors.kinki_there, minors.asked_to_join),
        "1890-MIN-18": (minors.still_late,),
        "1890-PRV-02": (
            own_privates.public_buyer, privates.owned_by_player, privates.price_in_range, privates.treasury_pays,
        ),
        "1890-PRV-13": (own_privates.for_companies,),
        "1890-PRV-05": (privates.company_may_lay, privates.power_fits, own_privates.hex_untouched),
        "1890-SR-11": (own_privates.trades_open, shares.sales_open),
        "1890-SR-13": (own_privates.only_privates_traded, own_privates.owned_by_another, own_privates.price_agreed),
        "1890-SR-15": (privates.room_for_private, shares.within_cert_limit, shares.within_holding_limit),
        "1890-RTE-11": (own_run.something_runs,),
        "1890-RTE-01": (run.routes_allowed,),
        "1890-RTE-02": (own_run.train_long_enough,),
        "1890-COR-02": (stock.jr_par,),
        "1890-FLT-07": (stock.stays_closed,),
        "1890-TRK-19": (own_track.tile_of_hex,),
        "1890-TRK-14": (own_track.in_printed_table, track.in_supply, track.keeps_old_track),
        "1890-TRK-11": (own_track.same_places,),
        "1890-TRK-07": (own_track.leads_on, track.leads_somewhere),
        "1890-TRK-01": (own_track.lay_left,),
        "1890-TRK-02": (own_track.another_hex,),
        "1890-TRK-15": (track.terrain_affordable,),
        "1890-EMR-05": (emergency.operator_keeps_president,),
        "1890-TOK-09": (operating.token_left,),
        "1890-TOK-03": (token.token_affordable,),
        "1890-TOK-06": (token.not_reserved,),
        "1890-SR-12": (shares.one_purchase, shares.share_there, shares.share_affordable),
        "1890-SR-18": (shares.must_sell_first, shares.sells_down, stock.sells_down),
        "1890-SR-14": (shares.not_sold_before,),
        "1890-SR-19": (shares.started, shares.not_started, shares.par_cell, shares.par_affordable),
        "1890-SR-03": (shares.buys_between_no_sales,),
        "1890-SR-07": (shares.has_shares, shares.one_block),
        "1890-SR-20": (shares.has_price,),
        "1890-SR-09": (shares.pool_room,),
        "1890-SR-10": (shares.heir_for_presidency,),
        "1890-OR-03": (own_turn,),
        "1890-OR-04": ((CompanyBuysPrivate, own_turn), privates.phase_allows),
        "1890-TRK-05": (track.right_colour, track.colour_open),
        "1890-TRK-10": (track.not_blocked_by_private,),
        "1890-TOK-02": (token.one_token,),
        "1890-TOK-04": (token.a_city, token.place_free, token.joined_to_token),
        "1890-TOK-05": (token.one_in_hex,),
        "1890-REV-01": (run.nothing_stated,),
        "1890-RTE-08": (run.own_trains, run.tracks_apart),
        "1890-RTE-05": (run.track_lies,),
        "1890-DIV-01": (run.earned,),
        "1890-TRN-01": (trains.train_on_sale,),
        "1890-TRN-05": (trains.room_for_train,),
        "1890-TRN-03": (trains.trade_in_accepted,),
        "1890-TRN-04": (trains.right_price,),
        "1890-EMR-01": (trains.not_after_sale,),
        "1890-EMR-02": (trains.train_affordable,),
        "1890-TRN-09": (trains.duty_met,),
        "1890-EMR-06": (emergency.money_needed, emergency.no_more_than_needed),
        "1890-EMR-11": (
            emergency.leaves_a_way, emergency.money_missing, emergency.nothing_left_to_sell, emergency.no_other_way,
        ),
        "1890-TRN-06": (trains.asked_to_discard, trains.train_owned),
    }
)  # fmt: skip

TURN_RULES = {"ISR": "1890-AUC-03", "SR": "1890-SR-02", "OR": "1890-OR-03"}
EVENT_RULES = {
    "price lowered": "1890-AUC-15",
    f"{printed.OE} declared": "1890-MIN-08",
    f"{printed.KANAN} declared": "1890-MIN-11",
    f"{printed.NARA_ELECTRIC} declared": "1890-MIN-13",
    f"{printed.KOBE_ELECTRIC} declared": "1890-MIN-17",
    f"{printed.OE} merges": "1890-MIN-09",
    f"{printed.OSAKA_RAILWAY} merges": "1890-MIN-10",
    f"{printed.KANAN} merges": "1890-MIN-12",
    f"{printed.NARA_ELECTRIC} merges": "1890-MIN-13",
    "a late private": "1890-MIN-18",
    "bankruptcy": "1890-EMR-10",
    "bank": "1890-END-02",
    "earthquake": "1890-VAR-17",
    "earthquake over": "1890-VAR-17a",
    "face down": "1890-VAR-17d",
    "air raids": "1890-VAR-18",
    "beside": "1890-VAR-18c",
}
CHANGES = (
    "no privates are sold in the first stock round, track may end at the edge of a scenario and cross E16-E18 "
    "and E18-F17, OME keeps Osaka closed until the Subway starts, 2+2 and 3+3 call at cities of each kind "
    "apart, whoever sold shares for a train cannot buy one from another company, bankruptcy waits until "
    "nothing else would pay, Arima's tile pays Hankyu, Kobe Electric's train goes to the bank, a Kinki without "
    "minors lives on its shares where others do, and the earthquake leaves tiles "
    "[1890-SR-11, 1890-SET-20, 1890-TRK-22, 1890-PRV-11, 1890-RTE-03, 1890-EMR-01, 1890-EMR-11, "
    "1890-COR-18, 1890-MIN-18, 1890-VAR-14, 1890-VAR-17b]",
    "with hidden cash a stock round asks everybody of whom others cannot know that they can do nothing [1890-VAR-05]",
    "a company whose money is secret is asked whether or not it can pay [1890-SEC-02]",
    "who presides over Kinki is settled once Kanan has merged or not, a Kinki without minors has its home as the "
    "round begins, air raids put back one token at a time, tokens that wait since then neither outlive their company "
    "nor take a place that the earthquake keeps, nor wait on once only the one in Itami is left, a company that starts "
    "in steps is checked at its turn, a bank that could not pay is broken though money comes back, or though nobody is "
    "asked in the last round, who can sell nothing more for the earthquake once others have sold is bankrupt, a "
    "company that buys Arima as the last thing in its turn is asked for its tile, Nishinomiya's brown tile does "
    "not follow on tile 12, after the earthquake Hanshin gets nothing for the Tigers either, whoever holds more "
    "than 60 % may sell the price down to the brown area, a company that starts in steps lies on top until then, and "
    "a sale that closes another company, whose cheaper train comes to the market, comes before bankruptcy "
    "[1890-COR-08, 1890-VAR-11a, 1890-VAR-18b, 1890-VAR-17b, 1890-VAR-17d, 1890-VAR-18c, 1890-VAR-14, 1890-END-02, "
    "1890-VAR-17e, 1890-PRV-05, 1890-TRK-14, 1890-VAR-17a, 1890-SR-18, 1890-MKT-04, 1890-EMR-11]",
)
"""What each version of the rules changed, the first one first (`Title.changes`)."""
