"""Ending a game early: by agreement, by a moderator, or before it has started."""

from __future__ import annotations

from typing import Any

import discord

from bot.chat.client import Bot
from bot.chat.rights import may_cancel, roles
from bot.core import constitution
from bot.core.errors import OVER, NotSeated, TableError
from bot.core.notices import say_notice, vote_notice
from bot.core.table import Table
from bot.words.lexicon import clean_name
from storage import Game, Vote

QUESTION, ASKED = "end", "end asked"
"""The kinds of votes: whether to end the game, and by whom the others were asked."""
ASK_AGAIN = 24 * 3600
"""Seconds for which the others are not pinged again."""


async def vote(bot: Bot, table: Table, user: int, agrees: bool, interaction: int) -> str:
    """Count a vote on ending now; the last one needed ends the game. Return what to tell the voter."""
    if table.position.over:
        raise TableError(OVER)
    choice = "yes" if agrees else "no"
    try:
        votes = await constitution.cast(table, "end", QUESTION, user, choice, interaction=interaction)
    except NotSeated as error:
        raise NotSeated(f"{error} Without one, moderators can end it `at_once`.") from error
    said = constitution.agreed(table, "end", votes)
    missing = [one for one in constitution.voters(table, "end") if one not in said]
    if not missing:
        await table.end_here("agreed by all")
        bot.sender.wake()
        return "✓ Everybody agreed: the game is over."
    if agrees:
        await _ask(bot, table, user, missing, max(one.at for one in votes))
    names = {row.user_id: row.name for row in table.seats.values()}
    names |= {one.owner_id: clean_name(one.owner_name) for one in table.tenures.loans}
    state = "You agree to end the game." if agrees else "You want to play on."
    return f"✓ {state} Still to agree: {', '.join(names[one] for one in missing)}."


async def _ask(bot: Bot, table: Table, user: int, missing: list[int], now: int) -> None:
    """Ask those who have not agreed, unless the table was asked lately."""
    store, game = table.store, table.game.id
    asked: list[Vote] = await store.votes.of_game(game, ASKED)
    if any(one.at > now - ASK_AGAIN for one in asked):
        return
    text = (
        f"<@{user}> proposes to end the game now, with the current standings as the "
        f"result. {' '.join(f'<@{one}>' for one in missing)}: do you agree? It ends once everybody has, within a week."
    )

    async def write() -> None:
        await store.votes.cast(game, ASKED, constitution.seats_voting(table, "end", user)[0])
        await store.outbox.post(game, [vote_notice(QUESTION, text, missing, by=user)])

    await store.together(write)
    bot.sender.wake()


async def end_as_moderator(interaction: discord.Interaction[Any], table: Table) -> str:
    """End the game where it stands, and say in its channel who did it. Raises TableError."""
    if table.position.over:
        raise TableError(OVER)
    constitution.must("end at once", table.game, roles(interaction, table.game, table))
    said = f"<@{interaction.user.id}>, a moderator, ended the game where it stood."
    await table.end_here("by a moderator", user=interaction.user.id, said=said, interaction=interaction.id)
    interaction.client.sender.wake()
    return (
        "✓ The game is over, with the current standings as the result. Its players can take that back together with "
        "`/game undo`."
    )


async def cancel(interaction: discord.Interaction[Any], game: Game) -> str:
    """Cancel a game that has not started. Raises TableError, or Stale if it has by now."""
    if not await may_cancel(interaction, game):
        raise TableError(
            "Only the host or a moderator can cancel a game. Anybody can once its host has "
            "left the server, or after a week. To leave it, use `/game leave`."
        )
    await _drop(interaction, game, f"<@{interaction.user.id}> cancelled the game that had not started.")
    return "✓ The game has been cancelled."


async def end_unread(interaction: discord.Interaction[Any], game: Game, why: TableError) -> str:
    """End a game without a result, since this version of the bot cannot read it. Raises TableError."""
    try:
        constitution.must("end unread", game, roles(interaction, game))
    except TableError as error:
        raise TableError(f"{why} {error}") from why
    await _drop(interaction, game, f"<@{interaction.user.id}> ended the game without a result. Its log is kept.")
    return "✓ The game has ended without a result. Its log is kept."


async def _drop(interaction: discord.Interaction[Any], game: Game, said: str) -> None:
    await interaction.client.store.set_status(
        game.id, "abandoned", expected=game.status, interaction_id=interaction.id, notices=[say_notice(said)]
    )
    interaction.client.sender.wake()
