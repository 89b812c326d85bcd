"""Programs: their presses, forms and /pass, and what they do once their time has come."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.chat import codes
from bot.chat.answers import acknowledge, show_privately
from bot.chat.client import Bot
from bot.chat.commands import Interaction, table_here
from bot.chat.press import Form, Press, showing
from bot.chat.room import Room
from bot.chat.screen import Screen
from bot.core import desks
from bot.core.errors import Outdated, TableError
from bot.core.notices import OfferNotice, queued
from bot.core.orders import Desk
from bot.core.table import Table
from bot.rooms.programs.making import (
    BY_KIND,
    HOW_TILES,
    begun,
    changed,
    chosen,
    problem,
    read_number,
    read_tiles,
    toggled,
    written_tiles,
)
from bot.rooms.programs.screen import NO_DRAFT, WORD, making_screen, programs_screen
from bot.rooms.turn import deals
from bot.rooms.turn.act import NO_HAND
from bot.rooms.turn.forms import submit
from bot.words.programs import NAMES, sentence, stops_when
from engine import actions as a
from engine.action_json import from_json, to_json
from engine.errors import EngineError
from engine.ids import PlayerId
from programs import Operate, PassAhead, Program
from storage import Offer, Stale

log = logging.getLogger("tetsudo.programs")
AGAIN = 20
"""Seconds until an offer is looked at again whose message has not been posted yet."""


async def _program(given: Press) -> None:
    """Show or change the person's programs."""
    way, *rest = given.parts
    if way == "form":
        table, seat = await _own(given)
        await given.interaction.response.send_modal(_form(table, seat, rest[0]))
        return
    await acknowledge(given.interaction, shows=True)
    table, seat = await _own(given)
    if way in ("new", "set", "stops"):
        draft = _put_together(table, seat, way, rest[0])
        await desks.change(table, seat, lambda desk: replace(desk, draft=draft), interaction=given.interaction.id)
        await show_privately(given.interaction, await making_screen(table, seat))
        return
    changes: dict[str, Callable[[Desk], Desk]] = {
        "off": lambda desk: desk.without(int(rest[0])),
        "drop": lambda desk: replace(desk, draft=None),
        "seen": lambda desk: replace(desk, told=()),
    }
    done = "✓ It is off." if way == "off" else ""
    if way == "on":
        done = await _switch_on(given, table, seat)
    elif way in changes:
        await desks.change(table, seat, changes[way], interaction=given.interaction.id)
    await show_privately(given.interaction, programs_screen(table, seat, done))


async def _own(given: Press) -> tuple[Table, PlayerId]:
    """The table and the person's own seat. Raises TableError."""
    table = await given.table()
    await table.read_on()
    seat = table.viewer_for(given.user)
    if seat is None:
        raise TableError(NO_HAND)
    return table, seat


def _put_together(table: Table, seat: PlayerId, way: str, what: str) -> Program | None:
    """A program that was begun, or the one that is being put together, changed. Raises TableError."""
    draft = table.orders.desk(seat).draft
    if way == "new":
        return begun(table, seat, what)
    if draft is None:
        return None
    return toggled(draft, what) if way == "stops" else chosen(table, draft, what)


async def _switch_on(given: Press, table: Table, seat: PlayerId) -> str:
    """Have the program that was put together act from now on; what to tell its owner. Raises TableError."""
    program = table.orders.desk(seat).draft
    if program is None:
        raise TableError(NO_DRAFT)
    wrong = problem(program)
    if wrong:
        raise TableError(wrong)
    await desks.enable(table, seat, program, interaction=given.interaction.id)
    await play_due(given.bot, table.game.id)
    given.bot.sender.wake()
    return _is_on(table, program)


def _is_on(table: Table, program: Program) -> str:
    return f"✓ {sentence(program, table.position.lexicon())} {stops_when(program)}"


# What is typed


def _form(table: Table, seat: PlayerId, kind: str) -> Form:
    """The form for the delay, or for the program that is being put together. Raises TableError."""
    desk = table.orders.desk(seat)
    form = Form("Delay" if kind == "delay" else NAMES[kind], table.game.id, 0, codes.join(WORD, "form", kind))
    if kind == "delay":
        first, last = map(str, desk.delay)
        hint = "A time in between is drawn for each turn."
        form.text("first", "At least so many minutes", first, most=10, required=False)
        form.text("last", "At most so many minutes", last, hint, most=10, required=False)
        return form
    if desk.draft is None or desk.draft.kind != kind or kind not in BY_KIND:
        raise TableError(NO_DRAFT)
    for name, label in BY_KIND[kind].typed.items():
        form.text(name, label, str(getattr(desk.draft, name)), most=10, required=False)
    if isinstance(desk.draft, Operate):
        plan, label = written_tiles(desk.draft.tiles), "Tiles to lay, one a line"
        form.text("tiles", label, plan, HOW_TILES, most=800, long=True, required=False)
    return form


