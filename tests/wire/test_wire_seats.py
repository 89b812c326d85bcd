"""Seats that change hands over real connections: once, and announced once, though the bot dies."""

from __future__ import annotations

from pathlib import Path

from wire_people import Person, answered, buttons, until
from wire_play import Party, playing
from wire_process import BotProcess, rows, settled
from wire_server import Server
from wire_world import Message


def showing(table: Party, label: str) -> list[Message]:
    return [one for one in table.channel.messages.values() if label in buttons(one)]


async def offered(table: Party, newcomer: Person) -> Message:
    """The message in which the second player offers their seat."""
    giver = table.people[1]
    data = giver._command("seat give", {"user": str(newcomer.id)})
    member = {key: value for key, value in newcomer._member().items() if key != "user"}
    account = newcomer.account
    data["resolved"] = {"users": {str(account.id): account.payload()}, "members": {str(account.id): member}}
    await answered(table.server, await giver.interact(table.channel, 2, data))
    await until(table.server, lambda: bool(showing(table, "Accept")), what="the offer")
    return showing(table, "Accept")[-1]


async def test_a_seat_is_handed_over_and_announced_once_though_the_bot_is_killed(
    server: Server, bot: BotProcess, table: Party
) -> None:
    newcomer = Person(server, server.world.person("newcomer"))
    offer = await offered(table, newcomer)
    await bot.dies_posting(newcomer.click(offer, buttons(offer)["Accept"]), table.channel.id)
    await bot.start()
    await settled(server, table.database)
    said = [one for one in table.channel.messages.values() if "has taken over" in one.text]
    assert len(said) == 1
    assert rows(table.database, "SELECT how, to_id FROM handovers") == [("given", newcomer.id)]
    hand = await answered(server, await newcomer.click(said[0], buttons(said[0])["Catch me up"]))
    assert "Where the game stands" in hand.text
    assert hand.private


async def test_a_press_that_arrives_twice_takes_a_seat_once(server: Server, table: Party) -> None:
    newcomer, late = (Person(server, server.world.person(name)) for name in ("newcomer", "late"))
    question = await answered(server, await table.people[1].slash(table.channel, "game leave"))
    await answered(server, await table.people[1].click(question, buttons(question)["Leave the game"]))
    await until(server, lambda: bool(showing(table, "Take the seat")), what="the open seat")
    notice = showing(table, "Take the seat")[-1]
    take = buttons(notice)["Take the seat"]
    first = await newcomer.click(notice, take, copies=2)
    second = await late.click(notice, take)
    assert "Where the game stands" in (await answered(server, first)).text
    refused = (await answered(server, second)).text
    assert "is not open" in refused or "Somebody else was faster" in refused
    await settled(server, table.database)
    assert rows(table.database, "SELECT how, to_id FROM handovers WHERE how = 'taken'") == [("taken", newcomer.id)]
    assert "Take the seat" not in buttons(notice)


async def test_whoever_was_removed_from_the_server_is_reported_once(server: Server, database: Path) -> None:
    async with BotProcess(server, database, TETSUDO_RETRY_SECONDS="1") as bot:
        table = await playing(server, database)
        await settled(server, table.database)
        up = table.up(table.packet())
        following = table.people[(table.people.index(up) + 1) % len(table.people)]
        server.world.left.add(following.id)
        await bot.stop()
        await bot.start()  # which has seen nobody yet
        packet = table.packet()
        await up.click(packet, buttons(packet)["Pass"])
        await until(server, lambda: bool(showing(table, "Open the seat")), what="the absence")
        await settled(server, table.database)
        assert len([one for one in table.channel.messages.values() if "has left this server" in one.text]) == 1
