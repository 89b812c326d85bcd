"""Laying a tile: choose the hex, then one of the numbered pictures, or confirm the only one on a preview of the map."""

import engine
from bot.chat import codes
from bot.chat.screen import Button, Screen
from bot.core.errors import TableError
from bot.core.position import Position
from bot.core.secrecy import unpaid
from bot.rooms.turn import pictures
from bot.rooms.turn.controls import add_hexes, subject_of
from bot.rooms.turn.why_not import nothing_of
from bot.words.lexicon import without_twins
from engine import CorpId, HexId, PlayerId, PrivateId, Refused, State, TileId
from engine import actions as a
from engine.facts import TileLaid

Lay = a.LayTile | a.LayPowerTile
Kind = type[a.LayTile] | type[a.LayPowerTile]
KINDS: dict[str, Kind] = {"LayTile": a.LayTile, "LayPowerTile": a.LayPowerTile}
"""By the words in codes."""
PAGE = 20


def lay(kind: Kind, seat: PlayerId, subject: str, hex_id: str, tile: str, rotation: int) -> Lay:
    if issubclass(kind, a.LayTile):
        return kind(seat, CorpId(subject), HexId(hex_id), TileId(tile), rotation)
    return kind(seat, PrivateId(subject), HexId(hex_id), TileId(tile), rotation)


async def lays(position: Position, seat: str, kind: Kind, subject: str) -> list[Lay]:
    """The seat's legal lays of one kind, for a company or with a private's power."""
    legal = [
        action for action in await position.actions(seat) if isinstance(action, kind) and subject_of(action) == subject
    ]
    return without_twins(position.title, legal)


async def _why_none(
    position: Position, seat: str, kind: Kind, subject: str, hex_id: str, *, elsewhere: bool
) -> TableError | Refused:
    """Why no tile can be laid on a hex: nobody is asked to, only the money is missing, or there is no tile for it.

    `elsewhere`: there are hexes on which one can.
    """
    if hex_id not in position.title.hexes:
        return TableError(f"There is no hex {hex_id[:12]} on this map.")
    step = engine.present_step(position.title, position.state)
    if not elsewhere and (kind not in step.by_action or seat not in position.up):
        return await nothing_of(position, seat, kind)
    missing = await position.work.do(unpaid, position.title, position.state, a.LayTile, hex_id)
    return missing or TableError(f"**{subject}** can lay no tile on {position.lexicon().hex(hex_id)} now.")


async def hex_screen(position: Position, game: str, seat: str, kind: Kind, subject: str) -> Screen:
    """Where a tile may be laid: all hexes, split by region if there are more than 25."""
    legal = await lays(position, seat, kind, subject)
    if not legal:
        raise await nothing_of(position, seat, kind)
    hexes = list(dict.fromkeys(action.hex for action in legal))
    if len(hexes) == 1:
        return await tile_screen(position, game, seat, kind, subject, hexes[0])
    who = f"**{subject}**"
    if subject in position.title.privates:
        power = position.table(seat).private(subject)
        who = f"**{power.id} {power.name}**: {power.note}\nIt"
    screen = Screen(game=game, seq=position.seq, text=f"{who} can lay a tile on {len(hexes)} hexes. Which one?")
    screen.images = [await pictures.map_image(position, marked=tuple(hexes), around=tuple(hexes), name="where")]
    add_hexes(screen, legal, kind.__name__, subject, position.labels(seat))
    return screen


async def tile_screen(
    position: Position, game: str, seat: str, kind: Kind, subject: str, hex_id: str, page: str = "0"
) -> Screen:
    """The legal tiles and rotations on a hex, numbered in a picture, twenty at a time.

    A number lays its tile: the picture shows it in its place, and the text what each costs. Where that differs, it is
    previewed with its cost.
    """
    everywhere = await lays(position, seat, kind, subject)
    legal = [action for action in everywhere if action.hex == hex_id]
    if not legal:
        raise await _why_none(position, seat, kind, subject, hex_id, elsewhere=bool(everywhere))
    if len(legal) == 1:
        return await preview_screen(position, game, seat, legal[0])
    first = PAGE * int(page)
    shown = legal[first : first + PAGE]
    screen = Screen(game=game, seq=position.seq)
    screen.text = f"**{subject}** on **{position.lexicon().hex(hex_id)}**: which tile, and which way round?"
    costs = await position.work.do(lambda: {_cost(engine.apply(position.title, position.state, one)) for one in shown})
    if any(costs) and len(costs) == 1:
        screen.text += f" Each costs {position.lexicon().money(*costs)}."
    code = codes.action_code if len(costs) == 1 else _try
    screen.images = [await pictures.choices_image(position, HexId(hex_id), [(one.tile, one.rotation) for one in shown])]
    screen.buttons(*(Button(str(number), code(one), "primary") for number, one in enumerate(shown, 1)))
    others = _other_hex(everywhere)
    if len(legal) > PAGE:
        following = (int(page) + 1) % -(-len(legal) // PAGE)
        others.append(Button("More tiles", codes.join("hex", kind.__name__, subject, hex_id, following)))
    return screen.buttons(*others)


def _cost(then: State) -> int:
    return sum(fact.cost for fact in then.facts if isinstance(fact, TileLaid))


def _other_hex(everywhere: list[Lay]) -> list[Button]:
    """The way back to the hexes, where there are several."""
    if len({one.hex for one in everywhere}) < 2:
        return []
    return [Button("Other hex", codes.join("lay", type(everywhere[0]).__name__, subject_of(everywhere[0])))]


def _try(action: Lay) -> str:
    return codes.join("try", type(action).__name__, subject_of(action), action.hex, action.tile, action.rotation)


async def preview_screen(position: Position, game: str, seat: str, action: Lay) -> Screen:
    """A preview of the map, to confirm the lay."""
    kind, subject = type(action), subject_of(action)
    then = await position.work.do(engine.apply, position.title, position.state, action)
    names = position.lexicon()
    price = _cost(then)
    cost = f" It costs {names.money(price)}." if price else ""
    text = f"**{subject}** lays tile **{names.tile(action.tile)}** on **{names.hex(action.hex)}** like this.{cost}"
    images = [await pictures.preview_image(position, then, action.hex)]
    everywhere = await lays(position, seat, kind, subject)
    other_tile = [Button("Other tile", codes.join("hex", kind.__name__, subject, action.hex))]
    several = sum(one.hex == action.hex for one in everywhere) > 1
    return Screen(text, images=images, game=game, seq=position.seq).buttons(
        Button("Lay it", codes.action_code(action), "success"),
        *(other_tile if several else []),
        *_other_hex(everywhere),
    )
