-- How far people are in the guided first game.

CREATE TABLE guides (
    user_id bigint NOT NULL PRIMARY KEY,
    body text NOT NULL,
    revision bigint NOT NULL,
    changed_at bigint NOT NULL
);

SELECT mark_rows('guides');
