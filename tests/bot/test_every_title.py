"""Every title with every option: what the bot shows at positions of random games is worded and within Discord's limits.

No Discord is asked: the messages are built from the position alone, as they would be sent.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio
from club import walk as components
from walks import walk

import engine
from bot.play.position import Position
from bot.play.secrecy import secret_kinds, standing_kinds
from bot.play.work import Work
from bot.screens import lay_tile, run_trains, turn
from bot.screens.controls import add_controls, add_menu, by_kind
from bot.screens.screen import MAX_COMPONENTS, MAX_OPTION, MAX_OPTIONS, Screen, Select
from bot.text.labels import CONTROLS
from bot.text.narration import ENDINGS, SKIPS, TELLERS, narrate
from bot.text.track import without_twins
from bot.ui.commands.common import full_label, moves_named
from bot.ui.layout import view
from engine import actions as a
from engine import facts
from engine.actions import ACTIONS, Action, Deal, LayPowerTile, LayTile, StateRevenue
from engine.facts import Announced, Fact, GameEnded, Passed
from engine.ids import CHANCE
from engine.state import State
from engine.title import Title
from engine.views import RouteView

GAME = "0123456789ab"
LISTED = (
    a.BuyPrivate, a.SellPrivate, a.ClosePrivate, a.ExchangePrivate, a.BuyShare, a.PlaceToken, a.Dividend, a.BuyTrain,
    a.DiscardTrain,
)  # fmt: skip
"""The kinds of actions that a command of their own lists as they are labelled."""
SAMPLED = 7
"""Every so many positions of a game are shown."""


def boxes() -> Iterator[Any]:
    """Each title plain, with each option alone, and with the most and the fewest players."""
    for key, recipe in engine.TITLES.items():
        for option in ("", *recipe.options):
            players = recipe.players[-1] if option else recipe.players[0]
            yield pytest.param(key, players, [option] if option else [], id=f"{key}-{players}-{option or 'plain'}")


@pytest_asyncio.fixture
async def work() -> AsyncIterator[Work]:
    with ThreadPoolExecutor(2) as pool:
        yield Work(pool)


def within_limits(screen: Screen) -> None:
    """The screen as Discord would get it: sizes, and no control or choice twice, nor two that read the same."""
    for row in screen.rows:
        labels = [one.label for one in (row.options if isinstance(row, Select) else row)]
        assert len(labels) == len(set(labels)), labels
    found = [one for one in components(view(screen).to_components()) if "type" in one]
    assert len(found) <= MAX_COMPONENTS
    ids = [one["custom_id"] for one in found if "custom_id" in one]
    assert len(ids) == len(set(ids)), ids
    for one in found:
        options = one.get("options") or []
        values = [option["value"] for option in options]
        assert len(values) <= MAX_OPTIONS
        assert len(values) == len(set(values)), values
        if one["type"] == 3:
            assert options
            assert all(1 <= len(option["label"]) <= 100 and len(option["value"]) <= 100 for option in options)
        if one["type"] == 2:
            assert 1 <= len(one["label"]) <= 80


async def shown(title: Title, state: State, work: Work) -> None:
    """Build the messages of one position for everybody who can act."""
    position = Position(title, state, 12345, dict(state.names), work, state.facts)
    labels = position.labels()
    screen = Screen("x", game=GAME, seq=position.seq)
    choices = await position.choices()
    assert choices, position.decision
    assert turn.task_of(position) != position.decision.step or " " in turn.task_of(position)
    add_controls(screen, choices, labels, secret=secret_kinds(position), standing=standing_kinds(position))
    turn.add_tools(screen, passing=True, undo=True, suggest=True)
    within_limits(screen)
    for seat in state.players:
        await shown_to(position, seat)


async def shown_to(position: Position, seat: str) -> None:
    """The private messages that the seat can open."""
    found = await position.actions(seat)
    proposals = await position.proposals(seat)
    runs: dict[Action, Sequence[RouteView]] = {one.action: one.routes for one in proposals if one.legal}
    labels = replace(position.labels(seat), runs=runs)
    hand = Screen("x", game=GAME, seq=position.seq)
    add_controls(hand, found, labels)
    within_limits(hand)
    for kind, some in by_kind(without_twins(position.title, found)).items():
        for action in some[:60]:
            assert labels.of(action)
            assert "None" not in labels.of(action), action
        for subject in dict.fromkeys(["", *(getattr(action, "corp", "") or "" for action in some)]):
            menu = Screen("x", game=GAME, seq=position.seq)
            add_menu(menu, kind, some, labels, subject)
            within_limits(menu)
    await tiles_shown_to(position, seat, found)
    await named_to(position, seat)


async def named_to(position: Position, seat: str) -> None:
    """The moves as commands list them: each under a name of its own, which is whole and needs no number."""
    moves = await moves_named(position, seat)
    names = [name for name, _ in moves]
    assert len(names) == len(set(names)), [one for one in names if names.count(one) > 1]
    assert all(1 <= len(name) <= MAX_OPTION for name in names), max(names, key=len)
    labels = position.labels(seat)
    for kind in LISTED:
        mine = [full_label(labels, one) for one in await position.actions(seat) if isinstance(one, kind)]
        assert len(mine) == len(set(mine)), mine


async def tiles_shown_to(position: Position, seat: str, found: tuple[Action, ...]) -> None:
    lays = [action for action in found if isinstance(action, LayTile | LayPowerTile)]
    for kind, subject in dict.fromkeys((type(one).__name__, str(lay_tile._subject(one))) for one in lays):
        within_limits(await lay_tile.hex_screen(position, GAME, seat, kind, subject))
        where = [one.hex for one in lays if lay_tile._subject(one) == subject]
        within_limits(await lay_tile.tile_screen(position, GAME, seat, kind, subject, where[0]))
    for corp in {one.action.corp for one in await position.proposals(seat)}:
        within_limits(await run_trains.routes_screen(position, GAME, seat, corp))


def told(title: Title, state: State, names: Any) -> None:
    """Everything that happened is worded."""
    for fact in state.facts:
        assert_worded(title, fact)
    lines = narrate(state.facts, names)
    assert all(line and "None" not in line for line in lines), lines


def assert_worded(title: Title, fact: Fact) -> None:
    own = title.wording
    if isinstance(fact, Announced):
        assert fact.what in own.announcements
    elif isinstance(fact, GameEnded):
        assert fact.reason in {**ENDINGS, **own.endings}
    elif isinstance(fact, Passed) and fact.step not in ("offer", "shares"):
        assert fact.step in {**SKIPS, **own.skips}, fact


def built(key: str, players: int, options: list[str]) -> Title:
    """The title with the options, and with as few others and as many players as they need."""
    others = ([], *([option] for option in engine.TITLES[key].options if option not in options))
    for more in others:
        for number in range(players, 1, -1):
            with suppress(engine.BadAction):
                return engine.build(key, number, [*options, *more])
    raise AssertionError(options)


async def look(key: str, players: int, options: list[str], seed: int, most: int, work: Work) -> None:
    title = built(key, players, options)
    names = None
    for number, (state, action, after) in enumerate(walk(title, seed, most)):
        names = names or Position(title, state, 1, dict(state.names), work).lexicon()
        told(title, after, names)
        if number % SAMPLED == 0 and action.by != CHANCE:
            await shown(title, state, work)


@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize(("key", "players", "options"), list(boxes()))
async def test_the_first_turns_are_shown_within_the_limits(
    key: str, players: int, options: list[str], work: Work
) -> None:
    await look(key, players, options, 1, 120, work)


@pytest.mark.slow
@pytest.mark.usefixtures("plain_pictures")
@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize(("key", "players", "options"), list(boxes()))
async def test_whole_games_are_shown_within_the_limits(
    key: str, players: int, options: list[str], seed: int, work: Work
) -> None:
    await look(key, players, options, seed, 20_000, work)


def test_every_kind_of_action_has_a_label() -> None:
    never_pressed = {Deal, StateRevenue}
    assert set(ACTIONS.values()) - never_pressed == set(CONTROLS)


def test_every_kind_of_fact_has_words() -> None:
    kinds = {one for one in vars(facts).values() if isinstance(one, type) and issubclass(one, Fact) and one is not Fact}
    assert kinds - {facts.CashMoved} == set(TELLERS)
