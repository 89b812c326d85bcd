"""Track of 1860: two small yellow tiles or one other lay a turn; upgrades as far as the company's own trains go."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from engine.actions import Lay, LayTile, Pass
from engine.board.tiles import Turned, turned
from engine.facts import Passed, TileLaid
from engine.flow import can
from engine.ids import CorpId, PlayerId
from engine.printed import Face
from engine.state import State
from engine.steps import track
from engine.steps.common import PASS_STEP, just_pass, operator, own_turn
from engine.title import Step, Title, Verb, of_tile
from engine.titles.t1860.companies import has, in_receivership, southern_over
from engine.titles.t1860.distance import Limit, distances
from engine.titles.t1860.own import own
from engine.titles.t1860.upgrades import serves
from engine.titles.t1860.ways import ways

FAR = 99
"""More small stations than any route has."""


def is_large(faces: Turned) -> bool:
    """Whether the tile has a large station."""
    return any(stop.kind == "city" for stop in faces.face.stops)


@of_tile
def lays_left(t: Title, s: State, a: Lay) -> str | None:
    """Two yellow tiles without large stations, or one other lay."""
    done = own(s).laid
    if not done:
        return None
    if len(done) > 1 or not _small_yellow(s.board.face(done[0])) or not _small_yellow(turned(t.tiles[a.tile].face, 0)):
        return "You may lay one tile with a large station, or one upgrade, or two small yellow tiles."
    return None


def _small_yellow(face: Turned) -> bool:
    return face.face.colour == "yellow" and not is_large(face)


@of_tile
def more_lays_left(t: Title, s: State, a: Lay) -> str | None:
    """Option `accelerated_track`: one large-station tile; else two yellow tiles, or one yellow tile and one upgrade."""
    done = own(s).laid
    if not done:
        return None
    faces = [*(s.board.face(hex_id) for hex_id in done), turned(t.tiles[a.tile].face, 0)]
    upgrades = sum(1 for face in faces if face.face.colour != "yellow")
    if len(faces) > 2 or any(map(is_large, faces)) or upgrades > 1 or a.hex in done:
        return (
            "You may lay one tile with a large station, or two without: both yellow, or one an upgrade of another hex."
        )
    return None


@of_tile
def same_stations(t: Title, s: State, a: Lay) -> str | None:
    """As many large and as many small stations as the hex has; lettered tiles fit by their letter."""
    old, new = s.board.face(a.hex).face, t.tiles[a.tile].face
    if new.label in ("R", "C", "N", "V", "M"):
        return None
    if stations(old) == stations(new):
        return None
    return f"Tile {t.number(a.tile)} does not match the stations of {a.hex}."


@cache
def stations(face: Face) -> tuple[int, int]:
    """How many large and how many other stops it has."""
    large = sum(stop.kind == "city" for stop in face.stops)
    return large, len(face.stops) - large


@of_tile
def free_when_insolvent(t: Title, s: State, a: Lay) -> str | None:
    """An insolvent company lays only what costs nothing."""
    if has(s, "insolvent", a.corp) and track.lay_cost(t, s, a.corp, a.hex):
        return f"{a.corp} is insolvent and may lay only tiles that cost nothing."
    return None


@of_tile
def upgrade_needs_train(t: Title, s: State, a: Lay) -> str | None:
    """A company without a train upgrades nothing."""
    if s.trains[a.corp] or t.tiles[a.tile].face.colour == "yellow":
        return None
    return f"{a.corp} owns no train, so it cannot upgrade."


def reached_by_train(t: Title, s: State, a: LayTile) -> str | None:
    """A tile on a hex without track joins track to which a train comes, however long, that enters no hex twice."""
    face = s.board.face(a.hex)
    if face.segments or not ways(t).reaches_once:
        return None
    far = distances(s.board, a.corp, Limit(FAR, FAR, once=True))
    ends = (*turned(t.tiles[a.tile].face, a.rotation).exits, *range(6, 6 + len(face.face.stops)))
    if any((a.hex, end) in far for end in ends):
        return None
    return f"Trains of {a.corp} would come to tile {t.number(a.tile)} on {a.hex} only by entering another hex twice."


def joins_or_serves(t: Title, s: State, a: LayTile) -> str | None:
    """An upgrade brings track or value that one of the company's trains can use."""
    if s.board.face(a.hex).face.colour == "white":
        return None
    longest = max((t.trains[rank] for rank in s.trains[a.corp]), key=lambda train: train.reach or 0)
    small = FAR if ways(t).skips_small else longest.small  # 1860-VAR-11
    limit = Limit(longest.reach or 0, small, ways(t).counts_calls_apart, ways(t).reaches_once)
    if serves(s.board, a.corp, a.hex, a.tile, a.rotation, limit, ways(t).upgrades_raise):
        return None
    return f"No {longest.rank}-train of {a.corp} could use anything new on tile {t.number(a.tile)} on {a.hex}."


