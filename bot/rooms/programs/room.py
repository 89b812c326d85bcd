"""Programs: which are on, which have stopped, what else could be; presses, forms and /pass; what is due of them.

Their owner is told at once, and privately, that one stopped, as long as Discord allows it: a private answer can be
followed by others for fifteen minutes. Whoever has looked at their programs since then, or switched one on, reads it
there and then; the list that they have open is mended. Everybody else finds it on top of *More…*, *My hand* and the
list, and by direct message if they want to be told so.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

import engine
from bot.chat import codes
from bot.chat.answers import FAILURES, acknowledge, show_privately
from bot.chat.client import Bot
from bot.chat.commands import Interaction, table_here
from bot.chat.layout import view
from bot.chat.press import Draft, Drafts, Form, Press, of_table, showing
from bot.chat.room import Room
from bot.chat.screen import Aside, Button, Option, Screen
from bot.core import desks
from bot.core.errors import OVER, Outdated, TableError, UnknownControl
from bot.core.notices import OfferNotice, queued
from bot.core.orders import MOST, Desk, Halt, Kept
from bot.core.table import Table
from bot.rooms.programs.making import BY_KIND, form, made, named, read_number
from bot.rooms.turn import deals, pictures, why_not
from bot.rooms.turn.beside import WORD, alone, fitting, is_on, option
from bot.rooms.turn.cards import own_seat
from bot.rooms.turn.commands import submit
from bot.rooms.turn.screen import more_screen
from bot.words.programs import sentence, stopped, stops_when
from engine import Action, EngineError, PlayerId, from_json
from engine import actions as a
from programs import WAIT, AnswerOffers, BidFor, Buy, Operate, PassAhead, Program, Sell, prompt
from storage import Offer, Stale

ASKED_ABOUT: Mapping[type[Action], str] = {a.LayTile: "track", a.PlaceToken: "tokens", a.BuyTrain: "trains"}
END = (
    "The end is near: if all agree, every company runs its best routes and pays out, everybody passes, and anybody can "
    "stop it."
)
HEAD = (
    "### Your programs\n"
    "-# They move just as if you had pressed. Only you know of them: nothing tells the others that one moved."
)
LISTED = 10
"""How many programs a message has room for, three components each, beside all the rest of it."""
LASTS = 14 * 60
"""Seconds for which a private answer can be followed; Discord allows fifteen minutes."""


def programs_screen(table: Table, seat: PlayerId, done: str = "") -> Screen:
    """All programs of the seat, with what changes them; `done` comes first, then what has stopped."""
    desk = table.orders.desk(seat)
    lines = [*([done] if done else []), *desks.stop_lines(desk, table.position.lexicon()), HEAD]
    if not desk.kept:
        lines.append("None is on.")
    if desk.delay != (0, 0):
        first, last = desk.delay
        span = f"between {first} and {last}" if first < last else last
        lines.append(f"-# They wait {span} minute{'s' if last > 1 else ''} before each turn.")
    if desk.due_at is not None and desk.delay != (0, 0) and table.position.up == (seat,):
        lines.append(f"They move <t:{desk.due_at}:R>, unless you move first.")
    if len(desk.kept) > LISTED:
        lines.append(f"-# These, and {len(desk.kept) - LISTED} more, which are listed once others are off:")
    screen = Screen("\n".join(lines), game=table.game.id, seq=table.position.seq)
    _add_kept(screen, table, seat, LISTED)
    if len(desk.kept) < MOST and not table.position.over:
        screen.select("new", "Do it for me…", _offers(table, seat))
    seen = [Button("Seen", codes.join(WORD, "seen"))] if desk.told else []
    delay = [] if table.position.over else [Button("Delay…", codes.join(WORD, "form", "delay", ""))]
    return screen.buttons(*seen, *delay, Button("My hand", "hand"))


async def more_with_programs(table: Table, user: int, *, board: bool) -> Screen:
    """What is behind *More…*, with what has stopped of the person's programs, what is on and what fits now."""
    seat = table.viewer_for(user)
    screen = await more_screen(table, user, board=board, misses=await why_not.misses(table.position, seat))
    if seat is None or table.position.over:
        return screen
    desk = table.orders.desk(seat)
    screen.text = "\n".join(filter(None, (*desks.stop_lines(desk, table.position.lexicon()), screen.text)))
    _add_kept(screen, table, seat, desks.SHOWN)
    if desks.may_be_run_out(table):
        screen.asides.append(Aside(END, Button("Run it out", codes.join("vote", "runout", "yes"))))
    offers = _offers(table, seat) if len(desk.kept) < MOST else []
    mine = Option("My programs", codes.join(WORD, "show"), f"{len(desk.kept)} on; how long they wait")
    screen.select("new", "Do it for me…", [*offers[:24], mine])
    return screen


