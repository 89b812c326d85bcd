"""The review of a game that is over: what cost each player most, and how the chances stood as it went on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import engine
import renderer
from bot.chat import codes
from bot.chat.screen import Button, Image, Option, Screen
from bot.core.errors import TableError, UnknownControl
from bot.core.moves import company_of
from bot.core.table import Table
from bot.rooms.opponents.reasons import amount_of, rough
from bot.rooms.past.history import Bookmark, routes_run
from bot.rooms.past.workshop import Job, Workshop, job_of, replayed
from bot.rooms.turn.pictures import image
from bot.words.lexicon import Lexicon
from bot.words.narration import TURN_ENDED, clause, narrate, plain
from engine import OR, Action, EngineError, PlayerId, State, Title, board_view, from_json, table_view
from engine.facts import PrivateClosed
from engine.past import changed_hexes, round_at, rounds_of
from engine.secrets import revealed
from engine.viewing import companies
from engine.views import CurvesView, CurveView
from opponents.coach import Review, Slip, review
from renderer.png import Drawing

KEPT = 24
MAKING = "The program is looking the game over, decision by decision. That takes a minute, or a few on a busy machine…"
NOT_OVER = "A game can be reviewed once it is over."
CHANGED = "The game has changed since: ask for its review again."
NOTHING = "No clear mistakes: the program would have done much the same."
LEGEND = (
    "\n-# *{0} instead of {1}*: of 100 ways the game may go on from there, {2} finishes first in {0} after what was "
    "done, in {1} after the better move. The program's estimate, from what {2} could know then."
)
PART = 4
"""What is less than this part of the cost does not account for it."""
MAP = {"track", "token", "run"}
"""The steps in which a position is shown as a map."""


def review_of_job(job: Job) -> Review:
    title, states = replayed(job)
    return review(title, states, [from_json(one) for one in job.actions], levels=job.levels)


class Reviews(Workshop[Review]):
    what, made, kept, too_long = "reviews", review_of_job, KEPT, "The game could not be looked over: it took too long."


async def job_at(table: Table, seen: int | None = None) -> Job:
    """What is looked over. Raises TableError while the game goes on: it would tell what is hidden.

    So it does if the game has changed since it was at `seen`: a decision's number may be another's now.
    """
    if not table.position.over:
        raise TableError(NOT_OVER)
    if seen not in (None, table.position.seq):
        raise TableError(CHANGED)
    job = await table.work.do(job_of, table.title, table.beginning, [one.action for one in table.moves], "")
    return replace(job, levels=table.levels)


# In words


@dataclass(frozen=True, slots=True)
class Told:
    """A decision that cost much, in words."""

    when: str
    """The round: "3.1"."""
    done: str
    better: str
    why: str
    cost: str
    """What it cost in money, about."""
    first: str
    """What it cost in chances, as a sentence; "" if nothing."""


def told(title: Title, states: list[State], slip: Slip, names: Lexicon) -> Told:
    """What was done, what would have been better, and why."""
    s, after, better = states[slip.at], states[slip.at + 1], outcome(title, states, slip)
    company, who = company_of(s), names.player(slip.seat)
    behind, ahead = slip.firsts[1], slip.firsts[0]
    first = f"{who} then finishes first in {behind} instead of {ahead} of 100 ways." if ahead > behind else ""
    cost = names.money(rough(slip.worth))
    return Told(
        round_at(states, slip.at),
        _line(after, names, company, slip.made.action),
        _line(better, names, company, slip.better.action),
        because(slip, names),
        cost,
        first,
    )


def outcome(title: Title, states: list[State], slip: Slip) -> State:
    """The position that the better move leads to."""
    try:
        return engine.apply(title, states[slip.at], slip.better.action)
    except EngineError:  # the record went against the rules here
        return states[slip.at]


def _line(after: State, names: Lexicon, company: str, action: Action) -> str:
    """A move as the table is first told of it, but for a private that closes."""
    open_on = [one for one in after.facts if not isinstance(one, PrivateClosed)]
    told = narrate(open_on, names, company) or narrate(after.facts, names, company)
    return clause(told[0] if told else TURN_ENDED.format(names.player(action.by)))


def because(slip: Slip, names: Lexicon) -> str:
    """The one thing that decides, as a sentence."""
    return next(_reasons(slip, names)) + "."


def _reasons(slip: Slip, names: Lexicon) -> Iterator[str]:
    better, made, who = slip.better, slip.made, names.player(slip.seat)
    spared = amount_of(made, "contribution") - amount_of(better, "contribution")
    if made.reasons and spared >= 50:
        yield f"Otherwise {who} probably has to add about {names.money(rough(spared))} for trains"
    run, other = amount_of(better, "runs"), amount_of(made, "runs")
    if made.reasons and run > other:
        corp = next(one.what for one in better.reasons if one.why == "runs")
        yield f"**{corp}** then runs for {names.money(run)} instead of {names.money(other)}"
    worth = amount_of(better, "worth") - amount_of(made, "worth")
    held = amount_of(made, "rivals") - amount_of(better, "rivals")
    enough = slip.worth // PART
    if made.reasons and held > max(worth, enough):
        yield f"It keeps the best rival about {names.money(rough(held))} lower"
    if made.reasons and worth > enough:
        yield f"Dividends and share prices to come are worth about {names.money(rough(worth))} more"
    if not made.reasons:
        yield "The program sees little in favour of what was done"
    yield "What follows from it, rounds later, brings more"


# Screens


async def review_screen(table: Table, found: Review, seat: PlayerId) -> Screen:
    """What cost a player most, with the chart of all players' chances and the way to each decision."""
    names, states = table.position.lexicon(), table.states()
    seats = list(table.position.state.players)
    slips = _slips(table, found, seat)
    lines = await table.work.do(lambda: [told(table.title, states, one, names) for one in slips])
    each = [
        f"{number}. **{one.when}:** {one.done}. Better: {one.better}. {_cost(one, slip)}"
        for number, (one, slip) in enumerate(zip(lines, slips, strict=True), start=1)
    ]
    text = [
        f"### What cost {names.player(seat)} most",
        *(each or [NOTHING]),
        *(LEGEND.format(*one.firsts[::-1], names.player(one.seat)) for one in [*filter(_ways, slips)][:1]),
    ]
    screen = Screen("\n".join(text), game=table.game.id, seq=table.position.seq)
    screen.images = [await chart_image(table, found)]
    options = [
        Option(f"{number}. {one.when}: {plain(one.better)}", codes.join("review", seat, number - 1))
        for number, one in enumerate(lines, start=1)
    ]
    if options:
        screen.select("slip", "Look at a decision…", options)
    others = [Button(names.plain_player(other), codes.join("review", other)) for other in seats if other != seat]
    return screen.buttons(*others)


