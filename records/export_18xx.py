"""Writing a game as a record that 18xx.games accepts.

That program plays by the title's option `online`, so the game is replayed by those rules: a pass that only they
need is inserted, and an auction is retold in their speaking order. Where the two sets of rules diverge, the export
stops and names the action.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn

from engine import CHANCE, BadAction, Refused, State, Title, apply, build, decision, judge, scores, start
from engine import actions as act
from engine.actions import Action, Route
from engine.board.routes import Run, trace
from engine.facts import Passed, TileLaid, TrainBought, TrainDiscarded, TrainsRan
from engine.ids import BANK, IPO, OR, POOL, SR, CorpId, PlayerId, PrivateId, Rank, split_stop
from engine.market import price
from engine.powers import Exchange
from engine.rounds.waterfall import price_of
from engine.titles.t1888n.tiles import SECOND_TILE
from records.dialect import DIALECTS, Dialect
from records.errors import BadRecord
from records.known import Memory, by_the_book, parting
from records.pieces import PRESIDENT, Pieces
from records.shapes import Body

_ROUNDS = {"ISR": "Auction", "SR": "Stock", "OR": "Operating", "DEAL": "Stock"}
_ENDS = {
    "bank": "bank",
    "price": "stock_market",
    "nationalisation": "nationalization",
    "bankrupt": "bankrupt",
    "agreed": "manually_ended",
    "stuck": "manually_ended",
}
_MINUTE = 60
_ANYTIME = (act.LayPowerTile, act.ExchangePrivate, act.ClosePrivate, act.EndGame, act.DiscardTrain)


def export(title: Title, names: Sequence[str], actions: Iterable[Action], began: int = 1_700_000_000) -> Body:
    """The record of a finished or running game; `began` is the time of its first action, in seconds.

    Raises BadRecord if the game cannot be carried over.
    """
    dialect = DIALECTS.get(title.id)
    if dialect is None:
        raise BadRecord(f"18xx.games does not have {title.name}.")
    unknown = title.options - dialect.known() - _HARMLESS
    if unknown:
        raise BadRecord(f"18xx.games does not know the option {', '.join(sorted(unknown))}.")
    try:
        theirs = build(title.id, title.players, (title.options - _HARMLESS) | {"online"})
    except BadAction as error:
        raise BadRecord(str(error)) from error
    if set(theirs.privates) != set(title.privates):
        raise BadRecord("18xx.games plays this with another set of privates.")
    writer = _Writer(theirs, dialect, start(theirs, tuple(names)), began, same_rules="online" in title.options)
    state = start(title, tuple(names))
    moves: list[_Move] = []
    for number, action in enumerate(actions, start=1):
        before, state = state, apply(title, state, action)
        moves.append(_Move(number, before, action, state))
    furthest = 0
    for told, move in enumerate(moves if writer.same_rules else _power_tiles_first(moves), start=1):
        writer.retell(move)
        furthest = max(furthest, move.number)
        last = moves[told - 1]
        if furthest == told and not writer.bids and (last.after.over or not writer.is_ahead_of(last.after)):
            writer.compare(last)
    if state.over and not writer.state.over:
        writer.write(act.EndGame(state.up))
    writer.finish(state)
    if writer.asked_for_ever():
        writer.note(act.EndGame(state.up))
    return writer.record(names)


_CARRIED = "A game played with the option online can be carried over."
_HARMLESS = {"online", "open_treasuries", "loose_tiles", "no_stalled_exports", "skip_small_stations"}
"""Options that are left out there: it plays so anyway, or what was done may be allowed all the same."""


@dataclass(frozen=True, slots=True)
class _Move:
    number: int
    before: State
    action: Action
    after: State


def _power_tiles_first(moves: list[_Move]) -> list[_Move]:
    """Move each tile laid with a private's power to where the company's turn began, or it got the private.

    That program only allows such a tile until the turn's track step is over.
    """
    ordered: list[_Move] = []
    turn, began = None, 0
    for move in moves:
        action = move.action
        now = (move.before.turn, move.before.or_number, move.before.operating)
        if now != turn:
            turn, began = now, len(ordered)
        earliest = len(ordered)
        if isinstance(action, act.LayPowerTile) and move.before.operating is not None and not move.before.pending:
            while earliest > began and not _must_precede(ordered[earliest - 1], action.private):
                earliest -= 1
        ordered.insert(earliest, move)
    return ordered


def _must_precede(move: _Move, private: PrivateId) -> bool:
    """Whether it laid such a tile itself, or brought the private."""
    return isinstance(move.action, act.LayPowerTile) or move.before.owner[private] != move.after.owner[private]


def _told(move: _Move) -> str:
    return f"Action {move.number} by {move.after.names.get(move.action.by, move.action.by)}"


class _Writer:
    def __init__(self, title: Title, dialect: Dialect, state: State, began: int, *, same_rules: bool) -> None:
        """`same_rules`: whether the game itself uses the option `online`."""
        self.title, self.dialect, self.state, self.began, self.same_rules = title, dialect, state, began, same_rules
        self.pieces, self.memory = Pieces(title), Memory(title)
        self.written: list[Body] = []
        self.seed = 0
        self.bids: list[Action] = []
        """The bids and passes of an auction not decided yet."""
        self.telling = 0
        """The number of the move that is being written."""
        self.waiting: list[_Move] = []
        """Tiles laid with a private's power when they do not allow it."""

    def retell(self, move: _Move) -> None:
        """Write the move as actions of their game. Raises BadRecord if it cannot be carried over."""
        self.telling = move.number
        self._lay_waiting()
        try:
            self._retell(move)
            self._go_on(move)
        except Refused as refused:
            self._stop(self.waiting[0] if self.waiting else move, refused)

    def in_turn_of(self, s: State) -> bool:
        """Whether it is the same turn in their game."""
        here, there = ((x.round, x.turn, x.or_number, x.operating) for x in (s, self.state))
        return here == there

    def is_ahead_of(self, s: State) -> bool:
        """Whether it is a later turn in their game, as where a secret treasury has us ask once more."""
        here, there = ((x.turn, x.round == OR, x.or_number) for x in (s, self.state))
        if here == there:
            return self.state.operating in s.queue and s.operating not in self.state.queue
        return here < there

    def _in_other_order(self, s: State) -> bool:
        """Whether another company comes first there, or one that ran by itself here is still to come."""
        t = self.state
        if (s.turn, s.round, s.or_number) != (t.turn, OR, t.or_number):
            return False
        if s.operating == t.operating:
            return set(s.queue) != set(t.queue)
        return s.operating in t.queue and t.operating in s.queue

    def compare(self, move: _Move) -> None:
        """Raises BadRecord if the last move told leaves other money, shares, trains or turns there."""
        here, there, which = move.after, self.state, _told(move)
        if self._in_other_order(here):
            why = by_the_book(self.title, "order")
            raise BadRecord(f"{which} is followed by another company's turn on 18xx.games{why}. {_CARRIED}")
        for holder in (*here.names, *self.title.corporations):
            if here.cash[holder] != there.cash[holder]:
                who, why = here.names.get(PlayerId(holder), holder), self._why_other_price(move)
                theirs, ours = self.title.money(there.cash[holder]), self.title.money(here.cash[holder])
                raise BadRecord(f"{which} leaves {who} with {theirs} on 18xx.games, not {ours}{why}. {_CARRIED}")
        if there.shares != here.shares:
            raise BadRecord(f"{which} leaves other shares to players on 18xx.games. {_CARRIED}")
        if there.depot != here.depot:
            raise BadRecord(f"{which} leaves other trains for sale on 18xx.games. {_CARRIED}")

    def _why_other_price(self, move: _Move) -> str:
        action = move.action
        if isinstance(action, act.PlaceToken):
            return by_the_book(self.title, "token")
        moved = isinstance(action, act.BuyShare | act.SellShares) and (
            move.after.cell[action.corp] != self.state.cell[action.corp]
        )
        return by_the_book(self.title, "price") if moved else ""

    def finish(self, last: State) -> None:
        """Write what is still left at the end. Raises BadRecord if that cannot be written."""
        self._lay_waiting()
        self._lay_no_further(last)
        if self.waiting:
            self._stop(self.waiting[0], judge(self.title, self.state, self.waiting[0].action))
        if self.bids and not self.state.over:
            raise BadRecord("An auction is in progress and can only be exported once it is decided.")

    def asked_for_ever(self) -> bool:
        """Whether they go on asking somebody where nobody can do anything; else they run through to the last turn."""
        s, asks = self.state, self.title.share_step().asks
        return s.over == "stuck" and any(asks(self.title, replace(s, up=player)) for player in s.players)

    def _stop(self, move: _Move, refused: Refused | None) -> NoReturn:
        text = f"{refused.text} [{refused.rule}]" if refused else "What comes after it needs it."
        advice = "" if self.same_rules else f" {_CARRIED}"
        raise BadRecord(
            f"{_told(move)} cannot be carried over to 18xx.games, whose rules differ: {text}{advice}"
        ) from refused

    def _retell(self, move: _Move) -> None:
        before, action, after = move.before, move.action, move.after
        if isinstance(action, act.Deal):
            self.seed = self.dialect.seed_for(self.title, action.privates)
            self._play(action)
            return
        if before.contested is not None and not self.same_rules and isinstance(action, act.Bid | act.Pass):
            self.bids.append(action)
            if after.contested == before.contested:
                return
            bids, self.bids = self.bids, []
            self._retell_auction(before, bids)
            return
        if not isinstance(action, act.LayPowerTile):
            self._lay_no_further(before)
        elif before.operating is None and not self.same_rules:
            self.waiting.append(move)
            self._lay_waiting()
            return
        agree = type(action) in _ANYTIME or (self._catch_up(before) and self._asks(before))
        if not agree and isinstance(action, act.Pass):
            return  # they do not ask here
        self.write(self._with_their_tile(action))
        self._lay_further(after)

    def _go_on(self, move: _Move) -> None:
        """Do what goes by itself here and not there: turns of a stock round, and of companies in receivership."""
        if self.same_rules:
            return
        ends_turn = move.after.up != move.before.up or any(isinstance(fact, Passed) for fact in move.after.facts)
        if isinstance(move.action, act.ExchangePrivate) and not ends_turn:
            return  # it may be that of somebody whom they have passed over
        self._pass_to(move.after)
        for fact in move.after.facts:
            if isinstance(fact, TrainsRan | TrainBought | TrainDiscarded) and self._in_receivership(fact.corp):
                self.write(_by_anybody(fact, decision(self.title, self.state).players[0]))
                self._pass_to(move.after)

    def _pass_to(self, after: State) -> None:
        """Pass in a stock round for players whom only they ask."""
        while self.state.round == SR and not self.state.pending and not self.state.over and self._still_at(after):
            self.write(act.Pass(self.state.up))

    def _still_at(self, after: State) -> bool:
        """Whether an earlier turn of the stock round is not over there."""
        t, s = self.title, self.state
        if (after.turn, after.round) != (s.turn, SR):
            return (after.turn, after.round == OR) > (s.turn, False)
        fresh = replace(s, up=after.up, bought=False, sold_first=False, sold_now=())
        begun = after.bought or after.sold_now
        return not begun and (s.bought if s.up == after.up else t.share_step().asks(t, fresh))

    def _in_receivership(self, corp: CorpId) -> bool:
        return self.state.operating == corp and self.state.president[corp] == POOL

    def _lay_waiting(self) -> None:
        """Lay any waiting tiles of private powers that they now allow. Nothing depends on when."""
        for move in tuple(self.waiting):
            if judge(self.title, self.state, self._with_their_tile(move.action)) is None:
                self.write(self._with_their_tile(move.action))
                self.waiting.remove(move)

    def _lay_further(self, after: State) -> None:
        """Lay what only they ask for: the further tiles of a power that we lay in one go."""
        for lay in [fact for fact in after.facts if isinstance(fact, TileLaid)][1:]:
            if len(self.state.pending) > len(after.pending):
                top = self.state.pending[-1]
                self.write(act.LayPowerTile(top.player, PrivateId(top.subject), lay.hex, lay.tile, lay.rotation))

    def _lay_no_further(self, before: State) -> None:
        """Decline further tiles that only they ask for at once; who lays them has done so by now."""
        while len(self.state.pending) > len(before.pending) and self.state.pending[-1].step == SECOND_TILE.name:
            self.write(act.Pass(self.state.pending[-1].player))

    def _with_their_tile(self, action: Action) -> Action:
        """The lay with a tile they have left of that number: they count the beginner's extra tiles separately."""
        if not isinstance(action, act.LayTile | act.LayPowerTile) or self.state.supply.get(action.tile):
            return action
        same = (
            tile for tile, left in self.state.supply.items() if left and self.title.tiles[tile].printed == action.tile
        )
        return replace(action, tile=next(same, action.tile))

    def _catch_up(self, before: State) -> bool:
        """Pass the steps of a company's turn that only they still ask for. Returns whether both games then agree."""
        if before.pending or before.operating is None:
            return True
        steps = list(self.title.rounds[OR].by_name)
        here = steps.index(before.step)
        while self.in_turn_of(before) and steps.index(self.state.step) < here:
            self.write(act.Pass(decision(self.title, self.state).players[0]))
        return self.in_turn_of(before) and self.state.step == before.step

    def _asks(self, before: State) -> bool:
        """Whether in a stock round they are in the same turn: they ask nobody for an exchange alone (1889-PRV-09)."""
        here, there = ((s.round, s.up, s.bought) for s in (before, self.state))
        return before.round != SR or here == there

    def _retell_auction(self, before: State, said: list[Action]) -> None:
        """Write the same winner and price, in the order in which their lowest bidder speaks."""
        private = before.contested
        assert private is not None
        final = dict(self.state.bids[private])
        for bid in said:
            if isinstance(bid, act.Bid):
                final[bid.by] = bid.amount
        ranked = sorted(final, key=lambda player: -final[player])
        winner, rival = ranked[0], ranked[1]
        while self.state.contested == private:
            speaker = decision(self.title, self.state).players[0]
            highest = max(self.state.bids[private].values())
            wanted = final[speaker]
            outbids = wanted > highest and (speaker == winner or (speaker == rival and final[winner] > wanted))
            self.write(act.Bid(speaker, private, wanted) if outbids else act.Pass(speaker))

    def write(self, action: Action) -> None:
        """Write an action of their game and play it."""
        refusal = judge(self.title, self.state, action)
        if refusal is not None:
            raise refusal
        body = self._body(action)
        self._play(action)
        self._note(body)
        if self.memory.asked_on:
            self._note(body)  # a pass of the same company

    def note(self, action: Action) -> None:
        """Write an action that is needed only there."""
        self._note(self._body(action))

    def _note(self, body: Body) -> None:
        number = len(self.written) + 1
        self.written.append({**body, "id": number, "created_at": self.began + number * _MINUTE})

    def _play(self, action: Action) -> None:
        before, self.state = self.state, apply(self.title, self.state, action)
        known = parting(self.title, before, self.state, self.memory)
        if known:
            raise BadRecord(f"The game cannot be carried over beyond action {self.telling}: {known}")
        self.pieces.follow(self.state, self.state.facts)

    def record(self, names: Sequence[str]) -> Body:
        s = self.state
        rules = self.dialect.theirs(self.title.options)
        return {
            "id": f"tetsudo-{self.began}",
            "description": "Carried over from Tetsudo",
            "title": self.title.id,
            "players": [{"id": number, "name": name} for number, name in enumerate(names, start=1)],
            "min_players": len(names),
            "max_players": len(names),
            "user": {"id": 1, "name": names[0]},
            "settings": {"seed": self.seed, "optional_rules": rules, "player_order": None},
            "user_settings": None,
            "status": "finished" if s.over else "active",
            "turn": s.turn,
            "round": _ROUNDS[s.round],
            "acting": [_number(player) for player in decision(self.title, s).players if player != CHANCE],
            "result": {str(_number(player)): worth for player, worth in scores(self.title, s)},
            "game_end_reason": "dnf" if s.over == "stuck" and not self.asked_for_ever() else _ENDS.get(s.over),
            "loaded": True,
            "created_at": self.began,
            "updated_at": self.began + len(self.written) * _MINUTE,
            "actions": self.written,
        }

    # The bodies of actions

    def _body(self, action: Action) -> Body:
        return self._BODIES[type(action)](self, action)

    def _by_player(self, kind: str, player: PlayerId, /, **rest: Any) -> Body:
        return {"type": kind, "entity": _number(player), "entity_type": "player", **rest}

    def _by_corp(self, kind: str, corp: CorpId, /, **rest: Any) -> Body:
        return {"type": kind, "entity": corp, "entity_type": "corporation", **rest}

    def _by_private(self, kind: str, private: Any, /, **rest: Any) -> Body:
        return {"type": kind, "entity": self.dialect.private(private), "entity_type": "company", **rest}

    def _pass(self, action: act.Pass) -> Body:
        asked = decision(self.title, self.state)
        if self.state.pending and asked.subject in self.title.corporations:
            return self._by_corp("pass", CorpId(str(asked.subject)))
        if self.state.pending:
            return self._by_private("pass", asked.subject)
        if self.state.operating is not None:
            return self._by_corp("pass", self.state.operating)
        return self._by_player("pass", action.by)

    def _buy_private(self, action: act.BuyPrivate) -> Body:
        kind = "buy_company" if self.state.round == SR else "bid"
        cost = price_of(self.title, self.state, action.private)
        return self._by_player(kind, action.by, company=self.dialect.private(action.private), price=cost)

    def _sell_private(self, action: act.SellPrivate) -> Body:
        paid = self.title.privates[action.private].value - self.title.policy.privates.sale_fee
        return self._by_player("sell_company", action.by, company=self.dialect.private(action.private), price=paid)

    def _bid(self, action: act.Bid) -> Body:
        return self._by_player("bid", action.by, company=self.dialect.private(action.private), price=action.amount)

    def _par(self, action: act.Par) -> Body:
        where = f"{self.title.market.price(action.row, action.col)},{action.row},{action.col}"
        return self._by_player("par", action.by, corporation=action.corp, share_price=where)

    def _buy_share(self, action: act.BuyShare) -> Body:
        number = self.pieces.certificate(action.corp, action.source)
        percent = 20 if number == PRESIDENT else 10
        return self._by_player("buy_shares", action.by, shares=[f"{action.corp}_{number}"], percent=percent)

    def _sell_shares(self, action: act.SellShares) -> Body:
        numbers = self.pieces.block(action.corp, action.by, action.count)
        shares = [f"{action.corp}_{number}" for number in numbers]
        each = self.title.policy.holdings.sale_price(self.title, self.state, action.corp)
        believed = {} if each == price(self.title, self.state, action.corp) else {"share_price": each}
        return self._by_player("sell_shares", action.by, shares=shares, percent=action.count * 10, **believed)

    def _exchange_private(self, action: act.ExchangePrivate) -> Body:
        power = self.title.power(action.private, Exchange)
        corp, source = (power.corp, IPO) if power else (action.corp, action.source)
        assert corp is not None
        assert source is not None
        share = f"{corp}_{self.pieces.certificate(corp, source)}"
        return self._by_private("buy_shares", action.private, shares=[share], percent=10)

    def _lay(self, action: act.LayTile | act.LayPowerTile) -> Body:
        tile = f"{action.tile}-{self.pieces.tiles[action.tile][0]}"
        return {"hex": action.hex, "tile": tile, "rotation": action.rotation}

    def _place_token(self, action: act.PlaceToken) -> Body:
        hex_id, index = split_stop(action.stop)
        stops = self.state.board.face(hex_id).face.stops
        city = sum(1 for stop in stops[:index] if stop.kind == "city")
        kind, number = self.pieces.placed.get(hex_id, (hex_id, 0))
        places = self.state.board.places(hex_id, index)
        homes = [corp.id for corp in self.title.corporations.values() if (hex_id, index) in corp.homes]
        kept = sum(1 for corp in homes if corp not in places and corp != action.corp)
        free = [slot for slot, token in enumerate(places) if token is None]
        slot = free[min(kept, len(free) - 1)]
        return self._by_corp("place_token", action.corp, city=f"{kind}-{number}-{city}", slot=slot)

    def _run_trains(self, action: act.RunTrains) -> Body:
        used: dict[Rank, int] = {}
        routes = []
        for route in action.routes:
            numbers = [number for rank, number in self.pieces.trains.get(action.corp, ()) if rank == route.train]
            leased_from = POOL if route.train in self.state.train_pool else BANK
            numbers = numbers or [self.pieces.train(route.train, leased_from)]
            number = numbers[used.get(route.train, 0)]
            used[route.train] = used.get(route.train, 0) + 1
            run = trace(self.state.board, route)
            assert isinstance(run, Run)
            routes.append(self._route(action.corp, f"{route.train}-{number}", route, run))
        subsidy = sum(route.get("subsidy", 0) for route in routes)
        return self._by_corp("run_routes", action.corp, routes=routes, extra_revenue=0, subsidy=subsidy)

    def _route(self, corp: CorpId, train: str, route: Route, run: Run) -> Body:
        legs: list[list[str]] = []
        leg: list[str] = []
        for here, entered, end in run.segments:
            leg.append(here)
            if entered >= 6 and end >= 6 and len(self.state.board.face(here).face.stops) > 2:
                leg = [f"{here} {min(entered, end) - 6}.{max(entered, end) - 6}"]
            if end >= 6:
                legs.append(leg)
                leg = []
        hexes = [hex_id for hex_id, _ in run.stops]
        revenue, subsidy = self.title.policy.routes.income(self.title, self.state, corp, route, run)
        body: Body = {"subsidy": subsidy} if self.dialect.subsidies else {}
        if route.halts is not None:
            body["halts"] = route.halts
        return {
            **body,
            "train": train,
            "connections": legs,
            "hexes": hexes,
            "revenue": revenue,
            "revenue_str": "-".join(hexes),
            "nodes": [f"{hex_id}-{index}" for hex_id, index in run.stops],
        }

    def _state_revenue(self, action: act.StateRevenue) -> Body:
        rank, number = self.pieces.trains[action.corp][0]
        homes = [hex_id for hex_id, _ in self.state.board.token_stops(action.corp)][:1]
        route = {"train": f"{rank}-{number}", "hexes": homes, "revenue": action.revenue}
        return self._by_corp("run_routes", action.corp, routes=[route])

    def _dividend(self, action: act.Dividend) -> Body:
        return self._by_corp("dividend", action.corp, kind={"pay": "payout"}.get(action.kind, action.kind))

    def _buy_train(self, action: act.BuyTrain) -> Body:
        number = self.pieces.train(action.rank, action.source)
        body = {"train": f"{action.rank}-{number}", "price": action.price, "variant": action.rank}
        if action.trade_in is not None:
            body["exchange"] = f"{action.trade_in}-{self.pieces.train(action.trade_in, action.corp)}"
        return self._by_corp("buy_train", action.corp, **body)

    def _discard_train(self, action: act.DiscardTrain) -> Body:
        number = self.pieces.train(action.rank, action.corp)
        return self._by_corp("discard_train", action.corp, train=f"{action.rank}-{number}")

    def _company_buys_private(self, action: act.CompanyBuysPrivate) -> Body:
        company = self.dialect.private(action.private)
        return self._by_corp("buy_company", action.corp, company=company, price=action.price)

    _BODIES: ClassVar[dict[type[Action], Callable[..., Body]]] = {
        act.Pass: _pass,
        act.BuyPrivate: _buy_private,
        act.BidToChoose: lambda self, bid: self._by_player("bid", bid.by, price=bid.amount),
        act.SellPrivate: _sell_private,
        act.Bid: _bid,
        act.Par: _par,
        act.BuyShare: _buy_share,
        act.SellShares: _sell_shares,
        act.ExchangePrivate: _exchange_private,
        act.LayTile: lambda self, lay: self._by_corp("lay_tile", lay.corp, **self._lay(lay)),
        act.LayPowerTile: lambda self, lay: self._by_private("lay_tile", lay.private, **self._lay(lay)),
        act.PlaceToken: _place_token,
        act.RunTrains: _run_trains,
        act.StateRevenue: _state_revenue,
        act.Dividend: _dividend,
        act.BuyTrain: _buy_train,
        act.DiscardTrain: _discard_train,
        act.CompanyBuysPrivate: _company_buys_private,
        act.GoBankrupt: lambda self, action: self._by_corp("bankrupt", action.corp),
        act.EndGame: lambda self, action: self._by_player("end_game", action.by),
    }
    """How each kind of action is written."""


def _by_anybody(fact: TrainsRan | TrainBought | TrainDiscarded, player: PlayerId) -> Action:
    """What a company in receivership did by itself, done by a player."""
    match fact:
        case TrainsRan(corp, routes):
            return act.RunTrains(player, corp, tuple(route for route, _ in routes))
        case TrainBought(corp, rank, source, price):
            return act.BuyTrain(player, corp, rank, source, price)
        case TrainDiscarded(corp, rank):
            return act.DiscardTrain(player, corp, rank)


def _number(player: PlayerId) -> int:
    """The id of a seat in the record: "p1" is 1."""
    return int(player[1:])
