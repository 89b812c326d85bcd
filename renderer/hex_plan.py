"""Where everything on one hex goes: finding room for values, label, name, cost, symbols and coordinate.

Everything is in units of R, independent of the size in pixels.
"""

import math
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.board.hexes import Layout
from engine.views import HexView, StopView
from renderer import atoms, text
from renderer.geometry import APOTHEM, Point, direction, places, segment_curve, side_ends, slot_points, slot_radius
from renderer.hex_ground import Sign, is_empty, leads_off, terrain_signs
from renderer.placing import COVERS, Space, Spots, around, around_or_for_names, for_coordinate, for_names
from renderer.theme import BARRIER, BLOCKED, CASING, HEX_FILL, INK, TOWN_BAR, TOWN_DOT, TRACK_WIDTH, Rgb, faded, mix

VALUE = 0.31
"""Letter sizes, in units of R."""
COORDINATE = 0.25
LABEL = 0.36
NAME = 0.225
NUMBER = 0.18


Written = tuple[Point, str, int, Rgb, bool, Rgb | None]
"""The middle of a text, its words, size, colour, boldness and halo."""

THINGS = ("tiers", "values", "label", "name", "cost", "signs")
"""What is placed on a hex, in the usual order."""
TRIES = 8
"""How many orders are tried on a crowded hex."""
ROOMY = 0.7
SNUG = 4.0
"""What a hex may cost before another order is tried, placed loosely or packed."""

LIKED = 0.4
"""What a spot costs at most that is one of the liked ones, and not elsewhere."""

SIGN = 0.27
RIM, HULL = 0.035, 0.085
"""How far the rim of a city goes beyond its slot, and the white hull beyond several."""

PRESENT = 2.0
"""The cost of showing only the present value of a city whose value changes with the phase."""
UNNAMED = 1.5
"""The cost of leaving out the name: less than that of covering anything. Its coordinate still tells the place."""
TOLD_BY_LABEL = 0.3
"""The cost where the label is part of the name."""


@dataclass(frozen=True, slots=True)
class HexLook:
    """How a hex is drawn: its size, and how much of it is shown."""

    layout: Layout
    radius: int
    """Pixels of R."""
    texts: bool = True
    """False for very small pictures, where text would be unreadable."""
    local_names: bool = False
    coordinate: bool = True
    number: bool = True
    least: int = 0
    """The smallest letters, in pixels, except on a hex where they would cover something."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """One or more lines as they are drawn: the box of their ink, and where in it the lines belong, in units of R."""

    lines: tuple[str, ...]
    size: int
    half: Point
    starts: tuple[Point, ...]
    """Each line's middle, from the middle of the box."""


@dataclass(frozen=True, slots=True)
class Rendition:
    """A way to show something: half its width and height, what it costs that it is not the preferred one."""

    half: Point
    dear: float
    place: Callable[[Point], None]
    """Writes it down at the spot found for its middle."""
    disc: bool = False


@dataclass(frozen=True, slots=True)
class TierBox:
    """The box of one of several values: its middle, from the middle of them all, and half its size."""

    tier: str
    value: str
    at: Point
    half: Point
    size: int


TIER_FORMS = tuple((scale, rows) for rows in (1, 2) for scale in (1.0, 0.85, 0.7, 0.6))
"""Scale and number of rows of the values of an area, the preferred form first."""


