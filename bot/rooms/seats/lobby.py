"""The message where people join a game."""

from __future__ import annotations

import json
from collections.abc import Sequence

from discord.utils import escape_markdown

import engine
from bot.chat import codes
from bot.chat.screen import Button, Option, Screen
from bot.core.opponents import ABOUT, is_person, level_of
from bot.core.settings import SeatOrder, TableSettings, agreed_line, buildable, players_of, title_of
from bot.core.times import pace_line
from bot.rooms.seats.opening import options_beside
from engine.titles import Recipe
from opponents import LEVELS
from storage import Game, Seat

SEATED: dict[SeatOrder, str] = {
    "random": "Seats will be drawn at random.",
    "joined": "Seats will be in the order people joined.",
    "chosen": "The host has chosen the seats.",
}


RATED = "- A rated game: its result counts in `/server table`, unless it is stopped or a seat changes hands."
NOT_RATED = "- Not rated, as the bot plays opponents."


def lobby_screen(game: Game, seats: Sequence[Seat]) -> Screen:
    """The message where people join, with its buttons."""
    if TableSettings.read(game.settings).invited:
        return _invitation(game, seats)
    recipe = engine.TITLES[game.title]
    settings, options = TableSettings.read(game.settings), json.loads(game.options)
    screen = Screen(game=game.id, seq=0)
    low, high = players_of(game)
    lines = [f"### A game of {title_of(game).name}", f"For {low} to {high} players. Hosted by <@{game.host_id}>."]
    lines += _rules(recipe, options)
    if settings.host_acts:
        lines.append("- The host may act for other players; the log says when.")
    if settings.teaching:
        lines.append("- A teaching game: decisions are explained to each player the first time.")
    lines += filter(None, [pace_line(settings.pace)])
    if settings.rated:
        lines.append(NOT_RATED if any(not is_person(seat.user_id) for seat in seats) else RATED)
    lines.append(f"- {agreed_line(settings)}")
    people = [_seated(number, seat) for number, seat in enumerate(seats, start=1)]
    lines.append(f"**Players ({len(seats)})**")
    lines += people or ["*nobody yet*"]
    if game.status == "open":
        lines += ["", f"{SEATED[settings.seats]} The host starts the game."]
    elif game.status == "abandoned":
        lines += ["", "*This game was cancelled.*"]
    screen.text = "\n".join(lines)
    if game.status == "open":
        screen.buttons(Button("Join", "join", "success"), Button("Leave", "leave"), Button("Start", "start", "primary"))
        screen.select("opponents", "Opponents played by the bot…", _opponents(seats, len(seats) < high))
        screen.select("rules", "The rules…", _choices(recipe, options))
    screen.footer = f"Game {game.id}"
    return screen


def _rules(recipe: Recipe, options: Sequence[str]) -> list[str]:
    """By which rules the game is played: the preset, and what was chosen beside it."""
    word = recipe.preset_of(options)
    preset = recipe.presets[word]
    chosen = [option for option in options if option not in preset.options]
    return [
        f"- **{option_name(recipe, word)}**: {preset.about}.",
        *(f"- **{option_name(recipe, option)}**: {without_rule(recipe.options[option])}" for option in chosen),
    ]


def _choices(recipe: Recipe, options: Sequence[str]) -> list[Option]:
    """What the host can make of the rules: another preset, options with it, or without."""
    word = recipe.preset_of(options)
    presets = [
        Option(option_name(recipe, other), codes.join("rules", other), preset.about)
        for other, preset in recipe.presets.items()
        if other != word
    ]
    alone = recipe.as_most_play.options if len(recipe.as_most_play.options) == 1 else frozenset()
    without = [option for option in options if option not in alone]
    beside = [option for option in options_beside(recipe, options) if option not in alone]
    return [
        *presets,
        *(Option(f"Without {option_name(recipe, option)}", codes.join("rules", option)) for option in without),
        *(
            Option(f"With {option_name(recipe, option)}", codes.join("rules", option), without_rule(about))
            for option, about in recipe.options.items()
            if option in beside
        ),
    ]


def _seated(number: int, seat: Seat) -> str:
    level = level_of(seat.user_id)
    return f"{number}. {escape_markdown(seat.name)}{f', {level}' if level is not None else ''}"


def _opponents(seats: Sequence[Seat], room: bool) -> list[Option]:
    """The opponents that the host can seat, while there is room, and those who can go."""
    add = [Option(f"Seat a {level} one", codes.join("opponent", level), ABOUT[level]) for level in LEVELS if room]
    gone = [
        Option(f"Without {seat.name}", codes.join("opponent", f"p{seat.seat}"))
        for seat in seats
        if level_of(seat.user_id) is not None
    ]
    return [*add, *gone]


def _invitation(game: Game, seats: Sequence[Seat]) -> Screen:
    """The message in which those whom an imported game would seat agree to it."""
    screen = Screen(game=game.id, seq=0, footer=f"Game {game.id}")
    seated = {seat.user_id for seat in seats}
    lines = [
        f"### An imported game of {title_of(game).name}",
        f"<@{game.host_id}> has imported it with {game.seq} moves.",
    ]
    if game.status == "open":
        lines.append("It continues here once everybody has accepted:")
    lines += [
        f"{number}. {escape_markdown(name)}: <@{user}> {'✓' if user in seated else '…'}"
        for number, (user, name) in enumerate(TableSettings.read(game.settings).invited, start=1)
    ]
    if game.status == "abandoned":
        lines += ["", "*This game was cancelled.*"]
    screen.text = "\n".join(lines)
    if game.status == "open":
        screen.buttons(Button("Accept", "join", "success"), Button("Decline", "leave", "danger"))
    return screen


def option_name(recipe: Recipe, option: str) -> str:
    """An option's name for people: "Open treasuries", "Scenario A", "Plain JR"."""
    letters = {corp.casefold(): str(corp) for corp in buildable(recipe.id, frozenset())[0].corporations}
    words = [letters.get(word, word.upper() if len(word) == 1 else word) for word in option.split("_")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def without_rule(text: str) -> str:
    """An option's description without the rule ID at its end."""
    return text.rpartition(" (")[0] or text
