"""The puzzle of the day: posted once a day where it is wanted, answered once a person and privately, and results."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from club import Club, buttons, text
from days import Day, Hand
from due import next_due
from player import private_answer
from simcord.backend.errors import BackendError
from simcord.http import router
from simcord.results import to_discord_message

import renderer
from bot.chat.answers import NOTHING
from bot.core.hours import DAY
from bot.rooms.puzzles import room
from bot.rooms.puzzles.laid import NAMES, Laid, OnTable, _trains, for_practice, name_of, shelf
from bot.rooms.puzzles.room import Score, found_by, results_screen, scores, verdict
from cli.troubles import troubles
from renderer.table import table_card
from storage import PuzzleAnswer


@pytest.fixture
def keeper(club: Club) -> Any:
    """Somebody who may manage the channel."""
    role = club.guild.create_role("mods", permissions=discord.Permissions(manage_channels=True))
    return club.guild.add_member(club.env.create_user("keeper", global_name="Keeper"), roles=[role])


def posted(club: Club) -> list[discord.Message]:
    """The messages for all in the channel, the oldest first."""
    stored = club.env.backend.messages.get(club.channel.id, {})
    return [to_discord_message(club.env, one) for _, one in sorted(stored.items()) if one.visible_to(None)]


async def begin(club: Club, keeper: Any) -> discord.Message:
    await keeper.slash(club.channel, "puzzle start")
    await club.env.settle()
    return posted(club)[-1]


async def laid(club: Club, hand: Hand) -> Laid:
    """The puzzle of this day."""
    return await club.bot.its(OnTable).of(name_of(hand.now // DAY))


async def answer(club: Club, member: Any, message: discord.Message, label: str) -> str:
    return text(private_answer(await member.click(message, label=label)))


async def test_a_channel_gets_one_puzzle_a_day_and_reads_who_found_the_last(day: Day, keeper: Any) -> None:
    club, hand = day.club, day.hand
    first = await begin(club, keeper)
    ann, ben = club.members[:2]
    asked = await laid(club, hand)
    assert asked.question in text(first)
    assert list(buttons(first)) == asked.answers
    assert [one.filename for one in first.attachments] == [(await asked.picture()).name]
    wrong = next(one for one in asked.answers if one != asked.right)
    assert verdict(wrong, asked.right) in await answer(club, ann, first, wrong)
    assert verdict(wrong, asked.right) in await answer(club, ann, first, asked.right)  # the first one counts
    assert f"✅ {asked.right}" in await answer(club, ben, first, asked.right)
    assert len(posted(club)) == 1
    hand.now += DAY - 1
    await day.tick()
    assert len(posted(club)) == 1
    hand.now += 1
    await day.tick()
    second = posted(club)[-1]
    assert f"**{asked.right}** was right. <@{ben.id}> found it, out of 2 who answered." in text(second)
    assert (await laid(club, hand)).question in text(second)
    assert club.pinged() == []
    over = await answer(club, club.chloe, first, asked.right)
    assert room.OVER in over
    results = text(private_answer(await ann.slash(club.channel, "puzzle results")))
    assert f"- 1st <@{ben.id}> **1** of 1" in results
    assert f"- 2nd <@{ann.id}> **0** of 1" in results


async def test_after_an_outage_there_is_one_puzzle_at_the_same_time_of_the_day(day: Day, keeper: Any) -> None:
    club, hand = day.club, day.hand
    await begin(club, keeper)
    hand.now += 3 * DAY + 3600
    await club.restart()
    await day.tick()
    await day.tick()
    assert len(posted(club)) == 2
    assert await next_due(club.bot.store.puzzles) == hand.now - 3600 + DAY
    assert "Nobody answered." in text(posted(club)[-1])


async def test_a_post_whose_answer_was_lost_is_not_made_twice(
    day: Day, keeper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    club, hand, dispatch = day.club, day.hand, router.dispatch
    hand.now = int(club.env.backend.clock.now().timestamp())  # by which messages are dated

    def lost(backend: Any, method: str, path: str, **rest: Any) -> Any:
        made = dispatch(backend, method, path, **rest)
        if (method, path) == ("POST", f"/channels/{club.channel.id}/messages"):
            raise BackendError(400, 0, "The answer was lost")
        return made

    with monkeypatch.context() as patched:
        patched.setattr(router, "dispatch", lost)
        await begin(club, keeper)
    assert len(posted(club)) == 1
    assert await next_due(club.bot.store.puzzles) == hand.now
    hand.now += 300  # the claim has run out
    await day.tick()
    assert len(posted(club)) == 1
    assert await next_due(club.bot.store.puzzles) == hand.now - 300 + DAY
    asked = await laid(club, hand)
    assert "✅" in await answer(club, club.aiko, posted(club)[0], asked.right)


async def test_a_channel_that_refuses_is_told_to_the_host_and_ends_after_a_week(
    day: Day, keeper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    club, hand, dispatch = day.club, day.hand, router.dispatch
    await begin(club, keeper)

    def closed(backend: Any, method: str, path: str, **rest: Any) -> Any:
        if (method, path) == ("POST", f"/channels/{club.channel.id}/messages"):
            raise BackendError(403, 50013, "Missing Permissions")
        return dispatch(backend, method, path, **rest)

    monkeypatch.setattr(router, "dispatch", closed)
    hand.now += DAY
    await day.tick()
    assert await club.bot.store.puzzles.of_channel(club.channel.id) is not None
    hand.now += 3600
    (told,) = [one async for one in troubles(club.bot.store) if "puzzle" in one]
    assert "Missing Permissions" in told
    hand.now += 8 * DAY
    await day.tick()
    assert await club.bot.store.puzzles.of_channel(club.channel.id) is None


async def test_a_channel_that_is_gone_wants_no_puzzles(day: Day, keeper: Any) -> None:
    club, hand = day.club, day.hand
    await begin(club, keeper)
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    hand.now += DAY
    await day.tick()
    assert await club.bot.store.puzzles.of_channel(club.channel.id) is None


@pytest.mark.parametrize(
    ("command", "told"), [("stop", "It may have been stored: look before you try again."), ("results", NOTHING)]
)
async def test_an_answer_that_fails_says_whether_anything_may_have_been_stored(
    day: Day, keeper: Any, monkeypatch: pytest.MonkeyPatch, command: str, told: str
) -> None:
    await begin(day.club, keeper)
    edit = discord.Interaction.edit_original_response
    fails = iter([True])

    async def once(*given: Any, **kept: Any) -> Any:
        if next(fails, False):
            raise discord.Forbidden(SimpleNamespace(status=403, reason="Forbidden"), "Missing Access")
        return await edit(*given, **kept)

    monkeypatch.setattr(discord.Interaction, "edit_original_response", once)
    assert told in text(private_answer(await keeper.slash(day.club.channel, f"puzzle {command}")))


async def test_only_who_may_manage_the_channel_starts_and_stops(day: Day, keeper: Any) -> None:
    club, ann = day.club, day.club.aiko
    assert text(private_answer(await ann.slash(club.channel, "puzzle start"))) == room.NOT_YOURS
    await begin(club, keeper)
    assert text(private_answer(await keeper.slash(club.channel, "puzzle start"))) == room.RUNNING
    assert text(private_answer(await ann.slash(club.channel, "puzzle stop"))) == room.NOT_YOURS
    assert text(private_answer(await keeper.slash(club.channel, "puzzle stop"))) == room.STOPPED
    day.hand.now += 2 * DAY
    await day.tick()
    assert len(posted(club)) == 1


async def test_the_last_puzzle_is_over_once_its_channel_wants_no_more(day: Day, keeper: Any) -> None:
    club, ann, ben = day.club, day.club.aiko, day.club.ben
    message = await begin(club, keeper)
    puzzle = await laid(club, day.hand)
    await answer(club, ann, message, puzzle.right)
    await keeper.slash(club.channel, "puzzle stop")
    assert f"✅ {puzzle.right}" in await answer(club, ann, message, puzzle.right)
    day.hand.now += DAY
    assert room.OVER in await answer(club, ben, message, puzzle.right)
    assert [one.user_id for one in await club.bot.store.puzzles.answers(club.channel.id)] == [ann.id]


async def test_nobody_learns_what_is_right_while_puzzles_that_were_stopped_may_go_on_with_it(
    day: Day, keeper: Any
) -> None:
    club, ben = day.club, day.club.ben
    message = await begin(club, keeper)
    puzzle = await laid(club, day.hand)
    await keeper.slash(club.channel, "puzzle stop")
    assert await answer(club, ben, message, puzzle.right) == room.PAUSED
    await keeper.slash(club.channel, "puzzle start")
    assert len(posted(club)) == 1
    assert f"✅ {puzzle.right}" in await answer(club, ben, message, puzzle.right)
    assert len(await club.bot.store.puzzles.answers(club.channel.id)) == 1


async def test_whoever_practises_sees_no_puzzle_that_is_open_or_comes_soon(day: Day) -> None:
    club, ann, today = day.club, day.club.aiko, day.hand.now // DAY
    old = for_practice(today)
    assert not set(old) & {name_of(today + number) for number in range(-1, len(shelf()) // 3)}
    shown = private_answer(await ann.slash(club.channel, "puzzle now"))
    for _ in range(3):
        (name,) = {match[1] for one in buttons(shown).values() if (match := re.search(r"try\|\d\|(.+)", one))}
        assert name in old
        asked = await club.bot.its(OnTable).of(name)
        solved = private_answer(await ann.click(shown, label=asked.right))
        assert f"✅ {asked.right}" in text(solved)
        shown = private_answer(await ann.click(solved, label="Another"))
    assert await club.bot.store.puzzles.answers(club.channel.id) == []
    assert posted(club) == []


async def test_the_companies_of_a_puzzle_are_led_by_names_and_no_players_stand_above_them(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    blank, views = renderer.table_picture, []

    def picture(view: Any) -> renderer.Picture:
        views.append(view)
        return blank(view)

    monkeypatch.setattr(renderer, "table_picture", picture)
    name = next(name for name, one in shelf().items() if one.puzzle.kind == "rust")
    asked = await club.bot.its(OnTable).of(name)
    assert "Older trains rust: which company has none left?" in asked.question
    await asked.picture()
    card = table_card(views[0])
    assert "Players" not in [one.title for one in card.sections]
    led = {cell.text for one in card.sections if one.title == "Companies" for row in one.rows for cell in row.cells}
    assert led & {*NAMES}
    assert not led & {"p1", "p2", "p3", "p4"}


async def test_a_move_after_which_alone_somebody_may_win_is_told_so(club: Club) -> None:
    """It was “in at most 0 after the others”."""
    reasons = {name: one.puzzle.reasons for name, one in shelf().items()}
    name = next(name for name, some in reasons.items() if any(one.why == "firsts" and not one.before for one in some))
    told, _ = await (await club.bot.its(OnTable).of(name)).solution(0)
    assert "and in none after the others." in told


def given(user: int, *hits: int) -> list[PuzzleAnswer]:
    return [PuzzleAnswer(1, number, user, 0, hit, number) for number, hit in enumerate(hits)]


def test_results_by_person() -> None:
    assert results_screen([], 22).text.startswith("Nobody has answered a puzzle in this channel yet.")
    both = [*given(5, 1, 0, 1, 1), *given(6, 1, 1, 0), *given(7, 1, 1)]
    assert scores(both) == [Score(5, 3, 4, 2), Score(7, 2, 2, 2), Score(6, 2, 3, 0)]
    assert found_by(given(5, 0)) == "Nobody found it, out of 1 who answered."
    many = [PuzzleAnswer(1, 1, user, 0, 1, 1) for user in range(1, 14)]
    assert found_by(many).endswith("<@10> and 3 more found it, out of 13 who answered.")


def test_who_found_as_many_shares_a_place_and_whoever_asks_reads_their_own() -> None:
    many = [one for user in range(1, 23) for one in given(user, 1, 1, *[0] * (user > 20))]
    lines = results_screen([*many, *given(40, 1)], 40).text.splitlines()[1:]
    assert lines[0] == "- 1st <@1> **2** of 2 · 2 in a row"
    assert lines[19] == "- 1st <@20> **2** of 2 · 2 in a row"
    assert lines[20:] == ["- 23rd <@40> **1** of 1"]
    assert results_screen(many, 22).text.splitlines()[-1] == "- 21st <@22> **2** of 3"


def test_trains_are_told_by_their_number() -> None:
    assert [_trains("8+4", 1), _trains("3", 1), _trains("2", 4)] == ["an 8+4-train", "a 3-train", "four 2-trains"]


@pytest.mark.parametrize(
    ("given", "right", "said"),
    [
        ("Buy a share of JR for ¥75", "Pass", "### ❌ Not “Buy a share of JR for ¥75”, but “Pass”"),
        ("¥300", "¥330", "### ❌ Not ¥300, but ¥330"),
        ("Pass", "Pass", "### ✅ Pass"),
    ],
)
def test_moves_within_a_sentence_are_quoted(given: str, right: str, said: str) -> None:
    """It read “Not Buy a share of JR for ¥75, but Pass”."""
    assert verdict(given, right) == said
