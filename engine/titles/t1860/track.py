"""Track of 1860: two small yellow tiles or one other lay a turn; upgrades as far as the company's own trains go."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine.actions import LayTile
from engine.board.board import Board
from engine.board.reach import reaches
from engine.board.tiles import Turned, turned
from engine.facts import TileLaid
from engine.ids import CorpId, HexId, PlayerId
from engine.printed import Face
from engine.state import State
from engine.steps import track
from engine.steps.common import PASS_STEP, operator
from engine.titles.t1860.companies import has, in_receivership, southern_over
from engine.verbs import Step, Verb

if TYPE_CHECKING:
    from engine.title import Title

FAR = 99
"""More small stations than any route has."""


def laid_now(s: State) -> list[HexId]:
    """Hexes of the tiles laid in this turn."""
    return list(s.own.get("laid", ()))


def is_large(faces: Turned) -> bool:
    return any(stop.kind == "city" for stop in faces.face.stops)


def lays_left(t: Title, s: State, a: LayTile) -> str | None:
    """Two yellow tiles without large stations, or one other lay."""
    done = laid_now(s)
    if not done:
        return None
    if len(done) > 1 or not _small_yellow(s.board.face(done[0])) or not _small_yellow(turned(t.tiles[a.tile].face, 0)):
        return "A turn has one tile with a large station, or one upgrade, or two small yellow tiles."
    return None


def _small_yellow(face: Turned) -> bool:
    return face.face.colour == "yellow" and not is_large(face)


def more_lays_left(t: Title, s: State, a: LayTile) -> str | None:
    """Option `accelerated_track`: one large-station tile; else two yellow tiles, or one yellow tile and one upgrade."""
    done = laid_now(s)
    if not done:
        return None
    faces = [*(s.board.face(hex_id) for hex_id in done), turned(t.tiles[a.tile].face, 0)]
    upgrades = sum(1 for face in faces if face.face.colour != "yellow")
    if len(faces) > 2 or any(map(is_large, faces)) or upgrades > 1 or a.hex in done:
        return "A turn has one large-station tile, or two yellow tiles, or a yellow tile and an upgrade of another hex."
    return None


def same_stations(t: Title, s: State, a: LayTile) -> str | None:
    """As many large and as many small stations as the hex has; lettered tiles fit by their letter."""
    old, new = s.board.face(a.hex).face, t.tiles[a.tile].face
    if new.label in ("R", "C", "N", "V", "M"):
        return None
    if stations(old) == stations(new):
        return None
    return f"Tile {a.tile} does not have the stations of {a.hex}."


@cache
def stations(face: Face) -> tuple[int, int]:
    """How many large and how many other stops it has."""
    large = sum(stop.kind == "city" for stop in face.stops)
    return large, len(face.stops) - large


def free_when_insolvent(t: Title, s: State, a: LayTile) -> str | None:
    """An insolvent company lays only what costs nothing."""
    if has(s, "insolvent", a.corp) and track.lay_cost(t, s, a.corp, a.hex):
        return f"{a.corp} is insolvent and lays only tiles that cost nothing."
    return None


def upgrade_needs_train(t: Title, s: State, a: LayTile) -> str | None:
    """A company without a train upgrades nothing."""
    if s.trains[a.corp] or t.tiles[a.tile].face.colour == "yellow":
        return None
    return f"{a.corp} owns no train, so it cannot upgrade."


def joins_or_serves(t: Title, s: State, a: LayTile) -> str | None:
    """An upgrade brings track or value that one of the company's trains can use."""
    return _joins(t, s, a, None)


def joins_or_serves_skipping(t: Title, s: State, a: LayTile) -> str | None:
    """Where trains may pass small stations: only large ones limit how far a train can upgrade."""
    return _joins(t, s, a, FAR)


