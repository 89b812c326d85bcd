"""What the commands share: the table of the channel, and legal actions as autocomplete."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

import discord
from discord import app_commands

from bot import codes
from bot.client import Bot
from bot.components import acknowledge
from bot.errors import TableError
from bot.labels import Labels
from bot.lexicon import shorten
from bot.presses import act
from bot.table import Table
from engine.actions import Action
from engine.ids import CorpId, PlayerId
from engine.title import Title

log = logging.getLogger("tetsudo.commands")
MOST_CHOICES = 25
NAME = 100
NAMES = [
    app_commands.Choice(name="place names in English", value="english"),
    app_commands.Choice(name="place names in the language of the place", value="local"),
]
Interaction = discord.Interaction[Bot]
Filter = Callable[[Any], bool]


async def table_here(interaction: Interaction) -> Table:
    """The running or finished game of the channel. Raises NoGame or TableError."""
    return await interaction.client.tables.in_channel(interaction.channel_id or 0)


def company_named(table: Table, text: str) -> CorpId:
    """The company that was typed, by its letters in whatever case; what was typed if there is none."""
    wanted = text.strip()
    return next((corp for corp in table.title.corporations if corp.casefold() == wanted.casefold()), CorpId(wanted))


def must_have_local_names(title: Title) -> None:
    """Raise TableError where the map names its places in English alone."""
    if not any(place.name_local for place in title.hexes.values()):
        raise TableError(f"The map of {title.name} has names in English alone.")


async def legal_here(interaction: Interaction, kind: type[Action]) -> tuple[Table, PlayerId, list[Any]]:
    """The channel's table, the seat of the person, and that seat's legal actions of one kind."""
    table = await table_here(interaction)
    seat = table.seat_for(interaction.user.id)
    return table, seat, [action for action in await table.position.actions(seat) if isinstance(action, kind)]


async def choices(interaction: Interaction, kind: type[Action], current: str) -> list[app_commands.Choice[str]]:
    """Autocomplete: the legal actions of one kind that contain what was typed. Empty where nothing can be said."""
    return await options(
        interaction, kind, current, lambda labels, action: (full_label(labels, action), codes.action_code(action))
    )


async def options(
    interaction: Interaction, kind: type[Action], current: str, name: Callable[[Labels, Any], tuple[str, str]]
) -> list[app_commands.Choice[str]]:
    """Autocomplete with names and values made by `name` from each legal action; equal ones once."""
    try:
        table, seat, found = await legal_here(interaction, kind)
        labels = table.position.labels(seat)
        named = dict.fromkeys(name(labels, action) for action in found)
    except Exception as error:
        log.debug("no autocomplete: %r", error)
        return []
    return matching(named, current)


def matching(named: Iterable[tuple[str, str]], current: str) -> list[app_commands.Choice[str]]:
    """The first 25 of the (name, value) pairs that contain what was typed, those that begin with it first."""
    wanted = current.strip().casefold()
    fitting = [(name, value) for name, value in named if wanted in name.casefold() or wanted == value.casefold()]
    fitting.sort(key=lambda pair: not pair[0].casefold().startswith(wanted))
    return [app_commands.Choice(name=shorten(name, NAME), value=value) for name, value in fitting[:MOST_CHOICES]]


def full_label(labels: Labels, action: Action) -> str:
    """The label with its note, for a list without buttons around it."""
    note = labels.note(action)
    return f"{labels.of(action)} · {note}" if note else labels.of(action)


async def do(interaction: Interaction, kind: type[Action], text: str, keep: Filter = lambda action: True) -> None:
    """Do the legal action of this kind that was chosen or typed."""
    await acknowledge(interaction, shows=True)
    table, seat, found = await legal_here(interaction, kind)
    action = pick(table, seat, kind, [one for one in found if keep(one)], text)
    await act(interaction.client, interaction, table, action, None)


def pick(table: Table, seat: PlayerId, kind: type[Action], found: list[Any], text: str) -> Action:
    """The action meant by an autocomplete value, or by words that fit just one. Raises TableError or BadAction."""
    if text.startswith(f"{kind.__name__}{codes.SEPARATOR}"):
        return codes.read_action(text, seat)
    labels, wanted = table.position.labels(seat), text.strip().casefold()
    fitting = [one for one in found if wanted in full_label(labels, one).casefold()]
    exact = [one for one in fitting if full_label(labels, one).casefold().split()[:1] == [wanted]]
    chosen = exact if len(exact) == 1 else fitting
    if len(chosen) == 1 and wanted:
        action: Action = chosen[0]
        return action
    possible = "; ".join(labels.of(one) for one in (chosen or found)[:12]) or "nothing of this kind"
    why = "is not clear" if len(chosen) > 1 else "is not possible now"
    raise TableError(f"“{shorten(text, 60)}” {why}. Possible: {possible}.")


async def submit(interaction: Interaction, make: Callable[[Table, PlayerId], Action]) -> None:
    """Do the action that `make` builds for the person's seat."""
    await acknowledge(interaction, shows=True)
    table = await table_here(interaction)
    action = make(table, table.seat_for(interaction.user.id))
    await act(interaction.client, interaction, table, action, None)
