"""The turn, as the house finds it: its presses, forms and commands, and one message each, which is kept true.

The message is posted when the turn begins, edited as it goes on, and reduced to what happened when it is over.
"""

import logging
import time
from collections.abc import Iterable
from dataclasses import fields
from functools import partial

from bot import metrics
from bot.chat import codes
from bot.chat.client import Bot
from bot.chat.room import MOVED, Room
from bot.chat.screen import Screen
from bot.core import clockwork
from bot.core.notices import OfferNotice, TurnNotice, UndoNotice, turn_of
from bot.core.opponents import is_person
from bot.core.table import Table
from bot.rooms.turn import act, asking, choosing, forms, shown
from bot.rooms.turn import screen as turn
from bot.rooms.turn.commands import CompanyCommands, PrivateCommands, StockCommands, TrainCommands, TurnCommands
from bot.rooms.turn.pictures import Ahead
from bot.rooms.turn.run_trains import MOST_EFFORT
from bot.words.labels import CONTROLS
from engine import Action
from storage import Message, OutboxItem

log = logging.getLogger("tetsudo.turns")
SAME_TURN, MOST_PINGS = 3600, 3
"""In so many seconds the people of one turn are pinged so often at most."""


async def say_turn(bot: Bot, item: OutboxItem, notice: TurnNotice) -> None:
    """Show a turn in one message: post it when the turn begins, and edit it as the turn goes on."""
    started = time.perf_counter()
    table = await bot.tables.get(item.game)
    if table.goes_on:
        await _say_answered(bot, item, table)
        return
    if await bot.messages.sent_before(item, remember=True):
        if item.seq == table.position.seq:
            live = await bot.store.messages.live(item.game)
            await _reduce(bot, table, [message for message in live if message.kind != item.kind])
        await clockwork.shown(bot.store, item.game)
        return
    if item.seq < table.position.seq or table.game.status == "abandoned":
        await bot.store.outbox.drop(item, "the position has passed")
        return
    position = table.position
    screen = await present_screen(bot, table)
    if table.position is not position:  # it would name whoever is up now, and its controls be outdated
        await say_turn(bot, item, notice)
        return
    live = await bot.store.messages.live(item.game)
    here = table.game.channel_id
    same = [message for message in live if message.kind == item.kind and message.channel_id == here]
    edited = bool(same) and await bot.messages.edit(same[-1].channel_id, same[-1].message_id, screen)
    if edited:
        await clockwork.shown(bot.store, item.game)
        await bot.store.outbox.done(item, channel_id=here, message_id=same[-1].message_id)
    else:
        ping = await _to_ping(bot, item, table, again=notice.again)
        await bot.messages.post(item, screen, ping, remember=True, told=partial(clockwork.shown, bot.store, item.game))
    spent = round(1000 * (time.perf_counter() - started))
    metrics.TURN_SHOWN.observe(spent / 1000)
    about = {"game": item.game, "seq": item.seq, "kind": item.kind, "attempt": item.attempts, "ms": spent}
    log.info("turn shown", extra=about)
    bot.its(Ahead).add(item.game, table.position)
    await _reduce(bot, table, [message for message in live if not (edited and message == same[-1])])


async def _reduce(bot: Bot, table: Table, messages: Iterable[Message]) -> None:
    """Reduce those of the messages that are no question that is still open."""
    for message in messages:
        if not await bot.rooms.stands(table, message):
            bot.retirer.add(message)


async def _say_answered(bot: Bot, item: OutboxItem, table: Table) -> None:
    """Take the controls off the last turn's message while opponents move, which is told with the next person's turn."""
    for message in await bot.store.messages.live(item.game):
        if (key := turn_of(message.kind)) is not None:
            await bot.messages.edit(
                message.channel_id, message.message_id, await turn.answered_screen(table, key.start)
            )
    await bot.store.outbox.done(item)


async def present_screen(bot: Bot, table: Table) -> Screen:
    """What a game's channel is shown now: its end, or the message for whoever must decide."""
    if table.position.over:
        return await bot.rooms.final(table)
    return await turn.turn_screen(table, await _learned(bot, table))


