"""What a turn only shows to whoever asks."""

from __future__ import annotations

from bot.chat.answers import acknowledge, show_privately
from bot.chat.press import Press
from bot.chat.room import Handler
from bot.chat.screen import Screen
from bot.core.errors import TableError
from bot.rooms.turn import cards, deals, pictures, what_if, why_not
from bot.rooms.turn.act import NO_HAND
from bot.rooms.turn.screen import more_screen
from bot.rooms.turn.shown import shown


async def _hand(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    if not mine:
        raise TableError(NO_HAND)
    screen = await cards.hand_screen(table, mine[0])
    await show_privately(given.interaction, screen)


async def _more(given: Press) -> None:
    """All that is not the decision itself; whoever must decide and may know more than all others sees their card."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    screen = await more_screen(table)
    seat = table.viewer_for(given.user)
    if seat is not None:
        screen.images = await pictures.private_card(table.position, seat)
    await show_privately(given.interaction, screen)


async def _why(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    scene = await given.scene()
    given.check_fresh(scene)
    await given.show(await why_not.why_not_screen(scene, scene.seat_for(given.user)))


async def _if_pass(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    scene = await given.scene()
    given.check_fresh(scene)
    await given.show(await what_if.what_if_screen(scene, scene.seat_for(given.user)))


async def _show(given: Press) -> None:
    """Show a picture to whoever asks."""
    await acknowledge(given.interaction, shows=True)
    scene = await given.scene()
    await given.show(await shown(scene, given.parts[0], scene.viewer_for(given.user)))


async def _price(given: Press) -> None:
    """Show the buyer or seller a price that is secret from the others."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    text = await deals.priced(table, int(given.parts[0]), user=given.user)
    await show_privately(given.interaction, Screen(text))


HANDLERS: dict[str, Handler] = {
    "more": _more,
    "hand": _hand,
    "why": _why,
    "ifpass": _if_pass,
    "show": _show,
    "price": _price,
}
