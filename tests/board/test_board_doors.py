"""Who gets onto a board, and what it takes from whom: forged, stale, doubled and foreign requests change nothing."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from boarding import Party, agree, begun, page, party

from board import server
from board.assets import ASSETS
from board.inside import Inside
from board.limits import MOST_OPEN, Limits
from board.server import BoardApp, serving
from bot.core import clockwork
from bot.core.errors import DONE, STALE, UnknownControl
from bot.core.table import Table
from bot.rooms.page.room import Arrival, BoardPass, Signer
from bot.settings import Activity
from engine.action_json import to_json
from engine.actions import Bid, EndGame, Pass, RollDie, StateRevenue
from engine.ids import CHANCE, CorpId, PlayerId, PrivateId

NOW = 1_000_000


def test_a_pass_is_good_for_its_use_its_time_and_its_signer() -> None:
    signer = Signer(b"one")
    given = BoardPass(7, "abc", NOW + 10)
    token = signer.sign(given, "open")
    assert signer.read(token, "open", NOW) == given
    assert signer.read(token, "stay", NOW) is None
    assert signer.read(token, "open", NOW + 10) is None
    assert Signer(b"other").read(token, "open", NOW) is None
    assert signer.read(token.replace("7.", "8.", 1), "open", NOW) is None
    assert signer.read(token + "x", "open", NOW) is None


@pytest.mark.second
async def test_a_file_is_kept_only_under_the_address_of_its_version(tmp_path: Path) -> None:
    async with party(tmp_path) as here, aiohttp.ClientSession() as nobody:
        urls = [ASSETS.url("board.js"), "/static/another/board.js"]
        answers = [await nobody.get(f"{here.url}{url}") for url in urls]
        assert ["immutable" in one.headers["Cache-Control"] for one in answers] == [True, False]


@pytest.mark.core
async def test_only_a_link_of_ones_own_opens_the_board(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, 1) as mine, aiohttp.ClientSession() as nobody:
        assert (await mine.session.get(f"{mine.at}/parts")).status == 200
        assert (await nobody.get(f"{mine.at}/parts")).status == 403
        assert (await nobody.get(f"{here.url}/open/1.{here.table.game.id}.9999999999.0.{'x' * 22}")).status == 403
        (cookie,) = [one for one in mine.session.cookie_jar if one.key == "board"]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        other = mine.at.removesuffix("/1") + "/2"
        taken = await nobody.get(f"{other}/parts", headers={"Cookie": f"board={cookie.value}"})
        assert taken.status == 403
        here.host.epochs[1] = 1
        assert (await mine.session.get(f"{mine.at}/parts")).status == 403


@pytest.mark.second
async def test_foreign_pages_cannot_press(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        move, seq = Pass(here.table.position.up[0]), here.table.position.seq
        body = {"actions": [to_json(move)], "seen": seq, "id": 1}
        for headers in ({"Origin": "https://evil.example"}, {"Origin": ""}, {"X-Board": ""}, {"X-Board": "ä"}):
            status, said = await mine.post("act", body, **headers)
            assert (status, said["error"]) == (403, server.FOREIGN)
        assert here.table.position.seq == seq
        assert (await mine.post("act", body))[0] == 200
        assert here.table.position.seq == seq + 1


@pytest.mark.second
async def test_a_press_is_done_once_and_only_where_it_was_seen(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        move, seq = Pass(here.table.position.up[0]), here.table.position.seq
        assert (await mine.act(move, seen=seq + 1))[0] == 409
        first = {"actions": [to_json(move)], "seen": seq, "id": 77}
        assert (await mine.post("act", first))[0] == 200
        again = await mine.post("act", first)  # the page does so where the answer was lost on its way
        assert again == (409, {"error": DONE})
        assert here.table.position.seq == seq + 1
        await here.table.undo(user=here.user_of(move.by))
        assert await mine.post("act", {**first, "seen": here.table.position.seq}) == (409, {"error": DONE})
        assert (await mine.post("act", {**first, "id": 78}))[1] == {"error": escape(STALE, quote=False)}


@pytest.mark.second
async def test_a_press_that_is_cut_off_on_its_way_is_no_fault_of_ours(tmp_path: Path, caplog: Any) -> None:
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        sent = {"X-Board": mine.csrf, "Origin": here.url}

        async def half() -> AsyncIterator[bytes]:
            yield b'{"actions": ['
            raise ConnectionResetError

        with suppress(aiohttp.ClientError, ConnectionError):
            await mine.session.post(f"{mine.at}/act", data=half(), headers=sent)
        await mine.parts()
    assert caplog.records == []


@pytest.mark.second
async def test_a_move_on_the_board_ends_an_absence_which_the_chat_greets(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        store, user = here.table.store, here.user_up()
        await clockwork.change_person(store, user, lambda one, now: one.leaving((now - 60, None), now))
        assert (await mine.act(Pass(here.table.position.up[0])))[0] == 200
        person = (await clockwork.people_of(store, [user]))[user]
        assert not person.is_away(store.clock())
        assert person.was_away(store.clock())
        assert await store.people.claim("bot", limit=1) == [user]


@pytest.mark.second
async def test_nobody_acts_for_another_nor_for_chance(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        up = here.table.position.up[0]
        stranger = next(user for user in (1, 2, 3) if user != here.user_up())
        seq = here.table.position.seq
        async with page(here, stranger) as theirs, page(here, 0) as watching, page(here, 99) as outside:
            for one in (theirs, watching, outside):
                status, said = await one.act(Pass(up))
                assert status == 422, said
        async with page(here, here.user_up()) as mine:
            for action in (
                RollDie(CHANCE, 1), EndGame(up), StateRevenue(up, CorpId("AR"), 50), Bid(up, PrivateId("ZZ"), 5),
                Bid(PlayerId("p9"), PrivateId("A"), 5),
            ):  # fmt: skip
                status, said = await mine.act(action)
                assert status == 422, said
            status, said = await mine.act(Pass(up), Bid(up, PrivateId("B"), 35))
            assert status == 422, said
            assert said["error"] == escape(UnknownControl.said), "only what needs nobody's agreement may follow"
        assert here.table.position.seq == seq


@pytest.mark.long
async def test_nonsense_is_answered_with_a_sentence(tmp_path: Path) -> None:
    chance = random.Random(4)

    def junk(depth: int = 0) -> Any:
        kinds = [None, True, -1, 2**70, 0.5, "x" * chance.randrange(60), "p1", "Bid", "\ud800", "<b>"]
        if depth < 3 and chance.random() < 0.6:
            some = [junk(depth + 1) for _ in range(chance.randrange(4))]
            keys = ["do", "by", "actions", "amount", "private", "trains", "hexes", "x"]
            return some if chance.random() < 0.5 else {chance.choice(keys): one for one in some}
        return chance.choice(kinds)

    async with party(tmp_path) as here, page(here, here.user_up()) as mine:
        seq = here.table.position.seq
        mine.party.board.limits = Limits(per_second=1e9)
        for what in ("act", "end", "offer", "undo", "routes", "line", "stop"):
            for _ in range(25):
                body = {name: junk() for name in ("actions", "seen", "id", "offer", "way", "row", "trains")}
                if chance.random() < 0.7:
                    body |= {"seen": seq, "id": chance.randrange(10**6)}
                status, said = await mine.post(what, body)
                assert status in (409, 422), (what, body, said)
                assert said["error"]
                assert "<b>" not in said["error"].replace("</b>", "")
        for raw in (b"", b"[1]", b"{", b"\xff", b"[" * 5000):
            sent = {"X-Board": mine.csrf, "Origin": here.url, "Content-Type": "application/json"}
            async with mine.session.post(f"{mine.at}/act", data=raw, headers=sent) as answer:
                assert answer.status == 422
        large = json.dumps({"actions": ["x" * 50_000]})
        async with mine.session.post(f"{mine.at}/act", data=large, headers=sent) as answer:
            assert answer.status == 413
        assert here.table.position.seq == seq


def addresses(here: Party) -> list[tuple[str, str]]:
    """Every method and address of a person's board, whatever is added to them."""
    given = {"hex": "K8", "what": "undo", "number": "0", "name": "worth", "line": "1"}
    routes = [(one.method, str(one.resource and one.resource.canonical)) for one in here.board.app().router.routes()]
    whole = [(method, path.removeprefix("/b/{game}/{who}")) for method, path in routes if "{who}" in path]
    assert len(whole) > 20
    return [(method, path.format(**given)) for method, path in whole]


