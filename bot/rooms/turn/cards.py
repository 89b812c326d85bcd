"""Text cards: what a person holds and may do, a company, a player, the supply."""

from collections import Counter

from bot.chat.screen import Button, Screen
from bot.core.desks import program_lines, stop_lines
from bot.core.errors import NOT_THERE, TableError
from bot.core.position import Scene
from bot.core.table import Table
from bot.rooms.learning.help import WORDS
from bot.rooms.turn.controls import add_controls
from bot.words.lexicon import Lexicon, listed
from engine import CLOSED, CompanyRow, PlayerId, PlayerRow, TableView
from engine.actions import Pass
from programs import PassAhead

NO_HAND = "You have no seat in this game. `/show table` shows what everybody holds."


def own_seat(table: Table, user: int) -> PlayerId:
    """The person's seat, of several the one that must decide, or the first. Raises TableError where they have none."""
    seat = table.viewer_for(user)
    if seat is None:
        raise table.not_seated(user, NO_HAND)
    return seat


async def hand_screen(table: Table, seat: PlayerId) -> Screen:
    """A player's own cards, what only they may see, and what they may do out of turn."""
    position = table.position
    view, names = position.table(seat), position.lexicon()
    row = view.player(seat)
    screen = Screen(game=table.game.id, seq=position.seq)
    desk = table.orders.desk(seat)
    lines = [*stop_lines(desk, names), *player_lines(view, row, names)]
    for private in view.privates:
        if private.id in row.privates and private.note:
            lines.append(f"-# {names.private(private.id)}: {private.note}")
    for company in view.companies:
        if company.president == seat:
            lines += company_lines(company, names)
    note = await table.store.notes.of(table.game.id, table.seats[seat].user_id)
    lines += ["**Your note**", *(f"> {line}" for line in note.splitlines())] if note else []
    if not position.over:
        lines += program_lines(desk, names)
        lines += await _add_powers(table, screen, seat)
        screen.buttons(Button("Programs…", "program|show"), WORDS)
    screen.beside(Button("Note…", "note"))
    screen.text = "\n".join(lines)
    return screen


async def _add_powers(table: Table, screen: Screen, seat: PlayerId) -> list[str]:
    """What the seat may do out of turn; what it is asked for stands in the message of the turn."""
    position = table.position
    if seat in position.up:
        return ["-# It is your turn: the turn's message shows what you can do."]
    lines = []
    extra = [action for action in await position.actions(seat) if not isinstance(action, Pass)]
    if extra:
        lines = ["**What you may do now, out of turn:**"]
        add_controls(screen, extra, await position.full_labels(seat, seat))
    if any(isinstance(one.program, PassAhead) for one in table.orders.desk(seat).kept):
        screen.buttons(Button("Stop passing", "pass|stop"))
    elif position.decision.subject is None:
        screen.buttons(Button("Pass my next turn", "pass|once"), Button("Pass for this round", "pass|round"))
    return lines


def player_lines(view: TableView, row: PlayerRow, names: Lexicon) -> list[str]:
    lines = [f"### {row.name}" + (" · priority deal" if row.priority else "")]
    limit = f" of {view.cert_limit}" if view.cert_limit else ""
    money = (
        f"cash {names.money(row.cash)}" if row.cash is not None else "",
        f"{names.money(row.free_cash)} of it free" if row.free_cash not in (None, row.cash) else "",
        f"worth {names.money(row.worth)}" if row.worth is not None else "",
        f"{row.certs}{limit} certificates",
    )
    lines.append(" · ".join(filter(None, money)))
    held = [
        f"**{corp}** {names.percent(corp, count)}" + (f" ({names.own.head})" if corp in row.president_of else "")
        for corp, count in row.shares
    ]
    bids = [f"{names.private(one)} {names.money(amount)}" for one, amount in row.bids]
    owned = {"Shares": held, "Privates": [names.private(one) for one in row.privates], "Bids": bids}
    lines += [f"{what}: {', '.join(some)}" for what, some in owned.items() if some]
    return [*lines, "Bankrupt."] if row.bankrupt else lines


