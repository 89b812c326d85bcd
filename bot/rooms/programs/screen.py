"""A person's programs: what they do, which have stopped, and putting a new one together. For their owner alone."""

from __future__ import annotations

from dataclasses import replace

from bot.chat import codes
from bot.chat.screen import Button, Option, Screen
from bot.core.desks import stop_lines
from bot.core.errors import TableError, UnknownControl
from bot.core.orders import MOST, Desk
from bot.core.table import Table
from bot.rooms.programs.making import BY_KIND, problem
from bot.words.lexicon import Lexicon
from bot.words.programs import NAMES, WATCHES, because, sentence, stops_when
from engine.actions import Action
from engine.ids import PlayerId
from programs import BadProgram, Program, Stopped, from_json, question, to_json

HEAD = (
    "### Your programs\nThey move for you as you would press, and only you know of them: nothing in the channel, the "
    "history or a file tells that a program moved."
)
WORD = "program"
NO_DRAFT = "This program was switched on or dropped. *Programs…* begins another."


async def programs_screen(table: Table, seat: PlayerId, done: str = "") -> Screen:
    """All programs of the seat, with what changes them."""
    desk, names = table.orders.desk(seat), table.position.lexicon()
    screen = Screen(game=table.game.id, seq=table.position.seq)
    lines = [*([done] if done else []), HEAD]
    for number, one in enumerate(desk.kept, start=1):
        lines += [f"{number}. {sentence(one.program, names)}", f"-# {stops_when(one.program)}"]
    if not desk.kept:
        lines.append("None is on.")
    lines += [delay_line(desk)] if desk.kept or desk.delay != (0, 0) else []
    lines += await _now(table, seat)
    lines += stop_lines(desk)
    screen.text = "\n".join(lines)
    if len(desk.kept) < MOST and not table.position.over:
        kinds = [kind for kind, maker in BY_KIND.items() if maker.fits(table, seat)]
        screen.select("new", "New program…", [Option(NAMES[one], codes.join(WORD, "new", one)) for one in kinds])
    if desk.kept:
        offs = [
            Option(
                f"{number}. {NAMES[one.program.kind]}", codes.join(WORD, "off", one.number), _plain(one.program, names)
            )
            for number, one in enumerate(desk.kept, start=1)
        ]
        screen.select("off", "Switch off…", offs)
    seen = [Button("Seen", codes.join(WORD, "seen"))] if desk.told else []
    screen.buttons(Button("Delay…", codes.join(WORD, "form", "delay")), *seen, Button("My hand", "hand"))
    return screen


def delay_line(desk: Desk) -> str:
    """How long the programs wait before they move, in a sentence."""
    first, last = desk.delay
    if (first, last) == (0, 0):
        return "They move at once. *Delay…* has them wait, so that the time tells nobody."
    return f"They wait between {first} and {last} minutes before each turn; your turn's message comes as always."


async def _now(table: Table, seat: PlayerId) -> list[str]:
    """What the programs would do now, if it is the seat's turn."""
    desk = table.orders.desk(seat)
    if desk.due_at is None or table.position.up != (seat,) or desk.delay == (0, 0):
        return []
    return [f"They move <t:{desk.due_at}:R>, unless you move before."]


def _plain(program: Program, names: Lexicon) -> str:
    return sentence(program, names).replace("*", "")


# Putting one together


def begun(table: Table, seat: PlayerId, kind: str) -> Program:
    """A program of this kind with what is likely to be meant. Raises TableError if there is nothing to choose from."""
    maker = BY_KIND.get(kind)
    if maker is None or not maker.fits(table, seat):
        raise UnknownControl()
    program = maker.first(table, seat)
    return replace(program, off=type(program).quiet)


def changed(program: Program, values: dict[str, object]) -> Program:
    """The program with other values in some fields, read as strictly as what is stored. Raises TableError."""
    body = to_json(program)
    for name, value in values.items():
        known = body.get(name)
        text = isinstance(value, str)
        if text and isinstance(known, bool):
            value = value == "yes"
        elif text and isinstance(known, int):
            value = int(str(value)) if str(value).isdecimal() else value
        body[name] = value
    try:
        return from_json(body)
    except BadProgram as error:
        raise TableError("That does not fit this program.") from error


def toggled(program: Program, why: str) -> Program:
    """The program that stops for this, or no longer does. Raises UnknownControl for what it does not watch."""
    found = next((one for one in type(program).watches if one == why), None)
    if found is None:
        raise UnknownControl()
    off = [one for one in program.off if one != found] if found in program.off else [*program.off, found]
    return replace(program, off=tuple(off))


async def making_screen(table: Table, seat: PlayerId, note: str = "") -> Screen:
    """The program that the person is putting together: what it will do, and everything that can be changed of it."""
    position, names = table.position, table.position.lexicon()
    program = table.orders.desk(seat).draft
    if program is None:
        raise TableError(NO_DRAFT)
    maker = BY_KIND[program.kind]
    screen = Screen(game=table.game.id, seq=position.seq)
    wrong = problem(table, seat, program)
    lines = [f"### {NAMES[program.kind]}", wrong or sentence(program, names)]
    lines += [stops_when(program), *await _first(table, seat, program)]
    screen.text = "\n".join([*([note] if note else []), *lines])
    for field in maker.fields(table, seat, program):
        options = [Option(one.label, codes.join(WORD, "set", one.values), one.note) for one in field.choices]
        screen.select(field.name, field.hint, options)
    if type(program).watches:
        stops = [
            Option(f"{'Off' if one in program.off else 'On'}: {WATCHES[one]}", codes.join(WORD, "stops", one))
            for one in type(program).watches
        ]
        on = sum(program.wants(one) for one in type(program).watches)
        screen.select("stops", f"Stops for {on} of {len(stops)} things…", stops)
    form = [Button(maker.typed, codes.join(WORD, "form", program.kind), "primary")] if maker.typed else []
    ready = [] if wrong else [Button("Switch it on", codes.join(WORD, "on"), "success")]
    screen.buttons(*form, *ready, Button("Drop it", codes.join(WORD, "drop")))
    return screen


async def _first(table: Table, seat: PlayerId, program: Program) -> list[str]:
    """What it would do at once if it were switched on, where it is the seat's turn."""
    position = table.position
    if position.up != (seat,):
        return ["-# It acts from your next turn on." if type(program).watches else "-# It acts when an offer comes."]
    answer = await position.work.do(lambda: program.move(question(table.title, position.state, seat)))
    if isinstance(answer, Stopped):
        return [f"-# It would stop at once: {because(answer.cause, position.lexicon())}"]
    if isinstance(answer, Action):
        return [f"-# Next: {position.labels(seat).of(answer)}. It is your turn, so it moves at once."]
    return ["-# It has nothing to do in this decision, which stays yours."]
