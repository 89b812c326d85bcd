"""What has happened: /game history and /turns, when, where and what, and /game chart."""

from __future__ import annotations

import re
from typing import Any

import pytest
from club import Club, buttons, payload, read_code, text, walk
from player import answer, played, private_answer
from walks import whole_game

from bot.rooms.past import history
from bot.rooms.past.history import CHART_NAMES, Filter, told_of
from bot.words.lexicon import lexicon
from bot.words.narration import Sentence, gathered, lines_of
from engine import facts as f
from engine.actions import Bid, BuyPrivate, Pass
from engine.ids import PlayerId
from storage import SeatChange

LINK = re.compile(r"https://discord\.com/channels/(\d+)/(\d+)/(\d+)")


async def shown(club: Club, **options: Any) -> Any:
    return private_answer(await club.aiko.slash(club.channel, "game history", **options))


async def bids_and_passes(club: Club) -> Any:
    """Aiko bids, Ben passes, Aiko passes."""
    table = await club.begin(2)
    await club.aiko.slash(club.channel, "bid", amount=35, private="B")
    await club.ben.slash(club.channel, "pass")
    await club.aiko.slash(club.channel, "pass")
    return table


async def test_each_turn_has_its_time_and_a_link_to_its_message(club: Club) -> None:
    table = await bids_and_passes(club)
    said = text(await shown(club)).splitlines()
    times = await table.store.times(table.game.id)
    posted = [one.message_id for one in await table.store.messages.of_game(table.game.id) if "turn:" in one.kind]
    headings = [line for line in said if line.startswith("-# <t:")]
    assert [re.search(r"<t:(\d+):f>", line)[1] for line in headings] == [str(times[seq]) for seq in (1, 2, 3)]  # type: ignore[index]
    links = [LINK.search(line).groups() for line in headings]  # type: ignore[union-attr]
    assert links == [(str(club.guild.id), str(club.channel.id), str(one)) for one in posted[:3]]
    assert said[said.index(headings[0]) + 1] == "- **Aiko** bids ¥35 on B Mitsubishi Ferry."
    assert said[said.index(headings[1]) + 1] == "- **Ben** passes."


async def test_a_move_after_an_undo_links_to_the_message_in_which_it_was_made(club: Club) -> None:
    table = await bids_and_passes(club)
    await club.undo(club.aiko)
    await club.aiko.slash(club.channel, "bid", amount=45, private="C")
    turns = [one for one in await table.store.messages.of_game(table.game.id) if "turn:" in one.kind]
    made = max(one.message_id for one in turns if one.seq < table.moves[-1].seq)
    *_, heading, line, _footer = text(await shown(club)).splitlines()
    assert line == "- **Aiko** bids ¥45 on C Ehime Railway."
    assert LINK.search(heading)[3] == str(made)  # type: ignore[index]


async def test_filters_leave_only_what_was_asked_for(club: Club) -> None:
    await bids_and_passes(club)
    only_ben = text(await shown(club, player=club.ben))
    assert "History: **Ben**" in only_ben
    assert "passes" in only_ben
    assert "Aiko" not in only_ben
    money = text(await shown(club, about="money"))
    assert "bids ¥35" in money
    assert "passes" not in money
    assert "Nothing that happened matches." in text(await shown(club, company="AR"))
    assert "no company “xx”" in text(await shown(club, company="xx"))
    assert "no seat" in text(await shown(club, player=club.fumi))


async def test_whoever_took_over_a_seat_finds_what_named_it_before_and_all_of_their_seats(club: Club) -> None:
    """Lines that name the former player were left out, and so was all of a second seat, also on the next page."""
    table = await club.begin(3)
    for move in (Bid("p1", "B", 35), Bid("p2", "B", 40), BuyPrivate("p3", "A")):
        await table.submit(move, user=table.seats[move.by].user_id)
    for seat in ("p2", "p3"):
        change = SeatChange(seat, "given", table.seats[seat].user_id, club.daichi.id, f"Daichi {seat}")
        await table.store.tenures.hand_over(table.game.id, change)
    said = text(await shown(club, player=club.daichi))
    assert "History: **Daichi p2**, **Daichi p3**" in said
    told = [line for line in said.splitlines() if line.startswith("- ")]
    assert any("auctioned between" in line for line in told), "it names Ben"
    assert any("**Chloe** buys A" in line for line in told)
    assert not any("bids ¥35" in line for line in told)
    read_code("history|1|p2+p3||")  # a button that turns the page


async def test_whoever_has_their_seat_no_longer_is_still_found(club: Club) -> None:
    table = await bids_and_passes(club)
    await table.store.tenures.hand_over(table.id, SeatChange("p2", "given", club.ben.id, club.daichi.id, "Daichi"))
    said = text(await shown(club, player=club.ben))
    assert "- **Ben** passes." in said
    assert said == text(await shown(club, player=club.daichi))


@pytest.mark.second
def test_a_minor_is_found_by_its_name_too() -> None:
    """What is told of the companies that stand on the cards of privates has their full names."""
    title, states, _ = whole_game("1890")
    names = lexicon(states[0].names, title)
    line = Sentence(f"{names.private('M1')} closes.")
    assert Filter(company="M1").fits(line, "p1", names)
    assert not Filter(company="M2").fits(line, "p1", names)
    assert not Filter(company="JR").fits(Sentence("JR Nara"), "p1", names)


