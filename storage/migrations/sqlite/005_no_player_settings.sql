-- Nothing was ever kept there: who is notified is settled in Discord.
DROP TABLE player_settings;
