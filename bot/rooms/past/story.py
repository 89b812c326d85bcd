"""/game history."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import acknowledge, show_privately, show_publicly
from bot.chat.commands import PUBLIC, TEXT, Interaction, companies_here, company_named, matching, table_here
from bot.chat.layout import files, shorten, view
from bot.chat.screen import Image, Screen
from bot.core.errors import TableError
from bot.core.table import Table
from bot.rooms.past.browser import at_move, browser_screen
from bot.rooms.past.charts import NAMES, chart_screen
from bot.rooms.past.filming import MAKING, Films, job_of
from bot.rooms.past.history import ABOUT, Wanted, history_screen
from bot.rooms.past.since import since_own_screen, since_round, since_screen
from engine.past import rounds_of, span


class LookingBack(commands.Cog):
    """The game so far, at a glance."""

    @app_commands.command()
    @app_commands.describe(about="Which chart", public=PUBLIC)
    @app_commands.choices(about=[app_commands.Choice(name=name, value=key) for key, name in NAMES.items()])
    async def chart(self, interaction: Interaction, about: str = "worth", public: bool = False) -> None:
        """Charts of the game so far: worth, share prices, revenue, trains"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        viewer = mine[0] if mine and not public else None
        screen = await chart_screen(table, about if about in NAMES else "worth", viewer)
        if public:
            screen.rows.clear()
            await show_publicly(interaction, screen, "✓ Shown to everybody.")
        else:
            await show_privately(interaction, screen)

    @app_commands.command()
    @app_commands.describe(round="Since this round began (4.1, SR 2); otherwise since your last move")
    async def since(self, interaction: Interaction, round: TEXT | None = None) -> None:
        """What happened since your last move, or since a round: money, prices, trains, presidencies, offers"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        seat = mine[0] if mine else None
        if round is None:
            screen = await since_own_screen(table, seat)
        else:
            screen = await since_screen(table, since_round(table, round), seat, f"since {shorten(round.strip(), 20)}")
        await show_privately(interaction, screen)

    @since.autocomplete("round")
    async def _rounds(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        try:
            rounds = rounds_of((await table_here(interaction)).states())
        except Exception:
            return []
        return matching([(one.name, one.name) for one in reversed(rounds)], current)


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


class Story(commands.Cog):
    """What has happened."""

    @app_commands.command()
    @app_commands.describe(
        page="1 is the newest page",
        player="Only what this player did, and what names them",
        company="Only what names this company",
        about="Only what is about money, or about track and tokens",
        move="This move, in pictures",
    )
    @app_commands.choices(about=[app_commands.Choice(name=name, value=key) for key, name in ABOUT.items()])
    async def history(
        self,
        interaction: Interaction,
        page: app_commands.Range[int, 1, 1000] = 1,
        player: discord.Member | None = None,
        company: TEXT = "",
        about: str = "",
        move: app_commands.Range[int, 1, 100_000] | None = None,
    ) -> None:
        """What has happened, with the newest last, and each move in pictures"""
        await acknowledge(interaction, shows=True)
        table = await table_here(interaction)
        if move is not None:
            mine = table.seats_of(interaction.user.id)
            await show_privately(
                interaction, await browser_screen(table, at_move(table, move), mine[0] if mine else None)
            )
            return
        seats = table.seats_of(player.id) if player is not None else [""]
        if not seats:
            raise TableError("That person has no seat in this game.")
        corp = company_named(table, company) if company else ""
        if corp and corp not in table.title.corporations:
            raise TableError(f"There is no company “{shorten(company, 20)}” in this game.")
        wanted = Wanted(seats[0], corp, about if about in ABOUT else "")
        await show_privately(interaction, await history_screen(table, page, wanted))

    @history.autocomplete("company")
    async def _companies(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return await companies_here(interaction, current)