def not_good(here: Party, user: int, elsewhere: str) -> dict[str, str]:
    """What is no session of this person for this game, by why."""
    signer, game, now = here.board.signer, here.table.game.id, here.table.store.clock()
    given, other = BoardPass(user, game, now + 600), user % 3 + 1
    return {
        "nothing": "",
        "a link": signer.sign(given, "open"),
        "inside Discord, where nothing is": signer.sign(given, "inside"),
        "of another person": signer.sign(BoardPass(other, game, now + 600), "stay"),
        "of a watcher": signer.sign(BoardPass(0, game, now + 600), "stay"),
        "for another game": signer.sign(BoardPass(user, elsewhere, now + 600), "stay"),
        "over": signer.sign(BoardPass(user, game, now), "stay"),
        "taken back": signer.sign(BoardPass(user, game, now + 600, 7), "stay"),
        "forged": Signer(b"other").sign(given, "stay"),
        "changed": signer.sign(BoardPass(other, game, now + 600), "stay").replace(f"{other}.", f"{user}.", 1),
    }


@pytest.mark.broad
async def test_every_address_is_for_its_own_session_and_its_own_page(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, here.user_up()) as mine, aiohttp.ClientSession() as nobody:
        here.board.limits = Limits(per_second=1e9)
        elsewhere = await begun(here.host.tables, "1889", 3, channel=8)
        seq, version = here.table.position.seq, here.table.game.version
        body = {
            "actions": [to_json(Pass(here.table.position.up[0]))],
            "seen": seq,
            "id": 1,
            "way": "sure",
            "row": 0,
        }
        own = {"X-Board": mine.csrf, "Origin": here.url}
        for method, path in addresses(here):
            for why, cookie in not_good(here, mine.user, elsewhere.game.id).items():
                headers = own | {"Cookie": f"board={cookie}"}
                async with nobody.request(method, mine.at + path, json=body, headers=headers) as answer:
                    assert answer.status == 403, (method, path, why)
            if method != "POST":
                continue
            async with page(here, 2) as other:
                strange = [{"Origin": here.url}, {**own, "Origin": "null"}, {**own, "X-Board": other.csrf}]
            for headers in strange:
                async with mine.session.post(mine.at + path, json=body, headers=headers) as answer:
                    known = (await answer.json())["error"] == server.FOREIGN
                    assert (answer.status, known) == ((422, False) if "/line/" in path else (403, True)), path
            async with page(here, 0) as watching:
                assert (await watching.post(path.removeprefix("/"), body))[0] in (403, 422), path
        assert (here.table.position.seq, here.table.game.version) == (seq, version)
        assert (await mine.act(Pass(here.table.position.up[0])))[0] == 200


