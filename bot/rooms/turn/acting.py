"""What changes the game: actions, undo, passing ahead, deals."""

from __future__ import annotations

from typing import cast

from bot.chat import codes
from bot.chat.answers import acknowledge, show_privately
from bot.chat.layout import files, view
from bot.chat.press import Press, asked, meant
from bot.chat.room import Handler
from bot.chat.screen import Screen
from bot.core import passing
from bot.core.errors import UnknownControl
from bot.rooms.turn import asking, deals, requests, run_trains
from bot.rooms.turn.act import AGREED_TO_UNDO, ASKED_TO_UNDO, DECLINED_TO_UNDO, UNDONE, act
from engine.actions import ACTIONS, Dividend, Payout
from engine.ids import CorpId


async def do(given: Press) -> None:
    """Submit the action that the control carries, or ask whether it is meant."""
    await acknowledge(given.interaction, shows=False)
    scene = await given.scene()
    given.check_fresh(scene)
    await act(given.bot, given.interaction, scene, await meant(scene, given.user, given.code), given.seq)


async def _run_proposed(given: Press) -> None:
    """Run routes that were proposed, which the control names by their digest."""
    await acknowledge(given.interaction, shows=False)
    scene = await given.scene()
    given.check_fresh(scene)
    effort = run_trains.read_effort(given.parts[2]) if len(given.parts) == 3 else 0
    run = await run_trains.proposed(scene.position, scene.seats_for(given.user)[0], given.parts[1], effort)
    await act(given.bot, given.interaction, scene, run, given.seq)


async def _sure(given: Press) -> None:
    """Submit an action that was asked about."""
    await acknowledge(given.interaction, shows=True)
    scene = await given.scene()
    given.check_fresh(scene)
    action = await meant(scene, given.user, codes.join(*given.parts))
    await act(given.bot, given.interaction, scene, action, given.seq, sure=True)


async def _run(given: Press) -> None:
    """Run the best routes and decide the dividend, declining a token if one could be placed first."""
    await acknowledge(given.interaction, shows=False)
    scene, seat = await asked(given)
    corp, mark, effort, kind = given.parts
    passes = await scene.position.passes_to_run(seat)
    if passes is None:
        raise UnknownControl()
    run = await run_trains.proposed(await scene.position.after(passes), seat, mark, int(effort))
    decisions = [*passes, run, Dividend(seat, CorpId(corp), cast(Payout, kind))]
    await act(given.bot, given.interaction, scene, decisions[0], given.seq, then=decisions[1:])


async def _end(given: Press) -> None:
    """Decline what is left of the company's turn."""
    await acknowledge(given.interaction, shows=False)
    scene, seat = await asked(given)
    position = scene.position
    if not passing.ends_turn(scene.title, position.state):
        raise UnknownControl()
    first, *then = await position.work.do(passing.to_end_of_turn, scene.title, position.state, seat)
    await act(given.bot, given.interaction, scene, first, given.seq, then=then)


async def _undo(given: Press) -> None:
    """Ask about an undo, do it, ask those concerned for it, or answer for them."""
    way, row = (*given.parts, "", "")[:2]
    seq = int(row) if row else None
    if way in ("yes", "no") and seq is not None:
        await _answer_undo(given, way == "yes", seq)
        return
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    if way in ("", "from"):
        await show_privately(given.interaction, await asking.undo_screen(table, given.user, seq))
        return
    given.check_fresh(table)
    if way == "ask" and seq is not None:
        await requests.ask(table, given.user, seq, given.interaction.id)
        text = ASKED_TO_UNDO
    else:
        await table.undo(user=given.user, seq=seq, interaction=given.interaction.id)
        text = UNDONE
    given.bot.sender.witnessed(given.game, given.interaction)
    await show_privately(given.interaction, Screen(text))


async def _answer_undo(given: Press, agrees: bool, seq: int) -> None:
    """Agree to a request to undo, or decline it; its message then says so."""
    await acknowledge(given.interaction, shows=False)
    table = await given.table()
    given.check_fresh(table)
    if not agrees:
        await requests.refuse(table, given.user, seq)
        screen = Screen(DECLINED_TO_UNDO)
    else:
        asked = await requests.agree(table, given.user, seq, given.interaction.id)
        screen = await asking.request_screen(table, asked) if asked.missing else Screen(AGREED_TO_UNDO)
    given.bot.sender.wake()  # first, as the answer may come too late for Discord
    await given.interaction.edit_original_response(view=view(screen), attachments=files(screen.images))
    if given.interaction.message is not None and not screen.rows:
        await given.bot.store.messages.retire([given.interaction.message.id])


async def _answer(given: Press, accept: bool) -> None:
    await acknowledge(given.interaction, shows=False)
    table = await given.table()
    text = await deals.answer(
        table, int(given.parts[0]), user=given.user, accept=accept, interaction=given.interaction.id
    )
    given.bot.sender.wake()  # first, as the answer may come too late for Discord
    await given.interaction.edit_original_response(view=view(Screen(text)))
    if given.interaction.message is not None:
        await given.bot.store.messages.retire([given.interaction.message.id])


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(ACTIONS, do),
    "RunTrains": _run_proposed,
    "sure": _sure,
    "run": _run,
    "end": _end,
    "undo": _undo,
    "yes": lambda given: _answer(given, True),
    "no": lambda given: _answer(given, False),
}
