"""Paces, clocks, reminders and who is late."""
