"""What the simulated Discord does to be sure, and what is a third of a test's cost, done with less work."""

import asyncio
import copy
import marshal
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import simcord
from simcord import _runtime, components, gateway, results
from simcord.backend import serializers
from simcord.http import router

LOOK_SECONDS = 0.001

_settle = simcord.Env._settle_internal
_track = _runtime._track_callback


def use(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on."""
    for module in (components, results, serializers):
        monkeypatch.setattr(module, "deepcopy", copied)
    for module in (gateway, router):
        monkeypatch.setattr(module, "copy", SimpleNamespace(deepcopy=copied))
    monkeypatch.setattr(simcord.Env, "_settle_internal", _settle_once_quiet)
    monkeypatch.setattr(_runtime, "_track_callback", _track_unless_task)


def copied(one: Any) -> Any:
    """A copy of what is sent, which is plain but for files."""
    try:
        return marshal.loads(marshal.dumps(one))
    except ValueError:
        return copy.deepcopy(one)


async def _settle_once_quiet(env: Any, **named: Any) -> None:
    """It looks at all tasks whenever one has ended; while others can go on, there is no need to."""
    late = env._loop.time() + env.settle_timeout
    await asyncio.sleep(0)
    while env._loop._ready and env._loop.time() < late:  # noqa: ASYNC110
        await asyncio.sleep(LOOK_SECONDS)
    await _settle(env, **{"idle": 10 * LOOK_SECONDS, **named})


def _track_unless_task(work: Any, original: Callable[..., Any], callback: Any, args: Any, **named: Any) -> Any:
    """Tasks are watched themselves; so their steps need not be."""
    if named["when"] is None and isinstance(getattr(callback, "__self__", None), asyncio.Task):
        return original(callback, *args, context=named["context"])
    return _track(work, original, callback, args, **named)
