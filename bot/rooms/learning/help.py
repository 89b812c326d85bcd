"""The pages of help, with links among them and to the rules."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import discord

from bot.chat.answers import rule_code
from bot.chat.client import Bot
from bot.chat.codes import join
from bot.chat.screen import Button, Option, Screen
from bot.core.errors import TableError, Unreadable
from bot.core.settings import title_of
from bot.rooms.learning import pages as texts
from bot.rooms.learning.here import in_this_game
from bot.rooms.learning.ledger import of_section
from bot.rooms.learning.pages import FIRST, PAGES, ROUNDS, TERMS, TOPICS, Page, flowing
from bot.words.labels import Style
from bot.words.lexicon import listed
from engine import TITLES
from engine.errors import EngineError
from engine.title import Title
from storage import StorageError


async def game_here(bot: Bot, channel: int, game: str = "") -> Title | None:
    """The title, with its options, of the control's game or else of the channel's; None where there is none."""
    with suppress(StorageError, EngineError):
        found = (
            await bot.store.game(game)
            if game and not bot.boards.has(game)
            else await bot.store.game_in_channel(channel)
        )
        return title_of(found) if found is not None else None
    return None


async def help_here(bot: Bot, interaction: discord.Interaction[Any], key: str) -> Screen:
    """A page of help for whoever is in this channel. Raises TableError."""
    game = await bot.store.game_in_channel(interaction.channel_id or 0)
    round_name = ""
    if game is not None and game.status == "running":
        with suppress(Unreadable):
            round_name = (await bot.tables.get(game.id)).position.state.round
    return help_screen(key, await game_here(bot, interaction.channel_id or 0), round_name)


def help_screen(key: str = FIRST, game: Title | None = None, round_name: str = "") -> Screen:
    """One page; `game` and `round_name` are those of the channel, if it has one. Raises TableError."""
    title = "" if game is None else game.id
    page = PAGES.get(key)
    if page is None:
        raise TableError(f"There is no help on “{key[:60]}”. `/game help` lists what there is.")
    text = "\n\n".join(filter(None, [flowing(page.text), in_this_game(key, game)]))
    links = list(page.links)
    if key == FIRST:
        text += f"\n\nGames: {listed(recipe.name for recipe in TITLES.values())}."
        links += filter(None, [ROUNDS.get(round_name), f"t{title}" if f"t{title}" in PAGES else ""])
    screen = Screen(f"### {page.heading}\n{text}")
    buttons = [Button(PAGES[link].heading, help_code(link), _style(link, title, round_name)) for link in links]
    if title and of_section(title, page.section):
        buttons.append(Button("The rules", rule_code(f"{title}-{page.section}")))
    screen.buttons(*buttons)
    screen.select("topics", "Topics…", _options({**TOPICS, **texts.TITLES}))
    screen.select("terms", "What does … mean?", _options(TERMS))
    return screen


def help_code(key: str) -> str:
    """The code of a control that opens the page."""
    return join("help", key)


def found(words: str) -> str:
    """The key of the page that is called so, or whose heading has the words. Raises TableError."""
    wanted = words.strip().casefold()
    named = [key for key, page in PAGES.items() if wanted in (key, page.heading.casefold())]
    fitting = named or [key for key, page in PAGES.items() if wanted in page.heading.casefold()]
    fitting = fitting or [key for key, page in PAGES.items() if wanted in flowing(page.text).casefold()]
    if not fitting:
        raise TableError(
            f"There is no help on “{words[:60]}”. `/game help` lists what there is, `/rule` searches the rules."
        )
    return fitting[0]


def _style(link: str, title: str, round_name: str) -> Style:
    return "primary" if link in (ROUNDS.get(round_name), f"t{title}") else "secondary"


def _options(pages: Mapping[str, Page]) -> list[Option]:
    return [Option(page.heading, help_code(key), flowing(page.text)) for key, page in pages.items()]
