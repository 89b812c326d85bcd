"""The board as an Activity: its command stays, *Open the board* launches it, and Discord's word alone opens it."""

from __future__ import annotations

import asyncio
from html import unescape
from pathlib import Path

import pytest
from wire_inside import FRAME, club
from wire_people import Person, acknowledged, answered, buttons
from wire_process import BotProcess
from wire_server import Server
from wire_world import LAUNCH, Interaction

from board.inside import NOT_INSIDE, SPENT
from board.server import FOREIGN, NO_SESSION
from bot.rooms.page.room import NOT_THERE, UNKNOWN

pytestmark = pytest.mark.long


async def pressed_open(server: Server, person: Person, packet: object) -> Interaction:
    """Press *Open the board* in *More…*."""
    more = await answered(server, await person.click(packet, buttons(packet)["More…"]))  # type: ignore[arg-type]
    return await acknowledged(server, await person.click(more, buttons(more)["Open the board"]))


async def test_the_command_that_launches_the_activity_stays(server: Server, database: Path) -> None:
    """Also where only the portal has it switched on, not the settings."""
    server.world.embed()
    (before,) = server.world.embedded
    async with BotProcess(server, database):
        pass
    assert server.world.embedded == [before]
    assert {one["name"] for one in server.world.commands} > {LAUNCH["name"], "game", "my"}


async def test_the_board_opens_inside_discord_for_whom_discord_names(tmp_path: Path, unused_tcp_port: int) -> None:
    async with club(tmp_path, unused_tcp_port) as here:
        server, world, table = here.server, here.server.world, here.table
        assert len(world.embedded) == 1
        up, other = table.up(table.packet()), table.people[1]
        launched = await pressed_open(server, up, table.packet())
        assert launched.kind == 12
        given = await here.page(launched.launched)
        assert given["client"] == str(world.bot.id)
        status, body, cookie = await here.enter(given, world.code(up.account, given["challenge"]))
        assert status == 200, body
        for part in ("HttpOnly", "Secure", "SameSite=None", "Partitioned", f"Path={body['at']}"):
            assert part in cookie
        at, cookie = await here.opened(up.account)
        async with here.http.get(here.board + at, headers=FRAME | {"Cookie": cookie}) as answer:
            page, policy = await answer.text(), answer.headers["Content-Security-Policy"]
        assert "Your turn" in page
        assert (
            f"frame-ancestors https://discord.com https://ptb.discord.com https://canary.discord.com {here.origin}"
            in (policy)
        )
        csrf = page.partition('data-csrf="')[2].partition('"')[0]
        body = {"actions": [{"do": "Pass", "by": "p1"}], "seen": 0, "id": 1}
        for origin, expected in (("https://board.example", 403), (here.origin, 200)):
            headers = {"Cookie": cookie, "X-Board": csrf, "Origin": origin}
            async with here.http.post(f"{here.board}{at}act", json=body, headers=headers) as answer:
                assert answer.status == expected, await answer.text()
        async with here.http.get(here.board + at.replace(str(up.id), str(other.id)), headers={"Cookie": cookie}) as no:
            assert no.status == 403
        await answered(server, await up.slash(table.channel, "my board", off=True))
        async with here.http.get(here.board + at, headers={"Cookie": cookie}) as no:
            assert unescape((await no.json())["error"]) == NO_SESSION


