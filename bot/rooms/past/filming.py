"""Films of a game."""

from collections.abc import Sequence
from itertools import chain, groupby

from bot.core.errors import TableError
from bot.rooms.past.workshop import Job, Workshop, replayed
from bot.words.lexicon import Lexicon, lexicon
from bot.words.narration import narrate, plain
from engine.facts import Fact, ParSet, PriceMoved, TileLaid, TileRemoved, TokenPlaced, TokenReturned
from engine.past import changed_hexes, moved_tokens, span
from engine.state import State
from engine.title import Title
from engine.viewing import board_view, market_view
from engine.views import StillView

SHOWN = (TileLaid, TileRemoved, TokenPlaced, TokenReturned, PriceMoved, ParSet)
"""What is to be seen in a film."""
MOST = 160
"""Pictures of the longest film: if there are more turns than that, each shows several."""
KEPT = 16 << 20
"""Bytes of films that are kept."""
TOO_LONG = "That film could not be made: it took too long. A set or a round takes less: `/show film of:4.1`."
MAKING = "The film is being made; that takes up to a minute…"
NOTHING = "Nothing happened on the map or the market in that time, so there is nothing to film."


def stills(title: Title, states: Sequence[State], of: str) -> list[StillView]:
    """The pictures of a film: the position at its start, then one for each change, or each turn of the whole game."""
    found = span(states, of)
    if found is None:
        return []
    first, last = found
    steps = [[number] for number in range(first + 1, last + 1)]
    groups = [one for one in steps if _shows(states, one)]
    if len(groups) > MOST or not of:
        turns = groupby(range(first + 1, last + 1), key=lambda number: _turn(states[number - 1]))
        groups = _joined([one for one in (list(numbers) for _, numbers in turns) if _shows(states, one)])
    start = states[first]
    names = lexicon(start.names, title)
    made = [StillView(board_view(title, start), market_view(title, start), "")]
    for numbers in groups:
        facts = [fact for number in numbers for fact in states[number].facts]
        now, before = states[numbers[-1]], states[numbers[0] - 1]
        view = board_view(title, now, changed_hexes(facts))
        made.append(StillView(view, market_view(title, now, moved_tokens(facts)), caption(facts, names, before)))
    return made if groups else []


def _joined(groups: list[list[int]]) -> list[list[int]]:
    """As many neighbours together as leave at most MOST."""
    each = -(-len(groups) // MOST) or 1
    return [[*chain(*groups[start : start + each])] for start in range(0, len(groups), each)]


def caption(facts: Sequence[Fact], names: Lexicon, before: State) -> str:
    """What a picture shows, in plain words."""
    company = str(before.operating or "")
    told = [line for fact in facts if isinstance(fact, SHOWN) for line in narrate([fact], names, company)]
    return plain(" ".join(told))


def _shows(states: Sequence[State], numbers: Sequence[int]) -> bool:
    return any(isinstance(fact, SHOWN) for number in numbers for fact in states[number].facts)


def _turn(state: State) -> tuple[object, ...]:
    """The same in every position of a company's turn, and of a player's in a stock round."""
    return state.round, state.turn, state.or_number, state.operating or state.up


class Films(Workshop[bytes]):
    """Makes films, and keeps the latest."""

    what, kept, too_long = "films", KEPT, TOO_LONG

    def size(self, made: bytes) -> int:
        """Its bytes."""
        return len(made)

    async def _made(self, job: Job) -> bytes:
        film = await self.elsewhere(film_of_job, job)
        if not film:
            raise TableError(NOTHING)
        return film


def film_of(title: Title, states: Sequence[State], of: str) -> bytes:
    """The film as GIF; empty if there is nothing to show."""
    from renderer.film import film

    shown = stills(title, states, of)
    return film(shown) if shown else b""


def film_of_job(job: Job) -> bytes:
    """The same of a job, in the other process."""
    return film_of(*replayed(job), job.of)
