"""A program that is damaged in the database is off, and its owner and the log are told: everybody plays on."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest
from club import Club, text
from player import private_answer

from bot.core import desks
from bot.core.orders import Desk
from bot.words.programs import NEWER, UNREADABLE
from engine.ids import CorpId, PlayerId
from programs import Buy, PassAhead

Damage = Callable[[dict[str, Any]], Any]


def changed(**values: Any) -> Damage:
    """The first program with other values."""
    return lambda body: {**body, "programs": [{**body["programs"][0], **values}, *body["programs"][1:]]}


def within(**values: Any) -> Damage:
    """The first program with other fields of its own."""
    return lambda body: changed(program={**body["programs"][0]["program"], **values})(body)


DAMAGE: dict[str, Damage] = {
    "no object": lambda body: [],
    "no list": lambda body: {**body, "programs": 7},
    "not even a program": lambda body: {**body, "programs": [5, *body["programs"][1:]]},
    "no number": changed(number="x"),
    "no row": changed(last=None),
    "nothing in it": lambda body: {**body, "programs": [{"number": 1}, *body["programs"][1:]]},
    "no kind": within(kind=7),
    "no such company": within(corp="AS"),
    "a delay backwards": lambda body: {**changed(last=None)(body), "delay": [9, 3]},
    "a delay of nothing": lambda body: {**changed(last=None)(body), "delay": 3},
    "told in other words": lambda body: {**changed(last=None)(body), "told": [3]},
    "made in other words": lambda body: {**changed(last=None)(body), "made": "x"},
    "a draft of an earlier version": lambda body: {**changed(last=None)(body), "draft": {"kind": []}},
}


async def rewrite(club: Club, damage: Callable[[str], str]) -> None:
    """Change what is stored of the programs of p2, and read it anew."""
    table = await club.table()
    (order,) = (await table.store.orders.of_game(table.game.id)).values()
    body = damage(order.body)
    await table.store._db.write(lambda tx: tx.run("UPDATE standing_orders SET body = ?", body))
    club.bot.tables._tables.clear()


async def switched_on(club: Club) -> None:
    """Two programs of the second player: one that waits for a share, and one that passes."""
    table = await club.begin(3)
    await desks.enable(table, PlayerId("p2"), Buy(corp=CorpId("AR"), most=200, off=Buy.watches))
    await desks.enable(await club.table(), PlayerId("p2"), PassAhead(off=PassAhead.watches))


def spoilt(damage: Damage, sound: str, _: str = "") -> str:
    """What is stored after this damage to a sound text, whatever is stored now."""
    return json.dumps(damage(json.loads(sound)))


async def test_a_damaged_program_is_off(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    await switched_on(club)
    table = await club.table()
    (sound,) = (await table.store.orders.of_game(table.game.id)).values()
    for name, damage in DAMAGE.items():
        await rewrite(club, partial(spoilt, damage, sound.body))
        caplog.clear()
        with caplog.at_level(logging.WARNING, "tetsudo.programs"):
            table = await club.table()
        assert [record.message[:27] for record in caplog.records] == ["a program cannot be read an"], name
        desk = table.orders.desk("p2")
        assert [one.cause.why for one in desk.told] == ["damaged"], name
        nothing = name in ("no object", "no list")
        assert [one.program.kind for one in desk.kept] == ([] if nothing else [PassAhead.kind]), name
        assert UNREADABLE in await programs(club), name


@pytest.mark.parametrize(("name", "kept"), [("no object", False), ("no kind", True)])
async def test_everybody_plays_on_where_a_program_is_damaged(club: Club, name: str, kept: bool) -> None:
    await switched_on(club)
    await rewrite(club, partial(spoilt, DAMAGE[name]))
    await club.aiko.slash(club.channel, "pass")
    if not kept:
        await club.ben.slash(club.channel, "pass")
    assert (await club.table()).position.up == ("p3",)
    assert UNREADABLE in await programs(club)


@pytest.mark.long
@pytest.mark.parametrize("newer", [within(kind="Byu"), within(until="rich"), within(gently=True)])
async def test_a_program_of_a_newer_version_is_left_alone_and_said_to_wait(club: Club, newer: Damage) -> None:
    """As long as processes of both versions run, it was switched off by those of the older one."""
    await switched_on(club)
    await rewrite(club, partial(spoilt, newer))
    table = await club.table()
    (before,) = (await table.store.orders.of_game(table.game.id)).values()
    await club.aiko.slash(club.channel, "pass")
    (after,) = (await table.store.orders.of_game(table.game.id)).values()
    stored = [[one["program"] for one in json.loads(order.body)["programs"]] for order in (before, after)]
    assert stored[0] == stored[1], "the one after it has passed, and the newer one is as it was"
    assert (await club.table()).position.up == ("p3",)
    assert NEWER in await programs(club)
    assert UNREADABLE not in await programs(club)


async def test_text_that_is_no_json_stops_programs_alone(club: Club) -> None:
    await switched_on(club)
    await rewrite(club, lambda text: text[:-3])
    table = await club.table()
    assert table.orders.desk("p2").told
    await club.aiko.slash(club.channel, "pass")
    assert (await club.table()).position.up == ("p2",)


async def test_a_stop_is_stored_as_facts_and_worded_when_it_is_read(club: Club) -> None:
    table = await club.begin(3)
    await desks.enable(table, PlayerId("p2"), PassAhead())
    await club.aiko.slash(club.channel, "pass")
    await club.undo(club.ben)
    (order,) = (await table.store.orders.of_game(table.game.id)).values()
    (told,) = json.loads(order.body)["told"]
    assert (told["cause"], told["program"]["kind"]) == ({"why": "undone"}, "pass")
    assert "taken back" not in order.body
    assert "Pass: Moves that it had made or followed were taken back." in await programs(club)


async def test_a_stop_that_an_earlier_release_put_into_words_is_told_in_them(club: Club) -> None:
    await switched_on(club)
    await rewrite(club, lambda text: json.dumps({**json.loads(text), "told": [[1764000000, "It was the rain."]]}))
    assert "<t:1764000000:R> It was the rain." in await programs(club)


async def test_why_a_program_stopped_is_told_though_it_cannot_be_read(club: Club) -> None:
    await switched_on(club)
    told = {"at": 1764000000, "program": {"kind": "Byu"}, "cause": {"why": "rust", "corp": "AR", "rank": "2"}}
    await rewrite(club, lambda text: json.dumps({**json.loads(text), "told": [told]}))
    assert "<t:1764000000:R> **AR** lost its 2-trains to rust." in await programs(club)


async def programs(club: Club) -> str:
    """What the second player reads of their programs."""
    return text(private_answer(await club.ben.slash(club.channel, "my programs")))


async def test_programs_of_no_seat_are_left_out(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    await switched_on(club)
    table = await club.table()
    await table.store._db.write(lambda tx: tx.run("UPDATE standing_orders SET seat = 'q2'"))
    club.bot.tables._tables.clear()
    with caplog.at_level(logging.WARNING, "tetsudo.programs"):
        assert not (await club.table()).orders.desks
    assert "programs of no seat" in caplog.text


@pytest.mark.broad
async def test_a_program_that_fails_stops_alone(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    await switched_on(club)
    monkeypatch.setattr(Buy, "move", Mock(side_effect=KeyError("X")))
    await club.aiko.slash(club.channel, "pass")
    table = await club.table()
    assert table.position.up == ("p3",)
    assert [one.program.kind for one in table.orders.desk("p2").kept] == [PassAhead.kind]
    assert UNREADABLE in text(private_answer(await club.ben.slash(club.channel, "my programs")))
    assert Desk.read(table.orders.desk("p2").order(), table.title) == table.orders.desk("p2")  # type: ignore[arg-type]
