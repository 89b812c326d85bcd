"""The guided first game: each stage can be played to its aim, strayed from and left, and is kept."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from club import Club, buttons, selects, text
from player import answer, code_of, moves, press, private_answer, sensible

import engine
from bot.core.errors import Outdated, TableError
from bot.house import House
from bot.rooms.guide.play import MOST_ANSWERS, Guided, GuidedGames, Where, read
from bot.rooms.guide.room import more_screen, stage_screen, through_screen, welcome_screen
from bot.rooms.guide.stages import ABOUT, BY_KEY, OTHERS, STAGES, YOU, beginning, title
from engine.actions import Action, Dividend, Pass

pytestmark = pytest.mark.usefixtures("plain_pictures")
USER = 7
NAME = "Aiko"


def legal(here: Guided, do: str, **fields: Any) -> Action:
    """The first legal action of the kind with these fields."""
    for action in engine.legal(here.title, here.position.state, YOU):
        if type(action).__name__ == do and all(getattr(action, name) == value for name, value in fields.items()):
            return action
    raise AssertionError(f"no {do} {fields}")


@pytest.fixture
async def guides(simcord_bot: House) -> GuidedGames:
    return simcord_bot.its(GuidedGames)


async def at(guides: GuidedGames, stage: str) -> Guided:
    here = await guides.go(USER, stage, NAME)
    assert here is not None
    return here


async def play(guides: GuidedGames, here: Guided, do: str, **fields: Any) -> Guided:
    there = await guides.move(here, [legal(here, do, **fields)], here.position.seq)
    assert there is not None
    return there


async def on_and_on(guides: GuidedGames, here: Guided, choose: Callable[[list[Action]], Action]) -> Guided:
    """The stage played by a rule of thumb until it is decided."""
    for _ in range(60):
        if here.now.seen.key:
            return here
        options = list(engine.legal(here.title, here.position.state, YOU))
        there = await guides.move(here, [choose(options)], here.position.seq)
        assert there is not None
        here = there
    raise AssertionError("it never ends")


def passing(options: list[Action]) -> Action:
    return next((one for one in options if isinstance(one, Pass)), options[0])


@pytest.mark.long
@pytest.mark.quick
def test_every_stage_begins_in_a_position_that_was_played_and_asks_the_person() -> None:
    for stage in STAGES:
        state = beginning(stage.game, stage.at)
        assert engine.decision(title(), state).players == (YOU,), stage.key


def test_the_amounts_of_a_story_are_those_of_its_position() -> None:
    for stage in STAGES:
        state = beginning(stage.game, stage.at)
        known = {*state.cash.values(), *state.par.values()}
        told = {int(amount.replace(",", "")) for amount in re.findall(r"¥([\d,]+)", stage.story)}
        assert told <= known, (stage.key, told - known)


async def test_each_aim_is_reached_in_more_than_one_way(guides: GuidedGames) -> None:
    for kind, fields, key in (("BuyPrivate", {}, "bought"), ("Bid", {"private": "D"}, "bid")):
        assert (await play(guides, await at(guides, "bid"), kind, **fields)).now.seen.key == key
    for hex_id, tile in (("J3", "8"), ("J5", "58"), ("K6", "8")):
        options = engine.legal(title(), (here := await at(guides, "track")).position.state, YOU)
        lays = [one for one in options if getattr(one, "hex", "") == hex_id and getattr(one, "tile", "") == tile]
        tried = [(await guides.move(await at(guides, "track"), [one], None)) for one in lays]
        assert "joined" in {one.now.seen.key for one in tried if one is not None}, (here.stage.key, hex_id)
    for source in ("pool", "bank"):
        here = await at(guides, "late")
        there = await play(guides, here, "BuyTrain", source=source) if source == "pool" else here
        assert there.now.seen.key == ("helped" if source == "pool" else "")


async def test_a_company_of_any_kind_may_be_started_and_floats_by_whoever_buys(guides: GuidedGames) -> None:
    for corp in ("KO", "TR"):
        here = await play(guides, await at(guides, "float"), "Par", corp=corp, row=4)
        assert (here.fresh, here.now.seen.key) == (True, "")
        assert corp in here.now.before

        def buying(options: list[Action], corp: str = corp) -> Action:
            return next((one for one in options if getattr(one, "corp", "") == corp), passing(options))

        here = await on_and_on(guides, here, buying)
        assert here.now.seen.key == "floated"
        assert here.now.seen.values["corp"] == corp


async def test_whoever_takes_over_a_company_that_has_floated_is_not_told_that_it_floats(guides: GuidedGames) -> None:
    """Four shares of IR, Kodama's, make one its president two turns after it floated."""
    here = await on_and_on(
        guides,
        await at(guides, "float"),
        lambda options: next((one for one in options if getattr(one, "corp", "") == "IR"), passing(options)),
    )
    assert here.position.state.president["IR"] == YOU
    assert "**IR is yours to run**: nobody has more of it" in (said := (await stage_screen(here)).text)
    assert "IR floats" not in said


