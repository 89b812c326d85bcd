"""What the page asks the table to do: actions, answers to deals, and undo. Rules and consent are judged elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from board.markup import Html, el, said, text
from bot.core import passing, undoing
from bot.core.errors import NotYourTurn, TableError, UnknownControl
from bot.core.table import Table
from bot.rooms.turn import asking, deals, doing
from bot.rooms.turn.doing import Agrees, Press
from bot.words.lexicon import listed
from bot.words.narration import gathered
from engine.action_json import from_json
from engine.actions import Action
from engine.errors import BadAction

MOST_ACTIONS = 12
"""How many actions one press may bring: what ends a turn is the longest."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of a press: a note that passes, or a question that waits for its answer."""

    said: Html
    question: bool = False
    """Whether to ask whether it is meant."""


def read(body: object) -> list[Action]:
    """The actions of a request. Raises BadAction."""
    if not isinstance(body, list) or not 0 < len(body) <= MOST_ACTIONS:
        raise BadAction("A press does at least one thing, and not many.")
    return [from_json(one) if isinstance(one, Mapping) else _no_action() for one in body]


def _no_action() -> Action:
    raise BadAction("This is not an action that the game knows.")


async def act(table: Table, actions: Sequence[Action], press: Press, agrees: Agrees) -> Answer:
    """Do the actions, or offer the deal. Raises what `doing.do` does."""
    outcome = await doing.do(table, *actions, press=press, agrees=agrees)
    names = table.position.lexicon()
    match outcome:
        case doing.Question(label, warning, follows):
            more = el("p", f"What follows: {follows}.") if follows else None
            return Answer(text([el("h2", f"{label}?"), el("p", warning), more]), question=True)
        case doing.Offered(other):
            offer = deals.described(table, actions[0], public=False)
            return Answer(said(f"{offer} {names.player(other)} has been asked to agree."))
        case doing.TurnedDown(other):
            return Answer(said(f"{names.player(other)} does not agree. Another price might do."))
        case doing.Done(moves, label):
            return Answer(lines(gathered(table.tell(moves)) or [label]))


def lines(told: Sequence[str]) -> Html:
    """Sentences, one below the other."""
    return text([el("p", said(line)) for line in told])


async def end_of_turn(table: Table, user: int) -> list[Action]:
    """The passes that decline the rest of the company's turn. Raises UnknownControl and NotYourTurn."""
    position, seat = table.position, table.seat_for(user)
    if seat not in position.up:
        raise NotYourTurn.waits_for(table.names.get(one, one) for one in position.up)
    if not passing.ends_turn(table.title, position.state):
        raise UnknownControl()
    return await position.work.do(passing.to_end_of_turn, table.title, position.state, seat)


async def answer_offer(table: Table, offer: int, accept: bool, press: Press) -> Answer:
    """Accept or decline a deal. Raises what `deals.answer` does."""
    told = await deals.answer(table, offer, user=press.user, accept=accept, interaction=press.id)
    return Answer(lines(told.split("\n")))


def undo_question(table: Table, user: int) -> Answer:
    """What an undo would take back, and who must agree. Raises TableError."""
    table.must_go_on()
    back, names = undoing.turnback(table, user), table.position.lexicon()
    if back.asked:
        asked = listed(names.player(one) for one in back.asked)
        head = f"**Ask to take this back?** {asked} must agree; the channel is asked."
    else:
        head = "**Undo this?** Everybody will be told."
    taken = [el("li", said(line)) for line in table.account(back.taken)[-asking.MOST_LISTED :]]
    label, way = ("Ask them", "ask") if back.asked else ("Undo it", "sure")
    button = el("button", label, type="button", cls="choice danger", data_undo=way, data_row=back.seq)
    return Answer(text([el("p", said(head)), el("ul", taken, cls="taken"), button]))


async def undo(table: Table, way: str, row: int, press: Press) -> Answer:
    """Take back, or ask the others for it. Raises TableError, Outdated and storage errors."""
    table.check_seen(press.seen)
    if way == "ask":
        await asking.ask(table, press.user, row, press.id)
        return Answer(said("The others have been asked."))
    if way == "redo":
        await table.redo(user=press.user, interaction=press.id)
        return Answer(said("It is back."))
    if way != "sure":
        raise UnknownControl()
    await table.undo(user=press.user, seq=row, interaction=press.id)
    return Answer(said("Undone."))


def number(body: Mapping[str, Any], name: str, *, least: int = 0) -> int:
    """A whole number of a request. Raises TableError."""
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**62:
        raise TableError("The page sent something that makes no sense. Reload it.")
    return value
