"""What a table decides together: its pace, its settings, whether it ends early, and whether its end is run out.

Before the start, and in some things afterwards, the host decides alone. What cannot be done raises TableError, and the
rest returns what to tell the person.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord

from bot.chat import codes
from bot.chat.client import Bot
from bot.chat.rights import may_cancel, roles
from bot.chat.screen import Button, Screen
from bot.core import clock as clocks
from bot.core import clockwork, constitution, desks
from bot.core.constitution import LASTS, NO, YES, Ballot, ballot, roles_of, seats_voting, voices, voters
from bot.core.errors import OVER, NotSeated, TableError
from bot.core.hours import DAY
from bot.core.notices import LobbyNotice, VoteNotice, queued, read_notice, say_notice
from bot.core.pace import Pace, told
from bot.core.table import Table
from bot.core.table_settings import TableSettings, told_terms
from bot.rooms.seats.handing import is_asked
from bot.rooms.seats.lobby import redraw_lobby, told_to_others
from bot.words.lexicon import clean_name, mentions
from engine.plain import plain, read_fields
from programs import RunOut
from storage import Game, Message, Notice, OutboxItem, Vote

NAMED = {"english": "Place names are in English", "local": "Place names are in the local language"}
ENDS = (
    "{user} proposes to end the game now, with the current standings as the result. {others}: do you agree? "
    "It ends once everybody agrees, within a week."
)
RUNS_OUT = (
    "{user} proposes to run the game out: every company runs its best routes and pays out, everybody passes, and no "
    "share changes hands. {others}: do you agree? It begins once everybody agrees, within a week, and any player can "
    "stop it."
)
SETTLED = "*This was settled.*"
WITHDREW = "*Nobody proposes this any more.*"
LAPSED = "*This proposal has lapsed.*"
"""What is left of a vote that is over."""
ALREADY = "That is already the case."
WITHDRAWN = "Nobody proposes that any more: something else has been proposed since."
SAME_PACE = "That is the pace of this game already."
PLAY_ON = "✓ You want to play on."
NOT_NOW = "The game is being run out already, or its end is not near."


@dataclass(frozen=True, slots=True)
class VoteWords:
    """What a table may be asked, as people read it."""

    yes: str
    no: str
    proposes: str
    """What the others read: who proposes it, who is asked, and what."""
    kept: str = ""
    """The answer to whoever would rather not."""
    nothing: str = ""
    """The answer to whoever agrees to nothing."""


RUN_OUT = "runout"
WORDS = {
    "end": VoteWords("End it", "Play on", ENDS),
    RUN_OUT: VoteWords("Run it out", "Play on", RUNS_OUT),
    "pace": VoteWords(
        "Agree",
        "Keep the pace",
        "{user} proposes another pace. {what}. {others}: do you agree? It takes effect once everybody does.",
        "✓ You would rather keep the pace as it is.",
        "Nobody has proposed another pace. `/pace` with a pace proposes one.",
    ),
    "settings": VoteWords(
        "Agree",
        "Keep them",
        "{user} proposes to change what you agreed to. {what}. {others}: do you agree? It takes effect once everybody "
        "does.",
        "✓ You would rather keep the settings as they are.",
        "Nobody has proposed other settings. `/game settings` proposes some.",
    ),
}


async def say_vote(bot: Bot, item: OutboxItem, asked: VoteNotice) -> None:
    """Ask for votes, unless it is settled by now."""
    if await bot.messages.sent_before(item, remember=True):
        return
    screen = await _screen(await bot.tables.get(item.game), asked)
    if screen is None:
        await bot.store.outbox.drop(item, "the vote is over")
        return
    free = await clockwork.pinged_for(bot.store, item.game, asked.ping, item.id, "vote", asked.by)
    await bot.messages.post(item, screen, free, remember=True)


async def _screen(table: Table, asked: VoteNotice) -> Screen | None:
    """What is asked by now: of whoever has not agreed, also in a seat that was another's at first."""
    vote, words = await _ballot(table, asked.question), WORDS[asked.question]
    wanted = _wanting(vote.votes, asked.mark)
    if table.position.over or not wanted:
        return None
    choice = wanted[-1].choice
    text = _proposal(asked.question, choice, asked.by, vote.missing(choice))
    return Screen(text, game=table.game.id, seq=table.position.seq).buttons(
        Button(words.yes, codes.join("vote", asked.question, YES, *filter(None, [asked.mark])), "success"),
        Button(words.no, codes.join("vote", asked.question, NO)),
    )


