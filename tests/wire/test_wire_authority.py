"""Who may do what: every command and every control, used by people who may not."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from wire_limits import COMPONENTS_V2
from wire_people import NoAnswer, Person, acknowledged, buttons, selects, until
from wire_play import Party, code_of, party, playing, seq_of
from wire_process import BotProcess, settled
from wire_server import Server
from wire_world import Message, snowflake

TABLES = (
    *(
        "games",
        "seats",
        "log",
        "offers",
        "standing_orders",
        "votes",
        "advice",
        "openings",
        "loans",
        "proposals",
        "handovers",
    ),
    "(SELECT id, game, kind, user_id, channel_id, events, every FROM watches)",
    "(SELECT * FROM people WHERE user_id <> :person)",  # how one is pinged oneself is one's own affair
)
ALWAYS = {"undo|sure", "vote|end|yes", "vote|pace|no", "pass|once", "pass|round", "pass|stop",
          "yes|1", "no|1", "join", "leave", "leave|sure", "sure|Pass", "sure|GoBankrupt|AR",
          "start", "Pass", "EndGame", "GoBankrupt|AR", "StateRevenue|AR|9999", "nonsense", "menu|BuyShare",
          "ask|Bid|TR", "hand", "show|table", "hex|LayTile|AR|C4", "try|LayTile|AR|C4|57|0", "routes|AR"}  # fmt: skip
OF_PLAYERS = {"game end", "pass", "game redo"}
"""What every player may do at any time; the last has limits of its own."""
OF_PLAYERS_CODES = ("vote|", "pass|", "program|", "undo|", "leave|sure")


def fingerprint(database: Path, person: int = 0) -> list[list[Any]]:
    """All that people can change, but for the settings of one of them."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return [
            connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2, 3", {"person": person}).fetchall()
            for name in TABLES
        ]


def commands_of(server: Server) -> dict[str, list[dict[str, Any]]]:
    """Every command as it is written, with the options that it needs."""
    found = {}

    def walk(node: dict[str, Any], name: str) -> None:
        inner = [one for one in node.get("options") or [] if one["type"] in (1, 2)]
        for one in inner:
            walk(one, f"{name} {one['name']}")
        if not inner:
            found[name] = [one for one in node.get("options") or [] if one.get("required")]

    for one in server.world.commands:
        walk(one, one["name"])
    return found


VALUES: dict[int, Any] = {
    3: lambda one: one["choices"][0]["value"] if one.get("choices") else "TR",
    4: lambda one: max(1, one.get("min_value") or 1),
    5: lambda one: True,
}


def forged(table: Party, code: str) -> Message:
    """A message as if the bot had put this control there."""
    custom_id = f"b:{table.game}:{table.seq()}:{code}"
    row = {"type": 1, "components": [{"type": 2, "style": 2, "label": "x", "custom_id": custom_id}]}
    return Message(snowflake(), table.channel, table.server.world.bot, "", [row], COMPONENTS_V2, {}, [])


def codes(message: Message) -> set[str]:
    lists = [option["value"] for options in selects(message).values() for option in options]
    return {code_of(one) for one in buttons(message).values()} | set(lists)


async def refused(server: Server, given: Any, what: str) -> None:
    """Wait until it is answered, in private."""
    await acknowledged(server, given)
    if given.kind == 9:
        return
    try:
        await until(server, lambda: bool(given.said), what=what)
    except NoAnswer as error:
        raise AssertionError(what) from error
    assert all(answer.private for answer in given.answers), what


async def try_all(table: Party, person: Person, channel: Any, *, player: bool) -> int:
    """Let somebody use everything; nothing may change. How much they tried."""
    server = table.server
    before, tried = fingerprint(table.database, person.id), 0
    for command, needs in commands_of(server).items():
        if (player and command in OF_PLAYERS) or any(one["type"] not in VALUES for one in needs):  # a file or a person
            continue
        options = {one["name"]: VALUES[one["type"]](one) for one in needs}
        given = await person.slash(channel, command, **options)
        if command.startswith("game ") and options.get("public"):
            continue
        await refused(server, given, command)
        assert fingerprint(table.database, person.id) == before, command
        tried += 1
    for code in sorted(codes(table.packet()) | ALWAYS):
        if player and code.startswith(OF_PLAYERS_CODES):
            continue
        message = forged(table, code)
        message.channel = channel
        given = await person.click(message, next(iter(buttons(message).values())))
        await refused(server, given, code)
        assert fingerprint(table.database, person.id) == before, code
        tried += 1
    return tried


