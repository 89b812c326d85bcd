"""The map swept node by node, where routes are too many to list."""
