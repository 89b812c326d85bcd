"""A server's games and results."""