async def test_nobody_can_do_what_is_not_theirs(server: Server, table: Party) -> None:
    await table.plays(6)
    up = table.up(table.packet())
    others = [one for one in table.people if one is not up and one is not table.people[0]]
    watcher = Person(server, server.world.person("watcher"))
    abroad = await party(server, table.database, 1, "abroad")
    tried = await try_all(table, watcher, table.channel, player=False)
    assert tried > 50
    await try_all(table, others[0], table.channel, player=True)
    await try_all(table, abroad.people[0], abroad.channel, player=False)
    await settled(server, table.database)
    assert seq_of(table.packet()) == table.seq()


async def test_the_token_is_in_no_log_answer_or_list_of_processes(
    server: Server, database: Path, tmp_path: Path
) -> None:
    from wire_world import TOKEN

    async with BotProcess(server, database, TETSUDO_LOG_LEVEL="DEBUG") as bot:
        table = await playing(server, database)
        await table.turn()
        await server.drop()
        await table.turn()
        assert bot.process is not None
        listing = await asyncio.to_thread(Path(f"/proc/{bot.process.pid}/cmdline").read_bytes)
        assert await bot.stop() == 0
    secret = TOKEN.rpartition(".")[2]
    said = "\n".join(text for one in server.world.interactions.values() for text in one.said)
    shown = "\n".join(text for one in table.channel.messages.values() for _, text in one.versions)
    assert "turn shown" in bot.log()
    for sink in (bot.log(), said, shown, listing.decode()):
        assert secret not in sink
        assert "-token-of-the-interaction" not in sink
    wrong = BotProcess(server, tmp_path / "other.sqlite3", DISCORD_TOKEN=TOKEN.replace("secret", "wrong"))
    assert await wrong.fails() == 2
    assert "does not accept DISCORD_TOKEN" in wrong.log()
    assert secret.replace("secret", "wrong") not in wrong.log()


FORGED = (
    "follow|1234567", "follow|Start", "games", "games|x", "take|x",
    "keep|p12", "open|1", "accept|p1", "refuse", "catchup|x",
    "pass|forever", "pass", "pass|once|x", "vote|maybe", "vote|end", "vote|moon|yes",
    "vote", "yes", "yes|" + "9" * 60, "no|-1", "price|1.5",
    "yes|٥", "menu", "menu|Nonsense", "menu|Bid|ZZ", "menu|Bid|TR|TR", "lay", "lay|LayTile", "lay|LayTile|ZZ",
    "lay|Bid|AR", "hex|LayTile|AR|C4|-1", "hex|LayTile|AR|C4|" + "9" * 40, "hex|LayTile|AR|Z99", "try|LayTile|AR|C4|57",
    "try|LayTile|AR|C4|57|6", "try|LayTile|AR|C4|ZZ|0", "routes", "routes|ZZ", "further|AR", "further|AR|²", "ask",
    "ask|Nonsense", "ask|BuyTrain|AR", "ask|BuyTrain|AR|2|ZZ", "ask|RunTrains", "ask|Bid|ZZ", "amount|Bid|TR",
    "show|moon", "show", "undo|really", "hand|x", "join|x", "start|x", "leave|x", "nonsense",
    "sure", "sure|nonsense", "sure|Dividend|AR|pay", "sure|Pass|x",
    "Deal|x", "StateRevenue|AR|9999", "BuyShare|AR", "SellShares|AR|5|5", "RunTrains|AR",
    "RunTrains|AR|zz", "|", "Bid||||",
)  # fmt: skip
"""Ids that the bot does not make, or not for this game."""


async def test_a_forged_control_is_out_of_date_and_nothing_is_stored(
    server: Server, bot: BotProcess, table: Party
) -> None:
    person = table.up(table.packet())
    before = fingerprint(table.database, person.id)
    for code in FORGED:
        message = forged(table, code)
        given = await person.click(message, next(iter(buttons(message).values())))
        await until(server, lambda given=given: bool(given.said), what=code)  # type: ignore[misc]
        assert "out of date" in given.said[-1], code
        form = {"custom_id": f"m:{table.game}:{table.seq()}:{code}", "components": []}
        filled = await person.interact(table.channel, 5, form)
        if not code.startswith("amount"):
            await until(server, lambda given=filled: bool(given.said), what=code)  # type: ignore[misc]
            assert "out of date" in filled.said[-1], code
    for odd in ("x", "b:nogame", f"b:{table.game}:0:" + "x" * 80):
        given = await person.click(message, odd)
        await until(server, lambda given=given: bool(given.said), what=odd)  # type: ignore[misc]
        assert "out of date" in given.said[-1], odd
    await settled(server, table.database)
    assert fingerprint(table.database, person.id) == before
    assert "Traceback" not in bot.log()
