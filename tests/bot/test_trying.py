"""Trying out: a private board with the game's own buttons, on which one person moves for everybody."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from club import Club, buttons, selects, text
from discord import ui
from player import (
    Move,
    answer,
    begin_at,
    code_of,
    more,
    moves,
    passes,
    press,
    private_answer,
    sensible,
    skip_ahead,
    tool,
)
from tables import table as position
from test_run_out import near_the_end

from bot.chat.screen import Select
from bot.core.errors import NO_RESULT, Outdated, TableError
from bot.core.position import Position
from bot.core.table import Table
from bot.rooms.trying.line import LineMove, least, written
from bot.rooms.trying.lines import MOST_LINES, TryOuts
from bot.rooms.trying.room import MOVED_ON
from bot.rooms.trying.screen import board_screen, compared_screen, follow_screen, others_screen
from bot.rooms.turn.forms import form
from bot.rooms.turn.why_not import why_not_screen
from engine.actions import Bid, BuyShare, EndGame, ExchangePrivate, Pass, RollDie
from engine.ids import CHANCE, IPO, CorpId, PlayerId, PrivateId
from engine.secrets import hidden_purses
from engine.state import Pending
from programs import Follow
from records.simulate import choose
from storage import TooManyBranches

SLOW = pytest.mark.slow
BOARD = {
    "◀ To the board",
    "Back",
    "Compare",
    "Name this line…",
    "Another line from here",
    "My lines",
    "Out of turn…",
    "Make these my programs",
}
TOOLS = BOARD | {"Assume…", "Whole map", "Why not?"}


async def open_board(club: Club, seat: str = "p1") -> Any:
    """The board of a new line of whoever has the seat."""
    table = await club.table()
    answer = private_answer(await tool(club.who(seat, table), club.packet(), "Try out"))
    if "New line from now" in buttons(answer):
        answer = private_answer(await club.who(seat, table).click(answer, label="New line from now"))
    assert "Trying out" in text(answer), text(answer)
    return answer


def offered(message: Any) -> list[Move]:
    """What moves the game on a board, or leads there."""
    return [one for one in moves(message) if one.label not in TOOLS and not one.code.startswith("board")]


async def play_on(club: Club, member: Any, board: Any, count: int, seed: int = 1) -> Any:
    """So many presses that move, chosen by chance; the board after them."""
    chance, made = random.Random(seed), 0
    for _ in range(count * 12):
        if made == count or not offered(board):
            return board
        message, before = board, revision(board)
        for _ in range(8):
            pressed = await press(member, message, sensible(chance, offered(message)))
            message = private_answer(pressed)
            assert message is not None, "no answer"
            if "Trying out" in text(message):
                break
            if not offered(message):
                message = private_answer(await member.click(message, label="◀ To the board"))
                break
        made += revision(message) != before
        board = message
    return board


def revision(board: Any) -> str:
    """What the board's controls say of its position."""
    return next(iter(buttons(board).values())).split(":")[2]


def place(board: Any) -> str:
    return next(iter(buttons(board).values())).split(":")[1]


async def chosen(member: Any, message: Any, label: str) -> Any:
    """Press a button, or choose it from a list."""
    if label in buttons(message):
        return await member.click(message, label=label)
    found = [
        (custom, one["value"]) for custom, some in selects(message).items() for one in some if one["label"] == label
    ]
    ((custom_id, value),) = found
    return await member.select(message, [value], custom_id=custom_id)


async def click(member: Any, message: Any, label: str) -> Any:
    return private_answer(await chosen(member, message, label))


