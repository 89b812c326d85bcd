"""What is unlike the other titles in 1888-N, and which rule each guard implements here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from engine.actions import Action, BuyShare, ExchangePrivate, LayPowerTile, LayTile, Pass
from engine.board.board import rotations
from engine.board.hexes import opposite
from engine.board.router import Bonus, RunRules, Train
from engine.board.routes import Run, StopRef
from engine.board.tiles import turned
from engine.depot import export
from engine.facts import Passed, TileLaid
from engine.ids import BANK, CorpId, HexId, PlayerId, PrivateId
from engine.powers import CompanyLay, TokenExchange
from engine.rounds import stock, waterfall
from engine.shares import float_if_due, over_holding_limit, settle_presidency, shift
from engine.state import CLOSED, Pending, State
from engine.steps import privates, run, token, track, trains
from engine.steps.common import PASS_STEP, just_pass, operator
from engine.steps.run import measure
from engine.titles.t1888n.printed import DESTINATIONS, EXPORTED, PIECES
from engine.verbs import Guard, Step, Verb, of_seat
from engine.wording import Wording

if TYPE_CHECKING:
    from engine.title import Title


# Home tiles


def home_tile_laid(t: Title, s: State, a: Pass) -> str | None:
    """In its first turn a company without home track lays its home tile, if any can be paid for."""
    corp = operator(s)
    if corp in s.operated:
        return None
    bare = [home for home, _ in t.corporations[corp].homes if s.board.face(home).face.colour == "white"]
    if not any(isinstance(lay, LayTile) and lay.hex in bare for lay in _lays(t, s, a.by)):
        return None
    return f"{corp} has no track at home yet: in its first turn it lays a tile in {bare[0]}."


def _lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    guards = t.rounds["OR"].by_name["track"].by_action[LayTile].guards
    return (lay for lay in track.lays(t, s, player) if all(guard(t, s, lay) is None for guard in guards))


def piece_by_private_only(t: Title, s: State, a: LayTile) -> str | None:
    """The pieces that come with privates are laid only by them."""
    return f"Tile {a.tile} is laid only by the private that it comes with." if a.tile in PIECES else None


PASS_TRACK = Verb(Pass, PASS_STEP.candidates, (home_tile_laid,), PASS_STEP.perform)


# Tiles laid by a company's private


def lay_of(t: Title, private: PrivateId) -> CompanyLay | None:
    return next((power for power in t.privates[private].powers if isinstance(power, CompanyLay)), None)


def company_may_lay(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The company that owns the private lays in its own turn, once."""
    if lay_of(t, a.private) is None:
        return f"{a.private} has no such power."
    if s.operating is None or s.owner[a.private] != s.operating:
        return f"Only a company that owns {a.private} lays its tiles, in its own turn."
    if a.private in s.used:
        return f"The power of {a.private} has been used."
    return "First the decision that interrupts the turn must be made." if s.pending else None


def second_of_private(t: Title, s: State, a: LayPowerTile) -> str | None:
    """What follows a first tile is laid by the same private."""
    subject = s.pending[-1].subject
    return None if a.private == subject else f"Only the next tile of {subject} can be laid now."


