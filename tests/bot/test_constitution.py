"""Who may change what at a table: every control by everybody in every phase, and what is agreed to or told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from club import Club, buttons, said, text
from days import Day
from player import answer, private_answer
from taken_back import see_what_is_written, taken_back

from bot.core import constitution
from bot.core.errors import NO_RESULT, OVER, TableError
from bot.core.hours import HOUR
from bot.core.pace import PACES
from bot.core.table import Table
from bot.core.table_settings import LASTING, TableSettings
from bot.rooms.programs.room import _switch_on
from bot.rooms.seats import absent, agreeing, lobby
from bot.rooms.seats import handing as seats
from bot.rooms.seats.setup import _may_move, _move
from bot.rooms.time import late
from bot.rooms.turn import asking
from engine.actions import Pass
from engine.errors import Refused
from engine.ids import PlayerId
from programs import PassAhead
from storage import Duplicate, Game, SeatChange

MODERATES = discord.Permissions(manage_guild=True)
FORMER_MODERATOR, OUTSIDER, STRANGER = 999, 888, 777
"""People whom the simulated Discord need not know; the first had a seat, the second may manage the server."""


# What was agreed to


async def test_what_was_agreed_to_changes_only_if_everybody_agrees(club: Club) -> None:
    table = await club.begin(3)
    host, ben, chloe = club.members[:3]
    told = await answer(host.slash(club.channel, "game settings", undo="anyone", newcomers="vote"))
    assert told.startswith("✓ Proposed. Any player can take back the last move")
    assert f"Still to agree: <@{ben.id}> <@{chloe.id}>" in told
    assert any("any player can take back the last move" in one.casefold() for one in said(club))
    assert table.settings == replace(TableSettings(), seats="joined", seed="")
    assert "✓ You agree. Any" in await answer(ben.click(club.newest("Keep them"), label="Agree"))
    assert (await club.table()).settings.undo == "own"
    await chloe.click(club.newest("Keep them"), label="Agree")
    settings = (await club.table()).settings
    assert (settings.undo, settings.newcomers) == ("anyone", "vote")
    assert any("The table has agreed" in one for one in said(club))


async def test_the_host_takes_no_move_of_another_back_by_changing_the_settings(club: Club) -> None:
    table = await club.begin(3)
    host, ben = club.members[:2]
    await host.slash(club.channel, "pass")
    await ben.slash(club.channel, "pass")
    await host.slash(club.channel, "game settings", undo="anyone")
    asked = private_answer(await host.slash(club.channel, "game undo", move=2))
    assert "Undo it" not in buttons(asked)
    assert len(table.moves) == 2


async def test_what_the_host_changes_alone_stays_beside_what_is_agreed_to_at_once(club: Club) -> None:
    host = club.aiko
    await host.slash(club.channel, "game create", title="1890", opponents=2)
    await host.slash(club.channel, "game start")
    await host.slash(club.channel, "game settings", names="local", undo="anyone")
    settings = TableSettings.read((await club.game()).settings)
    assert (settings.names, settings.undo) == ("local", "anyone")


async def test_whoever_agrees_below_a_proposal_agrees_to_that_one(club: Club, day: Day) -> None:
    """They agreed to what was proposed last, whatever stood in the message."""
    table = await club.begin(3)
    host, ben, chloe = club.members[:3]
    await host.slash(club.channel, "pace", bank=30, increment=4, cap=60)
    first = club.newest("Agree")
    await day.passes(60)
    await ben.slash(club.channel, "pace", bank=12, increment=4, cap=60)
    second = club.newest("Agree")
    assert "30 h to begin with" in await answer(chloe.click(first, label="Agree"))
    await ben.click(second, label="Keep the pace")
    assert await answer(chloe.click(second, label="Agree")) == agreeing.WITHDRAWN
    assert await answer(ben.click(first, label="Agree")) == "✓ Everybody agreed."
    assert table.settings.pace.bank == 30


@pytest.mark.parametrize("by", ["withdrawn", "a week"])
async def test_a_proposal_that_nobody_wants_any_more_loses_its_buttons(club: Club, day: Day, by: str) -> None:
    table = await club.begin(3)
    host = club.aiko
    await host.slash(club.channel, "pace", bank=30, increment=4, cap=60)
    if by == "withdrawn":
        await host.click(club.newest("Agree"), label="Keep the pace")
    else:
        await day.passes(7 * 24 * HOUR + 1)
    await day.moves(table, "p1")
    assert [one for one in club.channel.history() if "Agree" in buttons(one)] == []
    assert (agreeing.WITHDREW in said(club), agreeing.LAPSED in said(club)) == (by == "withdrawn", by == "a week")


async def test_a_proposal_keeps_its_buttons_only_until_the_next_comparison_where_discord_failed(
    club: Club, day: Day
) -> None:
    table = await club.begin(3)
    await club.aiko.slash(club.channel, "pace", bank=30, increment=4, cap=60)
    proposal = club.newest("Agree")
    await club.aiko.click(proposal, label="Keep the pace")
    club.env.inject_error("PATCH", f"/channels/*/messages/{proposal.id}", status=403, code=0)
    await day.moves(table, "p1")
    assert agreeing.WITHDREW not in said(club)
    await club.bot.compare()
    await club.says()
    assert agreeing.WITHDREW in said(club)


async def test_whoever_proposes_the_end_anew_asks_anew_once_the_first_message_has_lost_its_buttons(
    club: Club,
) -> None:
    await club.begin(3)
    await club.aiko.slash(club.channel, "game end")
    await club.chloe.slash(club.channel, "game end")
    assert len([one for one in club.channel.history() if "End it" in buttons(one)]) == 1
    for member in (club.aiko, club.chloe):
        await member.slash(club.channel, "game end", agree=False)
    await club.bot.compare()
    await club.says()
    assert not [one for one in club.channel.history() if "End it" in buttons(one)]
    await club.ben.slash(club.channel, "game end")
    assert f"<@{club.ben.id}> proposes to end the game" in text(club.newest("End it"))


@pytest.mark.parametrize(
    ("command", "given", "label"),
    [
        ("game end", {}, "End it"),
        ("pace", {"pace": "gentle"}, "Agree"),
        ("game settings", {"undo": "anyone"}, "Agree"),
    ],
)
async def test_a_vote_asks_whoever_has_got_a_seat_since_from_the_next_comparison_on(
    club: Club, command: str, given: dict[str, Any], label: str
) -> None:
    """And nobody any more who has agreed, or given their seat away."""
    await club.begin(4)
    await club.aiko.slash(club.channel, command, **given)
    await club.daichi.click(club.newest(label), label=label)
    await club.ben.slash(club.channel, "seat give", user=club.fumi)
    await club.fumi.click(club.newest("Accept"), label="Accept")
    await club.bot.compare()
    await club.says()
    question = club.newest(label)
    assert f"<@{club.aiko.id}> proposes" in text(question)
    assert f" <@{club.fumi.id}> <@{club.chloe.id}>: do you agree?" in text(question)
    assert "✓ You agree" in await answer(club.fumi.click(question, label=label))


async def test_what_was_proposed_before_an_end_that_was_taken_back_is_proposed_anew(club: Club) -> None:
    table = await club.begin(3)
    await club.aiko.slash(club.channel, "pace", pace="gentle")
    await table.end_here()
    await club.says()
    await table.undo(user=club.aiko.id, agreed=("p1", "p2", "p3"))
    await club.says()
    await club.ben.slash(club.channel, "pace", pace="gentle")
    assert f"<@{club.ben.id}> proposes another pace" in text(club.newest("Agree"))


async def test_a_proposal_that_everybody_agreed_to_is_no_withdrawn_one(club: Club, day: Day) -> None:
    table = await club.begin(2)
    host, ben = club.members[:2]
    await host.slash(club.channel, "pace", bank=30, increment=4, cap=60)
    await ben.click(club.newest("Agree"), label="Agree")
    await day.moves(table, "p1")
    assert agreeing.SETTLED in said(club)


async def test_a_proposal_that_was_agreed_to_is_not_called_withdrawn_because_another_comes_at_once(club: Club) -> None:
    table = await club.begin(2)
    host, ben = club.members[:2]
    await host.slash(club.channel, "pace", bank=30, increment=4, cap=60)
    (message,) = [one for one in await table.store.messages.live(table.game.id) if one.kind == "vote:pace"]
    await agreeing.agree(table, "pace", ben.id, True, 901)
    await agreeing.propose(table, ben.id, PACES["fast"], 902)
    assert (await agreeing.left(table, message, "pace")).text == "*Nobody proposes this any more.*"


async def test_of_two_proposals_the_one_that_is_withdrawn_loses_its_buttons(club: Club, day: Day) -> None:
    """It kept them, as another on the same question stood."""
    table = await club.begin(3)
    host, ben = club.members[:2]
    await host.slash(club.channel, "pace", bank=30, increment=4, cap=60)
    await day.passes(60)
    await ben.slash(club.channel, "pace", bank=12, increment=4, cap=60)
    await ben.click(club.newest("Agree"), label="Keep the pace")
    await day.moves(table, "p1")
    (open_,) = [one for one in club.channel.history() if "Agree" in buttons(one)]
    assert "30 h to begin with" in text(open_)
    assert agreeing.WITHDREW in said(club)


async def test_one_player_keeps_the_settings_as_they_are(club: Club) -> None:
    table = await club.begin(2)
    host, ben = club.members[:2]
    await host.slash(club.channel, "game settings", suggest=False)
    assert "keep the settings" in await answer(ben.click(club.newest("Keep them"), label="Keep them"))
    assert table.settings.suggest


async def test_whoever_joins_reads_what_they_agree_to_and_what_changes_then(club: Club) -> None:
    host, ben = club.members[:2]
    await host.slash(club.channel, "game create", title="1889")
    await host.slash(club.channel, "game settings", undo="anyone")
    (lobby,) = said(club)
    assert "- Any player can take back the last move.\n- " in lobby, "each term on a line of its own"
    assert LASTING in lobby
    await ben.slash(club.channel, "game join")
    await host.slash(club.channel, "game settings", newcomers="vote")
    await host.slash(club.channel, "pace", pace="fast")
    await club.bot.sender.idle()
    assert "already" in await answer(host.slash(club.channel, "pace", pace="fast"))
    for words in ("majority of the players decides who takes", "Fast"):
        assert len([one for one in said(club) if words in one and "has changed this table" in one]) == 1, words
    assert not any("is the host now" in one for one in said(club))


async def test_another_host_is_told_to_everybody(club: Club) -> None:
    await club.begin(3)
    host, ben = club.members[:2]
    await host.slash(club.channel, "game settings", host=ben)
    await club.bot.sender.idle()
    assert any(f"<@{ben.id}> is the host now" in one for one in said(club))


async def test_who_acts_for_others_as_the_host_is_agreed_to(club: Club) -> None:
    table = await club.begin(3, host_acts=True, options="open_treasuries")
    host, ben, chloe = club.members[:3]
    await host.slash(club.channel, "game settings", host=ben)
    assert table.game.host_id == host.id
    for member in (ben, chloe):
        await member.click(club.newest("Keep them"), label="Agree")
    assert (await club.table()).game.host_id == ben.id


async def test_a_borrower_is_not_made_the_host(club: Club) -> None:
    table = await club.begin(3)
    host, ben, _, daichi = club.members[:4]
    await lend(table, ben.id, daichi.id)
    assert "must be a player" in await answer(host.slash(club.channel, "game settings", host=daichi))


# Votes


async def lend(table: Table, owner: int, borrower: int) -> None:
    seat = table.seats_of(owner)[0]
    await seats.offer(table, owner, seat, "lend", borrower, "Borrower", 3, 901)
    number = table.tenures.proposals[-1].id
    await seats.answer(table, number, borrower, True, 902)


async def test_whoever_lent_their_seat_votes_on_the_end_and_not_who_plays_for_them(club: Club) -> None:
    table = await club.begin(3)
    host, ben, chloe, daichi = club.members[:4]
    await lend(table, ben.id, daichi.id)
    refused = await answer(daichi.slash(club.channel, "game end"))
    assert f"You play for <@{ben.id}>" in refused
    for member in (host, chloe):
        await member.slash(club.channel, "game end")
    assert not table.position.over
    await ben.slash(club.channel, "game end")
    assert table.position.over


@pytest.mark.core
async def test_a_borrower_agrees_to_no_other_pace(club: Club) -> None:
    table = await club.begin(2)
    host, ben, _, daichi = club.members[:4]
    await lend(table, ben.id, daichi.id)
    await host.slash(club.channel, "pace", bank=1, increment=0, cap=1, then="bot")
    assert f"You play for <@{ben.id}>" in await answer(daichi.slash(club.channel, "pace", agree=True))
    assert not table.settings.pace.timed
    await ben.slash(club.channel, "pace", agree=True)
    assert (await club.table()).settings.pace.timed


async def test_nobodys_agreement_is_replaced_by_that_of_somebody_who_need_not_agree(club: Club, day: Day) -> None:
    table = await club.begin(3)
    host, ben, chloe = club.members[:3]
    await day.moves(table, "p1")
    await day.passes(6 * 24 * HOUR)
    await ben.slash(club.channel, "pace", pace="gentle")
    await day.passes(2 * 24 * HOUR)
    assert f"Still to agree: <@{chloe.id}>." in await answer(host.slash(club.channel, "pace", agree=True))
    assert (await club.table()).settings.pace.name == "none"
    await chloe.slash(club.channel, "pace", agree=True)
    assert (await club.table()).settings.pace.name == "gentle"


async def test_whoever_takes_a_seat_over_has_not_voted(club: Club) -> None:
    table = await club.begin(2)
    host, ben, _, daichi = club.members[:4]
    await ben.slash(club.channel, "game end")
    await table.store.tenures.hand_over(table.game.id, SeatChange("p2", "given", ben.id, daichi.id, "Daichi"))
    await host.slash(club.channel, "game end")
    assert not (await club.table()).position.over
    await daichi.slash(club.channel, "game end")
    assert (await club.table()).position.over


async def test_a_moderator_who_plays_ends_no_game_alone(club: Club) -> None:
    role = club.guild.create_role("mods", permissions=MODERATES)
    gina = club.guild.add_member(club.env.create_user("gina", global_name="Gina"), roles=[role])
    club.members[1] = gina
    table = await club.begin(3, rated=True)
    assert "neither have nor had a seat" in await answer(gina.slash(club.channel, "game end", at_once=True))
    await lend(table, gina.id, club.daichi.id)
    assert "neither have nor had a seat" in await answer(gina.slash(club.channel, "game end", at_once=True))
    await seats.end_loan(table, table.tenures.loans[0])
    await seats.leave(table, gina.id, 903)
    assert "neither have nor had a seat" in await answer(gina.slash(club.channel, "game end", at_once=True))
    assert not table.position.over


# Everybody, everything, always

PHASES: dict[str, dict[str, str]] = {
    "lobby": dict.fromkeys(("settings", "pace", "names", "host", "start", "opponents", "rules"), "host")
    | {"cancel": "host judge outsider", "move": "host judge outsider"},
    "running": {
        "settings": "host ben judge daichi", "pace": "host ben judge daichi", "end": "host ben judge daichi",
        "names": "host", "host": "host", "end at once": "outsider", "move": "host judge outsider former_moderator",
        "undo": "host", "pass": "ben", "offer": "ben", "leave": "host ben judge daichi", "open": "host judge daichi",
        "start": "", "opponents": "", "rules": "", "cancel": "", "redo": "", "take": "", "keep": "", "substitute": "",
        "late": "",
    },
    "taken back": {"redo": "ben", "undo": "host", "pass": "ben"},
    "lent": {
        "settings": "host ben judge daichi", "pace": "host ben judge daichi", "end": "host ben judge daichi",
        "names": "host", "host": "host", "end at once": "outsider", "move": "host judge outsider former_moderator",
        "undo": "host", "pass": "borrower", "offer": "", "leave": "host borrower judge daichi",
        "open": "host judge daichi", "take": "ben", "redo": "", "keep": "", "substitute": "", "late": "",
        "accept": "", "refuse": "", "keep closed": "",
    },
    "offered": {
        "accept": "borrower", "refuse": "ben borrower", "take": "borrower", "offer": "ben",
        "leave": "host ben judge daichi", "keep": "", "substitute": "", "keep closed": "",
    },
    "left": {
        "take": "host ben judge daichi former former_moderator outsider follower stranger", "offer": "",
        "substitute": "host judge daichi", "leave": "host judge daichi", "accept": "", "refuse": "", "keep": "",
        "keep closed": "",
    },
    "open": {
        "settings": "host ben judge daichi", "pace": "host ben judge daichi", "end": "host ben judge daichi",
        "end at once": "outsider", "undo": "host", "pass": "ben", "offer": "ben", "keep": "ben",
        "leave": "host ben judge daichi", "substitute": "host judge daichi", "open": "", "redo": "", "late": "",
        "take": "host judge daichi former former_moderator outsider follower stranger",
        "accept": "", "refuse": "", "keep closed": "",
    },
    "late": {
        "settings": "host ben judge daichi", "pace": "host ben judge daichi", "end": "host ben judge daichi",
        "end at once": "outsider", "undo": "host", "pass": "ben", "offer": "ben", "late": "host judge daichi",
        "open": "host judge daichi", "redo": "", "take": "", "keep": "", "substitute": "",
    },
    "over": {
        "names": "host", "move": "host judge outsider former_moderator", "settings": "", "pace": "", "end": "",
        "host": "", "end at once": "", "cancel": "", "start": "", "opponents": "", "rules": "", "undo": "", "redo": "",
        "pass": "", "offer": "", "leave": "", "take": "", "keep": "", "substitute": "", "open": "", "late": "",
    },
}  # fmt: skip
"""By phase and control: who changes something by it. Ben's is the seat about which it is, and his turn; "judge" plays
and moderates; the opponent has a seat, too."""
SEAT = "p2"
OF_SEATS = ("accept", "refuse", "take", "keep", "substitute", "offer", "leave")
"""What the same press does once."""


def presses(bot: Any, game: Game, user: int, roles: Iterable[str], number: int) -> Any:
    """What the bot asks an interaction of this person."""
    moderates = {"judge", "outsider", "former_moderator"} & set(roles)
    return SimpleNamespace(
        id=number,
        client=bot,
        user=SimpleNamespace(id=user),
        permissions=MODERATES if moderates else discord.Permissions(),
        channel_id=game.channel_id,
        channel=None,
        guild=None,
        message=None,
    )


async def position(club: Club, day: Day, phase: str) -> dict[str, int]:
    """The game in this phase, and who is there."""
    host, ben, judge, daichi, emma, fumi, goro = club.members[:7]
    people = {"host": host.id, "ben": ben.id, "judge": judge.id, "daichi": daichi.id}
    others = {"outsider": OUTSIDER, "follower": fumi.id, "stranger": STRANGER}
    await host.slash(club.channel, "game create", title="1889", pace="fast" if phase == "late" else "none")
    for member in (ben, judge, goro):
        await member.slash(club.channel, "game join")
    game = await club.game()
    await lobby.seat_opponent(club.bot.store, game, host.id, "learner")
    if phase == "lobby":
        return {**people, "daichi": goro.id, **others}
    await host.slash(club.channel, "seat order", how="joined")
    await host.slash(club.channel, "game start")
    table = await club.table()
    last = table.seats_of(goro.id)[0]
    for before, after in ((goro, FORMER_MODERATOR), (FORMER_MODERATOR, daichi)):
        given = SeatChange(last, "given", getattr(before, "id", before), getattr(after, "id", after), "Daichi")
        await table.store.tenures.hand_over(game.id, given)
    await table.read_on()
    opponent = next(row.user_id for row in table.seats.values() if row.user_id not in people.values())
    people |= others | {"former": goro.id, "former_moderator": FORMER_MODERATOR, "opponent": opponent}
    await fumi.slash(club.channel, "game follow")
    order = [seat for seat in table.seats if table.position.up == (seat,)]
    assert order == ["p1"]
    await table.submit(Pass(PlayerId("p1")), user=host.id)
    assert table.position.up == (SEAT,)
    assert table.seats[SEAT].user_id == ben.id
    if phase == "taken back":
        await table.submit(Pass(PlayerId(SEAT)), user=ben.id)
        await table.undo(user=ben.id)
    elif phase == "lent":
        await lend(table, ben.id, emma.id)
        people["borrower"] = emma.id
    elif phase == "offered":
        await seats.offer(table, ben.id, SEAT, "lend", emma.id, "Emma", 3, 901)
        people["borrower"] = emma.id
    elif phase == "left":
        await seats.leave(table, ben.id, 903)
    elif phase == "open":
        await absent.open_seat(table, SEAT, "The table agreed.")
    elif phase == "late":
        await club.says()
        await day.passes(60 * HOUR)
    elif phase == "over":
        await table.end_here()
    return people


async def attempt(club: Club, game: Game, what: str, user: int, pressed: Any) -> None:
    """Do it as this person. Raises TableError."""
    bot, number, store = club.bot, pressed.id, club.bot.store
    if what in ("settings", "names", "host"):
        host = next(one.user_id for one in await store.seats(game.id) if one.seat == 3) if what == "host" else None
        name, value = {"settings": ("undo", "anyone"), "names": ("names", "local"), "host": ("host", host)}[what]
        await agreeing.change(bot, game, user, {name: value}, number)
    elif what == "start":
        await lobby.start(store, game, user, number)
    elif what == "opponents":
        await lobby.seat_opponent(store, game, user, "learner", number)
    elif what == "rules":
        await lobby.change_rules(store, game, user, "open_treasuries", number)
    elif what == "cancel":
        await agreeing.cancel(pressed, game)
    elif what == "move":
        if not await _may_move(pressed, game):
            raise TableError("")
        pressed.channel_id = 4242
        await _move(pressed, game)
    elif what == "pace" and game.status == "open":
        await agreeing.set_in_lobby(bot, game, user, PACES["gentle"], number)
    else:
        await attempt_at(await bot.tables.get(game.id), bot, what, user, pressed)


async def attempt_at(table: Table, bot: Any, what: str, user: int, pressed: Any) -> None:
    number = pressed.id
    match what:
        case "pace":
            await agreeing.propose(table, user, PACES["gentle"], number)
        case "end":
            await agreeing.vote_to_end(table, user, True, number)
        case "end at once":
            await agreeing.end_as_moderator(pressed, table)
        case "undo" | "redo":
            await (table.undo if what == "undo" else table.redo)(user=user, interaction=number)
        case "pass":
            await table.submit(Pass(PlayerId(SEAT)), user=user, interaction=number)
        case "offer":
            await seats.offer(table, user, SEAT, "give", 4711, "Somebody", 0, number)
        case "accept" | "refuse":
            await seats.answer(table, 1, user, what == "accept", number)
        case "leave":
            await seats.leave(table, user, number)
        case "take":
            await seats.take(table, user, f"N{user}", SEAT, number)
        case "keep":
            await seats.keep(table, user, SEAT, number)
        case "open" | "keep closed":
            await absent.vote_to_open(table, user, SEAT, what == "open", number)
        case "substitute":
            await absent.propose(table, user, SEAT, number)
        case "late":
            await late.vote(bot, pressed, table, "wait", SEAT, table.position.seq)
        case _:
            raise AssertionError(what)


async def everything(club: Club, game: str) -> list[Any]:
    """All that is stored about the game."""
    db, tables = club.bot.store._db, ("log", "seats", "votes", "loans", "openings", "proposals", "handovers", "clocks")
    rows = [await db.all(f"SELECT * FROM {one} WHERE game = ?", game) for one in tables]
    return [*rows, await db.all("SELECT channel_id, options, settings, status, host_id FROM games WHERE id = ?", game)]


async def sitting(club: Club, game: str) -> dict[int, int]:
    return {row.seat: row.user_id for row in await club.bot.store.seats(game)}


async def changes(club: Club, game: str, what: str, user: int, pressed: Any) -> bool:
    """Whether somebody changes anything by this; it is taken back at once."""
    changed: list[bool] = []

    async def work() -> None:
        before, sat = await everything(club, game), await sitting(club, game)
        try:
            await attempt(club, await club.bot.store.game(game), what, user, pressed)
        except (TableError, Refused):
            changed.append(False)
            assert await everything(club, game) == before, (what, "was refused and changed something")
        else:
            changed.append(await everything(club, game) != before)
            if what in OF_SEATS:
                with pytest.raises((TableError, Duplicate)):
                    await attempt(club, await club.bot.store.game(game), what, user, pressed)
                gained = {user for seat, user in (await sitting(club, game)).items() if sat[seat] != user}
                if what == "take":
                    assert gained == {user} - {*sat.values()}, "who plays already asks the others"
                elif what in ("keep", "offer", "refuse"):
                    assert gained == set()

    await taken_back(club.bot.store, work)
    club.bot.tables.forget(game)
    return changed == [True]


@pytest.mark.long
@pytest.mark.parametrize("phase", list(PHASES))
async def test_nobody_changes_what_is_not_theirs_and_everybody_what_is(
    club: Club, day: Day, phase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await position(club, day, phase)
    game = await club.game()
    monkeypatch.setattr(club.bot.sender, "wake", lambda: None)
    see_what_is_written(club.bot.store, monkeypatch)
    number = 5000
    for what, allowed in PHASES[phase].items():
        assert set(allowed.split()) <= set(people), (phase, what)
        found = []
        for role, user in people.items():
            if role == "opponent" and what == "take":
                continue  # nobody presses anything as an opponent, and anybody takes an open seat
            number += 1
            if await changes(club, game.id, what, user, presses(club.bot, game, user, [role], number)):
                found.append(role)
        assert sorted(found) == sorted(allowed.split()), (phase, what)


@pytest.mark.parametrize(("ended", "says"), [("finished", OVER), ("abandoned", NO_RESULT)])
async def test_what_comes_too_late_is_refused_as_too_late(club: Club, ended: str, says: str) -> None:
    """And not because somebody had no seat, or were not the host."""
    table, host = await club.begin(2), club.aiko.id
    with pytest.raises(TableError, match="already started"):
        constitution.must("start", table.game, constitution.roles_of(host, table.game))
    await table.store.set_status(table.id, ended, expected="running")  # type: ignore[arg-type]
    await table.read_on()
    with pytest.raises(TableError, match=says):
        constitution.must("start", table.game, constitution.roles_of(host, table.game))
    with pytest.raises(TableError, match=says):
        constitution.must_play("wake", table, host)
    for what in ("late", "pace", "settings", "end"):
        with pytest.raises(TableError, match=says):
            constitution.seats_voting(table, what, host)


async def test_in_a_game_that_has_ended_without_a_result_nothing_is_answered_any_more(club: Club) -> None:
    """Whoever was the last to leave still has the seat there."""
    table, (host, ben) = await club.begin(2), club.members[:2]
    for seat, member in (("p1", host), ("p2", ben)):
        await table.submit(Pass(PlayerId(seat)), user=member.id)
    asked = await asking.ask(table, host.id, 1, 901)
    await table.store.set_status(table.id, "abandoned", expected="running")
    await club.says()
    before = await everything(club, table.id)
    for work in (
        asking.refuse(table, ben.id, asked.back.seq),
        asking.agree(table, ben.id, asked.back.seq, 902),
        agreeing.vote_to_run_out(table, host.id, True, 903),
        _switch_on(club.bot, table, PlayerId("p1"), PassAhead(span="once"), 904),
    ):
        with pytest.raises(TableError, match=NO_RESULT):
            await work
    assert await everything(club, table.id) == before


ROLES: dict[constitution.Role, str] = {
    "anybody": "anybody on the server",
    "player": "whoever plays there",
    "owner": "whoever has a seat",
    "host": "the host",
    "moderator": "a moderator",
    "outside moderator": "a moderator who neither has nor had a seat",
}
SHARES: dict[tuple[constitution.Share, constitution.Role], str] = {
    ("all", "owner"): "all who have a seat, lent or not",
    ("all", "player"): "all whom it concerns",
    ("majority", "player"): "a majority of the others who play",
}
HEADS: tuple[constitution.Phase, ...] = ("lobby", "running", "over")


def as_table() -> list[str]:
    """All of it as lines of a table for people, one for each thing that may be done."""
    lines: dict[str, dict[constitution.Phase, str]] = {}
    for one in (one for rights in constitution.CONSTITUTION.values() for one in rights):
        lines.setdefault(one.does, {}).update(dict.fromkeys(one.phases, _said(one)))
    return [f"| {' | '.join([does, *(line.get(phase, '') for phase in HEADS)])} |" for does, line in lines.items()]


def _said(one: constitution.Right) -> str:
    by = [ROLES[role] for role in one.alone]
    by += [] if one.share is None else [SHARES[one.share, one.of]]
    return "; ".join(filter(None, [" or ".join(by), one.also]))


def test_people_can_read_the_constitution() -> None:
    page = (Path(__file__).parents[2] / "docs" / "playing.md").read_text(encoding="utf-8")
    missing = [line for line in as_table() if line not in page]
    assert missing == []
