-- Games, who sits in them, and the log that is the truth about each.

PRAGMA application_id = 1415935091;  -- "Tets": marks the file as ours

CREATE TABLE games (
    id TEXT NOT NULL PRIMARY KEY,
    guild_id INTEGER,
    channel_id INTEGER NOT NULL,
    title TEXT NOT NULL,
    options TEXT NOT NULL,
    settings TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'running', 'finished', 'abandoned')),
    host_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER,
    result TEXT,
    seq INTEGER NOT NULL DEFAULT 0,     -- of the last log row: how long the log must be
    head TEXT NOT NULL DEFAULT ''       -- hash of the last log row
) STRICT;

CREATE UNIQUE INDEX one_unfinished_game_a_channel ON games (channel_id) WHERE status IN ('open', 'running');
CREATE INDEX games_by_guild ON games (guild_id, created_at);

CREATE TABLE seats (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    joined_at INTEGER NOT NULL,
    left_at INTEGER                     -- NULL while the person holds the seat
) STRICT;

CREATE UNIQUE INDEX one_person_a_seat ON seats (game, seat) WHERE left_at IS NULL;
CREATE INDEX seats_by_game ON seats (game);
CREATE INDEX seats_by_user ON seats (user_id) WHERE left_at IS NULL;

CREATE TABLE log (
    game TEXT NOT NULL REFERENCES games (id),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    by_seat TEXT,
    by_user INTEGER,
    note TEXT,
    at INTEGER NOT NULL,
    interaction_id TEXT UNIQUE,
    hash TEXT NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER log_has_no_gaps BEFORE INSERT ON log
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM log WHERE game = NEW.game)
BEGIN SELECT raise(ABORT, 'the log is append-only: seq must be the next one'); END;

CREATE TRIGGER log_is_not_changed BEFORE UPDATE ON log
BEGIN SELECT raise(ABORT, 'the log is append-only: no row changes'); END;

CREATE TRIGGER log_is_not_shortened BEFORE DELETE ON log
BEGIN SELECT raise(ABORT, 'the log is append-only: no row is deleted'); END;

-- What each press or command already did, so that a repeated delivery does nothing.
CREATE TABLE interactions (
    id TEXT NOT NULL PRIMARY KEY,
    did TEXT NOT NULL,
    game TEXT NOT NULL REFERENCES games (id),
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
