"""The end of a game: standings, what worth is made of, the chart of it, turning points and records; and a rematch."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.chat.messages import link
from bot.chat.screen import Button, Option, Screen, where
from bot.core.moves import final_scores
from bot.core.table import Table
from bot.rooms.past.history import CHART_NAMES, Bookmark, chart_image, message_of, turns_of
from bot.rooms.turn import pictures
from bot.words.lexicon import mentions
from bot.words.narration import ending, lines_of, tour
from engine.charting import worth_parts
from engine.facts import TrainBought
from engine.highlights import Record, largest_dividend, largest_run, longest_route, swings
from engine.ids import PlayerId
from engine.past import rounds_of
from storage import Message

PARTS = ("cash", "shares", "privates")
LAST = {
    "records": "Worth and records",
    "show|table": "All holdings",
    "show|map": "The map",
    "show|market": "The market",
}
"""What there was at the end, by the code that shows it."""


async def final_screen(table: Table, *, pings: bool = True) -> Screen:
    """The message with the final result; `pings` whoever played."""
    position = table.position
    turns = turns_of(await table.store.messages.of_game(table.game.id))
    lines = await table.work.do(lambda: [*_standings(table, False), *_story(table, turns)])
    head = f"### The game is over {mentions(table.people)}" if pings else "### The game is over"
    screen = Screen("\n".join([head, *lines]), game=table.game.id, seq=position.seq)
    await pictures.add(screen, table.work, chart_image(table, "worth", None))
    screen.buttons(Button("Rematch", "rematch", "success"), Button("Review", "review"), Button("Undo", "undo"))
    moves = {Bookmark(table.moves[-1].seq).code("p"): "Move by move"} if table.moves else {}
    found = {f"chart|{key}": name for key, name in CHART_NAMES.items() if key != "worth"}
    screen.select("look", "Look at…", [Option(name, code) for code, name in {**moves, **LAST, **found}.items()])
    return screen


async def records_screen(table: Table) -> Screen:
    """What everybody's worth is made of, and the records of the game."""
    turns = turns_of(await table.store.messages.of_game(table.game.id))
    made_of, records = await table.work.do(lambda: (list(_standings(table)), list(_records(table, turns))))
    lines = ["### Worth and records", *made_of, *(f"- {line}" for line in records)]
    return Screen("\n".join(lines), game=table.game.id, seq=table.position.seq, footer=where(table.position))


def result(table: Table) -> list[str]:
    """The standings of a game that is over, and what was remarkable in it."""
    records = list(_records(table, ()))
    told = ["\n**Records**", *(f"- {line}" for line in records)] if records else []
    return [*_standings(table), *_story(table, ()), *told]


def _story(table: Table, turns: Sequence[Message]) -> Iterator[str]:
    """How the game ended, and what decided it; `turns` are messages to link to."""
    state, names = table.position.state, table.position.lexicon()
    broke = [names.player(seat) for seat in state.bankrupt]  # the first ends the game
    yield f"{broke[0]} is bankrupt, which ends the game." if broke else ending(state.over, names)
    points = [f"-# {line}" for line in _turning_points(table, turns)]
    yield from ["\n**Turning points**", *points] if points else []


def _standings(table: Table, parts: bool = True) -> Iterator[str]:
    """Everybody's place and worth, with what it is made of: "1st **Aiko** ¥900: cash ¥400, shares ¥500"."""
    names, state = table.position.lexicon(), table.position.state
    scores = final_scores(table.title, state) or {}
    for seat, worth in scores.items():
        amounts = zip(PARTS, worth_parts(table.title, state, PlayerId(seat)), strict=True) if parts else ()
        made_of = ", ".join(f"{part} {names.money(amount)}" for part, amount in amounts if amount)
        yield f"{ordinal(place_of(scores, seat))} {names.player(seat)} {names.money(worth)}" + (
            f": {made_of}" if made_of else ""
        )


def ordinal(place: int) -> str:
    """The place in a word; the first is 0."""
    return ("1st", "2nd", "3rd")[place] if place < 3 else f"{place + 1}th"


def place_of(scores: dict[str, int], seat: str) -> int:
    """How many did better; ties share a place."""
    return sum(1 for worth in scores.values() if worth > scores[seat])


def _turning_points(table: Table, turns: Sequence[Message]) -> Iterator[str]:
    """The moves in which somebody gained or lost most against the others."""
    names = table.position.lexicon()
    for swing in swings(table.title, table.states()):
        move = table.moves[swing.index - 1]
        facts = [replace(one, contribution=0) if isinstance(one, TrainBought) else one for one in move.state.facts]
        lines = lines_of(facts, table.lexicon_at(move.seq), move.company)
        told = lines[0].clause if lines else ""
        amount = names.money(abs(swing.amount))
        what = f"gains {amount} on the others" if swing.amount > 0 else f"drops back {amount}"
        why = f": {told}" if told else ""
        yield f"{_when(table, swing.index, turns)}: {names.player(swing.player)} {what}{why}."


def _records(table: Table, turns: Sequence[Message]) -> Iterator[str]:
    names, states = table.position.lexicon(), table.states()

    def of(record: Record) -> str:
        return f"**{record.corp}**, {_when(table, record.index, turns)}"

    paid, ran, far = largest_dividend(states), largest_run(states), longest_route(states)
    same = paid is not None and ran is not None and (paid.corp, paid.amount) == (ran.corp, ran.amount)
    if ran is not None:
        yield f"Largest run{' and dividend' if same else ''}: {names.money(ran.amount)} by {of(ran)}."
    if paid is not None and not same:
        yield f"Largest dividend: {names.money(paid.amount)} by {of(paid)}."
    if far is not None and far.route is not None:
        yield f"Longest route: {tour(far.route.path, names)} by {of(far)}."


def _when(table: Table, index: int, turns: Sequence[Message]) -> str:
    """The round of a move, linked to the message of its turn."""
    words = next(one.name for one in rounds_of(table.states()) if one.end >= index)
    message = message_of(turns, table.moves[index - 1].seq)
    return words if message is None else f"[{words}]({link(table.game, message)})"
