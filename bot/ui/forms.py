"""Forms for other bids, agreed prices and typed routes. A submitted form is handled by its id alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.chat import codes
from bot.chat.answers import acknowledge, explain, show_privately
from bot.chat.codes import ID_PATTERN
from bot.chat.drafts import Draft
from bot.chat.layout import component_id, shorten, told_apart
from bot.chat.scenes import scene_of
from bot.chat.screen import Button, Screen
from bot.core.errors import NotSeated, NotYourTurn, Outdated, TableError, UnknownControl
from bot.core.position import Position
from bot.core.written_amounts import read_amount
from bot.rooms.learning.rules import rule_button
from bot.rooms.mine import mine
from bot.rooms.programs import programming
from bot.rooms.trying import trying
from bot.rooms.trying.screen import TO_BOARD
from bot.rooms.turn import written_routes
from bot.rooms.turn.act import act
from bot.words.lexicon import Lexicon
from engine.actions import Action, Bid, BidToChoose, BuyTrain, CompanyBuysPrivate, TradePrivate
from engine.errors import Refused
from engine.ids import CorpId, PlayerId, PrivateId, Rank

if TYPE_CHECKING:
    from bot.chat.client import Bot

MOST_DIGITS, MOST_LETTERS = 12, 2000
"""How much can be entered as an amount, and as routes."""
ROUTES = "Its rank, a colon and every hex on the way, in order. The best routes are filled in."
EMPTY = Draft()
FORM_ID = re.compile(rf"m:{ID_PATTERN}")


class Form(ui.Modal):
    """A form whose id says what it is for; `submitted` handles it."""

    def __init__(self, title: str, game: str, seq: int, code: str, draft: Draft) -> None:
        super().__init__(title=shorten(title, 45), custom_id=component_id("m", game, seq, code), timeout=None)
        if draft.problem:
            self.add_item(ui.TextDisplay(f"⚠️ {draft.problem}"))

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Do nothing: `Bot.on_interaction` handles it."""


def form(
    position: Position, game: str, parts: list[str], bids: Sequence[Bid | BidToChoose], draft: Draft = EMPTY
) -> Form:
    """The form that the code "ask|..." opens, with what was entered before and why that was refused.

    Raises TableError if there is none.
    """
    what, names = parts[0], position.lexicon()
    code = codes.join("amount", *parts)
    if what == "Bid":
        private = parts[1] if len(parts) > 1 else ""
        made = Form(f"Bid on {names.private(private)}" if private else "Bid", game, position.seq, code, draft)
        least: dict[str, int] = {bid.private: bid.amount for bid in reversed(bids) if isinstance(bid, Bid)}
        if not private:
            _add_privates(made, least, names, draft.entered.get("private", ""))
        lowest = least.get(private, min(least.values(), default=0))
        return _with_amount(made, "Your bid", _range(position, lowest, bids), draft)
    if what == "BidToChoose":
        made = Form("Bid for the right to choose", game, position.seq, code, draft)
        lowest = min((bid.amount for bid in bids), default=0)
        return _with_amount(made, "Your bid", _range(position, lowest, bids), draft)
    if what == "BuyTrain":
        made = Form(f"Price for {parts[3]}'s {parts[2]}-train", game, position.seq, code, draft)
        return _with_amount(made, "Price", "what you offer", draft)
    if what in ("CompanyBuysPrivate", "TradePrivate"):
        made = Form(f"Price for {names.private(parts[-1])}", game, position.seq, code, draft)
        return _with_amount(made, "Price", "what you offer", draft)
    if what == "RunTrains":
        return _with_routes(Form(f"Routes of {parts[1]}", game, position.seq, code, draft), draft)
    raise UnknownControl()


def _add_privates(made: Form, least: dict[str, int], names: Lexicon, chosen: str) -> None:
    """A list of the privates that can be bid on, with the lowest bid on each."""
    offered = list(least.items())[::-1][:25]
    labels = told_apart(names.private(one) for one, _ in offered)
    options = [
        discord.SelectOption(label=label, value=one, description=f"from {names.money(amount)}", default=one == chosen)
        for label, (one, amount) in zip(labels, offered, strict=True)
    ]
    made.add_item(ui.Label(text="Private", component=ui.Select(custom_id="private", options=options)))


def _range(position: Position, lowest: int, bids: Sequence[Bid | BidToChoose]) -> str:
    """How much can be bid: "at least ¥45; you have ¥420 free"."""
    row = position.table(bids[0].by).player(bids[0].by) if bids else None
    free = f"; you have {position.lexicon().money(row.free_cash)} free" if row and row.free_cash is not None else ""
    return f"at least {position.lexicon().money(lowest)}{free}" if lowest else "a whole number"


def _with_amount(made: Form, text: str, hint: str, draft: Draft) -> Form:
    entry: ui.TextInput[Any] = ui.TextInput(
        custom_id="amount",
        placeholder=shorten(hint, 100),
        default=draft.entered.get("amount", "")[:MOST_DIGITS] or None,
        max_length=MOST_DIGITS,
    )
    made.add_item(ui.Label(text=text, description=shorten(hint, 100), component=entry))
    return made


