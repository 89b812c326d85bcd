"""Reading games recorded on 18xx.games: translating its JSON actions into ours, one by one.

A record is played with the title's option `online`. `RecordPlayer` tracks the position, because what a recorded action
means depends on it: whether a bid buys, which of two certificates at one price was taken, whose train was sold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from engine import BANK, CHANCE, BadAction, State, Title, build, decision, judge, present_step, start
from engine import actions as act
from engine.actions import Action, Route
from engine.board.routes import Run, follow
from engine.facts import CompanyChanged
from engine.ids import IPO, POOL, CorpId, HexId, PlayerId, PrivateId, Rank, Source, StopId, TileId, seat, stop_id
from engine.log import History
from engine.powers import Exchange
from engine.rounds.waterfall import price_of, unsold
from records.dialect import DIALECTS, Dialect
from records.errors import BadRecord
from records.known import Memory
from records.playback import Playback
from records.routes_18xx import NoSuchRoute, path_of
from records.shapes import Body, Malformed, Record, field, number, records, shown, text, texts
from records.stated import differences


@dataclass(frozen=True, slots=True)
class Header:
    """What a record says before its actions."""

    title: Title
    dialect: Dialect
    names: tuple[str, ...]
    ids: dict[PlayerId, Any]
    seed: int


VAGUE = "something in it is missing or of another kind than 18xx.games writes"
MOST = 10_000
"""The most actions in a record, without messages but with undone ones; the longest games have a fifth of that."""


def header(record: Record) -> Header:
    """A record's title, options and players. Raises BadRecord if something is missing or unknown."""
    dialect = DIALECTS.get(str(record.get("title")))
    if "title" not in record:
        raise BadRecord("The record does not say which game it is.")
    if dialect is None:
        raise BadRecord(f"The game {shown(record.get('title'))} is unknown; known are {', '.join(DIALECTS)}.")
    players = record.get("players")
    if not isinstance(players, list) or not all(isinstance(player, Mapping) and "id" in player for player in players):
        raise BadRecord("The record lists no players.")
    _check_ids([player["id"] for player in players])
    settings = record.get("settings") or {}
    if not isinstance(settings, Mapping):
        raise BadRecord("The record's settings are malformed.")
    chosen = settings.get("optional_rules") or []
    if not isinstance(chosen, list):
        raise BadRecord(f"The record's optional rules are {shown(chosen)}, which is not a list.")
    try:
        options = dialect.ours([rule if isinstance(rule, str) else shown(rule) for rule in chosen])
    except ValueError as error:
        raise BadRecord(f"The record uses rules that are unknown here: {error}.") from error
    try:
        title = build(str(record["title"]), len(players), options)
    except BadAction as error:
        raise BadRecord(str(error)) from error
    names = tuple(str(player.get("name") or player["id"]) for player in players)
    ids = {seat(index): player["id"] for index, player in enumerate(players)}
    seed = settings.get("seed") or 0
    if type(seed) is not int:
        raise BadRecord(f"The record's seed is {shown(seed)}, which is not a number.")
    return Header(title, dialect, names, ids, seed)


def _check_ids(ids: Sequence[Any]) -> None:
    """Each player has an id, a text or a number, of their own."""
    if not all(type(one) in (str, int) for one in ids):
        raise BadRecord("The record's players have malformed ids.")
    seen: set[Any] = set()
    for one in ids:
        if one in seen:
            raise BadRecord(f"The record has two players with the id {shown(one)}.")
        seen.add(one)


def effective(record: Record) -> list[Body]:
    """The recorded actions in force, without undone ones, undos, redos and messages."""
    history: History[Body] = History()
    actions = record.get("actions")
    if not isinstance(actions, list):
        raise BadRecord("The record has no list of actions.")
    if sum(1 for action in actions if not (isinstance(action, dict) and action.get("type") == "message")) > MOST:
        raise BadRecord(f"The record has more than {MOST:,} actions; no game is that long.")
    ids = {0}
    """Of the actions so far; 0 stands for the start."""
    for position, action in enumerate(actions):
        if not isinstance(action, dict) or not isinstance(action.get("type"), str):
            raise BadRecord(f"Action {position + 1} of the record is not an action.")
        kind = action["type"]
        if kind == "undo":
            target = action.get("action_id")
            if target is not None and not (isinstance(target, int) and target in ids):
                raise BadRecord(f"{_named(action)} goes back to action {shown(target)}, which is not before it.")
            history.undo(len(history) - 1 if target is None else history.upto(target, _number))
        elif kind == "redo":
            if not history.redo():
                raise BadRecord(f"{_named(action)} restores nothing: nothing was undone just before it.")
        elif kind != "message":
            history.do(action)
        if isinstance(_number(action), int):
            ids.add(_number(action))
    return history.live