async def _learned(bot: Bot, table: Table) -> frozenset[str]:
    """In a teaching game, what whoever is up needs no more tips on."""
    if not table.settings.teaching or len(table.position.up) != 1 or table.position.chance:
        return frozenset()
    return await bot.store.lessons.of_user(table.seats[table.position.up[0]].user_id)


async def _to_ping(bot: Bot, item: OutboxItem, table: Table, *, again: bool) -> list[int]:
    """Those who are up and may be disturbed, unless the turn was begun again and again by undo, redo and moves.

    Whoever may not be is told later.
    """
    up = (table.seats[seat].user_id for seat in table.awaited if seat in table.seats)
    users = [user for user in dict.fromkeys(up) if is_person(user)]
    if again and await bot.store.messages.posted_since(item.game, item.kind, 0):
        return []
    since = bot.clock() - SAME_TURN
    if await bot.store.messages.posted_since(item.game, item.kind, since) >= MOST_PINGS:
        return []
    return await clockwork.pinged_for_turn(bot.store, table.game, users)


async def left(table: Table, message: Message, key: str) -> Screen:
    """What is left of a turn's message."""
    its = TurnNotice(key)
    screen = turn.past_round_screen(table, its.start) if its.together else await turn.past_screen(table, its.start)
    if message.channel_id != table.game.channel_id:
        screen.text += f"\n{MOVED.format(table.game.channel_id)}"
    return screen


def _shape_of(kind: type[Action]) -> str:
    """The fields of an action, without the seat."""
    return r"\|".join(r"[^|]{0,40}" for one in fields(kind) if one.name != "by")


NAME, OFFER = codes.NAME, r"\d{1,18}"
FURTHER = f"[1-{MOST_EFFORT}]"
LAY = rf"(?:LayTile|LayPowerTile)\|{NAME}"
ASK = (
    rf"Bid(?:\|{NAME})?|BidToChoose|BuyTrain(?:\|{NAME}){{3}}|CompanyBuysPrivate\|{NAME}\|{NAME}"
    rf"|TradePrivate\|{NAME}|RunTrains\|{NAME}"
)
CODES: dict[str, str] = {
    **{kind.__name__: _shape_of(kind) for kind in CONTROLS},
    "sure": "|".join(
        kind.__name__ + (rf"\|{shape}" if (shape := _shape_of(kind)) else "")
        for kind, one in CONTROLS.items()
        if one.warning
    ),
    "RunTrains": rf"{NAME}\|[0-9a-f]{{10}}(?:\|{FURTHER})?",
    "menu": rf"(?:{'|'.join(kind.__name__ for kind in CONTROLS)})(?:\|{NAME})?",
    "lay": LAY,
    "hex": rf"{LAY}\|{NAME}(?:\|\d{{1,2}})?",
    "try": rf"{LAY}\|{NAME}\|{NAME}\|[0-5]",
    "run": rf"{NAME}\|[0-9a-f]{{10}}\|[0-{MOST_EFFORT}]\|(?:pay|withhold|half)",
    **dict.fromkeys(("yes", "no", "price"), OFFER),
    **dict.fromkeys(("ask", "amount"), ASK),
    "routes": NAME,
    "further": rf"{NAME}\|{FURTHER}",
    "show": "|".join(shown.SCREENS),
    "undo": r"(?:sure|(?:sure|from|ask|yes|no)\|\d{1,7})?",
}
ROOM = Room(
    presses={**act.HANDLERS, **choosing.HANDLERS, **shown.HANDLERS},
    codes=CODES,
    forms={"amount": forms.submitted},
    says={TurnNotice: say_turn, UndoNotice: asking.say_undo, OfferNotice: asking.say_offer},
    left={"turn": left, "offer": asking.offer_left, "undo": asking.undo_left},
    stands={"offer": asking.offer_stands, "undo": asking.undo_stands},
    asks={"undo": asking.undo_asks},
    cogs=(TurnCommands, StockCommands, PrivateCommands, CompanyCommands, TrainCommands),
)
