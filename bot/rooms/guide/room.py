"""The guided first game, as the house finds it: /guide, what is pressed there, and what cannot be done there."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, explain, show_privately
from bot.chat.client import Bot
from bot.chat.commands import Interaction
from bot.chat.press import Press
from bot.chat.rights import must_be_able_to_post
from bot.chat.room import Room
from bot.chat.screen import Screen
from bot.core.errors import Outdated, TableError, UnknownControl
from bot.core.position import Scene
from bot.core.settings import TableSettings
from bot.rooms.guide.play import PLACE, Guided, GuidedGames
from bot.rooms.guide.screen import TO_GUIDE, more_screen, stage_screen, through_screen, welcome_screen
from bot.rooms.guide.stages import TITLE, title
from bot.rooms.seats import lobby
from engine.actions import Action
from engine.errors import EngineError

PASSED = "That was some moves ago; this is where you are."
OPENED = "✓ The table stands below: others can join there."


class Guiding(commands.Cog):
    """Being guided through a first game."""

    @app_commands.command()
    @app_commands.guild_only()
    async def guide(self, interaction: Interaction) -> None:
        """Your first game, step by step: alone, in a quarter of an hour, seen by you only"""
        await acknowledge(interaction, shows=True)
        await show_privately(interaction, await _entrance(interaction.client, interaction.user))


async def _entrance(bot: Bot, user: discord.abc.User) -> Screen:
    """The welcome, or where the person is."""
    guides = bot.its(GuidedGames)
    row = await guides.row(user.id)
    here = None if row is None else await guides.of(user.id)
    return through_screen() if row is not None and here is None else welcome_screen(here)


async def _guide(given: Press) -> None:
    """Whatever is pressed in the guided game beside moves, and the ways in."""
    await acknowledge(given.interaction, shows=True)
    way, *rest = given.parts or [""]
    guides, user = given.bot.its(GuidedGames), given.interaction.user
    if way == "table":
        await _open_table(given)
        return
    if way in ("to", "end"):
        await guides.go(user.id, rest[0] if rest else "", user.display_name)
    here = await guides.of(user.id)
    if here is None or not way:
        await show_privately(given.interaction, await _entrance(given.bot, user))
    elif way == "more":
        await show_privately(given.interaction, more_screen(here))
    elif way == "back":
        given.check_fresh(here)
        await _show(given.interaction, await guides.back(here))
    else:
        await _show(given.interaction, here)


async def _show(interaction: discord.Interaction[Any], here: Guided | None, said: str = "") -> None:
    """Show where the person is."""
    await show_privately(interaction, through_screen() if here is None else await stage_screen(here, said))


async def _open_table(given: Press) -> None:
    """Set up a game of the same title in this channel, in which decisions are explained."""
    await must_be_able_to_post(given.interaction)
    options = json.dumps(sorted(title().options))
    try:
        game = await lobby.create(given.interaction, TITLE, options, TableSettings(teaching=True), [])
    except TableError as error:
        screen = through_screen()
        screen.text += f"\n\n⚠️ {error}"
        await show_privately(given.interaction, screen)
        return
    await lobby.open_lobby(given.interaction, game, OPENED)


class GuideBoards:
    """The guided game, as presses and forms find it."""

    back = TO_GUIDE

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def has(self, place: str) -> bool:
        """Whether a control belongs to the guided game."""
        return place == PLACE

    async def scene(self, place: str, user: int) -> Guided:
        """Where the person is. Raises UnknownControl for one who is nowhere."""
        here = await self.bot.its(GuidedGames).of(user)
        if here is None:
            raise UnknownControl()
        return here

    async def move(self, interaction: Any, scene: Scene, actions: Sequence[Action], seen: int | None) -> None:
        """Play the actions of one press, let the others answer, and show it. Raises what `GuidedGames.move` raises."""
        assert isinstance(scene, Guided)
        await _show(interaction, await self.bot.its(GuidedGames).move(scene, actions, seen))

    async def guarded(self, interaction: Any, place: str, handle: Callable[[], Awaitable[None]]) -> None:
        """Do what was pressed; what cannot be done is said above the position, which stays."""
        try:
            await handle()
        except (TableError, EngineError) as error:
            await acknowledge(interaction, shows=True)
            here = await self.bot.its(GuidedGames).of(interaction.user.id)
            if here is None:
                raise
            said = PASSED if isinstance(error, Outdated) else explain(error)
            await _show(interaction, here, f"⚠️ {said}")


ROOM = Room(presses={"guide": _guide}, cogs=(Guiding,))
