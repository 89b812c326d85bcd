"""Trying out: the board of a line, with the controls of the game; a person's lines; a line beside the game."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from discord.utils import escape_markdown

import renderer
from bot.chat import codes
from bot.chat.screen import Button, Option, Screen, where
from bot.core.table import Table
from bot.rooms.trying.line import MOST_STEPS
from bot.rooms.trying.lines import MOST_LINES, NOTHING_OWN, TryOut, may_begin
from bot.rooms.turn import pictures
from bot.rooms.turn.controls import add_controls
from bot.rooms.turn.run_trains import unproved
from bot.rooms.turn.screen import add_decision, looks, moves_told, proposals, task_of, without_notes
from bot.words.lexicon import Lexicon, listed
from bot.words.narration import ending, gathered
from engine import Action, CompanyRow, CorpId, PlayerRow, State, TableView, Title, table_view
from engine.actions import Pass
from engine.router import Best
from engine.steps.run import bests_of
from renderer.card import Card, CardRow, Cell, Column, Detail, Section
from renderer.png import Drawing

SHOWN = 3
"""How many of a line's moves its board tells."""
PRIVATE = "-# Yours alone; nothing reaches the game. You move for everybody."
TO_BOARD = Button("◀ To the board", "board")
FOLLOW = (
    "### Make these moves my programs?\nYour moves in this line are made for you, in this order, each only if "
    "everything before it went as in the line. Anything else stops them, and you are told why. Only you know of it."
)
CUT = "-# The rest of the line is yours to decide: it is too long, needs somebody's consent, or has no move of yours."
BESIDE = {"back": "Back", "compare": "Compare"}
"""What stands beside the decision once a line has moves."""
SECONDS = 1.5
"""After which no further company is looked at."""
PLAYERS = (Column("", "l", elastic=True), *map(Column, ("cash", "then", "worth", "then", "gains")))
COMPANIES = ("price", "then", "{}", "then", "best run", "then")
SAME, NONE = "=", "–"
BEST_RUN = "-# Best run: the most that a company's trains could earn, in the game and in the line."


async def board_screen(one: TryOut, said: str = "") -> Screen:
    """The line's position with its controls, what was played in it, and the ways on; `said` comes first."""
    position = one.position
    screen = Screen(game=one.id, seq=position.seq)
    proposed = await proposals(position)
    lines = [said] if said else []
    lines += [f"### Trying out: {_name(one)}", *account(one), _asked(one)]
    screen.text = "\n".join([*lines, *unproved(position, proposed)])
    if position.over:
        await pictures.add(screen, position.work, pictures.table_image(position), pictures.map_image(position))
        screen.footer = where(position, title=False)
    else:
        await add_decision(screen, position, proposed)
    position.pictures.clear()  # they are large, and hardly ever asked for again
    without_notes(screen)
    draw = [Button("Draw", codes.join("board", "draw"), "primary")] if position.chance else []
    back = [Button(label, codes.join("board", way)) for way, label in BESIDE.items() if one.ahead]
    for button in (*draw, *back):
        screen.beside(button)
    screen.select("look", "More…", await _ways(one))
    return screen


async def _ways(one: TryOut) -> list[Option]:
    """What can be done with the line, and what can be looked at in it."""
    ways = {
        "name": ("Name this line…", True),
        "fork": ("Another line from here", True),
        "lines": ("My lines", True),
        "follow": ("Make these my programs", one.to_follow()),
        "others": ("Out of turn…", await others_may(one)),
        "assume": ("Assume…", one.assumed),
    }
    options = [Option(label, codes.join("board", way)) for way, (label, possible) in ways.items() if possible]
    options += [] if one.position.over or one.position.chance else [Option("Why not?", "why")]
    return options + looks()


def _ahead(one: TryOut) -> str:
    """How many decisions lie between the game and where the line stands."""
    return f"{moves_told(sum(not move.automatic for move in one.ahead))} ahead"


def _name(one: TryOut) -> str:
    return escape_markdown(one.name)


def account(one: TryOut) -> list[str]:
    """Whom it is for, what it assumes, and the moves in it."""
    return [PRIVATE, *_assumed(one), *_moves(one)]


def _assumed(one: TryOut) -> list[str]:
    """What is taken to be in the purses that the owner may not look into."""
    names = one.position.lexicon()
    found = [f"{names.holder(holder)} {names.money(amount)}" for holder, amount in one.assumed.items()]
    return [f"-# Assumed, as you cannot see it: {listed(found)}."] if found else []


def _moves(one: TryOut) -> list[str]:
    """The line's moves: how many the game has made, and those ahead of it, the last ones in words."""
    lines = gathered(one.tell(one.ahead))
    head = f"**{_ahead(one)} of the game**" if one.ahead else ""
    if one.happened:
        first = "move" if one.happened == 1 else f"{one.happened} moves"
        made = f"The game has already made the first {first} of this line."
        head = f"{made}\n{head}".rstrip()
    hidden = len(lines) - SHOWN
    more = [f"- … {hidden} before these"] if hidden > 0 else []
    return [*filter(None, [head]), *more, *(f"- {line}" for line in lines[-SHOWN:])]


