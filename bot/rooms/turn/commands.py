"""The commands of a turn, and what they make of what was chosen or typed."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from discord import app_commands
from discord.ext import commands

import engine
from bot.chat import codes
from bot.chat.answers import show_privately, tell
from bot.chat.commands import (
    AMOUNT,
    TEXT,
    A,
    Interaction,
    choices,
    company_named,
    company_there,
    folded,
    full_label,
    hex_named,
    legal_here,
    matching,
    moves_named,
    offered,
    options,
    or_nothing,
    private_named,
    table_here,
)
from bot.chat.layout import shorten
from bot.chat.press import refuse_idle
from bot.core.errors import TableError
from bot.core.table import Table
from bot.rooms.turn import asking, lay_tile, run_trains
from bot.rooms.turn.act import act
from bot.rooms.turn.why_not import nothing_of
from bot.words.labels import Labels
from bot.words.lexicon import tile_meant, without_twins
from engine import BANK, POOL, Action, CorpId, PlayerId
from engine import actions as a


async def do(interaction: Interaction, kind: type[A], text: str) -> None:
    """Take the legal action of this kind that was chosen or typed."""
    table, seat, legal = await legal_here(interaction, kind)
    action = await pick(table, seat, kind, legal, text)
    await act(interaction, table, action)


async def pick(table: Table, seat: PlayerId, kind: type[A], legal: Sequence[A], text: str) -> Action:
    """The action an autocomplete value stands for, or the only one that matches.

    Raises TableError, BadAction, or Refused where nothing of the kind is possible.
    """
    if text.startswith(f"{kind.__name__}{codes.SEPARATOR}"):
        return codes.read_action(text, seat)
    if not legal:
        raise await nothing_of(table.position, seat, kind)
    labels, wanted = table.position.labels(seat), folded(text.strip().removesuffix("…"))
    fitting = [one for one in legal if wanted in folded(full_label(labels, one))]
    exact = [one for one in fitting if folded(full_label(labels, one)).split()[:1] == [wanted]]
    chosen = exact if len(exact) == 1 else fitting
    if len(chosen) == 1 and wanted:
        return chosen[0]
    raise no_match(text, [labels.of(one) for one in chosen or legal], ambiguous=len(chosen) > 1)


def no_match(text: str, possible: Sequence[str], *, ambiguous: bool) -> TableError:
    """The error for typed words that match no action, or several; it lists what is possible."""
    why = "could mean several things" if ambiguous else "is not possible now"
    return TableError(f"“{shorten(text, 60)}” {why}. Possible: {'; '.join(possible[:12])}.")


async def submit(interaction: Interaction, make: Callable[[Table, PlayerId], Action]) -> None:
    table = await table_here(interaction)
    seat = table.seat_for(interaction.user.id)
    action = make(table, seat)
    if not isinstance(action, a.Pass):  # whoever passes too early is told that it is not their turn
        await must_be_open(table, seat, type(action))
    await act(interaction, table, action)


async def must_be_open(table: Table, seat: PlayerId, kind: type[Action]) -> None:
    """Raise TableError or Refused where the seat can do nothing of the kind now, whatever is typed."""
    verbs = [one for one in engine.present_verbs(table.title, table.position.state) if one.action is kind]
    if table.position.over or not any(one.anybody or seat in table.position.up for one in verbs):
        raise await nothing_of(table.position, seat, kind)


async def operating(table: Table, seat: PlayerId, kind: type[Action]) -> CorpId:
    """The company whose turn it is, for an action of this kind. Raises TableError or Refused if there is none."""
    subject = str(table.position.decision.subject or "")
    if subject not in table.title.corporations:
        raise await nothing_of(table.position, seat, kind)
    return CorpId(subject)


async def lay_or_choose(
    interaction: Interaction,
    kind: lay_tile.Kind,
    private: str | None,
    hex_id: str,
    tile: str | None,
    rotation: int | None,
) -> None:
    """Lay the tile if everything is given, otherwise show what can be laid on the hex.

    `private` is as typed, or None for the company whose turn it is.
    """
    table = await table_here(interaction)
    subject = str(table.position.decision.subject or "") if private is None else private_named(table, private)
    seat = table.seat_for(interaction.user.id)
    place = hex_named(table, hex_id)
    if tile is not None and rotation is not None:
        if not subject:
            raise await nothing_of(table.position, seat, kind)
        meant = tile_meant(table.position.lexicon(), table.position.state.supply, tile.strip())
        lay = lay_tile.lay(kind, seat, subject, place, meant, rotation)
        await act(interaction, table, lay)
        return
    screen = await lay_tile.tile_screen(table.position, table.game.id, seat, kind, subject, place)
    await show_privately(interaction, screen)


def _company(labels: Labels, action: a.Par | a.SellShares) -> tuple[str, str]:
    return labels.names.company(action.corp), action.corp


def _private(labels: Labels, action: a.CompanyBuysPrivate | a.TradePrivate | a.LayPowerTile) -> tuple[str, str]:
    return labels.names.private(action.private), action.private


def _hex(labels: Labels, action: a.LayTile | a.LayPowerTile) -> tuple[str, str]:
    return labels.names.hex(action.hex), action.hex


def _tile(labels: Labels, action: a.LayTile) -> tuple[str, str]:
    number = labels.names.tile(action.tile)
    return number, number


def _typed(interaction: Interaction, option: str) -> str:
    """The letters or the coordinate that were typed in another option, without the name."""
    return folded(str(getattr(interaction.namespace, option, "") or "")).partition(" ")[0]


def _is_there(interaction: Interaction, lay: a.LayTile) -> bool:
    """Whether it is in the hex that was typed."""
    return folded(lay.hex) == _typed(interaction, "hex")


def _starts_it(interaction: Interaction, start: a.Par) -> bool:
    """Whether it starts the company that was typed, if any was."""
    return _typed(interaction, "company") in ("", folded(start.corp))


def _uses_it(interaction: Interaction, lay: a.LayPowerTile) -> bool:
    """Whether it is laid with the private that was typed, if any was."""
    return _typed(interaction, "private") in ("", folded(lay.private))


class CompanyCommands(commands.Cog):
    @app_commands.command()
    @app_commands.describe(hex="The hex", tile="The tile's number", rotation="Clockwise turns of 60°")
    @app_commands.autocomplete(hex=options(a.LayTile, _hex), tile=options(a.LayTile, _tile, _is_there))
    async def lay(
        self,
        interaction: Interaction,
        hex: TEXT,
        tile: TEXT | None = None,
        rotation: app_commands.Range[int, 0, 5] | None = None,
    ) -> None:
        """Lay or upgrade a tile; leave out tile and rotation to choose from pictures"""
        await lay_or_choose(interaction, a.LayTile, None, hex, tile, rotation)

    @lay.autocomplete("rotation")
    @or_nothing
    async def _rotations(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        tile = str(getattr(interaction.namespace, "tile", "") or "")
        table, seat, legal = await legal_here(interaction, a.LayTile)
        labels = table.position.labels(seat)
        typed = [one for one in legal if labels.names.tile(one.tile) == tile and _is_there(interaction, one)]
        mine = without_twins(table.title, typed)
        return offered((f"{one.rotation}: joining {labels.joins(one)}", one.rotation) for one in mine)

    @app_commands.command()
    @app_commands.describe(city="The city")
    @app_commands.autocomplete(city=choices(a.PlaceToken))
    async def token(self, interaction: Interaction, city: TEXT) -> None:
        """Place a station token"""
        await do(interaction, a.PlaceToken, city)

    @app_commands.command()
    @app_commands.describe(routes="Your routes, such as “3: K4 J5 I6; 2: K4 K6”; leave out for the best")
    async def run(self, interaction: Interaction, routes: app_commands.Range[str, 1, 1500] | None = None) -> None:
        """Run your trains: on the best routes, or on those you type"""
        table, seat, legal = await legal_here(interaction, a.RunTrains)
        also = ""
        if not legal:
            raise await nothing_of(table.position, seat, a.RunTrains)
        if routes is not None:
            corp = await operating(table, seat, a.RunTrains)
            action: Action = await interaction.client.work.do(
                run_trains.read_routes, routes, table.position, seat, corp
            )
        else:
            action = legal[0]
            also = "\n".join(run_trains.unproved(table.position, await table.position.proposals(seat)))
        await act(interaction, table, action, None, also)

    @app_commands.command()
    @app_commands.describe(choice="What to do with the revenue")
    @app_commands.autocomplete(choice=choices(a.Dividend))
    async def dividend(self, interaction: Interaction, choice: TEXT) -> None:
        """Pay out or withhold the revenue"""
        await do(interaction, a.Dividend, choice)


class PrivateCommands(commands.GroupCog, group_name="private", group_description="Private companies"):
    @app_commands.command()
    @app_commands.describe(private="The private")
    @app_commands.autocomplete(private=choices(a.BuyPrivate))
    async def buy(self, interaction: Interaction, private: TEXT) -> None:
        """Buy a private that is on offer"""
        await do(interaction, a.BuyPrivate, private)

    @app_commands.command()
    @app_commands.describe(private="The private", price="The agreed price")
    @app_commands.autocomplete(private=options(a.CompanyBuysPrivate, _private))
    async def acquire(self, interaction: Interaction, private: TEXT, price: AMOUNT) -> None:
        """Have your company buy a private from a player at an agreed price"""
        table = await table_here(interaction)
        seat = table.seat_for(interaction.user.id)
        await must_be_open(table, seat, a.CompanyBuysPrivate)
        corp = await operating(table, seat, a.CompanyBuysPrivate)
        action = a.CompanyBuysPrivate(seat, corp, private_named(table, private), price)
        await act(interaction, table, action)

    @app_commands.command()
    @app_commands.describe(private="The private", price="The agreed price")
    @app_commands.autocomplete(private=options(a.TradePrivate, _private))
    async def trade(self, interaction: Interaction, private: TEXT, price: AMOUNT) -> None:
        """Buy a private from another player at an agreed price"""
        await submit(interaction, lambda table, seat: a.TradePrivate(seat, private_named(table, private), price))

    @app_commands.command()
    @app_commands.describe(private="The private or minor")
    @app_commands.autocomplete(private=choices(a.ExchangePrivate))
    async def exchange(self, interaction: Interaction, private: TEXT) -> None:
        """Exchange a private for a share, or convert a minor"""
        await do(interaction, a.ExchangePrivate, private)

    @app_commands.command()
    @app_commands.describe(private="The private")
    @app_commands.autocomplete(private=choices(a.SellPrivate))
    async def sell(self, interaction: Interaction, private: TEXT) -> None:
        """Sell a private back to the bank"""
        await do(interaction, a.SellPrivate, private)

    @app_commands.command()
    @app_commands.describe(private="The private")
    @app_commands.autocomplete(private=choices(a.ClosePrivate))
    async def close(self, interaction: Interaction, private: TEXT) -> None:
        """Close one of your privates for good"""
        await do(interaction, a.ClosePrivate, private)

    @app_commands.command()
    @app_commands.describe(private="The private", hex="The hex", tile="The tile", rotation="Clockwise turns of 60°")
    @app_commands.autocomplete(private=options(a.LayPowerTile, _private), hex=options(a.LayPowerTile, _hex, _uses_it))
    async def lay(
        self,
        interaction: Interaction,
        private: TEXT,
        hex: TEXT,
        tile: TEXT | None = None,
        rotation: app_commands.Range[int, 0, 5] | None = None,
    ) -> None:
        """Lay a tile with a private's power"""
        await lay_or_choose(interaction, a.LayPowerTile, private, hex, tile, rotation)


