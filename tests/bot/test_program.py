"""Settings, logs and the answers to errors."""

from __future__ import annotations

import errno
import gc
import json
import logging
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import discord
import pytest
from discord import app_commands

from bot.chat.answers import explain
from bot.chat.commands import mentioned
from bot.chat.health import Heart
from bot.house import House
from bot.logs import HIDDEN, LONGEST, Lines, hide
from bot.main import main, warm_up
from bot.settings import Settings, SettingsError, check_database, from_environment
from engine.actions import Pass
from engine.errors import Refused
from engine.ids import PlayerId
from storage import Unavailable

ROOT = Path(__file__).parents[2]
TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.abcdefghijklmnopqrstuvwxyz0123456789AB"


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({}, "DISCORD_TOKEN is not set"),
        ({"DISCORD_TOKEN": "abc"}, "does not look like a bot token"),
        ({"DISCORD_TOKEN": TOKEN, "TETSUDO_LOG_LEVEL": "LOUD"}, "must be one of DEBUG"),
        ({"DISCORD_TOKEN": TOKEN, "TETSUDO_SEND_DEADLINE": "soon"}, "a number from 1 to 600"),
        ({"DISCORD_TOKEN": f'"{TOKEN}"'}, "without spaces or quotes"),
        ({"DISCORD_TOKEN": TOKEN, "TETSUDO_API_BASE": "discord"}, "must be an address"),
        ({"DISCORD_TOKEN": TOKEN, "TETSUDO_API_BASE": "http://[::1"}, "must be an address"),
        ({"DISCORD_TOKEN": TOKEN, "TETSUDO_GATEWAY_URL": "ws://127.0.0.1:99999"}, "must be an address"),
        ({"DISCORD_TOKEN": TOKEN, "TETSUDO_API_BASE": "https://discord..com"}, "must be an address"),
        ({"DISCORD_TOKEN": TOKEN, "TETSUDO_METRICS": "here..example:9464"}, "must be a port"),
        ({"DISCORD_TOKEN": TOKEN, "TETSUDO_DB": "~nobody-of-this-name/games"}, "no such user"),
        ({"DISCORD_TOKEN": TOKEN, "TETSUDO_DB": "sqlite:///games"}, "TETSUDO_DB cannot be used"),
    ],
)
def test_a_wrong_setting_is_named(env: dict[str, str], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        from_environment(env)


def test_the_environment_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("TETSUDO_DB=from-file\nTETSUDO_WORKERS=3\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TETSUDO_DB", "from-environment")
    monkeypatch.setenv("TETSUDO_WORKERS", "")
    found = from_environment(need_token=False)
    assert (str(found.database), found.workers) == ("from-environment", 3)


def test_the_token_is_in_no_representation() -> None:
    assert TOKEN not in repr(from_environment({"DISCORD_TOKEN": TOKEN}))


def test_a_database_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SettingsError, match="cannot be made"):
        check_database(tmp_path / "file" / "games.sqlite3")
    with pytest.raises(SettingsError, match="is a folder"):
        check_database(tmp_path)
    with pytest.raises(SettingsError, match="File name too long"):
        check_database(tmp_path / ("a" * 300))
    check_database(tmp_path / "new" / "games.sqlite3")


