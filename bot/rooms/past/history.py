"""What has happened: when, told under the message of its turn, with filters and pages.

Each page leads to the same moves in pictures (`browser`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.chat import codes
from bot.chat.messages import link
from bot.chat.screen import Button, Screen, where
from bot.core.moves import ToldBefore
from bot.core.notices import turn_of
from bot.core.table import Table
from bot.rooms.turn.screen import told_of
from bot.words.lexicon import Lexicon
from bot.words.narration import Line, gathered
from storage import Game, Message

PAGE = 25
"""How many lines a page has at most."""
ROOM = 3400
"""How many characters: a message holds 4,000 with its footer, and headings have links in them."""
PICTURES = "In pictures"
ABOUT = {"money": "money", "track": "track and tokens"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the reader wants to see; "" is everything."""

    player: str = ""
    """A seat: what it did, and what names it."""
    company: str = ""
    about: str = ""
    """A key of `ABOUT`."""

    def fits(self, told: Line, by: str, names: Lexicon) -> bool:
        """Whether a line that tells of a move by this seat belongs here."""
        line = told.text
        return (
            (not self.player or by == self.player or names.player(self.player) in line)
            and (not self.company or f"**{self.company}**" in line)
            and (self.about != "money" or _amount(names).search(line) is not None)
            and (self.about != "track" or told.track)
        )

    def described(self, names: Lexicon) -> str:
        """ "**Ben**, **IR**, money", or ""."""
        company = f"**{self.company}**" if self.company else ""
        player = names.player(self.player) if self.player else ""
        return ", ".join(filter(None, (player, company, ABOUT.get(self.about, ""))))


@dataclass(frozen=True, slots=True)
class Block:
    """Lines under one heading: what happened in a turn, as far as it was asked for."""

    heading: str
    lines: tuple[str, ...]
    seq: int
    """Of its first move."""

    def __str__(self) -> str:
        return "\n".join([f"-# {self.heading}", *(f"- {line}" for line in self.lines)])


async def history_screen(table: Table, page: int, wanted: Wanted, around: int | None = None) -> Screen:
    """A page of the history, 1 being the newest, with the newest last. Times are shown as the reader's own.

    `around` is the row of a move whose page is shown instead.
    """
    times = await table.store.times(table.game.id)
    messages = await table.store.messages.of_game(table.game.id)
    pages = await table.work.do(_pages, table, wanted, times, messages)
    if around is not None:
        page = sum(1 for blocks in pages if blocks and blocks[0].seq > around) + 1
    shown = min(max(page, 1), len(pages))
    names, position = table.position.lexicon(), table.position
    screen = Screen(game=table.game.id, seq=position.seq, footer=f"Page {shown} of {len(pages)} · {where(position)}")
    described = wanted.described(names)
    nothing = "Nothing that happened fits." if described else "Nothing has happened yet."
    head = [f"### History: {described}"] if described else []
    screen.text = "\n\n".join([*head, *(map(str, pages[-shown])), *([] if pages[-shown] else [nothing])])
    turns = [("◀ Older", shown + 1)] if shown < len(pages) else []
    turns += [("Newer ▶", shown - 1)] if shown > 1 else []
    buttons = [Button(label, code_of(number, wanted)) for label, number in turns]
    if table.moves and pages[-shown]:
        buttons.append(Button(PICTURES, codes.join("past", pages[-shown][-1].seq, "map", "", "p")))
    screen.buttons(*buttons)
    return screen


def code_of(page: int, wanted: Wanted) -> str:
    """The code of a button that shows the page."""
    return codes.join("history", page, wanted.player, wanted.company, wanted.about)


def heading(game: Game, at: int | None, message: Message | None) -> str:
    """When something happened, as the reader's own time, and a link to the message in which it did."""
    parts = [f"<t:{at}:f>"] if at is not None else []
    parts += [f"[turn]({link(game, message)})"] if message is not None else []
    return " · ".join(parts)


def turns_of(messages: Sequence[Message]) -> list[Message]:
    """Those that show turns."""
    return [one for one in messages if turn_of(one.kind) is not None]


def _pages(table: Table, wanted: Wanted, times: Mapping[int, int], messages: Sequence[Message]) -> list[list[Block]]:
    """The blocks, as few pages as they fit, with full ones last. At least one page."""
    pages: list[list[Block]] = [[]]
    lines, room = 0, ROOM
    for block in reversed(list(_blocks(table, wanted, times, turns_of(messages)))):
        for part in reversed(_parts(block)):
            if pages[0] and (lines + len(part.lines) > PAGE or len(str(part)) > room):
                pages.insert(0, [])
                lines, room = 0, ROOM
            pages[0].insert(0, part)
            lines, room = lines + len(part.lines), room - len(str(part)) - 2
    return pages


def _parts(block: Block) -> list[Block]:
    """The block, in several if a page could not hold it."""
    parts = [Block(block.heading, (), block.seq)]
    for line in block.lines:
        longer = Block(block.heading, (*parts[-1].lines, line), block.seq)
        if parts[-1].lines and (len(longer.lines) > PAGE or len(str(longer)) > ROOM):
            parts.append(Block(block.heading, (line,), block.seq))
        else:
            parts[-1] = longer
    return parts


def _blocks(table: Table, wanted: Wanted, times: Mapping[int, int], turns: Sequence[Message]) -> Iterator[Block]:
    """What fits, move by move, gathered under the message of its turn: the last one posted before it was made."""
    names, shown_at = table.position.lexicon(), [one.seq for one in turns]

    def message_of(told: ToldBefore) -> int:
        return bisect_left(shown_at, told.seq) - 1

    fitting = ((one, [line.text for line in one.told if wanted.fits(line, one.by, names)]) for one in told_of(table))
    for number, some in groupby(
        ((one, lines) for one, lines in fitting if lines), key=lambda pair: message_of(pair[0])
    ):
        told = list(some)
        at = times.get(told[0][0].seq)
        shown = turns[number] if number >= 0 else None
        lines = tuple(gathered(line for _, lines in told for line in lines))
        yield Block(heading(table.game, at, shown), lines, told[0][0].seq)


def _amount(names: Lexicon) -> re.Pattern[str]:
    """What an amount of money looks like in this game."""
    return re.compile(re.escape(names.currency).replace(r"\{\}", r"\d"))
