"""What can be had done from here on, offered beside the decision that it fits: for whoever presses it."""

from collections.abc import Collection
from dataclasses import replace
from itertools import takewhile

from bot.chat import codes
from bot.chat.screen import MAX_OPTIONS, Button, Option, Screen, Select
from bot.core.table import Table
from bot.words.narration import plain
from bot.words.programs import sentence, short, stops_when
from engine import Action, PlayerId, State, Title
from engine.actions import BuyShare, Par
from engine.facts import RoundBegan
from programs import Buy, Operate, PassAhead, Program, near_end, presets

WORD = "program"
IN_LISTS = ("float", "again")
PASSES = ("idle", "sale", "round")
"""Ways to be done with a stock round, the most careful first: of several the message offers that."""


def fitting(table: Table, seat: PlayerId) -> dict[str, Program]:
    """What fits the seat now, by its name."""
    mine = _moves(table, seat)
    last = next((one.corp for one in mine if isinstance(one, BuyShare | Par)), None)
    fresh = not mine and seat not in table.position.up
    found = presets(table.title, table.position.state, seat, last, fresh=fresh)
    return {name: _as_before(table, seat, one) for name, one in found.items()}


def _as_before(table: Table, seat: PlayerId, program: Program) -> Program:
    """The program; what has a company withhold this once is in all else what runs the company already."""
    if not isinstance(program, Operate) or program.rounds != 1:
        return program
    kept = (one.program for one in table.orders.desk(seat).kept)
    runs = [one for one in kept if isinstance(one, Operate) and one.corp == program.corp and one.rounds != 1]
    return runs[0].withholding() if runs else program


def _moves(table: Table, seat: PlayerId) -> list[Action]:
    """What the seat has done in the present round, the latest first."""
    here = takewhile(lambda one: not any(isinstance(fact, RoundBegan) for fact in one.state.facts), table.moves[::-1])
    return [one.action for one in here if one.action.by == seat]


def is_on(table: Table, seat: PlayerId, program: Program) -> bool:
    """Whether the seat has it on already, whatever was declined since or is left to its owner now."""
    return any(_as_chosen(one.program) == _as_chosen(program) for one in table.orders.desk(seat).kept)


def _as_chosen(program: Program) -> Program:
    if isinstance(program, PassAhead):
        return replace(program, fresh=False)
    return replace(program, declined=(), rests=None) if isinstance(program, Operate) else program


def alone(table: Table) -> bool:
    """Whether no other person plays, from whom it is kept which programs are on."""
    return sum(map(table.has_person, table.seats)) == 1


def option(table: Table, name: str, program: Program) -> Option:
    """A line of a list that switches it on: what it does or, of the ways to pass, what stops it."""
    passes = isinstance(program, PassAhead) and program.span == "round"
    says = (stops_when if passes else sentence)(program, table.position.lexicon())
    return Option(short(name), codes.join(WORD, "do", name), plain(says))


def offer_here(screen: Screen, table: Table) -> None:
    """Add what fits the present decision to the message of the turn: purchases to their list, the rest as buttons.

    The shortest stands first: a row of a phone then has room for two. What is on already is left out where
    that tells nobody else.
    """
    if len(table.position.up) != 1 or table.position.chance:
        return
    seat = table.position.up[0]
    found = fitting(table, seat)
    if alone(table):
        found = {name: one for name, one in found.items() if not is_on(table, seat, one)}
    buys = [option(table, name, one) for name, one in found.items() if isinstance(one, Buy)]
    for number, row in enumerate(screen.rows):
        if isinstance(row, Select) and row.name == BuyShare.__name__:
            screen.rows[number] = replace(row, options=(*row.options, *buys)[:MAX_OPTIONS])
    for name in sorted(in_message(table.title, table.position.state, found), key=lambda one: len(short(one))):
        if name.partition(codes.SEPARATOR)[0] not in IN_LISTS:
            screen.beside(Button(short(name), codes.join(WORD, "do", name)))


def in_message(t: Title, s: State, found: Collection[str]) -> list[str]:
    """Of what fits, by name, what the message of the turn offers; *More…* has the rest, too.

    Once the end is near, whoever is asked about a company is offered to have all of theirs only run and pay.
    """
    passes = [name for name in PASSES if name in found]
    ending = s.operating is not None and near_end(t, s)
    left_out = (*passes[1:], "run" if ending else "rest")
    return [name for name in found if name.partition(codes.SEPARATOR)[0] not in left_out]
