"""What people change of their programs at a table: switched on and off, put together, delayed, read."""

from collections.abc import Callable

from bot.core.errors import OVER, TableError
from bot.core.notices import say_notice
from bot.core.orders import MOST, Desk, Orders
from bot.core.table import Table
from bot.words.lexicon import Lexicon
from bot.words.programs import because, sentence, stopped
from engine import PlayerId
from programs import Program, Stopped, near_end, prompt

SHOWN = 3
"""How many programs are told of where they are not all listed."""


async def enable(
    table: Table,
    seat: PlayerId,
    program: Program,
    *,
    instead: Callable[[Program], bool] = lambda one: False,
    interaction: int | None = None,
    seen: int | None = None,
) -> None:
    """Have a program act for the seat from now on, `instead` of those of which this says so.

    Raises TableError if there are too many, or it would stop at once; Outdated unless the table is at `seen`.
    """
    async with table.steady():
        table.check_seen(seen)
        if table.position.over:
            raise TableError(OVER)
        old = table.orders.desk(seat)
        desk = old.without(*(one.number for one in old.kept if instead(one.program)))
        if len(desk.kept) >= MOST:
            raise TableError(f"You have {MOST} programs already: switch one off first.")
        if table.position.up == (seat,):
            first = await table.work.do(lambda: program.move(prompt(table.title, table.position.state, seat)))
            if isinstance(first, Stopped):
                raise TableError(f"It would stop at once. {because(first.cause, table.position.lexicon())}")
        since = table.moves[-1].seq if table.moves else 0
        await _keep(table, seat, _awake(table, seat, desk.having(program, since)), interaction)


def may_be_run_out(table: Table) -> bool:
    return near_end(table.title, table.position.state) and not table.orders.together


async def agree(table: Table, program: Program, *questions: str) -> None:
    """Have a program act for every seat from now on, as all have agreed, which settles the votes on these questions.

    Raises TableError once the game is over.
    """
    async with table.steady():
        table.must_go_on()
        if table.position.over:
            raise TableError(OVER)
        orders = Orders(dict(table.orders.desks))
        orders.agreed(program, table.store.clock())
        await table.keep(orders, notices=[table.shown(orders)], settles=questions)


async def stop(table: Table, user: int, *, interaction: int | None = None) -> None:
    """Have nothing done any more that all have agreed to, as `user` wants. Raises TableError where nothing is."""
    async with table.steady():
        if not table.orders.together:
            raise TableError("The table no longer runs the game out.")
        orders = Orders(dict(table.orders.desks))
        orders.stopped()
        said = say_notice(f"<@{user}> has stopped it: the table no longer runs the game out.")
        await table.keep(orders, interaction=interaction, notices=[said, table.shown(orders)])


async def change(table: Table, seat: PlayerId, how: Callable[[Desk], Desk], *, interaction: int | None = None) -> None:
    """Change what the seat has of programs: switch some off, delay them, clear what was read. Raises TableError."""
    async with table.steady():
        old = table.orders.desk(seat)
        new = how(old)
        await _keep(table, seat, new if new.delay == old.delay else _awake(table, seat, new), interaction)


def _awake(table: Table, seat: PlayerId, desk: Desk) -> Desk:
    return desk.awake(table.store.clock(), up=table.position.up == (seat,))


async def _keep(table: Table, seat: PlayerId, desk: Desk, interaction: int | None) -> None:
    await table.keep(Orders({**table.orders.desks, seat: desk}), interaction=interaction)


def program_lines(desk: Desk, names: Lexicon) -> list[str]:
    """What the seat's programs do, the first of them; nothing if there are none."""
    lines = [f"- {sentence(one.program, names)}" for one in desk.kept[:SHOWN]]
    more = [f"-# … and {len(desk.kept) - SHOWN} more"] if len(desk.kept) > SHOWN else []
    return ["**Your programs**", *lines, *more] if lines else []


def stop_lines(desk: Desk, names: Lexicon) -> list[str]:
    """Which of the seat's programs have stopped, and why; nothing if none has."""
    lines = [f"- <t:{one.at}:R> {stopped(one.program, one.cause, names)}" for one in desk.told]
    return ["**Programs of yours that stopped**", *lines] if lines else []
