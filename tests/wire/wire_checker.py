"""Checks what must hold after every restart, from the database, the channel and a replay of the game."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

from wire_limits import walk
from wire_people import buttons, selects
from wire_play import Party, code_of, seq_of
from wire_process import rows

import engine
from bot.core.moves import Move, read_note, turn_key
from engine.action_json import from_json
from storage import Store


class Wrong(AssertionError):
    """Something was lost, stored twice or sent twice."""


def ids_of(components: list[dict[str, Any]]) -> list[str]:
    return [one["custom_id"] for one in walk(components) if "custom_id" in one]


class Checker:
    """Checks one party's game. It remembers which turns had been announced at each check."""

    def __init__(self, party: Party, title: str, players: int) -> None:
        self.party = party
        self.title = engine.build(title, players)
        self.beginning = engine.start(self.title, ["Aiko", "Ben", "Chloe", "Daichi", "Emma", "Fumi"][:players])
        self.moves: list[Move] = []
        self.keys = [str(turn_key(self.title, [], self.beginning))]
        self.announced: set[str] = set()

    def read(self) -> None:
        """Replay what is new in the log."""
        found = rows(
            self.party.database,
            "SELECT seq, body, by_user, note FROM log WHERE game = ? AND seq > ? ORDER BY seq",
            *(self.party.game, len(self.moves)),
        )
        for seq, body, user, note in found:
            state = self.moves[-1].state if self.moves else self.beginning
            action = from_json(json.loads(body))
            new = engine.apply(self.title, state, action)
            self.moves.append(Move(seq, action, user, read_note(note), new, state.operating or ""))
            self.keys.append(str(turn_key(self.title, self.moves, self.beginning)))

    def check(self) -> None:
        """Raise Wrong unless everything holds; to be called once the bot has nothing left to send."""
        self.read()
        self._nothing_shown_is_lost()
        self._every_row_is_of_one_press()
        self._pinged_once()

    def _nothing_shown_is_lost(self) -> None:
        """Every position that was shown is in the log, and every confirmed press is stored once."""
        shown = [
            int(one.split(":", 3)[2])
            for message in self.party.channel.messages.values()
            for components, _ in message.versions
            for one in ids_of(components)
        ]
        if max(shown, default=0) > len(self.moves):
            raise Wrong(f"position {max(shown)} was shown, but the log ends at {len(self.moves)}")
        for given in self.party.presses:
            if any(said.startswith("✓") for said in given.said):
                found = rows(self.party.database, "SELECT did FROM interactions WHERE id = ?", str(given.id))
                if len(found) != 1:
                    raise Wrong(f"a confirmed press is stored {len(found)} times")

    def _every_row_is_of_one_press(self) -> None:
        """No action is stored twice: every row by a person is of one press, which the first of its rows names."""
        found = rows(
            self.party.database,
            "SELECT interaction_id, by_user, at FROM log WHERE game = ? AND by_user IS NOT NULL ORDER BY seq",
            self.party.game,
        )
        times = Counter(
            one
            for (_, *before), (one, *here) in pairwise([(None, None, None), *found])
            if one is not None or here != before
        )
        known = {str(given.id) for given in self.party.presses}
        wrong = [one for one, count in times.items() if count > 1 or one not in known]
        if wrong:
            raise Wrong(f"rows that are not of one press: {wrong}")

    def _pinged_once(self) -> None:
        """For each turn, everybody who was up was pinged exactly once."""
        pings: Counter[tuple[str, int]] = Counter()
        offers: Counter[tuple[str, int]] = Counter()
        for user, message in self.party.server.world.pings:
            if message.channel is not self.party.channel:
                continue
            ids = ids_of(message.versions[0][0])
            if any(code_of(one).startswith("yes|") for one in ids):
                offers[next(one for one in ids if code_of(one).startswith("yes|")), user] += 1
            elif ids:
                pings[self.keys[int(ids[0].split(":", 3)[2])], user] += 1
        state = self.moves[-1].state if self.moves else self.beginning
        if not state.over:
            self.announced.add(self.keys[-1])
        for key in self.announced:
            for user in self._up(key):
                if pings[key, user] != 1:
                    raise Wrong(f"{user} was pinged {pings[key, user]} times for {key}")
        doubled = [key for key, count in (pings + offers).items() if count > 1]
        if doubled:
            raise Wrong(f"pinged twice: {doubled}")

    def _up(self, key: str) -> list[int]:
        seats = key.partition(":")[0].split("+")
        return [self.party.people[int(seat[1:]) - 1].id for seat in seats if seat.startswith("p")]

    def newest_shows_the_position(self) -> None:
        message = self.party.packet()
        if seq_of(message) != len(self.moves):
            raise Wrong(f"the newest message shows {seq_of(message)}, the game is at {len(self.moves)}")
        if not (buttons(message) or selects(message)):
            raise Wrong("the newest message has no controls")


async def sound(database: Any) -> None:
    """Raise Wrong if the store finds any problem in the file."""
    async with Store.open(database) as store:
        problems = await store.check()
    if problems:
        raise Wrong("; ".join(problems))
