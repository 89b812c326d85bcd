"""Puzzles: one a day where a channel asks for it, and for oneself."""