def company_lines(row: CompanyRow, names: Lexicon) -> list[str]:
    """A company's card, without a treasury that the reader may not see."""
    president = f" · {names.own.head} {names.player(row.president)}" if row.president else ""
    begun, money = row.par is not None, names.own.company_money
    facts = (
        "" if begun else row.status or ("" if row.floated else "not started"),
        f"par {names.money(row.par)}" if row.par is not None else "",
        f"price {names.money(row.price)}" if begun and row.price is not None else "",
        "not floated" if begun and not row.floated else "",
        f"{money} {names.money(row.treasury)}" if row.treasury is not None and row.floated else "",
        f"trains {', '.join(row.trains)}" if row.trains else "",
        f"{row.tokens_left} token{'' if row.tokens_left == 1 else 's'} left" if row.floated else "",
        *(f"destination {' '.join(names.destination(one))}" for one in row.destinations),
        f"last run {names.money(row.last_run)}" if row.last_run is not None else "",
        f"owns {listed(names.private(one) for one in row.privates)}" if row.privates else "",
        row.status if begun else "",
    )
    corp = row.company.id
    shares = [f"{names.player(holder)} {names.percent(corp, count)}" for holder, count in row.holders]
    shares += [f"offering {names.percent(corp, row.ipo)}"] if row.ipo else []
    shares += [f"market {names.percent(corp, row.pool)}"] if row.pool else []
    told = " · ".join(filter(None, facts))
    return [f"**{names.company(corp)}**{president}", told, *([", ".join(shares)] if begun else [])]


def company_screen(scene: Scene, corp: str, viewer: str | None) -> Screen:
    row = scene.position.table(viewer).company(corp)
    return Screen("\n".join(company_lines(row, scene.position.lexicon())), game=scene.id, seq=scene.position.seq)


def player_screen(table: Table, seat: str) -> Screen:
    if seat not in table.position.names:
        raise TableError(NOT_THERE)
    view = table.position.table()
    lines = player_lines(view, view.player(seat), table.position.lexicon())
    return Screen("\n".join(lines), game=table.game.id, seq=table.position.seq)


def trains_screen(scene: Scene) -> Screen:
    """What is in the depot and the market, and what rusts what."""
    view, names = scene.position.table(), scene.position.lexicon()
    lines = ["### Trains"]
    for train in view.depot:
        left = "any number" if train.left is None else f"{train.left} left"
        rusts = f" · rusts on the first {train.rusts_on}" if train.rusts_on else ""
        sale = " · **on sale**" if train.on_sale else ""
        lines.append(f"- {train.rank}-train {names.money(train.price)} · {left}{rusts}{sale}")
    if view.train_pool:
        lines.append(f"In the open market: {', '.join(view.train_pool)}")
    lines.append(f"Train limit now: {view.train_limit or 'none'}")
    return Screen("\n".join(lines), game=scene.id, seq=scene.position.seq).buttons(Button("Phases", "show|phases"))


def privates_screen(scene: Scene) -> Screen:
    """Every private company: its owner, its price if it is for sale now, what it pays, and what it does."""
    view, names = scene.position.table(), scene.position.lexicon()
    lines = ["### Private companies"]
    for row in view.privates:
        if row.owner == CLOSED:
            lines.append(f"- **{names.private(row.id)}** · closed")
            continue
        bids = ", ".join(f"{names.player(who)} {names.money(amount)}" for who, amount in row.bids)
        offer = f"for sale at {names.money(row.price)}" if row.on_sale else "unsold"
        state = names.holder(row.owner) if row.owner else offer + (f", bids {bids}" if bids else "")
        pays = f", pays {names.money(row.revenue)}" if row.revenue else ""
        lines.append(
            f"- **{names.private(row.id)}** · {state} · value {names.money(row.value)}{pays}"
            + (f"\n  -# {row.note}" if row.note else "")
        )
    return Screen("\n".join(lines), game=scene.id, seq=scene.position.seq)


def tiles_screen(scene: Scene) -> Screen:
    names, counts = scene.position.lexicon(), Counter[str]()
    for tile, count in scene.position.board().supply:
        counts[names.tile(tile)] += count
    supply = counts.items()
    left = ", ".join(f"**{tile}** ×{count}" for tile, count in supply if count)
    gone = ", ".join(tile for tile, count in supply if not count)
    text = f"### Tiles left\n{left}" + (f"\nUsed up: {gone}" if gone else "")
    return Screen(text, game=scene.id, seq=scene.position.seq)