@pytest.mark.broad
async def test_whoever_asks_too_fast_must_wait(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, 1) as mine, page(here, 2) as theirs:
        here.board.limits = Limits(per_second=0.001)
        answers = [(await mine.session.get(f"{mine.at}/parts")).status for _ in range(200)]
        assert answers[0] == 200
        assert answers[-1] == 429
        assert (await theirs.session.get(f"{theirs.at}/parts")).status == 200


@pytest.mark.long
async def test_whoever_presses_much_inside_discord_keeps_nobody_else_out(tmp_path: Path) -> None:
    """All had one allowance together, which what is made up took from, too."""
    async with party(tmp_path) as here:

        async def admit(code: str, secret: str, instance: str) -> Arrival:
            return Arrival(1, 7)

        inside = Inside(Activity(1, "secret"), here.board.signer, admit)
        board = BoardApp(here.host, here.host.epoch, agree, here.board.signer, inside=inside)
        board.limits = Limits(per_second=0.001)
        async with serving(board.app(), "127.0.0.1", 0) as port, aiohttp.ClientSession() as http:

            async def enter(instance: str, state: str = "") -> int:
                url, html = f"http://127.0.0.1:{port}/", {"Accept": "text/html"}
                async with http.get(url, params={"instance_id": instance}, headers=html) as answer:
                    given = (await answer.text()).partition('data-state="')[2].partition('"')[0]
                sent = {"code": "c", "state": state or given, "instance": instance}
                async with http.post(f"{url}inside", json=sent, headers={"Origin": inside.activity.origin}) as answer:
                    return answer.status

            assert {await enter("mine", "made up") for _ in range(40)} == {422}
            pressed = [await enter("mine") for _ in range(40)]
            assert (pressed[0], pressed[-1]) == (200, 429)
            assert await enter("theirs") == 200


