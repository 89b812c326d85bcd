"""What a command offers to somebody who types is taken, also where its name is typed and not chosen."""

from __future__ import annotations

import logging
import re
from typing import Any

import discord
import pytest
from club import Club, buttons, selects
from discord import app_commands
from player import answer, begin_at, hands_over, private_answer
from tables import table as position

from bot.core.errors import TableError
from bot.core.written import HOW_DATES, read_absence, read_amount, read_week, written_week
from bot.rooms.seats.options import read_options
from engine import TITLES, PlayerId
from engine.actions import Pass


async def offered(club: Club, member: Any, command: str, option: str, typed: str = "", **filled: Any) -> dict[str, Any]:
    """What is offered in the channel, values by name."""
    found = await member.autocomplete(club.channel, command, option, typed, **filled)
    return {one["name"]: one["value"] for one in found}


async def test_only_pars_of_the_company_that_was_typed_are_offered(club: Club) -> None:
    """In 1890, ¥65 was on offer for JR, which is started at ¥100 alone."""
    table = await club.begin(3, "1890")
    begin_at(table, *position("1890", 3).stock("p1").build())
    assert list((await offered(club, club.aiko, "stock par", "par", company="JR")).values()) == [100]
    assert len(await offered(club, club.aiko, "stock par", "par", company="Keihan Electric Railway")) > 1
    refused = await answer(club.aiko.slash(club.channel, "stock par", company=" jr ", par=65))
    assert refused == "JR cannot be started at ¥65. Possible: ¥100."


@pytest.mark.parametrize(
    ("title", "company"), [("1889", "AR Awa Railroad"), ("1890", "Hankyu Railways"), ("1889", "awa railroad")]
)
async def test_a_company_is_known_by_its_name(club: Club, title: str, company: str) -> None:
    table = await club.begin(3, title)
    begin_at(table, *position(title, 3).stock("p1").build())
    for command in ("show company", "game history"):
        assert "There is no" not in await answer(club.aiko.slash(club.channel, command, company=company))
    assert "✓" in await answer(club.aiko.slash(club.channel, "stock par", company=company, par=75))


@pytest.mark.parametrize("typed", ["C Ehime Railway, from ¥45", "ehime railway", "Ｃ"])
async def test_a_private_is_known_by_its_name(club: Club, typed: str) -> None:
    await club.begin(2)
    assert "✓" in await answer(club.aiko.slash(club.channel, "bid", private=typed, amount=45))


async def test_a_choice_too_long_to_show_is_known_by_what_is_shown(club: Club) -> None:
    await club.begin(2)
    ((name, value),) = (await offered(club, club.aiko, "private buy", "private")).items()
    assert name.endswith("…")
    assert await offered(club, club.aiko, "private buy", "private", name) == {name: value}
    assert "✓" in await answer(club.aiko.slash(club.channel, "private buy", private=name))


@pytest.mark.parametrize("typed", ["Takamatsu", "K4 Takamatsu", "ｋ４"])
async def test_a_hex_is_known_by_its_place(club: Club, typed: str) -> None:
    await club.begin(2)
    assert "There is no" not in await answer(club.aiko.slash(club.channel, "show map", hex=typed))


@pytest.mark.parametrize("typed", ["Shikoku 1889 (2-6 players)", "shikoku 1889", " １８８９ "])
async def test_a_title_is_known_by_its_name(club: Club, typed: str) -> None:
    for command, more in (("game phases", {}), ("rule", {"words": "train"}), ("game create", {})):
        assert "no" not in (await answer(club.aiko.slash(club.channel, command, title=typed, **more))).split()


@pytest.mark.parametrize(
    "typed", ["1860-SR · stock round", "1860-SR-14 · A player who sold a company's share may not…"]
)
async def test_a_rule_is_known_as_it_is_listed(club: Club, typed: str) -> None:
    """What the list names was searched for as words, and brought some eight rules that have them."""
    said = await answer(club.aiko.slash(club.channel, "rule", words=typed, title="1860"))
    section = "1860: Railways on the Isle of Wight: stock round"
    assert said.startswith(f"### {section if typed.endswith('round') else '1860-SR-14'}")


async def test_what_no_private_is_called_is_refused_in_a_sentence(club: Club) -> None:
    await club.begin(2)
    said = await answer(club.aiko.slash(club.channel, "bid", private="banana", amount=45))
    assert said == "There is no private “BANANA” in Shikoku 1889."


async def test_what_no_company_is_called_is_refused_with_those_that_there_are(club: Club) -> None:
    table = await club.begin(2, "1860")
    begin_at(table, *position("1860", 2).par("C&N").shares("C&N", p1=5).stock("p1").build())
    for command, more in (("stock sell", {"shares": 1}), ("game history", {}), ("show company", {})):
        said = await answer(club.aiko.slash(club.channel, command, company="banana", **more))
        assert said.startswith("There is no company “banana”. The companies are C&N, IOW,"), command


