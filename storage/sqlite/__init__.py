"""The adapter for SQLite: all games in one file."""