@pytest.mark.broad
@pytest.mark.parametrize("title", ["1889", pytest.param("1888", marks=SLOW), pytest.param("1860", marks=SLOW), "1890"])
async def test_ten_moves_are_tried_out_for_everybody_and_the_game_knows_nothing(club: Club, title: str) -> None:
    await club.begin(3, title)
    table = await skip_ahead(club, 70, random.Random(5))
    before, rows = table.position.seq, await club.bot.store.log(table.game.id)
    asked = len(club.env.http_requests)
    version, shown = await club.bot.store.version(table.game.id), club.packet().id
    member = club.who("p2", table)
    board = await open_board(club, "p2")
    board = await play_on(club, member, board, 10)
    one = (await club.bot.its(TryOuts).of(table, member.id))[0][0]
    ahead = len([move for move in one.ahead if not move.automatic])
    assert ahead >= 10
    assert len({move.action.by for move in one.ahead}) > 1
    assert "ahead of the game" in text(board)
    compared = await click(member, board, "Compare")
    assert f"{ahead} moves ahead" in text(compared)
    board = await click(member, compared, "◀ To the board")
    while "Back" in buttons(board):
        board = await click(member, board, "Back")
    one = (await club.bot.its(TryOuts).of(table, member.id))[0][0]
    assert one.position.state.to_dict() == one.first.to_dict()
    assert (await club.table()).position.seq == before
    assert await club.bot.store.log(table.game.id) == rows
    assert await club.bot.store.version(table.game.id) == version
    assert club.packet().id == shown
    said = [one.path for one in club.env.http_requests[asked:]]
    assert said
    assert all(path.startswith(("/interactions/", "/webhooks/")) for path in said), said


async def test_where_the_line_stands_is_said_once(club: Club) -> None:
    await club.begin(2)
    table = await club.table()
    screen = await board_screen(await club.bot.its(TryOuts).begin(table, table.seats["p1"].user_id))
    assert screen.images
    assert not screen.footer, "the card says it"


async def begun(club: Club, count: int = 0, seed: int = 1) -> tuple[Table, Any, Any]:
    """A game, its first player, and their board with so many presses on it."""
    table = await club.begin(3, "1889")
    member = club.who("p1", table)
    return table, member, await play_on(club, member, await open_board(club), count, seed)


async def test_lines_are_named_branched_opened_and_deleted(club: Club) -> None:
    _, member, board = await begun(club, 3)
    form = await chosen(member, board, "Name this line…")
    board = private_answer(await member.submit_modal(form, {"name": "*Sell* out"}))
    assert "\\*Sell\\* out" in text(board)
    board = await click(member, board, "Another line from here")
    assert "Line 1" in text(board)
    board = await play_on(club, member, board, 2, seed=9)
    lines = await click(member, board, "My lines")
    assert [one["label"] for one in options(lines, "open")] == ["Line 1", "*Sell* out"]
    board = private_answer(
        await member.select(lines, [options(lines, "open")[1]["value"]], custom_id=which(lines, "open"))
    )
    assert "\\*Sell\\* out" in text(board)
    lines = await click(member, board, "My lines")
    lines = private_answer(
        await member.select(lines, [options(lines, "drop")[0]["value"]], custom_id=which(lines, "drop"))
    )
    assert [one["label"] for one in options(lines, "open")] == ["*Sell* out"]


def which(message: Any, name: str) -> str:
    return next(one for one in selects(message) if code_of(one) == name)


def options(message: Any, name: str) -> list[dict[str, Any]]:
    return selects(message)[which(message, name)]


@pytest.mark.broad
async def test_everything_that_a_board_offers_to_look_at_is_shown_and_leads_back(club: Club) -> None:
    _, member, board = await begun(club, 2)
    for one in [one for one in options(board, "look") if one["value"].startswith("show")]:
        shown = private_answer(await member.select(board, [one["value"]], custom_id=which(board, "look")))
        assert "⚠️" not in text(shown), one
        board = await click(member, shown, "◀ To the board")
    assert "Trying out" in text(board)
    for label in ("Why not?", "Compare"):
        board = await click(member, await click(member, board, label), "◀ To the board")


# The game moves on


async def test_the_board_of_a_game_that_has_ended_without_a_result_says_so(club: Club) -> None:
    """And offers no new line, which would be refused."""
    await club.begin(2)
    board = await open_board(club)
    for member in club.members[:2]:
        await club.leave(member)
    assert await answer(club.aiko.click(board, label="Pass")) == NO_RESULT


