"""A turn's message, with pictures, news and controls, and what is left of it afterwards."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import chain, dropwhile, takewhile

import engine
import renderer
from bot.chat import codes
from bot.chat.screen import MAX_ROW, Aside, Button, Image, Option, Screen, Select, where
from bot.core.clockwork import clock_lines
from bot.core.errors import NO_RESULT
from bot.core.moves import Move, ToldBefore, began, same_turn, tell, tell_handover, told_lines
from bot.core.opponents import level_of
from bot.core.position import Position, ProposedRun
from bot.core.seated import Played
from bot.core.secrecy import LISTED, may_try_out, public_choices, public_places, secret_kinds, standing_kinds
from bot.core.table import Table
from bot.core.undoing import decisions, may_ask, slip
from bot.rooms.learning.help import WORDS
from bot.rooms.learning.room import add_dismissal, lesson_due, lesson_lines
from bot.rooms.learning.rules import add_rules
from bot.rooms.turn import deals, pictures
from bot.rooms.turn.beside import offer_here
from bot.rooms.turn.controls import add_controls, in_lists
from bot.rooms.turn.decision.company import privates_card
from bot.rooms.turn.decision.makers import ON_THE_MAP, maker
from bot.rooms.turn.decision.shares import opening_card, shares_card, tells_all
from bot.rooms.turn.run_trains import search_button, unproved
from bot.words.lexicon import Lexicon, listed, sign_of_company
from bot.words.narration import Sentence, gathered, latest, plain
from engine import BANK, Action, HexId, RouteView, State, Title
from engine import actions as a
from engine.ids import RESERVED, split_stop
from engine.past import rounds_of
from engine.secrets import hidden_purses, with_purses
from storage import Offer

TASKS = {
    "auction": "raise the bid, or drop out",
    "run": "run trains",
    "dividend": "pay out or withhold",
    "privates": "buy or use privates",
    "discard": "discard a train",
    "bonus tile": "lay the tile of the private just sold",
}
"""What to do, by step; the title's own wording takes precedence."""
BUY, EXCHANGE = "buy", "exchange a private"
DEALS: Mapping[type[Action], str] = {
    **dict.fromkeys((a.BuyShare, a.Par, a.BuyPrivate, a.TradePrivate), BUY),
    a.Bid: "bid",
    **dict.fromkeys((a.SellShares, a.SellPrivate), "sell"),
    a.ExchangePrivate: EXCHANGE,
}
"""What a turn can be for that is no company's."""
PURPOSES: Mapping[str, Mapping[type[Action], str]] = {
    "offer": DEALS,
    "shares": DEALS,
    "track": {a.LayTile: "lay track"},
    "token": {a.PlaceToken: "place a token"},
    "trains": {a.BuyTrain: "buy trains"},
}
"""What a step is for, by what can be done in it."""
LOOKS = {
    "map": ("Whole map", "and its parts, large enough for a phone"),
    "table": ("All holdings", "players, companies, trains, bank"),
    "market": ("Market", "prices, pars, operating order"),
    "privates": ("Privates", "who owns them, what they pay and do"),
    "trains": ("Trains", "what is left, at what price, what rusts"),
    "tiles": ("Tiles", "what is left of each"),
    "phases": ("Phases", "what each brings"),
}
"""What the list in the message of a turn offers."""
_EARLIER = ("imported", "ahead")
"""How the moves came about that were played before the game began here: they are the players' own."""
NEWS_LINES = 14
SHORT = 36
"""As many letters as news may have to be told in one line."""
STOP, UNDO = Button("Stop", "stop"), Button("Undo", "undo")
RUNS_OUT = (
    "### The table runs the game out\nIt goes on in a minute: companies run their best routes and pay out, and "
    "everybody passes. Any player can stop it."
)
LATEST = 2
"""How many lines of news stand in the message of a turn; *What happened?* tells all."""