async def asks(table: Table, message: Message, question: str) -> Screen | None:
    body = await table.store.outbox.body_of(message.message_id)
    asked = None if body is None else read_notice(message.kind, body)
    return await _screen(table, asked) if isinstance(asked, VoteNotice) else None


async def stands(table: Table, message: Message, question: str) -> bool:
    """Whether what the message asks is still to be decided: somebody wants it, and may have it."""
    if table.position.over:
        return False
    vote = await ballot(table, "run out" if question == RUN_OUT else question, question, ())
    return bool(await _for_it(table, message, vote.votes))


async def left(table: Table, message: Message, question: str) -> Screen:
    """What is left of a vote that is over, which what was agreed to leaves no votes of."""
    votes = await table.store.votes.of_game(table.game.id, question)
    if table.position.over or not votes:
        return Screen(SETTLED)
    return Screen(LAPSED if await _for_it(table, message, votes) else WITHDREW)


async def _for_it(table: Table, message: Message, votes: Sequence[Vote]) -> list[Vote]:
    """Those of the votes that want what the message proposes."""
    body = await table.store.outbox.body_of(message.message_id)
    return _wanting(votes, json.loads(body or "{}").get("mark", ""))


def _wanting(votes: Sequence[Vote], mark: str) -> list[Vote]:
    return [one for one in votes if one.choice != NO and mark in ("", _mark_of(one.choice))]


def _mark_of(choice: str) -> str:
    """What tells a proposal from the others on the same question, in the id of a button."""
    return hashlib.sha256(choice.encode()).hexdigest()[:10]


# What the host decides alone


async def change(bot: Bot, game: Game, user: int, wanted: Mapping[str, Any], interaction: int) -> str:
    """Change these settings, of which "host" is the host's id, or propose that where it takes everybody."""
    settings = TableSettings.read(game.settings)
    table = None if game.status == "open" else await bot.tables.get(game.id)
    now = {name: game.host_id if name == "host" else getattr(settings, name) for name in wanted}
    asked = {name: one for name, one in wanted.items() if one != now[name]}
    if "host" in asked:
        seats = await bot.store.seats(game.id)
        players = {one.user_id for one in seats} if table is None else {*voices(table, "owner").values()}
        if asked["host"] not in players:
            raise TableError("The new host must be a player of this game.")
    together = {name: one for name, one in asked.items() if _is_agreed(name, settings, game)}
    alone = {name: one for name, one in asked.items() if name not in together}
    if not asked:
        raise TableError(ALREADY)
    for name in alone:
        constitution.must(_line(name, settings), game, roles_of(user, game, table))
    if together and table is not None:
        seats_voting(table, "settings", user)
    said = []
    if alone:
        host = alone.pop("host", None)
        names = NAMED.get(alone.get("names", ""), "")
        parts = [told_terms(alone), names, f"<@{host}> is the host now" if host else ""]
        what = ". ".join(filter(None, parts))
        await _change_alone(bot, game, user, replace(settings, **alone), what, interaction, host)
        said.append("✓ Settings changed.")
    if together and table is not None:
        terms = json.dumps(together, sort_keys=True)
        async with table.steady():
            said.append(await _vote(table, "settings", user, terms, None if said else interaction))
    return "\n".join(said)


def _line(name: str, settings: TableSettings) -> str:
    """The line of the constitution about this setting."""
    if name == "host" and settings.host_acts:
        return "acting host"
    return name if name in ("host", "names") else "settings"


def _is_agreed(name: str, settings: TableSettings, game: Game) -> bool:
    """Whether a change of this is for everybody to agree to now. Raises TableError once the game is over."""
    line = constitution.right(_line(name, settings), game)
    if line is None:
        raise TableError(OVER)
    return line.share is not None


async def set_in_lobby(bot: Bot, game: Game, user: int, pace: Pace, interaction: int) -> str:
    constitution.must("pace", game, roles_of(user, game))
    settings = TableSettings.read(game.settings)
    if pace == settings.pace:
        raise TableError(SAME_PACE)
    await _change_alone(bot, game, user, replace(settings, pace=pace), f"Pace: {told(pace)}", interaction)
    return f"✓ {told(pace)}."


