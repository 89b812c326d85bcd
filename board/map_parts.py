"""The map as parts of the page: hexes in two layers, routes between them, marks, and what is touched."""

from collections.abc import Iterable, Mapping

from board.markup import Html, el, text
from bot.core.position import Position
from bot.words.lexicon import Lexicon, listed
from engine import BoardView, HexId, HexView
from engine.printed import colour_word
from engine.views import StopView
from renderer import vector
from renderer.map import first_of_groups


def layers(position: Position) -> dict[str, Html]:
    """Both layers of each hex, by the ids of their groups."""
    board = position.board()
    look = vector.look_of(board.layout, local_names=position.local_names)
    first, parts = first_of_groups(board), {}
    for one in board.hexes:
        drawn = vector.drawn_hex(one, look, board.companies, first_of_group=first[one.id])
        parts[f"ground-{one.id}"], parts[f"top-{one.id}"] = map(Html, drawn)
    return parts


def glowing(board: BoardView, hexes: Iterable[HexId]) -> Html:
    """The outlines of the hexes that changed last."""
    wanted, ring = set(hexes), Html(vector.glow(board.layout))
    return text(_placed(board, one, ring) for one in board.hexes if one.id in wanted)


def marked(board: BoardView, marks: Mapping[HexId, str]) -> Html:
    """Outlines of the hexes where the viewer may do something, by what that is."""
    shape = vector.outline(board.layout, 0.96)  # at the sides, clear of the coordinate
    return text(
        _placed(board, one, el("path", d=shape, cls=f"mark {marks[one.id]}")) for one in board.hexes if one.id in marks
    )


def _placed(board: BoardView, one: HexView, what: Html) -> Html:
    x, y = vector.centre_of(one, board.layout)
    return el("g", what, transform=f"translate({x} {y})")


def svg(board: BoardView, parts: Mapping[str, Html]) -> Html:
    """The whole map with its layers, as it is first shown."""
    at = {one.id: "translate({} {})".format(*vector.centre_of(one, board.layout)) for one in board.hexes}
    every = vector.shape_of_all(board)
    around = [el("path", d=every, cls=f"around a{depth}") for depth in range(3)]

    def layer(kind: str) -> Html:
        held = (el("g", parts[f"{kind}-{one}"], id=f"{kind}-{one}", transform=place) for one, place in at.items())
        return el("g", held, cls="drawn", aria_hidden="true")  # what is touched has it as a name

    return el(
        "svg",
        el("g", around, cls="surroundings"),
        layer("ground"),
        el("g", parts["routes"], id="routes", cls="drawn"),
        el("g", cls="drawn", id="drafts"),
        el("g", parts["glow"], id="glow", cls="drawn"),
        el("g", parts["marks"], id="marks"),  # below the words, or they would cover coordinates
        layer("top"),
        el("g", cls="drawn", id="preview"),
        el("g", parts["hexes"], id="hexes", role="group", aria_label="Hexes"),
        id="map",
        viewBox="{} {} {} {}".format(*vector.extent(board)),
        cls="sea" if board.sea else "land",
        role="application",
        aria_label=f"Map of {board.title}. Arrow keys move from hex to hex, "
        "Page Down and Page Up between those that are marked, Enter opens one.",
        data_layout=board.layout,
    )


def touched(board: BoardView, names: Lexicon, marks: Mapping[HexId, str]) -> Html:
    """What is touched of the hexes, with what a screen reader says of them; keys come to one that is marked first."""
    shape = vector.outline(board.layout)
    first = next((one for one in board.hexes if one.id in marks), board.hexes[0])
    made = []
    for one in board.hexes:
        x, y = vector.centre_of(one, board.layout)
        mark = f", {SAID_OF_MARKS[marks[one.id]]}" if one.id in marks else ""
        said = f"{names.hex(one.id)}, {lying(one, names)}{mark}"
        made.append(
            el(
                "path", d=shape, id=f"hex-{one.id}", cls="hex", data_hex=one.id, data_x=x, data_y=y, role="button",
                tabindex=0 if one is first else -1, aria_label=said, transform=f"translate({x} {y})",
                data_mark=one.id in marks,
            )
        )  # fmt: skip
    return text(made)


SAID_OF_MARKS = {"lay": "a tile can be laid", "token": "a token can be placed"}


def lying(one: HexView, names: Lexicon) -> str:
    """What lies on a hex, what it is worth, and whose tokens stand there."""
    tokens = [str(corp) for stop in one.stops for corp in stop.slots if corp is not None]
    homes = [str(corp) for stop in one.stops for corp in stop.reserved]
    signs = [icon.split(":") for icon in one.icons if ":" in icon]
    coming = [corp for kind, corp in signs if kind == "destination"]
    values = [str(stop.value) for stop in one.stops if stop.value]
    said = [f"tile {one.printed_number or one.tile}" if one.tile else f"{colour_word(one.colour)} hex"]
    said += [f"worth {' and '.join(dict.fromkeys(values))}"] if values else []
    said += [f"later {listed(later)}" for stop in one.stops if (later := _later(stop))]
    said += [f"home of {listed(homes)}"] if homes else []
    said += [f"destination of {listed(coming)}"] if coming else []
    said += [f"blocked by {listed(map(str, one.blocked_by))}"] if one.blocked_by else []
    said += [f"{'tokens' if len(tokens) > 1 else 'token'} of {listed(tokens)}"] if tokens else []
    said += [f"waiting beside it: token of {corp}" for kind, corp in signs if kind == "token"]
    said += [f"terrain {names.money(one.cost)}"] if one.cost else []
    return ", ".join(said)


def _later(stop: StopView) -> list[str]:
    """What the stop is worth in phases to come."""
    tiers = [tier for tier, _ in stop.tiers]
    after = stop.tiers[tiers.index(stop.tier) + 1 :] if stop.tier in tiers else ()
    return [str(value) for _, value in after if value != stop.value]
