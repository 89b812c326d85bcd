"""What the bot shows at a position is worded, drawn and within Discord's limits. No Discord is asked."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bot.chat.commands import full_label, moves_named
from bot.chat.layout import view
from bot.chat.screen import MAX_COMPONENTS, MAX_OPTION, MAX_OPTIONS, Screen, Select
from bot.core.position import Position
from bot.core.secrecy import secret_kinds, standing_kinds
from bot.core.work import Work
from bot.rooms.turn import lay_tile, run_trains
from bot.rooms.turn import screen as turn
from bot.rooms.turn.controls import add_controls, add_menu, by_kind, subject_of
from bot.rooms.turn.pictures import card_image
from bot.words.lexicon import Lexicon, without_twins
from bot.words.narration import ENDINGS, SKIPS, narrate
from cli.contract import must
from engine import Action, Fact, PlayerId, State, Title, board_view, market_view, table_view
from engine import actions as a
from engine.facts import Announced, GameEnded, Passed
from engine.viewing import phases_view
from renderer import Picture, map_picture, market_picture, phases_picture, table_picture
from renderer.png import Drawing

GAME = "0123456789ab"
LISTED = (
    a.BuyPrivate, a.SellPrivate, a.ClosePrivate, a.ExchangePrivate, a.BuyShare, a.PlaceToken, a.Dividend, a.BuyTrain,
    a.DiscardTrain,
)  # fmt: skip
"""The kinds of actions that a command of their own lists as they are labelled."""
FEW = 60
"""How many actions of a kind are looked at one by one."""
SELECT, BUTTON = 3, 2
"""Discord's kinds of components."""


class Undrawn(Work):
    """Draws nothing: every picture is empty."""

    async def draw(self, prepare: Callable[[], Drawing]) -> Picture:
        return Picture(b"", 1, 1, "nothing")


def undrawn() -> Undrawn:
    """Work for positions whose pictures do not matter."""
    return Undrawn(ThreadPoolExecutor(1))


def seen(t: Title, s: State, work: Work) -> Position:
    """The position as the bot has it."""
    return Position(t, s, 12345, {str(seat): name for seat, name in s.names.items()}, work, s.facts)


def components(node: Any) -> Iterator[dict[str, Any]]:
    """All components in what is sent to Discord, at any depth."""
    if isinstance(node, dict):
        yield node
        for key in ("components", "items", "accessory"):
            yield from components(node.get(key) or [])
    elif isinstance(node, list):
        for one in node:
            yield from components(one)


def within_limits(screen: Screen) -> None:
    """The screen as Discord would get it: sizes, and no control or choice twice, nor two that read the same."""
    for row in screen.rows:
        _once([one.label for one in (row.options if isinstance(row, Select) else row)], "labels")
    sent = view(screen).to_components()  # type: ignore[no-untyped-call]
    found = [one for one in components(sent) if "type" in one]
    must(len(found) <= MAX_COMPONENTS, f"A message has {len(found)} components; Discord takes {MAX_COMPONENTS}.")
    _once([one["custom_id"] for one in found if "custom_id" in one], "ids of controls")
    for one in found:
        _component(one)


def _component(one: dict[str, Any]) -> None:
    options = one.get("options") or []
    must(len(options) <= MAX_OPTIONS, f"A list has {len(options)} choices; Discord takes {MAX_OPTIONS}.")
    _once([option["value"] for option in options], "values of choices")
    if one["type"] == SELECT:
        must(options, "A list has no choices.")
        for option in options:
            must(1 <= len(option["label"]) <= 100, f"A choice is too long for Discord: {option['label']!r}.")
            must(len(option["value"]) <= 100, f"The value of a choice is too long for Discord: {option['value']!r}.")
    if one["type"] == BUTTON:
        must(1 <= len(one["label"]) <= 80, f"A button is too long for Discord: {one['label']!r}.")


def _once(texts: Sequence[str], what: str) -> None:
    twice = [text for text in texts if texts.count(text) > 1]
    must(not twice, f"Two {what} of one message are the same: {twice[:1]}.")