class HexPlan:
    """A hex at one size, with a place for everything on it."""

    def __init__(self, view: HexView, look: HexLook) -> None:
        self.view, self.look = view, look
        self.layout = look.layout
        self.empty = is_empty(view)
        self.fill = HEX_FILL.get(view.colour, HEX_FILL["white"])
        self.places = places(view, look.layout)
        self.curves = [(a, b, segment_curve(look.layout, self.places, a, b)) for a, b in view.track]
        self.space = Space(look.layout)
        self.values: list[tuple[Point, Point, str, int]] = []
        self.tiers: list[tuple[Point, StopView, list[TierBox]]] = []
        self.plates: list[tuple[Point, Point]] = []
        self.signs: list[Sign] = []
        self.texts: list[Written] = []
        self.snug = False
        """Whether things are packed, because they did not fit where they look best."""
        self.last = False
        """Whether nothing is placed after it."""
        self._fill_room()
        if look.texts:
            self._place_best()
        else:
            self._place_label()

    def px(self, part: float, least: int = 0) -> int:
        """The size of letters that are this part of R, at least `least`."""
        return max(least, self.look.least, round(part * self.look.radius))

    def _wide(self, words: str, size: int, bold: bool = False) -> float:
        """The width of a text, in units of R."""
        return text.width(words, size, bold) / self.look.radius

    def _block(self, lines: Sequence[str], size: int, bold: bool = False) -> TextBlock:
        """Lines as they are drawn, one below the other."""
        drawn = [text.ink(line, size, bold) for line in lines]
        down = [1.12 * size * i for i in range(len(lines))]
        left, right = min(box[0] for box in drawn), max(box[2] for box in drawn)
        top, bottom = drawn[0][1], down[-1] + drawn[-1][3]
        radius = self.look.radius
        middle = ((left + right) / 2, (top + bottom) / 2)
        return TextBlock(
            tuple(lines),
            size,
            ((right - left) / 2 / radius, (bottom - top) / 2 / radius),
            tuple((-middle[0] / radius, (y - middle[1]) / radius) for y in down),
        )

    def _write_block(self, at: Point, block: TextBlock, colour: Rgb, *, bold: bool = False, halo: bool = True) -> None:
        for line, (x, y) in zip(block.lines, block.starts, strict=True):
            self.texts.append(((at[0] + x, at[1] + y), line, block.size, colour, bold, self.fill if halo else None))

    def _fit(
        self, forms: Sequence[Rendition], spots: Spots, *, left_out: float = math.inf, anywhere: bool = True
    ) -> None:
        """Show one of several forms, the preferred one first, where it fits.

        `left_out` is the cost of showing none. Unless it may be `anywhere`, it is not packed.
        """
        snug = self.snug and anywhere
        best: tuple[float, Point, Rendition] | None = None
        for form in forms:
            at, cost = self.space.best(form.half, spots, disc=form.disc, snug=snug) or ((0.0, 0.0), COVERS)
            if cost < COVERS and (best is None or form.dear + cost < best[0]):
                best = form.dear + cost, at, form
            if cost < 0.15:
                break
        if min(best[0] if best else math.inf, COVERS) > left_out:
            self.space.spent += left_out
            return
        if best is None:
            at, cost = self.space.least_covered(forms[-1].half, spots)
            best = cost, at, forms[-1]
        cost, at, form = best
        if snug and self.last:  # as it need leave room for nothing else, it crowds nothing without need
            loose = self.space.best(form.half, spots, disc=form.disc)
            at = loose[0] if loose and loose[1] < LIKED else at
        self.space.take(at, form.half, cost, disc=form.disc)
        form.place(at)

    def _fill_room(self) -> None:
        for a, b, line in self.curves:
            if leads_off(self.view, (a, b)):
                way = direction(self.layout, a)
                line = ((APOTHEM * way[0], APOTHEM * way[1]), (0.36 * way[0], 0.36 * way[1]))
            self.space.add_curve(line, TRACK_WIDTH / 2)
        for side in self.view.impassable:
            self.space.add_curve(side_ends(self.layout, side), BARRIER / 2)
        for i, (stop, place) in enumerate(zip(self.view.stops, self.places, strict=True)):
            if stop.kind == "city":
                slots = max(1, len(stop.slots))
                points = slot_points(place, slots)
                for n, point in enumerate(points):
                    self.space.add_disc(point, slot_radius(place, slots) + (HULL if slots > 1 else RIM))
                    for other in points[:n]:
                        self.space.add_curve((point, other), slot_radius(place, slots) + HULL)
            elif stop.kind in ("town", "halt"):
                if sum(6 + i in pair for pair in self.view.track) in (1, 2):
                    self.space.add_curve(atoms.town_bar(place, CASING), TOWN_BAR[1] / 2 + CASING)
                else:
                    self.space.add_disc(place.point, TOWN_DOT + CASING)

    def _place_best(self) -> None:
        """Place everything; on a crowded hex, try several orders and keep the one that covers least."""
        bare = self.space.taken
        if self.look.coordinate:
            self._place_coordinate()
        started = list(self.texts), self.space.taken
        found: list[tuple[float, bool, tuple[str, ...]]] = []
        for self.snug, enough in ((False, ROOMY), (True, SNUG)):
            for order, cost in self._orders_tried():
                found.append((cost, self.snug, order))
                if cost < enough:
                    return
                self._start_again(*started)
            if min(cost for cost, _, _ in found) < UNNAMED:
                break
        cost, self.snug, order = min(found, key=lambda one: one[0])
        if cost >= COVERS and self.look.least:
            self._start_again([], bare)
            self.look = replace(self.look, least=0)
            self._place_best()
        else:
            self._place_all(order)

    def _orders_tried(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """Everything placed in one order after another, what cost much first the next time: (order, cost)."""
        tried: set[tuple[str, ...]] = set()
        order: tuple[str, ...] | None = THINGS
        while order is not None and len(tried) < TRIES:
            tried.add(order)
            spent = self._place_all(order)
            yield order, sum(spent.values())
            order = _next_order(order, spent, tried)

    def _start_again(self, texts: list[Written], taken: int) -> None:
        self.texts = list(texts)
        self.space.taken = taken
        for placed in (self.tiers, self.values, self.signs, self.plates):
            placed.clear()

    def _place_all(self, order: tuple[str, ...]) -> dict[str, float]:
        """Place everything in this order; return what each thing cost."""
        place = {
            "tiers": self._place_tiers,
            "values": self._place_values,
            "label": self._place_label,
            "name": self._place_name,
            "cost": self._place_cost,
            "signs": self._place_signs,
        }
        if self.view.cost and self.empty:
            self._place_terrain()
        spent = {}
        for what in order:
            self.space.spent, self.last = 0.0, what == order[-1]
            place[what]()
            spent[what] = self.space.spent
        if self.look.number and self.view.tile is not None:
            self._place_number()
        return spent

    def _place_coordinate(self) -> None:
        for part in (COORDINATE, 0.21, 0.18):
            block = self._block((self.view.id,), self.px(part, 15))
            spots = for_coordinate(self.layout, block.half[0])
            if self.space.best(block.half, spots) is not None:
                break
        at = self.space.find(block.half, spots)
        self._write_block(at, block, faded(INK, self.fill, 0.28), halo=False)

    def _place_tiers(self) -> None:
        for stop in self.view.stops:
            if stop.tiers:
                forms = [self._tiers_form(stop, *shape) for shape in TIER_FORMS]
                if stop.kind != "offboard":
                    present = replace(stop, tiers=tuple(pair for pair in stop.tiers if pair[0] == stop.tier))
                    forms += [self._tiers_form(present, scale, 1, PRESENT) for scale in (1.0, 0.85, 0.7, 0.6)]
                self._fit(forms, self._tier_spots(stop))

    def _tiers_form(self, stop: StopView, scale: float, rows: int, dear: float = 0.0) -> Rendition:
        boxes = self.tier_boxes(stop, scale, rows)
        half = tuple(max(abs(box.at[axis]) + box.half[axis] for box in boxes) for axis in (0, 1))
        dear += (1 - scale) + 0.2 * (rows - 1)
        return Rendition((half[0], half[1]), dear, lambda at: self.tiers.append((at, stop, boxes)))

    def _tier_spots(self, stop: StopView) -> Spots:
        """Spots for the values of an off-board area or a city: away from where track comes in."""
        sides = [side for side, _, _ in self.curves]
        if stop.kind != "offboard" or not sides:
            return for_names()
        ways = [direction(self.layout, side) for side in sides]
        liked = -0.24 * sum(y for _, y in ways) / len(ways)
        return Spots(((0.0, row * 0.05), abs(row * 0.05 - liked) * 0.2) for row in range(-12, 13))

    def tier_boxes(self, stop: StopView, scale: float = 1.0, rows: int = 1) -> list[TierBox]:
        """The boxes of a stop's values in one row or two, around the middle of them all."""
        made = []
        for tier, value in stop.tiers:
            now = tier == stop.tier
            part = VALUE if now else 0.235 if len(stop.tiers) < 4 else 0.2
            size = self.px(part * scale, 15)
            wide = max(self._wide(str(value), size, bold=now) / 2 + (0.05 if now else 0.04) * scale**2, 0.13 * scale)
            made.append(TierBox(tier, str(value), (0.0, 0.0), (wide, (0.2 if now else 0.155) * scale), size))
        each = -(-len(made) // rows)
        lines = [made[i : i + each] for i in range(0, len(made), each)]
        placed = []
        for number, line in enumerate(lines):
            x = -sum(box.half[0] for box in line)
            y = (2 * number - len(lines) + 1) * 0.19 * scale
            for box in line:
                placed.append(replace(box, at=(x + box.half[0], y)))
                x += 2 * box.half[0]
        return placed

    def _place_values(self) -> None:
        counted = [
            (stop, place)
            for stop, place in zip(self.view.stops, self.places, strict=True)
            if stop.value and not stop.tiers
        ]
        same = len({(stop.kind, stop.value) for stop, _ in counted}) == 1
        for stop, place in counted[:1] if same else counted:
            near = tuple(p.point for _, p in counted) if same else (place.point,)
            forms = [self._value_form(str(stop.value), part) for part in (VALUE, 0.275, 0.24, 0.21, 0.19, 0.175)]
            # Several values must each stay close to their own stops.
            self._fit(forms, around(self.layout, near), anywhere=same)

    def _value_form(self, value: str, part: float) -> Rendition:
        size = self.px(part, 13)
        wide = self._wide(value, size, bold=True) / 2 + 0.035
        # Two digits fit in a ring, more need a longer plate.
        least = 0.225 * part / VALUE
        half = (max(least, wide), max(least, wide) if wide < least * 1.16 else least)
        round_one = half[0] == half[1]
        return Rendition(
            half, 3 * (VALUE - part), lambda at: self.values.append((at, half, value, size)), disc=round_one
        )

    def _place_label(self) -> None:
        if not self.view.label:
            return
        long = len(self.view.label) > 2
        parts = (0.27, 0.23, 0.2, 0.17, 0.14) if long else (LABEL, 0.3, 0.26, 0.22)
        spots = around_or_for_names(self.layout) if long else around(self.layout)
        forms = []
        for i, part in enumerate(parts):
            floor = self.px(min(part, 0.2), 9)
            words, size = text.fitted(self.view.label, self.px(part, 12), 1.25 * self.look.radius, True, floor)
            forms.append(self._block_form(self._block((words,), size, bold=True), 0.25 * i, INK, bold=True))
        self._fit(forms, spots)

    def _block_form(self, block: TextBlock, dear: float, colour: Rgb, *, bold: bool = False) -> Rendition:
        return Rendition(block.half, dear, lambda at: self._write_block(at, block, colour, bold=bold))

    def _place_terrain(self) -> None:
        """The terrain and its cost fill the middle of an empty hex."""
        signs = terrain_signs(self.view)
        self.signs += signs
        self.space.add_box((0.0, -0.1), (0.35 if len(signs) == 1 else 0.48, 0.3))
        self.space.add_box((0.0, 0.34), (0.3, 0.14))
        self.texts.append(((0.0, 0.34), str(self.view.cost), self.px(0.3, 15), INK, False, None))

    def _place_cost(self) -> None:
        if not self.view.cost or self.empty:
            return
        self._fit([self._cost_form(part) for part in (0.3, 0.25, 0.21)], around(self.layout))

    def _cost_form(self, part: float) -> Rendition:
        block = self._block((str(self.view.cost),), self.px(part, 15))
        wide, high = block.half
        scale, dear = part / 0.3, 3 * (0.3 - part)
        if not self.view.terrain:
            half = (wide + 0.07, high + 0.05)

            def on_plate(at: Point) -> None:
                self.plates.append((at, half))
                self._write_block(at, block, INK, halo=False)

            return Rendition(half, dear, on_plate)
        signs = [(kind, 0.9 * scale * 0.3, *atoms.sign_box(kind, 0.9 * scale * 0.3)) for kind in self.view.terrain]
        half = (wide + sum(box[0] + 0.012 for _, _, box, _ in signs), max(high, *(box[1] for _, _, box, _ in signs)))

        def beside_signs(at: Point) -> None:
            x = at[0] - half[0]
            for kind, size, box, middle in signs:
                self.signs.append((kind, (x + box[0] - middle[0], at[1] - middle[1]), size))
                x += 2 * box[0] + 0.024
            self._write_block((at[0] + half[0] - wide, at[1]), block, INK)

        return Rendition(half, dear, beside_signs)

    def _place_signs(self) -> None:
        """The sign of a private company that blocks the hex, and those of the tile and of the place."""
        if self.view.blocked_by:
            self._place_sign("blocked", ",".join(self.view.blocked_by))
        signs = [icon.partition(":")[::2] for icon in self.view.icons]
        if [kind for kind, _ in signs].count("destination") > 1:  # there is no room for the letters of several
            signs = [*(one for one in signs if one[0] != "destination"), ("destination", "")]
        for kind, words in signs:
            brings = max((stop.subsidy for stop in self.view.stops), default=0) if kind == "mine" else 0
            self._place_sign(kind, f"+{brings}" if brings else words)

    def _place_sign(self, kind: str, words: str) -> None:
        spots = around(self.layout, ((0.5, 0.5),) if kind == "blocked" else ())
        shapes = [
            (size, below) for size in (SIGN, 0.8 * SIGN, 0.6 * SIGN) for below in ((False, True) if words else (False,))
        ]
        forms = [self._sign_form(kind, words, size, below) for size, below in shapes]
        if kind == "destination" and words:
            forms.append(replace(self._sign_form(kind, "", SIGN, False), dear=UNNAMED))  # the company page names it
        self._fit(forms, spots)

    def _sign_form(self, kind: str, words: str, size: float, below: bool) -> Rendition:
        """A sign with its words beside or below it."""
        sign, (dx, dy) = atoms.sign_box(kind, size)
        if not words:
            return Rendition(
                sign, 3 * (SIGN - size), lambda at: self.signs.append((kind, (at[0] - dx, at[1] - dy), size))
            )
        block = self._block((words,), self.px(0.21, 15), bold=True)
        wide, high = block.half
        colour = BLOCKED if kind == "blocked" else INK
        if below:
            half = (max(sign[0], wide), sign[1] + high + 0.02)
            drawn, said = (0.0, sign[1] - half[1]), (0.0, half[1] - high)
        else:
            half = (sign[0] + wide + 0.02, max(sign[1], high))
            drawn, said = (sign[0] - half[0], 0.0), (half[0] - wide, 0.0)

        def place(at: Point) -> None:
            self.signs.append((kind, (at[0] + drawn[0] - dx, at[1] + drawn[1] - dy), size))
            self._write_block((at[0] + said[0], at[1] + said[1]), block, colour, bold=True)

        return Rendition(half, 3 * (SIGN - size) + 0.15 * below, place)

    def _place_name(self) -> None:
        name = (self.look.local_names and self.view.name_local) or self.view.name
        if not name or name == self.view.label:
            return
        colour = INK if self.view.colour in ("red", "brown", "gray") else mix(INK, self.fill, 0.12)
        unnamed = TOLD_BY_LABEL if self.view.label in self.view.name.split() else UNNAMED
        forms = [self._block_form(block, 0.12 * i, colour) for i, block in enumerate(self._name_blocks(name))]
        self._fit(forms, for_names(), left_out=unnamed)

    def _name_blocks(self, name: str) -> list[TextBlock]:
        """Ways to write a name, best first. It is only cut if no way shows it in full."""
        most = 1.55 * self.look.radius
        made = []
        for size in (self.px(NAME, 15), self.px(0.19, 15), self.px(0.16, 15)):
            for room in (most, text.width(name, size) * 0.72):
                made.append(text.two_lines(name, size, room, floor=size))
        whole = [(lines, size) for lines, size in made if not lines[-1].endswith("…")]
        kept = dict.fromkeys(whole or [text.two_lines(name, self.px(0.16, 15), most)])
        return [self._block(lines, size) for lines, size in kept]

    def _place_number(self) -> None:
        """Place the tile's number, but only if there is room to spare."""
        block = self._block((self.view.printed_number,), self.px(NUMBER, 15))
        free = self.space.best(block.half, around(self.layout))
        if free is not None:
            self._write_block(free[0], block, faded(INK, self.fill, 0.3), halo=False)


def _next_order(
    order: tuple[str, ...], spent: Mapping[str, float], tried: Container[tuple[str, ...]]
) -> tuple[str, ...] | None:
    """An order not tried yet, in which something that cost much comes first; None if there is none."""
    for what in sorted(order, key=lambda one: -spent[one]):
        again = (what, *(other for other in order if other != what))
        if spent[what] > 0.1 and again not in tried:
            return again
    return None
