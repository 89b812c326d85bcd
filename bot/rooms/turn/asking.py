"""Questions asked once more before a decision of weight: they say what would be lost."""

import json
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from bot.chat import codes
from bot.chat.client import Bot
from bot.chat.screen import Button, Screen
from bot.core import clockwork, undoing
from bot.core.constitution import NO, Ballot, ballot
from bot.core.errors import NotYourTurn, TableError
from bot.core.notices import OfferNotice, UndoNotice, queued, say_notice
from bot.core.person import over_at
from bot.core.table import Table
from bot.core.table_settings import TableSettings
from bot.rooms.turn import deals
from bot.words.lexicon import listed, mentions
from bot.words.narration import latest
from engine import Action, PlayerId, to_json
from storage import Game, Message, OutboxItem, Vote

LASTS = 24 * 3600
"""Seconds that those who are asked have for their answer."""
GONE = "This request no longer stands: the game has moved on, it was declined, or it is older than a day. Ask again."
AGREED = "*All agreed: it was taken back.*"
DECLINED = "*This request was declined or withdrawn.*"
NOT_ASKED = "Only those who were asked can answer this request."


def question_of(seq: int, seat: str) -> str:
    """The kind of the votes on whether this seat takes back the decision in this row and what followed."""
    return f"undo {seq} {seat}"


@dataclass(frozen=True, slots=True)
class Request:
    """A request that stands: who asks, what for, and the votes of the asker and of those who are asked."""

    by: PlayerId
    back: undoing.Turnback
    vote: Ballot
    until: int | None
    """When it lapses; None for not before the game moves on."""

    @property
    def missing(self) -> tuple[PlayerId, ...]:
        """Who has not agreed yet."""
        people, seats = self.vote.missing(), self.vote.table.seats
        return tuple(seat for seat in self.back.asked if seats[seat].user_id in people)

    @property
    def agreed(self) -> tuple[PlayerId, ...]:
        return tuple(seat for seat in self.back.asked if seat not in self.missing)


async def ask(table: Table, user: int, seq: int, interaction: int, *, anew: bool = False) -> Request:
    """Ask those concerned, in the channel; `anew`: also if they were. Raises TableError, Outdated, Stale, Duplicate."""
    at = table.position.seq
    async with table.steady():
        table.check_seen(at)
        await table.must_have_its_channel()
        back = undoing.turnback(table, user, seq)
        if not back.asked:
            raise TableError("Nobody needs to agree to that: press **Undo** again.")
        mine = table.seats_of(user)
        for one in await standing(table):
            if one.back.seq == back.seq and one.by in mine and not anew:
                return one  # pressed twice
        store, game, question = table.store, table.game.id, question_of(back.seq, mine[0])
        pings = list(dict.fromkeys(table.seats[one].user_id for one in back.asked))
        before = [one.kind for one in await _votes_on(table, back.seq)]

        async def write() -> None:
            await store.votes.clear(game, *before)
            asked = await ballot(table, "undo", question, [user, *pings])
            await asked.cast(user, seen=at, interaction=interaction)
            await store.outbox.post(game, [queued(UndoNotice(back.seq, tuple(pings)))])

        await store.together(write)
        return await request(table, back.seq)


async def request(table: Table, seq: int) -> Request:
    """The request about this row that stands now. Raises TableError if none does."""
    here = {one.seat: one for one in await _votes_on(table, seq) if one.seq == table.position.seq}
    own = next((one for seat, one in here.items() if one.kind == question_of(seq, seat)), None)
    if own is None or not table.has_person(own.seat):
        raise TableError(GONE)
    user = table.seats[own.seat].user_id
    back = undoing.turnback(table, user, seq)
    until = await _stands_until(table, back.asked, own.at)
    if until is not None and until <= table.store.clock():
        raise TableError(GONE)
    people = [user, *(table.seats[one].user_id for one in back.asked)]
    return Request(PlayerId(own.seat), back, await ballot(table, "undo", own.kind, people), until)


async def standing(table: Table) -> list[Request]:
    votes = [one for one in await table.store.votes.of_game(table.game.id) if one.seq == table.position.seq]
    rows = {int(one.kind.split()[1]) for one in votes if one.kind.startswith("undo ")}
    found = []
    for row in sorted(rows):
        with suppress(TableError):
            found.append(await request(table, row))
    return found


async def _votes_on(table: Table, seq: int) -> list[Vote]:
    """All votes on taking back the decision in this row, whoever asks."""
    votes = await table.store.votes.of_game(table.game.id)
    return [one for one in votes if one.kind.startswith(question_of(seq, ""))]


async def _stands_until(table: Table, asked: Sequence[PlayerId], since: int) -> int | None:
    """When all who were asked have had a day for their answer; None if somebody is away until they are back."""
    store, users = table.store, [table.seats[one].user_id for one in asked]
    people, breaks = await clockwork.people_of(store, users), await store.clocks.breaks()
    ends = [over_at(people[one], since, LASTS, store.clock(), breaks) for one in users]
    return None if None in ends else max((one for one in ends if one is not None), default=since + LASTS)


