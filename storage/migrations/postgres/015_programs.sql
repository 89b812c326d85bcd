-- What a seat wants done on its behalf may wait for a time of its own.

ALTER TABLE standing_orders ADD COLUMN due_at bigint;  -- when somebody has to look at it next; NULL for never
ALTER TABLE standing_orders ADD COLUMN claimed_by text;
ALTER TABLE standing_orders ADD COLUMN claimed_until bigint NOT NULL DEFAULT 0;

CREATE INDEX standing_orders_due ON standing_orders (due_at) WHERE due_at IS NOT NULL;
