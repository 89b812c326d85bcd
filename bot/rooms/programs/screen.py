"""A person's programs: what they do, which have stopped, and putting a new one together. For their owner alone."""

from __future__ import annotations

from bot.chat import codes
from bot.chat.screen import MAX_OPTIONS, Button, Option, Screen
from bot.core.desks import stop_lines
from bot.core.errors import TableError
from bot.core.orders import MOST, Desk
from bot.core.table import Table
from bot.rooms.programs.making import BY_KIND, in_force, problem
from bot.words.programs import NAMES, WATCHES, because, sentence, stops_when
from engine.actions import Action
from engine.ids import PlayerId
from programs import Program, Stopped, question

HEAD = (
    "### Your programs\nThey move for you as you would press, and only you know of them: nothing in the channel, the "
    "history or a file tells that a program moved."
)
WORD = "program"
NO_DRAFT = "This program was switched on or dropped. *Programs…* begins another."


def programs_screen(table: Table, seat: PlayerId, done: str = "") -> Screen:
    """All programs of the seat, with what changes them; `done` comes first."""
    desk, names = table.orders.desk(seat), table.position.lexicon()
    lines = [*([done] if done else []), HEAD]
    for number, one in enumerate(desk.kept, start=1):
        lines += [f"{number}. {sentence(one.program, names)}", f"-# {stops_when(one.program)}"]
    if not desk.kept:
        lines.append("None is on.")
    if desk.kept or desk.delay != (0, 0):
        lines.append(_delay(desk))
    if desk.due_at is not None and desk.delay != (0, 0) and table.position.up == (seat,):
        lines.append(f"They move <t:{desk.due_at}:R>, unless you move first.")
    screen = Screen("\n".join([*lines, *stop_lines(desk, names)]), game=table.game.id, seq=table.position.seq)
    if len(desk.kept) < MOST and not table.position.over:
        kinds = [kind for kind, maker in BY_KIND.items() if maker.first(table, seat)]
        screen.select("new", "New program…", [Option(NAMES[one], codes.join(WORD, "new", one)) for one in kinds])
    if desk.kept:
        offs = [
            Option(
                f"{number}. {NAMES[one.program.kind]}",
                codes.join(WORD, "off", one.number),
                sentence(one.program, names).replace("*", ""),
            )
            for number, one in enumerate(desk.kept, start=1)
        ]
        screen.select("off", "Switch off…", offs)
    seen = [Button("Seen", codes.join(WORD, "seen"))] if desk.told else []
    screen.buttons(Button("Delay…", codes.join(WORD, "form", "delay")), *seen, Button("My hand", "hand"))
    return screen


def _delay(desk: Desk) -> str:
    """How long the programs wait before they move, in a sentence."""
    first, last = desk.delay
    if (first, last) == (0, 0):
        return "They move at once. *Delay…* makes them wait, so that the timing gives nothing away."
    return f"They wait between {first} and {last} minutes before each turn; your turn's message comes as always."


async def making_screen(table: Table, seat: PlayerId) -> Screen:
    """The program that the person is putting together: what it will do, and everything that can be changed of it."""
    names = table.position.lexicon()
    program = table.orders.desk(seat).draft
    if program is None:
        raise TableError(NO_DRAFT)
    maker, wrong = BY_KIND[program.kind], problem(program)
    lines = [f"### {NAMES[program.kind]}", wrong or sentence(program, names), stops_when(program)]
    lines.append(await _first(table, seat, program))
    screen = Screen("\n".join(lines), game=table.game.id, seq=table.position.seq)
    for name, choices in maker.lists(table, seat, program).items():
        now, key = in_force(program, choices), next(iter(choices), "").partition("=")[0]
        options = [Option(label, codes.join(WORD, "set", values)) for values, label in choices.items()]
        screen.select(key, f"{name}: {now}" if now else f"{name}…", options[:MAX_OPTIONS])
    if type(program).watches:
        stops = [
            Option(f"{'Off' if one in program.off else 'On'}: {WATCHES[one]}", codes.join(WORD, "stops", one))
            for one in type(program).watches
        ]
        on = sum(program.wants(one) for one in type(program).watches)
        screen.select("stops", f"Stops for {on} of {len(stops)} things…", stops)
    typed = "Tiles and amounts…" if program.kind == "operate" else "Amounts…"
    form = [Button(typed, codes.join(WORD, "form", program.kind), "primary")] if maker.typed else []
    ready = [] if wrong else [Button("Switch it on", codes.join(WORD, "on"), "success")]
    screen.buttons(*form, *ready, Button("Drop it", codes.join(WORD, "drop")))
    return screen


async def _first(table: Table, seat: PlayerId, program: Program) -> str:
    """What it would do at once if it were switched on, or when it acts."""
    position = table.position
    if position.up != (seat,):
        return "-# It acts from your next turn on." if type(program).watches else "-# It acts when an offer comes."
    answer = await position.work.do(lambda: program.move(question(table.title, position.state, seat)))
    if isinstance(answer, Stopped):
        return f"-# It would stop at once: {because(answer.cause, position.lexicon())}"
    if isinstance(answer, Action):
        return f"-# Next: {position.labels(seat).of(answer)}. It is your turn, so it moves at once."
    return "-# It has nothing to do in this decision, which stays yours."