async def turn_screen(table: Table, learned: Collection[str] = ()) -> Screen:
    """The message for whoever must decide now; `learned` are the kinds of tips that they have dismissed.

    It holds the decision and what it needs, on one screen of a phone; all else is behind *More…* (`more_screen`).
    """
    position = table.position
    if table.change is not None:
        return await waiting_screen(table, table.change.sentence)
    if table.thinking is not None:
        return await _thinking_screen(table)
    if table.orders.pauses:
        return await _running_out_screen(table)
    screen = _bare(table, header(table), *await clock_lines(table))
    screen.frame = colour_of(position)
    proposed = await proposals(position)
    lesson = lesson_due(table, learned)
    make = maker(position.title, position.state)
    await add_news(screen, table)
    screen.text = "\n".join([screen.text, *lesson_lines(lesson, table.title), *unproved(position, proposed)])
    await add_decision(screen, position, proposed)
    if table.orders.together:
        screen.asides.append(Aside("-# The table runs the game out; this decision is yours.", STOP))
    add_undo(screen, table)
    if not lesson:
        offer_here(screen, table)
    add_dismissal(screen, lesson)
    opened = filter(table.is_open, position.up)
    screen.buttons(*(Button("Take the seat", codes.join("take", seat), "success") for seat in opened))
    untold = make in (opening_card, shares_card) and not tells_all(position.table(), opening=make is opening_card)
    if untold or make is privates_card:
        screen.beside(Button("What they are", "show|privates"))
    add_more(screen)
    without_notes(screen)
    return screen


def add_undo(screen: Screen, table: Table) -> None:
    """Add *Undo* where it takes back the last decision of whoever is up at once, and does not stand in the news.

    The game may have ended while the rest of the message was drawn.
    """
    here = all(one.button != UNDO for one in screen.asides)
    for seat in table.position.up[:1]:
        if here and table.has_person(seat) and slip(table, table.seats[seat].user_id) is not None:
            screen.beside(UNDO)


def add_more(screen: Screen) -> None:
    """Add *More…*; below a full row, with the last of it, so that none takes a line of its own on a phone."""
    last = screen.rows[-1] if screen.rows else None
    if isinstance(last, tuple) and len(last) == MAX_ROW:
        screen.rows[-1:] = [last[:-1], last[-1:]]
    screen.beside(Button("More…", "more"))


def without_notes(screen: Screen) -> None:
    """Leave out what buttons lead to, where a card tells it."""
    screen.rows = [
        row if isinstance(row, Select) else tuple(replace(one, note="") for one in row) for row in screen.rows
    ]


async def more_screen(table: Table, user: int, *, board: bool = False, misses: bool = False) -> Screen:
    """What there is for the person beside the decision: to look at, to plan with, to have done, to read, to take back.

    What they would be refused is left out. `board`: there is a page on which the game can be played; `misses`: the
    person may expect what is not on offer.
    """
    screen = _bare(table)
    if board:
        screen.buttons(Button("Open the board", "page", "primary"))
    position = table.position
    choices = [] if position.over or position.chance else await public_choices(position)
    asked = any(table.may_act(user, seat) for seat in position.up)
    add_looks(screen)
    ahead = {
        Button("Suggest", "suggest"): asked and table.settings.suggest,
        Button("What if I pass?", "ifpass"): asked and any(isinstance(one, a.Pass) for one in choices),
        Button("Try out", "board"): not position.over and may_try_out(table, user),
        Button("Why not?", "why"): misses,
    }
    screen.buttons(*(button for button, possible in ahead.items() if possible))
    hand = [Button("My hand", "hand")] if table.viewer_for(user) is not None else []
    undo = [UNDO] if may_ask(table, user) else []
    screen.buttons(*hand, Button("What happened?", "since"), WORDS, *undo)
    add_rules(screen, event_rules(table), "The rules for what happened…")
    screen.footer = where(position)
    return screen


def colour_of(position: Position) -> str:
    """The colour of the company whose turn it is; empty in a turn of players."""
    return "" if position.company is None else position.table().company(position.company).company.colour


async def add_decision(screen: Screen, position: Position, proposed: Sequence[ProposedRun]) -> None:
    """Add the pictures of the present decision and its controls, as everybody may know them.

    Where no card does, the footer says where the game stands.
    """
    choices = await public_choices(position)
    best = next((action for action in choices if isinstance(action, a.RunTrains)), None)
    secret = secret_kinds(position)
    told = in_lists(choices) - secret  # buttons have no room for it
    labels = await position.full_labels(choices[0].by, told=told) if choices else position.labels()
    routes = tuple(labels.runs[best]) if best is not None else ()
    around = await part_shown(position, choices, routes)
    lays = places_marked([*choices, *await public_places(position)])
    if around:
        labels = replace(labels, unseen=set(lays) - renderer.pictured(position.board(), around, lays))
    await pictures.add(screen, position.work, images(position, routes, around, lays))
    add_controls(screen, choices, labels, secret=secret.difference(LISTED), standing=standing_kinds(position))
    screen.buttons(*search_button(position, proposed))
    if maker(position.title, position.state) is None or not screen.images:
        screen.footer = where(position, title=False)