def on_a_read_only_disk(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program of Python where the folder is a disk that cannot be written."""
    command = f"mount -t tmpfs -o ro none {shlex.quote(str(folder))} && exec {sys.executable} -c {shlex.quote(program)}"
    done = subprocess.run(["unshare", "-rm", "sh", "-c", command], cwd=ROOT, capture_output=True, text=True)
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("disks cannot be mounted here")
    return done


@pytest.mark.long
@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs Linux")
def test_a_read_only_disk_is_named(tmp_path: Path) -> None:
    start = f"from bot.settings import *\ntry: check_database(Path({str(tmp_path / 'games.sqlite3')!r}))\n"
    done = on_a_read_only_disk(tmp_path, start + "except SettingsError as error: print(error)")
    assert "its folder cannot be written: Read-only file system. Free some space" in done.stdout, done.stderr


def test_a_disk_that_turns_read_only_lets_the_bot_end_quietly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(path: Path, missing_ok: bool = False) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "unlink", refused)
    Heart(SimpleNamespace(settings=Settings(database=tmp_path / "games.sqlite3"))).stop()
    assert "Read-only file system" in caplog.text


async def test_what_the_bot_cannot_save_is_logged_without_a_traceback(caplog: pytest.LogCaptureFixture) -> None:
    for error, traced in ((Unavailable("The disk is read-only."), False), (KeyError("x"), True)):
        caplog.clear()
        try:
            raise error
        except Exception:
            await House.on_error(None, "on_resumed")  # type: ignore[arg-type]
        assert ("Traceback" in caplog.text) == traced
        assert "on_resumed" in caplog.text


def test_the_program_says_what_is_wrong_and_exits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)  # away from the host's own .env
    assert main() == 2
    assert "Tetsudo cannot start. DISCORD_TOKEN is not set." in capsys.readouterr().err


@pytest.mark.parametrize("as_json", [True, False])
def test_logs_are_lines_without_the_token(as_json: bool) -> None:
    record = logging.makeLogRecord({"name": "x", "levelname": "INFO", "msg": f"token {TOKEN}", "game": "abc123"})
    for secret in (TOKEN, ""):
        line = Lines(secret, as_json=as_json).format(record)
        assert TOKEN not in line
        assert HIDDEN in line
        assert "abc123" in line
        assert "\n" not in line
    if as_json:
        assert json.loads(Lines(as_json=True).format(record))["game"] == "abc123"


@pytest.mark.parametrize("before", ["", "token=", "a.b.", "x" * 30 + ".", "." * 30, "/webhooks/1/"])
def test_a_token_is_hidden_wherever_it_stands(before: str) -> None:
    hidden = hide(f"{before}{TOKEN}. and on")
    assert "abcdefghij" not in hidden
    assert hidden.endswith("and on")


def test_a_megabyte_of_letters_is_looked_through_once() -> None:
    """A search from each of its letters would take hours."""
    text = "a" * 1_000_000
    assert hide(f"{text} {TOKEN}") == f"{text} {HIDDEN}"


@pytest.mark.parametrize("length", range(LONGEST - 80, LONGEST + 10, 10))
def test_a_long_message_is_cut_but_never_within_a_token(length: int) -> None:
    record = logging.makeLogRecord({"name": "x", "levelname": "INFO", "msg": " " * length + TOKEN + " more" * 100})
    line = Lines().format(record)
    assert "and so on" in line
    assert "MTIz" not in line
    assert len(line) < LONGEST + 300


def test_a_long_detail_of_a_message_is_cut_like_the_message() -> None:
    record = logging.makeLogRecord({"name": "x", "levelname": "INFO", "msg": "so", "body": "long " * LONGEST})
    for line in (Lines().format(record), Lines(as_json=False).format(record)):
        assert "and so on" in line
        assert len(line) < LONGEST + 300


@pytest.mark.broad
def test_garbage_collections_leave_out_what_was_there_when_the_bot_was_warm() -> None:
    stays: list[list[int]] = [[]]
    try:
        warm_up(titles=())
        assert not any(one is stays for one in gc.get_objects())
    finally:
        gc.unfreeze()
    assert any(one is stays for one in gc.get_objects())


def test_refusals_show_their_rule_and_unknown_errors_show_nothing() -> None:
    refused = Refused(Pass(PlayerId("p1")), "1889-SR-02", "You may not do that.")
    assert explain(refused) == "You may not do that.\n-# Rule 1889-SR-02"
    assert "cannot read or save games" in (explain(Unavailable("/secret/path")) or "")
    assert explain(ValueError("inner workings")) is None


def test_what_discord_should_not_have_let_through_is_told_shortly() -> None:
    error = app_commands.TransformerError("x" * 5000, discord.AppCommandOptionType.string, app_commands.Transformer())
    said = explain(error) or ""
    assert said.endswith("cannot be used there.")
    assert len(said) < 100


def test_mentions_that_can_be_nobody_are_left_out() -> None:
    text = f"<@7> <@!8> <@{2**63 - 1}> <@{2**63}> <@{'9' * 4500}> <@٥> <@-1>"
    assert mentioned(text) == [7, 8, 2**63 - 1]


def test_stored_text_that_is_damaged_is_told_as_damage() -> None:
    with pytest.raises(json.JSONDecodeError) as damaged:
        json.loads('["beginner\x00"')
    assert "damaged" in (explain(damaged.value) or "")


def test_a_missing_permission_is_explained() -> None:
    class Response:
        status, reason = 403, "Forbidden"

    error = discord.Forbidden(Response(), {"code": 50013, "message": "Missing Permissions"})
    assert "Attach Files" in (explain(error) or "")
