"""A person's programs: which have stopped, which are on, and what else could be. For their owner alone.

They are told at once, and privately, that a program of theirs stopped, as long as Discord allows it: a private answer
can be followed by others for fifteen minutes. Whoever has looked at their programs since then, or switched one on,
reads it there and then; the list that they have open is mended. Everybody else finds it on top of *More…*, *My hand*
and the list, and by direct message if they want to be told so.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import discord

import engine
from bot.chat import codes
from bot.chat.client import Bot
from bot.chat.layout import view
from bot.chat.screen import Aside, Button, Option, Screen
from bot.core import desks
from bot.core.desks import SHOWN, stop_lines
from bot.core.orders import MOST, Desk, Halt, Kept
from bot.core.table import Table
from bot.rooms.programs.making import BY_KIND
from bot.rooms.turn import why_not
from bot.rooms.turn.beside import WORD, fitting, is_on, option
from bot.rooms.turn.screen import more_screen
from bot.words.programs import called, sentence, stopped, stops_when
from engine.actions import Action, BuyTrain, LayTile, PlaceToken
from engine.ids import PlayerId
from programs import Operate

ASKED_ABOUT: Mapping[type[Action], str] = {LayTile: "track", PlaceToken: "tokens", BuyTrain: "trains"}
END = "The end is near: if all agree, every company runs its best and pays, everybody passes, and anybody can stop it."
HEAD = (
    "### Your programs\n"
    "-# They move just as if you had pressed. Only you know of them: nothing tells the others that one moved."
)
log = logging.getLogger("tetsudo.programs")
LASTS = 14 * 60
"""Seconds for which a private answer can be followed; Discord allows fifteen minutes."""


def programs_screen(table: Table, seat: PlayerId, done: str = "") -> Screen:
    """All programs of the seat, with what changes them; `done` comes first, then what has stopped."""
    desk = table.orders.desk(seat)
    lines = [*([done] if done else []), *_stopped(table, desk), HEAD]
    if not desk.kept:
        lines.append("None is on.")
    if desk.delay != (0, 0):
        first, last = desk.delay
        lines.append(f"-# They wait between {first} and {last} minutes before each turn.")
    if desk.due_at is not None and desk.delay != (0, 0) and table.position.up == (seat,):
        lines.append(f"They move <t:{desk.due_at}:R>, unless you move first.")
    screen = Screen("\n".join(lines), game=table.game.id, seq=table.position.seq)
    _add_kept(screen, table, seat, MOST)
    if len(desk.kept) < MOST and not table.position.over:
        screen.select("new", "Have it done for me…", _offers(table, seat))
    seen = [Button("Seen", codes.join(WORD, "seen"))] if desk.told else []
    screen.buttons(*seen, Button("Delay…", codes.join(WORD, "form", "delay", "")), Button("My hand", "hand"))
    return screen


async def more_with_programs(table: Table, seat: PlayerId | None, *, board: bool) -> Screen:
    """What is behind *More…*, with what has stopped of the person's programs, what is on and what fits now."""
    screen = await more_screen(table, board=board, misses=await why_not.misses(table.position, seat))
    if seat is None or table.position.over:
        return screen
    desk = table.orders.desk(seat)
    screen.text = "\n".join(filter(None, (*_stopped(table, desk), screen.text)))
    _add_kept(screen, table, seat, SHOWN)
    if desks.may_be_run_out(table):
        screen.asides.append(Aside(END, Button("Run it out", codes.join("vote", "runout", "yes"))))
    offers = _offers(table, seat) if len(desk.kept) < MOST else []
    mine = Option("My programs", codes.join(WORD, "show"), f"{len(desk.kept)} on; how long they wait")
    screen.select("new", "Have it done for me…", [*offers[:24], mine])
    return screen


def _stopped(table: Table, desk: Desk) -> list[str]:
    return stop_lines(desk, table.position.lexicon())


