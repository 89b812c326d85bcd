"""Before the start: which options fit together, how many can play, the seat order, and starting the game.

What cannot be done raises TableError, which says why.
"""

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import replace

from discord.utils import escape_markdown

import engine
from bot.core import clockwork, constitution, opponents
from bot.core.errors import OVER, TableError
from bot.core.moves import turn_key
from bot.core.notices import TurnNotice, queued, say_notice, turn_notice
from bot.core.settings import TableSettings, buildable, players_of
from bot.words.lexicon import listed
from engine.titles import Recipe
from opponents import LEVELS
from storage import Game, Notice, Seat, Store

METHOD = "SHA-256 of “seed:user id” for each player, lowest first"
IMPORTED = {
    "order": "The seats of an imported game are those of its record.",
    "opponents": "The seats of an imported game are kept for those whom its host named.",
    "rules": "An imported game keeps the rules of its record.",
    "start": "An imported game begins as soon as everybody has accepted.",
}


def must_prepare(what: str, game: Game, user: int) -> TableSettings:
    """The settings of a game that has not started, of which the person may decide this."""
    constitution.must(what, game, constitution.roles_of(user, game))
    settings = TableSettings.read(game.settings)
    if settings.invited:
        raise TableError(IMPORTED[what])
    return settings


def read_options(title: str, text: str) -> list[str]:
    """The options named in a text, separated by commas or spaces."""
    recipe = engine.TITLES.get(title)
    if recipe is None:
        raise TableError(f"I know no game called “{title[:40]}”. You can play {listed(engine.TITLES)}.")
    chosen = [word for word in text.replace(",", " ").split() if word]
    for word in chosen:
        if word not in recipe.options and word not in recipe.presets:
            has = listed([*recipe.presets, *recipe.options])
            raise TableError(f"{recipe.name} has no option “{word[:40]}”. It has {has}.")
    options = recipe.meant(chosen)
    buildable(recipe.id, frozenset(options))
    return options


def options_beside(recipe: Recipe, before: Sequence[str]) -> list[str]:
    """The options that can be combined with those in `before`, in the title's order."""
    others = [option for option in recipe.options if option not in recipe.meant(before)]
    return [option for option in others if _fits(recipe, [*before, option])]


def _fits(recipe: Recipe, options: Sequence[str]) -> bool:
    try:
        buildable(recipe.id, frozenset(recipe.meant(options)))
    except TableError:
        return False
    return True


def host_must_not_see(title: str, options: Sequence[str]) -> None:
    """A host acting for others must not see their secrets."""
    if not buildable(title, frozenset(options))[0].policy.secrecy.hides_nothing:
        raise TableError(
            "With secret cash, treasuries or prices the host cannot act for other players, since that would show them."
        )


def _seat_order(settings: TableSettings, seats: Sequence[Seat]) -> tuple[list[Seat], str, str]:
    """The seats in their new order, how it came about (to be published), and the seed if it was drawn."""
    if settings.seats == "joined":
        return [*seats], "Seats in the order people joined", ""
    if settings.seats == "chosen":
        place = {user: number for number, user in enumerate(settings.order)}
        ordered = sorted(seats, key=lambda seat: place.get(seat.user_id, len(place)))
        return ordered, "Seats chosen by the host", ""
    seed = secrets.token_hex(8)
    ordered = sorted(seats, key=lambda seat: hashlib.sha256(f"{seed}:{seat.user_id}".encode()).hexdigest())
    return ordered, f"Seats drawn with seed `{seed}` ({METHOD})", seed


def must_be_able_to_join(game: Game, user: int, seats: Sequence[Seat]) -> None:
    """The person has no seat, and the game has not begun."""
    if any(seat.user_id == user for seat in seats):
        raise TableError("You already have a seat in this game.")
    if game.status == "finished":
        raise TableError(f"{OVER} `/game create` sets up another one.")
    if game.status == "running":
        players = listed(escape_markdown(seat.name) for seat in seats)
        raise TableError(
            f"This game has begun, with {players}: nobody can join it. `/game status` lets you watch, and `/seat take` "
            "takes a seat that is open."
        )


def must_be_able_to_leave(game: Game, user: int, seats: Sequence[Seat]) -> None:
    """The person has a seat, and the game is not over."""
    invited = [one for one, _ in TableSettings.read(game.settings).invited]
    if user not in invited and all(seat.user_id != user for seat in seats):
        raise TableError("You have no seat in this game, so there is none to leave.")
    if game.status == "finished":
        raise TableError(OVER)


async def seat_opponent(store: Store, game: Game, user: int, what: str, interaction: int | None = None) -> None:
    """Seat an opponent of a level ("regular"), or remove the opponent in a seat ("p3"). Raises TableFull too."""
    must_prepare("opponents", game, user)
    seats = await store.seats(game.id)
    level = next((one for one in LEVELS if one == what), None)
    if level is not None:
        number, name = opponents.newcomer(level, seats)
        await store.join(game.id, number, name, limit=players_of(game)[1], interaction_id=interaction)
        return
    found = next((one for one in seats if f"p{one.seat}" == what and opponents.level_of(one.user_id)), None)
    if found is None:
        raise TableError("That opponent is no longer in the game.")
    await store.leave(game.id, found.user_id, interaction_id=interaction)


