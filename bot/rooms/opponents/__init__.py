"""Opponents, and advice."""
