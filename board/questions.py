"""What waits for somebody's answer: deals, and undo that others must agree to."""

import json

from board.markup import Html, el, said, text
from bot.core.table import Table
from bot.core.undoing import Turnback
from bot.rooms.turn import asking, deals
from bot.rooms.turn.screen import declined_now
from bot.words.lexicon import listed
from bot.words.narration import gathered, latest
from engine import PlayerId, from_json
from storage import Offer


async def waiting(table: Table, user: int) -> Html:
    """What waits for the person's answer, what of theirs waits for others, and what of it was declined."""
    mine = set(table.seats_of(user))
    if not mine or table.stands_still:
        return Html("")
    no = [deals.declined(table, one, public=False) for one in await declined_now(table) if one.from_seat in mine]
    no = [*gathered(no), *await asking.refused(table, mine)]
    made: list[Html | None] = [el("p", said(line), cls="declined") for line in no]
    made += [_offer(table, one, mine) for one in await table.store.offers.open(table.game.id)]
    if table.orders.together:
        button = el("button", "Stop", type="button", data_stop=True)
        made.insert(0, el("div", el("p", "The table runs the game out."), button, cls="offer"))
    return text([*made, *(_undo(table, one, mine) for one in await asking.standing(table))])


def _offer(table: Table, one: Offer, mine: set[PlayerId]) -> Html | None:
    if not mine & {one.from_seat, one.to_seat}:
        return None
    words = said(deals.described(table, from_json(json.loads(one.body)), public=False))
    if one.to_seat not in mine:
        other = table.position.lexicon().plain_player(one.to_seat)
        return el("div", el("p", words, " ", el("i", f"It is waiting for {other}'s answer.")), cls="offer")
    buttons = [
        el("button", label, type="button", cls=style, data_offer=one.id, data_accept=str(yes).lower())
        for label, style, yes in (("Accept", "primary", True), ("Decline", "", False))
    ]
    return el("div", el("p", words), buttons, cls="offer")


def _undo(table: Table, one: asking.Request, mine: set[PlayerId]) -> Html | None:
    """A request as those see it who are asked, and whoever asks."""
    names, row = table.position.lexicon(), one.back.seq
    if one.by in mine:
        asked = listed(names.player(seat) for seat in one.missing)
        who, ways = f"You ask {asked} to take this back:", {"Withdraw": "no"}
    elif mine & set(one.missing):
        who, ways = f"{names.player(one.by)} asks to take this back:", {"Agree": "yes", "Decline": "no"}
    else:
        return None
    buttons = [
        el("button", label, type="button", cls="primary" if way == "yes" else None, data_undo=way, data_row=row)
        for label, way in ways.items()
    ]
    return el("div", el("div", el("p", said(who)), taken(table, one.back)), buttons, cls="offer")


def taken(table: Table, back: Turnback) -> Html:
    """What would be taken back, the latest lines of it."""
    lines = latest(table.account(back.taken), asking.MOST_LISTED)
    return el("ul", [el("li", said(line)) for line in lines], cls="taken")
