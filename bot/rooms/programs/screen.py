"""A person's programs: which have stopped, which are on, and what else could be. For their owner alone."""

from collections.abc import Mapping

import engine
from bot.chat import codes
from bot.chat.screen import Aside, Button, Option, Screen
from bot.core import desks
from bot.core.desks import SHOWN, stop_lines
from bot.core.orders import MOST, Desk, Kept
from bot.core.table import Table
from bot.rooms.programs.making import BY_KIND
from bot.rooms.turn import why_not
from bot.rooms.turn.ahead import WORD, fitting, is_on, option
from bot.rooms.turn.screen import more_screen
from bot.words.programs import NAMES, sentence, stops_when
from engine.actions import Action, BuyTrain, LayTile, PlaceToken
from engine.ids import PlayerId
from programs import Operate

ASKED_ABOUT: Mapping[type[Action], str] = {LayTile: "track", PlaceToken: "tokens", BuyTrain: "trains"}
END = "The end is near: if all agree, every company runs its best and pays, everybody passes, and anybody can stop it."
HEAD = "### Your programs\n-# They move as you would press. Only you know of them: nothing tells others that one moved."


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
        Option(f"{NAMES[kind]}{f' {about}' if about else ''}…", codes.join(WORD, "form", kind, about))
        for kind, maker in BY_KIND.items()
        for about in maker.about(table, seat)
    ]
    return [*now, *forms][:25]
