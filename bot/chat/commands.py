"""What commands share: the channel's table, and legal actions as autocomplete."""

import logging
import re
from collections.abc import Callable, Coroutine, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import discord
from discord import app_commands

import engine
from bot.chat import codes
from bot.chat.client import Bot
from bot.chat.layout import shorten, told_apart
from bot.core.errors import TableError
from bot.core.pace import ABOUT
from bot.core.pace import NAMES as PACE_NAMES
from bot.core.position import Position
from bot.core.table import Table
from bot.core.table_settings import called
from bot.core.written import narrow
from bot.words.labels import Labels, in_full
from bot.words.lexicon import listed, without_twins
from engine import Action, CorpId, HexId, PlayerId, PrivateId, Title
from storage import Game

log = logging.getLogger("tetsudo.commands")
MOST_CHOICES = 25
AMOUNT = app_commands.Range[int, -(10**9), 10**9]
TEXT = app_commands.Range[str, 1, 100]
LONG_TEXT = app_commands.Range[str, 1, 400]
LARGEST_ID = 2**63 - 1
PUBLIC = "Show it to the whole channel"
NAMES = [
    app_commands.Choice(name="place names in English", value="english"),
    app_commands.Choice(name="place names in the language of the place", value="local"),
]
PACES = [
    app_commands.Choice(name=shorten(f"{PACE_NAMES[one]}: {ABOUT[one]}", 100), value=str(one))
    for one in ("none", "gentle", "steady", "fast")
]
Interaction = discord.Interaction[Bot]
A = TypeVar("A", bound=Action)
V = TypeVar("V", str, int)
P = ParamSpec("P")
T = TypeVar("T")
Suggest = Callable[[Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[V]]]]
"""What is offered to somebody who types in a command."""


def or_nothing(suggest: Callable[P, Coroutine[Any, Any, list[T]]]) -> Callable[P, Coroutine[Any, Any, list[T]]]:
    """Autocomplete, which has no answer but choices: outside a game, or without a seat, it offers none."""

    @wraps(suggest)
    async def guarded(*given: P.args, **named: P.kwargs) -> list[T]:
        try:
            return await suggest(*given, **named)
        except Exception as error:
            log.debug("no autocomplete: %r", error)
            return []

    return guarded


async def table_here(interaction: Interaction) -> Table:
    """The channel's running or finished game. Raises NoGame or TableError."""
    return await interaction.client.tables.in_channel(interaction.channel_id or 0)


def mentioned(text: str) -> list[int]:
    """The ids of the people whom a text mentions; what cannot be anybody's is left out."""
    return [int(number) for number in re.findall(r"<@!?([0-9]{1,19})>", text) if int(number) <= LARGEST_ID]


def folded(text: str) -> str:
    """What was typed, or what it may mean, to be compared: in any case and width, with single spaces."""
    return " ".join(narrow(text).casefold().split())


def meant(text: str, values: Iterable[str], name: Callable[[str], str]) -> str:
    """The one of the values that was typed, or whose name was, with it or without; the text itself if there is none.

    A person who goes back to a command they have typed sends the name of what they chose.
    """
    wanted, found = folded(text), list[str]()
    for value in values:
        if wanted == folded(value):
            return value
        called = folded(name(value))
        found += [value] if wanted in (called, called.removeprefix(f"{folded(value)} ")) else []
    return found[0] if len(found) == 1 else text.strip()


def company_named(table: Table, text: str) -> CorpId:
    """The company with these letters or this name; the text itself if there is none."""
    return CorpId(meant(text, table.title.corporations, table.position.lexicon().company))


def company_there(table: Table, text: str) -> CorpId:
    """The same. Raises TableError, which names those that there are, if there is none."""
    corp = company_named(table, text)
    if corp not in table.title.corporations:
        there = listed(table.title.corporations)
        raise TableError(f"There is no company “{shorten(text, 20)}”. The companies are {there}.")
    return corp


def private_named(table: Table, text: str) -> PrivateId:
    """The private with these letters or this name, also if a price follows; the text itself if there is none."""
    names = table.position.lexicon()
    return PrivateId(meant(text.partition(", from ")[0], names.privates, names.private).upper())


