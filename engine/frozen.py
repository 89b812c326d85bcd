"""Dataclasses that nobody changes.

Type checkers see to that. Python's own frozen ones take four times as long to make, a sixth of the time that views,
legal actions and advice take.
"""

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(kind: Any = None, *, frozen: bool = False, eq: bool = True, **more: Any) -> Any:
        """As Python's, but for what `frozen` would forbid."""
        if kind is None:
            return lambda kind: dataclass(kind, frozen=frozen, eq=eq, **more)
        hashed = frozen and eq and "__hash__" not in vars(kind)
        return dataclasses.dataclass(kind, eq=eq, unsafe_hash=hashed, **more)
