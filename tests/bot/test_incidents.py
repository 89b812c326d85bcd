"""What a webhook is told of errors: where and of which kind, and never a value."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from club import Club, text
from player import private_answer

from bot import logs, metrics
from bot.chat.answers import DONE, answer_error
from bot.chat.arrivals import Arrivals
from bot.settings import Settings, SettingsError, from_environment
from storage import LeaseLost, Unavailable

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDE.abcdefghijklmnopqrstuvwxyz012345"
SECRET = "p2 has only 317 hidden"


def fail() -> None:
    from engine.ids import HexId

    raise KeyError(HexId(f"{SECRET} {TOKEN}"))


async def test_a_webhook_is_told_of_an_incident_without_any_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "APART", 0.05)
    posted: list[dict[str, object]] = []
    came = asyncio.Event()

    async def hook(request: web.Request) -> web.Response:
        posted.append(await request.json())
        came.set()
        return web.Response(status=204)

    app = web.Application()
    app.router.add_post("/hook", hook)
    server = TestServer(app)
    await server.start_server()
    try:
        async with logs.telling(Settings(token=TOKEN, webhook=str(server.make_url("/hook")))):
            try:
                fail()
            except KeyError as error:
                about = {"incident": "1a2b3c4d", "game": "abc123"}
                logging.getLogger("tetsudo.errors").error("incident %s", "1a2b3c4d", exc_info=error, extra=about)
            logging.getLogger("tetsudo.tables").error("cannot be read: %r", SECRET)
            logging.getLogger("discord.client").error(f"in a library: {TOKEN} {SECRET}")
            await asyncio.wait_for(came.wait(), 5)
    finally:
        await server.close()
    (told,) = posted
    said = str(told["content"])
    assert "incident 1a2b3c4d, KeyError at " in said
    assert "(game abc123). And 2 more since" in said
    assert TOKEN not in said
    assert "317" not in said
    assert told["allowed_mentions"] == {"parse": []}


@pytest.mark.pictures
async def test_an_error_is_told_as_every_answer_is(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where two processes answer one press: what has components takes no plain text any more."""
    monkeypatch.setattr(club.bot.tables, "game_in", AsyncMock(side_effect=Unavailable("The database is out of reach.")))
    answer = private_answer(await club.aiko.slash(club.channel, "game status"))
    assert "Nothing was changed" in text(answer)
    assert not answer.content


BROKEN = [
    aiohttp.ServerDisconnectedError(),
    aiohttp.ClientOSError(104, "Connection reset by peer"),
    TimeoutError(),
    discord.DiscordServerError(SimpleNamespace(status=502, reason="Bad Gateway"), "upstream"),
    discord.HTTPException(SimpleNamespace(status=429, reason="Too Many Requests"), "You are being rate limited."),
]


async def test_what_could_not_be_stored_just_now_can_be_pressed_again(club: Club) -> None:
    """The private message with the button stays."""
    await club.begin(3)
    asked = private_answer(await club.ben.slash(club.channel, "game leave"))
    with pytest.MonkeyPatch.context() as away:
        away.setattr(club.bot.store._db, "_transact", AsyncMock(side_effect=Unavailable("The disk is full.")))
        told = await club.ben.click(asked, label="Leave the game")
    assert "try again in a moment. Nothing was changed" in text(private_answer(told))
    assert "You have left" in text(private_answer(await club.ben.click(asked, label="Leave the game")))


