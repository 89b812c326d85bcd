"""What newcomers may look up: pages of help from `help.toml`, and the glossary, a page for each term of `words.toml`.

They link to one another and to the rules.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

import discord

from bot.chat.answers import rule_code
from bot.chat.client import Bot
from bot.chat.codes import join
from bot.chat.screen import Button, Option, Screen
from bot.core.errors import TableError, Unreadable
from bot.core.position import Scene
from bot.core.table_settings import title_of
from bot.rooms.learning.finding import Shelf
from bot.rooms.learning.ledger import of_section
from bot.words.labels import Style
from bot.words.lexicon import listed
from bot.words.narration import plain
from engine import TITLES, EngineError, Title
from engine.usual import SECRECY
from storage import StorageError

IN_HEADING = 9
"""How much a word counts in a heading."""
FIRST = "play"
"""The page to begin with."""
GLOSSARY = "words"
BASIC = ("share", "president", "treasury")
"""The terms that the glossary opens with where nothing is going on."""
PARTS = (("A", "O"), ("P", "Z"))
"""The lists of the glossary: their first and last letters."""
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
    own: Mapping[str, str] = field(default_factory=dict)
    """By title: what holds there besides."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """By title: what is said there in place of the text."""
    under: Mapping[str, str] = field(default_factory=dict)
    """By option, or options together ("a+b"): what holds with it, in place of what else holds in its title."""
    also: str = ""
    """Other words for it, such as what a title calls it, by which it is found."""

    def of(self, title: Title | None) -> str:
        """The text, as it holds in the title."""
        return self.text if title is None else title.wording.called(self.instead.get(title.id, self.text))


def texts(name: str, package: str = __package__) -> dict[str, Any]:
    return tomllib.loads((resources.files(package) / name).read_text("utf-8"))


def flowing(text: str) -> str:
    """The text with its lines joined: Discord breaks a line at every newline. Lists and paragraphs stay."""
    return re.sub(r"(?<=\S)\n(?=[^\n-])(?!\d\. )[ ]*", " ", text)


def _pages(group: Mapping[str, Any]) -> dict[str, Page]:
    return {key: _page(one) for key, one in group.items()}


def _page(one: Mapping[str, Any]) -> Page:
    text, links = flowing(one["text"]), tuple(one["links"])
    own, instead, under = _by_title(one)
    return Page(one["heading"], text, links, one.get("section", ""), own, instead, under, one.get("also", ""))


def _by_title(one: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    for name in ("own", "instead", "under"):
        yield {key: flowing(text.strip()) for key, text in one.get(name, {}).items()}


TOPICS, ON_TITLES = map(_pages, texts("help.toml").values())
TERMS = _pages(texts("words.toml"))
SAID = {step: (one["page"], one["words"]) for step, one in texts("lessons.toml").items() if "words" in one}
"""By step of a turn: the page that explains it, and the terms that it is about."""
PAGES = {**TOPICS, **TERMS, **ON_TITLES}


async def game_here(bot: Bot, channel: int, game: str = "") -> Title | None:
    """The title, with its options, of the control's game or else of the channel's; None where there is none."""
    with suppress(StorageError, EngineError):
        found = (
            await bot.store.game(game)
            if game and bot.rooms.board_at(game) is None
            else await bot.store.game_in_channel(channel)
        )
        return title_of(found) if found is not None else None
    return None


async def help_here(bot: Bot, interaction: discord.Interaction[Any], key: str, place: str = "") -> Screen:
    """A page of help, or of the glossary, for whoever is in this channel or on a board. Raises TableError."""
    scene: Scene | None = None
    game = await bot.store.game_in_channel(interaction.channel_id or 0)
    if bot.rooms.board_at(place) is not None:
        scene = await bot.scene_of(place, interaction.user.id)
    elif game is not None and game.status == "running":
        with suppress(Unreadable):
            scene = await bot.tables.get(game.id)
    title = scene.title if scene is not None else await game_here(bot, interaction.channel_id or 0)
    if key == GLOSSARY:
        return words_screen(title, scene.position.decision.step if scene is not None else "")
    return help_screen(key, title, scene.position.state.round if scene is not None else "")


def words_screen(title: Title | None = None, step: str = "") -> Screen:
    """The glossary: what is said at this step of a turn, and all other terms as lists."""
    called: Callable[[str], str] = str if title is None else title.wording.called
    page, terms = SAID.get(step, (FIRST, BASIC))
    added = {key: "" if title is None else in_this_game(key, title) for key in terms}
    said = [f"**{called(TERMS[key].heading)}:** {TERMS[key].of(title)} {added[key]}".rstrip() for key in terms]
    screen = Screen("\n".join(["### Words", *said]))
    screen.buttons(Button(called(PAGES[page].heading), help_code(page)), *([] if step else [FIRST_GAME]))
    headings = {key: called(page.heading) for key, page in TERMS.items()}
    ordered = sorted(TERMS, key=lambda key: headings[key].casefold())
    for first, last in PARTS:
        some = {key: TERMS[key] for key in ordered if first <= headings[key][0] <= last}
        screen.select(f"terms{first}", f"What does … mean? ({first} to {last})", _options(some, title))
    return screen


def help_screen(key: str = FIRST, game: Title | None = None, round_name: str = "") -> Screen:
    """One page; `game` and `round_name` are those of the channel, if it has one. Raises TableError."""
    title = "" if game is None else game.id
    page = PAGES.get(key)
    if page is None:
        raise TableError(f"There is no help on “{key[:60]}”. `/game help` lists what there is.")
    called: Callable[[str], str] = str if game is None else game.wording.called
    text = "\n\n".join(filter(None, [page.of(game), in_this_game(key, game)]))
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
    screen.buttons(WORDS, *([FIRST_GAME] if key == FIRST else []))
    screen.select("topics", "Topics…", _options({**TOPICS, **ON_TITLES}, game))
    return screen


def in_this_game(page: str, title: Title | None) -> str:
    """What a page of help adds about the channel's game; "" if nothing."""
    own = PAGES[page].own
    if title is None:
        return "\n".join(f"- {TITLES[other].name}: {said}" for other, said in {**own, **PAGES[page].instead}.items())
    if page in {**TERMS, **TOPICS}:
        options = (said for some, said in PAGES[page].under.items() if title.options.issuperset(some.split("+")))
        said = [one for one in [next(options, own.get(title.id, ""))] if one]
        said += [f"In this game {who_sees_treasuries(title)} may know it."] if page == "treasury" else []
        return "\n".join(said)
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
    return join("help", key)


