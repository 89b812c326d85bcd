-- What people try out privately, a row for each line of moves.

CREATE TABLE branches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL REFERENCES games (id),
    user_id INTEGER NOT NULL,
    body TEXT NOT NULL,
    revision INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX branches_by_user ON branches (game, user_id);
