"""What buttons, forms and commands share: acting, passing ahead, voting, joining."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import discord

from bot.chat.answers import in_private, show_privately
from bot.chat.layout import view
from bot.chat.screen import Screen
from bot.core import desks
from bot.core.errors import NotYourTurn, TableError, Unreadable
from bot.core.notices import LOBBY
from bot.core.scene import Scene
from bot.core.settings import TableSettings
from bot.core.table import Table
from bot.rooms.learning.help import help_screen
from bot.rooms.mine import mine
from bot.rooms.seats import lobby, opening, seating
from bot.rooms.seats.screen import leaving_screen
from bot.rooms.trying import trying
from bot.rooms.trying.lines import TryOut
from bot.rooms.turn import deals
from bot.rooms.turn import screen as turn
from bot.rooms.turn.asking import leave_screen, sure_screen
from bot.words.names import clean_name
from bot.words.programs import sentence, stops_when
from engine.actions import Action, EndGame
from engine.errors import EngineError
from engine.ids import PlayerId
from engine.title import Title
from programs import PassAhead
from storage import StorageError

if TYPE_CHECKING:
    from bot.chat.client import Bot

ASKED_TO_UNDO = "✓ The others have been asked. The request ends as soon as the game moves on, or after a day."
AGREED_TO_UNDO = "*All agreed: it was taken back.*"
DECLINED_TO_UNDO = "*This request was declined or withdrawn.*"
UNDONE = "✓ Undone. `/game redo` brings it back."
NOT_PASSING = "✓ You are no longer passing ahead."
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
    if isinstance(scene, TryOut):
        await trying.move(bot, interaction, scene, (action, *then), seen)
        return
    assert isinstance(scene, Table)
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
    await mine.moved_while_away(bot, interaction)


async def _deal_with_opponent(
    bot: Bot, interaction: discord.Interaction[Any], table: Table, action: Action, other: PlayerId, seen: int | None
) -> tuple[Screen, bool]:
    """Propose a deal to an opponent, who answers at once: what to tell the person, and whether it agreed.

    Raises what `Table.submit` does.
    """
    position, level = table.position, table.opponent(other)
    assert level is not None
    await deals.must_be_possible(table, action, seen)
    if not await bot.thinkers.agrees(table.asks(other, level), action):
        return deals.turned_down(table, action, other), False
    await table.submit(action, user=interaction.user.id, seen=position.seq, interaction=interaction.id)
    story = turn.story(table, [one for one in table.moves if one.seq > position.seq])
    return Screen("\n".join(f"✓ {line}" for line in story)), True


async def _confirm(interaction: discord.Interaction[Any], screen: Screen, *, shown: bool) -> None:
    """Confirm privately, unless a public message will show it anyway."""
    if shown and interaction.type is discord.InteractionType.component and not in_private(interaction):
        return
    await show_privately(interaction, screen)


async def pass_ahead(bot: Bot, table: Table, user: int, span: str, interaction: int) -> str:
    """Have a program pass for the person, or switch it off ("stop"); return what to tell them."""
    mine = table.seats_of(user)
    if not mine:
        raise table.not_seated(user)
    seat = mine[0]
    passing = [one.number for one in table.orders.desk(seat).kept if isinstance(one.program, PassAhead)]
    if span == "stop":
        await desks.change(table, seat, lambda desk: desk.without(*passing), interaction=interaction)
        return NOT_PASSING
    if seat in table.position.up and span == "once":
        raise TableError("It is your turn now: pass with the button in the turn's message, or with `/pass`.")
    program = PassAhead(span="once" if span == "once" else "round")
    await desks.enable(table, seat, program, instead=passing, interaction=interaction)
    await table.go_on()
    bot.sender.wake()
    return f"✓ {sentence(program, table.position.lexicon())} {stops_when(program)}"


async def game_here(bot: Bot, channel: int, game: str = "") -> Title | None:
    """The title, with its options, of the control's game or else of the channel's; None where there is none."""
    with suppress(StorageError, EngineError):
        found = (
            await bot.store.game(game)
            if game and not trying.is_line(game)
            else await bot.store.game_in_channel(channel)
        )
        return opening.title_of(found) if found is not None else None
    return None


async def help_here(bot: Bot, interaction: discord.Interaction[Any], key: str) -> Screen:
    """A page of help for whoever is in this channel. Raises TableError."""
    game = await bot.store.game_in_channel(interaction.channel_id or 0)
    round_name = ""
    if game is not None and game.status == "running":
        with suppress(Unreadable):
            round_name = (await bot.tables.get(game.id)).position.state.round
    return help_screen(key, await game_here(bot, interaction.channel_id or 0), round_name)


async def join(bot: Bot, game_id: str, interaction: discord.Interaction[Any], *, once: bool = True) -> None:
    """Give the person a seat. Raises TableError and storage errors. `once`: remember that this interaction joined."""
    game, user = await bot.store.game(game_id), interaction.user
    opening.must_be_able_to_join(game, user.id, await bot.store.seats(game_id))
    number = interaction.id if once else None
    if TableSettings.read(game.settings).invited:
        if await opening.accept(bot.store, game, user.id, number):
            await (await bot.tables.get(game.id)).reclock()
            bot.sender.witnessed(game.id, interaction)
        return
    _, limit = opening.players_of(game)
    name = clean_name(user.display_name, user.name)
    await bot.store.join(game.id, user.id, name, limit=limit, interaction_id=number)


async def ask_to_leave(bot: Bot, game_id: str, interaction: discord.Interaction[Any]) -> None:
    """Ask whether the person gives up their seat, or declines the one kept for them. Raises TableError."""
    game, user = await bot.store.game(game_id), interaction.user.id
    opening.must_be_able_to_leave(game, user, await bot.store.seats(game_id))
    running = game.status == "running"
    screen = leaving_screen(await bot.tables.get(game_id), user) if running else leave_screen(game, user)
    await show_privately(interaction, screen)


async def leave(bot: Bot, game_id: str, interaction: discord.Interaction[Any]) -> None:
    """Give up the person's seat, or decline the one kept for them. Raises TableError and storage errors."""
    game, user = await bot.store.game(game_id), interaction.user.id
    opening.must_be_able_to_leave(game, user, await bot.store.seats(game_id))
    if game.status == "running":
        await seating.leave(bot, interaction, await bot.tables.get(game_id))
        return
    if TableSettings.read(game.settings).invited:
        await opening.decline(bot.store, game, user, interaction.id)
        bot.sender.wake()
        done = "✓ You have declined."
    else:
        await bot.store.leave(game.id, user, interaction_id=interaction.id)
        done = "✓ You have left."
    await redraw_lobby(bot, game_id)
    await show_privately(interaction, Screen(done))


async def redraw_lobby(bot: Bot, game_id: str) -> None:
    """Update the message where people join the game."""
    game = await bot.store.game(game_id)
    screen = lobby.lobby_screen(game, await bot.store.seats(game_id))
    for message in await bot.store.messages.live(game_id):
        if message.kind == LOBBY:
            try:
                channel = await bot.messages.channel(message.channel_id)
                await channel.get_partial_message(message.message_id).edit(
                    view=view(screen), allowed_mentions=discord.AllowedMentions.none()
                )
            except discord.HTTPException:
                return