@pytest.mark.broad
async def test_the_game_is_played_to_its_end(guides: GuidedGames) -> None:
    here = await on_and_on(
        guides,
        await at(guides, "end"),
        lambda options: next((one for one in options if isinstance(one, Dividend) and one.kind == "pay"), options[0]),
    )
    assert here.position.over
    assert f"**{NAME}** wins" in here.now.said(here.now.task.then["over"])
    assert "That was the whole game" in through_screen().text


@pytest.mark.second
async def test_whoever_strays_is_told_so_and_led_back(guides: GuidedGames) -> None:
    for key in ("bid", "float", "track", "rush"):
        here = await on_and_on(guides, await at(guides, key), passing)
        assert here.now.missed, key
        screen = await stage_screen(here)
        assert {"Take it back", "This scene again", "Skip it"} <= {
            one.label for row in screen.rows if isinstance(row, tuple) for one in row
        }
        back = await guides.back(here)
        assert back is not None
        assert not back.now.seen.key
    here = await play(guides, await at(guides, "run"), "RunTrains")
    kept = await play(guides, here, "Dividend", kind="withhold")
    assert (kept.now.missed, kept.now.seen.key) == (True, "kept")


async def told(guides: GuidedGames, here: Guided, do: str, **fields: Any) -> str:
    """What the guide says once this is done."""
    return (await stage_screen(await play(guides, here, do, **fields))).text


async def test_a_tile_that_was_free_was_not_paid_for(guides: GuidedGames) -> None:
    said = await told(guides, await at(guides, "track"), "LayTile", hex="J5", tile="3")
    assert "on it every time. The tile was free.\n" in said


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (0, "You still have ¥205, and a share costs ¥100."),
        (5, "You still have ¥275, and a share costs ¥65."),
    ],
)
async def test_of_a_company_that_did_not_float_is_said_what_could_have_been_done(
    guides: GuidedGames, row: int, said: str
) -> None:
    here = await play(guides, await at(guides, "float"), "Par", corp="SR", row=row)
    here = await on_and_on(guides, here, passing)
    assert here.now.seen.key == "over"
    assert f"the coming operating round. {said} Try once more?" in (await stage_screen(here)).text


@pytest.mark.long
async def test_a_lower_par_is_advised_only_where_there_is_one(guides: GuidedGames) -> None:
    async def spent(row: int) -> str:
        here = await play(guides, await at(guides, "float"), "Par", corp="AR", row=row)
        here = await on_and_on(
            guides,
            here,
            lambda options: next((one for one in options if getattr(one, "corp", "") == "IR"), options[-1]),
        )
        return (await stage_screen(here)).text

    assert "A lower par would have let you buy more of it." in await spent(0)
    assert "lower par" not in await spent(5)


async def test_whoever_spends_what_the_train_costs_is_told_so_at_once(guides: GuidedGames) -> None:
    said = await told(guides, await at(guides, "rush"), "CompanyBuysPrivate", private="A", price=10)
    assert "KO has ¥290 left, and the 4-train costs ¥300." in said


async def test_every_text_of_every_outcome_can_be_told(guides: GuidedGames) -> None:
    class Any_(dict[str, str]):
        def __missing__(self, key: str) -> str:
            asked.add(key)
            return key

    for stage in STAGES:
        here = await at(guides, stage.key)
        for task in stage.tasks:
            asked: set[str] = set()
            for said in (task.aim, task.why, *task.then.values(), *task.missed.values()):
                said.format_map(Any_())
            if task is stage.tasks[0]:
                always = set(here.now.seen.values)
                for said in (task.aim, task.why):
                    assert set(re.findall(r"\{(\w+)\}", said)) <= always, (stage.key, said)


async def test_a_deal_needs_the_other_side(guides: GuidedGames) -> None:
    here = await at(guides, "late")
    with pytest.raises(TableError, match="does not agree"):
        await play(guides, here, "BuyTrain", source="AR", price=1)
    assert (await guides.of(USER)) is here


async def test_where_somebody_is_outlasts_the_bot(guides: GuidedGames, simcord_bot: House) -> None:
    here = await play(guides, await at(guides, "float"), "Par", corp="KO", row=4)
    again = GuidedGames(simcord_bot.store, simcord_bot.work, guides.thinkers)
    there = await again.of(USER)
    assert there is not None
    assert there is not here
    assert there.position.state == here.position.state
    assert there.now == here.now


async def test_two_presses_at_once_count_once(guides: GuidedGames) -> None:
    here = await at(guides, "bid")
    done = await asyncio.gather(
        *(guides.move(here, [legal(here, "BuyPrivate")], here.position.seq) for _ in range(3)), return_exceptions=True
    )
    assert sum(isinstance(one, Guided) for one in done) == 1
    assert sum(isinstance(one, Outdated) for one in done) == 2


