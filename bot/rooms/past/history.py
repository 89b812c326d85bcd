"""The history: told under the messages of its turns, with filters and pages; move by move in pictures; and as charts.

Pictures are of the map, the market or what everybody held, as they were; charts show what their reader may know.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import renderer
from bot.chat import codes
from bot.chat.messages import link
from bot.chat.screen import Button, Image, Option, Screen, where
from bot.core.errors import TableError
from bot.core.notices import turn_of
from bot.core.position import Position
from bot.core.seated import Moment
from bot.core.table import Table
from bot.rooms.opponents.room import explained
from bot.rooms.turn.pictures import image
from bot.rooms.turn.screen import told_of
from bot.words.lexicon import Lexicon
from bot.words.narration import Sentence, gathered
from engine.charting import CHARTS, chart
from engine.errors import BadAction
from engine.facts import TrainsRan
from engine.ids import PlayerId
from engine.past import changed_hexes, moved_tokens, rounds_of
from engine.secrets import revealed
from engine.state import State
from engine.title import Title
from engine.viewing import board_view, market_view, route_views, table_view
from engine.views import RouteView
from renderer.drawer import Drawing
from storage import Game, Message

PAGE = 25
"""How many lines a page has at most."""
ROOM = 3400
"""How many characters: a message holds 4,000 with its footer, and headings have links in them."""
ABOUT = {"money": "money", "track": "track and tokens"}
VIEWS = {"map": "Map", "market": "Market", "table": "Holdings"}
NONE = "Nothing has been played yet."
NONE_SINCE = "Nothing has been played since the rules of the game changed; `/game history` tells what was before."
CHART_NAMES = {
    "worth": "Worth",
    "prices": "Prices",
    "revenue": "Revenue",
    "sources": "Where worth came from",
    "trains": "Trains",
}
"""How the charts are called on buttons and in the command's list."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What the reader wants to see; "" is everything."""

    player: str = ""
    """A seat: what it did, and what names it."""
    company: str = ""
    about: str = ""
    """A key of `ABOUT`."""

    def fits(self, told: Sentence, by: str, names: Lexicon) -> bool:
        """Whether a line that tells of a move by this seat belongs here."""
        line = told.text
        return (
            (not self.player or by == self.player or names.player(self.player) in line)
            and (not self.company or f"**{self.company}**" in line)
            and (self.about != "money" or _amount(names).search(line) is not None)
            and (self.about != "track" or told.track)
        )

    def described(self, names: Lexicon) -> str:
        """ "**Ben**, **IR**, money", or ""."""
        company = f"**{self.company}**" if self.company else ""
        player = names.player(self.player) if self.player else ""
        return ", ".join(filter(None, (player, company, ABOUT.get(self.about, ""))))


@dataclass(frozen=True, slots=True)
class Block:
    """Lines under one heading: what happened in a turn, as far as it was asked for."""

    heading: str
    lines: tuple[str, ...]
    seq: int
    """Of its first move."""

    def __str__(self) -> str:
        return "\n".join([f"-# {self.heading}", *(f"- {line}" for line in self.lines)])


async def history_screen(table: Table, page: int, wanted: Filter, around: int | None = None) -> Screen:
    """A page of the history, 1 being the newest, with the newest last. Times are shown as the reader's own.

    `around` is the row of a move whose page is shown instead.
    """
    times = await table.store.times(table.game.id)
    messages = await table.store.messages.of_game(table.game.id)
    pages = await table.work.do(_pages, table, wanted, times, messages)
    if around is not None:
        page = sum(1 for blocks in pages if blocks and blocks[0].seq > around) + 1
    shown = min(max(page, 1), len(pages))
    names, position = table.position.lexicon(), table.position
    screen = Screen(game=table.game.id, seq=position.seq, footer=f"Page {shown} of {len(pages)} · {where(position)}")
    described = wanted.described(names)
    nothing = "Nothing that happened matches." if described else "Nothing has happened yet."
    head = [f"### History: {described}"] if described else []
    screen.text = "\n\n".join([*head, *(map(str, pages[-shown])), *([] if pages[-shown] else [nothing])])
    turns = [("◀ Older", shown + 1)] if shown < len(pages) else []
    turns += [("Newer ▶", shown - 1)] if shown > 1 else []
    filters = (wanted.player, wanted.company, wanted.about)
    buttons = [Button(label, codes.join("history", number, *filters)) for label, number in turns]
    if table.moves and pages[-shown]:
        buttons.append(Button("In pictures", Bookmark(pages[-shown][-1].seq).code("p")))
    screen.buttons(*buttons)
    return screen