class StockCommands(commands.GroupCog, group_name="stock", group_description="Buy and sell shares, start companies"):
    @app_commands.command()
    @app_commands.describe(company="The company", par="Its par price")
    @app_commands.autocomplete(company=options(a.Par, _company))
    @app_commands.autocomplete(
        par=options(a.Par, lambda labels, one: (labels.of(one), labels.par_price(one)), _starts_it)
    )
    async def par(self, interaction: Interaction, company: TEXT, par: AMOUNT) -> None:
        """Start a company: buy its president's certificate and set its par price"""
        table, seat, legal = await legal_here(interaction, a.Par)
        if not legal:
            raise await nothing_of(table.position, seat, a.Par)
        labels = table.position.labels(seat)
        corp = company_named(table, company)
        mine = [one for one in legal if one.corp == corp]
        fitting = [one for one in mine if labels.par_price(one) == par]
        if not fitting:
            money = table.position.lexicon().money
            prices = ", ".join(money(labels.par_price(one)) for one in mine)
            raise TableError(
                f"{shorten(corp, 20)} cannot be started at {money(par)}. " + (f"Possible: {prices}." if mine else
                f"You can start {', '.join(dict.fromkeys(one.corp for one in legal))} now.")
            )  # fmt: skip
        await act(interaction, table, fitting[0])

    @app_commands.command()
    @app_commands.describe(share="Which share, from the initial offering or the open market")
    @app_commands.autocomplete(share=choices(a.BuyShare))
    async def buy(self, interaction: Interaction, share: TEXT) -> None:
        """Buy a share"""
        await do(interaction, a.BuyShare, share)

    @app_commands.command()
    @app_commands.describe(company="The company", shares="How many shares")
    @app_commands.autocomplete(company=options(a.SellShares, _company))
    async def sell(self, interaction: Interaction, company: TEXT, shares: AMOUNT) -> None:
        """Sell a block of shares of one company"""
        await submit(interaction, lambda table, seat: a.SellShares(seat, company_there(table, company), shares))


