"""What happened since somebody's last move, or since a round: what changed, and what it means for them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from bot.chat import codes
from bot.chat.layout import shorten
from bot.chat.screen import Button, Screen, where
from bot.core.errors import TableError
from bot.core.table import Table
from bot.rooms.past.history import Bookmark
from bot.rooms.turn import deals, pictures
from bot.rooms.turn.screen import last_of, moves_told
from bot.words.consequences import OPERATES
from bot.words.lexicon import Lexicon, listed
from engine import CompanyRow, Fact, PlayerId, PrivateId, TableView, Title, a_rank, table_view
from engine.facts import Floated, PriceMoved, TrainBought, TrainDiscarded, TrainExported, TrainsRusted
from engine.past import OPENING, changed_hexes, rounds_of
from renderer import readable

NOTHING = "Nothing has happened yet."
IN = {
    "receivership": "in receivership",
    "no director": "without a director",
    "a late private": "now a late private",
}
GRAVEST = {"bankrupt", "closed"}
FEW = 2
"""More privates than so many are told by their letters."""


@dataclass(frozen=True, slots=True)
class Since:
    """Two positions as somebody may know them, and what happened between."""

    names: Lexicon
    before: TableView
    now: TableView
    facts: tuple[Fact, ...]
    viewer: PlayerId | None


def last_own(table: Table, seat: PlayerId | None) -> int:
    """How many moves there were when the seat's player had made their last; without a seat, when the round began."""
    if seat is None:
        return rounds_of(table.states())[-1].start
    return last_of(table, seat)


def since_round(table: Table, name: str) -> tuple[int, str]:
    """How many moves there were when the round began, and since when that is. Raises TableError."""
    rounds = rounds_of(table.states())
    found = next((one for one in rounds if one.name.casefold() == name.strip().casefold()), None)
    if found is None:
        raise no_round(table, name)
    return found.start, f"since {'the ' if found.name == OPENING else ''}{found.name} began"


def no_round(table: Table, name: str) -> TableError:
    """That there is no round of this name, and which there are."""
    last = ", ".join(one.name for one in rounds_of(table.states())[-8:])
    return TableError(f"This game has no round “{shorten(name, 20)}”. Its last rounds: {last}.")


async def since_own_screen(table: Table, seat: PlayerId | None) -> Screen:
    """What changed since the seat's last move; for somebody without a seat, in this round."""
    start = last_own(table, seat)
    own = "since your last move" if start else "so far"
    return await since_screen(table, start, seat, "in this round" if seat is None else own)


async def since_screen(table: Table, start: int, viewer: PlayerId | None, about: str) -> Screen:
    """What changed after the first `start` moves, as far as the viewer may know; `about` says since when."""
    position, title = table.position, table.title
    moves = table.moves[start:]
    screen = Screen(game=table.game.id, seq=position.seq, footer=where(position, title=False))
    screen.text = f"### What happened {about}"
    if not moves:
        screen.text += f"\n{NOTHING}"
        return screen
    facts = tuple(fact for one in moves for fact in one.state.facts)
    then = await table.work.do(table_view, title, table.states()[start], viewer)
    now = position.table(viewer)
    sections = await table.work.do(_sections, title, Since(position.lexicon(), then, now, facts, viewer))
    sections += await _offers(table, moves[0].seq - 1, viewer)
    times = await table.store.times(table.game.id, moves[0].seq - 1)
    head, first = f"-# {moves_told(len(moves))}", ", the first" if len(moves) > 1 else ","
    if moves[0].seq in times:
        head += f"{first} <t:{times[moves[0].seq]}:R>"
    screen.text = "\n".join([screen.text, head, *sections])
    changed = changed_hexes(facts)
    if changed:  # the part with the latest changes; moves and the whole map are a press away
        around = readable(position.board(), changed[::-1])
        picture = pictures.map_image(position, around=around, marked=changed, name="since-map", titled=False)
        screen.images = [await picture]
    by_move = Button("Move by move", Bookmark(moves[0].seq).code("p"))
    return screen.buttons(by_move, Button("As text", codes.join("astext", moves[0].seq)))


def _sections(title: Title, since: Since) -> list[str]:
    """What changed, under headings; what did not is left out."""
    parts = {
        "Privates": _privates(since),
        "Companies": _companies(since),
        "Shares": _shares(since),
        "Prices": _prices(since),
        "Trains": _trains(since),
        since.names.own.called("Your presidencies"): _threats(title, since),
    }
    return [*_money(since), *(line for heading, found in parts.items() for line in _under(heading, found))]


