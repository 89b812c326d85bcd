"""What JSON objects are called in this package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Record = Mapping[str, Any]
"""A JSON object that was read from a file: a game, or one of its actions."""
Body = dict[str, Any]
"""A JSON object to be written."""
