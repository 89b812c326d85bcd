-- What players say besides acting: offers that need consent, standing orders, votes, settings.

CREATE TABLE offers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL REFERENCES games (id),
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    from_seat TEXT NOT NULL,
    to_seat TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'declined', 'stale')),
    made_at INTEGER NOT NULL,
    closed_at INTEGER,
    made_by_interaction TEXT UNIQUE,
    closed_by_interaction TEXT
) STRICT;

CREATE INDEX offers_open ON offers (game) WHERE status = 'open';

CREATE TABLE standing_orders (
    game TEXT NOT NULL REFERENCES games (id),
    seat TEXT NOT NULL,
    body TEXT NOT NULL,
    set_at INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE votes (
    game TEXT NOT NULL REFERENCES games (id),
    kind TEXT NOT NULL,
    seat TEXT NOT NULL,
    choice TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (game, kind, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE player_settings (
    user_id INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    set_at INTEGER NOT NULL
) STRICT;
