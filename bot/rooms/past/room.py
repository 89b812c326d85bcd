"""Looking back: its presses, and what it adds to /game and /show."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat import codes
from bot.chat.answers import acknowledge, show_instead, show_privately, show_publicly
from bot.chat.client import Bot
from bot.chat.commands import (
    PUBLIC,
    TEXT,
    Interaction,
    companies_here,
    company_there,
    folded,
    matching,
    or_nothing,
    table_here,
)
from bot.chat.press import Press, of_table, showing
from bot.chat.room import Room
from bot.chat.screen import Button, Image, Screen
from bot.core.desks import stop_lines
from bot.core.errors import NOT_THERE, TableError
from bot.core.table import Table
from bot.rooms.past import history
from bot.rooms.past.history import Bookmark, Filter
from bot.rooms.past.reviewing import CHANGED, Reviews, job_at, review_screen, slip_screen
from bot.rooms.past.reviewing import MAKING as REVIEWING
from bot.rooms.past.since import no_round, since_own_screen, since_round, since_screen
from bot.rooms.past.workshop import MAKING, Films, job_of, shows
from engine import PlayerId
from engine.past import rounds_of, span

WHOLE = "the whole game"


@showing
async def _records(given: Press) -> Screen:
    """What everybody's worth is made of, and the records, once the game is over."""
    table = await given.table()
    if not table.position.over:
        raise TableError("The records are shown once the game is over.")
    return await history.records_screen(table)


@showing
async def _since(given: Press) -> Screen:
    """What happened since the person's own last move."""
    table = await given.table()
    seat = table.viewer_for(given.user)
    screen = await since_own_screen(table, seat)
    stopped = stop_lines(table.orders.desk(seat), table.position.lexicon()) if seat is not None else []
    screen.text = "\n".join([screen.text, *stopped])
    return screen


async def _review(given: Press) -> None:
    """What cost a player most, or one of these decisions; or looking the game over is stopped."""
    await acknowledge(given.interaction, shows=True)
    table, parts = await given.table(), given.parts
    if parts == ["stop"]:
        given.bot.its(Reviews).stop(await job_at(table), given.user)
    else:
        await _show_review(given.interaction, table, *parts, seen=given.seq if len(parts) > 1 else None)


async def _show_review(
    interaction: Interaction, table: Table, seat: str = "", number: str = "", *, seen: int | None = None
) -> None:
    """Look the game over if need be, saying so meanwhile, and show what was found of a seat, or one decision of it.

    It may come late, so that errors are no longer answered for us.
    """
    reviews, job = interaction.client.its(Reviews), await job_at(table, seen)
    if not reviews.has(job):
        waiting = Screen(REVIEWING, game=table.game.id, seq=table.position.seq)
        await show_privately(interaction, waiting.buttons(Button("Stop", codes.join("review", "stop"))))
    try:
        found = await reviews.make(job, interaction.user.id)
        if await job_at(table) != job:
            raise TableError(CHANGED)
        shown = PlayerId(seat) if seat else (table.viewer_for(interaction.user.id) or table.position.state.players[0])
        if number:
            screen = await slip_screen(table, found, shown, int(number))
        else:
            screen = await review_screen(table, found, shown)
    except TableError as error:
        screen = Screen(str(error))
    await show_instead(interaction, screen)


