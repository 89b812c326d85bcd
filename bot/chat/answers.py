"""Answering one person: acknowledging at once, answering privately, and explaining every error in a sentence."""

import json
import logging
import secrets
from contextlib import suppress
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot import metrics
from bot.chat.codes import join
from bot.chat.connection import NotServing
from bot.chat.layout import files, shorten, view
from bot.chat.screen import Button, Screen
from bot.core import errors
from engine import Refused
from storage.errors import BrokenLog, LeaseLost, Unavailable


def rule_code(rule: str) -> str:
    """The code of a control that opens the rule, or a section such as "1889-TRK"."""
    return join("rule", rule)


def rule_button(rule: str) -> Button:
    return Button(f"Rule {rule}", rule_code(rule))


def refusal_screen(refused: Refused) -> Screen:
    """Why something is not allowed, and its rule to open."""
    return Screen(refused.text).buttons(rule_button(refused.rule))


log = logging.getLogger("tetsudo.errors")

TOO_MANY = 429
TOO_LARGE = 40005
ALREADY_ACKNOWLEDGED = 40060
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10003, 10008
TOO_LATE = (10062, 40060, 10015, 50027)
"""Discord's codes for interactions that can no longer be answered: unknown, answered, forgotten or expired."""
UPDATES = discord.InteractionResponseType.deferred_message_update
SHOWS = discord.InteractionResponseType.deferred_channel_message
AGAIN = "That took me a moment. Now I am ready: please press again."
DONE = "What you did is stored and counts; only what came after it failed. `/game status` shows where the game stands."
NOTHING = "Nothing was changed."
BROKEN = (aiohttp.ClientError, ConnectionError, TimeoutError, discord.DiscordServerError)
"""What requests to Discord raise where the connection breaks, or Discord itself fails: no fault of the program."""
FAILURES = (discord.HTTPException, *BROKEN)
"""All that they raise."""
_ANSWERED = "answered"


class HandedOver(Exception):
    """The interaction is acknowledged here, and done by whoever serves its server."""


async def show_privately(interaction: discord.Interaction[Any], screen: Screen, *, anew: bool = False) -> None:
    """Answer privately: in the private message that was used, as the deferred answer, or in a new message.

    If its reader has dismissed the private message, they get a new one. `anew` leaves the message that was used alone.
    """
    done = interaction.response.is_done()
    edit: Any = interaction.edit_original_response if done else interaction.response.edit_message
    send: Any = interaction.followup.send if done else interaction.response.send_message
    try:
        if not anew and in_private(interaction):
            await edit(view=view(screen), attachments=files(screen.images))
            return
        if _promised(interaction):
            _answered(interaction)
            await interaction.edit_original_response(view=view(screen), attachments=files(screen.images))
            return
    except discord.NotFound as error:
        if error.code != UNKNOWN_MESSAGE:
            raise
    await send(view=view(screen), files=files(screen.images), ephemeral=True)


async def show_instead(interaction: discord.Interaction[Any], screen: Screen) -> None:
    """Show it where the person was told to wait, or that it is too large; in a new message if they dismissed that."""
    try:
        await interaction.edit_original_response(view=view(screen), attachments=files(screen.images))
    except discord.HTTPException as error:
        if error.code == TOO_LARGE and screen.images:
            await show_instead(interaction, Screen(explain(error) or ""))
            return
        if error.code != UNKNOWN_MESSAGE:
            raise
        await interaction.followup.send(view=view(screen), files=files(screen.images), ephemeral=True)


async def show_publicly(interaction: discord.Interaction[Any], screen: Screen) -> None:
    """Answer in public, and tell the person so privately.

    Answers are always deferred privately so that errors stay private: the first message after a deferral is as public
    as the deferral was, whatever its own flags say.
    """
    tell_them = show_privately if _promised(interaction) else show_instead
    await tell_them(interaction, Screen("✓ Shown to everybody."))
    try:
        await interaction.followup.send(
            view=view(screen), files=files(screen.images), allowed_mentions=discord.AllowedMentions.none(), wait=True
        )
    except discord.HTTPException:
        with suppress(*FAILURES):
            await show_instead(interaction, Screen("It could not be shown to everybody."))
        raise


