"""What buttons and lists do. One handler for each word that a code may begin with."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord

from bot import codes, deals, hands, laying, lobby, packet, pictures, running
from bot.components import acknowledge, in_private, show_privately, view
from bot.errors import NotYourTurn, Passed, TableError
from bot.forms import form
from bot.laying import check_fresh
from bot.menus import add_controls, add_menu
from bot.parts import Button, Screen
from bot.people import clean_name
from bot.table import Table
from engine.actions import ACTIONS, Action, Bid, BidToChoose, EndGame
from engine.ids import PlayerId
from storage import Notice

if TYPE_CHECKING:
    from bot.client import Bot


@dataclass(frozen=True, slots=True)
class Press:
    """One press: who, where, and the code that was on the control."""

    bot: Bot
    interaction: discord.Interaction[Any]
    game: str
    seq: int
    parts: list[str]

    @property
    def user(self) -> int:
        return self.interaction.user.id

    async def table(self) -> Table:
        return await self.bot.tables.get(self.game)


Handler = Callable[[Press], Awaitable[None]]


async def press(bot: Bot, interaction: discord.Interaction[Any], game: str, seq: int, code: str) -> None:
    """Do what the code says. Raises what `errors.explain` knows."""
    word, *parts = codes.split(code)
    given = Press(bot, interaction, game, seq, parts)
    if word not in ACTIONS and word not in HANDLERS:
        raise TableError("This button is of an older version of the bot. Open the newest message of the game.")
    try:
        await (_do(given, word, code) if word in ACTIONS else HANDLERS[word](given))
    except Passed as error:
        table = await given.table()
        if seq <= table.position.seq or in_private(interaction) or interaction.message is None:
            raise
        # No game goes backwards but by restoring a backup, or by damage; then no message has controls that work.
        await bot.herald.show_anew(table, interaction.message)
        raise TableError(
            "Nothing was done: an older copy of this game was restored since, and the message of the lost position "
            "is closed. The game goes on from a new message."
        ) from error


async def _do(given: Press, word: str, code: str) -> None:
    """Submit the action that the control carries."""
    await acknowledge(given.interaction, shows=False)
    table = await given.table()
    check_fresh(table.position, given.seq)
    seat = await _acting_seat(table, given.user, code)
    if word == "RunTrains":
        if len(given.parts) not in (2, 3):
            raise TableError("This button is incomplete.")
        effort = running.read_effort(given.parts[2]) if len(given.parts) == 3 else 0
        action: Action = await running.proposed(table.position, seat, given.parts[1], effort)
    else:
        action = codes.read_action(code, seat)
    await act(given.bot, given.interaction, table, action, given.seq)


async def _acting_seat(table: Table, user: int, code: str) -> PlayerId:
    """The person's own seat, unless the host acts for the one that is asked."""
    seat = table.seat_for(user)
    mine = table.seats_of(user)
    if seat in mine or not mine or code.startswith("RunTrains"):
        return seat
    return seat if code in map(codes.action_code, await table.position.actions(seat)) else mine[0]


async def act(
    bot: Bot, interaction: discord.Interaction[Any], table: Table, action: Action, seen: int | None, also: str = ""
) -> None:
    """Submit an action, or offer it to the other side of a deal, and tell the person who pressed, with `also` added."""
    if isinstance(action, EndGame):
        raise TableError("The game ends early only if everybody agrees: `/game end`.")
    other = deals.needs_consent(table, action)
    user = interaction.user.id
    if not table.may_act(user, action.by):
        raise NotYourTurn("That is not yours to decide.")
    if other is not None:
        await deals.make(table, action, other, seen=seen, interaction=interaction.id)
        asked = table.position.lexicon().player(other)
        text = f"{deals.described(table, action, public=False)}\n{asked} is asked to agree."
    else:
        label = table.position.labels().of(action)
        position = await table.submit(action, user=user, seen=seen, interaction=interaction.id)
        lines = packet.told_lines(table, [one for one in table.told if one.seq == position.seq])
        text = "\n".join(f"✓ {line}" for line in lines) or f"✓ {label}"
    bot.herald.wake()
    await _confirm(interaction, Screen(f"{text}\n{also}".rstrip(), game=table.game.id, seq=table.position.seq))


async def _confirm(interaction: discord.Interaction[Any], screen: Screen) -> None:
    """Say privately that it is done, unless the public message shows it anyway."""
    if interaction.type is discord.InteractionType.component and not in_private(interaction):
        return
    await show_privately(interaction, screen)


# Lists and pictures for one person


