"""Opening a game, seats and votes, as the house finds them: /seat, buttons, and what the channel is told."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.answers import FAILURES, acknowledge, in_private, out_of_reach, show_privately, tell
from bot.chat.client import Bot
from bot.chat.commands import LONG_TEXT, Interaction, folded, matching, mentioned, or_nothing, table_here
from bot.chat.layout import view
from bot.chat.press import Press, of_table, showing, telling
from bot.chat.rights import is_gone, must_be_able_to_post
from bot.chat.room import Handler, Room
from bot.chat.screen import Screen
from bot.core import clockwork
from bot.core.constitution import YES
from bot.core.errors import TableError
from bot.core.notices import LOBBY, LobbyNotice, PostNotice, SayNotice, VoteNotice
from bot.core.opponents import is_person
from bot.core.table import Table
from bot.core.table_settings import ChosenOrder
from bot.rooms.seats import absent, agreeing, handing, lobby, posts
from bot.rooms.seats import screen as screens
from bot.rooms.turn.cards import own_seat
from bot.words.lexicon import listed
from storage import VACANT, Game, Message, OutboxItem, StorageError, Unavailable
from storage.shapes import ProposalKind

log = logging.getLogger("tetsudo.seats")
DAYS = app_commands.Range[int, 1, handing.LONGEST_LOAN]


class SeatsCommands(commands.GroupCog, group_name="seat", group_description="Who sits where"):
    @app_commands.command()
    @app_commands.describe(how="The seat order", players="For “chosen”: mention the players in seat order")
    async def order(self, interaction: Interaction, how: ChosenOrder, players: LONG_TEXT = "") -> None:
        """Choose how people are seated: at random, as they joined, or in your order"""
        store = interaction.client.store
        game = await interaction.client.tables.game_in(interaction.channel_id or 0)
        settings = lobby.must_prepare("order", game, interaction.user.id)
        if how == settings.seats != "chosen":
            raise TableError(agreeing.ALREADY)
        settings = replace(settings, seats=how)
        if how == "chosen":
            wanted = mentioned(players)
            joined = {seat.user_id for seat in await store.seats(game.id) if is_person(seat.user_id)}
            if set(wanted) != joined or len(wanted) != len(joined):
                raise TableError("Mention everyone who has joined, once each, in seat order. Opponents sit after you.")
            settings = replace(settings, order=tuple(wanted))
        await store.change_game(game.id, settings=settings.text(), expected_version=game.version)
        await lobby.redraw_lobby(interaction.client, game.id)
        await tell(interaction, f"✓ Seat order: {how}.")

    @app_commands.command()
    @app_commands.describe(user="Who plays for you", days="For how long", seat="Which seat, if you have several")
    async def lend(self, interaction: Interaction, user: discord.Member, days: DAYS, seat: str | None = None) -> None:
        """Let somebody play for you for some days; your seat comes back by itself"""
        await _offer(interaction, "lend", user, days, seat)

    @app_commands.command()
    @app_commands.describe(user="Who goes on", seat="Which seat, if you have several")
    async def give(self, interaction: Interaction, user: discord.Member, seat: str | None = None) -> None:
        """Give your seat to somebody for the rest of the game"""
        await _offer(interaction, "give", user, 0, seat)

    @app_commands.command()
    @app_commands.describe(seat="Whose seat: one that is open, offered to you, lent by you, or that was yours")
    async def take(self, interaction: Interaction, seat: str | None = None) -> None:
        """Take a seat that is open or offered to you, or take back one that you have lent or lost"""
        table = await table_here(interaction)
        possible = await handing.takeable(table, interaction.user.id)
        chosen = _seat_named(table, seat, possible)
        if chosen is None:
            raise TableError(
                "There is no seat for you to take: none is open, offered to you, lent by you, or was yours lately."
                if not possible
                else f"Whose seat? You can take that of {listed(table.names[one] for one in possible)}."
            )
        await _take(interaction, table, chosen)

    @app_commands.command(name="open")
    @app_commands.describe(player="Whose seat")
    async def open_(self, interaction: Interaction, player: discord.Member) -> None:
        """Open the seat of somebody who is absent, as the host or by a majority of the others"""
        table = await table_here(interaction)
        said = await _open(interaction, table, next(iter(table.seats_of(player.id)), ""))
        await tell(interaction, said, table.id)

    @app_commands.command(name="list")
    async def list_(self, interaction: Interaction) -> None:
        """Who sits where, and which seats are open, lent or offered"""
        await show_privately(interaction, screens.seats_screen(await table_here(interaction)))

    @take.autocomplete("seat")
    @lend.autocomplete("seat")
    @give.autocomplete("seat")
    @or_nothing
    async def _seats(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        table = await table_here(interaction)
        user, takes = interaction.user.id, interaction.command is self.take
        if table.game.status != "running" or table.position.over:
            return []
        own = [one for one in table.seats_of(user) if table.tenures.loan(one) is None]
        seats = await handing.takeable(table, user) if takes else own
        return matching([(table.names[seat], seat) for seat in seats], current)


async def _offer(
    interaction: Interaction, kind: ProposalKind, member: discord.Member, days: int, seat: str | None
) -> None:
    user, table = interaction.user.id, await table_here(interaction)
    if member.bot:
        raise TableError("Bots cannot take seats.")
    mine = table.seats_of(user)
    if not mine:
        raise table.not_seated(user)
    own = [one for one in mine if table.tenures.loan(one) is None] or mine  # before those that are lent to them
    chosen = own[0] if seat is None else _seat_named(table, seat, mine)
    if chosen is None:
        raise TableError(handing.NOT_YOURS)
    name = lobby.seat_name(member)
    await interaction.client.present.forget_gone(table.id, "seat:offer")
    said = await handing.offer(table, user, chosen, kind, member.id, name, days, interaction.id)
    await tell(interaction, said, table.id)


def _seat_named(table: Table, text: str | None, possible: Sequence[str]) -> str | None:
    """The one of the possible seats that is meant, by its number or its player's name; None if that is not clear."""
    if text is None:
        return possible[0] if len(possible) == 1 else None
    wanted = folded(text)
    return next((one for one in possible if wanted in (one, folded(table.names[one]))), None)