async def tell(interaction: discord.Interaction[Any], text: str, game: str = "") -> None:
    """Answer privately in a sentence, and have what follows from what the person did sent.

    If that cannot be posted in the channel of the `game`, they are told.
    """
    sender = interaction.client.sender
    known = sender.trouble(game)
    sender.witnessed(game, interaction)
    await show_privately(interaction, Screen("\n".join(filter(None, (text, known)))))


async def send_file(interaction: discord.Interaction[Any], text: str, file: discord.File) -> None:
    _answered(interaction)
    await interaction.edit_original_response(content=text, attachments=[file])


def _promised(interaction: discord.Interaction[Any]) -> bool:
    """Whether the interaction was deferred with an answer to come, and has had none yet."""
    return interaction.response.type is SHOWS and _ANSWERED not in interaction.extras


def _answered(interaction: discord.Interaction[Any]) -> None:
    interaction.extras[_ANSWERED] = True


def in_private(interaction: discord.Interaction[Any]) -> bool:
    """Whether what was pressed, or opened the form, is in a message that only this person sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def acknowledge(interaction: discord.Interaction[Any], *, shows: bool) -> None:
    """Tell Discord at once that an answer is coming.

    `shows`: it will be a private message. Otherwise only the message with the button may change.
    """
    if interaction.response.is_done():
        return
    came = interaction.client.arrivals.came(interaction.id)
    pressed = interaction.type is discord.InteractionType.component
    quiet = in_private(interaction) or (pressed and not shows)
    how = {} if quiet else {"ephemeral": True, "thinking": True}
    try:
        try:
            await interaction.response.defer(**how)
        except (aiohttp.ClientError, OSError):  # the connection broke, and Discord may have it or not
            await interaction.response.defer(**how)
    except discord.HTTPException as error:
        if error.code != ALREADY_ACKNOWLEDGED or interaction.id in interaction.client.replayed:
            raise  # whoever served here before has taken it up
        if came is None:
            # Discord accepted the first attempt but replied with an error, so discord.py tried again. Carry on.
            interaction.response._response_type = UPDATES if quiet else SHOWS
        elif not await _goes_on(interaction):
            raise
    if interaction.response.type is UPDATES:
        interaction.client.messages.pressed(interaction)
    if came is not None and came.borrowed and interaction.client.arrivals.leave(interaction.id):
        raise HandedOver


async def _goes_on(interaction: discord.Interaction[Any]) -> bool:
    """Whether another process has acknowledged the interaction and no more; if so, go on from there."""
    try:
        there = await interaction.original_response()
    except discord.HTTPException:  # a form was opened
        return False
    if interaction.message is not None and there.id == interaction.message.id:
        interaction.response._response_type = UPDATES
    elif there.flags.loading:
        interaction.response._response_type = SHOWS
    else:
        return False
    return True


async def launch(interaction: discord.Interaction[Any]) -> bool:
    """Answer by launching the application's Activity; False where Discord does not, as it is not switched on there."""
    try:
        await interaction.response.launch_activity()
    except discord.HTTPException as error:
        if error.code == ALREADY_ACKNOWLEDGED:  # as above
            return True
        log.warning("the Activity cannot be launched: %s", error)
        return False
    return True


def explain(error: BaseException) -> str | None:
    """What to tell the person, or None if the error is our own fault."""
    if isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    if isinstance(error, discord.Forbidden):
        return (
            "I am not allowed to do that in this channel. I need the permissions View Channel, Send Messages "
            "(in threads: Send Messages in Threads), Embed Links, Attach Files and Read Message History. "
            f"(Discord: {error.text})"
        )
    if isinstance(error, discord.HTTPException) and error.code == TOO_LARGE:
        return "That is too large for Discord. A film of a set or a round is smaller: `/show film of:4.1`."
    if isinstance(error, app_commands.TransformerError):
        return f"“{shorten(str(error.value), 60)}” cannot be used there."
    if isinstance(error, app_commands.AppCommandError) and isinstance(error, app_commands.CheckFailure):
        return "You cannot use this command here."
    return errors.explain(error)


