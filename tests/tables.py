"""Positions for tests, built by saying what lies on the table, and what the rules say to an action there.

    t, s = table("1889", 3).operating("AR").tile("C4", "6", 0).cash(AR=500).trains("AR", "3").phase("4").build()
    refuses(t, s, LayTile("p1", "AR", "C4", "57", 0), "1889-TRK-12")
    after = allows(t, s, Pass("p1"))

Without further words it is the second stock round, all privates are closed, no company has started and p1 is up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from engine import BANK, CLOSED, IPO, POOL, State, Title, apply, build, decision, judge, legal, start
from engine.actions import Action, Pass
from engine.board.board import Board
from engine.ids import stop_id
from engine.market import put
from engine.state import Pending

NAMES = ("Ann", "Ben", "Cho", "Dan", "Eve", "Fay", "Gus")


class Table:
    """A position being laid out. Every method returns the table, `build` the title and the position."""

    def __init__(self, title_id: str, players: int, *options: str) -> None:
        self.title: Title = build(title_id, players, options)
        self.state: State = start(self.title, NAMES[:players])
        self._price: dict[str, tuple[int, int]] = {}
        self._held: dict[str, dict[str, int]] = {}
        self._par: dict[str, int] = {}
        self._presidents: dict[str, str] = {}
        self._tokens: list[tuple[str, str, int]] = []
        self._homes = True
        self._tiles: list[tuple[str, str, int]] = []
        for private in self.state.owner:
            self.state.owner[private] = CLOSED
        self.stock()

    # Whose turn it is

    def opening(self) -> Table:
        """The title's own first position: privates unsold, opening round."""
        names = tuple(self.state.names.values())
        self.state = start(self.title, names)
        return self

    def stock(self, up: str = "p1", turn: int = 2) -> Table:
        """A stock round with this player's turn just begun."""
        s = self.state
        s.round, s.step, s.turn, s.up, s.operating = "SR", "shares", turn, up, None
        return self

    def operating(self, corp: str, step: str = "track", *, then: tuple[str, ...] = (), begun: bool = True) -> Table:
        """The turn of this company at this step, `then` operate later. Unless told, p1 runs it with half the shares."""
        s = self.state
        s.round, s.step, s.operating, s.queue, s.begun = "OR", step, corp, then, begun
        for name in (corp, *then):
            self._par.setdefault(name, 0)
        return self

    def rounds(self, turn: int, number: int, count: int) -> Table:
        """Operating round `turn`.`number` of a set of `count`."""
        self.state.turn, self.state.or_number, self.state.or_count = turn, number, count
        return self

    def pending(self, step: str, player: str, subject: str) -> Table:
        self.state.pending += (Pending(step, player, subject),)
        return self

    # What lies where

    def phase(self, name: str, **left: int) -> Table:
        """The phase of this name, earlier trains sold out; `left` names what the bank still has: left_5=1."""
        t, s = self.title, self.state
        s.phase = next(index for index, phase in enumerate(t.phases) if phase.name == name)
        for rank in list(s.depot):
            if rank == t.phases[s.phase].starts_on:
                s.depot[rank] -= 1
                break
            if s.phase == 0:
                break
            s.depot[rank] = 0
        for key, count in left.items():
            s.depot[key.removeprefix("left_")] = count
        return self

    def par(self, corp: str, price: int = 100, at: tuple[int, int] | None = None) -> Table:
        """Start the company at this par; `at` is where its token lies now."""
        self._par[corp] = price
        if at is not None:
            self._price[corp] = at
        return self

    def shares(
        self,
        corp: str,
        held: Mapping[str, int] | None = None,
        *,
        president: str | None = None,
        pool: int = 0,
        **players: int,
    ) -> Table:
        """Who holds how many shares; the rest is in the initial offering. The first with most is president.

        `held` says the same as the keywords, for helpers that pass it on.
        """
        self._held[corp] = {**(held or {}), **players, **({POOL: pool} if pool else {})}
        if president:
            self._presidents[corp] = president
        return self

    def cash(self, **amounts: int) -> Table:
        """Money of players and companies; the bank keeps the rest."""
        for holder, amount in amounts.items():
            self.state.cash[BANK] += self.state.cash[holder] - amount
            self.state.cash[holder] = amount
        return self

    def bank(self, amount: int) -> Table:
        """What the bank has, whatever the others hold."""
        self.state.cash[BANK] = amount
        return self

    def private(self, **owners: str) -> Table:
        """Who owns which private: a seat, a company or "bank"."""
        self.state.owner.update(owners)
        return self

    def trains(self, corp: str, *ranks: str) -> Table:
        self.state.trains[corp] = ranks
        return self

    def market_trains(self, *ranks: str) -> Table:
        self.state.train_pool = ranks
        return self

    def tile(self, hex_id: str, tile: str, rotation: int = 0) -> Table:
        self._tiles.append((hex_id, tile, rotation))
        return self

    def token(self, corp: str, hex_id: str, index: int = 0) -> Table:
        self._tokens.append((corp, hex_id, index))
        return self

    def no_homes(self) -> Table:
        """Floated companies get no home tokens."""
        self._homes = False
        return self

    def set(self, **values: Any) -> Table:
        """Any other field of the state."""
        for name, value in values.items():
            setattr(self.state, name, value)
        return self

    def own(self, **changes: Any) -> Table:
        """What the title alone keeps."""
        keep(self.state, **changes)
        return self

    def build(self) -> tuple[Title, State]:
        for corp, par in self._par.items():
            self._start_company(corp, par or 100)
        board = Board(self.title.grid)
        for hex_id, tile, rotation in self._tiles:
            if hex_id in board.placed:
                self.state.supply[board.placed[hex_id][0]] += 1
            self.state.supply[tile] -= 1
            board = board.with_tile(hex_id, tile, rotation)
        homes = [(corp, *home) for corp in sorted(self.state.floated) for home in self.title.corporations[corp].homes]
        for corp, hex_id, index in (homes if self._homes else []) + self._tokens:
            board = board.with_token(hex_id, index, corp)
            self.state.tokens[corp] = self.state.tokens[corp][1:]
        self.state.board = board
        for corp, held in self._held.items():
            if corp not in self._par:
                self._deal_shares(corp, held)
        return self.title, self.state

    def _deal_shares(self, corp: str, held: dict[str, int]) -> None:
        shares = self.title.corporations[corp].shares
        rest = shares - sum(held.values())
        assert rest >= 0, f"{corp} has {shares} shares"
        self.state.shares[corp] = {**({IPO: rest} if rest else {}), **held}

    def _start_company(self, corp: str, par: int) -> None:
        t, s = self.title, self.state
        certificate = t.corporations[corp].certificate
        if certificate is not None:
            if s.owner[certificate] not in s.names:
                s.owner[certificate] = "p1"
            s.president[corp] = s.owner[certificate]
            s.floated |= {corp}
            return
        shares = t.corporations[corp].shares
        held = self._held.get(corp, {"p1": shares // 2})
        self._deal_shares(corp, held)
        players = {player: held.get(player, 0) for player in s.players}
        s.president[corp] = self._presidents.get(corp) or max(players, key=lambda player: players[player])
        s.par[corp] = par
        cells = [
            (row, col)
            for row, line in enumerate(t.market.rows)
            for col, cell in enumerate(line)
            if cell and cell.price == par and cell.par
        ]
        put(s, corp, self._price.get(corp) or cells[0])
        if s.held(corp, IPO) <= shares - t.corporations[corp].float_shares:
            s.floated |= {corp}


def table(title_id: str, players: int = 3, *options: str) -> Table:
    return Table(title_id, players, *options)


def keep(s: State, **changes: Any) -> None:
    """Change what the title alone keeps."""
    s.own = replace(s.own, **changes)


def richer(monkeypatch: pytest.MonkeyPatch, seat: str, more: int) -> None:
    """Games that begin from now on have more in a player's purse."""

    def begun(*given: Any) -> State:
        state = start(*given)
        state.cash[seat] += more
        return state

    monkeypatch.setattr("engine.start", begun)


_SENTENCE = re.compile(r"[-A-Z0-9¥£“].{8,}[.]", re.DOTALL)


def refuses(t: Title, s: State, action: Action, rule: str) -> str:
    """Assert that the action is refused by this rule, in a sentence; returns the sentence."""
    before = s.to_dict()
    refusal = judge(t, s, action)
    assert refusal is not None, f"{action} is allowed"
    assert refusal.rule == rule, f"{action} is refused by {refusal.rule}: {refusal.text}"
    assert _SENTENCE.fullmatch(refusal.text), f"not a sentence: {refusal.text!r}"
    assert "None" not in refusal.text
    assert action not in list(legal(t, s, action.by))
    assert s.to_dict() == before, "judging changed the position"
    return refusal.text


def allows(t: Title, s: State, action: Action) -> State:
    """Assert that the action is allowed; returns the position after it."""
    before = s.to_dict()
    refusal = judge(t, s, action)
    assert refusal is None, str(refusal)
    after = apply(t, s, action)
    assert s.to_dict() == before, "applying changed the old position"
    return after


def play(t: Title, s: State, *actions: Action) -> State:
    """The position after these actions, which are all allowed."""
    for action in actions:
        s = allows(t, s, action)
    return s


def all_pass(t: Title, s: State) -> State:
    """As many passes as there are players, each of whoever is asked."""
    for _ in s.players:
        s = allows(t, s, Pass(decision(t, s).players[0]))
    return s


def ends_round(t: Title, s: State) -> State:
    """The position after the stock round, in which all pass."""
    turn = s.turn
    while s.round == "SR" and s.turn == turn:
        s = allows(t, s, Pass(decision(t, s).players[0]))
    return s


def price_at(t: Title, row: int, col: int) -> int:
    """The price printed in this cell of the market."""
    cell = t.market.cell(row, col)
    assert cell is not None
    return cell.price


A = TypeVar("A", bound=Action)


def offered(t: Title, s: State, kind: type[A], by: str = "p1") -> list[A]:
    """The legal actions of one kind."""
    return [action for action in legal(t, s, by) if isinstance(action, kind)]


def facts(s: State, kind: type[Any]) -> list[Any]:
    """The facts of one kind in the action that made the position."""
    return [fact for fact in s.facts if isinstance(fact, kind)]


def tokens_at(s: State, hex_id: str, index: int = 0) -> tuple[str | None, ...]:
    return s.board.places(hex_id, index)


def stop(hex_id: str, index: int = 0) -> str:
    return stop_id(hex_id, index)
