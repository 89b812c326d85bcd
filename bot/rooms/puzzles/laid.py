"""The puzzles that are shipped, and each laid out: its question with a picture, its answers, which is right and why.

`puzzles.json` has games that the program played, and the questions found in them; `tetsudo puzzles` makes it anew.
Day by day the puzzles follow each other as they stand there. A test proves runs and trains anew: where a change of the
rules or the router makes one wrong, make the file again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, partial
from importlib import resources
from typing import Any

import engine
import renderer
from bot.chat.screen import Image, where
from bot.core.errors import TableError
from bot.core.position import Position
from bot.core.work import Work
from bot.rooms.opponents.reasons import told
from bot.rooms.turn import pictures
from bot.words.labels import request
from bot.words.lexicon import listed
from bot.words.narration import narrate
from engine import Action, CorpId, HexId, PlayerId, State, Title, a_rank, from_json, route_views, to_json
from engine.actions import ACTIONS
from engine.board.reach import reach
from engine.facts import TrainBought, TrainsRan, TrainsRusted
from opponents import Choice, Reason
from opponents.puzzles import Answer, Puzzle, first_of_next, proved_run
from renderer.cache import Cache

NAMES = ("Hana", "Ivan", "Joy", "Kofi")
"""Who plays."""


@dataclass(frozen=True, slots=True)
class Prelude:
    """A game that the program played, as far as there are puzzles in it."""

    title: str
    options: tuple[str, ...]
    moves: Sequence[Sequence[Any]]
    """Each as a row: its kind, and its fields in order."""

    def box(self) -> Title:
        return engine.build(self.title, len(NAMES), self.options)

    def after(self, count: int) -> State:
        title = self.box()
        state = engine.start(title, NAMES)
        for row in self.moves[:count]:
            state = engine.apply(title, state, _action(row))
        return state


@dataclass(frozen=True, slots=True)
class Shelved:
    """A puzzle with its game."""

    name: str
    """The game and after how many moves: "1889-7-120"."""
    game: Prelude
    puzzle: Puzzle


@cache
def shelf() -> Mapping[str, Shelved]:
    """All puzzles by name, in the order of their days."""
    return {one.name: one for one in read((resources.files(__package__) / "puzzles.json").read_text("utf-8"))}


def read(text: str) -> list[Shelved]:
    """What `written` wrote."""
    body: dict[str, Any] = json.loads(text)
    games = {name: Prelude(one["title"], tuple(one["options"]), one["moves"]) for name, one in body["games"].items()}
    return [Shelved(f"{game}-{at}", games[game], _puzzle(at, *rest)) for game, at, *rest in body["puzzles"]]


def written(games: Mapping[str, Prelude], found: Iterable[tuple[str, Puzzle]]) -> str:
    """Games by name, and puzzles in the order of their days, each with its game's name: as JSON, one to a line."""
    kept = {
        name: json.dumps({"title": one.title, "options": one.options, "moves": one.moves}, **_SHORT)
        for name, one in games.items()
    }
    rows = [json.dumps([game, *_puzzle_row(one)], **_SHORT) for game, one in found]
    told = ",\n".join(f'"{name}":{text}' for name, text in kept.items())
    return f'{{"games":{{\n{told}\n}},\n"puzzles":[\n' + ",\n".join(rows) + "\n]}\n"


_SHORT: dict[str, Any] = {"separators": (",", ":"), "ensure_ascii": False}


def row_of(action: Action) -> list[Any]:
    body = to_json(action)
    row = [body["do"], *(body.get(field.name) for field in fields(action))]
    while row[-1] is None:
        row.pop()
    return row


def _action(row: Sequence[Any]) -> Action:
    kind, *values = row
    names = [field.name for field in fields(ACTIONS[kind])]
    return from_json(
        {"do": kind, **{name: value for name, value in zip(names, values, strict=False) if value is not None}}
    )


