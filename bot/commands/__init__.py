"""Slash commands: thin, one module for each area. They make actions; what is legal the engine says."""
