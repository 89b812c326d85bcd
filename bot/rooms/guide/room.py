"""The guided first game, as the house finds it: /guide, what is pressed there, and what cannot be done there.

Whoever is guided sees the welcome, a stage as it stands, what came of it, and what to do after the last.
"""

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat import codes
from bot.chat.answers import acknowledge, explain, show_privately
from bot.chat.client import Bot
from bot.chat.commands import Interaction
from bot.chat.press import Press
from bot.chat.rights import must_be_able_to_post
from bot.chat.room import Boards, Room
from bot.chat.screen import Button, Image, Option, Screen, where
from bot.core.errors import Outdated, TableError, UnknownControl
from bot.core.table_settings import TableSettings
from bot.rooms.guide.play import PLACE, Guided, GuidedGames
from bot.rooms.guide.stages import ABOUT, STAGES, TITLE, Stage, title
from bot.rooms.learning.help import WORDS
from bot.rooms.opponents.room import Thinkers
from bot.rooms.seats import lobby
from bot.rooms.turn import pictures
from bot.rooms.turn.screen import add_decision, colour_of, looks, proposals, signs_of, without_notes
from engine import Action, EngineError

TO_GUIDE = Button("◀ To the guide", codes.join("guide", "on"))
OPEN = Button("Open a table", codes.join("guide", "table"), "success")
OPENED = "✓ The table is below: others can join there."


def welcome_screen(here: Guided | None) -> Screen:
    """Before the first stage; or for whoever is under way, where they are."""
    first = codes.join("guide", "to", STAGES[0].key)
    if here is None:
        text = f"### Your first game\n{ABOUT['welcome']}\n\n{_coming(STAGES[0])}"
        return Screen(text, game=PLACE).buttons(Button("Begin", first, "success"))
    number = STAGES.index(here.stage) + 1
    told = f"You are at scene {number} of {len(STAGES)}, *{here.stage.heading}*."
    ways = Button("Go on", codes.join("guide", "on"), "success"), Button("From the beginning", first)
    return Screen(f"### Your first game\n{told}", game=PLACE, seq=here.position.seq).buttons(*ways)


async def stage_screen(here: Guided, said: str = "", *, story: bool = False) -> Screen:
    """The stage as it stands, with its `story` for whoever comes without having read it; `said` comes first."""
    position, now = here.position, here.now
    screen = Screen(game=PLACE, seq=position.seq, frame=colour_of(position))
    screen.signs = signs_of(position)
    head = f"### {STAGES.index(here.stage) + 1} of {len(STAGES)} · {here.stage.heading}"
    if now.reached or now.missed:
        screen.footer = where(position, title=False)
        await _decided(screen, here, head)
        return screen
    told = [f"-# {line}" for line in here.told()[-4:]]
    lines = [*filter(None, [said]), head, *([here.stage.story] if story else [])]
    lines += [*filter(None, [now.before])] if here.fresh else told
    lines.append(f"**{now.said(now.task.aim)}**")
    lines += [now.said(now.task.why)] if here.fresh else []
    screen.text = "\n".join(lines)
    await add_decision(screen, position, await proposals(position))
    without_notes(screen)
    tools = [Button("Back", codes.join("guide", "back"))] if here.moves else []
    return screen.buttons(*tools, WORDS, Button("More…", codes.join("guide", "more")))


async def _decided(screen: Screen, here: Guided, head: str) -> None:
    """What came of the stage, and the way on; or that it went otherwise, and the ways back."""
    now, after = here.now, following(here.stage)
    if now.missed:
        screen.text = f"{head}\n{now.said(now.task.missed[now.seen.key])}"
        screen.images = await _shown(here)
        screen.buttons(Button("Take it back", codes.join("guide", "back"), "primary"), *ways(here))
        return
    screen.text = f"{head} ✓\n{now.said(now.task.then[now.seen.key])}"
    screen.images = await _shown(here)
    if after is None:
        screen.buttons(Button("And now?", codes.join("guide", "end"), "success"), WORDS)
        return
    screen.text += f"\n\n{_coming(after)}"
    on = Button(f"On to {STAGES.index(after) + 1}: {after.heading}", codes.join("guide", "to", after.key), "success")
    screen.buttons(on, WORDS, Button("Trains", "show|trains"), Button("All holdings", "show|table"))


