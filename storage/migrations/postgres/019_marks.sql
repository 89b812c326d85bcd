-- A hash of each row that neither the log's hashes nor the seals cover, so that damage to it is found.

CREATE TABLE marks (
    of_table text COLLATE "C" NOT NULL,
    row_key text COLLATE "C" NOT NULL,
    hash text NOT NULL,
    PRIMARY KEY (of_table, row_key)
);

-- NULL is left out, so that a later version may add columns.
CREATE FUNCTION mark_of(what jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT left(encode(sha256(convert_to(jsonb_strip_nulls(what)::text, 'UTF8')), 'hex'), 32)
$$;
CREATE FUNCTION mark_key(what jsonb, names text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(what ->> name, ' ' ORDER BY place) FROM unnest(names) WITH ORDINALITY AS one (name, place)
$$;

-- Marks are renewed for connections that say they are this program's, and for no others.
CREATE FUNCTION mark_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    key text;
BEGIN
    IF current_setting('tetsudo.program', true) IS DISTINCT FROM 'on' THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        key := mark_key(to_jsonb(NEW), TG_ARGV);
        INSERT INTO marks VALUES (TG_TABLE_NAME, key, mark_of(to_jsonb(NEW)))
            ON CONFLICT (of_table, row_key) DO UPDATE SET hash = excluded.hash;
    END IF;
    IF TG_OP <> 'INSERT' AND key IS DISTINCT FROM mark_key(to_jsonb(OLD), TG_ARGV) THEN
        DELETE FROM marks WHERE of_table = TG_TABLE_NAME AND row_key = mark_key(to_jsonb(OLD), TG_ARGV);
    END IF;
    RETURN NULL;
END $$;

-- The columns of a table's key, in its order.
CREATE FUNCTION key_of(name text) RETURNS text[] LANGUAGE sql STABLE AS $$
    SELECT array_agg(attname::text ORDER BY place)
    FROM pg_index, unnest(indkey) WITH ORDINALITY AS one (number, place), pg_attribute
    WHERE indrelid = name::regclass AND indisprimary AND attrelid = indrelid AND attnum = number
$$;

-- Marks the rows of a table from now on, and those that it has; for every later table, too.
CREATE FUNCTION mark_rows(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'CREATE TRIGGER marked AFTER INSERT OR UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION mark_row(%s)',
        name, (SELECT string_agg(quote_literal(one), ', ') FROM unnest(key_of(name)) AS one)
    );
    EXECUTE format(
        'INSERT INTO marks SELECT %L, mark_key(to_jsonb(t), key_of(%L)), mark_of(to_jsonb(t)) FROM %I AS t',
        name, name, name
    );
END $$;

SELECT mark_rows(name) FROM unnest(ARRAY['alive', 'branches', 'breaks', 'clocks', 'disturbances', 'handovers',
    'interactions', 'lessons', 'loans', 'messages', 'offers', 'openings', 'outbox', 'people', 'pings', 'proposals',
    'snapshots', 'standing_orders', 'votes', 'watches']) AS name;
