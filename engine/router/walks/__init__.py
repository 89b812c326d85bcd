"""Walks, which are routes without their calls, where rules tie stops and routes together."""
