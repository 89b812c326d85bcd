"""The history: told under the messages of its turns, with filters and pages; move by move in pictures; and as charts.

Pictures are of the map, the market or what everybody held, as they were; charts show what their reader may know. And
the end of a game: standings, what worth is made of, the chart of it, turning points and records.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import renderer
from bot.chat import codes
from bot.chat.messages import link
from bot.chat.screen import Button, Image, Option, Screen, where
from bot.core.errors import TableError
from bot.core.moves import final_scores
from bot.core.notices import turn_of
from bot.core.position import Position
from bot.core.seated import Moment
from bot.core.table import Table
from bot.core.undoing import may_ask
from bot.rooms.opponents.room import explained
from bot.rooms.turn import pictures
from bot.rooms.turn.screen import LOOKS, told_of
from bot.words.lexicon import Lexicon, mentions
from bot.words.narration import Sentence, ending, gathered, lines_of, tour
from engine import BadAction, PlayerId, RouteView, State, Title, board_view, market_view, route_views, table_view
from engine.charting import CHARTS, chart, worth_parts
from engine.facts import Passed, PrivateSold, RoundBegan, TrainBought, TrainsRan
from engine.highlights import Record, largest_dividend, largest_run, longest_route, swings
from engine.past import changed_hexes, moved_tokens, round_at, rounds_of
from engine.secrets import revealed
from renderer.png import Drawing
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
    """Somebody's seats, joined by "+": what they did, and what names them."""
    company: str = ""
    about: str = ""
    """A key of `ABOUT`."""

    @property
    def seats(self) -> list[str]:
        return self.player.split("+") if self.player else []

    def fits(self, told: Sentence, by: str, names: Lexicon) -> bool:
        """Whether a line that tells of a move by this seat belongs here; `names` are those that it has."""
        line = told.text
        minor = names.private(self.company) if self.company in names.privates else ""
        amount = re.escape(names.currency).replace(r"\{\}", r"\d")
        return (
            (not self.seats or any(by == seat or names.player(seat) in line for seat in self.seats))
            and (not self.company or f"**{self.company}**" in line or (minor != "" and minor in line))
            and (self.about != "money" or re.search(amount, line) is not None)
            and (self.about != "track" or told.track)
        )

    def described(self, names: Lexicon) -> str:
        """ "**Ben**, **IR**, money", or ""."""
        company = f"**{self.company}**" if self.company else ""
        players = map(names.player, self.seats)
        return ", ".join(filter(None, (*players, company, ABOUT.get(self.about, ""))))


@dataclass(frozen=True, slots=True)
class Block:
    """Lines under one heading: what happened in a turn, as far as it was asked for."""

    heading: str
    lines: tuple[str, ...]
    seqs: tuple[int, ...]
    """Of each line, which move it tells of; the first where several are gathered."""

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
        page = sum(1 for blocks in pages if blocks and blocks[0].seqs[0] > around) + 1
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
        buttons.append(Button("In pictures", Bookmark(pages[-shown][-1].seqs[-1]).code("p")))
    return screen.buttons(*buttons)


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
    parts = [Block(block.heading, (), ())]
    for line, seq in zip(block.lines, block.seqs, strict=True):
        longer = Block(block.heading, (*parts[-1].lines, line), (*parts[-1].seqs, seq))
        if parts[-1].lines and (len(longer.lines) > PAGE or len(str(longer)) > ROOM):
            parts.append(Block(block.heading, (line,), (seq,)))
        else:
            parts[-1] = longer
    return parts


def _blocks(table: Table, wanted: Filter, times: Mapping[int, int], turns: Sequence[Message]) -> Iterator[Block]:
    """What fits, move by move, gathered under the message of its turn."""
    fitting = (
        (one.seq, line.text)
        for one in told_of(table)
        for line in one.told
        if wanted.fits(line, one.by, table.lexicon_at(one.seq))
    )
    for message, some in groupby(fitting, key=lambda pair: message_of(turns, pair[0])):
        told = list(some)
        lines = gathered(line for _, line in told)
        seqs = [next(same)[0] for _, same in groupby(told, key=lambda pair: pair[1])]
        yield Block(heading(table.game, times.get(seqs[0]), message), tuple(lines), tuple(seqs))


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

    return pictures.image(f"{view}-{move.seq}", await table.work.draw(prepare))


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
    undone = Button("Hide undone" if here.undone else "Show undone", replace(here, undone=not here.undone).code("u"))
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

assert list(CHART_NAMES) == list(CHARTS)


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
    return pictures.image(f"{name}-{table.position.seq}", drawn)


PARTS = ("cash", "shares", "privates")
LAST = {"records": "Worth and records", **{f"show|{what}": LOOKS[what][0] for what in ("table", "map", "market")}}
"""What there was at the end, by the code that shows it."""


