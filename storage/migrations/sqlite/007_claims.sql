-- Whose claim a notice is, and since when it is not known whether an attempt got through.

ALTER TABLE outbox ADD COLUMN claimed_by TEXT;          -- NULL while nobody is sending it
ALTER TABLE outbox ADD COLUMN unsure_since INTEGER;     -- NULL while every attempt is known to have failed

UPDATE outbox SET unsure_since = created_at WHERE attempts > 0 AND done_at IS NULL;
