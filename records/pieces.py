"""Where each certificate, train and tile is, by the numbers that 18xx.games gives them.

The engine only counts pieces, but that program's records name them: share 0 of a company is the president's
certificate, trains are numbered by rank in stack order, tiles by kind. `Pieces` follows a game fact by fact.
"""

from collections.abc import Iterable

from engine import BANK, IPO, POOL, CorpId, HexId, Rank, State, TileId, Title
from engine import facts as f
from engine.ids import Holder

PRESIDENT = 0
"""The number of the president's certificate, which is two tenths."""


class Pieces:
    """Which numbered pieces lie where; begins with the box as it is set up."""

    def __init__(self, title: Title) -> None:
        self.title = title
        self.shares: dict[CorpId, dict[Holder, list[int]]] = {
            corp: {IPO: list(range(9))} for corp in title.corporations
        }
        """The numbers of each company's certificates by holder, in order of arrival."""
        self.trains: dict[Holder, list[tuple[Rank, int]]] = {
            BANK: [(rank, number) for rank, train in title.trains.items() for number in range(train.count or 0)]
        }
        self.tiles = {tile: list(range(count)) for tile, count in title.supply.items()}
        """The numbers of the tiles left in the supply, the next first."""
        self.placed: dict[HexId, tuple[TileId, int]] = {}

    def certificate(self, corp: CorpId, source: Holder) -> int:
        """The next ordinary certificate bought from the source; the president's if it is the only one."""
        return next((number for number in self.shares[corp][source] if number != PRESIDENT), PRESIDENT)

    def block(self, corp: CorpId, seller: Holder, count: int) -> list[int]:
        """The certificates in a sale of `count` tenths; the president's comes last, if part of it is needed."""
        ordinary = [number for number in self.shares[corp][seller] if number != PRESIDENT][:count]
        return ordinary if len(ordinary) == count else [*ordinary, PRESIDENT]

    def train(self, rank: Rank, holder: Holder) -> int:
        """The number of the holder's first train of the rank."""
        held = [number for kind, number in self.trains.get(holder, ()) if kind == rank]
        if not held and holder == BANK and self.title.trains[rank].count is None:
            return sum(1 for trains in self.trains.values() for kind, _ in trains if kind == rank)
        return held[0]

    def follow(self, after: State, facts: Iterable[f.Fact]) -> None:
        """Move the pieces according to the facts that led to the state `after`."""
        for fact in facts:
            match fact:
                case f.SharesMoved():
                    self._move_shares(fact)
                case f.PresidentChanged():
                    self._change_president(fact, after)
                case f.TrainBought():
                    self._buy_train(fact)
                case f.TrainDiscarded():
                    self._move_train(fact.corp, POOL, fact.rank)
                case f.TrainExported():
                    self.trains[BANK].remove((fact.rank, self.train(fact.rank, BANK)))
                case f.TrainsRusted():
                    for held in self.trains.values():
                        held[:] = [train for train in held if train[0] != fact.rank]
                case f.TileLaid():
                    self._lay(fact)

    def _move_shares(self, fact: f.SharesMoved) -> None:
        if fact.target == POOL:
            moving = self.block(fact.corp, fact.source, fact.count)
        elif fact.target == IPO:
            moving = list(self.shares[fact.corp][fact.source])
        elif fact.source == IPO and fact.count == 2:
            moving = [PRESIDENT]
        else:
            moving = [self.certificate(fact.corp, fact.source)]
        for number in moving:
            self._hand_over(fact.corp, fact.source, fact.target, number)

    def _hand_over(self, corp: CorpId, source: Holder, target: Holder, number: int) -> None:
        self.shares[corp][source].remove(number)
        self.shares[corp].setdefault(target, []).append(number)
        if target == IPO:
            self.shares[corp][IPO].sort()

    def _change_president(self, fact: f.PresidentChanged, after: State) -> None:
        """Swap two ordinary certificates for the president's; through the market if its owner sold into it."""
        held = self.shares[fact.corp]
        if fact.target == POOL:
            while len(held.get(fact.source, ())) < after.held(fact.corp, fact.source):
                self._hand_over(fact.corp, POOL, fact.source, self.certificate(fact.corp, POOL))
            return
        keeper = next(holder for holder, numbers in held.items() if PRESIDENT in numbers)
        if keeper == fact.target:  # bought into from the market: the ordinary one goes back
            self._hand_over(fact.corp, keeper, POOL, self.certificate(fact.corp, keeper))
            return
        given_to = fact.source if after.held(fact.corp, fact.source) >= 2 else POOL
        for number in held[fact.target][:2]:
            self._hand_over(fact.corp, fact.target, given_to, number)
        self._hand_over(fact.corp, keeper, fact.target, PRESIDENT)
        if keeper == POOL and len(held.get(fact.source, ())) < after.held(fact.corp, fact.source):
            self._hand_over(fact.corp, POOL, fact.source, held[POOL][0])

    def _buy_train(self, fact: f.TrainBought) -> None:
        if fact.trade_in is not None:
            self._move_train(fact.corp, POOL, fact.trade_in)
        if fact.source == BANK and self.title.trains[fact.rank].count is None:
            number = self.train(fact.rank, BANK)
            self.trains.setdefault(fact.corp, []).append((fact.rank, number))
        else:
            self._move_train(fact.source, fact.corp, fact.rank)

    def _move_train(self, source: Holder, target: Holder, rank: Rank) -> None:
        train = (rank, self.train(rank, source))
        self.trains[source].remove(train)
        self.trains.setdefault(target, []).append(train)

    def _lay(self, fact: f.TileLaid) -> None:
        number = self.tiles[fact.tile].pop(0)
        if fact.hex in self.placed:
            old, old_number = self.placed[fact.hex]
            self.tiles[old].append(old_number)
        self.placed[fact.hex] = (fact.tile, number)
