"""The turn packet: the one message of a turn, with pictures, news and controls; and what is left of it later."""

from __future__ import annotations

from collections.abc import Sequence

import engine
from bot import pictures
from bot.lexicon import listed
from bot.menus import add_controls
from bot.parts import Button, Screen
from bot.position import Position
from bot.running import search_button, unproved
from bot.table import Table, Told, final_scores, turn_start
from bot.words import ending, narrate
from engine.actions import Action, LayPowerTile, LayTile, PlaceToken, RunTrains
from engine.ids import HexId, split_stop
from engine.views import HexView, RouteView

TASKS = {
    "offer": "buy the private on offer, bid on another, or pass",
    "auction": "raise the bid or drop out",
    "shares": "buy and sell shares, or pass",
    "track": "lay track",
    "token": "place a token",
    "run": "run the trains",
    "dividend": "pay out or withhold",
    "trains": "buy trains",
    "privates": "buy privates or use those the company has",
    "discard": "discard a train",
    "bonus tile": "lay the tile of the private you sold",
}
"""By step; the title's own wording goes before."""
MEDALS = ("🥇", "🥈", "🥉")
NEWS_LINES = 14
LARGEST_PART = 0.6
"""A part of the map larger than this is not worth cutting out."""


async def turn_screen(table: Table) -> Screen:
    """The message for whoever must decide now."""
    position = table.position
    if position.over:
        return await final_screen(table)
    screen = _blank(table)
    proposed = [one for seat in position.up for one in await position.proposals(seat)]
    screen.text = "\n".join([header(table), *unproved(position, proposed), *news(table)])
    choices = await position.choices()
    best = next((action for action in choices if isinstance(action, RunTrains)), None)
    labels = await position.told(choices[0].by) if choices else position.labels()
    routes = tuple(labels.runs[best]) if best is not None else ()
    opening = position.state.round == position.title.opening
    # In the opening nothing has a price yet, and what is for sale stands on the table card.
    second = await (pictures.table_image(position) if opening else pictures.market_image(position))
    around = focus(position, choices, routes)
    screen.images = [await pictures.map_image(position, routes=routes, around=around), second]
    add_controls(screen, choices, labels, secret=position.secret(), standing=position.standing())
    further = search_button(position, proposed)
    if further is not None:
        screen.buttons(further)
    add_tools(screen)
    screen.footer = where(position)
    return screen


def focus(position: Position, choices: Sequence[Action], routes: Sequence[RouteView]) -> tuple[HexId, ...]:
    """The hexes that matter in a company's turn: its tokens, its routes, and where it can build. Empty: the whole map.

    The map is whole too where little of it would be left out.
    """
    corp, board = position.state.operating, position.board()
    if corp is None:
        return ()
    wanted = {hex_id for view in routes for hex_id, _, _ in view.segments}
    if position.secret():
        choices = ()  # where it can build tells what it can pay
    wanted |= {action.hex for action in choices if isinstance(action, LayTile | LayPowerTile)}
    wanted |= {split_stop(action.stop)[0] for action in choices if isinstance(action, PlaceToken)}
    wanted |= {split_stop(part)[0] for run in position.state.routes for part in run.path if isinstance(part, str)}
    wanted |= {cell.id for cell in board.hexes if any(corp in stop.slots for stop in cell.stops)}
    near = [cell for cell in board.hexes if cell.id in wanted]
    if not near or _area(near) > LARGEST_PART * _area(board.hexes):
        return ()
    return tuple(cell.id for cell in near)


def _area(cells: Sequence[HexView]) -> int:
    """Of the box around the hexes, with a ring, in half steps."""
    xs, ys = [cell.x for cell in cells], [cell.y for cell in cells]
    return (max(xs) - min(xs) + 4) * (max(ys) - min(ys) + 4)


def _blank(table: Table) -> Screen:
    return Screen(game=table.game.id, seq=table.position.seq)


def header(table: Table) -> str:
    """Who is up, pinged, and what is asked."""
    position = table.position
    people = listed(f"<@{table.seats[seat].user_id}>" for seat in position.up)
    asked, lex = position.decision, position.lexicon()
    task = task_of(position)
    about = f"**{asked.subject}**: {task}" if asked.subject in lex.companies else task
    return f"### {people}, your turn\n{about[0].upper()}{about[1:]}."


