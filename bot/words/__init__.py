"""Words for things, moves and people, without Discord."""
