"""The constitution of a table: who may do what besides playing, alone or together, on one page; and how they vote.

Commands and presses ask it; docs/playing.md shows it to people. It rests on three sentences:

- What was agreed to when people joined changes only if all agree whose game it is. Whoever plays in a seat that is lent
  to them does not agree for its owner.
- What keeps a game going is decided by a majority of those who play it.
- Whoever has or had a seat is no moderator of that game's result.

What depends on one move, one seat or the time that has passed is with it: `undoing`, `seats`, `absent`, `rights`. A
vote is stored by seat, counts for whoever decides for that seat, and holds for a week.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bot.core.errors import NO_RESULT, OVER, NotYourTurn, TableError
from bot.core.hours import DAY
from bot.core.opponents import is_person
from bot.core.seated import Played
from storage import Duplicate, Game, Status, Vote

Role = Literal["anybody", "player", "owner", "host", "moderator", "outside moderator"]
Share = Literal["all", "majority"]
Phase = Literal["lobby", "running", "over"]
PHASES: dict[Status, Phase] = {"open": "lobby", "running": "running", "finished": "over", "abandoned": "over"}


@dataclass(frozen=True, slots=True)
class Right:
    """One line: what may be done when, by whom alone, or by which share of whom together."""

    does: str
    phases: tuple[Phase, ...]
    alone: tuple[Role, ...] = ()
    share: Share | None = None
    of: Role = "player"
    """Who decides together, besides any whom it is about."""
    also: str = ""
    """Who else may, under a condition that its own module looks at."""
    refusal: str = ""
    """What others read; whoever needs a seat for it reads who sits in theirs."""


NOT_GONE = "a player who has had a week to move is not waited for"


# fmt: off
CONSTITUTION: dict[str, tuple[Right, ...]] = {
    "start": (Right("start the game", ("lobby",), ("host",),
        refusal="Only the host, <@{host}>, can start the game."),),
    "order": (Right("choose the seat order", ("lobby",), ("host",),
        refusal="Only the host can choose the seat order, and only before the game starts."),),
    "rules": (Right("choose the rules", ("lobby",), ("host",),
        refusal="Only the host, <@{host}>, chooses the rules, and only before the game starts."),),
    "opponents": (Right("seat opponents", ("lobby",), ("host",),
        refusal="Only the host, <@{host}>, seats opponents, and only before the game starts."),),
    "cancel": (Right("cancel the game", ("lobby",), ("host", "moderator"),
        also="anybody, once the host has left the server or has had a week to start it"),),
    "settings": (
        Right("change undo, open seats, suggestions", ("lobby",), ("host",),
            refusal="Only the host can change the settings before the game starts."),
        Right("change undo, open seats, suggestions", ("running",), share="all", of="owner", also=NOT_GONE)),
    "pace": (
        Right("change the pace", ("lobby",), ("host",),
            refusal="Only the host, <@{host}>, chooses the pace before the game starts."),
        Right("change the pace", ("running",), share="all", of="owner", also=NOT_GONE)),
    "names": (Right("choose the language of place names", ("lobby", "running", "over"), ("host",),
        refusal="Only the host can change the place names."),),
    "host": (Right("make another player the host", ("lobby", "running"), ("host",),
        refusal="Only the host can make somebody else the host."),),
    "acting host": (
        Right("the same where the host acts for others", ("lobby",), ("host",),
            refusal="Only the host can make somebody else the host."),
        Right("the same where the host acts for others", ("running",), share="all", of="owner", also=NOT_GONE)),
    "end": (Right("end the game where it stands", ("running",), share="all", of="owner"),),
    "run out": (Right("run the game out when its end is near", ("running",), share="all", also="everybody who plays"),),
    "stop": (Right("stop running it out", ("running",), ("player",)),),
    "end at once": (Right("end it without a vote", ("running",), ("outside moderator",),
        refusal="Only moderators who neither have nor had a seat in this game can end it alone: those who may manage "
                "this channel or the server. Players vote: `/game end`."),),
    "end unread": (Right("end, without a result, a game that this version cannot read",
        ("running",), ("host", "moderator"),
        refusal="Only the game's host or a moderator can end it like this."),),
    "move": (Right("move the game to another channel", ("lobby", "running", "over"), ("host", "moderator"),
        also="any player, once its channel is gone",
        refusal="Only the host or a moderator can move a game; if its channel is gone, any player can."),),
    "board": (Right("show it on a live board", ("lobby", "running", "over"), ("host", "moderator"),
        refusal="Only the game's host or a moderator can show it on a live board."),),
    "undo": (Right("take back a decision", ("running", "over"), ("player",), share="all",
        also="alone, only your own last move"),),
    "redo": (Right("bring back what was taken back", ("running", "over"), ("player",),
        also="only whoever took it back, or whose move it was"),),
    "offer": (Right("lend or give away your seat", ("running",), ("player",), also="only its owner"),),
    "leave": (Right("leave, or give a lent seat back", ("running",), ("player",)),),
    "take": (Right("take a seat that is open", ("running",), ("anybody",), share="majority",
        also="the others decide on somebody who plays already, and on everybody if the table wants that"),),
    "open": (Right("open the seat of somebody absent", ("running",), share="majority",
        also="after 24 h in which they could have moved; the host alone after 72 h"),),
    "substitute": (Right("let the bot play on in an open seat", ("running",), share="majority"),),
    "late": (Right("decide what happens when somebody's time is up", ("running",), share="majority",
        also="those who are not away"),),
    "wake": (Right("wake an archived game", ("running",), ("player",)),),
}
# fmt: on


def right(what: str, game: Game) -> Right | None:
    """The line for the game's present phase; None if it is not to be done now."""
    return next((one for one in CONSTITUTION[what] if PHASES[game.status] in one.phases), None)