def heading(game: Game, at: int | None, message: Message | None) -> str:
    """When something happened, as the reader's own time, and a link to the message in which it did."""
    parts = [f"<t:{at}:f>"] if at is not None else []
    parts += [f"[turn]({link(game, message)})"] if message is not None else []
    return " · ".join(parts)


def turns_of(messages: Sequence[Message]) -> list[Message]:
    return [one for one in messages if turn_of(one.kind) is not None]


def message_of(turns: Sequence[Message], seq: int) -> Message | None:
    """The message of the turn in which a row was written: the last one posted before; None before the first."""
    number = bisect_left(turns, seq, key=lambda one: one.seq)
    return turns[number - 1] if number else None


def _pages(table: Table, wanted: Filter, times: Mapping[int, int], messages: Sequence[Message]) -> list[list[Block]]:
    """The blocks, as few pages as they fit, with full ones last. At least one page."""
    pages: list[list[Block]] = [[]]
    lines, room = 0, ROOM
    for block in reversed(list(_blocks(table, wanted, times, turns_of(messages)))):
        for part in reversed(_parts(block)):
            if pages[0] and (lines + len(part.lines) > PAGE or len(str(part)) > room):
                pages.insert(0, [])
                lines, room = 0, ROOM
            pages[0].insert(0, part)
            lines, room = lines + len(part.lines), room - len(str(part)) - 2
    return pages


def _parts(block: Block) -> list[Block]:
    """The block, in several if a page could not hold it."""
    parts = [Block(block.heading, (), block.seq)]
    for line in block.lines:
        longer = Block(block.heading, (*parts[-1].lines, line), block.seq)
        if parts[-1].lines and (len(longer.lines) > PAGE or len(str(longer)) > ROOM):
            parts.append(Block(block.heading, (line,), block.seq))
        else:
            parts[-1] = longer
    return parts


def _blocks(table: Table, wanted: Filter, times: Mapping[int, int], turns: Sequence[Message]) -> Iterator[Block]:
    """What fits, move by move, gathered under the message of its turn."""
    names = table.position.lexicon()
    fitting = ((one.seq, line.text) for one in told_of(table) for line in one.told if wanted.fits(line, one.by, names))
    for message, some in groupby(fitting, key=lambda pair: message_of(turns, pair[0])):
        (seq, first), *more = some
        lines = gathered([first, *(line for _, line in more)])
        yield Block(heading(table.game, times.get(seq), message), tuple(lines), seq)


def _amount(names: Lexicon) -> re.Pattern[str]:
    """What an amount of money looks like in this game."""
    return re.compile(re.escape(names.currency).replace(r"\{\}", r"\d"))