def _puzzle_row(one: Puzzle) -> list[Any]:
    answers = [answer if isinstance(answer, int | str) else row_of(answer) for answer in one.answers]
    reasons = [[reason.why, reason.amount, reason.before, reason.what] for reason in one.reasons]
    return [one.at, one.kind, one.who, answers, one.right, one.traps, reasons]


def _puzzle(at: int, kind: Any, who: str, answers: Sequence[Any], right: int, traps: Any, reasons: Any) -> Puzzle:
    known: list[Answer] = [_action(one) if isinstance(one, list) else one for one in answers]
    about = PlayerId(who) if kind == "shares" else CorpId(who)
    return Puzzle(at, kind, about, tuple(known), right, tuple(traps), tuple(Reason(*one) for one in reasons))


# Laid out

KEPT = 12
"""How many positions are kept, with their pictures."""
GONE = "This puzzle is no longer on the shelf: the bot has been given others since."
ASKS = {
    "run": "**{who}** runs {trains}. What is the most it can run for?",
    "rust": "Suppose that **{who}** now buys the first {rank}-train. Older trains rust: which company has none left?",
    "shares": "{who} is to move in this stock round. What does the program think is best?",
}
"""The questions."""
BETWEEN = {
    "less": "There is a run for {}, but it is not the best.",
    "blocked": "For {}, a train would have to pass a city that is full of others' tokens.",
    "long": "For {}, a train would have to call at one stop more than it can.",
    "shared": "{} is what its trains would run for one by one, but two trains cannot use the same track.",
}
"""What is wrong with a revenue."""
CHANCES = "Of 100 ways the game may go on, {} finishes first in {} after it, and in {} after the others."
PROVED = "No run brings more: the program has proved it."
THOUGHT = "That is what the program thinks, not a proof: two ways of judging put it far ahead of the others."