async def proposals(position: Position) -> list[ProposedRun]:
    """The sets of routes that are proposed to those who must decide."""
    return [one for seat in position.up for one in await position.proposals(seat)]


async def images(
    position: Position, routes: Sequence[RouteView], around: Sequence[HexId], lays: Sequence[HexId]
) -> list[Image]:
    """The card of the decision, with the map or the market where these help too."""
    card = await pictures.card_image(position)
    if card is None:
        return [await pictures.map_image(position, around=around), await pictures.table_image(position)]
    if maker(position.title, position.state) in ON_THE_MAP:
        around_them = await pictures.map_image(position, routes=routes, around=around, marked=lays, titled=False)
        return [around_them, card]
    return [card]


def places_marked(choices: Sequence[Action]) -> tuple[HexId, ...]:
    """Where a tile or a token can go; where the tile of a private is all that is asked, where that can."""
    plain = any(isinstance(one, a.LayTile | a.PlaceToken) for one in choices)
    lays = [one.hex for one in choices if isinstance(one, a.LayTile if plain else a.LayPowerTile)]
    lays += [split_stop(one.stop)[0] for one in choices if isinstance(one, a.PlaceToken)]
    return tuple(dict.fromkeys(lays))


async def part_shown(position: Position, choices: Sequence[Action], routes: Sequence[RouteView]) -> tuple[HexId, ...]:
    """The `focus` of the message for everybody, which tells nothing of hidden money; `choices` are the public ones."""
    secret = secret_kinds(position)
    known = [one for one in choices if type(one) not in secret]
    return focus(position, [*known, *await public_places(position)], routes)


def focus(position: Position, choices: Sequence[Action], routes: Sequence[RouteView]) -> tuple[HexId, ...]:
    """The hexes that matter in a company's turn: its routes or, near its tokens, what it can build and just built.

    What it may build farther away is on the whole map, a press away, which is also shown where there is nothing.
    """
    corp, board = position.company, position.board()
    if corp is None:
        return ()
    at = {cell.id: (cell.x, cell.y) for cell in board.hexes}
    mine = [cell.id for cell in board.hexes if any(corp in stop.slots for stop in cell.stops)]
    own = [action.hex for action in choices if isinstance(action, a.LayTile)]
    own += [split_stop(action.stop)[0] for action in choices if isinstance(action, a.PlaceToken)]
    places = [*own, *(action.hex for action in choices if isinstance(action, a.LayPowerTile))]
    ran = [hex_id for view in routes for hex_id, _, _ in view.segments]
    earlier = position.state.operating != corp  # then its routes are of an earlier turn
    runs = () if earlier or places else position.state.routes
    ran += [split_stop(part)[0] for run in runs for part in run.path if isinstance(part, str)]
    if ran:
        return tuple(dict.fromkeys(one for one in ran if one in at))
    first = places[:1] if places and not own else ([*position.built, *mine] or places)[:1]

    def away(hex_id: HexId) -> int:
        return min(abs(at[hex_id][0] - at[one][0]) + abs(at[hex_id][1] - at[one][1]) for one in first)

    near = sorted((one for one in dict.fromkeys(places) if one in at), key=lambda one: (away(one), one))
    return renderer.readable(board, [*near, *(one for one in [*first, *position.built, *mine] if one in at)])


async def _running_out_screen(table: Table) -> Screen:
    """Where the game stands before another round is played as all have agreed."""
    rounds = rounds_of(table.states())
    last_round = table.moves[rounds[-2].start if len(rounds) > 1 else 0 :]
    screen = _bare(table, RUNS_OUT, *_latest(table, last_round))
    await pictures.add(screen, table.work, pictures.table_image(table.position))
    screen.buttons(STOP, Button("More…", "more"))
    screen.footer = where(table.position)
    return screen


def past_round_screen(table: Table, start: int | None) -> Screen:
    """What is left of that message: what was done in the round that came; `start` as in `past_screen`."""
    first = len(table.moves) if start is None else max(0, start - len(table.past))
    end = next((one.end for one in rounds_of(table.states()) if one.end > first), first)
    return _bare(table, *(_latest(table, table.moves[first:end]) or ["*The table did not run the game out.*"]))