def _add_kept(screen: Screen, table: Table, seat: PlayerId, most: int) -> None:
    """A line for each program with the button that switches it off; for the present turn's, one to play it by hand."""
    names, shown = table.position.lexicon(), table.orders.desk(seat).kept[:most]
    for one in shown:
        stops = stops_when(one.program, names) if most > desks.SHOWN else ""
        text = "\n-# ".join(filter(None, (sentence(one.program, names), stops)))
        screen.asides.append(Aside(text, Button("Off", codes.join(WORD, "off", one.number))))
    running = [one for one in shown if _runs_now(table, seat, one.program)]
    if running:
        label = f"Play {table.position.state.operating} by hand this turn"
        quieter = [button for one in reversed(running) for button in _quieter(table, one)]
        screen.buttons(Button(label, codes.join(WORD, "rest", running[0].number)), *quieter[:1])


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
        Option(f"{named(table, kind, about)}…", codes.join(WORD, "form", kind, about))
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
        except FAILURES as error:
            log.info("a stop could not be told: %s", error, extra={"game": table.game.id})


log = logging.getLogger("tetsudo.programs")
NOT_NOW = "That does not fit now: *More…* lists what does."
NOT_THIS = "⚠️ The game has moved on, so nothing was changed. This is what holds and fits now."
MAKES = ("do", "form", "quiet", "rest")
OF_NOW = ("do", "quiet", "rest", "seen")
"""What means the company, step, round or stops that were shown beside it, and is done in that position alone."""
YOUR_TURN = "It is your turn now: pass with the button in the turn's message, or with `/pass`."
WAITS = {
    a.LayTile: "Lay a tile or press *No track*: then it goes on.",
    a.BuyTrain: "The trains of this turn are yours to decide.",
}
"""What is left to whoever switches on what runs a company in a step with this kind of action."""
STAYS = " Its button stays in the channel, as nobody else sees what you have on."
AGAIN = 20
"""Seconds until an offer is looked at again whose message has not been posted yet."""


async def _program(given: Press) -> None:
    """Show or change the person's programs."""
    way, *rest = given.parts
    table, seat = await _own(given, makes=way in MAKES)
    if way == "form":
        draft = given.bot.its(Drafts).of(given.user, given.game, given.parts)
        made = _delay_form(table, seat, draft) if rest[0] == "delay" else form(table, seat, rest[0], rest[1], draft)
        await given.interaction.response.send_modal(made)
        return
    await acknowledge(given.interaction, shows=True)
    done, seq = "", table.position.seq
    if way in OF_NOW and given.seq != seq:
        done = NOT_THIS
    elif way == "do":
        name = codes.join(*rest)
        if (program := fitting(table, seat).get(name)) is None:
            raise TableError(NOT_NOW)
        done = await _switch_on(given.bot, table, seat, program, given.interaction.id)
        done += await _begin(given, table, seat, program)
        done += STAYS if table.position.up == (seat,) and table.position.seq == seq and not alone(table) else ""
    elif way == "quiet":
        program = _unasked(table, seat, int(rest[0]))
        done = await _switch_on(given.bot, table, seat, program, given.interaction.id)
    elif way != "show":
        await desks.change(table, seat, _changes(table, way, *map(int, rest)), interaction=given.interaction.id)
        done = {"off": "✓ It is off.", "rest": "✓ This turn is yours."}.get(way, "")
    await _show(given, table, seat, done)


def _unasked(table: Table, seat: PlayerId, number: int) -> Program:
    """The program of this number as it is to go on: it asks no more about what is decided now. Raises TableError."""
    kinds = engine.present_step(table.title, table.position.state).by_action
    for one in table.orders.desk(seat).kept:
        if one.number == number and isinstance(one.program, Operate):
            return one.program.unasked(kinds)
    raise TableError(NOT_NOW)


