"""Acting: what a button, a form or a command has become, done or offered to whoever must agree."""

from collections.abc import Sequence
from typing import Any, cast

import discord

from bot.chat import codes
from bot.chat.answers import acknowledge, in_private, show_privately, tell
from bot.chat.client import Bot
from bot.chat.press import Press, asked, meant
from bot.chat.room import Handler
from bot.chat.screen import Screen
from bot.core import passing, undoing
from bot.core.errors import TableError, UnknownControl
from bot.core.position import Scene
from bot.core.table import Table
from bot.rooms.opponents.room import Thinkers
from bot.rooms.turn import asking, deals, run_trains
from bot.rooms.turn import screen as turn
from bot.words.labels import CONTROLS
from engine import Action, CorpId
from engine.actions import Dividend, EndGame, Payout
from storage import AlreadyOffered


async def do(given: Press) -> None:
    """Submit the action that the control carries, or ask whether it is meant."""
    await acknowledge(given.interaction, shows=False)
    scene = await given.fresh_scene()
    await act(given.interaction, scene, await meant(scene, given.user, given.code), given.seq)


async def _run_proposed(given: Press) -> None:
    """Run routes that were proposed, which the control names by their digest."""
    await acknowledge(given.interaction, shows=False)
    scene = await given.fresh_scene()
    effort = int(given.parts[2]) if len(given.parts) == 3 else 0
    run = await run_trains.proposed(scene.position, scene.seats_for(given.user)[0], given.parts[1], effort)
    await act(given.interaction, scene, run, given.seq)


async def _sure(given: Press) -> None:
    """Submit an action that was asked about."""
    await acknowledge(given.interaction, shows=True)
    scene = await given.fresh_scene()
    action = await meant(scene, given.user, codes.join(*given.parts))
    await act(given.interaction, scene, action, given.seq, sure=True)


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
    await act(given.interaction, scene, decisions[0], given.seq, then=decisions[1:])


async def _end(given: Press) -> None:
    """Decline what is left of the company's turn."""
    await acknowledge(given.interaction, shows=False)
    scene, seat = await asked(given)
    position = scene.position
    if not passing.ends_turn(scene.title, position.state):
        raise UnknownControl()
    first, *then = await position.work.do(passing.to_end_of_turn, scene.title, position.state, seat)
    await act(given.interaction, scene, first, given.seq, then=then)


async def _undo(given: Press) -> None:
    """Take a slip back at once; ask about any other undo, do it, ask those concerned for it, or answer for them."""
    way, row = (*given.parts, "", "")[:2]
    seq = int(row) if row else None
    if way in ("yes", "no") and seq is not None:
        await _answer_undo(given, way == "yes", seq)
        return
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    slip = undoing.slip(table, given.user) if not way and given.seq == table.position.seq else None
    if way in ("", "from") and slip is None:
        await show_privately(given.interaction, asking.undo_screen(table, given.user, seq))
        return
    given.check_fresh(table)
    if way == "ask" and seq is not None:
        anew = await given.bot.present.forget_gone(given.game, f"undo:{seq}")
        await asking.ask(table, given.user, seq, given.interaction.id, anew=anew)
        text = "✓ The others have been asked. The request ends as soon as the game moves on, or after a day."
    else:
        await table.undo(user=given.user, seq=seq or slip, interaction=given.interaction.id, seen=given.seq)
        text = "✓ Undone. `/game redo` brings it back."
    await tell(given.interaction, text, given.game)


async def _answer_undo(given: Press, agrees: bool, seq: int) -> None:
    """Agree to a request to undo, or decline it; its message then says so."""
    await acknowledge(given.interaction, shows=False)
    table = await given.table()
    given.check_fresh(table)
    if not agrees:
        await asking.refuse(table, given.user, seq)
        screen = Screen(asking.DECLINED)
    else:
        asked = await asking.agree(table, given.user, seq, given.interaction.id)
        screen = asking.request_screen(table, asked) if asked.missing else Screen(asking.AGREED)
    await given.settle(screen)


async def _answer(given: Press, accept: bool) -> None:
    await acknowledge(given.interaction, shows=False)
    table = await given.table()
    text = await deals.answer(
        table, int(given.parts[0]), user=given.user, accept=accept, interaction=given.interaction.id
    )
    await given.settle(Screen(text))


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys((kind.__name__ for kind in CONTROLS), do),
    "RunTrains": _run_proposed,
    "sure": _sure,
    "run": _run,
    "end": _end,
    "undo": _undo,
    "yes": lambda given: _answer(given, True),
    "no": lambda given: _answer(given, False),
}


async def act(
    interaction: discord.Interaction[Any],
    scene: Scene,
    action: Action,
    seen: int | None = None,
    also: str = "",
    then: Sequence[Action] = (),
    *,
    sure: bool = False,
) -> None:
    """Submit an action and those `then` done in the same press, or offer it to the other side of a deal.

    Where somebody tries out, it is only played on their board.

    Tells the person, adding `also`. A decision of weight is asked about once more, unless they are `sure`.
    """
    bot: Bot = interaction.client
    if not isinstance(scene, Table):
        if isinstance(action, EndGame):
            raise TableError(deals.ENDS)
        board = bot.rooms.board_at(scene.id)
        assert board is not None
        await board.move(interaction, scene, (action, *then), seen)
        return
    table, agrees = scene, bot.its(Thinkers).agrees
    press = deals.Submission(interaction.user.id, seen, interaction.id, sure)
    try:
        outcome = await deals.do(table, action, *then, press=press, agrees=agrees)
    except AlreadyOffered:
        anew = await asking.offer_again(bot, table, action)
        if anew is None:
            raise
        outcome = anew
    screen = told(table, action, outcome)
    if isinstance(outcome, deals.AskedAgain):
        await show_privately(interaction, screen)
        return
    unseen = bot.sender.trouble(table.game.id)
    bot.sender.witnessed(table.game.id, interaction)
    screen.text = "\n".join(filter(None, (screen.text, also, unseen)))
    screen.game, screen.seq = table.game.id, table.position.seq
    quiet = interaction.type is discord.InteractionType.component and not in_private(interaction)
    if unseen or isinstance(outcome, deals.TurnedDown) or not quiet:  # else a public message will show it anyway
        await show_privately(interaction, screen)
    await bot.acted(interaction)


def told(table: Table, action: Action, outcome: deals.Outcome) -> Screen:
    names = table.position.lexicon()
    match outcome:
        case deals.AskedAgain():
            return asking.sure_screen(table, action, outcome)
        case deals.Offered(other):
            return Screen(
                f"{deals.described(table, action, public=False)}\n{names.player(other)} has been asked to agree."
            )
        case deals.TurnedDown(other):
            return deals.turned_down(table, action, other)
        case deals.Done(moves, label):
            return Screen("\n".join(f"✓ {line}" for line in turn.story(table, moves) or [label]))
