"""An automatic player: looks at what a message offers and presses something, chosen by a seeded random.

It knows no rules; it only avoids going round in circles in private menus.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from asides import LEAVES, TOOLS
from club import Club, buttons, selects, text

from bot.core.table import Table
from engine import State, Title, consent
from engine.actions import EndGame, Pass
from engine.ids import PlayerId
from records.simulate import choose

MOST_PRESSES = 60


def code_of(custom_id: str) -> str:
    """What a control does, without kind, game and position."""
    return custom_id.split(":", 3)[3]


@dataclass(frozen=True)
class Move:
    """One thing that can be pressed."""

    label: str
    custom_id: str
    value: str | None
    code: str


def moves(message: Any) -> list[Move]:
    """Everything that the message offers and that leads somewhere without typing."""
    found = [
        Move(label, custom_id, None, code_of(custom_id))
        for label, custom_id in buttons(message).items()
        if label not in TOOLS
    ]
    for custom_id, options in selects(message).items():
        found += [Move(one["label"], custom_id, one["value"], one["value"]) for one in options]
    return [move for move in found if not move.code.startswith(LEAVES)]


Choose = Callable[[random.Random, list[Move]], Move]


def sensible(chance: random.Random, offered: list[Move]) -> Move:
    """First a kind of move, so that long lists weigh no more than buttons; then any of that kind."""
    kinds: dict[str, list[Move]] = {}
    for move in offered:
        kinds.setdefault(kind_of(move.code), []).append(move)
    return chance.choice(kinds[choose_kind(chance, list(kinds))])


def kind_of(code: str) -> str:
    """The kind of action that a control does or leads to."""
    word, *rest = code.split("|")
    return rest[0] if word in ("menu", "lay", "hex", "try", "sure") else word


def choose_kind(chance: random.Random, kinds: list[str]) -> str:
    """Weights that bring games to an end: trains are bought, companies build, not everything is passed."""
    return chance.choices(kinds, [WEIGHTS.get(kind, 1.0) for kind in kinds])[0]


WEIGHTS = {
    "Pass": 0.5,
    "end": 0.5,
    "BuyTrain": 5.0,
    "SellShares": 0.06,
    "SellPrivate": 0.06,
    "TradePrivate": 0.1,
    "LayTile": 3.0,
    "run": 3.0,
    "yes": 3.0,
}


async def press(member: Any, message: Any, move: Move) -> Any:
    """Press a button or choose from a list."""
    if move.value is None:
        return await member.click(message, custom_id=move.custom_id)
    return await member.select(message, [move.value], custom_id=move.custom_id)


def begin_at(table: Table, title: Title, state: State) -> None:
    """The game is as if it had begun in this position."""
    assert table.title.id == title.id
    table.beginning = state
    table._arrive(0)


async def passes(table: Table, *seats: str) -> None:
    """These pass one after another, without a press."""
    for seat in seats:
        await table.submit(Pass(PlayerId(seat)), user=table.seats[PlayerId(seat)].user_id)


async def played(club: Club, moves: int, players: int = 2) -> Any:
    """A game with so many moves, which are drawn and not pressed."""
    table, chance = await club.begin(players), random.Random(3)
    for _ in range(moves):
        await draw_move(club, table, chance)
    return table


async def draw_move(club: Club, table: Table, chance: random.Random) -> None:
    """Any move, without a press."""
    action = choose(table.title, table.position.state, chance)
    await table.submit(action, user=club.who(action.by, table).id)


async def take_turn(club: Club, chance: random.Random, choice: Choose = sensible) -> None:
    """Press on from the newest message until the game has moved or another person is asked."""
    table = await club.table()
    before = table.position.seq
    message: Any = club.packet()
    shown = message.id
    member = club.who(asked(club, message, table), table)
    vain, pressed = set[str](), ""
    for _ in range(MOST_PRESSES):
        offered = [move for move in moves(message) if move.code not in vain]
        if pressed and not offered:  # a list of nothing but deals that opponents do not want
            vain.add(pressed)
            message, pressed = club.packet(), ""
            continue
        assert offered, f"nothing to press in: {text(message)}"
        move = choice(chance, offered)
        result = await press(member, message, move)
        answer = private_answer(result)
        if table.position.seq != before or club.packet().id != shown:
            return
        assert answer is not None, "no answer"
        if "does not agree" in text(answer) or (move.code.startswith("hex|") and not moves(answer)):
            # A deal that an opponent does not want, or a hex that the company cannot pay for, listed all the same.
            vain.add(move.code)
            message, pressed = club.packet(), ""
            continue
        assert buttons(answer) or selects(answer), f"nowhere to go on: {text(answer)}"
        message, pressed = answer, move.code
    raise AssertionError("went round in circles")


async def skip_ahead(club: Club, upto: int, chance: random.Random) -> Table:
    """The club's game at row `upto` of its log, or a little later: moves by chance, of which only the last is shown."""
    table = await move_ahead(club, upto, chance)
    await club.says()
    return table


async def move_ahead(club: Club, upto: int, chance: random.Random) -> Table:
    """The same, with nothing shown yet."""
    table = await club.table()
    while table.position.seq < upto and not table.position.over:
        title, state = table.title, table.position.state
        action = choose(title, state, chance)
        if consent(title, state, action) is None and not isinstance(action, EndGame):
            await table.submit(action, user=table.seats[action.by].user_id)
    return table


def asked(club: Club, message: Any, table: Any) -> str:
    """Whose message it is: the one who is pinged, so that offers are answered by the other side."""
    mentioned = {user.id for user in message.mentions}
    seats = [seat for seat, row in table.seats.items() if row.user_id in mentioned]
    assert len(seats) == 1, text(message)
    return seats[0]


def private_answer(result: Any) -> Any:
    """The private message that answered, where there is one."""
    if result.followups:
        return result.followups[-1]
    return result.response


async def answer(work: Awaitable[Any]) -> str:
    """What the private message says that answers a command or a press."""
    return text(private_answer(await work))


async def presses(club: Club, member: Any, label: str) -> str:
    """What answers somebody's press on the newest button of this label."""
    return await answer(member.click(club.newest(label), label=label))


async def hands_over(club: Club, owner: Any, other: Any, *, days: int = 0) -> None:
    """Somebody gives their seat to another, or lends it for some days, who accepts."""
    more = {"days": days} if days else {}
    await owner.slash(club.channel, "seat lend" if days else "seat give", user=other, **more)
    await presses(club, other, "Accept")


async def more(member: Any, message: Any) -> Any:
    """What a turn's message has beside the decision."""
    return private_answer(await member.click(message, label="More…"))


async def tool(member: Any, message: Any, label: str) -> Any:
    """Press one of those, or itself where it stands in the message."""
    if label not in buttons(message):
        message = await more(member, message)
    return await member.click(message, label=label)
