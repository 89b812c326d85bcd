"""What a person is told that waits for them: one ping for all of it, a daily digest, a greeting."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from bot.chat.client import Bot
from bot.chat.messages import link
from bot.chat.screen import MAX_TEXT
from bot.core import clockwork
from bot.core.clock import HOST, LATE, PRIVATE, REMINDER, TURN, GameClock, Running
from bot.core.notices import RingNotice, queued, turn_of
from bot.core.person import Person
from bot.core.table_settings import called
from bot.words.lexicon import clean_name
from storage import VACANT, Game, Notice, OwedPing, PersonTicked

CLOSED = "-# I cannot send you direct messages, so I will tell you here from now on; `/my settings` changes that."
LATER = {
    "said": "something was said to you",
    "vote": "the table is voting",
    "late": "the table is deciding about somebody",
    "offer": "an offer is waiting for your answer",
    "undo": "somebody wants to take something back",
    "opened": "your seat is open, and your next move keeps it",
    "taken": "somebody plays on in your seat, and `/seat take` returns it",
    "substituted": "the bot plays on in your seat, and `/seat take` returns it",
    "returned": "the player whose seat you had is back and plays in it again",
}
"""What people are told later whom a message may not ping at once, after the channel, by the word that is stored."""
ASKS = frozenset({"vote", "late", "offer", "undo"})
"""Those of these words that ask for an answer; the kind of a message that does so begins with the same."""
NEWEST = 8
"""How much of what somebody has missed is listed."""
ROOM = MAX_TEXT - 1400
"""Characters for the list of games."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A game that waits for a person, as they are told of it."""

    game: Game
    clock: GameClock
    run: Running | None
    """The person's own time, if the game waits for them."""
    until: int | None
    """When that is up."""
    place: str
    """The channel, with a link to the turn's message."""
    asked: str
    """The same with a link to the question about whoever is late."""
    names: dict[int, str]
    asks: frozenset[str]
    """How the kinds of its messages begin that can still be answered."""

    def is_over(self, ping: OwedPing) -> bool:
        """Whether what the person was to answer is settled."""
        return ping.body in ASKS - self.asks


async def waiting(bot: Bot, game: Game, user: int) -> Waiting:
    store = bot.store
    look = await clockwork.look(store, game)
    clock = look.clock
    run = next((one for one in clock.runs if one.user == user), None)
    live = await store.messages.live(game.id)
    asks = {one.kind.partition(":")[0] for one in live}
    if (run is not None or asks & ASKS) and game.status == "running" and await bot.tables.waits(game):
        run, asks = None, set()  # nobody can do anything there
    if clock.archived is not None:
        run = None
    until = None
    if run is not None and look.around.pace.timed and run.late_at is None:
        until = look.until(run)
    turns = [one for one in live if (key := turn_of(one.kind)) is not None and key.start == clock.start]
    questions = [one for one in live if one.kind.startswith(f"{LATE}:")]
    names = {one.user_id: clean_name(one.name) for one in await store.seats(game.id)} | {VACANT: "an open seat"}
    place = f"<#{game.channel_id}>"
    return Waiting(
        game,
        clock,
        run,
        until,
        f"{place} ([message]({link(game, turns[-1])}))" if turns else place,
        f"{place} ([message]({link(game, questions[-1])}))" if questions else place,
        names,
        frozenset(asks),
    )


async def all_waiting(bot: Bot, user: int) -> list[Waiting]:
    """Every running game that waits for the person, the longest waiting first."""
    found = [await waiting(bot, game, user) for game in await bot.store.games_of_user(user, "running")]
    return sorted((one for one in found if one.run is not None), key=lambda one: one.clock.began)


def line(one: Waiting) -> str:
    until = f", time until <t:{one.until}:f>" if one.until is not None else ""
    late = ", time is up" if one.run is not None and one.run.late_at is not None else ""
    return f"{one.place}: {called(one.game)}, since <t:{one.clock.began}:f>{until}{late}"


def summary(found: Sequence[Waiting], news: Sequence[str]) -> list[str]:
    """The games that wait, and what else somebody has not heard, as lines."""
    games = fitting([f"- {line(one)}" for one in found], ROOM, "- … and {} more: `/turns`")
    lines = ["These games are waiting for you:", *games] if found else []
    news = list(dict.fromkeys(news))
    return [*lines, *(["What you have missed:", *(f"- {one}" for one in news[:NEWEST])] if news else [])]


