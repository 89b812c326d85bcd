"""Before the start: who joins, which options, in which order people sit."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from discord.utils import escape_markdown

import engine
from bot.errors import TableError
from bot.lexicon import listed
from bot.parts import Button, Screen
from bot.table import turn_key
from engine.title import Title
from engine.titles import Entry
from storage import Game, Notice, Seat, Store

ORDERS = ("random", "joined", "chosen")
METHOD = "SHA-256 of “seed:user id” for each player, lowest first"


def lobby_screen(game: Game, seats: Sequence[Seat]) -> Screen:
    """The message in which people join."""
    entry = engine.TITLES[game.title]
    settings, options = json.loads(game.settings), json.loads(game.options)
    screen = Screen(game=game.id, seq=0)
    low, high = players_of(game)
    lines = [f"### A game of {title_of(game).name}", f"For {low} to {high} players. Hosted by <@{game.host_id}>."]
    lines += [f"- **{option_name(entry, option)}**: {without_rule(entry.options[option])}" for option in options]
    if settings.get("host_acts"):
        lines.append("- The host may act for other players; the log says when.")
    if settings.get("undo") == "anyone":
        lines.append("- Every player may take back the last move.")
    people = [f"{number}. {escape_markdown(seat.name)}" for number, seat in enumerate(seats, start=1)]
    lines.append(f"**Players ({len(seats)})**")
    lines += people or ["*nobody yet*"]
    if game.status == "open":
        order = {"joined": "as people joined", "chosen": "as the host says"}.get(settings.get("seats", ""), "drawn")
        lines += ["", f"Seats will be {order}. The host starts the game."]
    elif game.status == "abandoned":
        lines += ["", "*This game was dropped.*"]
    screen.text = "\n".join(lines)
    if game.status == "open":
        screen.buttons(Button("Join", "join", "success"), Button("Leave", "leave"), Button("Start", "start", "primary"))
    screen.footer = f"Game {game.id}"
    return screen


def option_name(entry: Entry, option: str) -> str:
    """For people: "Open treasuries", "Scenario A", "Plain JR"."""
    letters = {corp.casefold(): str(corp) for corp in _buildable(entry.id, frozenset())[0].corporations}
    words = [letters.get(word, word.upper() if len(word) == 1 else word) for word in option.split("_")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def without_rule(text: str) -> str:
    """An option's description without the rule that it ends with."""
    return text.rpartition(" (")[0] or text


def read_options(title: str, text: str) -> list[str]:
    """Option names separated by commas or spaces. Raises TableError for an unknown title or option."""
    entry = engine.TITLES.get(title)
    if entry is None:
        raise TableError(f"There is no game {title[:40]!r} here. There are {listed(engine.TITLES)}.")
    chosen = [word for word in text.replace(",", " ").split() if word]
    for word in chosen:
        if word not in entry.options:
            raise TableError(f"{entry.name} has no option {word[:40]!r}. It has {listed(entry.options)}.")
    _buildable(entry.id, frozenset(chosen))
    return list(dict.fromkeys(chosen))


@lru_cache(maxsize=512)
def _buildable(title_id: str, options: frozenset[str]) -> tuple[Title, tuple[int, ...]]:
    """The title for the fewest players that can play with these options, and all numbers that can.

    Raises TableError, with the reason, where nobody can.
    """
    entry = engine.TITLES[title_id]
    refused, found, numbers = "", None, []
    for players in entry.players:
        try:
            title = entry.build(players, options)
        except engine.BadAction as error:
            refused = str(error)
        else:
            found = found or title
            numbers.append(players)
    if found is None:
        raise TableError(refused)
    return found, tuple(numbers)


def title_of(game: Game) -> Title:
    """The title as the game's options make it."""
    return _buildable(game.title, frozenset(json.loads(game.options)))[0]


def players_of(game: Game) -> tuple[int, int]:
    """How many can play at least and at most."""
    numbers = _buildable(game.title, frozenset(json.loads(game.options)))[1]
    return numbers[0], numbers[-1]


def options_beside(entry: Entry, before: Sequence[str]) -> list[str]:
    """The options that can be chosen beside some, in the title's order."""
    found = []
    for option in entry.options:
        if option in before:
            continue
        try:
            _buildable(entry.id, frozenset([*before, option]))
        except TableError:
            continue
        found.append(option)
    return found


def host_must_not_see(title: str, options: Sequence[str]) -> None:
    """Raise TableError where a host who acts for others would see what is secret to all but them."""
    policy = _buildable(title, frozenset(options))[0].policy
    if not (policy.open_cash and policy.open_train_prices):
        raise TableError("Where cash or prices are secret the host cannot act for other players, as it would see them.")


def drawn_order(seed: str, seats: Sequence[Seat]) -> list[int]:
    """Seat numbers in the order that the seed draws."""
    return [
        seat.seat
        for seat in sorted(seats, key=lambda seat: hashlib.sha256(f"{seed}:{seat.user_id}".encode()).hexdigest())
    ]


def seat_order(settings: dict[str, Any], seats: Sequence[Seat]) -> tuple[list[int], str]:
    """Seat numbers in their new order, and how they came about, to be published. A drawn seed goes into `settings`."""
    kind = settings.get("seats", "random")
    if kind == "joined":
        return [seat.seat for seat in seats], "Seats as people joined"
    if kind == "chosen":
        wanted = settings.get("order", [])
        place = {user: number for number, user in enumerate(wanted)}
        ordered = sorted(seats, key=lambda seat: place.get(seat.user_id, len(place)))
        return [seat.seat for seat in ordered], "Seats chosen by the host"
    settings["seed"] = secrets.token_hex(8)
    return drawn_order(settings["seed"], seats), f"Seats drawn with seed `{settings['seed']}` ({METHOD})"


async def start(store: Store, game: Game, user: int, interaction: int | None) -> Game:
    """Begin the game. Raises TableError for who may not start it or too few players."""
    if user != game.host_id:
        raise TableError(f"Only the host, <@{game.host_id}>, can start the game.")
    seats = await store.seats(game.id)
    entry = engine.TITLES[game.title]
    if not players_of(game)[0] <= len(seats) <= players_of(game)[1]:
        low, high = players_of(game)
        raise TableError(f"{entry.name} needs {low} to {high} players; {len(seats)} joined so far.")
    settings = json.loads(game.settings)
    order, told = seat_order(settings, seats)
    by_number = {seat.seat: seat for seat in seats}
    seated = [by_number[number] for number in order]
    title = engine.build(game.title, len(seats), json.loads(game.options))
    beginning = engine.start(title, [seat.name for seat in seated])
    names = ", ".join(f"{place}. {escape_markdown(seat.name)}" for place, seat in enumerate(seated, start=1))
    text = f"**{entry.name} begins.** {told}: {names}. {escape_markdown(seated[0].name)} has the priority deal."
    # Where chance must draw before the first turn, sending the second notice lets it draw, also after a crash.
    notices = [
        Notice("say", json.dumps({"text": text})),
        Notice(f"turn:{turn_key(title, [], beginning)}", "{}"),
    ]
    return await store.start_game(
        game.id, order=order, settings=json.dumps(settings), interaction_id=interaction, notices=notices
    )
