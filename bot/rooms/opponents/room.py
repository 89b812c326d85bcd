"""What opponents do at the tables, what the bot would do, and why an opponent did what it did.

Opponents think in processes of their own, which give way to all else. That one of them must move is due work: the
game's clock says so from the transaction of the move before. The table wakes us as soon as that is stored; what a stop
of the bot left undone the ticker finds. An opponent's move is stored like anybody's, one by one, so a stop loses what
was being thought and nothing else. Where nobody's move led to it, chance is drawn in the same way.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import engine
from bot import metrics
from bot.chat import codes
from bot.chat.client import Bot
from bot.chat.press import Press, must_be_up, showing
from bot.chat.room import Room
from bot.chat.screen import Button, Screen
from bot.core import outcome
from bot.core.errors import Outdated, TableError
from bot.core.moves import company_of
from bot.core.opponents import level_of
from bot.core.opponents import told as told_of_level
from bot.core.position import Position
from bot.core.seated import Moment
from bot.core.table import Table
from bot.core.thinking import Thought, give_way, packed, think
from bot.core.work import Died, Pool, Work
from bot.rooms.opponents.reasons import ahead, alike, decided, in_common, told
from bot.words.labels import request
from bot.words.lexicon import sentence
from bot.words.narration import clause, gathered, lines_of, narrate
from engine import Action, BadAction, PlayerId, Refused
from opponents import Choice, Level
from opponents.advice import Counsel
from opponents.sight import seen
from storage import StorageError

log = logging.getLogger("tetsudo.opponents")
T = TypeVar("T")
LONGEST = 30.0
"""Seconds after which a thought is given up, and the process ended that has it. Nothing takes a tenth of that, however
busy the machine."""
IDLE = 600.0
"""Seconds without a question after which the processes end, and give back their memory."""


class Opponents:
    """Moves for the opponents of all games, and for chance, each game in a task of its own."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def wake(self, game_id: str) -> None:
        """Make the game's moves as long as it waits for no person."""
        self._again.add(game_id)
        if game_id not in self._playing:
            task = self._playing[game_id] = asyncio.create_task(self._play(game_id))
            task.add_done_callback(lambda _: self._playing.pop(game_id, None))

    async def idle(self) -> None:
        """Wait until nobody thinks."""
        while self._playing:
            await asyncio.gather(*self._playing.values(), return_exceptions=True)

    async def close(self) -> None:
        """Break off; whoever serves the games next goes on."""
        tasks = list(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _play(self, game_id: str) -> None:
        try:
            while game_id in self._again:
                self._again.discard(game_id)
                await self._move(game_id)
        except (TableError, StorageError) as error:
            log.warning("an opponent waits: %s", error, extra={"game": game_id})
        except Exception:
            log.exception("an opponent could not move", extra={"game": game_id})
        finally:
            self._again.discard(game_id)
            self.bot.sender.wake()

    async def _move(self, game_id: str) -> None:
        """Move until the game waits for a person, or nobody."""
        while True:
            table = await self.bot.tables.get(game_id)
            if not table.goes_on or not self.bot.is_ours(table.game.guild_id):
                return
            with suppress(Outdated):  # somebody has changed the game meanwhile, by an undo for instance
                if table.position.chance:
                    await table.go_on()
                else:
                    await self._decide(table, table.position.seq)

    async def _decide(self, table: Table, seen: int) -> None:
        seat = table.thinking
        level = None if seat is None else table.opponent(seat)
        if seat is None or level is None:
            return
        question = table.asks(seat, level)
        try:
            await table.decided(await self._thought(question), seen=seen)
        except (Refused, BadAction):
            log.exception("an opponent wanted what is not possible", extra={"game": table.game.id, "seq": seen})
            await table.decided(await self._whatever(question), seen=seen)

    async def _thought(self, question: Thought) -> Action:
        """What the opponent decides; if it fails to, what a regular would, and then something sensible."""
        levels: tuple[Level, ...] = (question.level, "regular")
        for level in dict.fromkeys(levels):
            try:
                return (await self.bot.its(Thinkers).choice(replace(question, level=level))).action
            except Exception:
                log.exception("an opponent could not decide")
        return await self._whatever(question)

    async def _whatever(self, question: Thought) -> Action:
        return await self.bot.work.do(outcome.whatever, question.title, question.state, question.seat)


class Thinkers:
    """Processes that think for opponents; without any, worker threads do.

    What goes in is a position and a question, what comes out an answer; a thinker remembers nothing.
    """

    def __init__(self, count: int, work: Work) -> None:
        self.count = count
        self._work = work
        self.pool = Pool("thinkers", count, give_way)
        self._asked = 0.0
        self._asking = 0

    async def choice(self, question: Thought) -> Choice:
        """What an opponent does. Raises what thinking raises, and TableError if thinkers died of it twice."""
        return await self._ask(question, Thought.choice)

    async def advice(self, question: Thought) -> list[Choice]:
        """What there is to do, the best first."""
        return await self._ask(question, Thought.advice)

    async def counsel(self, question: Thought) -> Counsel:
        return await self._ask(question, Thought.counsel)

    async def agrees(self, question: Thought, action: Action) -> bool:
        return await self._ask(question, Thought.agrees, action)

    async def _ask(self, question: Thought, how: Callable[..., T], *given: Any) -> T:
        with metrics.THINKING.time():
            if not self.count:
                return await self._work.do(lambda: how(question, *given))
            return await self._ask_a_thinker(question, how, *given)

    async def _ask_a_thinker(self, question: Thought, how: Callable[..., T], *given: Any) -> T:
        self._asking += 1
        try:
            return await self.pool.do(think, await self._work.do(packed, question), how, given, seconds=LONGEST)
        except Died as error:
            raise TableError("The program could not think of anything: please try again.") from error
        finally:
            self._asking -= 1
            self._asked = time.monotonic()

    def let_go(self) -> None:
        """End the processes if nobody has asked them anything for long."""
        if not self._asking and time.monotonic() - self._asked > IDLE:
            self.close()

    def close(self) -> None:
        """End the processes."""
        self.pool.close()


# What people are told

MOST = 3
"""How many moves are suggested."""
HEAD = "### What the bot would do"
MARKED = "-# Estimates from what you may know. Your move will be marked as made after a suggestion."


@showing
async def _suggest(given: Press) -> Screen:
    """What the bot would do, for whoever is up; their move says that they asked."""
    table = await given.table()
    given.check_fresh(table)
    seat = table.seat_for(given.user)
    must_be_advised(table, seat)
    question = table.asks(seat, "strong")
    await table.suggest(seat, given.interaction.id)
    advice = await given.bot.its(Thinkers).counsel(question)
    given.check_fresh(table)
    return await suggest_screen(table, seat, advice)


def must_be_advised(table: Table, seat: PlayerId) -> None:
    """Raise NotYourTurn unless the seat is asked, and TableError where the table wants no suggestions."""
    if not table.settings.suggest:
        raise TableError("Suggestions are off at this table, as `/game settings` shows.")
    must_be_up(table, seat)


async def suggest_screen(table: Table, seat: PlayerId, advice: Counsel) -> Screen:
    """The best of the choices, each with its reasons and a button, and what may follow, for the seat alone."""
    position = table.position
    named = await named_once(position, seat, advice.choices)
    names, choices = position.lexicon(), [one for one, _ in named]
    common, each = in_common(choices, names), alike(choices, names)
    said = _lines(position, named, besides=[*common, *each])
    lines = [HEAD, *(f"{number}. {one}" for number, one in enumerate(said, start=1)), ""]
    lines += [f"With each, {'; '.join(each)}."] if each else []
    common = [*ahead(advice.end, names), *common]
    follows = await position.work.do(_followed, position, seat, advice)
    lines += [*([sentence("; ".join(common))] if common else []), *follows, MARKED]
    screen = Screen("\n".join(lines), game=table.game.id, seq=position.seq)
    offered = await position.actions(seat)
    moves = [codes.action_code(one.action, position.effort) if one.action in offered else "" for one in choices]
    screen.buttons(*(Button(f"Do {number}", code) for number, code in enumerate(moves, start=1) if code))
    screen.buttons(*(Button(f"Try out {number + 1}", codes.join("foresee", number)) for number in range(len(named))))
    return screen


def _followed(position: Position, seat: PlayerId, advice: Counsel) -> list[str]:
    """What is expected after the first choice, in a line; none where nothing is told."""
    title, names, said = position.title, position.lexicon(), list[str]()
    state = engine.apply(title, seen(title, position.state, seat), advice.choices[0].action)
    for action in advice.follows:
        company, state = company_of(state), engine.apply(title, state, action)
        said += [clause(one.brief) for one in lines_of(state.facts, names, company)[:1]]
    after = gathered(said)
    return [f"After the first it expects: {'; '.join(after)}."] if after else []


async def named_once(position: Position, seat: PlayerId, choices: Sequence[Choice]) -> list[tuple[Choice, str]]:
    """What is suggested to the seat, with its names, in order."""
    return _told_once(choices, partial(request, await position.full_labels(seat, seat)))


@showing
async def _reasons(given: Press) -> Screen:
    """Why an opponent made a move, once the game is over."""
    table = await given.table()
    seq = int(given.parts[0])
    moment = next((one for one in await table.all_moments() if one.move.seq == seq), None)
    question = None if moment is None else explained(table, moment)
    if moment is None or question is None:
        raise TableError("What an opponent thought is shown once the game is over.")
    return await _why_screen(table, moment, await given.bot.its(Thinkers).advice(question))


def explained(table: Table, moment: Moment) -> Thought | None:
    """What to ask about an opponent's move, once the game is over; None for any other move."""
    move = moment.move
    level = None if move.user is None else level_of(move.user)
    if level is None or not table.position.over:
        return None
    return table.asks(move.action.by, level, moment.before)


async def _why_screen(table: Table, moment: Moment, choices: list[Choice]) -> Screen:
    """Why an opponent made a move, and what else it thought of."""
    move, names = moment.move, table.lexicon_at(moment.move.seq)
    before = Position(table.title, moment.before, move.seq, dict(names.names), table.work)
    level = level_of(move.user or 0)
    made = (await _narrated(before, [Choice(move.action, 0.0)]))[0][1]
    lines = [f"### Why: {made}", *([f"-# {told_of_level(level)}"] if level is not None else [])]
    if choices[0].action != move.action:
        lines.append("*The program would decide differently now, so it cannot say why.*")
    else:
        found = await _narrated(before, choices)
        (best, _), *others = found
        first = decided([one for one, _ in found])[0]
        lines.append(told(best, names, named=True, first=first) or "These are the best routes that it found.")
        lines += ["**What it might have done instead**"] if others else []
        common = in_common([one for one, _ in found], names)
        lines += [f"- {one}" for one in _lines(before, found, named=True, besides=common)[1:]]
    return Screen("\n".join(lines), game=table.game.id, seq=table.position.seq)


def _lines(
    position: Position, found: Sequence[tuple[Choice, str]], *, named: bool = False, besides: Collection[str] = ()
) -> list[str]:
    """Choices with their names, the best first, each with what speaks for it, or how much worse it is."""
    choices, lines = [one for one, _ in found], []
    for (choice, name), first in zip(found, decided(choices), strict=True):
        best = None if choice is choices[0] else choices[0]
        said = told(choice, position.lexicon(), named=named, besides=besides, first=first, best=best)
        lines.append(f"**{name.replace('*', '')}.** {said}".rstrip())
    return lines


async def _narrated(position: Position, choices: Sequence[Choice]) -> list[tuple[Choice, str]]:
    """The choices with what the table would be told of them: "AR lays tile 5 on K8"."""
    lexicon, labels = position.lexicon(), position.labels()

    def name(action: Action) -> str:
        after = engine.apply(position.title, position.state, action)
        lines = narrate(after.facts, lexicon, company_of(position.state))
        return clause(lines[0]) if lines else labels.of(action)

    return await position.work.do(_told_once, choices, name)


def _told_once(choices: Sequence[Choice], name: Callable[[Action], str]) -> list[tuple[Choice, str]]:
    """The first three that make sense, and the first in any case, with their names. Of those with the same name, the
    best."""
    found: dict[str, Choice] = {}
    for one in choices:
        if len(found) == MOST or (found and not one.sensible):
            break
        found.setdefault(name(one.action), one)
    return [(one, name) for name, one in found.items()]


ROOM = Room(
    presses={"suggest": _suggest, "reasons": _reasons},
    codes={"reasons": r"\d{1,7}"},
    advance=lambda bot, game: bot.its(Opponents).wake(game),
)
