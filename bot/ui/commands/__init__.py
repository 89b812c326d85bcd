"""Slash commands, one thin module per area. They build actions; the engine says what is legal."""
