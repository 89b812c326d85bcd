"""The picture of one hex: ground, track, stops, values, name, coordinate and tokens.

A hex is drawn in two layers, so that routes can run over the track and under the stops. Layers are kept by what they
show; positions, track and room for text are found in units of R and kept apart from the size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image

from engine.board.hexes import Layout
from engine.board.tiles import turned
from engine.ids import HexId, TileId
from engine.printed import TileDef
from engine.views import CompanyView, HexView, StopView
from renderer import atoms, text
from renderer.cache import Kept
from renderer.geometry import (
    APOTHEM,
    Curve,
    Place,
    Point,
    StopShape,
    corners,
    direction,
    half_size,
    segment_curve,
    side_ends,
    slot_points,
    slot_radius,
    stop_places,
)
from renderer.pen import Pen
from renderer.placing import Room, around, for_names
from renderer.theme import (
    BLOCKED,
    CASING,
    HEX_FILL,
    HEX_LINE,
    INK,
    RIVER,
    SOFT_INK,
    TIER_FILL,
    TRACK_WIDTH,
    VALUE_FILL,
    WHITE,
    Rgb,
    mix,
)
from renderer.tokens import centre_on, company_token, short_letters

VALUE = 0.31
"""Letter sizes, of R."""
COORDINATE = 0.25
LABEL = 0.36
NAME = 0.225
NUMBER = 0.18


@dataclass(frozen=True, slots=True)
class Look:
    """How much of a hex is shown."""

    layout: Layout
    radius: int
    """Pixels of R."""
    texts: bool = True
    """False for very small pictures, where letters would be unreadable."""
    local_names: bool = False
    coordinate: bool = True
    number: bool = True


def places(view: HexView, layout: Layout) -> tuple[Place, ...]:
    """Where the stops of a hex are drawn, of R from its centre."""
    shapes = tuple(
        StopShape(stop.kind, max(len(stop.slots), 1) if stop.kind == "city" else 0, stop.at) for stop in view.stops
    )
    return stop_places(layout, view.rotation, shapes, view.track)


def curve(view: HexView, layout: Layout, first: int, second: int) -> Curve:
    """The line of a piece of track, from its first end to its second."""
    return segment_curve(layout, places(view, layout), first, second)


def plain_hex(tile: TileDef, tile_id: TileId, rotation: int = 0, name: str = "") -> HexView:
    """A tile on its own, as a hex to be drawn; stops with tiers count their first value."""
    stops = tuple(
        StopView(
            kind=stop.kind,
            value=stop.tiers[0][1] if stop.tiers else stop.revenue,
            tiers=stop.tiers,
            tier=stop.tiers[0][0] if stop.tiers else "",
            slots=(None,) * stop.slots,
            at=stop.at,
            group=stop.group,
        )
        for stop in tile.face.stops
    )
    track = tuple(sorted(turned(tile.face, rotation).segments))
    printed = tile.printed or str(tile_id)
    return HexView(
        HexId("A1"),
        0,
        0,
        tile.face.colour,
        stops,
        track,
        rotation,
        tile_id,
        printed,
        tile.face.label,
        name,
        icons=tile.icons,
    )


_KEPT: Kept[Image.Image] = Kept(48 << 20)
_KEPT_LAYERS: Kept[tuple[Image.Image, Image.Image]] = Kept(24 << 20)


def whole_hex(
    view: HexView, look: Look, companies: Sequence[CompanyView], *, first_of_group: bool = True
) -> Image.Image:
    """A hex with everything on it: an RGBA image of the hex's bounding box and a pixel around."""
    key = _seen(view, look, companies, first_of_group)
    made = _KEPT.get(key)
    if made is None:
        made = Image.alpha_composite(*hex_layers(view, look, companies, first_of_group=first_of_group))
        _KEPT.put(key, made, made.width * made.height * 4)
    return made


def hex_layers(
    view: HexView, look: Look, companies: Sequence[CompanyView], *, first_of_group: bool = True
) -> tuple[Image.Image, Image.Image]:
    """The same in two layers, so that routes can run between them: fill, terrain and track; stops, values and words."""
    key = _seen(view, look, companies, first_of_group)
    made = _KEPT_LAYERS.get(key)
    if made is None:
        art = _Art(*key)
        made = (art.ground(), art.top())
        _KEPT_LAYERS.put(key, made, 2 * made[0].width * made[0].height * 4)
    return made


