"""The Discord bot: commands, buttons and messages around the rules engine. It makes no rules decisions itself."""
