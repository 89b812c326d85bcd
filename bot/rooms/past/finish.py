"""The end of a game: standings, what worth is made of, the chart of it, turning points and records; and a rematch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.chat.messages import link
from bot.chat.screen import Button, Screen, where
from bot.core.moves import final_scores
from bot.core.table import Table
from bot.rooms.past import charts
from bot.rooms.past.history import message_of, turns_of
from bot.rooms.turn import pictures
from bot.words.narration import ending, way
from engine.charting import worth_parts
from engine.highlights import Record, largest_dividend, largest_run, longest_route, swings
from engine.ids import PlayerId
from engine.past import rounds_of
from storage import Message

MEDALS = ("🥇", "🥈", "🥉")
PARTS = ("cash", "shares", "privates")


async def final_screen(table: Table) -> Screen:
    """The message with the final result."""
    position = table.position
    turns = turns_of(await table.store.messages.of_game(table.game.id))
    lines = await table.work.do(_lines, table, turns)
    screen = Screen("\n".join(lines), game=table.game.id, seq=position.seq, footer=where(position))
    await pictures.add(
        screen,
        charts.image(table, "worth", None),
        pictures.table_image(position),
        pictures.map_image(position),
        pictures.market_image(position),
    )
    screen.buttons(
        Button("Rematch", "rematch", "success"), Button("All holdings", "show|table"), Button("Undo", "undo")
    )
    shown = [key for key in charts.NAMES if key != "worth"]
    screen.buttons(
        *(Button(charts.NAMES[key], f"chart|{key}") for key in shown), Button("Move by move", "past|1|map||p")
    )
    return screen


def _lines(table: Table, turns: list[Message]) -> list[str]:
    mentions = " ".join(f"<@{user}>" for user in table.people)
    lines = ["### The game is over", mentions, *_standings(table)]
    lines.append(ending(table.position.state.over, table.position.lexicon()))
    points = list(_turning_points(table, turns))
    lines += ["\n**Turning points**", *(f"- {line}" for line in points)] if points else []
    records = list(_records(table, turns))
    lines += ["\n**Records**", *(f"- {line}" for line in records)] if records else []
    return lines


def _standings(table: Table) -> Iterator[str]:
    """Everybody's place and worth, and what it is made of."""
    names, state = table.position.lexicon(), table.position.state
    scores = final_scores(table.title, state) or {}
    for seat, worth in scores.items():
        place = place_of(scores, seat)
        medal = MEDALS[place] if place < len(MEDALS) else f"{place + 1}."
        parts = zip(PARTS, worth_parts(table.title, state, PlayerId(seat)), strict=True)
        made_of = ", ".join(f"{part} {names.money(amount)}" for part, amount in parts if amount)
        yield f"{medal} {names.player(seat)} {names.money(worth)}"
        if made_of:
            yield f"-# {made_of}"


def place_of(scores: dict[str, int], seat: str) -> int:
    """How many did better; ties share a place."""
    return sum(1 for worth in scores.values() if worth > scores[seat])


def _turning_points(table: Table, turns: list[Message]) -> Iterator[str]:
    """The moves in which somebody gained or lost most against the others."""
    names = table.position.lexicon()
    for swing in swings(table.title, table.states()):
        move = table.moves[swing.index - 1]
        verb = "gains" if swing.amount > 0 else "loses"
        told = (table.tell([replace(move, note=None)]) or [""])[0].rstrip(".")
        yield (
            f"{_when(table, swing.index, turns)}: {names.player(swing.player)} {verb} {names.money(abs(swing.amount))} "
            f"against the others{f' ({told})' if told else ''}."
        )


def _records(table: Table, turns: list[Message]) -> Iterator[str]:
    names, states = table.position.lexicon(), table.states()

    def of(record: Record) -> str:
        return f"**{record.corp}**, {_when(table, record.index, turns)}"

    paid, ran, far = largest_dividend(states), largest_run(states), longest_route(states)
    if paid is not None:
        yield f"Largest dividend: {names.money(paid.amount)} by {of(paid)}."
    if ran is not None:
        yield f"Largest run: {names.money(ran.amount)} by {of(ran)}."
    if far is not None and far.route is not None:
        yield f"Longest route: {far.amount} stops by {of(far)} ({way(far.route.path)})."


def _when(table: Table, index: int, turns: list[Message]) -> str:
    """The round and the number of a move, linked to the message of its turn."""
    played = next(one.name for one in rounds_of(table.states()) if one.end >= index)
    words = f"{played}, move {index}"
    message = message_of(turns, table.moves[index - 1].seq)
    return words if message is None else f"[{words}]({link(table.game, message)})"
