"""A room for each capability of the bot."""
