"""Painting one hex in two layers, with everything where `HexPlan` found room for it."""

from __future__ import annotations

from PIL import Image

from engine.views import StopView
from renderer import atoms, text
from renderer.geometry import Point, corners, direction, half_size, side_ends, slot_points, slot_radius
from renderer.hex_plan import TERRAIN, HexPlan, TierBox
from renderer.pen import Pen
from renderer.theme import (
    BARRIER,
    BLOCKED,
    CASING,
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


class HexArt(HexPlan):
    """A hex at one size; `ground()` and `top()` paint its layers."""

    def ground(self) -> Image.Image:
        """The layer below routes: field, border, terrain, rivers and track."""
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
            if kind in TERRAIN and self.empty:
                atoms.terrain(pen, kind, at, size)
        self._track(pen)
        for side in range(6):
            if side in view.joined:
                continue
            a, b = side_ends(self.layout, side)
            pen.line([a, b], 0.034, line)
        for side in view.impassable:
            a, b = side_ends(self.layout, side)
            pen.line([a, b], BARRIER, RIVER, round_ends=True)
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
        """The side of a track segment that leads off the board, None for any other."""
        if a < 6 <= b and self.view.stops[b - 6].kind == "offboard":
            return a
        if b < 6 <= a and self.view.stops[a - 6].kind == "offboard":
            return b
        return None

    def top(self) -> Image.Image:
        """The layer above routes: stops, tokens and everything written."""
        pen = Pen(self.look.radius, half_size(self.layout))
        for i, (stop, place) in enumerate(zip(self.view.stops, self.places, strict=True)):
            ends = sum(6 + i in pair for pair in self.view.track)
            if stop.kind == "city":
                atoms.city(pen, place, max(1, len(stop.slots)))
            elif stop.kind in ("town", "halt"):
                atoms.town(pen, place, ends, halt=stop.kind == "halt")
        for at, half, _, _ in self.values:
            pen.box(at, half, min(half), VALUE_FILL, INK, CASING)
        for at, half in self.plates:
            pen.box(at, half, 0.03, mix(self.fill, WHITE, 0.72), mix(INK, self.fill, 0.25), 0.022)
        for at, stop, boxes in self.tiers:
            self._tier_frames(pen, at, stop, boxes)
        for kind, at, size in self.signs:
            if kind not in TERRAIN or not self.empty:
                atoms.sign(pen, kind, at, size, self.fill)
        made = pen.finished()
        self._letters(made)
        self._tokens(made)
        return made

    def _tier_frames(self, pen: Pen, at: Point, stop: StopView, boxes: list[TierBox]) -> None:
        for box in sorted(boxes, key=lambda one: one.tier == stop.tier):
            now = box.tier == stop.tier
            fill = TIER_FILL.get(box.tier, WHITE)
            middle = (at[0] + box.at[0], at[1] + box.at[1])
            if now:
                pen.box(middle, (box.half[0] + 0.02, box.half[1] + 0.02), 0.05, fill, INK, 0.045)
            else:
                pen.box(middle, box.half, 0.03, fill, mix(INK, fill, 0.35), 0.018)
            colour = WHITE if box.tier == "diesel" else INK if now else mix(INK, fill, 0.15)
            self.texts.append((middle, box.value, box.size, colour, now, "m", None))

    def _letters(self, image: Image.Image) -> None:
        for at, _, value, size in self.values:
            self._write(image, at, value, size, INK, bold=True)
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
    """Track segments in groups that meet; groups only cross one another, later ones on top."""
    groups: list[set[tuple[int, int]]] = []
    for piece in track:
        meeting = [group for group in groups if any(set(piece) & set(other) for other in group)]
        groups = [group for group in groups if group not in meeting]
        groups.append({piece}.union(*meeting))
    return groups