async def _menu(given: Press) -> None:
    """A private list of the actions of one kind."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    position = table.position
    check_fresh(position, given.seq)
    seat = table.seat_for(given.user)
    kind = ACTIONS[given.parts[0]]
    found = [action for action in await position.actions(seat) if isinstance(action, kind)]
    screen = Screen(game=given.game, seq=position.seq)
    if not found:
        if seat not in position.up or kind not in position.secret():
            _refuse_idle(table, seat)
        screen.text = "You can do nothing of this kind now. What you can do:"
        add_controls(screen, await position.actions(seat), position.labels(seat))
        await show_privately(given.interaction, screen)
        return
    subject = given.parts[1] if len(given.parts) > 1 else ""
    labels = position.labels(seat)
    row = labels.company(subject or str(position.decision.subject or ""))
    screen.text = "\n".join(hands.company_lines(row, position.lexicon())) if row else "Choose:"
    add_menu(screen, kind, found, labels, subject)
    await show_privately(given.interaction, screen)


def _refuse_idle(table: Table, seat: PlayerId) -> None:
    if seat not in table.position.up:
        waiting = ", ".join(table.names.get(one, one) for one in table.position.up)
        raise NotYourTurn(f"It is not your turn: the game waits for {waiting}.")
    raise TableError("There is nothing to choose here now.")


async def _lay(given: Press) -> None:
    await _laying(given, laying.hex_screen)


async def _hex(given: Press) -> None:
    await _laying(given, laying.tile_screen)


async def _laying(given: Press, make: Callable[..., Awaitable[Screen]]) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    check_fresh(table.position, given.seq)
    seat = table.seat_for(given.user)
    if seat not in table.position.up and given.parts[0] == "LayTile":
        _refuse_idle(table, seat)
    await show_privately(given.interaction, await make(table.position, given.game, seat, *given.parts))


async def _try(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    check_fresh(table.position, given.seq)
    seat = table.seat_for(given.user)
    action = laying.read_try(given.parts, seat)
    await show_privately(given.interaction, await laying.preview_screen(table.position, given.game, seat, action))


async def _routes(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    check_fresh(table.position, given.seq)
    seat = table.seat_for(given.user)
    await show_privately(
        given.interaction, await running.routes_screen(table.position, given.game, seat, given.parts[0])
    )


async def _further(given: Press) -> None:
    """Search on for better routes, and show what is known then."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    position = table.position
    check_fresh(position, given.seq)
    seat = table.seat_for(given.user)
    if seat not in position.up:
        _refuse_idle(table, seat)
    corp, effort = given.parts[0], running.read_effort("".join(given.parts[1:]))
    await running.proposals(position, seat, corp)  # raises where there are none
    if in_private(given.interaction):
        await show_privately(given.interaction, Screen("Searching further; this may take some minutes…"))
    try:
        await position.proposals(seat, effort)
        check_fresh(table.position, given.seq)
        screen = await running.routes_screen(position, given.game, seat, corp)
    except Passed as passed:
        screen = Screen(str(passed))
    await show_privately(given.interaction, screen)


async def _ask(given: Press) -> None:
    """Open a form; Discord wants it as the first answer, so nothing slow comes before it."""
    table = await given.table()
    check_fresh(table.position, given.seq)
    seat = table.seat_for(given.user)
    if seat not in table.position.up:
        _refuse_idle(table, seat)
    bids: list[Bid | BidToChoose] = []
    if given.parts[0] in ("Bid", "BidToChoose"):
        bids = [action for action in await table.position.actions(seat) if isinstance(action, Bid | BidToChoose)]
    await given.interaction.response.send_modal(form(table.position, given.game, given.parts, bids))