async def _thinking_screen(table: Table) -> Screen:
    """Where the game stands while an opponent thinks, for whoever looks just then: nobody has anything to decide."""
    screen = _bare(table, thinking_line(table), *await news(table))
    await pictures.add(screen, table.work, pictures.map_image(table.position), pictures.table_image(table.position))
    screen.buttons(Button("More…", "more"))
    screen.footer = where(table.position)
    return screen


def thinking_line(table: Table) -> str:
    """Which opponents the game waits for."""
    names = table.position.lexicon()
    up = [seat for seat in table.position.up if table.opponent(seat) is not None]
    return f"{listed(names.player(seat) for seat in up)} {'is' if len(up) == 1 else 'are'} to move."


def _bare(table: Table, *lines: str) -> Screen:
    """A message about the game with nothing but these lines."""
    return Screen("\n".join(lines), game=table.game.id, seq=table.position.seq, signs=signs_of(table.position))


def signs_of(position: Position) -> dict[str, str]:
    """The signs of companies by the names that stand in bold; none for one that is called as a player is."""
    rows = position.table().companies
    return {
        str(row.company.id): sign_of_company(row.company)
        for row in rows
        if row.company.id not in position.names.values()
    }


def header(table: Table) -> str:
    """A ping for whoever is up, with what must be decided."""
    position = table.position
    here = [seat for seat in position.up if table.has_person(seat)]
    people = listed(f"<@{table.seats[seat].user_id}>" for seat in here)
    opened = [position.lexicon().player(seat) for seat in position.up if table.is_open(seat)]
    if not here:
        return f"### The seat of {listed(opened)} is open: {asked_line(position)}"
    kept = f"\nThe seat of {listed(opened)} is open: your next move keeps it." if opened else ""
    anybody = f"\n-# {for_anybody(position)}" if for_anybody(position) else ""
    return f"### {people}, your turn: {asked_line(position)}{anybody}{kept}"


def for_anybody(position: Position) -> str:
    """Why several people are asked for one company; else nothing."""
    corp = position.company
    if len(position.up) < 2 or corp is None or position.state.president_of(corp) is not None:
        return ""
    return f"**{corp}** has no {position.lexicon().own.head}: any of you may act for it."


def asked_line(position: Position) -> str:
    """What must be decided, and for which company: "lay track (**KO**)"."""
    return task_of(position) + (f" (**{position.about}**)" if position.about else "")


def task_of(position: Position) -> str:
    """What must be decided now: "lay track"."""
    return task(position.title, position.state, position.lexicon())


def task(title: Title, state: State, names: Lexicon) -> str:
    """What is asked in this position, as far as everybody may know it: "lay track", or "sell or pass"."""
    asked = engine.decision(title, state)
    if asked.step not in PURPOSES:
        return names.own.tasks.get(asked.step) or TASKS.get(asked.step, asked.step)
    known, purposes = with_purses(state, hidden_purses(title, state, None)), PURPOSES[asked.step]
    verbs = engine.present_verbs(title, known)
    can = [one.action for one in verbs if any(engine.possible(title, known, one, asked.players[0]))]
    found = list(dict.fromkeys(word for kind, word in purposes.items() if kind in can))
    if BUY in found and EXCHANGE in found:
        found.remove(EXCHANGE)
    if a.Pass not in can:
        return listed(found or purposes.values(), "or")
    if found and purposes is not DEALS:
        return listed(found, "or")
    others = [a.PHRASES[kind] for kind in can if kind in a.PHRASES and kind is not a.Pass]
    return listed([*(found or others), a.PHRASES[a.Pass]], "or")


async def add_news(screen: Screen, table: Table) -> None:
    """Tell once what happened since the player's last turn; then, step by step, what was done last in this one."""
    last, start = _since(table)
    now, before = await _done_last(table, start), _done_before(table, table.moves[last:start])
    if now:
        told = small(now)
        if somebody_pressed(table, start):
            screen.asides.append(Aside(told, UNDO))
        else:
            screen.text += f"\n{told}"
    elif len(before) > LATEST:
        told = f"{moves_told(start - last, new=True)}." if last else f"{moves_told(start)} so far."
        lines = [line for one in table.moves[last:start] for line in told_lines(one, table.lexicon_at(one.seq))]
        events = [line.brief for line in lines if line.event]
        screen.asides.append(Aside(small([told, *events[-LATEST:]]), Button("What happened?", "since")))
    elif before:
        told = " ".join(before)
        screen.text += f"\n{small([told] if len(plain(told)) <= SHORT else before)}"


