"""Forms for other bids, agreed prices and typed routes. A submitted form is handled by its id alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.play import written_routes
from bot.play.errors import TableError, UnknownControl
from bot.play.position import Position
from bot.screens import codes
from bot.screens.codes import ID_PATTERN
from bot.ui.act import act
from bot.ui.answers import acknowledge
from bot.ui.layout import component_id, shorten
from engine.actions import LARGEST, Action, Bid, BidToChoose, BuyTrain, CompanyBuysPrivate, TradePrivate
from engine.ids import CorpId, PlayerId, PrivateId, Rank

if TYPE_CHECKING:
    from bot.ui.client import Bot

FORM_ID = re.compile(rf"m:{ID_PATTERN}")


class Form(ui.Modal):
    """A form whose id says what it is for; `submitted` handles it."""

    def __init__(self, title: str, game: str, seq: int, code: str) -> None:
        super().__init__(title=shorten(title, 45), custom_id=component_id("m", game, seq, code), timeout=None)

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Do nothing: `Bot.on_interaction` handles it."""


def form(position: Position, game: str, parts: list[str], bids: Sequence[Bid | BidToChoose]) -> Form:
    """The form that the code "ask|..." opens. Raises TableError if there is none."""
    what, names = parts[0], position.lexicon()
    code = codes.join("amount", *parts)
    if what == "Bid":
        private = parts[1] if len(parts) > 1 else ""
        least: dict[str, int] = {bid.private: bid.amount for bid in reversed(bids) if isinstance(bid, Bid)}
        made = Form(f"Bid on {names.private(private)}" if private else "Bid", game, position.seq, code)
        if not private:
            options = [
                discord.SelectOption(
                    label=shorten(names.private(one), 100), value=one, description=f"from {names.money(amount)}"
                )
                for one, amount in list(least.items())[::-1][:25]
            ]
            made.add_item(ui.Label(text="Private", component=ui.Select(custom_id="private", options=options)))
        hint = f"at least {names.money(least[private])}" if private in least else "a whole number"
        return _with_amount(made, "Your bid", hint)
    if what == "BidToChoose":
        least_bid = min((bid.amount for bid in bids), default=None)
        hint = "a whole number" if least_bid is None else f"at least {names.money(least_bid)}"
        return _with_amount(Form("Bid for the right to choose", game, position.seq, code), "Your bid", hint)
    if what == "BuyTrain":
        made = Form(f"Price for {parts[3]}'s {parts[2]}-train", game, position.seq, code)
        return _with_amount(made, "Price", "what you offer")
    if what in ("CompanyBuysPrivate", "TradePrivate"):
        made = Form(f"Price for {names.private(parts[-1])}", game, position.seq, code)
        return _with_amount(made, "Price", "what you offer")
    if what == "RunTrains":
        made = Form(f"Routes of {parts[1]}", game, position.seq, code)
        entry: ui.TextInput[Any] = ui.TextInput(
            custom_id="routes", style=discord.TextStyle.paragraph, placeholder="3: K4 J5 I6", max_length=2000
        )
        made.add_item(
            ui.Label(text="One line for each train", description=shorten(written_routes.HOW, 100), component=entry)
        )
        return made
    raise UnknownControl()


def _with_amount(made: Form, text: str, hint: str) -> Form:
    entry: ui.TextInput[Any] = ui.TextInput(custom_id="amount", placeholder=shorten(hint, 100), max_length=12)
    made.add_item(ui.Label(text=text, component=entry))
    return made


def read_amount(text: str) -> int:
    """Parse a whole number as people write it: "1,100" or "¥85". Raises TableError."""
    digits = re.sub(r"[\s,_'’]", "", text).lstrip("¥£$€")
    if not re.fullmatch(r"[+-]?\d{1,12}", digits) or abs(int(digits)) > LARGEST:
        raise TableError(f"“{text[:30]}” is not a whole number.")
    return int(digits)


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
    """Handle a submitted form: build the action it describes and submit it."""
    data: dict[str, Any] = dict(interaction.data or {})
    match = FORM_ID.fullmatch(str(data.get("custom_id", "")))
    word, parts = codes.read(match["code"] if match else "")
    if match is None or word != "amount":
        raise UnknownControl()
    fields = fields_of(interaction)
    await acknowledge(interaction, shows=True)
    table = await bot.tables.get(match["game"])
    codes.must_be_of(table.title, word, parts)
    seat = table.seat_for(interaction.user.id)
    if parts[0] == "RunTrains":
        action: Action = await bot.work.do(
            written_routes.read_routes, fields.get("routes", ""), table.position, seat, parts[1]
        )
    else:
        action = _deal(parts, fields, seat)
    await act(bot, interaction, table, action, int(match["seq"]))


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