class LookingBack(commands.Cog):
    @app_commands.command()
    async def review(self, interaction: Interaction) -> None:
        """After a game: the decisions that cost each player most, and everybody's chances as it went on"""
        await acknowledge(interaction, shows=True)
        await _show_review(interaction, await table_here(interaction))

    @app_commands.command()
    @app_commands.describe(about="Which chart", public=PUBLIC)
    @app_commands.choices(
        about=[app_commands.Choice(name=name, value=key) for key, name in history.CHART_NAMES.items()]
    )
    async def chart(self, interaction: Interaction, about: str = "worth", public: bool = False) -> None:
        """Charts of the game so far: worth, share prices, revenue, trains"""
        table = await table_here(interaction)
        viewer = None if public else table.viewer_for(interaction.user.id)
        screen = await history.chart_screen(table, about if about in history.CHART_NAMES else "worth", viewer)
        if public:
            screen.rows.clear()
            await show_publicly(interaction, screen)
        else:
            await show_privately(interaction, screen)

    @app_commands.command()
    @app_commands.describe(round="Since this round began (4.1, SR 2); otherwise since your last move")
    async def since(self, interaction: Interaction, round: TEXT | None = None) -> None:
        """What happened since your last move, or since a round: money, prices, trains, presidencies, offers"""
        table = await table_here(interaction)
        seat = table.viewer_for(interaction.user.id)
        if round is None:
            screen = await since_own_screen(table, seat)
        else:
            start, since = since_round(table, round)
            screen = await since_screen(table, start, seat, since)
        await show_privately(interaction, screen)

    @since.autocomplete("round")
    @or_nothing
    async def _rounds(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        rounds = rounds_of((await table_here(interaction)).states())
        return matching([(one.name, one.name) for one in reversed(rounds)], current)

    @app_commands.command()
    @app_commands.describe(
        page="1 is the newest page",
        player="Only what this player did or is named in",
        company="Only what names this company",
        about="Only what is about money, or about track and tokens",
        move="This move, in pictures",
    )
    @app_commands.choices(about=[app_commands.Choice(name=name, value=key) for key, name in history.ABOUT.items()])
    @app_commands.autocomplete(company=companies_here)
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
        table = await table_here(interaction)
        if move is not None:
            bookmark, viewer = Bookmark(table.seq_of(move)), table.viewer_for(interaction.user.id)
            await show_privately(interaction, await history.browser_screen(table, bookmark, viewer))
            return
        seats = _seats_of(table, player.id) if player is not None else []
        if player is not None and not seats:
            raise TableError(NOT_THERE)
        corp = company_there(table, company) if company else ""
        wanted = Filter("+".join(seats), corp, about if about in history.ABOUT else "")
        await show_privately(interaction, await history.history_screen(table, page, wanted))


def _seats_of(table: Table, user: int) -> list[str]:
    """The person's seats; of whoever has none by now, those that they had."""
    had = {one.seat for one in table.tenures.handovers if one.from_id == user}
    return [*table.seats_of(user)] or [seat for seat in table.seats if seat in had]


class FilmCommands(commands.Cog):
    @app_commands.command()
    @app_commands.describe(of="A round (4.1, SR 2), a set of rounds (4), or the whole game", public=PUBLIC)
    async def film(self, interaction: Interaction, of: TEXT = WHOLE, public: bool = False) -> None:
        """The map and the market as a film: of a round, a set or the whole game"""
        table = await table_here(interaction)
        part = "" if folded(of) == WHOLE else of.strip().removeprefix("set ")  # a set by its name in the list, too
        must_have(table, part)
        await show_privately(interaction, Screen(MAKING))
        screen = await _filmed(interaction, table, part)
        if public and screen.images:
            await show_publicly(interaction, screen)
        else:
            await show_instead(interaction, screen)

    @film.autocomplete("of")
    @or_nothing
    async def _parts(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        parts = parts_of(await table_here(interaction))
        return matching([(name, of or WHOLE) for name, of in parts], current)


def must_have(table: Table, part: str) -> None:
    """Raise TableError unless the game has this round or set."""
    if span(table.states(), part) is None:
        raise no_round(table, part)


def parts_of(table: Table) -> list[tuple[str, str]]:
    """What of a game can be filmed: all of it, the sets and the rounds, each as people call it and as `span` does.

    Nothing of it where nothing happened on the map or the market.
    """
    states = table.states()
    rounds = [one for one in rounds_of(states)[::-1] if shows(states, range(one.start + 1, one.end + 1))]
    sets = [(f"set {turn}", str(turn)) for turn in dict.fromkeys(one.turn for one in rounds if one.turn)]
    names = dict.fromkeys(one.name for one in rounds)  # a bankrupt company of 1860 lets a stock round begin anew
    return [*([(WHOLE, "")] if rounds else []), *sets, *((name, name) for name in names)]


async def film(films: Films, table: Table, part: str, user: int) -> bytes:
    """A part of the game as GIF, for a person. Raises TableError."""
    job = await table.work.do(job_of, table.title, table.beginning, [one.action for one in table.moves], part)
    return await films.make(job, user)


async def _filmed(interaction: Interaction, table: Table, part: str) -> Screen:
    """The film, or why there is none. It comes late, so that errors are no longer answered for us."""
    try:
        gif = await film(interaction.client.its(Films), table, part, interaction.user.id)
    except TableError as error:
        return Screen(str(error))
    alt = f"Film of {table.title.name}: {part or WHOLE}, the map above the market, one change after the other."
    return Screen(game=table.game.id, images=[Image(f"film-{table.position.seq}.gif", gif, alt)])


async def _ends(bot: Bot) -> None:
    await bot.its(Films).close()
    await bot.its(Reviews).close()


ROOM = Room(
    presses={
        "chart": showing(
            of_table(lambda table, given: history.chart_screen(table, given.parts[0], table.viewer_for(given.user)))
        ),
        "records": _records,
        "review": _review,
        "history": showing(
            of_table(lambda table, given: history.history_screen(table, int(given.parts[0]), Filter(*given.parts[1:])))
        ),
        "past": showing(
            of_table(
                lambda table, given: history.browser_screen(
                    table, history.bookmark_of(given.parts), table.viewer_for(given.user)
                )
            )
        ),
        "since": _since,
        "astext": showing(
            of_table(lambda table, given: history.history_screen(table, 1, Filter(), around=int(given.parts[0])))
        ),
    },
    codes={
        "chart": "|".join(history.CHART_NAMES),
        "review": r"(?:stop|p\d(?:\|\d)?)?",
        "history": rf"\d{{1,4}}\|(?:p\d(?:\+p\d){{0,6}})?\|(?:{codes.NAME})?\|(?:money|track)?",
        "past": r"\d{1,7}\|(?:map|market|table)\|u?\|[0-3pruv]",
        "astext": r"\d{1,7}",
    },
    final=history.final_screen,
    keeps=lambda bot: (Films(), Reviews()),
    ends=_ends,
)