async def test_a_line_goes_on_where_the_game_moves_as_it_says_and_is_dropped_where_not(club: Club) -> None:
    table, member, board = await begun(club, 4, seed=2)
    other = await click(member, board, "Another line from here")
    line = (await club.bot.its(TryOuts).of(table, member.id))[0][0].line
    first, second = line.steps[0].action, line.steps[1].action
    await table.submit(first, user=table.seats[first.by].user_id)
    board = await click(member, other, "Back")
    assert "The game has already made the first move of this line" in text(board)
    otherwise = next(one for one in await table.position.actions(second.by) if one != second)
    await table.submit(otherwise, user=table.seats[second.by].user_id)
    told = await click(member, board, "Back")
    assert "**Line 2** was dropped: the game went differently. In the line: " in text(told)
    assert "**Line 1** was dropped" in text(told)
    assert "You keep none" in text(told)
    assert await club.bot.store.branches.of_user(table.game.id, member.id) == []


async def test_where_no_line_is_left_the_press_begins_another(club: Club) -> None:
    table, member, _ = await begun(club)
    await passes(table, "p1", "p2", "p3")
    board = private_answer(await tool(member, club.packet(), "Try out"))
    assert "Trying out" in text(board)
    assert "dropped" not in text(board)
    await play_on(club, member, board, 1, seed=2)
    await passes(table, "p1", "p2", "p3")
    board = private_answer(await tool(member, club.packet(), "Try out"))
    assert "Trying out" in text(board)
    assert "**Line 1** was dropped" in text(board)


async def test_a_line_is_dropped_when_its_first_position_is_taken_back_and_stays_when_it_comes_again(
    club: Club,
) -> None:
    table = await club.begin(3, "1889")
    first = (await table.position.actions("p1"))[0]
    await table.submit(first, user=table.seats["p1"].user_id)
    member = club.who("p2", table)
    kept = place(await play_on(club, member, await open_board(club, "p2"), 1))
    await club.undo(club.who("p1", table))
    await table.submit(first, user=table.seats["p1"].user_id)
    lines, dropped = await club.bot.its(TryOuts).of(table, member.id)
    assert ([one.id for one in lines], dropped) == ([kept], [])
    await club.undo(club.who("p1", table))
    lines, dropped = await club.bot.its(TryOuts).of(table, member.id)
    assert (lines, len(dropped)) == ([], 1)
    assert "was taken back" in dropped[0]


async def test_a_line_that_the_rules_no_longer_allow_says_that_it_was_made_with_others(club: Club) -> None:
    """Where it begins nothing has changed. 1.0.0 did not ask companies that were secretly too poor for anything."""
    table, store = await club.begin(2), club.bot.store
    member = club.who("p1", table)
    line = await club.bot.its(TryOuts).begin(table, member.id)
    older = replace(line.line, steps=(LineMove(Pass(PlayerId("p2"))),))
    await store.branches.change(line.branch, written(older))
    _, dropped = await club.bot.its(TryOuts).of(table, member.id)
    assert dropped == ["**Line 1** was dropped: it was made with another version of the rules."]


async def test_what_the_game_has_made_is_not_taken_back_on_the_board(club: Club) -> None:
    table, member, board = await begun(club, 1)
    one = (await club.bot.its(TryOuts).of(table, member.id))[0][0]
    await table.submit(one.line.steps[0].action, user=member.id)
    told = await click(member, board, "Back")
    assert "has been made in the game" in text(told)
    assert "Back" not in buttons(told)


@pytest.mark.broad
async def test_lines_outlive_the_process_and_old_boards_work_on(club: Club) -> None:
    table, member, board = await begun(club, 3)
    before = (await club.bot.its(TryOuts).of(table, member.id))[0][0]
    await club.restart()
    table = await club.table()
    after = (await club.bot.its(TryOuts).of(table, member.id))[0][0]
    assert after.position.state.to_dict() == before.position.state.to_dict()
    board = await click(member, board, "Back")
    assert len((await club.bot.its(TryOuts).of(table, member.id))[0][0].ahead) == len(before.ahead) - 1
    assert "Trying out" in text(board)


# Limits and rights


