"""Programs: what is typed about them, switching one on, and what they do once their time has come."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ui

from bot.chat import codes
from bot.chat.answers import acknowledge, show_privately
from bot.chat.client import Bot
from bot.chat.press import Form, Submitted
from bot.chat.screen import Screen
from bot.core import desks
from bot.core.errors import Outdated, TableError
from bot.core.notices import offer_notice
from bot.core.table import Table
from bot.rooms.programs.making import BY_KIND, problem
from bot.rooms.programs.screen import NO_DRAFT, changed, making_screen, programs_screen
from bot.rooms.turn import deals
from bot.words.programs import NAMES, sentence, stops_when
from engine.action_json import from_json, to_json
from engine.actions import LayTile
from engine.errors import EngineError
from engine.ids import CorpId, HexId, PlayerId, TileId
from programs import Operate
from programs.program import LARGEST
from storage import Offer, Stale, Unavailable

log = logging.getLogger("tetsudo.programs")
HOW_TILES = "Hex, tile and its turn, 0 to 5 to the right, as in “C4 8 2”."
MOST_TILES = 30
AT_ONCE = 20
"""Games that are looked at in one go."""
AGAIN = 20
"""Seconds until an offer is looked at again whose message has not been posted yet."""


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
    number = await bot.store.outbox.message_of(table.game.id, offer_notice(offer.to_seat, offer.body))
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


async def due(bot: Bot) -> int:
    """Let programs move whose time has come; how many games that were."""
    claimed = await bot.store.orders.claim(bot.owner, limit=AT_ONCE, shards=bot.serving)
    for game in dict.fromkeys(claimed):
        try:
            await play_due(bot, game)
        except Unavailable:
            raise
        except Exception:
            log.exception("programs could not move", extra={"game": game})
    return len(claimed)


# What their owner does with them


class ProgramForm(Form):
    """What is typed about a program; its id says of which kind."""

    def __init__(self, table: Table, kind: str) -> None:
        title = "Delay" if kind == "delay" else NAMES[kind]
        super().__init__(title, table.game.id, 0, codes.join("program", "form", kind))

    def add(self, name: str, label: str, default: str, hint: str = "", *, long: bool = False) -> None:
        """Add a field, which may be left empty."""
        style = discord.TextStyle.paragraph if long else discord.TextStyle.short
        entry: ui.TextInput[Any] = ui.TextInput(
            custom_id=name, style=style, default=default or None, max_length=800 if long else 10, required=False
        )
        self.add_item(ui.Label(text=label, description=hint or None, component=entry))


async def ask(interaction: discord.Interaction[Any], table: Table, seat: PlayerId, kind: str) -> None:
    """Open the form for the delay, or for the program that is being put together. Raises TableError."""
    desk = table.orders.desk(seat)
    if kind == "delay":
        form = ProgramForm(table, kind)
        form.add("first", "At least so many minutes", str(desk.delay[0]))
        form.add("last", "At most so many minutes", str(desk.delay[1]), "A time between them is drawn for each turn.")
        await interaction.response.send_modal(form)
        return
    if desk.draft is None or desk.draft.kind != kind or kind not in BY_KIND:
        raise TableError(NO_DRAFT)
    form = ProgramForm(table, kind)
    for name, label in BY_KIND[kind].entries:
        form.add(name, label, str(getattr(desk.draft, name)))
    if isinstance(desk.draft, Operate):
        form.add("tiles", "Tiles to lay, one a line", written_tiles(desk.draft.tiles), HOW_TILES, long=True)
    await interaction.response.send_modal(form)


async def submitted(given: Submitted) -> None:
    """Take what a form says. Raises TableError, which says how to write it."""
    interaction, fields = given.interaction, given.fields
    await acknowledge(interaction, shows=True)
    table = await given.bot.tables.get(given.game)
    await table.read_on()
    mine = table.seats_of(given.user)
    if not mine:
        raise table.not_seated(given.user)
    seat, kind = mine[0], given.parts[-1]
    if kind == "delay":
        first, last = (read_number(fields.get(name, "")) for name in ("first", "last"))
        await desks.change(table, seat, lambda desk: desk.delayed(first, last), interaction=interaction.id)
        await show_privately(interaction, await programs_screen(table, seat, "✓ Kept."))
        return
    draft = table.orders.desk(seat).draft
    if draft is None or draft.kind != kind or kind not in BY_KIND:
        raise TableError(NO_DRAFT)
    values: dict[str, object] = {name: read_number(fields.get(name, "")) for name, _ in BY_KIND[kind].entries}
    if isinstance(draft, Operate):
        plan = read_tiles(table, seat, draft.corp, fields.get("tiles", ""))
        values |= {"tiles": [to_json(one) for one in plan]} | ({"track": "plan"} if plan else {})
    draft = changed(draft, values)
    await desks.change(table, seat, lambda desk: replace(desk, draft=draft), interaction=interaction.id)
    await show_privately(interaction, await making_screen(table, seat))


async def switch_on(bot: Bot, table: Table, seat: PlayerId, interaction: int) -> str:
    """Have the program that was put together act from now on; what to tell its owner. Raises TableError."""
    program = table.orders.desk(seat).draft
    if program is None:
        raise TableError(NO_DRAFT)
    wrong = problem(table, seat, program)
    if wrong:
        raise TableError(wrong)
    await desks.enable(table, seat, program, interaction=interaction)
    await play_due(bot, table.game.id)
    bot.sender.wake()
    return f"✓ {sentence(program, table.position.lexicon())} {stops_when(program)}"


def read_number(text: str) -> int:
    """A whole number from 0 on as people write it: "1,100" or "¥85"; nothing is 0. Raises TableError."""
    digits = re.sub(r"[\s,_'’]", "", text).lstrip("¥£$€")
    if not re.fullmatch(r"\d{0,7}", digits) or int(digits or 0) > LARGEST:
        raise TableError(f"“{text[:30]}” is not a whole number from 0 on.")
    return int(digits or 0)


def written_tiles(plan: Sequence[LayTile]) -> str:
    """A plan of tiles as it is typed."""
    return "\n".join(f"{one.hex} {one.tile} {one.rotation}" for one in plan)


def read_tiles(table: Table, seat: PlayerId, corp: CorpId, text: str) -> list[LayTile]:
    """The tiles that were typed, one a line: hex, tile, turn. Raises TableError for what the game does not have."""
    plan = []
    for line in filter(None, (one.strip() for one in text.splitlines())):
        match = re.fullmatch(r"([^\s:,]{1,6})[\s:,]+([^\s:,]{1,8})[\s:,]+([0-5])", line)
        if match is None:
            raise TableError(f"“{line[:40]}” is not a tile to lay. {HOW_TILES}")
        hex_id, tile = HexId(match[1].upper()), TileId(match[2])
        if hex_id not in table.title.hexes or tile not in table.title.tiles:
            raise TableError(f"This game has no tile {tile} or no hex {hex_id}.")
        plan.append(LayTile(seat, corp, hex_id, tile, int(match[3])))
    return plan[:MOST_TILES]