# What buttons and commands share


async def _take(interaction: Interaction, table: Table, seat: str) -> None:
    """Take a seat, or ask the players for it; whoever has it is told all that they need."""
    user, had = interaction.user, table.seats_of(interaction.user.id)
    await interaction.client.present.forget_gone(table.id, "seat:ask")
    said = await handing.take(table, user.id, lobby.seat_name(user), seat, interaction.id)
    interaction.client.sender.wake()
    if not await _caught_up(interaction, table, had, said):
        await show_privately(interaction, Screen(said))


async def _caught_up(interaction: Interaction, table: Table, had: Sequence[str], said: str) -> bool:
    """Show whoever has a seat that they had not where the game stands; False if they have none."""
    new = next((seat for seat in table.seats_of(interaction.user.id) if seat not in had), None)
    if new is None:
        return False
    await show_privately(interaction, await screens.catch_up_screen(table, new, said), anew=not said)
    return True


async def _open(interaction: Interaction, table: Table, seat: str) -> str:
    holder = table.seats[seat].user_id if seat in table.seats else VACANT
    gone = is_person(holder) and await is_gone(interaction.guild, holder)
    await interaction.client.present.forget_gone(table.id, f"seat:absent:{seat}")
    return await absent.vote_to_open(table, interaction.user.id, seat, gone, interaction.id)


# Presses


