"""What can be wrong with a game file."""


class BadRecord(Exception):
    """The record cannot be understood or played; the text says where and why."""
