"""What people do with messages: a press, a form that is submitted, and what each handler asks first.

A form is opened with an id that says what it is for, and handled by it alone, after a restart too. One that was refused
can be opened again with what was entered and what was wrong; that is kept in memory alone.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import discord
from discord import ui

from bot.chat import codes
from bot.chat.answers import acknowledge, explain, rule_button, show_privately, tell
from bot.chat.client import Bot
from bot.chat.layout import component_id, shorten, view
from bot.chat.screen import MAX_OPTION, MAX_OPTIONS, Button, Screen
from bot.core.errors import OVER, NotSeated, NotYourTurn, Outdated, TableError, UnknownControl
from bot.core.keyed import Lately
from bot.core.position import Scene
from bot.core.table import Table
from bot.words.lexicon import listed
from engine import Action, EngineError, PlayerId, Refused

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Press:
    """A press, or a form that was submitted: who, where, and the code of the control or form."""

    bot: Bot
    interaction: discord.Interaction[Any]
    game: str
    seq: int
    word: str
    parts: list[str]

    @property
    def user(self) -> int:
        return self.interaction.user.id

    @property
    def code(self) -> str:
        """What the control carries, whole."""
        return codes.join(self.word, *self.parts)

    @property
    def fields(self) -> dict[str, str]:
        """The values entered in a form, by field; of several choices in one, joined by commas."""
        data: dict[str, Any] = dict(self.interaction.data or {})
        entries = [one["component"] for one in data.get("components", ()) if "component" in one]
        return {one["custom_id"]: str(one.get("value") or ",".join(one.get("values") or ())) for one in entries}

    async def table(self) -> Table:
        """The game's table. Raises UnknownControl if the control names what its game does not have.

        Whatever only a table can do is not to be had from a line's board.
        """
        if self.bot.rooms.board_at(self.game) is not None:
            raise UnknownControl()
        table = await self.bot.tables.get(self.game)
        codes.must_be_of(table.title, self.word, self.parts)
        return table

    async def scene(self) -> Scene:
        """The game's table, or the line that the person tries out. Raises as `table` does, and TableError."""
        scene = await self.bot.scene_of(self.game, self.user)
        codes.must_be_of(scene.title, self.word, self.parts)
        return scene

    async def fresh_scene(self) -> Scene:
        """As `scene`. Raises Outdated, too, unless the control was made for the current position."""
        scene = await self.scene()
        self.check_fresh(scene)
        return scene

    async def show(self, screen: Screen) -> None:
        """Answer privately; what is opened from a board leads back there, also through several pages."""
        board = self.bot.rooms.board_at(self.game)
        if board is not None:
            screen.game, screen.seq = self.game, screen.seq or self.seq
            screen.buttons(board.back)
        await show_privately(self.interaction, screen)

    @asynccontextmanager
    async def taking(self, draft: Sequence[str], code: str) -> AsyncIterator[None]:
        """Around what a form does: if it is refused, the answer says why, and its button of this code opens it again.

        What was entered is kept in `draft` until then.
        """
        try:
            yield
        except (Outdated, NotSeated, NotYourTurn, UnknownControl):
            raise
        except (TableError, EngineError) as error:
            await self._refused(error, draft, code)
        else:
            self.bot.its(Drafts).forget(self.user, self.game, draft)

    async def _refused(self, error: Exception, draft: Sequence[str], code: str) -> None:
        problem = explain(error) or ""
        self.bot.its(Drafts).keep(self.user, self.game, draft, Draft(self.fields, problem))
        board, rule = self.bot.rooms.board_at(self.game), error.rule if isinstance(error, Refused) else ""
        screen = Screen(error.text if isinstance(error, Refused) else problem, game=self.game, seq=self.seq)
        screen.buttons(
            Button("Correct it…", code, "primary"),
            *([] if board is None else [board.back]),
            *([rule_button(rule)] if rule else []),
        )
        await show_privately(self.interaction, screen)

    async def settle(self, screen: Screen) -> None:
        """Say in the message that was pressed what came of it; without controls it is past."""
        self.bot.sender.witnessed(self.game, self.interaction)  # first, as the answer may come too late for Discord
        await self.interaction.edit_original_response(view=view(screen))
        if self.interaction.message is not None and not screen.rows:
            await self.bot.store.messages.retire([self.interaction.message.id])

    def check_fresh(self, scene: Scene) -> None:
        """Raise Outdated unless the control was made for the current position."""
        if scene.position.seq != self.seq:
            raise Outdated()


def showing(make: Callable[[Press], Awaitable[Screen]]) -> Callable[[Press], Awaitable[None]]:
    """A handler that acknowledges the press, and shows privately what this makes of it."""

    async def handle(given: Press) -> None:
        await acknowledge(given.interaction, shows=True)
        await given.show(await make(given))

    return handle


def telling(act: Callable[[Press], Awaitable[str]]) -> Callable[[Press], Awaitable[None]]:
    """A handler that acknowledges the press, and tells privately what this returns."""

    async def handle(given: Press) -> None:
        await acknowledge(given.interaction, shows=True)
        await tell(given.interaction, await act(given), given.game)

    return handle


def of_table(make: Callable[[Table, Press], Awaitable[T]]) -> Callable[[Press], Awaitable[T]]:
    """What this makes of a press and the table of its game, for `showing` and `telling`."""

    async def made(given: Press) -> T:
        return await make(await given.table(), given)

    return made


