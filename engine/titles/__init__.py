"""The titles that can be built, by id."""

from collections.abc import Callable, Iterable
from dataclasses import field
from functools import lru_cache

from engine.errors import BadAction
from engine.frozen import dataclass
from engine.title import Covers, Options, Preset, Title
from engine.titles.t1860 import title as t1860
from engine.titles.t1888n import title as t1888n
from engine.titles.t1889 import title as t1889
from engine.titles.t1890 import title as t1890

BY_THE_BOOK, AS_MOST_PLAY = "by_the_book", "as_most_people_play"
BUILT = 64
"""Titles that are kept: so many ways to set up a game are played beside one another."""
_BOOK = Preset(frozenset(), "everything as in the rule book")


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is known of a title before it is built: what can be chosen, and how it is built then."""

    id: str
    name: str
    players: range
    options: Options
    build: Callable[[int, frozenset[str]], Title]
    as_most_play: Preset
    covers: Covers = field(default_factory=dict)

    @property
    def presets(self) -> dict[str, Preset]:
        """What can be chosen in one word."""
        return {BY_THE_BOOK: _BOOK, AS_MOST_PLAY: self.as_most_play}

    def preset_of(self, options: Iterable[str]) -> str:
        """The preset that these options began with."""
        return AS_MOST_PLAY if self.as_most_play.options <= set(options) else BY_THE_BOOK

    def meant(self, words: Iterable[str]) -> list[str]:
        """The words, with the options of a preset in place of its name."""
        spelled = [sorted(self.presets[word].options) if word in self.presets else [word] for word in words]
        return list(dict.fromkeys(option for each in spelled for option in each))


TITLES: dict[str, Recipe] = {
    recipe.id: recipe
    for recipe in (
        Recipe("1888", "1888-N", t1888n.PLAYERS, t1888n.OPTIONS, t1888n.build, t1888n.AS_MOST_PLAY, t1888n.COVERS),
        Recipe("1860", t1860.NAME, t1860.PLAYERS, t1860.OPTIONS, t1860.build, t1860.AS_MOST_PLAY, t1860.COVERS),
        Recipe("1889", "Shikoku 1889", t1889.PLAYERS, t1889.OPTIONS, t1889.build, t1889.AS_MOST_PLAY, t1889.COVERS),
        Recipe("1890", "1890: Osaka", t1890.PLAYERS, t1890.OPTIONS, t1890.build, t1890.AS_MOST_PLAY, t1890.COVERS),
    )
}


def build(title_id: str, players: int, options: Iterable[str] = ()) -> Title:
    """The title for so many players with these options. BadAction says what does not exist or fit."""
    recipe = TITLES.get(title_id)
    if recipe is None:
        raise BadAction(f"There is no game {title_id!r}; there are {', '.join(TITLES)}.")
    if players not in recipe.players:
        raise BadAction(f"{recipe.name} is for {recipe.players[0]} to {recipe.players[-1]} players, not {players}.")
    chosen = frozenset(recipe.meant(options))
    unknown = chosen - set(recipe.options)
    if unknown:
        raise BadAction(
            f"{recipe.name} has no option {', '.join(sorted(unknown))}; it has "
            f"{', '.join([*recipe.presets, *recipe.options])}."
        )
    return _built(recipe.build, players, chosen)


@lru_cache(BUILT)
def _built(build: Callable[[int, frozenset[str]], Title], players: int, options: frozenset[str]) -> Title:
    """Games that are set up alike share their title, and what is known of the map."""
    return build(players, options)