async def _shown(here: Guided) -> list[Image]:
    """The part of the map where something was built; at the end of the game, what everybody holds."""
    if here.position.over:
        return [await pictures.table_image(here.position, None)]
    built = here.position.built
    return [await pictures.map_image(here.position, around=built, titled=False)] if built else []


def _coming(stage: Stage) -> str:
    return f"**{STAGES.index(stage) + 1}. {stage.heading}**\n{stage.story}"


def following(stage: Stage) -> Stage | None:
    number = STAGES.index(stage) + 1
    return STAGES[number] if number < len(STAGES) else None


def ways(here: Guided) -> list[Button]:
    """Beginning the stage again, or leaving it out."""
    after = following(here.stage)
    skip = codes.join("guide", "scene", after.key) if after else codes.join("guide", "end")
    return [Button("This scene again", codes.join("guide", "to", here.stage.key)), Button("Skip it", skip)]


def more_screen(here: Guided) -> Screen:
    """What there is to look at and to ask beside the decision, and the ways to another stage."""
    screen = Screen(f"### {here.stage.heading}\n{here.stage.story}", game=PLACE, seq=here.position.seq)
    screen.buttons(*ways(here), Button("Why not?", "why"), WORDS)
    screen.select("look", "Look at…", looks())
    scenes = [
        Option(f"{number}. {stage.heading}", codes.join("guide", "scene", stage.key))
        for number, stage in enumerate(STAGES, 1)
    ]
    screen.select("scenes", "Another scene…", scenes)
    return screen.buttons(TO_GUIDE)


def through_screen() -> Screen:
    """After the last stage: how to set up a table."""
    again = Button("Once more", codes.join("guide", "to", STAGES[0].key))
    return Screen(f"### That was the whole game\n{ABOUT['through']}", game=PLACE).buttons(OPEN, again, WORDS)


class Guiding(commands.Cog):
    @app_commands.command()
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
    if way in ("to", "scene", "end"):
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
        await _show(given.interaction, here, story=way == "scene")


async def _show(
    interaction: discord.Interaction[Any], here: Guided | None, said: str = "", *, story: bool = False
) -> None:
    screen = through_screen() if here is None else await stage_screen(here, said, story=story)
    await show_privately(interaction, screen)


async def _open_table(given: Press) -> None:
    """Set up a game of the same title in this channel, in which decisions are explained."""
    await must_be_able_to_post(given.interaction)
    options = json.dumps(sorted(title().options))
    try:
        await lobby.create(given.interaction, TITLE, options, TableSettings(teaching=True), [])
    except TableError as error:
        screen = through_screen()
        screen.text += f"\n\n⚠️ {error}"
        await show_privately(given.interaction, screen)
        return
    await show_privately(given.interaction, Screen(OPENED))


async def _scene(bot: Bot, place: str, user: int) -> Guided:
    """Where the person is. Raises UnknownControl for one who is nowhere."""
    here = await bot.its(GuidedGames).of(user)
    if here is None:
        raise UnknownControl()
    return here


async def _move(interaction: Any, here: Guided, actions: Sequence[Action], seen: int | None) -> None:
    """Play the actions of one press, let the others answer, and show it. Raises what `GuidedGames.move` raises."""
    await _show(interaction, await interaction.client.its(GuidedGames).move(here, actions, seen))


async def _guarded(interaction: Any, place: str, handle: Callable[[], Awaitable[None]]) -> None:
    """Do what was pressed; what cannot be done is said above the position, which stays."""
    try:
        await handle()
    except (TableError, EngineError) as error:
        await acknowledge(interaction, shows=True)
        here = await interaction.client.its(GuidedGames).of(interaction.user.id)
        if here is None:
            raise
        said = "That was some moves ago; this is where you are." if isinstance(error, Outdated) else explain(error)
        await _show(interaction, here, f"⚠️ {said}")


ROOM = Room(
    presses={"guide": _guide},
    boards=Boards(TO_GUIDE, re.compile(PLACE), _scene, _move, _guarded),
    codes={"guide": r"(?:on|more|back|end|table|(?:to|scene)\|[a-z]{2,10})?"},
    cogs=(Guiding,),
    keeps=lambda bot: (GuidedGames(bot.store, bot.aside, bot.its(Thinkers)),),
)
