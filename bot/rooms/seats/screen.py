"""Seats that change hands: the buttons under what the channel is told, leaving, and catching up."""

from bot.chat import codes
from bot.chat.screen import MAX_TEXT, Button, Screen, where
from bot.core.moves import tell_handover
from bot.core.opponents import told
from bot.core.seated import lost
from bot.core.table import Table
from bot.rooms.turn import pictures
from bot.rooms.turn.cards import hand_screen, player_lines
from bot.rooms.turn.screen import task_of
from bot.words.labels import Style
from bot.words.narration import gathered, latest
from engine import PlayerId
from engine.past import rounds_of
from storage import VACANT, Handover

STORY_LINES = 16
"""How much of the last round somebody who catches up is told."""
ROOM = MAX_TEXT - 400
Control = tuple[str, str, Style]
"""A button's label, the word that it sends with the seat or proposal, and its style."""
TAKE: Control = ("Take the seat", "take", "success")
BOT: Control = ("Let the bot play on", "substitute", "secondary")
CONTROLS: dict[str, tuple[Control, ...]] = {
    "open": (TAKE, ("Keep my seat", "keep", "secondary"), BOT),
    "left": (TAKE, BOT),
    "free": (TAKE,),
    "sub": (BOT,),
    "back": (("I am back", "take", "success"),),
    "gone": (("Open the seat", "open", "primary"),),
    "absent": (("Open the seat", "open", "primary"),),
    "new": (("Catch me up", "catchup", "primary"),),
    "lost": (("Claim my seat back", "take", "success"),),
    "offer": (("Accept", "accept", "success"), ("Decline", "refuse", "danger")),
    "ask": (("Agree", "accept", "success"), ("Wait for others", "refuse", "secondary")),
}
"""By the word of a notice about a seat: its buttons."""
OF_OPEN = ("open", "left", "free")
"""Those about a seat that is open."""
ASKS_TO_OPEN = ("gone", "absent")
"""Those about whoever has the seat: they are settled once it moves, or changes hands, after them."""


def notice_screen(text: str, about: str, game: str, seq: int) -> Screen:
    """What the channel is told of a seat; `about` says which buttons it has (see `notices.seat_notice`)."""
    word, _, which = about.partition(":")
    for_all = word == "new"
    buttons = (
        Button(label, press if for_all else codes.join(press, which), style)
        for label, press, style in CONTROLS.get(word, ())
    )
    return Screen(text, game=game, seq=seq).buttons(*buttons)


def stands(table: Table, about: str) -> bool:
    """Whether the buttons of such a notice still lead somewhere."""
    word, _, which = about.partition(":")
    tenures = table.tenures
    if table.position.over:
        return False
    match word:
        case "free":
            return tenures.opening(which) is not None
        case "open" | "left" | "sub":  # which offer the bot
            return table.is_open(which)
        case "back":
            return tenures.loan(which) is not None and table.opponent(which) is not None
        case "gone" | "absent":
            return tenures.opening(which) is None
        case "new":
            last = _last(table, which)
            return last is not None and not any(one.seq > last.seq and one.action.by == which for one in table.moves)
        case "lost":
            return bool(lost(tenures, which))
        case _:
            return which.isdecimal() and tenures.proposal(int(which)) is not None


def past_notice(table: Table, about: str, *, kept: bool = False) -> Screen:
    """What is left of such a notice: how the seat has changed hands last, unless whoever had it has `kept` it."""
    word, _, which = about.partition(":")
    over = table.position.over and word in OF_OPEN
    if over or which not in table.seats or word not in (*OF_OPEN, "new", "back", "lost"):
        return Screen("*This is settled.*")
    last = _last(table, which)
    if word == "open" and (last is None or kept):
        return Screen(f"*This seat was open; {table.position.lexicon().player(which)} has kept it.*")
    return Screen(tell_handover(last) if last is not None else "*This has passed.*")


