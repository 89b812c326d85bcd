"""A promise that a title does not keep."""

from __future__ import annotations


class Broken(AssertionError):
    """What is wrong, as a sentence for the title's author."""


def must(kept: object, text: str) -> None:
    """Raise Broken with the text unless the promise is kept."""
    if not kept:
        raise Broken(text)
