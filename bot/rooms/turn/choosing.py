"""The way to an action: lists, tiles, routes and forms, for one person."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from bot.chat.answers import AGAIN, acknowledge, in_private, show_privately
from bot.chat.press import Draft, Drafts, Form, Press, asked, refuse_idle, showing
from bot.chat.room import Handler
from bot.chat.screen import Image, Screen
from bot.core.errors import Outdated, TableError
from bot.core.position import Scene
from bot.core.secrecy import secret_kinds, unpaid
from bot.rooms.turn import cards, lay_tile, pictures, run_trains
from bot.rooms.turn.controls import add_controls, add_menu
from bot.rooms.turn.forms import draft_key, form
from bot.rooms.turn.screen import without_notes
from bot.rooms.turn.why_not import nothing_of
from engine import Action, CorpId, PlayerId
from engine.actions import ACTIONS, Bid, BidToChoose, GoBankrupt, Par, SellShares

FORM_SECONDS = 1.5
"""How long a form may take to make. It is itself the first answer, for which Discord waits three seconds."""


async def _menu(given: Press) -> Screen:
    """A private list of the actions of one kind."""
    scene = await given.fresh_scene()
    position = scene.position
    kind = ACTIONS[given.parts[0]]
    seat = await _seat_with(scene, given.user, kind)
    actions = await position.actions(seat)
    legal = [action for action in actions if isinstance(action, kind)]
    screen = Screen(game=given.game, seq=position.seq)
    if not legal:
        if seat not in position.up or kind not in secret_kinds(position):
            refuse_idle(scene, seat)
        why = await position.work.do(unpaid, position.title, position.state, kind)
        screen.text = f"{why or await nothing_of(position, seat, kind)}\nWhat you can do:"
        add_controls(screen, actions, await position.full_labels(seat, seat))
        screen.images = await _menu_images(scene, seat, kind)
        return screen
    subject = given.parts[1] if len(given.parts) > 1 else ""
    labels = await position.full_labels(seat, seat)
    about = subject or str(position.decision.subject or "")
    if about in position.title.corporations:
        screen.text = "\n".join(cards.company_lines(labels.table.company(about), position.lexicon()))
    add_menu(screen, kind, legal, labels, subject)
    if kind is SellShares:
        add_controls(screen, [action for action in actions if isinstance(action, GoBankrupt)], labels)
    screen.images = await _menu_images(scene, seat, kind, subject)
    if screen.images:
        without_notes(screen)
    return screen


async def _seat_with(scene: Scene, user: int, kind: type[Action]) -> PlayerId:
    """The first of the seats that the person may mean that can do something of the kind; the first where none can."""
    seats = scene.seats_for(user)
    for seat in seats if len(seats) > 1 else ():
        if any(isinstance(action, kind) for action in await scene.position.actions(seat)):
            return seat
    return seats[0]


async def _menu_images(scene: Scene, seat: PlayerId, kind: type[Action], subject: str = "") -> list[Image]:
    """What a company costs to start, or the decision's card where the public one could not say all."""
    position = scene.position
    if kind is Par and subject:
        return [await pictures.par_image(position, seat, CorpId(subject))]
    return await pictures.private_card(position, seat) if kind in secret_kinds(position) else []


async def _laying(make: Callable[..., Awaitable[Screen]], given: Press) -> Screen:
    scene = await given.fresh_scene()
    seat = await _seat_with(scene, given.user, ACTIONS[given.parts[0]])
    if seat not in scene.position.up and given.parts[0] == "LayTile":
        refuse_idle(scene, seat)
    kind, *rest = given.parts
    return await make(scene.position, given.game, seat, lay_tile.KINDS[kind], *rest)


async def _try(given: Press) -> Screen:
    scene = await given.fresh_scene()
    kind, subject, place, tile, rotation = given.parts
    seat = await _seat_with(scene, given.user, lay_tile.KINDS[kind])
    action = lay_tile.lay(lay_tile.KINDS[kind], seat, subject, place, tile, int(rotation))
    return await lay_tile.preview_screen(scene.position, given.game, seat, action)


async def _routes(given: Press) -> Screen:
    scene = await given.fresh_scene()
    seat = scene.seat_for(given.user)
    return await run_trains.routes_screen(scene.position, given.game, seat, given.parts[0])


async def _further(given: Press) -> None:
    """Search further for better routes, and show the result."""
    await acknowledge(given.interaction, shows=True)
    scene, seat = await asked(given)
    position = scene.position
    corp, effort = given.parts[0], int(given.parts[1])
    await run_trains.proposals(position, seat, corp)  # raises where there are none
    if in_private(given.interaction):
        await show_privately(given.interaction, Screen("Searching further; this may take a few minutes…"))
    try:
        await position.proposals(seat, effort)
        given.check_fresh(scene)
        screen = await run_trains.routes_screen(position, given.game, seat, corp)
    except Outdated as passed:
        screen = Screen(str(passed))
    await given.show(screen)


async def _ask(given: Press) -> None:
    """Open a form; if the game must be read from the disk first and that takes long, ask for another press."""
    making = asyncio.create_task(_form(given))
    try:
        made = await asyncio.wait_for(asyncio.shield(making), FORM_SECONDS)
    except TimeoutError:
        await acknowledge(given.interaction, shows=True)
        await making
        raise TableError(AGAIN) from None
    await given.interaction.response.send_modal(made)


async def _form(given: Press) -> Form:
    scene, seat = await asked(given)
    bids: list[Bid | BidToChoose] = []
    if given.parts[0] in ("Bid", "BidToChoose"):
        bids = [action for action in await scene.position.actions(seat) if isinstance(action, Bid | BidToChoose)]
        if not bids:
            refuse_idle(scene, seat)
    draft = given.bot.its(Drafts).of(given.user, given.game, draft_key(given))
    if draft.entered or given.parts[0] != "RunTrains":
        return form(scene.position, given.game, given.parts, bids, draft)
    known = await run_trains.proposals(scene.position, seat, given.parts[1])
    entered = {"routes": run_trains.write_routes(scene.position.board(), known[0].action.routes)}
    return form(scene.position, given.game, given.parts, bids, Draft(entered))


HANDLERS: dict[str, Handler] = {
    "menu": showing(_menu),
    "lay": showing(partial(_laying, lay_tile.hex_screen)),
    "hex": showing(partial(_laying, lay_tile.tile_screen)),
    "try": showing(_try),
    "routes": showing(_routes),
    "further": _further,
    "ask": _ask,
}
