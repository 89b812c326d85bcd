"""What Discord is to the bot: messages, answers, ids, limits."""
