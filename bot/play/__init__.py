"""The live table: its log, seats, position and settings, and everything that can happen to them."""