class TrainCommands(commands.GroupCog, group_name="train", group_description="Buy and discard trains"):
    @app_commands.command()
    @app_commands.describe(train="Which train, and from whom", price="A different price, if you buy from a company")
    @app_commands.autocomplete(train=choices(a.BuyTrain))
    async def buy(self, interaction: Interaction, train: TEXT, price: AMOUNT | None = None) -> None:
        """Buy a train from the bank, the open market or another company"""
        table, seat, legal = await legal_here(interaction, a.BuyTrain)
        action = await pick(table, seat, a.BuyTrain, legal, train)
        assert isinstance(action, a.BuyTrain)
        if price is not None and action.source not in (BANK, POOL):
            action = replace(action, price=price)
        await act(interaction, table, action)

    @app_commands.command()
    @app_commands.describe(train="The train")
    @app_commands.autocomplete(train=choices(a.DiscardTrain))
    async def discard(self, interaction: Interaction, train: TEXT) -> None:
        """Discard a train over the limit"""
        await do(interaction, a.DiscardTrain, train)

    @app_commands.command()
    async def bankrupt(self, interaction: Interaction) -> None:
        """Declare bankruptcy, if you must buy a train and nothing can pay for it"""
        table, seat, legal = await legal_here(interaction, a.GoBankrupt)
        await must_be_open(table, seat, a.GoBankrupt)
        action = legal[0] if legal else a.GoBankrupt(seat, await operating(table, seat, a.GoBankrupt))
        await act(interaction, table, action)


