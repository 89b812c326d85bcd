"""18HS, a small game that nobody sells: half-shares of a twentieth, two lays a turn, no privates, four companies.

It is put together as docs/adding-a-title.md says, and what every title promises is tried on it.
"""
