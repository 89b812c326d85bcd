"""What can go wrong, as exceptions.

    EngineError
      Refused        not allowed now: `.rule`, `.text` (a full sentence for the player), `.action`
      BadAction      not understandable: an unknown hex, a wrong type, bad JSON
      BadPosition    a stored position cannot be read by this version
      LogMismatch    a stored log stops replaying: `.seq` and the `Refused` that stopped it

An AssertionError is our own fault: an audit failed.
"""

from engine.actions import Action

LONGEST = 1200
"""Characters of the longest text; only a name that somebody made up can be longer."""


def _told(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… and so on."


class EngineError(Exception):
    """Base of all errors that the engine raises on purpose."""


class Refused(EngineError):
    """The rules do not allow the action now; `text` says which quantity fails and what is possible."""

    def __init__(self, action: Action, rule: str, text: str) -> None:
        super().__init__(f"{_told(text)} [{rule}]" if rule else _told(text))
        self.action = action
        self.rule = rule
        self.text = _told(text)


class BadAction(EngineError):
    """The action names something that does not exist or is not well formed. A long name is not repeated whole."""

    def __init__(self, text: str) -> None:
        super().__init__(_told(text))


class BadPosition(EngineError):
    """A stored position is damaged, or of a format that this version does not know."""


class LogMismatch(EngineError):
    """A stored action is no longer accepted; replay stopped at `seq`."""

    def __init__(self, seq: int, cause: EngineError) -> None:
        super().__init__(f"entry {seq}: {cause}")
        self.seq = seq
        self.cause = cause
