"""Discord on your own machine: the real bot on a simulated server, in a local web page."""
