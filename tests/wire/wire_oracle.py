"""What must be so after every restart, read from the database, the channel and a replay of the game."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from wire_limits import walk
from wire_people import buttons, selects
from wire_play import Party, code_of, seq_of
from wire_process import rows

import engine
from bot.table import Told, turn_key
from engine.actions import from_json
from storage import Store


class Wrong(AssertionError):
    """Something was lost, doubled or said twice."""


def ids_of(components: list[dict[str, Any]]) -> list[str]:
    return [one["custom_id"] for one in walk(components) if "custom_id" in one]


class Oracle:
    """Looks at one party's game. It remembers the turns that were announced when all was quiet."""

    def __init__(self, party: Party, title: str, players: int) -> None:
        self.party = party
        self.title = engine.build(title, players)
        self.beginning = engine.start(self.title, ["Aiko", "Ben", "Chloe", "Daichi", "Emma", "Fumi"][:players])
        self.told: list[Told] = []
        self.keys = [turn_key(self.title, [], self.beginning)]
        self.announced: set[str] = set()

    def read(self) -> None:
        """Replay what is new in the log."""
        found = rows(
            self.party.database,
            "SELECT seq, body, by_user, note FROM log WHERE game = ? AND seq > ? ORDER BY seq",
            *(self.party.game, len(self.told)),
        )
        for seq, body, user, note in found:
            state = self.told[-1].state if self.told else self.beginning
            action = from_json(json.loads(body))
            new = engine.apply(self.title, state, action)
            self.told.append(Told(seq, action, user, note, new, state.operating or ""))
            self.keys.append(turn_key(self.title, self.told, self.beginning))

    def check(self) -> None:
        """Raise Wrong unless the quiet game is as it must be."""
        self.read()
        self._nothing_shown_is_lost()
        self._every_row_is_one_press()
        self._pinged_once()

    def _nothing_shown_is_lost(self) -> None:
        """A position that anybody was shown is in the log, and what was confirmed is stored."""
        shown = [
            int(one.split(":", 3)[2])
            for message in self.party.channel.messages.values()
            for components, _ in message.versions
            for one in ids_of(components)
        ]
        if max(shown, default=0) > len(self.told):
            raise Wrong(f"position {max(shown)} was shown, but the log ends at {len(self.told)}")
        for given in self.party.presses:
            if any(said.startswith("✓") for said in given.said):
                found = rows(self.party.database, "SELECT did FROM interactions WHERE id = ?", str(given.id))
                if len(found) != 1:
                    raise Wrong(f"a confirmed press is stored {len(found)} times")

    def _every_row_is_one_press(self) -> None:
        """No action is there twice: every row by a person belongs to one press of theirs."""
        found = rows(
            self.party.database,
            "SELECT seq, interaction_id FROM log WHERE game = ? AND note IS NOT 'auto: nothing else to do'"
            " AND by_user IS NOT NULL",
            self.party.game,
        )
        times = Counter(one for _, one in found)
        known = {str(given.id) for given in self.party.presses}
        wrong = [one for one, count in times.items() if count > 1 or one not in known]
        if wrong:
            raise Wrong(f"rows that are not one press each: {wrong}")

    def _pinged_once(self) -> None:
        """Everybody who was up was pinged exactly once for each turn."""
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
        state = self.told[-1].state if self.told else self.beginning
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
        if seq_of(message) != len(self.told):
            raise Wrong(f"the newest message shows {seq_of(message)}, the game is at {len(self.told)}")
        if not (buttons(message) or selects(message)):
            raise Wrong("the newest message has no controls")


async def sound(database: Any) -> None:
    """Raise Wrong unless the whole file is as it was written."""
    async with Store.open(database) as store:
        problems = await store.check()
    if problems:
        raise Wrong("; ".join(problems))
