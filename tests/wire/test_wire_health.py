"""A bot that hangs is noticed, one that is well says so."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

from wire_people import until
from wire_play import party
from wire_process import ROOT, BotProcess
from wire_server import Server

from bot.chat.health import last_sign, sign_of


async def health(database: Path) -> tuple[int, str]:
    """`tetsudo health` as a container runs it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cli.main", "health"),
        cwd=ROOT,
        env={"TETSUDO_DB": str(database)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    return process.returncode or 0, out.decode()


async def test_a_bot_gives_signs_of_life_until_it_hangs(tmp_path: Path) -> None:
    async with Server() as server, BotProcess(server, tmp_path / "games.sqlite3") as bot:
        table = await party(server, bot.database)
        await table.begin()
        await until(server, lambda: last_sign(bot.database) is not None, what="a sign")
        assert (await health(bot.database))[0] == 0
        assert bot.process is not None
        bot.process.send_signal(signal.SIGSTOP)
        sign = sign_of(bot.database)
        await asyncio.to_thread(age, sign)
        code, said = await health(bot.database)
        assert (code, "no sign of life" in said) == (1, True)
        bot.process.send_signal(signal.SIGCONT)
        assert await bot.stop() == 0
        assert last_sign(bot.database) is None


def age(sign: Path) -> None:
    """Make a sign look five minutes old, so that the test need not wait."""
    import json

    body = json.loads(sign.read_text())
    sign.write_text(json.dumps(body | {"tick": body["tick"] - 300}))