def _under(heading: str, found: Iterable[str]) -> list[str]:
    """A list under its heading, a single line beside it; nothing of an empty one."""
    lines = list(found)
    if len(lines) == 1:
        return [f"**{heading}:** {lines[0]}"]
    return [f"**{heading}**", *(f"- {line}" for line in lines)] if lines else []


def _money(since: Since) -> Iterator[str]:
    """Worth and cash, where they changed, of everybody whose money the viewer may know."""
    names = since.names
    for row in since.now.players:
        then = since.before.player(row.id)
        if row.cash is None or row.worth is None or then.cash is None or then.worth is None:
            continue
        if (row.cash, row.worth) == (then.cash, then.worth):
            continue
        gained = row.worth - then.worth
        change = f" ({'+' if gained > 0 else ''}{names.money(gained)})" if gained else ""
        yield f"{names.player(row.id)} is worth {names.money(row.worth)}{change}, cash {names.money(row.cash)}"


def _privates(since: Since) -> Iterator[str]:
    """Whose privates are another's now, and which have closed."""
    owners = {row.id: row.owner for row in since.before.privates}
    got: dict[str, list[PrivateId]] = {}
    for row in since.now.privates:
        minor = row.owner == "closed" and row.id in since.names.companies  # told as a company
        if row.owner != owners.get(row.id, "") and not minor:
            got.setdefault(row.owner, []).append(row.id)
    for owner, privates in got.items():
        whose = {"": "for sale again", "closed": "closed"}.get(owner) or since.names.holder(owner)
        yield f"{whose}: {listed(privates if len(privates) > FEW else map(since.names.private, privates))}"


def _companies(since: Since) -> Iterator[str]:
    """Which have floated, and what is unusual about which now, or is no longer."""
    found: dict[str, list[str]] = {}
    living = {fact.corp for fact in since.facts if isinstance(fact, Floated) and not fact.capital}  # on what it sells
    for then, row in zip(since.before.companies, since.now.companies, strict=True):
        lives = row.company.id in living
        begins = row.floated and not then.floated and not (lives and row.states)
        news = [OPERATES if lives else "floated"] if begins else []
        news += [IN.get(one, one) for one in row.states if one not in then.states]
        if not GRAVEST.intersection(row.states):  # beside which nothing else is named
            same = {*row.states, "no director"} if "receivership" in row.states else row.states
            news += [f"no longer {IN.get(one, one)}" for one in then.states if one not in same]
        for what in news:
            found.setdefault(what, []).append(f"**{row.company.id}**")
    yield from (f"{what}: {listed(some)}" for what, some in found.items())


def _shares(since: Since) -> Iterator[str]:
    """Whose part of what company is another."""
    both = zip(since.before.companies, since.now.companies, strict=True)
    divided = [now.company.id for then, now in both if then.has_shares or now.has_shares]
    for row in since.now.players:
        then = since.before.player(row.id)
        old, new, percent = dict(then.shares), dict(row.shares), since.names.percent
        changed = [
            f"**{corp}** {percent(corp, old.get(corp, 0))} → {percent(corp, new.get(corp, 0))}"
            for corp in divided
            if old.get(corp, 0) != new.get(corp, 0)
        ]
        if changed:
            yield f"{since.names.player(row.id)}: {', '.join(changed)}"
    for company in since.now.companies:
        was = since.before.company(company.company.id)
        if company.president and was.president != company.president:
            yield f"{since.names.player(company.president)} is now {since.names.own.head} of **{company.company.id}**"


def _prices(since: Since) -> Iterator[str]:
    """Prices before and after, those together that moved for the same reasons."""
    money = since.names.money
    moved: dict[str, list[str]] = {}
    for row in since.now.companies:
        old = since.before.company(row.company.id).price
        if row.price is not None and row.price != old:
            start = f"{money(old)} → " if old is not None else "new at "
            why = _why(since, row.company.id)
            moved.setdefault(why, []).append(f"**{row.company.id}** {start}{money(row.price)}")
    if moved:
        yield "; ".join(", ".join(some) + why for why, some in moved.items())


def _why(since: Since, corp: str) -> str:
    """Why the price of the company moved, each reason once: " (sold, dividend)"."""
    causes = [
        fact.why
        for fact in since.facts
        if isinstance(fact, PriceMoved) and fact.corp == corp and fact.source != fact.target
    ]
    return f" ({', '.join(dict.fromkeys(causes))})" if causes else ""