def lay(t: Title, s: State, a: LayTile) -> None:
    """Lay the tile and note its hex, which decides what may still be laid in this turn. {1860-TRK-02}"""
    track.lay(t, s, a)
    s.own = replace(own(s), laid=(*own(s).laid, a.hex))


def lay_verb(*, accelerated: bool) -> Verb:
    """The lay of a company's turn, with or without this option. {1860-VAR-06}"""
    return Verb(
        LayTile,
        track.every_lay,
        (
            own_turn, more_lays_left if accelerated else lays_left, track.right_colour, track.colour_open,
            track.in_supply, track.same_label, same_stations, track.fixed_rotation, track.keeps_old_track,
            track.leads_somewhere, track.terrain_affordable, free_when_insolvent, upgrade_needs_train,
            track.reachable, reached_by_train, joins_or_serves,
        ),
        lay,
    )  # fmt: skip


def may_build(t: Title, s: State) -> bool:
    """Asked while another lay may follow: that is so after one small yellow tile."""
    return _may_follow(s, _small_yellow)


def may_build_more(t: Title, s: State) -> bool:
    """Option `accelerated_track`: after any one tile without a large station."""
    return _may_follow(s, lambda face: not is_large(face))


def _may_follow(s: State, after: Callable[[Turned], bool]) -> bool:
    """Whether a lay may come; nobody builds without a director or after Southern. {1860-TRK-17, -18}"""
    done = own(s).laid
    if in_receivership(s, operator(s)) or southern_over(s) or len(done) > 1:
        return False
    return not done or after(s.board.face(done[0]))


def track_step(*, accelerated: bool) -> Step:
    """The track step with the lay for this option. {1860-VAR-06}"""
    verbs = (lay_verb(accelerated=accelerated), PASS_STEP)
    return Step(track.TRACK.name, verbs, may_build_more if accelerated else may_build)


# The home tile, laid when the company floats


def home_hex(t: Title, s: State, a: LayTile) -> str | None:
    """The director lays it in the company's home."""
    corp = CorpId(s.pending[-1].subject)
    home = t.corporations[corp].homes[0][0]
    return None if a.corp == corp and a.hex == home else f"{corp} lays its home tile on {home} now."


def home_lays(t: Title, s: State, player: PlayerId) -> list[LayTile]:
    """Each yellow tile of the supply in the company's home, turned each way."""
    corp = CorpId(s.pending[-1].subject)
    hex_id = t.corporations[corp].homes[0][0]
    tiles = [tile for tile, left in s.supply.items() if left and t.tiles[tile].face.colour == "yellow"]
    return [LayTile(player, corp, hex_id, tile, rotation) for tile in tiles for rotation in range(6)]


def lay_home(t: Title, s: State, a: LayTile) -> None:
    """Lay the home tile: it is free, and none of the company's lays. {1860-FLT-03}"""
    s.pending = s.pending[:-1]
    track.put_tile(t, s, a.hex, a.tile, a.rotation)
    s.facts.append(TileLaid(a.corp, a.hex, a.tile, a.rotation, 0))


LAY_HOME = Verb(
    LayTile,
    home_lays,
    (home_hex, track.right_colour, track.in_supply, track.same_label, same_stations, track.leads_somewhere),
    lay_home,
)


def no_home_tile(t: Title, s: State, a: Pass) -> str | None:
    """Only where no tile of the supply serves is none laid."""
    if can(t, s, LAY_HOME, a.by):
        return f"{s.pending[-1].subject} lays its home tile now."
    return None


def go_without(t: Title, s: State, a: Pass) -> None:
    """Only the base is placed. {1860-FLT-04}"""
    s.pending = s.pending[:-1]
    s.facts.append(Passed(a.by, HOME_TILE.name))


HOME_TILE = Step("home tile", (LAY_HOME,))
HOME_TILE_OR_NONE = Step("home tile", (LAY_HOME, Verb(Pass, just_pass, (no_home_tile,), go_without)))
"""Option `online`: the director is asked even where he can only pass."""
