"""What buttons and lists do, with one handler for each word that a code may begin with."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord

from bot.play import opening, seats, shortcuts, undoing
from bot.play.errors import NotSeated, NotYourTurn, Outdated, TableError, UnknownControl
from bot.play.secrecy import secret_kinds
from bot.play.table import Table
from bot.play.written_routes import write_routes
from bot.screens import (
    asking,
    cards,
    codes,
    deals,
    lay_tile,
    lobby,
    pictures,
    rules,
    run_trains,
    teaching,
    what_if,
    why_not,
)
from bot.screens.browser import browser_screen, place_of
from bot.screens.charts import chart_screen
from bot.screens.controls import add_controls, add_menu
from bot.screens.history import Wanted, history_screen
from bot.screens.screen import Image, Screen
from bot.screens.seats import catch_up_screen
from bot.screens.shown import shown
from bot.screens.since import since_own_screen
from bot.text.lessons import LESSONS
from bot.ui import ending, late, mine, seating, server_games, watching
from bot.ui.act import (
    AGREED_TO_UNDO,
    ASKED_TO_UNDO,
    DECLINED_TO_UNDO,
    NO_HAND,
    UNDONE,
    act,
    ask_to_leave,
    help_here,
    join,
    leave,
    set_standing_pass,
)
from bot.ui.answers import acknowledge, in_private, show_privately
from bot.ui.drafts import Draft
from bot.ui.forms import Form, form
from bot.ui.layout import files, view
from bot.ui.posting import must_be_able_to_post
from bot.ui.rematch import rematch
from engine.actions import ACTIONS, Action, Bid, BidToChoose, Par
from engine.ids import CorpId, PlayerId

if TYPE_CHECKING:
    from bot.ui.client import Bot


FORM_SECONDS = 1.5
"""How long a form may take to make. It is itself the first answer, for which Discord waits three seconds."""


@dataclass(frozen=True, slots=True)
class Press:
    """A press: who, where, and the control's code."""

    bot: Bot
    interaction: discord.Interaction[Any]
    game: str
    seq: int
    word: str
    parts: list[str]

    @property
    def user(self) -> int:
        return self.interaction.user.id

    async def table(self) -> Table:
        """The game's table. Raises UnknownControl if the control names what its game does not have."""
        table = await self.bot.tables.get(self.game)
        codes.must_be_of(table.title, self.word, self.parts)
        return table

    def check_fresh(self, table: Table) -> None:
        """Raise Outdated unless the control was made for the current position."""
        if table.position.seq != self.seq:
            raise Outdated()


Handler = Callable[[Press], Awaitable[None]]


async def press(bot: Bot, interaction: discord.Interaction[Any], game: str, seq: int, code: str) -> None:
    """Do what the code says. Raises errors that `answers.explain` can explain."""
    word, parts = codes.read(code)
    given = Press(bot, interaction, game, seq, word, parts)
    if word not in ACTIONS and word not in HANDLERS:
        raise UnknownControl()
    try:
        await (_do(given, word, code) if word in ACTIONS else HANDLERS[word](given))
    except Outdated as error:
        table = await given.table()
        if seq <= table.position.seq or in_private(interaction) or interaction.message is None:
            raise
        # A game only goes backwards if a backup was restored, or by damage; no message has working controls then.
        await bot.sender.show_anew(table, interaction.message)
        raise TableError(
            "Nothing was done: an older copy of this game has been restored, and this position was lost. "
            "The game continues in a new message."
        ) from error


async def _do(given: Press, word: str, code: str) -> None:
    """Submit the action that the control carries, or ask whether it is meant."""
    await acknowledge(given.interaction, shows=False)
    table = await given.table()
    given.check_fresh(table)
    seat = await _acting_seat(table, given.user, code)
    if word == "RunTrains":
        effort = run_trains.read_effort(given.parts[2]) if len(given.parts) == 3 else 0
        action: Action = await run_trains.proposed(table.position, seat, given.parts[1], effort)
    else:
        action = codes.read_action(code, seat)
    await act(given.bot, given.interaction, table, action, given.seq)


