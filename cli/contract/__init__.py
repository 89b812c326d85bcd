"""What every title promises, whatever its rules: `tetsudo check-title` and the tests ask the same questions here.

`CHECKS` lists them. A check plays games of one setup and raises `Broken`, or whatever goes wrong, at the first move at
which a promise is not kept; its `Trail` knows which game and move that was. Nothing here asks which title it is.
"""


class Broken(AssertionError):
    """What is wrong, as a sentence for the title's author."""


def must(kept: object, text: str) -> None:
    """Raise Broken with the text unless the promise is kept."""
    if not kept:
        raise Broken(text)
