"""Answers that come too late for Discord, and connections that break again and again."""

from __future__ import annotations

from pathlib import Path

from wire_people import acknowledged, buttons, until
from wire_play import party, playing, seq_of
from wire_process import BotProcess, rows, settled
from wire_server import Server
from wire_world import Step

LATER = 16 * 60
"""Seconds after which a token has expired."""


def then_expire(server: Server) -> Step:
    """The next interaction is acknowledged, and its token has expired when it is answered."""

    async def step(verb: str, path: str) -> None:
        if path.endswith("/callback"):
            server.world.afters.clear()
            server.world.interactions[path.split("/")[-2]].made -= LATER

    return step


async def test_an_action_counts_and_is_shown_although_its_answer_comes_too_late(server: Server, database: Path) -> None:
    """Nobody sweeps here: what was done must itself set the sender going."""
    async with BotProcess(server, database, TETSUDO_RETRY_SECONDS="600") as bot:
        table = await playing(server, database)
        for expected in (1, 2):
            server.world.afters.append(then_expire(server))
            given = await table.up(table.packet()).slash(table.channel, "pass")
            await acknowledged(server, given)
            await until(server, lambda n=expected: seq_of(table.packet()) == n, what="the turn")  # type: ignore[misc]
            await settled(server, table.database)
            assert table.seq() == expected
            assert given.said == []
            pinged = [one for user, one in server.world.pings if seq_of(one) == expected]
            assert pinged == [table.packet()]
        await until(server, lambda: bot.log().count("too late to answer") == 2, what="a note of both")


async def test_a_game_begins_although_its_start_can_no_longer_be_answered(server: Server, database: Path) -> None:
    async with BotProcess(server, database, TETSUDO_RETRY_SECONDS="600") as bot:
        table = await party(server, database)
        await table.gather("1889")
        await until(server, lambda: '"ready"' in bot.log(), what="the first look at what waits")
        await settled(server, table.database)
        server.world.afters.append(then_expire(server))
        lobby = table.packet()
        await table.people[0].click(lobby, buttons(lobby)["Start"])
        await until(server, lambda: "Pass" in buttons(table.packet()), what="the first turn")
        table.game = str(rows(table.database, "SELECT id FROM games")[0][0])
        await settled(server, table.database)
        await table.turn()


async def test_twenty_broken_connections_in_a_row_lose_and_double_nothing(server: Server, database: Path) -> None:
    async with BotProcess(server, database, WIRE_LOOKS="5") as bot:
        table = await playing(server, database)
        begun = server.identified
        for number in range(20):
            packet = table.packet()
            await server.drop(forget=number == 9)
            if number in (3, 13):  # a press that arrives when the bot is back
                known = table.seq()
                await table.up(packet).click(packet, buttons(packet)["Pass"])
                await until(server, lambda n=known: table.seq() == n + 1, what="the action")  # type: ignore[misc]
            await until(server, lambda: server.connected == 1, what="a connection")
        assert server.resumed + server.identified - begun == 20
        assert server.identified - begun == 1
        await settled(server, table.database)
        assert table.seq() == 2
        for seq in (1, 2):
            assert len({one.id for one in table.channel.messages.values() if seq_of(one) == seq}) <= 1
            assert len([one for _, one in server.world.pings if f":{seq}:" in str(one.versions[0][0])]) == 1
        assert seq_of(table.packet()) == 2
        await table.turn()
        assert not bot.ended


def edits(server: Server) -> tuple[int, int]:
    """How many messages were edited as answers to presses, and how many by requests that Discord counts."""
    edited = [path for _, verb, path, _ in server.world.requests if verb == "PATCH"]
    return sum("/webhooks/" in one for one in edited), sum("/channels/" in one for one in edited)


async def test_the_message_that_was_pressed_is_edited_as_the_answer_while_that_lasts(
    server: Server, database: Path
) -> None:
    async with BotProcess(server, database, TETSUDO_RETRY_SECONDS="600"):
        table = await playing(server, database)
        server.world.requests.clear()
        for late in (False, True):
            packet = table.packet()
            if late:
                server.world.afters.append(then_expire(server))
            await table.up(packet).click(packet, buttons(packet)["Pass"])
            await until(server, lambda old=packet: table.packet() is not old, what="the turn")  # type: ignore[misc]
            await until(server, lambda old=packet: not buttons(old), what="the old message without buttons")  # type: ignore[misc]
            await settled(server, table.database)
            assert edits(server)[1] == late
        assert edits(server)[0] > 0