async def test_whoever_exchanges_or_runs_at_the_wrong_time_reads_what_is_asked(club: Club) -> None:
    """They read that they do not own another's private, and how routes are written."""
    table = await club.begin(2, "1860")
    laid = position("1860", 2).par("C&N").shares("C&N", p1=5).private(BHC="p2").operating("C&N", "trains")
    begin_at(table, *laid.build())
    for command, options, what in (
        ("private exchange", {"private": "banana"}, "exchange a private"),
        ("run", {"routes": "banana"}, "run the trains"),
    ):
        said = await answer(club.aiko.slash(club.channel, command, **options))
        assert said.startswith(f"You cannot {what} now. Operating round"), command


@pytest.mark.parametrize(
    ("command", "options", "said"),
    [
        ("bid", {"amount": 5}, "You cannot bid now. Stock round 2: it is up to {} to "),
        (
            "stock sell",
            {"company": "C&N", "shares": 1},
            "You cannot sell shares now. Stock round 2: it is up to ",
        ),
        ("private acquire", {"private": "BHC", "price": 5}, "There is no such move in this game."),
        ("private trade", {"private": "BHC", "price": 5}, "There is no such move in this game."),
        ("train bankrupt", {}, "There is no such move in this game."),
    ],
)
async def test_a_command_for_what_cannot_be_done_says_what_can_or_that_it_never_can(
    club: Club, command: str, options: dict[str, Any], said: str
) -> None:
    """All that a step is ever for was listed: “it is up to you to buy a share, start a company, sell shares, …”."""
    table = await club.begin(2, "1860")
    laid = position("1860", 2).par("C&N").shares("C&N", p1=2, p2=2).private(BHC="p2").cash(p1=0)
    begin_at(table, *laid.stock("p1").build())
    for member, who in ((club.aiko, "you"), (club.ben, "**Aiko**")):
        if command != "stock sell" or member is club.ben:
            read = await answer(member.slash(club.channel, command, **options))
            assert read.startswith(said.format(who))


@pytest.mark.parametrize("title", TITLES)
async def test_options_are_known_by_their_names(club: Club, title: str) -> None:
    for name, value in (await offered(club, club.aiko, "game create", "options", title=title)).items():
        assert read_options(title, name) == read_options(title, value)
        shown = await offered(club, club.aiko, "game create", "options", name, title=title)
        assert shown[name] == value


async def test_several_options_are_known_by_their_names(club: Club) -> None:
    two = await offered(club, club.aiko, "game create", "options", "Open treasuries, lo", title="1889")
    assert list(two.values()) == ["open_treasuries, loose_tiles"]
    assert read_options("1889", next(iter(two))) == ["open_treasuries", "loose_tiles"]
    assert read_options("1890", "Scenario A, Plain JR") == ["scenario_a", "plain_jr"]
    with pytest.raises(TableError, match="has no option “nonsense”"):
        read_options("1889", "Open treasuries, nonsense")


async def test_a_time_zone_is_known_as_it_is_listed(club: Club) -> None:
    ((name, value),) = (await offered(club, club.aiko, "my settings", "zone", "Ceuta")).items()
    assert await offered(club, club.aiko, "my settings", "zone", name) == {name: value}
    assert "✓" in await answer(club.aiko.slash(club.channel, "my settings", zone=name))


async def test_only_games_that_one_may_move_here_are_offered_to_move(club: Club) -> None:
    """Every player was offered every game of theirs: that of this channel, and those that only its host can move."""
    table = await club.begin(2)
    other = club.guild.create_text_channel("other")
    role = club.guild.create_role("mods", permissions=discord.Permissions(manage_channels=True))
    gina = club.guild.add_member(club.env.create_user("gina", global_name="Gina"), roles=[role])

    async def movable(member: Any, channel: Any) -> dict[str, str]:
        found = await member.autocomplete(channel, "game move", "game", "")
        return {one["name"]: one["value"] for one in found}

    assert [await movable(one, club.channel) for one in (club.aiko, club.ben, gina)] == [{}, {}, {}]
    assert await movable(club.ben, other) == {}
    assert await movable(gina, other) == await movable(club.aiko, other) == {f"Shikoku 1889, game {table.id}": table.id}
    await club.daichi.slash(other, "game create", title="1860")
    assert await movable(club.aiko, other) == {}  # which has a game
    free = club.guild.create_text_channel("free")
    (name,) = await movable(club.aiko, free)
    assert "✓" in await answer(club.aiko.slash(free, "game move", game=name))


