"""Game files: our own format (`native`), and records of 18xx.games, read, written and traced."""