async def test_there_are_so_many_lines_of_so_many_moves(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.rooms.trying.line.MOST_STEPS", 2)
    table, member, board = await begun(club, 2)
    chance = random.Random(1)
    full = board
    while "at most" not in text(full):
        full = private_answer(await press(member, full, sensible(chance, offered(full))))
    assert "Trying out" in text(full)
    assert "Back" in buttons(full)
    early = await click(member, board, "My lines")
    board = await open_board(club)
    for _ in range(MOST_LINES - 2):
        board = await click(member, board, "Another line from here")
    lines = await click(member, board, "Another line from here")
    assert "delete one first" in text(lines)
    assert len(options(lines, "open")) == MOST_LINES
    assert "New line from now" not in buttons(lines)
    assert f"You can keep {MOST_LINES} lines at most." in text(lines)
    lines = await click(member, early, "New line from now")
    assert "delete one first" in text(lines)
    assert len(options(lines, "drop")) == MOST_LINES
    with pytest.raises(TooManyBranches, match=f"{MOST_LINES} lines"):
        await club.bot.its(TryOuts).begin(table, member.id)
    assert len(await club.bot.store.branches.of_user(table.game.id, member.id)) == MOST_LINES


async def test_a_press_on_a_board_that_moved_on_shows_the_board(club: Club) -> None:
    table, member, old = await begun(club)
    one = (await club.bot.its(TryOuts).of(table, member.id))[0][0]
    moved = await club.bot.its(TryOuts).move(one, [(await one.position.choices())[0]])
    told = private_answer(await press(member, old, offered(old)[0]))
    assert "moved on" in text(told)
    assert revision(told) == str(moved.position.seq)
    with pytest.raises(Outdated):
        await club.bot.its(TryOuts).move(one, [(await one.position.choices())[0]])
    with pytest.raises(Outdated):
        await club.bot.its(TryOuts).move(moved, [(await moved.position.choices())[0]], seen=one.position.seq)


async def test_a_line_is_its_owners_alone_and_only_while_they_have_the_seat(club: Club) -> None:
    table = await club.begin(3, "1889")
    mine, other = club.who("p1", table), club.who("p2", table)
    number = int(place(await open_board(club)).split("-")[1])
    with pytest.raises(TableError, match="no longer kept"):
        await club.bot.its(TryOuts).get(table.game.id, number, other.id)
    await club.bot.its(TryOuts).remove(table, other.id, number)
    await club.bot.its(TryOuts).get(table.game.id, number, mine.id)
    table.seats["p1"] = replace(table.seats["p1"], user_id=999)
    with pytest.raises(TableError, match="seat that you do not have"):
        await club.bot.its(TryOuts).get(table.game.id, number, mine.id)
    assert await club.bot.its(TryOuts).of(table, mine.id) == ([], [])


async def test_once_the_game_is_over_a_line_that_is_gone_leads_to_no_try_out(club: Club) -> None:
    table, member, board = await begun(club, 1)
    lines = club.bot.its(TryOuts)
    one = (await lines.of(table, member.id))[0][0]
    await lines.remove(table, member.id, one.branch.id)
    with pytest.raises(TableError, match=r"\*Try out\*"):
        await lines.get(table.id, one.branch.id, member.id)
    await table.end_here()
    told = text(await click(member, board, "Back"))
    assert "what was tried out is dropped when the game ends" in told
    assert "*Try out*" not in told


@pytest.mark.parametrize(("options", "allowed"), [("", False), ("open_treasuries", True)])
async def test_whoever_watches_tries_out_only_where_all_lies_open(club: Club, options: str, allowed: bool) -> None:
    await club.begin(3, "1889", options=options)
    assert ("Try out" in buttons(await more(club.fumi, club.packet()))) is allowed
    if allowed:
        assert "Trying out" in text(private_answer(await tool(club.fumi, club.packet(), "Try out")))
    else:
        with pytest.raises(TableError, match="only its players"):
            await club.bot.its(TryOuts).begin(await club.table(), club.fumi.id)


@pytest.mark.broad
async def test_a_line_that_leads_to_the_end_of_the_game_says_so(club: Club) -> None:
    await near_the_end(club)
    board = await play_on(club, club.aiko, await open_board(club), 60)
    assert "**Then the game would be over.** " in text(board)
    assert not offered(board)


async def test_nothing_is_tried_out_in_a_game_that_is_over(club: Club) -> None:
    table = await club.begin(3, "1889")
    await open_board(club)
    await table.end_here()
    with pytest.raises(TableError, match="over"):
        await club.bot.its(TryOuts).begin(table, club.aiko.id)
    assert await club.bot.store.branches.of_user(table.game.id, table.seats["p1"].user_id) == []


async def test_a_turn_that_is_ended_after_a_purchase_is_told_in_a_sentence(club: Club) -> None:
    """The game tells of no such pass, and a line showed the button's name: “Aiko: Pass”."""
    table = await club.begin(3)
    begin_at(table, *position("1889", 3).stock(turn=2).par("AR", 80).shares("AR", p2=5).cash(p1=200, p2=0).build())
    lines, p1 = club.bot.its(TryOuts), PlayerId("p1")
    one = await lines.move(await lines.begin(table, club.aiko.id), [BuyShare(p1, CorpId("AR"), IPO)])
    one = await lines.move(one, [Pass(p1)])
    bought, ended = one.tell([move for move in one.ahead if move.action.by == p1])
    assert "buys 10 % of **AR**" in bought
    assert ended == "**Aiko** ends the turn."


# Chance and secrets


async def test_chance_shows_what_it_is_told_or_draws(club: Club) -> None:
    table = await club.begin(3, "1890", options="tigers_die")
    pending = (*table.position.state.pending, Pending("tigers", CHANCE, "Hanshin"))
    table.position.state.pending = pending
    one = await club.bot.its(TryOuts).begin(table, table.seats["p1"].user_id)
    screen = await board_screen(one)
    labels = {button.label: button.code for row in screen.rows if isinstance(row, tuple) for button in row}
    assert "Chance decides" in screen.text
    assert [one.code for row in screen.rows if isinstance(row, Select) for one in row.options][2] == "RollDie|3"
    assert labels["Draw"] == "board|draw"
    shown = await club.bot.its(TryOuts).move(one, [RollDie(CHANCE, 3)])
    assert "3" in shown.tell(shown.moves)[0]
    drawn = await club.bot.its(TryOuts).draw(await club.bot.its(TryOuts).back(shown))
    assert "drawn by chance" in drawn.tell(drawn.moves)[0]
    with pytest.raises(TableError, match="Nothing is drawn"):
        await club.bot.its(TryOuts).draw(drawn)


async def played_screens(club: Club, table: Table, seed: int) -> list[str]:
    """Everything that a line of the first seat shows over some moves chosen by chance."""
    chance, trying = random.Random(seed), club.bot.its(TryOuts)
    one = await trying.begin(table, table.seats["p1"].user_id)
    found = []
    for _ in range(8):
        for screen in (await board_screen(one), await compared_screen(one), await others_screen(one)):
            found += [screen.text, str(screen.rows), *(image.alt for image in screen.images)]
        found += [(await why_not_screen(one, seat)).text for seat in one.position.up if seat != CHANCE]
        actions = await one.position.choices()
        one = await trying.move(one, [chance.choice(actions)])
    found += [str(one.assumed), follow_screen(one).text]
    await trying.remove(table, one.branch.user_id, one.branch.id)
    return found


@pytest.mark.broad
@pytest.mark.rule("1889-SEC-03", "1860-SEC-02", "1890-VAR-05")
@pytest.mark.parametrize(
    ("title", "options", "turns"),
    [
        ("1889", "", 50),
        pytest.param("1889", "", 110, marks=pytest.mark.slow),
        pytest.param("1860", "", 60, marks=pytest.mark.slow),
        pytest.param("1860", "", 110, marks=pytest.mark.slow),
        ("1890", "hidden_cash", 12),
        pytest.param("1890", "hidden_cash", 40, marks=pytest.mark.slow),
        pytest.param("1890", "hidden_cash", 90, marks=pytest.mark.slow),
    ],
)
async def test_what_others_hide_changes_nothing_on_a_board(club: Club, title: str, options: str, turns: int) -> None:
    """Two games that differ only in what the first player may not know: moved between purses, as the bank shows."""
    table = await club.begin(4, title, options=options)
    chance = random.Random(turns)
    purses: list[str] = []
    while len(purses) < 2 or len(table.moves) < turns:
        action = choose(table.title, table.position.state, chance)
        if not isinstance(action, EndGame):
            await table.submit(action, user=table.seats[action.by].user_id)
        state = table.position.state
        hidden = hidden_purses(table.title, state, PlayerId("p1"))
        purses = [one for one in hidden if one in {*state.names, *state.floated}]
    before = await played_screens(club, table, turns)
    purses.sort(key=lambda one: -state.cash[one])
    room = state.cash[purses[0]] - least(state, purses[0])
    assert room > 10
    state.cash[purses[0]] -= room - 3
    state.cash[purses[1]] += room - 3
    assert await played_screens(club, table, turns) == before


async def test_hidden_money_is_assumed_and_may_be_assumed_otherwise(club: Club) -> None:
    table = await club.begin(3, "1890", options="hidden_cash")
    member = club.who("p1", table)
    board = await open_board(club)
    assert "Assumed, as you cannot see it" in text(board)
    form = await chosen(member, board, "Assume…")
    filled = form.modal["components"][0]["component"]["value"].splitlines()
    amounts = dict(line.split(": ") for line in filled)
    said = form.modal["components"][0]["description"].replace(",", "")
    assert f"¥{sum(map(int, amounts.values()))} together" in said
    (one, had), (other, has), *rest = amounts.items()
    wrong = private_answer(await member.submit_modal(form, {"amounts": f"{one}: 1"}))
    assert "they hold" in text(wrong)
    board = await click(member, wrong, "◀ To the board")
    assert "Trying out" in text(board)
    form = await chosen(member, board, "Assume…")
    unread = private_answer(await member.submit_modal(form, {"amounts": "Nobody: 1"}))
    assert "Write a line for each" in text(unread)
    form = await member.click(unread, label="Correct it…")
    problem, field = form.modal["components"]
    assert "Write a line for each" in problem["content"]
    assert field["component"]["value"] == "Nobody: 1"
    moved = f"{one}: {int(had) - 7}\n{other}: {int(has) + 7}"
    board = private_answer(await member.submit_modal(form, {"amounts": moved}))
    assert f"{int(had) - 7}" in text(board).replace(",", "")
    assert not rest
    form = await chosen(member, board, "Assume…")
    assert len(form.modal["components"]) == 1
    assert form.modal["components"][0]["component"]["value"] == moved


async def test_what_was_refused_is_forgotten_once_the_line_is_another(club: Club) -> None:
    await club.begin(3, "1890", options="hidden_cash")
    table = await club.table()
    member = club.who("p1", table)
    form = await chosen(member, await open_board(club), "Assume…")
    stored = form.modal["components"][0]["component"]["value"]
    refused = private_answer(await member.submit_modal(form, {"amounts": "Nobody: 1"}))
    board = await play_on(club, member, await click(member, refused, "◀ To the board"), 1)
    form = await chosen(member, board, "Assume…")
    assert [one["component"]["value"] for one in form.modal["components"]] == [stored]


async def test_whoever_can_begin_no_line_is_offered_none(club: Club) -> None:
    table = await club.begin(3, "1890", options="hidden_cash")
    board = await open_board(club)
    member = club.who("p1", table)
    await click(member, board, "Pass")
    await club.leave(member)
    answered = await click(member, board, "Pass")
    assert "You keep none." in text(answered)
    assert "New line from now" not in buttons(answered)


async def test_a_form_of_an_earlier_position_of_the_line_changes_no_money(club: Club) -> None:
    member = club.who("p1", await club.begin(3, "1890", options="hidden_cash"))
    board = await open_board(club)
    form = await chosen(member, board, "Assume…")
    filled = form.modal["components"][0]["component"]["value"]
    (one, had), (other, has) = (line.split(": ") for line in filled.splitlines())
    await play_on(club, member, board, 1)
    moved = f"{one}: {int(had) - 7}\n{other}: {int(has) + 7}"
    said = text(private_answer(await member.submit_modal(form, {"amounts": moved})))
    assert MOVED_ON in said
    assert f"¥{had}" in said


# Programs


async def a_line_of_passes(club: Club, count: int) -> tuple[Table, Any, Any]:
    """The table, the second player, and their board with so many passes on it."""
    table = await club.begin(3, "1889")
    ben = club.who("p2", table)
    board = await open_board(club, "p2")
    for _ in range(count):
        board = await click(ben, board, "Pass")
    return table, ben, board


@pytest.mark.core
async def test_my_moves_of_a_line_are_made_while_the_others_move_as_in_it(club: Club) -> None:
    table, ben, board = await a_line_of_passes(club, 2)
    question = await click(ben, board, "Make these my programs")
    assert "-# if: **Aiko** passes." in text(question)
    assert "1. **Ben** passes." in text(question)
    done = await click(ben, question, "Play them for me")
    assert "✓ Plays one of your moves from your line **Line 1**" in text(done)
    assert table.moves == []
    await club.who("p1", table).click(club.packet(), label="Pass")
    assert [one.action for one in table.moves] == [Pass(PlayerId("p1")), Pass(PlayerId("p2"))]
    assert (table.moves[-1].user, table.moves[-1].note) == (ben.id, None)
    assert table.orders.desk("p2").kept == ()
    assert "It is done." in await answer(tool(ben, club.packet(), "My hand"))


async def test_my_moves_of_a_line_are_not_made_where_somebody_moves_otherwise(club: Club) -> None:
    table, ben, board = await a_line_of_passes(club, 5)
    await click(ben, await click(ben, board, "Make these my programs"), "Play them for me")
    other = next(one for one in await table.position.actions("p1") if not isinstance(one, Pass))
    await table.submit(other, user=table.seats["p1"].user_id)
    assert [one.action for one in table.moves] == [other]
    assert table.position.up == ("p2",)
    assert "moved differently from your line" in await answer(tool(ben, club.packet(), "My hand"))


async def test_what_is_done_out_of_turn_is_left_to_its_player(club: Club) -> None:
    """No program makes it: what would follow it is not promised."""
    table = await club.begin(3)
    laid = position("1889", 3).par("IR", 80).shares("IR", president="p1", p1=4).par("AR", 80).private(E="p2").phase("3")
    begin_at(table, *laid.shares("AR", president="p3", p3=3).cash(p1=500, p2=500, p3=500).stock("p1", 3).build())
    p1, p2 = PlayerId("p1"), PlayerId("p2")
    lines = club.bot.its(TryOuts)
    one = await lines.begin(table, table.seats["p2"].user_id)
    for action in (Pass(p1), Pass(p2), ExchangePrivate(p2, PrivateId("E"))):
        one = await lines.move(one, [action])
    assert one.to_follow() == (Pass(p1), Pass(p2))


async def test_another_line_replaces_the_one_that_is_played_and_a_moved_game_wants_another_look(club: Club) -> None:
    table, ben, board = await a_line_of_passes(club, 2)
    board = await click(ben, await click(ben, board, "Make these my programs"), "Play them for me")
    board = await click(ben, board, "Another line from here")
    question = await click(ben, board, "Make these my programs")
    await click(ben, question, "Play them for me")
    passes = (Pass(PlayerId("p1")), Pass(PlayerId("p2")))
    assert [one.program for one in table.orders.desk("p2").kept] == [Follow(name="Line 2", moves=passes)]
    one = (await club.bot.its(TryOuts).of(table, ben.id))[0][0]
    with pytest.raises(Outdated):
        await club.bot.its(TryOuts).follow(one, table.position.seq + 1, 7)


async def test_an_old_question_makes_no_moves_that_it_did_not_list(club: Club) -> None:
    """The line has gone on since, beside the message that asks."""
    table, ben, board = await a_line_of_passes(club, 2)
    question = await click(ben, board, "Make these my programs")
    lines = club.bot.its(TryOuts)
    one = (await lines.of(table, ben.id))[0][0]
    for seat in ("p3", "p1", "p2"):
        one = await lines.move(one, [Pass(PlayerId(seat))])
    told = await click(ben, question, "Play them for me")
    assert "This line or its game has moved on" in text(told)
    assert "5 moves ahead of the game" in text(told)
    assert table.orders.desk("p2").kept == ()


@pytest.mark.parametrize(("reader", "told"), [(None, "Your bid"), ("p1", "Your bid"), ("p2", "Aiko's bid")])
async def test_a_form_on_a_board_names_who_bids_unless_it_is_the_reader(
    club: Club, reader: str | None, told: str
) -> None:
    at = (await club.begin(3)).position
    here = Position(at.title, at.state, at.seq, at.names, at.work, reader=reader)
    bids = [one for one in await here.actions("p1") if isinstance(one, Bid)]
    made = form(here, "x", ["Bid", "B"], bids)
    said = [one.text for one in made.children if isinstance(one, ui.Label)]
    assert said == [told]
