"""How many presses a turn takes: recorded games, played again on the bot's own screens.

    python benchmarks/presses.py FILE...             18xx.games records and games of our own
    python benchmarks/presses.py --secret FILE...    the same with company money kept secret, as in most games

Every decision of a person is looked for on the message of the turn, and from there on the private messages that its
controls open: the shortest way counts. A button, a choice from a list, an opened form and its submission are one
interaction each, and so is the other side's *Accept* of a deal. What the bot does by itself costs nothing. Pictures are
left out, as nobody presses them.

Prints `TITLE turns N median M 90% P` for each title, once for companies' turns and once for players' turns of stock
rounds, then the averages and what the presses were for.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean, median, quantiles
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))


import renderer
from bot.chat import press as pressing
from bot.chat.codes import action_code
from bot.chat.press import FORM_ID, Drafts, Form, Press
from bot.chat.room import Rooms
from bot.chat.screen import Screen, Select
from bot.core import outcome
from bot.core.errors import TableError
from bot.core.moves import turn_start
from bot.core.table import Table
from bot.core.tables import Tables
from bot.core.work import Work
from bot.house import ROOMS
from bot.rooms.turn import act, choosing, deals, forms, lay_tile, shown
from bot.rooms.turn import screen as turn
from engine.actions import ACTIONS, Action, EndGame, LayPowerTile, LayTile, RunTrains, StateRevenue
from engine.board.tiles import turned
from engine.errors import EngineError
from engine.ids import CHANCE, SR
from engine.viewing import route_views
from records.files import Replay, parse, play
from storage import Store

NO_MOVES = frozenset({
    "hand", "more", "note", "program", "suggest", "board", "reasons", "opponent", "substitute", "why", "ifpass",
    "since", "show", "undo", "follow", "take", "pass", "further", "price", "yes", "no", "vote", "rule", "help",
    "chart", "history", "past", "astext", "learned", "catchup",
})  # fmt: skip
"""Words of controls that never lead to a move of a turn."""
HANDLERS = Rooms(ROOMS)
DEEPEST = 6
"""How many presses one decision may take."""
COMPANY, STOCK, OTHER = "Companies' turns", "Players' turns in stock rounds", "Other turns"


@dataclass
class Tally:
    """What was counted for one title: presses by turn, and by kind of action."""

    turns: dict[tuple[Any, ...], int] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)


class Discord:
    """What the bot's handlers say to Discord, kept instead: the screen, the form or the actions that followed."""

    def __init__(self) -> None:
        self.answer: Screen | Form | list[Action] | None = None
        self.drafts = Drafts()
        act.acknowledge = choosing.acknowledge = forms.acknowledge = pressing.acknowledge = self._quiet
        act.show_privately = choosing.show_privately = shown.show_privately = self._show
        pressing.show_privately = self._show
        act.act = forms.act = self._act

    async def _quiet(self, *args: Any, **options: Any) -> None:
        pass

    async def _show(self, interaction: Any, screen: Screen, **options: Any) -> None:
        self.answer = screen

    async def _act(self, interaction: Any, scene: Any, action: Action, *args: Any, **more: Any) -> None:
        self.answer = [action, *more.get("then", ())]

    async def _send_modal(self, form: Form) -> None:
        self.answer = form

    async def press(self, table: Table, user: int, code: str) -> Screen | Form | list[Action] | None:
        """What a control with this code leads to; None where it is refused."""
        self.answer = None
        response = SimpleNamespace(send_modal=self._send_modal)
        interaction: Any = SimpleNamespace(
            id=1, user=SimpleNamespace(id=user), message=None, type=None, response=response, extras={}
        )
        try:
            word, parts = HANDLERS.read(code)
            given = pressing.Press(self._bot(table), interaction, table.game.id, table.position.seq, word, parts)
            await HANDLERS.handler(word)(given)
        except (TableError, EngineError):
            return None
        return self.answer

    async def submit(self, table: Table, user: int, form: Form, entered: dict[str, str]) -> list[Action]:
        """The actions of a form that was filled in so; none where it is refused."""
        self.answer = []
        components = [{"component": {"custom_id": name, "value": value}} for name, value in entered.items()]
        data = {"custom_id": form.custom_id, "components": components}
        interaction: Any = SimpleNamespace(id=1, user=SimpleNamespace(id=user), data=data, message=None, extras={})
        try:
            match = FORM_ID.fullmatch(form.custom_id)
            assert match is not None
            word, parts = HANDLERS.read(match["code"])
            await forms.submitted(Press(self._bot(table), interaction, match["game"], int(match["seq"]), word, parts))
        except (TableError, EngineError):
            return []
        return self.answer if isinstance(self.answer, list) else []

    def _bot(self, table: Table) -> Any:
        async def get(game: str) -> Table:
            return table

        async def scene_of(place: str, user: int) -> Table:
            return table

        return SimpleNamespace(
            tables=SimpleNamespace(get=get), rooms=SimpleNamespace(board_at=lambda place: None), scene_of=scene_of,
            work=table.work, sender=None, its=lambda kind: self.drafts,
        )  # fmt: skip


