"""The turn: what it shows, and everything that is done in it."""