def _cost(one: Told, slip: Slip) -> str:
    """What the list is ordered by, and what it did to the chances."""
    return f"Cost: about {'; '.join(filter(None, [one.cost, _ways(slip)]))}."


def _ways(slip: Slip) -> str:
    """How it changed the chances: "24 instead of 31"; "" where it cost money and no chances."""
    ahead, behind = slip.firsts
    return f"*{behind} instead of {ahead}*" if ahead > behind else ""


async def slip_screen(table: Table, found: Review, seat: PlayerId, number: int) -> Screen:
    """One decision, with its position. Raises TableError."""
    names, states = table.position.lexicon(), table.states()
    slip = slip_of(table, found, seat, number)
    one = await table.work.do(told, table.title, states, slip, names)
    text = [
        f"### {one.when}: {names.player(seat)}",
        f"**Done:** {one.done}.",
        f"**Better:** {one.better}. {one.why}",
        f"**Cost:** by the program's estimate about {one.cost} in the end. {one.first}".rstrip(),
    ]
    screen = Screen("\n".join(text), game=table.game.id, seq=table.position.seq)
    screen.images = [await _picture(table, states, slip)]
    return screen.buttons(
        Button("Try it out", codes.join("instead", seat, number), "primary"),
        Button("◀ All", codes.join("review", seat)),
        Button("The move itself", Bookmark(table.moves[slip.at].seq).code("p")),
    )


def slip_of(table: Table, found: Review, seat: PlayerId, number: int) -> Slip:
    """A player's decision of this number. Raises TableError."""
    slips = _slips(table, found, seat)
    if number >= len(slips):
        raise TableError(CHANGED)
    return slips[number]


def _slips(table: Table, found: Review, seat: PlayerId) -> Sequence[Slip]:
    seats = list(table.position.state.players)
    if seat not in seats:
        raise UnknownControl()
    return found.slips[seats.index(seat)]


async def _picture(table: Table, states: list[State], slip: Slip) -> Image:
    """The map with the better track, token or run; otherwise what everybody held before."""
    title, before, local = table.title, states[slip.at], table.settings.names == "local"

    def prepare() -> Drawing:
        if before.round != OR or before.step not in MAP:
            return partial(renderer.table_picture, table_view(revealed(title), before))
        after = outcome(title, states, slip)
        board = board_view(title, after, changed_hexes(after.facts))
        return partial(renderer.map_picture, board, routes=routes_run(title, before, after), local_names=local)

    return image(f"review-{slip.at}", await table.work.draw(prepare))


def chances_chart(title: Title, states: list[State], found: Review) -> CurvesView:
    """In how many of a hundred ways each player ends first, round by round."""
    last = states[-1]
    curves = tuple(
        CurveView(last.names[seat], None, column)
        for seat, column in zip(last.players, zip(*found.chances, strict=True), strict=True)
    )
    stops = ("start", *(one.name for one in rounds_of(states)))
    return CurvesView(title.name, "Chances of finishing first", "{} %", stops, curves, companies(title))


async def chart_image(table: Table, found: Review) -> Image:
    view = await table.work.do(chances_chart, table.title, table.states(), found)
    drawn = await table.work.draw(lambda: partial(renderer.chart_picture, view))
    return image(f"chances-{table.position.seq}", drawn)
