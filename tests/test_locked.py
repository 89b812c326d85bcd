"""What the container installs is locked, whole and with hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements.lock").read_text("utf-8")


def test_every_dependency_is_locked_at_a_version_that_fits() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    pins = {canonicalize_name(name): pin for name, pin in re.findall(r"^([\w.-]+)==([^ ;]+)", LOCK, re.MULTILINE)}
    extras = project["project"]["optional-dependencies"]
    extra = extras["postgres"] + extras["endpoint"]  # the image serves either engine, and what comes over HTTP
    for wanted in map(Requirement, [*project["project"]["dependencies"], *extra, *project["build-system"]["requires"]]):
        assert pins[canonicalize_name(wanted.name)] in wanted.specifier


def test_every_pin_has_hashes_and_no_address() -> None:
    pins = re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.MULTILINE)[1:]
    assert len(pins) > 10
    assert [pin.splitlines()[0] for pin in pins if "--hash=sha256:" not in pin] == []
    assert "://" not in LOCK
