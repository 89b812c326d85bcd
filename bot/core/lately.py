"""What was kept last."""

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Lately(OrderedDict[K, V]):
    """As many entries as there may be, those that were set last; what was set longest ago goes first."""

    def __init__(self, most: int = 1000) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.most:
            self.popitem(last=False)