def _joins(t: Title, s: State, a: LayTile, small: int | None) -> str | None:
    if s.board.face(a.hex).face.colour == "white":
        return None
    longest = max((t.trains[rank] for rank in s.trains[a.corp]), key=lambda train: train.reach or 0)
    limit = Limit(longest.reach or 0, longest.small if small is None else small)
    after = s.board.with_tile(a.hex, a.tile, a.rotation)
    if _serves(s.board, after, a.corp, a.hex, limit):
        return None
    return f"No {longest.rank}-train of {a.corp} could use anything new of tile {a.tile} in {a.hex}."


@dataclass(frozen=True, slots=True)
class Limit:
    """Length of a train: large calls and small calls; spare large ones serve small stops."""

    large: int
    small: int

    def calls_at(self, kind: str, large: int, small: int) -> bool:
        """Whether a train that called at so many stations before can call at one more of this kind."""
        if kind in ("city", "offboard"):
            return large < self.large and small <= self.small + self.large - large - 1
        if kind == "town":
            return large <= self.large and small < self.small + self.large - large
        return large <= self.large and small <= self.small + self.large - large

    def passes(self, large: int, small: int) -> bool:
        return large <= self.large and small <= self.small + max(self.large - large, 0)


def _serves(old: Board, new: Board, corp: CorpId, hex_id: HexId, limit: Limit) -> bool:
    """Whether the new face gives a train of this length new track, or another value where it calls."""
    found = distances(new, corp, limit)
    if _values(old, hex_id, limit, distances(old, corp, limit)) != _values(new, hex_id, limit, found):
        return True
    near = [
        ends
        for ends in new.face(hex_id).segments - old.face(hex_id).segments
        if any(limit.passes(*cost) for end in ends for cost in _beyond(new, corp, found, hex_id, end))
    ]
    return bool(near) and reaches(new, corp, lambda found: any((hex_id, *ends) in found.segments for ends in near))


def _beyond(board: Board, corp: CorpId, found: Distances, hex_id: HexId, end: int) -> list[Calls]:
    """The least costs of a train on the track at this end, coming or going; a station there is called at first."""
    costs = found.get((hex_id, end), [])
    if end >= 6:
        return [called(board, hex_id, end, cost) for cost in costs]
    going = list(costs)
    for other in board.face(hex_id).from_end[end]:
        if other < 6:
            going += found.get((hex_id, other), ())
        elif not board.ends_trails(hex_id, other - 6, corp):
            going += [called(board, hex_id, other, cost) for cost in found.get((hex_id, other), ())]
    return going


def called(board: Board, hex_id: HexId, end: int, cost: Calls) -> Calls:
    """The cost with a call at the stop at this end."""
    kind = board.stop(hex_id, end - 6).kind
    return cost[0] + (kind == "city"), cost[1] + (kind == "town")


def _values(board: Board, hex_id: HexId, limit: Limit, found: Distances) -> list[int]:
    return sorted(
        stop.revenue
        for index, stop in enumerate(board.face(hex_id).face.stops)
        if any(limit.calls_at(stop.kind, *cost) for cost in found.get((hex_id, 6 + index), ()))
    )


Calls = tuple[int, int]
"""Large and small stations called at."""
Distances = dict[tuple[HexId, int], list[Calls]]
"""For an end of track (a side by which trains come in, or a stop): the fewest calls on the way to it."""


def distances(board: Board, corp: CorpId, limit: Limit) -> Distances:
    """How many stations lie between the company's bases and each piece of track; kept with the board. {1860-TRK-10}

    Track that is too far for a train of this length is left out.
    """
    key = ("distances", corp, limit)
    found: Distances | None = board.memo.get(key)
    if found is None:
        found = _measure(board, corp, limit)
        board.memo[key] = found
    return found


