"""The layer of a hex above routes, with everything where `HexPlan` found room for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from engine.board.hexes import Layout
from engine.views import CompanyView, HexView, StopView
from renderer import atoms, text
from renderer.geometry import Point, half_size, places, slot_points, slot_radius
from renderer.hex_ground import TERRAIN
from renderer.hex_plan import HexLook, HexPlan, TierBox, Written
from renderer.pen import Box, Pen, Shapes
from renderer.theme import CASING, INK, SOFT_INK, TIER_FILL, VALUE_FILL, WHITE, faded, mix
from renderer.tokens import centre_on, company_token, short_letters


class HexArt(HexPlan):
    """A hex at one size; `top()` paints what is written and drawn on it, without tokens."""

    def top(self, within: Box | None = None) -> Image.Image:
        """The layer above routes: stops and everything written; shapes only `within` a part, if one is given."""
        pen = Pen(self.look.radius, half_size(self.layout))
        words = self.paint(pen)
        made = pen.finished(within)
        for at, said, size, colour, bold, halo in words:
            x, y = made.width / 2 + at[0] * self.look.radius, made.height / 2 + at[1] * self.look.radius
            text.draw(made, x, y, said, size, colour, bold=bold, halo=halo)
        return made

    def paint(self, pen: Shapes) -> list[Written]:
        """Draw the shapes; what is to be written on them."""
        for i, (stop, place) in enumerate(zip(self.view.stops, self.places, strict=True)):
            ends = sum(6 + i in pair for pair in self.view.track)
            if stop.kind == "city":
                atoms.city(pen, place, max(1, len(stop.slots)))
            elif stop.kind in ("town", "halt"):
                atoms.town(pen, place, ends, halt=stop.kind == "halt")
        for at, half, _, _ in self.values:
            pen.box(at, half, min(half), VALUE_FILL, (INK, CASING))
        for at, half in self.plates:
            pen.box(at, half, 0.03, mix(self.fill, WHITE, 0.72), (mix(INK, self.fill, 0.25), 0.022))
        tiers = [words for at, stop, boxes in self.tiers for words in self._tier_frames(pen, at, stop, boxes)]
        for kind, at, size in self.signs:
            if kind not in TERRAIN or not self.empty:
                atoms.sign(pen, kind, at, size, self.fill)
        values: list[Written] = [(at, value, size, INK, True, None) for at, _, value, size in self.values]
        return [*values, *self.texts, *tiers]

    def _tier_frames(self, pen: Shapes, at: Point, stop: StopView, boxes: list[TierBox]) -> Iterator[Written]:
        """Draw the frames; what is to be written in them."""
        for box in sorted(boxes, key=lambda one: one.tier == stop.tier):
            now = box.tier == stop.tier
            fill = TIER_FILL.get(box.tier, WHITE)
            middle = (at[0] + box.at[0], at[1] + box.at[1])
            if now:
                pen.box(middle, (box.half[0] + 0.02, box.half[1] + 0.02), 0.05, fill, (INK, 0.045))
            else:
                pen.box(middle, box.half, 0.03, fill, (mix(INK, fill, 0.35), 0.018))
            colour = WHITE if box.tier == "diesel" else INK if now else faded(INK, fill, 0.15)
            yield middle, box.value, box.size, colour, now, None


@dataclass(frozen=True, slots=True)
class Occupied:
    """A slot with the token in it, or with the letters of a company that keeps it for its home."""

    at: Point
    radius: float
    company: CompanyView
    home: bool = False


def token_places(view: HexView, layout: Layout, companies: Sequence[CompanyView]) -> Iterator[Occupied]:
    """The slots of the hex that are taken or kept, in units of R from its centre."""
    if not any(any(stop.slots) or stop.reserved for stop in view.stops):
        return
    known = {company.id: company for company in companies}
    for stop, place in zip(view.stops, places(view, layout), strict=True):
        waiting = list(stop.reserved)
        slots = stop.slots or ((None,) if stop.kind == "city" else ())
        points = slot_points(place, len(slots)) if slots else []
        for at, corp in zip(points, slots, strict=True):
            whose = corp if corp is not None else waiting.pop(0) if waiting else None
            company = None if whose is None else known.get(whose)
            if company is not None:
                yield Occupied(at, slot_radius(place, len(slots)), company, corp is None)


def draw_tokens(
    image: Image.Image, view: HexView, look: HexLook, companies: Sequence[CompanyView], centre: Point
) -> None:
    """Draw the tokens of the hex, and the letters of companies that keep a place there, around its centre."""
    for one in token_places(view, look.layout, companies):
        at = (centre[0] + one.at[0] * look.radius, centre[1] + one.at[1] * look.radius)
        radius = one.radius * look.radius
        if not one.home:
            centre_on(image, company_token(one.company, companies, radius), at)
        elif look.texts:
            words = short_letters(one.company, companies)
            text.draw(image, *at, words, home_size(words, radius, look), HOME_INK, bold=True)


HOME_INK = faded(SOFT_INK, WHITE, 0.3)


def home_size(words: str, radius: float, look: HexLook) -> int:
    """The size of letters that fit into a slot of so many pixels."""
    size = max(12, round(0.26 * look.radius))
    while size > 9 and text.width(words, size, True) > 1.7 * radius:
        size -= 1
    return size
