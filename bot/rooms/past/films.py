"""/show film: the map and the market, change by change."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately, show_publicly
from bot.chat.commands import PUBLIC, TEXT, Interaction, matching, table_here
from bot.chat.layout import files, shorten, view
from bot.chat.screen import Image, Screen
from bot.core.errors import TableError
from bot.core.table import Table
from bot.rooms.past.filming import MAKING, Films, job_of
from engine.past import rounds_of, span

WHOLE = "the whole game"


class FilmCommands(commands.Cog):
    """The game so far, as a film."""

    @app_commands.command()
    @app_commands.describe(of="A round (4.1, SR 2), a set of rounds (4), or the whole game", public=PUBLIC)
    async def film(self, interaction: Interaction, of: TEXT = WHOLE, public: bool = False) -> None:
        """The map and the market as a film: of a round, a set or the whole game"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        part = "" if of == WHOLE else of.strip()
        states = table.states()
        if span(states, part) is None:
            names = ", ".join(one.name for one in rounds_of(states)[-8:])
            raise TableError(f"This game has no round “{shorten(part, 20)}”. Its last rounds: {names}.")
        await show_privately(interaction, Screen(MAKING))
        screen = await _filmed(interaction, table, part)
        if public and screen.images:
            await show_publicly(interaction, screen, "✓ Shown to everybody.")
        else:
            await interaction.edit_original_response(view=view(screen), attachments=files(screen.images))

    @film.autocomplete("of")
    async def _parts(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await parts_here(interaction, current)


async def _filmed(interaction: Interaction, table: Table, part: str) -> Screen:
    """The film, or why there is none. It comes late, so that errors are no longer answered for us."""
    job = await table.work.do(job_of, table.title, table.beginning, [one.action for one in table.moves], part)
    try:
        gif = await interaction.client.its(Films).make(job, interaction.user.id)
    except TableError as error:
        return Screen(str(error))
    alt = f"Film of {table.title.name}: {part or WHOLE}, the map above the market, one change after the other."
    return Screen(game=table.game.id, images=[Image(f"film-{table.position.seq}.gif", gif, alt)])


async def parts_here(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the whole game, its sets and rounds, the latest first; empty if there is no game here."""
    try:
        rounds = rounds_of((await table_here(interaction)).states())
    except Exception:
        return []
    sets = dict.fromkeys(one.turn for one in rounds if one.turn)
    named = [(WHOLE, WHOLE), *((f"set {turn}", str(turn)) for turn in reversed(sets))]
    return matching([*named, *((one.name, one.name) for one in reversed(rounds))], current)
