"""What is only shown to whoever asks: pictures and cards by /show, and what stands behind *More…* and *Look at…*."""

from collections.abc import Awaitable, Callable, Iterator, Sequence

import discord
from discord import app_commands
from discord.ext import commands
from discord.utils import escape_markdown

import engine
from bot.chat.answers import show_privately, show_publicly
from bot.chat.commands import (
    NAMES,
    PUBLIC,
    TEXT,
    Interaction,
    companies_here,
    company_there,
    hex_named,
    matching,
    must_have_local_names,
    offered,
    or_nothing,
    table_here,
    title_named,
    titles_matching,
)
from bot.chat.press import Press, must_be_up, of_table, showing
from bot.chat.room import Handler
from bot.chat.screen import Button, Image, Screen, where
from bot.core.errors import TableError
from bot.core.passing import IfPassed
from bot.core.position import Scene
from bot.core.secrecy import cash_hidden
from bot.rooms.learning.help import FIRST, found, game_here, help_here, suggested
from bot.rooms.learning.rules import add_rules, search_screen
from bot.rooms.turn import cards, deals, pictures, why_not
from bot.rooms.turn.controls import add_controls
from bot.rooms.turn.screen import task
from bot.words.labels import drops_out
from bot.words.lexicon import Lexicon, listed
from bot.words.narration import ending, narrate
from engine import HexId, PlayerId, Title
from engine.actions import Pass
from engine.facts import GameEnded