async def shown(title: Title, state: State, work: Work) -> None:
    """Build the messages of one position for everybody who can act."""
    position = seen(title, state, work)
    screen = Screen("x", game=GAME, seq=position.seq)
    choices = await position.choices()
    must(choices, f"There are no choices: {position.decision}.")
    task = turn.task_of(position)
    must(task != position.decision.step or " " in task, f"Step {task} has no words: `Wording.tasks` has none.")
    labels = await position.traced_labels(position.up[0])
    add_controls(screen, choices, labels, secret=secret_kinds(position), standing=standing_kinds(position))
    turn.add_more(screen)
    within_limits(screen)
    for seat in state.players:
        await shown_to(position, seat)


async def shown_to(position: Position, seat: PlayerId) -> None:
    """The private messages that the seat can open."""
    found = await position.actions(seat)
    labels = await position.traced_labels(seat, seat)
    hand = Screen("x", game=GAME, seq=position.seq)
    add_controls(hand, found, labels)
    within_limits(hand)
    for kind, some in by_kind(without_twins(position.title, found)).items():
        for action in some[:FEW]:
            label = labels.of(action)
            must(label and "None" not in label, f"{action} has the label {label!r}.")
        for subject in dict.fromkeys(["", *(getattr(action, "corp", "") or "" for action in some)]):
            menu = Screen("x", game=GAME, seq=position.seq)
            add_menu(menu, kind, some, labels, subject)
            within_limits(menu)
    await tiles_shown_to(position, seat, found)
    await named_to(position, seat)


async def named_to(position: Position, seat: PlayerId) -> None:
    """The moves as commands list them: each under a name of its own, which is whole and needs no number."""
    names = [name for name, _ in await moves_named(position, seat)]
    _once(names, "moves")
    for name in names:
        must(1 <= len(name) <= MAX_OPTION, f"The name of a move is too long for Discord: {name!r}.")
    labels = position.labels(seat)
    for kind in LISTED:
        _once([full_label(labels, one) for one in await position.actions(seat) if isinstance(one, kind)], "moves")


async def tiles_shown_to(position: Position, seat: PlayerId, found: Sequence[Action]) -> None:
    """The lists of hexes, tiles and routes."""
    lays = [action for action in found if isinstance(action, a.LayTile | a.LayPowerTile)]
    for kind, subject in dict.fromkeys((type(one), subject_of(one)) for one in lays):
        within_limits(await lay_tile.hex_screen(position, GAME, seat, kind, subject))
        where = [one.hex for one in lays if subject_of(one) == subject]
        within_limits(await lay_tile.tile_screen(position, GAME, seat, kind, subject, where[0]))
    for corp in {one.action.corp for one in await position.proposals(seat)}:
        within_limits(await run_trains.routes_screen(position, GAME, seat, corp))


def told(title: Title, state: State, names: Lexicon) -> None:
    """Everything that happened is worded."""
    for fact in state.facts:
        _worded(title, fact)
    for line in narrate(state.facts, names):
        must(line and "None" not in line, f"What happened is told as {line!r}.")


def _worded(title: Title, fact: Fact) -> None:
    own = title.wording
    if isinstance(fact, Announced):
        must(fact.what in own.announcements, f"`Wording.announcements` has no {fact.what!r}.")
    elif isinstance(fact, GameEnded):
        must(fact.reason in {**ENDINGS, **own.endings}, f"`Wording.endings` has no {fact.reason!r}.")
    elif isinstance(fact, Passed) and fact.step not in ("offer", "shares"):
        must(fact.step in {**SKIPS, **own.skips}, f"`Wording.skips` has no {fact.step!r}.")


LEAST = 100
"""Pixels that a side of a picture has at least."""


def pictures(t: Title, s: State) -> Iterator[Picture]:
    """All that is drawn of the position for everybody."""
    yield map_picture(board_view(t, s))
    yield market_picture(market_view(t, s))
    yield table_picture(table_view(t, s))
    yield phases_picture(phases_view(t, s))


async def drawn(t: Title, s: State) -> None:
    """Every picture can be drawn, has a size, and says in words what it shows."""
    for picture in pictures(t, s):
        must(min(picture.width, picture.height) >= LEAST, f"A picture is {picture.width} x {picture.height} pixels.")
        must(picture.alt and "None" not in picture.alt, f"A picture is described as {picture.alt!r}.")
    with ThreadPoolExecutor(1) as pool:
        card = None if s.over else await card_image(seen(t, s, Work(pool)))
    must(card is None or "None" not in card.alt, f"The card of the decision is described as {card and card.alt!r}.")
