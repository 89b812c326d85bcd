"""What the simulated Discord does to be sure, and what is a third of a test's cost, done with less work."""

import asyncio
import copy
import marshal
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import simcord
from simcord import _dpy_internals, _runtime, components, gateway, results
from simcord.backend import serializers
from simcord.http import router

LOOK_SECONDS = 0.001

_settle = simcord.Env._settle_internal
_real_time = _dpy_internals._REAL_MONOTONIC
_bots_time = _dpy_internals._clock_monotonic


def use(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (components, results, serializers):
        monkeypatch.setattr(module, "deepcopy", copied)
    for module in (gateway, router):
        monkeypatch.setattr(module, "copy", SimpleNamespace(deepcopy=copied))
    monkeypatch.setattr(simcord.Env, "_settle_internal", _settle_once_quiet)
    monkeypatch.setattr(_runtime, "partial", _tracking)
    monkeypatch.setattr(_dpy_internals, "_clock_monotonic", _time)


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


def _tracking(track: Callable[..., Any], work: Any, **fixed: Any) -> Callable[..., Any]:
    """Tasks are watched themselves; so their steps need not be."""

    def tracked(
        original: Callable[..., Any], callback: Any, args: Any, *, when: Any, context: Any, **named: Any
    ) -> Any:
        if when is None and isinstance(getattr(callback, "__self__", None), asyncio.Task):
            return original(callback, *args, context=context)
        return track(work, original, callback, args, when=when, context=context, **fixed, **named)

    return tracked


def _time() -> float:
    """The event loop asks for it twice in each of its rounds, and is no bot."""
    return _real_time() if _runtime._BOT_SCOPE.get() is None else _bots_time()