async def test_a_player_is_offered_a_game_whose_channel_is_gone(club: Club) -> None:
    table = await club.begin(2)
    other = club.guild.create_text_channel("other")
    club.env.backend.delete_channel(club.channel.id)
    found = await club.ben.autocomplete(other, "game move", "game", "")
    assert [one["value"] for one in found] == [table.id]


async def test_only_games_that_one_may_show_here_are_offered_for_a_live_board(club: Club) -> None:
    table = await club.begin(2)
    other = club.guild.create_text_channel("other")

    async def shown(member: Any, channel: Any, **filled: Any) -> list[str]:
        return [one["value"] for one in await member.autocomplete(channel, "game watch", "game", "", **filled)]

    assert await shown(club.aiko, club.channel) == await shown(club.ben, other) == []
    assert await shown(club.aiko, other, stop=True) == []
    (offer,) = await club.aiko.autocomplete(other, "game watch", "game", "")
    assert "✓" in await answer(club.aiko.slash(other, "game watch", game=offer["name"]))
    assert await shown(club.aiko, other) == []
    assert await shown(club.aiko, other, stop=True) == [table.id]


async def test_no_seat_is_offered_that_cannot_change_hands(club: Club) -> None:
    """One that is lent was offered to whoever borrows it, and those of a game that is over to everybody."""
    table = await club.begin(2)
    await hands_over(club, club.aiko, club.daichi, days=3)
    for command in ("seat give", "seat lend"):
        assert await offered(club, club.daichi, command, "seat") == {}
        assert list(await offered(club, club.ben, command, "seat")) == ["Ben"]
    assert list((await offered(club, club.aiko, "seat take", "seat")).values()) == ["p1"]
    await table.end_here()
    for command in ("seat give", "seat lend", "seat take"):
        assert [await offered(club, one, command, "seat") for one in (club.aiko, club.ben)] == [{}, {}]


@pytest.mark.parametrize(
    "typed",
    ["1200", "¥1,200", " 1 200 ", "1.200", "１２００", "￥１，２００", "1200円", "£1,200", "1’200", "1_200", "1200 €"],
)
def test_an_amount_is_read_as_people_write_it(typed: str) -> None:
    assert read_amount(typed) == 1200


@pytest.mark.parametrize("typed", ["all", "max", "fifty", "1e3", "1.5", "1,5", "--5", "1200 or so"])
def test_what_is_no_amount_is_refused_with_what_to_write(typed: str) -> None:
    with pytest.raises(TableError, match=r"is not a whole number\. Write it in digits, such as 120\."):
        read_amount(typed)


@pytest.mark.parametrize("typed", ["", " ", "　"])
def test_where_no_amount_is_typed_it_is_said_what_to_write(typed: str) -> None:
    """“ ” is not a whole number, it said."""
    with pytest.raises(TableError, match=r"^Write a whole number in digits, such as 120\.$"):
        read_amount(typed)


def test_hours_and_dates_are_read_in_any_width() -> None:
    assert read_week("Mon-Fri 23：00～8：00") == read_week("Mon-Fri 23:00-8:00")
    assert read_week("２３:００-８:００") == read_week("daily 23:00-8:00")
    assert read_absence("", "２０２６－１２－２４", "UTC", 1790000000) == read_absence(
        "", "2026-12-24", "UTC", 1790000000
    )


