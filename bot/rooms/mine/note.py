"""What a person writes down for themself in a game, which *My hand* shows; nobody else sees it."""

from bot.chat.answers import acknowledge
from bot.chat.press import Form, Press
from bot.core.errors import TableError
from bot.rooms.turn.act import NO_HAND
from bot.rooms.turn.cards import hand_screen

MOST_LETTERS = 1000
ALONE = "Only you see it, in My hand. Leave it empty to delete it."


async def pressed(given: Press) -> None:
    """Open the note as it is. Raises TableError for somebody without a seat."""
    seats = await given.bot.store.seats(given.game)
    if all(seat.user_id != given.user for seat in seats):
        raise TableError(NO_HAND)
    form = Form("Your note", given.game, given.seq, "note")
    now = await given.bot.store.notes.of(given.game, given.user)
    form.text("note", "Your note", now, ALONE, most=MOST_LETTERS, long=True, required=False)
    await given.interaction.response.send_modal(form)


async def submitted(given: Press) -> None:
    """Keep what was written, and show it in the person's hand. Raises TableError for somebody without a seat."""
    await acknowledge(given.interaction, shows=True)
    table = await given.table()
    mine = table.seats_of(given.user)
    if not mine:
        raise TableError(NO_HAND)
    await given.bot.store.notes.write(table.game.id, given.user, given.fields.get("note", "").strip())
    await given.show(await hand_screen(table, mine[0]))