def _changes(table: Table, way: str, number: int = 0) -> Callable[[Desk], Desk]:
    """What a press makes of what the seat has."""
    corp = table.position.state.operating

    def rest(one: Kept) -> Kept:
        if isinstance(one.program, Operate) and one.program.corp in (None, corp):
            return replace(one, program=replace(one.program, rests=corp))
        return one

    ways: Mapping[str, Callable[[Desk], Desk]] = {
        "off": lambda desk: desk.without(number),
        "seen": lambda desk: replace(desk, told=()),
        "rest": lambda desk: replace(desk, kept=tuple(map(rest, desk.kept))),
    }
    return ways[way]


async def _show(given: Press, table: Table, seat: PlayerId, done: str = "") -> None:
    """Show the person's programs, and keep the list up to date for as long as that is possible.

    What has become of them is seen in the turn's message, too, where that tells nobody else.
    """
    if done and alone(table):
        await given.bot.sender.announce(table.game.id)
    await show_privately(given.interaction, programs_screen(table, seat, done))
    given.bot.its(OpenLists).add(table, seat, given.interaction)


async def _own(given: Press, *, makes: bool) -> tuple[Table, PlayerId]:
    """The table and the person's own seat. Raises TableError, also for what `makes` a program once the game is over.

    Nothing is changed any more in a game that has ended without a result.
    """
    table = await given.table()
    await table.read_on()
    table.must_not_be_abandoned()
    if makes and table.position.over:
        raise TableError(OVER)
    return table, own_seat(table, given.user)


async def _switch_on(bot: Bot, table: Table, seat: PlayerId, program: Program, interaction: int) -> str:
    """Have the program act from now on, instead of one for the same; what to tell its owner.

    Raises TableError, also where what passes the next turn would pass the present one.
    """
    table.must_go_on()
    if isinstance(program, PassAhead) and program.span == "once" and seat in table.position.up:
        raise TableError(YOUR_TURN)
    await desks.enable(table, seat, program, instead=_gives_way(program), interaction=interaction)
    await play_due(bot, table.game.id)
    bot.sender.wake()
    return _is_on(table, seat, program)


async def _begin(given: Press, table: Table, seat: PlayerId, program: Program) -> str:
    """Decline what is left of a step in the midst of a turn, so that the company runs; what to tell of what waits."""
    if not isinstance(program, Operate):
        return ""
    here = table.position.seq == given.seq  # neither program nor another press has moved meanwhile
    if here and await given.bot.work.do(program.declines, prompt(table.title, table.position.state, seat)):
        await table.submit(a.Pass(seat), user=given.user, seen=given.seq)
        given.bot.sender.wake()
    asked = prompt(table.title, table.position.state, seat)
    waits = asked.asked.players == (seat,) and program.move(asked) is WAIT
    return next((f" {said}" for kind, said in WAITS.items() if waits and kind in asked.kinds), "")


def _gives_way(program: Program) -> Callable[[Program], bool]:
    """Whether another program is off once this one is on, as it is for the same, or one runs what the other does."""

    def gives_way(other: Program) -> bool:
        lasting = all(isinstance(one, Operate) and one.rounds != 1 for one in (program, other))
        every = any(isinstance(one, Operate) and one.corp is None for one in (program, other))
        return (lasting and every) or _about(other) == _about(program)

    return gives_way


def _about(program: Program) -> tuple[Any, ...]:
    """What there is one program for at a time."""
    match program:
        case PassAhead():
            return program.kind, program.span in ("bought", "idle")
        case Operate():
            return program.kind, program.corp, program.rounds == 1
        case Buy() | Sell():
            return program.kind, program.corp
        case BidFor():
            return program.kind, program.private
        case AnswerOffers():
            return program.kind, program.deal, program.of, program.agrees
    return (program.kind,)


def _is_on(table: Table, seat: PlayerId, program: Program) -> str:
    """That it is on, as the list below shows; or what it was, if it has done that already."""
    kept = any(_about(one.program) == _about(program) for one in table.orders.desk(seat).kept)
    return "✓ It is on." if kept else f"✓ {sentence(program, table.position.lexicon())}"