async def test_pages_are_turned_with_buttons_that_keep_the_filters(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "PAGE", 2)
    table = await club.begin(2)
    for number in range(5):
        await table.submit(Pass(PlayerId(f"p{1 + number % 2}")), user=club.members[number % 2].id)
    newest = await shown(club, player=club.ben)
    assert "Page 1 of 2" in text(newest), text(newest)
    assert list(buttons(newest)) == ["◀ Older", "In pictures"]
    older = private_answer(await club.aiko.click(newest, label="◀ Older"))
    assert "Page 2 of 2" in text(older)
    assert "Aiko" not in text(older)
    assert list(buttons(older)) == ["Newer ▶", "In pictures"]
    assert await answer(club.aiko.click(older, label="Newer ▶")) == text(newest)


@pytest.mark.broad
async def test_no_page_is_too_long_and_none_loses_a_line(club: Club) -> None:
    table = await played(club, 150)
    found: list[str] = []
    for page in range(40, 0, -1):
        screen = await history.history_screen(table, page, Filter())
        assert len(screen.text) < 3700
        number, count = map(int, re.search(r"Page (\d+) of (\d+)", screen.footer).groups())  # type: ignore[union-attr]
        if number == page:
            lines = [line.removeprefix("- ") for line in screen.text.splitlines() if line.startswith("- ")]
            assert len(lines) <= history.PAGE
            found += lines
    assert found == gathered(line for one in told_of(table) for line in one.lines)
    assert count > 4


@pytest.mark.broad
async def test_pages_and_pictures_lead_to_each_other_in_a_game_without_turns(club: Club) -> None:
    """As one that was imported: all before its first turn stood under one heading, and led to its first move."""
    table = await played(club, 120)
    for move in table.moves[::17]:
        page = await history.history_screen(table, 1, Filter(), around=move.seq)
        assert not table.tell([move]) or any(line in page.text for line in table.tell([move])), move.seq
    newest = await history.history_screen(table, 1, Filter())
    codes_there = [one.code for row in newest.rows if isinstance(row, tuple) for one in row]
    last = max(one.seq for one in table.moves if table.tell([one]))
    assert any(code.startswith(f"past|{last}|") for code in codes_there), codes_there


def test_what_is_of_track_is_known_by_its_fact() -> None:
    from test_words import NAMES

    of_track = [
        f.TileLaid("IOW", "F2", "57", 0, 0, None),
        f.TokenPlaced("IOW", "F2.0", 0, True),
        f.TokenPlaced("IOW", "F2.0", 40, False),
        f.TileRemoved("F2", "57", "6"),
        f.TokenReturned("IOW", "F2"),
        f.PassageGained("IOW", "B", 40),
    ]
    others = [f.Passed("p1", "token"), f.Passed("p1", "shares"), f.TrainBought("IOW", "2+1", "bank", 250)]
    assert all(line.track for line in lines_of(of_track, NAMES))
    assert not any(line.track for line in lines_of(others, NAMES, "IOW"))


async def test_turns_says_since_when_and_where(club: Club) -> None:
    table = await bids_and_passes(club)
    times = await table.store.times(table.game.id)
    for member, words in ((club.ben, "Your turn"), (club.aiko, "waiting for **Ben**")):
        answer = text(private_answer(await member.slash(club.channel, "turns")))
        assert words in answer
        assert f"asked <t:{times[3]}:R>" in answer
        assert LINK.search(answer)[3] == str(club.packet().id)  # type: ignore[index]


async def test_the_game_that_has_waited_longest_comes_first(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await club.begin(2)
    club.channel = club.guild.create_text_channel("elsewhere")
    second = await club.begin(2)
    days = {first.game.id: 2_000_000_000, second.game.id: 1_000_000_000}

    async def times(game: str, after: int = 0) -> dict[int, int]:
        return {0: days[game]}

    monkeypatch.setattr(first.store, "times", times)
    answer = text(private_answer(await club.aiko.slash(club.channel, "turns")))
    assert answer.index(f"<#{second.game.channel_id}>") < answer.index(f"<#{first.game.channel_id}>")


def described(message: Any) -> str:
    """The description of the message's picture."""
    return next(str(item["description"]) for one in walk(payload(message)) for item in one.get("items", []))


@pytest.mark.pictures
async def test_charts_are_shown_to_one_and_turn_into_one_another(club: Club) -> None:
    await club.begin(2)
    shown = private_answer(await club.aiko.slash(club.channel, "game chart"))
    assert described(shown) == "Worth in Shikoku 1889. After opening: Aiko ¥420, Ben ¥420."
    assert set(buttons(shown)) == set(CHART_NAMES.values()) - {CHART_NAMES["worth"]}
    for label in list(CHART_NAMES.values())[1:]:
        shown = private_answer(await club.aiko.click(shown, label=label))
        assert label not in buttons(shown)
        assert described(shown)


async def test_a_chart_can_be_shown_to_the_channel(club: Club) -> None:
    await club.begin(2)
    answer = await club.aiko.slash(club.channel, "game chart", about="prices", public=True)
    assert "Shown to everybody" in text(answer.response or answer.followups[0])
    assert described(club.channel.history()[-1]) == "blank"
