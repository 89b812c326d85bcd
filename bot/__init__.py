"""The Discord bot: commands, buttons and messages around the rules engine. It decides no rule itself."""
