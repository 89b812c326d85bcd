"""What can be wrong with a game file."""

LONGEST = 600
"""Characters of the longest text; longer quotes from a file are cut."""


class BadRecord(Exception):
    """The file cannot be understood or played; the text says where and why."""

    def __init__(self, text: str) -> None:
        super().__init__(text if len(text) <= LONGEST else f"{text[:LONGEST]}… and so on.")