def fitting(lines: list[str], room: int, more: str) -> list[str]:
    """As many whole lines as there is room for, and how many more there are."""
    kept = sum(end <= room for end in accumulate(len(one) + 1 for one in lines))
    return lines if kept == len(lines) else [*lines[:kept], more.format(len(lines) - kept)]


def news_line(place: str, ping: OwedPing) -> str:
    """What was said while somebody could not be told; earlier versions stored the sentence."""
    return f"{place}: {LATER.get(ping.body, ping.body)}"


@dataclass(frozen=True, slots=True)
class Ringing:
    """What is known of a person's games before they are told."""

    user: int
    games: dict[str, Waiting]
    everything: tuple[Waiting, ...] = ()
    """All that waits, for a digest or a greeting."""
    greets: bool = False
    """Whether their absence has just ended."""

    def told(self, text: str, now: int, owed: Sequence[OwedPing]) -> PersonTicked:
        """The step that tells the person what waits by now, each thing once."""
        person = Person.read(text)
        if person.reachable(now) != now:
            return PersonTicked(text, clockwork.due_of(person, owed, now))
        digest = person.digest_due(now)
        waits = person.where == "digest" and not digest and not self.greets
        ready = [one for one in owed if one.game in self.games and not waits]
        rest = [one for one in owed if one not in ready]
        missed = [one for one in ready if one.kind.startswith(clockwork.SAID) and self._matters(one)]
        notices: list[tuple[str, Notice]] = []
        if digest:
            person = replace(person, digested=now)
        back = 0 if self.greets else person.back_today(now)
        if (missed or any(one.clock.began > back for one in self.everything)) and (digest or self.greets):
            head = "Welcome back." if self.greets else "Good day."
            about = [*(one.game for one in self.everything), *self._games(missed)]
            private = _by_dm(person, digest) and not person.closed
            here = {one.id for one in about} if private else _of_one_server(about)
            first, *rows = summary(
                [one for one in self.everything if one.game.id in here],
                [self._line(one) for one in missed if one.game in here],
            )
            rows += _elsewhere(about, here)
            turns = [one.game.id for one in self.everything]
            notices = self._sent(person, [f"{head} {first}", *rows], about, dm=digest, turns=turns, owed=ready)
        elif not self.greets:
            notices = self._of_pings(person, _once([one for one in ready if self._matters(one)]))
        return PersonTicked(person.text(), clockwork.due_of(person, rest, now), tuple(notices), tuple(ready))

    def _matters(self, ping: OwedPing) -> bool:
        """Whether what was to be told is still so."""
        here = self.games[ping.game]
        if here.clock.archived is not None:
            return False
        if ping.kind == LATE:
            return here.clock.late is not None
        if ping.kind in (TURN, REMINDER):  # also once time is up: whoever slept through it has not heard of it
            return here.run is not None and not (ping.kind == REMINDER and here.run.silent)
        return not here.is_over(ping)

    def _of_pings(self, person: Person, ready: Sequence[OwedPing]) -> list[tuple[str, Notice]]:
        made: list[tuple[str, Notice]] = []
        private = [one for one in ready if one.kind.startswith(PRIVATE)]
        ready = [one for one in ready if one not in private]
        directly = person.told_in in ("dm", "both")
        if directly and private:
            head = "A program of yours has stopped:" if len(private) == 1 else "Programs of yours have stopped:"
            told = [head, *(f"- {self._line(one)}" for one in private)]
            ring = RingNotice(self.user, "\n".join(told), dm=True, private=True, pings=_bare(private))
            made.append((private[0].game, queued(ring)))
        if directly and ready:
            told = _gathered("These are waiting for you:", map(self._line, ready))
            made += self._sent(person, told, self._games(ready), dm=True, ready=ready)
        public = [one for one in ready if not _only_direct(one)]
        if person.told_in in ("channel", "both") and public:
            games = self._games(public)
            shown = _of_one_server(games)
            here = [one for one in public if one.game in shown]
            lines = [self._line(one, alone=len(here) == 1) for one in here]
            lines += [one.removeprefix("- ") for one in _elsewhere(games, shown)]
            text = _gathered("these are waiting for you:", lines)
            made += self._sent(person, text, games, dm=False, ready=public)
        return made

    def _games(self, pings: Iterable[OwedPing]) -> list[Game]:
        return [self.games[one.game].game for one in pings]

    def _line(self, ping: OwedPing, *, alone: bool = False) -> str:
        """What the person is told; `alone` in answer to the turn's message, which says the rest."""
        here = self.games[ping.game]
        late = here.clock.late
        name = here.names.get(late.user, "somebody") if late is not None else "somebody"
        if ping.kind in (TURN, REMINDER):
            still = "still " if ping.kind == REMINDER else ""
            return f"it is {still}your turn{_since(here)}" if alone else f"it is {still}your turn in {line(here)}"
        if ping.kind == LATE:
            return f"time is up for {name}, and the table decides what happens: {here.asked}"
        if ping.kind == HOST:
            slow = next((one.user for one in here.clock.runs), 0)
            return f"despite all reminders, {here.names.get(slow, 'somebody')} has not moved: {here.place}"
        return news_line(here.place, ping)

    def _sent(
        self,
        person: Person,
        lines: Sequence[str],
        games: Sequence[Game],
        *,
        dm: bool,
        ready: Sequence[OwedPing] = (),
        turns: Sequence[str] = (),
        owed: Sequence[OwedPing] = (),
    ) -> list[tuple[str, Notice]]:
        """The notice, kept with the first of the games, in whose channel it is said unless by direct message.

        It says what is `ready`, or all that waits in `turns` and what is `owed`.
        """
        by_dm = _by_dm(person, dm)
        text = "\n".join(lines)
        text = text[0].upper() + text[1:] if by_dm else f"<@{self.user}>, {text[0].lower()}{text[1:]}"
        kinds = {one.kind for one in ready}
        waits = bool(kinds) and kinds <= {TURN, REMINDER} and len(games) == 1
        silence = any((one.kind, one.game) == (REMINDER, games[0].id) for one in ready)
        turns = turns or list(dict.fromkeys(one.game for one in ready if one.kind in (TURN, REMINDER)))
        ring = RingNotice(
            self.user, text, by_dm, silence=silence, waits=waits, turns=tuple(turns),
            pings=_bare(ready or owed),
        )  # fmt: skip
        return [(games[0].id, queued(ring))]