async def _change_alone(
    bot: Bot, game: Game, user: int, settings: TableSettings, what: str, interaction: int, host: int | None = None
) -> None:
    """Change a game, and tell those who have joined, apart from whoever changes it."""
    said = await told_to_others(bot.store, game, user, f"<@{user}> has changed this table. {what}.")
    await bot.store.change_game(
        game.id,
        settings=settings.text(),
        host_id=host,
        expected_version=game.version,
        interaction_id=interaction,
        notices=said,
    )
    if game.status == "open":
        await redraw_lobby(bot, game.id)


# What everybody agrees to


async def propose(table: Table, user: int, pace: Pace, interaction: int) -> str:
    """Propose another pace, which counts as agreeing to it."""
    async with table.steady():
        if pace == table.settings.pace:
            raise TableError(SAME_PACE)
        return await _vote(table, "pace", user, json.dumps(plain(pace), sort_keys=True), interaction)


async def agree(table: Table, what: str, user: int, agrees: bool, interaction: int, mark: str = "") -> str:
    """Agree to the pace or the settings of this mark, or else to what was proposed last; or not."""
    async with table.steady():
        vote = await ballot(table, what, what, voters(table, what))
        proposed = vote.proposed
        if proposed is None:
            raise TableError(WORDS[what].nothing)
        if mark:
            proposed = next((one.choice for one in vote.votes if _mark_of(one.choice) == mark), None)
        if proposed is None:
            raise TableError(WITHDRAWN)
        return await _vote(table, what, user, proposed if agrees else NO, interaction)


async def _vote(table: Table, what: str, user: int, choice: str, interaction: int | None) -> str:
    """Count a vote, with what follows from it: the last one changes the table, and the first one asks the others.

    Nobody else votes meanwhile, and whoever could have moved for a week is not asked.
    """
    before = await _ballot(table, what)
    if choice == NO:
        await before.cast(user, choice, interaction=interaction)
        return WORDS[what].kept
    terms, said = _terms(what, choice)
    first = not any(one.choice == choice for one in before.votes)

    async def write() -> Ballot:
        vote = await before.cast(user, choice, interaction=interaction)
        if not vote.lacking(choice):
            await _adopt(table, what, terms, said)
        elif first or not await is_asked(table, f"vote:{what}", table.store.clock() - LASTS):
            await _ask(vote, user, choice, _mark_of(choice))
        return vote

    vote = await table.store.together(write)
    if vote.lacking(choice):
        return f"✓ {'Proposed' if first else 'You agree'}. {said}. Still to agree: {mentions(vote.missing(choice))}."
    return "✓ Everybody agreed."


def _terms(what: str, choice: str) -> tuple[dict[str, Any], str]:
    """What is proposed, also in words."""
    terms: dict[str, Any] = json.loads(choice)
    if what == "pace":
        pace = Pace(**read_fields(Pace, terms))
        return {"pace": pace}, told(pace)
    return terms, told_terms(terms)


def _proposal(question: str, choice: str, user: int | None, missing: Sequence[int]) -> str:
    what = "" if choice == YES else _terms(question, choice)[1]
    return WORDS[question].proposes.format(user=f"<@{user}>", what=what, others=mentions(missing))


async def _ballot(table: Table, question: str) -> Ballot:
    """The question to whoever decides it; for what was agreed to, whoever could have moved for a week is left out."""
    what, gone = "run out" if question == RUN_OUT else question, set[int]()
    if what in ("pace", "settings"):
        look = await clockwork.look(table.store, table.game, by_now=True)
        gone = {one.user for one in look.clock.runs if look.present(one) > LASTS}
    return await ballot(table, what, question, voters(table, what, but_for=gone))


async def _adopt(table: Table, what: str, terms: Mapping[str, Any], said: str) -> None:
    store, game = table.store, table.game
    changed = {name: one for name, one in terms.items() if name != "host"}
    now = TableSettings.read((await store.game(game.id)).settings)  # which nobody changes any more
    settings = replace(now, **changed).text()
    agreed = [say_notice(f"The table has agreed. {said}."), table.shown()]
    await store.change_game(game.id, settings=settings, host_id=terms.get("host"), notices=agreed)
    over = map(clocks.about_late, table.seats) if what == "pace" else ()
    await store.votes.clear(game.id, what, *over)
    if what == "pace":
        given = await clockwork.around(store, replace(game, settings=settings), table.seats.values())
        await store.clocks.change(game.id, clockwork.step(clocks.repaced, given))


# Ending early, and running the game out


