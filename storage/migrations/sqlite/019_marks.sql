-- A hash of each row that neither the log's hashes nor the seals cover, so that damage to it is found.

CREATE TABLE marks (
    of_table TEXT NOT NULL,
    row_key TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (of_table, row_key)
) STRICT, WITHOUT ROWID;