class Reference(commands.Cog):
    @app_commands.command()
    @app_commands.describe(title="Which game; this channel's if left out")
    @app_commands.autocomplete(title=titles_matching)
    async def phases(self, interaction: Interaction, title: TEXT | None = None) -> None:
        """The chart of phases and trains"""
        if title is None:
            table = await table_here(interaction)
            screen = await SCREENS["phases"](table, None)
        else:
            screen = Screen(images=[await interaction.client.work.do(pictures.printed_phases, title_named(title))])
        await show_privately(interaction, screen)

    @app_commands.command()
    @app_commands.describe(about="A topic, or a term such as par or float")
    async def help(self, interaction: Interaction, about: TEXT | None = None) -> None:
        """How to play: the aim, the rounds, the terms, what is special in each game"""
        bot = interaction.client
        try:
            screen = await help_here(bot, interaction, FIRST if about is None else found(about))
        except TableError as nowhere:  # no page has it, but perhaps the rules
            game = await game_here(bot, interaction.channel_id or 0)
            try:
                screen = await bot.work.do(search_screen, about or "", game.id if game is not None else "", game)
            except TableError:
                raise nowhere from None
        await show_privately(interaction, screen)

    @help.autocomplete("about")
    async def _about(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return offered(suggested(current))


class Looking(commands.Cog):
    @app_commands.command(name="map")
    @app_commands.describe(hex="Only show the part around this hex", names="Which place names", public=PUBLIC)
    @app_commands.choices(names=NAMES)
    async def map_(
        self, interaction: Interaction, hex: TEXT | None = None, names: str | None = None, public: bool = False
    ) -> None:
        """The map, or the part around a hex"""
        table = await table_here(interaction)
        around: tuple[HexId, ...] = ()
        if hex is not None:
            around = (hex_named(table, hex),)
            if around[0] not in {cell.id for cell in table.position.board().hexes}:
                raise TableError(f"There is no hex {around[0][:12]} on this map.")
        local = None if names is None else names == "local"
        if local:
            must_have_local_names(table.title)
        await _answer(interaction, await map_screen(table, around, local), public)

    @map_.autocomplete("hex")
    @or_nothing
    async def _hexes(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        table = await table_here(interaction)
        names = table.position.lexicon()
        return matching([(names.hex(cell.id), str(cell.id)) for cell in table.position.board().hexes], current)

    @app_commands.command()
    @app_commands.describe(public=PUBLIC)
    async def market(self, interaction: Interaction, public: bool = False) -> None:
        """The stock market"""
        table = await table_here(interaction)
        await _answer(interaction, await SCREENS["market"](table, None), public)

    @app_commands.command()
    @app_commands.describe(public=PUBLIC)
    async def table(self, interaction: Interaction, public: bool = False) -> None:
        """What players and companies hold"""
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        await _answer(interaction, await SCREENS["table"](table, mine[0] if mine and not public else None), public)

    @app_commands.command()
    @app_commands.describe(company="The company")
    @app_commands.autocomplete(company=companies_here)
    async def company(self, interaction: Interaction, company: TEXT) -> None:
        """One company"""
        table = await table_here(interaction)
        mine = table.seats_of(interaction.user.id)
        await show_privately(
            interaction, cards.company_screen(table, company_there(table, company), mine[0] if mine else None)
        )

    @app_commands.command()
    @app_commands.describe(player="The player")
    async def player(self, interaction: Interaction, player: discord.Member) -> None:
        """One player"""
        table = await table_here(interaction)
        theirs = table.seats_of(player.id)
        await show_privately(interaction, cards.player_screen(table, theirs[0] if theirs else ""))

    @app_commands.command()
    async def privates(self, interaction: Interaction) -> None:
        """The private companies: who owns them, what they pay and do"""
        await show_privately(interaction, cards.privates_screen(await table_here(interaction)))

    @app_commands.command()
    async def tiles(self, interaction: Interaction) -> None:
        """The tiles left"""
        table = await table_here(interaction)
        await show_privately(interaction, await SCREENS["tiles"](table, None))

    @app_commands.command()
    async def trains(self, interaction: Interaction) -> None:
        """The trains left"""
        await show_privately(interaction, cards.trains_screen(await table_here(interaction)))


async def _answer(interaction: Interaction, screen: Screen, public: bool) -> None:
    if public:
        await show_publicly(interaction, screen)
    else:
        await show_privately(interaction, screen)


async def _why(given: Press) -> Screen:
    scene = await given.fresh_scene()
    return await why_not.why_not_screen(scene, scene.seat_for(given.user))


async def _if_pass(given: Press) -> Screen:
    scene = await given.fresh_scene()
    return await what_if_screen(scene, scene.seat_for(given.user))


async def _show(given: Press) -> Screen:
    scene = await given.scene()
    return await SCREENS[given.parts[0]](scene, scene.viewer_for(given.user))


async def _price(given: Press) -> Screen:
    """For the buyer or seller a price that is secret from the others."""
    table = await given.table()
    return Screen(await deals.priced(table, int(given.parts[0]), user=given.user))


HANDLERS: dict[str, Handler] = {
    "hand": showing(of_table(lambda table, given: cards.hand_screen(table, cards.own_seat(table, given.user)))),
    "why": showing(_why),
    "ifpass": showing(_if_pass),
    "show": showing(_show),
    "price": showing(_price),
}


def plain_screen(scene: Scene, text: str = "") -> Screen:
    """A private answer, with where the game stands below."""
    return Screen(text, game=scene.id, seq=scene.position.seq, footer=where(scene.position))


async def map_screen(scene: Scene, around: Sequence[HexId] = (), local_names: bool | None = None) -> Screen:
    """The whole map, with a button for its parts, or the part around some hexes."""
    screen = plain_screen(scene)
    screen.images = [await pictures.map_image(scene.position, around=around, local_names=local_names)]
    if not around:
        screen.buttons(Button("Closer", "show|closer"), Button("Tiles", "show|tiles"))
    return screen


async def _closer(scene: Scene) -> Screen:
    screen = plain_screen(scene, "The map in parts, from left to right.")
    screen.images = await pictures.map_parts(scene.position)
    return screen


async def _pictured(screen: Screen, *drawn: Awaitable[Image]) -> Screen:
    screen.images = [await one for one in drawn]
    return screen


SCREENS: dict[str, Callable[[Scene, str | None], Awaitable[Screen]]] = {
    "map": lambda scene, _: map_screen(scene),
    "closer": lambda scene, _: _closer(scene),
    "market": lambda scene, _: _pictured(plain_screen(scene), pictures.market_image(scene.position)),
    "table": lambda scene, seat: _pictured(plain_screen(scene), pictures.table_image(scene.position, seat)),
    "tiles": lambda scene, _: _pictured(cards.tiles_screen(scene), pictures.tiles_image(scene.position)),
    "phases": lambda scene, _: _pictured(plain_screen(scene), pictures.phases_image(scene.position)),
    "privates": lambda scene, _: _pictured(cards.privates_screen(scene)),
    "trains": lambda scene, _: _pictured(cards.trains_screen(scene)),
}
"""What can be looked at, as far as a seat may see it."""


# If one passes


async def what_if_screen(scene: Scene, seat: PlayerId) -> Screen:
    """What follows if the seat that is asked passes, and who is next.

    Raises NotYourTurn for the others, and Refused if it cannot pass.
    """
    position = scene.position
    must_be_up(scene, seat)
    first, *then = await position.prospects(seat)
    names = position.lexicon()
    way = ("drop out", "drops out") if drops_out(position.labels(seat), Pass(seat)) else ("pass", "passes")
    lines = [f"### If you {way[0]}", *follows(position.title, first, seat, names)]
    for prospect in then:
        lines += [f"\n### If {_all_pass(prospect, names, *way)}, too", *follows(position.title, prospect, seat, names)]
    if cash_hidden(position):
        lines.append("-# What the others have is secret, so this assumes that they can act.")
    screen = Screen("\n".join(lines), game=scene.id, seq=position.seq)
    add_controls(screen, [Pass(seat)], position.labels(seat))
    rules = (position.title.event_rule(fact) for prospect in (first, *then) for fact in prospect.facts)
    add_rules(screen, rules, "The rules for this…")
    return screen


def follows(title: Title, prospect: IfPassed, seat: PlayerId, names: Lexicon) -> list[str]:
    """What happens, and who is next, a line each."""
    happens = [fact for fact in prospect.facts if not isinstance(fact, GameEnded)]  # the scores may be secret yet
    over = prospect.state.over
    after = [ending(over, names)] if over else _next_up(title, prospect, seat, names)
    return [f"- {line}" for line in (*narrate(happens, names), *after)]


def _next_up(title: Title, prospect: IfPassed, seat: PlayerId, names: Lexicon) -> Iterator[str]:
    state = prospect.state
    if prospect.company is not None:
        president = state.president_of(prospect.company)
        whose = f", run by {names.player(president)}" if president is not None else ""
        yield f"Then **{prospect.company}** operates{whose}."
        if prospect.of_players:
            holder = "yours" if state.priority == seat else f"{names.player(state.priority)}'s"
            yield f"The priority deal is {holder}."
        return
    asked = engine.decision(title, state)
    what = task(title, state, names)
    if seat not in asked.players:
        yield f"Then it is {listed(names.player(one) for one in asked.players)}'s turn to {what}."
    elif asked.subject is None:
        yield f"It is your turn again: {what}."
    else:
        yield f"You go on: {what}."


def _all_pass(prospect: IfPassed, names: Lexicon, pass_: str, passes: str) -> str:
    if 2 < len(prospect.others) == len(prospect.state.players) - 1:
        return f"the others {pass_}"
    who = [escape_markdown(names.plain_player(one)) for one in prospect.others]
    return f"{listed(who)} {passes if len(who) == 1 else pass_}"
