"""Trying out on the page: a person's lines, and what stands on the page of one, which is played like the game."""

from collections.abc import Sequence

from board.markup import Html, el, message, said, text
from bot.rooms.trying.lines import MOST_LINES, NOTHING_OWN, TryOut
from bot.rooms.trying.screen import account, stands, to_be_followed

TITLE = "Your lines in this game"


def about(one: TryOut) -> Html:
    """What was tried in the line so far, and the ways on and out."""
    ways = [el("button", "Back one move", type="button", data_line="back")] if one.ahead else []
    ways += [el("button", "To the game", type="button", data_go="../../")]  # two short ones share a line of a phone
    ways += [el("button", "Another line from here", type="button", data_line="fork")]
    ways += [el("button", "Make these my programs…", type="button", data_ask="follow")] if one.to_follow() else []
    return el("div", message(account(one)), el("div", ways, cls="beside"), cls="line")


def listed(lines: Sequence[TryOut], dropped: Sequence[str], *, new: bool) -> Html:
    """The person's lines of a game, to be opened or deleted, and a `new` one if they can begin one."""
    rows = [
        el(
            "li",
            el("button", el("b", one.name), " ", stands(one), type="button", data_go=f"line/{one.branch.id}/"),
            el("button", "Delete", type="button", data_line="drop", data_number=one.branch.id),
        )
        for one in lines
    ]
    more = el("button", "New line from now", type="button", cls="choice primary", data_line="new") if new else None
    full = el("p", f"You can keep {MOST_LINES} lines at most.", cls="notes")
    about = el("p", "Everybody's moves, on a board of your own: nothing reaches the game.", cls="notes")
    told = [el("p", said(one)) for one in dropped]
    return text([el("h2", TITLE), told, about, el("ul", rows, cls="lines"), more if len(lines) < MOST_LINES else full])


def question(one: TryOut) -> Html:
    """What a program would play of the line, to be confirmed."""
    lines = to_be_followed(one)
    if not lines:
        return el("p", NOTHING_OWN)
    play = el("button", "Play them for me", type="button", cls="choice success", data_line="follow")
    return text([message(lines), play])