async def _submitted(given: Press) -> None:
    """Take what a form says. Raises TableError, which says how to write it."""
    interaction, fields, kind = given.interaction, given.fields, given.parts[-1]
    await acknowledge(interaction, shows=True)
    table = await given.bot.tables.get(given.game)
    await table.read_on()
    seat = table.viewer_for(given.user)
    if seat is None:
        raise table.not_seated(given.user)
    if kind == "delay":
        first, last = (read_number(fields.get(name, "")) for name in ("first", "last"))
        await desks.change(table, seat, lambda desk: desk.delayed(first, last), interaction=interaction.id)
        await show_privately(interaction, programs_screen(table, seat, "✓ Kept."))
        return
    draft = table.orders.desk(seat).draft
    if draft is None or draft.kind != kind or kind not in BY_KIND:
        raise TableError(NO_DRAFT)
    values: dict[str, object] = {name: read_number(fields.get(name, "")) for name in BY_KIND[kind].typed}
    if isinstance(draft, Operate):
        plan = read_tiles(table, seat, draft.corp, fields.get("tiles", ""))
        values |= {"tiles": [to_json(one) for one in plan]} | ({"track": "plan"} if plan else {})
    draft = changed(draft, values)
    await desks.change(table, seat, lambda desk: replace(desk, draft=draft), interaction=interaction.id)
    await show_privately(interaction, await making_screen(table, seat))


# Passing


async def _pass_ahead(bot: Bot, table: Table, user: int, span: str, interaction: int) -> Screen:
    """Have a program pass for the person, or switch it off ("stop"); what to tell them. Raises TableError."""
    seat = table.viewer_for(user)
    if seat is None:
        raise table.not_seated(user)
    passing = [one.number for one in table.orders.desk(seat).kept if isinstance(one.program, PassAhead)]
    if span == "stop":
        await desks.change(table, seat, lambda desk: desk.without(*passing), interaction=interaction)
        return Screen("✓ You are no longer passing ahead.")
    if seat in table.position.up and span == "once":
        raise TableError("It is your turn now: pass with the button in the turn's message, or with `/pass`.")
    program = PassAhead(span="once" if span == "once" else "round")
    await desks.enable(table, seat, program, instead=passing, interaction=interaction)
    await table.go_on()
    bot.sender.wake()
    return Screen(_is_on(table, program))


@showing
async def _pass(given: Press) -> Screen:
    """Pass ahead, or no longer."""
    return await _pass_ahead(given.bot, await given.table(), given.user, given.parts[0], given.interaction.id)


class Passing(commands.Cog):
    """The command /pass."""

    @app_commands.command(name="pass")
    @app_commands.describe(when="When to pass; now by default")
    @app_commands.choices(
        when=[
            app_commands.Choice(name="now", value="now"),
            app_commands.Choice(name="ahead: my next turn", value="once"),
            app_commands.Choice(name="ahead: for the rest of this round", value="round"),
            app_commands.Choice(name="stop passing ahead", value="stop"),
        ]
    )
    @app_commands.guild_only()
    async def pass_(self, interaction: Interaction, when: str = "now") -> None:
        """Pass, finish a step, or pass ahead"""
        if when == "now":
            await submit(interaction, lambda table, seat: a.Pass(seat))
            return
        bot, table = interaction.client, await table_here(interaction)
        await show_privately(interaction, await _pass_ahead(bot, table, interaction.user.id, when, interaction.id))


# What is due


async def play_due(bot: Bot, game_id: str) -> None:
    """Let the programs of a game move and answer whose time has come."""
    table = await bot.tables.get(game_id)
    await table.read_on()
    try:
        waits = await _answer_offers(bot, table)
        await table.go_on()
        for seat in waits:
            await bot.store.orders.look_at(game_id, seat, bot.clock() + AGAIN)
    except Outdated:  # somebody moved meanwhile, and with that move programs were asked
        await table.go_on()


async def _answer_offers(bot: Bot, table: Table) -> list[str]:
    """Answer what programs answer; the seats with offers that nobody could see yet."""
    due, waits = table.orders.due(bot.clock()), []
    if table.position.over or table.change is not None:
        return []
    for offer in await bot.store.offers.open(table.game.id):
        if offer.to_seat not in due or offer.seq != table.position.seq:
            continue
        action, seat = from_json(json.loads(offer.body)), PlayerId(offer.to_seat)
        agrees = await bot.work.do(table.orders.answer, table.title, table.position.state, seat, action)
        if agrees is not None and not await _answer(bot, table, offer, agrees):
            waits.append(offer.to_seat)
    return waits


async def _answer(bot: Bot, table: Table, offer: Offer, agrees: bool) -> bool:
    """Answer an offer as its owner would by a button of its message; False if there is no such message yet."""
    number = await bot.store.outbox.message_of(table.game.id, queued(OfferNotice(offer.to_seat, offer.body)))
    shown = None if number is None else await bot.store.messages.find(number)
    if shown is None:
        return False
    user = table.seats[offer.to_seat].user_id
    try:
        text = await deals.answer(table, offer.id, user=user, accept=agrees, interaction=None)
    except (TableError, EngineError, Stale) as error:
        log.info("an offer was not answered: %s", error, extra={"game": table.game.id})
        return True
    bot.sender.wake()
    await bot.messages.edit(shown.channel_id, shown.message_id, Screen(text))
    await bot.store.messages.retire([shown.message_id])
    return True


ROOM = Room(
    presses={WORD: _program, "pass": _pass}, forms={WORD: _submitted}, due={"orders": play_due}, cogs=(Passing,)
)
