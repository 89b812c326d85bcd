"""Opening a game, and seats that change hands."""