def _with_routes(made: Form, draft: Draft) -> Form:
    """A field with a line for each train; at first the best routes are in it, as an example of this very board."""
    entry: ui.TextInput[Any] = ui.TextInput(
        custom_id="routes",
        style=discord.TextStyle.paragraph,
        default=draft.entered.get("routes", "")[:MOST_LETTERS] or None,
        max_length=MOST_LETTERS,
    )
    made.add_item(ui.Label(text="One line for each train", description=ROUTES, component=entry))
    return made


def fields_of(interaction: discord.Interaction[Bot]) -> dict[str, str]:
    """The values entered, by field."""
    entered: dict[str, str] = {}

    data: dict[str, Any] = dict(interaction.data or {})

    def read(node: Any) -> None:
        if isinstance(node, dict):
            if "custom_id" in node and "value" in node:
                entered[node["custom_id"]] = str(node["value"])
            elif "custom_id" in node and node.get("values"):
                entered[node["custom_id"]] = str(node["values"][0])
            for key in ("components", "component"):
                read(node.get(key))
        elif isinstance(node, list):
            for one in node:
                read(one)

    read(data.get("components"))
    return entered


async def submitted(bot: Bot, interaction: discord.Interaction[Bot]) -> None:
    """Handle a submitted form; if what it says is refused, the answer opens it again as it was, and says why."""
    data: dict[str, Any] = dict(interaction.data or {})
    match = FORM_ID.fullmatch(str(data.get("custom_id", "")))
    word, parts = codes.read(match["code"] if match else "")
    if match is not None and word == "mine":
        await acknowledge(interaction, shows=True)
        await mine.submitted(bot, interaction, parts[0], fields_of(interaction))
        return
    if match is not None and word == "program":
        await programming.submitted(bot, interaction, match["game"], parts, fields_of(interaction))
        return
    if match is not None and word == "board":
        await acknowledge(interaction, shows=True)
        filled = partial(trying.submitted, bot, interaction, match["game"], int(match["seq"]), parts)
        await trying.guarded(bot, interaction, match["game"], partial(filled, fields_of(interaction)))
        return
    if match is None or word != "amount":
        raise UnknownControl()
    game, seq, user = match["game"], int(match["seq"]), interaction.user.id
    await acknowledge(interaction, shows=True)
    try:
        await _submit(bot, interaction, game, seq, parts)
    except (Outdated, NotSeated, NotYourTurn, UnknownControl):
        raise
    except (TableError, Refused) as error:
        if (await scene_of(bot, game, user)).position.seq != seq:
            raise
        bot.drafts.keep(user, game, parts, Draft(fields_of(interaction), explain(error) or ""))
        await show_privately(interaction, _refused(game, seq, parts, error))
        return
    bot.drafts.forget(user, game, parts)


def _refused(game: str, seq: int, parts: list[str], error: TableError | Refused) -> Screen:
    """Why the form was refused, with a button that opens it again."""
    screen = Screen(error.text if isinstance(error, Refused) else str(error), game=game, seq=seq)
    again = Button("Correct it…", codes.join("ask", *parts), "primary")
    board = [TO_BOARD] if trying.is_line(game) else []
    screen.buttons(again, *board, *([rule_button(error.rule)] if isinstance(error, Refused) and error.rule else []))
    return screen


async def _submit(bot: Bot, interaction: discord.Interaction[Bot], game: str, seq: int, parts: list[str]) -> None:
    """Build the action that the form describes and submit it."""
    fields = fields_of(interaction)
    scene = await scene_of(bot, game, interaction.user.id)
    codes.must_be_of(scene.title, "amount", parts)
    seat = scene.seat_for(interaction.user.id)
    if parts[0] == "RunTrains":
        action: Action = await bot.work.do(
            written_routes.read_routes, fields.get("routes", ""), scene.position, seat, parts[1]
        )
    else:
        action = _deal(parts, fields, seat)
    await act(bot, interaction, scene, action, seq)


def _deal(parts: list[str], fields: dict[str, str], seat: PlayerId) -> Action:
    amount = read_amount(fields.get("amount", ""))
    match parts:
        case ["Bid", private]:
            return Bid(seat, PrivateId(private), amount)
        case ["BidToChoose"]:
            return BidToChoose(seat, amount)
        case ["Bid"]:
            return Bid(seat, PrivateId(fields.get("private", "")), amount)
        case ["BuyTrain", corp, rank, source]:
            return BuyTrain(seat, CorpId(corp), Rank(rank), source, amount)
        case ["CompanyBuysPrivate", corp, private]:
            return CompanyBuysPrivate(seat, CorpId(corp), PrivateId(private), amount)
        case ["TradePrivate", private]:
            return TradePrivate(seat, PrivateId(private), amount)
    raise UnknownControl()