def _seen(
    view: HexView, look: Look, companies: Sequence[CompanyView], first_of_group: bool
) -> tuple[HexView, Look, tuple[CompanyView, ...]]:
    """What the picture of a hex depends on: not where it lies, nor companies without a token there."""
    shown = {corp for stop in view.stops for corp in (*stop.slots, *stop.reserved)}
    concerned = tuple(company for company in companies if company.id in shown)
    if any(len(company.id) > 4 for company in concerned):
        concerned = tuple(companies)
    seen = replace(view, x=0, y=0)
    if not first_of_group:
        seen = replace(
            seen, name="", name_local="", stops=tuple(replace(stop, tiers=(), value=0) for stop in view.stops)
        )
    return seen, look, concerned


class _Art:
    """One hex while it is drawn: first room is found for everything, then the layers are painted."""

    def __init__(self, view: HexView, look: Look, companies: tuple[CompanyView, ...]) -> None:
        self.view, self.look, self.companies = view, look, companies
        self.layout = look.layout
        self.fill = HEX_FILL.get(view.colour, HEX_FILL["white"])
        self.places = places(view, look.layout)
        self.curves = [(a, b, segment_curve(look.layout, self.places, a, b)) for a, b in view.track]
        self.room = Room(look.layout)
        self.values: list[tuple[Point, Point, str]] = []
        self.tiers: list[tuple[Point, StopView]] = []
        self.plates: list[tuple[Point, Point]] = []
        self.signs: list[tuple[str, Point, float]] = []
        self.texts: list[tuple[Point, str, int, Rgb, bool, str, Rgb | None]] = []
        self._fill_room()
        if look.texts:
            self._place_all()
        elif view.label:
            self._place_label()

    def px(self, part: float, least: int = 0) -> int:
        return max(least, round(part * self.look.radius))

    def _wide(self, words: str, size: int, bold: bool = False) -> float:
        """Width of a text, of R."""
        return text.width(words, size, bold) / self.look.radius

    # -- finding room

    def _fill_room(self) -> None:
        for a, b, line in self.curves:
            off = [end - 6 for end in (a, b) if end >= 6 and self.view.stops[end - 6].kind == "offboard"]
            if off:
                way = direction(self.layout, min(a, b))
                line = ((APOTHEM * way[0], APOTHEM * way[1]), (0.36 * way[0], 0.36 * way[1]))
            self.room.add_curve(line, TRACK_WIDTH / 2 + CASING)
        for stop, place in zip(self.view.stops, self.places, strict=True):
            if stop.kind == "city":
                for point in slot_points(place, max(1, len(stop.slots))):
                    self.room.add_disc(point, slot_radius(place, max(1, len(stop.slots))) + 0.05)
            elif stop.kind in ("town", "halt"):
                self.room.add_disc(place.point, 0.16)

    def _place_all(self) -> None:
        view = self.view
        if self.look.coordinate:
            self._place_coordinate()
        self._place_tiers()
        self._place_values()
        if view.label:
            self._place_label()
        plain = not view.stops and not view.track
        if view.cost and plain:
            self._place_cost()
        self._place_name()
        if view.cost and not plain:
            self._place_cost()
        if view.blocked_by:
            self._place_sign("blocked", ",".join(view.blocked_by))
        for icon in view.icons:
            kind, _, words = icon.partition(":")
            self._place_sign(kind, words)
        if self.look.number and view.tile is not None:
            self._place_number()

    def _place_coordinate(self) -> None:
        size = self.px(COORDINATE, 15)
        wide = self._wide(self.view.id, size)
        at = (-0.515 + wide / 2, -0.725) if self.layout == "flat" else (0.0, -0.76)
        half = (wide / 2, 0.09)
        # Always in the same corner, but for a tile that has a city there.
        corner_spots = [(x * 0.74, y * 0.74) for x, y in corners(self.layout)]
        at = self.room.find(half, [(at, -3.0), *((spot, 0.0) for spot in corner_spots)])
        strong = mix(INK, self.fill, 0.28)
        self.texts.append((at, self.view.id, size, strong, False, "m", None))

    def _place_tiers(self) -> None:
        for stop, place in zip(self.view.stops, self.places, strict=True):
            if not stop.tiers:
                continue
            half = self._tiers_half(stop)
            sides = [min(a, b) for a, b, _ in self.curves]
            if stop.kind == "offboard" and sides:
                ways = [direction(self.layout, side) for side in sides]
                mean = (sum(x for x, _ in ways) / len(ways), sum(y for _, y in ways) / len(ways))
                liked = (-0.24 * mean[0], -0.24 * mean[1])
                spots = [((0.0, row * 0.05), abs(row * 0.05 - liked[1]) * 0.2) for row in range(-12, 13)]
            else:
                spots = for_names(half)
                del place
            self.tiers.append((self.room.find(half, spots), stop))

    def _tier_boxes(self, stop: StopView) -> list[tuple[str, str, float, float, int]]:
        """(tier, value, half width, half height, letter size) of each box, of R."""
        boxes = []
        for tier, value in stop.tiers:
            now = tier == stop.tier
            size = self.px(VALUE if now else 0.235 if len(stop.tiers) < 4 else 0.2, 15)
            wide = max(self._wide(str(value), size, bold=now) / 2 + (0.05 if now else 0.04), 0.13)
            boxes.append((tier, str(value), wide, 0.2 if now else 0.155, size))
        return boxes

    def _tiers_half(self, stop: StopView) -> Point:
        return sum(wide for _, _, wide, _, _ in self._tier_boxes(stop)), 0.2

    def _place_values(self) -> None:
        counted = [
            (stop, place)
            for stop, place in zip(self.view.stops, self.places, strict=True)
            if stop.value and not stop.tiers
        ]
        same = len({(stop.kind, stop.value) for stop, _ in counted}) == 1
        for stop, place in counted[:1] if same else counted:
            size = self.px(VALUE, 13)
            wide = self._wide(str(stop.value), size, bold=True) / 2 + 0.035
            # Two figures go into a ring, more into a longer plate.
            half = (max(0.225, wide), max(0.225, wide) if wide < 0.26 else 0.225)
            near = [p.point for _, p in counted] if same else [place.point]
            at = self.room.find(half, around(self.layout, near), disc=half[0] == half[1])
            self.values.append((at, half, str(stop.value)))

    def _place_label(self) -> None:
        long = len(self.view.label) > 2
        words, size = text.fitted(
            self.view.label, self.px(0.27 if long else LABEL, 12), 1.25 * self.look.radius, bold=True, floor=self.px(0.2, 9)
        )
        half = (self._wide(words, size, bold=True) / 2, 0.1 if long else 0.13)
        at = self.room.find(half, [*around(self.layout), *(for_names(half) if long else ())])
        self.texts.append((at, words, size, INK, True, "m", self.fill))

    def _place_cost(self) -> None:
        kinds = self.view.terrain or ("cost",)
        size = self.px(0.3, 15)
        words = str(self.view.cost)
        if not self.view.stops and not self.view.track:
            gap = 0.26 if len(kinds) > 1 else 0.0
            for i, kind in enumerate(kinds):
                self.signs.append((kind, ((2 * i - len(kinds) + 1) * gap, -0.16), 0.5 if len(kinds) == 1 else 0.42))
            self.room.add_box((0.0, -0.1), (0.35 + gap / 2, 0.3))
            self.room.add_box((0.0, 0.34), (0.3, 0.14))
            self.texts.append(((0.0, 0.34), words, size, INK, False, "m", None))
            return
        wide = self._wide(words, size) / 2
        if not self.view.terrain:
            half = (wide + 0.07, 0.16)
            at = self.room.find(half, around(self.layout))
            self.plates.append((at, half))
            self.texts.append((at, words, size, INK, False, "m", None))
            return
        sign = 0.3 * len(kinds)
        half = (wide + sign / 2 + 0.03, 0.15)
        x, y = self.room.find(half, around(self.layout))
        for i, kind in enumerate(kinds):
            self.signs.append((kind, (x - half[0] + 0.15 + 0.3 * i, y), 0.27))
        self.texts.append(((x + half[0] - wide, y), words, size, INK, False, "m", self.fill))

    def _place_sign(self, kind: str, words: str) -> None:
        size = self.px(0.21, 15)
        wide = self._wide(words, size, bold=True) if words else 0.0
        half = (0.14 + wide / 2 + (0.03 if words else 0), 0.15)
        x, y = self.room.find(half, around(self.layout, [(0.5, 0.5)] if kind == "blocked" else ()))
        self.signs.append((kind, (x - half[0] + 0.14, y), 0.27))
        if words:
            colour = BLOCKED if kind == "blocked" else INK
            self.texts.append(((x + half[0] - wide / 2, y), words, size, colour, True, "m", self.fill))

    def _place_name(self) -> None:
        name = (self.look.local_names and self.view.name_local) or self.view.name
        if not name or name == self.view.label:
            return
        variants = list(dict.fromkeys(self._name_variants(name)))
        halves = [
            (max(self._wide(line, size) for line in lines) / 2, 0.54 * size * len(lines) / self.look.radius)
            for lines, size in variants
        ]
        which, (x, y), _ = self.room.best_of([(half, 0.12 * i) for i, half in enumerate(halves)])
        lines, size = variants[which]
        self.room.add_box((x, y), halves[which])
        high = 0.5 * size / self.look.radius
        colour = INK if self.view.colour in ("red", "brown", "gray") else mix(INK, self.fill, 0.12)
        for i, line in enumerate(lines):
            at = (x, y + (2 * i - len(lines) + 1) * high * 1.12)
            self.texts.append((at, line, size, colour, False, "m", self.fill))

    def _name_variants(self, name: str) -> list[tuple[tuple[str, ...], int]]:
        """Ways to write a name, better ones first: (lines, letter size). Cut only where no way shows it whole."""
        most = 1.55 * self.look.radius
        made = []
        for size in (self.px(NAME, 15), self.px(0.19, 15), self.px(0.16, 15)):
            for room in (most, text.width(name, size) * 0.72):
                made.append(text.two_lines(name, size, room, floor=size))
        whole = [(lines, size) for lines, size in made if not lines[-1].endswith("…")]
        return whole or [text.two_lines(name, self.px(0.16, 15), most)]

    def _place_number(self) -> None:
        size = self.px(NUMBER, 15)
        half = (self._wide(self.view.printed_number, size) / 2, 0.09)
        at = self.room.find(half, around(self.layout))
        if self.room.cost(at, half) < 1.0:
            self.texts.append((at, self.view.printed_number, size, mix(INK, self.fill, 0.3), False, "m", None))

    # -- painting

    def ground(self) -> Image.Image:
        pen = Pen(self.look.radius, half_size(self.layout))
        outline = corners(self.layout, 1.006)
        view = self.view
        line = HEX_LINE.get(view.colour, HEX_LINE["white"])
        pen.polygon(outline, self.fill)
        if view.tile is not None or view.colour not in ("white", "blue"):
            inner = corners(self.layout, 0.955)
            if not view.joined:
                pen.line([*inner, inner[0], inner[1]], 0.022, mix(self.fill, WHITE, 0.45))
        if view.blocked_by:
            atoms.hatching(pen, outline, (*BLOCKED, 70))
        for kind, at, size in self.signs:
            if kind in ("mountain", "water", "wall", "urban", "cost") and not view.stops and not view.track:
                atoms.terrain(pen, kind, at, size)
        self._track(pen)
        for side in range(6):
            if side in view.joined:
                continue
            a, b = side_ends(self.layout, side)
            pen.line([a, b], 0.034, line)
        for side in view.impassable:
            a, b = side_ends(self.layout, side)
            pen.line([a, b], 0.15, RIVER, round_ends=True)
        pen.keep_inside(outline)
        return pen.finished()

    def _track(self, pen: Pen) -> None:
        for group in _joined(self.view.track):
            lines = [line for a, b, line in self.curves if (a, b) in group]
            offs = [self._off(a, b) for a, b, _ in self.curves if (a, b) in group]
            for extra, fill in ((2 * CASING, mix(self.fill, WHITE, 0.72)), (0.0, INK)):
                for line, off in zip(lines, offs, strict=True):
                    if off is None:
                        pen.line(line, TRACK_WIDTH + extra, fill)
                    else:
                        atoms.stub(pen, direction(self.layout, off), TRACK_WIDTH + extra, fill)

    def _off(self, a: int, b: int) -> int | None:
        """The side of a piece of track that leads off the board, None for any other piece."""
        if a < 6 <= b and self.view.stops[b - 6].kind == "offboard":
            return a
        if b < 6 <= a and self.view.stops[a - 6].kind == "offboard":
            return b
        return None

    def top(self) -> Image.Image:
        pen = Pen(self.look.radius, half_size(self.layout))
        for i, (stop, place) in enumerate(zip(self.view.stops, self.places, strict=True)):
            ends = sum(6 + i in pair for pair in self.view.track)
            if stop.kind == "city":
                atoms.city(pen, place, max(1, len(stop.slots)))
            elif stop.kind in ("town", "halt"):
                atoms.town(pen, place, ends, halt=stop.kind == "halt")
        for at, half, _ in self.values:
            pen.box(at, half, min(half), VALUE_FILL, INK, CASING)
        for at, half in self.plates:
            pen.box(at, half, 0.03, mix(self.fill, WHITE, 0.72), mix(INK, self.fill, 0.25), 0.022)
        for at, stop in self.tiers:
            self._tier_frames(pen, at, stop)
        for kind, at, size in self.signs:
            self._sign(pen, kind, at, size)
        made = pen.finished()
        self._letters(made)
        self._tokens(made)
        return made

    def _sign(self, pen: Pen, kind: str, at: Point, size: float) -> None:
        if kind == "blocked":
            atoms.barred(pen, at, size * 0.5)
        elif kind == "port":
            atoms.anchor(pen, at, size)
        elif kind == "mine":
            atoms.mine(pen, at, size)
        elif kind == "destination":
            pen.line([(at[0] - 0.08, at[1] + 0.14), (at[0] - 0.08, at[1] - 0.15)], 0.03, INK)
            pen.polygon([(at[0] - 0.08, at[1] - 0.15), (at[0] + 0.12, at[1] - 0.07), (at[0] - 0.08, at[1] + 0.01)], INK)
        elif self.view.stops or self.view.track:
            atoms.terrain(pen, kind, at, size)

    def _tier_frames(self, pen: Pen, at: Point, stop: StopView) -> None:
        boxes = self._tier_boxes(stop)
        x = at[0] - sum(wide for _, _, wide, _, _ in boxes)
        current: tuple[Point, Point, Rgb] | None = None
        for tier, value, wide, high, size in boxes:
            fill = TIER_FILL.get(tier, WHITE)
            middle = (x + wide, at[1])
            if tier == stop.tier:
                current = (middle, (wide + 0.02, high + 0.02), fill)
            else:
                pen.box(middle, (wide, high), 0.03, fill, mix(INK, fill, 0.35), 0.018)
            colour = WHITE if tier == "diesel" else INK if tier == stop.tier else mix(INK, fill, 0.15)
            self.texts.append((middle, value, size, colour, tier == stop.tier, "m", None))
            x += 2 * wide
        if current is not None:
            pen.box(current[0], current[1], 0.05, current[2], INK, 0.045)

    def _letters(self, image: Image.Image) -> None:
        for at, _, value in self.values:
            self._write(image, at, value, self.px(VALUE, 13), INK, bold=True)
        for at, words, size, colour, bold, align, halo in self.texts:
            self._write(image, at, words, size, colour, bold=bold, align=align, halo=halo)

    def _write(
        self,
        image: Image.Image,
        at: Point,
        words: str,
        size: int,
        colour: Rgb,
        *,
        bold: bool = False,
        align: str = "m",
        halo: Rgb | None = None,
    ) -> None:
        x, y = self._pixel(image, at)
        text.draw(image, x, y, words, size, colour, bold=bold, align=align, halo=halo)

    def _pixel(self, image: Image.Image, at: Point) -> Point:
        return image.width / 2 + at[0] * self.look.radius, image.height / 2 + at[1] * self.look.radius

    def _tokens(self, image: Image.Image) -> None:
        known = {company.id: company for company in self.companies}
        for stop, place in zip(self.view.stops, self.places, strict=True):
            waiting = list(stop.reserved)
            slots = stop.slots or ((None,) if stop.kind == "city" else ())
            points = slot_points(place, len(slots)) if slots else []
            for point, corp in zip(points, slots, strict=True):
                at = self._pixel(image, point)
                radius = slot_radius(place, len(slots)) * self.look.radius
                if corp is not None and corp in known:
                    centre_on(image, company_token(known[corp], self.companies, radius), at)
                elif corp is None and waiting:
                    home = known.get(waiting.pop(0))
                    if home is not None and self.look.texts:
                        words = short_letters(home, self.companies)
                        size = self.px(0.26, 12)
                        while size > 9 and text.width(words, size, True) > 1.7 * radius:
                            size -= 1
                        text.draw(image, *at, words, size, mix(SOFT_INK, WHITE, 0.3), bold=True)


def _joined(track: tuple[tuple[int, int], ...]) -> list[set[tuple[int, int]]]:
    """Pieces of track in groups that meet; groups only cross one another, later ones above."""
    groups: list[set[tuple[int, int]]] = []
    for piece in track:
        meeting = [group for group in groups if any(set(piece) & set(other) for other in group)]
        groups = [group for group in groups if group not in meeting]
        groups.append({piece}.union(*meeting))
    return groups