@pytest.mark.second
async def test_however_many_watch_few_of_them_are_answered_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, came, go_on = list[int](), asyncio.Semaphore(0), asyncio.Event()

    async def slow(table: Table, user: int, name: str) -> bytes:
        asked.append(user)
        came.release()
        await go_on.wait()
        return b""

    monkeypatch.setattr("board.past.chart", slow)
    async with party(tmp_path) as here, page(here, 0) as watcher, page(here, 1) as mine:
        one, other = (f"{each.at}/chart/worth.png" for each in (watcher, mine))
        waiting = [asyncio.create_task(watcher.session.get(one)) for _ in range(20)]
        for _ in range(server.WATCHED):
            await came.acquire()
        mine_too = asyncio.create_task(mine.session.get(other))
        await came.acquire()
        assert asked == [0] * server.WATCHED + [1]
        go_on.set()
        assert {(await each).status for each in (*waiting, mine_too)} == {200}


@pytest.mark.long
async def test_a_board_is_told_nothing_more_once_its_session_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("board.server.BREATH", 0.05)
    async with party(tmp_path) as here, aiohttp.ClientSession() as session:
        given = BoardPass(1, here.table.game.id, here.table.store.clock() + 2)
        cookie = {"Cookie": f"board={here.board.signer.sign(given, 'stay')}"}
        async with session.get(f"{here.url}/b/{given.game}/1/live", headers=cookie) as live:
            assert live.status == 200
            async with asyncio.timeout(20):
                await live.read()  # to its end


def test_so_many_boards_are_open_at_once_for_each_person() -> None:
    limits = Limits()
    assert [limits.opens(7) for _ in range(MOST_OPEN + 1)] == [True] * MOST_OPEN + [False]
    assert limits.opens(8)
    limits.closes(7)
    assert limits.opens(7)


async def test_stamps_that_are_made_up_take_no_memory(tmp_path: Path) -> None:
    async with party(tmp_path) as here:
        view = await here.board.views.of(here.table, 0)
        told = [here.board.views.news(f"made-up-{number}", view, zipped=False) for number in range(20)]
        assert set(told) == {here.board.views.news("", view, zipped=False)}
        assert len(view.news) == 1


@pytest.mark.broad
async def test_scenes_that_nobody_looks_at_any_more_take_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line is opened and deleted again and again while a board of its game stays open."""
    monkeypatch.setattr("board.view.SPARE", 2)
    async with party(tmp_path) as here, page(here, 1) as mine, mine.session.get(f"{mine.at}/live") as live:
        await live.content.readline()
        for number in range(5):
            _, told = await mine.post("line", {"way": "new", "seen": 0, "id": 2 * number})
            assert (await mine.session.get(f"{mine.at}/{told['go']}")).status == 200
            drop = {"way": "drop", "number": int(told["go"].split("/")[1]), "seen": 0, "id": 2 * number + 1}
            assert (await mine.post("line", drop))[0] == 200
        assert len(here.board.views._now) == 3


@pytest.mark.second
async def test_every_answer_keeps_others_out(tmp_path: Path) -> None:
    async with party(tmp_path) as here, page(here, 1) as mine:
        for path in ("/", "/parts", "/hex/K8", "/hex/%3Cb%3E", "/nothing"):
            async with mine.session.get(mine.at + path) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert "frame-ancestors 'none'" in policy
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                body = await answer.text()
            assert "style=" not in body
            assert "onclick" not in body