def found(words: str) -> str:
    """The key of the page that is called so, or tells most of the words, typing errors or not. Raises TableError."""
    wanted = words.strip().casefold()
    if wanted in (GLOSSARY, "glossary"):
        return GLOSSARY
    named = [key for key, page in PAGES.items() if wanted in (key, page.heading.casefold()) or _is_also(page, wanted)]
    fitting = (
        named
        or [key for key, page in PAGES.items() if wanted in page.heading.casefold()]
        or _shelf().find(wanted, every=True)
    )
    if not fitting:
        raise TableError(
            f"There is no help on “{words[:60]}”. `/game help` lists what there is, `/rule` searches the rules."
        )
    return fitting[0]


def _is_also(page: Page, wanted: str) -> bool:
    return wanted.removesuffix("s") in page.also.split(", ")


@cache
def _shelf() -> Shelf:
    return Shelf({key: (page.heading, page.text) for key, page in PAGES.items()}, (IN_HEADING, 1))


def suggested(typed: str) -> list[tuple[str, str]]:
    """Pages by heading and key: those that are called so, then those that tell of it."""
    wanted = typed.strip().casefold()
    called = [key for key, page in PAGES.items() if wanted in page.heading.casefold() or _is_also(page, wanted)]
    return [(PAGES[key].heading, key) for key in dict.fromkeys([*called, *_shelf().find(wanted, every=True)])]


WORDS = Button("Words", help_code(GLOSSARY))
"""Opens the glossary, at the terms of the decision that is open."""
FIRST_GAME = Button("Your first game", "guide", "success")
"""Opens the guided game."""


def _options(pages: Mapping[str, Page], title: Title | None) -> list[Option]:
    """The pages as a list, whose notes Discord shows on one line and without formatting: how each begins."""
    first = {key: plain(page.of(title).strip().partition("\n")[0]) for key, page in pages.items()}
    called: Callable[[str], str] = str if title is None else title.wording.called
    return [
        Option(called(page.heading), help_code(key), first[key].removeprefix("1. ").rstrip(":"))
        for key, page in pages.items()
    ]
