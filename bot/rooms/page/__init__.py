"""Opening the board: a page beside the chat on which the game is seen and played."""
