"""Lines of moves that somebody tries out."""