def _asked(one: TryOut) -> str:
    position = one.position
    names = position.lexicon()
    if position.over:
        return f"**Then the game would be over.** {ending(position.state.over, names)}"
    if position.chance:
        return "**Chance decides:** press the outcome you want, or *Draw*."
    who = listed(names.player(seat) for seat in position.up)
    about = f" · **{position.about}**" if position.about else ""
    return f"{who}{about}: {task_of(position)}."


async def others_may(one: TryOut) -> dict[str, list[Action]]:
    """What those who are not asked could do now, by seat; nobody in most positions."""
    position = one.position
    found = {}
    for seat in one.names:
        if seat not in position.up and not position.over:
            extra = [action for action in await position.actions(seat) if not isinstance(action, Pass)]
            if extra:
                found[seat] = extra
    return found


async def others_screen(one: TryOut) -> Screen:
    position, names = one.position, one.position.lexicon()
    screen = Screen("Out of turn there is:", game=one.id, seq=position.seq)
    for seat, actions in (await others_may(one)).items():
        screen.text += f"\n- for {names.player(seat)}"
        add_controls(screen, actions, await position.full_labels(seat, seat))
    return screen


def follow_screen(one: TryOut) -> Screen:
    """What a program would play of the line, to be confirmed."""
    lines = to_be_followed(one)
    screen = Screen("\n".join(lines or [NOTHING_OWN]), game=one.id, seq=one.position.seq, footer=where(one.position))
    if lines:
        code = codes.join("board", "following", one.table.position.seq)
        screen.buttons(Button("Play them for me", code, "success"))
    return screen


def to_be_followed(one: TryOut) -> list[str]:
    """What a program would play of the line, and after what; nothing if there is no such move."""
    count = len(one.to_follow())
    if not count:
        return []
    lines, between = [FOLLOW], list[str]()
    for move in one.ahead[:count]:
        told = gathered(one.tell([move]))
        if move.action.by != one.line.viewer:
            between += told
            continue
        if between:
            lines.append(f"-# if: {' '.join(between)}")
        lines.append(f"{sum(line[0].isdigit() for line in lines) + 1}. {' '.join(told)}")
        between = []
    if one.ahead[0].action.by == one.line.viewer and one.line.viewer in one.table.position.up:
        lines.append("-# It is your turn: the first is made as soon as you press.")
    return [*lines, CUT] if count < len(one.ahead) else lines


def lines_screen(table: Table, user: int, lines: Sequence[TryOut], said: Sequence[str] = ()) -> Screen:
    """A person's lines, to be opened or deleted, and a new one if they can begin one; `said` comes first."""
    screen = Screen(game=table.id, seq=table.position.seq, footer=where(table.position))
    told = [f"- **{_name(one)}**: {stands(one)}" for one in lines]
    screen.text = "\n".join([*said, "### Your lines in this game", *(told or ["You keep none."])])
    if lines:
        screen.select("open", "Open a line…", [_option(one, "open") for one in lines])
        screen.select("drop", "Delete a line…", [_option(one, "drop") for one in lines])
    if len(lines) < MOST_LINES:
        new = Button("New line from now", codes.join("board", "new"), "primary")
        screen.buttons(*([new] if may_begin(table, user) else []))
    else:
        screen.text += f"\n-# You can keep {MOST_LINES} lines at most."
    return screen


def _option(one: TryOut, way: str) -> Option:
    return Option(one.name, codes.join("board", way, one.branch.id), stands(one))


def stands(one: TryOut) -> str:
    count = len(one.ahead)
    ahead = f"{moves_told(count)} ahead" if count else "where the game stands"
    return f"{ahead} · {one.position.table().round}" + (" (full)" if count >= MOST_STEPS else "")


# A line beside the game


async def compared_screen(one: TryOut) -> Screen:
    screen = Screen(game=one.id, seq=one.position.seq, footer=where(one.position))
    if not one.ahead:
        screen.text = "The line stands where the game stands: make a move first."
        return screen
    title, now, then, names = one.title, one.now, one.position.table(), one.position.lexicon()
    acting = [CorpId(str(getattr(move.action, "corp", ""))) for move in one.ahead]
    first = [corp for corp in acting if corp in title.corporations]
    runs = await one.position.work.do(could_run, title, (now, one.position.state), first)

    def prepare() -> Drawing:
        return partial(renderer.card_picture, compared_card(one.name, table_view(title, now, None), then, runs, names))

    picture = await one.position.work.draw(prepare)
    told = [BEST_RUN] if any(runs) else []
    screen.text = "\n".join([f"### {_name(one)}, {_ahead(one)}", *_assumed(one), *told])
    screen.images = [pictures.image(f"compared-{one.position.seq}", picture)]
    return screen


Runs = Mapping[CorpId, Best]
NO_RUN = Best((), 0, True, 0)