async def _sure(given: Press) -> None:
    """Submit an action that was asked about."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    given.check_fresh(table)
    code = codes.join(*given.parts)
    action = codes.read_action(code, await _acting_seat(table, given.user, code))
    await act(given.bot, given.interaction, table, action, given.seq, sure=True)


async def _run(given: Press) -> None:
    """Run the best routes and decide the dividend, declining a token if one could be placed first."""
    await acknowledge(given.interaction, shows=False)
    table, seat = await _asked(given)
    corp, mark, effort, kind = given.parts
    passes = await table.position.passes_to_run(seat)
    if passes is None:
        raise UnknownControl()
    run = await run_trains.proposed(await table.position.after(passes), seat, mark, int(effort))
    decisions = [*passes, run, codes.read_action(codes.join("Dividend", corp, kind), seat)]
    await act(given.bot, given.interaction, table, decisions[0], given.seq, then=decisions[1:])


async def _end(given: Press) -> None:
    """Decline what is left of the company's turn."""
    await acknowledge(given.interaction, shows=False)
    table, seat = await _asked(given)
    position = table.position
    if not shortcuts.ends_turn(table.title, position.state):
        raise UnknownControl()
    first, *then = await position.work.do(shortcuts.to_end_of_turn, table.title, position.state, seat)
    await act(given.bot, given.interaction, table, first, given.seq, then=then)


async def _asked(given: Press) -> tuple[Table, PlayerId]:
    """The table and the person's seat, which must be asked now. Raises Outdated, NotSeated or NotYourTurn."""
    table = await given.table()
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    if seat not in table.position.up:
        _refuse_idle(table, seat)
    return table, seat


async def _acting_seat(table: Table, user: int, code: str) -> PlayerId:
    """The person's own seat, unless the host acts for the one that is asked."""
    seat = table.seat_for(user)
    mine = table.seats_of(user)
    if seat in mine or not mine or code.startswith("RunTrains"):
        return seat
    return seat if code in map(codes.action_code, await table.position.actions(seat)) else mine[0]


# Lists and pictures for one person


async def _menu(given: Press) -> None:
    """A private list of the actions of one kind."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    position = table.position
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    kind = ACTIONS[given.parts[0]]
    legal = [action for action in await position.actions(seat) if isinstance(action, kind)]
    screen = Screen(game=given.game, seq=position.seq)
    if not legal:
        if seat not in position.up or kind not in secret_kinds(position):
            _refuse_idle(table, seat)
        screen.text = "You cannot do that now. What you can do:"
        add_controls(screen, await position.actions(seat), await position.full_labels(seat, seat))
        screen.images = await _menu_images(table, seat, kind)
        await show_privately(given.interaction, screen)
        return
    subject = given.parts[1] if len(given.parts) > 1 else ""
    labels = await position.full_labels(seat, seat)
    row = labels.company(subject or str(position.decision.subject or ""))
    screen.text = "\n".join(cards.company_lines(row, position.lexicon())) if row else "Choose:"
    add_menu(screen, kind, legal, labels, subject)
    screen.images = await _menu_images(table, seat, kind, subject)
    await show_privately(given.interaction, screen)


async def _menu_images(table: Table, seat: PlayerId, kind: type[Action], subject: str = "") -> list[Image]:
    """What a company costs to start, or the decision's card where the public one could not say all."""
    position = table.position
    if kind is Par and subject:
        return [await pictures.par_image(position, seat, CorpId(subject))]
    return await pictures.private_card(position, seat) if kind in secret_kinds(position) else []


def _refuse_idle(table: Table, seat: PlayerId) -> None:
    if seat not in table.position.up:
        raise NotYourTurn.waits_for(table.names.get(one, one) for one in table.position.up)
    raise TableError("There is nothing to choose from now.")


async def _lay(given: Press) -> None:
    await _laying(given, lay_tile.hex_screen)


async def _hex(given: Press) -> None:
    await _laying(given, lay_tile.tile_screen)


async def _laying(given: Press, make: Callable[..., Awaitable[Screen]]) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    if seat not in table.position.up and given.parts[0] == "LayTile":
        _refuse_idle(table, seat)
    await show_privately(given.interaction, await make(table.position, given.game, seat, *given.parts))


