-- On what terms seats are held: which are open, lent or offered to somebody, and how they have changed hands.

CREATE TABLE openings (
    game TEXT NOT NULL REFERENCES games (id),
    seat TEXT NOT NULL,
    why TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE loans (
    game TEXT NOT NULL REFERENCES games (id),
    seat TEXT NOT NULL,
    owner_id INTEGER NOT NULL,
    owner_name TEXT NOT NULL,
    ends_at INTEGER NOT NULL,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX loans_by_end ON loans (ends_at);

CREATE TABLE proposals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL REFERENCES games (id),
    seat TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('give', 'lend', 'take')),
    by_user INTEGER NOT NULL,
    user_id INTEGER NOT NULL,               -- who would sit there
    name TEXT NOT NULL,
    days INTEGER NOT NULL,                  -- of a loan; otherwise 0
    status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'declined', 'stale')),
    made_at INTEGER NOT NULL,
    closed_at INTEGER
) STRICT;

CREATE INDEX proposals_open ON proposals (game) WHERE status = 'open';

CREATE TABLE handovers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL REFERENCES games (id),
    seq INTEGER NOT NULL,                   -- the last row of the log before it
    seat TEXT NOT NULL,
    how TEXT NOT NULL CHECK (how IN ('given', 'lent', 'returned', 'left', 'taken')),
    from_id INTEGER NOT NULL,
    from_name TEXT NOT NULL,
    to_id INTEGER NOT NULL,                 -- 0 if nobody
    to_name TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX handovers_by_game ON handovers (game, id);