async def test_without_discords_word_nobody_is_let_in(tmp_path: Path, unused_tcp_port: int) -> None:
    async with club(tmp_path, unused_tcp_port) as here:
        world, mine, other = here.server.world, here.table.people[0].account, here.table.people[1].account
        stranger = world.person("zoe")
        instance = here.launch(mine, other)
        given, theirs = await here.page(instance), await here.page(instance)
        later = await here.page(instance)

        def code(whose: object = mine, challenge: str = given["challenge"]) -> str:
            return world.code(whose, challenge)  # type: ignore[arg-type]

        assert (await here.enter(given, code(), origin="https://board.example"))[1]["error"] == FOREIGN
        assert (await here.enter(given, "forged"))[1]["error"] == UNKNOWN
        assert (await here.enter(given, code()))[1]["error"] == SPENT  # the state was used, though in vain
        assert (await here.enter(theirs, code(other)))[1]["error"] == UNKNOWN  # made for another page
        assert (await here.enter(later, code(), state=later["state"][:-1]))[1]["error"] == SPENT
        assert (await here.enter(later, code(), instance=here.launch(mine)))[1]["error"] == SPENT
        used = code(challenge=later["challenge"])
        assert (await here.enter(later, used))[0] == 200
        last = await here.page(instance)
        assert (await here.enter(last, used))[1]["error"] == UNKNOWN
        absent = await here.page(instance)
        assert (await here.enter(absent, code(stranger, absent["challenge"])))[1]["error"] == NOT_THERE
        gone = await here.page("i-1-gc-2-3")
        assert (await here.enter(gone, code(mine, gone["challenge"])))[1]["error"] == NOT_THERE
        elsewhere = await here.page(world.launch(world.channel(here.table.channel.guild, "empty"), mine))
        said = (await here.enter(elsewhere, code(mine, elsewhere["challenge"])))[1]["error"]
        assert "There is no game in this channel." in said
        for odd in ("", "x" * 300, "<b>"):
            async with here.http.get(f"{here.board}/", params={"instance_id": odd}, headers=FRAME) as answer:
                assert answer.status == 422
                assert NOT_INSIDE in unescape(await answer.text())


async def test_where_discord_does_not_launch_it_there_is_a_link(tmp_path: Path, unused_tcp_port: int) -> None:
    async with club(tmp_path, unused_tcp_port) as here:
        server, table = here.server, here.table
        up = table.people[0]
        linked = await answered(server, await up.slash(table.channel, "my board"))
        assert "https://board.example/open/" in linked.text
        door = linked.text.partition("](https://board.example")[2].partition(")")[0]
        async with here.http.get(here.board + door, allow_redirects=False) as answer:
            at, cookie = answer.headers["Location"], answer.headers["Set-Cookie"].partition(";")[0]
        async with here.http.get(here.board + at, headers=FRAME | {"Cookie": cookie}) as answer:
            page, policy = await answer.text(), answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy, "what was opened by a link is in no frame"
        sent = {"Cookie": cookie, "X-Board": page.partition('data-csrf="')[2].partition('"')[0], "Origin": here.origin}
        async with here.http.post(f"{here.board}{at}act", json={}, headers=sent) as answer:
            assert answer.status == 403
        server.world.commands.remove(server.world.embedded[0])  # switched off in the portal
        given = await pressed_open(server, up, table.packet())
        assert given.kind != 12
        assert "https://board.example/open/" in (await answered(server, given)).text


async def test_who_launches_it_by_its_command_is_answered(tmp_path: Path, unused_tcp_port: int) -> None:
    """Where its host lets the bot handle the command, the bot launches it."""
    async with club(tmp_path, unused_tcp_port) as here:
        (command,) = here.server.world.embedded
        data = {"id": command["id"], "name": command["name"], "type": 4}
        given = await here.table.people[0].interact(here.table.channel, 2, data)
        await acknowledged(here.server, given)
        assert given.kind == 12


async def test_while_discord_cannot_be_asked_everybody_is_told(tmp_path: Path, unused_tcp_port: int) -> None:
    async with club(tmp_path, unused_tcp_port) as here:
        given = await here.page(here.launch(here.table.people[0].account))

        async def away(method: str, path: str) -> None:
            if path == "/oauth2/token":
                await asyncio.sleep(0)
                raise ConnectionResetError

        here.server.world.faults.append(away)
        status, body, _ = await here.enter(given, "code")
        assert status == 422
        assert "at the moment" in body["error"]
