-- How often what is kept in memory of a game has changed: its row, seats, log or standing orders.

ALTER TABLE games ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
