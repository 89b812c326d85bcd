"""Rules, help and lessons."""