PAST: dict[Status, str] = {"running": "This game has already started.", "finished": OVER, "abandoned": NO_RESULT}


def must_be_time(what: str, game: Game) -> None:
    """Raise TableError if it is too late for this, whoever wants it."""
    if right(what, game) is None and game.status in PAST:
        raise TableError(PAST[game.status])


def roles_of(user: int, game: Game, seated: Played | None = None, *, moderator: bool = False) -> set[Role]:
    """What somebody is at a table; without its seats, as far as nobody needs to know who sits there."""
    roles: set[Role] = {"anybody", *(("host",) if user == game.host_id else ()), *(("moderator",) if moderator else ())}
    if seated is not None:
        roles |= {"player"} if user in seated.people else set()
        roles |= {"owner"} if user in voices(seated, "owner").values() else set()
        held = any(user in (one.from_id, one.to_id) for one in seated.tenures.handovers)
        if moderator and not held and not roles & {"player", "owner"}:
            roles.add("outside moderator")
    return roles


def may(what: str, game: Game, roles: Collection[Role]) -> bool:
    """Whether somebody of these roles may do it now, alone."""
    line = right(what, game)
    return line is not None and not set(roles).isdisjoint(line.alone)


def must(what: str, game: Game, roles: Collection[Role]) -> None:
    """Raise TableError, which says who may, unless somebody of these roles may do it now, alone."""
    must_be_time(what, game)
    if not may(what, game, roles):
        line = right(what, game) or CONSTITUTION[what][0]
        raise TableError(line.refusal.format(host=game.host_id))


def must_play(what: str, seated: Played, user: int) -> None:
    """Raise NotSeated unless the person has the seat that this needs, or TableError where it is too late for it."""
    must_be_time(what, seated.game)
    if not may(what, seated.game, roles_of(user, seated.game, seated)):
        raise seated.not_seated(user)


def voices(seated: Played, role: Role) -> dict[str, int]:
    """Whose each seat is, by who owns or who plays it; seats without a person are left out."""
    lent = {one.seat: one.owner_id for one in seated.tenures.loans} if role == "owner" else {}
    return {seat: lent.get(seat, row.user_id) for seat, row in seated.seats.items() if is_person(row.user_id)}


