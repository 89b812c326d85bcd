"""What the page asks the table to do: actions, answers to deals, and undo. Rules and consent are judged elsewhere."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from board import lines as trying
from board import questions
from board.markup import Html, el, message, said, text
from bot.chat.press import must_be_up
from bot.core import clockwork, passing, undoing
from bot.core.errors import Outdated, TableError, UnknownControl
from bot.core.position import Scene
from bot.core.table import Table
from bot.rooms.seats import agreeing
from bot.rooms.trying.lines import TryOut, TryOuts, may_begin
from bot.rooms.turn import asking, deals, why_not
from bot.words.narration import gathered
from bot.words.programs import sentence
from engine import Action, BadAction, from_json

MOST_ACTIONS = 12
"""How many actions one press may bring: what ends a turn is the longest."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said of a press: a note that passes, or a question that waits for its answer."""

    said: Html
    question: bool = False
    """Whether to ask whether it is meant."""


def read(body: object) -> list[Action]:
    """The actions of a request. Raises BadAction."""
    if not isinstance(body, list) or not 0 < len(body) <= MOST_ACTIONS:
        raise BadAction("A press does at least one thing, and not many.")
    if not all(isinstance(one, Mapping) for one in body):
        raise BadAction("This is not an action that the game knows.")
    return [from_json(one) for one in body]


async def act(table: Table, actions: Sequence[Action], press: deals.Submission, agrees: deals.Agrees) -> Reply:
    """Do the actions, or offer the deal. Raises what `deals.do` does."""
    outcome = await deals.do(table, *actions, press=press, agrees=agrees)
    if not isinstance(outcome, deals.AskedAgain):
        await clockwork.moved(table.store, press.user)
    names = table.position.lexicon()
    match outcome:
        case deals.AskedAgain(label, warning, follows):
            more = el("p", f"What follows: {follows}.") if follows else None
            return Reply(text([el("h2", f"{label}?"), el("p", warning), more]), question=True)
        case deals.Offered(other):
            offer = deals.described(table, actions[0], public=False)
            return Reply(said(f"{offer} {names.player(other)} has been asked to agree."))
        case deals.TurnedDown(other):
            return Reply(said(deals.NO_DEAL.format(names.player(other))))
        case deals.Done(moves, _):
            return Reply(_lines(gathered(table.tell(moves))))


def _lines(told: Sequence[str]) -> Html:
    """Sentences, one below the other."""
    return text([el("p", said(line)) for line in told])


async def try_out(lines: TryOuts, one: TryOut, actions: Sequence[Action], press: deals.Submission) -> Reply:
    """Make the moves in the line. Raises what `TryOuts.move` does."""
    after = await lines.move(one, actions, press.seen)
    return Reply(_lines(gathered(after.tell(after.moves[len(one.moves) :]))))


async def change_line(lines: TryOuts, one: TryOut, way: str, press: deals.Submission) -> Reply:
    """Take back the last decision of a line, let chance decide, or have it played. Raises TableError and Outdated."""
    if way == "follow":
        program = await lines.follow(one, one.table.position.seq, press.id)
        with suppress(Outdated):
            await one.table.go_on()
        return Reply(said(f"✓ {sentence(program, one.position.lexicon())}"))
    must_be_at(one, press.seen)
    if way not in LINES:
        raise UnknownControl()
    await LINES[way](lines, one)
    return Reply(Html(""))


LINES = {"back": TryOuts.back, "draw": TryOuts.draw}


def must_be_at(scene: Scene, seen: int | None) -> None:
    """Raise Outdated unless the scene stands where it was seen, and TableError where it waits for the bot's host."""
    if isinstance(scene, Table):
        scene.check_seen(seen)
    elif seen != scene.position.seq:
        raise Outdated()


async def end_of_turn(scene: Scene, user: int) -> list[Action]:
    """The passes that decline the rest of the company's turn. Raises UnknownControl and NotYourTurn."""
    position, seat = scene.position, scene.seat_for(user)
    must_be_up(scene, seat)
    if not passing.ends_turn(scene.title, position.state):
        raise UnknownControl()
    return await position.work.do(passing.to_end_of_turn, scene.title, position.state, seat)


async def asked(table: Table, scene: Scene, user: int, what: str, lines: TryOuts) -> Html:
    """What is said in a box above the page. Raises TableError."""
    if what == "why":
        position, seat = scene.position, scene.seat_for(user)
        found = await why_not.said_of(position, seat) if seat in position.up else []
        return text([el("h2", "Why not?"), message(found or [why_not.NOTHING_MISSED])])
    if what == "undo":
        return undo_question(table, user)
    if what == "lines":
        return trying.listed(*await lines.of(table, user), new=may_begin(table, user))
    if what == "follow" and isinstance(scene, TryOut):
        return trying.question(scene)
    raise UnknownControl()


async def answer_offer(table: Table, offer: int, accept: bool, press: deals.Submission) -> Reply:
    """Accept or decline a deal. Raises what `deals.answer` does."""
    told = await deals.answer(table, offer, user=press.user, accept=accept, interaction=press.id)
    return Reply(_lines(told.split("\n")))


async def stop(table: Table, press: deals.Submission) -> Reply:
    """Stop what runs the game out. Raises TableError and storage errors."""
    return Reply(said(await agreeing.stop(table, press.user, press.id)))


def undo_question(table: Table, user: int) -> Html:
    """What an undo would take back, and who must agree. Raises TableError."""
    table.must_go_on()
    back = undoing.turnback(table, user)
    label, way = ("Ask them", "ask") if back.asked else ("Undo it", "sure")
    button = el("button", label, type="button", cls="choice danger", data_undo=way, data_row=back.seq)
    return text([el("p", said(asking.undo_question(table, user, back))), questions.taken(table, back), button])


async def undo(table: Table, way: str, row: int, press: deals.Submission) -> Reply:
    """Take back, or ask the others for it. Raises TableError, Outdated and storage errors."""
    table.check_seen(press.seen)
    if way == "ask":
        await asking.ask(table, press.user, row, press.id)
        return Reply(said("The others have been asked."))
    if way == "no":
        await asking.refuse(table, press.user, row)
        return Reply(said("The request no longer stands."))
    if way == "yes":
        missing = (await asking.agree(table, press.user, row, press.id)).missing
        return Reply(said("You agree; others must, too." if missing else "All agreed: it was taken back."))
    if way == "redo":
        await table.redo(user=press.user, interaction=press.id, seen=press.seen)
        return Reply(said("It is back."))
    if way != "sure":
        raise UnknownControl()
    await table.undo(user=press.user, seq=row, interaction=press.id, seen=press.seen)
    return Reply(said("Undone."))


def number(body: Mapping[str, Any], name: str) -> int:
    """A whole number of a request. Raises TableError."""
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**62:
        raise TableError("The page sent something that makes no sense. Reload it.")
    return value
