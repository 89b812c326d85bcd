"""Forms for other bids, agreed prices and typed routes."""

from collections.abc import Sequence

import discord
from discord import ui

from bot.chat import codes
from bot.chat.answers import acknowledge
from bot.chat.layout import shorten, told_apart
from bot.chat.press import EMPTY, Draft, Form, Press
from bot.core.errors import UnknownControl
from bot.core.position import Position
from bot.core.written import read_amount
from bot.rooms.turn import run_trains
from bot.rooms.turn.act import act
from bot.words.lexicon import Lexicon
from engine import Action, CorpId, PlayerId, PrivateId, Rank
from engine.actions import Bid, BidToChoose, BuyTrain, CompanyBuysPrivate, TradePrivate
from engine.steps.privates import price_range

MOST_DIGITS, MOST_LETTERS = 12, 2000
"""How much can be entered as an amount, and as routes."""
ROUTES = "Its rank, a colon and every hex on the way, in order. The best routes are filled in."


def form(
    position: Position, game: str, parts: list[str], bids: Sequence[Bid | BidToChoose], draft: Draft = EMPTY
) -> Form:
    """The form that the code "ask|..." opens, with what was entered before and why that was refused.

    Raises TableError if there is none.
    """
    what, names = parts[0], position.lexicon()
    made = Form(_title(parts, names), game, position.seq, codes.join("amount", *parts), draft)
    label, hint = "Price", "what you offer"
    if what == "RunTrains":
        made.text("routes", "One line for each train", "", ROUTES, most=MOST_LETTERS, long=True)
        return made
    if what == "CompanyBuysPrivate":
        hint = " to ".join(map(names.money, price_range(position.title, PrivateId(parts[-1]))))
    elif what in ("Bid", "BidToChoose"):
        least: dict[str, int] = {bid.private: bid.amount for bid in reversed(bids) if isinstance(bid, Bid)}
        if parts == ["Bid"]:
            _add_privates(made, least, names, draft.entered.get("private", ""))
        amounts = list(least.values()) if what == "Bid" else [bid.amount for bid in bids]
        bidder = "" if not bids or names.is_you(bids[0].by) else names.plain_player(bids[0].by)
        label = f"{bidder}'s bid" if bidder else "Your bid"
        hint = _range(position, least.get(parts[-1], min(amounts, default=0)), bids, bidder)
    made.text("amount", label, "", shorten(hint, 100), most=MOST_DIGITS)
    return made


def _title(parts: list[str], names: Lexicon) -> str:
    match parts:
        case ["Bid"]:
            return "Bid"
        case ["Bid", private]:
            return f"Bid on {names.private(private)}"
        case ["BidToChoose"]:
            return "Bid for the right to choose"
        case ["BuyTrain", _, rank, source]:
            return f"Price for {source}'s {rank}-train"
        case ["CompanyBuysPrivate" | "TradePrivate", *_, private]:
            return f"Price for {names.private(private)}"
        case ["RunTrains", corp]:
            return f"Routes of {corp}"
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


def _range(position: Position, lowest: int, bids: Sequence[Bid | BidToChoose], bidder: str) -> str:
    """How much can be bid, by this player or by whoever reads it: "at least ¥45; you have ¥420 free"."""
    row = position.table(bids[0].by).player(bids[0].by) if bids else None
    has = f"{bidder} has" if bidder else "you have"
    free = f"; {has} {position.lexicon().money(row.free_cash)} free" if row and row.free_cash is not None else ""
    return f"at least {position.lexicon().money(lowest)}{free}" if lowest else "a whole number"


async def submitted(given: Press) -> None:
    """Take what a form says."""
    await acknowledge(given.interaction, shows=True)
    async with given.taking(draft_key(given), codes.join("ask", *given.parts)):
        await _submit(given)


def draft_key(given: Press) -> tuple[str, ...]:
    """What a refused form is kept under: in a later position neither it nor its problem holds."""
    return *given.parts, str(given.seq)


async def _submit(given: Press) -> None:
    scene = await given.fresh_scene()
    seat = scene.seat_for(given.user)
    if given.parts[0] == "RunTrains":
        text, corp = given.fields.get("routes", ""), given.parts[1]
        action: Action = await given.bot.work.do(run_trains.read_routes, text, scene.position, seat, corp)
    else:
        action = _deal(given.parts, given.fields, seat)
    await act(given.interaction, scene, action, given.seq)


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
