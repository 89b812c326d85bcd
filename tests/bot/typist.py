"""A player who only types commands, taking values from autocomplete where a command offers it."""

from __future__ import annotations

import random
from typing import Any

from club import Club, buttons
from player import choose_kind, code_of, private_answer

from bot.chat.codes import action_code
from engine import actions as a


def command_for(action: Any, par: int) -> tuple[str, dict[str, Any]]:
    """The command that does the action, and its options. `par` is the price of a par action's cell."""
    match action:
        case a.Pass():
            return "pass", {}
        case a.BuyPrivate():
            return "private buy", {"private": action_code(action)}
        case a.Bid():
            return "bid", {"private": action.private, "amount": action.amount}
        case a.Par():
            return "stock par", {"company": action.corp, "par": par}
        case a.BuyShare():
            return "stock buy", {"share": action_code(action)}
        case a.SellShares():
            return "stock sell", {"company": action.corp, "shares": action.count}
        case a.ExchangePrivate():
            return "private exchange", {"private": action_code(action)}
        case a.BidToChoose():
            return "bid", {"amount": action.amount}
        case a.SellPrivate():
            return "private sell", {"private": action_code(action)}
        case a.ClosePrivate():
            return "private close", {"private": action_code(action)}
        case a.LayTile():
            return "lay", {"hex": action.hex, "tile": action.tile, "rotation": action.rotation}
        case a.LayPowerTile():
            turn = {"tile": action.tile, "rotation": action.rotation}
            return "private lay", {"private": action.private, "hex": action.hex, **turn}
        case a.PlaceToken():
            return "token", {"city": action_code(action)}
        case a.RunTrains():
            return "run", {}
        case a.Dividend():
            return "dividend", {"choice": action_code(action)}
        case a.BuyTrain():
            return "train buy", {"train": action_code(action)}
        case a.DiscardTrain():
            return "train discard", {"train": action_code(action)}
        case a.CompanyBuysPrivate():
            return "private acquire", {"private": action.private, "price": action.price}
        case a.TradePrivate():
            return "private trade", {"private": action.private, "price": action.price}
        case a.BuyPassage() | a.RestoreToken():
            return "do", {"move": action_code(action)}
        case a.GoBankrupt():
            return "train bankrupt", {}
    raise AssertionError(action)


async def type_turn(club: Club, chance: random.Random) -> None:
    """One action by a command, chosen among the legal ones; deals are accepted with the button of the offer."""
    table = await club.table()
    position = table.position
    seat = position.up[0]
    kinds: dict[str, list[Any]] = {}
    for one in await position.actions(seat):
        kinds.setdefault(type(one).__name__, []).append(one)
    action = chance.choice(kinds[choose_kind(chance, list(kinds))])
    par = position.labels(seat).par_price(action) if isinstance(action, a.Par) else 0
    name, options = command_for(action, par)
    member = club.who(seat, table)
    result = await member.slash(club.channel, name, **options)
    assert result.ephemeral
    answer = private_answer(result)
    sure = next((one for one in buttons(answer).values() if code_of(one).startswith("sure|")), None)
    if sure is not None:
        await member.click(answer, custom_id=sure)
    if table.position.seq == position.seq:
        offers = await table.store.offers.open(table.game.id)
        assert offers, (name, options, result.response and result.response.content)
        await club.who(offers[-1].to_seat, table).click(club.packet(), label="Accept")
    assert table.position.seq != position.seq
