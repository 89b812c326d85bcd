"""What newcomers may look up, with links among the pages and to the rules. The pages are in `help.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from typing import Any

import discord

from bot.chat.answers import rule_code
from bot.chat.client import Bot
from bot.chat.codes import join
from bot.chat.screen import Button, Option, Screen
from bot.core.errors import TableError, Unreadable
from bot.core.settings import title_of
from bot.rooms.learning.ledger import of_section
from bot.words.labels import Style
from bot.words.lexicon import listed
from engine import TITLES
from engine.errors import EngineError
from engine.title import Title
from engine.usual import SECRECY
from storage import StorageError

FIRST = "play"
"""The page to begin with."""
ROUNDS = {"ISR": "opening", "DEAL": "opening", "SR": "stock", "OR": "company"}
"""The page for each kind of round."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page; `links` are keys of other pages."""

    heading: str
    text: str
    links: tuple[str, ...] = ()
    section: str = ""
    """The letters of the section in the ledgers that has the rules: "SR"."""


def texts(name: str) -> dict[str, Any]:
    """A file of this room's texts."""
    return tomllib.loads((resources.files(__package__) / name).read_text("utf-8"))


def flowing(text: str) -> str:
    """The text with its lines joined: Discord breaks a line at every newline. Lists and paragraphs stay."""
    return re.sub(r"(?<=\S)\n(?=[^\n-])(?!\d\. )[ ]*", " ", text)


def _pages(group: Mapping[str, Any]) -> dict[str, Page]:
    return {
        key: Page(one["heading"], flowing(one["text"]), tuple(one["links"]), one.get("section", ""))
        for key, one in group.items()
    }


TOPICS, TERMS, ON_TITLES = map(_pages, texts("help.toml").values())
PAGES = {**TOPICS, **TERMS, **ON_TITLES}


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
    called: Callable[[str], str] = str if game is None else game.wording.called
    text = "\n\n".join(filter(None, [called(page.text), in_this_game(key, game)]))
    own = [link for link in (ROUNDS.get(round_name), f"t{title}") if link in PAGES]
    links = list(page.links)
    if key == FIRST:
        text += f"\n\nGames: {listed(recipe.name for recipe in TITLES.values())}."
        links += own
    screen = Screen(f"### {called(page.heading)}\n{text}")
    styles: dict[str, Style] = dict.fromkeys(own, "primary")
    buttons = [Button(called(PAGES[link].heading), help_code(link), styles.get(link, "secondary")) for link in links]
    if title and of_section(title, page.section):
        buttons.append(Button("The rules", rule_code(f"{title}-{page.section}")))
    screen.buttons(*buttons)
    screen.select("topics", "Topics…", _options({**TOPICS, **ON_TITLES}))
    screen.select("terms", "What does … mean?", _options(TERMS))
    return screen


def in_this_game(page: str, title: Title | None) -> str:
    """What a page of help adds about the channel's game; "" if nothing."""
    if title is None:
        return ""
    if page == "treasury":
        return f"In this game {who_sees_treasuries(title)} may know it."
    if page == f"t{title.id}" and title.options:
        chosen = [text for option, text in TITLES[title.id].options.items() if option in title.options]
        return "\n".join(["**The options of this game change some of that:**", *(f"- {one}" for one in chosen)])
    return ""


def who_sees_treasuries(title: Title) -> str:
    """Who may know what a company has: "everybody", "its president alone"."""
    secrecy = title.policy.secrecy
    if secrecy.open_treasuries:
        return "everybody"
    alone = secrecy.sees_treasury is SECRECY.sees_treasury
    return title.wording.called("its president alone") if alone else "its shareholders"


def help_code(key: str) -> str:
    """The code of a control that opens the page."""
    return join("help", key)


def found(words: str) -> str:
    """The key of the page that is called so, or whose heading has the words. Raises TableError."""
    wanted = words.strip().casefold()
    named = [key for key, page in PAGES.items() if wanted in (key, page.heading.casefold())]
    fitting = named or [key for key, page in PAGES.items() if wanted in page.heading.casefold()]
    fitting = fitting or [key for key, page in PAGES.items() if wanted in page.text.casefold()]
    if not fitting:
        raise TableError(
            f"There is no help on “{words[:60]}”. `/game help` lists what there is, `/rule` searches the rules."
        )
    return fitting[0]


def _options(pages: Mapping[str, Page]) -> list[Option]:
    return [Option(page.heading, help_code(key), page.text) for key, page in pages.items()]
