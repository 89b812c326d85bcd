"""The options of a game: which were named, which go together, and what people read of them.

What cannot be played raises TableError, which says why.
"""

from collections.abc import Sequence

import engine
from bot.chat.commands import folded
from bot.core.errors import TableError
from bot.core.table_settings import buildable, fits
from bot.words.lexicon import listed
from engine.titles import Recipe


def read_options(title: str, text: str) -> list[str]:
    """The options named in a text, separated by commas or spaces."""
    recipe = engine.TITLES[title]
    chosen = options_typed(recipe, text)
    for word in chosen:
        if word not in recipe.options and word not in recipe.presets:
            has = listed([*recipe.presets, *recipe.options])
            raise TableError(f"{recipe.name} has no option “{word[:40]}”. It has {has}.")
    options = recipe.meant(chosen)
    buildable(recipe.id, frozenset(options))
    return options


def options_typed(recipe: Recipe, text: str) -> list[str]:
    """The options and presets named in a text, by their ids or as people read them, and its other words.

    What follows a colon is what the list says of the last of them.
    """
    found = list[str]()
    for part in text.partition(":")[0].split(","):
        words = folded(part).split()
        whole = "_".join(words)
        found += [whole] if whole in recipe.options or whole in recipe.presets else words
    return found


def options_beside(recipe: Recipe, before: Sequence[str]) -> list[str]:
    """The options that can be combined with those in `before` and change something, in the title's order."""
    meant = recipe.meant(before)
    known = set(meant).union(*(recipe.covers.get(option, ()) for option in meant))
    others = [option for option in recipe.options if option not in known]
    return [option for option in others if fits(recipe.id, frozenset(recipe.meant([*before, option])))]


def host_must_not_see(title: str, options: Sequence[str]) -> None:
    """A host acting for others must not see their secrets."""
    if not buildable(title, frozenset(options))[0].policy.secrecy.hides_nothing:
        raise TableError(
            "With secret cash, treasuries or prices the host cannot act for other players, since that would show them."
        )


def must_have_room(title: str, options: Sequence[str], count: int, players: int = 0) -> None:
    """How many opponents can sit at the table with whoever creates the game, and how many `players` in all."""
    numbers = buildable(title, frozenset(options))[1]
    if players and players not in numbers:
        raise TableError(f"With these rules, {engine.TITLES[title].name} is for {numbers[0]} to {numbers[-1]} players.")
    most = players or numbers[-1]
    if count >= most:
        raise TableError(f"Only {most} can play: you and {most - 1} more.")


def rules_lines(recipe: Recipe, options: Sequence[str]) -> list[str]:
    """By which rules the game is played: the preset, and what was chosen beside it."""
    word = recipe.preset_of(options)
    preset = recipe.presets[word]
    chosen = [option for option in options if option not in preset.options]
    end = ", but for:" if chosen and not preset.options else "."
    return [
        f"- **{option_name(recipe, word)}**: {preset.told(options)}{end}",
        *(f"- **{option_name(recipe, option)}**: {without_rule(recipe.options[option])}." for option in chosen),
    ]


def option_name(recipe: Recipe, option: str) -> str:
    """An option's name for people: "Open treasuries", "Scenario A", "Plain JR"."""
    letters = {corp.casefold(): str(corp) for corp in buildable(recipe.id, frozenset())[0].corporations}
    words = [letters.get(word, word.upper() if len(word) == 1 else word) for word in option.split("_")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def without_rule(text: str) -> str:
    """An option's description without the rule ID at its end."""
    return text.rpartition(" (")[0] or text
