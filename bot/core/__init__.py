"""The table and its log, and what is kept beside it."""
