"""What was agreed for a game: its title with its options, and the table's own settings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import engine
from bot.core.errors import TableError
from bot.core.pace import NO_CLOCK, Pace
from engine import Title
from engine.plain import plain, read_fields
from storage import Game


def buildable(title_id: str, options: frozenset[str]) -> tuple[Title, tuple[int, ...]]:
    """The title for the fewest players who can play with these options, and all possible player counts.

    Raises TableError with the reason if there are none.
    """
    smallest, numbers, refused = _tried(title_id, options)
    if smallest is None:
        raise TableError(refused)
    return smallest, numbers


@lru_cache(maxsize=512)
def _tried(title_id: str, options: frozenset[str]) -> tuple[Title | None, tuple[int, ...], str]:
    """The same, or why there are none: each lobby asks of every option whether it fits."""
    recipe = engine.TITLES[title_id]
    refused, smallest, numbers = "", None, []
    for players in recipe.players:
        try:
            title = recipe.build(players, options)
        except engine.BadAction as error:
            refused = str(error)
        else:
            smallest = smallest or title
            numbers.append(players)
    return smallest, tuple(numbers), refused


def fits(title_id: str, options: frozenset[str]) -> bool:
    """Whether the title can be played with these options."""
    return _tried(title_id, options)[0] is not None


def title_of(game: Game) -> Title:
    return buildable(game.title, frozenset(json.loads(game.options)))[0]


def called(game: Game) -> str:
    """What is played, by its scenario; by its title alone where this version does not know the options."""
    title = _tried(game.title, frozenset(json.loads(game.options)))[0]
    return engine.TITLES[game.title].name if title is None else title.name


def players_of(game: Game) -> tuple[int, int]:
    """The fewest players, and how many seats there are: as many as was chosen, or as the title takes."""
    numbers = buildable(game.title, frozenset(json.loads(game.options)))[1]
    chosen = TableSettings.read(game.settings).players or numbers[-1]
    return numbers[0], min(max(chosen, numbers[0]), numbers[-1])


TERMS: dict[str, dict[Any, str]] = {
    "undo": {
        "own": "whoever made the last move can take it back, and beyond that those concerned must agree",
        "anyone": "any player can take back the last move",
    },
    "newcomers": {
        "anybody": "anybody on this server can take an open seat",
        "vote": "a majority of the players decides who takes an open seat",
    },
    "suggest": {True: "the bot suggests moves to anybody who asks", False: "the bot gives nobody suggestions"},
}
"""By setting: what each value means."""
LASTING = "Once the game has started, these and the pace change only if everybody agrees."


def told_terms(terms: Mapping[str, Any]) -> str:
    """Some terms as a sentence without its full stop."""
    parts = [values[terms[name]] for name, values in TERMS.items() if name in terms]
    parts += [f"<@{terms['host']}> is the host, who may act for other players"] if "host" in terms else []
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def agreed_lines(settings: TableSettings) -> list[str]:
    """What whoever joins agrees to."""
    return [*(f"- {told_terms({name: getattr(settings, name)})}." for name in TERMS), f"-# {LASTING}"]


UndoRule = Literal["own", "anyone"]
Start = Literal["by_host", "when_full"]
Newcomers = Literal["anybody", "vote"]
ChosenOrder = Literal["random", "joined", "chosen"]
SeatOrder = ChosenOrder | Literal["moved up"]
"""In a rematch all have moved up."""
PlaceNames = Literal["english", "local"]


@dataclass(frozen=True, slots=True)
class TableSettings:
    """The settings of one game, which its host can change; stored as JSON."""

    host_acts: bool = False
    """Whether the host may act for other seats."""
    undo: UndoRule = "own"
    """Who may undo the last move without asking those concerned: only its player, or every player."""
    seats: SeatOrder = "random"
    order: tuple[int, ...] = ()
    """The user ids in the order that the host chose, or that a rematch gives them."""
    seed: str = ""
    """The seed of the seat draw."""
    teaching: bool = False
    """Whether each kind of decision is explained to a player when it first comes up."""
    names: PlaceNames = "english"
    """The language of place names on maps."""
    newcomers: Newcomers = "anybody"
    """Who may take an open seat: anybody on the server, or only whom a majority of the players accepts."""
    pace: Pace = NO_CLOCK
    """How much time the players have."""
    rated: bool = False
    """Whether the result counts for ratings; whoever joins agrees to it."""
    suggest: bool = True
    """Whether people may ask the bot what it would do."""
    players: int = 0
    """How many seats there are; 0 for as many as the title takes."""
    start: Start = "by_host"
    """Whether the host starts the game, or it starts once all seats are taken."""
    invited: tuple[tuple[int, str], ...] = ()
    """For whom an imported game keeps its seats: user ids and the names in the record, in seat order."""
    over: bool = False
    """Whether an imported game has ended in the record."""

    @classmethod
    def read(cls, text: str) -> TableSettings:
        """Parse the stored text; what is missing has its default."""
        return cls(**read_fields(cls, json.loads(text or "{}")))

    def text(self) -> str:
        return json.dumps(plain(self))
