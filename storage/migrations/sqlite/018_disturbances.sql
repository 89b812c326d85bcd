-- Who had whom pinged lately, so that nobody is disturbed again and again by the same person.

CREATE TABLE disturbances (
    by_user INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    notice INTEGER NOT NULL,               -- the row of the outbox that pinged
    at INTEGER NOT NULL,
    PRIMARY KEY (by_user, user_id, notice)
) STRICT;

CREATE INDEX disturbances_by_time ON disturbances (at);