# Deciding together

LASTS = 7 * DAY
"""Seconds for which a vote counts."""
YES, NO = "yes", "no"
NOT_THEIRS = "You play for <@{}>: only they can decide this."


@dataclass(frozen=True, slots=True)
class Ballot:
    """A question to a table, and how the votes on it stand."""

    table: Played
    right: str
    """The line of the constitution that says who decides."""
    question: str
    """The kind of its votes."""
    voters: tuple[int, ...]
    """Who decides, each once, in seat order."""
    needed: int
    """How many of them must want the same."""
    votes: tuple[Vote, ...] = ()
    """Those that count."""

    def agreed(self, choice: str = YES) -> list[int]:
        """The voters who want this, in seat order."""
        whose = _voices(self.table, self.right)
        said = {whose.get(one.seat) for one in self.votes if one.choice == choice}
        return [one for one in self.voters if one in said]

    def missing(self, choice: str = YES) -> list[int]:
        """The voters who do not want this, or have not said so."""
        return [one for one in self.voters if one not in self.agreed(choice)]

    def lacking(self, choice: str = YES) -> int:
        """How many more must want this; 0 where it is decided."""
        return max(0, self.needed - len(self.agreed(choice)))

    @property
    def proposed(self) -> str | None:
        """What was proposed last, of what somebody still wants."""
        wanted = [one for one in self.votes if one.choice != NO]
        return max(wanted, key=lambda one: one.at).choice if wanted else None

    async def cast(
        self, user: int, choice: str = YES, *, seen: int | None = None, interaction: int | None = None
    ) -> "Ballot":
        """The same with this person's vote. Raises what `seats_voting` and the storage's `Votes.cast` do.

        A press that comes again counts as it did where it decides: whoever had it before may have died over that.
        """
        store, game, votes = self.table.store, self.table.game.id, list[Vote]()
        try:
            for seat in seats_voting(self.table, self.right, user):
                votes = await store.votes.cast(
                    game, self.question, seat, choice, expected_seq=seen, interaction_id=interaction
                )
                interaction = None
        except Duplicate:
            votes = await store.votes.of_game(game, self.question)
            if replace(self, votes=_counting(votes, store.clock())).lacking(choice):
                raise
        return replace(self, votes=_counting(votes, store.clock()))


async def ballot(table: Played, what: str, question: str, deciding: Sequence[int]) -> Ballot:
    """The question to these people as its votes stand; `what` is the line of the constitution."""
    share = next(one.share for one in CONSTITUTION[what] if one.share)
    needed = len(deciding) if share == "all" else len(deciding) // 2 + 1
    votes = await table.store.votes.of_game(table.game.id, question)
    return Ballot(table, what, question, tuple(deciding), needed, _counting(votes, table.store.clock()))


def voters(seated: Played, what: str, *, but_for: Collection[int] = ()) -> list[int]:
    """Who decides about this together, each once, in seat order; `but_for` those whom it is about."""
    return [one for one in dict.fromkeys(_voices(seated, what).values()) if one not in but_for]


def seats_voting(seated: Played, what: str, user: int) -> list[str]:
    """The seats whose vote is the person's.

    Raises TableError where it is too late to vote, NotSeated, or NotYourTurn for whoever plays for an owner.
    """
    must_be_time(what, seated.game)
    whose = _voices(seated, what)
    found = [seat for seat, one in whose.items() if one == user]
    if found:
        return found
    borrowed = [seat for seat in seated.seats_of(user) if seat in whose]
    if borrowed:
        raise NotYourTurn(NOT_THEIRS.format(whose[borrowed[0]]))
    raise seated.not_seated(user)


def _counting(votes: Sequence[Vote], now: int) -> tuple[Vote, ...]:
    return tuple(one for one in votes if one.at > now - LASTS)


def _voices(seated: Played, what: str) -> dict[str, int]:
    line = right(what, seated.game)
    return {} if line is None or line.share is None else voices(seated, line.of)
