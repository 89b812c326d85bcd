"""Looking back: history, charts, films, the end of a game."""