class OnTable:
    """The shelf, and the puzzles that were looked at last."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._laid: Cache[Laid] = Cache(KEPT)

    async def of(self, name: str) -> Laid:
        """The puzzle of this name. Raises TableError where there is none any more."""
        found = self._laid.get(name)
        if found is None:
            if name not in shelf():
                raise TableError(GONE)
            found = Laid(shelf()[name], await self._work.do(_position, shelf()[name], self._work))
            self._laid.put(name, found, 1)
        return found


def name_of(day: int) -> str:
    """The puzzle of a day, the same everywhere; days count from 1970."""
    return list(shelf())[day % len(shelf())]


def for_practice(day: int) -> list[str]:
    """The puzzles that were of a day not long ago, the latest first; none that is open somewhere or to come soon."""
    return [name_of(day - 2 - back) for back in range(len(shelf()) // 2)]


def _position(shelved: Shelved, work: Work) -> Position:
    state = shelved.game.after(shelved.puzzle.at)
    names = {str(seat): name for seat, name in state.names.items()}
    return Position(shelved.game.box(), state, shelved.puzzle.at, names, work)


class Laid:
    """A puzzle in its position."""

    def __init__(self, shelved: Shelved, position: Position) -> None:
        self.name, self.puzzle, self.position = shelved.name, shelved.puzzle, position
        self.where = where(position)

    @property
    def question(self) -> str:
        puzzle, title, state = self.puzzle, self.position.title, self.position.state
        names = self.position.lexicon()
        if puzzle.kind == "shares":
            return ASKS["shares"].format(who=names.player(puzzle.who))
        if puzzle.kind == "rust":
            return ASKS["rust"].format(who=puzzle.who, rank=title.phases[state.phase + 1].starts_on)
        counts = Counter(state.trains[CorpId(puzzle.who)])
        trains = listed(_trains(rank, counts[rank]) for rank in title.trains if rank in counts)
        reached = reach(state.board, CorpId(puzzle.who)).stops
        subsidies = any(state.board.stop(*stop).subsidy for stop in reached)
        return ASKS["run"].format(who=puzzle.who, trains=trains) + (" Subsidies do not count." if subsidies else "")

    @property
    def answers(self) -> list[str]:
        """What the buttons say."""
        return [self._worded(one) for one in self.puzzle.answers]

    @property
    def right(self) -> str:
        return self.answers[self.puzzle.right]

    def _worded(self, answer: int | CorpId | Action) -> str:
        if isinstance(answer, int):
            return self.position.lexicon().money(answer)
        return answer if isinstance(answer, str) else request(self.position.labels(self.puzzle.who), answer)

    # Pictures

    async def picture(self) -> Image:
        kind, position = self.puzzle.kind, self.position
        if kind == "run":
            return await pictures.map_image(position, around=self._around())
        card = await pictures.card_image(position, PlayerId(self.puzzle.who)) if kind == "shares" else None
        return card or await self._companies()

    async def _companies(self) -> Image:
        view, names = self.position.table(), self.position.names
        presided = [replace(one, president=PlayerId(names.get(one.president or "", ""))) for one in view.companies]
        view = replace(view, companies=tuple(presided), players=(), privates=())
        picture = await self.position.work.draw(lambda: partial(renderer.table_picture, view))
        return pictures.image("companies", picture)

    def _around(self) -> list[HexId]:
        """The hexes that the company reaches."""
        return sorted(reach(self.position.state.board, CorpId(self.puzzle.who)).hexes)

    async def solution(self, given: int) -> tuple[str, list[Image]]:
        """Why the right answer is right and the given one, by its place, perhaps not; with a picture."""
        puzzle = self.puzzle
        lines = await self.position.work.do(self._because)
        if puzzle.kind == "run" and given != puzzle.right:
            lines.append(BETWEEN[puzzle.traps[given]].format(self.answers[given]))
        return "\n".join(lines), await self._shown()

    def _because(self) -> list[str]:
        position, names = self.position, self.position.lexicon()
        title, state, seat = position.title, position.state, position.up[0]
        if self.puzzle.kind == "shares":
            choice = Choice(self.puzzle.answers[self.puzzle.right], 0.0, self.puzzle.reasons)  # type: ignore[arg-type]
            firsts = (one for one in self.puzzle.reasons if one.why == "firsts")
            chances = [
                CHANCES.format(names.player(seat), one.amount, f"at most {one.before}" if one.before else "none")
                for one in firsts
            ]
            return [told(choice, names, named=True), *chances, THOUGHT]
        if self.puzzle.kind == "run":
            best = proved_run(title, state, seat)
            assert best is not None, self.name
            after = engine.apply(title, state, best[0])
            return [*narrate([one for one in after.facts if isinstance(one, TrainsRan)], names), PROVED]
        bought = first_of_next(title, state, seat)
        assert bought is not None, self.name
        facts = [one for one in bought[1].facts if isinstance(one, TrainBought | TrainsRusted)]
        return [*narrate(facts, names), _left(state, bought[1])]

    async def _shown(self) -> list[Image]:
        """The best run on the map; the trains and what they rust."""
        position, kind = self.position, self.puzzle.kind
        if kind == "run":
            run = await position.work.do(proved_run, position.title, position.state, position.up[0])
            assert run is not None, self.name
            routes = route_views(position.title, position.state, run[0].corp, run[0].routes)
            return [await pictures.map_image(position, routes=routes, around=self._around(), name="run")]
        card = await pictures.card_image(position, None) if kind == "rust" else None
        return [] if card is None else [card]


def _trains(rank: str, count: int) -> str:
    """ "a 3-train", "an 8+4-train", "four 2-trains"."""
    if count == 1:
        return f"{a_rank(rank)}-train"
    number = {2: "two", 3: "three", 4: "four"}.get(count, str(count))
    return f"{number} {rank}-trains"


def _left(before: State, after: State) -> str:
    """Who has which trains after the purchase, of those who had any."""
    had: Sequence[CorpId] = [corp for corp, trains in before.trains.items() if trains]
    left = [f"**{corp}** {' '.join(after.trains[corp]) or 'no train'}" for corp in had]
    return f"That leaves {listed(left)}."