def out_of_reach(error: BaseException) -> bool:
    """Whether Discord could not be reached just now, or took no more requests."""
    return isinstance(error, BROKEN) or (isinstance(error, discord.HTTPException) and error.status == TOO_MANY)


def _no_fault_of_ours(record: logging.LogRecord) -> bool:
    """Make a warning of what the library logs of an autocomplete that came too late, or could not be read just now."""
    error = record.exc_info[1] if record.exc_info else None
    late = isinstance(error, discord.HTTPException) and error.code in TOO_LATE
    if error is not None and (late or out_of_reach(error) or explain(error) is not None):
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
        record.msg += f": {error!r}".replace("%", "%%")
    return True


logging.getLogger("discord.app_commands.tree").addFilter(_no_fault_of_ours)


async def answer_error(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """Tell the person privately what went wrong and whether their move counts, and log what nobody expected."""
    if isinstance(error, HandedOver) or await _left(interaction, error):
        return
    if isinstance(error, discord.HTTPException) and error.code in TOO_LATE:
        came = interaction.client.arrivals.came(interaction.id)
        if came is None or error.code != ALREADY_ACKNOWLEDGED or not await _goes_on(interaction):
            log.warning("too late to answer: %s", error.text, extra={"interaction": interaction.id})
            return
        error = errors.TableError(AGAIN)  # a form, which cannot be opened any more
    text = known = explain(error)
    if out_of_reach(error):
        log.warning("Discord could not be reached: %r", error, extra={"interaction": interaction.id})
        text = f"I lost the connection to Discord for a moment. {await _outcome(interaction)}"
    elif isinstance(error, discord.NotFound) and error.code in (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE):
        text = f"The message or channel that you used has been deleted. {await _outcome(interaction)}"
    elif text is None:
        incident = secrets.token_hex(4)
        metrics.INCIDENTS.inc()
        log.error("incident %s", incident, exc_info=error, extra={"incident": incident, "interaction": interaction.id})
        text = f"Sorry, something went wrong on my side. {await _outcome(interaction)} (Incident {incident})"
    elif isinstance(error, Unavailable | json.JSONDecodeError | BrokenLog | discord.Forbidden):
        log.warning("%s", error)
        outcome, known = await _outcome(interaction), None
        text = outcome if outcome == DONE and isinstance(error, Unavailable) else f"{text} {outcome}"
    screen = refusal_screen(error) if isinstance(error, Refused) and error.rule else Screen(text[:1990])
    try:
        try:
            await show_privately(interaction, screen, anew=known is None)
        except BROKEN:  # Discord may have it or not
            await show_privately(interaction, screen, anew=known is None)
    except FAILURES as failed:
        log.warning("could not answer: %r", failed)


async def _left(interaction: discord.Interaction[Any], error: BaseException) -> bool:
    """Whether others do what cannot be done here, since they serve the server by now; or had done it before."""
    arrivals = interaction.client.arrivals
    if isinstance(error, LeaseLost | NotServing) and arrivals.leave(interaction.id):
        with suppress(*FAILURES, NotServing, HandedOver):
            await acknowledge(interaction, shows=False)
        return True
    came = arrivals.came(interaction.id)
    if came is None or not came.again or await _outcome(interaction) != DONE:
        return False
    if _promised(interaction):
        with suppress(*FAILURES):
            await show_privately(interaction, Screen("Done. `/game status` shows where the game stands."))
    return True


async def _outcome(interaction: discord.Interaction[Any]) -> str:
    """Whether what the person did was stored before something failed."""
    store = interaction.client.store
    try:
        if await store.was_done(interaction.id):
            return DONE
    except Unavailable:
        return "It may have been stored: check `/game status` before you try again."
    return "It may have been stored: look before you try again." if store.has_written else NOTHING
