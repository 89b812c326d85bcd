"""Looking stored games over: whether the database is sound, whether every game replays, and what changed rules mean."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from bot.core.loading import RuleChange
from bot.core.table import Table
from bot.core.work import Work
from engine import EngineError
from engine.stored import ODD
from storage import BrokenLog, Game, Store

GoOn = Literal["never", "always"]
AHEAD = {
    "stored": "It will go on when the bot loads it.",
    "as played": "It will go on when the bot loads it.",
    "cut": "It waits: `tetsudo rules --go-on {}` lets it go on without those; the previous version still plays them.",
    "elsewhere": "It waits: `tetsudo rules --go-on {}` lets it go on there; the previous version still plays it.",
    "none": "It waits: the previous version can still play it, and `/game end` ends it where it stands.",
}


@dataclass(frozen=True, slots=True)
class Examined:
    """A game that would not be where it is by the present rules."""

    game: Game
    change: RuleChange | None
    """None where nothing can be made of the log."""
    why: str = ""

    @property
    def text(self) -> str:
        """What it is about and what can be done."""
        if self.change is None:
            return f"Game {self.game.id} does not replay: {self.why}"
        ahead = AHEAD[self.change.facts.way].format(self.game.id)
        return f"{self._about}: entry {self.change.facts.seq}. {self.change.sentence} {ahead}"

    @property
    def gone_on(self) -> str:
        """What has been done."""
        if self.change is None or not self.goes_on:
            return self.text
        return f"{self._about} goes on. {self.change.sentence}"

    @property
    def goes_on(self) -> bool:
        """Whether the game goes on where the bot's host lets it."""
        return self.change is not None and self.change.facts.way != "none"

    @property
    def waits(self) -> bool:
        """Whether the game would go on, but only if the bot's host lets it."""
        return self.change is not None and self.goes_on and not self.change.safe

    @property
    def _about(self) -> str:
        return f"Game {self.game.id} ({self.game.title}, {self.game.status})"


async def examine(store: Store, game: Game, go_on: GoOn = "never") -> Examined | None:
    """What the present rules make of the game; None if it goes on as it was played, or has not begun."""
    if game.status == "open" or (game.status == "abandoned" and not game.seq):
        return None
    with ThreadPoolExecutor(1) as executor:
        try:
            table = Table(store, Work(executor), game, await store.seats(game.id))
            change = await table.load(go_on=go_on)
        except (EngineError, BrokenLog, *ODD) as error:
            return Examined(game, None, str(error))
    if change is None and game.status != "abandoned" and table.position.over != (game.status == "finished"):
        return Examined(game, None, f"it is {game.status}, but its log says otherwise.")
    return None if change is None else Examined(game, change)


@dataclass(frozen=True, slots=True)
class Found:
    games: int
    rows: int
    problems: list[str]
    """Of the database, of the checksums, of games of which nothing can be made, and what is damaged beside them: a
    sentence each."""
    touched: list[Examined]
    """Games that changed rules affect."""


async def looked_over(store: Store, only: Sequence[str] = ()) -> Found:
    """Check all games, or only these, and replay them if they are sound."""
    games = await chosen(store, only)
    problems = await store.check(*only)
    replayed = [] if problems else await examined(store, games)
    problems += [one.text for one in replayed if one.change is None]
    problems += await store.damaged_beside(*only)
    touched = [one for one in replayed if one.change is not None]
    return Found(len(games), sum(game.seq for game in games), problems, touched)


async def examined(store: Store, games: Sequence[Game], go_on: GoOn = "never") -> list[Examined]:
    """Those of the games that would not be where they are by the present rules."""
    return [one for game in games if (one := await examine(store, game, go_on)) is not None]


async def chosen(store: Store, only: Sequence[str]) -> list[Game]:
    """These games, or all. Raises UnknownGame."""
    return [await store.game(one) for one in only] or await store.games("open", "running", "finished", "abandoned")
