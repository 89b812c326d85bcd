"""Numbers that count how often they are compared: what work costs, without a clock."""

from __future__ import annotations


class Counted(int):
    """A number that counts how often such numbers are compared."""

    compared = 0

    def __lt__(self, other: int) -> bool:
        Counted.compared += 1
        return int(self) < int(other)

    def __le__(self, other: int) -> bool:
        Counted.compared += 1
        return int(self) <= int(other)
