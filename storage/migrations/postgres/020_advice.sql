-- The last position in which each seat was told what to do; until now, votes remembered it.

CREATE TABLE advice (
    game text COLLATE "C" NOT NULL REFERENCES games (id),
    seat text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (game, seat)
);

INSERT INTO advice (game, seat, seq) SELECT game, seat, seq FROM votes WHERE kind = 'suggest';

SELECT mark_rows('advice');
