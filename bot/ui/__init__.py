"""Discord itself: the client, what people press and type, and what is sent."""
