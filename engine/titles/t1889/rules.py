"""What is unlike the other titles in 1889, and which rule each guard implements here."""

from engine.actions import BuyTrain, CompanyBuysPrivate, ExchangePrivate, LayPowerTile, LayTile
from engine.facts import PrivatePays
from engine.flow import once_done, possible
from engine.powers import ExtraLay, Survives
from engine.rounds import deal, stock, waterfall
from engine.state import CLOSED, State
from engine.steps import emergency, privates, run, shares, token, track, trains
from engine.steps.common import operator, own_turn
from engine.title import Title, cites


def port_only_by_ferry(t: Title, s: State, a: LayTile) -> str | None:
    """The port tile is laid through private B alone."""
    if a.tile != "437":
        return None
    if not any(t.power(private, ExtraLay) for private in t.privates):
        return "The port tile is laid only by a private's power, and here no private has one."
    return "The port tile is laid only by the Mitsubishi Ferry (B)."


def ferry_in_time(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Option `online`: not in the opening auction; in the owner's own companies' turns only during the track step."""
    if s.round == "ISR":
        return "The port tile can be laid once the opening auction is over."
    if s.operating is not None and s.step != track.TRACK.name:
        return "In a company's turn the port tile can be laid only during the track step."
    return None


def lay_or_ferry(t: Title, s: State) -> bool:
    """Option `online`: the track step goes on while the president could still use private B."""
    president = s.president_of(operator(s))
    return track.may_lay(t, s) or any(
        owner == president and private not in s.used and (power := t.power(private, ExtraLay)) and power.when == "owner"
        for private, owner in s.owner.items()
    )


def something_to_do(t: Title, s: State) -> bool:
    """Whether the player whose turn it is can buy or sell anything, as it is or once he has exchanged his private."""
    return stock.something_to_do(t, s) or any(
        stock.something_to_do(t, once_done(t, s, verb, exchange))
        for verb in t.anytime
        if verb.action is ExchangePrivate
        for exchange in possible(t, s, verb, s.up)
    )


def close_privates(t: Title, s: State) -> None:
    """The first 5-train closes all privates but G in a player's hands, which pays more from now on."""
    for private, owner in s.owner.items():
        survives = t.power(private, Survives)
        if survives and owner in s.names:
            s.revenue[private] = survives.revenue
            s.facts.append(PrivatePays(private, survives.revenue))
        elif owner != CLOSED:
            privates.close(s, private)


CITES = cites(
    {
        "1889-AUC-03": (waterfall.cheapest_only,),
        "1889-AUC-06": (waterfall.price_affordable, waterfall.bid_affordable),
        "1889-AUC-02": (waterfall.open_to_bids,),
        "1889-AUC-04": (waterfall.bid_high_enough,),
        "1889-VAR-01c": (deal.each_private_once,),
        "1889-SR-02": (shares.one_purchase, shares.buys_between_no_sales),
        "1889-SR-18": (shares.must_sell_first,),
        "1889-SR-10": (shares.not_sold_before,),
        "1889-SR-25": (shares.started, shares.not_started, shares.par_cell),
        "1889-SR-06": (shares.share_there,),
        "1889-SR-26": (shares.share_affordable, shares.par_affordable),
        "1889-SR-17": (shares.within_cert_limit,),
        "1889-SR-12": (shares.within_holding_limit,),
        "1889-AUC-21": (shares.sales_open,),
        "1889-SR-07": (shares.has_shares,),
        "1889-END-09": (shares.has_price,),
        "1889-SR-08": (shares.one_block,),
        "1889-SR-11": (shares.pool_room,),
        "1889-SR-23": (shares.heir_for_presidency,),
        "1889-SR-13": (shares.sells_down,),
        "1889-OR-03": (own_turn,),
        "1889-TRN-07": ((BuyTrain, own_turn),),
        "1889-PRV-02": (
            (CompanyBuysPrivate, own_turn), privates.phase_allows, privates.price_in_range, privates.treasury_pays,
        ),
        "1889-TRK-01": (track.one_lay,),
        "1889-TRK-02": (track.right_colour,),
        "1889-TRK-03": (track.colour_open,),
        "1889-TRK-12": (track.in_supply,),
        "1889-TRK-15": (track.same_places,),
        "1889-TRK-17": (track.same_label,),
        "1889-TRK-22": (track.not_blocked_by_private,),
        "1889-TRK-10": (track.fixed_rotation,),
        "1889-TRK-07": (track.keeps_old_track,),
        "1889-TRK-13": (track.leads_somewhere,),
        "1889-TRK-19": (track.terrain_affordable,),
        "1889-VAR-07": (track.hex_reached,),
        "1889-TRK-04": (track.reachable,),
        "1889-TRK-08": (track.upgrade_of_use,),
        "1889-TRK-18": (port_only_by_ferry,),
        "1889-VAR-05": (ferry_in_time, run.whole_tens),
        "1889-TOK-02": (token.one_token,),
        "1889-TOK-10": (token.token_left,),
        "1889-TOK-04": (token.a_city, token.place_free, token.joined_to_token),
        "1889-TOK-08": (token.one_in_hex,),
        "1889-TOK-05": (token.not_reserved,),
        "1889-TOK-03": (token.token_affordable,),
        "1889-REV-01": (run.nothing_stated,),
        "1889-RTE-01": (run.own_trains, run.routes_allowed),
        "1889-RTE-05": (run.track_lies, run.tracks_apart),
        "1889-RTE-02": (run.train_long_enough,),
        "1889-REV-03": (run.highest_total,),
        "1889-DIV-01": (run.earned,),
        "1889-TRN-02": (trains.train_on_sale,),
        "1889-TRN-13": (trains.room_for_train,),
        "1889-TRN-09": (trains.trade_in_accepted,),
        "1889-TRN-04": (trains.right_price,),
        "1889-EMR-03": (trains.not_after_sale, trains.train_affordable),
        "1889-TRN-18": (trains.duty_met,),
        "1889-EMR-06": (emergency.money_needed,),
        "1889-EMR-07": (emergency.no_president_changed,),
        "1889-EMR-08": (emergency.no_more_than_needed,),
        "1889-EMR-11": (
            emergency.leaves_a_way, emergency.money_missing, emergency.nothing_left_to_sell, emergency.no_other_way,
        ),
        "1889-TRN-15": (trains.asked_to_discard, trains.train_owned),
        "1889-PRV-16": (privates.owned_by_player,),
        "1889-PRV-05": (privates.owner_may_lay,),
        "1889-PRV-06": (privates.for_sold_private, (LayPowerTile, track.keeps_old_track)),
        "1889-PRV-04": (privates.power_fits,),
        "1889-PRV-09": (privates.owner_may_exchange, privates.exchange_share_left, privates.exchange_within_holding),
    }
)  # fmt: skip

TURN_RULES = {"DEAL": "1889-VAR-01c", "ISR": "1889-AUC-02", "SR": "1889-SR-02", "OR": "1889-OR-08"}
EVENT_RULES = {
    "price lowered": "1889-AUC-15",
    "rust": "1889-TRN-17",
    "bankruptcy": "1889-EMR-10",
    "bank": "1889-END-03",
}
CHANGES = (
    "whoever sold shares for a train cannot buy one from another company, bankruptcy waits until nothing else "
    "would pay for it, and online the ferry until the auction is over [1889-EMR-03, 1889-EMR-11, 1889-VAR-05]",
    "a yellow tile joins track that its company reaches [1889-TRK-04]",
    "a company whose money is secret is asked whether or not it can pay [1889-SEC-03]",
    "in a stock round whoever could buy or sell once private E is exchanged is asked, and whoever becomes president by "
    "it in a company's turn discards its trains and is not bound by what the president before sold for one, and online "
    "no more is sold for a train than it needs [1889-PRV-09, 1889-TRN-15, 1889-EMR-03, 1889-EMR-08]",
)
"""What each version of the rules changed, the first one first (`Title.changes`)."""
