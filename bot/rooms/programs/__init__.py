"""What players have the bot do for them."""
