"""The adapter for PostgreSQL, by way of asyncpg (the optional extra `postgres`)."""
