"""Two games that differ only in hidden cash: nobody else can tell them apart, by what is asked, when, or shown.

The same moves are made in both. Compared is all that is posted and edited, with where messages end, the files, and what
another player and somebody without a seat can open.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from club import Club
from days import Hand
from tables import richer
from twins import Twin, described, digest

import engine
from bot.core.table import Table
from bot.rooms.past.workshop import Job, replayed, stills
from engine.actions import Action, EndGame
from engine.ids import CHANCE, PlayerId
from engine.state import State
from records.simulate import choose

MORE = 160


class World(Twin):
    """A game in which one player has more than the rules give."""

    async def played(self, random: Random, other: State, script: list[Action]) -> State:
        """A move by chance that the other world allows too; the position there after it."""
        t, before = self.table.title, self.seen()
        for _ in range(60):
            action = choose(t, self.table.position.state, random)
            if engine.consent(t, self.table.position.state, action) or isinstance(action, EndGame):
                continue
            if engine.judge(t, other, action) is None:
                break
        script.append(action)
        await self.made(action)
        for move in self.table.moves[before:]:
            other = engine.apply(t, other, move.action)
        return other

    async def made(self, action: Action) -> None:
        before = self.seen()
        await self.table.submit(action, user=self.table.seats[action.by].user_id)
        await self.shown(before)

    async def opened(self) -> dict[str, Any]:
        """What others can open; of films the pictures, as the bot itself makes them of positions."""
        found = await self.read_by_others()
        for what in (one for one in found if one.endswith(" film")):
            jobs = [Job(**json.loads(text)) for text in found[what] if isinstance(text, str)]
            found[what] = [digest(stills(*replayed(job), job.of)) for job in jobs] or found[what]
        return found

    def compared(self, files: dict[str, Any]) -> dict[str, Any]:
        """Files without what only the host of the bot can read: fingerprints of positions."""
        stored = [(*one[:7], one[8]) for one in files["stored"]]
        return {**files, "stored": stored}


LONGER = pytest.param("hidden_cash", 12, 48, marks=pytest.mark.slow)
OPEN = pytest.param("hidden_cash open_treasuries", 5, 48, marks=pytest.mark.slow)


@pytest.mark.broad
@pytest.mark.rule("1890-VAR-05")
@pytest.mark.parametrize(("options", "seed", "moves"), [("hidden_cash", 12, 40), LONGER, OPEN])
@pytest.mark.pictures
async def test_nobody_can_tell_who_has_more(
    club: Club, hand: Hand, monkeypatch: pytest.MonkeyPatch, options: str, seed: int, moves: int
) -> None:
    described(monkeypatch)
    random, script = Random(seed), []  # type: ignore[var-annotated]
    now = hand.now
    with monkeypatch.context() as first:
        richer(first, "p1", MORE)
        one = World(club, club.channel, hand, first)
        await one.begin("1890", options)
        other_state = _moved(one.table)
        while one.seen() < moves and not one.table.position.over:
            other_state = await one.played(random, other_state, script)
        public, files, answers = one.public(), one.compared(await one.files()), await one.opened()
    drawn = iter([move.action for move in one.table.moves if move.action.by == CHANCE])
    with monkeypatch.context() as second:
        richer(second, "p2", MORE)
        second.setattr("bot.core.outcome.RANDOM.choice", lambda offered: next(drawn))
        hand.now = now
        other = World(club, club.guild.create_text_channel("other"), hand, second)
        await other.begin("1890", options)
        for action in script:
            await other.made(action)
        assert [move.action for move in other.table.moves] == [move.action for move in one.table.moves]
        assert [move.note for move in other.table.moves] == [move.note for move in one.table.moves]
        assert [len(group) for group in other.groups] == [len(group) for group in one.groups]
        assert other.public() == public
        assert other.compared(await other.files()) == files
        read = await other.opened()
        assert {what: read[what] for what in read if read[what] != answers[what]} == {}


def _moved(table: Table) -> State:
    """The start of the game as the other world has it."""
    state = table.beginning.copy()
    state.cash[PlayerId("p1")] -= MORE
    state.cash[PlayerId("p2")] += MORE
    for move in table.moves:
        state = engine.apply(table.title, state, move.action)
    return state
