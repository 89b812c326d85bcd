"""How a command says that it failed."""


class Failure(Exception):
    """Something the user can fix: printed without a traceback, exit code 1."""


def counted(count: int, word: str) -> str:
    """The word with its count: "1 game", "1,204 games"."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