class Undoing(commands.Cog):
    @app_commands.command()
    @app_commands.describe(move="Back to before this move, as /game history counts them; otherwise your own last one")
    async def undo(self, interaction: Interaction, move: app_commands.Range[int, 1, 100_000] | None = None) -> None:
        """Undo your last move, or ask the others to go back further"""
        table = await table_here(interaction)
        seq = None if move is None else table.seq_of(move)
        await show_privately(interaction, asking.undo_screen(table, interaction.user.id, seq))

    @app_commands.command()
    async def redo(self, interaction: Interaction) -> None:
        """Redo what was undone last"""
        table = await table_here(interaction)
        await table.redo(user=interaction.user.id, interaction=interaction.id)
        await tell(interaction, "✓ Redone.", table.game.id)


class TurnCommands(commands.Cog):
    @app_commands.command()
    @app_commands.describe(amount="Your bid", private="The private you bid on, if any")
    async def bid(self, interaction: Interaction, amount: AMOUNT, private: TEXT | None = None) -> None:
        """Bid on a private company, or for the right to choose"""

        def make(table: Table, seat: PlayerId) -> Action:
            if private is not None:
                return a.Bid(seat, private_named(table, private), amount)
            if not table.position.over and a.BidToChoose not in {verb.action for verb in table.title.every_verb()}:
                raise TableError("Which private are you bidding on? Please name it.")
            return a.BidToChoose(seat, amount)

        await submit(interaction, make)

    @bid.autocomplete("private")
    @or_nothing
    async def _biddable(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        table, _, legal = await legal_here(interaction, a.Bid)
        least = {one.private: one.amount for one in reversed(legal)}
        names = table.position.lexicon()
        named = [(f"{names.private(one)}, from {names.money(least[one])}", one) for one in sorted(least)]
        return matching(named, current)

    @app_commands.command()
    @app_commands.describe(move="What to do")
    async def do(self, interaction: Interaction, move: TEXT) -> None:
        """Do anything you may do now, by name"""
        table = await table_here(interaction)
        seat = table.seat_for(interaction.user.id)
        named = {one: name for name, one in await moves_named(table.position, seat)}
        if not named:
            refuse_idle(table, seat)
        wanted = folded(move.strip().removesuffix("…"))
        meant = [one for one in named if codes.action_code(one) == move]
        meant = meant or [one for one, name in named.items() if folded(name) == wanted]
        meant = meant or [one for one, name in named.items() if wanted in folded(name)]
        if len(meant) != 1:
            raise no_match(move, [named[one] for one in meant or named], ambiguous=bool(meant))
        await act(interaction, table, meant[0])

    @do.autocomplete("move")
    @or_nothing
    async def _moves(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        table = await table_here(interaction)
        seat = table.seat_for(interaction.user.id)
        named = [(name, codes.action_code(one)) for name, one in await moves_named(table.position, seat)]
        return matching(named, current)
