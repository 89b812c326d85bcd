"""Teaching games: the paragraph on a decision that comes up for a player for the first time."""

from __future__ import annotations

from collections.abc import Collection

import engine
from bot.chat.codes import join
from bot.chat.screen import Button, Screen
from bot.core.table import Table
from bot.rooms.learning.help import help_code
from bot.rooms.learning.lessons import LESSONS, lesson
from engine.title import Title

ALL = "all"
"""Stands for every lesson among those that somebody has dismissed."""
AGAIN = "again"
GOT_IT = "✓ You will not be told that again, in any game."
NO_MORE = "✓ No more tips, in any game."
SHOWN_AGAIN = "✓ You will be shown tips again in teaching games."


def lesson_due(table: Table, learned: Collection[str]) -> str:
    """The kind of decision to explain now, "" if none; `learned` is what the player has dismissed."""
    kind, up = table.position.decision.step, table.position.up
    if not table.settings.teaching or len(up) != 1 or kind not in LESSONS or {kind, ALL} & set(learned):
        return ""
    return "" if _decided_before(table, up[0], kind) else kind


def _decided_before(table: Table, seat: str, kind: str) -> bool:
    """Whether the player has decided this kind of thing in this game."""
    before = [table.beginning, *(one.state for one in table.moves)]
    return any(
        one.action.by == seat and not one.automatic and engine.decision(table.title, state).step == kind
        for state, one in zip(before, table.moves, strict=False)
    )


def lesson_lines(kind: str, title: Title) -> list[str]:
    """The paragraph as a quotation, if there is one."""
    return [f"> 💡 {lesson(kind, title)}"] if kind else []


def add_dismissal(screen: Screen, kind: str) -> None:
    """Add buttons to read more and to be told no more."""
    if kind:
        screen.buttons(
            Button("Got it", join("learned", kind)),
            Button("More…", help_code(LESSONS[kind].page)),
            Button("No more tips", join("learned", ALL)),
        )


def dismissed_screen(kind: str) -> Screen:
    """What whoever dismissed a tip, or all of them, is told."""
    if kind == AGAIN:
        return Screen(SHOWN_AGAIN)
    screen = Screen(NO_MORE if kind == ALL else GOT_IT)
    screen.buttons(Button("Show me tips again", join("learned", AGAIN)))
    return screen
