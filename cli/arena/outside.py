"""A program of somebody else's as a player: one line of JSON for each decision, on its standard input and output.

What it cannot or does not answer in time is decided for it; it may die, hang or answer nonsense, and the game goes on.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import Any

from cli.matches import Agreed
from engine import Action, BadAction, PlayerId, State, Title, from_json, judge, to_json
from engine.secrets import hidden_purses
from engine.stored import body_of
from opponents import choose
from opponents.question import Question, ask

LONGEST = 1_000_000
"""Bytes of the longest answer."""
LIVES = 3
"""How often it may die or hang in a game; then all its decisions are made for it."""
ENDS = 1.0
"""Seconds that it has to end by itself once its game is over."""


class NoDecision(Exception):
    """It has no decision; the text says why, as it is told to the program."""


class Outside:
    """Plays a seat of one game; `close` it at the end."""

    def __init__(self, command: Sequence[str], seed: int, seconds: float) -> None:
        """`seconds` it has for a decision."""
        self.command, self.seed, self.seconds = command, seed, seconds
        self.faults: list[str] = []
        """Why decisions were made for it."""
        self._refused = ""
        """Why its last answer was not taken, if so."""
        self._process: subprocess.Popen[bytes] | None = None
        self._lives = LIVES

    def move(self, t: Title, s: State, seat: PlayerId, agreed: Agreed) -> Action:
        """What it answers, or else what a learner would do."""
        q = ask(t, s, seat)
        try:
            action = understood(q, self._answer(request(t, s, q, self.seconds, self._refused)))
            _check(t, s, action, agreed)
        except NoDecision as fault:
            self._refused = str(fault)
            self.faults.append(self._refused)
            return choose(t, s, seat, "learner", self.seed).action
        self._refused = ""
        return action

    def agrees(self, t: Title, s: State, action: Action, seat: PlayerId) -> bool:
        """Never: it is not asked about deals."""
        return False

    def _answer(self, asked: Mapping[str, Any]) -> bytes:
        """A line that it writes when it is asked. Raises NoDecision."""
        if not self._lives:
            raise NoDecision(f"It died or was too slow {LIVES} times in this game.")
        try:
            process = self._running()
        except OSError as error:
            self._lives -= 1
            raise NoDecision(f"It could not be started: {error.strerror}.") from error
        answers: Queue[bytes] = Queue()
        line = json.dumps(asked, separators=(",", ":")).encode() + b"\n"
        Thread(target=_exchange, args=(process, line, answers), daemon=True).start()
        try:
            answer = answers.get(timeout=self.seconds)
        except Empty:
            self._give_up()
            raise NoDecision(f"It did not answer within {self.seconds:g} seconds.") from None
        if not answer.endswith(b"\n"):
            self._give_up()
            raise NoDecision(f"Its answer is longer than {LONGEST} bytes." if answer else "It died.")
        return answer

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        return self._process

    def _give_up(self) -> None:
        self._lives -= 1
        self.close(0.0)

    def close(self, seconds: float = ENDS) -> None:
        """Let it end, and make it end if it does not within so many seconds."""
        process, self._process = self._process, None
        if process is None:
            return
        if seconds:
            with suppress(OSError):
                process.stdin.close()  # type: ignore[union-attr]
            with suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
        _kill(process)
        with process:
            process.wait()


def _exchange(process: subprocess.Popen[bytes], line: bytes, answers: Queue[bytes]) -> None:
    """Write the line and read one; empty if that cannot be done."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(line)
        process.stdin.flush()
        answers.put(process.stdout.readline(LONGEST))
    except (OSError, ValueError):
        answers.put(b"")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End it, with all that it has started where the system lets us."""
    with suppress(OSError):
        if sys.platform != "win32":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def request(t: Title, s: State, q: Question, seconds: float, refused: str) -> dict[str, Any]:
    """What the program is asked: the position as its seat may know it, and what it may do."""
    asked: dict[str, Any] = {
        "title": t.id,
        "options": sorted(t.options),
        "players": t.players,
        "seat": q.seat,
        "step": q.step,
        "company": q.corp,
        "position": body_of(q.s),
        "estimates": hidden_purses(t, s, q.seat),
        "choices": [to_json(option) for option in q.options],
        "seconds": seconds,
    }
    return {**asked, "refused": refused} if refused else asked


def understood(q: Question, answer: bytes) -> Action:
    """The action that a program answers with. Raises NoDecision."""
    try:
        body = json.loads(answer)
    except (ValueError, RecursionError) as error:
        raise NoDecision("Its answer is not JSON.") from error
    number = body.get("choose") if isinstance(body, dict) else None
    if isinstance(number, int) and not isinstance(number, bool):
        if 0 <= number < len(q.options):
            return q.options[number]
        raise NoDecision(f"There is no choice {number}; the last is {len(q.options) - 1}.")
    if not isinstance(body, dict) or not isinstance(body.get("action"), dict):
        raise NoDecision('Its answer is neither {"choose": NUMBER} nor {"action": {...}}.')
    try:
        action = from_json(body["action"])
    except BadAction as error:
        raise NoDecision(str(error)) from error
    if action.by != q.seat:
        raise NoDecision(f"It decides for {q.seat}, not for {action.by}.")
    return action


def _check(t: Title, s: State, action: Action, agreed: Agreed) -> None:
    """Raise NoDecision unless the action is legal, and those agree who must."""
    try:
        refusal = judge(t, s, action)
    except BadAction as error:
        raise NoDecision(str(error)) from error
    if refusal is not None:
        raise NoDecision(str(refusal))
    if not agreed(action):
        raise NoDecision("Those do not agree whose agreement it needs.")