def somebody_pressed(table: Played, start: int) -> bool:
    """Whether the last decision was pressed here, and not passed by vote, played by the bot or imported; and in this
    turn, which began after `start` moves."""
    made = decisions(table)
    return bool(made) and made[-1] >= start and table.moves[made[-1]].user is not None


def _done_before(table: Table, moves: Sequence[Move]) -> list[str]:
    """What others did, with privates for sale by their letters alone where the card below has their names."""
    named = maker(table.title, table.position.state) is opening_card
    owners = table.position.state.owner.items() if named else ()
    there = [private for private, owner in owners if owner in (BANK, RESERVED)]
    return gathered(line for one in moves for line in tell(one, table.lexicon_at(one.seq).by_letters(there)))


def moves_told(count: int, *, new: bool = False) -> str:
    """How many moves there were, as *What happened?* counts them, too."""
    what = "new move" if new else "move"
    return f"1 {what}" if count == 1 else f"{count} {what}s"


async def _done_last(table: Table, start: int) -> list[str]:
    """The last that *Undo* takes back in this turn, and the event or the last that came of it; or an offer declined."""
    moves = table.moves[start:]
    offers = await _declined(table, start, moves)
    if offers and not table.tell(one for one in moves if one.seq > offers[-1].seq):
        return [deals.declined(table, offers[-1])]
    lines = _chosen(table, table.moves[max([start, *decisions(table)]) :])
    if not lines:
        return gathered(one.brief for one in _chosen(table, moves))[-1:]
    events = [one for one in lines[1:] if one.event]
    return [one.brief for one in (lines[0], *(events or lines[1:])[-1:])]


def _chosen(table: Table, moves: Sequence[Move]) -> list[Sentence]:
    """What was done in this turn, as its card and whoever is up know the details."""
    return [line for one in moves for line in told_lines(one, table.lexicon_at(one.seq), chosen=True)]


def small(lines: Iterable[str]) -> str:
    return "\n".join(f"-# {line}" for line in lines)


async def news(table: Table) -> list[str]:
    """What happened since the player's last turn, and what has happened in this one."""
    last, start = _since(table)
    before, now = story(table, table.moves[last:start]), await _with_offers(table, start, table.moves[start:])
    lines = []
    for heading, some in (("Since your last turn" if last else "So far", before), ("This turn", now)):
        lines += [f"**{heading}**", *(f"- {line}" for line in some[-NEWS_LINES:])] if some else []
    return lines


def event_rules(table: Table) -> list[str]:
    """The rules of the events that `news` tells, the latest first."""
    last, _ = _since(table)
    rules = [table.title.event_rule(fact) for one in table.moves[last:] for fact in one.state.facts]
    return list(dict.fromkeys(reversed(rules)))


def _since(table: Table) -> tuple[int, int]:
    """How many moves came before the news of whoever is up, and how many before this turn."""
    start = began(table.title, table.moves, table.beginning)
    seat = table.position.up[0] if table.position.up else ""
    return last_of(table, seat, start), start


def last_of(table: Table, seat: str, before: int | None = None) -> int:
    """How many moves there were when whoever plays in the seat had made their last, among the first `before`; or 0.

    What the bot, a substitute or the others did for them may be news to them.
    """
    users = [table.seats[seat].user_id] if seat in table.seats else []
    mine = (
        number
        for number, one in enumerate(table.moves[:before], start=1)
        if one.action.by == seat and (one.user in users or (one.note is not None and one.note.how in _EARLIER))
    )
    return max(mine, default=0)


def story(table: Table, moves: Sequence[Move]) -> list[str]:
    """The moves as lines, with a mark if somebody other than the player made them, and repeated ones counted."""
    return gathered(table.tell(moves))


async def declined_now(table: Table) -> list[Offer]:
    """The offers that were declined in this turn."""
    start = began(table.title, table.moves, table.beginning)
    return await _declined(table, start, table.moves[start:])


async def _with_offers(table: Table, start: int, moves: Sequence[Move]) -> list[str]:
    """The moves from `start` on as lines, with the offers that were declined between them."""
    rest = list(moves)
    lines: list[str] = []
    for offer in await _declined(table, start, moves):
        count = sum(1 for one in rest if one.seq <= offer.seq)
        lines += [*table.tell(rest[:count]), deals.declined(table, offer)]
        rest = rest[count:]
    return gathered([*lines, *table.tell(rest)])


async def _declined(table: Table, start: int, moves: Sequence[Move]) -> list[Offer]:
    """The offers that were declined while the moves from `start` on were made."""
    since = table.moves[start - 1].seq if start else 0
    upto = moves[-1].seq if moves else table.position.seq
    return [one for one in await table.store.offers.declined(table.game.id, since) if one.seq <= upto]


