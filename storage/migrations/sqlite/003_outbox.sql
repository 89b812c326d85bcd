-- What is still to be said, and the messages that were posted.

CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,   -- never reused: the nonce is made of it
    game TEXT NOT NULL REFERENCES games (id),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    lane TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at INTEGER NOT NULL,       -- while claimed: when the lease ends
    done_at INTEGER,
    last_error TEXT,
    message_id INTEGER
) STRICT;

CREATE INDEX outbox_waiting ON outbox (game, lane, id) WHERE done_at IS NULL;
CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;

CREATE TABLE messages (
    message_id INTEGER PRIMARY KEY,
    channel_id INTEGER NOT NULL,
    game TEXT NOT NULL REFERENCES games (id),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    posted_at INTEGER NOT NULL,
    retired_at INTEGER                      -- when its buttons were taken away
) STRICT;

CREATE INDEX messages_with_buttons ON messages (game, seq) WHERE retired_at IS NULL;