def _named(action: Record) -> str:
    """The action for people."""
    return f"Action {action.get('id')} ({action.get('type')})"


def _number(action: Body) -> Any:
    return action.get("id", 0)


class RecordPlayer:
    """Plays a record's actions on a title. `state` is the position reached."""

    def __init__(self, head: Header, *, as_recorded: bool = False) -> None:
        self.title = head.title
        self.dialect = head.dialect
        self.seats = {theirs: ours for ours, theirs in head.ids.items()}
        self.playback = Playback(head.title, start(head.title, head.names), as_recorded)
        self.differences: list[str] = []
        """Where the record states different figures from the rules', a sentence each."""
        self.offering = {f"{corp}_{number}" for corp in head.title.corporations for number in range(9)}
        """Certificates never bought yet, by the record's ids; any others are bought from the market."""
        self.train_owner: dict[str, str] = {}
        """Which company (or POOL) has a train, by the record's ids; the bank's are left out."""
        self.tile_places: dict[str, HexId] = {}
        """Where each tile lies, by the record's ids."""
        self.memory = Memory(head.title)

        self.opening: list[Action] = []
        """What that program does on its own before the first action."""
        if decision(self.title, self.state).step == "deal":
            self.opening.append(act.Deal(CHANCE, head.dialect.deal(self.title, head.seed)))
        for action in self.opening:
            self.playback.play(action, "The deal")

    @property
    def state(self) -> State:
        """The position that the record has come to."""
        return self.playback.state

    def play(self, recorded: Record) -> list[Action]:
        """Play one recorded action and what it triggered; return our actions. Raises Refused or BadRecord."""
        played = []
        for triggered in (recorded, *self._triggered(recorded)):
            part = {**triggered, "id": recorded.get("id")}
            where = _named(part)
            action = self._translated(part)
            if action is None:
                continue
            before = self.state
            only_there, self.memory.asked_on = self.memory.asked_on and isinstance(action, act.Pass), False
            if only_there or not self.playback.play(action, where):
                continue
            self.memory.asks_no_token(before, self.state)
            self._return_shares()
            self.differences += [f"{where} {text}." for text in differences(self.title, before, part, self.state)]
            played.append(action)
        return played

    def _triggered(self, recorded: Record) -> Sequence[Record]:
        try:
            return records(recorded, "auto_actions") if recorded.get("auto_actions") else ()
        except Malformed as error:
            raise BadRecord(f"{_named(recorded)} {error}.") from error

    def _return_shares(self) -> None:
        """A bankrupt company's certificates return to the initial offering."""
        for fact in self.state.facts:
            if isinstance(fact, CompanyChanged) and fact.state == "bankrupt" and fact.now:
                self.offering |= {f"{fact.corp}_{number}" for number in range(9)}

    def _translated(self, recorded: Record) -> Action | None:
        """Our action for a recorded one; none for what only marks that program's internal steps."""
        kind = str(recorded.get("type"))
        if kind.startswith("program_") or kind == "log":
            return None
        translate = self._TRANSLATIONS.get(kind)
        if translate is None:
            raise BadRecord(f"{_named(recorded)} is of a kind that is unknown here.")
        try:
            return translate(self, recorded)
        except Malformed as error:
            raise BadRecord(f"{_named(recorded)} {error}.") from error
        except NoSuchRoute as error:
            raise BadRecord(f"{_named(recorded)} is not well formed: {error}.") from error
        except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
            raise BadRecord(f"{_named(recorded)} is not well formed: {VAGUE}.") from error

    def _actor(self, recorded: Record) -> PlayerId:
        entity, kind = field(recorded, "entity"), text(recorded, "entity_type")
        if kind not in ("player", "company", "corporation"):
            raise Malformed(f"is not well formed: its entity_type is {shown(kind)}")
        if kind == "player":
            if type(entity) not in (str, int) or entity not in self.seats:
                raise Malformed(f"names the player {shown(entity)}, who is not among the record's")
            return self.seats[entity]
        if kind == "company":
            owner = self.state.owner[self._private(entity)]
            asked = decision(self.title, self.state).players
            return PlayerId(owner) if owner in self.state.names else asked[0]
        president = self.state.president_of(self._corp(entity))
        return president or decision(self.title, self.state).players[0]

    def _corp(self, theirs: Any) -> CorpId:
        corp = CorpId(str(theirs))
        if corp not in self.title.corporations:
            raise Malformed(f"names the company {shown(theirs)}, which the game does not have")
        return corp

    def _private(self, theirs: Any) -> PrivateId:
        ours = self.dialect.our_privates.get(str(theirs), PrivateId(str(theirs)))
        if ours not in self.title.privates:
            raise Malformed(f"names the private {shown(theirs)}, which the game does not have")
        return ours

    def _pass(self, recorded: Record) -> Action:
        return act.Pass(self._actor(recorded))

    def _bid(self, recorded: Record) -> Action:
        player, price = self._actor(recorded), number(recorded, "price")
        offers = present_step(self.title, self.state).by_action
        if act.BidToChoose in offers:
            return act.BidToChoose(player, price)
        private = self._private(field(recorded, "company"))
        if act.Bid not in offers:
            return act.BuyPrivate(player, private)
        if not self.state.contested and unsold(self.state)[0] == private:
            if price != price_of(self.title, self.state, private):
                raise BadRecord(f"Action {recorded.get('id')}: {recorded['company']} does not cost {price}.")
            return act.BuyPrivate(player, private)
        return act.Bid(player, private, price)

    def _par(self, recorded: Record) -> Action:
        corp, (row, col) = self._corp(field(recorded, "corporation")), cell_of(recorded)
        self.offering.discard(f"{recorded['corporation']}_0")
        return act.Par(self._actor(recorded), corp, row, col)

    def _buy_shares(self, recorded: Record) -> Action:
        if recorded.get("entity_type") == "company":
            return self._exchange(recorded)
        corp, source = self._take_share(recorded)
        return act.BuyShare(self._actor(recorded), corp, source)

    def _take_share(self, recorded: Record) -> tuple[CorpId, Source]:
        """The company and source of a recorded certificate that leaves the offering or the market."""
        share, *others = texts(recorded, "shares")
        if others:
            raise Malformed(f"takes {len(others) + 1} shares, and one is taken at a time")
        source: Source = IPO if share in self.offering else POOL
        self.offering.discard(share)
        return self._corp(share.rsplit("_", 1)[0]), source

    def _exchange(self, recorded: Record) -> Action:
        player, private = self._actor(recorded), self._private(field(recorded, "entity"))
        corp, source = self._take_share(recorded)
        if self.title.power(private, Exchange):
            return act.ExchangePrivate(player, private)
        return act.ExchangePrivate(player, private, corp, source)

    def _sell_shares(self, recorded: Record) -> Action:
        if recorded.get("entity_type") == "corporation":
            raise BadRecord(
                f"Action {recorded.get('id')}: {recorded['entity']} issues shares, which no company of "
                f"{self.title.name} can, here or on 18xx.games; so nothing says what it gets for them."
            )
        shares = texts(recorded, "shares")
        corp = self._corp(shares[0].rsplit("_", 1)[0])
        stated = number(recorded, "percent") if recorded.get("percent") else 0
        percent = stated or sum(20 if share.endswith("_0") else 10 for share in shares)
        return act.SellShares(self._actor(recorded), corp, percent // 10)

    def _lay_tile(self, recorded: Record) -> Action:
        hex_id, rotation = HexId(text(recorded, "hex")), number(recorded, "rotation")
        tile = TileId(text(recorded, "tile").rsplit("-", 1)[0])
        player = self._actor(recorded)
        self.tile_places[recorded["tile"]] = hex_id
        if recorded.get("entity_type") == "company":
            return act.LayPowerTile(player, self._private(field(recorded, "entity")), hex_id, tile, rotation)
        return act.LayTile(player, self._corp(field(recorded, "entity")), hex_id, tile, rotation)

    def _place_token(self, recorded: Record) -> Action:
        return act.PlaceToken(
            self._actor(recorded), self._corp(field(recorded, "entity")), self._city(text(recorded, "city"))
        )

    def _city(self, named: str) -> StopId:
        """City number 0 of the tile "57-0" is "57-0-0"; a printed hex stands for its tile: "K4-0-0"."""
        piece, _, city = named.rpartition("-")
        printed = HexId(piece.partition("-")[0])
        hex_id = printed if printed in self.title.hexes else self.tile_places.get(piece)
        stops = self.state.board.face(hex_id).face.stops if hex_id else ()
        cities = [index for index, stop in enumerate(stops) if stop.kind == "city"]
        if hex_id is None or not city.isdecimal() or int(city) >= len(cities):
            raise Malformed(f"names the city {shown(named)}, which is not on the map")
        return stop_id(hex_id, cities[int(city)])

    def _run_routes(self, recorded: Record) -> Action:
        player, corp = self._actor(recorded), self._corp(field(recorded, "entity"))
        routes = records(recorded, "routes")
        unchecked = all("connections" not in route for route in routes)
        try:
            paths = [
                (_rank(field(route, "train")), path_of(self.state.board, route), route.get("halts")) for route in routes
            ]
        except NoSuchRoute:
            if not unchecked:
                raise
            paths = []
        run = act.RunTrains(player, corp, tuple(Route(*parts) for parts in paths if parts[1]))
        if unchecked and routes and (not paths or judge(self.title, self.state, run)):
            # Early records state a revenue that their program never checked.
            return act.StateRevenue(player, corp, sum(number(route, "revenue") for route in routes))
        return self._as_stated(run, routes, recorded.get("extra_revenue")) if self.playback.as_recorded else run

    def _as_stated(self, run: act.RunTrains, routes: Sequence[Record], extra: Any) -> act.RunTrains:
        """The run with the revenue that the record states, if that is not what its routes earn."""
        ran = [(route, follow(self.state.board, route)) for route in run.routes]
        traced = [(route, way) for route, way in ran if isinstance(way, Run)]
        if not ran or len(traced) < len(routes):
            return run  # a lease that needs no route, or what cannot be run
        earned = self.title.policy.routes.turn_incomes(self.title, self.state, run.corp, traced)
        stated = (route.get("revenue") for route in routes)
        total = int(extra or 0) + sum(
            ours if theirs is None else int(theirs) for theirs, (ours, _) in zip(stated, earned, strict=True)
        )
        if total <= 0:
            raise Malformed(f"is not well formed: it states a run for {total}")
        return run if total == sum(ours for ours, _ in earned) else replace(run, stated=total)

    def _dividend(self, recorded: Record) -> Action:
        kind: act.Payout = "pay" if field(recorded, "kind") == "payout" else recorded["kind"]
        return act.Dividend(self._actor(recorded), self._corp(field(recorded, "entity")), kind)

    def _buy_train(self, recorded: Record) -> Action:
        train, corp = text(recorded, "train"), self._corp(field(recorded, "entity"))
        source = self.train_owner.get(train, BANK)
        self.train_owner[train] = corp
        traded = recorded.get("exchange")
        if traded:
            self.train_owner[str(traded)] = POOL
        trade_in = _rank(traded) if traded else None
        return act.BuyTrain(self._actor(recorded), corp, _rank(train), source, number(recorded, "price"), trade_in)

    def _discard_train(self, recorded: Record) -> Action:
        self.train_owner[str(field(recorded, "train"))] = POOL
        return act.DiscardTrain(self._actor(recorded), self._corp(field(recorded, "entity")), _rank(recorded["train"]))

    def _buy_company(self, recorded: Record) -> Action:
        private = self._private(field(recorded, "company"))
        if recorded.get("entity_type") == "player":
            return act.BuyPrivate(self._actor(recorded), private)
        corp = self._corp(field(recorded, "entity"))
        return act.CompanyBuysPrivate(self._actor(recorded), corp, private, number(recorded, "price"))

    def _sell_company(self, recorded: Record) -> Action:
        return act.SellPrivate(self._actor(recorded), self._private(field(recorded, "company")))

    def _bankrupt(self, recorded: Record) -> Action:
        corp = self.state.operating
        if corp is None:
            raise BadRecord(f"Action {recorded.get('id')}: nobody can go bankrupt outside a company's turn.")
        president = self.state.president_of(corp)
        return act.GoBankrupt(president or self._actor(recorded), corp)

    def _end_game(self, recorded: Record) -> Action | None:
        """Nothing where nobody can do anything, which that program has to be told."""
        return None if self.state.over == "stuck" else act.EndGame(self._actor(recorded))

    _TRANSLATIONS: ClassVar[dict[str, Callable[[RecordPlayer, Record], Action | None]]] = {
        "pass": _pass,
        "bid": _bid,
        "par": _par,
        "buy_shares": _buy_shares,
        "sell_shares": _sell_shares,
        "lay_tile": _lay_tile,
        "place_token": _place_token,
        "run_routes": _run_routes,
        "dividend": _dividend,
        "buy_train": _buy_train,
        "discard_train": _discard_train,
        "buy_company": _buy_company,
        "sell_company": _sell_company,
        "bankrupt": _bankrupt,
        "end_game": _end_game,
    }
    """By the record's word for the kind of action."""


def cell_of(recorded: Record) -> tuple[int, int]:
    """Row and column of a par: "65,2,4" is row 2, column 4."""
    parts = str(field(recorded, "share_price")).split(",")
    if len(parts) != 3 or not all(part.isdecimal() for part in parts):
        raise Malformed(f"is not well formed: its share_price is {shown(recorded['share_price'])}")
    return int(parts[1]), int(parts[2])


def _rank(train: Any) -> Rank:
    """The rank of a numbered train: "2-0" is a 2."""
    if not isinstance(train, str):
        raise Malformed(f"is not well formed: its train is {shown(train)}")
    return Rank(train.rsplit("-", 1)[0])
