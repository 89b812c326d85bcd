"""Where everything on one hex goes: finding room for values, label, name, cost, symbols and coordinate.

Everything is in units of R, independent of the size in pixels.
"""

from __future__ import annotations

from engine.views import CompanyView, HexView, StopView
from renderer import text
from renderer.faces import Look, places
from renderer.geometry import APOTHEM, Point, corners, direction, segment_curve, slot_points, slot_radius
from renderer.placing import Obstacle, Room, around, for_names
from renderer.theme import BLOCKED, CASING, HEX_FILL, INK, TRACK_WIDTH, Rgb, mix

VALUE = 0.31
"""Letter sizes, in units of R."""
COORDINATE = 0.25
LABEL = 0.36
NAME = 0.225
NUMBER = 0.18


Written = tuple[Point, str, int, Rgb, bool, str, Rgb | None]
"""A text's place, words, size, colour, boldness, alignment and halo."""

ORDERS = (
    ("values", "label", "name", "cost"),
    ("cost", "label", "name", "values"),
    ("name", "values", "label", "cost"),
    ("label", "name", "cost", "values"),
)
"""Orders in which to place things, the usual one first."""


class HexPlan:
    """A hex at one size, with a place for everything on it."""

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
        self.texts: list[Written] = []
        self._fill_room()
        if look.texts:
            self._place_best()
        elif view.label:
            self._place_label()

    def px(self, part: float, least: int = 0) -> int:
        """A length in R as pixels, at least `least`."""
        return max(least, round(part * self.look.radius))

    def _wide(self, words: str, size: int, bold: bool = False) -> float:
        """The width of a text, in units of R."""
        return text.width(words, size, bold) / self.look.radius

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

    def _place_best(self) -> None:
        """Place everything; on a crowded hex, try several orders and keep the one that covers least."""
        if self.look.coordinate:
            self._place_coordinate()
        self._place_tiers()
        started = list(self.texts), list(self.room.obstacles)
        best: tuple[float, tuple[str, ...]] | None = None
        for order in ORDERS:
            spent = self._place_all(order)
            if best is None or spent < best[0]:
                best = spent, order
            if spent < 0.7:
                return
            self._start_again(*started)
        assert best is not None
        self._place_all(best[1])

    def _start_again(self, texts: list[Written], obstacles: list[Obstacle]) -> None:
        self.texts = list(texts)
        self.room.obstacles = list(obstacles)
        self.room.spent = 0.0
        for placed in (self.values, self.signs, self.plates):
            placed.clear()

    def _place_all(self, order: tuple[str, ...]) -> float:
        """Place everything in this order; return how much had to be covered."""
        view = self.view
        plain = not view.stops and not view.track
        if view.cost and plain:
            self._place_cost()
        for what in order:
            if what == "values":
                self._place_values()
            elif what == "label" and view.label:
                self._place_label()
            elif what == "name":
                self._place_name()
            elif what == "cost" and view.cost and not plain:
                self._place_cost()
        if view.blocked_by:
            self._place_sign("blocked", ",".join(view.blocked_by))
        for icon in view.icons:
            kind, _, words = icon.partition(":")
            brings = max((stop.subsidy for stop in view.stops), default=0) if kind == "mine" else 0
            self._place_sign(kind, f"+{brings}" if brings else words)
        if self.look.number and view.tile is not None:
            self._place_number()
        return self.room.spent

    def _place_coordinate(self) -> None:
        size = self.px(COORDINATE, 15)
        wide = self._wide(self.view.id, size)
        at = (-0.515 + wide / 2, -0.725) if self.layout == "flat" else (0.0, -0.76)
        half = (wide / 2, 0.09)
        # Always in the same corner, unless the tile has a city there.
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

    def tier_boxes(self, stop: StopView) -> list[tuple[str, str, float, float, int]]:
        """(tier, value, half width, half height, letter size) of each box, in units of R."""
        boxes = []
        for tier, value in stop.tiers:
            now = tier == stop.tier
            size = self.px(VALUE if now else 0.235 if len(stop.tiers) < 4 else 0.2, 15)
            wide = max(self._wide(str(value), size, bold=now) / 2 + (0.05 if now else 0.04), 0.13)
            boxes.append((tier, str(value), wide, 0.2 if now else 0.155, size))
        return boxes

    def _tiers_half(self, stop: StopView) -> Point:
        return sum(wide for _, _, wide, _, _ in self.tier_boxes(stop)), 0.2

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
            # Two digits fit in a ring, more need a longer plate.
            half = (max(0.225, wide), max(0.225, wide) if wide < 0.26 else 0.225)
            near = [p.point for _, p in counted] if same else [place.point]
            at = self.room.find(half, around(self.layout, near), disc=half[0] == half[1])
            self.values.append((at, half, str(stop.value)))

    def _place_label(self) -> None:
        long = len(self.view.label) > 2
        words, size = text.fitted(
            self.view.label,
            self.px(0.27 if long else LABEL, 12),
            1.25 * self.look.radius,
            bold=True,
            floor=self.px(0.2, 9),
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
        which, (x, y), cost = self.room.best_of([(half, 0.12 * i) for i, half in enumerate(halves)])
        lines, size = variants[which]
        self.room.add_box((x, y), halves[which])
        self.room.spent += cost
        high = 0.5 * size / self.look.radius
        colour = INK if self.view.colour in ("red", "brown", "gray") else mix(INK, self.fill, 0.12)
        for i, line in enumerate(lines):
            at = (x, y + (2 * i - len(lines) + 1) * high * 1.12)
            self.texts.append((at, line, size, colour, False, "m", self.fill))

    def _name_variants(self, name: str) -> list[tuple[tuple[str, ...], int]]:
        """Ways to write a name, best first: (lines, letter size). It is only cut if no way shows it in full."""
        most = 1.55 * self.look.radius
        made = []
        for size in (self.px(NAME, 15), self.px(0.19, 15), self.px(0.16, 15)):
            for room in (most, text.width(name, size) * 0.72):
                made.append(text.two_lines(name, size, room, floor=size))
        whole = [(lines, size) for lines, size in made if not lines[-1].endswith("…")]
        return whole or [text.two_lines(name, self.px(0.16, 15), most)]

    def _place_number(self) -> None:
        """Place the tile's number, but only if there is room to spare."""
        size = self.px(NUMBER, 15)
        half = (self._wide(self.view.printed_number, size) / 2, 0.09)
        costs = [(own + self.room.cost(spot, half), spot) for spot, own in around(self.layout)]
        cost, at = min(costs)
        if cost < 0.8:
            self.texts.append((at, self.view.printed_number, size, mix(INK, self.fill, 0.3), False, "m", None))
