"""Errors into replies: refusals privately to whoever caused them, the unexpected as an incident.

TableError        a person asked for something that the bot cannot do now; the text is for that person
  NoGame          the channel has no game
  NotSeated       the person has no seat
  NotYourTurn     somebody else must decide
  Passed          the control belongs to an earlier position
"""

from __future__ import annotations

import logging
import secrets
from typing import Any

import discord
from discord import app_commands

from engine.errors import BadAction, EngineError, LogMismatch, Refused
from storage.errors import BrokenLog, Duplicate, Stale, StorageError, Unavailable

log = logging.getLogger("tetsudo.errors")

STALE = "This position has passed; nothing was done. The newest message of the game shows where it stands."
TOO_LATE = (10062, 40060, 10015, 50027)
"""Discord's codes where nothing can be answered any more: unknown, answered, forgotten or expired interactions."""
NOT_READY = "The games cannot be read or written just now. Nothing was done; please try again in a moment."
DAMAGED = "The stored games are damaged. Nothing was done; please tell the host of this bot, who may have a backup."


class TableError(Exception):
    """Something that cannot be done now; the text says why and what is possible."""


class NoGame(TableError):
    def __init__(self) -> None:
        super().__init__("There is no game in this channel. `/game create` begins one.")


class NotSeated(TableError):
    def __init__(self) -> None:
        super().__init__("You have no seat in this game, so you can watch but not act.")


class NotYourTurn(TableError):
    pass


class Passed(TableError):
    def __init__(self) -> None:
        super().__init__(STALE)


def explain(error: BaseException) -> str | None:
    """What to tell the person, or None where the error is our own fault."""
    if isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    if isinstance(error, TableError):
        return str(error)
    if isinstance(error, Refused):
        return f"{error.text}\n-# Rule {error.rule}" if error.rule else error.text
    if isinstance(error, LogMismatch):
        return (
            f"This game cannot go on: its stored action {error.seq} no longer fits the rules ({error.cause}). "
            "Nothing was changed. Please tell the host of this bot."
        )
    if isinstance(error, BadAction | EngineError):
        return str(error)
    if isinstance(error, Duplicate):
        return "That was already done."
    if isinstance(error, Stale):
        return STALE
    if isinstance(error, BrokenLog):
        return f"The stored log of this game is damaged at entry {error.seq}. Nothing was changed; tell the host."
    if isinstance(error, Unavailable):
        return DAMAGED if error.damaged else NOT_READY
    if isinstance(error, StorageError):
        return str(error)
    if isinstance(error, discord.Forbidden):
        return missing_permission(error)
    if isinstance(error, app_commands.TransformerError):
        return f"{error.value!r} cannot be used there."
    if isinstance(error, app_commands.AppCommandError) and isinstance(error, app_commands.CheckFailure):
        return "You cannot use this command here."
    return None


def missing_permission(error: discord.Forbidden) -> str:
    return (
        "I am not allowed to do that in this channel. I need the permissions View Channel, Send Messages "
        f"(in threads: Send Messages in Threads), Embed Links and Attach Files. (Discord: {error.text})"
    )


async def answer_error(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """Tell the person what went wrong, privately; note what nobody expected."""
    if isinstance(error, discord.HTTPException) and error.code in TOO_LATE:
        log.warning("too late to answer: %s", error.text, extra={"interaction": interaction.id})
        return
    text = explain(error)
    if text is None:
        incident = secrets.token_hex(4)
        counts = getattr(interaction.client, "counts", None)
        if counts is not None:
            counts.add("incidents")
        log.error("incident %s", incident, exc_info=error, extra={"incident": incident, "interaction": interaction.id})
        text = f"Sorry, something went wrong on my side. Nothing was changed. (Incident {incident})"
    elif isinstance(error, Unavailable | BrokenLog | LogMismatch | discord.Forbidden):
        log.warning("%s", error)
    try:
        if interaction.response.is_done():
            await interaction.followup.send(text[:1990], ephemeral=True)
        else:
            await interaction.response.send_message(text[:1990], ephemeral=True)
    except discord.HTTPException as failed:
        log.warning("an answer could not be given: %s", failed)
