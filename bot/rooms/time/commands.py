"""/pace: how much time the players have."""

from __future__ import annotations

from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import PACES as PRESETS
from bot.chat.commands import Interaction
from bot.chat.layout import shorten
from bot.chat.screen import Screen
from bot.core.errors import OVER, TableError
from bot.core.pace import PACES, THEN, Pace, Then, chosen, own, told
from bot.core.settings import TableSettings
from bot.core.times import status_lines
from bot.rooms.seats import agreeing
from bot.rooms.seats.joining import redraw_lobby

HOURS = app_commands.Range[int, 0, 720]


class PaceCommands(commands.Cog):
    """How much time the players have."""

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(
        pace="One of the usual paces",
        bank="Hours that everybody has at the start",
        increment="Hours more after each turn",
        cap="Hours that nobody's time grows beyond",
        quiet_free="Whether a player's time stands still in their quiet hours",
        weekends_free="Whether time stands still on weekends",
        then="What happens when somebody's time is up",
        agree="Whether you agree to the pace that was proposed",
    )
    @app_commands.choices(
        pace=[*PRESETS, app_commands.Choice(name="Own numbers: bank, increment and cap", value="own")],
        then=[
            app_commands.Choice(name=shorten(text[0].upper() + text[1:], 100), value=key) for key, text in THEN.items()
        ],
    )
    async def pace(
        self,
        interaction: Interaction,
        pace: str | None = None,
        bank: HOURS | None = None,
        increment: HOURS | None = None,
        cap: HOURS | None = None,
        quiet_free: bool | None = None,
        weekends_free: bool | None = None,
        then: str | None = None,
        agree: bool | None = None,
    ) -> None:
        """Show how much time the players have, or propose another pace"""
        await acknowledge(interaction, shows=True)
        bot, user = interaction.client, interaction.user.id
        game = await bot.tables.game_in(interaction.channel_id or 0)
        if game.status == "finished":
            raise TableError(OVER)
        now = TableSettings.read(game.settings).pace
        numbers = (bank, increment, cap)
        wanted = _wanted(now, pace, numbers, quiet_free, weekends_free, then)
        if game.status == "open":
            if wanted is None:
                text = f"**Pace:** {told(now)}."
            else:
                text = await agreeing.set_in_lobby(bot, game, user, wanted, interaction.id)
                await redraw_lobby(bot, game.id)
        else:
            table = await bot.tables.get(game.id)
            if wanted is not None:
                text = await agreeing.propose(bot, table, user, wanted, interaction.id)
            elif agree is not None:
                text = await agreeing.agree(bot, table, "pace", user, agree, interaction.id)
            else:
                text = "\n".join(await status_lines(table))
        await show_privately(interaction, Screen(text))


def _wanted(
    now: Pace,
    name: str | None,
    numbers: tuple[int | None, int | None, int | None],
    quiet_free: bool | None,
    weekends_free: bool | None,
    then: str | None,
) -> Pace | None:
    """The pace that the options describe; None if they describe none. Raises TableError."""
    bank, increment, cap = numbers
    if name == "own" or any(one is not None for one in numbers):
        base = now if now.timed else PACES["steady"]
        made = own(
            base.bank if bank is None else bank,
            base.increment if increment is None else increment,
            base.cap if cap is None else cap,
        )
    elif name is not None:
        made = chosen(name)
    elif (quiet_free, weekends_free, then) == (None, None, None):
        return None
    else:
        made = now
    if not made.timed and (quiet_free, weekends_free, then) != (None, None, None):
        raise TableError("That needs a clock: choose a pace that has one.")
    made = made if quiet_free is None else replace(made, quiet_free=quiet_free)
    made = made if weekends_free is None else replace(made, weekends_free=weekends_free)
    after: Then | None = next((one for one in THEN if one == then), None)
    return made if after is None else replace(made, then=after)
