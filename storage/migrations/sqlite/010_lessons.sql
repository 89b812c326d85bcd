-- Kinds of decisions that people need not have explained again in teaching games.

CREATE TABLE lessons (
    user_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user_id, kind)
) STRICT;
