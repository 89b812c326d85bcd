"""Sentences, questions about seats, and votes."""

from __future__ import annotations

from bot.chat import codes
from bot.chat.client import Bot
from bot.chat.screen import Button, Screen
from bot.core import clockwork
from bot.core.notices import LOBBY, SayNotice, VoteNotice, seat_matter, vote_matter
from bot.core.table import Table
from bot.rooms.seats import lobby
from bot.rooms.seats import screen as seats
from storage import OutboxItem

ANSWERS = {"end": ("End it", "Play on"), "pace": ("Agree", "Keep the pace"), "settings": ("Agree", "Keep them")}
"""The labels of yes and no, by what the vote is about."""


def vote_screen(text: str, question: str, game: str, seq: int) -> Screen:
    """The question, with a button for either answer."""
    yes, no = ANSWERS[question]
    screen = Screen(text, game=game, seq=seq)
    screen.buttons(
        Button(yes, codes.join("vote", question, "yes"), "success"),
        Button(no, codes.join("vote", question, "no")),
    )
    return screen


NEWS, VOTED = "something was said to you", "the table votes"
"""What people are told later whom a message may not ping at once, after the channel."""
SETTLED = "*This was settled.*"


async def say_text(bot: Bot, item: OutboxItem, said: SayNotice) -> None:
    """Say a sentence, with buttons if it is about a seat."""
    asks = bool(said.about)
    if await bot.messages.sent_before(item, remember=asks):
        return
    screen = seats.notice_screen(said.text, said.about, item.game, item.seq)
    free = await clockwork.pinged_for(bot.store, item.game, said.ping, item.id, said.later or NEWS, said.by)
    await bot.messages.post(item, screen, free, remember=asks)


async def say_vote(bot: Bot, item: OutboxItem, asked: VoteNotice) -> None:
    """Ask for votes, unless it is settled by now."""
    if await bot.messages.sent_before(item, remember=True):
        return
    if not await bot.store.votes.of_game(item.game, asked.question):
        await bot.store.outbox.drop(item, "the vote is over")
        return
    free = await clockwork.pinged_for(bot.store, item.game, asked.ping, item.id, VOTED, asked.by)
    await bot.messages.post(item, vote_screen(asked.text, asked.question, item.game, item.seq), free, remember=True)


async def stands(table: Table, kind: str) -> bool:
    """Whether a message about a seat, or a vote, is still to be answered."""
    if question := vote_matter(kind):
        return not table.position.over and bool(await table.store.votes.of_game(table.game.id, question))
    matter = seat_matter(kind)
    return bool(matter) and seats.stands(table, matter)


async def left(table: Table, kind: str) -> Screen | None:
    """What is left of a lobby, of a message about a seat, or of a vote."""
    if kind == LOBBY:
        return lobby.lobby_screen(table.game, list(table.seats.values()))
    if matter := seat_matter(kind):
        return seats.past_notice(table, matter)
    return Screen(SETTLED) if vote_matter(kind) else None