# In pictures


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Where the reader is: at which row of the log, looking at what, with undone moves or without."""

    seq: int
    view: str = "map"
    undone: bool = False

    def code(self, control: str) -> str:
        """What leads there; `control` is a letter that tells apart controls that lead to one place."""
        return codes.join("past", self.seq, self.view, "u" if self.undone else "", control)


def bookmark_of(parts: Sequence[str]) -> Bookmark:
    return Bookmark(int(parts[0]), parts[1], parts[2] == "u")


async def browser_screen(table: Table, bookmark: Bookmark, viewer: PlayerId | None) -> Screen:
    """One move with its picture, as far as the viewer may know, and the ways to the others. Raises TableError."""
    moments = await table.all_moments() if bookmark.undone else table.moments()
    if not moments:
        raise TableError(NONE_SINCE if table.past else NONE)
    seqs = [one.move.seq for one in moments]
    number = min(bisect_left(seqs, bookmark.seq), len(seqs) - 1)
    here = replace(bookmark, seq=seqs[number])
    screen = Screen(game=table.game.id, seq=table.position.seq, footer=where(table.position))
    screen.text = await _told(table, moments, number)
    screen.images = [await _picture(table, moments[number], bookmark.view, viewer)]
    may_ask = viewer is not None and not moments[number].undone and not moments[number].move.automatic
    back = [Button("Take back from here…", codes.join("undo", "from", here.seq))] if may_ask else []
    _ways(screen, seqs, number, here, back)
    if explained(table, moments[number]) is not None:
        screen.buttons(Button("Why?", codes.join("reasons", here.seq)))
    _jumps(screen, moments, here)
    return screen


async def _told(table: Table, moments: Sequence[Moment], number: int) -> str:
    moment = moments[number]
    seq = moment.move.seq
    times = await table.store.times(table.game.id, seq - 1)
    turns = turns_of(await table.store.messages.of_game(table.game.id))
    head = heading(table.game, times.get(seq), message_of(turns, seq))
    before = Position(table.title, moment.before, seq, table.names, table.work)
    lines = moment.told(table) or [before.labels().of(moment.move.action)]
    if moment.undone:
        lines = [f"~~{line}~~ *taken back*" for line in lines]
    return "\n".join([f"### Move {number + 1} of {len(moments)}", f"-# {head}", *(f"- {line}" for line in lines)])


async def _picture(table: Table, moment: Moment, view: str, viewer: PlayerId | None) -> Image:
    title, move, local = table.title, moment.move, table.settings.names == "local"

    def prepare() -> Drawing:
        if view == "market":
            return partial(renderer.market_picture, market_view(title, move.state, moved_tokens(move.state.facts)))
        if view == "table":
            known = revealed(title) if table.position.over else title
            return partial(renderer.table_picture, table_view(known, move.state, viewer))
        board = board_view(title, move.state, changed_hexes(move.state.facts))
        routes = routes_run(title, moment.before, move.state)
        return partial(renderer.map_picture, board, routes=routes, local_names=local)

    return image(f"{view}-{move.seq}", await table.work.draw(prepare))


def routes_run(title: Title, before: State, after: State) -> tuple[RouteView, ...]:
    found: list[RouteView] = []
    for fact in after.facts:
        if isinstance(fact, TrainsRan):
            try:
                found += route_views(title, before, fact.corp, [route for route, _ in fact.routes])
            except BadAction:  # a record may state runs that cannot be traced
                continue
    return tuple(found)


def _ways(screen: Screen, seqs: Sequence[int], number: int, here: Bookmark, back: Sequence[Button]) -> None:
    last = len(seqs) - 1
    steps = (("First", 0), ("◀ Back", max(number - 1, 0)), ("Forward ▶", min(number + 1, last)), ("Last", last))
    screen.buttons(*(Button(label, replace(here, seq=seqs[to]).code(str(n))) for n, (label, to) in enumerate(steps)))
    other = [Button(label, replace(here, view=key).code("v")) for key, label in VIEWS.items() if key != here.view]
    undone = Button("Without undone" if here.undone else "With undone", replace(here, undone=not here.undone).code("u"))
    screen.buttons(*other, undone, Button("As text", codes.join("astext", here.seq)), *back)


def _jumps(screen: Screen, moments: Sequence[Moment], here: Bookmark) -> None:
    """A list of the rounds, the latest of them if there are more than two lists hold."""
    states = [moments[0].before, *(one.move.state for one in moments if not one.undone)]
    seqs = [one.move.seq for one in moments if not one.undone]
    options = [
        Option(one.name, replace(here, seq=seqs[min(one.start, len(seqs) - 1)]).code("r"))
        for one in rounds_of(states)
        if one.end > one.start
    ]
    if len(options) > 1:
        screen.select("rounds", "Go to a round…", options[-50:])


# Charts

assert tuple(CHART_NAMES) == CHARTS


async def chart_screen(table: Table, name: str, viewer: PlayerId | None) -> Screen:
    position = table.position
    screen = Screen(
        game=table.game.id, seq=position.seq, footer=where(position), images=[await chart_image(table, name, viewer)]
    )
    if table.past:
        screen.text = "The chart begins where the rules of the game changed."
    screen.buttons(*(Button(label, codes.join("chart", key)) for key, label in CHART_NAMES.items() if key != name))
    return screen


async def chart_image(table: Table, name: str, viewer: PlayerId | None) -> Image:
    curves = partial(chart, table.title, table.states(), name, viewer)
    drawn = await table.work.draw(lambda: partial(renderer.chart_picture, curves()))
    return image(f"{name}-{table.position.seq}", drawn)
