"""Actions that are typed, or chosen from what a command suggests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.chat import codes
from bot.chat.answers import acknowledge, show_privately
from bot.chat.commands import A, Interaction, full_label, legal_here, table_here
from bot.chat.layout import shorten
from bot.core.errors import TableError
from bot.core.table import Table
from bot.rooms.turn import lay_tile
from bot.rooms.turn.act import act
from bot.rooms.turn.why_not import nothing_of
from engine.actions import Action
from engine.ids import CorpId, PlayerId


async def do(interaction: Interaction, kind: type[A], text: str) -> None:
    """Take the legal action of this kind that was chosen or typed."""
    await acknowledge(interaction, shows=True)
    table, seat, legal = await legal_here(interaction, kind)
    action = await pick(table, seat, kind, legal, text)
    await act(interaction.client, interaction, table, action, None)


async def pick(table: Table, seat: PlayerId, kind: type[A], legal: Sequence[A], text: str) -> Action:
    """The action an autocomplete value stands for, or the only one that matches.

    Raises TableError, BadAction, or Refused where nothing of the kind is possible.
    """
    if text.startswith(f"{kind.__name__}{codes.SEPARATOR}"):
        return codes.read_action(text, seat)
    if not legal:
        raise await nothing_of(table.position, seat, kind)
    labels, wanted = table.position.labels(seat), text.strip().casefold()
    fitting = [one for one in legal if wanted in full_label(labels, one).casefold()]
    exact = [one for one in fitting if full_label(labels, one).casefold().split()[:1] == [wanted]]
    chosen = exact if len(exact) == 1 else fitting
    if len(chosen) == 1 and wanted:
        return chosen[0]
    raise no_match(text, [labels.of(one) for one in chosen or legal], ambiguous=len(chosen) > 1)


def no_match(text: str, possible: Sequence[str], *, ambiguous: bool) -> TableError:
    """The error for typed words that match no action, or several; it lists what is possible."""
    why = "could mean several things" if ambiguous else "is not possible now"
    return TableError(f"“{shorten(text, 60)}” {why}. Possible: {'; '.join(possible[:12]) or 'nothing'}.")


async def submit(interaction: Interaction, make: Callable[[Table, PlayerId], Action]) -> None:
    """Take the action that `make` builds for the person's seat."""
    await acknowledge(interaction, shows=True)
    table = await table_here(interaction)
    action = make(table, table.seat_for(interaction.user.id))
    await act(interaction.client, interaction, table, action, None)


async def operating(table: Table, seat: PlayerId, kind: type[Action]) -> CorpId:
    """The company whose turn it is, for an action of this kind. Raises TableError or Refused if there is none."""
    subject = str(table.position.decision.subject or "")
    if subject not in table.title.corporations:
        raise await nothing_of(table.position, seat, kind)
    return CorpId(subject)


async def lay_or_choose(
    interaction: Interaction,
    kind: lay_tile.Kind,
    subject: str | None,
    hex_id: str,
    tile: str | None,
    rotation: int | None,
) -> None:
    """Lay the tile if everything is given, otherwise show what can be laid on the hex.

    `subject` is a private, or None for the company whose turn it is.
    """
    await acknowledge(interaction, shows=True)
    table = await table_here(interaction)
    subject = str(table.position.decision.subject or "") if subject is None else subject
    seat = table.seat_for(interaction.user.id)
    place = hex_id.strip().upper().split(" ")[0]
    if tile is not None and rotation is not None:
        lay = lay_tile.lay(kind, seat, subject, place, tile.strip(), rotation)
        await act(interaction.client, interaction, table, lay, None)
        return
    screen = await lay_tile.tile_screen(table.position, table.game.id, seat, kind, subject, place)
    await show_privately(interaction, screen)
