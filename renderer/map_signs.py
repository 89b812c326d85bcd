"""The legend of the map: every sign on it, with what it means."""

from collections.abc import Callable, Sequence

from engine.views import BoardView, HexView
from renderer import atoms, text, theme
from renderer.geometry import Place
from renderer.hex_plan import RIM
from renderer.palette import Palette
from renderer.pen import Pen
from renderer.sheet import Sheet, kept
from renderer.strips import Entry, legend

MEANINGS = {
    "changed": "changed last",
    "city": "place for a token",
    "town": "town",
    "halt": "halt",
    "offboard": "off-board area",
    "value": "what a stop counts",
    "tiers": "by phase, framed: now",
    "cost": "cost of building here",
    "mountain": "mountain, with the cost",
    "water": "water, with the cost",
    "wall": "wall, with the cost",
    "urban": "built-up, with the cost",
    "impassable": "no track across",
    "blocked": "kept by a private company",
    "port": "port",
    "mine": "mine, and what it brings",
    "destination": "destination of a company",
    "token": "token that waits for a place",
    "label": "only tiles with these letters",
    "printed": "never changes",
}
"""Every sign that a hex can show, in the order of the legend."""

_WIDE, _HIGH = 0.95, 0.5
"""Half the size of a sign's place, in its own R."""


def signs(view: BoardView) -> list[str]:
    """The signs on this map, keys of `MEANINGS`."""
    used = {sign for hex_view in view.hexes for sign in signs_of(hex_view)}
    return [sign for sign in MEANINGS if sign in used]


def signs_of(view: HexView) -> set[str]:
    used: set[str] = {stop.kind for stop in view.stops}
    used |= {"value" for stop in view.stops if stop.value and not stop.tiers}
    used |= {"tiers" for stop in view.stops if stop.tiers}
    if view.cost:
        used |= set(view.terrain) or {"cost"}
    used |= {icon.partition(":")[0] for icon in view.icons}
    for shown, sign in ((view.impassable, "impassable"), (view.blocked_by, "blocked"), (view.label, "label")):
        used |= {sign} if shown else set()
    return used | ({"printed"} if view.tile is None and view.colour == "gray" else set())


def draw_signs(view: BoardView, width: int, palette: Palette) -> Sheet:
    """What the signs on this map mean, in two columns; letters for the phone."""
    ground = next((one.colour for one in view.hexes if "offboard" in signs_of(one)), "red")
    shown = ("changed", *signs(view))
    return kept(("signs", shown, width, ground), palette, lambda: _draw_signs(shown, width, ground, palette))


def _draw_signs(shown: Sequence[str], width: int, ground: str, palette: Palette) -> Sheet:
    entries = [_entry(sign, width, ground) for sign in shown]
    edge = round(0.02 * width)
    inner = legend(entries, palette, width - 2 * edge, width, columns=2)
    whole = Sheet.blank((width, inner.height + edge), theme.PAPER, palette)
    whole.pen.rectangle((0, 0, width, 1), fill=whole.number(theme.FAINT))
    whole.lay(inner, edge, edge // 2)
    return whole


def _entry(sign: str, width: int, ground: str) -> Entry:
    """The sign with its meaning; `ground` is the colour of this map's off-board areas."""
    radius = 0.042 * width
    pen = Pen(radius, (_WIDE, _HIGH))
    if sign == "offboard":
        pen.box((0.0, 0.0), (0.8, 0.45), 0.06, theme.HEX_FILL[ground])
        atoms.stub(pen, (-0.9, 0.0), theme.TRACK_WIDTH * 1.3, theme.INK)
    elif sign in _DRAWN:
        _DRAWN[sign](pen)
    else:
        atoms.sign(pen, sign, (0.0, 0.0), 0.8, theme.PAPER)
    sprite = pen.finished()
    words, at = _LETTERS.get(sign, ("", 0.0))
    if words:
        text.draw(
            sprite, sprite.width / 2 + at * radius, sprite.height / 2, words, round(0.5 * radius), theme.INK, bold=True
        )
    return sprite, MEANINGS[sign]


_LETTERS = {
    "value": ("20", 0.0),
    "tiers": ("30", -0.3),
    "cost": ("40", 0.0),
    "label": ("OO", 0.0),
    "blocked": ("A", 0.35),
}
"""What is written in a sign, and how far right of its middle."""


def _town(pen: Pen, *, halt: bool = False) -> None:
    pen.line([(-0.8, 0.0), (0.8, 0.0)], theme.TRACK_WIDTH, theme.INK)
    atoms.town(pen, Place(0.0, 0.0, (1.0, 0.0), True), 2, halt=halt)


def _tiers(pen: Pen) -> None:
    pen.box((0.33, 0.0), (0.26, 0.25), 0.04, theme.TIER_FILL["brown"], (theme.INK, 0.025))
    pen.box((-0.3, 0.0), (0.36, 0.34), 0.06, theme.TIER_FILL["yellow"], (theme.INK, 0.06))


def _blocked(pen: Pen) -> None:
    outline = [(-0.9, -0.45), (0.9, -0.45), (0.9, 0.45), (-0.9, 0.45)]
    pen.polygon(outline, theme.HEX_FILL["white"])
    atoms.hatching(pen, theme.mix(theme.HEX_FILL["white"], theme.BLOCKED, 0.28))
    pen.keep_inside(outline)
    atoms.barred(pen, (-0.2, 0.0), 0.28)


_DRAWN: dict[str, Callable[[Pen], None]] = {
    "changed": lambda pen: pen.box((0.0, 0.0), (0.6, 0.36), 0.1, None, (theme.GLOW, 0.1)),
    "city": lambda pen: pen.disc((0.0, 0.0), 0.4 + RIM, theme.WHITE, (theme.INK, RIM)),
    "town": _town,
    "halt": lambda pen: _town(pen, halt=True),
    "value": lambda pen: pen.disc((0.0, 0.0), 0.36, theme.VALUE_FILL, (theme.INK, theme.CASING * 1.5)),
    "tiers": _tiers,
    "cost": lambda pen: pen.box((0.0, 0.0), (0.46, 0.33), 0.04, theme.WHITE, (theme.SOFT_INK, 0.03)),
    "impassable": lambda pen: pen.line([(-0.7, 0.0), (0.7, 0.0)], theme.BARRIER, theme.RIVER, round_ends=True),
    "blocked": _blocked,
    "label": lambda pen: pen.box((0.0, 0.0), (0.7, 0.45), 0.06, theme.HEX_FILL["yellow"]),
    "printed": lambda pen: pen.box(
        (0.0, 0.0), (0.7, 0.4), 0.06, theme.HEX_FILL["gray"], (theme.mix(theme.HEX_FILL["gray"], theme.INK, 0.4), 0.03)
    ),
}
