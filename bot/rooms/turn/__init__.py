"""The turn: what it shows, and everything one does in it."""
