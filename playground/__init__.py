"""Discord on your own machine: the real bot on a simulated server, shown by a local page."""