def _by_dm(person: Person, dm: bool) -> bool:
    return dm or person.told_in in ("dm", "digest")


def _of_one_server(games: Sequence[Game]) -> set[str]:
    """The ids of those on the server of the first, whose channel reads of no others."""
    return {one.id for one in games if one.guild_id == games[0].guild_id}


def _elsewhere(games: Sequence[Game], shown: set[str]) -> list[str]:
    """How many of the games are not shown, as a line of a list."""
    more = len({one.id for one in games} - shown)
    return [f"- and {more} more on other servers: `/turns`"] if more else []


def _bare(pings: Sequence[OwedPing]) -> tuple[tuple[str, str, str], ...]:
    """Pings as a notice carries them."""
    return tuple((one.game, one.kind, one.body) for one in pings)


def _once(ready: Sequence[OwedPing]) -> list[OwedPing]:
    """Without reminders of turns of which the person is first told now."""
    new = {one.game for one in ready if one.kind == TURN and not _only_direct(one)}
    return [one for one in ready if not (one.kind == REMINDER and one.game in new)]


def _only_direct(ping: OwedPing) -> bool:
    """Whether it is the direct message about a turn whose own message has pinged the person."""
    return ping.kind == TURN and bool(json.loads(ping.body).get("dm"))


def _since(one: Waiting) -> str:
    """Since when a game waits, and until when there is time."""
    until = f"; you have time until <t:{one.until}:f>" if one.until is not None else ""
    if one.run is not None and one.run.late_at is not None:
        until = "; your time is up, so the others decide, but you can still move"
    return f", since <t:{one.clock.began}:f>{until}"


def _gathered(head: str, told: Iterable[str]) -> list[str]:
    lines = list(told)
    return [head, *(f"- {one}" for one in lines)] if len(lines) > 1 else [f"{lines[0]}."]