async def _try(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    action = lay_tile.read_try(given.parts, seat)
    await show_privately(given.interaction, await lay_tile.preview_screen(table.position, given.game, seat, action))


async def _routes(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    await show_privately(
        given.interaction, await run_trains.routes_screen(table.position, given.game, seat, given.parts[0])
    )


async def _further(given: Press) -> None:
    """Search further for better routes, and show the result."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    position = table.position
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    if seat not in position.up:
        _refuse_idle(table, seat)
    corp, effort = given.parts[0], run_trains.read_effort("".join(given.parts[1:]))
    await run_trains.proposals(position, seat, corp)  # raises where there are none
    if in_private(given.interaction):
        await show_privately(given.interaction, Screen("Searching further; this may take a few minutes…"))
    try:
        await position.proposals(seat, effort)
        given.check_fresh(table)
        screen = await run_trains.routes_screen(position, given.game, seat, corp)
    except Outdated as passed:
        screen = Screen(str(passed))
    await show_privately(given.interaction, screen)


async def _ask(given: Press) -> None:
    """Open a form; if the game must be read from the disk first and that takes long, ask for another press."""
    making = asyncio.create_task(_form(given))
    try:
        made = await asyncio.wait_for(asyncio.shield(making), FORM_SECONDS)
    except TimeoutError:
        await acknowledge(given.interaction, shows=True)
        await making
        raise TableError("That took me a moment. Now I am ready: please press again.") from None
    await given.interaction.response.send_modal(made)


async def _form(given: Press) -> Form:
    table = await given.table()
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    if seat not in table.position.up:
        _refuse_idle(table, seat)
    bids: list[Bid | BidToChoose] = []
    if given.parts[0] in ("Bid", "BidToChoose"):
        bids = [action for action in await table.position.actions(seat) if isinstance(action, Bid | BidToChoose)]
    draft = given.bot.drafts.of(given.user, given.game, given.parts)
    if draft.entered or given.parts[0] != "RunTrains":
        return form(table.position, given.game, given.parts, bids, draft)
    known = await run_trains.proposals(table.position, seat, given.parts[1])
    entered = {"routes": write_routes(table.position.board(), known[0].action.routes)}
    return form(table.position, given.game, given.parts, bids, Draft(entered))


async def _hand(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    if not mine:
        raise TableError(NO_HAND)
    screen = await cards.hand_screen(table, mine[0])
    await show_privately(given.interaction, screen)


async def _why(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    given.check_fresh(table)
    await show_privately(given.interaction, await why_not.why_not_screen(table, table.seat_for(given.user)))


async def _if_pass(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    given.check_fresh(table)
    await show_privately(given.interaction, await what_if.what_if_screen(table, table.seat_for(given.user)))


async def _rule(given: Press) -> None:
    """A rule or a section of rules; they are the same for every game."""
    await acknowledge(given.interaction, shows=True)
    await show_privately(given.interaction, await given.bot.work.do(rules.named_screen, given.parts[0]))


async def _help(given: Press) -> None:
    """A page of help, told of the channel's game."""
    await acknowledge(given.interaction, shows=True)
    await show_privately(given.interaction, await help_here(given.bot, given.interaction, given.parts[0]))


async def _learned(given: Press) -> None:
    """Remember that the person needs no more tips of a kind, or of any, and take the tip from the turn's message."""
    await acknowledge(given.interaction, shows=True)
    table, (kind,) = await given.table(), given.parts
    if kind not in (*LESSONS, teaching.ALL, teaching.AGAIN):
        raise UnknownControl()
    if not table.seats_of(given.user):
        raise NotSeated()
    if kind == teaching.AGAIN:
        await given.bot.store.lessons.forget(given.user)
    else:
        await given.bot.store.lessons.dismiss(given.user, kind)
    if not table.position.over and given.user in {table.seats[seat].user_id for seat in table.position.up}:
        await given.bot.sender.announce(given.game)
    screen = teaching.dismissed_screen(kind)
    screen.game, screen.seq = given.game, given.seq
    await show_privately(given.interaction, screen)


async def _show(given: Press) -> None:
    """Show a picture to whoever asks."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    await show_privately(given.interaction, await shown(table, given.parts[0], mine[0] if mine else None))


async def _chart(given: Press) -> None:
    """Another chart, as far as whoever presses may know."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    await show_privately(given.interaction, await chart_screen(table, given.parts[0], mine[0] if mine else None))


async def _history(given: Press) -> None:
    """Another page of the history, with the same filters."""
    await acknowledge(given.interaction, shows=True)
    page, *wanted = given.parts
    screen = await history_screen(await given.table(), int(page), Wanted(*wanted))
    await show_privately(given.interaction, screen)


async def _past(given: Press) -> None:
    """Another move of the history, in pictures."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    await show_privately(
        given.interaction, await browser_screen(table, place_of(given.parts), mine[0] if mine else None)
    )


async def _since(given: Press) -> None:
    """What happened since the person's own last move."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    await show_privately(given.interaction, await since_own_screen(table, mine[0] if mine else None))


async def _as_text(given: Press) -> None:
    """The page of the history with a move."""
    await acknowledge(given.interaction, shows=True)
    screen = await history_screen(await given.table(), 1, Wanted(), around=int(given.parts[0]))
    await show_privately(given.interaction, screen)


# Taking back, passing ahead, deals, the end


async def _undo(given: Press) -> None:
    """Ask about an undo, do it, ask those concerned for it, or answer for them."""
    way, row = (*given.parts, "", "")[:2]
    seq = int(row) if row else None
    if way in ("yes", "no") and seq is not None:
        await _answer_undo(given, way == "yes", seq)
        return
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    if way in ("", "from"):
        await show_privately(given.interaction, await asking.undo_screen(table, given.user, seq))
        return
    given.check_fresh(table)
    if way == "ask" and seq is not None:
        await undoing.ask(table, given.user, seq, given.interaction.id)
        text = ASKED_TO_UNDO
    else:
        await table.undo(user=given.user, seq=seq, interaction=given.interaction.id)
        text = UNDONE
    given.bot.sender.witnessed(given.game, given.interaction)
    await show_privately(given.interaction, Screen(text))


async def _answer_undo(given: Press, agrees: bool, seq: int) -> None:
    """Agree to a request to undo, or decline it; its message then says so."""
    await acknowledge(given.interaction, shows=False)
    table = await given.table()
    given.check_fresh(table)
    if not agrees:
        await undoing.refuse(table, given.user, seq)
        screen = Screen(DECLINED_TO_UNDO)
    else:
        asked = await undoing.agree(table, given.user, seq, given.interaction.id)
        screen = await asking.request_screen(table, asked) if asked.missing else Screen(AGREED_TO_UNDO)
    given.bot.sender.wake()  # first, as the answer may come too late for Discord
    await given.interaction.edit_original_response(view=view(screen), attachments=files(screen.images))
    if given.interaction.message is not None and not screen.rows:
        await given.bot.store.messages.retire([given.interaction.message.id])


async def _pass(given: Press) -> None:
    """Set or cancel a standing pass."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    text = await set_standing_pass(given.bot, table, given.user, given.parts[0], given.interaction.id)
    await show_privately(given.interaction, Screen(text))


async def _answer(given: Press, accept: bool) -> None:
    await acknowledge(given.interaction, shows=False)
    table = await given.table()
    text = await deals.answer(
        table, int(given.parts[0]), user=given.user, accept=accept, interaction=given.interaction.id
    )
    given.bot.sender.wake()  # first, as the answer may come too late for Discord
    await given.interaction.edit_original_response(view=view(Screen(text)))
    if given.interaction.message is not None:
        await given.bot.store.messages.retire([given.interaction.message.id])


async def _price(given: Press) -> None:
    """Show the buyer or seller a price that is secret from the others."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    text = await deals.priced(table, int(given.parts[0]), user=given.user)
    await show_privately(given.interaction, Screen(text))


async def _late(given: Press) -> None:
    """Vote on what to do about somebody whose time is up."""
    await acknowledge(given.interaction, shows=True)
    way, seat = given.parts
    text = await late.vote(given.bot, given.interaction, await given.table(), way, seat, given.seq)
    await show_privately(given.interaction, Screen(text))


async def _wake(given: Press) -> None:
    """Wake an archived game."""
    await acknowledge(given.interaction, shows=True)
    text = await late.wake(given.bot, await given.table(), given.user)
    given.bot.sender.wake()
    await show_privately(given.interaction, Screen(text))


async def _silence(given: Press) -> None:
    """Send the person no more reminders for this turn."""
    await acknowledge(given.interaction, shows=True)
    await show_privately(given.interaction, Screen(await late.silence(given.bot, given.game, given.user)))


async def _mine(given: Press) -> None:
    """Change the person's own settings, or open a form for them."""
    if given.parts[0] in ("quiet", "away"):
        await mine.ask(given.bot, given.interaction, given.parts[0])
        return
    await acknowledge(given.interaction, shows=True)
    await mine.pressed(given.bot, given.interaction, given.parts)


async def _vote(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    text = await ending.vote(given.bot, table, given.user, given.parts[0] == "yes", given.interaction.id)
    await show_privately(given.interaction, Screen(text))


async def _rematch(given: Press) -> None:
    """Open another game with the same people."""
    await acknowledge(given.interaction, shows=True)
    await rematch(given.bot, given.interaction, await given.table())


# The lobby


async def _join(given: Press) -> None:
    await acknowledge(given.interaction, shows=False)
    await join(given.bot, given.game, given.interaction)
    await _redraw_lobby(given)


async def _leave(given: Press) -> None:
    """Leave, after asking."""
    await acknowledge(given.interaction, shows=True)
    await (leave if given.parts == ["sure"] else ask_to_leave)(given.bot, given.game, given.interaction)


async def _redraw_lobby(given: Press) -> None:
    """By the press itself, which Discord lets edit its message even where the bot may do nothing."""
    game = await given.bot.store.game(given.game)
    screen = lobby.lobby_screen(game, await given.bot.store.seats(given.game))
    await given.interaction.edit_original_response(view=view(screen), allowed_mentions=discord.AllowedMentions.none())


async def _start(given: Press) -> None:
    await acknowledge(given.interaction, shows=False)
    game = await given.bot.store.game(given.game)
    await must_be_able_to_post(given.interaction)
    await opening.start(given.bot.store, game, given.user, given.interaction.id)
    given.bot.sender.witnessed(given.game, given.interaction)  # first, as the answer may come too late
    await _redraw_lobby(given)


# Seats that change hands


async def _take(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    await seating.take(given.bot, given.interaction, await given.table(), given.parts[0])


async def _keep(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    said = await seats.keep(await given.table(), given.user, given.parts[0], given.interaction.id)
    given.bot.sender.wake()
    await show_privately(given.interaction, Screen(said))


async def _open(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    await seating.open_seat(given.bot, given.interaction, await given.table(), given.parts[0])


async def _propose(given: Press, accept: bool) -> None:
    """Answer an offer of a seat, or vote on whoever would like to take one."""
    await acknowledge(given.interaction, shows=False)
    await seating.answer(given.bot, given.interaction, await given.table(), int(given.parts[0]), accept)


async def _catch_up(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    if not mine:
        raise TableError(NO_HAND)
    await show_privately(given.interaction, await catch_up_screen(table, mine[0]))


# Watching


async def _follow(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    await watching.follow(given.bot, given.interaction, given.game, "".join(given.parts))


async def _games(given: Press) -> None:
    """Another page of the server's games."""
    await acknowledge(given.interaction, shows=True)
    await server_games.show(given.bot, given.interaction, int(given.parts[0]))


HANDLERS: dict[str, Handler] = {
    "sure": _sure,
    "run": _run,
    "end": _end,
    "menu": _menu,
    "lay": _lay,
    "hex": _hex,
    "try": _try,
    "routes": _routes,
    "further": _further,
    "ask": _ask,
    "hand": _hand,
    "why": _why,
    "ifpass": _if_pass,
    "rule": _rule,
    "learned": _learned,
    "help": _help,
    "chart": _chart,
    "history": _history,
    "past": _past,
    "astext": _as_text,
    "since": _since,
    "show": _show,
    "undo": _undo,
    "pass": _pass,
    "yes": lambda given: _answer(given, True),
    "no": lambda given: _answer(given, False),
    "price": _price,
    "vote": _vote,
    "rematch": _rematch,
    "late": _late,
    "wake": _wake,
    "silence": _silence,
    "mine": _mine,
    "join": _join,
    "leave": _leave,
    "start": _start,
    "take": _take,
    "keep": _keep,
    "open": _open,
    "accept": lambda given: _propose(given, True),
    "refuse": lambda given: _propose(given, False),
    "catchup": _catch_up,
    "follow": _follow,
    "games": _games,
}
