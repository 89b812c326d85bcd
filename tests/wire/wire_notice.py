"""Nothing is done to somebody who was not told in time: a month's games held against that, minute by minute.

For everything done to a person because they did not act (the bot or the others moved, the others were asked, their seat
was opened or taken) it looks for the message that told them, and counts from there when they could have acted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wire_process import rows

if TYPE_CHECKING:
    from wire_month import Game, Member, Month
    from wire_world import Message

MINUTE, HOUR = 60, 3600
SLACK = 10 * MINUTE
NOTICE = 4 * HOUR
"""What somebody has at least before their time is up, where the turn had as much."""
ABSENT = 24 * HOUR
BY_OTHERS = ("by the bot, cautiously", "passed by the others")
POSTED = "SELECT message_id, kind, seq FROM messages WHERE game = ? ORDER BY message_id"
HELD = "SELECT user_id FROM seats WHERE game = ? AND seat = ? AND joined_at <= ? AND coalesce(left_at, ?) >= ?"


@dataclass(frozen=True)
class Deed:
    """Something that was done about a seat, and for how long its player must have been able to act."""

    what: str
    seat: str
    at: int
    seq: int
    """The position in which it was done."""
    needs: int


def deeds(month: Month, game: Game) -> Iterator[Deed]:
    """All that was done in a game to somebody who did not act, but for seats that were taken."""
    number, least = game.party.game, min(NOTICE, game.least)
    for seat, at, seq, note in rows(month.database, "SELECT by_seat, at, seq, note FROM log WHERE game = ?", number):
        if note in BY_OTHERS:
            yield Deed(note, seat, at, seq - 1, least)
    for message, kind, seq in posted(month, game):
        word, _, about = kind.partition(":")
        if word == "late":
            yield Deed("asked about", about, month.bot_time(message), seq, least)
        elif word == "seat" and about.startswith("open:"):
            late = "time was up" in message.versions[0][1]
            seat = about.removeprefix("open:")
            yield Deed("opened", seat, month.bot_time(message), seq, least if late else ABSENT)


def posted(month: Month, game: Game) -> list[tuple[Message, str, int]]:
    """The game's messages that asked something, with their kinds and positions."""
    found, here = rows(month.database, POSTED, game.party.game), game.party.channel.messages
    return [(here[number], kind, seq) for number, kind, seq in found if number in here]


def holder(month: Month, game: Game, seat: str, at: int) -> Member | None:
    """Who sat there; None for a program or nobody."""
    found = rows(month.database, HELD, game.party.game, int(seat[1:]), at, at, at)
    return month.by_id.get(found[0][0]) if found else None


def asked_since(month: Month, game: Game, member: Member, deed: Deed) -> int:
    """When the turn began that the game waited for, or they took the seat."""
    begun = [
        month.bot_time(one)
        for one, kind, seq in posted(month, game)
        if kind.startswith("turn:") and seq <= deed.seq and f"<@{member.id}>, your turn" in one.versions[0][1]
    ]
    sat = rows(month.database, "SELECT joined_at FROM seats WHERE game = ? AND user_id = ?", game.party.game, member.id)
    return max([*begun, *(one for (one,) in sat if game.began < one <= deed.at)], default=game.began)


def told_at(month: Month, game: Game, member: Member, since: int, until: int) -> int | None:
    """When a message in or about the game first pinged them from then on, or they took the seat themselves."""
    here, link = game.party.channel, re.compile(rf"/{game.party.channel.id}/")
    found = [
        month.bot_time(message)
        for user, message in month.server.world.pings
        if user == member.id and (message.channel is here or link.search(message.text))
    ]
    taken = "SELECT at FROM handovers WHERE game = ? AND to_id = ?"
    found += [at for (at,) in rows(month.database, taken, game.party.game, member.id)]
    return min((at for at in found if since <= at <= until), default=None)


def could_act(month: Month, member: Member, start: int, end: int) -> int:
    """The seconds in which they were awake and not away, and the bot there."""
    return sum(
        MINUTE
        for at in range(start, end, MINUTE)
        if not (member.night(at) or member.away(at) or any(gone <= at < back for gone, back in month.outages))
    )


def unnoticed(month: Month, game: Game, figures: Counter[str]) -> list[str]:
    """What was done to people of this game before they had been told and had time to act."""
    wrong = []
    for deed in deeds(month, game):
        member = holder(month, game, deed.seat, deed.at)
        if member is None:
            continue
        figures[f"deeds: {deed.what}"] += 1
        told = told_at(month, game, member, asked_since(month, game, member, deed), deed.at)
        could = 0 if told is None else could_act(month, member, told, deed.at)
        if could < deed.needs - SLACK:
            after = f"told {told}, at {deed.at}, {could // MINUTE} min of {deed.needs // MINUTE}"
            wrong.append(f"{game.pace}: {deed.what} in row {deed.seq + 1} of {game.party.game}, {after}")
    return wrong + taken_unnoticed(month, game, figures)


def taken_unnoticed(month: Month, game: Game, figures: Counter[str]) -> list[str]:
    """Seats that were taken before their player could hear that they were open, or without a word afterwards."""
    wrong, opened = [], [one for one in deeds(month, game) if one.what == "opened"]
    taken = "SELECT seat, from_id, at FROM handovers WHERE game = ? AND how = 'taken'"
    for seat, user, at in rows(month.database, taken, game.party.game):
        member = month.by_id.get(user)
        since = max((one.at for one in opened if one.seat == seat and one.at <= at), default=None)
        if member is None or since is None:
            continue
        figures["deeds: taken"] += 1
        if told_at(month, game, member, since, at + SLACK) is None:
            wrong.append(f"{game.pace}: a seat was taken {at - since} s after it was opened, untold")
        if could_act(month, member, at, month.now) > SLACK and told_at(month, game, member, at, month.now) is None:
            wrong.append(f"{game.pace}: a seat was taken, and its player never heard of it")
    return wrong