def _add_kept(screen: Screen, table: Table, seat: PlayerId, most: int) -> None:
    """A line for each program with the button that switches it off; for the present turn's, one to play it by hand."""
    state, names = table.position.state, table.position.lexicon()
    for one in table.orders.desk(seat).kept[:most]:
        stops = stops_when(one.program) if most > SHOWN else ""
        text = "\n-# ".join(filter(None, (sentence(one.program, names), stops)))
        screen.asides.append(Aside(text, Button("Off", codes.join(WORD, "off", one.number))))
        if _runs_now(table, seat, one.program):
            label = f"Play {state.operating} by hand this turn"
            screen.buttons(Button(label, codes.join(WORD, "rest", one.number)), *_quieter(table, one))


def _quieter(table: Table, one: Kept) -> list[Button]:
    """Has the program ask no more about what it leaves to its owner now."""
    kinds = engine.present_step(table.title, table.position.state).by_action
    less = isinstance(one.program, Operate) and one.program.unasked(kinds) != one.program
    about = next((words for kind, words in ASKED_ABOUT.items() if kind in kinds), "")
    return [Button(f"Ask no more about {about}", codes.join(WORD, "quiet", one.number))] if less else []


def _runs_now(table: Table, seat: PlayerId, program: object) -> bool:
    """Whether the program is for the company whose turn it is, and does not rest."""
    corp = table.position.state.operating
    ours = isinstance(program, Operate) and corp is not None and program.corp in (None, corp) and program.rests != corp
    return ours and seat in table.position.up


def _offers(table: Table, seat: PlayerId) -> list[Option]:
    """What fits now and is not on, switched on as it stands; then the forms."""
    found = fitting(table, seat).items()
    now = [option(table, name, one) for name, one in found if not is_on(table, seat, one)]
    forms = [
        Option(f"{called(kind, about)}…", codes.join(WORD, "form", kind, about))
        for kind, maker in BY_KIND.items()
        for about in maker.about(table, seat)
    ]
    return [*now, *forms][:25]


# Telling of stops


@dataclass(frozen=True)
class Open:
    """A private answer that can still be followed."""

    seat: PlayerId
    interaction: discord.Interaction[Any]
    until: int
    listed: bool
    """Whether it shows the list of programs."""
    told: tuple[Halt, ...]
    """What was said to have stopped by then."""
    kept: tuple[int, ...]
    """Which programs were on."""


class OpenLists:
    """The latest private answer about programs, by game and person, kept in memory alone."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._open: dict[tuple[str, int], Open] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, table: Table, seat: PlayerId, interaction: discord.Interaction[Any], *, listed: bool = True) -> None:
        """Follow this answer from now on."""
        now, desk = self.bot.clock(), table.orders.desk(seat)
        self._open = {key: one for key, one in self._open.items() if one.until > now}
        kept = tuple(one.number for one in desk.kept)
        self._open[table.game.id, interaction.user.id] = Open(seat, interaction, now + LASTS, listed, desk.told, kept)

    def wake(self, game: str) -> None:
        """Tell of what has stopped in this game, beside all else."""
        if any(key[0] == game for key in self._open):
            task = asyncio.create_task(self._tell(game))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def idle(self) -> None:
        """Wait until all that has stopped is told."""
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def _tell(self, game: str) -> None:
        table = await self.bot.tables.get(game)
        for key, one in [(key, one) for key, one in self._open.items() if key[0] == game]:
            desk = table.orders.desk(one.seat)
            kept = tuple(each.number for each in desk.kept)
            if one.until <= self.bot.clock() or table.viewer_for(key[1]) != one.seat:
                self._open.pop(key, None)
            elif (kept, desk.told) != (one.kept, one.told):
                self.add(table, one.seat, one.interaction, listed=one.listed)
                await self._follow(table, one, [halt for halt in desk.told if halt not in one.told])

    async def _follow(self, table: Table, one: Open, halts: list[Halt]) -> None:
        names = table.position.lexicon()
        told = [stopped(halt.program, halt.cause, names) for halt in halts if not halt.cause.natural]
        try:
            if one.listed:
                await one.interaction.edit_original_response(view=view(programs_screen(table, one.seat)))
            if told:
                await one.interaction.followup.send("\n".join(told), ephemeral=True)
        except discord.HTTPException as error:
            log.info("a stop could not be told: %s", error, extra={"game": table.game.id})