async def change_rules(store: Store, game: Game, user: int, word: str, interaction: int | None = None) -> None:
    """Choose a preset ("as_most_people_play"), or an option, or leave it out again; others who have joined are told.

    Raises Stale once the game has begun.
    """
    settings = must_prepare("rules", game, user)
    recipe, now = engine.TITLES[game.title], json.loads(game.options)
    if word in recipe.presets:
        presets = {option for preset in recipe.presets.values() for option in preset.options}
        wanted = [*recipe.presets[word].options, *(option for option in now if option not in presets)]
    else:
        wanted = [option for option in now if option != word] if word in now else [*now, word]
    options = read_options(game.title, ",".join(wanted))
    if settings.host_acts:
        host_must_not_see(game.title, options)
    must_have_room(game.title, options, len(await store.seats(game.id)) - 1)
    what = f"without {word}" if word in now else word
    text = f"<@{user}> has changed the rules: {what.replace('_', ' ')}. Anybody who has joined may leave again."
    told = await told_to_others(store, game, user, text)
    await store.change_game(game.id, options=json.dumps(options), interaction_id=interaction, notices=told)


async def told_to_others(store: Store, game: Game, user: int, text: str) -> list[Notice]:
    """The notice to those who have joined apart from this person; nothing if nobody has."""
    seats = await store.seats(game.id)
    return [say_notice(text)] if any(opponents.is_person(one.user_id) and one.user_id != user for one in seats) else []


def must_have_room(title: str, options: Sequence[str], count: int, players: int = 0) -> None:
    """How many opponents can sit at the table with whoever creates the game, and how many `players` in all."""
    numbers = buildable(title, frozenset(options))[1]
    if players and players not in numbers:
        raise TableError(f"With these rules, {engine.TITLES[title].name} is for {numbers[0]} to {numbers[-1]} players.")
    most = players or numbers[-1]
    if count >= most:
        name = engine.TITLES[title].name
        raise TableError(f"{name} is for at most {most} players: you and {most - 1} opponents.")


async def accept(store: Store, game: Game, user: int, interaction: int | None) -> bool:
    """Take the seat that an imported game keeps for the person; whether it has begun, since they were the last."""
    settings = TableSettings.read(game.settings)
    names = dict(settings.invited)
    if user not in names:
        raise TableError("The seats of this game are kept for the people its host named when importing it.")

    async def write() -> bool:
        seats = [*await store.seats(game.id)]
        seats.append(await store.join(game.id, user, names[user], limit=len(names), interaction_id=interaction))
        if len(seats) < len(names):
            return False
        numbers = {seat.user_id: seat.seat for seat in seats}
        await store.start_game(game.id, order=[numbers[one] for one in names])
        await store.outbox.post(game.id, [queued(TurnNotice(f"imported:{game.seq}"))])
        if settings.over:
            await store.set_status(game.id, "finished")
        return True

    return await store.together(write)


async def decline(store: Store, game: Game, user: int, interaction: int | None) -> None:
    """Refuse the seat that an imported game keeps for the person, which cancels it. Raises Stale once it has begun."""
    if user not in dict(TableSettings.read(game.settings).invited):
        raise TableError("No seat of this game is kept for you.")
    said = say_notice(f"<@{user}> declined, so the imported game does not continue here.")
    await store.set_status(game.id, "abandoned", expected="open", interaction_id=interaction, notices=[said])


async def start(store: Store, game: Game, user: int, interaction: int | None) -> Game:
    """Start the game as its host."""
    settings = must_prepare("start", game, user)
    seats = await store.seats(game.id)
    recipe = engine.TITLES[game.title]
    if not any(opponents.is_person(seat.user_id) for seat in seats):
        raise TableError("Somebody must play with the opponents: join, then start.")
    low, high = players_of(game)
    if not low <= len(seats) <= high:
        raise TableError(f"{recipe.name} needs {low} to {high} players; {len(seats)} have joined so far.")
    seated, how, seed = _seat_order(settings, seats)
    title = engine.build(game.title, len(seats), json.loads(game.options))
    beginning = engine.start(title, [seat.name for seat in seated])
    names = ", ".join(f"{place}. {escape_markdown(seat.name)}" for place, seat in enumerate(seated, start=1))
    text = f"**{recipe.name} begins.** {how}: {names}. {escape_markdown(seated[0].name)} goes first."
    key = turn_key(title, [], beginning)
    sitting = [replace(seat, seat=number) for number, seat in enumerate(seated, start=1)]
    return await store.start_game(
        game.id,
        order=[seat.seat for seat in seated],
        settings=replace(settings, seed=seed).text(),
        interaction_id=interaction,
        notices=[say_notice(text), turn_notice(key)],
        clock=clockwork.on_move(key, await clockwork.around(store, game, sitting)),
    )