def _trains(since: Since) -> Iterator[str]:
    """Trains that were bought, given up, exported and rusted, and those that rust next."""
    told = "; ".join([*_trains_moved(since), *([] if since.now.finished else next_to_rust(since.now))])
    if told:
        yield told


def _trains_moved(since: Since) -> Iterator[str]:
    names = since.names
    bought: dict[str, list[str]] = {}
    for fact in since.facts:
        if isinstance(fact, TrainBought):
            seller = f" from **{fact.source}**" if fact.source in names.companies else ""
            bought.setdefault(fact.corp, []).append(f"{fact.rank}{seller}")
    if bought:
        yield f"bought: {', '.join(f'**{corp}** {listed(ranks)}' for corp, ranks in bought.items())}"
    gone: dict[str, list[str]] = {}
    for fact in since.facts:
        if isinstance(fact, TrainsRusted):
            owners = listed(dict.fromkeys(names.holder(owner) for owner in fact.owners))
            gone.setdefault("rusted", []).append(f"the {fact.rank}-trains{f' ({owners})' if owners else ''}")
        elif isinstance(fact, TrainDiscarded):
            gone.setdefault("discarded", []).append(f"{a_rank(fact.rank)}-train of **{fact.corp}**")
        elif isinstance(fact, TrainExported):
            gone.setdefault("exported", []).append(f"{a_rank(fact.rank)}-train")
    yield from (f"{how}: {listed(trains)}" for how, trains in gone.items())


def next_to_rust(table: TableView) -> Iterator[str]:
    """The trains that rust next, whose they are, and how many are sold before that; none if no train will rust."""
    ranks = [row.rank for row in table.depot]
    for number, row in enumerate(table.depot):
        owners = [one for one in table.companies if row.rank in one.trains]
        if not owners or row.rusts_on not in ranks:
            continue
        trigger = table.depot[ranks.index(row.rusts_on)]
        if not trigger.phase:  # its phase has begun: they rust later, or not at all
            continue
        ahead = table.depot[number : ranks.index(trigger.beside or trigger.rank)]
        left = sum(one.left or 0 for one in ahead) + (trigger.beside is not None)
        after = "one more train" if left == 1 else f"{left} more trains"
        when = "on sale now" if trigger.on_sale else f"after {after}"
        whose = listed(f"**{one.company.id}**" for one in owners)
        yield f"{row.rank}-trains ({whose}) rust next: with the first {row.rusts_on}-train, {when}"
        return


def _threats(title: Title, since: Since) -> Iterator[str]:
    """Who could take a presidency from the viewer by buying what can be bought; nobody once the game is over."""
    for row in since.now.companies:
        if since.now.finished or since.viewer is None or row.president != since.viewer or not row.has_shares:
            continue
        for held, found in rivals(row, title.policy.holdings.holding_limit).items():
            percent = partial(since.names.percent, row.company.id)
            mine = dict(row.holders)[since.viewer]
            yield (
                f"**{row.company.id}**: you have {percent(mine)}, {listed(map(since.names.player, found))} "
                f"{percent(held)}{' each' if len(found) > 1 else ''}; {percent(mine + 1 - held)} more would take it, "
                f"and {percent(row.buyable)} can be bought"
            )


def rivals(row: CompanyRow, limit: int) -> dict[int, list[PlayerId]]:
    """Who could become president by buying, by how many shares they have; nearest first."""
    held = dict(row.holders)
    mine = held.get(row.president, 0) if row.president else 0
    found: dict[int, list[PlayerId]] = {}
    for seat, count in sorted(held.items(), key=lambda one: -one[1]):
        if seat != row.president and mine + 1 - count <= row.buyable and mine + 1 <= limit:
            found.setdefault(count, []).append(seat)
    return found


async def _offers(table: Table, seq: int, viewer: PlayerId | None) -> list[str]:
    """What was offered to the viewer and waits, and what was declined meanwhile, as everybody is told."""
    waiting = [one for one in await table.store.offers.open(table.game.id) if one.to_seat == viewer]
    declined = await table.store.offers.declined(table.game.id, seq)
    lines = [f"{deals.waiting(table, one)} It is waiting for your answer." for one in waiting]
    lines += [deals.declined(table, one) for one in declined]
    return _under("Offers", lines)