def test_what_cannot_be_read_begins_anew() -> None:
    where = Where("float", NAME, (Pass(YOU),))
    assert read(where.written()) == where
    for damaged in ("", "{}", '{"stage":"nosuch","name":"A","moves":[]}', '{"stage":"bid","moves":[{"do":"Fly"}]}'):
        assert (read(damaged).stage, read(damaged).moves) == ("bid", ())


@pytest.mark.broad
async def test_chance_plays_through_all_stages_by_what_is_offered(club: Club) -> None:
    """Whatever a person presses is taken, and what cannot be done is said; nothing of it reaches a game."""
    member, chance = club.aiko, random.Random(5)
    shown = private_answer(await member.slash(club.channel, "guide"))
    assert "Your first game" in text(shown)
    shown = private_answer(await member.click(shown, label="Begin"))
    for stage in STAGES:
        assert text(shown).startswith(f"### {STAGES.index(stage) + 1} of {len(STAGES)}")
        for _ in range(6):
            offered = [one for one in moves(shown) if not one.code.startswith(("guide", "help"))]
            if not offered:
                break
            shown = private_answer(await press(member, shown, sensible(chance, offered)))
            if not selects(shown) and set(buttons(shown)) <= {"◀ To the guide"}:
                shown = private_answer(await member.click(shown, label="◀ To the guide"))
        shown = private_answer(await member.slash(club.channel, "guide"))
        shown = private_answer(await member.click(shown, label="Go on"))
        on = next((one for one in moves(shown) if code_of(one.custom_id).startswith(("guide|to", "guide|end"))), None)
        if on is None or on.label == "This scene again":
            shown = private_answer(
                await member.click(shown, label="Skip it" if "Skip it" in buttons(shown) else "More…")
            )
            if "Skip it" in buttons(shown):
                shown = private_answer(await member.click(shown, label="Skip it"))
        else:
            shown = private_answer(await press(member, shown, on))
    assert "That was the whole game" in text(shown)
    assert await club.bot.store.game_in_channel(club.channel.id) is None


async def test_at_the_end_a_stranger_opens_a_table(club: Club) -> None:
    first, second = club.members[:2]
    await club.bot.its(GuidedGames).go(first.id, "", NAME)
    shown = private_answer(await first.slash(club.channel, "guide"))
    await first.click(shown, label="Open a table")
    game = await club.game()
    assert (game.title, game.host_id, '"teaching": true' in game.settings) == ("1889", first.id, True)
    await second.click(club.packet(), label="Join")
    await first.click(club.packet(), label="Start")
    assert (await club.table()).position.up
    shown = private_answer(await first.slash(club.channel, "guide"))
    assert "already has a game" in await answer(first.click(shown, label="Open a table"))


async def test_only_the_person_sees_it_and_help_leads_to_it(club: Club) -> None:
    first, second = club.members[:2]
    asked = private_answer(await first.slash(club.channel, "game help"))
    shown = private_answer(await first.click(asked, label="Your first game"))
    shown = private_answer(await first.click(shown, label="Begin"))
    assert shown.flags.ephemeral
    assert await club.bot.its(GuidedGames).of(second.id) is None
    words = private_answer(await first.click(shown, label="Words"))
    assert "**Private company:**" in text(words)
    assert (await answer(first.click(words, label="◀ To the guide"))).startswith("### 1 of 7")


def test_no_press_waits_for_more_answers_than_a_stage_can_have() -> None:
    assert MOST_ANSWERS >= 200
    assert set(OTHERS) == {"p2", "p3"}
    assert {"welcome", "through"} == set(ABOUT)
    assert set(BY_KEY) == {stage.key for stage in STAGES}
    assert "Begin" in {one.label for row in welcome_screen(None).rows if isinstance(row, tuple) for one in row}


async def test_a_move_is_taken_back_with_a_press(club: Club) -> None:
    welcome = private_answer(await club.ben.slash(club.channel, "guide"))
    begun = private_answer(await club.ben.click(welcome, label="Begin"))
    passed = private_answer(await club.ben.click(begun, label="Pass"))
    assert "**Ben** passes." in text(passed)
    again = private_answer(await club.ben.click(passed, label="Back"))
    assert text(again) == text(begun)
    assert "Back" not in buttons(again)


async def test_whoever_skips_a_scene_reads_how_the_next_one_begins(club: Club) -> None:
    """They were to join Takamatsu to a second stop, and did not know whose it is."""
    member = club.aiko
    await club.bot.its(GuidedGames).go(member.id, "float", NAME)
    shown = private_answer(await member.slash(club.channel, "guide"))
    for label in ("Go on", "More…", "Skip it"):
        shown = private_answer(await member.click(shown, label=label))
    assert text(shown).startswith("### 3 of 7")
    assert "In our game you started **KO** at ¥70" in text(shown)


async def test_any_stage_can_be_gone_to(guides: GuidedGames) -> None:
    here = await at(guides, "run")
    offered = {one.code for row in more_screen(here).rows for one in getattr(row, "options", ())}
    assert {f"guide|scene|{stage.key}" for stage in STAGES} <= offered