async def test_no_autocomplete_breaks(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    """One that does offers nothing, and only the log says so."""
    caplog.set_level(logging.DEBUG, "tetsudo")
    begin_at(await club.begin(2), *position("1889", 2).par("AR").shares("AR", p1=5).operating("AR", "track").build())
    commands = [one for one in club.bot.tree.walk_commands() if isinstance(one, app_commands.Command)]
    found = [
        (one.qualified_name, given.display_name) for one in commands for given in one.parameters if given.autocomplete
    ]
    offered = {each: await club.aiko.autocomplete(club.channel, *each, "a") for each in found}
    assert offered["lay", "hex"]
    assert offered["show map", "hex"]
    broken = [one.getMessage() for one in caplog.records if "no autocomplete" in one.getMessage()]
    assert [one for one in broken if "TableError(" not in one] == []


@pytest.mark.parametrize("typed", ["Mon - Fri 23-7", "Mon – Fri: 23.00 – 7.00", "mon to fri 23:00 to 7:00"])
def test_days_are_read_as_people_write_them(typed: str) -> None:
    assert read_week(typed) == read_week("Mon-Fri 23:00-7:00")


@pytest.mark.parametrize("between", ["\n", ", ", "; "])
def test_quiet_hours_are_read_as_the_settings_show_them(between: str) -> None:
    week = read_week("Mon-Thu 23-7\nFri,Sat 0h-9h30")
    assert read_week(written_week(week, between)) == week


@pytest.mark.parametrize(
    ("since", "until", "first", "last"),
    [
        ("tomorrow", "tomorrow", "2026-12-01", "2026-12-01"),
        ("Sunday", "Sunday", "2026-12-06", "2026-12-06"),
        ("Friday", "Sunday", "2026-12-04", "2026-12-06"),
        ("", "today", "", "2026-11-30"),
        ("", "tomorrow", "", "2026-12-01"),
        ("", "Monday", "", "2026-12-07"),
    ],
)
def test_days_of_an_absence_are_counted_from_today(since: str, until: str, first: str, last: str) -> None:
    monday = 1796032800
    assert read_absence(since, until, "UTC", monday) == read_absence(first, last, "UTC", monday)


@pytest.mark.parametrize(("typed", "why"), [("2026-12-24 25:00", "25:00 is not a time of day."), ("soon", "“soon” is")])
def test_a_wrong_date_is_refused_with_how_to_write_dates(typed: str, why: str) -> None:
    with pytest.raises(TableError, match=re.escape(why)) as refused:
        read_absence("", typed, "UTC", 1796032800)
    assert str(refused.value).endswith(HOW_DATES)


# The lobby


async def test_a_private_view_of_the_lobby_offers_what_its_reader_may_do(club: Club) -> None:
    """Behind `/game status` everybody was offered the host's choices, and to join where they had joined."""
    await club.aiko.slash(club.channel, "game create", title="1889", opponents=1)
    await club.ben.slash(club.channel, "game join")

    async def view(member: Any) -> Any:
        return private_answer(await member.slash(club.channel, "game status"))

    seen = [await view(one) for one in (club.aiko, club.ben, club.chloe)]
    assert [list(buttons(one)) for one in seen] == [["Leave", "Start"], ["Leave"], ["Join"]]
    assert [len(selects(one)) for one in seen] == [2, 0, 0]
    joined = await club.chloe.click(seen[2], label="Join")
    assert list(buttons(private_answer(joined) or joined.response)) == ["Leave"]
    assert list(buttons(club.packet())) == ["Join", "Leave", "Start"]


async def test_no_rules_are_offered_for_which_too_many_have_joined(club: Club) -> None:
    """Scenario A of 1890 is for four: with five in the lobby it was on offer, and refused."""
    await club.aiko.slash(club.channel, "game create", title="1890")
    assert "rules|scenario_a" in codes(club.packet())
    for member in club.members[1:5]:
        await member.slash(club.channel, "game join")
    assert "rules|scenario_a" not in codes(club.packet())
    assert "rules|scenario_d" in codes(club.packet())


async def test_no_secrets_are_offered_where_the_host_acts_for_others(club: Club) -> None:
    await club.aiko.slash(club.channel, "game create", title="1890", options="open_treasuries", host_acts=True)
    offered = codes(club.packet())
    assert "rules|eight_trains" in offered
    assert not {"rules|hidden_cash", "rules|open_treasuries", "rules|by_the_book"} & offered


def codes(message: Any) -> set[str]:
    """The values of all lists of a message."""
    return {one["value"] for options in selects(message).values() for one in options}


async def test_a_private_view_of_the_end_offers_what_its_reader_may_do(club: Club) -> None:
    """Whoever only watched was offered to take the end back, and a rematch, and was refused."""
    table = await club.begin(2)
    await table.submit(Pass(PlayerId("p1")), user=club.aiko.id)
    await table.end_here()
    views = [private_answer(await one.slash(club.channel, "game status")) for one in (club.ben, club.chloe)]
    assert [list(buttons(one)) for one in views] == [["Rematch", "Review", "Undo"], ["Review"]]


# What would change nothing


async def test_what_would_change_nothing_is_not_said_to_be_done(club: Club) -> None:
    """✓ stood before each of these, as if something had changed."""
    await club.aiko.slash(club.channel, "game create", title="1889")
    await club.ben.slash(club.channel, "game join")
    assert await answer(club.aiko.slash(club.channel, "seat order", how="random")) == "That is already the case."
    assert "✓" in await answer(club.aiko.slash(club.channel, "seat order", how="joined"))
    await club.aiko.slash(club.channel, "game start")
    assert await answer(club.ben.slash(club.channel, "pass", when="stop")) == "You are not passing ahead."
    refused = await answer(club.ben.slash(club.channel, "game end", agree=False))
    assert refused == "Nobody has proposed to end this game."
    await club.aiko.slash(club.channel, "game end")
    assert "✓" in await answer(club.ben.slash(club.channel, "game end", agree=False))