async def final_screen(table: Table, *, pings: bool = True, reader: int | None = None) -> Screen:
    """The message with the final result; `pings` whoever played.

    A reader who alone sees it is offered what they may do.
    """
    position = table.position
    turns = turns_of(await table.store.messages.of_game(table.game.id))
    lines = await table.work.do(lambda: [*_standings(table, False), *lines_only(_story(table, turns))])
    head = f"### The game is over {mentions(table.people)}" if pings else "### The game is over"
    screen = Screen("\n".join([head, *lines]), game=table.game.id, seq=position.seq)
    await pictures.add(screen, table.work, chart_image(table, "worth", None))
    played = reader is None or reader in {*table.people, *(loan.owner_id for loan in table.tenures.loans)}
    screen.buttons(
        *([Button("Rematch", "rematch", "success")] if played else []),
        Button("Review", "review"),
        *([Button("Undo", "undo")] if reader is None or may_ask(table, reader) else []),
    )
    moves = {Bookmark(table.moves[-1].seq).code("p"): "Move by move"} if table.moves else {}
    found = {f"chart|{key}": name for key, name in CHART_NAMES.items() if key != "worth"}
    screen.select("look", "Look at…", [Option(name, code) for code, name in {**moves, **LAST, **found}.items()])
    return screen


async def records_screen(table: Table) -> Screen:
    """What everybody's worth is made of, and the records of the game."""
    turns = turns_of(await table.store.messages.of_game(table.game.id))
    made_of, records = await table.work.do(lambda: (list(_standings(table)), lines_only(_records(table, turns))))
    lines = ["### Worth and records", *made_of, *(f"- {line}" for line in records)]
    return Screen("\n".join(lines), game=table.game.id, seq=table.position.seq, footer=where(table.position))


OfMove = tuple[str, int]
"""A line, and the number of the move that it is about; 0 for none."""


def lines_only(told: Iterable[OfMove]) -> list[str]:
    return [line for line, _ in told]


def result(table: Table) -> Iterator[OfMove]:
    """The standings of a game that is over, and what was remarkable in it."""
    yield from ((line, 0) for line in _standings(table))
    yield from _story(table, ())
    records = list(_records(table, ()))
    yield from [("\n**Records**", 0), *records] if records else []


def _story(table: Table, turns: Sequence[Message]) -> Iterator[OfMove]:
    """How the game ended, and what decided it; `turns` are messages to link to."""
    state, names = table.position.state, table.position.lexicon()
    broke = [names.player(seat) for seat in state.bankrupt]  # the first ends the game
    yield f"{broke[0]} is bankrupt, which ends the game." if broke else ending(state.over, names), 0
    points = [(f"-# {line}", index) for line, index in _turning_points(table, turns)]
    yield from [("\n**Turning points**", 0), *points] if points else []


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
    number = place + 1
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def place_of(scores: dict[str, int], seat: str) -> int:
    """How many did better; ties share a place."""
    return sum(1 for worth in scores.values() if worth > scores[seat])


def _turning_points(table: Table, turns: Sequence[Message]) -> Iterator[OfMove]:
    """The moves in which somebody gained or lost most against the others."""
    names = table.position.lexicon()
    for swing in swings(table.title, table.states()):
        move = table.moves[swing.index - 1]
        facts = [
            replace(one, contribution=0) if isinstance(one, TrainBought) else one
            for one in move.state.facts
            if not isinstance(one, Passed | RoundBegan)  # what follows is what brought it
        ]
        facts.sort(key=lambda one: not (isinstance(one, PrivateSold) and one.target == swing.player))  # of bids: theirs
        lines = lines_of(facts, table.lexicon_at(move.seq), move.company)
        told = next((one.clause for one in lines if not one.track), "")  # tiles and tokens are worth nothing
        amount = names.money(abs(swing.amount))
        others = [names.player(seat) for seat in table.states()[0].players if seat != swing.player]
        on = others[0] if len(others) == 1 else "the others"
        what = f"gains {amount} on {on}" if swing.amount > 0 else f"drops back {amount}"
        why = f": {told}" if told else ""
        when = _when(table, round_at(table.states(), swing.index - 1), swing.index, turns)
        yield f"{when}: {names.player(swing.player)} {what}{why}.", swing.index


def _records(table: Table, turns: Sequence[Message]) -> Iterator[OfMove]:
    names, states = table.position.lexicon(), table.states()

    def of(record: Record) -> str:
        return f"**{record.corp}**, {_when(table, record.round, record.index, turns)}"

    def key(record: Record | None) -> tuple[object, ...]:
        return (record.corp, record.amount, record.round) if record is not None else ()

    paid, ran, far = largest_dividend(table.title, states), largest_run(states), longest_route(states)
    same = key(paid) == key(ran)
    if ran is not None:
        yield f"Largest run{' and dividend' if same else ''}: {names.money(ran.amount)} by {of(ran)}.", ran.index
    if paid is not None and not same:
        yield f"Largest dividend: {names.money(paid.amount)} by {of(paid)}.", paid.index
    if far is not None and far.route is not None:
        yield f"Longest route: {tour(far.route.path, names)} by {of(far)}.", far.index


def _when(table: Table, round: str, index: int, turns: Sequence[Message]) -> str:
    """The round, linked to the message of the move's turn."""
    message = message_of(turns, table.moves[index - 1].seq)
    return round if message is None else f"[{round}]({link(table.game, message)})"