def _measure(board: Board, corp: CorpId, limit: Limit) -> Distances:
    faces, beyond = board.faces, board.grid.beyond
    found: Distances = {}
    waiting = {(0, 0): [(hex_id, 6 + index) for hex_id, index in board.token_stops(corp)]}
    """Ends to go on from, by what was called at on the way to them."""
    while waiting:
        cost = min(waiting)
        ends = waiting.pop(cost)
        for here, end in ends:  # grows while it is read
            known = found.get((here, end))
            if known is None:
                found[here, end] = [cost]
            elif known[-1][1] > cost[1]:
                known.append(cost)
            else:  # those known have no more large calls, the last one the fewest small
                continue
            after, following = cost, ends
            if end >= 6:
                if board.ends_trails(here, end - 6, corp):
                    continue
                after = called(board, here, end, cost)
                if not limit.passes(*after):
                    continue
                following = ends if after == cost else waiting.setdefault(after, [])
            for other in faces[here].from_end[end]:
                if other >= 6:
                    following.append((here, other))
                    continue
                step = beyond.get((here, other))
                if step is not None:
                    following.append(step)
    return found


def lay(t: Title, s: State, a: LayTile) -> None:
    track.lay(t, s, a)
    s.own["laid"] = [*laid_now(s), a.hex]


def lay_verb(*, accelerated: bool, skipping: bool) -> Verb:
    return Verb(
        LayTile,
        track.every_lay,
        (
            track.own_turn, more_lays_left if accelerated else lays_left, track.right_colour, track.colour_open,
            track.in_supply, track.same_label, same_stations, track.fixed_rotation, track.keeps_old_track,
            track.leads_somewhere, track.terrain_affordable, free_when_insolvent, upgrade_needs_train,
            track.reachable, joins_or_serves_skipping if skipping else joins_or_serves,
        ),
        lay,
    )  # fmt: skip


def may_build(t: Title, s: State) -> bool:
    """Asked while another lay may follow; nobody builds without a director or after Southern. {1860-TRK-17, -18}"""
    if in_receivership(s, operator(s)) or southern_over(s):
        return False
    done = laid_now(s)
    if not done:
        return True
    if len(done) > 1:
        return False
    return _small_yellow(s.board.face(done[0]))


def may_build_more(t: Title, s: State) -> bool:
    """Option `accelerated_track`: also after an upgrade without a large station."""
    if may_build(t, s):
        return True
    done = laid_now(s)
    if in_receivership(s, operator(s)) or southern_over(s):
        return False
    return len(done) == 1 and not is_large(s.board.face(done[0]))


def track_step(*, accelerated: bool, skipping: bool) -> Step:
    verbs = (lay_verb(accelerated=accelerated, skipping=skipping), PASS_STEP)
    return Step("track", verbs, may_build_more if accelerated else may_build)


# The home tile, laid when the company floats


def home_hex(t: Title, s: State, a: LayTile) -> str | None:
    """The director lays it in the company's home."""
    corp = CorpId(s.pending[-1].subject)
    home = t.corporations[corp].homes[0][0]
    return None if a.corp == corp and a.hex == home else f"{corp} lays its home tile in {home} now."


def home_lays(t: Title, s: State, player: PlayerId) -> list[LayTile]:
    corp = CorpId(s.pending[-1].subject)
    hex_id = t.corporations[corp].homes[0][0]
    tiles = [tile for tile, left in s.supply.items() if left and t.tiles[tile].face.colour == "yellow"]
    return [LayTile(player, corp, hex_id, tile, rotation) for tile in tiles for rotation in range(6)]


def lay_home(t: Title, s: State, a: LayTile) -> None:
    s.pending = s.pending[:-1]
    track.put_tile(t, s, a.hex, a.tile, a.rotation)
    s.facts.append(TileLaid(a.corp, a.hex, a.tile, a.rotation, 0))


LAY_HOME = Verb(
    LayTile,
    home_lays,
    (
        home_hex, track.right_colour, track.colour_open, track.in_supply, track.same_label, same_stations,
        track.fixed_rotation, track.leads_somewhere,
    ),
    lay_home,
)  # fmt: skip
HOME_TILE = Step("home tile", (LAY_HOME,), lambda t, s: True)