def task_of(position: Position) -> str:
    """What is asked now: "lay track"."""
    step = position.decision.step
    return position.lexicon().own.tasks.get(step) or TASKS.get(step, step)


def where(position: Position) -> str:
    """Round, phase and bank in a small line."""
    view = position.table()
    return f"{view.title} · {view.round} · phase {view.phase} · bank {position.lexicon().money(view.bank)}"


def news(table: Table) -> list[str]:
    """What happened since the last turn of whoever is up, and in this turn."""
    start = turn_start(table.title, table.told, table.beginning)
    seat = table.position.up[0] if table.position.up else ""
    last = max((number + 1 for number, one in enumerate(table.told[:start]) if one.action.by == seat), default=0)
    lines = []
    before = told_lines(table, table.told[last:start])
    if before:
        hidden = len(before) - NEWS_LINES
        lines.append("**Since your last turn**" if last else "**So far**")
        if hidden > 0:
            lines.append(f"- … {hidden} earlier lines: `/game history`")
        lines += [f"- {line}" for line in before[-NEWS_LINES:]]
    now = told_lines(table, table.told[start:])
    if now:
        lines.append("\n**This turn**" if before else "**This turn**")
        lines += [f"- {line}" for line in now[-NEWS_LINES:]]
    return lines


def told_lines(table: Table, told: Sequence[Told]) -> list[str]:
    """The actions as lines, marked where somebody else than the player acted."""
    lex = table.position.lexicon()
    lines: list[str] = []
    for one in told:
        found = narrate(one.state.facts, lex, one.company)
        if found and one.note and not one.note.startswith("offer"):
            found[0] += f" *({one.note.removeprefix('auto: ')})*"
        lines += found
    return lines


def add_tools(screen: Screen) -> None:
    """What everybody may press."""
    screen.buttons(
        Button("My hand", "hand"),
        Button("All holdings", "show|table"),
        Button("Whole map", "show|map"),
        Button("Privates", "show|privates"),
        Button("Undo", "undo"),
    )


async def final_screen(table: Table) -> Screen:
    """The result."""
    position = table.position
    screen = _blank(table)
    lex = position.lexicon()
    scores = final_scores(table.told) or {}
    places = [
        f"{MEDALS[place] if (place := _place(scores, seat)) < len(MEDALS) else f'{place + 1}.'} "
        f"{lex.player(seat)} {lex.money(worth)}"
        for seat, worth in scores.items()
    ]
    mentions = " ".join(f"<@{seat.user_id}>" for seat in table.seats.values())
    reason = ending(position.state.over, lex)
    screen.text = "\n".join(["### The game is over", mentions, *places, reason])
    screen.images = [
        await pictures.table_image(position),
        await pictures.map_image(position),
        await pictures.market_image(position),
    ]
    screen.buttons(Button("All holdings", "show|table"), Button("Undo", "undo"))
    screen.footer = where(position)
    return screen


def _place(scores: dict[str, int], seat: str) -> int:
    """How many did better; equal scores share the place."""
    return sum(1 for worth in scores.values() if worth > scores[seat])


def past_screen(table: Table, kind: str) -> Screen:
    """What is left of a turn's message once the turn is over: who did what, without pictures and controls."""
    screen = _blank(table)
    start = int(kind.rpartition(":")[2]) if kind.rpartition(":")[2].isdecimal() else len(table.told)
    told = _same_turn(table, start)
    lines = told_lines(table, told)
    if not told:
        screen.text = "*This turn was taken back.*"
        return screen
    screen.text = "\n".join(lines) or "*Nothing to tell.*"
    before = table.told[start - 1].state if start else table.beginning
    screen.footer = table.title.rounds[before.round].label(table.title, before) if before.round else ""
    return screen


def _same_turn(table: Table, start: int) -> list[Told]:
    """The actions from `start` for as long as the same decision maker was asked."""
    states = [table.beginning, *(one.state for one in table.told)]
    if start >= len(table.told):
        return []
    first = engine.decision(table.title, states[start])
    found = []
    for number in range(start, len(table.told)):
        asked = engine.decision(table.title, states[number])
        if (asked.players, asked.round, asked.subject) != (first.players, first.round, first.subject):
            break
        found.append(table.told[number])
    return found