async def _more(given: Press) -> None:
    """All that is not the decision itself; whoever must decide and may know more than all others sees their card."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    table.must_not_be_abandoned()
    seat = table.viewer_for(given.user)
    screen = await more_with_programs(table, given.user, board=bool(given.bot.settings.board_url))
    if seat is not None:
        screen.images = await pictures.private_card(table.position, seat)
    await show_privately(given.interaction, screen)
    if seat is not None:
        given.bot.its(OpenLists).add(table, seat, given.interaction, listed=False)


# Forms


def _delay_form(table: Table, seat: PlayerId, draft: Draft) -> Form:
    first, last = (str(one or "") for one in table.orders.desk(seat).delay)
    made = Form("Delay", table.game.id, 0, codes.join(WORD, "form", "delay", ""), draft)
    hint = "A time in between is drawn for each turn."
    made.text("first", "At least so many minutes", first, most=10, required=False)
    made.text("last", "At most so many minutes", last, hint, most=10, required=False)
    return made


async def _submitted(given: Press) -> None:
    """Switch on what a form says."""
    await acknowledge(given.interaction, shows=True)
    if given.parts[0] != "form":
        raise UnknownControl()
    table, seat = await _own(given, makes=True)
    _, kind, about = given.parts
    async with given.taking(given.parts, given.code):
        if kind == "delay":
            first = read_number(given.fields.get("first", ""))
            last = read_number(given.fields.get("last", "").strip() or str(first))
            await desks.change(table, seat, lambda desk: desk.delayed(first, last), interaction=given.interaction.id)
            done = "✓ Saved."
        else:
            program = made(table, seat, kind, about, given.fields)
            done = await _switch_on(given.bot, table, seat, program, given.interaction.id)
        await _show(given, table, seat, done)


# Passing


async def _pass_ahead(bot: Bot, table: Table, user: int, span: str, interaction: int) -> Screen:
    """Have a program pass for the person, or switch it off ("stop"); what to tell them. Raises TableError."""
    table.must_not_be_abandoned()
    seat = table.viewer_for(user)
    if seat is None:
        raise table.not_seated(user)
    if span == "stop":
        passing = [one.number for one in table.orders.desk(seat).kept if isinstance(one.program, PassAhead)]
        if not passing:
            raise TableError("You are not passing ahead.")
        await desks.change(table, seat, lambda desk: desk.without(*passing), interaction=interaction)
        return Screen("✓ You are no longer passing ahead.")
    program = PassAhead(span="once" if span == "once" else "round")
    return programs_screen(table, seat, await _switch_on(bot, table, seat, program, interaction))


class Passing(commands.Cog):
    @app_commands.command(name="pass")
    @app_commands.describe(when="When to pass; now by default")
    @app_commands.choices(
        when=[
            app_commands.Choice(name="now", value="now"),
            app_commands.Choice(name="ahead: my next turn", value="once"),
            app_commands.Choice(name="ahead: for the rest of this round", value="round"),
            app_commands.Choice(name="stop passing ahead", value="stop"),
        ]
    )
    async def pass_(self, interaction: Interaction, when: str = "now") -> None:
        """Pass, finish a step, or pass ahead"""
        if when == "now":
            await submit(interaction, lambda table, seat: a.Pass(seat))
            return
        bot, table = interaction.client, await table_here(interaction)
        await show_privately(interaction, await _pass_ahead(bot, table, interaction.user.id, when, interaction.id))


# What is due


async def play_due(bot: Bot, game_id: str) -> None:
    """Let the programs of a game move and answer whose time has come."""
    table = await bot.tables.get(game_id)
    await table.read_on()
    try:
        waits = await _answer_offers(bot, table)
        while await table.go_on() and table.orders.goes_on:
            pass  # whoever wants to stop it had the table in between
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
    number = await bot.store.outbox.message_of(table.game.id, queued(OfferNotice(offer.to_seat, offer.body)))
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


CODES = (
    rf"show|seen|(?:off|rest|quiet)\|\d{{1,6}}|do\|[a-z]{{2,10}}(?:\|{codes.NAME})?"
    rf"|form\|[a-z]{{2,10}}\|(?:{codes.NAME})?"
)
"""What a button about programs does: "do" switches on what is offered, "form" opens the form of a kind."""
ROOM = Room(
    presses={
        WORD: _program,
        "pass": showing(
            of_table(
                lambda table, given: _pass_ahead(given.bot, table, given.user, given.parts[0], given.interaction.id)
            )
        ),
        "more": _more,
    },
    codes={WORD: CODES, "pass": "once|round|stop"},
    forms={WORD: _submitted},
    due={"orders": play_due},
    keeps=lambda bot: (OpenLists(bot),),
    advance=lambda bot, game: bot.its(OpenLists).wake(game),
    cogs=(Passing,),
)