async def vote_to_end(table: Table, user: int, agrees: bool, interaction: int) -> str:
    """Count a vote on ending now; the last one needed ends the game."""
    async with table.steady():
        if table.position.over:
            raise TableError(OVER)
        try:
            before = await _ballot(table, "end")
            if not agrees and before.proposed is None:
                raise TableError("Nobody has proposed to end this game.")
            vote = await before.cast(user, YES if agrees else NO, interaction=interaction)
        except NotSeated as error:
            raise NotSeated(f"{error} Moderators who never had a seat in it can end it `at_once`.") from error
        if not vote.lacking():
            await table.end_here()
            return "✓ Everybody agreed: the game is over."
        if agrees and not await is_asked(table, "vote:end", table.store.clock() - DAY):
            await _ask(vote, user)
    return _still_to_agree(vote, f"You {_does(before)} to end the game.") if agrees else PLAY_ON


async def vote_to_run_out(table: Table, user: int, agrees: bool, interaction: int) -> str:
    """Count a vote on having the rest played by itself; with the last one needed that begins."""
    async with table.steady():
        table.must_go_on()
        if not desks.may_be_run_out(table):
            raise TableError(OVER if table.position.over else NOT_NOW)
        before = await _ballot(table, RUN_OUT)

        async def write() -> Ballot:
            vote = await before.cast(user, YES if agrees else NO, interaction=interaction)
            if vote.lacking() and agrees and not (before.agreed() and await is_asked(table, f"vote:{RUN_OUT}")):
                await _ask(vote, user)
            return vote

        vote = await table.store.together(write)
        if not vote.lacking():
            await desks.agree(table, RunOut(), RUN_OUT)
            return "✓ Everybody agreed: the table runs the game out."
    return _still_to_agree(vote, f"You {_does(before)} to run it out.") if agrees else PLAY_ON


async def stop(table: Table, user: int, interaction: int) -> str:
    constitution.must_play("stop", table, user)
    await desks.stop(table, user, interaction=interaction)
    return "✓ Stopped: everybody plays on by hand."


async def _ask(vote: Ballot, user: int, choice: str = YES, mark: str = "") -> None:
    """Ask whoever has not agreed yet; `mark` tells the proposal from others on the same question."""
    notice = VoteNotice(vote.question, tuple(vote.missing(choice)), user, mark)
    await vote.table.store.outbox.post(vote.table.game.id, [queued(notice)])


def _does(before: Ballot) -> str:
    """What somebody does who votes for it now: whoever is first proposes it."""
    return "agree" if before.agreed() else "propose"


def _still_to_agree(vote: Ballot, said: str) -> str:
    table = vote.table
    names = {row.user_id: row.name for row in table.seats.values()}
    names |= {one.owner_id: clean_name(one.owner_name) for one in table.tenures.loans}
    return f"✓ {said} Still to agree: {', '.join(names[one] for one in vote.missing())}."


async def end_as_moderator(interaction: discord.Interaction[Any], table: Table) -> str:
    """End the game where it stands, and say in its channel who did it."""
    if table.position.over:
        raise TableError(OVER)
    constitution.must("end at once", table.game, roles(interaction, table.game, table))
    await table.end_here(moderator=interaction.user.id, interaction=interaction.id)
    return (
        "✓ The game is over, with the current standings as the result. Its players can take that back together with "
        "`/game undo`."
    )


async def cancel(interaction: discord.Interaction[Any], game: Game) -> str:
    """Cancel a game that has not started. Raises Stale if it has by now."""
    if not await may_cancel(interaction, game):
        raise TableError(
            "Only the host or a moderator can cancel a game. Anybody can once its host has "
            "left the server, or after a week. To leave it, use `/game leave`."
        )
    await _drop(interaction, game, "cancelled the game that had not started.", queued(LobbyNotice(again=True)))
    return "✓ The game has been cancelled."


async def end_unread(interaction: discord.Interaction[Any], game: Game, why: TableError) -> str:
    """End a game without a result, since this version of the bot cannot read it."""
    try:
        constitution.must("end unread", game, roles(interaction, game))
    except TableError as error:
        raise TableError(f"{why} {error}") from why
    await _drop(interaction, game, "ended the game without a result. Its log is kept.")
    return "✓ The game has ended without a result. Its log is kept."


async def _drop(interaction: discord.Interaction[Any], game: Game, did: str, *more: Notice) -> None:
    said = say_notice(f"<@{interaction.user.id}> {did}")
    await interaction.client.store.set_status(
        game.id, "abandoned", expected=game.status, interaction_id=interaction.id, notices=[said, *more]
    )