def codes_on(screen: Screen) -> Iterator[str]:
    """What the controls of a screen carry."""
    for row in screen.rows:
        yield from (one.code for one in (row.options if isinstance(row, Select) else row))


def may_lead(code: str, action: Action) -> bool:
    """Whether a person who wants the action would press such a control."""
    word, *parts = code.split("|")
    kind = type(action).__name__
    if word in NO_MOVES:
        return False
    if word == "RunTrains" or word == "routes":
        return kind in ("RunTrains", "StateRevenue")
    if word in ACTIONS:
        return code == action_code(action)
    if word in ("menu", "lay", "hex", "try", "ask"):
        named = {str(getattr(action, name)) for name in action.__dataclass_fields__}
        return parts[0] == kind and all(part in named or (word == "hex" and len(part) < 3) for part in parts[1:])
    return True  # one press for several decisions


def filled_in(action: Any) -> dict[str, str]:
    """What a person would enter into a form to do the action."""
    amount = getattr(action, "price", getattr(action, "amount", ""))
    return {"amount": str(amount), "private": str(getattr(action, "private", ""))}


def meant(table: Table, done: Sequence[Action], wanted: Sequence[Action]) -> bool:
    """Whether these actions are those wanted. Routes that bring the same are the same."""
    if not done or len(done) > len(wanted):
        return False
    return all(
        one == other or (isinstance(one, RunTrains) and same_run(table, one, other))
        for one, other in zip(done, wanted, strict=False)
    )


def same_run(table: Table, one: RunTrains, other: Action) -> bool:
    """Whether both runs bring the same; those of early records only state what they brought."""
    if not isinstance(other, RunTrains):
        return isinstance(other, StateRevenue)
    brought = [
        (sum(view.value for view in views), sum(view.subsidy for view in views))
        for views in (route_views(table.title, table.position.state, run.corp, run.routes) for run in (one, other))
    ]
    return brought[0] == brought[1]


async def as_offered(table: Table, action: Action) -> Action:
    """The action, or the lay that is offered in place of an equal one turned otherwise, its stops in another order."""
    if not isinstance(action, LayTile | LayPowerTile):
        return action
    subject = action.corp if isinstance(action, LayTile) else action.private
    face = table.title.tiles[action.tile].face
    track = turned(face, action.rotation).segments
    offered = await lay_tile.lays(table.position, action.by, type(action), subject)
    alike = [one for one in offered if (one.hex, one.tile) == (action.hex, action.tile)]
    return next((one for one in alike if turned(face, one.rotation).segments == track), alike[0])


async def shortest(discord: Discord, table: Table, wanted: Sequence[Action]) -> tuple[int, int]:
    """(presses, how many of the actions they do) for the next of the wanted actions."""
    user = table.seats[wanted[0].by].user_id
    wanted = [await as_offered(table, wanted[0]), *wanted[1:]]
    screens = [await turn.turn_screen(table)]
    if wanted[0].by not in table.position.up:
        screens = [held for held in [await discord.press(table, user, "hand")] if isinstance(held, Screen)]
    before, seen = int(wanted[0].by not in table.position.up), set[str]()
    too_much = False
    for depth in range(before + 1, DEEPEST + 1):
        found: list[tuple[int, int]] = []
        following: list[Screen] = []
        for code in [code for screen in screens for code in codes_on(screen)]:
            if code in seen or not may_lead(code, wanted[0]):
                continue
            seen.add(code)
            answer, cost = await discord.press(table, user, code), depth
            if isinstance(answer, Form) and isinstance(wanted[0], RunTrains):
                answer, cost = [wanted[0]], depth + 1  # whatever there is to type
            elif isinstance(answer, Form):
                answer, cost = await discord.submit(table, user, answer, filled_in(wanted[0])), depth + 1
            if isinstance(answer, Screen):
                following.append(answer)
            elif isinstance(answer, list) and meant(table, answer, wanted):
                found.append((-len(answer), cost))
            elif isinstance(answer, list) and answer:
                too_much = too_much or answer[0] == wanted[0]
        if found:
            number, cost = min(found)
            return cost + (deals.needs_consent(table, wanted[0]) is not None), -number
        screens = following
    if too_much:
        return 0, 1  # what follows is done first, and this with the press that ends the turn
    if before:
        return 1, 1  # done out of order, as 18xx.games allows with discards: here it is one press in its own turn
    raise LookupError(f"{wanted[0]} is not on the screens of move {table.position.seq}")


