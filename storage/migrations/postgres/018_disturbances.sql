-- Who had whom pinged lately, so that nobody is disturbed again and again by the same person.

CREATE TABLE disturbances (
    by_user bigint NOT NULL,
    user_id bigint NOT NULL,
    notice bigint NOT NULL,                -- the row of the outbox that pinged
    at bigint NOT NULL,
    PRIMARY KEY (by_user, user_id, notice)
);

CREATE INDEX disturbances_by_time ON disturbances (at);