async def _hand(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    if not mine:
        raise TableError("You have no seat in this game. `/game table` shows what everybody holds.")
    screen = await hands.hand_screen(table, mine[0])
    await show_privately(given.interaction, screen)


async def _show(given: Press) -> None:
    """A picture for whoever asks."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    screen = Screen(game=given.game, seq=table.position.seq, footer=packet.where(table.position))
    if given.parts[0] == "map":
        screen.images = [await pictures.map_image(table.position)]
    elif given.parts[0] == "market":
        screen.images = [await pictures.market_image(table.position)]
    elif given.parts[0] == "privates":
        screen = hands.privates_screen(table)
    elif given.parts[0] == "tiles":
        screen.images = [await pictures.tiles_image(table.position)]
    else:
        screen.images = [await pictures.table_image(table.position, mine[0] if mine else None)]
    await show_privately(given.interaction, screen)


# Taking back, passing ahead, deals, the end


async def _undo(given: Press) -> None:
    """Ask first: the message shows what would be taken back."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    if given.parts[:1] != ["sure"]:
        live = [one for one in table.told if not one.automatic]
        if not live:
            raise TableError("There is nothing to take back.")
        lines = packet.told_lines(table, live[-1:])
        screen = Screen("**Take this back?**\n" + "\n".join(f"- {line}" for line in lines), game=given.game)
        screen.seq = table.position.seq
        screen.buttons(Button("Take it back", "undo|sure", "danger"))
        await show_privately(given.interaction, screen)
        return
    check_fresh(table.position, given.seq)
    await table.undo(user=given.user, interaction=given.interaction.id)
    given.bot.herald.wake()
    await show_privately(given.interaction, Screen("✓ Taken back. `/game redo` brings it back."))


async def _pass(given: Press) -> None:
    """Set or end a standing pass."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    text = await set_standing_pass(given.bot, table, given.user, given.parts[0], given.interaction.id)
    await show_privately(given.interaction, Screen(text))


async def set_standing_pass(bot: Bot, table: Table, user: int, kind: str, interaction: int) -> str:
    """Set, change or end the person's standing pass; what to tell them."""
    mine = table.seats_of(user)
    if not mine:
        raise TableError("You have no seat in this game.")
    await table.set_order(mine[0], None if kind == "stop" else kind, interaction=interaction)
    bot.herald.wake()
    return {
        "once": "✓ You pass at your next turn, unless somebody touches a company that you hold.",
        "round": "✓ You pass until this round ends, or somebody touches a company that you hold.",
    }.get(kind, "✓ You no longer pass by yourself.")


async def _answer(given: Press, accept: bool) -> None:
    await acknowledge(given.interaction, shows=False)
    table = await given.table()
    text = await deals.answer(
        table, int(given.parts[0]), user=given.user, accept=accept, interaction=given.interaction.id
    )
    given.bot.herald.wake()  # first: the answer may come too late for Discord
    await given.interaction.edit_original_response(view=view(Screen(text)))
    if given.interaction.message is not None:
        await given.bot.store.messages.retire([given.interaction.message.id])


async def _price(given: Press) -> None:
    """Tell buyer and seller the price that is secret to the others."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    text = await deals.priced(table, int(given.parts[0]), user=given.user)
    await show_privately(given.interaction, Screen(text))


async def _vote(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    text = await vote_to_end(given.bot, table, given.user, given.parts[0] == "yes", given.interaction.id)
    await show_privately(given.interaction, Screen(text))


async def vote_to_end(bot: Bot, table: Table, user: int, agrees: bool, interaction: int) -> str:
    """Count a vote on ending now; the last one needed ends the game. What to tell the voter."""
    mine = table.seats_of(user)
    if not mine:
        raise TableError("Only the players of this game can agree to end it.")
    if table.position.over:
        raise TableError("The game is over already.")
    votes = await table.store.votes.cast(
        table.game.id, "end", mine[0], "yes" if agrees else "no", interaction_id=interaction
    )
    for extra in mine[1:]:
        votes = await table.store.votes.cast(table.game.id, "end", extra, "yes" if agrees else "no")
    said = {vote.seat for vote in votes if vote.choice == "yes"}
    if said >= set(table.seats):
        await table.end_by_consent(seen=table.position.seq)
        bot.herald.wake()
        return "✓ Everybody agreed: the game is over."
    missing = [table.names[seat] for seat in table.seats if seat not in said]
    if agrees and len(said) == len(set(mine)):
        pings = [row.user_id for seat, row in table.seats.items() if seat not in mine]
        who = table.position.lexicon().player(mine[0])
        text = (
            f"{who} proposes to end the game now; the present worth would be the result. "
            f"{' '.join(f'<@{one}>' for one in pings)}: `/game end` agrees, `/game end agree:False` does not."
        )
        await table.store.outbox.post(table.game.id, [Notice("say", json.dumps({"text": text, "ping": pings}))])
        bot.herald.wake()
    state = "You agree to end the game." if agrees else "You want to play on."
    return f"✓ {state} Not agreed yet: {', '.join(missing)}."


# The lobby


async def _join(given: Press) -> None:
    game = await given.bot.store.game(given.game)
    await join(given.bot, game.id, given.interaction)
    await _redraw_lobby(given)


async def join(bot: Bot, game_id: str, interaction: discord.Interaction[Any], *, once: bool = True) -> None:
    """Sit the person down; raises what the storage raises. `once`: remember the interaction as having joined."""
    game = await bot.store.game(game_id)
    _, limit = lobby.players_of(game)
    name = clean_name(interaction.user.display_name, interaction.user.name)
    await bot.store.join(
        game.id, interaction.user.id, name, limit=limit, interaction_id=interaction.id if once else None
    )


async def _leave(given: Press) -> None:
    await given.bot.store.leave(given.game, given.user, interaction_id=given.interaction.id)
    await _redraw_lobby(given)


async def _redraw_lobby(given: Press) -> None:
    game = await given.bot.store.game(given.game)
    screen = lobby.lobby_screen(game, await given.bot.store.seats(given.game))
    await given.interaction.response.edit_message(view=view(screen), allowed_mentions=discord.AllowedMentions.none())


async def _start(given: Press) -> None:
    game = await given.bot.store.game(given.game)
    await lobby.start(given.bot.store, game, given.user, given.interaction.id)
    given.bot.herald.wake()  # first: the answer may come too late for Discord
    await _redraw_lobby(given)


HANDLERS: dict[str, Handler] = {
    "menu": _menu,
    "lay": _lay,
    "hex": _hex,
    "try": _try,
    "routes": _routes,
    "further": _further,
    "ask": _ask,
    "hand": _hand,
    "show": _show,
    "undo": _undo,
    "pass": _pass,
    "yes": lambda given: _answer(given, True),
    "no": lambda given: _answer(given, False),
    "price": _price,
    "vote": _vote,
    "join": _join,
    "leave": _leave,
    "start": _start,
}