async def agree(table: Table, user: int, seq: int, interaction: int) -> Request:
    """Agree for one's seats; the last agreement takes it back. Raises TableError, Stale, Duplicate."""
    async with table.steady():
        table.must_go_on()
        await table.must_have_its_channel()
        asked = await request(table, seq)
        if not set(table.seats_of(user)) & set(asked.back.asked):
            raise NotYourTurn(NOT_ASKED)
        vote = await asked.vote.cast(user, seen=table.position.seq)  # again changes nothing; only the undo happens once
        asked = replace(asked, vote=vote)
        if not asked.missing:
            await table.undo(user=table.seats[asked.by].user_id, seq=seq, agreed=asked.agreed, interaction=interaction)
            await table.store.votes.clear(table.game.id, vote.question)
        return asked


async def refuse(table: Table, user: int, seq: int) -> None:
    """Decline, or withdraw one's own request: it no longer stands, as the channel is told and shown.

    Raises TableError.
    """
    async with table.steady():
        table.must_go_on()
        asked = await request(table, seq)
        mine = table.seats_of(user)
        names = table.position.lexicon()
        if asked.by in mine:
            said = f"{names.player(asked.by)} no longer asks to take anything back."
        elif set(mine) & set(asked.back.asked):
            asker = table.seats[asked.by].user_id
            said = f"<@{asker}>: {names.player(mine[0])} does not agree to take that back."
        else:
            raise NotYourTurn(NOT_ASKED)

        async def write() -> None:
            await table.store.votes.clear(table.game.id, asked.vote.question)
            if asked.by not in mine:  # which is all that is left of the request, for `refused`
                await asked.vote.cast(user, NO)
            await table.store.outbox.post(table.game.id, [say_notice(said), table.shown()])

        await table.store.together(write)


async def refused(table: Table, mine: Collection[PlayerId]) -> list[str]:
    """That requests of these seats to take moves back were declined in this position, and by whom."""
    votes, names = await table.store.votes.of_game(table.game.id), table.position.lexicon()
    no = [one for one in votes if (one.seq, one.choice) == (table.position.seq, NO) and one.kind.startswith("undo ")]
    people = dict.fromkeys(table.seats[one.seat].user_id for one in no if one.kind.split()[-1] in mine)
    return [f"{names.player(table.seats_of(one)[0])} has declined your request to take moves back." for one in people]


async def say_undo(bot: Bot, item: OutboxItem, asked: UndoNotice) -> None:
    """Ask for an undo, unless the request no longer stands."""
    if await bot.messages.sent_before(item, remember=True):
        return
    table = await bot.tables.get(item.game)
    try:
        wanted = await request(table, asked.seq)
    except TableError:
        await bot.store.outbox.drop(item, "the request no longer stands")
        return
    screen = request_screen(table, wanted)
    by = table.seats[wanted.by].user_id
    free = await clockwork.pinged_for(bot.store, item.game, asked.ping, item.id, "undo", by)
    await bot.messages.post(item, screen, free, remember=True)


async def say_offer(bot: Bot, item: OutboxItem, asked_for: OfferNotice) -> None:
    """Ask for the answer to an offer, unless it is closed."""
    table = await bot.tables.get(item.game)
    if not await bot.messages.sent_before(item, remember=True):
        offers = [one for one in await bot.store.offers.open(item.game) if one.body == asked_for.action]
        if not offers:
            await bot.store.outbox.drop(item, "the offer is closed")
            return
        asked, by = [table.seats[one].user_id for one in (offers[-1].to_seat, offers[-1].from_seat)]
        free = await clockwork.pinged_for(bot.store, item.game, [asked], item.id, "offer", by)
        await bot.messages.post(item, deals.offer_screen(table, offers[-1]), free, remember=True)
    if item.seq < table.position.seq:  # the turn that was shown meanwhile did not know of it
        for message in await bot.store.messages.live(item.game):
            if (message.kind, message.seq) == (item.kind, item.seq):
                bot.retirer.add(message)


async def offer_again(bot: Bot, table: Table, action: Action) -> deals.Offered | None:
    """Ask once more about an offer that waits, if the message which asked is gone; None if it is there."""
    to_seat = deals.needs_consent(table, action)
    assert to_seat is not None
    notice = queued(OfferNotice(to_seat, json.dumps(to_json(action))))
    asked = await bot.store.outbox.message_of(table.game.id, notice)
    if asked is None or await bot.present.is_there(table.game.channel_id, asked):
        return None
    await bot.store.messages.retire([asked])
    await bot.store.outbox.post(table.game.id, [notice])
    return deals.Offered(to_seat)


async def undo_stands(table: Table, _: Message, row: str) -> bool:
    with suppress(TableError):
        return bool(await request(table, int(row)))
    return False


async def undo_asks(table: Table, _: Message, row: str) -> Screen:
    return request_screen(table, await request(table, int(row)))


