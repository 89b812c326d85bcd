"""What commands refuse, and in which words, where nothing that they could do is offered."""

from __future__ import annotations

from typing import Any

import pytest
from club import Club
from player import answer

from bot.core.errors import TableError
from bot.core.pace import chosen
from bot.core.written import read_absence, read_week
from bot.rooms.seats.handing import who_may

NOW = 1_750_000_000
NO_SEAT = "You have no seat in this game: you can watch, but not play."
OVER = "The game is already over."
AUCTION = "Opening auction: it is up to you to buy, bid or pass."


async def _come_to(club: Club, state: str) -> None:
    if state == "open":
        await club.aiko.slash(club.channel, "game create", title="1889")
        await club.ben.slash(club.channel, "game join")
    elif state != "none":
        table = await club.begin(3)
        if state == "over":
            await table.end_here()


@pytest.mark.parametrize(
    ("state", "who", "command", "given", "says"),
    [
        ("open", "emma", "game leave", {}, "You have no seat in this game, so there is none to leave."),
        (
            "open",
            "aiko",
            "seat order",
            {"how": "chosen", "players": "us"},
            "Mention everyone who has joined, once each",
        ),
        ("running", "aiko", "game start", {}, "This channel's game has already started."),
        ("running", "emma", "pass", {"when": "round"}, NO_SEAT),
        ("running", "emma", "pass", {"when": "stop"}, NO_SEAT),
        ("running", "aiko", "pace", {"pace": "none"}, "That is the pace of this game already."),
        ("running", "aiko", "game settings", {"undo": "own"}, "That is already the case."),
        ("running", "aiko", "lay", {"hex": "I2", "tile": "5", "rotation": 0}, f"You cannot lay a tile now. {AUCTION}"),
        ("running", "aiko", "run", {}, f"You cannot run the trains now. {AUCTION}"),
        ("running", "aiko", "train discard", {"train": "2"}, f"You cannot discard a train now. {AUCTION}"),
        ("running", "aiko", "game watch", {"stop": True}, "There is no live board of this game here."),
        ("running", "aiko", "bid", {"amount": 25}, "Which private are you bidding on? Please name it."),
        ("over", "aiko", "pace", {"pace": "fast"}, OVER),
        ("over", "aiko", "game end", {}, OVER),
        ("over", "aiko", "game end", {"at_once": True}, OVER),
    ],
)
async def test_what_a_command_cannot_do_it_refuses_with_a_reason(
    club: Club, state: str, who: str, command: str, given: dict[str, Any], says: str
) -> None:
    await _come_to(club, state)
    assert says in await answer(getattr(club, who).slash(club.channel, command, **given))


async def test_who_may_take_an_open_seat_is_told_as_the_table_has_it(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    await club.aiko.slash(club.channel, "game settings", newcomers="vote")
    for member in (club.ben, club.chloe):
        await member.slash(club.channel, "game join")
    await club.aiko.slash(club.channel, "game start")
    assert who_may(await club.table()).startswith("To play on, press *Take the seat*; the players decide.")


async def test_a_game_of_another_server_is_none_of_this_one(club: Club) -> None:
    game = (await club.begin(2)).game.id
    guild = club.env.create_guild("Elsewhere")
    there = guild.create_text_channel("railways")
    aiko = guild.add_member(club.aiko.user)
    for command in ("game move", "game watch"):
        assert f"There is no game {game} on this server." in await answer(aiko.slash(there, command, game=game))


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (lambda: read_week("daily 8-21"), "Quiet hours can last 12 hours at most"),
        (lambda: read_week("mo-we-fr 22-7"), "names no days that I know"),
        (lambda: read_week("daily 22:75-7"), "is not a time of day"),
        (lambda: read_absence("2025-06-20", "2025-06-18", "UTC", NOW), "That would be over before it begins."),
        (lambda: read_absence("", "2027-01-01", "UTC", NOW), "That is more than a year from now."),
        (lambda: read_absence("2025-02-30", "", "UTC", NOW), "is not a date"),
        (lambda: chosen("brisk"), "“brisk” is not a pace."),
    ],
)
def test_what_is_written_and_cannot_be_meant_is_refused(read: Any, says: str) -> None:
    with pytest.raises(TableError, match=says):
        read()