async def asked(given: Press) -> tuple[Scene, PlayerId]:
    """Where the person acts, and their seat, which must be asked now. Raises Outdated, NotSeated or NotYourTurn."""
    scene = await given.fresh_scene()
    seat = scene.seat_for(given.user)
    must_be_up(scene, seat)
    return scene, seat


async def meant(scene: Scene, user: int, code: str) -> Action:
    """The action of a code, for the first seat that it may be meant for and that can do it, or else for the last."""
    *others, last = scene.seats_for(user)
    for seat in others:
        action = codes.read_action(code, seat)
        if action in await scene.position.actions(seat):
            return action
    return codes.read_action(code, last)


def must_be_up(scene: Scene, seat: PlayerId) -> None:
    """Raise NotYourTurn, which says whom the game waits for, or TableError if it does not go on, unless they are up."""
    if isinstance(scene, Table):
        scene.must_go_on()
    if scene.position.over:
        raise TableError(OVER)
    if seat not in scene.position.up:
        names = map(scene.position.lexicon().player, scene.position.up)
        raise NotYourTurn.waits_for(scene.waits_for() if isinstance(scene, Table) else listed(names))


def refuse_idle(scene: Scene, seat: PlayerId) -> None:
    """Say why there is nothing to choose: the game waits for others, or this takes none. Raises TableError."""
    must_be_up(scene, seat)
    raise TableError("There is nothing to choose from now.")


MOST_DRAFTS = 500
"""How many are kept, of all people together."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What is entered in a form, by field, and why it was refused; both are empty at first."""

    entered: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""


class Drafts:
    """The refused forms, the latest of each kind by person and game."""

    def __init__(self) -> None:
        self._kept = Lately[tuple[int, str, tuple[str, ...]], Draft](MOST_DRAFTS)

    def of(self, user: int, game: str, parts: Sequence[str]) -> Draft:
        """What the person last entered in this form; an empty draft if nothing that was refused."""
        return self._kept.get((user, game, tuple(parts)), Draft())

    def keep(self, user: int, game: str, parts: Sequence[str], draft: Draft) -> None:
        self._kept[user, game, tuple(parts)] = draft

    def forget(self, user: int, game: str, parts: Sequence[str]) -> None:
        self._kept.pop((user, game, tuple(parts)), None)


MOST_ROUND = 7
"""How many round buttons a form has instead of a list."""


def _options(kind: Callable[..., T], choices: Mapping[str, str], given: str) -> list[T]:
    chosen = given.split(",")
    return [
        kind(label=shorten(label, MAX_OPTION), value=value, default=value in chosen) for value, label in choices.items()
    ]


FORM_ID = re.compile(rf"m:{codes.ID_PATTERN}")
EMPTY = Draft()


class Form(ui.Modal):
    """A form whose id says what it is for; the room that has its word handles it.

    Its fields hold what was entered before, as the draft has it, or else what they are given.
    """

    def __init__(self, title: str, game: str, seq: int, code: str, draft: Draft = EMPTY) -> None:
        super().__init__(title=shorten(title, 45), custom_id=component_id("m", game, seq, code), timeout=None)
        self.stop()  # as layouts are, or discord.py would keep each form that is closed again
        self._entered = draft.entered
        if draft.problem:
            self.add_item(ui.TextDisplay(f"⚠️ {draft.problem}"))

    def text(
        self,
        name: str,
        label: str,
        default: str,
        hint: str = "",
        *,
        most: int,
        long: bool = False,
        required: bool = True,
    ) -> None:
        """Add a field for at most this many letters; a `long` one has several lines."""
        style = discord.TextStyle.paragraph if long else discord.TextStyle.short
        given = (self._entered.get(name) or default)[:most]
        entry: ui.TextInput[Any] = ui.TextInput(
            custom_id=name, style=style, default=given or None, max_length=most, required=required
        )
        self.add_item(ui.Label(text=label, description=hint or None, component=entry))

    def choose(self, name: str, label: str, choices: Mapping[str, str], given: str = "") -> None:
        """Add a field of which one must be chosen, labels by value: round buttons, or a list if there are many.

        The only one is chosen.
        """
        entry: ui.RadioGroup[Any] | ui.Select[Any]
        given = self._entered.get(name, given if len(choices) > 1 else "".join(choices))
        if 1 < len(choices) <= MOST_ROUND:
            entry = ui.RadioGroup(custom_id=name, options=_options(discord.RadioGroupOption, choices, given))
        else:
            some = dict(list(choices.items())[:MAX_OPTIONS])
            entry = ui.Select(custom_id=name, options=_options(discord.SelectOption, some, given))
        self.add_item(ui.Label(text=label, component=entry))

    def tick(self, name: str, label: str, choices: Mapping[str, str], given: str) -> None:
        """Add boxes to tick, labels by value; `given` are the values that are ticked, joined by commas."""
        entry: ui.CheckboxGroup[Any] = ui.CheckboxGroup(
            custom_id=name,
            options=_options(discord.CheckboxGroupOption, choices, self._entered.get(name, given)),
            required=False,
            min_values=0,
            max_values=len(choices),
        )
        self.add_item(ui.Label(text=label, component=entry))

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Do nothing: the house handles it."""