def could_run(title: Title, states: Sequence[State], first: Iterable[CorpId] = ()) -> list[Runs]:
    """For each position what companies with trains could run for in it, those named in `first` before the others.

    A company is in all the answers or in none: none if the time was up before, or in positions where it has no train.
    """
    until = time.monotonic() + SECONDS
    found: list[dict[CorpId, Best]] = [{} for _ in states]
    for corp in dict.fromkeys((*first, *title.corporations)):
        if time.monotonic() >= until:
            break
        for state, runs in zip(states, found, strict=True):
            best = best_run(title, state, corp)
            if best is not None:
                runs[corp] = best
    return list(found)


def best_run(title: Title, state: State, corp: CorpId) -> Best | None:
    """The best of what the router finds; None for a company without a train, owned or leased."""
    if corp not in state.floated:
        return None
    top = max(bests_of(title, state, corp), key=lambda one: one.total, default=NO_RUN)
    return top if top.total or not top.proved or state.trains[corp] else None


def compared_card(name: str, now: TableView, then: TableView, runs: Sequence[Runs], names: Lexicon) -> Card:
    """Cash and worth of players; prices, money, runs and trains of companies: now, and at the end of the line.

    `runs` says what companies could run for, now and then.
    """
    players = tuple(_player(row, then.player(row.id), names) for row in now.players)
    companies = tuple(
        _company(row, after, [found.get(row.company.id) for found in runs], names)
        for row, after in zip(now.companies, then.companies, strict=True)
        if after.par is not None or after.floated
    )
    sections = [Section(players, columns=PLAYERS)]
    columns = tuple(Column(heading.format(now.company_money)) for heading in COMPANIES)
    sections += [Section(companies, "Companies", columns)] if companies else []
    facts = tuple(_of_all(now, then))
    sections += [Section((CardRow(facts=facts),), "The bank and the trains")] if facts else []
    views = tuple(row.company for row in now.companies)
    return Card(f"Now and in the line: {name}", then.phase, tuple(sections), views)


def _player(now: PlayerRow, then: PlayerRow, names: Lexicon) -> CardRow:
    gains = (then.worth or 0) - (now.worth or 0)
    sign = "+" if gains > 0 else "−" if gains < 0 else ""
    change = Cell(f"{sign}{names.money(abs(gains))}" if gains else SAME, "strong" if gains > 0 else "soft")
    money = partial(_money, names=names)
    cash, worth = _pair(money(now.cash), money(then.cash)), _pair(money(now.worth), money(then.worth))
    cells = (Cell(now.name), *cash, *worth, change)
    before, after = dict(now.shares), dict(then.shares)
    moved = [
        Detail(str(corp), f"{names.percent(corp, before.get(corp, 0))} → {names.percent(corp, after.get(corp, 0))}")
        for corp in {**before, **after}
        if before.get(corp) != after.get(corp)
    ]
    return CardRow(cells, tuple(moved))


def _company(now: CompanyRow, then: CompanyRow, runs: Sequence[Best | None], names: Lexicon) -> CardRow:
    money = partial(_money, names=names)
    price, treasury = _pair(money(now.price), money(then.price)), _pair(money(now.treasury), money(then.treasury))
    cells = (*price, *treasury, *_pair(_run(runs[0], names), _run(runs[1], names)))
    facts: list[Detail] = []
    if now.trains != then.trains:
        facts += [Detail("trains", "none" if not now.trains else "", trains=now.trains)]
        facts += [Detail("then", "none" if not then.trains else "", trains=then.trains, tone="strong")]
    elif now.trains:
        facts.append(Detail("trains", trains=now.trains))
    if now.last_run != then.last_run:
        facts.append(Detail("last run", f"{money(now.last_run)} → {money(then.last_run)}"))
    if now.president != then.president and then.president is not None:
        facts.append(Detail(f"{names.own.head} then", names.plain_player(then.president), tone="alert"))
    return CardRow(cells, tuple(facts), now.company.id)


def _run(one: Best | None, names: Lexicon) -> str:
    if one is None:
        return NONE
    return names.money(one.total) if one.proved else f"≥ {names.money(one.total)}"


def _of_all(now: TableView, then: TableView) -> Iterator[Detail]:
    if now.bank_left != then.bank_left:
        yield Detail("bank", f"{now.bank_left} → {then.bank_left}")
    if now.phase != then.phase:
        yield Detail("phase", f"{now.phase} → {then.phase}", tone="alert")
    for row in now.depot:
        after = next((one for one in then.depot if one.rank == row.rank), row)
        if after.left != row.left:
            yield Detail(figure=f"{row.left} → {after.left}", behind="left", trains=(row.rank,))


def _money(amount: int | None, names: Lexicon) -> str:
    return NONE if amount is None else names.money(amount)


def _pair(now: str, then: str) -> tuple[Cell, Cell]:
    """Both figures; the second only where it differs."""
    return Cell(now), Cell(SAME, "soft") if now == then else Cell(then, "strong")
