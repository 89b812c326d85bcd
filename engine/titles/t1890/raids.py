"""The air raids: green tiles around Osaka and Kobe go with the last 3+3-train, tokens return as far as they can.

A token that finds no place waits beside the hex. It is one of the company's tokens for 100; once they are used up it no
longer waits. {1890-VAR-18 to -18c}
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.actions import Action, BuyTrain, LayTile
from engine.board.hexes import across
from engine.depot import bank_trains
from engine.facts import Announced, TokenReturned
from engine.ids import BANK, CorpId, HexId, PlayerId, Rank
from engine.state import State
from engine.steps import track as shared
from engine.steps.common import operator
from engine.steps.emergency import TRAINS_STEP
from engine.title import Title
from engine.titles.t1890 import track
from engine.titles.t1890.companies import RETURNED, operating_order
from engine.titles.t1890.own import own
from engine.titles.t1890.printed import AMAGASAKI, ASHIYA, KOBE, NISHINOMIYA, OSAKA
from engine.titles.t1890.removal import is_home, put_back, remove_tile, take_tokens

TARGETS = (KOBE, ASHIYA, NISHINOMIYA, AMAGASAKI, *OSAKA)
LAST = Rank("3+3")


def after_train(t: Title, s: State, a: BuyTrain) -> None:
    """The purchase of the last 3+3-train from the bank brings the raids, once: one may come back and be sold again."""
    if a.rank == LAST and a.source == BANK and not s.depot[LAST] and own(s).beside is None:
        raid(t, s, a.corp)


def about_trains(t: Title, s: State) -> str:
    """That the train on sale brings the air raids; else ""."""
    if s.step != TRAINS_STEP or LAST not in bank_trains(t, s) or s.depot[LAST] > 1 or own(s).beside is not None:
        return ""
    return "The last 3+3-train brings air raids: the green tiles in and around the target cities go."


def raided(t: Title, s: State) -> list[HexId]:
    """The target hexes and those around them that show a green tile."""
    near = {across(t.layout, target, side) for target in TARGETS for side in range(6)}
    return [
        hex_id
        for hex_id in t.hexes
        if (hex_id in TARGETS or hex_id in near)
        and hex_id in s.board.placed
        and s.board.face(hex_id).face.colour == "green"
    ]


def raid(t: Title, s: State, buyer: CorpId) -> None:
    """Remove the tiles that are hit and put their tokens back; what finds no place waits beside its hex.

    {1890-VAR-18, 1890-VAR-18b, 1890-VAR-18c}
    """
    s.facts.append(Announced("air raids"))
    displaced: dict[HexId, list[CorpId]] = {}
    for hex_id in raided(t, s):
        displaced[hex_id] = take_tokens(s, hex_id)
        remove_tile(s, hex_id)
    for hex_id, corps in displaced.items():  # homes come first
        for corp in [corp for corp in corps if is_home(corp, hex_id)]:
            if put_back(t, s, hex_id, corp):
                corps.remove(corp)
    order = _from_next(t, s, buyer, {corp for corps in displaced.values() for corp in corps})
    while sum(_put_one_back(t, s, corp, displaced) for corp in order):  # a token each, until none finds a place
        pass
    s.own = replace(own(s), beside={hex_id: tuple(corps) for hex_id, corps in displaced.items() if corps})
    s.facts += [TokenReturned(corp, hex_id) for hex_id, corps in displaced.items() for corp in corps]
    if _waiting(s):
        s.facts.append(Announced("beside"))


def _put_one_back(t: Title, s: State, corp: CorpId, displaced: Mapping[HexId, list[CorpId]]) -> bool:
    """Whether one of the company's tokens found its place again."""
    for hex_id, corps in displaced.items():
        if corp in corps and put_back(t, s, hex_id, corp):
            corps.remove(corp)
            return True
    return False


def _from_next(t: Title, s: State, buyer: CorpId, corps: set[CorpId]) -> list[CorpId]:
    """The companies in operating order, beginning after the buyer; those without a turn last."""
    order = operating_order(t, s, {*s.floated, buyer})
    start = order.index(buyer) + 1 if buyer in order else 0
    turned = [*order[start:], *order[:start]]
    return [corp for corp in (*turned, *(c for c in t.corporations if c not in turned)) if corp in corps]


def _waiting(s: State) -> Mapping[HexId, tuple[CorpId, ...]]:
    return own(s).beside or {}


def waiting_at(t: Title, s: State, hex_id: HexId) -> tuple[CorpId, ...]:
    """The companies whose tokens wait beside the hex."""
    return _waiting(s).get(hex_id, ())


def settle(t: Title, s: State) -> None:
    """A token that waits takes the next free place; one that was used elsewhere waits no more. {1890-VAR-18c}"""
    waiting = _waiting(s)
    if not waiting:
        return
    left: dict[HexId, tuple[CorpId, ...]] = {}
    count: dict[CorpId, int] = {}
    for hex_id, corps in waiting.items():
        for corp in corps:
            count[corp] = count.get(corp, 0) + 1
            if count[corp] > _returned(s, corp):
                continue
            if put_back(t, s, hex_id, corp):
                count[corp] -= 1
            else:
                left[hex_id] = (*left.get(hex_id, ()), corp)
    s.own = replace(own(s), beside=left)


def _returned(s: State, corp: CorpId) -> int:
    """Tokens for 100 on the charter, but for one that the earthquake has put out of use in Itami. {1890-VAR-17d}"""
    return s.tokens[corp].count(RETURNED) - (corp in own(s).face_down)


def reachable(t: Title, s: State, a: LayTile) -> str | None:
    """Track is joined to an own token, or laid where an own token waits beside the hex."""
    return None if a.corp in waiting_at(t, s, a.hex) else shared.reachable(t, s, a)


def upgrade_joined(t: Title, s: State, a: LayTile) -> str | None:
    """The same for upgrades."""
    return None if a.corp in waiting_at(t, s, a.hex) else shared.upgrade_joined(t, s, a)


def lays(t: Title, s: State, player: PlayerId) -> Iterator[Action]:
    """All lays, and those in hexes where a token of the company waits."""
    offered = dict.fromkeys(track.lays(t, s, player))
    if track.may_lay(t, s):
        corp = operator(s)
        for hex_id in (hex_id for hex_id, corps in _waiting(s).items() if corp in corps):
            colour = shared.next_colour(s.board, hex_id)
            for tile in (tile for tile, left in s.supply.items() if left and t.tiles[tile].face.colour == colour):
                offered |= dict.fromkeys(LayTile(player, corp, hex_id, tile, rotation) for rotation in range(6))
    yield from offered
