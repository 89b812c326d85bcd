"""What changed rules mean for stored games: examined without a bot, and carried out where the host wants it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from bot.core.loading import RuleChange
from bot.core.table import Table
from bot.core.work import Work
from engine.errors import EngineError
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
        ahead = AHEAD[self.change.way].format(self.game.id)
        return f"{self._about}: entry {self.change.seq}. {self.change.sentence} {ahead}"

    @property
    def gone_on(self) -> str:
        """What has been done."""
        if self.change is None or not self.goes_on:
            return self.text
        return f"{self._about} goes on. {self.change.sentence}"

    @property
    def goes_on(self) -> bool:
        """Whether the game goes on where the bot's host lets it."""
        return self.change is not None and self.change.way != "none"

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
