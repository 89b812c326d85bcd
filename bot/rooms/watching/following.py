"""Following a game from outside its table: which events there are to choose from, and what they tell.

What is told is what the channel was told, move by move, so no follower learns more than a spectator.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.core.moves import events_of
from bot.core.notices import board_notice, follow_notice
from bot.core.table import Table
from bot.words.lexicon import listed
from bot.words.narration import gathered
from engine.viewing import round_label
from storage import Watch

USUAL = "round,company,train,bankrupt,end"
EVERY = {300: "at once", 3600: "at most hourly", 6 * 3600: "at most every six hours", 24 * 3600: "at most daily"}
"""Seconds between two messages, as that is called; what happens at once is gathered for five minutes."""
OFTEN = 3600
BOARD_EVERY = 60
"""Seconds between two edits of a live board."""
MOST_LINES = 20


@dataclass(frozen=True, slots=True)
class Digest:
    """What a follower is told at once."""

    lines: tuple[str, ...]
    hidden: int
    """How many lines before these are left out."""


def digest(table: Table, watch: Watch) -> Digest | None:
    """What has happened for this follower since they were last told; None if nothing that they follow."""
    wanted = set(watch.events.split(","))
    moves = [one for one in table.moves if one.seq > watch.seq and not events_of(one).isdisjoint(wanted)]
    lines = gathered(table.tell(moves))
    undone = any(one.kind == "undo" and one.seq > watch.seq for one in table.entries)
    if undone and "turn" in wanted:
        lines = ["Some moves were taken back.", *lines]
    if not lines:
        return None
    return Digest(tuple(lines[-MOST_LINES:]), max(0, len(lines) - MOST_LINES))


def digest_text(table: Table, watch: Watch) -> str | None:
    """The message for a follower, without a link; None if there is nothing to tell."""
    found = digest(table, watch)
    if found is None:
        return None
    position, names = table.position, table.position.lexicon()
    lines = [f"### {table.title.name} in <#{table.game.channel_id}>"]
    lines += [f"- … {found.hidden} more in `/game history` there"] if found.hidden else []
    lines += [f"- {line}" for line in found.lines]
    if not position.over:
        waits = listed(names.player(seat) for seat in position.up)
        lines.append(f"-# {round_label(table.title, position.state)} · waiting for {waits}")
    return "\n".join(lines)


async def tell(table: Table, watch: Watch) -> bool:
    """Queue what a watch that is due has to tell; whether there was anything."""
    if watch.kind == "board":
        return await table.store.watches.tell(watch, table.position.seq, board_notice(watch.id))
    text = await table.work.do(digest_text, table, watch)
    notice = None if text is None else follow_notice(watch.id, watch.user_id, watch.channel_id, text)
    return await table.store.watches.tell(watch, table.position.seq, notice) and notice is not None