def _last(table: Table, seat: str) -> Handover | None:
    return next((one for one in reversed(table.tenures.handovers) if one.seat == seat), None)


def leaving_screen(table: Table, user: int) -> Screen:
    """Asks whether to leave a running game, and says what is given up. Raises NotSeated."""
    mine = table.seats_of(user)
    if not mine:
        raise table.not_seated(user)
    game, seq = table.game.id, table.position.seq
    own = [seat for seat in mine if table.tenures.loan(seat) is None]
    if not own:
        text = "**Give the seat back?** It was lent to you, and its owner will be told."
        return Screen(text, game=game, seq=seq).buttons(Button("Give it back", "leave|sure", "danger"))
    who, way = ("Anybody on this server", "take it again")
    if table.settings.newcomers == "vote":
        who, way = "Whom the players accept", "ask for it"
    lines = ["**Leave this running game?** You give up all of this, your hand and your vote:"]
    view = table.position.table()
    for seat in own:
        lines += player_lines(view, view.player(seat), table.position.lexicon())
    lines.append(
        "You are the last one here: the game ends without a result."
        if table.people == [user]
        else f"{who} can take your seat then; until somebody has, you can {way}."
    )
    lines.append("Only away for a while? `/seat lend` lends your seat, `/seat give` chooses who goes on.")
    return Screen("\n".join(lines), game=game, seq=seq).buttons(Button("Leave the game", "leave|sure", "danger"))


def seats_screen(table: Table) -> Screen:
    names, tenures = table.position.lexicon(), table.tenures
    lines = ["### Seats"]
    for number, (seat, row) in enumerate(table.seats.items(), start=1):
        level = table.opponent(seat)
        notes = ["nobody" if row.user_id == VACANT else told(level) if level else f"<@{row.user_id}>"]
        loan, opening = tenures.loan(seat), tenures.opening(seat)
        if loan is not None:
            until = "they are back: `/seat take`" if level else f"<t:{loan.ends_at}:f>"
            notes.append(f"for <@{loan.owner_id}> until {until}")
        if opening is not None:
            notes.append(f"**open** since <t:{opening.opened_at}:f>: `/seat take`")
        notes += [
            f"offered to <@{one.user_id}>" for one in tenures.proposals if one.seat == seat and one.kind != "take"
        ]
        host = " (host)" if row.user_id == table.game.host_id else ""
        lines.append(f"{number}. {names.player(seat)}{host}: {', '.join(notes)}")
    past = [tell_handover(one) for one in tenures.handovers[-10:]]
    lines += ["", "**So far**", *(f"- {line}" for line in past)] if past else []
    return Screen("\n".join(lines), game=table.game.id, seq=table.position.seq)


async def catch_up_screen(table: Table, seat: PlayerId, said: str = "") -> Screen:
    """All that somebody needs who takes a seat or comes back to it, for them alone."""
    position = table.position
    screen = await hand_screen(table, seat)
    hand = screen.text
    if position.over:
        waits = "The game is over."
    elif seat in table.awaited:
        waits = f"The game is waiting for you: {task_of(position)}."
    else:
        waits = f"The game is waiting for {table.waits_for(task_of(position))}."
    rounds = rounds_of(table.states())
    story = gathered(table.tell(table.moves[rounds[-2:][0].start :]))
    lines = [said, "### Where the game stands", waits, "", "**What happened in the last two rounds**"]
    lines += [f"- {line}" for line in latest(story, STORY_LINES)] or ["Nothing yet."]
    told = "\n".join(lines).strip()
    screen.text = f"{told[: max(0, ROOM - len(hand))]}\n\n{hand}"
    await pictures.add(
        screen,
        position.work,
        pictures.table_image(position, seat),
        pictures.map_image(position),
        pictures.market_image(position),
    )
    screen.buttons(Button("What happened?", "since"))
    screen.footer = where(position)
    return screen