async def offer_stands(table: Table, message: Message, to_seat: str) -> bool:
    if message.seq != table.position.seq:
        return False
    offers = [one for one in await table.store.offers.open(table.game.id) if one.to_seat == to_seat]
    notices = [queued(OfferNotice(one.to_seat, one.body)) for one in offers]
    shown = [await table.store.outbox.message_of(table.game.id, one) for one in notices]
    return message.message_id in shown or None in shown  # notices of long ago are not kept


async def offer_left(table: Table, message: Message, to_seat: str) -> Screen:
    """How an offer was answered, wherever that was."""
    for one in await table.store.offers.made_at(table.game.id, message.seq):
        shown = queued(OfferNotice(one.to_seat, one.body))
        if await table.store.outbox.message_of(table.game.id, shown) == message.message_id:
            return deals.answered_screen(table, one)
    return Screen(deals.LAPSED)


async def undo_left(table: Table, message: Message, row: str) -> Screen:
    """How a request to undo was answered, wherever that was."""
    undone = any(
        (one.seq, one.kind) == (message.seq + 1, "undo") and (one.target or 0) < int(row) for one in table.entries
    )
    if undone:
        return Screen(AGREED)
    votes = await _votes_on(table, int(row))
    unanswered = any(one.seq == message.seq and one.choice != NO for one in votes)  # an answer settles them
    return Screen("*This request has lapsed.*" if unanswered else DECLINED)


MOST_LISTED = 15
"""How many lines of what would be taken back are shown."""


def sure_screen(table: Table, action: Action, asked: deals.AskedAgain) -> Screen:
    follows = [f"What follows: {asked.follows}."] if asked.follows else []
    text = "\n".join([f"**{asked.label}?** {asked.warning}", *follows])
    sure = Button(asked.label, codes.join("sure", codes.action_code(action)), "danger")
    return Screen(text, game=table.game.id, seq=table.position.seq).buttons(sure)


def undo_screen(table: Table, user: int, seq: int | None = None) -> Screen:
    """Asks whether to take back the decision in row `seq` and what followed, or to ask the others for it.

    Without a row it is the person's own last decision. Shows what would be taken back. Raises TableError.
    """
    table.must_go_on()
    back = undoing.turnback(table, user, seq)
    text = "\n".join([undo_question(table, user, back), *_listed(table, back)])
    label, way = ("Ask them", "ask") if back.asked else ("Undo it", "sure")
    buttons = [Button(label, codes.join("undo", way, back.seq), "danger")]
    last = undoing.last(table, user)
    if seq is None and last.seq != back.seq:
        buttons.append(Button("Only the last move", codes.join("undo", "from", last.seq)))
    return Screen(text, game=table.game.id, seq=table.position.seq).buttons(*buttons)


def undo_question(table: Table, user: int, back: undoing.Turnback) -> str:
    """Whether to take it back or ask for it, and who must agree or is told."""
    names, whose = table.position.lexicon(), back.taken[0].action.by
    if back.asked:
        asked = listed(names.player(one) for one in back.asked)
        must = "must agree" if len(back.asked) > 1 else "must agree, too"
        return f"**Ask to take this back?** {asked} {must}; the channel is asked, for a day or until the game moves on."
    other = "" if whose in table.seats_of(user) else f"It was {names.player(whose)}'s move, and everybody"
    return f"**Undo this?** {other or 'Everybody'} will be told."


def request_screen(table: Table, asked: Request) -> Screen:
    """The message in which those concerned agree to an undo."""
    names = table.position.lexicon()
    people = mentions(table.seats[seat].user_id for seat in asked.missing)
    lines = [f"### {names.player(asked.by)} asks to take this back", *_listed(table, asked.back)]
    if asked.agreed:
        lines.append(f"Agreed: {listed(names.player(seat) for seat in asked.agreed)}.")
    lines.append(f"{people}: it is taken back as soon as you agree.")
    ends = "when everybody is back" if asked.until is None else f"<t:{asked.until}:R>"
    footer = f"The request ends {ends}, or as soon as the game moves on."
    return Screen("\n".join(lines), footer=footer, game=table.game.id, seq=table.position.seq).buttons(
        Button("Agree", codes.join("undo", "yes", asked.back.seq), "success"),
        Button("Decline", codes.join("undo", "no", asked.back.seq), "danger"),
    )


def _listed(table: Table, back: undoing.Turnback) -> list[str]:
    """What is taken back, the latest lines of it."""
    return [f"- {one}" for one in latest(table.account(back.taken), MOST_LISTED)]


def leave_screen(game: Game, user: int) -> Screen:
    """Asks whether to give up a seat of a game that has not started, or to decline the one kept for the person."""
    if TableSettings.read(game.settings).invited:
        text = "**Decline?** The imported game is then cancelled: nobody can play on here."
        return Screen(text, game=game.id).buttons(Button("Decline for everybody", "leave|open", "danger"))
    host = " You stay its host." if user == game.host_id else ""
    text = f"**Leave this game?** Your seat is then free for somebody else.{host}"
    return Screen(text, game=game.id).buttons(Button("Leave the game", "leave|open", "danger"))