def _in_lobby(act: Callable[[Press, Game], Awaitable[None]]) -> Handler:
    """Handles a press in the lobby, which is redrawn by it: Discord allows that even where the bot may do nothing.

    In somebody's private view of it, the channel's is redrawn, too.
    """

    async def handle(given: Press) -> None:
        await acknowledge(given.interaction, shows=False)
        store = given.bot.store
        await act(given, await store.game(given.game))
        given.bot.sender.witnessed(given.game, given.interaction)  # first, as the answer may come too late
        viewer = given.user if in_private(given.interaction) else None
        async with given.bot.its(lobby.Redrawing).of(given.game):
            screen = lobby.lobby_screen(await store.game(given.game), await store.seats(given.game), viewer)
            try:
                await given.interaction.edit_original_response(view=view(screen))
            except FAILURES as error:
                if not out_of_reach(error):
                    raise
                await lobby.redraw_later(given.bot, given.game)
        if viewer is not None:
            await lobby.redraw_lobby(given.bot, given.game)

    return handle


async def _opponent(given: Press, game: Game) -> None:
    """Seat an opponent of a level, or remove one."""
    await lobby.seat_opponent(given.bot.store, game, given.user, given.parts[0], given.interaction.id)
    await lobby.when_full(given.interaction, game.id)


async def _rules(given: Press, game: Game) -> None:
    await lobby.change_rules(given.bot.store, game, given.user, given.parts[0], given.interaction.id)


async def _start(given: Press, game: Game) -> None:
    lobby.must_prepare("start", game, given.user)
    await must_be_able_to_post(given.interaction)
    await lobby.start(given.bot.store, game, given.user, given.interaction.id)
    given.bot.advance(game.id)