def whole_story(table: Table) -> list[str]:
    """Everything that was played, also before the rules last changed under the game."""
    return gathered(line for one in told_of(table) for line in one.lines)


def told_of(table: Table) -> Iterator[ToldBefore]:
    """The same move by move, with the seats that changed hands between them."""
    moves = (
        ToldBefore(one.seq, one.action.by, tuple(told_lines(one, table.lexicon_at(one.seq)))) for one in table.moves
    )
    changes = (ToldBefore(one.seq, one.seat, (Sentence(tell_handover(one)),)) for one in table.tenures.handovers)
    yield from merge(chain(table.past, moves), changes, key=lambda told: told.seq)


def add_looks(screen: Screen) -> None:
    """Add the list of what can be looked at, at once or, by following the game, each time it changes."""
    screen.select("look", "Look at…", [*looks(), Option("Follow", "follow", "be told what happens in this game")])


def looks() -> list[Option]:
    return [Option(label, f"show|{what}", note) for what, (label, note) in LOOKS.items()]


async def waiting_screen(table: Table, why: str) -> Screen:
    """A game that cannot go on until the host of the bot decides."""
    ways = "`/game history` shows what was played; `/game end` ends it, and then `/game export` saves its log."
    screen = _bare(table, "### This game is waiting for the bot's host", why, ways)
    await pictures.add(screen, table.work, pictures.table_image(table.position), pictures.map_image(table.position))
    add_looks(screen)
    screen.footer = where(table.position)
    return screen


async def past_screen(table: Table, start: int | None) -> Screen:
    """What is left of a turn's message once it is over: who did what, without pictures or controls.

    `start` is how many moves came before the turn; None if unknown.
    """
    start = len(table.moves) if start is None else start - len(table.past)
    if start < 0:
        past = table.past[start:]  # of before the rules changed: what was told, as long as it was the same seat's
        lines = [line for one in takewhile(lambda one: one.by == past[0].by, past) for line in one.lines]
        return _bare(table, *(lines or ["*Nothing to tell.*"]))
    moves = _moves_of_turn(table, start)
    if not moves:
        again = "*The table runs the game out.*" if table.orders.pauses else "*This turn is shown in a newer message.*"
        again = f"*{NO_RESULT}*" if table.game.status == "abandoned" else again
        return _bare(table, again if start == len(table.moves) else "*This turn was undone.*")
    before, after = _opponents_before(table, start), _opponents_last(table, start + len(moves))
    lines = [*_latest(table, before), *await _with_offers(table, start, moves), *_latest(table, after)]
    screen = _bare(table, *(lines or ["*Nothing happened.*"]))
    stood = table.moves[start - 1].state if start else table.beginning
    screen.footer = table.title.rounds[stood.round].label(table.title, stood) if stood.round else ""
    return screen


async def answered_screen(table: Table, start: int | None) -> Screen:
    """The same as long as opponents think about what they do next."""
    screen = await past_screen(table, start)
    screen.text += f"\n-# {thinking_line(table)}"
    return screen


def _opponents_before(table: Table, start: int) -> list[Move]:
    """What opponents did before a turn, one after another, with what followed from it: that is told with the turn."""
    run = list(takewhile(_by_opponent, reversed(table.moves[:start])))[::-1]
    return list(dropwhile(lambda one: one.automatic, run))


def _opponents_last(table: Table, end: int) -> list[Move]:
    """What opponents did after a turn if that ended the game, so that no other turn tells it."""
    rest = table.moves[end:]
    return rest if table.position.over and all(map(_by_opponent, rest)) else []


def _by_opponent(move: Move) -> bool:
    """Whether an opponent made the move, or nobody did."""
    return move.automatic or (move.user is not None and level_of(move.user) is not None)


def _latest(table: Table, moves: Sequence[Move]) -> list[str]:
    return latest(story(table, moves), NEWS_LINES)


def _moves_of_turn(table: Table, start: int) -> list[Move]:
    """The moves from `start` on, as long as they belong to the same turn."""
    moves = table.moves[start:]
    if not moves:
        return []
    first = engine.decision(table.title, table.moves[start - 1].state if start else table.beginning)
    after = takewhile(lambda one: same_turn(engine.decision(table.title, one.state), first), moves)
    return moves[: 1 + sum(1 for _ in after)]
