"""Following a game, and live boards."""
