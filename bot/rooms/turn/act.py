"""Acting: what a button, a form or a command has become, done or offered to whoever must agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from bot.chat.answers import in_private, show_privately
from bot.chat.client import Bot
from bot.chat.screen import Screen
from bot.core.errors import NotYourTurn, TableError
from bot.core.position import Scene
from bot.core.table import Table
from bot.rooms.opponents.playing import Thinkers
from bot.rooms.turn import deals
from bot.rooms.turn import screen as turn
from bot.rooms.turn.asking import sure_screen
from engine.actions import Action, EndGame
from engine.ids import PlayerId

ASKED_TO_UNDO = "✓ The others have been asked. The request ends as soon as the game moves on, or after a day."
AGREED_TO_UNDO = "*All agreed: it was taken back.*"
DECLINED_TO_UNDO = "*This request was declined or withdrawn.*"
UNDONE = "✓ Undone. `/game redo` brings it back."
NO_HAND = "You have no seat in this game. `/show table` shows what everybody holds."


async def act(
    bot: Bot,
    interaction: discord.Interaction[Any],
    scene: Scene,
    action: Action,
    seen: int | None,
    also: str = "",
    then: Sequence[Action] = (),
    *,
    sure: bool = False,
) -> None:
    """Submit an action and those `then` done in the same press, or offer it to the other side of a deal.

    Where somebody tries out, it is only played on their board.

    Tells the person, adding `also`. An action that cannot be meant lightly asks once more, unless they are `sure`.
    """
    if isinstance(action, EndGame):
        raise TableError("The game only ends early if everybody agrees: use `/game end`.")
    if not isinstance(scene, Table):
        await bot.boards.move(interaction, scene, (action, *then), seen)
        return
    table = scene
    other = deals.needs_consent(table, action)
    user = interaction.user.id
    if not table.may_act(user, action.by):
        raise NotYourTurn("That is not your decision to make.")
    question = None if sure else await sure_screen(table, action, seen)
    if question is not None:
        await show_privately(interaction, question)
        return
    agreed = True
    if other is not None and table.opponent(other) is not None:
        screen, agreed = await _deal_with_opponent(bot, interaction, table, action, other, seen)
    elif other is not None:
        await deals.make(table, action, other, seen=seen, interaction=interaction.id)
        asked = table.position.lexicon().player(other)
        screen = Screen(f"{deals.described(table, action, public=False)}\n{asked} has been asked to agree.")
    else:
        before = table.position
        await table.submit(action, *then, user=user, seen=seen, interaction=interaction.id)
        lines = turn.story(table, [one for one in table.moves if one.seq > before.seq])
        screen = Screen("\n".join(f"✓ {line}" for line in lines or [before.labels().of(action)]))
    unseen = bot.sender.trouble(table.game.id)
    bot.sender.witnessed(table.game.id, interaction)
    screen.text = "\n".join(filter(None, (screen.text, also, unseen)))
    screen.game, screen.seq = table.game.id, table.position.seq
    await _confirm(interaction, screen, shown=agreed and not unseen)
    await bot.acted(interaction)


async def _deal_with_opponent(
    bot: Bot, interaction: discord.Interaction[Any], table: Table, action: Action, other: PlayerId, seen: int | None
) -> tuple[Screen, bool]:
    """Propose a deal to an opponent, who answers at once: what to tell the person, and whether it agreed.

    Raises what `Table.submit` does.
    """
    position, level = table.position, table.opponent(other)
    assert level is not None
    await deals.must_be_possible(table, action, seen)
    if not await bot.its(Thinkers).agrees(table.asks(other, level), action):
        return deals.turned_down(table, action, other), False
    await table.submit(action, user=interaction.user.id, seen=position.seq, interaction=interaction.id)
    story = turn.story(table, [one for one in table.moves if one.seq > position.seq])
    return Screen("\n".join(f"✓ {line}" for line in story)), True


async def _confirm(interaction: discord.Interaction[Any], screen: Screen, *, shown: bool) -> None:
    """Confirm privately, unless a public message will show it anyway."""
    if shown and interaction.type is discord.InteractionType.component and not in_private(interaction):
        return
    await show_privately(interaction, screen)
