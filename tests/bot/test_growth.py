"""What a process that runs for months keeps of games that are over, of their channels and of their people: nothing."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import pytest
from club import Club
from days import Day
from player import more, private_answer

from bot.core.hours import HOUR

OURS = ("bot.", "board.", "storage.", "opponents.", "programs.")


def parts(one: Any) -> Iterator[tuple[str, Any]]:
    """What an object of ours, or a collection, holds; those of one collection have one name."""
    if isinstance(one, Mapping):
        yield from (("[]", part) for pair in list(one.items()) for part in pair)
    elif isinstance(one, Collection) and not isinstance(one, str | bytes):
        yield from (("[]", part) for part in list(one))
    elif type(one).__module__.startswith(OURS) or type(one).__name__ in ("AutoShardedConnectionState", "ViewStore"):
        names = [*vars(one)] if hasattr(one, "__dict__") else []
        names += [name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())]
        yield from ((f".{name}", getattr(one, name)) for name in names if hasattr(one, name))


def sizes(root: Any) -> Counter[str]:
    """How much the collections hold that can be reached, by the shortest way to them."""
    found, seen, ahead = Counter[str](), {id(root)}, deque([("", root)])
    while ahead:
        at, one = ahead.popleft()
        if isinstance(one, Collection) and not isinstance(one, str | bytes | tuple):
            found[at] += len(one)
        for name, part in parts(one):
            if id(part) not in seen and not isinstance(part, int | str | bytes | float | None):
                seen.add(id(part))
                ahead.append((at + name, part))
    return found


async def plays(club: Club, number: int) -> None:
    """A game on a server of its own, of people who are seen nowhere else, who do much beside it."""
    env = club.env
    here = club.guild = env.create_guild(f"Club {number}")
    people = [here.add_member(env.create_user(f"{name}{number}", global_name=name)) for name in ("Ito", "Jun", "Kei")]
    club.members, club.channel = people, here.create_text_channel("game")
    table, (host, other, watcher) = await club.begin(2), people
    await host.click(club.packet(), label="Pass")
    await host.click(private_answer(await host.slash(club.channel, "my hand")), label="Note…")  # and closed again
    for command in ("my games", "my programs", "my settings", "my board", "game undo"):
        await host.slash(club.channel, command)
    for command in ("game status", "show map", "game help", "game export", "seat list"):
        await watcher.slash(club.channel, command)
    await other.click(await more(other, club.packet()), label="Try out")
    for one in (host, other):
        await one.slash(club.channel, "game end")
    assert table.position.over
    await host.click(club.packet(), label="Rematch")
    await host.slash(club.channel, "game end")
    await club.bot.get_guild(here.id).leave()  # type: ignore[union-attr]
    await club.env.settle()
    await club.announces(table)


@pytest.mark.broad
@pytest.mark.parametrize("games", [1, pytest.param(150, marks=pytest.mark.slow)])
async def test_nothing_is_kept_of_what_is_over(
    club: Club, day: Day, monkeypatch: pytest.MonkeyPatch, games: int
) -> None:
    bot, sender = club.bot, club.bot.sender
    of_bot = bot._delivered, bot.replayed, bot._seen, bot.messages._presses
    for lately in (*of_bot, sender._troubles, sender._witnesses):
        monkeypatch.setattr(lately, "most", 2)
    found = []
    for number in range(2 * games + 1):
        await plays(club, number)
        day.hand.now += HOUR
        await day.tick()
        await club.bot.compare()
        await club.bot.sender.sweep()
        await club.env.settle()
        for one in club.bot.tables.loaded():  # all but a number of them are let go after a while
            club.bot.tables.forget(one.id)
        club.forget_transcript()
        found.append(sizes(club.bot))
    before, after = found[games], found[-1]
    assert {at: (before[at], count) for at, count in after.items() if count > before[at]} == {}
