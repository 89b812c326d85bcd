"""Rules, help and tips, as the house finds them; and the tips themselves.

A tip is the paragraph of a teaching game on a decision that comes up for a player for the first time. The paragraphs
are in `lessons.toml`: what each kind of decision is for, and what people usually weigh.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import engine
from bot.chat.codes import join
from bot.chat.press import Press, showing
from bot.chat.room import Room
from bot.chat.screen import Button, Screen
from bot.core.errors import NotSeated, UnknownControl
from bot.core.table import Table
from bot.rooms.learning import rules
from bot.rooms.learning.help import WORDS, flowing, game_here, help_here, texts
from engine import State, Title
from engine.secrets import hidden_purses, with_purses

ALL = "all"
"""Stands for every lesson among those that somebody has dismissed."""
AGAIN = "again"
GOT_IT = "✓ You will not be told that again, in any game."
NO_MORE = "✓ No more tips, in any game."


@dataclass(frozen=True, slots=True)
class Lesson:
    """A short paragraph."""

    text: str
    without: Mapping[str, str]
    """What to say instead where the game has no such kind of action."""
    having: Mapping[str, str]
    """What to say instead where the game has such an interrupt."""
    step: str = ""
    """The step that it is about, if that is not its key."""
    offers: str = ""
    """The kind of action that it is about, where the step may be for another."""


def _lesson(one: Mapping[str, Any]) -> Lesson:
    without, having = (
        {key: flowing(text) for key, text in one.get(name, {}).items()} for name in ("without", "having")
    )
    return Lesson(flowing(one["text"]), without, having, one.get("step", ""), one.get("offers", ""))


LESSONS = {kind: _lesson(one) for kind, one in texts("lessons.toml").items()}
"""By the step that asks; a chance draw has none. Where the company has no trains, "track without trains" goes before
"track"."""


def lesson(kind: str, title: Title) -> str:
    """The paragraph on a kind of decision, as the game has it."""
    one, kinds = LESSONS[kind], {verb.action.__name__ for verb in title.every_verb()}
    fits = [text for step, text in one.having.items() if step in title.interrupts]
    fits += [text for action, text in one.without.items() if action not in kinds]
    return title.wording.called(fits[0] if fits else one.text)


def lesson_due(table: Table, learned: Collection[str]) -> str:
    """The lesson to give now, "" if none; `learned` is what the player has dismissed."""
    kind, up = table.position.decision.step, table.position.up
    if not table.settings.teaching or len(up) != 1 or kind not in LESSONS or {kind, ALL} & set(learned):
        return ""
    if _decided_before(table, up[0], kind) or not _offered(table.title, table.position.state, LESSONS[kind].offers):
        return ""
    return fitting(table.position.state, kind)


def _offered(title: Title, state: State, kind: str) -> bool:
    """Whether an action of this kind can be taken as far as everybody knows, if any has to be."""
    (seat,) = engine.decision(title, state).players
    known = with_purses(state, hidden_purses(title, state, None))
    return not kind or any(type(one).__name__ == kind for one in engine.legal(title, known, seat))


def fitting(state: State, kind: str) -> str:
    """The lesson on a kind of decision that fits the position."""
    bare = f"{kind} without trains"
    return bare if bare in LESSONS and state.operating is not None and not state.trains[state.operating] else kind


def _decided_before(table: Table, seat: str, kind: str) -> bool:
    return any(
        one.action.by == seat and not one.automatic and engine.decision(table.title, state).step == kind
        for state, one in zip(table.states(), table.moves, strict=False)
    )


def lesson_lines(kind: str, title: Title) -> list[str]:
    return [f"> 💡 {lesson(kind, title)}"] if kind else []


def add_dismissal(screen: Screen, kind: str) -> None:
    """Add buttons that stop these tips and that explain the words of the decision."""
    if kind:
        screen.beside(Button("Got it", join("learned", LESSONS[kind].step or kind)))
        screen.beside(WORDS)


def dismissed_screen(kind: str) -> Screen:
    """What whoever dismissed a tip, or all of them, is told."""
    if kind == AGAIN:
        return Screen("✓ You will be shown tips again in teaching games.")
    screen = Screen(NO_MORE if kind == ALL else GOT_IT)
    if kind != ALL:
        screen.buttons(Button("No more tips", join("learned", ALL)))
    return screen.buttons(Button("Show me tips again", join("learned", AGAIN)))


@showing
async def _rule(given: Press) -> Screen:
    """A rule as it stands in the channel's game, or a section of rules."""
    game = await game_here(given.bot, given.interaction.channel_id or 0, given.game)
    return await given.bot.work.do(rules.named_screen, given.parts[0], game)


@showing
async def _learned(given: Press) -> Screen:
    """Remember that the person needs no more tips of a kind, or of any, and take the tip from the turn's message."""
    table, (kind,) = await given.table(), given.parts
    if kind not in (*LESSONS, ALL, AGAIN):
        raise UnknownControl()
    if not table.seats_of(given.user):
        raise NotSeated()
    if kind == AGAIN:
        await given.bot.store.lessons.forget(given.user)
    else:
        await given.bot.store.lessons.dismiss(given.user, kind)
    if not table.position.over and given.user in {table.seats[seat].user_id for seat in table.position.up}:
        await given.bot.sender.announce(given.game)
    screen = dismissed_screen(kind)
    screen.game, screen.seq = given.game, given.seq
    return screen


ROOM = Room(
    presses={
        "rule": _rule,
        "help": showing(lambda given: help_here(given.bot, given.interaction, given.parts[0], given.game)),
        "learned": _learned,
    },
    codes={"help": r"[a-z0-9]{2,20}", "learned": r"[a-z ]{2,20}", "rule": r"\d{4}-[A-Z]{2,3}(?:-\d{2}[a-z]?)?"},
    cogs=(rules.Rules,),
)