def power_names_tile(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The power names its hexes and tiles."""
    power = lay_of(t, a.private)
    if power is None or a.hex not in power.hexes:
        return f"{a.private} does not lay a tile in {a.hex}."
    return None if a.tile in power.tiles else f"{a.private} lays only tile {' or '.join(power.tiles)}."


def hex_untouched(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Such a tile comes only where none lies yet."""
    return f"A tile lies in {a.hex} already." if a.hex in s.board.placed else None


def power_tile_fits(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Towns, cities and track of the hex stay; only the mountain comes where nothing was."""
    old, new = s.board.face(a.hex), t.tiles[a.tile].face
    same_places = track.kinds(old.face) == track.kinds(new) or (a.tile in PIECES and not old.face.stops)
    if same_places and a.rotation in rotations(old, new):
        return None
    return f"Tile {a.tile} turned {a.rotation} does not fit {a.hex}."


def power_leads_somewhere(t: Title, s: State, a: LayPowerTile) -> str | None:
    """Blank sides and barriers bind the yellow tiles too; the pieces of privates fit their places."""
    return None if a.tile in PIECES else track.leads_somewhere(t, s, a)


def joined_to_first(t: Title, s: State, a: LayPowerTile) -> str | None:
    """The second tile's track meets that of the first."""
    first = HexId(s.own["first tile"])
    sides = turned(t.tiles[a.tile].face, a.rotation).exits
    beyond = s.board.grid.beyond
    if any(beyond.get((a.hex, side)) == (first, opposite(side)) for side in sides & _towards(s, first)):
        return None
    return f"Both tiles must join: no track of that tile in {a.hex} meets the tile in {first}."


def _towards(s: State, hex_id: HexId) -> frozenset[int]:
    """Sides by which other hexes would meet the track of this one."""
    return frozenset(opposite(side) for side in s.board.face(hex_id).exits)


def company_lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    subject = s.pending[-1].subject if s.pending else None
    for private, owner in s.owner.items():
        power = lay_of(t, private) if owner == s.operating else None
        if power is None or (private in s.used and private != subject):
            continue
        for hex_id in power.hexes:
            for tile in power.tiles if hex_id not in s.board.placed else ():
                for rotation in rotations(s.board.face(hex_id), t.tiles[tile].face):
                    yield LayPowerTile(player, private, hex_id, tile, rotation)


def _put(t: Title, s: State, a: LayPowerTile) -> None:
    track.put_tile(t, s, a.hex, a.tile, a.rotation)
    s.used |= {a.private}
    s.facts.append(TileLaid(operator(s), a.hex, a.tile, a.rotation, 0, a.private))


def lay_piece_by_piece(t: Title, s: State, a: LayPowerTile) -> None:
    """Option `online`: each tile is an action of its own, and where one may follow that is always asked."""
    _put(t, s, a)
    power = lay_of(t, a.private)
    if power is not None and power.most > 1:
        s.own["first tile"] = a.hex
        s.pending += (Pending("second tile", a.by, a.private),)


def lay_power_tile(t: Title, s: State, a: LayPowerTile) -> None:
    """Lay the tile; where another must follow it comes with it, where one may follow that is asked."""
    lay_piece_by_piece(t, s, a)
    if not s.pending:
        return
    second = next((lay for lay in company_lays(t, s, a.by) if _allowed(t, s, lay)), None)
    power = lay_of(t, a.private)
    if isinstance(second, LayPowerTile) and power is not None and power.all:
        _put(t, s, second)
    if second is None or (power is not None and power.all):
        s.pending = s.pending[:-1]


def _allowed(t: Title, s: State, lay: Action) -> bool:
    return all(guard(t, s, lay) is None for guard in SECOND_LAY.guards)


def lay_second(t: Title, s: State, a: LayPowerTile) -> None:
    s.pending = s.pending[:-1]
    _put(t, s, a)


def pieces_stay_together(t: Title, s: State, a: Pass) -> str | None:
    """The ferry is laid whole."""
    subject = PrivateId(s.pending[-1].subject)
    power = lay_of(t, subject)
    return f"Both tiles of {subject} must be laid." if power is not None and power.all else None


def decline_second(t: Title, s: State, a: Pass) -> None:
    s.facts.append(Passed(a.by, s.pending[-1].step))
    s.pending = s.pending[:-1]


_FITTING = (
    power_names_tile, track.in_supply, hex_untouched, track.fixed_rotation, power_tile_fits, power_leads_somewhere,
)  # fmt: skip
COMPANY_LAY = Verb(LayPowerTile, company_lays, (company_may_lay, *_FITTING), lay_power_tile)
SECOND_LAY = Verb(LayPowerTile, company_lays, (second_of_private, *_FITTING, joined_to_first), lay_second)
SECOND_TILE = Step(
    "second tile",
    (SECOND_LAY, Verb(Pass, just_pass, (pieces_stay_together,), decline_second)),
    lambda t, s: True,
)


def last_chance(t: Title, s: State) -> bool:
    """The last step of the turn is asked while a private could be bought, or a power used that the company has."""
    corp = operator(s)
    unused = (private for private, owner in s.owner.items() if owner == corp and private not in s.used)
    return privates.private_in_reach(t, s) or any(lay_of(t, private) for private in unused)


# Forbidden City


def exchange_of(t: Title, private: PrivateId) -> TokenExchange | None:
    return next((power for power in t.privates[private].powers if isinstance(power, TokenExchange)), None)


def own_private_exchanged(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The player who owns the private exchanges it in his turn of a stock round."""
    if exchange_of(t, a.private) is None:
        return f"{a.private} cannot be exchanged."
    if s.owner[a.private] != a.by:
        return f"Only a player who owns {a.private} can exchange it."
    if s.round != "SR" or s.pending or s.up != a.by:
        return f"{a.private} is exchanged in the owner's turn of a stock round."
    return None


def token_in_beijing(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The company has a token in Beijing at that moment."""
    power = exchange_of(t, a.private)
    assert power is not None
    if a.corp is None:
        return f"Say for a share of which company {a.private} is exchanged."
    if any(hex_id == power.hex for hex_id, _ in s.board.token_stops(a.corp)):
        return None
    return f"{a.corp} has no token in {t.hexes[power.hex].name} ({power.hex})."


def exchange_source(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The share lies in the initial offering or the open market."""
    power = exchange_of(t, a.private)
    assert power is not None
    assert a.corp is not None
    if a.source in power.sources and s.held(a.corp, a.source):
        return None
    return f"No share of {a.corp} can be taken from there."


@of_seat
def exchange_is_purchase(t: Title, s: State, a: Action) -> str | None:
    """The exchange is the purchase of a turn in which nothing is sold."""
    if s.bought:
        return "You have bought a certificate in this turn."
    return "You have sold shares in this turn: then nothing is exchanged." if s.sold_now else None


def exchange_not_sold_before(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """A company sold in this round cannot be taken either."""
    assert a.corp is not None
    return stock.not_sold_before(t, s, BuyShare(a.by, a.corp, str(a.source)))


def exchange_within_holding(t: Title, s: State, a: ExchangePrivate) -> str | None:
    """The holding limit binds here too."""
    assert a.corp is not None
    if over_holding_limit(t, s, a.by, a.corp, 1):
        return f"You hold {s.held(a.corp, a.by)}0 % of {a.corp} and may not hold more."
    return None


def token_exchanges(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    for private, owner in s.owner.items():
        power = exchange_of(t, private)
        if power is not None and owner == player:
            for corp in t.corporations:
                for source in power.sources:
                    yield ExchangePrivate(player, private, corp, source)


def exchange_for_free(t: Title, s: State, a: ExchangePrivate) -> None:
    """Option `prototype`: the exchange is no purchase."""
    assert a.corp is not None
    assert a.source is not None
    privates.close(s, a.private)
    shift(s, a.corp, a.source, a.by, 1, 0)
    settle_presidency(s, a.corp)
    float_if_due(t, s, a.corp)


def exchange_unnoted(t: Title, s: State, a: ExchangePrivate) -> None:
    """Option `online`: priority as foreseen leaves the exchange out; at the round's end it counts all the same."""
    exchange_for_free(t, s, a)
    s.bought = True
    s.passes = 0


def exchange(t: Title, s: State, a: ExchangePrivate) -> None:
    exchange_unnoted(t, s, a)
    s.last_actor = a.by


EXCHANGE = Verb(
    ExchangePrivate,
    token_exchanges,
    (
        own_private_exchanged, stock.must_sell_first, exchange_is_purchase, token_in_beijing, exchange_source,
        exchange_not_sold_before, exchange_within_holding,
    ),
    exchange,
)  # fmt: skip


# Routes


def bonuses(s: State, t: Title, corp: CorpId) -> tuple[Bonus, ...]:
    """What a train adds that calls at the company's home and destination, in whichever city there. 1888-REV-03, -05."""
    goal, amount = DESTINATIONS[corp]
    home = t.corporations[corp].homes[0][0]
    return (Bonus(_stops(s, home), _stops(s, goal), amount),)


def _stops(s: State, hex_id: HexId) -> frozenset[StopRef]:
    return frozenset((hex_id, index) for index in range(len(s.board.face(hex_id).face.stops)))


def run_value(t: Title, s: State, corp: CorpId, run: Run) -> int:
    """The stops of a run and the bonus; the mountain pays the treasury apart. 1888-REV-01, 1888-REV-07"""

    def value(stop: StopRef, train: Train) -> int:
        return t.policy.stop_value(t, s, stop, train.rank)

    return measure(t, RunRules(value, bonuses=bonuses(s, t, corp)), run)


def aims(t: Title, s: State, corp: CorpId) -> tuple[RunRules, ...]:
    """The highest income with the mountain, or the highest revenue without it. 1888-REV-08"""
    added = bonuses(s, t, corp)
    mountain = frozenset(
        (hex_id, index)
        for hex_id in s.board.placed
        for index, stop in enumerate(s.board.face(hex_id).face.stops)
        if stop.subsidy
    )

    def revenue(stop: StopRef, train: Train) -> int:
        return t.policy.stop_value(t, s, stop, train.rank)

    def income(stop: StopRef, train: Train) -> int:
        return revenue(stop, train) + s.board.stop(*stop).subsidy

    with_mountain = RunRules(income, bonuses=added)
    return (with_mountain, RunRules(revenue, closed=mountain, bonuses=added)) if mountain else (with_mountain,)


# Rounds and phases


def export_train(t: Title, s: State) -> None:
    """After each set of operating rounds the next 2, 3 or 4 leaves the game. 1888-TRN-17, 1888-TRN-19"""
    export(t, s, EXPORTED)


def close_privates(t: Title, s: State) -> None:
    """The first 5-train closes all privates. 1888-PRV-04"""
    for private, owner in s.owner.items():
        if owner not in (BANK, CLOSED):
            privates.close(s, private)


WORDING = Wording(
    tasks={"second tile": "lay the tile that joins the first, or be done"},
    passes={"second tile": "No second tile"},
    skips={"second tile": "lays no second tile"},
)
CITES: Mapping[Guard, str] = {
    waterfall.cheapest_only: "1888-AUC-02",
    waterfall.price_affordable: "1888-AUC-05",
    waterfall.open_to_bids: "1888-AUC-02",
    waterfall.bid_high_enough: "1888-AUC-04",
    waterfall.bid_affordable: "1888-AUC-05",
    stock.one_purchase: "1888-SR-01",
    stock.must_sell_first: "1888-SR-09",
    stock.sells_down: "1888-SR-10",
    stock.not_sold_before: "1888-SR-14",
    stock.started: "1888-SR-17",
    stock.share_there: "1888-SR-05",
    stock.share_affordable: "1888-SR-16",
    stock.within_cert_limit: "1888-SR-06",
    stock.within_holding_limit: "1888-SR-10",
    stock.not_started: "1888-SR-17",
    stock.par_cell: "1888-SR-18",
    stock.par_affordable: "1888-SR-17",
    stock.sales_open: "1888-SR-04",
    stock.sales_before_purchase: "1888-SR-01",
    stock.has_shares: "1888-SR-05",
    stock.has_price: "1888-SR-12",
    stock.pool_room: "1888-SR-11",
    stock.heir_for_presidency: "1888-SR-20",
    own_private_exchanged: "1888-PRV-13",
    token_in_beijing: "1888-PRV-13",
    exchange_source: "1888-PRV-13",
    exchange_is_purchase: "1888-PRV-14",
    exchange_not_sold_before: "1888-PRV-15",
    exchange_within_holding: "1888-PRV-15",
    track.own_turn: "1888-OR-02",
    track.one_lay: "1888-TRK-01",
    track.right_colour: "1888-TRK-10",
    track.colour_open: "1888-TRK-10",
    track.in_supply: "1888-TRK-14",
    track.same_places_or_label: "1888-TRK-04",
    track.same_label: "1888-TRK-15",
    track.not_blocked_by_private: "1888-TRK-18",
    track.fixed_rotation: "1888-PRV-12",
    track.keeps_old_track: "1888-TRK-12",
    track.leads_somewhere: "1888-TRK-08",
    track.terrain_affordable: "1888-TRK-06",
    track.reachable: "1888-TRK-03",
    track.upgrade_joined: "1888-TRK-11",
    home_tile_laid: "1888-TRK-02",
    piece_by_private_only: "1888-SET-11",
    company_may_lay: "1888-PRV-17",
    second_of_private: "1888-PRV-10",
    power_names_tile: "1888-PRV-10",
    hex_untouched: "1888-PRV-08",
    power_tile_fits: "1888-PRV-11",
    power_leads_somewhere: "1888-PRV-11",
    joined_to_first: "1888-PRV-10",
    pieces_stay_together: "1888-PRV-12",
    token.own_turn: "1888-OR-02",
    token.one_token: "1888-TOK-02",
    token.token_left: "1888-SET-08",
    token.a_city: "1888-TOK-05",
    token.one_in_hex: "1888-TOK-04",
    token.place_free: "1888-TOK-05",
    token.not_reserved: "1888-TOK-06",
    token.token_affordable: "1888-TOK-03",
    token.joined_to_token: "1888-TOK-05",
    run.own_turn: "1888-OR-02",
    run.own_trains: "1888-RTE-01",
    run.track_lies: "1888-RTE-03",
    run.routes_allowed: "1888-RTE-01",
    run.train_long_enough: "1888-RTE-02",
    run.tracks_apart: "1888-RTE-09",
    run.highest_total: "1888-REV-08",
    run.earned: "1888-DIV-01",
    trains.own_turn: "1888-TRN-01",
    trains.train_on_sale: "1888-TRN-02",
    trains.room_for_train: "1888-TRN-07",
    trains.trade_open: "1888-TRN-09",
    trains.trade_in_accepted: "1888-TRN-04",
    trains.right_price: "1888-TRN-13",
    trains.train_affordable: "1888-EMR-02",
    trains.duty_met: "1888-TRN-03",
    trains.money_needed: "1888-EMR-01",
    trains.no_president_changed: "1888-EMR-06",
    trains.operator_keeps_president: "1888-EMR-06",
    trains.no_more_than_needed: "1888-EMR-07",
    trains.nothing_left_to_try: "1888-EMR-08",
    trains.asked_to_discard: "1888-TRN-08",
    trains.train_owned: "1888-TRN-08",
    privates.own_turn: "1888-OR-04",
    privates.phase_allows: "1888-PRV-02",
    privates.owned_by_player: "1888-PRV-03",
    privates.price_in_range: "1888-PRV-02",
    privates.treasury_pays: "1888-PRV-02",
}