async def _leave(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    game = await given.bot.store.game(given.game)
    asked = {"sure": "running", "open": "open"}.get("".join(given.parts))
    if asked == game.status:  # what was asked before the start says nothing of a game that has begun
        said = await lobby.leave(given.bot, given.game, given.user, given.interaction.id)
        await tell(given.interaction, said, given.game)
    else:
        await show_privately(given.interaction, await lobby.leaving(given.bot, given.game, given.user))


async def _press_take(given: Press) -> None:
    await acknowledge(given.interaction, shows=True)
    await _take(given.interaction, await given.table(), given.parts[0])


async def _substitute(table: Table, given: Press) -> str:
    seat = given.parts[0]
    await given.bot.present.forget_gone(given.game, f"seat:sub:{seat}")
    return await absent.propose(table, given.user, seat, given.interaction.id)


async def _answer(given: Press) -> None:
    """Accept, decline or vote on what a message proposes, which then says so."""
    await acknowledge(given.interaction, shows=False)
    table, number, press = await given.table(), int(given.parts[0]), given.interaction
    had = table.seats_of(given.user)
    said = await handing.answer(table, number, given.user, given.word == "accept", press.id)
    about = "" if table.tenures.proposal(number) is None else f"ask:{number}"
    await given.settle(screens.notice_screen(said, about, table.game.id, table.position.seq))
    await _caught_up(press, table, had, "")


async def _vote(given: Press) -> str:
    """Vote on ending the game, on running it out, on another pace, or on other settings."""
    question, answer, *mark = given.parts
    table, agrees, press = await given.table(), answer == YES, given.interaction.id
    if question == "end":
        return await agreeing.vote_to_end(table, given.user, agrees, press)
    if question == agreeing.RUN_OUT:
        await given.bot.present.forget_gone(given.game, f"vote:{question}")
        return await agreeing.vote_to_run_out(table, given.user, agrees, press)
    return await agreeing.agree(table, question, given.user, agrees, press, *mark)


async def _catch_up(table: Table, given: Press) -> Screen:
    table.must_not_be_abandoned()
    return await screens.catch_up_screen(table, own_seat(table, given.user))


async def _rematch(given: Press) -> None:
    """Open another game with the same people."""
    await acknowledge(given.interaction, shows=True)
    await lobby.rematch(given.bot, given.interaction, await given.table())


HANDLERS: dict[str, Handler] = {
    "join": _in_lobby(lambda given, game: lobby.join(given.bot, game, given.interaction)),
    "opponent": _in_lobby(_opponent),
    "rules": _in_lobby(_rules),
    "start": _in_lobby(_start),
    "leave": _leave,
    "take": _press_take,
    "keep": telling(
        of_table(lambda table, given: handing.keep(table, given.user, given.parts[0], given.interaction.id))
    ),
    "substitute": telling(of_table(_substitute)),
    "open": telling(of_table(lambda table, given: _open(given.interaction, table, given.parts[0]))),
    "accept": _answer,
    "refuse": _answer,
    "vote": telling(_vote),
    "stop": telling(of_table(lambda table, given: agreeing.stop(table, given.user, given.interaction.id))),
    "rematch": _rematch,
    "catchup": showing(of_table(_catch_up)),
}


# What the channel is told


async def _say(bot: Bot, item: OutboxItem, said: SayNotice) -> None:
    """Say a sentence, with buttons if it is about a seat."""
    asks = bool(said.about)
    if await bot.messages.sent_before(item, remember=asks):
        return
    screen = screens.notice_screen(said.text, said.about, item.game, item.seq)
    if said.about.startswith("ask:"):
        screen = await _asks(await bot.tables.get(item.game), None, said.about) or screen
    free = await clockwork.pinged_for(bot.store, item.game, said.ping, item.id, said.later or "said", said.by)
    await bot.messages.post(item, screen, free, remember=asks)


async def _stands(table: Table, message: Message, about: str) -> bool:
    """Whether a message about a seat is still to be answered."""
    if not screens.stands(table, about):
        return False
    word, _, seat = about.partition(":")
    if word not in screens.ASKS_TO_OPEN:
        return True
    moved = any(one.seq > message.seq and one.action.by == seat for one in table.moves)
    return not moved and await _since_then(table, message, about)


async def _since_then(table: Table, message: Message, about: str) -> bool:
    """Whether a message about a seat is newer than the last change of who has it."""
    since = max((one.at for one in table.tenures.handovers if one.seat == about.partition(":")[2]), default=0)
    return await table.store.outbox.told(table.game.id, message.kind, since)


async def _asks(table: Table, _: object, about: str) -> Screen | None:
    word, number = about.split(":")
    said = await handing.asks_by_now(table, int(number)) if word == "ask" else None
    return None if said is None else screens.notice_screen(said, about, table.game.id, table.position.seq)


async def _seat_left(table: Table, message: Message, about: str) -> Screen:
    return screens.past_notice(table, about, kept=await _since_then(table, message, about))


async def _lobby_left(table: Table, _: Message, about: str) -> Screen:
    return lobby.lobby_screen(table.game, list(table.seats.values()))


async def _looks(bot: Bot) -> int:
    """Give back the seats whose loans are over, and look for players who have left; how many that were."""
    done = await absent.look_for_absent(bot)
    for loan in await bot.store.tenures.loans_over(bot.clock()):
        try:
            if not bot.is_ours((await bot.store.game(loan.game)).guild_id):
                continue
            await handing.end_loan(await bot.tables.get(loan.game), loan)
            done += 1
        except Unavailable:
            raise
        except (TableError, StorageError) as error:
            log.warning("a loan did not end: %s", error, extra={"game": loan.game})
    return done


ROOM = Room(
    presses=HANDLERS,
    codes={
        **dict.fromkeys(("take", "keep", "substitute", "open"), r"p\d"),
        **dict.fromkeys(("accept", "refuse"), r"\d{1,18}"),
        "vote": r"(?:end|runout|pace|settings)\|(?:yes(?:\|[0-9a-f]{10})?|no)",
        "leave": "(?:sure|open)?",
        "opponent": r"learner|regular|strong|p\d",
        "rules": r"[a-z0-9_]{1,40}",
    },
    says={LobbyNotice: lobby.say_lobby, SayNotice: _say, VoteNotice: agreeing.say_vote, PostNotice: posts.say_post},
    left={LOBBY: _lobby_left, "seat": _seat_left, "vote": agreeing.left},
    stands={"seat": _stands, "vote": agreeing.stands},
    asks={"seat": _asks, "vote": agreeing.asks},
    keeps=lambda bot: (lobby.Redrawing(), absent.Looked(bot.clock())),
    looks=_looks,
    cogs=(SeatsCommands,),
)