async def test_nobody_is_asked_to_try_again_what_is_stored(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await club.begin(2)
    await club.aiko.slash(club.channel, "seat give", user=club.emma)
    monkeypatch.setattr(club.bot.store.messages, "retire", AsyncMock(side_effect=Unavailable("It is away.")))
    told = await club.emma.click(club.newest("Accept"), label="Accept")
    assert text(private_answer(told)) == DONE


@pytest.mark.long
@pytest.mark.parametrize("error", BROKEN, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("where", ["the answer", "every answer", "the acknowledgement"])
@pytest.mark.pictures
async def test_a_broken_connection_to_discord_is_no_fault_of_the_program(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception, where: str
) -> None:
    breaks = AsyncMock(side_effect=error)
    await club.begin(2)
    before, host, turn = metrics.INCIDENTS._value.get(), club.aiko, club.packet()
    if where == "the acknowledgement":
        monkeypatch.setattr(discord.InteractionResponse, "defer", breaks)
    else:
        monkeypatch.setattr(discord.Interaction, "edit_original_response", breaks)
    if where == "every answer":
        monkeypatch.setattr(discord.Webhook, "send", breaks)
    with caplog.at_level("WARNING"):
        told = await host.click(turn, label="More…")
        if where == "the acknowledgement":  # of a command comes before it
            await host.slash(club.channel, "game status")
    assert metrics.INCIDENTS._value.get() == before
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []
    assert any("Discord" in one.getMessage() for one in caplog.records)
    if where == "the answer":
        assert "Nothing was changed" in text(private_answer(told))


async def test_a_refusal_that_is_lost_with_the_connection_comes_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its reader saw “… is thinking” for ever."""
    await club.begin(2)
    monkeypatch.setattr(discord.Interaction, "edit_original_response", AsyncMock(side_effect=BROKEN[0]))
    told = await club.ben.slash(club.channel, "pass")
    assert "It is not your turn" in text(private_answer(told))


@pytest.mark.pictures
async def test_a_connection_that_breaks_where_others_answer_by_now_is_no_fault_of_the_program(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(club.bot.arrivals, "leave", lambda _: True)
    interaction: Any = SimpleNamespace(
        id=1,
        client=club.bot,
        message=None,
        type=discord.InteractionType.component,
        response=SimpleNamespace(is_done=lambda: False, defer=AsyncMock(side_effect=BROKEN[0])),
    )
    await answer_error(interaction, LeaseLost())
    interaction.response.defer.assert_awaited()
    assert caplog.records == []


async def test_the_log_says_that_the_database_did_not_answer(caplog: pytest.LogCaptureFixture) -> None:
    bot: Any = SimpleNamespace(requests=SimpleNamespace(may=lambda: True), is_ours=lambda _: True)
    came = Arrivals(bot)
    came._ready, came._kept = True, AsyncMock(**{"keep.side_effect": TimeoutError})
    assert await came.keep({"id": "1", "type": 2}, "{}") is not None
    assert "not kept: the database does not answer" in caplog.text


def test_of_a_sentence_the_values_are_left_out() -> None:
    record = logging.LogRecord(
        "tetsudo.tables", logging.ERROR, __file__, 1, "cannot be read: %r in %.1f s", (SECRET, 1), None
    )
    assert logs.said(record) == "cannot be read: … in … s."


def test_every_package_is_the_programs_own() -> None:
    assert set(logs.OURS) == {one.parent.name for one in logs.HERE.glob("*/__init__.py")} - {"tests"}


def test_a_wrong_webhook_is_refused_without_repeating_it() -> None:
    with pytest.raises(SettingsError, match="TETSUDO_WEBHOOK must be an address") as refused:
        from_environment({"TETSUDO_WEBHOOK": "htps://discord.com/api/webhooks/1/secret"}, need_token=False)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "place"),
    [("9464", ("127.0.0.1", 9464)), ("0.0.0.0:80", ("0.0.0.0", 80)), ("[::]:9464", ("::", 9464)), ("", None)],
)
def test_metrics_are_served_where_the_setting_says(text: str, place: tuple[str, int] | None) -> None:
    assert from_environment({"TETSUDO_METRICS": text}, need_token=False).metrics == place


@pytest.mark.parametrize("text", ["on", "localhost", "0", "70000", "host:port", "http://host:9464"])
def test_a_place_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="TETSUDO_METRICS"):
        from_environment({"TETSUDO_METRICS": text}, need_token=False)


KEY = "ab" * 32


def test_presses_come_over_http_where_both_settings_say_so() -> None:
    found = from_environment({"TETSUDO_ENDPOINT": "0.0.0.0:8891", "DISCORD_PUBLIC_KEY": KEY}, need_token=False)
    assert found.endpoint is not None
    assert (found.endpoint.place, found.endpoint.key) == (("0.0.0.0", 8891), bytes.fromhex(KEY))
    assert from_environment({}, need_token=False).endpoint is None


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"TETSUDO_ENDPOINT": "8891"}, "belong together"),
        ({"DISCORD_PUBLIC_KEY": KEY}, "belong together"),
        ({"TETSUDO_ENDPOINT": "8891", "DISCORD_PUBLIC_KEY": KEY[1:]}, "64 hex digits"),
        ({"TETSUDO_ENDPOINT": "https://host", "DISCORD_PUBLIC_KEY": KEY}, "TETSUDO_ENDPOINT"),
    ],
)
def test_an_endpoint_that_cannot_be_is_refused(settings: dict[str, str], why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        from_environment(settings, need_token=False)


@pytest.mark.parametrize("code", [10003, 10008])
@pytest.mark.pictures
async def test_a_message_or_channel_that_somebody_deleted_while_it_was_used_is_no_fault_of_the_program(
    club: Club, caplog: pytest.LogCaptureFixture, code: int
) -> None:
    await club.aiko.slash(club.channel, "game create", title="1889")
    club.env.inject_error("PATCH", "/webhooks/*/@original", status=404, code=code)
    told = await club.ben.click(club.packet(), label="Join")
    assert "has been deleted. What you did is stored" in text(private_answer(told))
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []


@pytest.mark.parametrize("code", [10062, 50035])
async def test_choices_that_come_too_late_are_no_fault_of_the_program(
    club: Club, caplog: pytest.LogCaptureFixture, code: int
) -> None:
    """The library logs all that fails there as an error; a list that Discord refuses is one."""
    club.env.inject_error("POST", "/interactions/*/callback", status=404 if code == 10062 else 400, code=code)
    await club.aiko.autocomplete(club.channel, "game create", "title", "18")
    assert [one.levelname == "ERROR" for one in caplog.records if "autocomplete" in one.getMessage()] == [code == 50035]