def hex_named(table: Table, text: str) -> HexId:
    """The hex with this coordinate or place; the first word if there is none."""
    found = meant(text, table.title.hexes, table.position.lexicon().hex)
    return HexId(found.upper().split(" ")[0])


def game_label(game: Game) -> str:
    """A game for a list: "Shikoku 1889, game abc123"."""
    return f"{called(game)}, game {game.id}"


def game_named(text: str) -> str:
    """The id of a game, alone or as a list shows it."""
    return folded(text).rpartition(" ")[2]


def must_have_local_names(title: Title) -> None:
    """Raise TableError if the map only has English place names."""
    if not any(place.name_local for place in title.hexes.values()):
        raise TableError(f"The map of {title.name} only has English place names.")


async def legal_here(interaction: Interaction, kind: type[A]) -> tuple[Table, PlayerId, list[A]]:
    """The channel's table, the person's seat, and that seat's legal actions of one kind."""
    table = await table_here(interaction)
    seat = table.seat_for(interaction.user.id)
    return table, seat, [action for action in await table.position.actions(seat) if isinstance(action, kind)]


def choices(kind: type[Action]) -> Suggest[str]:
    """Autocomplete: the legal actions of one kind that contain what was typed; empty if there can be none."""
    return options(kind, lambda labels, action: (full_label(labels, action), codes.action_code(action)))


def options(
    kind: type[A],
    name: Callable[[Labels, A], tuple[str, V]],
    among: Callable[[Interaction, A], bool] = lambda interaction, action: True,
) -> Suggest[V]:
    """Autocomplete with the (name, value) that `name` makes of each legal action, or of those `among` them."""

    @or_nothing
    async def suggest(interaction: Interaction, current: str) -> list[app_commands.Choice[V]]:
        table, seat, legal = await legal_here(interaction, kind)
        labels = await table.position.traced_labels(seat, seat)
        return matching([name(labels, action) for action in legal if among(interaction, action)], current)

    return suggest


async def moves_named(position: Position, seat: PlayerId) -> list[tuple[str, Action]]:
    """Everything that the seat may do, each under a name of its own; of lays that look the same the first."""
    labels = await position.traced_labels(seat, seat)
    moves = without_twins(position.title, await position.actions(seat))
    return [(in_full(labels, action), action) for action in moves]


def matching(named: Iterable[tuple[str, V]], current: str) -> list[app_commands.Choice[V]]:
    """The choices among (name, value) pairs that contain what was typed, with those that begin with it first."""
    wanted = folded(current.strip().removesuffix("…"))
    fitting = [(name, value) for name, value in named if wanted in folded(name) or wanted == folded(str(value))]
    return offered(sorted(fitting, key=lambda pair: not folded(pair[0]).startswith(wanted)))


def offered(named: Iterable[tuple[str, V]]) -> list[app_commands.Choice[V]]:
    """The first 25 (name, value) pairs as Discord takes them: each value once, each name once and not too long."""
    by_value: dict[V, str] = {}
    for name, value in named:
        by_value.setdefault(value, name)
    values = list(by_value)[:MOST_CHOICES]
    names = told_apart(by_value[value] for value in values)
    return [app_commands.Choice(name=name, value=value) for name, value in zip(names, values, strict=True)]


async def titles_matching(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the titles whose name contains what was typed."""
    named = [
        (f"{recipe.name} ({recipe.players[0]}-{recipe.players[-1]} players)", key)
        for key, recipe in sorted(engine.TITLES.items())
    ]
    return matching(named, current)


@or_nothing
async def companies_here(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the companies of the channel's game."""
    names = (await table_here(interaction)).position.lexicon()
    return matching([(names.company(corp), corp) for corp in names.companies], current)


def title_named(text: str) -> str:
    """The id of the title with this id or name, in any case. Raises TableError if there is none."""
    wanted = folded(text).partition(" (")[0]  # as `titles_matching` names it, for so many players
    for recipe in engine.TITLES.values():
        if wanted in (recipe.id, folded(recipe.name)):
            return recipe.id
    names = listed(recipe.name for recipe in engine.TITLES.values())
    raise TableError(f"I know no game called “{text[:40]}”. You can play {names}.")


def full_label(labels: Labels, action: Action) -> str:
    """The label with its note, for a list without buttons around it."""
    note = labels.note(action)
    return f"{labels.of(action)} · {note}" if note else labels.of(action)
