-- What people write down for themselves in their games.

CREATE TABLE notes (
    game TEXT NOT NULL REFERENCES games (id),
    user_id INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, user_id)
) STRICT, WITHOUT ROWID;
