"""Events and values of 1860, what options watch where trains run, and which rule each guard implements here."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.actions import BuyPrivate, BuyTrain, ClosePrivate, DiscardTrain, Route
from engine.board.routes import Run, StopRef
from engine.facts import Announced, PrivatePays
from engine.ids import BANK, CREDITS, CorpId, HexId, PlayerId, PrivateId
from engine.market import price
from engine.money import pay
from engine.printed import NO_LIMIT, Destination
from engine.state import CLOSED, State
from engine.steps import privates, shares, token, track, trains
from engine.steps import run as shared_run
from engine.steps.common import own_turn
from engine.title import Title, cites
from engine.titles.t1860 import auction, run, stock
from engine.titles.t1860 import track as own_track
from engine.titles.t1860 import trains as own_trains
from engine.titles.t1860.companies import floated, has, home_stop, in_receivership
from engine.titles.t1860.own import own
from engine.titles.t1860.printed import DESTINATIONS, FISHBOURNE, LESSER_STATIONS
from engine.titles.t1860.routing import Earned, earnings
from engine.titles.t1860.ways import ways

YARMOUTH, NEWPORT = (HexId("B4"), 0), (HexId("G5"), 0)


def destination_bonus(t: Title, s: State, corp: CorpId, routes: Sequence[set[StopRef]]) -> None:
    """The first run between home and a destination, on one route or over joined ones, brings its bonus in credits."""
    visited = set[StopRef]().union(*routes)
    if home_stop(t, s, corp) not in visited:
        return
    done = list(own(s).destinations)
    for hex_id, stop, bonus in DESTINATIONS[corp]:
        key = f"{corp} {hex_id}"
        reached = any(here == hex_id and stop in (-1, index) for here, index in visited)
        if reached and key not in done:
            done.append(key)
            pay(s, CREDITS, corp, bonus, "destination")
    s.own = replace(own(s), destinations=tuple(done))


def destinations(t: Title, s: State, corp: CorpId) -> tuple[Destination, ...]:
    """What the option pays the company for, and whether it has."""
    done = own(s).destinations
    return tuple(
        Destination(goal, bonus, True, f"{corp} {goal}" in done, LESSER_STATIONS.get((goal, stop), ""))
        for goal, stop, bonus in DESTINATIONS[corp]
    )


def yarmouth_income(t: Title, s: State, corp: CorpId, routes: Sequence[set[StopRef]]) -> None:
    """Yarmouth pays 5 more once FYN has run one train from Yarmouth to Newport; Shide is not Newport."""
    private = PrivateId("YHC")
    told = private in s.revenue or s.owner[private] == CLOSED
    if corp == "FYN" and not told and any({YARMOUTH, NEWPORT} <= stops for stops in routes):
        s.revenue[private] = t.privates[private].revenue + 5
        s.facts.append(PrivatePays(private, s.revenue[private]))


def offer_fishbourne(t: Title, s: State) -> None:
    """The first 6+3 brings the Fishbourne Ferry Company to the bank. {1860-PRV-11}"""
    s.owner[FISHBOURNE] = BANK
    s.facts.append(Announced("fishbourne"))


def lift_limits(t: Title, s: State) -> None:
    """From the first 8+4 on there is no certificate limit and sales move no price. {1860-PHS-07}"""
    s.own = replace(own(s), no_limits=True)
    s.facts.append(Announced("no limits"))


def form_southern(t: Title, s: State) -> None:
    """The first 9+5 forms the Southern Railway. {1860-PHS-09}"""
    s.own = replace(own(s), southern="formed")
    s.facts.append(Announced("southern"))


def lower_ferries(t: Title, s: State) -> None:
    """Option `variable_privates`: Ryde and Cowes pay half once Fishbourne, which closes nothing, is bought.
    {1860-VAR-02b}
    """
    for private in (PrivateId("RPSC"), PrivateId("CMH")):
        if s.owner[private] != CLOSED:
            s.revenue[private] = t.privates[private].revenue // 2
            s.facts.append(PrivatePays(private, s.revenue[private]))


def raise_brading(t: Title, s: State, corp: CorpId) -> None:
    """Option `variable_privates`: what follows anyway, and Brading pays 10 once BHI&R has floated. {1860-VAR-02}"""
    floated(t, s, corp)
    private = PrivateId("BHC")
    if corp == "BHI&R" and private not in s.revenue and s.owner[private] != CLOSED:
        s.revenue[private] = 10
        s.facts.append(PrivatePays(private, 10))


def cert_limit(t: Title, s: State) -> int:
    """1860-SR-20, 1860-SR-23"""
    return NO_LIMIT if own(s).no_limits else t.cert_limit


def sees_treasury(t: Title, s: State, corp: CorpId, viewer: PlayerId | None) -> bool:
    """Shareholders; everybody where there is no director. {1860-SEC-02}"""
    if in_receivership(s, corp) or has(s, "bankrupt", corp):
        return True
    return viewer is not None and s.held(corp, viewer) > 0


def status(t: Title, s: State, corp: CorpId) -> tuple[str, ...]:
    """What sets the company apart: closed, bankrupt, in receivership, insolvent; the gravest alone.

    The rule book speaks of receivership once a company operates: before that it has no director.
    """
    for what in ("closed", "bankrupt"):
        if has(s, what, corp):
            return (what,)
    insolvent = ("insolvent",) if has(s, "insolvent", corp) else ()
    leaderless = "receivership" if corp in s.floated else "no director"
    return (leaderless, *insolvent) if in_receivership(s, corp) else insolvent


def route_income(t: Title, s: State, corp: CorpId, route: Route, run: Run) -> tuple[int, int]:
    """Revenue and subsidy of the halts that the route calls at; nothing where the train is too short."""
    earned = earnings(t, s, corp, route, run)
    return earned if isinstance(earned, Earned) else (0, 0)


def worth(t: Title, s: State, player: PlayerId) -> int:
    """Cash, privates at value, shares at their price, half without a train. {1860-END-05, -06}"""
    return _worth(t, s, player, stock.share_price)


def _worth(t: Title, s: State, player: PlayerId, each: Callable[[Title, State, CorpId], int]) -> int:
    shares = sum(held[player] * each(t, s, corp) for corp, held in s.shares.items() if player in held)
    kept = own(s).kept_values
    privates = sum(
        t.privates[private].value
        for private, owner in s.owner.items()
        if owner == player or (owner == CLOSED and kept.get(private) == player)
    )
    return s.cash[player] + shares + privates


def worth_online(t: Title, s: State, player: PlayerId) -> int:
    """Option `online`: shares count what they would sell for, and a director's certificate of a trainless company is
    halved as one paper of twice the price.
    """
    odd = (
        price(t, s, corp) % 2
        for corp in t.corporations
        if s.president[corp] == player and ways(t).holdings.sale_price(t, s, corp) != price(t, s, corp)
    )
    return _worth(t, s, player, ways(t).holdings.sale_price) + sum(odd)


CITES = cites(
    {
        "1860-AUC-03": (auction.high_enough,),
        "1860-AUC-04": (auction.leaves_enough,),
        "1860-AUC-05": (auction.offered,),
        "1860-AUC-06": (auction.pays_value,),
        "1860-AUC-01": (auction.company_offered,),
        "1860-SR-15": (auction.par_in_range, shares.started, shares.not_started, shares.par_affordable),
        "1860-AUC-07": (auction.pays_twice_par,),
        "1860-SR-03": (shares.one_purchase, shares.has_shares, shares.sales_before_purchase),
        "1860-SR-22": (shares.must_sell_first,),
        "1860-SR-14": (shares.not_sold_before,),
        "1860-SR-05": (shares.share_there,),
        "1860-SR-07": (shares.share_affordable,),
        "1860-SR-21": (shares.within_cert_limit, privates.room_for_private),
        "1860-SR-09": (shares.one_block,),
        "1860-SR-25": (stock.layer_open,),
        "1860-VAR-03": (stock.others_under_way,),
        "1860-PRV-09": (stock.not_the_reserved,),
        "1860-EMR-14": (stock.not_the_directors, stock.not_the_directors_unless_swapped),
        "1860-SR-18": (stock.change_in_pool,),
        "1860-PRV-02": (stock.own_private, stock.not_first_round),
        "1860-PRV-03": (stock.bank_has_it, stock.not_sold_private, privates.face_value_affordable),
        "1860-SR-04": ((BuyPrivate, shares.one_purchase),),
        "1860-PRV-05": (stock.own_turn, stock.in_stock_round, stock.exchangeable),
        "1860-VAR-02c": ((ClosePrivate, stock.own_private), (ClosePrivate, stock.own_turn)),
        "1860-OR-01": (own_turn,),
        "1860-TRN-01": ((BuyTrain, own_turn), trains.train_on_sale),
        "1860-TRN-06": ((DiscardTrain, own_turn), trains.room_for_train, trains.train_owned),
        "1860-TRK-01": (own_track.lays_left,),
        "1860-VAR-06": (own_track.more_lays_left,),
        "1860-TRK-08": (track.right_colour, track.keeps_old_track),
        "1860-TRK-07": (track.colour_open,),
        "1860-TRK-06": (track.in_supply, own_track.same_stations),
        "1860-TRK-13": (track.same_label,),
        "1860-TRK-15": (track.fixed_rotation,),
        "1860-TRK-05": (track.leads_somewhere,),
        "1860-TRK-16": (track.terrain_affordable,),
        "1860-TRK-04": (track.reachable, own_track.reached_by_train),
        "1860-TRK-17": (own_track.free_when_insolvent,),
        "1860-TRK-12": (own_track.upgrade_needs_train,),
        "1860-TRK-09": (own_track.joins_or_serves,),
        "1860-FLT-03": (own_track.home_hex, own_track.no_home_tile),
        "1860-TOK-01": (token.one_token,),
        "1860-SET-08": (token.token_left,),
        "1860-TOK-02": (token.token_affordable,),
        "1860-TOK-03": (token.a_city, token.place_free, token.joined_to_token),
        "1860-TOK-04": (token.one_in_hex,),
        "1860-TOK-05": (token.not_reserved,),
        "1860-RTE-01": (run.own_or_leased, run.something_runs, run.none_idle),
        "1860-REV-01": (shared_run.nothing_stated,),
        "1860-RTE-14": (shared_run.track_lies,),
        "1860-RTE-02": (run.ends_at_stations,),
        "1860-RTE-03": (run.own_base,),
        "1860-RTE-06": (run.no_hex_twice,),
        "1860-RTE-09": (run.train_long_enough,),
        "1860-RTE-11": (shared_run.tracks_apart,),
        "1860-RTE-12": (run.one_tokened_out,),
        "1860-RTE-04": (run.home_included,),
        "1860-RTE-05": (run.routes_joined,),
        "1860-END-14": (run.claims_maximum,),
        "1860-DIV-01": (shared_run.earned,),
        "1860-TRN-09": (trains.trade_in_accepted,),
        "1860-TRN-02": (own_trains.right_price,),
        "1860-EMR-12": (own_trains.one_without_director,),
        "1860-TRN-04": (own_trains.directors_deal,),
        "1860-TRN-03": (own_trains.seller_keeps_one,),
        "1860-END-16": (own_trains.bank_only,),
        "1860-TRN-12": (own_trains.treasury_pays,),
        "1860-TRN-10": (own_trains.duty_met,),
    }
)  # fmt: skip

TURN_RULES = {"ISR": "1860-AUC-03", "SR": "1860-SR-03", "OR": "1860-OR-02"}
EVENT_RULES = {
    **{f"layer {number}": "1860-SR-25" for number in (2, 3, 4)},
    "insolvent": "1860-EMR-02",
    "leaderless": "1860-EMR-10",
    "bankrupt": "1860-EMR-16",
    "fishbourne": "1860-PHS-05",
    "no limits": "1860-PHS-07",
    "southern": "1860-PHS-09",
    "southern over": "1860-PHS-10",
    "british": "1860-END-11",
    "closed": "1860-END-18",
    "bank": "1860-END-02",
}
CHANGES = (
    "each train that can run must, track stays in reach of trains, restarted companies float at their par, and "
    "British Rail ends building at once [1860-RTE-01, 1860-TRK-09, 1860-EMR-25, 1860-PHS-11]",
    "a player above the certificate limit sells shares before a private, and online a lease earns by its calls "
    "with the simplified insolvency too, and upgrades of the first edition lie nearer "
    "[1860-SR-22, 1860-VAR-15]",
    "online too a game ends in which nobody can ever do anything again [1860-END-21]",
    "a restarted company whose home is still empty lays its home tile when it floats again, and a bank that "
    "empties when a price is at the top already is not what ends the game [1860-FLT-03, 1860-END-02]",
    "a company whose money is secret is asked whether or not it can pay [1860-SEC-02]",
    "an upgrade that only makes a station worth less serves nobody, no train comes to new track by entering a hex "
    "twice, a company whose only way comes back to a hex has no route and stays solvent, a bank that privates empty "
    "ends that round, whoever could buy once he has closed a private is asked, online nobody is asked to exchange a "
    "private first where none is exchanged, nor for a fortune that buys nothing, a restarted company is not bankrupt "
    "again before it floats and a private is exchanged in anybody's turn, many trains in receivership run for more "
    "where the best was not found, and a company that goes bankrupt under British Rail is one of the two that close "
    "[1860-TRK-11, 1860-TRK-04, 1860-TRK-09, 1860-EMR-01, 1860-END-02, 1860-VAR-02c, 1860-VAR-15, 1860-RTE-16, "
    "1860-END-17]",
)
"""What each version of the rules changed, the first one first (`Title.changes`)."""