async def add(table: Table, left: Sequence[Action], of_title: Tally) -> None:
    """Play the game again and add its presses."""
    discord = Discord()
    while table.position.seq < len(left):
        rest = left[table.position.seq :]
        spent, done = await shortest(discord, table, rest)
        key = turn_key(table, table.game.id)
        of_title.turns[key] = of_title.turns.get(key, 0) + spent
        of_title.kinds[f"{key[0]}: {' + '.join(type(one).__name__ for one in rest[:done])}"] += spent
        await go_on(table, left, table.position.seq + done)
        assert [one.action for one in table.moves] == left[: len(table.moves)], "the bot's own moves differ"


def turn_key(table: Table, game: str) -> tuple[Any, ...]:
    """The turn that a press belongs to. Interrupts belong to the company's turn that they interrupt."""
    state = table.position.state
    if state.operating:
        return COMPANY, game, state.turn, state.or_number, state.operating
    return STOCK if state.round == SR else OTHER, game, turn_start(table.title, table.moves, table.beginning)


async def again(games: Iterable[Replay], *, secret: bool = False) -> AsyncIterator[tuple[Replay, Table, list[Action]]]:
    """Each game with a table at which it begins anew, and the moves to make there."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        async with Store.open(Path(folder) / "games.sqlite3") as store:
            for number, played in enumerate(games, start=1):
                yield played, *(await begun(store, Work(pool), number, played, secret=secret))


async def begun(
    store: Store, work: Work, channel: int, played: Replay, *, secret: bool = False
) -> tuple[Table, list[Action]]:
    """A new game of the same title and people, in which chance will decide the same; and the moves to make in it."""
    options = json.dumps(sorted(played.title.options))
    game = await store.create_game(channel_id=channel, host_id=1, title=played.title.id, options=options)
    for number, who in enumerate(played.names, start=1):
        await store.join(game.id, number, who, limit=len(played.names))
    game = await store.start_game(game.id)
    table = await Tables(store, work).get(game.id)
    if secret:
        policy = replace(table.title.policy, secrecy=replace(table.title.policy.secrecy, open_treasuries=False))
        table.title = replace(table.title, policy=policy)
        table._arrive(0)
    left = [one for one in played.actions if not isinstance(one, EndGame)]  # that is a vote
    draws = iter([one for one in left if one.by == CHANCE])
    outcome.RANDOM = SimpleNamespace(choice=lambda offered: next(draws))  # type: ignore[assignment]
    await table.go_on()
    return table, left


async def go_on(table: Table, left: Sequence[Action], upto: int) -> None:
    """Make moves until there are so many."""
    while table.position.seq < upto:
        action = left[table.position.seq]
        await table.submit(action, user=table.seats[action.by].user_id)


def without_pictures() -> None:
    for name in renderer.__all__:
        if name.endswith("_picture"):
            setattr(renderer, name, lambda *args, **options: renderer.Picture(b"", 1, 1, ""))


async def count(games: Sequence[Replay], secret: bool) -> dict[str, Tally]:
    """Presses of all games, by title."""
    tally: dict[str, Tally] = {}
    async for played, table, left in again(games, secret=secret):
        await add(table, left, tally.setdefault(played.title.id, Tally()))
    return tally


def report(tally: dict[str, Tally]) -> None:
    for kind in (COMPANY, STOCK):
        print(f"{kind}:")
        for title, one in tally.items():
            counts = [number for key, number in one.turns.items() if key[0] == kind]
            if counts:
                high = quantiles(counts, n=10)[-1] if len(counts) > 1 else counts[0]
                print(f"{title} turns {len(counts)} median {median(counts):g} 90% {high:g}")
    print("On average, and what the presses were for:")
    for title, one in tally.items():
        for kind in (COMPANY, STOCK):
            counts = [number for key, number in one.turns.items() if key[0] == kind]
            if counts:
                print(f"{title}, {kind.lower()}: {mean(counts):.2f} a turn, {max(counts)} at most")
        print("  " + "; ".join(f"{what} {number}" for what, number in one.kinds.most_common()))


def main() -> None:
    parser = argparse.ArgumentParser(description="How many presses a turn takes.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--secret", action="store_true", help="keep the companies' money secret")
    options = parser.parse_args()
    without_pictures()
    games = [play(parse(Path(name).read_bytes())) for name in options.files]
    report(asyncio.run(count(games, options.secret)))


if __name__ == "__main__":
    main()
