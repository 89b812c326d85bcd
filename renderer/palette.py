"""The 256 colours of a picture, fixed by the theme and the companies, so that none has to be searched for."""

from collections.abc import Iterable
from functools import lru_cache

from PIL import Image

from renderer import theme
from renderer.theme import INK, PAPER, WHITE, Rgb, mix, rgb


class Palette:
    """Numbered colours. Pictures drawn in them have the numbers as grey values (mode "L")."""

    def __init__(self, colours: Iterable[Rgb]) -> None:
        """At most 256 colours, in order."""
        values = [part for colour in colours for part in colour]
        self.image = Image.new("P", (1, 1))
        """A picture with this palette, for Pillow."""
        self.image.putpalette(values + list(INK) * (256 - len(values) // 3))
        self.colours = bytes(self.image.getpalette() or ())
        """Red, green and blue of each."""
        self._shades: dict[tuple[int, Rgb], bytes] = {}

    def reduced(self, image: Image.Image) -> Image.Image:
        """The numbers of the colours nearest to those of an RGB picture."""
        near = image.quantize(palette=self.image, dither=Image.Dither.NONE)
        return Image.frombytes("L", near.size, near.tobytes())

    def coloured(self, numbers: Image.Image) -> Image.Image:
        """The numbers as a picture with this palette (mode "P")."""
        made = numbers.copy()
        made.putpalette(self.colours)
        return made

    def restored(self, numbers: Image.Image) -> Image.Image:
        """The numbers as an RGB picture."""
        return self.coloured(numbers).convert("RGB")

    def number(self, colour: Rgb) -> int:
        """The number of the nearest colour."""
        return self.shades(0, colour)[255]

    def shades(self, ground: int, colour: Rgb) -> bytes:
        """The numbers of 256 steps from the ground, a number, to the colour."""
        found = self._shades.get((ground, colour))
        if found is None:
            steps = Image.new("RGB", (256, 1), tuple(self.colours[3 * ground : 3 * ground + 3]))
            steps.paste(colour, (0, 0), Image.frombytes("L", (256, 1), bytes(range(256))))
            found = self._shades[ground, colour] = self.reduced(steps).tobytes()
        return found


@lru_cache(maxsize=64)
def palette_of(company_colours: tuple[str, ...], own_colours: tuple[Rgb, ...] = (), size: int = 256) -> Palette:
    """256 colours: the theme's, and steps between those that meet at edges; `size` limits how many differ."""
    plain = [value for value in vars(theme).values() if _is_rgb(value)]
    plain += [*theme.SHORE, *theme.FOOTHILLS, *theme.ROUTE_COLOURS, *theme.ZONE_TINTS, *theme.ZONE_BY_NAME.values()]
    fills = [*theme.HEX_FILL.values(), *theme.TIER_FILL.values()]
    companies = [rgb(colour) for colour in company_colours[:16]]
    lines = (*theme.ROUTE_COLOURS, theme.GLOW, theme.RIVER, theme.BLOCKED, theme.HEAD)
    wanted: list[Rgb] = []
    for colour in (
        *(INK, WHITE, PAPER, *companies, *own_colours, *fills, *plain, *theme.HEX_LINE.values()),
        *(mix(one, INK, share) for share in (0.5, 0.25, 0.75) for one in (WHITE, *fills)),
        *(mix(fill, WHITE, 0.5) for fill in fills),
        *(mix(one, end, share) for share in (0.5, 0.62, 0.3) for end in (WHITE, INK) for one in companies),
        *(mix(one, theme.SEA, 0.5) for one in (INK, *theme.HEX_LINE.values())),
        *(mix(WHITE, INK, step / 12) for step in range(1, 12)),
        *(mix(one, WHITE, 0.5) for one in lines),
        *(mix(one, fill, 0.5) for one in (theme.GLOW, theme.GLOW_SOFT) for fill in fills),
    ):
        near = any(sum(abs(a - b) for a, b in zip(colour, other, strict=True)) < 9 for other in wanted)
        if not near and len(wanted) < size:
            wanted.append(colour)
    return Palette(wanted)


def _is_rgb(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and all(isinstance(part, int) for part in value)
